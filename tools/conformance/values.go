package main

import (
	"math/big"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/internal/lab/oracle"
)

// valuesLimits is a limit file whose blanks use user-defined values at all three levels: for everything, for a
// material and for an article. One value is negative, and one has more decimals than a dimension may have. Some
// names could clash with other names: class is a keyword in many languages, and max_crease looks like the name of a
// limit.
const valuesLimits = `version: 1
unit: mm
values: {class: 1.25, trim: -3}
sheets:
  small: {width: 640, height: 450}
  large: {width: 1040.5, height: 720}
materials:
  thin: {caliper: 0.4, glue_flap: 15, sheet: small, values: {max_crease: 0.4375}}
  thick: {caliper: 3, glue_flap: 35, sheet: large, values: {max_crease: 3}}
articles:
  tucked:
    width: {min: 20, max: 400}
    depth: {min: 15, max: 250}
    height: {min: 30, max: 450}
    constraints: [BOX_3100]
    values: {blank_tuck: 20.125}
    blank:
      width: 2*width + 2*depth + glue_flap + 4*max_crease
      height: height + 2*depth + 2*blank_tuck + trim
  untucked:
    width: {min: 20, max: 400}
    depth: {min: 15, max: 250}
    height: {min: 30, max: 450}
    constraints: []
    values: {blank_tuck: 0}
    blank:
      width: max(2*width + blank_tuck, class*depth)
      height: height + max_crease*depth
  board-only:
    materials: [thick]
    width: {min: 20, max: 1200}
    depth: {min: 15, max: 900}
    height: {min: 30, max: 450}
    constraints: []
    blank:
      width: width - trim
      height: depth / class
`

// valuesSuite returns the suite with the documented rules and valuesLimits.
func valuesSuite(root string) *suite {
	s := newSuite(root, conformance.File{
		Name: "values.json",
		Description: "The documented rules with blanks that use user-defined values, which the limit file gives for " +
			"everything, by material and by article: boxes around the border of every half-space of the size rule.",
		Rules: documentedRules, Limits: valuesLimits,
	}, oracle.Walled)
	add := func(terms ...*big.Rat) *big.Rat {
		sum := new(big.Rat)
		for _, term := range terms {
			sum.Add(sum, term)
		}
		return sum
	}
	times := func(k, x *big.Rat) *big.Rat { return new(big.Rat).Mul(k, x) }
	two := big.NewRat(2, 1)
	// These are the same formulas again, written by hand with the values of the file.
	blanks := func(crease *big.Rat) map[string]oracle.Flat {
		return map[string]oracle.Flat{
			"tucked": func(w, d, h, g, _ *big.Rat) (_, _ *big.Rat) {
				return add(w, w, d, d, g, crease, crease, crease, crease), add(h, d, d, big.NewRat(40_250, 1000), big.NewRat(-3, 1))
			},
			"untucked": func(w, d, h, _, _ *big.Rat) (_, _ *big.Rat) {
				width, other := times(two, w), times(big.NewRat(5, 4), d)
				if other.Cmp(width) > 0 {
					width = other
				}
				return width, add(h, times(crease, d))
			},
			"board-only": func(w, d, _, _, _ *big.Rat) (_, _ *big.Rat) {
				return add(w, big.NewRat(3, 1)), times(big.NewRat(4, 5), d)
			},
		}
	}
	creases := map[string]*big.Rat{"thin": big.NewRat(7, 16), "thick": big.NewRat(3, 1)}
	catalogue := s.engine.Catalogue()
	for _, m := range catalogue.Materials() {
		flats := blanks(creases[m.Code])
		for _, a := range catalogue.Articles() {
			s.profiles[[2]string{a.Code, m.Code}] = oracle.New(a, m, flats[a.Code])
		}
	}
	for _, p := range s.engine.Profiles() {
		s.addBorders(p, boxrules.Size, 2, 200)
	}
	return s
}
