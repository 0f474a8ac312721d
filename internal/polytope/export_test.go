package polytope

import "example.com/boxrules/exact"

// Lattice looks for the smallest point of p whose coordinates are multiples of step, in so many
// slices.
func (p Polytope) Lattice(step int64, slices int) (exact.Point, Answer) {
	return p.lattice(nil, step, slices, upwards)
}
