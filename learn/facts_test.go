package learn_test

import (
	"encoding/json"
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
