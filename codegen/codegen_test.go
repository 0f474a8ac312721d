package codegen_test

import (
	"bytes"
	"errors"
	"flag"
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
