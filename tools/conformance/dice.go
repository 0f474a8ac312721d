package main

import (
	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// dice are numbers that look random and are the same everywhere (splitmix64). No search of the engine has a say
// in which boxes are asked about, so that a better search does not change the files.
type dice uint64

func (d *dice) next() uint64 {
	*d += 0x9e3779b97f4a7c15
	x := uint64(*d)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// An interval is of grid points, both ends included.
type interval struct{ low, high int64 }

// gridLimits are the limits of the profile's article.
func gridLimits(p *boxrules.Profile) (all [exact.Axes]interval) {
	form := p.Exact()
	for axis := range exact.Axes {
		all[axis] = interval{form.Low[axis], form.High[axis]}
	}
	return all
}

// within is a number of the interval, more often one near the low end, and mostly a round one.
func (d *dice) within(i interval) int64 {
	high := i.low + (i.high-i.low)>>(d.next()%6)
	x := i.low + int64(d.next()%uint64(high-i.low+1))
	step := []int64{1, 500, 1000, 5000}[d.next()%4]
	if round := x - x%step; round >= i.low {
		return round
	}
	return x
}

// onPlane draws a grid point with h.A·p = level, whose other coordinates are within the limits.
func (d *dice) onPlane(limits [exact.Axes]interval, h exact.HalfSpace, level int64) (p exact.Point, ok bool) {
	axis := solvable(h)
	for other, i := range limits {
		p[other] = d.within(i)
	}
	const tries = 30 // to meet the grid, by moving the other coordinates a little
	for range tries {
		rest := level
		for other, x := range p {
			if other != axis {
				rest -= h.A[other] * x
			}
		}
		if rest%h.A[axis] == 0 {
			p[axis] = rest / h.A[axis]
			return p, p[axis] > 0 && p[axis] < exact.MaxGrid
		}
		p[d.next()%exact.Axes]++
	}
	return p, false
}

// solvable is the axis with the smallest coefficient, along which the plane meets the grid most often.
func solvable(h exact.HalfSpace) int {
	best := -1
	for axis, a := range h.A {
		if a != 0 && (best < 0 || max(a, -a) < max(h.A[best], -h.A[best])) {
			best = axis
		}
	}
	return best
}
