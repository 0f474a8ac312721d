// Package bench measures boxrules next to the same checks done in other ways. All of them give
// the same verdicts on the same boxes, which a test asserts; scripts/bench runs it all and prints
// one table.
package bench

import (
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/limits"
)

// failed keeps what the benchmarks find.
var failed int

// eachBox times count over the boxes, from the first to the last and again. An operation is one
// box.
func eachBox[B any](b *testing.B, boxes []B, count func([]B) int) {
	b.Helper()
	b.ReportAllocs()
	b.ResetTimer()
	n := 0
	for left := b.N; left > 0; left -= len(boxes) {
		n += count(boxes[:min(left, len(boxes))])
	}
	failed += n
}

func BenchmarkCheck(b *testing.B) {
	sets := makeBoxes()
	for _, peer := range peers(b) {
		b.Run("by="+peer.name, func(b *testing.B) {
			b.Run("boxes=valid", func(b *testing.B) { eachBox(b, sets.valid, peer.count) })
			b.Run("boxes=invalid", func(b *testing.B) { eachBox(b, sets.invalid, peer.count) })
			b.Run("boxes=mixed", func(b *testing.B) { eachBox(b, sets.mixed, peer.count) })
		})
	}
}

func BenchmarkEngineCheck(b *testing.B) {
	engine := boxrules.Default()
	eachBox(b, makeBoxes().valid, func(boxes []boxrules.Dims) (n int) {
		for _, d := range boxes {
			if v, _ := engine.Check(boxrules.Box{Article: article, Material: material, Dims: d}); v.Code() != "" {
				n++
			}
		}
		return n
	})
}

func BenchmarkEngineCheckAll(b *testing.B) {
	engine := boxrules.Default()
	count := func(boxes []boxrules.Dims) (n int) {
		for _, d := range boxes {
			all, _ := engine.CheckAll(boxrules.Box{Article: article, Material: material, Dims: d})
			n += len(all)
		}
		return n
	}
	sets := makeBoxes()
	b.Run("boxes=valid", func(b *testing.B) { eachBox(b, sets.valid, count) })
	b.Run("boxes=invalid", func(b *testing.B) { eachBox(b, sets.invalid, count) })
}

func BenchmarkAppendAll(b *testing.B) {
	p := profile()
	all := make([]boxrules.Violation, 0, 16)
	count := func(boxes []boxrules.Dims) (n int) {
		for _, d := range boxes {
			all, _ = p.AppendAll(all[:0], d)
			n += len(all)
		}
		return n
	}
	sets := makeBoxes()
	b.Run("boxes=valid", func(b *testing.B) { eachBox(b, sets.valid, count) })
	b.Run("boxes=invalid", func(b *testing.B) { eachBox(b, sets.invalid, count) })
}

func BenchmarkNew(b *testing.B) {
	rules, catalogue := boxrules.DefaultRules(), limits.Illustrative()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := boxrules.New(rules, catalogue); err != nil {
			b.Fatal(err)
		}
	}
}
