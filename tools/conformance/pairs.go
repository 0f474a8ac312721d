package main

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/oracle"
)

// pairs are two files: one with the documented rules, where every pair of codes is in the
// documented order, and one with a user's rule file in which every pair is in the other. That one
// has all rules in one stage, so that size comes before constraint and that before boundary too,
// and an article selects the two codes of its pair.
func pairs() []plan {
	samples := samples()
	reversed := "version: 1\nconstraint:\n"
	for _, r := range slices.Backward(boxrules.DefaultRules().Rules()) {
		reversed += fmt.Sprintf("  - {code: %s, when: '%s', message: %s}\n", r.Code, r.When, strings.ToLower(string(r.Code)))
	}
	return []plan{{
		File: conformance.File{
			Name: "pairs.json",
			Description: "The documented rules. For every pair of codes that one box can violate together an article with such a box, " +
				"and where there are any a box with either code alone.",
			Rules: documentedRules, Limits: pairLimits(pair.constraints),
		},
		blank: walled,
		boxes: func(s *suite) { s.pairs(samples) },
	}, {
		File: conformance.File{
			Name: "pairs-reversed.json",
			Description: "A user's rule file: the documented conditions in reversed order, all in one stage. " +
				"For every pair of codes that one box can violate together an article that selects the two, with such a box, " +
				"and where there are any a box with either code alone.",
			Rules: reversed, Limits: pairLimits(func(p pair) []string { return p }),
		},
		blank: walled,
		boxes: func(s *suite) {
			documented := s.right
			s.right = func(article, material string, w, d, h *big.Rat) []string {
				codes := documented(article, material, w, d, h)
				slices.Reverse(codes)
				return codes
			}
			s.pairs(samples)
		},
	}}
}

// A pair is two codes, in the documented order.
type pair []string

// allPairs are those of all documented rules but the minimum and the maximum of one dimension,
// which no box is beyond at once.
func allPairs() []pair {
	var all []pair
	for i, earlier := range documented {
		for _, later := range documented[i+1:] {
			if p := (pair{earlier, later}); !slices.Contains([]string{"2100-2101", "2102-2103", "2104-2105"}, p.name()) {
				all = append(all, p)
			}
		}
	}
	return all
}

// documented are the codes of the documented rules, in their order.
var documented = func() []string {
	var codes []string
	for _, r := range boxrules.DefaultRules().Rules() {
		codes = append(codes, string(r.Code))
	}
	return codes
}()

// name is that of the article for the pair.
func (p pair) name() string {
	return strings.TrimPrefix(p[0], "BOX_") + "-" + strings.TrimPrefix(p[1], "BOX_")
}

// constraints are those of the two codes that an article has to select.
func (p pair) constraints() []string {
	return slices.DeleteFunc(slices.Clone(p), func(code string) bool { return !slices.Contains(oracle.Constraints, code) })
}

// In the article for a pair nothing but the two codes can be violated: its limits are far away, and
// its sheet is large, but where one of the codes is about them.
const (
	leastFar, mostFar   = 1, 5000 // far limits
	leastNear, mostNear = 400, 200
)

// ifHas is one value where the pair has the code, and the other elsewhere.
func ifHas[T any](p pair, code string, has, lacks T) T {
	if slices.Contains(p, code) {
		return has
	}
	return lacks
}

func (p pair) material() string { return ifHas(p, "BOX_4100", "on-small", "on-large") }

// pairLimits is the limit file of the articles for all pairs. What an article selects is up to the
// rules.
func pairLimits(selected func(pair) []string) string {
	var b strings.Builder
	b.WriteString(`version: 1
unit: mm
sheets:
  large: {width: 20000, height: 20000}
  small: {width: 300, height: 250}
materials:
  on-large: {caliper: 0.4, glue_flap: 15, sheet: large}
  on-small: {caliper: 0.4, glue_flap: 15, sheet: small}
articles:
`)
	for _, p := range allPairs() {
		fmt.Fprintf(&b, "  %s: {materials: [%s]", p.name(), p.material())
		for axis, name := range []string{"width", "depth", "height"} {
			fmt.Fprintf(&b, ", %s: {min: %d, max: %d}", name,
				ifHas(p, documented[2*axis], leastNear, leastFar), ifHas(p, documented[2*axis+1], mostNear, mostFar))
		}
		fmt.Fprintf(&b, ", constraints: [%s], %s}\n", strings.Join(selected(p), ", "), walledBlank)
	}
	return b.String()
}

// pairs asks about every pair of codes: a box that violates both rules, and boxes that violate one
// of them.
func (s *suite) pairs(samples []sample) {
	for _, p := range allPairs() {
		for _, wanted := range [][2]bool{{true, true}, {true, false}, {false, true}} {
			i := slices.IndexFunc(samples, func(s sample) bool {
				return wanted == [2]bool{s.violates[p[0]], s.violates[p[1]]}
			})
			if i >= 0 {
				s.askPoint(p.name(), p.material(), samples[i].at)
			} else if wanted[0] && wanted[1] {
				break // the tests prove that there is no such box
			}
		}
	}
}

// A sample is a box with the codes of the rules that it violates in the articles of their pairs.
type sample struct {
	at       exact.Point
	violates map[string]bool
}

// samples are boxes of many proportions.
func samples() (all []sample) {
	const count, high = 4000, 700_000
	dice := dice(5)
	// These violate two rules that hardly ever go together.
	points := []exact.Point{{260_000, 240_000, 200_000}, {260_000, 240_000, 210_000}}
	for range count {
		var at exact.Point
		for axis := range at {
			at[axis] = dice.within(leastFar*exact.Scale, high)
		}
		points = append(points, at)
	}
	// As if one article were that of all pairs, which no catalogue could have.
	least, most := whole(leastNear), whole(mostNear)
	one := &oracle.Profile{
		MinWidth: least, MinDepth: least, MinHeight: least, MaxWidth: most, MaxDepth: most, MaxHeight: most,
		Constraints: selected(oracle.Constraints), SheetWidth: whole(300), SheetHeight: whole(250),
		Blank: func(w, d, h *big.Rat) (width, height *big.Rat) { return walled(w, d, h, nil, nil) },
	}
	for _, at := range points {
		d := boxrules.DimsAt(at)
		codes := one.All(oracle.Grid(d.Width), oracle.Grid(d.Depth), oracle.Grid(d.Height))
		all = append(all, sample{at, selected(codes)})
	}
	return all
}
