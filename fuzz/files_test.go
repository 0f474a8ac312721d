package fuzz

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// FuzzRules reads a rule file, and compiles what is accepted for a small catalogue that selects
// all of it.
func FuzzRules(f *testing.F) {
	addFiles(f, "../rules/box_rules.yaml", "../examples/mistakes.yaml")
	f.Add([]byte("version: 1\nsize:\n- {code: A_0001, when: 'min(blank_width, blank_height) > sheet_height', message: m}\n"))
	f.Add([]byte("version: 1\nextends: documented\nunit: mm\nconstraint:\n- {code: A_0001, when: height > 3 * width, message: m}\n"))
	f.Add([]byte("version: 1\nunit: in\nboundary:\n- {code: A_0001, when: width < min_width, message: m}\n"))
	f.Add([]byte("version: 1\nvalues: {crease: length, n: number}\nconstraint:\n- {code: A_0001, when: depth < 3 * crease || width > n * depth, message: m}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rules, err := boxrules.LoadRules("rules.yaml", data)
		if err != nil {
			checkErrors(t, err, file{"rules.yaml", data})
			return
		}
		var selected []string
		seen := make(map[boxrules.Code]bool)
		stage := boxrules.Boundary
		for _, r := range rules.Rules() {
			if !ruleCode.MatchString(string(r.Code)) || seen[r.Code] || r.Stage < stage || strings.TrimSpace(r.When) == "" {
				t.Fatalf("LoadRules accepts %+v", r)
			}
			seen[r.Code], stage = true, r.Stage
			if r.Stage == boxrules.Constraint {
				selected = append(selected, string(r.Code))
			}
		}
		if len(seen) == 0 {
			t.Fatal("LoadRules accepts a file without rules")
		}
		small := []byte(strings.Replace(smallCatalogue(selected), "mm", rules.Unit(), 1))
		for i, v := range rules.Values() {
			if i == 0 {
				small = append(small, "values:\n"...)
			}
			small = fmt.Appendf(small, "  %s: %d\n", v.Name, 3-i)
		}
		catalogue, err := limits.Load("small.yaml", small)
		if err != nil {
			t.Fatalf("limits.Load: %v\n%s", err, small)
		}
		check(t, rules, catalogue, file{"rules.yaml", data}, file{"small.yaml", small}, file{boxrules.DefaultRules().Name(), nil})
	})
}

var ruleCode = regexp.MustCompile(`^[A-Z]+_[0-9]{4}$`)

func smallCatalogue(selected []string) string {
	return "version: 1\nunit: mm\nsheets:\n  s: {width: 1040, height: 720}\nmaterials:\n" +
		"  thin: {caliper: 0.4, glue_flap: 0, sheet: s}\n  thick: {caliper: 3, glue_flap: 35, sheet: s}\narticles:\n  a:\n" +
		"    width: {min: 20, max: 400}\n    depth: {min: 15, max: 250.5}\n    height: {min: 30, max: 450}\n" +
		fmt.Sprintf("    constraints: [%s]\n", strings.Join(selected, ", ")) +
		"    blank:\n      width: 2*width + 2*depth + glue_flap\n      height: height + 2*depth + 2*min(max(0.5*depth, 12), 25)\n"
}

// FuzzLimits reads a limit file, writes what is accepted and reads it again, and compiles the
// documented rules for it.
func FuzzLimits(f *testing.F) {
	addFiles(f, "../limits/illustrative.yaml")
	f.Add([]byte(smallCatalogue([]string{"BOX_3100", "BOX_3119"})))
	f.Fuzz(func(t *testing.T, data []byte) {
		catalogue, err := limits.Load("limits.yaml", data)
		if err != nil {
			checkErrors(t, err, file{"limits.yaml", data})
			return
		}
		if len(catalogue.Articles()) == 0 || len(catalogue.Materials()) == 0 || len(catalogue.Sheets()) == 0 {
			t.Fatal("limits.Load accepts a catalogue that lacks articles, materials or sheets")
		}
		for _, a := range catalogue.Articles() {
			for _, r := range []limits.Range{a.Width, a.Depth, a.Height} {
				if r.Min.Rat().Sign() <= 0 || r.Min.Rat().Cmp(r.Max.Rat()) > 0 {
					t.Fatalf("limits.Load accepts the limits %v of %q", r, a.Code)
				}
			}
			if len(a.Materials) == 0 {
				t.Fatalf("limits.Load accepts %q, which no material is for", a.Code)
			}
		}
		written := catalogue.Append(nil, nil)
		again, err := limits.Load("written.yaml", written)
		if len(written) <= 256<<10 && (err != nil || !bytes.Equal(again.Append(nil, nil), written)) {
			t.Fatalf("Append: %v\n%s", err, written)
		}
		check(t, boxrules.DefaultRules(), catalogue, file{"limits.yaml", data}, file{boxrules.DefaultRules().Name(), nil})
	})
}

func addFiles(f *testing.F, names ...string) {
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
}

// check makes an engine and puts a few boxes to it: every answer agrees with the others.
func check(t *testing.T, rules *boxrules.RuleSet, catalogue *limits.Catalogue, files ...file) {
	engine, err := boxrules.New(rules, catalogue)
	if err != nil {
		checkErrors(t, err, files...)
		return
	}
	for _, p := range engine.Profiles() {
		for _, dims := range []boxrules.Dims{{Width: 143, Depth: 50, Height: 303}, {Width: 0.001, Depth: 1e6, Height: -3},
			{Width: 60, Depth: 60, Height: 60}} {
			first, err := engine.Check(boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: dims})
			all, errAll := p.AppendAll(nil, dims)
			reasons, errReasons := p.Reasons(dims)
			if err := errors.Join(err, errAll, errReasons); err != nil {
				t.Fatalf("Check(%q, %q, %+v): %v", p.Article(), p.Material(), dims, err)
			}
			explained := slices.EqualFunc(all, reasons,
				func(v boxrules.Violation, r boxrules.Reason) bool { return v.Code == r.Code && v.Stage == r.Stage })
			if !explained || first.OK() != (len(all) == 0) || len(all) > 0 && first.Code() != all[0].Code {
				t.Fatalf("Check(%q, %q, %+v) = %v, all %v, explained %v", p.Article(), p.Material(), dims, first, all, reasons)
			}
		}
	}
}

// A file is what was read under a name; without data its lines are not known.
type file struct {
	name string
	data []byte
}

// checkErrors checks that each error is one line, that its place is in one of the files or directly
// after the end of a line, and that the errors are in the order of the text.
func checkErrors(t *testing.T, err error, files ...file) {
	t.Helper()
	var all source.Errors
	if !errors.As(err, &all) || len(all) == 0 || len(all) > 1000 {
		t.Fatalf("error %T with %d entries, want source.Errors: %v", err, len(all), err)
	}
	for i, e := range all {
		if e.Message == "" || !utf8.ValidString(e.Error()) || strings.ContainsFunc(e.Error(), func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%q is not one printable line", e.Error())
		}
		known := slices.IndexFunc(files, func(f file) bool { return f.name == e.File })
		if known < 0 || !files[known].has(e.Line, e.Column) {
			t.Errorf("%q is not in the file", e.Error())
		}
		if i > 0 && all[i-1].File == e.File && (all[i-1].Line > e.Line || all[i-1].Line == e.Line && all[i-1].Column > e.Column) {
			t.Errorf("%q comes before %q", all[i-1].Error(), e.Error())
		}
	}
}

func (f file) has(line, column int) bool {
	if f.data == nil {
		return line > 0 && column > 0
	}
	// A carriage return is a part of the line break before a line feed only.
	text := bytes.ReplaceAll(bytes.TrimPrefix(f.data, []byte("\xef\xbb\xbf")), []byte("\r\n"), []byte("\n"))
	lines := bytes.Split(text, []byte("\n"))
	return line >= 1 && line <= len(lines) && column >= 1 && column <= utf8.RuneCount(lines[line-1])+1
}
