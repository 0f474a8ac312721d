// Package gen draws the inputs of tests: boxes, half-spaces and conditions made of them, and rule files
// with limit files.
//
// Each condition is drawn as text and, at the same time, as a function on exact fractions. So gen knows
// what a file means without parsing it, and shares no code with the packages under test.
package gen

import "example.com/boxrules/exact"

// A Draw returns a number from 0 to n-1, like rand.IntN.
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

// Condition returns a random condition made of half-spaces that Half draws, nested up to the depth.
func Condition(draw Draw, depth int, maxBound int64) exact.Condition {
	kind := draw(5)
	// Two in five conditions are half-spaces although nesting is allowed, so that most trees stay small.
	if depth == 0 || kind < 2 {
		return exact.Condition{Kind: exact.Half, Half: Half(draw, maxBound)}
	}
	parts := make([]exact.Condition, 2+draw(2))
	for i := range parts {
		parts[i] = Condition(draw, depth-1, maxBound)
	}
	return exact.Condition{Kind: []exact.Kind{exact.And, exact.Or}[draw(2)], Parts: parts}
}

// Region returns the Region of a condition that Condition draws.
func Region(draw Draw, depth int, maxBound int64) exact.Region {
	return Condition(draw, depth, maxBound).Region()
}

// Cuboid returns two opposite corners of a random cuboid with coordinates from -maxCoordinate to
// maxCoordinate. Along most axes it fills the whole range.
func Cuboid(draw Draw, maxCoordinate int64) (low, high exact.Point) {
	for axis := range low {
		low[axis], high[axis] = -maxCoordinate, maxCoordinate
		// Some cuboids are flat or a single point, because both ends may be equal.
		if draw(4) == 0 {
			a, b := draw.between(-maxCoordinate, maxCoordinate), draw.between(-maxCoordinate, maxCoordinate)
			low[axis], high[axis] = min(a, b), max(a, b)
		}
	}
	return low, high
}
