package main

import (
	"fmt"
	"math/big"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/internal/lab/oracle"
)

// ruleValues is a rule file in millimetres whose rules mention user-defined values. A value that is declared as a
// length is converted from the unit of the limits, and a value that is declared as a number is not. Some of the
// names have another meaning elsewhere. For example, class is a keyword in many languages.
const ruleValues = `version: 1
extends: documented
values: {girth: length, crease: length, slot: length, class: number, "sheet_count": number, trim: length}
boundary:
  - {code: SHOP_0001, when: width + 2 * depth + height > girth, message: too large for a parcel}
constraint:
  - {code: SHOP_0002, when: depth < 3 * crease, message: too shallow to fold}
  - {code: SHOP_0003, when: height > class * depth + 30, message: too tall}
  - {code: SHOP_0004, when: "class < width / slot <= 2 * class", message: the slots do not fit}
  - {code: SHOP_0005, when: "max(width, sheet_count * height) > 254 - trim / class", message: does not fit the rack}
size:
  - {code: SHOP_0006, when: blank_width + crease > sheet_width - trim, message: no gripper edge}
`

// ruleValueLimits is a limit file with a placeholder for its unit. It defines values at three levels: for everything,
// for a material and for an article. One value is negative, and one has more decimals than a dimension may have. The
// articles have different values.
const ruleValueLimits = `version: 1
unit: %s
values: {girth: 45.125, sheet_count: 2.5}
sheets:
  small: {width: 25.5, height: 17.75}
  large: {width: 41, height: 28}
materials:
  thin: {caliper: 0.0625, glue_flap: 0.59, sheet: small, values: {crease: 0.21875, slot: 1.5}}
  thick: {caliper: 0.125, glue_flap: 1.25, sheet: large, values: {crease: 0.1, slot: 0.7}}
articles:
  steep: {width: {min: 0.125, max: 40}, depth: {min: 0.25, max: 29.546}, height: {min: 0.375, max: 31.506},
    constraints: [SHOP_0002, SHOP_0003, SHOP_0004, SHOP_0005], values: {class: 4, trim: -0.3125},
    blank: {width: 2*width + crease, height: height + 2*depth + trim}}
  flat: {width: {min: 0.125, max: 40}, depth: {min: 0.25, max: 29.546}, height: {min: 0.375, max: 31.506},
    constraints: [SHOP_0005, SHOP_0003], values: {class: 1.3, trim: 0}}
  none: {width: {min: 0.125, max: 40}, depth: {min: 0.25, max: 29.546}, height: {min: 0.375, max: 31.506},
    constraints: [BOX_3100], values: {trim: 1}, blank: {width: 2*width + crease, height: height + 2*depth + trim}}
`

// ruleValuesSuite returns the suite whose rules are ruleValues, and whose limits are ruleValueLimits in the given
// unit.
func ruleValuesSuite(root, unit string) *suite {
	rat := func(text string) *big.Rat { r, _ := new(big.Rat).SetString(text); return r }
	length := func(text string) *big.Rat { return new(big.Rat).Mul(rat(text), oracle.Millimetres[unit]) }
	sum := func(terms ...*big.Rat) *big.Rat {
		total := new(big.Rat)
		for _, term := range terms {
			total.Add(total, term)
		}
		return total
	}
	times := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
	over := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }
	two := rat("2")
	// These are the same values again, written by hand: lengths in millimetres, and numbers.
	creases := map[string]*big.Rat{"thin": length("0.21875"), "thick": length("0.1")}
	slots := map[string]*big.Rat{"thin": length("1.5"), "thick": length("0.7")}
	classes := map[string]*big.Rat{"steep": rat("4"), "flat": rat("1.3")}
	trims := map[string]*big.Rat{"steep": length("-0.3125"), "flat": length("0"), "none": length("1")}
	selected := map[string][]string{"steep": {"SHOP_0002", "SHOP_0003", "SHOP_0004", "SHOP_0005"}, "flat": {"SHOP_0003", "SHOP_0005"}}

	s := newSuite(root, conformance.File{
		Name: "rule-values-" + unit + ".json",
		Description: "Rules in mm that use values of the user's own, which limits in " + unit + " give for everything, by material and by " +
			"article: lengths, which are converted to mm, and numbers, which are not. There are boxes around the border of every half-space.",
		Rules: ruleValues, Limits: fmt.Sprintf(ruleValueLimits, unit),
	}, nil)
	for key, p := range s.profiles {
		crease, trim := over(creases[key[1]], oracle.Millimetres[unit]), over(trims[key[0]], oracle.Millimetres[unit])
		p.Blank = func(w, d, h *big.Rat) (_, _ *big.Rat) { return sum(w, w, crease), sum(h, d, d, trim) }
		if key[0] == "flat" {
			p.Blank = nil
		}
	}
	s.amend = func(box boxrules.Box, documented []string) (codes []string) {
		mm := func(x float64) *big.Rat { return times(oracle.Grid(x), oracle.Millimetres[unit]) }
		w, d, h := mm(box.Width), mm(box.Depth), mm(box.Height)
		crease, slot, class, trim := creases[box.Material], slots[box.Material], classes[box.Article], trims[box.Article]
		more := func(a, b *big.Rat) bool { return a.Cmp(b) > 0 }
		addDocumented := func(prefix string) {
			for _, code := range documented {
				if strings.HasPrefix(code, prefix) {
					codes = append(codes, code)
				}
			}
		}
		addIf := func(code string, isViolated bool) {
			if isViolated {
				codes = append(codes, code)
			}
		}
		addDocumented("BOX_2")
		addIf("SHOP_0001", more(sum(w, d, d, h), length("45.125")))
		addDocumented("BOX_3")
		for _, code := range selected[box.Article] {
			switch code {
			case "SHOP_0002":
				addIf(code, more(times(rat("3"), crease), d))
			case "SHOP_0003":
				addIf(code, more(h, sum(times(class, d), rat("30"))))
			case "SHOP_0004":
				n := over(w, slot)
				addIf(code, more(n, class) && !more(n, times(two, class)))
			case "SHOP_0005":
				bound := new(big.Rat).Sub(rat("254"), over(trim, class))
				addIf(code, more(w, bound) || more(times(rat("2.5"), h), bound))
			}
		}
		addDocumented("BOX_4")
		if box.Article != "flat" {
			sheet := map[string]*big.Rat{"thin": length("25.5"), "thick": length("41")}[box.Material]
			addIf("SHOP_0006", more(sum(w, w, crease, crease), new(big.Rat).Sub(sheet, trim)))
		}
		return codes
	}
	for _, p := range s.engine.Profiles() {
		for _, stage := range []boxrules.Stage{boxrules.Boundary, boxrules.Constraint, boxrules.Size} {
			s.addBorders(p, stage, 1, 100)
		}
	}
	return s
}
