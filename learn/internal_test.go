package learn

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/learn/internal/state"
	"example.com/boxrules/limits"
)

var rowCount = flag.Int("learn.rows", lab.Draws(5_000, 20_000), "recorded answers of which the kept facts are counted")

// kept is the greatest number of facts that a learner keeps of one unknown.
func (l *Learner) kept() (most int) {
	for _, u := range l.unknowns {
		most = max(most, len(u.Observations().Contained), len(u.Observations().Excluded))
	}
	return most
}

// TestMemoryGrowsLikeLogarithm says that a Learner keeps of n random answers about log n for each limit,
// even if the service changes meanwhile. The count is what its memory consists of, and unlike the memory
// it is the same in every run.
func TestMemoryGrowsLikeLogarithm(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	profiles := boxrules.Default().Profiles()
	l, err := New(boxrules.DefaultRules(), limits.Illustrative(), Options{Step: 1, Max: 2000})
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	for n := range *rowCount {
		p := profiles[r.IntN(len(profiles))]
		size := func() float64 { return math.Round(1000*math.Exp(4.8+0.7*r.NormFloat64())) / 1000 }
		d := boxrules.Dims{Width: size(), Depth: size(), Height: size()}
		from := p
		if n > *rowCount/2 { // another article's limits from then on
			from = profiles[(n+1)%len(profiles)]
		}
		v, err := from.Check(d)
		if err != nil {
			t.Fatal(err)
		}
		_ = l.Add(Answer{Box: boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: d}, Code: v.Code()})
		if n%100 == 99 {
			most = max(most, l.kept())
		}
	}
	t.Logf("%d answers: at most %d facts of one unknown", *rowCount, most)
	if n := math.Log(float64(*rowCount)); most < 3 || float64(most) > n*n/2 {
		t.Errorf("%d facts of one unknown are kept, want at most %.0f", most, n*n/2)
	}
}

// TestProofShares gives a whole proof less than its first articles would take alone, whose
// constraints are planes that meet between boxes. They are undecided, and the others are
// proved.
func TestProofShares(t *testing.T) {
	rules, text := gen.SlowPlanes(6, 900)
	set, err := boxrules.LoadRules("rules.yaml", []byte(rules))
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := limits.Load("limits.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	engine, err := boxrules.New(set, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := proveWithin(engine, Options{Step: 1, Max: 2000}, 4_000_000)
	proved := make(map[string]int)
	for _, a := range answers {
		proved[a.Article]++
	}
	var unproved *UnprovedError
	if !errors.As(err, &unproved) || *unproved != (UnprovedError{"a0", "m", "it takes too much work"}) || strings.Count(err.Error(), "\n") != 5 {
		t.Errorf("Proof: error %v, want that a0 to a5 are undecided", err)
	}
	for i := 6; i < 12; i++ {
		if n := proved[fmt.Sprintf("a%d", i)]; n < 8 {
			t.Errorf("Proof has %d boxes of a%d, want at least one for each limit, the sheet and the constraint", n, i)
		}
	}
}

// TestShopProof: an eighth of the work is enough for a tenth of the largest catalogue that is promised, so that all of it
// is proved in one run.
func TestShopProof(t *testing.T) {
	c, err := limits.Load("shop.yaml", []byte(gen.Shop(lab.Draws(40, 100), 10, 0)))
	if err != nil {
		t.Fatal(err)
	}
	e, err := boxrules.New(boxrules.DefaultRules(), c)
	if err != nil {
		t.Fatal(err)
	}
	proof, err := proveWithin(e, Options{Step: 1, Max: 1000}, 2*maxWork/8)
	if err != nil {
		t.Errorf("%d boxes, and undecided: %v", len(proof), err)
	}
}

// TestProofIsSmall: each box of a proof proves as much as it can, so that few are needed. Boxes within the limits are not on
// the border of a constraint, if others prove as much.
func TestProofIsSmall(t *testing.T) {
	type article struct {
		high        [exact.Axes]int
		constraints string
	}
	for _, test := range []struct {
		name, first, second string // the conditions of OWN_3000 and OWN_3001
		sheet               [2]int
		articles            []article
		most                int
	}{
		{"one box is as long and as wide as the sheet", "height > 18", "height < 15", [2]int{39, 28},
			[]article{{[3]int{42, 33, 34}, "OWN_3000, OWN_3001"}}, 13},
		{"the first article shows how wide the sheet is", "height > 22", "width + depth > 66", [2]int{42, 29},
			[]article{{[3]int{36, 29, 30}, "OWN_3000, OWN_3001"}, {[3]int{42, 29, 47}, "OWN_3001"}}, 20},
		{"the first article nearly shows how long the sheet is", "height > 19", "depth < 12", [2]int{40, 28},
			[]article{{[3]int{38, 31, 53}, ""}, {[3]int{41, 33, 46}, "OWN_3000"}}, 21},
	} {
		rules, err := boxrules.LoadRules("own.yaml", fmt.Appendf(nil, `version: 1
extends: documented
constraint: [{code: OWN_3000, when: %s, message: m}, {code: OWN_3001, when: %s, message: m}]
`, test.first, test.second))
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("version: 1\nunit: mm\ndecimals: 0\nsheets: {s: {width: %d, height: %d}}\n"+
			"materials: {m: {caliper: 1, glue_flap: 0, sheet: s}}\narticles:\n", test.sheet[0], test.sheet[1])
		for i, a := range test.articles {
			text += fmt.Sprintf("  a%d:\n    width: {min: 5, max: %d}\n    depth: {min: 5, max: %d}\n    height: {min: 5, max: %d}\n"+
				"    blank: {width: width, height: depth}\n    constraints: [%s]\n", i, a.high[0], a.high[1], a.high[2], a.constraints)
		}
		catalogue, err := limits.Load("limits.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		engine, err := boxrules.New(rules, catalogue)
		if err != nil {
			t.Fatal(err)
		}
		l, err := New(rules, catalogue, Options{Step: 1, Max: 100})
		if err != nil {
			t.Fatal(err)
		}
		answers, err := Proof(engine, l.options)
		if err != nil || len(answers) > test.most {
			t.Errorf("%s: Proof has %d boxes, %v, want at most %d", test.name, len(answers), err, test.most)
		}
		for _, a := range answers {
			p, at, err := l.locate(a.Box)
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range p.conditions {
				if !strings.HasPrefix(string(a.Code), "BOX_2") && isTie(c.violated, at) {
					t.Errorf("%s: %v is on the border of %s", test.name, at, l.conditionRules[i].Code)
				}
			}
			if err := l.Add(a); err != nil {
				t.Fatal(err)
			}
		}
		if next := l.Next(1); len(next) > 0 {
			t.Errorf("%s: after the proof, %v is asked", test.name, next)
		}
	}
}

// TestRounded: a side of a blank is rounded up to the step, also if its numbers are too large for the
// fast way.
func TestRounded(t *testing.T) {
	for _, times := range []*big.Rat{big.NewRat(1, 3), big.NewRat(-5, 4), big.NewRat(20_001, 7), big.NewRat(8_000_001, 1)} {
		side, err := exact.Dimension(exact.Width).Times(times)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range []int64{1, 300, 1000} {
			for _, x := range []int64{0, 1, 999, 123_456, exact.MaxGrid} {
				got := (&blank{step: step}).roundedUp(side, exact.Point{x, 5, 5})
				above := new(big.Rat).Sub(big.NewRat(got, 1), new(big.Rat).Mul(times, big.NewRat(x, 1)))
				if got%step != 0 || above.Sign() < 0 || above.Cmp(big.NewRat(step, 1)) >= 0 {
					t.Errorf("%v times %d on the step %d is rounded up to %d", times, x, step, got)
				}
			}
		}
	}
	// Longer than any sheet is enough, and shorter than nothing.
	for times, want := range map[int64]int64{1 << 50: 1 << 53, -1 << 50: -1 << 53} {
		side, err := exact.Dimension(exact.Width).Times(big.NewRat(times, 1))
		if got := (&blank{step: 1000}).roundedUp(side, exact.Point{exact.MaxGrid, 5, 5}); err != nil || got != want {
			t.Errorf("%d widths are rounded to %d, %v, want %d", times, got, err, want)
		}
	}
}

// TestSharedTrees: the profiles of a learner share the trees of conditions that say the same in each,
// which most of its memory would go to otherwise.
func TestSharedTrees(t *testing.T) {
	l, err := New(boxrules.DefaultRules(), limits.Illustrative(), Options{Step: 1, Max: 2000})
	if err != nil {
		t.Fatal(err)
	}
	shared := 0
	first := l.profiles[0]
	for _, p := range l.profiles[1:] {
		for i, c := range p.conditions {
			other := first.conditions[i]
			for _, trees := range [][2]exact.Region{{other.violated, c.violated}, {other.satisfied, c.satisfied}} {
				a, b := trees[0], trees[1]
				if !a.Equal(b) || len(a.Parts()) == 0 {
					continue
				}
				if shared++; &a.Parts()[0] != &b.Parts()[0] {
					t.Fatalf("%s in %s has a tree of its own: %v", p.article.Code, p.material, b)
				}
			}
		}
	}
	if shared < len(l.profiles) {
		t.Errorf("only %d trees say the same in two profiles", shared)
	}
}

// TestBorderAgrees: the boxes that confirm a formula fit the sheet, or do not, in double precision as well.
func TestBorderAgrees(t *testing.T) {
	l, err := New(boxrules.DefaultRules(), limits.Illustrative(), Options{Step: 0.1, Max: 2000})
	if err != nil {
		t.Fatal(err)
	}
	pairs := 0
	for i, p := range l.profiles {
		own := *p
		own.sheet = p.sheet.Clone()
		for axis := range exact.Axes {
			own.article.rangeEnds[axis][maximum].Largest[0] = 400_000
		}
		size := exact.Point{900_000 + int64(i)*100, 600_000 + int64(i)*700}
		own.sheet.Observe(state.Observation{At: size}, true)
		l.remainingWork = polytope.NewBudget(maxWork)
		found, _ := l.candidateBorderPairs(&own)
		pairs += len(found)
		for _, pair := range found {
			fits, beyond := p.blank.upperSize(pair[0]), p.blank.minSheetSize(pair[1])
			if !state.Inside(fits, size) || state.Inside(beyond, size) {
				t.Errorf("%s in %s, a sheet of %v: the blanks of %v take %v and %v", p.article.Code, p.material, size, pair, fits, beyond)
			}
		}
	}
	if pairs < len(l.profiles) {
		t.Errorf("%d pairs for %d profiles", pairs, len(l.profiles))
	}
}

// TestBlankBounds: of a blank whose side double precision computes otherwise than it is, a box that fits
// shows the smaller sheet, and one that does not the larger.
func TestBlankBounds(t *testing.T) {
	frame, err := limits.LoadFrame("frame.yaml", []byte(`version: 1
unit: mm
materials: {board: {caliper: 1, glue_flap: 0, sheet: s}}
articles:
  a: {materials: [board], blank: {width: 0.66666666666667 * width + 40000, height: 0.1 * 3 * depth}}
`))
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(boxrules.DefaultRules(), frame, Options{Step: 1, Max: 2000})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		width, depth           int64
		exact, least, greatest exact.Point
	}{
		// 40200.000000000001 x 3; in double precision 40200 x 3.0000000000000004
		{300, 10, exact.Point{40201, 3}, exact.Point{40200, 3}, exact.Point{40201, 4}},
		{300, 9, exact.Point{40201, 3}, exact.Point{40200, 3}, exact.Point{40201, 3}}, // 2.7
		{100, 9, exact.Point{40067, 3}, exact.Point{40067, 3}, exact.Point{40067, 3}},
	} {
		b, box := l.profiles[0].blank, exact.Point{test.width * 1000, test.depth * 1000, 1000}
		for name, sizes := range map[string][2]exact.Point{
			"sides": {b.size(box), test.exact}, "least": {b.minSheetSize(box), test.least}, "greatest": {b.upperSize(box), test.greatest},
		} {
			if got, want := sizes[0], sizes[1]; got != (exact.Point{want[0] * 1000, want[1] * 1000}) {
				t.Errorf("%s of %d x %d is %v, want %v", name, test.width, test.depth, got, want)
			}
		}
	}
}
