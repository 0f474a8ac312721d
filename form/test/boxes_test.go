package test

import (
	"math/rand/v2"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
)

// A drawer draws boxes for a profile: most of them where a mistake would show.
type drawer struct{ *gen.Boxes }

func newDrawer(p *boxrules.Profile, seed uint64) *drawer {
	return &drawer{gen.BoxesOf(p.Exact(), rand.New(rand.NewPCG(seed, 1)).IntN)}
}

// dims are on the grid, or one time in three where the way to the grid turns.
func (d *drawer) dims() boxrules.Dims {
	p := d.Next()
	if d.Draw(3) == 0 {
		return dimsOf(d.HardToRound(p))
	}
	return boxrules.DimsAt(p)
}

func dimsOf(x [exact.Axes]float64) boxrules.Dims {
	return boxrules.Dims{Width: x[exact.Width], Depth: x[exact.Depth], Height: x[exact.Height]}
}
