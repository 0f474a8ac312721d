package polytope

import (
	"math/big"

	"example.com/boxrules/exact"
)

// Lattice looks for the smallest point of p whose coordinates are multiples of step, in at most maxSlices
// slices.
func (p Polytope) Lattice(step int64, maxSlices int) (exact.Point, Answer) {
	return p.findFirstLatticePoint(nil, step, maxSlices, byWidthDepthHeight)
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
	return new(big.Rat).SetFrac(v.homogeneous[axis].big(), v.homogeneous[exact.Axes].big())
}
