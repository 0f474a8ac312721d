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

// compare is the sign of a - b.
func compare(a, b *big.Rat) int { return a.Cmp(b) }

func whole(n int64) *big.Rat { return rat(n, 1) }

// phrases are what the language of conditions has that the documented rules do without.
var phrases = []phrase{
	{"10 <= width <= 20", func(w, d, h *big.Rat) bool { return compare(w, whole(10)) >= 0 && compare(w, whole(20)) <= 0 }},
	{"10 < width < depth < height", func(w, d, h *big.Rat) bool {
		return compare(w, whole(10)) > 0 && compare(w, d) < 0 && compare(d, h) < 0
	}},
	{"width == 10", func(w, d, h *big.Rat) bool { return compare(w, whole(10)) == 0 }},
	{"width != depth", func(w, d, h *big.Rat) bool { return compare(w, d) != 0 }},
	{"not (depth > width)", func(w, d, h *big.Rat) bool { return compare(d, w) <= 0 }},
	{"!(width > 10 && depth > 10)", func(w, d, h *big.Rat) bool { return compare(w, whole(10)) <= 0 || compare(d, whole(10)) <= 0 }},
	{"width > 10 || depth > 10 && height > 10", func(w, d, h *big.Rat) bool {
		return compare(w, whole(10)) > 0 || compare(d, whole(10)) > 0 && compare(h, whole(10)) > 0
	}},
	{"width > 10 and depth > 10 or height > 20", func(w, d, h *big.Rat) bool {
		return compare(w, whole(10)) > 0 && compare(d, whole(10)) > 0 || compare(h, whole(20)) > 0
	}},
	{"min(width, depth, height) < 10", func(w, d, h *big.Rat) bool { return compare(least(w, least(d, h)), whole(10)) < 0 }},
	{"max(width, 2*depth) - height >= 10", func(w, d, h *big.Rat) bool {
		return compare(greatest(w, times(d, 2, 1)), sum(h, whole(10))) >= 0
	}},
	{"min(width, max(depth, 12)) == 12", func(w, d, h *big.Rat) bool { return compare(least(w, greatest(d, whole(12))), whole(12)) == 0 }},
	{"30 - 10 - width > 0", func(w, d, h *big.Rat) bool { return compare(w, whole(20)) < 0 }},
	{"-width + 20 < 0", func(w, d, h *big.Rat) bool { return compare(w, whole(20)) > 0 }},
	{"width / 4 / 2 <= 2.5", func(w, d, h *big.Rat) bool { return compare(w, whole(20)) <= 0 }},
	{"4 + 2 * 3 >= height", func(w, d, h *big.Rat) bool { return compare(h, whole(10)) <= 0 }},
	{"(4 + 1) * 2 >= height", func(w, d, h *big.Rat) bool { return compare(h, whole(10)) <= 0 }},
	{"depth - (height - 10) > 10", func(w, d, h *big.Rat) bool { return compare(d, h) > 0 }},
	{"width + 0.1 + 0.2 > depth + 0.3", func(w, d, h *big.Rat) bool { return compare(w, d) > 0 }},
	{"width * (1/3 + 1/6) <= depth * 0.5", func(w, d, h *big.Rat) bool { return compare(w, d) <= 0 }},
	{"width + caliper > glue_flap + 5.4", func(w, d, h *big.Rat) bool { return compare(w, whole(20)) > 0 }},
	{"depth > sheet_height / 85", func(w, d, h *big.Rat) bool { return compare(d, whole(20)) > 0 }},
	{"height * max_width > 1000 * (min_width + 3 * min_height)", func(w, d, h *big.Rat) bool { return compare(h, whole(10)) > 0 }},
}

// code is that of the phrase with the number.
func code(i int) string { return fmt.Sprintf("LANG_%04d", i+1) }

// language is a user's rule file in which the stages stand in another order than they run in, and two articles, of
// which one has no blank, so that the size rule with the blank is not checked for it.
func language(root string) ([]conformance.File, error) {
	var rules strings.Builder
	rules.WriteString("# The size stage comes first in this file, and last in a check.\nversion: 1\nsize:\n" +
		"  - {code: FLAT_0001, when: blank_width > 40, message: blank}\n" +
		"  - {code: FLAT_0002, when: sheet_width < 120 * height, message: no blank is mentioned}\n" +
		"constraint:\n")
	var codes []string
	for i, p := range phrases {
		fmt.Fprintf(&rules, "  - {code: %s, when: '%s', message: phrase}\n", code(i), p.when)
		codes = append(codes, code(i))
	}
	rules.WriteString("boundary:\n  - {code: EDGE_0001, when: height > 25, message: boundary}\n")
	catalogue := openLimits([]openArticle{{"blank", codes}}) +
		"  no-blank: {width: {min: 1, max: 1000}, depth: {min: 2, max: 750.5}, height: {min: 3, max: 800.25}, constraints: [" +
		strings.Join(codes, ", ") + "]}\n"
	s, err := newSuite(root, conformance.File{
		Name:        "language.json",
		Description: "A user's rule file: what the language of conditions has that the documented rules do without, and the order of the stages.",
		Rules:       rules.String(), Limits: catalogue,
	})
	if err != nil {
		return nil, err
	}
	s.right = func(article, _ string, w, d, h *big.Rat) []string {
		var codes []string
		check := func(code string, fails bool) {
			if fails {
				codes = append(codes, code)
			}
		}
		check("EDGE_0001", compare(h, whole(25)) > 0)
		for i, p := range phrases {
			check(code(i), p.means(w, d, h))
		}
		check("FLAT_0001", article == "blank" && compare(sum(w, h, h), whole(40)) > 0)
		check("FLAT_0002", compare(rat(4801, 2), times(h, 120, 1)) < 0)
		return codes
	}
	for _, article := range []string{"blank", "no-blank"} {
		p, err := s.engine.Profile(article, "board")
		if err != nil {
			return nil, err
		}
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
	return s.done()
}
