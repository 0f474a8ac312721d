package learn

import (
	"example.com/boxrules/exact"
	"example.com/boxrules/learn/internal/state"
)

// allowedRegions returns a region for each condition rule before end that the article is known to select: the boxes that
// the rule does not refuse.
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

// informativeRegions returns the conditions for boxes from whose answers more can be learned about the sheet: no
// constraint refuses the box, and it is not known whether its blank fits.
//
// Take a sheet that is known to hold 900 x 600 and not to hold 1000 x 500. A blank of 950 x 550 is informative,
// because it exceeds 900 and is shorter than 1000. A blank of 800 x 500 is not, because it certainly fits. Nor is a
// blank of 1000 x 550, because it certainly does not fit.
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

// oversizeRegion returns the region of the boxes whose blank does not fit a sheet of the given size.
func (p *profile) oversizeRegion(size exact.Point) exact.Region {
	return exact.AnyOf(p.blank.exceedingRegion(state.Long, size[state.Long]), p.blank.exceedingRegion(state.Short, size[state.Short]))
}

// fittingRegion returns the region of the boxes whose blank fits one of the sheets.
func (p *profile) fittingRegion(sheets ...exact.Point) exact.Region {
	var alternatives []exact.Region
	for _, size := range sheets {
		alternatives = append(alternatives, exact.Not(p.oversizeRegion(size)))
	}
	return exact.AnyOf(alternatives...)
}
