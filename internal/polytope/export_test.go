package polytope

import (
	"math/big"

	"example.com/boxrules/exact"
)

// Lattice looks for the smallest point of p whose coordinates are multiples of step, in so many
// slices.
func (p Polytope) Lattice(step int64, slices int) (exact.Point, Answer) {
	return p.lattice(nil, step, slices, upwards)
}

// Corners returns the vertices of p as they are kept.
func (p Polytope) Corners() [][exact.Axes]*big.Rat {
	corners := make([][exact.Axes]*big.Rat, len(p.vertices))
	for i := range p.vertices {
		for axis := range exact.Axes {
			corners[i][axis] = p.vertices[i].coordinate(axis)
		}
	}
	return corners
}

func (v *vertex) coordinate(axis int) *big.Rat {
	return new(big.Rat).SetFrac(v.over[axis].big(), v.over[exact.Axes].big())
}

// Find returns a grid point of the domain at which every condition holds.
func (w *Budget) Find(domain Polytope, conditions ...exact.Region) (exact.Point, Answer) {
	return w.FindOn(1, domain, conditions...)
}

// Greatest returns a grid point of the domain at which every condition holds and whose coordinate
// along the axis is the greatest; with a negative direction, the least.
func (w *Budget) Greatest(domain Polytope, axis int, direction int64, conditions ...exact.Region) (exact.Point, Answer) {
	return w.GreatestOn(1, domain, axis, direction, conditions...)
}
