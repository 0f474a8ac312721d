package test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/form"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
)

// TestIssuesAgree compares the issues of generated modules with those of form.Check: fields to blame, kinds, codes, bounds
// and English sentences.
func TestIssuesAgree(t *testing.T) {
	issuesAgree(t, boxrules.Default(), lab.Draws(2, 80))
	for seed := range lab.Draws(1, 40) {
		f := gen.Wide(rand.New(rand.NewPCG(uint64(seed), 12)).IntN)
		issuesAgree(t, engineOf(t, f.Rules(), f.Catalogue()), lab.Draws(20, 50))
		v := gen.NewValued(rand.New(rand.NewPCG(uint64(seed), 13)).IntN)
		issuesAgree(t, engineOf(t, v.Rules(), v.Catalogue()), 20)
	}
}

// TestFractionsAgree compares the issues of a generated module in inches with those of form.Check: for fractions as rulers show
// them, and for texts that only look like one.
func TestFractionsAgree(t *testing.T) {
	e := engineOf(t, readFile(t, "../../examples/inches/rules.yaml"), readFile(t, "../../examples/inches/limits.yaml"))
	issues := issuesOf(t, e)
	for _, text := range []string{"12 3/8", "0 1/2", "-0 1/2", "-1 1/2", "1 63/64", "007 2/4", "12 0/8", "12 8/8", "12 9/8", "12 1/3", "12 1/128", "12  3/8",
		"12-3/8", "12.5 3/8", "12 3/8\"", "12 3/8\n", " 12 3/8", "3/8", "1234567 1/2", "12345678 1/2", "9 1/16", "\u0661 1/2", "40 1/2", "5"} {
		compareIssues(t, e, issues, form.Typed{Article: "slotted-case", Material: "e-flute", Width: text, Depth: "6 1/4", Height: "3"})
	}
}

// issuesAgree compares that number of boxes for each profile of the engine.
func issuesAgree(t *testing.T, e *boxrules.Engine, count int) {
	t.Helper()
	issues := issuesOf(t, e)
	for i, p := range e.Profiles() {
		draw := newDrawer(p, uint64(i))
		for range count {
			var texts []string
			for _, x := range draw.dims().ByAxis() {
				texts = append(texts, strconv.FormatFloat(x, 'f', -1, 64))
			}
			compareIssues(t, e, issues, form.Typed{Article: p.Article(), Material: p.Material(), Width: texts[0], Depth: texts[1], Height: texts[2]})
		}
	}
}

// An issuesFunction returns the issues of what was typed, as JSON.
type issuesFunction func(article, material, width, depth, height string) string

// issuesOf returns the function that asks a module generated for the engine.
func issuesOf(t *testing.T, e *boxrules.Engine) (issues issuesFunction) {
	t.Helper()
	m := run(t, e, `
const issues = (article, material, width, depth, height) =>
  JSON.stringify((exports.profile(article, material).validate({ width, depth, height }).issues ?? []).map(({ message, path, code, kind, params }) =>
    ({ field: path[0], kind, code, message, min: params.min, max: params.max })));`)
	m.function(t, "issues", &issues)
	return issues
}

func compareIssues(t *testing.T, e *boxrules.Engine, issues issuesFunction, typed form.Typed) {
	t.Helper()
	var got []form.Issue
	text := issues(typed.Article, typed.Material, typed.Width, typed.Depth, typed.Height)
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	_, want := form.Check(e, typed, form.Language("en"))
	if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		wantJSON, _ := json.Marshal(want) // for people
		t.Errorf("%+v:\n got %s\nwant %s", typed, text, wantJSON)
	}
}
