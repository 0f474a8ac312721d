package learn

import (
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// maxWork limits the proofs of one call to a few seconds.
const maxWork = 100_000_000

// widestLimits returns the smallest and the largest box that may be within the limits.
func (a *article) widestLimits() (low, high exact.Point) {
	for axis := range exact.Axes {
		low[axis], high[axis] = a.rangeEnds[axis][minimum].LowerBound(), a.rangeEnds[axis][maximum].UpperBound()
	}
	return low, high
}

// newBoxSearch returns a search for boxes whose dimensions are multiples of step. It uses up l.work.
func (l *Learner) newBoxSearch(step int64) polytope.Search {
	return polytope.Search{Step: step, Budget: &l.remainingWork}
}

// findBox looks for a box whose dimensions are multiples of step, that may be within the limits, and that meets
// every condition.
func (l *Learner) findBox(p *profile, step int64, conditions ...exact.Region) (exact.Point, polytope.Answer) {
	low, high := p.article.widestLimits()
	at, answer := l.newBoxSearch(step).Find(polytope.Cuboid(low, high), conditions...)
	l.gaveUp = l.gaveUp || answer == polytope.Undecided
	return at, answer
}

// findAskableBox is like findBox, but looks only at boxes that can be asked, and prefers those whose dimensions are
// multiples of the step of the limits. It never returns a box that [Learner.Skip] excludes, and returns a
// borderline one only if it finds no other.
func (l *Learner) findAskableBox(p *profile, conditions ...exact.Region) (at exact.Point, ok bool) {
	for _, finest := range []int64{l.askStep(), l.askGrid} {
		conditions := slices.Clip(conditions)
		for borderline := 0; borderline < maxBorderline; {
			another, answer := l.findBox(p, finest, conditions...)
			if answer != polytope.Something {
				break
			}
			conditions = append(conditions, regionExcept(another)) // the next search finds another box
			if l.skipped[p.box(another)] {
				continue
			}
			if _, agreed := l.agreedComparisons(p, another); agreed {
				return another, true
			}
			if borderline++; !ok {
				at, ok = another, true
			}
		}
		if l.askStep() == l.askGrid {
			break
		}
	}
	return at, ok
}

// maxBorderline is the number of borderline boxes after which a search for a box that is not borderline gives
// up. Usually one of the first few boxes is not borderline.
const maxBorderline = 10
