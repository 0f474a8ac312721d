package boxrules

import (
	"errors"
	"strings"
	"testing"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/nearest"
	"example.com/boxrules/limits"
)

// TestNearestEffort has valid boxes on a long slope and others near by. Once one of these is known, the
// search does not follow the slope to its end, whichever pair of dimensions it tries first.
func TestNearestEffort(t *testing.T) {
	const slope = "width + depth >= 20000 && width >= 2 && depth >= 2 && height >= 1"
	const near = "width >= 60 && depth >= 60 && height >= 1"
	const total = 118_000
	at, want := exact.Point{1000, 1000, 5000}, exact.Point{60_000, 60_000, 5000}
	for _, valid := range []string{slope + " || " + near, near + " || " + slope} {
		rules, err := LoadRules("rules.yaml", []byte("version: 1\nboundary:\n  - {code: A_0001, when: \"!("+valid+")\", message: m}\n"))
		if err != nil {
			t.Fatal(err)
		}
		catalogue, err := limits.Load("limits.yaml", []byte("version: 1\nunit: mm\nsheets: {s: {width: 9, height: 9}}\n"+
			"materials: {m: {caliper: 1, glue_flap: 1, sheet: s}}\narticles:\n  a: {width: {min: 1, max: 9}, "+
			"depth: {min: 1, max: 9}, height: {min: 1, max: 9}, constraints: []}\n"))
		if err != nil {
			t.Fatal(err)
		}
		engine, err := New(rules, catalogue)
		if err != nil {
			t.Fatal(err)
		}
		p := engine.Profiles()[0]
		if best, changes, proved := p.nearest(at, 1); best != want || changes != total || !proved {
			t.Errorf("%s: nearest = %v, %d, proved %v, want %v, %d", valid, best, changes, proved, want, total)
		}
		left := 1000
		target := nearest.Target{At: at, Free: [exact.Axes]bool{true, true, false}, Step: 1}
		best, changes := nearest.Search([]exact.Region{exact.Not(p.form.Conditions[0].Region())}, target, exact.Point{}, nearest.NoPoint, &left)
		if best != want || changes != total || left < 0 {
			t.Errorf("%s: nearest = %v, %d, %d left, want the same with an effort of 1000", valid, best, changes, left)
		}
	}
}

// TestNearestUnconfirmed has a profile in which every box is valid for the search. A box that Check
// does not confirm is never suggested.
func TestNearestUnconfirmed(t *testing.T) {
	engine, err := New(DefaultRules(), limits.Illustrative())
	if err != nil {
		t.Fatal(err)
	}
	p, err := engine.Profile("tuck-end", "carton-300")
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.rules {
		c := p.rules[i].compiledCondition
		p.rules[i].compiledCondition = &compiledCondition{written: c.written, allowed: exact.Everywhere(), program: c.program}
	}
	p.allowed = p.allowedRegions()
	var input *InputError
	s, ok, err := p.Nearest(Dims{Width: 5, Depth: 2000, Height: 5}, 1)
	if ok || s.Found() || err == nil || errors.As(err, &input) || !strings.Contains(err.Error(), "internal fault") {
		t.Errorf("Nearest = %+v, %v, %v, want an internal fault", s, ok, err)
	}
}
