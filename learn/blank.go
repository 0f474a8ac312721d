package learn

import (
	"math"
	"math/big"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/limits"
)

// A blank computes the sides of the flat blank, rounded up to the grid of sheets: a sheet holds the
// blank where its own sides are not smaller.
type blank struct {
	*exact.Blank
	step int64
}

func newBlank(b *exact.Blank, step int64) (*blank, error) {
	made := &blank{b, step}
	// What is asked of the blank in proofs must have a form on the grid.
	for _, c := range []int64{0, exact.MaxGrid} {
		for _, side := range []bool{false, true} {
			if _, err := made.beyond(side, c); err != nil {
				return nil, err
			}
		}
	}
	return made, nil
}

// rounded returns a side of the blank on the grid of sheets, rounded up.
func (b *blank) rounded(side exact.Value, at exact.Point) int64 {
	if r, ok := side.Ratio(at); ok && max(r.Num, -r.Num) < math.MaxInt64/exact.Scale {
		return exact.CeilDiv(r.Num*exact.Scale, r.Den*b.step) * b.step
	}
	steps := new(big.Rat).Mul(side.At(at), big.NewRat(-exact.Scale, b.step))
	whole := new(big.Int).Div(steps.Num(), steps.Denom())
	if whole.BitLen() > 53 {
		return int64(-whole.Sign()) << 53 // longer than any sheet, or nothing
	}
	return -whole.Int64() * b.step
}

// sides returns the longer and the shorter side of the least sheet that holds the blank of a box.
func (b *blank) sides(at exact.Point) (long, short int64) {
	width, height := b.rounded(b.Width, at), b.rounded(b.Height, at)
	return max(width, height, b.step), max(min(width, height), b.step)
}

// beyond returns where the longer side of the blank, or with short the shorter, exceeds a side of a
// sheet.
func (b *blank) beyond(short bool, side int64) (exact.Tree, error) {
	v, err := exact.Extreme(!short, b.Width, b.Height).Add(exact.Constant(big.NewRat(-side, exact.Scale)))
	if err != nil {
		return exact.Tree{}, err
	}
	t, err := exact.AboveZero(v, false)
	return t.Folded(), err
}

// tree returns what beyond does. It cannot fail, as newBlank has tried the least side and the
// greatest.
func (b *blank) tree(short bool, side int64) exact.Tree {
	t, err := b.beyond(short, side)
	if err != nil {
		panic(err)
	}
	return t
}

// observations keeps which boxes fit and which do not, for an article whose blank is not known. A
// box that is smaller than one that fits is taken to fit too, and one that is larger than one that
// does not, not to fit.
type observations struct {
	fits, exceeds []observation
	clashes
}

type observation struct {
	at exact.Point
	evidence
}

func inside(p, q exact.Point) bool { return p[0] <= q[0] && p[1] <= q[1] && p[2] <= q[2] }

// learn adds a box that fits, or does not. Where older boxes contradict it, it returns the newest
// of those and forgets all up to that.
func (t *observations) learn(at exact.Point, fits bool, e evidence) (old evidence, contradicts bool) {
	same, other := &t.fits, &t.exceeds
	implies := func(p, q exact.Point) bool { return inside(q, p) } // that p has the answer says that q has
	if !fits {
		same, other, implies = other, same, inside
	}
	for _, o := range *other {
		if implies(at, o.at) && o.seq > old.seq {
			old, contradicts = o.evidence, true
		}
	}
	if contradicts {
		forgotten := func(o observation) bool { return o.seq <= old.seq }
		t.fits, t.exceeds = slices.DeleteFunc(t.fits, forgotten), slices.DeleteFunc(t.exceeds, forgotten)
	}
	*same = append(slices.DeleteFunc(*same, func(o observation) bool { return implies(at, o.at) }), observation{at, e})
	return old, contradicts
}

// possible reports whether the blank of the box may fit, and whether it may not.
func (t *observations) possible(at exact.Point) (fits, exceeds bool) {
	fits = !slices.ContainsFunc(t.exceeds, func(o observation) bool { return inside(o.at, at) })
	exceeds = !slices.ContainsFunc(t.fits, func(o observation) bool { return inside(at, o.at) })
	return fits, exceeds
}

// A candidate is a formula that the blank of an article may have, with what the answers say of
// sheets if it has.
type candidate struct {
	given  *limits.Blank
	blanks map[string]*blank // by material
	sheets map[string]*sheet // by code
	out    bool              // answers contradict it
}

// candidates gives an article without a blank each formula of Options.Blanks, once.
func (l *Learner) candidates(a *article) error {
	if l.options.Blanks == nil || l.size == "" {
		return nil
	}
	seen := make(map[string]bool)
	for _, from := range l.options.Blanks.Articles() {
		if from.Blank == nil || blankVariable(from.Blank) != "" || seen[from.Blank.Width.String()+"\x00"+from.Blank.Height.String()] {
			continue
		}
		seen[from.Blank.Width.String()+"\x00"+from.Blank.Height.String()] = true
		c := &candidate{given: from.Blank, blanks: make(map[string]*blank), sheets: make(map[string]*sheet)}
		for _, p := range a.profiles {
			made, err := l.engine.Profile(a.Code, p.material.Code)
			if err != nil {
				return err
			}
			variables := made.Exact().Variables
			width, err := from.Blank.Width.Value(variables)
			if err != nil {
				return err
			}
			height, err := from.Blank.Height.Value(variables)
			if err != nil {
				return err
			}
			if c.blanks[p.material.Code], err = newBlank(&exact.Blank{Width: width.Value, Height: height.Value}, l.step); err != nil {
				return err
			}
			c.sheets[p.sheet.code] = &sheet{code: p.sheet.code, step: l.step}
		}
		a.candidates = append(a.candidates, c)
	}
	return nil
}

// learn takes an answer about a sheet, and rules the formula out if no sheet explains it.
func (c *candidate) learn(p *profile, at exact.Point, fits bool, e evidence) {
	of := corner{evidence: e}
	of.long, of.short = c.blanks[p.material.Code].sides(at)
	s := c.sheets[p.sheet.code]
	c.out = c.out || s.impossible(of, fits) || len(s.learn(of, fits)) > 0
}

// sheet returns what is known of a sheet if the article has the formula: what the article's answers
// say, and what those of other articles do.
func (c *candidate) sheet(s *sheet) *sheet {
	own, joined := c.sheets[s.code], *s
	joined.fits, joined.exceeds = slices.Concat(s.fits, own.fits), slices.Concat(s.exceeds, own.exceeds)
	return &joined
}

// left returns the candidates that no answer contradicts.
func (a *article) left() []*candidate {
	var left []*candidate
	for _, c := range a.candidates {
		for _, p := range a.profiles {
			c.out = c.out || c.sheet(p.sheet).conflict() != nil
		}
		if !c.out {
			left = append(left, c)
		}
	}
	return left
}

// withBlank returns the profile as it is if its blank is the candidate's.
func (p *profile) withBlank(c *candidate) *profile {
	own := *p
	own.blank, own.sheet = c.blanks[p.material.Code], c.sheet(p.sheet)
	return &own
}

// hypotheses returns the profile with each blank that it may have: itself where its blank is known,
// and nothing where rules do not ask for a size.
func (l *Learner) hypotheses(p *profile) []*profile {
	switch {
	case l.size == "":
		return nil
	case p.blank != nil:
		return []*profile{p}
	}
	var all []*profile
	for _, c := range p.article.left() {
		all = append(all, p.withBlank(c))
	}
	return all
}

// border returns pairs of boxes of a profile whose blank is known: one that fits, and a neighbour
// that does not. They lie far apart on the border between the two. The answers to them confirm a
// formula that was chosen among some, since one that only looked right is wrong at some of them.
func (l *Learner) border(p *profile) [][2]exact.Point {
	var pairs [][2]exact.Point
	unit := l.unit()
	exceeds := p.large()
	fits := append(p.kept(len(p.holds)), exact.Not(exceeds))
	for grown := range exact.Axes {
		conditions := slices.Clone(fits)
		for _, kept := range append(p.kept(len(p.holds)), exceeds) {
			conditions = append(conditions, shifted(kept, grown, unit))
		}
		low, high := p.article.widest()
		high[grown] -= unit
		for axis := range exact.Axes {
			for _, direction := range []int64{-1, 1} {
				if axis == grown {
					continue
				}
				at, answer := l.work.GreatestOn(unit, polytope.Cube(low, high), axis, direction, conditions...)
				beyond := at
				beyond[grown] += unit
				pair := [2]exact.Point{at, beyond}
				if answer == polytope.Something && !slices.Contains(pairs, pair) {
					pairs = append(pairs, pair)
				}
			}
		}
	}
	return pairs
}

// shifted returns where the tree holds for the box that is longer by d along the axis.
func shifted(t exact.Tree, axis int, d int64) exact.Tree {
	if t.Kind == exact.Half {
		t.Half.K -= t.Half.A[axis] * d
		return t
	}
	parts := make([]exact.Tree, len(t.Parts))
	for i, part := range t.Parts {
		parts[i] = shifted(part, axis, d)
	}
	t.Parts = parts
	return t
}

// confirmBlank takes up a formula for an article that has none, where the answers confirm one. Else
// it returns the boxes that are still to be asked for that, if any are.
func (l *Learner) confirmBlank(a *article) []boxrules.Box {
	left := a.left()
	if a.Blank != nil || len(left) == 0 {
		return nil
	}
	for _, p := range a.profiles {
		for _, c := range left {
			if _, answer := l.find(p.withBlank(c), 1, p.withBlank(c).exceeding()...); answer != polytope.Nothing {
				return nil
			}
		}
		if _, answer := l.differ(p, 1, left); answer != polytope.Nothing {
			return nil
		}
	}
	return l.unconfirmed(a, left[0]) // several may be left that give the same verdicts
}

// differ looks for a box about which formulas disagree: as far as the sheet is known to reach, its
// blank fits with one of them, and does not with another.
func (l *Learner) differ(p *profile, finest int64, formulas []*candidate) (exact.Point, polytope.Answer) {
	if len(formulas) < 2 {
		return exact.Point{}, polytope.Nothing
	}
	answer := polytope.Nothing
	first := p.withBlank(formulas[0])
	for _, c := range formulas[1:] {
		other := p.withBlank(c)
		for _, conditions := range [][]exact.Tree{
			append(p.kept(len(p.holds)), exact.Not(first.large()), other.large()), append(p.kept(len(p.holds)), exact.Not(other.large()), first.large()),
		} {
			at, found := l.find(p, finest, conditions...)
			if found == polytope.Something {
				return at, found
			}
			if found == polytope.Undecided {
				answer = found
			}
		}
	}
	return exact.Point{}, answer
}

// large returns where the blank exceeds the corner that the sheet is known to reach.
func (p *profile) large() exact.Tree {
	reach := p.sheet.corner()
	return exact.AnyOf(p.blank.tree(false, reach.long), p.blank.tree(true, reach.short))
}

// unconfirmed returns the boxes on the border of a formula whose answers are not known yet. Where
// the answers to all of them are known, in every material, they confirm the formula: from then on
// it is the article's.
func (l *Learner) unconfirmed(a *article, c *candidate) []boxrules.Box {
	var boxes []boxrules.Box
	var rows []int
	for _, p := range a.profiles {
		for _, pair := range l.border(p.withBlank(c)) {
			for i, at := range pair {
				fits, exceeds := p.observations.possible(at)
				if fits != exceeds && fits != (i == 0) {
					c.out = true
					return nil
				}
				if box := p.box(at); fits && exceeds && !l.skipped[box] {
					boxes = append(boxes, box)
				} else if row := p.observations.row(at, i == 0); row != 0 && !slices.Contains(rows, row) {
					rows = append(rows, row)
				}
			}
		}
	}
	if len(boxes) > 0 || len(rows) == 0 {
		return boxes
	}
	a.Blank, a.confirmed = c.given, rows
	for _, p := range a.profiles {
		p.blank = c.blanks[p.material.Code]
		*p.sheet = *c.sheet(p.sheet)
		own := c.sheets[p.sheet.code]
		own.fits, own.exceeds = nil, nil
	}
	return nil
}

// row returns the row of an answer that says whether the box fits, and 0 where none does.
func (t *observations) row(at exact.Point, fits bool) int {
	for _, o := range t.fits {
		if fits && inside(at, o.at) {
			return o.row
		}
	}
	for _, o := range t.exceeds {
		if !fits && inside(o.at, at) {
			return o.row
		}
	}
	return 0
}
