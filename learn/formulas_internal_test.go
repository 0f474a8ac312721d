package learn

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/learn/internal/state"
)

// formulaLearner returns a learner about two articles whose blanks are not known, in two materials with a sheet each. The
// formulas that it tries give the width of a blank. All blanks are 1 high. The first formula is chosen for both articles.
func formulaLearner(t *testing.T, since time.Time, formulas ...string) *Learner {
	t.Helper()
	blanks := "decimals: 0\nmaterials: {board: {caliper: 1, glue_flap: 0}}\narticles:\n"
	for i, formula := range formulas {
		blanks += fmt.Sprintf("  f%d: {blank: {width: %s, height: \"1\"}}\n", i, formula)
	}
	l := learnerOfTexts(t, extended, `decimals: 0
materials: {board: {caliper: 1, glue_flap: 0}, card: {caliper: 1, glue_flap: 0}}
articles: {case: {}, tray: {}}
`, Options{Step: 1, Max: 400, Since: since, Blanks: frameOf(t, blanks)})
	for _, a := range l.articles {
		l.adoptFormulas(map[*article]*candidate{a: a.candidates[0]})
	}
	return l
}

// A fitAnswer says whether a box of an article fits a sheet. Its dimensions are in whole units.
type fitAnswer struct {
	box     exact.Point
	fits    bool
	article int
}

func (f fitAnswer) grid() exact.Point {
	return exact.Point{f.box[0] * exact.Scale, f.box[1] * exact.Scale, f.box[2] * exact.Scale}
}

// claimsOf returns the claims of answers about the first material, numbered from 1.
func claimsOf(l *Learner, answers []fitAnswer) (claims []formulaClaim) {
	for i, a := range answers {
		p := l.articles[a.article].profiles[0]
		e := state.Evidence{Seq: i + 1, Row: i + 1}
		claims = append(claims, formulaClaim{state.Observation{At: a.grid(), Evidence: e}, a.fits, p.sheet, p})
	}
	return claims
}

// TestMinimalFormulaConflict: as long as few claims are enough, as few as possible are found. Otherwise none of the claims
// that are found can be left out. The box of 10 x 10 x 10 does not fit, and each of the other boxes fits. With some of the
// formulas, its blank is at least as long as that of the box that does not fit, and refutes them.
func TestMinimalFormulaConflict(t *testing.T) {
	l := formulaLearner(t, time.Time{}, "2*width + depth", "width + 2*depth", "2*depth + height", "depth + 2*height")
	var (
		harmless  = fitAnswer{box: exact.Point{5, 5, 5}, fits: true}
		first     = fitAnswer{box: exact.Point{14, 2, 1}, fits: true}
		second    = fitAnswer{box: exact.Point{2, 14, 1}, fits: true}
		both      = fitAnswer{box: exact.Point{10, 10, 1}, fits: true} // refutes the first two formulas
		third     = fitAnswer{box: exact.Point{1, 14, 2}, fits: true}
		fourth    = fitAnswer{box: exact.Point{1, 2, 14}, fits: true}
		ofAnother = fitAnswer{box: exact.Point{10, 10, 10}, fits: true, article: 1}
		all       = fitAnswer{box: exact.Point{10, 10, 10}, fits: true}
		doesNot   = fitAnswer{box: exact.Point{10, 10, 10}}
		doesNot30 = fitAnswer{box: exact.Point{30, 30, 30}}
	)
	for _, test := range []struct {
		name    string
		answers []fitAnswer
		want    []int
	}{
		{"one answer refutes all formulas", []fitAnswer{first, second, third, fourth, all, doesNot}, []int{5, 6}},
		{"an answer about another article refutes them", []fitAnswer{first, second, third, fourth, ofAnother, doesNot}, []int{5, 6}},
		{"the fewest", []fitAnswer{first, second, third, fourth, both, doesNot}, []int{3, 4, 5, 6}},
		{"the fewest, the oldest first", []fitAnswer{both, third, first, fourth, second, doesNot}, []int{1, 2, 4, 6}},
		{"too many to look for the fewest", []fitAnswer{first, second, third, fourth, doesNot}, []int{1, 2, 3, 4, 5}},
		{"too many, and the oldest is not needed", []fitAnswer{harmless, first, second, third, fourth, doesNot}, []int{2, 3, 4, 5, 6}},
		{"too many, and others are not needed", []fitAnswer{first, harmless, second, doesNot30, third, fourth, doesNot}, []int{1, 3, 5, 6, 7}},
		{"too many, and older ones are preferred", []fitAnswer{first, second, third, fourth, fourth, doesNot}, []int{1, 2, 3, 4, 6}},
	} {
		var got []int
		for _, c := range minimalFormulaConflict(claimsOf(l, test.answers), l.chosenFormulas()) {
			got = append(got, c.Row)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: rows %v cannot all be true, want %v", test.name, got, test.want)
		}
	}
}

// TestFormulasExplain: claims can all be true if the smallest sheet that holds all blanks that fit is possible, and holds no
// blank that does not fit.
func TestFormulasExplain(t *testing.T) {
	l := formulaLearner(t, time.Time{}, "width")
	const longest = exact.MaxGrid / exact.Scale
	type claim struct {
		long, short int64
		fits        bool
		sheet       string
	}
	for _, test := range []struct {
		name   string
		claims []claim
		want   bool
	}{
		{"nothing", nil, true},
		{"a sheet of a step", []claim{{1, 1, true, "board"}}, true},
		{"no sheet is smaller than a step", []claim{{1, 1, false, "board"}}, false},
		{"a small sheet", []claim{{2, 1, false, "board"}}, true},
		{"the largest sheet", []claim{{longest, longest, true, "board"}}, true},
		{"no sheet is longer", []claim{{longest + 1, 1, true, "board"}}, false},
		{"the same size", []claim{{900, 500, true, "board"}, {900, 500, false, "board"}}, false},
		{"a step longer", []claim{{900, 500, true, "board"}, {901, 500, false, "board"}}, true},
		{"a step wider", []claim{{900, 500, true, "board"}, {900, 501, false, "board"}}, true},
		{"two together", []claim{{900, 500, true, "board"}, {800, 600, true, "board"}, {850, 550, false, "board"}}, false},
		{"in another order", []claim{{850, 550, false, "board"}, {800, 600, true, "board"}, {900, 500, true, "board"}}, false},
		{"two together, and just beyond", []claim{{900, 500, true, "board"}, {800, 600, true, "board"}, {850, 601, false, "board"}}, true},
		{"another sheet", []claim{{900, 500, true, "board"}, {900, 500, false, "card"}}, true},
	} {
		var claims []formulaClaim
		for _, c := range test.claims {
			at := state.Observation{At: exact.Point{c.long * exact.Scale, c.short * exact.Scale}}
			claims = append(claims, formulaClaim{at, c.fits, l.sheets[c.sheet], nil})
		}
		if got := formulasExplain(claims, nil); got != test.want {
			t.Errorf("%s: the claims can all be true: %v, want %v", test.name, got, test.want)
		}
	}
	// Without a formula, nothing is known about the blanks of these boxes.
	claims := claimsOf(l, []fitAnswer{{box: exact.Point{9, 9, 9}, fits: true}, {box: exact.Point{9, 9, 9}}})
	if !formulasExplain(claims, nil) || formulasExplain(claims, l.chosenFormulas()) {
		t.Error("claims about the same box: want that they contradict each other only if there is a formula")
	}
}

// TestOutdatedFormulas: if the answers since Options.Since agree with a formula, older ones give way. If only another
// formula agrees with them, the chosen one is withdrawn, and all old answers about sheets are forgotten.
func TestOutdatedFormulas(t *testing.T) {
	since := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	old, recent := since.AddDate(0, 0, -1), since
	type dated struct {
		fitAnswer
		date time.Time
	}
	const note = "none of the formulas tried for the blanks explains all of these answers"
	for _, test := range []struct {
		name    string
		answers []dated
		rows    []int // of the contradiction, if there is one
		kept    []int // of what is known about boxes that fit or do not
		chosen  bool  // whether the first formula is still chosen
	}{
		{"an old answer gives way", []dated{
			{fitAnswer{box: exact.Point{10, 4, 4}, fits: true}, old},
			{fitAnswer{box: exact.Point{3, 3, 3}, fits: true}, old},
			{fitAnswer{box: exact.Point{8, 4, 4}}, recent},
		}, nil, []int{2, 3}, true},
		{"an answer without a date is not old", []dated{
			{fitAnswer{box: exact.Point{10, 4, 4}, fits: true}, time.Time{}},
			{fitAnswer{box: exact.Point{3, 3, 3}, fits: true}, old},
			{fitAnswer{box: exact.Point{8, 4, 4}}, recent},
		}, []int{1, 3}, []int{2, 3}, true},
		{"the newest answer has an old date", []dated{
			{fitAnswer{box: exact.Point{10, 4, 4}, fits: true}, recent},
			{fitAnswer{box: exact.Point{8, 4, 4}}, old},
		}, []int{1, 2}, []int{2}, true},
		{"another formula", []dated{
			{fitAnswer{box: exact.Point{12, 8, 5}}, recent},
			{fitAnswer{box: exact.Point{11, 3, 5}, fits: true}, recent},
			{fitAnswer{box: exact.Point{5, 6, 9}}, recent},
		}, nil, []int{1, 2, 3}, false},
		{"another formula for the recent answers", []dated{
			{fitAnswer{box: exact.Point{10, 20, 5}, fits: true}, old},
			{fitAnswer{box: exact.Point{12, 8, 5}}, recent},
			{fitAnswer{box: exact.Point{2, 2, 2}, fits: true}, old},
			{fitAnswer{box: exact.Point{11, 3, 5}, fits: true}, recent},
			{fitAnswer{box: exact.Point{5, 6, 9}}, recent},
		}, nil, []int{2, 4, 5}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := formulaLearner(t, since, "width", "depth")
			p := l.profiles[0]
			var rows []int
			for i, a := range test.answers {
				code := boxrules.BOX_4100
				if a.fits {
					code = ""
				}
				var c *Contradiction
				if err := l.Add(Answer{Box: p.box(a.grid()), Code: code, Date: a.date}); errors.As(err, &c) {
					if i < len(test.answers)-1 || c.Note != note {
						t.Errorf("row %d: %v, want %s", i+1, c, note)
					}
					rows = c.Rows
				} else if err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(rows, test.rows) {
				t.Errorf("rows %v contradict each other, want %v", rows, test.rows)
			}
			var kept []int
			for _, o := range slices.Concat(p.fitting.Contained, p.fitting.Excluded) {
				kept = append(kept, o.Row)
			}
			if slices.Sort(kept); !slices.Equal(kept, test.kept) {
				t.Errorf("rows %v are kept, want %v", kept, test.kept)
			}
			if chosen := p.article.chosenCandidate == p.article.candidates[0]; chosen != test.chosen || !chosen && p.article.chosenCandidate != nil {
				t.Errorf("the formula is still chosen: %v, want %v", chosen, test.chosen)
			}
		})
	}
}

// TestFormulaFreeSets: what is known about a sheet apart from formulas is in the set of the sheet, and in those of the
// products on this sheet whose formula is chosen.
func TestFormulaFreeSets(t *testing.T) {
	l := formulaLearner(t, time.Time{}, "width")
	name := func(s *state.Set) string {
		for _, p := range l.profiles {
			if s == p.fitting.Observations() {
				return p.article.Code + " in " + p.material
			}
			if s == p.sheet.WithoutFormulas.Observations() {
				return "sheet of " + p.material
			}
		}
		return "another"
	}
	check := func(sheet *state.Sheet, want ...string) {
		t.Helper()
		var got []string
		for _, s := range l.formulaFreeSets(sheet) {
			got = append(got, name(s))
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("the sets are %q, want %q", got, want)
		}
	}
	check(nil, "case in board", "case in card", "sheet of board", "sheet of card", "tray in board", "tray in card")
	check(l.sheets["card"], "case in card", "sheet of card", "tray in card")
	l.adoptFormulas(map[*article]*candidate{l.articles[0]: nil})
	check(l.sheets["card"], "sheet of card", "tray in card")
	l.adoptFormulas(map[*article]*candidate{l.articles[1]: nil})
	check(nil)
}
