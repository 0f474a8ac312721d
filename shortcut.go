package boxrules

import (
	"math"

	"example.com/boxrules/internal/linear"
)

// A shortcut decides the boxes within the article's limits, which are nearly all that anybody asks about.
// Six comparisons take the place of the boundary rules and of the check that the dimensions are numbers
// in range, and of the other rules only those tests are left that can come out either way in there.
type shortcut struct {
	low, high [linear.Axes]float64 // the float64s that the grid takes within the limits, both included
	program   program
}

// newShortcut makes the shortcut for the conditions, of which the first are of the boundary stage.
func newShortcut(conditions []linear.Condition, boundary int) shortcut {
	low, high := within(conditions[:boundary])
	s := shortcut{program: program{none: len(conditions)}}
	for axis := range linear.Axes {
		if low[axis] < 0 || low[axis] > high[axis] {
			// Truncation would not be floor, or there is no such box: nothing is within.
			s.low[axis], s.high[axis] = math.Inf(1), math.Inf(-1)
			continue
		}
		s.low[axis], s.high[axis] = firstFloat(low[axis]), min(math.Nextafter(firstFloat(high[axis]+1), 0), linear.MaxDimension)
	}
	if halves := linear.AnyOf(conditions...).Halves(); halves <= maxSimplified {
		conditions = simplified(linear.Cube(low, high), conditions)
	}
	s.program = assemble(conditions...)
	return s
}

// maxSimplified bounds the half-spaces of a profile that is simplified: with more of them the polytope gets
// so many corners that New would take long.
const maxSimplified = 100

// within is the largest range of each axis in which no condition holds that is about this axis alone.
func within(conditions []linear.Condition) (low, high linear.Point) {
	for axis := range linear.Axes {
		low[axis], high[axis] = -linear.MaxGrid, linear.MaxGrid
	}
	for _, c := range conditions {
		if c.Kind != linear.Half {
			continue
		}
		axis, ok := only(c.Half.A)
		switch a := c.Half.A[axis]; {
		case !ok:
		case a > 0: // a·x > k is a violation
			high[axis] = min(high[axis], linear.FloorDiv(c.Half.K, a))
		default:
			low[axis] = max(low[axis], -linear.FloorDiv(c.Half.K, -a))
		}
	}
	return low, high
}

// only is the one axis whose coefficient is not zero.
func only(a [linear.Axes]int64) (axis int, ok bool) {
	count := 0
	for i, c := range a {
		if c != 0 {
			axis = i
			count++
		}
	}
	return axis, count == 1
}

// firstFloat is the least float64 that the grid takes to the coordinate or beyond, which is not negative.
// The way to the grid never decreases, so it can be found by stepping from nearby.
func firstFloat(coordinate int64) float64 {
	x := (float64(coordinate) - 0.5) / linear.Scale
	for toGrid(x) >= coordinate {
		x = math.Nextafter(x, math.Inf(-1))
	}
	for toGrid(x) < coordinate {
		x = math.Nextafter(x, math.Inf(1))
	}
	return x
}

// simplified are conditions that say the same in the domain, each where no earlier one holds, without the
// half-spaces that then always or never contain a point.
func simplified(domain linear.Polytope, conditions []linear.Condition) []linear.Condition {
	simple := make([]linear.Condition, len(conditions))
	for i, c := range conditions {
		simple[i] = simplify(domain, c)
		// What comes later is asked only where this does not hold. Of a compound condition that is no single
		// half-space, and is left out: the domain is then larger than it need be.
		switch {
		case simple[i].Kind == linear.True:
			return simple
		case simple[i].Kind == linear.Half:
			domain = domain.Clip(simple[i].Half.Complement())
		case simple[i].Kind == linear.Or:
			for _, part := range simple[i].Parts {
				if part.Kind == linear.Half {
					domain = domain.Clip(part.Half.Complement())
				}
			}
		}
	}
	return simple
}

func simplify(domain linear.Polytope, c linear.Condition) linear.Condition {
	switch c.Kind {
	case linear.Half:
		switch {
		case !domain.Meets(c.Half):
			return linear.Condition{Kind: linear.False}
		case !domain.Meets(c.Half.Complement()):
			return linear.Condition{Kind: linear.True}
		}
	case linear.And, linear.Or:
		parts := make([]linear.Condition, len(c.Parts))
		for i, part := range c.Parts {
			parts[i] = simplify(domain, part)
		}
		if c.Kind == linear.And {
			return linear.AllOf(parts...)
		}
		return linear.AnyOf(parts...)
	}
	return c
}

// take is the grid point of dimensions within the limits; ok is false for all others.
func (s *shortcut) take(d Dims) (width, depth, height int64, ok bool) {
	if d.Width >= s.low[linear.Width] && d.Width <= s.high[linear.Width] &&
		d.Depth >= s.low[linear.Depth] && d.Depth <= s.high[linear.Depth] &&
		d.Height >= s.low[linear.Height] && d.Height <= s.high[linear.Height] {
		// As toGrid, for what is not negative.
		return int64(float64(d.Width*linear.Scale) + 0.5),
			int64(float64(d.Depth*linear.Scale) + 0.5),
			int64(float64(d.Height*linear.Scale) + 0.5), true
	}
	return 0, 0, 0, false
}
