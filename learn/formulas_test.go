package learn_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// guesses are formulas that are tried, each also in Go: the sides in twelfths of a thousandth.
var guesses = []gen.Flat{
	{Width: "width", Height: "depth", Sides: func(s gen.Size) (int64, int64) { return 12 * s.W, 12 * s.D }},
	{Width: "width", Height: "height", Sides: func(s gen.Size) (int64, int64) { return 12 * s.W, 12 * s.H }},
	{Width: "width + depth", Height: "height", Sides: func(s gen.Size) (int64, int64) { return 12 * (s.W + s.D), 12 * s.H }},
	{Width: "width + 2*height", Height: "depth + height", Sides: func(s gen.Size) (int64, int64) {
		return 12 * (s.W + 2*s.H), 12 * (s.D + s.H)
	}},
	{Width: "max(width, depth)", Height: "height + 1", Sides: func(s gen.Size) (int64, int64) {
		return 12 * max(s.W, s.D), 12 * (s.H + 1000)
	}},
}

// A guessing is a world in which formulas are tried, and a hidden limit file in it.
type guessing struct {
	*world
	hidden *gen.DomainFile
	blanks *limits.Catalogue
}

// newGuessing draws one or two articles, the first without a blank in the frame.
func newGuessing(t testing.TB, r *rand.Rand) *guessing {
	d := &gen.Domain{Step: 1000, LimitValues: 6, Max: 6, Decimals: r.IntN(2), HasSizeRule: true, MaxSide: 22, Tests: gen.LimitTests()}
	for i := range 1 + r.IntN(2) {
		sheet := r.IntN(i + 1)
		if sheet == len(d.Sheets) {
			d.Sheets = append(d.Sheets, fmt.Sprintf("s%d", sheet))
		}
		d.Materials = append(d.Materials, gen.DomainMaterial{Code: fmt.Sprintf("m%d", i), Caliper: 1000, Sheet: sheet})
	}
	for i := range 1 + r.IntN(2) {
		a := gen.DomainArticle{Code: fmt.Sprintf("a%d", i), Blank: &guesses[r.IntN(len(guesses))], BlankInFrame: i > 0 && r.IntN(2) == 0}
		for m := range d.Materials {
			a.Materials = append(a.Materials, m)
		}
		d.Articles = append(d.Articles, a)
	}
	g := &guessing{world: worldOf(t, d), hidden: d.NewFile(r.IntN)}
	for i := range g.hidden.Sheets {
		g.hidden.Sheets[i] = [2]int64{2 + r.Int64N(9), 2 + r.Int64N(9)}
	}
	text := "version: 1\nunit: mm\nmaterials:\n  m: {caliper: 1, glue_flap: 0}\narticles:\n"
	for i, f := range guesses {
		text += fmt.Sprintf("  f%d: {materials: [m], blank: {width: %q, height: %q}}\n", i, f.Width, f.Height)
	}
	g.blanks = frameOf(t, text)
	return g
}

// explained reports whether some limit file gives all the answers, with some formula for each
// article whose blank the frame does not have. It tries them all.
func (g *guessing) explained(rows []row) bool {
	all := g.whole()
	for _, r := range rows {
		all = all.and(g.tells(r))
	}
	if all.fits = nil; all.empty() {
		return false
	}
	formulas := make([]int, len(g.Articles))
	var try func(a int) bool
	try = func(a int) bool {
		if a == len(g.Articles) {
			return g.sheetsExplain(rows, formulas)
		}
		for i := range guesses {
			formulas[a] = i
			if (!g.Articles[a].BlankInFrame || g.Articles[a].Blank == &guesses[i]) && try(a+1) {
				return true
			}
		}
		return false
	}
	return try(0)
}

// sheetsExplain reports whether some size for each sheet gives the answers that tell of it, with
// these formulas.
func (g *guessing) sheetsExplain(rows []row, formulas []int) bool {
	for sheet := range g.Sheets {
		if !slices.ContainsFunc(g.sizes, func(size [2]int64) bool {
			return !slices.ContainsFunc(rows, func(r row) bool {
				if r.code != "" && r.code != boxrules.BOX_4100 || g.Materials[r.material].Sheet != sheet {
					return false
				}
				x, y := guesses[formulas[r.article]].Sides(g.SizeOf(r.article, r.material, r.at))
				fits := max(x, y) <= size[0]*g.Step*12 && min(x, y) <= size[1]*g.Step*12
				return fits != (r.code == "")
			})
		}) {
			return false
		}
	}
	return true
}

// fewerAreEnough reports whether fewer than n of the rows, with the last of them, cannot all be
// true.
func (g *guessing) fewerAreEnough(rows []row, n int) bool {
	last := len(rows) - 1
	var choose func(chosen []row, from int) bool
	choose = func(chosen []row, from int) bool {
		if !g.explained(chosen) {
			return true
		}
		if len(chosen) == n-1 {
			return false
		}
		for i := from; i < last; i++ {
			if choose(append(slices.Clip(chosen), rows[i]), i+1) {
				return true
			}
		}
		return false
	}
	return choose([]row{rows[last]}, 0)
}

// TestGuessedContradiction: rows that are named cannot all be true whichever of the formulas the
// blank has, not only with the one that was chosen, and fewer rows would not do. An answer that
// another formula explains contradicts nothing.
func TestGuessedContradiction(t *testing.T) {
	t.Parallel()
	decided, more := 0, 0
	named := make(map[int]int)
	for seed := range lab.Draws(15, 150) {
		r := rand.New(rand.NewPCG(uint64(seed), 31))
		g := newGuessing(t, r)
		o := g.options()
		o.Blanks = g.blanks
		l, err := learn.New(g.rules, g.frame, o)
		if err != nil {
			t.Fatal(err)
		}
		var rows []row
		consistent := true
		add := func(a row) {
			a.number = len(rows) + 1
			rows = append(rows, a)
			box := g.box(a.article, a.material, a.at)
			err := l.Add(learn.Answer{Box: box, Code: a.code})
			var c *learn.Contradiction
			if err != nil && !errors.As(err, &c) {
				t.Fatal(err)
			}
			if c == nil {
				return
			}
			var told []row
			for _, number := range c.Rows {
				told = append(told, rows[number-1])
			}
			if named[len(told)]++; g.explained(told) {
				t.Fatalf("seed %d, row %d: %v, but these can all be true: %+v", seed, a.number, c, told)
			}
			if consistent && len(told) > 3 {
				more++
			}
			for i := range told {
				if len(told) > 4 && !g.explained(slices.Delete(slices.Clone(told), i, i+1)) {
					t.Fatalf("seed %d, row %d: %v, but %d can be left out", seed, a.number, c, told[i].number)
				}
			}
			if consistent && g.fewerAreEnough(rows, min(len(told), 4)) {
				t.Fatalf("seed %d, row %d: %v, but fewer rows cannot all be true", seed, a.number, c)
			}
			consistent = false
		}
		for range 60 {
			next := l.Next(1)
			if len(next) == 0 {
				break
			}
			at, _ := next[0].Grid()
			a := row{at: at}
			a.article = slices.IndexFunc(g.Articles, func(a gen.DomainArticle) bool { return a.Code == next[0].Article })
			a.material = slices.IndexFunc(g.Materials, func(m gen.DomainMaterial) bool { return m.Code == next[0].Material })
			a.code = g.code(g.hidden, a.article, a.material, a.at)
			add(a)
		}
		chosen := func() bool { // whether no formula is open
			return !slices.ContainsFunc(l.Facts(), func(f learn.Fact) bool { return f.Blank != nil && f.Formula == nil })
		}
		if !consistent || !chosen() {
			continue
		}
		decided++
		for range 12 {
			a := row{article: r.IntN(len(g.Articles)), material: r.IntN(len(g.Materials))}
			for axis := range exact.Axes {
				a.at[axis] = (1 + r.Int64N(g.LimitValues)) * g.Step
			}
			a.code = g.code(g.hidden, a.article, a.material, a.at)
			if a.code == "" && r.IntN(2) == 0 {
				a.code = boxrules.BOX_4100
			} else if a.code == boxrules.BOX_4100 && r.IntN(2) == 0 {
				a.code = ""
			}
			complete := consistent && chosen()
			add(a)
			if complete && consistent != g.explained(rows) {
				t.Fatalf("seed %d, row %d: some file gives all answers: %v, and Add finds no contradiction: %v",
					seed, len(rows), !consistent, consistent)
			}
		}
	}
	t.Logf("%d formulas chosen, contradictions by rows %v, %d of more than three", decided, named, more)
}
