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

// A blank computes the sides of the flat blank of an article in a material, rounded up to the grid
// of sheets. A sheet holds the blank if none of its sides is smaller.
type blank struct {
	*exact.Blank
	step            int64
	formulas        *limits.Blank
	rounding        [2]float64 // of width and height, as of exact.Variable
	materialLengths materialLengths
}

// newBlank returns the blank of the formulas. It fails if a comparison of the blank with a sheet
// has no exact form on the grid.
func newBlank(formulas *limits.Blank, variables map[string]exact.Variable, step int64) (*blank, error) {
	width, err := formulas.Width.Value(variables)
	if err != nil {
		return nil, err
	}
	height, err := formulas.Height.Value(variables)
	if err != nil {
		return nil, err
	}
	result := &blank{
		Blank: &exact.Blank{Width: width.Value, Height: height.Value}, step: step,
		formulas: formulas, rounding: [2]float64{width.Rounding, height.Rounding}, materialLengths: newMaterialLengths(variables),
	}
	// What is asked of the blank in proofs must have a form on the grid.
	for _, c := range []int64{0, exact.MaxGrid} {
		for side := range state.Sides {
			if _, err := result.tryExceeds(side, c); err != nil {
				return nil, err
			}
		}
	}
	return result, nil
}

// roundedUp returns a side of the blank, rounded up to the grid of sheets.
func (b *blank) roundedUp(side exact.Value, at exact.Point) int64 {
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

// size returns the size of the smallest sheet that holds the blank of a box.
func (b *blank) size(at exact.Point) exact.Point {
	return b.sizeOf(b.roundedUp(b.Width, at), b.roundedUp(b.Height, at))
}

// sizeOf returns the size of the smallest sheet for a blank with these sides.
func (b *blank) sizeOf(width, height int64) exact.Point {
	return exact.Point{max(width, height, b.step), max(min(width, height), b.step)}
}

// tryExceeds returns the boxes for which a side of the blank, the longer or the shorter one,
// exceeds a length.
func (b *blank) tryExceeds(side int, length int64) (exact.Region, error) {
	v, err := exact.Extreme(side == state.Long, b.Width, b.Height).Add(exact.Constant(big.NewRat(-length, exact.Scale)))
	if err != nil {
		return exact.Region{}, err
	}
	return exact.AboveZero(v, false)
}

// exceeds does the same as tryExceeds. It cannot fail, because newBlank has tried the smallest and
// the greatest length.
func (b *blank) exceeds(side int, length int64) exact.Region {
	t, err := b.tryExceeds(side, length)
	if err != nil {
		panic(err)
	}
	return t
}

// A candidate is a formula that the blank of an article may have.
type candidate struct {
	formulas   *limits.Blank
	byMaterial map[string]*blank // by material
}

// addCandidates gives an article that has no blank every different formula of Options.Blanks.
func (l *Learner) addCandidates(a *article) {
	if a.Blank != nil || l.options.Blanks == nil || !l.hasSizeRule {
		return
	}
	for _, from := range l.options.Blanks.Articles() {
		b := from.Blank
		same := func(c *candidate) bool {
			return c.formulas.Width.Text == b.Width.Text && c.formulas.Height.Text == b.Height.Text
		}
		if b != nil && learnedNameIn(b) == "" && !slices.ContainsFunc(a.candidates, same) {
			a.triesFormulas, a.candidates = true, append(a.candidates, &candidate{b, make(map[string]*blank)})
		}
	}
}

// addMaterial compiles the formula for a material with these variables.
func (c *candidate) addMaterial(material string, variables map[string]exact.Variable, step int64) (err error) {
	c.byMaterial[material], err = newBlank(c.formulas, variables, step)
	return err
}

// sheetWith returns what is known of a sheet if the article has the formula: the boxes that are
// known to fit, or not to fit, are turned into sizes. ok is false if the answers contradict the
// formula.
func (a *article) sheetWith(s *state.Sheet, c *candidate) (joined *state.Sheet, ok bool) {
	joined = s.Clone()
	for _, p := range a.profiles {
		if p.sheet != s {
			continue
		}
		for _, fits := range []bool{true, false} {
			observations := p.fitting.Excluded
			if fits {
				observations = p.fitting.Contained
			}
			for _, o := range observations {
				o.At = c.byMaterial[p.material].knownSize(o.At, fits)
				if joined.Unexplained(o.At, fits) || joined.Observe(o, fits) != nil {
					return nil, false
				}
			}
		}
	}
	return joined, true
}

// consistentCandidates returns the formulas that no answer contradicts.
func (a *article) consistentCandidates() []*candidate {
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

// assuming returns the profile as it is if its blank is the candidate's.
func (p *profile) assuming(c *candidate) *profile {
	copied := *p
	copied.blank = c.byMaterial[p.material]
	copied.sheet, _ = p.article.sheetWith(p.sheet, c)
	return &copied
}

// hypotheses returns the profile with each blank that it may have: only itself if its blank is
// known, and nothing if no rule is about the size.
func (l *Learner) hypotheses(p *profile) []*profile {
	switch {
	case !l.hasSizeRule:
		return nil
	case p.blank != nil:
		return []*profile{p}
	}
	var all []*profile
	for _, c := range p.article.consistentCandidates() {
		all = append(all, p.assuming(c))
	}
	return all
}

// borderPairs returns pairs of boxes of a profile whose blank is known: one whose blank fits, and a
// neighbour whose blank does not. Their answers confirm a formula that was chosen among several,
// because a formula that only looked right is wrong about some of them.
//
// The border between what fits and what does not is a surface. To get pairs that lie far apart on
// it, borderPairs goes along each axis to the farthest box that fits and whose next larger
// neighbour does not. gaveUp reports whether one of these searches was given up.
func (l *Learner) borderPairs(p *profile) (pairs [][2]exact.Point, gaveUp bool) {
	step := l.askStep()
	exceeds := p.exceedsSheet(p.sheet.Corner())
	fits := append(p.allowed(len(p.violated)), exact.Not(exceeds))
	for growAxis := range exact.Axes {
		conditions := slices.Clone(fits)
		for _, condition := range append(p.allowed(len(p.violated)), exceeds) {
			conditions = append(conditions, condition.Shift(growAxis, -step))
		}
		low, high := p.article.widestLimits()
		high[growAxis] -= step
		for axis := range exact.Axes {
			for _, direction := range []int64{-1, 1} {
				if axis == growAxis {
					continue
				}
				conditions := conditions
				for range maxBorderline {
					at, answer := l.search(step).Extreme(polytope.Cube(low, high), axis, direction, conditions...)
					gaveUp = gaveUp || answer == polytope.Undecided
					if answer != polytope.Something {
						break
					}
					beyond := at
					beyond[growAxis] += step
					if _, agreed := l.certainComparisons(p, at); agreed {
						if pair := [2]exact.Point{at, beyond}; !slices.Contains(pairs, pair) {
							pairs = append(pairs, pair)
						}
						break
					}
					conditions = append(slices.Clip(conditions), otherThan(at))
				}
			}
		}
	}
	return pairs, gaveUp
}

// adoptConfirmedBlanks gives articles without a blank the formulas that answers confirm.
func (l *Learner) adoptConfirmedBlanks() {
	for _, a := range l.articles {
		l.adoptConfirmedBlank(a)
	}
}

// adoptConfirmedBlank gives an article that has no blank the formula that answers confirm, if they
// confirm one. If they do not, it returns the boxes that still have to be asked to confirm it.
// isOpen reports whether some box tells more about the blank.
func (l *Learner) adoptConfirmedBlank(a *article) (boxes []boxrules.Box, open bool) {
	candidates := a.consistentCandidates()
	if len(candidates) == 0 {
		return nil, false
	}
	for _, p := range a.profiles {
		hypotheses := l.hypotheses(p)
		for _, hypothesis := range hypotheses {
			if _, answer := l.find(hypothesis, l.answerGrid, hypothesis.informative()...); answer != polytope.Nothing {
				return nil, true
			}
		}
		if _, answer := l.findDisagreement(p, l.answerGrid, hypotheses); answer != polytope.Nothing {
			return nil, true
		}
	}
	return l.adoptIfConfirmed(a, candidates[0]) // several may be left that give the same verdicts
}

// findDisagreement looks for a box about which two hypotheses disagree: with one of them its blank
// fits a sheet that is just as large as it is known to be, and with the other it does not.
func (l *Learner) findDisagreement(p *profile, finest int64, hypotheses []*profile) (exact.Point, polytope.Answer) {
	answer := polytope.Nothing
	exceedsKnownSheet := func(own *profile) exact.Region { return own.exceedsSheet(own.sheet.Corner()) }
	for i := 1; i < len(hypotheses); i++ {
		first, other := exceedsKnownSheet(hypotheses[0]), exceedsKnownSheet(hypotheses[i])
		for _, differ := range [][]exact.Region{{exact.Not(first), other}, {first, exact.Not(other)}} {
			at, found := l.find(p, finest, append(p.allowed(len(p.violated)), differ...)...)
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

// adoptIfConfirmed gives the article the formula if the answers to all boxes on its border, in
// every material, are known and agree with it. If some are not known it returns these boxes. isOpen
// reports whether there are such boxes, including those that got no answer. A formula that an
// answer refutes is no candidate any more.
func (l *Learner) adoptIfConfirmed(a *article, c *candidate) (boxes []boxrules.Box, open bool) {
	var rows []int
	for _, p := range a.profiles {
		pairs, undecided := l.borderPairs(p.assuming(c))
		open = open || undecided
		for _, pair := range pairs {
			for i, at := range pair {
				row, fits := p.fitting.RowOf(at)
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
	l.adopt(map[*article]*candidate{a: c})
	a.confirmingRows = rows
	for _, p := range a.profiles {
		// What answers contradict about the boxes that fit they contradict about the sheet from now on.
		if l.contradictions[p.sheet].last == nil {
			l.contradictions[p.sheet] = contradictions{l.contradictions[p.fitting].last, l.contradictions[p.sheet].count}
		}
		delete(l.contradictions, p.fitting)
	}
	return nil, false
}
