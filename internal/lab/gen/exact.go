package gen

import "example.com/boxrules/exact"

// ExactHalfSpace returns a random half-space with coefficients from -4 to 4 and a bound from -maxBound to maxBound.
func ExactHalfSpace(draw Draw, maxBound int64) (h exact.HalfSpace) {
	for axis := range h.A {
		h.A[axis] = draw.between(-4, 4)
	}
	h.K = draw.between(-maxBound, maxBound)
	return h
}

// ExactCondition returns a random condition that combines half-spaces drawn by ExactHalfSpace, nested up to the given
// depth.
func ExactCondition(draw Draw, depth int, maxBound int64) exact.Condition {
	kind := draw(5)
	// Even if nesting is allowed, return a half-space in two of five cases, so that most trees stay small.
	if depth == 0 || kind < 2 {
		return exact.Condition{Kind: exact.Half, Half: ExactHalfSpace(draw, maxBound)}
	}
	parts := make([]exact.Condition, 2+draw(2))
	for i := range parts {
		parts[i] = ExactCondition(draw, depth-1, maxBound)
	}
	return exact.Condition{Kind: []exact.Kind{exact.And, exact.Or}[draw(2)], Parts: parts}
}

// ExactRegion returns the Region of a condition drawn by ExactCondition.
func ExactRegion(draw Draw, depth int, maxBound int64) exact.Region {
	return ExactCondition(draw, depth, maxBound).Region()
}

// ExactCuboid returns two opposite corners of a random cuboid with coordinates from -maxCoordinate to maxCoordinate.
// Along most axes, the cuboid fills the whole range.
func ExactCuboid(draw Draw, maxCoordinate int64) (low, high exact.Point) {
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
