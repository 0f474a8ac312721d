package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/oracle"
)

const (
	documentedRules = "rules/box_rules.yaml"
	shippedLimits   = "limits/illustrative.yaml"
)

// illustrativeSuite returns the suite that tests one stage of the documented rules with the illustrative limits.
func illustrativeSuite(root string, stage boxrules.Stage, count int) *suite {
	s := newSuite(root, conformance.File{
		Name: fmt.Sprintf("illustrative-%s.json", stage),
		Description: "The documented rules with the shipped limits, which are illustrative. For every article in every " +
			"material there are boxes around the border of every half-space of its " + stage.String() +
			" rules: on the border, and with a thousandth less and more.",
		Rules: documentedRules, Limits: shippedLimits,
	}, nil)
	for _, p := range s.engine.Profiles() {
		s.addBorders(p, stage, count, 0)
	}
	return s
}

// openHead is the beginning of a limit file with open articles. An open article has such wide limits, and such a large
// sheet, that almost every box reaches the constraints, even a box of a few millimetres. The blank of an open article
// is [oracle.Walled].
const openHead = `version: 1
unit: mm
sheets:
  large: {width: 2400.5, height: 1700}
materials:
  board: {caliper: 0.4, glue_flap: 15, sheet: large}
articles:
`

const (
	openRanges  = "width: {min: 1, max: 1000}, depth: {min: 2, max: 750.5}, height: {min: 3, max: 800.25}"
	walledBlank = "blank: {width: width + 2*height, height: depth + 2*height}"
)

func openArticle(name string, constraints ...string) string {
	return fmt.Sprintf("  %s: {%s, constraints: [%s], %s}\n", name, openRanges, strings.Join(constraints, ", "), walledBlank)
}

// documentedConstraints returns the suite with an open article for each documented constraint, and one more open
// article that selects all of them.
func documentedConstraints(root string) *suite {
	limits := openHead
	for _, code := range oracle.Constraints {
		limits += openArticle("only-"+strings.TrimPrefix(code, "BOX_"), code)
	}
	s := newSuite(root, conformance.File{
		Name: "constraints.json",
		Description: "Each documented constraint alone in an article with wide limits, and all constraints together in another article. " +
			"There are boxes around the border of every half-space: on the border, and with a thousandth less and more. " +
			"Many boxes are exactly on a limit, where a port that computes in float64 gives the wrong verdict.",
		Rules: documentedRules, Limits: limits + openArticle("every", oracle.Constraints...),
	}, oracle.Walled)
	for _, p := range s.engine.Profiles() {
		if p.Article() == "every" {
			s.addBorders(p, boxrules.Constraint, 1, 0)
		} else {
			s.addBorders(p, boxrules.Constraint, 4, 1500)
		}
		s.addBorders(p, boxrules.Size, 1, 0)
	}
	return s
}

// documentedSuites returns two suites with the same boxes, for an article that selects all documented constraints. The
// first suite uses the documented rules. The second suite uses a rule file that a user could have written: it has the
// same conditions in reverse order, all in one stage. The boxes are random. Each of them violates at least one pair of
// rules that no earlier box violates.
func documentedSuites(root string) (documented, reversed *suite) {
	const head = `version: 1
unit: mm
sheets: {small: {width: 800, height: 700}}
materials: {board: {caliper: 0.4, glue_flap: 15, sheet: small}}
articles:
  every: {width: {min: 250, max: 300}, depth: {min: 230, max: 250}, height: {min: 195, max: 300}, `
	rules, codes := "version: 1\nconstraint:\n", []string(nil)
	for _, r := range slices.Backward(boxrules.DefaultRules().Rules()) {
		rules += fmt.Sprintf("  - {code: %s, when: '%s', message: %s}\n", r.Code, r.When, strings.ToLower(string(r.Code)))
		codes = append(codes, string(r.Code))
	}
	limits := func(codes []string) string {
		return head + "constraints: [" + strings.Join(codes, ", ") + "], " + walledBlank + "}\n"
	}
	documented = newSuite(root, conformance.File{
		Name:        "pairs.json",
		Description: "All documented rules in one article. For every pair of codes that a box can violate together, there is such a box.",
		Rules:       documentedRules, Limits: limits(oracle.Constraints),
	}, oracle.Walled)
	reversed = newSuite(root, conformance.File{
		Name:        "pairs-reversed.json",
		Description: "The same boxes with a user's rule file, which has the documented conditions in reversed order, all in one stage.",
		Rules:       rules, Limits: limits(codes),
	}, oracle.Walled)
	reversed.amend = func(_ boxrules.Box, codes []string) []string {
		slices.Reverse(codes)
		return codes
	}
	p := documented.engine.Profiles()[0]
	seenPairs := make(map[[2]string]bool)
	boxes := gen.BoxesOf(p.Exact(), newDraw())
	for range 20_000 {
		at := boxes.Next()
		before := len(seenPairs)
		codes := documented.rightCodes(boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: boxrules.DimsAt(at)})
		// codes is in check order, so each pair is counted only once, with the code that is reported first at the
		// front.
		for i, later := range codes {
			for _, earlier := range codes[:i] {
				seenPairs[[2]string{earlier, later}] = true
			}
		}
		if len(seenPairs) > before {
			documented.addVerdictAt(p, at)
			reversed.addVerdictAt(p, at)
		}
	}
	return documented, reversed
}

// documentedGridDimensions returns dimensions that careless code would round to the wrong grid point: values
// halfway between two thousandths, which float64 cannot represent exactly, the float64 values next to these, and
// the smallest and largest dimensions.
func documentedGridDimensions() []float64 {
	values := []float64{
		0, math.Copysign(0, -1), 48, 48.0004, 48.0006, 48.001, 47.9996, 0.3, 0.1 + 0.2, 1.0 / 3, 2.0 / 3, 498.25,
		math.SmallestNonzeroFloat64, 1e-300, 1e-7, -1e-7, 0.001, -0.001, 12345.6789, -12345.6789, 99999.9999,
		33.333, 33.3333333333, 66.6666666667, 249.125, 0.07, 0.57, 1.1, 1.15, 8.2, 9.95, 64.1, 4.35, 1.005, 2.675,
		1_000_000, -1_000_000, 999_999.999, -999_999.999, 524_288, 8_191.999,
	}
	for _, x := range []float64{
		0.0005, 0.9995, 1.0005, 2.0005, 4.0005, 8.0005, 48.0005, 64.0005, 128.0005, 498.2505, 1024.0005, 4096.0015,
		33_333.3335, 65_536.0005, 123_456.7895, 524_288.0005, 999_999.9985, 999_999.9995,
		0.00049999, 0.00049999999999999, 48.00049999, 0.99949999999,
	} {
		for _, y := range []float64{x, -x} {
			values = append(values, y, math.Nextafter(y, math.Inf(-1)), math.Nextafter(y, math.Inf(1)))
		}
	}
	return append(values, math.Nextafter(1_000_000, 0), -math.Nextafter(1_000_000, 0))
}

// documentedGrid returns the suite that tests how dimensions are rounded to the grid. Its article accepts only
// boxes whose dimensions are all equal after rounding.
func documentedGrid(root string) *suite {
	s := newSuite(root, conformance.File{
		Name: "grid.json",
		Description: "How a float64 is rounded to a thousandth: floor(x*1000 + 0.5), where the product and the sum are each rounded to float64. " +
			"In each box, one dimension is the float64 and the other two are the thousandth to which it is rounded. The article refuses " +
			"a box whose width or height differs from its depth.",
		Rules: documentedRules, Limits: openHead + openArticle("cube", "BOX_3100", "BOX_3105", "BOX_3109", "BOX_3111"),
	}, oracle.Walled)
	for _, x := range documentedGridDimensions() {
		at, _ := oracle.Grid(x).Float64()
		s.addVerdict("cube", "board", boxrules.Dims{Width: x, Depth: at, Height: at})
		s.addVerdict("cube", "board", boxrules.Dims{Width: at, Depth: x, Height: at})
		s.addVerdict("cube", "board", boxrules.Dims{Width: at, Depth: at, Height: x})
	}
	return s
}
