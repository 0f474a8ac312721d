package boxrules_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab/profiles"
)

// TestNearestUnproved has rules that no box satisfies, because its depth would be odd and even. The
// search proves that only in whole units.
func TestNearestUnproved(t *testing.T) {
	const rules = `boundary:
  - {code: U_0001, when: "width < 1 || width > max_width || depth != 2 * width || depth != 2 * height + 0.001", message: m}
`
	p := profileOf(t, engineOf(t, rules, articleOf("a", "min: 1, max: 10000", "")), "a")
	d := boxrules.Dims{Width: 5000, Depth: 1000, Height: 1000}
	for step, want := range map[float64]struct{ json, advice string }{
		0.001: {`,"nearest":{"unproved":true}}`, "no valid box was found; the search stopped before it had tried every box"},
		1:     {`"ranges":{"width":[],"depth":[],"height":[]}}`, "no box of this article is valid with that step"},
	} {
		s, ok, err := p.Nearest(d, step)
		if ok || err != nil || s.Found() || s.Unproved != (step < 1) {
			t.Errorf("Nearest on a step of %v = %+v, %v, %v, want none, proved on 1 alone", step, s, ok, err)
		}
		e, err := p.Explain(d, step)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := json.Marshal(e); err != nil || !strings.HasSuffix(string(text), want.json) {
			t.Errorf("Explain on a step of %v in JSON is %s, %v, want %s at its end", step, text, err, want.json)
		}
		if got := readBack(t, e).Advice(); e.Advice() != want.advice || got != want.advice {
			t.Errorf("Advice on a step of %v = %q, read back %q, want %q", step, e.Advice(), got, want.advice)
		}
	}
}

// TestSuggestionJSON: a suggestion is the same after reading it back from JSON.
func TestSuggestionJSON(t *testing.T) {
	for want, s := range map[string]boxrules.Suggestion{
		`null`:              {},
		`{"unproved":true}`: {Unproved: true},
		`{"width":1,"depth":2,"height":3,"changed":[]}`: {Dims: boxrules.Dims{Width: 1, Depth: 2, Height: 3}, Changed: []string{}},
		`{"width":1,"depth":2,"height":3,"changed":["depth"],"unproved":true}`: {
			Dims: boxrules.Dims{Width: 1, Depth: 2, Height: 3}, Changed: []string{"depth"}, Unproved: true},
	} {
		text, err := json.Marshal(&s)
		var back boxrules.Suggestion
		if err != nil || string(text) != want || json.Unmarshal(text, &back) != nil {
			t.Errorf("%+v in JSON is %s, %v, want %s", s, text, err, want)
		}
		if back.Dims != s.Dims || !slices.Equal(back.Changed, s.Changed) || back.Unproved != s.Unproved || back.Found() != s.Found() {
			t.Errorf("%s is read back as %+v, want %+v", text, back, s)
		}
	}
}

func TestNearestOrderOfArticles(t *testing.T) {
	articles := []string{
		articleOf("a", "min: 10, max: 400", "BOX_3121, BOX_3122"),
		articleOf("b", "min: 10, max: 400", "BOX_3112, BOX_3103"),
		articleOf("c", "min: 5.5, max: 77.7", "BOX_3109, BOX_3120"),
	}
	forward := engineOf(t, "", strings.Join(articles, ""))
	slices.Reverse(articles)
	backward := engineOf(t, "", strings.Join(articles, ""))
	boxes := profiles.Boxes(profileOf(t, forward, "b"))
	for range 200 {
		b := boxrules.DimsAt(boxes.Next())
		for _, name := range []string{"a", "b", "c"} {
			s, ok, err := profileOf(t, forward, name).Nearest(b, 0.5)
			again, okAgain, errAgain := profileOf(t, backward, name).Nearest(b, 0.5)
			if err != nil || errAgain != nil || ok != okAgain || s.Dims != again.Dims {
				t.Fatalf("%s: Nearest(%+v) = %+v, %v, %v, and with the articles in another order %+v, %v, %v",
					name, b, s, ok, err, again, okAgain, errAgain)
			}
		}
	}
}

func TestNearestNone(t *testing.T) {
	e := engineOf(t, "", articleOf("none", "min: 1, max: 1000", "BOX_3105, BOX_3112")+articleOf("off", "min: 10.25, max: 10.75", ""))
	d := boxrules.Dims{Width: 300, Depth: 200, Height: 100}
	for _, test := range []struct {
		article string
		step    float64
		ok      bool
	}{{"none", 1, false}, {"none", 0.001, false}, {"off", 1, false}, {"off", 0.5, true}, {"off", 1000, false}} {
		s, ok, err := profileOf(t, e, test.article).Nearest(d, test.step)
		if ok != test.ok || err != nil || s.Unproved || s.Found() != test.ok {
			t.Errorf("%s: Nearest at step %v = %+v, %v, %v, want ok %v, proved", test.article, test.step, s, ok, err, test.ok)
		}
	}
	explanation, err := profileOf(t, e, "none").Explain(d, 1)
	if err != nil || explanation.Nearest != nil || explanation.Advice() != "no box of this article is valid with that step" {
		t.Errorf("Explain = %+v, %v, want nothing near", explanation, err)
	}
}

// TestNearestOnALine: if a change of one dimension is enough, it becomes the nearest multiple of the step. Of several
// boxes that are equally near, the one with the smallest sum of dimensions comes first, then the one with the smallest
// width, then depth.
func TestNearestOnALine(t *testing.T) {
	for _, test := range []struct {
		rule    string // in addition to 20.3 and 90.7, the limits of each dimension
		w, d, h float64
		step    float64
		want    boxrules.Dims // zero for none
	}{
		{"1 > 2", 10, 50, 60, 0.001, boxrules.Dims{Width: 20.3, Depth: 50, Height: 60}},
		{"1 > 2", 10, 50, 60, 1, boxrules.Dims{Width: 21, Depth: 50, Height: 60}},
		{"1 > 2", 10, 50, 60, 40, boxrules.Dims{Width: 40, Depth: 50, Height: 60}},
		{"1 > 2", 300, 50, 60, 0.001, boxrules.Dims{Width: 90.7, Depth: 50, Height: 60}},
		{"1 > 2", 300, 50, 60, 1, boxrules.Dims{Width: 90, Depth: 50, Height: 60}},
		{"1 > 2", 300, 50, 60, 40, boxrules.Dims{Width: 80, Depth: 50, Height: 60}},
		{"1 > 2", 300, 50, 60, 1000, boxrules.Dims{}},
		{"1 > 2", 10, 50, 60, 1000, boxrules.Dims{}},
		{"40 < width < 60", 50, 50, 60, 1, boxrules.Dims{Width: 40, Depth: 50, Height: 60}},
		{"40 < width < 60", 51, 50, 60, 1, boxrules.Dims{Width: 60, Depth: 50, Height: 60}},
		{"width + depth > 100", 60, 50, 60, 1, boxrules.Dims{Width: 50, Depth: 50, Height: 60}},
		{"width + depth < 100", 40, 50, 60, 1, boxrules.Dims{Width: 40, Depth: 60, Height: 60}},
		{"depth + height > 100", 60, 50, 60, 1, boxrules.Dims{Width: 60, Depth: 40, Height: 60}},
		{"depth + height < 100", 60, 50, 40, 1, boxrules.Dims{Width: 60, Depth: 50, Height: 50}},
		{"depth > width", 50, 60, 60, 1, boxrules.Dims{Width: 50, Depth: 50, Height: 60}},
	} {
		e := engineOf(t, "extends: documented\nconstraint: [{code: ODD_0001, when: "+test.rule+", message: m}]\n",
			articleOf("a", "min: 20.3, max: 90.7", "ODD_0001"))
		d := boxrules.Dims{Width: test.w, Depth: test.d, Height: test.h}
		s, ok, err := profileOf(t, e, "a").Nearest(d, test.step)
		if ok != (test.want != boxrules.Dims{}) || err != nil || s.Dims != test.want || ok && len(s.Changed) != 1 {
			t.Errorf("%s: Nearest(%+v, %v) = %+v, %v, %v, want %+v", test.rule, d, test.step, s, ok, err, test.want)
		}
	}
}

// TestNearestOnTheEdge: a valid box is its own nearest box, even if it is borderline. If no box is valid, none is
// borderline: in floating point, 0.1 + 0.2 is greater than 0.3.
func TestNearestOnTheEdge(t *testing.T) {
	d := boxrules.Dims{Width: 60.3, Depth: 20.1, Height: 5}
	p := edgeProfile(t, "min: 1, max: 90", "TIE_0002")
	if _, borderline, err := p.Borderline(d); !borderline || err != nil {
		t.Fatalf("Borderline(%+v) = %v, %v", d, borderline, err)
	}
	if s, ok, err := p.Nearest(d, 1); !ok || err != nil || s.Dims != d || len(s.Changed) != 0 {
		t.Errorf("Nearest(%+v) = %+v, %v, %v, want the box itself", d, s, ok, err)
	}
	const rules = "constraint:\n  - {code: ODD_0001, when: width + 0.1 + 0.2 > 0.3, message: m}\n  - {code: ODD_0002, when: 2 > 1, message: m}\n"
	p = profileOf(t, engineOf(t, rules, articleOf("a", "min: 1, max: 9", "ODD_0001, ODD_0002")), "a")
	if s, ok, err := p.Nearest(d, 1); ok || err != nil || s.Borderline || s.Unproved {
		t.Errorf("Nearest(%+v) = %+v, %v, %v, want a proof that no box is valid", d, s, ok, err)
	}
}

// TestNearestManyChoices has numbers that would be odd and even. That is proved even if many other
// conditions divide the boxes first.
func TestNearestManyChoices(t *testing.T) {
	for _, choices := range []int{0, 7, 8, 9, 12, 20} {
		rules := "boundary:\n  - {code: B_0001, when: 2 * width - 2 * depth != 0.001, message: m}\n" +
			"  - {code: B_0002, when: width < 1 || width > 900 || depth < 1 || depth > 900 || height < 1 || height > 900, message: m}\n"
		for i := range choices {
			rules += fmt.Sprintf("  - {code: C_%04d, when: height < %d && width + depth < %d, message: m}\n", i, 700-20*i, 300+40*i)
		}
		p := profileOf(t, engineOf(t, rules, articleOf("a", "min: 1, max: 900", "")), "a")
		s, ok, err := p.Nearest(boxrules.Dims{Width: 100, Depth: 100, Height: 100}, 0.001)
		if ok || err != nil || s.Unproved {
			t.Errorf("with %d choices: Nearest = %+v, %v, %v, want a proof that there is none", choices, s, ok, err)
		}
	}
}

// TestNearestCompound has standard sizes along each dimension, and stairs. A search that lists convex
// cells would have to give up on them.
func TestNearestCompound(t *testing.T) {
	sizes := func(axis string) string {
		text := axis + " != 40"
		for size := 60; size <= 280; size += 20 {
			text += fmt.Sprintf(" && %s != %d", axis, size)
		}
		return text
	}
	stairs := "(width > 100 && depth > 400)"
	for i := range 22 {
		stairs += fmt.Sprintf(" || (width > %d && depth > %d)", 110+10*i, 390-10*i)
	}
	askew := []string{"1.000001 * width + depth < 500.188300127", "width + 0.999999 * depth > 500.187799939"}
	for _, test := range []struct {
		rules []string
		step  float64
		at    boxrules.Dims
		want  boxrules.Dims
	}{
		{[]string{sizes("width"), sizes("depth"), sizes("height"), "width < 150"}, 1,
			boxrules.Dims{Width: 158, Depth: 158, Height: 158}, boxrules.Dims{Width: 160, Depth: 160, Height: 160}},
		{[]string{sizes("width"), sizes("depth"), sizes("height"), "width < 150", "height < 160"}, 1,
			boxrules.Dims{Width: 158, Depth: 158, Height: 158}, boxrules.Dims{Width: 160, Depth: 160, Height: 160}},
		{[]string{stairs}, 1, boxrules.Dims{Width: 315, Depth: 390, Height: 50}, boxrules.Dims{Width: 120, Depth: 390, Height: 50}},
		{askew, 0.001, boxrules.Dims{Width: 310, Depth: 90, Height: 50}, boxrules.Dims{Width: 300.127, Depth: 200.061, Height: 50}},
	} {
		rules := "boundary:\n"
		for i, when := range test.rules {
			rules += fmt.Sprintf("  - {code: B_%04d, when: %q, message: m}\n", i, when)
		}
		p := profileOf(t, engineOf(t, rules, articleOf("a", "min: 1, max: 900", "")), "a")
		s, ok, err := p.Nearest(test.at, test.step)
		if !ok || err != nil || s.Unproved || s.Dims != test.want {
			t.Errorf("%.60s: Nearest(%+v) = %+v, %v, %v, want %+v", test.rules[0], test.at, s, ok, err, test.want)
		}
	}
}

// TestRangesAtTheEnds has rules that change at the greatest dimensions that are accepted, and beyond
// them.
func TestRangesAtTheEnds(t *testing.T) {
	const ends = `boundary:
  - {code: END_0001, when: width >= 1000000, message: m}
  - {code: END_0002, when: width <= -1000000, message: m}
  - {code: END_0003, when: depth > 1500000 or depth < -1500000, message: m}
  - {code: END_0004, when: height > 999999.999, message: m}
  - {code: END_0005, when: height < -999999.999, message: m}
`
	p := profileOf(t, engineOf(t, ends, articleOf("a", "min: 1, max: 9", "")), "a")
	ranges, err := p.Ranges(boxrules.Dims{Width: 1, Depth: 1, Height: 1})
	if err != nil {
		t.Fatal(err)
	}
	for axis, want := range []boxrules.Range{
		{Min: -999_999.999, Max: 999_999.999, MinCode: "END_0002", MaxCode: "END_0001"},
		{Min: -1_000_000, Max: 1_000_000},
		{Min: -999_999.999, Max: 999_999.999, MinCode: "END_0005", MaxCode: "END_0004"},
	} {
		if got := ranges.ByAxis()[axis]; len(got) != 1 || got[0] != want {
			t.Errorf("%s: %+v, want %+v", axisNames[axis], got, want)
		}
	}
}
