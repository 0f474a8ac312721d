package fuzz

import (
	"math/rand/v2"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
)

// TestAdvice: Profile.Advice, which computes less, returns what Explanation.Advice does.
func TestAdvice(t *testing.T) {
	said := make(map[string]bool)
	for i, p := range boxrules.Default().Profiles() {
		boxes := gen.BoxesOf(p.Exact(), rand.New(rand.NewPCG(uint64(i), 5)).IntN)
		for range lab.Draws(100, 5000) {
			d := boxrules.DimsAt(boxes.Next())
			step := []float64{0.001, 0.5, 1, 1000}[boxes.Draw(4)]
			e, err := p.Explain(d, step)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := p.Advice(d, step); err != nil || got != e.Advice() {
				t.Fatalf("%s in %s, %+v, step %v: %q, %v, want %q", p.Article(), p.Material(), d, step, got, err, e.Advice())
			}
			said[e.Advice()] = true
		}
	}
	if len(said) < 1000 || !said[""] {
		t.Errorf("%d different texts, want more, and none for a valid box", len(said))
	}
	p := boxrules.Default().Profiles()[0]
	if _, err := p.Advice(boxrules.Dims{Width: 1, Depth: 1, Height: 1}, 0.0005); err == nil {
		t.Error("a step of half a thousandth is taken")
	}
	if _, err := new(boxrules.Profile).Advice(boxrules.Dims{}, 1); err == nil {
		t.Error("a Profile that no Engine has made answers")
	}
}
