package program

import (
	"math"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// A FastPath finds the first of its conditions that holds, as a Program does, but in less time.
//
// Six comparisons of float64s decide whether a box is within the article's limits and, if it is not, which
// boundary rule it violates. Most valid boxes within the limits are in one of a few convex cells. Inside a cell
// no rule is violated, so the order of the rules does not matter. For the remaining boxes a Program is run.
// This Program contains only tests that succeed for some boxes within the limits and fail for others.
type FastPath struct {
	Low, High [exact.Axes]float64 // the smallest and the greatest float64 that are within the limits when rounded to the grid
	Cells     []Cell              // of valid boxes within the limits
	program   Program             // for the boxes within the limits that are in no cell

	// StartsWithLimits is true if the first conditions are the six limits, in the order in which Check
	// compares them. Then the index of the limit that a box violates is also the index of its condition.
	StartsWithLimits bool
}

// NoFastPath never finds an answer: every box is below Low and above High.
var NoFastPath = FastPath{Low: [exact.Axes]float64{math.Inf(1)}, High: [exact.Axes]float64{math.Inf(-1)}}

// NewFastPath returns the FastPath for the conditions. all is the Program that [Assemble] returns for them, and
// boundaryCount is the number of conditions of the boundary stage, which come first. Several goroutines may
// call NewFastPath at the same time.
func NewFastPath(all Program, conditions []exact.Region, boundaryCount int) FastPath {
	low, high := fastPathLimits(conditions[:boundaryCount])
	f := FastPath{program: all}
	for axis := range exact.Axes {
		if low[axis] < 0 || low[axis] > high[axis] {
			return NoFastPath // Grid truncates, which rounds negative numbers up; or no box is within the limits
		}
		// High is the greatest float64 that is not rounded up to the next grid point. A maximum of 48 admits
		// 48.0004, which is rounded to 48.
		f.Low[axis], f.High[axis] = leastFloat64(low[axis]),
			min(math.Nextafter(leastFloat64(high[axis]+1), 0), exact.MaxDimension)
	}
	f.StartsWithLimits = startsWithLimits(conditions[:boundaryCount], low, high)
	if exact.AnyOf(conditions...).Size() <= maxHalfSpaces {
		// The program runs only for boxes within the limits, so tests of the limits are dropped from it.
		domain := polytope.Cuboid(low, high)
		f.Cells = newCells(domain, low, high, conditions)
		f.program = Assemble(simplifyInOrder(domain, conditions)...)
	}
	return f
}

// maxHalfSpaces is the maximum number of half-spaces in conditions that are simplified. With more half-spaces,
// polytopes would have a great many vertices, and making a FastPath would take too long.
const maxHalfSpaces = 100

// fastPathLimits returns for each axis the largest range in which no condition about this axis alone holds. The
// conditions w < 20 and w > 400 leave the range 20..400. Conditions about several axes are ignored.
func fastPathLimits(conditions []exact.Region) (low, high exact.Point) {
	for axis := range exact.Axes {
		low[axis], high[axis] = -exact.MaxGrid, exact.MaxGrid
	}
	for _, c := range conditions {
		for axis, a := range c.HalfSpace().A { // A is 0 if the region is not a Half
			var onlyAxis [exact.Axes]int64
			onlyAxis[axis] = a
			switch {
			case a == 0 || c.HalfSpace().A != onlyAxis:
			case a > 0: // the box is invalid if a·x > k
				high[axis] = min(high[axis], exact.FloorDiv(c.HalfSpace().K, a))
			default: // the same with a negative a: -1·x > -20000 leaves x >= 20000
				low[axis] = max(low[axis], -exact.FloorDiv(c.HalfSpace().K, -a))
			}
		}
	}
	return low, high
}

// leastFloat64 returns the smallest float64 that exact.Grid rounds to the coordinate, which must not be negative. For
// 48000 it is 47.9995. A greater float64 is never rounded to a smaller coordinate, so leastFloat64 can start with an
// estimate and try the float64s next to it.
func leastFloat64(coordinate int64) float64 {
	// Rounding may have put x a few float64s to either side. The first loop goes down to a float64 that is too
	// small, and the second one back up to the first that is not.
	x := (float64(coordinate) - 0.5) / exact.Scale
	for exact.Grid(x) >= coordinate {
		x = math.Nextafter(x, math.Inf(-1))
	}
	for exact.Grid(x) < coordinate {
		x = math.Nextafter(x, math.Inf(1))
	}
	return x
}

// startsWithLimits reports whether the conditions begin with the six limits: width < Low, width > High, then
// the same for depth and height. If they do, the index of the limit that a box violates is also the index of
// its condition.
func startsWithLimits(conditions []exact.Region, low, high exact.Point) bool {
	if len(conditions) < Limits {
		return false
	}
	for axis := range exact.Axes {
		// width < Low is -1·w > -Low, and width > High is 1·w > High.
		var below, above exact.HalfSpace
		below.A[axis], below.K = -1, -low[axis]
		above.A[axis], above.K = 1, high[axis]
		if conditions[2*axis].HalfSpace() != below || conditions[2*axis+1].HalfSpace() != above {
			return false
		}
	}
	return true
}

// Limits is the number of limits of an article: a minimum and a maximum along each axis.
const Limits = 2 * exact.Axes

// If the dimensions are within the limits, Grid rounds them to the grid. Otherwise, ok is false.
func (f *FastPath) Grid(w, d, h float64) (width, depth, height int64, ok bool) {
	if w >= f.Low[exact.Width] && w <= f.High[exact.Width] &&
		d >= f.Low[exact.Depth] && d <= f.High[exact.Depth] &&
		h >= f.Low[exact.Height] && h <= f.High[exact.Height] {
		// This does the same as exact.Grid for numbers that are not negative, because for these truncating is
		// rounding down.
		return int64(float64(w*exact.Scale) + 0.5), int64(float64(d*exact.Scale) + 0.5),
			int64(float64(h*exact.Scale) + 0.5), true
	}
	return 0, 0, 0, false
}

// First returns the result of Program.First for a point that Grid returned.
func (f *FastPath) First(width, depth, height int64) int {
	return f.program.FirstAt(width, depth, height)
}
