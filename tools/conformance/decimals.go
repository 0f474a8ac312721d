package main

import (
	"fmt"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/exact"
)

// An inFloat is a constraint as a program would compute it that has only float64, and the plane a·p
// = k on the grid where that goes wrong.
type inFloat struct {
	code  string
	holds func(w, d, h float64) bool
	tie   exact.HalfSpace
}

// inFloats are those of the documented constraints that float64 gets wrong. As they are written,
// BOX_3113 and BOX_3114 come out right: a sum of two float64s that is meant to be 498.25 always
// rounds to it. Rearranged they do not. The conversion keeps a compiler from fusing a product and a
// comparison.
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

// decimals are boxes that lie on a limit exactly, and that float64 arithmetic puts on the wrong
// side.
func decimals() plan {
	return plan{
		File: conformance.File{
			Name: "decimals.json",
			Description: "Boxes that lie exactly on a limit, where a port that computes the condition in float64 gives the wrong " +
				"verdict: a third, 3/4, 4/5, 2.5, 498.25, sums with 30.",
			Rules: documentedRules, Limits: single(),
		},
		blank: walled,
		boxes: func(s *suite) {
			const most, draws = 30, 4000
			dice := dice(2)
			form := s.engine.Profiles()[0].Exact() // all have the same limits
			for _, f := range inFloats {
				found := 0
				for range draws {
					at, ok := dice.onPlane(form, f.tie, f.tie.K)
					if !ok || found == most {
						continue
					}
					d := boxrules.DimsAt(at)
					holds := slices.Contains(s.codes(alone(f.code), "board", d), f.code)
					if f.holds(d.Width, d.Depth, d.Height) != holds {
						s.ask(alone(f.code), "board", d)
						found++
					}
				}
				if found == 0 && s.err == nil {
					s.err = fmt.Errorf("float64 gets no tie of %s wrong", f.code)
				}
			}
		},
	}
}
