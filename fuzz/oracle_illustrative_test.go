package fuzz

import (
	"math/big"
	"math/rand/v2"
	"sort"
	"sync/atomic"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/limits"
)

// A judged is an article in a material as the oracle sees it, with the edges of its rules but the
// size's.
type judged struct {
	*oracle.Profile
	article, material string
	planes            []exact.HalfSpace
}

// illustrated are all articles of the engine's catalogue in all their materials.
func illustrated(e *boxrules.Engine) []judged {
	materials := make(map[string]limits.Material)
	for _, m := range e.Catalogue().Materials() {
		materials[m.Code] = m
	}
	var profiles []judged
	for _, a := range e.Catalogue().Articles() {
		for _, code := range a.Materials {
			profiles = append(profiles, judged{oracle.New(a, materials[code], oracle.Blanks[a.Code]), a.Code, code,
				planesOf(must(e.Profile(a.Code, code)).Exact(), a.Constraints)})
		}
	}
	return profiles
}

// planesOf are the edges of the limits and of the constraints selected.
func planesOf(form exact.Form, constraints []string) []exact.HalfSpace {
	low, high := form.Low, form.High
	byCode := map[string][]exact.HalfSpace{"": {
		at(1, 0, 0, low[0]), at(1, 0, 0, high[0]), at(0, 1, 0, low[1]), at(0, 1, 0, high[1]), at(0, 0, 1, low[2]), at(0, 0, 1, high[2]),
	}}
	for _, code := range constraints {
		byCode[code] = edges[code]
	}
	return flatten(byCode)
}

// atSheet moves p along an axis to the last grid point where a side of the blank is not longer
// than a side of the sheet. No side of a blank grows shorter with the box.
func (j *judged) atSheet(p *exact.Point, rng *rand.Rand) {
	axis, vertical := rng.IntN(3), rng.IntN(2) == 0
	sheet := [2]*big.Rat{j.SheetWidth, j.SheetHeight}[rng.IntN(2)]
	at := *p
	p[axis] = -1 + int64(sort.Search(2_000_000, func(x int) bool {
		at[axis] = int64(x)
		return j.side(at, vertical).Cmp(sheet) > 0
	}))
}

func (j *judged) side(p exact.Point, vertical bool) *big.Rat {
	width, height := j.Blank(rat(p[0], 1000), rat(p[1], 1000), rat(p[2], 1000))
	if vertical {
		return height
	}
	return width
}

func (j *judged) onSheet(p exact.Point) bool {
	width, height := j.side(p, false), j.side(p, true)
	return width.Cmp(j.SheetWidth) == 0 || width.Cmp(j.SheetHeight) == 0 ||
		height.Cmp(j.SheetWidth) == 0 || height.Cmp(j.SheetHeight) == 0
}

// TestOracleIllustrative compares every article of the shipped catalogue, in every material.
func TestOracleIllustrative(t *testing.T) {
	engine := boxrules.Default()
	profiles := illustrated(engine)
	if got, want := len(profiles), len(engine.Profiles()); got != want {
		t.Fatalf("%d profiles in this test, %d in the engine", got, want)
	}
	var ties, valid atomic.Int64
	boxes := *oracleBoxes / 2
	failures := inChunks(boxes, func(rng *rand.Rand, n int, report func(string, ...any) bool) {
		var got []boxrules.Violation
		for range n {
			j := &profiles[rng.IntN(len(profiles))]
			source := boxesAt(rng.IntN, j.planes)
			p := source.Next()
			if rng.IntN(4) == 0 {
				j.atSheet(&p, rng)
				p[rng.IntN(3)] += rng.Int64N(3) - 1
			}
			if onEdge(j.planes, p) || j.onSheet(p) {
				ties.Add(1)
			}
			d := dims(source.Beside(p))
			want := j.All(oracle.Grid(d.Width), oracle.Grid(d.Depth), oracle.Grid(d.Height))
			if len(want) == 0 {
				valid.Add(1)
			}
			var err error
			got, err = must(engine.Profile(j.article, j.material)).AppendAll(got[:0], d)
			first, errFirst := engine.Check(boxrules.Box{Article: j.article, Material: j.material, Dims: d})
			if (err != nil || errFirst != nil || !same(first, got, want)) &&
				!report("%s in %s, %s: Check = %v, all %v, want %v (errors %v, %v)",
					j.article, j.material, exactly(d), first, got, want, errFirst, err) {
				return
			}
		}
	})
	failures.log(t)
	t.Logf("%d boxes in %d profiles, %d differences, %d boxes on an edge, %d valid; seed %d",
		boxes, len(profiles), failures.count, ties.Load(), valid.Load(), *oracleSeed)
	if int(ties.Load()) < boxes/2 || int(valid.Load()) < boxes/50 {
		t.Errorf("%d of %d boxes are on an edge and %d are valid: too few", ties.Load(), boxes, valid.Load())
	}
}
