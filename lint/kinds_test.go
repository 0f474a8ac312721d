package lint_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/lint"
)

// constantsOf returns the values of the package's string constants of a type, as the source has
// them, so that a kind that is added cannot be forgotten here.
func constantsOf(t *testing.T, typeName, fileName string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), fileName, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if name, ok := spec.Type.(*ast.Ident); ok && name.Name == typeName {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, value)
		}
		return true
	})
	if len(values) < 7 {
		t.Fatalf("%s has the constants %q of type %s, want at least 7", fileName, values, typeName)
	}
	return values
}

// kindSentences has, for each kind of finding, files with such a finding and what it says. Without
// articles of their own, the files have one with limits from 200 to 600.
var kindSentences = map[lint.FindingKind]struct{ rules, articles, sentence string }{
	lint.Unsatisfiable: {gen.WorldRule("B_0001", "width > 3") + gen.WorldRule("B_0002", "width < 4"), "",
		"a in m: no box is valid: B_0001, B_0002 together reject every box that the boundary rules accept"},
	lint.Unreportable: {gen.WorldRule("B_0001", "width > 3") + gen.WorldRule("B_0002", "width > 5"), "",
		"a in m: B_0002 is never reported: for every box within the limits that meets its condition, such as 100 x 100 x 100, B_0001 comes first"},
	lint.UnreachableLimit: {gen.WorldRule("B_0001", "width > max_width") + gen.WorldRule("B_0002", "width > 4"), "",
		"a in m: no valid box reaches max_width 600: the nearest value is 4, at 4 x -1000000 x -1000000"},
	lint.UnenforcedLimit: {gen.WorldRule("B_0001", "width > max_width + 1"), "",
		"a in m: nothing enforces min_width 200: 100 x 100 x 100 is valid"},
	lint.BlankNotPositive: {gen.WorldRule("B_0001", "width > max_width"), gen.WorldArticle("a", "min: 200, max: 600", "") + "    blank: {width: width - 2*depth, height: height}\n",
		"a in m: the blank of a valid box has a side of 0 or less: blank_width <= 0 for 100 x 100 x 100"},
	lint.SizeUnchecked: {gen.WorldRule("B_0001", "width > max_width") + "size:\n" + gen.WorldRule("S_0001", "blank_width > 8"), "",
		"note: a in m: S_0001 is not checked: the article has no blank"},
	lint.RedundantCondition: {gen.WorldRule("B_0001", "width > 50 && width > 60"), "",
		"B_0001: `width > 50` could be dropped: no box with dimensions greater than 0 would get a different result"},
	lint.UnselectedRule: {gen.WorldRule("B_0001", "width > 5") + "constraint:\n" + gen.WorldRule("C_0001", "width > 9"), "",
		"no article selects C_0001: add it to the constraints of the articles that it applies to"},
	lint.UnusedMaterial: {gen.WorldRule("B_0001", "width > 5"), "", "note: no article is offered in the material o"},
	lint.UnusedSheet:    {gen.WorldRule("B_0001", "width > 5"), "", "note: no article is offered in a material of the sheet spare"},
	lint.UnusedValue: {gen.WorldRule("B_0001", "width > 5"), gen.WorldArticle("a", "min: 200, max: 600", "") + "    values: {tuck: 20}\n",
		"note: no formula and no rule uses the value tuck"},
	lint.UnusedDeclaration: {gen.WorldRule("B_0001", "width > 5") + "values: {tuck: length}\n", "", "note: no rule uses the value tuck"},
	lint.UnlikelyUnit:      {gen.WorldRule("B_0001", "width > 5"), gen.WorldArticle("a", "min: 20, max: 60", ""), "note: every maximum is below 100 mm or above 2 m: is the unit cm or in?"},
	lint.Reportable:        {gen.WorldRule("B_0001", "width > 5"), "", "a in m: B_0001 is reported for 100 x 100 x 100"},
	lint.Undecided: {"constraint:\n" + gen.WorldRule("C_0001", "width != 2 * depth + 0.001") + gen.WorldRule("C_0002", "width != 2 * height"),
		gen.WorldArticle("a", "min: 1, max: 10000", "C_0001, C_0002"), "a in m: undecided whether there is a finding of the kind unsatisfiable"},
}

// TestFindingKinds: every kind of finding has a sentence, a line in docs/insight.md, and files that
// show it.
func TestFindingKinds(t *testing.T) {
	document, err := os.ReadFile("../docs/insight.md")
	if err != nil {
		t.Fatal(err)
	}
	kinds := constantsOf(t, "FindingKind", "finding.go")
	for _, kind := range kinds {
		if kind != string(lint.Reportable) && !strings.Contains(string(document), "`"+kind+"`") {
			t.Errorf("docs/insight.md does not list the finding %q", kind)
		}
		if _, ok := kindSentences[lint.FindingKind(kind)]; !ok {
			t.Errorf("no files here show the finding %q", kind)
		}
	}
	for kind, test := range kindSentences {
		if !slices.Contains(kinds, string(kind)) {
			t.Errorf("there is no finding of the kind %q", kind)
		}
		articles := cmp.Or(test.articles, gen.WorldArticle("a", "min: 200, max: 600", ""))
		file := "version: 1\nunit: mm\nsheets:\n  s: {width: 1000, height: 700}\n  spare: {width: 1000, height: 700}\nmaterials:\n" +
			"  m: {caliper: 1, glue_flap: 20, sheet: s}\n  o: {caliper: 1, glue_flap: 20, sheet: spare}\narticles:\n" + articles
		rules := test.rules
		if !strings.HasPrefix(rules, "constraint:") {
			rules = "boundary:\n" + rules
		}
		e := compiled(t, rules, file)
		findings := slices.Collect(lint.Lint(e))
		if kind == lint.Reportable {
			findings = slices.Collect(lint.Witnesses(e))
		}
		i := slices.IndexFunc(findings, func(f lint.Finding) bool { return f.Kind == kind })
		if i < 0 {
			t.Errorf("the files for %q have no such finding, but %v", kind, findings)
			continue
		}
		f := findings[i]
		want := test.sentence
		if kind != lint.Reportable {
			want = fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, want)
		}
		if f.String() != want {
			t.Errorf("%s: String() = %q, want %q", kind, f, want)
		}
	}
}

// TestChangeKinds: every kind of change has a sentence.
func TestChangeKinds(t *testing.T) {
	box := boxrules.Dims{Width: 1000000, Depth: 0.5, Height: 3}
	sentences := map[lint.ChangeKind]struct {
		change   lint.Change
		sentence string
	}{
		lint.Identical:       {lint.Change{}, "identical"},
		lint.NewlyRejected:   {lint.Change{To: "B_0001", Witness: &box}, "newly rejected with B_0001, such as 1000000 x 0.5 x 3"},
		lint.NewlyAccepted:   {lint.Change{From: "B_0001", Witness: &box}, "newly accepted, previously rejected with B_0001, such as 1000000 x 0.5 x 3"},
		lint.CodeChanged:     {lint.Change{From: "A_0001", To: "B_0001", Witness: &box}, "A_0001 becomes B_0001, such as 1000000 x 0.5 x 3"},
		lint.OnlyBefore:      {lint.Change{}, "no longer offered"},
		lint.OnlyAfter:       {lint.Change{}, "newly offered"},
		lint.UndecidedChange: {lint.Change{From: "A_0001"}, "undecided whether boxes change from A_0001 to valid"},
	}
	for _, kind := range constantsOf(t, "ChangeKind", "diff.go") {
		test, ok := sentences[lint.ChangeKind(kind)]
		if !ok {
			t.Errorf("this test has no sentence for the change %q", kind)
			continue
		}
		test.change.Article, test.change.Material, test.change.Kind = "tray", "board", lint.ChangeKind(kind)
		if got, want := test.change.String(), "tray in board: "+test.sentence; got != want {
			t.Errorf("String() = %q, want %q", got, want)
		}
	}
	open := lint.Change{Article: "tray", Material: "board", Kind: lint.UndecidedChange}
	if got, want := open.String(), "tray in board: undecided whether anything else changes: the files take too much work"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
}
