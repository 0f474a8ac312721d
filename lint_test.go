package boxrules_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/limits"
)

// documentedYAML is the shipped rule file with the replacements, each of which must occur.
func documentedYAML(t testing.TB, replacements ...string) string {
	t.Helper()
	data, err := os.ReadFile("rules/box_rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(data), "version: 1\n")
	for i := 0; found && i < len(replacements); i += 2 {
		if found = strings.Contains(text, replacements[i]); found {
			text = strings.ReplaceAll(text, replacements[i], replacements[i+1])
		}
	}
	if !found {
		t.Fatalf("rules/box_rules.yaml has not all of %q", replacements)
	}
	return text
}

// engineOf makes an engine of the documented rules, or others, and articles in the words of a limit file.
func engineOf(t testing.TB, rules, articles string) *boxrules.Engine {
	t.Helper()
	set := boxrules.DefaultRules()
	if rules != "" {
		var err error
		if set, err = boxrules.LoadRules("rules.yaml", []byte("version: 1\n"+rules)); err != nil {
			t.Fatal(err)
		}
	}
	catalogue, err := limits.Load("limits.yaml", []byte("version: 1\nunit: mm\nsheets:\n  s: {width: 1000, height: 700}\n"+
		"materials:\n  m: {caliper: 1, glue_flap: 20, sheet: s}\n  o: {caliper: 2, glue_flap: 30, sheet: s}\narticles:\n"+articles))
	if err != nil {
		t.Fatal(err)
	}
	e, err := boxrules.New(set, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// articleOf is an article of material m for engineOf, with the same limits for each dimension, such as
// "min: 1, max: 1000", or with three of them divided by a semicolon.
func articleOf(name, ranges, codes string) string {
	r := strings.Split(ranges, "; ")
	if len(r) == 1 {
		r = []string{ranges, ranges, ranges}
	}
	return "  " + name + ":\n    materials: [m]\n    width: {" + r[0] + "}\n    depth: {" + r[1] + "}\n    height: {" + r[2] + "}\n    constraints: [" + codes + "]\n"
}

// slottedBlank is the blank of a slotted case, to append to an article.
const slottedBlank = "    blank:\n      width: 2*width + 2*depth + glue_flap\n      height: height + depth\n"

func profileOf(t testing.TB, e *boxrules.Engine, article string) *boxrules.Profile {
	t.Helper()
	p, err := e.Profile(article, "m")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLintDefault(t *testing.T) {
	want := []string{
		`{"kind":"redundant-condition","codes":["BOX_3107"],"condition":"depth > width"}`,
		`{"kind":"redundant-condition","codes":["BOX_3108"],"condition":"height > width"}`,
		`{"kind":"redundant-condition","codes":["BOX_3110"],"condition":"depth < height"}`,
		`{"kind":"redundant-condition","codes":["BOX_3114"],"condition":"width > depth"}`,
		`{"kind":"redundant-condition","codes":["BOX_3121"],"condition":"depth > width"}`,
		`{"kind":"redundant-condition","codes":["BOX_3121"],"condition":"depth >= height"}`,
		`{"kind":"redundant-condition","codes":["BOX_3122"],"condition":"depth <= width"}`,
	}
	findings := boxrules.Default().Lint()
	if got := lines(t, findings); got != strings.Join(want, "\n") {
		t.Errorf("Lint() =\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	for _, p := range boxrules.Default().Profiles() {
		if findings := p.Lint(); findings != nil {
			t.Errorf("%s in %s: Lint() = %+v, want none", p.Article(), p.Material(), findings)
		}
	}
}

// lines are the findings in JSON.
func lines(t testing.TB, findings []boxrules.Finding) string {
	t.Helper()
	var all []string
	for _, f := range findings {
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(f); err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.TrimSpace(b.String()))
	}
	return strings.Join(all, "\n")
}

// about are the findings of each kind, without those on the boundary's codes, in short: "BOX_3117 by BOX_3104".
// Each witness is confirmed.
func about(t testing.TB, p *boxrules.Profile) map[boxrules.FindingKind]string {
	t.Helper()
	all := make(map[boxrules.FindingKind]string)
	for _, f := range p.Lint() {
		confirmFinding(t, p, f)
		if f.Kind == boxrules.Undecided {
			t.Errorf("%s: Lint() = %+v", p.Article(), f)
		}
		if strings.HasPrefix(string(f.Codes[0]), "BOX_2") && f.Kind == boxrules.Unreportable {
			continue
		}
		text := join(f.Codes)
		if len(f.By) > 0 {
			text += " by " + join(f.By)
		}
		all[f.Kind] = strings.TrimPrefix(all[f.Kind]+", "+text, ", ")
	}
	return all
}

func join(codes []boxrules.Code) string {
	var all []string
	for _, c := range codes {
		all = append(all, string(c))
	}
	return strings.Join(all, " ")
}

// confirmFinding has the profile check the witness of the finding.
func confirmFinding(t testing.TB, p *boxrules.Profile, f boxrules.Finding) {
	t.Helper()
	if f.Witness == nil {
		if f.Kind == boxrules.UnreachableLimit || f.Kind == boxrules.Unreportable && len(f.By) > 0 {
			t.Errorf("%s: %+v has no witness", p.Article(), f)
		}
		return
	}
	d := *f.Witness
	all, err := p.AppendAll(nil, d)
	if err != nil {
		t.Fatal(err)
	}
	codes := make([]boxrules.Code, len(all))
	for i, v := range all {
		codes[i] = v.Code
	}
	switch f.Kind {
	case boxrules.Unreportable:
		// The witness violates the rule, and an earlier one of those that shadow it is reported.
		if !slices.Contains(codes, f.Codes[0]) || codes[0] == f.Codes[0] || !slices.ContainsFunc(f.By, func(c boxrules.Code) bool { return slices.Contains(codes, c) }) {
			t.Errorf("%s: %s is never reported for %v, but %+v violates %v", p.Article(), f.Codes, f.By, d, codes)
		}
	case boxrules.UnreachableLimit:
		axis := slices.Index(dimensions, f.Limit[len("min_"):])
		toward := int64(1)
		if strings.HasPrefix(f.Limit, "min_") {
			toward = -1
		}
		b := gridBox{onGrid(d.Width), onGrid(d.Depth), onGrid(d.Height)}
		if len(all) > 0 || b[axis] != onGrid(*f.Reachable) || (onGrid(*f.Value)-b[axis])*toward <= 0 {
			t.Errorf("%s: %s %v: %v is reached by %+v, which violates %v", p.Article(), f.Limit, *f.Value, *f.Reachable, d, codes)
		}
		if codeAt(t, p, b.with(axis, b[axis]+toward)) == "" {
			t.Errorf("%s: %s %v: a thousandth beyond %+v a box is valid", p.Article(), f.Limit, *f.Value, d)
		}
	default:
		t.Errorf("%s: %+v has a witness", p.Article(), f)
	}
}

// TestLintEffort: Lint of an article that nothing is odd about, with limits off every round step, does not look
// at thousands of lines of boxes. What it allocates tells, without a clock.
func TestLintEffort(t *testing.T) {
	for _, ranges := range []string{"min: 1, max: 10000", "min: 1.001, max: 999.999"} {
		p := profileOf(t, engineOf(t, "", articleOf("a", ranges, "BOX_3100")), "a")
		if got := testing.AllocsPerRun(1, func() { p.Lint() }); got > 100_000 {
			t.Errorf("%s: Lint() allocates %v times, want at most 100000", ranges, got)
		}
	}
}

// exclude and shadow are what is provably true of pairs of the constraints: they reject every box together;
// the second is never the first reported after the first.
var (
	exclude = []string{"3105 3112", "3105 3115", "3109 3119", "3111 3116", "3112 3116", "3115 3116", "3118 3119"}
	shadow  = []string{
		"3100: 3101 3103 3106 3107 3108 3121", "3104: 3106 3107 3108 3110 3117 3121", "3105: 3108 3110 3122", "3106: 3107 3108 3121",
		"3109: 3113 3114 3118", "3111: 3113", "3112: 3113 3115", "3116: 3122", "3117: 3121", "3119: 3121",
	}
)

// TestLintPairs looks at all 253 pairs of constraints in an article each, within limits that touch no
// proportion.
func TestLintPairs(t *testing.T) {
	var codes, articles []string
	for _, rule := range boxrules.DefaultRules().Rules() {
		if rule.Stage == boxrules.Constraint {
			codes = append(codes, string(rule.Code))
		}
	}
	shadowed := make(map[string]bool)
	for _, text := range shadow {
		first, later, _ := strings.Cut(text, ": ")
		for _, second := range strings.Fields(later) {
			shadowed[first+" "+second] = true
		}
	}
	for _, limit := range []string{"min: 0.001, max: 1000000", "min: 1, max: 10000"} {
		articles = articles[:0]
		for i, first := range codes {
			for _, second := range codes[i+1:] {
				articles = append(articles, articleOf(first+"-"+second, limit, first+", "+second))
			}
		}
		found := 0
		for _, p := range engineOf(t, "", strings.Join(articles, "")).Profiles() {
			first, second, _ := strings.Cut(p.Article(), "-")
			pair := first[len("BOX_"):] + " " + second[len("BOX_"):]
			unsatisfiable, unreportable := "", ""
			if slices.Contains(exclude, pair) {
				unsatisfiable = first + " " + second
				found++
			}
			if shadowed[pair] {
				unreportable = second + " by " + first
				found++
			}
			got := about(t, p)
			if got[boxrules.Unsatisfiable] != unsatisfiable || got[boxrules.Unreportable] != unreportable {
				t.Errorf("%s, %s: Lint() = %q, want unsatisfiable %q, unreportable %q", pair, limit, got, unsatisfiable, unreportable)
			}
		}
		if found != 7+27 {
			t.Errorf("%s: %d pairs that exclude or shadow, want 34", limit, found)
		}
	}
}

func TestLintAll(t *testing.T) {
	var all []string
	for _, rule := range boxrules.DefaultRules().Rules() {
		if rule.Stage == boxrules.Constraint {
			all = append(all, string(rule.Code))
		}
	}
	for _, ranges := range []string{"min: 0.001, max: 1000000", "min: 1, max: 1000", "min: 20.5, max: 350; min: 15, max: 250; min: 30, max: 450"} {
		got := about(t, profileOf(t, engineOf(t, "", articleOf("a", ranges, strings.Join(all, ", "))), "a"))
		// The first pair of those that exclude each other.
		if got[boxrules.Unsatisfiable] != "BOX_3105 BOX_3112" || !strings.Contains(got[boxrules.Unreportable], "BOX_3117 by BOX_3104") {
			t.Errorf("%s: Lint() = %q, want no valid box, by BOX_3105 and BOX_3112", ranges, got)
		}
	}
}

// TestLintLimits has articles with limits that no valid box reaches, or no box at all.
func TestLintLimits(t *testing.T) {
	for _, test := range []struct {
		name, article, want string
	}{
		{"nothing to say but the size", articleOf("a", "min: 10, max: 100", "BOX_3100"),
			`{"article":"a","material":"m","kind":"size-unchecked","codes":["BOX_4100"]}`},
		{"a third", articleOf("a", "min: 20, max: 100; min: 5, max: 80; min: 10, max: 20", "BOX_3119") + slottedBlank,
			`{"article":"a","material":"m","kind":"unreportable","codes":["BOX_4100"]}
{"article":"a","material":"m","kind":"unreachable-limit","codes":["BOX_2103"],"by":["BOX_3119"],"witness":{"width":99.999,"depth":33.333,"height":10},"limit":"max_depth","value":80,"reachable":33.333}`},
		{"a minimum, by two rules", articleOf("a", "min: 10, max: 300; min: 50, max: 100; min: 10, max: 200", "BOX_3100, BOX_3104, BOX_3118") + strings.Replace(slottedBlank, "height + depth", "height + depth + 2000", 1),
			`{"article":"a","material":"m","kind":"unsatisfiable","codes":["BOX_4100"]}`},
		{"a minimum", articleOf("a", "min: 10, max: 300; min: 50.25, max: 100; min: 10, max: 200", "BOX_3100") + slottedBlank,
			`{"article":"a","material":"m","kind":"unreportable","codes":["BOX_4100"]}
{"article":"a","material":"m","kind":"unreachable-limit","codes":["BOX_2100"],"by":["BOX_3100"],"witness":{"width":50.25,"depth":50.25,"height":10},"limit":"min_width","value":10,"reachable":50.25}`},
		// Twice the width and twice the depth, with the flap of 20, are at most 1000.
		{"the sheet", articleOf("a", "min: 100, max: 480; min: 20.125, max: 400; min: 50, max: 600", "") + slottedBlank,
			`{"article":"a","material":"m","kind":"unreachable-limit","codes":["BOX_2101"],"by":["BOX_4100"],"witness":{"width":469.875,"depth":20.125,"height":50},"limit":"max_width","value":480,"reachable":469.875}
{"article":"a","material":"m","kind":"unreachable-limit","codes":["BOX_2103"],"by":["BOX_4100"],"witness":{"width":100,"depth":390,"height":50},"limit":"max_depth","value":400,"reachable":390}`},
		{"two rules together", articleOf("a", "min: 10, max: 100; min: 10, max: 100; min: 10, max: 500", "BOX_3100, BOX_3117, BOX_3105"),
			`{"article":"a","material":"m","kind":"unreportable","codes":["BOX_3117"],"by":["BOX_3100","BOX_3105"],"witness":{"width":100,"depth":100,"height":200}}
{"article":"a","material":"m","kind":"unreachable-limit","codes":["BOX_2105"],"by":["BOX_3105"],"witness":{"width":100,"depth":100,"height":100},"limit":"max_height","value":500,"reachable":100}
{"article":"a","material":"m","kind":"size-unchecked","codes":["BOX_4100"]}`},
		{"limits off the grid", articleOf("a", "min: 20.0005, max: 100.0009", "") + slottedBlank,
			`{"article":"a","material":"m","kind":"unreportable","codes":["BOX_4100"]}`},
		{"no box on the grid", articleOf("a", "min: 10, max: 20; min: 20.0005, max: 20.0005; min: 10, max: 20", ""),
			`{"article":"a","material":"m","kind":"unsatisfiable","codes":["BOX_2102","BOX_2103"]}
{"article":"a","material":"m","kind":"unreportable","codes":["BOX_2104"],"by":["BOX_2102","BOX_2103"],"witness":{"width":5,"depth":5,"height":5}}
{"article":"a","material":"m","kind":"unreportable","codes":["BOX_2105"],"by":["BOX_2102","BOX_2103"],"witness":{"width":100,"depth":100,"height":100}}
{"article":"a","material":"m","kind":"size-unchecked","codes":["BOX_4100"]}`},
		{"a single box", articleOf("a", "min: 12.5, max: 12.5", "BOX_3100, BOX_3110, BOX_3115") + slottedBlank,
			`{"article":"a","material":"m","kind":"unsatisfiable","codes":["BOX_3115"]}
{"article":"a","material":"m","kind":"unreportable","codes":["BOX_3100"]}
{"article":"a","material":"m","kind":"unreportable","codes":["BOX_3110"]}
{"article":"a","material":"m","kind":"unreportable","codes":["BOX_4100"]}`},
		{"everything that can be checked", articleOf("a", "min: 0.001, max: 1000000", ""),
			`{"article":"a","material":"m","kind":"unreportable","codes":["BOX_2101"]}
{"article":"a","material":"m","kind":"unreportable","codes":["BOX_2103"]}
{"article":"a","material":"m","kind":"unreportable","codes":["BOX_2105"]}
{"article":"a","material":"m","kind":"size-unchecked","codes":["BOX_4100"]}`},
	} {
		p := profileOf(t, engineOf(t, "", test.article), "a")
		findings := p.Lint()
		for _, f := range findings {
			confirmFinding(t, p, f)
		}
		if got := lines(t, findings); got != test.want {
			t.Errorf("%s: Lint() =\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// TestLintUserRules has rules of one's own that can be said to be odd.
func TestLintUserRules(t *testing.T) {
	const article = "min: 10, max: 100"
	rule := func(code, when string) string {
		return "  - {code: " + code + ", when: \"" + when + "\", message: m}\n"
	}
	for _, test := range []struct {
		name, rules, codes, want string
	}{
		{"never", "constraint:\n" + rule("X_0001", "2 < 1"), "X_0001",
			`{"article":"a","material":"m","kind":"unreportable","codes":["X_0001"]}`},
		{"always", "constraint:\n" + rule("X_0001", "1 < 2") + rule("X_0002", "width > depth"), "X_0001, X_0002",
			`{"article":"a","material":"m","kind":"unsatisfiable","codes":["X_0001"]}
{"article":"a","material":"m","kind":"unreportable","codes":["X_0002"],"by":["X_0001"],"witness":{"width":200,"depth":100,"height":100}}`},
		{"no boundary, so a box may have any size", "constraint:\n" + rule("X_0001", "width > depth"), "X_0001", ""},
		{"no boundary, and a rule that keeps from a limit", "constraint:\n" + rule("X_0001", "width > 90 || depth < 5 || height < 7"), "X_0001",
			`{"article":"a","material":"m","kind":"unreachable-limit","by":["X_0001"],"witness":{"width":90,"depth":10,"height":10},"limit":"max_width","value":100,"reachable":90}`},
		{"the same twice", "constraint:\n" + rule("X_0001", "width > depth") + rule("X_0002", "0.5*depth < width/2"), "X_0001, X_0002",
			`{"article":"a","material":"m","kind":"unreportable","codes":["X_0002"],"by":["X_0001"],"witness":{"width":200,"depth":100,"height":100}}`},
		{"two that shadow a third only together", "constraint:\n" + rule("X_0001", "width > depth + 50") + rule("X_0002", "depth > height + 20") + rule("X_0003", "width <= 50") + rule("X_0004", "width > height + 70"), "X_0001, X_0002, X_0004",
			`{"article":"a","material":"m","kind":"unreportable","codes":["X_0004"],"by":["X_0001","X_0002"],"witness":{"width":200,"depth":100,"height":100}}`},
		{"two that shadow another together, behind three that do", "constraint:\n" + rule("X_0001", "height > 50 && width > 50") +
			rule("X_0002", "height > 50 && width <= 50 && depth > 50") + rule("X_0003", "height > 50 && width <= 50 && depth <= 50") +
			rule("X_0004", "height > 40 && width > 30") + rule("X_0005", "height > 40 && width <= 30") + rule("X_0006", "height > 60"), "X_0001, X_0002, X_0003, X_0004, X_0005, X_0006",
			`{"article":"a","material":"m","kind":"unreportable","codes":["X_0006"],"by":["X_0004","X_0005"],"witness":{"width":100,"depth":100,"height":100}}
{"article":"a","material":"m","kind":"unreachable-limit","by":["X_0006"],"witness":{"width":-1000000,"depth":-1000000,"height":40},"limit":"max_height","value":100,"reachable":40}`},
		{"no boundary, and a rule about one dimension", "constraint:\n" + rule("X_0001", "width > 90"), "X_0001",
			`{"article":"a","material":"m","kind":"unreachable-limit","by":["X_0001"],"witness":{"width":90,"depth":-1000000,"height":-1000000},"limit":"max_width","value":100,"reachable":90}`},
		{"a boundary of several dimensions", "boundary:\n" + rule("X_0001", "width - depth + height > 100") + rule("X_0002", "width > max_width") + "constraint:\n" + rule("X_0003", "width > 90"), "X_0003",
			`{"article":"a","material":"m","kind":"unreachable-limit","codes":["X_0002"],"by":["X_0003"],"witness":{"width":90,"depth":-1000000,"height":-1000000},"limit":"max_width","value":100,"reachable":90}`},
		{"a limit far from any point", "boundary:\n" + rule("X_0001", "width > max_width") + "constraint:\n" + rule("X_0002", "width != 500 * depth + 0.3"), "X_0002",
			`{"article":"a","material":"m","kind":"undecided","codes":["X_0001"],"question":"unreachable-limit"}
{"article":"a","material":"m","kind":"unreachable-limit","by":["X_0002"],"witness":{"width":99.8,"depth":0.199,"height":-1000000},"limit":"max_depth","value":100,"reachable":0.199}`},
		{"a condition too many, of a rule that is not selected", "constraint:\n" + rule("X_0001", "width > depth && (width > 2*depth || depth > 1000)") + rule("X_0002", "width > 50 || width > 60 || width >= 50"), "",
			`{"kind":"redundant-condition","codes":["X_0002"],"condition":"width > 50"}
{"kind":"redundant-condition","codes":["X_0002"],"condition":"width > 60"}`},
		{"the same one in two rules", "constraint:\n" + rule("X_0001", "depth > 9 && width > 60 && width > 50") + rule("X_0002", "width > 50 && width > 60"), "",
			`{"kind":"redundant-condition","codes":["X_0001"],"condition":"width > 50"}
{"kind":"redundant-condition","codes":["X_0002"],"condition":"width > 50"}`},
		{"the same one twice in a rule", "constraint:\n" + rule("X_0001", "depth > 9 && width > 50 && width > 50"), "",
			`{"kind":"redundant-condition","codes":["X_0001"],"condition":"width > 50"}`},
		{"a condition too many of boxes that have a size", "constraint:\n" + rule("X_0001", "width > 2*depth && width > depth"), "",
			`{"kind":"redundant-condition","codes":["X_0001"],"condition":"width > depth"}`},
		{"a condition too many in every article", "constraint:\n" + rule("X_0001", "width > 2*max_width && width > 150"), "X_0001",
			`{"kind":"redundant-condition","codes":["X_0001"],"condition":"width > 150"}`},
	} {
		findings := engineOf(t, test.rules, articleOf("a", article, test.codes)).Lint()
		if got := lines(t, findings); got != test.want {
			t.Errorf("%s: Lint() =\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// TestLintRedundantInArticles: what could be dropped could be so in all articles that select the rule.
func TestLintRedundantInArticles(t *testing.T) {
	const rules = "constraint:\n  - {code: X_0001, when: width > 2*max_width && width > 150, message: m}\n"
	for _, test := range []struct{ name, articles, want string }{
		{"the second of two", articleOf("a", "min: 10, max: 100", "") + articleOf("b", "min: 10, max: 100", "X_0001"),
			`{"kind":"redundant-condition","codes":["X_0001"],"condition":"width > 150"}`},
		{"another one in each", articleOf("a", "min: 10, max: 100", "X_0001") + articleOf("b", "min: 10, max: 50", "X_0001"), ""},
		{"none", articleOf("a", "min: 10, max: 100", ""), ""},
	} {
		if got := lines(t, engineOf(t, rules, test.articles).Lint()); got != test.want {
			t.Errorf("%s: Lint() =\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// TestLintManyRules has a rule that three others shadow together, or two further back. Of 45 rules the thousandth
// set that is tried is that of the two. Where there are more, what is said is a set of which none can be left out.
func TestLintManyRules(t *testing.T) {
	const three, two = "height > 50 && width > 10,height > 50 && width <= 10 && depth > 10,height > 50 && width <= 10 && depth <= 10", "height > 45 && depth > 50,height > 45 && depth <= 50"
	for _, test := range []struct{ before, between, within int }{{0, 32, 8}, {0, 33, 8}, {1, 32, 8}} {
		var codes []string
		rules := "constraint:\n"
		add := func(conditions ...string) []string {
			from := len(codes)
			for _, when := range conditions {
				codes = append(codes, fmt.Sprintf("X_%04d", len(codes)))
				rules += "  - {code: " + codes[len(codes)-1] + ", when: \"" + when + "\", message: m}\n"
			}
			return slices.Clone(codes[from:])
		}
		never := func(count int) { add(slices.Repeat([]string{"height < -1"}, count)...) }
		never(test.before)
		want := add(strings.Split(three, ",")...)
		never(test.between)
		first, second, _ := strings.Cut(two, ",")
		pair := add(first)
		never(test.within)
		pair = append(pair, add(second)...)
		if len(codes) == 45 {
			want = pair
		}
		last := add("height > 60")
		found := false
		for _, f := range profileOf(t, engineOf(t, rules, articleOf("a", "min: 10, max: 100", strings.Join(codes, ", "))), "a").Lint() {
			if f.Kind == boxrules.Unreportable && join(f.Codes) == last[0] {
				found = true
				if join(f.By) != strings.Join(want, " ") {
					t.Errorf("%+v: Lint() has %+v, want it by %s", test, f, want)
				}
			}
		}
		if !found {
			t.Errorf("%+v: Lint() does not say that the last rule is never reported", test)
		}
	}
}

// TestUndecided has boxes that no search finds and no proof excludes: width would be odd and even. Those of article c
// that are as wide as can be are there, but few and far between.
func TestUndecided(t *testing.T) {
	rules := `boundary:
  - {code: U_0000, when: "width < 1 || depth < 1 || height < 1 || max(depth, height) > max_width", message: m}
  - {code: U_0004, when: width > max_width, message: m}
constraint:
  - {code: U_0001, when: width != 2 * depth + 0.001, message: m}
  - {code: U_0002, when: width != 2 * height, message: m}
  - {code: U_0003, when: width == 2 * depth + 0.001 && width == 2 * height && height > 50, message: m}
  - {code: U_0005, when: width >= max_width && 1000003 * depth - 1000037 * height != 0.001, message: m}
`
	before := engineOf(t, rules, articleOf("a", "min: 1, max: 10000", "U_0001, U_0002")+articleOf("b", "min: 1, max: 10000", "U_0003")+articleOf("c", "min: 1, max: 10000", "U_0005"))
	after := engineOf(t, rules, articleOf("a", "min: 1, max: 10000", "U_0001")+articleOf("b", "min: 1, max: 10000", "")+articleOf("c", "min: 1, max: 10000", "U_0005"))
	asked := make(map[string]int)
	for _, f := range before.Lint() {
		if f.Kind != boxrules.Undecided || f.Witness != nil || f.By != nil {
			t.Errorf("Lint() has %+v, want nothing but what is undecided", f)
		}
		asked[f.Article+" "+string(f.Question)+" "+join(f.Codes)]++
	}
	for _, want := range []string{"a unsatisfiable ", "a unreachable-limit ", "a unreachable-limit U_0004", "b unreportable U_0003", "c unreachable-limit U_0004", " redundant-condition U_0003"} {
		if asked[want] == 0 {
			t.Errorf("Lint() leaves %v undecided, want %q too", asked, want)
		}
	}
	changes := boxrules.Diff(before, after)
	confirm(t, before, after, changes)
	if got, want := words(changes), "a m: newly-accepted U_0002\nb m: undecided U_0003\nc m: identical"; got != want {
		t.Errorf("Diff =\n%s\nwant\n%s", got, want)
	}
}
