package learn_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// limitFacts returns what is known of the limits, as "min_width 1 to 40".
func limitFacts(l *learn.Learner) (known []string) {
	for _, f := range l.Facts() {
		if f.Article == "case" && (strings.HasPrefix(f.What, "min_") || strings.HasPrefix(f.What, "max_")) {
			known = append(known, f.What+" "+f.Value())
		}
	}
	return known
}

// TestUnknownCode is what answers with codes that the rules do not have tell of the limits.
func TestUnknownCode(t *testing.T) {
	const nothing = "min_width 1 to 2000, max_width 1 to 2000, min_depth 1 to 2000, max_depth 1 to 2000, min_height 1 to 2000, max_height 1 to 2000"
	const within = "min_width 1 to 100, max_width 100 to 2000, min_depth 1 to 90, max_depth 90 to 2000, min_height 1 to 80, max_height 80 to 2000"
	for _, test := range []struct{ name, answers, want string }{
		{"within the limits", "case board 100x90x80 SHOP_0001", within},
		{"by the number", "case board 100x90x80 BOX_3123", within},
		{"of the boundary stage", "case board 100x90x80 BOX_2106", nothing},
		{"not of a box", "case board 100x90x80 QTT_1114; case board 100x90x80 DLN_1101; case board 100x90x80 shop", nothing},
		{"before the limits, as is known", "case board 100x90x80 BOX_2100; case board 50x40x30 SHOP_0001; case board 200x190x180 SHOP_0001",
			strings.Replace(strings.Replace(nothing, "min_width 1", "min_width 101", 1), "max_width 1", "max_width 101", 1)},
		{"before the limits, as turns out", "case board 50x40x30 SHOP_0001; case board 100x90x80 BOX_2100; case board 200x190x180 SHOP_0001",
			strings.Replace(strings.Replace(nothing, "min_width 1", "min_width 101", 1), "max_width 1", "max_width 101", 1)},
		{"another code stays", "case board 50x40x30 SHOP_0001; case board 200x190x180 SHOP_0002; case board 100x90x80 BOX_2100",
			"min_width 101 to 200, max_width 200 to 2000, min_depth 1 to 190, max_depth 190 to 2000, min_height 1 to 180, max_height 180 to 2000"},
	} {
		l := learnerOf(t, frameOf(t, lineFrame), options())
		for i, answer := range strings.Split(test.answers, "; ") {
			err := add(t, l, i+1, answer, time.Time{})
			if errors.As(err, new(*learn.Contradiction)) || err == nil && !strings.Contains(answer, "BOX_2100") {
				t.Errorf("%s: %s: %v", test.name, answer, err)
			}
		}
		if got := strings.Join(limitFacts(l), ", "); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestUnknownCodes learns from a service with rules of its own, whose conditions are not known. What is
// learned is true, and there is no contradiction.
func TestUnknownCodes(t *testing.T) {
	rules, err := boxrules.LoadRules("own.yaml", []byte(`version: 1
extends: documented
boundary: [{code: SHOP_0001, when: width + depth > 400, message: m}]
constraint: [{code: SHOP_0002, when: height > 2 * width, message: m}]
size: [{code: SHOP_0003, when: width + height > 500, message: m}]
`))
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := limits.Load("own.yaml", []byte(`version: 1
unit: mm
sheets: {large: {width: 300, height: 200}}
materials: {board: {caliper: 1, glue_flap: 0, sheet: large}}
articles:
  case:
    width: {min: 20, max: 300}
    depth: {min: 15, max: 250}
    height: {min: 30, max: 450}
    constraints: [BOX_3100, SHOP_0002]
    blank: {width: width, height: depth}
`))
	if err != nil {
		t.Fatal(err)
	}
	service, err := boxrules.New(rules, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	size := rapid.OneOf(rapid.IntRange(1, 600), rapid.SampledFrom([]int{14, 15, 19, 20, 29, 30, 250, 251, 300, 301, 450, 451}))
	rapid.Check(t, func(rt *rapid.T) {
		l := learnerOf(t, frameOf(t, lineFrame), options())
		box := func() boxrules.Box {
			return boxrules.Box{Article: "case", Material: "board", Dims: boxrules.Dims{Width: float64(size.Draw(rt, "width")),
				Depth: float64(size.Draw(rt, "depth")), Height: float64(size.Draw(rt, "height"))}}
		}
		for range rapid.IntRange(1, 40).Draw(rt, "answers") {
			if err := l.Add(ask(t, service, box())); err != nil && err != learn.ErrUnknownCode {
				rt.Fatal(err)
			}
		}
		for range 20 {
			a := ask(t, service, box())
			if possible, err := l.Possible(a.Box); err != nil || !strings.HasPrefix(string(a.Code), "SHOP") && !slices.Contains(possible, a.Code) {
				rt.Errorf("%+v is %s, %v, possible is %q", a.Box, a.Code, err, possible)
			}
		}
	})
}
