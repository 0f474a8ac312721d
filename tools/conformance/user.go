package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/oracle"
)

// A phrase is a condition, together with the same condition written by hand in Go. Dimensions are in thousandths.
type phrase struct {
	when  string
	holds func(w, d, h int64) bool
}

// phrases are conditions that together use every part of the rule language that the documented rules do not use.
var phrases = []phrase{
	{"10 <= width <= 20", func(w, d, h int64) bool { return w >= 10_000 && w <= 20_000 }},
	{"10 < width < depth < height", func(w, d, h int64) bool { return w > 10_000 && w < d && d < h }},
	{"width == 10", func(w, d, h int64) bool { return w == 10_000 }},
	{"width != depth", func(w, d, h int64) bool { return w != d }},
	{"not (depth > width)", func(w, d, h int64) bool { return d <= w }},
	{"!(width > 10 && depth > 10)", func(w, d, h int64) bool { return w <= 10_000 || d <= 10_000 }},
	{"width > 10 || depth > 10 && height > 10", func(w, d, h int64) bool { return w > 10_000 || d > 10_000 && h > 10_000 }},
	{"width > 10 and depth > 10 or height > 20", func(w, d, h int64) bool { return w > 10_000 && d > 10_000 || h > 20_000 }},
	{"min(width, depth, height) < 10", func(w, d, h int64) bool { return min(w, d, h) < 10_000 }},
	{"max(width, 2*depth) - height >= 10", func(w, d, h int64) bool { return max(w, 2*d) >= h+10_000 }},
	{"min(width, max(depth, 12)) == 12", func(w, d, h int64) bool { return min(w, max(d, 12_000)) == 12_000 }},
	{"30 - 10 - width > 0", func(w, d, h int64) bool { return w < 20_000 }},
	{"-width + 20 < 0", func(w, d, h int64) bool { return w > 20_000 }},
	{"width / 4 / 2 <= 2.5", func(w, d, h int64) bool { return w <= 20_000 }},
	{"4 + 2 * 3 >= height", func(w, d, h int64) bool { return h <= 10_000 }},
	{"(4 + 1) * 2 >= height", func(w, d, h int64) bool { return h <= 10_000 }},
	{"depth - (height - 10) > 10", func(w, d, h int64) bool { return d > h }},
	{"width + 0.1 + 0.2 > depth + 0.3", func(w, d, h int64) bool { return w > d }},
	{"width * (1/3 + 1/6) <= depth * 0.5", func(w, d, h int64) bool { return w <= d }},
	{"width + caliper > glue_flap + 5.4", func(w, d, h int64) bool { return w > 20_000 }},
	{"depth > sheet_height / 85", func(w, d, h int64) bool { return d > 20_000 }},
	{"height * max_width > 1000 * (min_width + 3 * min_height)", func(w, d, h int64) bool { return h > 10_000 }},
}

// userRulesSuite returns the suite with a rule file that adds a user's rules to the documented rules. The stages in
// the rule file are not in check order. One of the two articles has no blank, so FLAT_0001 is not checked for it.
func userRulesSuite(root string) *suite {
	rules := `# The size stage comes first in this file, and last in a check.
version: 1
extends: documented
size:
  - {code: FLAT_0001, when: blank_width > 40, message: blank}
  - {code: FLAT_0002, when: sheet_width < 120 * height, message: no blank is mentioned}
constraint:
`
	codes := []string{"BOX_3118", "BOX_3105"}
	for i, p := range phrases {
		codes = append(codes, fmt.Sprintf("LANG_%04d", i+1))
		rules += fmt.Sprintf("  - {code: LANG_%04d, when: '%s', message: phrase}\n", i+1, p.when)
	}
	s := newSuite(root, conformance.File{
		Name: "user.json",
		Description: "A user's rule file that extends the documented rules. Its rules come after the documented ones of the same " +
			"stage. The file tests the order of the stages, and those parts of the language of conditions that the documented rules do not use.",
		Rules: rules + "boundary:\n  - {code: EDGE_0001, when: height > 25, message: boundary}\n",
		Limits: openHead + openArticle("blank", codes...) +
			fmt.Sprintf("  no-blank: {%s, constraints: [%s]}\n", openRanges, strings.Join(codes, ", ")),
	}, oracle.Walled)
	// The oracle knows only the documented codes. Add those of the user's rules, which come after the documented
	// rules in each stage.
	s.amend = func(box boxrules.Box, documented []string) (codes []string) {
		at, _ := box.Grid()
		w, d, h := at[0], at[1], at[2]
		addDocumented := func(prefix string) {
			codes = slices.AppendSeq(codes, slices.Values(slices.DeleteFunc(slices.Clone(documented), func(code string) bool {
				return !strings.HasPrefix(code, prefix)
			})))
		}
		addIf := func(code string, isViolated bool) {
			if isViolated {
				codes = append(codes, code)
			}
		}
		addDocumented("BOX_2")
		addIf("EDGE_0001", h > 25_000)
		addDocumented("BOX_3")
		for i, p := range phrases {
			addIf(fmt.Sprintf("LANG_%04d", i+1), p.holds(w, d, h))
		}
		addDocumented("BOX_4")
		addIf("FLAT_0001", box.Article == "blank" && w+2*h > 40_000)
		addIf("FLAT_0002", 2_400_500 < 120*h)
		return codes
	}
	for _, p := range s.engine.Profiles() {
		for _, stage := range []boxrules.Stage{boxrules.Boundary, boxrules.Constraint, boxrules.Size} {
			s.addBorders(p, stage, 1, 0)
		}
		// These dimensions are on both sides of the numbers in the phrases. Add all combinations.
		for _, w := range []int64{9_999, 10_000, 12_000, 20_001} {
			for _, d := range []int64{9_999, 10_000, 20_000} {
				for _, h := range []int64{10_000, 10_001, 25_001} {
					s.addVerdictAt(p, exact.Point{w, d, h})
				}
			}
		}
	}
	return s
}
