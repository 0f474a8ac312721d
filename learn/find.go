package learn

import (
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/learn/internal/state"
)

// maxWork limits the searches of one call to a few seconds.
const maxWork = 100_000_000

// newBoxSearch returns a search for boxes whose dimensions are multiples of step. The search subtracts its work from
// l.remainingWork.
func (l *Learner) newBoxSearch(step int64) polytope.Search {
	return polytope.Search{Step: step, Budget: &l.remainingWork}
}

// findBox looks for a box that meets all conditions and is not known to be outside the limits. Its dimensions are
// multiples of step.
func (l *Learner) findBox(p *profile, step int64, conditions ...exact.Region) (exact.Point, polytope.Answer) {
	low, high := p.article.widestLimits()
	at, answer := l.newBoxSearch(step).Find(polytope.Cuboid(low, high), conditions...)
	l.gaveUp = l.gaveUp || answer == polytope.Undecided
	return at, answer
}

// findAskableBox is like findBox, but looks for a box to ask the service about. It prefers boxes whose dimensions are
// multiples of the step of the limits. It never returns a box that [Learner.Skip] excludes, and returns a borderline
// box only if it finds no other.
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

// maxBorderline is the number of borderline boxes after which the search for a box that is not borderline gives up.
// Usually one of the first few boxes is not borderline.
const maxBorderline = 10

// allowedRegions returns a region for each condition rule before end that the article is known to select. The region
// contains the boxes that the rule does not refuse.
func (p *profile) allowedRegions(end int) []exact.Region {
	var regions []exact.Region
	for i, c := range p.conditions[:end] {
		if p.article.selections[i].IsSelected() && !c.isOpaque {
			regions = append(regions, c.satisfied)
		}
	}
	return regions
}

// regionExcept returns the region of all points other than at.
func regionExcept(at exact.Point) exact.Region {
	var alternatives []exact.Region
	for axis, x := range at {
		alternatives = append(alternatives, exact.AtMost(axis, x-1), exact.AtLeast(axis, x+1))
	}
	return exact.AnyOf(alternatives...)
}

// informativeRegions returns the conditions that a box must meet if the answer about it is to narrow down the size of
// the sheet: no constraint refuses the box, and it is not known whether its blank fits.
//
// Take a sheet that is known to hold 900 x 600 and not to hold 1000 x 500. A blank of 950 x 550 is informative, because
// it exceeds 900 and is shorter than 1000. A blank of 800 x 500 is not, because it certainly fits. Nor is a blank of
// 1000 x 550, because it certainly does not fit.
func (p *profile) informativeRegions() []exact.Region {
	s := p.sheet
	corner := s.Corner()
	conditions := append(p.allowedRegions(p.beforeSheet), p.oversizeRegion(corner))
	for _, e := range s.SmallestExcluded() {
		// The sheet is at least as large as corner, and does not hold the excluded size. So it is smaller than the
		// excluded size on a side on which corner is smaller, too. A blank that may fit must also be smaller on one
		// of these sides. It does not help if it is smaller on another side.
		var alternatives []exact.Region
		for side := range state.Sides {
			if corner[side] < e.At[side] {
				alternatives = append(alternatives, exact.Not(p.blank.exceedingRegion(side, e.At[side]-s.Step)))
			}
		}
		conditions = append(conditions, exact.AnyOf(alternatives...))
	}
	return conditions
}
