package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
)

func TestExplainJSON(t *testing.T) {
	got := ask(t, "", append([]string{"explain", "--format", "json"}, box("tuck-end", "carton-300", "48", "141", "184")...)...)
	want := `{"width":48,"depth":141,"height":184,"ok":false,"code":"BOX_3100",` +
		`"violations":[{"code":"BOX_3100","stage":"constraint","field":"depth","condition":"depth > width",` +
		`"values":"depth 141 > width 48","by":93,"tie":false}],` +
		`"ranges":{"width":[{"min":141,"max":371.5,"min_code":"BOX_3100","max_code":"BOX_4100"}],` +
		`"depth":[{"min":15,"max":48,"min_code":"BOX_2102","max_code":"BOX_3100"}],"height":[]},` +
		`"turned":[{"width":141,"depth":48,"height":184,"opening":"same"},{"width":184,"depth":141,"height":48,"opening":"other"},` +
		`{"width":184,"depth":48,"height":141,"opening":"other"}],` +
		`"nearest":{"width":48,"depth":48,"height":184,"changed":["depth"]}}` + "\n"
	if got.out != want || got.status != 1 {
		t.Errorf("explain =\n%s(status %d), want\n%s", got.out, got.status, want)
	}
	got = ask(t, "", append([]string{"explain", "--articles", "--format", "json"}, box("tuck-end", "carton-300", "48", "141", "184")...)...)
	want = strings.TrimSuffix(want, "}\n") + `,"offers":[{"article":"sleeve","materials":["carton-300","carton-400"]},` +
		`{"article":"shelf-carton","materials":["carton-300","carton-400"]}]}` + "\n"
	if got.out != want || got.status != 1 {
		t.Errorf("explain --articles =\n%s(status %d), want\n%s", got.out, got.status, want)
	}
}

func TestExplainText(t *testing.T) {
	for _, test := range []struct {
		box, flags string
		status     int
		last       string // line, which says what to do
	}{
		{"tuck-end carton-300 143 50 303", "", 0, "  height  30 to 450 (below it BOX_2104, above it BOX_2105)"},
		{"tuck-end carton-300 48 141 184", "", 1, "turn it to 141 x 48 x 184, or set depth to 48 or less, or width to between 141 and 371.5"},
		{"tuck-end carton-300 5 5 5", "", 1, "set width to 20 and depth to 15 and height to 30"},
		{"tuck-end carton-300 5 5 5", "--step 7", 1, "set width to 21 and depth to 21 and height to 35"},
		{"auto-bottom carton-300 75 100 160", "--step 0.5", 1,
			"turn it to 100 x 75 x 160, or set width to 75.001 or more, or depth to 99.999 or less"},
		{"tuck-end carton-300 300 213 100", "--step 1000", 1,
			"turn it to 300 x 100 x 213 (another side opens), or set width to between 213 and 299.5, or depth to 212.5 or less"},
		// The articles are said last.
		{"tuck-end carton-300 48 141 184", "--articles", 1, "  shelf-carton  carton-300, carton-400"},
		{"tuck-end carton-300 5 5 5", "--articles", 1, "no article can make it as it is"},
	} {
		got := ask(t, "", append(append([]string{"explain"}, box(strings.Split(test.box, " ")...)...), strings.Fields(test.flags)...)...)
		lines := strings.Split(strings.TrimSuffix(got.out, "\n"), "\n")
		if got.status != test.status || lines[len(lines)-1] != test.last {
			t.Errorf("explain %s %s ends with %q (status %d), want %q (status %d); all of it:\n%s", test.box, test.flags,
				lines[len(lines)-1], got.status, test.last, test.status, got.out)
		}
	}
}

func TestInsightErrors(t *testing.T) {
	whole := box("tuck-end", "carton-300", "48", "141", "184")
	for _, test := range []struct {
		args []string
		want string // how the line that says what is wrong begins, after "boxrules: "
	}{
		{[]string{"explain"}, "--article, --material, --width, --depth and --height are missing; accepted: "},
		{append([]string{"explain", "a.csv"}, whole...), `unexpected "a.csv"; accepted: flags alone`},
		{append([]string{"explain", "--step", "0"}, whole...), "step: 0 is not a step; accepted: a multiple of 0.001 from 0.001 to 1000"},
		{append([]string{"explain", "--step", "x"}, whole...), `--step: "x" is not a dimension; accepted: `},
		{append([]string{"explain"}, box("tuck-end", "steel", "48", "141", "184")...),
			`material: unknown material "steel"; accepted for tuck-end: `},
		{append([]string{"explain"}, box("tuck-end", "carton-300", "48", "1e3", "184")...), `depth: "1e3" is not a dimension; accepted: `},
		{append([]string{"explain"}, box("tuck-end", "carton-300", "48", "2000000", "184")...),
			"depth: 2000000 is not a dimension; accepted: a number from "},
		{[]string{"lint", "x"}, `unexpected "x"; accepted: flags alone`},
		{[]string{"lint", "--limits", "none.yaml"}, `--limits "none.yaml": no such file or directory`},
		{[]string{"diff"}, "nothing to compare with; accepted: --new-rules, --new-limits, or both"},
		{[]string{"diff", "--new-rules", "none.yaml"}, `--new-rules "none.yaml": no such file or directory`},
		{[]string{"diff", "--new-rules", write(t, "in-rules.yaml", "unit: in\n"+depthAlone),
			"--new-limits", write(t, "in.yaml", strings.Replace(smallShop, "unit: mm", "unit: in", 1))},
			"the files before the change have the unit mm, and those after it the unit in; accepted: one unit"},
		{[]string{"map"}, "--article is missing"},
		{[]string{"map", "--article", "tray", "--material", "carton-300"},
			"no dimension is held; accepted: one of --width, --depth and --height, or --box"},
		{[]string{"map", "--article", "tray", "--material", "carton-300", "--width", "3", "--depth", "4"},
			"both --width and --depth are given; accepted: the one that is held"},
		{[]string{"map", "--article", "tray", "--material", "carton-300", "--box", "3x4"},
			`--box "3x4" is not a box; accepted: width, depth and height such as 48x141x184`},
		{[]string{"map", "--article", "tray", "--material", "carton-300", "--box", "3x4xY"}, `--box: height: "Y" is not a dimension; accepted: `},
		{[]string{"map", "--article", "tray", "--material", "carton-300", "--box", "30x40x50", "--height", "60"},
			"height: the marked box has 50, and the slice is at 60"},
		{[]string{"map", "--article", "tray", "--material", "carton-300", "--height", "60", "-o",
			filepath.Join(t.TempDir(), "none", "map.svg")}, "open "},
		{[]string{"map", "--article", "lid", "--material", "carton-300", "--height", "60"}, `article: unknown article "lid"; accepted: `},
	} {
		got := ask(t, "", test.args...)
		said := strings.TrimPrefix(got.err, notice)
		if !strings.HasPrefix(said, "boxrules: "+test.want) || strings.Count(said, "\n") != 1 || got.out != "" || got.status != 2 {
			t.Errorf("%q says\n%s%s(status %d), want one line boxrules: %s… and status 2", test.args, got.out, got.err, got.status, test.want)
		}
	}
}

func TestLint(t *testing.T) {
	shop := []string{"lint", "--rules", "../../examples/shop/rules.yaml", "--limits", "../../examples/shop/limits.yaml"}
	golden(t, "lint.json", ask(t, "", append(shop, "--format", "json")...).out)
	golden(t, "lint.witness", ask(t, "", append(shop, "--witness")...).out)
	golden(t, "lint.witness.json", ask(t, "", append(shop, "--witness", "--format", "json")...).out)

	// Everything that lint can say of one article, in words and without a finding.
	odd := write(t, "odd.yaml", strings.ReplaceAll(oddLimits, "\t", "  "))
	golden(t, "lint.odd", ask(t, "", "lint", "--limits", odd, "--rules", "../../examples/shop/edited-rules.yaml").out)
	// So does what it says of rules that leave checks out, and of a blank that is none.
	flat := write(t, "flat.yaml", smallShop+"    blank: {width: width - 7, height: \"max(depth, 5)\"}\n")
	partial := []string{"lint", "--limits", flat, "--rules", write(t, "partial.yaml", smallRules)}
	golden(t, "lint.partial", ask(t, "", partial...).out)
	golden(t, "lint.partial.json", ask(t, "", append(partial, "--format", "json")...).out)
	clean := write(t, "clean.yaml", smallShop)
	if got := ask(t, "", "lint", "--limits", clean, "--rules", write(t, "rules.yaml", depthAlone)); got.status != 0 ||
		got.out != "" || got.err != "0 findings in 1 pair of article and material\n" {
		t.Errorf("lint of clean files = %+v, want nothing and status 0", got)
	}
}

const depthAlone = `version: 1
boundary:
  - {code: BOX_2100, when: width < min_width, message: m}
  - {code: BOX_2101, when: width > max_width, message: m}
  - {code: BOX_2102, when: depth < min_depth, message: m}
  - {code: BOX_2103, when: depth > max_depth, message: m}
  - {code: BOX_2104, when: height < min_height, message: m}
  - {code: BOX_2105, when: height > max_height, message: m}
constraint:
  - {code: BOX_3100, when: depth > width, message: m}
`

const oddLimits = `version: 1
unit: mm
sheets: {s: {width: 500, height: 400}}
materials: {m: {caliper: 1, glue_flap: 0, sheet: s}}
articles:
	impossible:
		width: {min: 10, max: 50}
		depth: {min: 60, max: 90}
		height: {min: 10, max: 50}
		constraints: [BOX_3100, BOX_3105]
	unchecked:
		width: {min: 10, max: 50}
		depth: {min: 5, max: 9}
		height: {min: 10, max: 50}
		constraints: [BOX_3101]
`

func TestDiff(t *testing.T) {
	rules, edited, limits := "../../examples/shop/rules.yaml", "../../examples/shop/edited-rules.yaml", "../../examples/shop/limits.yaml"
	golden(t, "diff.json", ask(t, "", "diff", "--limits", limits, "--rules", rules, "--new-rules", edited, "--format", "json").out)

	same := ask(t, "", "diff", "--limits", limits, "--rules", rules, "--new-rules", rules)
	if want := "gift-box in carton-300: identical\ntray in carton-300: identical\n"; same.out != want || same.err != "" || same.status != 0 {
		t.Errorf("diff of a file with itself = %+v, want %q and status 0", same, want)
	}

	// Back again, what was rejected is accepted; another limit file offers other articles.
	back := ask(t, "", "diff", "--limits", limits, "--rules", edited, "--new-rules", rules)
	const accepted = "gift-box in carton-300: newly accepted, rejected with BOX_3100 before, such as 100 x 100 x 100\n"
	if !strings.HasPrefix(back.out, accepted) || back.status != 1 {
		t.Errorf("diff back = %+v, want %q first and status 1", back, accepted)
	}
	text, err := os.ReadFile(limits)
	if err != nil {
		t.Fatal(err)
	}
	renamed := write(t, "renamed.yaml", strings.Replace(string(text), "gift-box:", "present-box:", 1))
	other := ask(t, "", "diff", "--limits", limits, "--new-limits", renamed, "--rules", rules)
	if want := "gift-box in carton-300: no longer offered\ntray in carton-300: identical\n" +
		"present-box in carton-300: newly offered\n"; other.out != want || other.status != 1 {
		t.Errorf("diff with an article renamed = %+v, want %q and status 1", other, want)
	}
}

// TestExtended puts a rule file that extends the documented rules through every command that takes one.
func TestExtended(t *testing.T) {
	const blank = "    blank: {width: 7*width + 4*height, height: depth}\n"
	rules := write(t, "shop-rules.yaml", `version: 1
extends: documented
constraint:
  - {code: SHOP_0001, when: height > 3 * width && height > width, message: too tall for our gluer}
`)
	shop := write(t, "shop.yaml", strings.Replace(smallShop, "[BOX_3100]", "[BOX_3100, SHOP_0001]", 1)+
		blank)
	own := []string{"--rules", rules, "--limits", shop}
	notOwn := []string{"--limits", write(t, "documented.yaml", smallShop+blank)}
	for _, test := range []struct {
		args   []string
		want   string
		status int
	}{
		{append([]string{"check"}, append(box("cube", "board", "20", "10", "61"), own...)...),
			"cube  board  20 x 10 x 61  SHOP_0001  height 61 > 3 * width 20 = 60 and height 61 > width 20\n", 1},
		{append([]string{"check"}, append(box("cube", "board", "430", "5", "6"), own...)...),
			"cube  board  430 x 5 x 6  BOX_2101   width 430 > max_width 100\n", 1},
		// The documented rules can be used as they are, with the shipped limits too, and are nobody's to lint.
		{append([]string{"lint"}, own...),
			"SHOP_0001: `height > width` could be dropped: no box with dimensions greater than 0 tells the difference\n", 1},
		{[]string{"lint", "--rules", write(t, "plain.yaml", "version: 1\nextends: documented\n")}, "", 0},
		{append(append([]string{"diff"}, notOwn...), "--new-rules", rules, "--new-limits", shop),
			"cube in board: newly rejected with SHOP_0001, such as 10 x 10 x 40\n", 1},
		{[]string{"diff", "--new-rules", write(t, "plain.yaml", "version: 1\nextends: documented\n")},
			strings.Repeat("identical\n", len(boxrules.Default().Profiles())), 0},
		{append([]string{"codes", "SHOP_0001"}, own...), "" +
			"code       SHOP_0001\n" +
			"type       (none documented: the code is of the rule file)\n" +
			"stage      constraint\n" +
			"path       (empty)\n" +
			"meaning    too tall for our gluer\n" +
			"condition  height > 3 * width && height > width\n" +
			"message    too tall for our gluer\n" +
			"articles   cube\n" +
			"example    cube in board, 10 x 10 x 40\n", 0},
	} {
		got := ask(t, "", test.args...)
		out := got.out
		if test.args[0] == "diff" && test.status == 0 {
			out = strings.Repeat("identical\n", strings.Count(out, ": identical\n"))
		}
		if out != test.want || got.status != test.status {
			t.Errorf("%q =\n%+v, want\n%s(status %d)", test.args, got, test.want, test.status)
		}
	}
	if got := ask(t, "", append([]string{"generate", "js"}, own...)...); !strings.Contains(got.out, `"SHOP_0001"`) ||
		!strings.Contains(got.out, `"BOX_3100"`) || got.status != 0 {
		t.Errorf("generate js: status %d, %.300s", got.status, got.out)
	}
	if got := ask(t, "", append([]string{"map", "--article", "cube", "--material", "board", "--depth", "10"}, own...)...); got.status != 0 ||
		!strings.Contains(got.out, "SHOP_0001") {
		t.Errorf("map: status %d, %s", got.status, got.err)
	}
}

func TestMap(t *testing.T) {
	file := filepath.Join(t.TempDir(), "map.svg")
	args := []string{"map", "--article", "mailer", "--material", "e-flute", "--width", "300"}
	if got := ask(t, "", append(args, "-o", file)...); got != (answer{"", notice, 0}) {
		t.Errorf("map -o = %+v, want nothing but the notice", got)
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if piped := ask(t, "", args...); piped.out != string(written) || !strings.HasPrefix(piped.out, "<svg ") {
		t.Errorf("map to stdout differs from the file, or is no SVG: %.60q", piped.out)
	}
}

func TestCodesExamplesAreTrue(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(ask(t, "", "codes", "--format", "json").out), "\n") {
		var code struct{ Code, Stage string }
		if err := json.Unmarshal([]byte(line), &code); err != nil || code.Stage == "" {
			continue
		}
		var about struct{ Example *example }
		if err := json.Unmarshal([]byte(ask(t, "", "codes", code.Code, "--format", "json").out), &about); err != nil || about.Example == nil {
			t.Errorf("codes %s: %v, no example", code.Code, err)
			continue
		}
		e := about.Example
		got := ask(t, "", append([]string{"check", "--format", "json"},
			box(e.Article, e.Material, console.Number(e.Width), console.Number(e.Depth), console.Number(e.Height))...)...)
		if !strings.Contains(got.out, `"code":"`+code.Code+`"`) {
			t.Errorf("the example %+v of %s gives %s", *e, code.Code, got.out)
		}
	}
}
