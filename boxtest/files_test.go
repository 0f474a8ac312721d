package boxtest_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/boxtest"
	"example.com/boxrules/internal/lab/profiles"
	"example.com/boxrules/limits"
)

// TestAnyFiles: the engine loads what is drawn, and decides its boxes as the reference does.
func TestAnyFiles(t *testing.T) {
	violations := 0
	rapid.Check(t, func(t *rapid.T) {
		engine, err := boxtest.AnyFiles().Draw(t, "files").Engine()
		if err != nil {
			t.Fatal(err)
		}
		violations += compareNumbers(t, engine)
	})
	if !t.Failed() && violations == 0 {
		t.Error("no box violates anything")
	}
}

// TestLimitFiles: limit files for the documented rules are loaded, and the engine decides their boxes
// as the reference does.
func TestLimitFiles(t *testing.T) {
	rules := boxrules.DefaultRules()
	files := boxtest.LimitFiles(rules)
	rapid.Check(t, func(t *rapid.T) {
		compareNumbers(t, profiles.EngineOf(t, rules, files.Draw(t, "limits")))
	})
	selected, decimals, blanks, hasKey := make(map[string]bool), make(map[int]bool), make(map[bool]bool), make(map[bool]bool)
	articles, selections := 0, 0
	for i := range 60 {
		catalogue := profiles.EngineOf(t, rules, files.Example(i)).Catalogue()
		decimals[catalogue.Decimals()] = true
		hasKey[catalogue.Position("decimals").Line > 0] = true
		for _, a := range catalogue.Articles() {
			articles++
			selections += len(a.Constraints)
			blanks[a.Blank != nil] = true
			for _, code := range a.Constraints {
				selected[code] = true
			}
			checkLengths(t, a.Width.Min, a.Width.Max, a.Depth.Min, a.Depth.Max, a.Height.Min, a.Height.Max)
		}
		for _, m := range catalogue.Materials() {
			checkLengths(t, m.Caliper, m.GlueFlap, m.Sheet.Width, m.Sheet.Height)
		}
	}
	if len(selected) != 23 || len(decimals) != 4 || len(blanks) != 2 || len(hasKey) != 2 {
		t.Errorf("constraints %v, decimals %v, blanks %v, and files with and without the key decimals %v were drawn: not all",
			selected, decimals, blanks, hasKey)
	}
	if selections > articles*23/2 {
		t.Errorf("%d articles select %d constraints, more than half of the 23", articles, selections)
	}
}

// checkLengths reports lengths that are not from 1 to 3,000 units.
func checkLengths(t *testing.T, lengths ...limits.Decimal) {
	t.Helper()
	for _, x := range lengths {
		if x.Float64() < 1 || x.Float64() > 3000 {
			t.Errorf("the length %v is drawn, want 1 to 3,000", x)
		}
	}
}

func referenceOf(t rapid.TB, rules *boxrules.RuleSet, catalogue *limits.Catalogue) *boxtest.Reference {
	reference, err := boxtest.NewReference(rules, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return reference
}

// TestLimitFilesForRules: limit files fit rules that have a unit of their own, need a blank and values, and divide
// by what a limit file may have as zero.
func TestLimitFilesForRules(t *testing.T) {
	rules, err := boxrules.LoadRules("rules.yaml", []byte(`version: 1
unit: pt
values: {crease: length, max_ratio: number}
boundary:
  - {code: SHOP_0001, when: blank_width > 100, message: too wide}
constraint:
  - {code: SHOP_0002, when: width / (max_depth - 12) > 2, message: too wide}
  - {code: SHOP_0003, when: height > max_ratio * width, message: too tall}
size:
  - {code: SHOP_0004, when: depth < 3 * crease, message: too shallow}
`))
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		engine := profiles.EngineOf(t, rules, boxtest.LimitFiles(rules).Draw(t, "limits"))
		if unit := engine.Catalogue().Unit(); unit != "pt" {
			t.Fatalf("the unit is %s, want that of the rules", unit)
		}
		compareNumbers(t, engine)
	})
	levels := make(map[string]bool)
	longest := 0.
	for i := range 60 {
		c := profiles.EngineOf(t, rules, boxtest.LimitFiles(rules).Example(i)).Catalogue()
		for _, values := range []limits.Values{c.Values(), c.Materials()[0].Values, c.Articles()[0].Values} {
			if x, ok := values["max_ratio"]; ok && (x.Float64() < 0.25 || x.Float64() > 10) {
				t.Errorf("max_ratio is %v, want a ratio from 0.25 to 10", x)
			}
			if x, ok := values["crease"]; ok {
				checkLengths(t, x)
				longest = max(longest, x.Float64())
			}
		}
		levels[fmt.Sprint(len(c.Values()), len(c.Materials()[0].Values), len(c.Articles()[0].Values))] = true
	}
	if len(levels) != 6 {
		t.Errorf("the numbers of values at each level are %v, want all six", levels)
	}
	if longest <= 10 {
		t.Errorf("crease is at most %v, want a length like all others", longest)
	}
}

// compareNumbers compares the engine with the reference on boxes of all kinds, and returns how many rules they
// violate.
func compareNumbers(t *rapid.T, engine *boxrules.Engine) (violations int) {
	reference := referenceOf(t, engine.Rules(), engine.Catalogue())
	for _, p := range engine.Profiles() {
		for _, boxes := range kinds(p) {
			box := boxes.Draw(t, "box")
			got, errGot := engine.CheckAll(box)
			want, errWant := reference.Exact(box)
			if field(errGot) != field(errWant) ||
				!slices.EqualFunc(got, want, func(v boxrules.Violation, code boxrules.Code) bool { return v.Code == code }) {
				t.Fatalf("CheckAll(%+v) = %v, %v, want %v, %v", box, got, errGot, want, errWant)
			}
			if _, err := reference.Float64(box); field(err) != field(errWant) {
				t.Fatalf("Float64(%+v): %v, want %v", box, err, errWant)
			}
			violations += len(want)
		}
	}
	return violations
}

func kinds(p *boxrules.Profile) []*rapid.Generator[boxrules.Box] {
	return []*rapid.Generator[boxrules.Box]{
		boxtest.Inside(p), boxtest.Border(p), boxtest.Border(p), boxtest.Beyond(p), boxtest.Boxes(p), boxtest.Malformed(p),
	}
}

func field(err error) string {
	var input *boxrules.InputError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &input):
		return input.Field
	}
	return err.Error()
}
