// Package gen generates random inputs for tests: boxes, half-spaces, conditions made of half-spaces, and rule files
// with limit files. In comments, to draw something means to generate it at random.
//
// Each condition is generated as text and, at the same time, as a function on exact fractions. So gen knows what a
// file means without parsing it, and shares no code with the packages under test.
package gen

import "example.com/boxrules/exact"

// A Draw returns a random number from 0 to n-1, as rand.IntN does.
type Draw func(n int) int

func (draw Draw) between(low, high int64) int64 { return low + int64(draw(int(high-low)+1)) }

// Half returns a random half-space with coefficients from -4 to 4 and a bound from -maxBound to maxBound.
func Half(draw Draw, maxBound int64) (h exact.HalfSpace) {
	for axis := range h.A {
		h.A[axis] = draw.between(-4, 4)
	}
	h.K = draw.between(-maxBound, maxBound)
	return h
}

// Condition returns a random condition that combines half-spaces drawn by Half, nested up to the given depth.
func Condition(draw Draw, depth int, maxBound int64) exact.Condition {
	kind := draw(5)
	// Even if nesting is allowed, return a half-space in two of five cases, so that most trees stay small.
	if depth == 0 || kind < 2 {
		return exact.Condition{Kind: exact.Half, Half: Half(draw, maxBound)}
	}
	parts := make([]exact.Condition, 2+draw(2))
	for i := range parts {
		parts[i] = Condition(draw, depth-1, maxBound)
	}
	return exact.Condition{Kind: []exact.Kind{exact.And, exact.Or}[draw(2)], Parts: parts}
}

// Region returns the Region of a condition drawn by Condition.
func Region(draw Draw, depth int, maxBound int64) exact.Region {
	return Condition(draw, depth, maxBound).Region()
}

// Cube returns two opposite corners of a random cuboid with coordinates from -maxCoordinate to maxCoordinate. Along
// most axes, the cuboid fills the whole range.
func Cube(draw Draw, maxCoordinate int64) (low, high exact.Point) {
	for axis := range low {
		low[axis], high[axis] = -maxCoordinate, maxCoordinate
		// Both ends may be equal, so some cuboids are flat or a single point.
		if draw(4) == 0 {
			a, b := draw.between(-maxCoordinate, maxCoordinate), draw.between(-maxCoordinate, maxCoordinate)
			low[axis], high[axis] = min(a, b), max(a, b)
		}
	}
	return low, high
}
