// Package profiles has helper functions for tests that need profiles and engines.
package profiles

import (
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/limits"
)

// Each runs the test as a parallel subtest for every profile of the illustrative catalogue.
func Each(t *testing.T, test func(*testing.T, *boxrules.Profile)) {
	for _, p := range boxrules.Default().Profiles() {
		t.Run(p.Article()+" "+p.Material(), func(t *testing.T) {
			t.Parallel()
			test(t, p)
		})
	}
}

// Boxes returns a source of random boxes for the profile. The boxes are the same in every run.
func Boxes(p *boxrules.Profile) *gen.Boxes { return gen.BoxesOf(p.Exact(), Random(p).IntN) }

// Random returns a source of random numbers for the profile. The numbers are the same in every run.
func Random(p *boxrules.Profile) *rand.Rand {
	// The seed depends on the profile, so that different profiles get different boxes.
	h := fnv.New64a()
	h.Write([]byte(p.Article() + " " + p.Material()))
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}

// Code returns the code that Check reports, or "" for a valid box.
func Code(t testing.TB, p *boxrules.Profile, at exact.Point) boxrules.Code {
	t.Helper()
	v, err := p.Check(boxrules.DimsAt(at))
	if err != nil || v.OK() != (v.Code() == "") {
		t.Fatalf("Check(%+v) = %v, %v", boxrules.DimsAt(at), v, err)
	}
	return v.Code()
}

// Moved returns p with the coordinate along the axis set to x.
func Moved(p exact.Point, axis int, x int64) exact.Point {
	p[axis] = x
	return p
}

// Codes returns the codes of the rules.
func Codes(rules []boxrules.Rule) []string {
	codes := make([]string, len(rules))
	for i, r := range rules {
		codes[i] = string(r.Code)
	}
	return codes
}

// Engine returns an engine for the texts of a rule file and a limit file. If rules is empty, it uses the documented
// rules.
func Engine(t rapid.TB, rules, catalogue string) *boxrules.Engine {
	t.Helper()
	if rules == "" {
		return EngineOf(t, boxrules.DefaultRules(), catalogue)
	}
	set, err := boxrules.LoadRules("rules.yaml", []byte(rules))
	if err != nil {
		t.Fatalf("%v in\n%s", err, rules)
	}
	return EngineOf(t, set, catalogue)
}

// EngineOf returns an engine for the rules and the text of a limit file.
func EngineOf(t rapid.TB, rules *boxrules.RuleSet, catalogue string) *boxrules.Engine {
	t.Helper()
	c, err := limits.Load("limits.yaml", []byte(catalogue))
	if err != nil {
		t.Fatalf("%v in\n%s", err, catalogue)
	}
	e, err := boxrules.New(rules, c)
	if err != nil {
		t.Fatalf("%v in\n%s", err, catalogue)
	}
	return e
}
