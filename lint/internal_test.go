package lint

import (
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/limits"
)

// twoRules has an article in which two rules about the width apply, of which the second is never
// reported, and another without them.
func twoRules(t *testing.T) (two, none *boxrules.Profile) {
	t.Helper()
	rules, err := boxrules.LoadRules("rules.yaml", []byte(`version: 1
boundary:
  - {code: A_0001, when: width < min_width, message: m}
  - {code: A_0002, when: width > max_width, message: m}
constraint:
  - {code: B_0001, when: width > 50, message: m}
  - {code: B_0002, when: width > 60, message: m}
`))
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := limits.Load("limits.yaml", []byte(`version: 1
unit: mm
sheets: {s: {width: 1000, height: 700}}
materials: {m: {caliper: 1, glue_flap: 20, sheet: s}}
articles:
  two: {width: {min: 10, max: 90}, depth: {min: 7, max: 8}, height: {min: 1, max: 100}, constraints: [B_0001, B_0002]}
  none: {width: {min: 10, max: 90}, depth: {min: 7, max: 8}, height: {min: 1, max: 100}, constraints: []}
`))
	if err != nil {
		t.Fatal(err)
	}
	engine, err := boxrules.New(rules, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return engine.Profiles()[0], engine.Profiles()[1]
}

// TestNothingUnconfirmed has an engine that says the same of every box, whatever its exact form
// says. What a search found and the engine does not confirm is never said.
func TestNothingUnconfirmed(t *testing.T) {
	two, none := twoRules(t)
	all := two.Rules()
	for _, said := range []struct {
		code  boxrules.Code
		width float64 // of a box of which that is true
	}{{"A_0001", 1}, {"A_0002", 100}, {"", 20}} {
		faulty := newSpace(two, nil)
		faulty.check = func(boxrules.Dims) (boxrules.Verdict, error) {
			return two.Check(boxrules.Dims{Width: said.width})
		}
		faulty.checkAll = func(boxrules.Dims) ([]boxrules.Violation, error) {
			return none.CheckAll(boxrules.Dims{Width: said.width})
		}
		if v, err := faulty.check(boxrules.Dims{}); err != nil || v.Code() != said.code {
			t.Fatalf("the engine says %v, %v, want %q", v, err, said.code)
		}
		undecided := 0
		for _, f := range lintProfile(faulty, all) {
			switch {
			case f.Kind == Undecided:
				undecided++
			case said.code != "" || f.Kind != UnreachableLimit && f.Kind != UnenforcedLimit: // all boxes are valid to the last one
				t.Errorf("%q: lint has %+v, want it undecided", said.code, f)
			}
		}
		changes := append(diffSpaces(newSpace(none, nil), faulty), diffSpaces(faulty, newSpace(none, nil))...)
		for _, c := range changes {
			if c.Kind != UndecidedChange {
				t.Errorf("%q: diff has %+v, want it undecided", said.code, c)
			}
		}
		if undecided == 0 || len(changes) == 0 {
			t.Errorf("%q: %d findings are undecided and %d changes, want some", said.code, undecided, len(changes))
		}
	}
}

// TestWitnessUnconfirmed has a profile whose exact form, in which the search looks, has the rules
// in another order. A box of which the engine says something else is no witness.
func TestWitnessUnconfirmed(t *testing.T) {
	two, _ := twoRules(t)
	for _, r := range two.Rules()[:3] {
		if d, ok := Witness(two, r.Code); !ok {
			t.Errorf("Witness(%s) = %+v, none, want one", r.Code, d)
		}
	}
	slices.Reverse(two.Exact().Conditions)
	for _, r := range two.Rules() {
		if d, ok := Witness(two, r.Code); ok {
			t.Errorf("Witness(%s) = %+v, but Check says something else", r.Code, d)
		}
	}
}

// TestWork: what is left of the work goes from one article to the next, and what comes when nothing
// is left is undecided as a whole, in one finding.
func TestWork(t *testing.T) {
	engine := boxrules.Default()
	profiles := engine.Profiles()
	all := polytope.Budget(1_000_000_000)
	for _, p := range profiles {
		lintProfile(newSpace(p, &all), engine.Rules().Rules())
	}
	used := 1_000_000_000 - all
	if used <= 0 || used > maxWork/20 {
		t.Errorf("the default files take %d of %d, want at most a twentieth", used, maxWork)
	}
	some := used / 2
	decided, open := 0, 0
	for _, p := range profiles {
		findings := lintProfile(newSpace(p, &some), engine.Rules().Rules())
		if len(findings) == 1 && findings[0].Kind == Undecided && findings[0].Question == "" && len(findings[0].Codes) == len(p.Rules()) {
			open++
		} else if open == 0 {
			decided++
		}
	}
	if decided == 0 || open == 0 || decided+open != len(profiles) || !some.Spent() {
		t.Errorf("with half the work %d profiles are looked at and %d left open, of %d", decided, open, len(profiles))
	}
	// A comparison of two files goes on in the same way.
	spent := polytope.Budget(0)
	a, b := newSpace(profiles[0], &spent), newSpace(profiles[len(profiles)-1], &spent)
	if changes := diffSpaces(a, b); len(changes) != 1 || changes[0] != (Change{Kind: UndecidedChange}) {
		t.Errorf("without any work diff has %+v, want one that is undecided", changes)
	}
}

// hard returns an engine of gen.Hard.
func hard(t *testing.T, most int) *boxrules.Engine {
	t.Helper()
	rules, catalogue := gen.Hard(12, most)
	set, err := boxrules.LoadRules("rules.yaml", []byte(rules))
	if err != nil {
		t.Fatal(err)
	}
	limitSet, err := limits.Load("limits.yaml", []byte(catalogue))
	if err != nil {
		t.Fatal(err)
	}
	engine, err := boxrules.New(set, limitSet)
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// TestShares gives a whole search less than the first articles would take alone. Of each of those
// something stays undecided, in a line or two, and all is said of those that come behind them.
func TestShares(t *testing.T) {
	const work = 8_000_000
	before, after := hard(t, 900), hard(t, 950)
	undecided := map[string][]string{}
	for f := range lintWithin(work, before) {
		if f.Kind == Undecided && f.Article != "" {
			undecided["Lint"] = append(undecided["Lint"], f.Article)
		}
	}
	for f := range witnessesWithin(work/2, before) {
		if f.Kind == Undecided {
			undecided["Witnesses"] = append(undecided["Witnesses"], f.Article)
		}
	}
	for c := range diffWithin(work, before, after) {
		if c.Kind == UndecidedChange {
			undecided["Diff"] = append(undecided["Diff"], c.Article)
		}
	}
	for _, of := range []string{"Lint", "Witnesses", "Diff"} {
		articles := slices.Compact(slices.Clone(undecided[of]))
		if len(articles) != 12 || slices.Contains(articles, "a12") || len(undecided[of]) > 4*12 {
			t.Errorf("%s: undecided are %v, want a0 to a11 alone, in few findings", of, undecided[of])
		}
	}
}
