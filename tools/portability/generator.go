package main

import (
	"math"

	"example.com/boxrules"
)

// A generator draws numbers, by SplitMix64 (Steele, Lea and Flood, 2014): uint64 arithmetic, which no library
// and no machine changes. It makes a float64 by one division at most, which has one result too.
type generator struct{ state uint64 }

func (g *generator) next() uint64 {
	g.state += 0x9e3779b97f4a7c15
	z := g.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is a number from 0 to n-1.
func (g *generator) below(n int64) int64 { return int64(g.next() % uint64(n)) }

// dims are dimensions of one of three kinds: anywhere around the article's limits, where comparisons are tied or
// nearly so, and where the way to the grid turns.
func (g *generator) dims(s *subject) boxrules.Dims {
	var x [3]float64
	switch g.below(3) {
	case 0:
		for axis := range x {
			const parts = 1024 // of a thousandth
			x[axis] = float64(g.around(s, axis)*parts+g.below(parts)) / (1000 * parts)
		}
	case 1:
		for axis, n := range g.tie(s) {
			x[axis] = float64(n) / 1000
		}
	default:
		for axis, n := range g.tie(s) {
			x[axis] = g.neighbour(float64(2*n+1) / 2000)
			if g.below(4) == 0 {
				x[axis] = g.extreme()
			}
		}
	}
	return boxrules.Dims{Width: x[0], Depth: x[1], Height: x[2]}
}

// around is a grid point within the limits, or a little beyond.
func (g *generator) around(s *subject, axis int) int64 {
	margin := (s.high[axis] - s.low[axis]) / 16
	return s.low[axis] - margin + g.below(s.high[axis]-s.low[axis]+2*margin+1)
}

// tie is a point where many comparisons are tied: two of its coordinates are a limit, or stand in a ratio or
// at a distance to the third that rules speak of. Each may be a thousandth off.
func (g *generator) tie(s *subject) (p [3]int64) {
	first := int(g.below(3))
	n := g.around(s, first) / 60 * 60 // so that every ratio is exact
	related := []int64{
		n, 2 * n, n / 2, 3 * n, n / 3, n * 3 / 4, n * 4 / 3, n * 4 / 5, n * 5 / 4, n * 5 / 2, n * 2 / 5, n + 30_000, n - 30_000, 60_000, 35_000,
	}
	for _, sum := range s.sums {
		related = append(related, sum-n)
	}
	for axis := range p {
		switch {
		case axis == first:
			p[axis] = n
		case g.below(8) == 0:
			p[axis] = s.low[axis]
		case g.below(8) == 0:
			p[axis] = s.high[axis]
		case g.below(8) == 0:
			p[axis] = g.around(s, axis)
		default:
			p[axis] = related[g.below(int64(len(related)))]
		}
		p[axis] += g.below(3) - 1
	}
	return p
}

// neighbour is x, or a float64 up to two further.
func (g *generator) neighbour(x float64) float64 {
	for range g.below(3) {
		x = math.Nextafter(x, math.Inf(1))
	}
	for range g.below(3) {
		x = math.Nextafter(x, math.Inf(-1))
	}
	return x
}

// extreme is a number that no box has, and many of them are no dimension. Close to half a thousandth a fused
// product and sum would be another grid point than two roundings.
func (g *generator) extreme() float64 {
	var x float64
	switch g.below(8) {
	case 0, 1, 2:
		x = g.neighbour(0.0005)
	case 3:
		x = float64(g.below(1<<40)) / (1 << 50) // up to about a thousandth
	case 4:
		x = g.neighbour(1_000_000)
	case 5:
		x = float64(int64(1)<<g.below(30)*2-1) / 2000 // just below a power of two on the grid
	case 6:
		x = float64(g.below(2_000_000_000)) / 1000
	default:
		x = []float64{0, math.SmallestNonzeroFloat64, 0x1p53, math.MaxFloat64, math.Inf(1), math.NaN()}[g.below(6)]
	}
	if g.below(2) == 0 {
		return -x
	}
	return x
}
