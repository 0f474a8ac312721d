package polytope

import (
	"example.com/boxrules/exact"
)

var (
	// All contains every box that can be checked. Sized contains the boxes whose dimensions are all positive.
	All = Cuboid(exact.Point{-exact.MaxGrid, -exact.MaxGrid, -exact.MaxGrid},
		exact.Point{exact.MaxGrid, exact.MaxGrid, exact.MaxGrid})
	Sized = Cuboid(exact.Point{1, 1, 1}, exact.Point{exact.MaxGrid, exact.MaxGrid, exact.MaxGrid})
)

// maxWork limits one search to a few tenths of a second. Searches in real rules take a thousandth of that.
const maxWork = 10_000_000

// A Search looks for grid points of a domain at which every condition holds, or shows that there are none.
type Search struct {
	// The search looks for points whose coordinates are multiples of Step. If Step is 1, these are all grid points.
	Step int64
	// Budget bounds the work of several searches together. If it is nil, only maxWork bounds each of them.
	Budget *Budget
}

// Cells divides the part of the domain in which every condition holds into polytopes, and calls visit with
// each of them. For the condition "w > 5 or d > 5" there are two: w > 5, and d > 5 with w <= 5. Only points
// whose coordinates are multiples of Step count: such a point is in one of the polytopes if and only if it
// meets every condition. For other points, it does not matter whether they are in a polytope.
//
// Cells stops early if visit returns false or if the search takes too much work. It reports whether it
// visited all polytopes.
//
// The search first intersects the domain with every half-space that must hold. Then it branches over the parts of a
// disjunction. It chooses the disjunction with the fewest parts that are still possible, because that gives the fewest
// branches. A part that holds nowhere in the current domain is dropped. A disjunction is dropped if one of its parts
// holds everywhere in the domain.
func (s Search) Cells(domain Polytope, conditions []exact.Region, visit func(Polytope) bool) bool {
	search := cellSearch{Search: s, visit: visit, remaining: maxWork}
	return search.visitCells(domain, conditions, nil)
}

// roundSteps lists steps of round numbers, in thousandths, from the coarsest to the finest. People understand the
// box 100 x 50 x 20 better than 97.813 x 50.002 x 19.999. The coarser the step on which a point lies, the rounder
// it is.
var roundSteps = []int64{100_000, 50_000, 10_000, 5_000, 1_000, 500, 100, 50, 10, 5, 1}

// steps returns the steps that Find and Roundest try one after another: the elements of roundSteps that are multiples
// of s.Step, and finally s.Step itself. If s.Step is 2000, the step 5000 is left out: 15 is a multiple of 5, but not of
// 2.
func (s Search) steps() []int64 {
	var steps []int64
	for _, step := range roundSteps {
		if step > s.Step && step%s.Step == 0 {
			steps = append(steps, step)
		}
	}
	return append(steps, s.Step)
}

// An Answer says what a search has found out about a set of grid points.
type Answer uint8

// The possible answers of a search.
const (
	Undecided Answer = iota // the search gave up before it found a grid point or proved that there is none
	Nothing                 // the set is proved to have no grid point
	Something               // a grid point of the set has been found
)

// Find returns a point of the domain at which every condition holds. In each cell it first makes a quick
// search for a round point. If that does not decide whether the cell has a point, it makes a thorough search
// for any point.
func (s Search) Find(domain Polytope, conditions ...exact.Region) (exact.Point, Answer) {
	answer, steps := Nothing, s.steps()
	var found exact.Point
	complete := s.Cells(domain, conditions, func(cell Polytope) bool {
		for _, step := range steps {
			if point, a := cell.findFirstLatticePoint(s.Budget, step, maxQuickSlices, byWidthDepthHeight); a == Something {
				found, answer = point, Something
				return false
			} else if step == s.Step && a == Nothing {
				return true // the finest step has no point, which proves that this cell has none
			}
		}
		// The quick searches have not decided the finest step. Search the whole cell, in the order of the axes
		// that takes the least work.
		switch point, a := cell.findLatticePoint(s.Budget, s.Step, maxThoroughSlices); a {
		case Something:
			found, answer = point, Something
			return false
		case Undecided:
			answer = Undecided
		}
		return true
	})
	if !complete && answer == Nothing {
		answer = Undecided
	}
	return found, answer
}

// Roundest returns the roundest point of the domain at which every condition holds: its coordinates are
// multiples of the coarsest possible step. If there are several, it returns the one with the
// smallest width, then depth, then height. In a large domain it may miss the roundest point, and return
// another one.
func (s Search) Roundest(domain Polytope, conditions ...exact.Region) (exact.Point, Answer) {
	answer, steps := Nothing, s.steps()
	var best exact.Point
	bestIndex := len(steps) // the index of the step of best
	complete := s.Cells(domain, conditions, func(cell Polytope) bool {
		for i, step := range steps {
			if i > bestIndex {
				break // a point on a finer step would be less round than best
			}
			point, a := cell.findFirstLatticePoint(s.Budget, step, maxQuickSlices, byWidthDepthHeight)
			if step == s.Step && a == Undecided {
				point, a = cell.findLatticePoint(s.Budget, s.Step, maxThoroughSlices)
			}
			if a == Something {
				if i < bestIndex || latticePointBefore(point, best) {
					bestIndex, best, answer = i, point, Something
				}
				break
			}
			if step == s.Step && a == Undecided && answer == Nothing {
				answer = Undecided
			}
		}
		return true
	})
	if !complete && answer == Nothing {
		answer = Undecided
	}
	return best, answer
}

// maxQuickSlices is the maximum number of slices that a quick search for a grid point looks at, and maxThoroughSlices
// is the maximum for a thorough search. Find and Roundest make quick searches with one step after another. They make a
// thorough search only if the quick search with the finest step decides nothing.
const (
	maxQuickSlices    = 200
	maxThoroughSlices = 5000
)

// byWidthDepthHeight makes findFirstLatticePoint return the point with the smallest width, then depth, then
// height.
var byWidthDepthHeight = [exact.Axes]int{exact.Width, exact.Depth, exact.Height}

// Extreme considers the points of the domain at which every condition holds, and returns the one that is farthest along
// the axis: the one with the greatest coordinate, or with the smallest if direction is -1.
//
// The farthest corner of a cell need not be on the grid. So Extreme starts at the last multiple of Step
// before that corner, and goes inwards one slice at a time until a slice has a grid point. It gives up after
// 100 slices of one cell.
func (s Search) Extreme(domain Polytope, axis int, direction int64, conditions ...exact.Region) (exact.Point, Answer) {
	answer := Nothing
	var best exact.Point
	complete := s.Cells(domain, conditions, func(cell Polytope) bool {
		innermost, at := cell.latticeRange(axis, s.Step)
		if direction < 0 {
			innermost, at = at, innermost
		}
		for tries := 0; (innermost-at)*direction <= 0; at -= direction * s.Step {
			if answer == Something && (at-best[axis])*direction <= 0 {
				break // another cell has a point that is at least as far
			}
			if tries++; tries > 100 {
				answer = Undecided
				return false
			}
			point, a := s.Find(cell.Slice(axis, at))
			if a == Undecided {
				answer = Undecided
				return false
			}
			if a == Something {
				best, answer = point, Something
				break
			}
		}
		return true
	})
	if !complete {
		answer = Undecided // a cell that was not visited may have a farther point
	}
	return best, answer
}
