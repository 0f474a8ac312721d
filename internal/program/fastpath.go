package program

import (
	"math"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// A FastPath decides the boxes within the article's limits, which are nearly all that anybody asks about.
// Six comparisons take the place of the boundary rules and of the check that the dimensions are numbers
// in range, and of the other rules only those tests are left that can come out either way in there.
type FastPath struct {
	low, high [exact.Axes]float64 // the float64s that the grid takes within the limits, both included
	program   Program
}

// NewFastPath makes the FastPath for folded conditions, of which the first so many are of the boundary stage.
func NewFastPath(conditions []exact.Tree, boundary int) FastPath {
	low, high := inside(conditions[:boundary])
	f := FastPath{}
	for axis := range exact.Axes {
		if low[axis] < 0 || low[axis] > high[axis] {
			// Truncation would not be floor, or there is no such box: nothing is within.
			f.low[axis], f.high[axis] = math.Inf(1), math.Inf(-1)
			continue
		}
		f.low[axis], f.high[axis] = firstFloat(low[axis]), min(math.Nextafter(firstFloat(high[axis]+1), 0), exact.MaxDimension)
	}
	if exact.AnyOf(conditions...).Size() <= maxSimplified {
		conditions = simplified(polytope.Cube(low, high), conditions)
	}
	f.program = Assemble(conditions...)
	return f
}

// maxSimplified bounds the half-spaces of a profile that is simplified: with more of them the polytope gets
// so many corners that New would take long.
const maxSimplified = 100

// inside is the largest range of each axis in which no condition holds that is about this axis alone.
func inside(conditions []exact.Tree) (low, high exact.Point) {
	for axis := range exact.Axes {
		low[axis], high[axis] = -exact.MaxGrid, exact.MaxGrid
	}
	for _, c := range conditions {
		for axis, a := range c.Half.A { // all zero but of a half-space
			var alone [exact.Axes]int64
			alone[axis] = a
			switch {
			case a == 0 || c.Half.A != alone:
			case a > 0: // a·x > k is a violation
				high[axis] = min(high[axis], exact.FloorDiv(c.Half.K, a))
			default:
				low[axis] = max(low[axis], -exact.FloorDiv(c.Half.K, -a))
			}
		}
	}
	return low, high
}

// firstFloat is the least float64 that the grid takes to the coordinate or beyond, which is not negative.
// The way to the grid never decreases, so it can be found by stepping from nearby.
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

// simplified are conditions that say the same in the domain, each where no earlier one holds, without the
// half-spaces that then always or never contain a point.
func simplified(domain polytope.Polytope, conditions []exact.Tree) []exact.Tree {
	simple := make([]exact.Tree, len(conditions))
	for i, c := range conditions {
		simple[i] = simplify(domain, c)
		// What comes later is asked only where this does not hold. Of a compound condition that is no single
		// half-space, and is left out: the domain is then larger than it need be.
		switch {
		case simple[i].Kind == exact.True:
			return simple
		case simple[i].Kind == exact.Half:
			domain = domain.Clip(simple[i].Half.Complement())
		case simple[i].Kind == exact.Or:
			for _, part := range simple[i].Parts {
				if part.Kind == exact.Half {
					domain = domain.Clip(part.Half.Complement())
				}
			}
		}
	}
	return simple
}

func simplify(domain polytope.Polytope, c exact.Tree) exact.Tree {
	switch c.Kind {
	case exact.Half:
		switch {
		case !domain.Meets(c.Half):
			return exact.Tree{Kind: exact.False}
		case !domain.Meets(c.Half.Complement()):
			return exact.Tree{Kind: exact.True}
		}
	case exact.And, exact.Or:
		parts := make([]exact.Tree, len(c.Parts))
		for i, part := range c.Parts {
			parts[i] = simplify(domain, part)
		}
		if c.Kind == exact.And {
			return exact.AllOf(parts...)
		}
		return exact.AnyOf(parts...)
	}
	return c
}

// Grid is the grid point of dimensions within the limits; ok is false for all others.
func (f *FastPath) Grid(w, d, h float64) (width, depth, height int64, ok bool) {
	if w >= f.low[exact.Width] && w <= f.high[exact.Width] &&
		d >= f.low[exact.Depth] && d <= f.high[exact.Depth] &&
		h >= f.low[exact.Height] && h <= f.high[exact.Height] {
		// As exact.Grid, for what is not negative.
		return int64(float64(w*exact.Scale) + 0.5), int64(float64(d*exact.Scale) + 0.5), int64(float64(h*exact.Scale) + 0.5), true
	}
	return 0, 0, 0, false
}

// First is Program.First for a point that Grid gave.
func (f *FastPath) First(width, depth, height int64) int {
	return f.program.FirstAt(width, depth, height)
}
