package learn

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/learn/internal/state"
	"example.com/boxrules/limits"
)

var rowCount = flag.Int("learn.rows", lab.Draws(5_000, 20_000), "recorded answers of which the kept facts are counted")

// kept returns the greatest number of facts that a learner keeps about any one limit, constraint or sheet.
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
	t.Logf("%d answers: at most %d facts are kept about any one limit, constraint or sheet", *rowCount, most)
	if n := math.Log(float64(*rowCount)); most < 3 || float64(most) > n*n/2 {
		t.Errorf("%d facts are kept about a limit, a constraint or a sheet, want at most %.0f", most, n*n/2)
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
		rules, err := boxrules.LoadRules("own.yaml", fmt.Appendf(nil,
			extended+"constraint: [{code: OWN_3000, when: %s, message: m}, {code: OWN_3001, when: %s, message: m}]\n", test.first, test.second))
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
	for _, test := range []struct{ times, plus *big.Rat }{
		{big.NewRat(1, 3), new(big.Rat)}, {big.NewRat(-5, 4), new(big.Rat)}, {big.NewRat(20_001, 7), new(big.Rat)}, {big.NewRat(8_000_001, 1), new(big.Rat)},
		{big.NewRat(16_001, 1), big.NewRat(1, 16_381)}, {big.NewRat(-16_001, 1), big.NewRat(1, 16_381)},
	} {
		side, err := exact.Dimension(exact.Width).Times(test.times)
		if err != nil {
			t.Fatal(err)
		}
		if side, err = side.Add(exact.Constant(test.plus)); err != nil {
			t.Fatal(err)
		}
		for _, step := range []int64{1, 300, 1000} {
			for _, x := range []int64{0, 1, 999, 123_456, exact.MaxGrid - 1, exact.MaxGrid} {
				got := (&blank{step: step}).roundedUp(side, exact.Point{x, 5, 5})
				length := new(big.Rat).Add(new(big.Rat).Mul(test.times, big.NewRat(x, exact.Scale)), test.plus)
				above := new(big.Rat).Sub(big.NewRat(got, 1), new(big.Rat).Mul(length, big.NewRat(exact.Scale, 1)))
				if got%step != 0 || above.Sign() < 0 || above.Cmp(big.NewRat(step, 1)) >= 0 {
					t.Errorf("%v times %d and %v on the step %d is rounded up to %d", test.times, x, test.plus, step, got)
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

// triedLearner returns a learner that tries formulas, each written as a width and a height, for the blank of an article,
// and the profile of the article.
func triedLearner(t *testing.T, o Options, formulas ...string) (*Learner, *profile) {
	t.Helper()
	const head = "decimals: 0\nmaterials: {board: {caliper: 1, glue_flap: 0}}\narticles:\n"
	blanks := head
	for i, f := range formulas {
		width, height, _ := strings.Cut(f, " x ")
		blanks += fmt.Sprintf("  f%d: {blank: {width: %s, height: %s}}\n", i, width, height)
	}
	o.Blanks = frameOf(t, blanks)
	l := learnerOfTexts(t, extended, head+"  case: {}\n", o)
	return l, l.profiles[0]
}

// TestConfirmedFormula: a formula is chosen only if an answer about each box on its border agrees with it. Until then,
// the boxes without an answer are those to ask about. Contradictions about which boxes fit become contradictions about
// the sheet, unless there is already one.
func TestConfirmedFormula(t *testing.T) {
	for _, sheetContradiction := range []*Contradiction{nil, {Fact{Note: "the sheet"}}} {
		l, p := triedLearner(t, Options{Step: 1, Max: 9}, "width x depth")
		a, c := p.article, p.article.candidates[0]
		fittingContradiction := &Contradiction{Fact{Note: "the fitting"}}
		l.contradictions[p.fitting] = contradictions{fittingContradiction, 1}
		if sheetContradiction != nil {
			l.contradictions[p.sheet] = contradictions{sheetContradiction, 1}
		}
		rows := 0
		answer := func(at exact.Point) {
			rows++
			p.fitting.Observe(state.Observation{At: at, Evidence: state.Evidence{Seq: rows, Row: rows}}, max(at[0], at[1]) <= 5000)
		}
		answer(exact.Point{5000, 5000, 1000})
		pairs, _ := l.candidateBorderPairs(p.withCandidate(c))
		for {
			var missing []boxrules.Box
			used := make(map[int]bool)
			for _, pair := range pairs {
				for _, at := range pair {
					if row, _ := p.fitting.RowOf(at); row == 0 {
						missing = append(missing, p.box(at))
					} else {
						used[row] = true
					}
				}
			}
			boxes, open := l.adoptCandidateIfConfirmed(a, c)
			if !slices.Equal(boxes, missing) || open != (len(missing) > 0) || (a.chosenCandidate == c) == open {
				t.Fatalf("after %d answers, the boxes to ask about are %v, open: %v, chosen: %v; want %v", rows, boxes, open, a.chosenCandidate == c, missing)
			}
			if len(missing) == 0 {
				if !maps.Equal(used, setOf(a.confirmingRows)) || len(a.confirmingRows) != len(used) {
					t.Errorf("rows %v confirm the formula, want each of %v once", a.confirmingRows, used)
				}
				break
			}
			at, _ := missing[0].Grid()
			answer(at)
		}
		if rows < 4 {
			t.Errorf("only %d answers confirm the formula", rows)
		}
		want := cmp.Or(sheetContradiction, fittingContradiction)
		if got := l.contradictions[p.sheet].last; got != want || l.contradictions[p.fitting].last != nil {
			t.Errorf("the sheet has the contradiction %v, want %v; the fitting has %v", got, want, l.contradictions[p.fitting].last)
		}
	}
}

// TestFormulaNotFullyConfirmed: a formula is chosen without the answers about skipped boxes if there is an answer about
// a box that just fits, and one about a box that is just too large. It is not chosen if the search for boxes on its
// border gives up.
func TestFormulaNotFullyConfirmed(t *testing.T) {
	learner := func(answers ...exact.Point) (*Learner, *article) {
		l, p := triedLearner(t, Options{Step: 1, Max: 9}, "width x depth")
		for i, at := range answers {
			p.fitting.Observe(state.Observation{At: at, Evidence: state.Evidence{Seq: i + 1, Row: i + 1}}, max(at[0], at[1]) <= 5000)
		}
		return l, p.article
	}
	fits, tooLarge := exact.Point{5000, 5000, 1000}, exact.Point{6000, 1000, 1000}
	for _, test := range []struct {
		answers []exact.Point
		chosen  bool
	}{
		{[]exact.Point{fits}, false},
		{[]exact.Point{fits, tooLarge}, true},
	} {
		l, a := learner(test.answers...)
		missing, _ := l.adoptCandidateIfConfirmed(a, a.candidates[0])
		if len(missing) == 0 {
			t.Fatalf("after %v, no box is left to skip", test.answers)
		}
		for _, box := range missing {
			l.Skip(box)
		}
		boxes, open := l.adoptCandidateIfConfirmed(a, a.candidates[0])
		if len(boxes) > 0 || open == test.chosen || (a.chosenCandidate != nil) != test.chosen {
			t.Errorf("after %v, and if all other boxes are skipped: boxes to ask about %v, open: %v, chosen: %v", test.answers, boxes, open, a.chosenCandidate != nil)
		}
	}
	gaveUp := 0
	for work := 1; ; work *= 2 {
		l, a := learner(fits, exact.Point{6000, 6000, 6000}, exact.Point{5000, 5000, 9000}, exact.Point{6000, 1000, 1000}, exact.Point{1000, 6000, 1000})
		l.remainingWork = polytope.NewBudget(work)
		pairs, incomplete := l.candidateBorderPairs(l.profiles[0].withCandidate(a.candidates[0]))
		l.remainingWork = polytope.NewBudget(work)
		boxes, open := l.adoptCandidateIfConfirmed(a, a.candidates[0])
		if open != incomplete || (a.chosenCandidate != nil) == incomplete || len(boxes) > 0 {
			t.Errorf("with the budget %d, which leaves %d pairs: boxes to ask about %v, open: %v, chosen: %v", work, len(pairs), boxes, open, a.chosenCandidate != nil)
		}
		if !incomplete {
			break
		}
		if len(pairs) > 0 {
			gaveUp++
		}
	}
	if gaveUp == 0 {
		t.Error("no search gives up after it has found a pair")
	}
}

func setOf(rows []int) map[int]bool {
	set := make(map[int]bool)
	for _, row := range rows {
		set[row] = true
	}
	return set
}

// TestUnconfirmedFormula: if the search for boxes on the border gives up, the formula is still open. A formula with which
// a larger box has a smaller blank is refuted by the answer about the smaller box.
func TestUnconfirmedFormula(t *testing.T) {
	l, p := triedLearner(t, Options{Step: 1, Max: 9}, "width + depth x depth", "width + 10 - height x depth", "width x depth")
	a := p.article
	for i, box := range []exact.Point{{5000, 5000, 1000}, {6000, 5000, 1000}} {
		p.fitting.Observe(state.Observation{At: box, Evidence: state.Evidence{Seq: i + 1, Row: i + 1}}, i == 0)
	}
	all := slices.Clone(a.candidates)
	l.remainingWork = polytope.NewBudget(0)
	if boxes, open := l.adoptCandidateIfConfirmed(a, all[1]); len(boxes) > 0 || !open || !slices.Equal(a.candidates, all) {
		t.Errorf("if the search gives up, the boxes to ask about are %v, open: %v, and %d formulas are left", boxes, open, len(a.candidates))
	}
	l.remainingWork = polytope.NewBudget(maxWork)
	if boxes, open := l.adoptCandidateIfConfirmed(a, all[1]); len(boxes) > 0 || !open || !slices.Equal(a.candidates, []*candidate{all[0], all[2]}) {
		t.Errorf("if the formula is refuted, the boxes to ask about are %v, open: %v, and %d formulas are left", boxes, open, len(a.candidates))
	}
	if a.chosenCandidate != nil {
		t.Error("a formula is chosen")
	}
}

// TestFormulaContradicted: an answer can contradict older answers about a limit and, whatever the formula of the blank
// is, about the sheet. Each contradiction has its own rows. An older answer that is out of date contradicts nothing.
func TestFormulaContradicted(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	answers := []Answer{
		{Box: boxrules.Box{Dims: boxrules.Dims{Width: 50, Depth: 40, Height: 30}}, Code: boxrules.BOX_4100, Date: day(1)},
		{Box: boxrules.Box{Dims: boxrules.Dims{Width: 56, Depth: 10, Height: 10}}, Code: boxrules.BOX_2101, Date: day(2)},
		{Box: boxrules.Box{Dims: boxrules.Dims{Width: 60, Depth: 50, Height: 40}}, Date: day(3)},
	}
	const (
		limit = "case max_width: rows 2, 3 cannot both be true, since 2026-01-03T00:00:00Z"
		sheet = "board sheet: rows 1, 3 cannot both be true, since 2026-01-03T00:00:00Z: none of the formulas tried for the blanks explains all of these answers"
	)
	for _, test := range []struct {
		since        time.Time
		limit, sheet string
		outdated     int
	}{
		{time.Time{}, limit, sheet, 0},
		{day(1), limit, sheet, 0},
		{day(2), limit, "", 1},
		{day(3), "", "", 2},
	} {
		l, p := triedLearner(t, Options{Step: 1, Max: 400, Since: test.since}, "width x depth", "width x height")
		l.adoptFormulas(map[*article]*candidate{p.article: p.article.candidates[0]})
		for _, a := range answers {
			a.Article, a.Material = "case", "board"
			err := l.Add(a)
			if want := a.Date == day(3) && test.limit != ""; (err != nil) != want || want && err.Error() != test.limit {
				t.Errorf("since %v: Add(%v) = %v", test.since, a, err)
			}
		}
		told := ""
		if c := l.contradictions[p.sheet].last; c != nil {
			told = c.Error()
		}
		if told != test.sheet || l.Outdated() != test.outdated {
			t.Errorf("since %v: the sheet has the contradiction %q, and %d answers are out of date; want %q and %d", test.since, told, l.Outdated(), test.sheet, test.outdated)
		}
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
// shows the smaller sheet, and one that does not the larger. If both arithmetics round the side up to the same step, or
// no sheet is that long, both boxes show the same sheet.
func TestBlankBounds(t *testing.T) {
	frame, err := limits.LoadFrame("frame.yaml", []byte(`version: 1
unit: mm
materials: {board: {caliper: 1, glue_flap: 0, sheet: s}}
articles:
  a: {materials: [board], blank: {width: 0.66666666666667 * width + 40000, height: 0.1 * 3 * depth}}
  b: {materials: [board], blank: {width: 0.6666666666667 * width + 40000, height: 0.1 * 10 * depth}}
  c: {materials: [board], blank: {width: 0.1 * 7 * width + 0.1 * 3 * depth, height: "1"}}
  d: {materials: [board], blank: {width: 0.1 * 7 * width + 0.1 * 3 * depth + 1, height: "1"}}
`))
	if err != nil {
		t.Fatal(err)
	}
	type size [2]float64
	for _, test := range []struct {
		step                   float64
		article                int
		width, depth           int64
		exact, least, greatest size
	}{
		// 40200.000000000001 x 3; in double precision 40200 x 3.0000000000000004
		{1, 0, 300, 10, size{40201, 3}, size{40200, 3}, size{40201, 4}},
		{1, 0, 300, 9, size{40201, 3}, size{40200, 3}, size{40201, 3}}, // 2.7
		{1, 0, 100, 9, size{40067, 3}, size{40067, 3}, size{40067, 3}},
		{0.1, 0, 300, 1, size{40200.1, 0.3}, size{40200, 0.3}, size{40200.1, 0.4}}, // 0.30000000000000004
		// 40200.00000000001 x 10 in both arithmetics
		{1, 1, 300, 10, size{40201, 10}, size{40201, 10}, size{40201, 10}},
		{1, 2, 1_000_000, 1_000_000, size{1_000_000, 1}, size{1_000_000, 1}, size{1_000_001, 1}}, // 1000000.0000000001
		{1, 3, 1_000_000, 1_000_000, size{1_000_001, 1}, size{1_000_001, 1}, size{1_000_001, 1}}, // longer than any sheet
	} {
		l, err := New(boxrules.DefaultRules(), frame, Options{Step: test.step, Max: 2000})
		if err != nil {
			t.Fatal(err)
		}
		b, box := l.profiles[test.article].blank, exact.Point{test.width * 1000, test.depth * 1000, 1000}
		for name, sizes := range map[string]struct {
			got  exact.Point
			want size
		}{
			"sides": {b.size(box), test.exact}, "least": {b.minSheetSize(box), test.least}, "greatest": {b.upperSize(box), test.greatest},
		} {
			if want := (exact.Point{exact.Grid(sizes.want[0]), exact.Grid(sizes.want[1])}); sizes.got != want {
				t.Errorf("%s of %d x %d of %s is %v, want %v", name, test.width, test.depth, l.profiles[test.article].article.Code, sizes.got, want)
			}
		}
	}
}
