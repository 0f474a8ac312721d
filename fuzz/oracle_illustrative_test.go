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

// A flat gives the blank of a box of an article, with the material's glue flap g and caliper t.
type flat func(w, d, h, g, t *big.Rat) (width, height *big.Rat)

// blanks are the blank formulas of the illustrative articles a second time, by hand.
var blanks = map[string]flat{
	"tuck-end":        tuckEnd,
	"tuck-end-slim":   tuckEnd,
	"window-carton":   tuckEnd,
	"snap-lock":       snapLock,
	"shelf-carton":    snapLock,
	"auto-bottom":     wrapped(1, rat(3, 2)),
	"bottle-carton":   wrapped(1, rat(3, 2)),
	"handle-box":      wrapped(1, rat(3, 2)),
	"upright-carton":  wrapped(1, rat(3, 2)),
	"gable":           wrapped(1, rat(3, 2)),
	"sleeve":          wrapped(1, rat(0, 1)),
	"slotted-case":    wrapped(1, rat(1, 1)),
	"transit-case":    wrapped(1, rat(1, 1)),
	"tray":            walled,
	"counter-display": walled,
	"telescope-lid":   walled,
	"insert-box":      walled,
	"mailer": func(w, d, h, g, t *big.Rat) (width, height *big.Rat) {
		return greatest(add(add(w, mul(h, 4, 1)), mul(t, 43, 3)), add(add(w, d), mul(t, 16, 3))),
			add(add(mul(d, 2, 1), mul(h, 3, 1)), mul(t, 22, 3))
	},
	"roll-over-tray": func(w, d, h, g, t *big.Rat) (width, height *big.Rat) {
		return add(add(w, mul(h, 4, 1)), mul(t, 43, 3)), add(d, mul(h, 2, 1))
	},
	"pillow-pack": func(w, d, h, g, t *big.Rat) (width, height *big.Rat) {
		return add(w, d), add(mul(h, 2, 1), g)
	},
}

func girth(w, d, g *big.Rat) *big.Rat { return add(mul(add(w, d), 2, 1), g) }

func tuckEnd(w, d, h, g, t *big.Rat) (width, height *big.Rat) {
	flap := least(greatest(mul(d, 1, 2), rat(12, 1)), rat(25, 1))
	return girth(w, d, g), add(h, add(mul(d, 2, 1), mul(flap, 2, 1)))
}

func snapLock(w, d, h, g, t *big.Rat) (width, height *big.Rat) {
	return girth(w, d, g), add(add(h, mul(d, 3, 4)), add(greatest(rat(14, 1), mul(d, 2, 5)), mul(d, 13, 20)))
}

// wrapped goes round the four sides, and is heights times the height and depths times the depth
// high.
func wrapped(heights int64, depths *big.Rat) flat {
	return func(w, d, h, g, t *big.Rat) (width, height *big.Rat) {
		return girth(w, d, g), add(mul(h, heights, 1), new(big.Rat).Mul(d, depths))
	}
}

// walled has a wall on each of the four sides of the base.
func walled(w, d, h, g, t *big.Rat) (width, height *big.Rat) {
	return add(w, mul(h, 2, 1)), add(d, mul(h, 2, 1))
}

// A judged is an article in a material as the oracle sees it, with the edges of its rules but the
// size's.
type judged struct {
	*oracle.Profile
	article, material string
	planes            []exact.HalfSpace
}

// illustrated are all articles of the engine's catalogue in all their materials.
func illustrated(t *testing.T, e *boxrules.Engine) []judged {
	t.Helper()
	materials := make(map[string]limits.Material)
	for _, m := range e.Catalogue().Materials() {
		materials[m.Code] = m
	}
	var profiles []judged
	for _, a := range e.Catalogue().Articles() {
		blank := blanks[a.Code]
		if blank == nil {
			t.Fatalf("article %s has no formula in this test", a.Code)
		}
		for _, code := range a.Materials {
			m := materials[code]
			profiles = append(profiles, judged{&oracle.Profile{
				MinWidth: a.Width.Min.Rat(), MaxWidth: a.Width.Max.Rat(),
				MinDepth: a.Depth.Min.Rat(), MaxDepth: a.Depth.Max.Rat(),
				MinHeight: a.Height.Min.Rat(), MaxHeight: a.Height.Max.Rat(),
				SheetWidth: m.Sheet.Width.Rat(), SheetHeight: m.Sheet.Height.Rat(),
				Constraints: setOf(a.Constraints),
				Blank: func(w, d, h *big.Rat) (width, height *big.Rat) {
					return blank(w, d, h, m.GlueFlap.Rat(), m.Caliper.Rat())
				},
			}, a.Code, code, planesOf(must(e.Profile(a.Code, code)).Exact(), a.Constraints)})
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
	profiles := illustrated(t, engine)
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

// TestBoxesOfTheArticles are boxes whose verdict is plain from the articles' intent.
func TestBoxesOfTheArticles(t *testing.T) {
	for _, test := range []struct {
		article, material    string
		width, depth, height float64
		want                 string
	}{
		{"tuck-end", "carton-300", 143, 50, 303, "ok"},
		{"tuck-end", "carton-300", 48, 141, 184, "BOX_3100"},
		{"tuck-end", "carton-300", 238, 138, 398, "BOX_4100"},
		{"slotted-case", "b-flute", 228, 138, 85, "ok"},
		{"slotted-case", "b-flute", 398, 307, 99, "BOX_3113"},
		{"slotted-case", "b-flute", 450, 114, 223, "BOX_3114"},
		{"slotted-case", "b-flute", 456, 259, 450, "BOX_4100"},
		{"handle-box", "carton-400", 224, 172, 134, "ok"},
		{"handle-box", "carton-400", 107, 170, 186, "BOX_3121"},
		{"handle-box", "carton-400", 148, 107, 176, "BOX_3122"},
		{"counter-display", "carton-400", 209, 287, 239, "ok"},
		{"counter-display", "carton-400", 350, 312, 212, "BOX_3109"},
		{"counter-display", "carton-400", 162, 266, 67, "BOX_3120"},
	} {
		d := boxrules.Dims{Width: test.width, Depth: test.depth, Height: test.height}
		box := boxrules.Box{Article: test.article, Material: test.material, Dims: d}
		if got, err := boxrules.Default().Check(box); err != nil || got.String() != test.want {
			t.Errorf("Check(%+v) = %v, %v, want %s", box, got, err, test.want)
		}
	}
}
