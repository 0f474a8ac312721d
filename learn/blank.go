package learn

import (
	"math"
	"math/big"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/learn/internal/state"
	"example.com/boxrules/limits"
)

// A blank computes the sides of the flat blank, rounded up to the grid of sheets: a sheet holds the
// blank where its own sides are not smaller.
type blank struct {
	*exact.Blank
	step     int64
	formulas *limits.Blank
	rounding [2]float64 // of width and height, as of exact.Variable
	lengths  lengths
}

func newBlank(b *limits.Blank, variables map[string]exact.Variable, step int64) (*blank, error) {
	width, err := b.Width.Value(variables)
	if err != nil {
		return nil, err
	}
	height, err := b.Height.Value(variables)
	if err != nil {
		return nil, err
	}
	made := &blank{
		Blank: &exact.Blank{Width: width.Value, Height: height.Value}, step: step,
		formulas: b, rounding: [2]float64{width.Rounding, height.Rounding}, lengths: newLengths(variables),
	}
	// What is asked of the blank in proofs must have a form on the grid.
	for _, c := range []int64{0, exact.MaxGrid} {
		for side := range state.Sides {
			if _, err := made.tryLonger(side, c); err != nil {
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

// sides returns the size of the least sheet that holds the blank of a box.
func (b *blank) sides(at exact.Point) exact.Point {
	return b.sheet(b.rounded(b.Width, at), b.rounded(b.Height, at))
}

// sheet returns the size of a sheet for a blank with the sides.
func (b *blank) sheet(width, height int64) exact.Point {
	return exact.Point{max(width, height, b.step), max(min(width, height), b.step)}
}

// tryLonger returns where a side of the blank, the long or the short one, exceeds a length.
func (b *blank) tryLonger(side int, length int64) (exact.Region, error) {
	v, err := exact.Extreme(side == state.Long, b.Width, b.Height).Add(exact.Constant(big.NewRat(-length, exact.Scale)))
	if err != nil {
		return exact.Region{}, err
	}
	return exact.AboveZero(v, false)
}

// longer does the same as tryLonger. It cannot fail, as newBlank has tried the least length and the
// greatest.
func (b *blank) longer(side int, length int64) exact.Region {
	t, err := b.tryLonger(side, length)
	if err != nil {
		panic(err)
	}
	return t
}

// A candidate is a formula that the blank of an article may have.
type candidate struct {
	given  *limits.Blank
	blanks map[string]*blank // by material
}

// readCandidates gives an article without a blank each formula of Options.Blanks, once.
func (l *Learner) readCandidates(a *article) {
	if a.Blank != nil || l.options.Blanks == nil || !l.sized {
		return
	}
	for _, from := range l.options.Blanks.Articles() {
		b := from.Blank
		same := func(c *candidate) bool {
			return c.given.Width.Text == b.Width.Text && c.given.Height.Text == b.Height.Text
		}
		if b != nil && learnedNameIn(b) == "" && !slices.ContainsFunc(a.candidates, same) {
			a.guessed, a.candidates = true, append(a.candidates, &candidate{b, make(map[string]*blank)})
		}
	}
}

// read computes the blank of the formula in a material with these variables.
func (c *candidate) read(material string, variables map[string]exact.Variable, step int64) (err error) {
	c.blanks[material], err = newBlank(c.given, variables, step)
	return err
}

// sheetWith returns what is known of a sheet if the article has the formula. ok is false where the
// article's answers contradict that.
func (a *article) sheetWith(s *state.Sheet, c *candidate) (joined *state.Sheet, ok bool) {
	joined = s.Clone()
	for _, p := range a.profiles {
		if p.sheet != s {
			continue
		}
		for _, fits := range []bool{true, false} {
			observations := p.fits.Excluded
			if fits {
				observations = p.fits.Contained
			}
			for _, o := range observations {
				o.At = c.blanks[p.material].knownSize(o.At, fits)
				if joined.Unexplained(o.At, fits) || joined.Observe(o, fits) != nil {
					return nil, false
				}
			}
		}
	}
	return joined, true
}

// left returns the candidates that no answer contradicts.
func (a *article) left() []*candidate {
	if a.Blank != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a.candidates), func(c *candidate) bool {
		return slices.ContainsFunc(a.profiles, func(p *profile) bool {
			_, ok := a.sheetWith(p.sheet, c)
			return !ok
		})
	})
}

// withBlank returns the profile as it is if its blank is the candidate's.
func (p *profile) withBlank(c *candidate) *profile {
	own := *p
	own.blank = c.blanks[p.material]
	own.sheet, _ = p.article.sheetWith(p.sheet, c)
	return &own
}

// hypotheses returns the profile with each blank that it may have: itself where its blank is known,
// and nothing where rules do not ask for a size.
func (l *Learner) hypotheses(p *profile) []*profile {
	switch {
	case !l.sized:
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
// undecided reports whether a search for some was given up.
func (l *Learner) border(p *profile) (pairs [][2]exact.Point, undecided bool) {
	unit := l.askStep()
	exceeds := p.beyond(p.sheet.Corner())
	fits := append(p.kept(len(p.holds)), exact.Not(exceeds))
	for grown := range exact.Axes {
		conditions := slices.Clone(fits)
		for _, kept := range append(p.kept(len(p.holds)), exceeds) {
			conditions = append(conditions, kept.Shift(grown, -unit))
		}
		low, high := p.article.widest()
		high[grown] -= unit
		for axis := range exact.Axes {
			for _, direction := range []int64{-1, 1} {
				if axis == grown {
					continue
				}
				conditions := conditions
				for range maxBorderline {
					at, answer := l.search(unit).Extreme(polytope.Cube(low, high), axis, direction, conditions...)
					undecided = undecided || answer == polytope.Undecided
					if answer != polytope.Something {
						break
					}
					beyond := at
					beyond[grown] += unit
					if _, agreed := l.agreed(p, at); agreed {
						if pair := [2]exact.Point{at, beyond}; !slices.Contains(pairs, pair) {
							pairs = append(pairs, pair)
						}
						break
					}
					conditions = append(slices.Clip(conditions), except(at))
				}
			}
		}
	}
	return pairs, undecided
}

// confirmBlanks takes up the formulas that answers confirm.
func (l *Learner) confirmBlanks() {
	for _, a := range l.articles {
		l.confirmBlank(a)
	}
}

// confirmBlank takes up a formula for an article that has none, where the answers confirm one. Else
// it returns the boxes that are still to be asked for that, if any are. open reports whether some
// box tells more of the blank.
func (l *Learner) confirmBlank(a *article) (boxes []boxrules.Box, open bool) {
	left := a.left()
	if len(left) == 0 {
		return nil, false
	}
	for _, p := range a.profiles {
		hypotheses := l.hypotheses(p)
		for _, own := range hypotheses {
			if _, answer := l.find(own, l.taken, own.exceeding()...); answer != polytope.Nothing {
				return nil, true
			}
		}
		if _, answer := l.differ(p, l.taken, hypotheses); answer != polytope.Nothing {
			return nil, true
		}
	}
	return l.unconfirmed(a, left[0]) // several may be left that give the same verdicts
}

// differ looks for a box about which hypotheses disagree: as far as the sheet is known to reach,
// its blank fits with one of them, and does not with another.
func (l *Learner) differ(p *profile, finest int64, hypotheses []*profile) (exact.Point, polytope.Answer) {
	answer := polytope.Nothing
	large := func(own *profile) exact.Region { return own.beyond(own.sheet.Corner()) }
	for i := 1; i < len(hypotheses); i++ {
		first, other := large(hypotheses[0]), large(hypotheses[i])
		for _, differ := range [][]exact.Region{{exact.Not(first), other}, {first, exact.Not(other)}} {
			at, found := l.find(p, finest, append(p.kept(len(p.holds)), differ...)...)
			switch found {
			case polytope.Something:
				return at, found
			case polytope.Undecided:
				answer = found
			}
		}
	}
	return exact.Point{}, answer
}

// unconfirmed returns the boxes on the border of a formula whose answers are not known yet. Where
// the answers to all of them are known, in every material, they confirm the formula: from then on
// it is the article's. open reports whether there are such boxes, including those that got no answer.
func (l *Learner) unconfirmed(a *article, c *candidate) (boxes []boxrules.Box, open bool) {
	var rows []int
	for _, p := range a.profiles {
		pairs, undecided := l.border(p.withBlank(c))
		open = open || undecided
		for _, pair := range pairs {
			for i, at := range pair {
				row, fits := p.fits.RowOf(at)
				switch box := p.box(at); {
				case row != 0 && fits != (i == 0):
					a.candidates = slices.DeleteFunc(slices.Clone(a.candidates), func(o *candidate) bool { return o == c })
					return nil, true
				case row != 0 && !slices.Contains(rows, row):
					rows = append(rows, row)
				case row == 0:
					if open = true; !l.skipped[box] {
						boxes = append(boxes, box)
					}
				}
			}
		}
	}
	if len(boxes) > 0 || len(rows) == 0 {
		return boxes, open
	}
	l.choose(map[*article]*candidate{a: c})
	a.confirmed = rows
	for _, p := range a.profiles {
		// What answers contradict about the boxes that fit they contradict about the sheet from now on.
		if l.contradictions[p.sheet].last == nil {
			l.contradictions[p.sheet] = contradictions{l.contradictions[p.fits].last, l.contradictions[p.sheet].count}
		}
		delete(l.contradictions, p.fits)
	}
	return nil, false
}
