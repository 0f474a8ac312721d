package main

import (
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/boxtest"
)

var engine = boxrules.Default() // in your tests the engine of your rules and limits

// kinds are the boxes to measure with: a box on a border may take longer than one far from it.
var kinds = map[string]*rapid.Generator[boxrules.Box]{
	"inside":    boxtest.Inside(engine.Profiles()...),
	"border":    boxtest.Border(engine.Profiles()...),
	"beyond":    boxtest.Beyond(engine.Profiles()...),
	"malformed": boxtest.Malformed(engine.Profiles()...),
}

// BenchmarkAnswer measures the answer to one box, for each kind of boxes over all articles and materials.
func BenchmarkAnswer(b *testing.B) {
	shop := newShop(engine)
	for kind, generator := range kinds {
		var boxes []boxrules.Box
		for i := range 1000 {
			boxes = append(boxes, generator.Example(i)) // the same in every run
		}
		b.Run("boxes="+kind, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				shop.answer(boxes[i%len(boxes)])
			}
		})
	}
}

// TestAnswer: the answers that are measured are right.
func TestAnswer(t *testing.T) {
	shop := newShop(engine)
	reference, err := boxtest.NewReference(engine.Rules(), engine.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		for _, generator := range kinds {
			box := generator.Draw(t, "box")
			want := "ok"
			if codes, err := reference.Exact(box); err != nil {
				want = "not a box"
			} else if len(codes) > 0 {
				want = string(codes[0])
			}
			if got := shop.answer(box); got != want {
				t.Fatalf("%+v: %s, want %s", box, got, want)
			}
		}
	})
}
