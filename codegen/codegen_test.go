package codegen_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
	"example.com/boxrules/internal/lab/profiles"
	"example.com/boxrules/limits"
)

var update = flag.Bool("update", false, "write the golden files")

// small is an engine that has one of everything that tables can hold: shared and own conditions,
// lists in lists, minimums and maximums, a condition that always and one that never holds.
func small(t *testing.T) *boxrules.Engine {
	t.Helper()
	return engine(t, `
version: 1
boundary:
  - {code: LOW_0001, when: width < min_width, message: too narrow}
  - {code: LOW_0002, when: height <= 5, message: too low}
constraint:
  - {code: FORM_0001, when: depth > width && (height > width || height > 2*depth), message: no shape}
  - {code: FORM_0002, when: "max(width, depth) > 3*height", message: flat}
  - {code: FORM_0003, when: caliper > 1, message: {en: too thick, de: zu dick}}
size:
  - {code: SIZE_0001, when: blank_width > sheet_width, message: too large}
`, `
version: 1
unit: mm
sheets: {s: {width: 1000, height: 700}}
materials:
  thin: {caliper: 0.5, glue_flap: 15, sheet: s}
  thick: {caliper: 3, glue_flap: 20.5, sheet: s}
articles:
  tray:
    title: Tray </script> "quoted"
    width: {min: 20, max: 400}
    depth: {min: 20, max: 400}
    height: {min: 10, max: 300}
    constraints: [FORM_0001, FORM_0002, FORM_0003]
    blank: {width: "width + 2*min(max(height, 30), 50) + glue_flap", height: depth + height/3}
  lid:
    materials: [thin]
    width: {min: 20, max: 200}
    depth: {min: 20, max: 200}
    height: {min: 10, max: 50}
    constraints: [FORM_0002]
`)
}

var engine = profiles.Engine

func TestGolden(t *testing.T) {
	e := small(t)
	module, err := codegen.JavaScript(e, codegen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if again, err := codegen.JavaScript(small(t), codegen.Options{}); err != nil || !reflect.DeepEqual(again, module) {
			t.Fatalf("the same rules and limits give another module, %v", err)
		}
	}
	// The evaluator is the same in every module, and is in the next folder.
	_, tables, ok := bytes.Cut(module.Module, []byte("const tables = "))
	if !ok {
		t.Fatal("the module has no tables")
	}
	for name, got := range map[string][]byte{
		"tables.js": append([]byte("const tables = "), tables...), "index.d.ts": module.Declarations,
	} {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not as in testdata; run go test ./codegen -update and look at what changed", name)
		}
	}
}

func TestOptions(t *testing.T) {
	e := boxrules.Default()
	files, err := codegen.JavaScript(e, codegen.Options{Articles: []string{"mailer", "tray"}})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(files.Module, []byte(`"mailer"`)) || bytes.Contains(files.Module, []byte(`"gable"`)) {
		t.Error("the module does not have the articles asked for, and no others")
	}
	var input *boxrules.InputError
	_, err = codegen.JavaScript(e, codegen.Options{Articles: []string{"tray", "hat"}})
	if !errors.As(err, &input) || input.Field != "article" || !strings.Contains(err.Error(), `"hat"`) {
		t.Errorf("an unknown article: %v, want an InputError that names it", err)
	}
}

// TestImports says that a module has the evaluator in itself, or imports it, and that it says
// nothing of the search for the nearest valid box where that is left out.
func TestImports(t *testing.T) {
	for _, test := range []struct {
		options               codegen.Options
		contains, containsNot []string
	}{
		{codegen.Options{}, []string{"const evaluator =", "const nearest =", "const english ="}, []string{"\nimport "}},
		{codegen.Options{Imports: true}, []string{`from "./evaluator.js"`, `from "./nearest.js"`, `from "./locales/en.js"`},
			[]string{"const evaluator =", "const nearest =", "const english ="}},
		{codegen.Options{WithoutNearest: true}, nil, []string{"nearest("}},
		{codegen.Options{Imports: true, WithoutNearest: true}, []string{`from "./evaluator.js"`}, []string{"nearest"}},
	} {
		files, err := codegen.JavaScript(small(t), test.options)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range test.contains {
			if !bytes.Contains(files.Module, []byte(text)) {
				t.Errorf("%+v: the module has no %q", test.options, text)
			}
		}
		for _, text := range test.containsNot {
			if bytes.Contains(files.Module, []byte(text)) || bytes.Contains(files.Declarations, []byte(text)) {
				t.Errorf("%+v: the module has %q", test.options, text)
			}
		}
	}
}

// TestHeader says that a module tells what it was made from, on one line whatever the files are
// called.
func TestHeader(t *testing.T) {
	r, err := boxrules.LoadRules("a\nimport 'x'", []byte("version: 1\nconstraint: [{code: A_0001, when: width > 1, message: m}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := limits.Load("b.yaml", []byte("version: 1\nunit: mm\nsheets: {s: {width: 1, height: 1}}\n"+
		"materials: {m: {caliper: 1, glue_flap: 1, sheet: s}}\n"+
		"articles: {a: {width: {min: 1, max: 2}, depth: {min: 1, max: 2}, height: {min: 1, max: 2}, constraints: []}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := boxrules.New(r, c)
	if err != nil {
		t.Fatal(err)
	}
	files, err := codegen.JavaScript(e, codegen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "// Code generated by boxrules from a\\nimport 'x' and b.yaml; DO NOT EDIT.\n\n"
	if !bytes.HasPrefix(files.Module, []byte(want)) || !bytes.Contains(files.Module, []byte("const illustrative = false;")) {
		t.Errorf("the module begins %.100q, want %q", files.Module, want)
	}
	if !bytes.Contains(files.Declarations, []byte("export type Code = never;")) {
		t.Error("a module without rules has codes")
	}
}

// decodedTables has what some tests need of the tables in JSON.
type decodedTables struct {
	Rules []struct {
		Ratio     []int64
		Numbers   []string
		AsWritten json.RawMessage
	}
	Materials map[string]map[string]float64
	Articles  map[string]struct {
		Constants map[string]float64
		Blank     json.RawMessage
	}
}

func tablesOf(t *testing.T, e *boxrules.Engine) (tables decodedTables) {
	t.Helper()
	text, err := codegen.JSON(e, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &tables); err != nil {
		t.Fatal(err)
	}
	return tables
}

// moduleOf returns the text of the module with all articles.
func moduleOf(t *testing.T, e *boxrules.Engine) string {
	t.Helper()
	files, err := codegen.JavaScript(e, codegen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return string(files.Module)
}

// valued returns an engine with two rules, which compare the depth with a length from the limits, and the height with a
// multiple of the depth. The limits are in millimetres.
func valued(t *testing.T, ruleUnit string) *boxrules.Engine {
	t.Helper()
	return engine(t, "version: 1\nunit: "+ruleUnit+`
values: {crease: length, max_ratio: number}
constraint:
  - {code: SHOP_0001, when: depth < 3.25 * crease, message: too shallow}
  - {code: SHOP_0002, when: height > max_ratio * depth, message: too tall}
`, `
version: 1
unit: mm
sheets: {s: {width: 1000, height: 700}}
materials: {m: {caliper: 0.5, glue_flap: 15, sheet: s, values: {crease: 3.175}}}
articles:
  a:
    width: {min: 20, max: 400}
    depth: {min: 20, max: 400}
    height: {min: 20, max: 400}
    constraints: [SHOP_0001, SHOP_0002]
    values: {max_ratio: 4.5}
`)
}

// TestUnits: conditions in another unit than the limits come with the factor that converts lengths, and with the names
// of the values that are no lengths. Conditions in the same unit come without both.
func TestUnits(t *testing.T) {
	const depth, height = "(v) => v.depth < 3.25 * v.crease", "(v) => v.height > v.max_ratio * v.depth"
	for unit, want := range map[string]struct {
		ratio   []int64
		numbers []string
		module  []string
	}{
		"in": {[]int64{5, 127}, []string{"max_ratio"}, []string{"const converted =", // an inch is 127/5 mm
			"asWritten: converted(5, 127, " + depth + ") }", "asWritten: converted(5, 127, " + height + `, ["max_ratio"]) }`}},
		"mm": {nil, nil, []string{"asWritten: " + depth + " }", "asWritten: " + height + " }"}},
	} {
		e := valued(t, unit)
		rules := tablesOf(t, e).Rules
		if !reflect.DeepEqual(rules[0].Ratio, want.ratio) || !reflect.DeepEqual(rules[1].Ratio, want.ratio) {
			t.Errorf("rules in %s: ratios %v and %v, want %v", unit, rules[0].Ratio, rules[1].Ratio, want.ratio)
		}
		if rules[0].Numbers != nil || !reflect.DeepEqual(rules[1].Numbers, want.numbers) {
			t.Errorf("rules in %s: numbers %v and %v, want none and %v", unit, rules[0].Numbers, rules[1].Numbers, want.numbers)
		}
		module := moduleOf(t, e)
		for _, text := range want.module {
			if !strings.Contains(module, text) {
				t.Errorf("rules in %s: the module has no %q", unit, text)
			}
		}
		if strings.Contains(module, "converted") != (want.ratio != nil) {
			t.Errorf("rules in %s: the module converts: %v", unit, want.ratio == nil)
		}
	}
}

// TestTableValues: a value is in the tables of the material or of the article that gives it, with all of its decimals,
// as is a number in a condition.
func TestTableValues(t *testing.T) {
	tables := tablesOf(t, valued(t, "mm"))
	if got := tables.Materials["m"]["crease"]; got != 3.175 {
		t.Errorf("the material has the crease %v, want 3.175", got)
	}
	if got := tables.Articles["a"].Constants["max_ratio"]; got != 4.5 {
		t.Errorf("the article has the ratio %v, want 4.5", got)
	}
	if got, want := string(tables.Rules[0].AsWritten), `["<", "depth", ["*", 3.25, "crease"]]`; got != want {
		t.Errorf("the condition is %s, want %s", got, want)
	}
}

// TestBlankIsNeeded: the tables have the formulas of a blank if a rule mentions one of its sides, and not merely
// something with such a name.
func TestBlankIsNeeded(t *testing.T) {
	for condition, want := range map[string]string{
		"width > my_blank_width":               "",
		"blank_height > my_blank_width":        `["+", "width", "my_blank_width"]`,
		"2 * blank_width - blank_height < 100": `["+", "width", "my_blank_width"]`,
	} {
		e := engine(t, "version: 1\nvalues: {my_blank_width: length}\n"+
			"size: [{code: SIZE_0001, when: "+condition+", message: m}]\n", `
version: 1
unit: mm
sheets: {s: {width: 1000, height: 700}}
materials: {m: {caliper: 0.5, glue_flap: 15, sheet: s, values: {my_blank_width: 30}}}
articles:
  a:
    width: {min: 20, max: 400}
    depth: {min: 20, max: 400}
    height: {min: 20, max: 400}
    constraints: []
    blank: {width: width + my_blank_width, height: depth}
`)
		if want != "" {
			want = "[" + want + `, "depth"]`
		}
		if got := string(tablesOf(t, e).Articles["a"].Blank); got != want {
			t.Errorf("%s: the tables have the blank %s, want %s", condition, got, want)
		}
		if got := strings.Contains(moduleOf(t, e), "blank: (v) =>"); got != (want != "") {
			t.Errorf("%s: the module has a blank: %v", condition, got)
		}
	}
}

// TestKeyOrder: the declarations list materials in the order of JavaScript. It puts keys that are array indices
// first, which are the whole numbers up to 4294967294 without leading zeros.
func TestKeyOrder(t *testing.T) {
	codes := []string{"b", "4294967296", "4294967295", "4294967294", "10", "07", "2", "-1", "0", "a"}
	var materials strings.Builder
	for _, code := range codes {
		fmt.Fprintf(&materials, "%q: {caliper: 1, glue_flap: 1, sheet: s}, ", code)
	}
	e := engine(t, "version: 1\nboundary: [{code: A_0001, when: width < 10, message: m}]\n",
		"version: 1\nunit: mm\nsheets: {s: {width: 1, height: 1}}\nmaterials: {"+materials.String()+"}\n"+
			"articles: {a: {width: {min: 1, max: 2}, depth: {min: 1, max: 2}, height: {min: 1, max: 2}, constraints: []}}\n")
	files, err := codegen.JavaScript(e, codegen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := `materials: readonly ["0", "2", "10", "4294967294", "b", "4294967296", "4294967295", "07", "-1", "a"]`
	if !bytes.Contains(files.Declarations, []byte(want)) {
		t.Errorf("the declarations have no %s:\n%s", want, files.Declarations)
	}
}

// TestNoArticles generates all files for a catalogue without articles, which only the zero value is.
func TestNoArticles(t *testing.T) {
	e, err := boxrules.New(new(boxrules.RuleSet), new(limits.Catalogue))
	if err != nil {
		t.Fatal(err)
	}
	if tables := tablesOf(t, e); len(tables.Rules)+len(tables.Materials)+len(tables.Articles) > 0 {
		t.Errorf("the tables have %+v", tables)
	}
	if module := moduleOf(t, e); !strings.Contains(module, "\n  articles: {\n  },\n") {
		t.Error("the module has articles")
	}
}
