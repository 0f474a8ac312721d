package test

import (
	"math"
	"math/rand/v2"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// A drawer draws boxes for a profile: most of them where a mistake would show.
type drawer struct {
	*rand.Rand
	halves    []exact.HalfSpace
	low, high exact.Point
}

func newDrawer(p *boxrules.Profile, seed uint64) *drawer {
	d := &drawer{Rand: rand.New(rand.NewPCG(seed, 1))}
	form := p.Exact()
	d.low, d.high = form.Low, form.High
	for _, c := range form.Conditions {
		d.halves = slices.AppendSeq(d.halves, c.HalfSpaces())
	}
	return d
}

// dims are of one of three kinds: anywhere around the limits, on or next to the border of a half-space, and
// there again but off the grid, at the places where the way to the grid turns.
func (d *drawer) dims() boxrules.Dims {
	kind := d.IntN(3)
	p := d.anywhere()
	if kind > 0 {
		p = d.border(p)
	}
	var x [exact.Axes]float64
	for axis, n := range p {
		x[axis] = float64(n) / exact.Scale
		if kind == 2 && n < exact.MaxGrid {
			x[axis] = math.Nextafter(float64(2*n+1)/(2*exact.Scale), float64(d.IntN(3)-1)*math.MaxFloat64)
		}
	}
	return boxrules.Dims{Width: x[exact.Width], Depth: x[exact.Depth], Height: x[exact.Height]}
}

// anywhere is a point within the limits or a little beyond, a whole number of units at times.
func (d *drawer) anywhere() (p exact.Point) {
	whole := d.IntN(2) == 0
	for axis := range p {
		margin := (d.high[axis]-d.low[axis])/8 + 1
		p[axis] = d.low[axis] - margin + d.Int64N(d.high[axis]-d.low[axis]+2*margin+1)
		if whole {
			p[axis] = p[axis] / exact.Scale * exact.Scale
		}
	}
	return p
}

// border moves the point along an axis to the border of a half-space, if there is one, or a thousandth off it.
func (d *drawer) border(p exact.Point) exact.Point {
	if len(d.halves) == 0 {
		return p
	}
	h := d.halves[d.IntN(len(d.halves))]
	axis := d.IntN(exact.Axes)
	for h.A[axis] == 0 {
		axis = (axis + 1) % exact.Axes
	}
	rest := h.K
	for other := range exact.Axes {
		if other != axis {
			rest -= h.A[other] * p[other]
		}
	}
	x := exact.FloorDiv(rest, max(h.A[axis], -h.A[axis]))
	if h.A[axis] < 0 {
		x = -x
	}
	p[axis] = min(max(x+d.Int64N(3)-1, -exact.MaxGrid), exact.MaxGrid)
	return p
}
