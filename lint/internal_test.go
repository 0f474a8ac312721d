package lint

import (
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/limits"
)

// twoRules returns the profiles of two articles. Two rules about the width apply to the first, and
// the second of them is never reported. None of them applies to the second article.
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

// TestUnconfirmedIsUndecided has an engine that gives every box the same verdict. If the engine does
// not confirm what a search found, the result is undecided.
func TestUnconfirmedIsUndecided(t *testing.T) {
	two, none := twoRules(t)
	all := two.Rules()
	for _, verdict := range []struct {
		code  boxrules.Code
		width float64 // of a box with this code
	}{{"A_0001", 1}, {"A_0002", 100}, {"", 20}} {
		faulty := newSpace(two, nil)
		at, _ := boxrules.Dims{Width: verdict.width}.Grid()
		real := newSpace(two, nil)
		faulty.firstCode = func(exact.Point) (boxrules.Code, error) { return real.firstCode(at) }
		faulty.allCodes = func(exact.Point) ([]boxrules.Code, error) { return newSpace(none, nil).allCodes(at) }
		if code, err := faulty.firstCode(exact.Point{}); err != nil || code != verdict.code {
			t.Fatalf("the engine says %q, %v, want %q", code, err, verdict.code)
		}
		undecided := 0
		for _, f := range lintProfile(faulty, all) {
			switch {
			case f.Kind == Undecided:
				undecided++
			case verdict.code != "" || f.Kind != UnreachableLimit && f.Kind != UnenforcedLimit: // all boxes are valid to the last one
				t.Errorf("%q: lint has %+v, want it undecided", verdict.code, f)
			}
		}
		changes := append(diffSpaces(newSpace(none, nil), faulty), diffSpaces(faulty, newSpace(none, nil))...)
		for _, c := range changes {
			if c.Kind != UndecidedChange {
				t.Errorf("%q: diff has %+v, want it undecided", verdict.code, c)
			}
		}
		if undecided == 0 || len(changes) == 0 {
			t.Errorf("%q: %d findings are undecided and %d changes, want some", verdict.code, undecided, len(changes))
		}
	}
}

// TestWitnessUnconfirmed reverses the rules in the exact form that is searched. A box to which the
// engine gives another code is not returned as a witness.
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

// TestWithoutWorkOneFindingIsUndecided: unused work passes from one article to the next. Once it is
// used up, a single finding says that everything else is undecided.
func TestWithoutWorkOneFindingIsUndecided(t *testing.T) {
	engine := boxrules.Default()
	profiles := engine.Profiles()
	const work = 1_000_000_000
	all := polytope.NewBudget(work)
	for _, p := range profiles {
		lintProfile(newSpace(p, &all), engine.Rules().Rules())
	}
	used := work // minus what is left of all
	for all.Spend(1000) {
		used -= 1000
	}
	if used <= 0 || used > maxWork/20 {
		t.Errorf("the default files take %d of %d, want at most a twentieth", used, maxWork)
	}
	some := polytope.NewBudget(used / 2)
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
	spent := polytope.NewBudget(0)
	a, b := newSpace(profiles[0], &spent), newSpace(profiles[len(profiles)-1], &spent)
	if changes := diffSpaces(a, b); len(changes) != 1 || changes[0] != (Change{Kind: UndecidedChange}) {
		t.Errorf("without any work diff has %+v, want one that is undecided", changes)
	}
}

// hard returns an engine for the files of gen.SlowPlanes.
func hard(t *testing.T, maxDimension int) *boxrules.Engine {
	t.Helper()
	rules, catalogue := gen.SlowPlanes(12, maxDimension)
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

// TestEveryArticleHasAShare bounds a search by less work than the first articles would take alone.
// Something about each of these stays undecided, but nothing about the easy articles after them.
func TestEveryArticleHasAShare(t *testing.T) {
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
