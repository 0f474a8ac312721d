package lint_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/lint"
)

func TestLintDefault(t *testing.T) {
	want := []string{
		`{"file":"rules/box_rules.yaml","line":64,"column":29,"kind":"redundant-condition","codes":["BOX_3107"],"condition":"depth > width"}`,
		`{"file":"rules/box_rules.yaml","line":68,"column":11,"kind":"redundant-condition","codes":["BOX_3108"],"condition":"height > width"}`,
		`{"file":"rules/box_rules.yaml","line":75,"column":29,"kind":"redundant-condition","codes":["BOX_3110"],"condition":"depth < height"}`,
		`{"file":"rules/box_rules.yaml","line":89,"column":11,"kind":"redundant-condition","codes":["BOX_3114"],"condition":"width > depth"}`,
		`{"file":"rules/box_rules.yaml","line":112,"column":12,"kind":"redundant-condition","codes":["BOX_3121"],"condition":"depth > width"}`,
		`{"file":"rules/box_rules.yaml","line":112,"column":29,"kind":"redundant-condition","codes":["BOX_3121"],"condition":"depth >= height"}`,
		`{"file":"rules/box_rules.yaml","line":116,"column":12,"kind":"redundant-condition","codes":["BOX_3122"],"condition":"depth <= width"}`,
	}
	if got := lines(t, lintOf(boxrules.Default())); got != strings.Join(want, "\n") {
		t.Errorf("Lint =\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// TestFindingJSON has findings that set every field about a limit, and one that is undecided.
func TestFindingJSON(t *testing.T) {
	rules, codes := constraintsOf("width != 500 * depth + 0.3")
	e := engineOf(t, "boundary:\n"+gen.WorldRule("B_0001", "width > max_width")+rules,
		gen.WorldArticle("a", "min: 10, max: 100", codes)+"    blank: {width: width - 1, height: \"max(height, depth, 1)\"}\n")
	at := func(line, column int) string {
		return fmt.Sprintf(`{"file":"limits.yaml","line":%d,"column":%d,"article":"a","material":"m","kind":`, line, column)
	}
	want := at(10, 27) + `"undecided","codes":["B_0001"],"limit":"max_width","question":"unreachable-limit"}
` + at(11, 27) + `"unreachable-limit","by":["X_0001"],` +
		`"witness":{"width":99.8,"depth":0.199,"height":-1000000},"limit":"max_depth","value":100,"reachable":0.199}
` + at(10, 18) + `"unenforced-limit","witness":{"width":0.8,"depth":0.001,"height":0.001},"limit":"min_width","value":10}
` + at(11, 18) + `"unenforced-limit","witness":{"width":0.8,"depth":0.001,"height":0.001},"limit":"min_depth","value":10}
` + at(12, 19) + `"unenforced-limit","witness":{"width":0.8,"depth":0.001,"height":0.001},"limit":"min_height","value":10}
` + at(12, 28) + `"unenforced-limit","witness":{"width":0.8,"depth":0.001,"height":100.001},"limit":"max_height","value":100}
` + at(14, 20) + `"blank-not-positive","witness":{"width":0.8,"depth":0.001,"height":0.001},"condition":"blank_width <= 0"}`
	if got := lines(t, lintOf(e)); got != want {
		t.Errorf("Lint =\n%s\nwant\n%s", got, want)
	}
}

// TestFindingPlaces: a finding has the place of the limit, constraint, blank, article or rule that
// it is about, and is a note if a healthy file may have it.
func TestFindingPlaces(t *testing.T) {
	const rules = `version: 1
boundary: [{code: B_0001, when: width > max_width || depth > max_depth || height > max_height, message: m}]
constraint:
  - {code: C_0001, when: width > 150, message: m}
  - {code: C_0002, when: width > 25 && width > 20, message: m}
  - {code: C_0003, when: width > 26, message: m}
  - {code: C_0004, when: depth > 30, message: m}
size: [{code: S_0001, when: blank_width > 1000, message: m}]
`
	const file = `version: 1
unit: mm
sheets:
  used: {width: 100, height: 70}
  spare: {width: 100, height: 70}
materials:
  board: {caliper: 1, glue_flap: 0, sheet: used}
  foil: {caliper: 1, glue_flap: 0, sheet: spare}
articles:
  one:
    materials: [board]
    width: {min: 1, max: MAXIMUM}
    depth: {min: 2, max: 30}
    height: {min: 3, max: 40}
    constraints: [C_0001, C_0002, C_0003]
    blank: {width: 9 - 9*width, height: height}
  two: {materials: [board], width: {min: 1, max: 11}, depth: {min: 2, max: 12}, height: {min: 3, max: 13}, constraints: []}
`
	const ends = `note unreportable one C_0001: C_0001,
unreportable one C_0003: C_0003]
unreachable-limit one max_width: MAXIMUM}
unenforced-limit one min_width: 1,
unenforced-limit one min_depth: 2,
unenforced-limit one min_height: 3,
blank-not-positive one: 9
note size-unchecked two S_0001: two:
unenforced-limit two min_width: 1,
unenforced-limit two min_depth: 2,
unenforced-limit two min_height: 3,
redundant-condition C_0002: width
unselected-rule C_0004: depth
note unused-material foil: foil:
note unused-sheet spare: spare:
`
	for maximum, more := range map[string]string{"99.999": "note unlikely-unit : mm\n", "100": ""} {
		text := strings.ReplaceAll(file, "MAXIMUM", maximum)
		got := make(map[string]bool)
		for f := range lint.Lint(compiled(t, rules, text)) {
			about := map[bool]string{true: "note "}[f.Note] + string(f.Kind)
			words := f.Article + " " + f.Limit + " " + f.Sheet
			if f.Article == "" {
				words += " " + f.Material
			}
			if f.Limit == "" {
				words += " " + join(f.Codes)
			}
			about += " " + strings.Join(strings.Fields(words), " ")
			line := strings.Split(map[string]string{"rules.yaml": rules, "limits.yaml": text}[f.File], "\n")[f.Line-1]
			got[about+": "+strings.Fields(line[f.Column-1:])[0]] = true
		}
		for _, want := range strings.Split(strings.TrimSpace(strings.ReplaceAll(ends, "MAXIMUM", maximum)+more), "\n") {
			if !got[want] {
				t.Errorf("maximum %s: Lint has no %q", maximum, want)
			}
			delete(got, want)
		}
		for text := range got {
			t.Errorf("maximum %s: Lint has %q", maximum, text)
		}
	}
}

// TestLintStopsWithTheLoop: a loop that ends early gets the first of all findings, in the same
// order.
func TestLintStopsWithTheLoop(t *testing.T) {
	e := engineOf(t, "", gen.WorldArticle("a", "min: 10, max: 300; min: 50, max: 100; min: 10, max: 200", "BOX_3100, BOX_3107")+
		gen.WorldArticle("b", "min: 1, max: 1000", "BOX_3104, BOX_3117"))
	all := lintOf(e)
	if len(all) < 4 || all[len(all)-1].Kind != lint.RedundantCondition {
		t.Fatalf("Lint =\n%s\nwant findings on both articles and on a rule", lines(t, all))
	}
	for count := 1; count <= len(all); count++ {
		var some []lint.Finding
		for f := range lint.Lint(e) {
			if some = append(some, f); len(some) == count {
				break
			}
		}
		if lines(t, some) != lines(t, all[:count]) {
			t.Errorf("Lint =\n%s\nwant the first %d of\n%s", lines(t, some), count, lines(t, all))
		}
	}
}

// TestLintEqualArticles: articles with the same limits and rules have the same findings, each in all of their materials.
func TestLintEqualArticles(t *testing.T) {
	article := func(name string) string {
		return strings.Replace(gen.WorldArticle(name, "min: 10, max: 300", ""), "[m]", "[m, o]", 1)
	}
	var got []string
	for _, f := range lintOf(engineOf(t, "boundary:\n"+gen.WorldRule("B_0001", "2 < 1"), article("a")+article("b"))) {
		if f.Kind == lint.Unreportable || f.Limit == "min_depth" {
			got = append(got, fmt.Sprint(f.Article, " ", f.Material, " ", f.Kind))
		}
	}
	var want []string
	for _, where := range []string{"a m", "a o", "b m", "b o"} {
		want = append(want, where+" unreportable", where+" unenforced-limit")
	}
	if !slices.Equal(got, want) {
		t.Errorf("Lint has %q, want %q", got, want)
	}
}

// TestLintAllocatesLittle: for an article without findings, also if no round box is at its limits,
// Lint does not search thousands of lines of boxes. The number of allocations shows that without a
// clock.
func TestLintAllocatesLittle(t *testing.T) {
	for _, ranges := range []string{"min: 1, max: 10000", "min: 1.001, max: 999.999"} {
		e := engineOf(t, "", gen.WorldArticle("a", ranges, "BOX_3100"))
		if got := testing.AllocsPerRun(1, func() { _ = lintOf(e) }); got > 100_000 {
			t.Errorf("%s: Lint() allocates %v times, want at most 100000", ranges, got)
		}
	}
}

// TestLintLimits has articles with limits that no valid box reaches, and articles without a valid
// box.
func TestLintLimits(t *testing.T) {
	for _, test := range []struct {
		name, article string
		want          []string
	}{
		{"nothing but the size", gen.WorldArticle("a", "min: 10, max: 100", "BOX_3100"),
			[]string{"size-unchecked BOX_4100"}},
		{"a third", gen.WorldArticle("a", "min: 20, max: 100; min: 5, max: 80; min: 10, max: 20", "BOX_3119") + slottedBlank, []string{
			"unreportable BOX_4100",
			"unreachable-limit BOX_2103 by BOX_3119, max_depth 80 reached 33.333, as 99.999 x 33.333 x 10",
		}},
		{"no sheet", gen.WorldArticle("a", "min: 10, max: 300; min: 50, max: 100; min: 10, max: 200", "BOX_3100, BOX_3104, BOX_3118") +
			strings.Replace(slottedBlank, "height + depth", "height + depth + 2000", 1),
			[]string{"unsatisfiable BOX_4100"}},
		{"a minimum", gen.WorldArticle("a", "min: 10, max: 300; min: 50.25, max: 100; min: 10, max: 200", "BOX_3100") + slottedBlank, []string{
			"unreportable BOX_4100",
			"unreachable-limit BOX_2100 by BOX_3100, min_width 10 reached 50.25, as 50.25 x 50.25 x 10",
		}},
		// Twice the width and twice the depth, with the flap of 20, are at most 1000.
		{"the sheet", gen.WorldArticle("a", "min: 100, max: 480; min: 20.125, max: 400; min: 50, max: 600", "") + slottedBlank, []string{
			"unreachable-limit BOX_2101 by BOX_4100, max_width 480 reached 469.875, as 469.875 x 20.125 x 50",
			"unreachable-limit BOX_2103 by BOX_4100, max_depth 400 reached 390, as 100 x 390 x 50",
		}},
		{"two rules together", gen.WorldArticle("a", "min: 10, max: 100; min: 10, max: 100; min: 10, max: 500", "BOX_3100, BOX_3117, BOX_3105"),
			[]string{
				"unreportable BOX_3117 by BOX_3100 BOX_3105, as 100 x 100 x 200",
				"unreachable-limit BOX_2105 by BOX_3105, max_height 500 reached 100, as 100 x 100 x 100",
				"size-unchecked BOX_4100",
			}},
		{"limits to the thousandth", gen.WorldArticle("a", "min: 20.001, max: 100.009", "") + slottedBlank,
			[]string{"unreportable BOX_4100"}},
		{"a single box", gen.WorldArticle("a", "min: 12.5, max: 12.5", "BOX_3100, BOX_3110, BOX_3115") + slottedBlank, []string{
			"unsatisfiable BOX_3115",
			"unreportable BOX_3100",
			"unreportable BOX_3110",
			"unreportable BOX_4100",
		}},
		{"everything that can be checked", gen.WorldArticle("a", "min: 0.001, max: 1000000", ""), []string{
			"unreportable BOX_2101",
			"unreportable BOX_2103",
			"unreportable BOX_2105",
			"size-unchecked BOX_4100",
		}},
	} {
		e := engineOf(t, "", test.article)
		if got := inWords(findingsOf(t, profileOf(t, e, "a"), lintOf(e))); !slices.Equal(got, test.want) {
			t.Errorf("%s: Lint = %q, want %q", test.name, got, test.want)
		}
	}
}

// TestLintUserRules has odd rules of the user's own, all of which apply to the article.
func TestLintUserRules(t *testing.T) {
	for _, test := range []struct {
		name, boundary string
		constraints    []string
		want           []string
	}{
		{"never", "", []string{"2 < 1"}, []string{"unreportable X_0001"}},
		{"always", "", []string{"1 < 2", "width > depth"},
			[]string{"unsatisfiable X_0001", "unreportable X_0002 by X_0001, as 200 x 100 x 100"}},
		{"no boundary, so a box may have any size", "", []string{"width > depth"}, nil},
		{"no boundary, and a rule that keeps from a limit", "", []string{"width > 90 || depth < 5 || height < 7"},
			[]string{"unreachable-limit by X_0001, max_width 100 reached 90, as 90 x 10 x 10"}},
		{"the same twice", "", []string{"width > depth", "0.5*depth < width/2"},
			[]string{"unreportable X_0002 by X_0001, as 200 x 100 x 100"}},
		{"two that shadow a third only together", "", []string{"width > depth + 50", "depth > height + 20", "width > height + 70"},
			[]string{"unreportable X_0003 by X_0001 X_0002, as 200 x 100 x 100"}},
		{"two that shadow another together, behind three that do", "", []string{
			"height > 50 && width > 50", "height > 50 && width <= 50 && depth > 50", "height > 50 && width <= 50 && depth <= 50",
			"height > 40 && width > 30", "height > 40 && width <= 30", "height > 60",
		}, []string{
			"unreportable X_0006 by X_0004 X_0005, as 100 x 100 x 100",
			"unreachable-limit by X_0006, max_height 100 reached 40, as -1000000 x -1000000 x 40",
		}},
		{"no boundary, and a rule about one dimension", "", []string{"width > 90"},
			[]string{"unreachable-limit by X_0001, max_width 100 reached 90, as 90 x -1000000 x -1000000"}},
		{"a boundary of several dimensions", gen.WorldRule("B_0001", "width - depth + height > 100") + gen.WorldRule("B_0002", "width > max_width"),
			[]string{"width > 90"},
			[]string{"unreachable-limit B_0002 by X_0001, max_width 100 reached 90, as 90 x -1000000 x -1000000"}},
		{"a limit far from any point", gen.WorldRule("B_0001", "width > max_width"), []string{"width != 500 * depth + 0.3"}, []string{
			"undecided B_0001, unreachable-limit?, max_width",
			"unreachable-limit by X_0001, max_depth 100 reached 0.199, as 99.8 x 0.199 x -1000000",
		}},
	} {
		rules, codes := constraintsOf(test.constraints...)
		if test.boundary != "" {
			rules = "boundary:\n" + test.boundary + rules
		}
		findings := lintOf(engineOf(t, rules, gen.WorldArticle("a", "min: 10, max: 100", codes)))
		if got := inWords(withoutUnenforced(findings)); !slices.Equal(got, test.want) {
			t.Errorf("%s: Lint = %q, want %q", test.name, got, test.want)
		}
	}
}

// withoutUnenforced drops the findings that limits are not enforced, for rules without a boundary.
func withoutUnenforced(findings []lint.Finding) []lint.Finding {
	return slices.DeleteFunc(findings, func(f lint.Finding) bool { return f.Kind == lint.UnenforcedLimit })
}

// TestLintBlank has a blank that is positive in one of two materials although no rule distinguishes
// them, and a blank with fractions too small for a proof. TestLintWorld has the usual blanks.
func TestLintBlank(t *testing.T) {
	limits := enforced()
	e := engineOf(t, limits, strings.Replace(gen.WorldArticle("a", "min: 25, max: 100", ""), "[m]", "[m, o]", 1)+
		"    blank: {width: width - glue_flap, height: height}\n")
	want := []string{"blank-not-positive, blank_width <= 0, as 30 x 30 x 30"}
	if all := lintOf(e); !slices.Equal(inWords(all), want) || all[0].Material != "o" {
		t.Errorf("Lint =\n%s\nwant %q in o alone", lines(t, all), want)
	}
	e = engineOf(t, limits, gen.WorldArticle("a", "min: 25, max: 100", "")+"    blank: {width: width/3*0.0000001 + depth, height: height}\n")
	want = []string{"undecided, blank_width <= 0, blank-not-positive?"}
	if got := inWords(lintOf(e)); !slices.Equal(got, want) {
		t.Errorf("Lint = %q, want %q", got, want)
	}
}

// enforced returns a boundary stage that enforces every limit.
func enforced() string {
	rules := "boundary:\n"
	for i, name := range axisNames {
		rules += gen.WorldRule(fmt.Sprintf("B_%04d", i), fmt.Sprintf("%s < min_%[1]s || %[1]s > max_%[1]s", name))
	}
	return rules
}

// TestUnselectedRuleHasOneFinding: the only finding about a rule that applies to no article is that
// no article selects it.
func TestUnselectedRuleHasOneFinding(t *testing.T) {
	rules, _ := constraintsOf("2 < 1", "width > depth && (width > 2*depth || depth > 1000)", "width > 50 || width > 60")
	got := withoutUnenforced(lintOf(engineOf(t, rules, gen.WorldArticle("a", "min: 10, max: 100", ""))))
	if want := []string{"unselected-rule X_0001", "unselected-rule X_0002", "unselected-rule X_0003"}; !slices.Equal(inWords(got), want) {
		t.Errorf("Lint = %q, want %q", inWords(got), want)
	}
	// Such a rule does not hide another one either.
	rules, _ = constraintsOf("width > depth + 50", "depth > height + 20", "width <= 50", "width > height + 70")
	got = withoutUnenforced(lintOf(engineOf(t, rules, gen.WorldArticle("a", "min: 10, max: 100", "X_0001, X_0002, X_0004"))))
	want := []string{"unreportable X_0004 by X_0001 X_0002, as 200 x 100 x 100", "unselected-rule X_0003"}
	if !slices.Equal(inWords(got), want) {
		t.Errorf("Lint = %q, want %q", inWords(got), want)
	}
}

// TestSmallestSetOfManyRules has a rule that is hidden by three others together, and also by two
// later ones together. Among 45 rules, these two are the thousandth and last set that is tried. If
// there are more rules, Lint reports a set in which every rule is needed, such as the three.
func TestSmallestSetOfManyRules(t *testing.T) {
	const never, last = "height < -1", "height > 60"
	three := []string{"height > 50 && width > 10", "height > 50 && width <= 10 && depth > 10", "height > 50 && width <= 10 && depth <= 10"}
	first, second := "height > 45 && depth > 50", "height > 45 && depth <= 50"
	for _, test := range []struct{ before, between, within int }{{0, 32, 8}, {0, 33, 8}, {1, 32, 8}} {
		conditions := slices.Concat(slices.Repeat([]string{never}, test.before), three, slices.Repeat([]string{never}, test.between),
			[]string{first}, slices.Repeat([]string{never}, test.within), []string{second})
		want := three
		if len(conditions) == 45 {
			want = []string{first, second}
		}
		rules, codes := constraintsOf(append(conditions, last)...)
		all := strings.Split(codes, ", ")
		found := false
		for f := range lint.Lint(engineOf(t, rules, gen.WorldArticle("a", "min: 10, max: 100", codes))) {
			if f.Kind != lint.Unreportable || join(f.Codes) != all[len(conditions)] {
				continue
			}
			found = true
			var by []string
			for _, code := range f.By {
				by = append(by, conditions[slices.Index(all, string(code))])
			}
			if !slices.Equal(by, want) {
				t.Errorf("%+v: Lint has %+v, by %q, want it by %q", test, f, by, want)
			}
		}
		if !found {
			t.Errorf("%+v: Lint does not say that the last rule is never reported", test)
		}
	}
}

// TestUndecided has conditions for boxes that no search finds and no proof excludes, because their
// width would be odd and even. Article c has boxes at its maximum width, but too few to be found.
func TestUndecided(t *testing.T) {
	const rules = `boundary:
  - {code: U_0000, when: "width < 1 || depth < 1 || height < 1 || max(depth, height) > max_width", message: m}
  - {code: U_0004, when: width > max_width, message: m}
constraint:
  - {code: U_0001, when: width != 2 * depth + 0.001, message: m}
  - {code: U_0002, when: width != 2 * height, message: m}
  - {code: U_0003, when: width == 2 * depth + 0.001 && width == 2 * height && height > 50, message: m}
  - {code: U_0005, when: width >= max_width && 1000003 * depth - 1000037 * height != 0.001, message: m}
`
	engine := func(a, b, c string) *boxrules.Engine {
		const ranges = "min: 1, max: 10000"
		return engineOf(t, rules, gen.WorldArticle("a", ranges, a)+gen.WorldArticle("b", ranges, b)+gen.WorldArticle("c", ranges, c))
	}
	before, after := engine("U_0001, U_0002", "U_0003", "U_0005"), engine("U_0001", "", "U_0005")
	asked := make(map[string]int)
	for f := range lint.Lint(before) {
		if f.Kind != lint.Undecided || f.Witness != nil || f.By != nil {
			t.Errorf("Lint has %+v, want nothing but what is undecided", f)
		}
		asked[f.Article+" "+string(f.Question)+" "+join(f.Codes)]++
	}
	for _, want := range []string{
		"a unsatisfiable ", "a unreachable-limit ", "a unreachable-limit U_0004", "b unreportable U_0003", "c unreachable-limit U_0004",
		" redundant-condition U_0003",
	} {
		if asked[want] == 0 {
			t.Errorf("Lint leaves %v undecided, want %q too", asked, want)
		}
	}
	// Without a boundary it is also undecided whether such a box is beyond a limit or has a blank of 0.
	_, nobody, _ := strings.Cut(strings.ReplaceAll(rules, "width >= max_width", "width > 1"), "constraint:\n")
	var open []string
	for f := range lint.Lint(engineOf(t, "constraint:\n"+nobody, gen.WorldArticle("a", "min: 1, max: 10000", "U_0001, U_0002")+
		"    blank: {width: 7 - width, height: \"max(depth, 1)\"}\n")) {
		if f.Question == lint.UnenforcedLimit || f.Question == lint.BlankNotPositive {
			open = append(open, f.Limit+f.Condition)
		}
	}
	if want := "min_width max_width min_depth max_depth min_height max_height blank_width <= 0"; strings.Join(open, " ") != want {
		t.Errorf("Lint leaves %q undecided, want %q", open, want)
	}
	changes := slices.Collect(lint.Diff(before, after))
	confirmChanges(t, before, after, changes)
	if got, want := words(changes), "a m: newly-accepted U_0002\nb m: undecided U_0003\nc m: identical"; got != want {
		t.Errorf("Diff =\n%s\nwant\n%s", got, want)
	}
}

// TestWitness asks every profile for a box that reports each of its codes.
func TestWitness(t *testing.T) {
	reported := make(map[boxrules.Code]bool)
	next, stop := iter.Pull(lint.Witnesses(boxrules.Default()))
	defer stop()
	for _, p := range boxrules.Default().Profiles() {
		for _, rule := range p.Rules() {
			if f, _ := next(); f.Article != p.Article() || f.Material != p.Material() || f.Codes[0] != rule.Code {
				t.Fatalf("Witnesses has %+v, want one of %s in %s for %s", f, p.Article(), p.Material(), rule.Code)
			}
			d, ok := lint.Witness(p, rule.Code)
			if v, err := p.Check(d); !ok || err != nil || v.Code() != rule.Code {
				t.Errorf("%s in %s: Witness(%s) = %+v, %v, where Check = %v, %v", p.Article(), p.Material(), rule.Code, d, ok, v, err)
			}
			reported[rule.Code] = true
		}
	}
	if len(reported) != 30 {
		t.Errorf("%d codes with a witness, want each of the 30", len(reported))
	}
	p := profileOf(t, engineOf(t, "", gen.WorldArticle("a", "min: 2, max: 2000", "BOX_3104, BOX_3117")), "a")
	if d, ok := lint.Witness(p, "BOX_2105"); !ok || d != (boxrules.Dims{Width: 100, Depth: 100, Height: 2100}) {
		t.Errorf("Witness(BOX_2105) = %+v, %v, want the roundest and smallest", d, ok)
	}
	for _, code := range []boxrules.Code{"BOX_3117", "X_0000"} { // BOX_3104 always comes first; no rule
		if d, ok := lint.Witness(p, code); ok {
			t.Errorf("Witness(%s) = %+v, want none", code, d)
		}
	}
}

// TestUnlikelyUnit: maximums of 4 to 16 are those of boxes in inches or cm, and those of 300 to 400 of boxes in mm.
func TestUnlikelyUnit(t *testing.T) {
	for _, test := range []struct{ unit, maximums, want string }{
		{"mm", "400 300 99", ""},
		{"mm", "40 30 10", "cm in"},
		{"mm", "99.999 99.999 99.999", "cm"},
		{"mm", "0.4 0.3 0.1", "m"},
		{"cm", "40 30 10", ""},
		{"cm", "4000 3000 1000", "mm"},
		{"cm", "400 300 200", ""}, // 2 m is not above 2 m
		{"cm", "400 300 200.1", "mm"},
		{"in", "16 12 4", ""},
		{"in", "400 300 100", "mm cm"},
		{"m", "0.4 0.3 0.1", ""},
		{"m", "40 30 10", "cm in"},
		{"Zoll", "4000 3000 1000", ""},
	} {
		x := strings.Fields(test.maximums)
		e := compiled(t, "version: 1\nunit: "+test.unit+"\nboundary:\n  - {code: B_0001, when: width > max_width, message: m}\n",
			"version: 1\nunit: "+test.unit+"\nsheets: {s: {width: 9, height: 9}}\nmaterials: {m: {caliper: 1, glue_flap: 1, sheet: s}}\narticles:\n"+
				"  a: {width: {min: 0.001, max: "+x[0]+"}, depth: {min: 0.001, max: "+x[1]+"}, height: {min: 0.001, max: "+x[2]+"}, constraints: []}\n")
		got := ""
		for f := range lint.Lint(e) {
			if f.Kind == lint.UnlikelyUnit {
				got = strings.Join(f.Units, " ")
			}
		}
		if got != test.want {
			t.Errorf("maximums %s %s: %q is likelier, want %q", test.maximums, test.unit, got, test.want)
		}
	}
}

// TestUsedValues: a value is unused only if no rule and no formula mentions it.
func TestUsedValues(t *testing.T) {
	rules := gen.WorldRule("B_0001", "width > 3 * tuck") + "values: {tuck: length, spare: length}\n"
	article := gen.WorldArticle("a", "min: 200, max: 600", "") + "    blank: {width: width + lap, height: depth}\n" +
		"    values: {tuck: 20, lap: 30, spare: 40, other: 50}\n"
	got := ""
	for _, f := range lintOf(engineOf(t, "boundary:\n"+rules, article)) {
		if f.Kind == lint.UnusedDeclaration || f.Kind == lint.UnusedValue {
			got += string(f.Kind) + " " + f.Name + "\n"
		}
	}
	if want := "unused-declaration spare\nunused-value other\nunused-value spare\n"; got != want {
		t.Errorf("Lint has\n%swant\n%s", got, want)
	}
}
