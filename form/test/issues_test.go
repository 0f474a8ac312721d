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
	issuesAgree(t, boxrules.Default(), lab.Draws(10, 200))
	for seed := range lab.Draws(5, 100) {
		f := gen.Wide(rand.New(rand.NewPCG(uint64(seed), 12)).IntN)
		issuesAgree(t, engineOf(t, f.Rules(), f.Catalogue()), 50)
		v := gen.NewValued(rand.New(rand.NewPCG(uint64(seed), 13)).IntN)
		issuesAgree(t, engineOf(t, v.Rules(), v.Catalogue()), 20)
	}
}

// issuesAgree compares that number of boxes for each profile of the engine.
func issuesAgree(t *testing.T, e *boxrules.Engine, count int) {
	t.Helper()
	m := run(t, e, `
const issues = (article, material, width, depth, height) =>
  JSON.stringify((exports.profile(article, material).validate({ width, depth, height }).issues ?? []).map(({ message, path, code, kind, params }) =>
    ({ field: path[0], kind, code, message, min: params.min, max: params.max })));`)
	var issues func(article, material, width, depth, height string) string
	m.function(t, "issues", &issues)
	for i, p := range e.Profiles() {
		draw := newDrawer(p, uint64(i))
		for range count {
			var texts []string
			for _, x := range draw.dims().ByAxis() {
				texts = append(texts, strconv.FormatFloat(x, 'f', -1, 64))
			}
			var got []form.Issue
			text := issues(p.Article(), p.Material(), texts[0], texts[1], texts[2])
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatal(err)
			}
			typed := form.Typed{Article: p.Article(), Material: p.Material(), Width: texts[0], Depth: texts[1], Height: texts[2]}
			_, want := form.Check(e, typed, form.Language("en"))
			if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
				wantJSON, _ := json.Marshal(want) // for people
				t.Errorf("%+v:\n got %s\nwant %s", typed, text, wantJSON)
			}
		}
	}
}
