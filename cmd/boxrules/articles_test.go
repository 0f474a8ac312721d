package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/limits"
)

func TestArticlesList(t *testing.T) {
	text := ask(t, "", "articles")
	if text.status != 0 || text.err != notice {
		t.Errorf("articles: status %d, stderr %q", text.status, text.err)
	}
	golden(t, "articles.text", text.out)

	lines := ask(t, "", "articles", "--format", "json")
	if lines.status != 0 || lines.err != notice {
		t.Errorf("articles: status %d, stderr %q", lines.status, lines.err)
	}
	golden(t, "articles.json", lines.out)
	var listed []string
	for line := range strings.Lines(lines.out) {
		var entry struct {
			Article              string
			Width, Depth, Height struct{ Min, Max float64 }
			Materials            []struct{ Material string }
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		for _, m := range entry.Materials {
			listed = append(listed, entry.Article+" in "+m.Material)
		}
		// The limits are those that the engine applies.
		p, err := boxrules.Default().Profile(entry.Article, entry.Materials[0].Material)
		if err != nil {
			t.Fatal(err)
		}
		for at, code := range map[float64]boxrules.Code{entry.Width.Min - 0.001: boxrules.BOX_2100, entry.Width.Max + 0.001: boxrules.BOX_2101} {
			if v, err := p.Check(boxrules.Dims{Width: at, Depth: entry.Depth.Min, Height: entry.Height.Max}); err != nil || v.Code() != code {
				t.Errorf("%s of width %v: %v, %v, want %s", entry.Article, at, v, err, code)
			}
		}
	}
	var want []string
	for _, a := range limits.Illustrative().Articles() {
		for _, m := range a.Materials {
			want = append(want, a.Code+" in "+m)
		}
	}
	if !slices.Equal(listed, want) {
		t.Errorf("articles --format json lists %q, want %q", listed, want)
	}
}

func TestArticle(t *testing.T) {
	own := "--limits " + write(t, "shop.yaml", smallShop) + " --rules " + write(t, "rules.yaml", smallRules)
	odd := "--limits " + write(t, "shop.yaml", strings.NewReplacer("cube:\n", "cube:\n    title: 'a \"ä\"'\n",
		"[BOX_3100]", "[]", "min: 1,", "min: 1.250,").Replace(smallShop))
	for _, test := range []struct{ args, out, err string }{
		{"mailer", "" +
			"article       mailer\n" +
			"title         Roll-end mailer (FEFCO 0427)\n" +
			"unit          mm\n" +
			"decimals      3\n" +
			"width         80 to 400\n" +
			"depth         60 to 300\n" +
			"height        20 to 180\n" +
			"constraint    BOX_3100: depth > width\n" +
			"constraint    BOX_3116: height > (depth * 4) / 5\n" +
			"blank width   max(width + 4*height + 43/3*caliper, width + depth + 16/3*caliper)\n" +
			"blank height  2*depth + 3*height + 22/3*caliper\n" +
			"material      e-flute: caliper 1.5, glue flap 25, sheet ra145 of 1430 x 1040, at least 50 sheets\n" +
			"material      b-flute: caliper 3, glue flap 35, sheet ra145 of 1430 x 1040, at least 100 sheets\n", notice},
		{"cube " + own, "" +
			"article     cube\n" +
			"title       (none)\n" +
			"unit        mm\n" +
			"decimals    3\n" +
			"width       1 to 100\n" +
			"depth       1 to 100\n" +
			"height      1 to 100\n" +
			"constraint  BOX_3100: depth > width\n" +
			"blank       (no formulas: the size is not checked)\n" +
			"material    board: caliper 1, glue flap 10, sheet s of 1000 x 700\n", ""},
		{"cube --format json " + own,
			`{"article":"cube","unit":"mm","decimals":3,"width":{"min":1,"max":100},"depth":{"min":1,"max":100},"height":{"min":1,"max":100},` +
				`"constraints":["BOX_3100"],"materials":[{"material":"board","caliper":1,"glue_flap":10,` +
				`"sheet":{"sheet":"s","width":1000,"height":700}}]}` + "\n", ""},
		{odd, `cube  a "ä"  width 1.25 to 100  depth 1.25 to 100  height 1.25 to 100 mm  board` + "\n", ""},
		{"cube " + odd, "" +
			"article     cube\n" +
			`title       a "ä"` + "\n" +
			"unit        mm\n" +
			"decimals    3\n" +
			"width       1.25 to 100\n" +
			"depth       1.25 to 100\n" +
			"height      1.25 to 100\n" +
			"constraint  (none)\n" +
			"blank       (no formulas: the size is not checked)\n" +
			"material    board: caliper 1, glue flap 10, sheet s of 1000 x 700\n", ""},
		{"--format json " + odd,
			`{"article":"cube","title":"a \"ä\"","unit":"mm","decimals":3,"width":{"min":1.25,"max":100},"depth":{"min":1.25,"max":100},` +
				`"height":{"min":1.25,"max":100},"constraints":[],"materials":[{"material":"board","caliper":1,"glue_flap":10,` +
				`"sheet":{"sheet":"s","width":1000,"height":700}}]}` + "\n", ""},
	} {
		got := ask(t, "", append([]string{"articles"}, strings.Fields(test.args)...)...)
		if want := (answer{test.out, test.err, 0}); got != want {
			t.Errorf("articles %s =\n%+v, want\n%+v", test.args, got, want)
		}
	}
}

func TestArticleErrors(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"tuckend", notice + `boxrules: there is no article "tuckend"; the nearest: tuck-end; run 'boxrules articles' for all that are accepted`},
		{"Tray", notice + `boxrules: there is no article "Tray"; the nearest: tray; run`},
		{"tray mailer", `boxrules: 2 articles are given; accepted: one, or none for the list; run 'boxrules articles --help'`},
		{"--limits none.yaml", `boxrules: --limits "none.yaml": no such file or directory`},
		{"--rules none.yaml", `boxrules: --rules "none.yaml": no such file or directory`},
		{"--format csv", `boxrules: invalid argument "csv" for "--format" flag: accepted: text, json`},
	} {
		got := ask(t, "", append([]string{"articles"}, strings.Fields(test.args)...)...)
		if got.out != "" || !strings.HasPrefix(got.err, test.want) || got.status != 2 {
			t.Errorf("articles %s = %+v, want %s", test.args, got, test.want)
		}
	}
}
