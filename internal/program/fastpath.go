package program

import (
	"math"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// A FastPath answers as a Program of the same conditions does, in less time. Six comparisons of
// float64s tell whether a box is within the article's limits, and which boundary rule it violates
// where it is not. Most valid boxes are then found in one of a few convex cells, in which no rule
// at all is violated, so that the order of the rules does not matter. What is left goes to a
// Program of those tests that can come out either way within the limits.
type FastPath struct {
	Low, High [exact.Axes]float64 // the float64s that the grid takes within the limits, both included
	Cells     []Cell              // of valid boxes within the limits
	Ordered   bool                // whether the first conditions are that a box is beyond Low and High, axis by axis
	program   Program             // for the boxes within the limits that are in no cell
}

// NoFastPath takes no box: every box is below Low and above High.
var NoFastPath = FastPath{Low: [exact.Axes]float64{math.Inf(1)}, High: [exact.Axes]float64{math.Inf(-1)}}

// NewFastPath returns the FastPath for conditions and the Program that [Assemble] returns for
// them. The first boundary conditions are those of the boundary stage. NewFastPath may be called
// concurrently.
func NewFastPath(all Program, conditions []exact.Region, boundary int) FastPath {
	low, high := inside(conditions[:boundary])
	f := FastPath{program: all}
	for axis := range exact.Axes {
		if low[axis] < 0 || low[axis] > high[axis] {
			return NoFastPath // truncation would not be floor, or there is no such box
		}
		f.Low[axis], f.High[axis] = firstFloat(low[axis]),
			min(math.Nextafter(firstFloat(high[axis]+1), 0), exact.MaxDimension)
	}
	f.Ordered = ordered(conditions[:boundary], low, high)
	if exact.AnyOf(conditions...).Size() <= maxSimplified {
		domain := polytope.Cube(low, high)
		f.Cells = newCells(domain, low, high, conditions)
		f.program = Assemble(simplified(domain, conditions)...)
	}
	return f
}

// maxSimplified bounds the half-spaces of a profile that is simplified: with more of them the
// polytope gets so many corners that New would take long.
const maxSimplified = 100

// inside returns, for each axis, the largest range in which no condition about this axis alone
// holds. The conditions w < 20 and w > 400 leave 20..400. Conditions that mention several axes
// are passed over.
func inside(conditions []exact.Region) (low, high exact.Point) {
	for axis := range exact.Axes {
		low[axis], high[axis] = -exact.MaxGrid, exact.MaxGrid
	}
	for _, c := range conditions {
		for axis, a := range c.HalfSpace().A { // all zero in a region of another kind
			var alone [exact.Axes]int64
			alone[axis] = a
			switch {
			case a == 0 || c.HalfSpace().A != alone:
			case a > 0: // a·x > k is a violation
				high[axis] = min(high[axis], exact.FloorDiv(c.HalfSpace().K, a))
			default:
				low[axis] = max(low[axis], -exact.FloorDiv(c.HalfSpace().K, -a))
			}
		}
	}
	return low, high
}

// firstFloat returns the least float64 that the grid takes to the coordinate or beyond; the
// coordinate must not be negative. For 48000 it is 47.9995. The way to the grid never decreases,
// so stepping from nearby finds it.
func firstFloat(coordinate int64) float64 {
	x := (float64(coordinate) - 0.5) / exact.Scale
	for exact.Grid(x) >= coordinate {
		x = math.Nextafter(x, math.Inf(-1))
	}
	for exact.Grid(x) < coordinate {
		x = math.Nextafter(x, math.Inf(1))
	}
	return x
}

// simplified returns conditions with the same outcomes for the boxes in the domain, each without
// the half-spaces that then contain every box or none. Each is simplified for the boxes for which
// no earlier one holds: behind "w > 9" the condition "w < 12 and d > 3" is "d > 3".
func simplified(domain polytope.Polytope, conditions []exact.Region) []exact.Region {
	simple := make([]exact.Region, len(conditions))
	for i, c := range conditions {
		simple[i] = simplify(domain, c)
		// Later conditions are asked only where this one does not hold, which cuts the domain.
		// Where an And does not hold is no convex set: then the domain stays larger than it need
		// be.
		switch {
		case simple[i].Kind() == exact.True:
			return simple
		case simple[i].Kind() == exact.Half:
			domain = domain.Clip(simple[i].HalfSpace().Complement())
		case simple[i].Kind() == exact.Or:
			for _, part := range simple[i].Parts() {
				if part.Kind() == exact.Half {
					domain = domain.Clip(part.HalfSpace().Complement())
				}
			}
		}
	}
	return simple
}

// simplify returns c without the half-spaces that hold for every point of the domain, or for
// none.
func simplify(domain polytope.Polytope, c exact.Region) exact.Region {
	switch c.Kind() {
	case exact.Half:
		switch {
		case !domain.Meets(c.HalfSpace()):
			return exact.Region{}
		case !domain.Meets(c.HalfSpace().Complement()):
			return exact.Everywhere()
		}
	case exact.And, exact.Or:
		parts := make([]exact.Region, len(c.Parts()))
		for i, part := range c.Parts() {
			parts[i] = simplify(domain, part)
		}
		if c.Kind() == exact.And {
			return exact.AllOf(parts...)
		}
		return exact.AnyOf(parts...)
	}
	return c
}

// ordered reports whether the conditions begin with the six limits, as d.Width < Low, d.Width >
// High, then depth and height. Then the number of the limit that a box is beyond is the number of
// its rule.
func ordered(conditions []exact.Region, low, high exact.Point) bool {
	if len(conditions) < Limits {
		return false
	}
	for axis := range exact.Axes {
		var below, above exact.HalfSpace
		below.A[axis], below.K = -1, -low[axis]
		above.A[axis], above.K = 1, high[axis]
		if conditions[2*axis].HalfSpace() != below || conditions[2*axis+1].HalfSpace() != above {
			return false
		}
	}
	return true
}

// Limits counts the limits of an article: a minimum and a maximum along each axis.
const Limits = 2 * exact.Axes

// Grid returns the grid point of dimensions within the limits; ok is false for all others.
func (f *FastPath) Grid(w, d, h float64) (width, depth, height int64, ok bool) {
	if w >= f.Low[exact.Width] && w <= f.High[exact.Width] &&
		d >= f.Low[exact.Depth] && d <= f.High[exact.Depth] &&
		h >= f.Low[exact.Height] && h <= f.High[exact.Height] {
		// As exact.Grid, for what is not negative.
		return int64(float64(w*exact.Scale) + 0.5), int64(float64(d*exact.Scale) + 0.5),
			int64(float64(h*exact.Scale) + 0.5), true
	}
	return 0, 0, 0, false
}

// First returns what Program.First does for a point that Grid returned.
func (f *FastPath) First(width, depth, height int64) int {
	return f.program.FirstAt(width, depth, height)
}
