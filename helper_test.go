package boxrules_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/profiles"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Engines and limit files.

// engineOf returns an engine for a rule file without its first line and the articles of a limit file.
// If the rules are empty, it uses the documented ones.
func engineOf(t testing.TB, rules, articles string) *boxrules.Engine {
	t.Helper()
	if rules != "" {
		rules = "version: 1\n" + rules
	}
	return profiles.Engine(t, rules, gen.WorldLimits("", articles))
}

// articleOf returns an article for engineOf, with the same limits for each dimension, such as "min: 1,
// max: 1000".
func articleOf(name, ranges, codes string) string {
	return fmt.Sprintf("  %s: {width: {%s}, depth: {%[2]s}, height: {%[2]s}, constraints: [%s]}\n", name, ranges, codes)
}

func profileOf(t testing.TB, e *boxrules.Engine, article string) *boxrules.Profile {
	t.Helper()
	p, err := e.Profile(article, "m")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// head returns a limit file up to its articles, with this number of materials, named m0, m1 and so on.
func head(materials int) string {
	var b strings.Builder
	b.WriteString("version: 1\nunit: mm\nsheets:\n  s: {width: 100, height: 100}\nmaterials:\n")
	for i := range materials {
		fmt.Fprintf(&b, "  m%d: {caliper: %d, glue_flap: 1, sheet: s}\n", i, i+1)
	}
	b.WriteString("articles:\n")
	return b.String()
}

// nineCube is the text of an article after its name.
const nineCube = "{width: {min: 1, max: 9}, depth: {min: 1, max: 9}, height: {min: 1, max: 9}, constraints: []}\n"

// cubes returns the text of count articles, named a0, a1 and so on.
func cubes(count int) string {
	var b strings.Builder
	for i := range count {
		fmt.Fprintf(&b, "  a%d: %s", i, nineCube)
	}
	return b.String()
}

// wide returns an engine with one article for each rule, limits of 1 to 1000 and a blank of width+1000
// by height, on a sheet of 1500 by 500.
func wide(t testing.TB) *boxrules.Engine {
	t.Helper()
	var b strings.Builder
	b.WriteString("version: 1\nunit: mm\nsheets:\n  s: {width: 1500, height: 500}\n" +
		"materials:\n  m: {caliper: 1, glue_flap: 1000, sheet: s}\narticles:\n")
	for _, rule := range boxrules.DefaultRules().Rules() {
		codes := ""
		if rule.Stage == boxrules.Constraint {
			codes = string(rule.Code)
		}
		article := articleOf(string(rule.Code), "min: 1, max: 1000", codes)
		if rule.Stage == boxrules.Size {
			article = strings.TrimSuffix(article, "}\n") + ", blank: {width: width + glue_flap, height: height}}\n"
		}
		b.WriteString(article)
	}
	return profiles.Engine(t, "", b.String())
}

func init() { lab.Checks(30, 100) }

// Boxes and codes.

var axisNames = exact.AxisNames()

var insightBoxes = flag.Int("insight.boxes", lab.Draws(1, 10), "boxes per article and material in the tests with random boxes")
