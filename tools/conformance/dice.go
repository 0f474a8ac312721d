package main

import "example.com/boxrules/exact"

// dice are numbers that look random and are the same everywhere (splitmix64). No search of the
// engine has a say in which boxes are asked about, so that a better search does not change the
// files.
type dice uint64

func (d *dice) next() uint64 {
	*d += 0x9e3779b97f4a7c15
	x := uint64(*d)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// within is a number from low to high, more often one near the low end, and mostly a round one.
func (d *dice) within(low, high int64) int64 {
	high = low + (high-low)>>(d.next()%6)
	x := low + int64(d.next()%uint64(high-low+1))
	step := []int64{1, 500, 1000, 5000}[d.next()%4]
	if round := x - x%step; round >= low {
		return round
	}
	return x
}

// onPlane draws a grid point with h.A·p = level, whose other coordinates are within the limits of
// the article.
func (d *dice) onPlane(article exact.Form, h exact.HalfSpace, level int64) (p exact.Point, ok bool) {
	axis := solvable(h)
	for other := range p {
		p[other] = d.within(article.Low[other], article.High[other])
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

// solvable is the axis with the smallest coefficient, along which the plane meets the grid most
// often.
func solvable(h exact.HalfSpace) int {
	best := -1
	for axis, a := range h.A {
		if a != 0 && (best < 0 || max(a, -a) < max(h.A[best], -h.A[best])) {
			best = axis
		}
	}
	return best
}
