package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/lint"
)

// TestLintRedundant has comparisons that could be dropped, and some that could not.
func TestLintRedundant(t *testing.T) {
	for _, test := range []struct {
		name  string
		rules []string
		want  []string
	}{
		{"none", []string{"width > depth && (width > 2*depth || depth > 1000)"}, nil},
		{"alternatives", []string{"width > 50 || width > 60 || width >= 50"}, []string{"X_0001, width > 50", "X_0001, width > 60"}},
		{"the same one in two rules", []string{"depth > 9 && width > 60 && width > 50", "width > 50 && width > 60"},
			[]string{"X_0001, width > 50", "X_0002, width > 50"}},
		{"the same one twice in a rule", []string{"depth > 9 && width > 50 && width > 50"}, []string{"X_0001, width > 50"}},
		{"of boxes that have a size", []string{"width > 2*depth && width > depth"}, []string{"X_0001, width > depth"}},
		{"in every article", []string{"width > 2*max_width && width > 150"}, []string{"X_0001, width > 150"}},
		{"in parentheses", []string{"depth > 9 || (width > 60 && (width > 50 || width > 70))"},
			[]string{"X_0001, width > 70"}},
		{"under a negation", []string{"!(width <= 50 && width <= 60)"}, []string{"X_0001, width <= 60"}},
		{"under two of them", []string{"not (depth <= 9 or !(width > 50 && width > 60))"}, []string{"X_0001, width > 50"}},
		{"in a chain", []string{"40 < width <= 60 && width > 30"}, []string{"X_0001, width > 30"}},
		{"of two half-spaces", []string{"width != 50 && width > 50 && depth > 9"}, []string{"X_0001, width != 50"}},
		{"always and never", []string{"width > 50 && 2 > 1", "width > 50 || 1 > 2"}, []string{"X_0001, 2 > 1", "X_0002, 1 > 2"}},
	} {
		rules, codes := constraintsOf(test.rules...)
		var got []string
		for _, text := range inWords(lintOf(engineOf(t, rules, gen.WorldArticle("a", "min: 10, max: 100", codes)))) {
			if text, ok := strings.CutPrefix(text, "redundant-condition "); ok {
				got = append(got, text)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: Lint says that %q are redundant, want %q", test.name, got, test.want)
		}
	}
}

// TestLintRedundantPlaces looks for each comparison in the rule file, in the styles of YAML.
func TestLintRedundantPlaces(t *testing.T) {
	for _, test := range []struct{ when, want string }{
		{"width > 5 && width > 7 && width > 6", "6:11 6:37"},
		{">-\n      width > 5\n      && width > 7 &&\n      width > 6", "7:7 9:7"},
		{"|\n      width > 7 &&\n\n        width > 6", "9:9"},
		{"'width > 7\n      && !(width <= 6)'", "7:12"},
		{"\"\\x77idth > 7 && 5 < width > 6\"", "6:11 6:11"},
	} {
		rules := "unit: mm\nversion: 1\nconstraint:\n  - code: X_0001\n    message: m\n    when: " + test.when + "\n"
		var got []string
		for _, f := range lintOf(engineOf(t, rules, gen.WorldArticle("a", "min: 1, max: 100", "X_0001"))) {
			if f.Kind == lint.RedundantCondition && f.File == "rules.yaml" {
				got = append(got, fmt.Sprintf("%d:%d", f.Line, f.Column))
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: redundant comparisons are at %s, want %s", test.when, got, test.want)
		}
	}
}

// TestLintRedundantInArticles: what could be dropped could be so in all articles that select the
// rule.
func TestLintRedundantInArticles(t *testing.T) {
	rules, code := constraintsOf("width > 2*max_width && width > 150")
	for _, test := range []struct {
		name, articles string
		want           []string
	}{
		{"the second of two", gen.WorldArticle("a", "min: 10, max: 100", "") + gen.WorldArticle("b", "min: 10, max: 100", code),
			[]string{"redundant-condition X_0001, width > 150"}},
		{"another one in each", gen.WorldArticle("a", "min: 10, max: 100", code) + gen.WorldArticle("b", "min: 10, max: 50", code), nil},
		{"none", gen.WorldArticle("a", "min: 10, max: 100", ""), []string{"unselected-rule X_0001"}},
	} {
		if got := inWords(withoutUnenforced(lintOf(engineOf(t, rules, test.articles)))); !slices.Equal(got, test.want) {
			t.Errorf("%s: Lint = %q, want %q", test.name, got, test.want)
		}
	}
}

// TestLintRedundantUnits: a finding names the unit of the rule file if it differs from that of the limit file and the
// comparison has a number on at least one side.
func TestLintRedundantUnits(t *testing.T) {
	for _, test := range []struct{ when, want string }{
		{"width > 50 || width > 60", "width > 60 (in mm)"},
		{"width > 50 || 60 < width", "60 < width (in mm)"},
		{"width > 50 || width + 30 > 90", "width + 30 > 90 (in mm)"},
		{"depth >= width || depth > width", "depth > width"},
	} {
		stage, codes := constraintsOf(test.when)
		for unit, want := range map[string]string{"mm": strings.TrimSuffix(test.want, " (in mm)"), "cm": test.want} {
			file := gen.WorldLimits("", gen.WorldArticle("a", "min: 1, max: 100", codes))
			e := compiled(t, "unit: mm\nversion: 1\n"+stage, strings.Replace(file, "unit: mm", "unit: "+unit, 1))
			var got []string
			for _, f := range lintOf(e) {
				if f.Kind == lint.RedundantCondition {
					got = append(got, f.String())
				}
			}
			if len(got) != 1 || !strings.Contains(got[0], ": `"+want+"` could be dropped") {
				t.Errorf("%s with limits in %s: Lint says %q, want one about `%s`", test.when, unit, got, want)
			}
		}
	}
}
