package ports

import (
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/form"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/profiles"
)

// A typedBox is what a customer typed, as the drivers read it.
type typedBox struct {
	Article  string            `json:"article"`
	Material string            `json:"material"`
	Typed    map[string]string `json:"typed"`
	Lang     string            `json:"lang"`
}

// TestIssuesAgree compares the issues of each port with those of package form: fields to blame, bounds and sentences, in
// three languages. The boxes are random ones, most of them on a border.
func TestIssuesAgree(t *testing.T) {
	count := lab.Draws(150, 15_000)
	eachFormPort(t, func(t *testing.T, port []string) {
		issuesAgree(t, port, boxrules.Default(), count)
		for seed := range lab.Draws(1, 40) {
			f := gen.Wide(rand.New(rand.NewPCG(uint64(seed), 11)).IntN)
			issuesAgree(t, port, profiles.Engine(t, f.Rules(), f.Catalogue()), lab.Draws(80, 200))
			v := gen.NewValued(rand.New(rand.NewPCG(uint64(seed), 13)).IntN)
			issuesAgree(t, port, profiles.Engine(t, v.Rules(), v.Catalogue()), lab.Draws(80, 200))
		}
	})
}

// issuesAgree draws boxes for the engine, and compares the issues of the port.
func issuesAgree(t *testing.T, port []string, e *boxrules.Engine, count int) {
	t.Helper()
	var questions []typedBox
	all := e.Profiles()
	for i, p := range all {
		boxes := gen.BoxesOf(p.Exact(), rand.New(rand.NewPCG(uint64(i), 5)).IntN)
		for j := range count/len(all) + 1 {
			at := boxes.Next()
			lang := []string{"en", "de-AT", "fr_FR", "es"}[j%4]
			typed := make(map[string]string)
			for axis, field := range exact.AxisNames() {
				text := strconv.FormatFloat(exact.Float64At(at[axis]), 'f', -1, 64)
				if form.Language(lang)["decimal"] == "," {
					text = strings.Replace(text, ".", ",", 1)
				}
				typed[field] = text
			}
			questions = append(questions, typedBox{p.Article(), p.Material(), typed, lang})
		}
	}
	compareIssues(t, port, e, questions)
}

// TestIssuesOfTexts compares the issues of texts that are no dimensions, and about articles and materials that do
// not exist.
func TestIssuesOfTexts(t *testing.T) {
	texts := []string{"", "48", "48.5", "48,5", "1.200", "1,200", "-1.200", "0,200", "1.2000", "wide", " 48", "48\n", "1000001", "-1000001",
		"4e1", "+1", ".5", "5.", "1.200,5", "48.125", "48,125", "0", "-0", strings.Repeat("0", 62) + "48", strings.Repeat("0", 63) + "48"}
	var questions []typedBox
	for i, text := range texts {
		for _, lang := range []string{"en", "de", "fr", ""} {
			typed := map[string]string{"width": text, "depth": texts[(i+3)%len(texts)], "height": "184"}
			questions = append(questions, typedBox{"a", "m", typed, lang}, typedBox{"b", "m", typed, lang}, typedBox{"a", "n", typed, lang})
		}
	}
	eachFormPort(t, func(t *testing.T, port []string) {
		for _, decimals := range []string{"0", "2", "3"} {
			compareIssues(t, port, profiles.Engine(t, `version: 1
boundary:
  - {code: BOX_2100, when: width < min_width, message: too small}
  - {code: SHOP_0002, when: depth > 100, message: {en: "{depth}too {field}", de: "{field}: höchstens {max}, nicht {value} {unit}"}}
constraint:
  - {code: SHOP_0001, when: caliper > 0, message: nothing}
`, `version: 1
unit: mm
decimals: `+decimals+`
sheets: {s: {width: 1000, height: 700}}
materials: {m: {caliper: 1, glue_flap: 1, sheet: s}}
articles: {a: {width: {min: 20, max: 100}, depth: {min: 1, max: 100}, height: {min: 1, max: 100}, constraints: [SHOP_0001]}}
`), questions)
		}
	})
}

// TestIssuesInInches has fractions as rulers show them, and texts that only look like one.
func TestIssuesInInches(t *testing.T) {
	texts := []string{"12 3/8", "0 1/2", "-0 1/2", "-1 1/2", "1 63/64", "007 2/4", "12 0/8", "12 8/8", "12 9/8", "12 1/3", "12 1/128", "12  3/8",
		"12-3/8", "12.5 3/8", "12,5", "12 3/8\"", "12 3/8\n", " 12 3/8", "3/8", "1234567 1/2", "12345678 1/2", "9 1/16", "١ 1/2", "40 1/2", "5"}
	var questions []typedBox
	for i, text := range texts {
		for _, lang := range []string{"en", "de", "fr"} {
			typed := map[string]string{"width": text, "depth": texts[(i+5)%len(texts)], "height": "3"}
			questions = append(questions, typedBox{"a", "m", typed, lang})
			questions = append(questions, typedBox{"a", "m", map[string]string{"width": text, "depth": "2 1/4", "height": "1 1/2"}, lang})
		}
	}
	eachFormPort(t, func(t *testing.T, port []string) {
		for i, unit := range []string{"in", "cm"} {
			for _, decimals := range []string{"0", "2", "3"}[i*lab.Draws(2, 0):] {
				compareIssues(t, port, profiles.Engine(t, "version: 1\nextends: documented\n", `version: 1
unit: `+unit+`
decimals: `+decimals+`
sheets: {s: {width: 100, height: 70}}
materials: {m: {caliper: 1, glue_flap: 1, sheet: s}}
articles: {a: {width: {min: 2, max: 36}, depth: {min: 1, max: 30}, height: {min: 1, max: 10}, constraints: [BOX_3100]}}
`), questions)
			}
		}
	})
}

func compareIssues(t *testing.T, port []string, e *boxrules.Engine, questions []typedBox) {
	t.Helper()
	folder := t.TempDir()
	writeTables(t, folder, e)
	next := 0
	run(t, append(port, filepath.Join(folder, "boxrules.json")), questions, func(line []byte) {
		var got struct {
			Issues []form.Issue `json:"issues"`
		}
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		q := questions[next]
		next++
		typed := form.Typed{Article: q.Article, Material: q.Material, Width: q.Typed["width"], Depth: q.Typed["depth"], Height: q.Typed["height"]}
		_, want := form.Check(e, typed, form.Language(q.Lang))
		if len(got.Issues) == 0 && len(want) == 0 {
			return
		}
		if !reflect.DeepEqual(got.Issues, want) {
			wantJSON, _ := json.Marshal(want) // for people
			t.Errorf("%+v:\n got %s\nwant %s", q, line, wantJSON)
		}
	})
}
