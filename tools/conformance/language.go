package main

import (
	"fmt"
	"math/big"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/exact"
)

// A phrase is a condition with what it means, by hand.
type phrase struct {
	when  string
	means func(w, d, h *big.Rat) bool
}

// phrases are what the language of conditions has that the documented rules do without.
var phrases = []phrase{
	{"10 <= width <= 20", func(w, d, h *big.Rat) bool { return w.Cmp(whole(10)) >= 0 && w.Cmp(whole(20)) <= 0 }},
	{"10 < width < depth < height", func(w, d, h *big.Rat) bool {
		return w.Cmp(whole(10)) > 0 && w.Cmp(d) < 0 && d.Cmp(h) < 0
	}},
	{"width == 10", func(w, d, h *big.Rat) bool { return w.Cmp(whole(10)) == 0 }},
	{"width != depth", func(w, d, h *big.Rat) bool { return w.Cmp(d) != 0 }},
	{"not (depth > width)", func(w, d, h *big.Rat) bool { return d.Cmp(w) <= 0 }},
	{"!(width > 10 && depth > 10)", func(w, d, h *big.Rat) bool { return w.Cmp(whole(10)) <= 0 || d.Cmp(whole(10)) <= 0 }},
	{"width > 10 || depth > 10 && height > 10", func(w, d, h *big.Rat) bool {
		return w.Cmp(whole(10)) > 0 || d.Cmp(whole(10)) > 0 && h.Cmp(whole(10)) > 0
	}},
	{"width > 10 and depth > 10 or height > 20", func(w, d, h *big.Rat) bool {
		return w.Cmp(whole(10)) > 0 && d.Cmp(whole(10)) > 0 || h.Cmp(whole(20)) > 0
	}},
	{"min(width, depth, height) < 10", func(w, d, h *big.Rat) bool { return least(w, d, h).Cmp(whole(10)) < 0 }},
	{"max(width, 2*depth) - height >= 10", func(w, d, h *big.Rat) bool {
		return greatest(w, times(d, 2, 1)).Cmp(sum(h, whole(10))) >= 0
	}},
	{"min(width, max(depth, 12)) == 12", func(w, d, h *big.Rat) bool {
		return least(w, greatest(d, whole(12))).Cmp(whole(12)) == 0
	}},
	{"30 - 10 - width > 0", func(w, d, h *big.Rat) bool { return w.Cmp(whole(20)) < 0 }},
	{"-width + 20 < 0", func(w, d, h *big.Rat) bool { return w.Cmp(whole(20)) > 0 }},
	{"width / 4 / 2 <= 2.5", func(w, d, h *big.Rat) bool { return w.Cmp(whole(20)) <= 0 }},
	{"4 + 2 * 3 >= height", func(w, d, h *big.Rat) bool { return h.Cmp(whole(10)) <= 0 }},
	{"(4 + 1) * 2 >= height", func(w, d, h *big.Rat) bool { return h.Cmp(whole(10)) <= 0 }},
	{"depth - (height - 10) > 10", func(w, d, h *big.Rat) bool { return d.Cmp(h) > 0 }},
	{"width + 0.1 + 0.2 > depth + 0.3", func(w, d, h *big.Rat) bool { return w.Cmp(d) > 0 }},
	{"width * (1/3 + 1/6) <= depth * 0.5", func(w, d, h *big.Rat) bool { return w.Cmp(d) <= 0 }},
	{"width + caliper > glue_flap + 5.4", func(w, d, h *big.Rat) bool { return w.Cmp(whole(20)) > 0 }},
	{"depth > sheet_height / 85", func(w, d, h *big.Rat) bool { return d.Cmp(whole(20)) > 0 }},
	{"height * max_width > 1000 * (min_width + 3 * min_height)", func(w, d, h *big.Rat) bool { return h.Cmp(whole(10)) > 0 }},
}

// code is that of the phrase with the number.
func code(i int) string { return fmt.Sprintf("LANG_%04d", i+1) }

// language is a user's rule file in which the stages stand in another order than they run in, and
// two articles, of which one has no blank, so that the size rule with the blank is not checked for
// it.
func language() plan {
	rules := `# The size stage comes first in this file, and last in a check.
version: 1
size:
  - {code: FLAT_0001, when: blank_width > 40, message: blank}
  - {code: FLAT_0002, when: sheet_width < 120 * height, message: no blank is mentioned}
constraint:
`
	var codes []string
	for i, p := range phrases {
		rules += fmt.Sprintf("  - {code: %s, when: '%s', message: phrase}\n", code(i), p.when)
		codes = append(codes, code(i))
	}
	rules += "boundary:\n  - {code: EDGE_0001, when: height > 25, message: boundary}\n"
	return plan{
		File: conformance.File{
			Name: "language.json",
			Description: "A user's rule file: what the language of conditions has that the documented rules do without, " +
				"and the order of the stages.",
			Rules: rules,
			Limits: openHead + openArticle("blank", codes...) +
				fmt.Sprintf("  no-blank: {%s, constraints: [%s]}\n", openRanges, strings.Join(codes, ", ")),
		},
		right: func(article, _ string, w, d, h *big.Rat) []string {
			var codes []string
			check := func(code string, fails bool) {
				if fails {
					codes = append(codes, code)
				}
			}
			check("EDGE_0001", h.Cmp(whole(25)) > 0)
			for i, p := range phrases {
				check(code(i), p.means(w, d, h))
			}
			check("FLAT_0001", article == "blank" && sum(w, h, h).Cmp(whole(40)) > 0)
			check("FLAT_0002", big.NewRat(4801, 2).Cmp(times(h, 120, 1)) < 0)
			return codes
		},
		boxes: func(s *suite) {
			for _, p := range s.engine.Profiles() {
				for _, stage := range []boxrules.Stage{boxrules.Boundary, boxrules.Constraint, boxrules.Size} {
					s.border(p, stage, 1)
				}
			}
			for _, w := range []int64{9_999, 10_000, 12_000, 20_001} {
				for _, d := range []int64{9_999, 10_000, 20_000} {
					for _, h := range []int64{10_000, 10_001, 25_001} {
						s.askPoint("blank", "board", exact.Point{w, d, h})
					}
				}
			}
		},
	}
}
