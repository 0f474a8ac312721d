package boxrules

import (
	"math/rand/v2"
	"testing"
)

// The ways to check many boxes at once that were tried in place of a loop over Check; see docs/speed.md. They know
// boxes that are no numbers, but do not say which: an entry for batches would have to.

// verdicts checks each box into the verdict of the same index.
func (p *Profile) verdicts(to []Verdict, boxes []Dims) {
	for i := range boxes {
		if n := p.outcome(&boxes[i]); n < len(p.rules) {
			to[i] = Verdict{&p.rules[n].violation}
		} else {
			to[i] = Verdict{p.accepted}
		}
	}
}

// indexes checks each box into the index of the first rule that it violates.
func (p *Profile) indexes(to []int32, boxes []Dims) {
	for i := range boxes {
		to[i] = int32(p.outcome(&boxes[i]))
	}
}

// columns does the same for dimensions that stand in columns.
func (p *Profile) columns(to []int32, width, depth, height []float64) {
	for i := range to {
		to[i] = int32(p.outcome(&Dims{width[i], depth[i], height[i]}))
	}
}

// blocks does so block by block: first each column to the grid, then test by test for a whole block.
func (p *Profile) blocks(to []int32, width, depth, height []float64) {
	const size = 256
	var w, d, h [size]int64
	for start := 0; start < len(to); start += size {
		n := min(size, len(to)-start)
		for i := range n {
			w[i], d[i], h[i] = toGrid(width[start+i]), toGrid(depth[start+i]), toGrid(height[start+i])
		}
		for i := range n {
			to[start+i] = int32(p.first.runAt(w[i], d[i], h[i]))
		}
	}
}

func (p *Profile) outcome(d *Dims) int {
	if w, dp, h, ok := p.shortcut.take(*d); ok {
		return p.shortcut.program.runAt(w, dp, h)
	}
	return p.first.runAt(toGrid(d.Width), toGrid(d.Depth), toGrid(d.Height))
}

func BenchmarkBatch(b *testing.B) {
	const count = 4096
	for _, article := range []string{"tuck-end", "mailer", "slotted-case", "pillow-pack"} {
		var p *Profile
		for _, each := range Default().Profiles() {
			if each.Article() == article {
				p = each
			}
		}
		r := rand.New(rand.NewPCG(1, 2))
		boxes := make([]Dims, count)
		var width, depth, height [count]float64
		for i := range boxes {
			for v, err := p.Check(boxes[i]); err != nil || !v.OK(); v, err = p.Check(boxes[i]) {
				boxes[i] = Dims{units(p.low[0] + r.Int64N(p.high[0]-p.low[0]+1)), units(p.low[1] + r.Int64N(p.high[1]-p.low[1]+1)), units(p.low[2] + r.Int64N(p.high[2]-p.low[2]+1))}
			}
			width[i], depth[i], height[i] = boxes[i].Width, boxes[i].Depth, boxes[i].Height
		}
		verdicts, indexes := make([]Verdict, count), make([]int32, count)
		for name, run := range map[string]func(){
			"loop": func() {
				for i := range boxes {
					verdicts[i], _ = p.Check(boxes[i])
				}
			},
			"verdicts": func() { p.verdicts(verdicts, boxes) },
			"indexes":  func() { p.indexes(indexes, boxes) },
			"columns":  func() { p.columns(indexes, width[:], depth[:], height[:]) },
			"blocks":   func() { p.blocks(indexes, width[:], depth[:], height[:]) },
		} {
			b.Run("article="+article+"/by="+name, func(b *testing.B) {
				clear(verdicts)
				clear(indexes)
				for b.Loop() {
					run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/count, "ns/box")
				for i := range boxes {
					if (name == "loop" || name == "verdicts") != verdicts[i].OK() || verdicts[i].violation == nil && int(indexes[i]) != len(p.rules) {
						b.Fatalf("box %d is not valid by %s", i, name)
					}
				}
			})
		}
	}
}
