package main

import (
	"fmt"
	"slices"

	"example.com/boxrules/conformance"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/oracle"
)

// An inFloat is a constraint as a program would compute it that has only float64, and the plane a·p = k on
// the grid where that goes wrong.
type inFloat struct {
	code  string
	holds func(w, d, h float64) bool
	tie   exact.HalfSpace
}

// inFloats are those of the documented constraints that float64 gets wrong. As they are written, BOX_3113 and
// BOX_3114 come out right: a sum of two float64s that is meant to be 498.25 always rounds to it. Rearranged they
// do not. The conversion keeps a compiler from fusing a product and a comparison.
var inFloats = []inFloat{
	{"BOX_3103", func(w, d, h float64) bool { return w <= (d*3)/4 }, tie(4, -3, 0, 0)},
	{"BOX_3112", func(w, d, h float64) bool { return d > h/2.5 }, tie(0, 5, -2, 0)},
	{"BOX_3113", func(w, d, h float64) bool { return w > d && d > 498.25-w && h < 498.25-w }, tie(1, 1, 0, 498_250)},
	{"BOX_3113", func(w, d, h float64) bool { return w > d && d > 498.25-w && w < 498.25-h }, tie(1, 0, 1, 498_250)},
	{"BOX_3114", func(w, d, h float64) bool { return w > d && w > 498.25-d && w > 498.25-h && h < 498.25-d }, tie(0, 1, 1, 498_250)},
	{"BOX_3116", func(w, d, h float64) bool { return h > (d*4)/5 }, tie(0, 4, -5, 0)},
	{"BOX_3119", func(w, d, h float64) bool { return d > float64(1.0/3.0)*w }, tie(1, -3, 0, 0)},
	{"BOX_3121", func(w, d, h float64) bool { return d > w && d >= h && h > w+30 || d > w && d < h }, tie(-1, 0, 1, 30_000)},
	{"BOX_3122", func(w, d, h float64) bool {
		return d <= w && w >= h && h > d+30 && d+30 >= 35 || d <= w && w < h && w >= 35
	}, tie(0, -1, 1, 30_000)},
}

func tie(a, b, c, k int64) exact.HalfSpace {
	return exact.HalfSpace{A: [exact.Axes]int64{a, b, c}, K: k}
}

// decimals are boxes that lie on a limit exactly, and that float64 arithmetic puts on the wrong side.
func decimals(root string) ([]conformance.File, error) {
	const most, draws = 30, 4000
	s, err := openSuite(root, conformance.File{
		Name:        "decimals.json",
		Description: "Boxes that lie exactly on a limit, where a port that computes the condition in float64 gives the wrong verdict: a third, 3/4, 4/5, 2.5, 498.25, sums with 30.",
	}, single())
	if err != nil {
		return nil, err
	}
	dice := dice(2)
	for _, f := range inFloats {
		p, err := s.engine.Profile(alone(f.code), "board")
		if err != nil {
			return nil, err
		}
		found, limits := 0, gridLimits(p)
		for range draws {
			at, ok := dice.onPlane(limits, f.tie, f.tie.K)
			if !ok || found == most {
				continue
			}
			d := dims(at)
			codes := s.right(p.Article(), p.Material(), oracle.Grid(d.Width), oracle.Grid(d.Depth), oracle.Grid(d.Height))
			if f.holds(d.Width, d.Depth, d.Height) != slices.Contains(codes, f.code) {
				s.ask(p.Article(), p.Material(), d)
				found++
			}
		}
		if found == 0 {
			return nil, fmt.Errorf("float64 gets no tie of %s wrong", f.code)
		}
	}
	return s.done()
}
