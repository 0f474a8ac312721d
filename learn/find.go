package learn

import (
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// maxWork limits the searches of one call to a few seconds.
const maxWork = 100_000_000

// widestLimits returns the smallest and the largest box that may be within the limits.
func (a *article) widestLimits() (low, high exact.Point) {
	for axis := range exact.Axes {
		low[axis], high[axis] = a.rangeEnds[axis][minimum].LowerBound(), a.rangeEnds[axis][maximum].UpperBound()
	}
	return low, high
}

// newBoxSearch returns a search for boxes whose dimensions are multiples of step. The search spends l.work.
func (l *Learner) newBoxSearch(step int64) polytope.Search {
	return polytope.Search{Step: step, Budget: &l.remainingWork}
}

// findBox looks for a box that may be within the limits and meets all conditions. Its dimensions are multiples of
// finest.
func (l *Learner) findBox(p *profile, step int64, conditions ...exact.Region) (exact.Point, polytope.Answer) {
	low, high := p.article.widestLimits()
	at, answer := l.newBoxSearch(step).Find(polytope.Cuboid(low, high), conditions...)
	l.gaveUp = l.gaveUp || answer == polytope.Undecided
	return at, answer
}

// findAskableBox is like find, but considers only boxes to ask about, and prefers boxes whose dimensions are multiples
// of the step of the limits. It never returns a box that [Learner.Skip] excludes, and returns a borderline box only
// if it finds no other.
func (l *Learner) findAskableBox(p *profile, conditions ...exact.Region) (at exact.Point, ok bool) {
	for _, finest := range []int64{l.askStep(), l.askGrid} {
		conditions := slices.Clip(conditions)
		for borderline := 0; borderline < maxBorderline; {
			another, answer := l.findBox(p, finest, conditions...)
			if answer != polytope.Something {
				break
			}
			conditions = append(conditions, regionExcept(another)) // so that the next search finds another box
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

// askStep returns the step, rounded up to a multiple of the askGrid. For example, it is 1 for a step of 0.5 if the
// boxes to ask about have no decimals.
func (l *Learner) askStep() int64 { return roundUp(l.step, l.askGrid) }

// maxBorderline is the number of borderline boxes after which the search for a box that is not borderline gives up.
// Usually one of the first few boxes is not.
const maxBorderline = 10
