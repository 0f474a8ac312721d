package learn_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// TestFactText: facts and contradictions as lines of text.
func TestFactText(t *testing.T) {
	yes, no := true, false
	for _, test := range []struct {
		fact learn.Fact
		want string
	}{
		{learn.Fact{Article: "tray", What: "max_width", State: learn.Open, Limit: &learn.Limit{Least: 370, Greatest: 379.5}, Rows: []int{3, 4}},
			"tray max_width is open: 370 to 379.5 (rows 3, 4)"},
		{learn.Fact{Article: "tray", What: "max_width", State: learn.Decided, Limit: &learn.Limit{Least: 370, Greatest: 370}, Rows: []int{3}, Note: "a note"},
			"tray max_width is decided: 370 (row 3): a note"},
		{learn.Fact{Article: "tray", What: "BOX_3100", State: learn.Open, Selection: &learn.Selection{}}, "tray BOX_3100 is open"},
		{learn.Fact{Article: "tray", What: "BOX_3100", State: learn.Decided, Selection: &learn.Selection{Selected: &yes}}, "tray BOX_3100 is decided: selected"},
		{learn.Fact{Article: "tray", What: "BOX_3100", State: learn.Decided, Selection: &learn.Selection{Selected: &no}}, "tray BOX_3100 is decided: not selected"},
		{learn.Fact{Article: "tray", What: "blank", State: learn.Unobservable, Blank: &learn.Blank{}}, "tray blank is unobservable"},
		{learn.Fact{Article: "tray", What: "blank", State: learn.Open, Blank: &learn.Blank{Left: 1}}, "tray blank is open: 1 formula is left"},
		{learn.Fact{Article: "tray", What: "blank", State: learn.Open, Blank: &learn.Blank{Left: 2}}, "tray blank is open: 2 formulas are left"},
		{learn.Fact{Article: "tray", What: "blank", State: learn.Decided, Blank: &learn.Blank{Formula: &[2]string{"width", "2 * depth"}}},
			"tray blank is decided: width x 2 * depth"},
		{learn.Fact{Material: "board", What: "sheet", State: learn.Open, Sheet: &learn.Sheet{}}, "board sheet is open: nothing is known to fit"},
		{learn.Fact{Material: "board", What: "sheet", State: learn.Open, Sheet: &learn.Sheet{Fits: &[2]float64{9, 6}}}, "board sheet is open: holds a blank of 9 x 6"},
		{learn.Fact{Material: "board", What: "sheet", State: learn.Open, Sheet: &learn.Sheet{Exceeds: [][2]float64{{9, 7}, {10, 6}}}},
			"board sheet is open: does not hold a blank of 9 x 7 or 10 x 6"},
		{learn.Fact{Material: "board", What: "sheet", State: learn.Open, Sheet: &learn.Sheet{Fits: &[2]float64{9, 6}, Exceeds: [][2]float64{{9, 7}}}},
			"board sheet is open: holds a blank of 9 x 6, does not hold one of 9 x 7"},
		{learn.Fact{Article: "tray", What: "size", State: learn.Contradicted, Rows: []int{5}}, "tray size: row 5 cannot be true"},
		{learn.Fact{Article: "tray", What: "size", State: learn.Contradicted, Rows: []int{4, 5}, Since: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)},
			"tray size: rows 4, 5 cannot both be true, since 2026-01-02T00:00:00Z"},
		{learn.Fact{Article: "tray", What: "size", State: learn.Contradicted, Rows: []int{1, 4, 5}, Note: "a note"}, "tray size: rows 1, 4, 5 cannot all be true: a note"},
	} {
		if got := test.fact.String(); got != test.want {
			t.Errorf("the fact is %q, want %q", got, test.want)
		}
	}
	if got := (learn.Fact{}).Evidence(); got != "assumed" {
		t.Errorf("no rows are %q", got)
	}
}

// TestOffGrid: nothing is learned from an answer if any of the dimensions has more decimals than the frame allows.
func TestOffGrid(t *testing.T) {
	for decimals, step := range map[string]float64{"decimals: 0\n": 0.5, "decimals: 1\n": 0.25, "": 0.0005} {
		l := learnerOf(t, frameOf(t, strings.Replace(lineFrame, "unit: mm\n", "unit: mm\n"+decimals, 1)), options())
		for axis := range 3 {
			d := [3]float64{100, 90, 80}
			d[axis] += step
			a := learn.Answer{Box: boxrules.Box{Article: "case", Material: "board", Dims: boxrules.Dims{Width: d[0], Depth: d[1], Height: d[2]}}}
			if err := l.Add(a); err != learn.ErrOffGrid {
				t.Errorf("%q: Add(%v) = %v, want ErrOffGrid", decimals, d, err)
			}
		}
		if err := add(t, l, 1, "case board 100x90x80 ok", time.Time{}); err != nil {
			t.Errorf("%q: %v", decimals, err)
		}
	}
}

// TestOtherEnd: a dimension below its minimum is below its maximum too, and the other way round.
func TestOtherEnd(t *testing.T) {
	for answer, want := range map[string]string{
		"case board 19x9x8 BOX_2100":  "min_width 20 to 2000, max_width 20 to 2000, min_depth 1 to 2000, max_depth 1 to 2000, min_height 1 to 2000, max_height 1 to 2000",
		"case board 19x9x8 BOX_2101":  "min_width 1 to 18, max_width 1 to 18, min_depth 1 to 2000, max_depth 1 to 2000, min_height 1 to 2000, max_height 1 to 2000",
		"case board 19x9x8 BOX_2105":  "min_width 1 to 19, max_width 19 to 2000, min_depth 1 to 9, max_depth 9 to 2000, min_height 1 to 7, max_height 1 to 7",
		"case board 19x9x8 BOX_2104":  "min_width 1 to 19, max_width 19 to 2000, min_depth 1 to 9, max_depth 9 to 2000, min_height 9 to 2000, max_height 9 to 2000",
		"case board 19x9.5x8 ok":      "min_width 1 to 19, max_width 19 to 2000, min_depth 1 to 9, max_depth 10 to 2000, min_height 1 to 8, max_height 8 to 2000",
		"case board 1x1x2000 ok":      "min_width 1, max_width 1 to 2000, min_depth 1, max_depth 1 to 2000, min_height 1 to 2000, max_height 2000",
		"case board 19x9x8 BOX_4100":  "min_width 1 to 19, max_width 19 to 2000, min_depth 1 to 9, max_depth 9 to 2000, min_height 1 to 8, max_height 8 to 2000",
		"case board 19x9.5x8 BOX_210": "",
	} {
		l := learnerOf(t, frameOf(t, lineFrame), options())
		err := add(t, l, 1, answer, time.Time{})
		if want == "" {
			if !errors.As(err, new(*boxrules.InputError)) {
				t.Errorf("%s: %v", answer, err)
			}
			continue
		}
		if got := strings.Join(limitFacts(l), ", "); err != nil || got != want {
			t.Errorf("%s: %v, %s, want %s", answer, err, got, want)
		}
	}
}

// limitRules are rules without constraints and sheets.
const limitRules = `version: 1
boundary:
  - {code: OWN_0001, when: width < min_width, message: m}
  - {code: OWN_0002, when: width > max_width, message: m}
  - {code: OWN_0003, when: depth < min_depth, message: m}
  - {code: OWN_0004, when: depth > max_depth, message: m}
  - {code: OWN_0005, when: height < min_height, message: m}
  - {code: OWN_0006, when: height > max_height, message: m}
constraint:
  - {code: OWN_0007, when: width + depth > 500, message: m}
`

// TestSmallestProof: one refused box for each limit, and two accepted boxes for the two limits of the height, prove all
// limits. No fewer can, because a box proves at most one end of each range. A minimum of a step and a maximum that is
// the greatest need no refused box, and one box proves a range of a single value. A box that a constraint refuses proves
// one end of the height as well.
func TestSmallestProof(t *testing.T) {
	rules := loadRules(t, limitRules)
	for _, test := range []struct {
		name, limits string
		want         int
	}{
		{"ranges", "width: {min: 20, max: 400}, depth: {min: 10, max: 200}, height: {min: 5, max: 50}, constraints: []", 8},
		{"a range without a height below it", "width: {min: 20, max: 400}, depth: {min: 10, max: 200}, height: {min: 1, max: 50}, constraints: []", 7},
		{"the greatest height", "width: {min: 20, max: 400}, depth: {min: 10, max: 200}, height: {min: 5, max: 2000}, constraints: []", 7},
		{"a single height", "width: {min: 20, max: 400}, depth: {min: 10, max: 200}, height: {min: 5, max: 5}, constraints: []", 7},
		{"a selected constraint", "width: {min: 20, max: 400}, depth: {min: 10, max: 200}, height: {min: 5, max: 50}, constraints: [OWN_0007]", 8},
	} {
		c, err := limits.Load("limits.yaml", []byte("version: 1\nunit: mm\nsheets: {large: {width: 1000000, height: 1000000}}\n"+
			"materials: {board: {caliper: 1, glue_flap: 0, sheet: large}}\narticles: {case: {"+test.limits+", blank: {width: width, height: depth}}}\n"))
		if err != nil {
			t.Fatal(err)
		}
		e, err := boxrules.New(rules, c)
		if err != nil {
			t.Fatal(err)
		}
		answers, err := learn.Proof(e, options())
		if err != nil {
			t.Fatal(err)
		}
		l, err := learn.New(rules, c, options())
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range answers {
			if err := l.Add(a); err != nil {
				t.Fatal(err)
			}
		}
		open := slices.DeleteFunc(l.Facts(), func(f learn.Fact) bool { return f.State == learn.Decided || f.What == "sheet" })
		if len(answers) != test.want || len(open) > 0 {
			t.Errorf("%s: %d boxes, want %d; open: %v", test.name, len(answers), test.want, open)
			for _, a := range answers {
				t.Log(a.Dims, a.Code)
			}
		}
	}
}
