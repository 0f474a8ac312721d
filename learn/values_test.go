package learn_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
	"example.com/boxrules/lint"
)

// valueRules are rules in mm with values, one of whose names begins like that of a limit.
const valueRules = `version: 1
extends: documented
values: {max_ratio: number, crease: length}
constraint:
  - {code: SHOP_0001, when: height > max_ratio * depth + 76.2, message: too tall}
  - {code: SHOP_0002, when: depth < 3 * crease, message: too shallow}
  - {code: SHOP_0003, when: width < height, message: not flat}
`

// valueLimits are in inches. The last article has no ratio, and foil no crease, so they cannot select SHOP_0001 and
// SHOP_0002.
const valueLimits = `version: 1
unit: in
sheets: {s: {width: 60, height: 40}}
materials:
  e-flute: {caliper: 0.0625, glue_flap: 1.25, sheet: s, values: {crease: 0.75}}
  b-flute: {caliper: 0.125, glue_flap: 1.25, sheet: s, values: {crease: 1.25}}
  foil: {caliper: 0.01, glue_flap: 1.25, sheet: s}
articles:
  mailer: {materials: [e-flute, b-flute], values: {max_ratio: 2},
    width: {min: 2, max: 30}, depth: {min: 1, max: 20}, height: {min: 1, max: 25}, constraints: [SHOP_0001, SHOP_0002], blank: {width: 2*width + depth, height: height + crease}}
  tube: {materials: [e-flute], values: {max_ratio: 5},
    width: {min: 2, max: 30}, depth: {min: 1, max: 20}, height: {min: 1, max: 30}, constraints: [SHOP_0001], blank: {width: 2*width + depth, height: height}}
  tray: {materials: [e-flute, foil],
    width: {min: 2, max: 30}, depth: {min: 1, max: 20}, height: {min: 1, max: 25}, constraints: [SHOP_0003], blank: {width: 2*width + depth, height: height}}
`

// TestValues learns limits under rules with values. A constraint counts as not selected if the article lacks a value that
// it mentions.
func TestValues(t *testing.T) {
	rules, err := boxrules.LoadRules("rules.yaml", []byte(valueRules))
	if err != nil {
		t.Fatal(err)
	}
	hidden, err := limits.Load("limits.yaml", []byte(valueLimits))
	if err != nil {
		t.Fatal(err)
	}
	service, err := boxrules.New(rules, hidden)
	if err != nil {
		t.Fatal(err)
	}
	o := learn.Options{Step: 0.5, Max: 60}
	newLearner := func() *learn.Learner {
		l, err := learn.New(rules, hidden, o)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	check := func(name string, l *learn.Learner) {
		states := make(map[string]string)
		for _, f := range l.Facts() {
			if f.State != learn.Decided && f.State != learn.Unobservable {
				t.Errorf("%s: %+v", name, f)
			}
			if strings.HasPrefix(f.What, "SHOP_") {
				states[f.Article+" "+f.What] = string(f.State) + " " + f.Value() + f.Note
			}
		}
		for fact, want := range map[string]string{
			"mailer SHOP_0001": "decided selected", "mailer SHOP_0002": "decided selected", "mailer SHOP_0003": "decided not selected",
			"tube SHOP_0001": "decided selected", "tube SHOP_0002": "decided not selected",
			"tray SHOP_0001": "unobservable the value max_ratio is not set for this article; add values: {max_ratio: ...} to it",
			"tray SHOP_0002": "unobservable the value crease is not set for foil; add values: {crease: ...} to the material, or offer the article only in other materials",
			"tray SHOP_0003": "decided selected",
		} {
			if states[fact] != want {
				t.Errorf("%s: %s: %q, want %q", name, fact, states[fact], want)
			}
		}
		for _, lenient := range []bool{true, false} {
			learned, err := l.Catalogue(lenient)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			again, err := boxrules.New(rules, learned)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for change := range lint.Diff(service, again) {
				if change.Kind != lint.Identical {
					t.Errorf("%s: %+v", name, change)
				}
			}
		}
	}
	l := newLearner()
	answers := interview(t, l, service)
	check("interview", l)

	l = newLearner()
	proof, err := learn.Proof(service, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range proof {
		if err := l.Add(a); err != nil {
			t.Fatal(err)
		}
	}
	check("proof", l)
	t.Logf("%d answers in the interview, %d in the proof", len(answers), len(proof))

	// The service reports a code for an article that lacks the value.
	box := boxrules.Box{Article: "tray", Material: "e-flute", Dims: boxrules.Dims{Width: 20, Depth: 2, Height: 20}}
	var c *learn.Contradiction
	if err := newLearner().Add(learn.Answer{Box: box, Code: "SHOP_0001"}); !errors.As(err, &c) ||
		!strings.Contains(c.Error(), "the value max_ratio is not set for this article") {
		t.Errorf("Add(SHOP_0001) = %v", err)
	}
	if possible, err := newLearner().Possible(box); err != nil || slices.Contains(possible, "SHOP_0001") {
		t.Errorf("Possible(%+v) = %v, %v", box, possible, err)
	}
}
