package main

import (
	"math/big"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/internal/lab/oracle"
)

// inchLimits is the beginning of a limit file in inches. It corresponds to openHead, which is in millimetres.
const inchLimits = `version: 1
unit: in
sheets:
  large: {width: 94.5, height: 66.929}
materials:
  board: {caliper: 0.016, glue_flap: 0.59, sheet: large}
articles:
`

// centimetreRules is a rule file that adds one rule to the documented rules. The rule is in centimetres: the height
// may exceed the width by at most 4 inches.
const centimetreRules = `version: 1
extends: documented
unit: cm
constraint:
  - {code: SHOP_0001, when: height > width + 10.16, message: too tall}
`

// unitsSuite returns the suite with limits in inches, the documented rules in millimetres, and a rule in
// centimetres.
func unitsSuite(root string) *suite {
	limits, codes := inchLimits, append(slices.Clone(oracle.Constraints), "SHOP_0001")
	article := func(name, codes string) {
		limits += "  " + name + ": {width: {min: 0.125, max: 40}, depth: {min: 0.25, max: 29.546}, height: {min: 0.375, max: 31.506}, " +
			"constraints: [" + codes + "], " + walledBlank + "}\n"
	}
	for _, code := range codes {
		article("only-"+code[len(code)-4:], code)
	}
	article("every", strings.Join(codes, ", "))
	s := newSuite(root, conformance.File{
		Name: "inches.json",
		Description: "Limits in inches, with the documented rules, whose lengths are millimetres, and one rule in centimetres. An inch is 25.4 mm. " +
			"There are boxes around the border of every half-space: on the border, and with a thousandth of an inch less and more.",
		Rules: centimetreRules, Limits: limits,
	}, oracle.Walled)
	s.amend = func(box boxrules.Box, codes []string) []string {
		if box.Article != "only-0001" && box.Article != "every" {
			return codes
		}
		millimetres := func(inches float64) *big.Rat { return new(big.Rat).Mul(oracle.Grid(inches), big.NewRat(254, 10)) }
		difference := new(big.Rat).Sub(millimetres(box.Height), millimetres(box.Width))
		if difference.Cmp(big.NewRat(1016, 10)) <= 0 {
			return codes
		}
		// The rule comes after the other constraints and before the size rule.
		at := len(codes)
		if at > 0 && codes[at-1] == "BOX_4100" {
			at--
		}
		return slices.Insert(slices.Clone(codes), at, "SHOP_0001")
	}
	for _, p := range s.engine.Profiles() {
		count := 2
		if p.Article() == "every" {
			count = 1
			s.addBorders(p, boxrules.Boundary, 1, 0)
			s.addBorders(p, boxrules.Size, 1, 0)
		}
		s.addBorders(p, boxrules.Constraint, count, 200)
	}
	return s
}
