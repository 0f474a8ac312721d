package boxrules_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/limits"
)

// head is a limit file up to its articles, with so many materials.
func head(materials int) string {
	var b strings.Builder
	b.WriteString("version: 1\nunit: mm\nsheets:\n  s: {width: 100, height: 100}\nmaterials:\n")
	for i := range materials {
		fmt.Fprintf(&b, "  m%d: {caliper: %d, glue_flap: 1, sheet: s}\n", i, i+1)
	}
	b.WriteString("articles:\n")
	return b.String()
}

const nineCube = "{width: {min: 1, max: 9}, depth: {min: 1, max: 9}, height: {min: 1, max: 9}, constraints: []}\n"

// TestNewIsBounded gives New files that are small and legal, and would make it slow and large.
func TestNewIsBounded(t *testing.T) {
	sum := "min(width,depth)" + strings.Repeat("+min(width,depth)", 7) // 256 combinations
	var folded, many strings.Builder
	folded.WriteString("version: 1\nboundary:\n")
	many.WriteString("version: 1\nboundary:\n")
	for i := range 40 {
		fmt.Fprintf(&folded, "  - {code: A_%04d, message: m, when: \"%s\"}\n", i, sum+" > caliper * 2"+strings.Repeat(" || "+sum+" > caliper * 3", 20))
	}
	for i := range 1001 {
		fmt.Fprintf(&many, "  - {code: A_%04d, message: m, when: %d * width > %d * depth + %d}\n", i, i+1, i+2, i)
	}
	var articles strings.Builder
	articles.WriteString(head(100))
	for i := range 51 {
		fmt.Fprintf(&articles, "  a%d: %s", i, nineCube)
	}
	var few, crowd strings.Builder
	few.WriteString("version: 1\nboundary:\n")
	for i := range 41 {
		fmt.Fprintf(&few, "  - {code: A_%04d, message: m, when: width > %d}\n", i, i+1000)
	}
	crowd.WriteString(head(100))
	for i := range 25 {
		fmt.Fprintf(&crowd, "  a%d: %s", i, nineCube)
	}
	for _, test := range []struct{ name, rules, limits, want string }{
		{"combinations", folded.String(), head(20) + "  a: " + nineCube, "the rules and limits have too many comparisons together: at most 200000 over all articles and materials"},
		{"half-spaces", many.String(), head(1) + "  a: " + nineCube, "article a in material m0 has too many comparisons: at most 1000"},
		{"rules", few.String(), crowd.String(), "there are too many rules over all articles and materials: at most 100000"},
		{"offers", "", articles.String(), "the articles are offered in too many materials: at most 5000 in all"},
	} {
		rules := boxrules.DefaultRules()
		if test.rules != "" {
			var err error
			if rules, err = boxrules.LoadRules("rules.yaml", []byte(test.rules)); err != nil {
				t.Fatal(test.name, err)
			}
		}
		catalogue, err := limits.Load("limits.yaml", []byte(test.limits))
		if err == nil {
			_, err = boxrules.New(rules, catalogue)
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: New: error %.200v, want %q", test.name, err, test.want)
		}
	}
}
