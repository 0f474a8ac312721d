package learn_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/boxrules/internal/lab"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// TestFactJSON: facts are as documented, in the order of the frame; those that say nothing are left
// out here.
func TestFactJSON(t *testing.T) {
	frame := frameOf(t, lineFrame)
	l := learnerOf(t, frame, options())
	for i, answer := range []string{
		"case board 300x200x100 ok", "case board 301x200x100 BOX_2101", "case board 300x200x250 BOX_3105",
		"case board 250x190x120 ok", "case board 250x260x120 BOX_4100", "case board 290x280x120 BOX_4100", "case board 300x210x100 ok",
		"plain card 90x80x100 ok", "plain card 80x90x100 BOX_3100", "plain card 70x85x100 ok",
	} {
		date := day(i + 1)
		if i == 2 {
			date = time.Time{}
		}
		_ = add(t, l, i+1, answer, date)
	}
	var got []string
	for _, f := range l.Facts() {
		if f.State == learn.Open && len(f.Rows) == 0 || f.Selection != nil && (f.State == learn.Decided && !*f.Selected || len(f.By) == 1) {
			continue
		}
		line, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		var again learn.Fact
		if err := json.Unmarshal(line, &again); err != nil {
			t.Fatal(err)
		}
		if back, _ := json.Marshal(again); string(back) != string(line) {
			t.Errorf("%s is read back as %s", line, back)
		}
		got = append(got, string(line))
	}
	want := strings.TrimSpace(`
{"article":"case","what":"min_width","state":"open","least":1,"greatest":250,"rows":[5]}
{"article":"case","what":"max_width","state":"decided","least":300,"greatest":300,"rows":[7,2]}
{"article":"case","what":"min_depth","state":"open","least":1,"greatest":190,"rows":[4]}
{"article":"case","what":"max_depth","state":"open","least":280,"greatest":2000,"rows":[6]}
{"article":"case","what":"min_height","state":"open","least":1,"greatest":100,"rows":[7]}
{"article":"case","what":"max_height","state":"open","least":250,"greatest":2000,"rows":[3]}
{"article":"case","what":"BOX_3105","state":"decided","selected":true,"rows":[3]}
{"article":"plain","what":"min_width","state":"open","least":1,"greatest":70,"rows":[10]}
{"article":"plain","what":"max_width","state":"open","least":90,"greatest":2000,"rows":[8]}
{"article":"plain","what":"min_depth","state":"open","least":1,"greatest":80,"rows":[8]}
{"article":"plain","what":"max_depth","state":"open","least":90,"greatest":2000,"rows":[9]}
{"article":"plain","what":"min_height","state":"open","least":1,"greatest":100,"rows":[10]}
{"article":"plain","what":"max_height","state":"open","least":100,"greatest":2000,"rows":[10]}
{"article":"plain","what":"BOX_3100","state":"contradiction","selected":false,"rows":[9,10],"since":"2026-01-10T00:00:00Z"}
{"article":"plain","what":"size","state":"not learned","note":"the frame file defines no blank for the article"}
{"material":"board","what":"sheet","state":"open","fits":[300,210],"exceeds":[[260,250]],"rows":[7,5]}
`)
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("facts\n%s\nwant\n%s", text, want)
	}
}

// TestAssumedMaximum: a fact says that the limit may be greater if the limit is a maximum and is at least the greatest
// value that is assumed.
func TestAssumedMaximum(t *testing.T) {
	l := learnerOf(t, frameOf(t, lineFrame), options())
	// The minimum of the height is 2000, and so is its maximum.
	if err := add(t, l, 1, "case board 2000x1999x1999 BOX_2104", time.Time{}); err != nil {
		t.Fatal(err)
	}
	const note = "it may be greater than 2000, the largest value that limits are assumed to have"
	var noted []string
	for _, f := range l.Facts() {
		if f.Note == note {
			noted = append(noted, f.Article+" "+f.What)
		}
	}
	if want := []string{"case max_width", "case max_height"}; !slices.Equal(noted, want) {
		t.Errorf("%q may be greater, want %q", noted, want)
	}
}

// TestSizeFact: that nothing can be learned about which boxes of an article fit is a fact if the article has no blank, and
// no formula is right.
func TestSizeFact(t *testing.T) {
	tried := frameOf(t, "version: 1\nunit: mm\nmaterials: {board: {caliper: 1, glue_flap: 0}}\narticles: {base: {blank: {width: width, height: depth}}}\n")
	for _, test := range []struct {
		name    string
		blanks  *limits.Catalogue
		answers string
		blank   learn.State // of the fact about the blank, if there is one
		size    bool
	}{
		{"no formula", nil, "plain board 100x90x80 ok", "", true},
		{"a formula that may be right", tried, "plain board 100x90x80 ok", learn.Open, false},
		// The base of both boxes is the same.
		{"a formula that is wrong", tried, "plain board 100x90x80 ok; plain board 100x90x90 BOX_4100", learn.Unobservable, true},
	} {
		o := options()
		o.Blanks = test.blanks
		l := learnerOf(t, frameOf(t, lineFrame), o)
		for i, answer := range strings.Split(test.answers, "; ") {
			if err := add(t, l, i+1, answer, time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
		blank, sizes := learn.State(""), []string(nil)
		for _, f := range l.Facts() {
			switch f.What {
			case "blank":
				blank = f.State
			case "size":
				sizes = append(sizes, f.Article)
			}
		}
		if size := slices.Equal(sizes, []string{"plain"}); blank != test.blank || size != test.size || !size && len(sizes) > 0 {
			t.Errorf("%s: the blank is %q, and nothing can be learned about the sizes of %q; want %q, %v", test.name, blank, sizes, test.blank, test.size)
		}
	}
}

// TestUnobservable: what no box that may be asked can tell is not open, so that a session ends with
// nothing open.
func TestUnobservable(t *testing.T) {
	formulas := frameOf(t, `version: 1
unit: mm
materials: {board: {caliper: 1, glue_flap: 0}}
articles:
  a: {blank: {width: width, height: depth}}
  b: {blank: {width: width + height, height: depth}}
  c: {blank: {width: width + height, height: depth + height}}
`)
	file := func(decimals, sheet, blank string) *limits.Catalogue {
		c, err := limits.Load("hidden.yaml", []byte("version: 1\nunit: mm\n"+decimals+
			"sheets: {large: {width: "+sheet+", height: "+sheet+"}}\n"+`
materials: {board: {caliper: 1, glue_flap: 0, sheet: large}}
articles:
  case:
    width: {min: 20, max: 50}
    depth: {min: 20.5, max: 50}
    height: {min: 20, max: 40.5}
    constraints: []
    blank: `+blank+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, test := range []struct {
		name, decimals, sheet, blank string
		what                         string // and its state
		want                         learn.State
	}{
		{"every blank fits", "", "900", "{width: width + height, height: depth}", "blank", learn.Unobservable},
		{"no blank fits", "", "5", "{width: width + height, height: depth}", "blank", learn.Unobservable},
		{"a formula", "", "60", "{width: width + height, height: depth}", "blank", learn.Decided},
		{"a limit", "decimals: 0\n", "45.5", "{width: width, height: depth}", "max_height", learn.Unobservable},
		{"a limit with decimals", "decimals: 1\n", "45.5", "{width: width, height: depth}", "max_height", learn.Decided},
		{"a sheet", "decimals: 0\n", "45.5", "{width: width, height: depth}", "sheet", learn.Decided},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.name == "no blank fits" || test.name == "a limit with decimals" {
				lab.OnlyCI(t, "another interview")
			}
			c := file(test.decimals, test.sheet, test.blank)
			o := learn.Options{Step: 0.5, Max: 100}
			f := c
			if test.what == "blank" {
				f, o.Blanks = without(c), formulas
			}
			l := learnerOf(t, f, o)
			interview(t, l, engineOf(t, c))
			for _, f := range l.Facts() {
				if f.State == learn.Open || f.What == test.what && f.State != test.want {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}
