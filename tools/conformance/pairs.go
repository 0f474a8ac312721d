package main

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/oracle"
)

// pairs are two files: one with the documented rules, where every pair of codes is in the documented order, and
// one with a user's rule file in which every pair is in the other.
func pairs(root string) ([]conformance.File, error) {
	boxes := samples()
	var files []conformance.File
	for _, half := range []func(root string) (*suite, error){documentedPairs, reversedPairs} {
		s, err := half(root)
		if err != nil {
			return nil, err
		}
		s.pairs(boxes)
		made, err := s.done()
		if err != nil {
			return nil, err
		}
		files = append(files, made...)
	}
	return files, nil
}

// A pair is two codes, in the documented order.
type pair struct{ earlier, later string }

// allPairs are those of all documented rules but the minimum and the maximum of one dimension, which no box is
// beyond at once.
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
	return strings.TrimPrefix(p.earlier, "BOX_") + "-" + strings.TrimPrefix(p.later, "BOX_")
}

func (p pair) codes() []string { return []string{p.earlier, p.later} }

func (p pair) has(code string) bool { return code == p.earlier || code == p.later }

// constraints are those of the two codes that an article has to select.
func (p pair) constraints() []string {
	return slices.DeleteFunc(p.codes(), func(code string) bool { return !slices.Contains(oracle.Constraints, code) })
}

// In the article for a pair nothing but the two codes can be violated: its limits are far away, and its sheet
// is large, but where one of the codes is about them.
const (
	leastFar, mostFar   = 1, 5000 // far limits
	leastNear, mostNear = 400, 200
)

// limit is the near one where the pair has the code, and the far one else.
func (p pair) limit(code string, near, far int64) int64 {
	if p.has(code) {
		return near
	}
	return far
}

func (p pair) material() string {
	if p.has("BOX_4100") {
		return "on-small"
	}
	return "on-large"
}

// pairLimits is the limit file of the articles for all pairs. What an article selects is up to the rules.
func pairLimits(selected func(pair) []string) string {
	var b strings.Builder
	b.WriteString("version: 1\nunit: mm\nsheets:\n  large: {width: 20000, height: 20000}\n  small: {width: 300, height: 250}\n" +
		"materials:\n  on-large: {caliper: 0.4, glue_flap: 15, sheet: large}\n  on-small: {caliper: 0.4, glue_flap: 15, sheet: small}\narticles:\n")
	for _, p := range allPairs() {
		fmt.Fprintf(&b, "  %s: {materials: [%s]", p.name(), p.material())
		for axis, name := range []string{"width", "depth", "height"} {
			fmt.Fprintf(&b, ", %s: {min: %d, max: %d}", name,
				p.limit(documented[2*axis], leastNear, leastFar), p.limit(documented[2*axis+1], mostNear, mostFar))
		}
		fmt.Fprintf(&b, ", constraints: [%s], blank: {width: width + 2*height, height: depth + 2*height}}\n", strings.Join(selected(p), ", "))
	}
	return b.String()
}

// oracle is the article for the pair. The sheet is that of its material.
func (p pair) oracle() *oracle.Profile {
	profile := openOracle(p.constraints())
	limit := func(code string, near, far int64) *big.Rat { return rat(p.limit(code, near, far), 1) }
	profile.MinWidth, profile.MaxWidth = limit("BOX_2100", leastNear, leastFar), limit("BOX_2101", mostNear, mostFar)
	profile.MinDepth, profile.MaxDepth = limit("BOX_2102", leastNear, leastFar), limit("BOX_2103", mostNear, mostFar)
	profile.MinHeight, profile.MaxHeight = limit("BOX_2104", leastNear, leastFar), limit("BOX_2105", mostNear, mostFar)
	profile.SheetWidth, profile.SheetHeight = rat(20_000, 1), rat(20_000, 1)
	if p.has("BOX_4100") {
		profile.SheetWidth, profile.SheetHeight = rat(300, 1), rat(250, 1)
	}
	return profile
}

func documentedPairs(root string) (*suite, error) {
	return pairSuite(root, conformance.File{
		Name:        "pairs.json",
		Description: "The documented rules. For every pair of codes that one box can violate together an article with such a box, and where there are any a box with either code alone.",
		Rules:       documentedRules, Limits: pairLimits(pair.constraints),
	}, func(codes []string) []string { return codes })
}

// reversedPairs are the documented rules in reversed order, all in one stage, so that size comes before
// constraint and that before boundary too. An article selects the two codes of its pair.
func reversedPairs(root string) (*suite, error) {
	var b strings.Builder
	b.WriteString("version: 1\nconstraint:\n")
	rules := boxrules.DefaultRules().Rules()
	slices.Reverse(rules)
	for _, r := range rules {
		fmt.Fprintf(&b, "  - {code: %s, when: '%s', message: %s}\n", r.Code, r.When, strings.ToLower(string(r.Code)))
	}
	return pairSuite(root, conformance.File{
		Name:        "pairs-reversed.json",
		Description: "A user's rule file: the documented conditions in reversed order, all in one stage. For every pair of codes that one box can violate together an article that selects the two, with such a box, and where there are any a box with either code alone.",
		Rules:       b.String(), Limits: pairLimits(pair.codes),
	}, func(codes []string) []string { slices.Reverse(codes); return codes })
}

// pairSuite is a suite for the articles of all pairs, with the codes in the order that the rules have.
func pairSuite(root string, file conformance.File, ordered func([]string) []string) (*suite, error) {
	s, err := newSuite(root, file)
	if err != nil {
		return nil, err
	}
	profiles := make(map[string]*oracle.Profile)
	for _, p := range allPairs() {
		profiles[p.name()] = p.oracle()
	}
	s.right = func(article, _ string, w, d, h *big.Rat) []string { return ordered(profiles[article].All(w, d, h)) }
	return s, nil
}

// pairs asks about every pair of codes: a box that violates both rules, and boxes that violate one of them.
func (s *suite) pairs(samples []sample) {
	for _, p := range allPairs() {
		earlier, later := bit(p.earlier), bit(p.later)
		for _, wanted := range []uint32{earlier | later, earlier, later} {
			i := slices.IndexFunc(samples, func(s sample) bool { return s.codes&(earlier|later) == wanted })
			if i < 0 && wanted == earlier|later {
				break // the tests prove that there is no such box
			}
			if i >= 0 {
				s.askPoint(p.name(), p.material(), samples[i].at)
			}
		}
	}
}

// A sample is a box with the codes of the rules that it violates in the articles of their pairs, as a set of bits.
type sample struct {
	at    exact.Point
	codes uint32
}

func bit(code string) uint32 { return 1 << slices.Index(documented, code) }

// rare are boxes that violate two rules that hardly ever go together.
var rare = []exact.Point{{260_000, 240_000, 200_000}, {260_000, 240_000, 210_000}}

// samples are boxes of many proportions.
func samples() []sample {
	const count, high = 4000, 700_000
	dice := dice(5)
	points := slices.Clone(rare)
	for range count {
		var at exact.Point
		for axis := range at {
			at[axis] = dice.within(interval{leastFar * exact.Scale, high})
		}
		points = append(points, at)
	}
	// As if one article were that of all pairs, which no catalogue could have.
	all := openOracle(oracle.Constraints)
	all.MinWidth, all.MinDepth, all.MinHeight = rat(leastNear, 1), rat(leastNear, 1), rat(leastNear, 1)
	all.MaxWidth, all.MaxDepth, all.MaxHeight = rat(mostNear, 1), rat(mostNear, 1), rat(mostNear, 1)
	all.SheetWidth, all.SheetHeight = rat(300, 1), rat(250, 1)
	var samples []sample
	for _, at := range points {
		codes := uint32(0)
		d := dims(at)
		for _, code := range all.All(oracle.Grid(d.Width), oracle.Grid(d.Depth), oracle.Grid(d.Height)) {
			codes |= bit(code)
		}
		samples = append(samples, sample{at, codes})
	}
	return samples
}
