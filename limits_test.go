package boxrules_test

import (
	"errors"
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
		{"combinations", folded.String(), head(20) + "  a: " + nineCube, "the rules and limits have too many comparisons together: at most 150000 over all articles and materials"},
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

// TestNewAtTheBounds goes to a bound of New, and one beyond it.
func TestNewAtTheBounds(t *testing.T) {
	rules := func(count int, condition func(i int) string) string {
		var b strings.Builder
		b.WriteString("version: 1\nboundary:\n")
		for i := range count {
			fmt.Fprintf(&b, "  - {code: A_%04d, message: m, when: \"%s\"}\n", i, condition(i))
		}
		return b.String()
	}
	articles := func(count int) string {
		var b strings.Builder
		for i := range count {
			fmt.Fprintf(&b, "  a%d: %s", i, nineCube)
		}
		return b.String()
	}
	width := func(i int) string { return fmt.Sprintf("width > %d", i+1000) }
	const five, two = "min(width, depth, height, width, depth)", "min(width, depth)"
	calipers := func(int) string { // 200 combinations, which the material changes
		return five + " + " + five + " + " + two + " + " + two + " + " + two + " > caliper * 1000"
	}
	sum := "(depth" // 256 combinations
	for i := range 8 {
		sum += fmt.Sprintf(" + min(%d * width, depth)", 1<<i)
	}
	sum += ")"
	last := "  z: " + strings.Replace(nineCube, "constraints: []", "materials: [m0], constraints: [B_0000]", 1)
	constraint := "constraint:\n  - {code: B_0000, message: m, when: depth > caliper}\n"
	for _, test := range []struct{ name, rules, limits, want string }{
		{"rules", rules(40, width), head(100) + articles(25), ""},
		{"half-spaces", rules(1000, width), head(1) + articles(1), ""},
		{"half-spaces of one rule", rules(1, func(int) string { return sum + " > 1" + strings.Repeat(" || "+sum+" > 2 || "+sum+" > 3", 2) }),
			head(1) + articles(1), "article a0 in material m0 has too many comparisons: at most 1000"},
		{"comparisons", rules(1, calipers) + constraint, head(75) + articles(10), ""},
		{"one more", rules(1, calipers) + constraint, head(75) + articles(10) + last,
			"the rules and limits have too many comparisons together: at most 150000 over all articles and materials"},
		// What no material changes is counted once for an article, what no article changes once.
		{"the same in all materials", rules(1, func(int) string { return sum + " > max_width" }), head(100) + articles(10), ""},
		{"the same in all articles", rules(1, func(int) string { return sum + " > 1" }), head(1) + articles(1000), ""},
	} {
		set, err := boxrules.LoadRules("rules.yaml", []byte(test.rules))
		if err != nil {
			t.Fatal(test.name, err)
		}
		catalogue, err := limits.Load("limits.yaml", []byte(test.limits))
		if err != nil {
			t.Fatal(test.name, err)
		}
		_, err = boxrules.New(set, catalogue)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: New: error %.200v, want %q", test.name, err, test.want)
		}
	}
}

// TestManyErrors: New stops at a hundred errors, and says so. The article behind that with the unknown codes has
// one more.
func TestManyErrors(t *testing.T) {
	for count, want := range map[int]int{98: 99, 99: 101, 100: 101, 500: 101} {
		var codes []string
		for i := range count {
			codes = append(codes, fmt.Sprintf("X_%04d", i))
		}
		text := head(1) + "  a: " + strings.Replace(nineCube, "[]", "["+strings.Join(codes, ", ")+"]", 1) +
			"  b: " + strings.Replace(nineCube, "[]}", "[], blank: {width: width / 0, height: height}}", 1)
		catalogue, err := limits.Load("limits.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		_, err = boxrules.New(boxrules.DefaultRules(), catalogue)
		var errs boxrules.SourceErrors
		if !errors.As(err, &errs) || len(errs) != want {
			t.Fatalf("%d unknown codes: %d errors, want %d: %.200v", count, len(errs), want, err)
		}
		stopped := errs[len(errs)-1].Message == "too many errors: what comes after these is not listed"
		if stopped != (want > 100) {
			t.Errorf("%d unknown codes: the last error is %v", count, errs[len(errs)-1])
		}
	}
}
