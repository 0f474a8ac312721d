package learn

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/learn/internal/state"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// A blank computes the size of the flat blank of a box, for an article in a material. It rounds the sides up to the
// grid of sheets: with a step of 1, a sheet holds a blank of 699.3 x 500 if and only if it holds a blank of 700 x
// 500.
type blank struct {
	*exact.Blank
	step            int64
	formulas        *limits.Blank
	rounding        [2]float64 // bounds on the rounding errors of width and height in double precision; see exact.Variable
	materialLengths materialLengths
}

// newBlank returns a blank with the given formulas. It returns an error if the comparison of the blank with a sheet
// cannot be expressed by half-spaces on the grid.
func newBlank(formulas *limits.Blank, variables exact.Variables, step int64) (*blank, error) {
	width, err := formulas.Width.Value(variables)
	if err != nil {
		return nil, err
	}
	height, err := formulas.Height.Value(variables)
	if err != nil {
		return nil, err
	}
	return blankOf(formulas, width, height, variables, step)
}

// blankOf is like [newBlank], but gets the compiled formulas for the width and the height.
func blankOf(formulas *limits.Blank, width, height exact.Variable, variables exact.Variables, step int64) (*blank, error) {
	result := &blank{
		Blank: &exact.Blank{Width: width.Value, Height: height.Value}, step: step,
		formulas: formulas, rounding: [2]float64{width.Rounding, height.Rounding}, materialLengths: newMaterialLengths(variables, false),
	}
	// Proofs compare the sides of the blank with any length that a sheet can have. Check that the comparison can be
	// expressed for the smallest and the greatest length. Then it can also be expressed for all lengths in between.
	for _, c := range []int64{0, exact.MaxGrid} {
		for side := range state.Sides {
			if _, err := result.exceedsRegion(side, c); err != nil {
				return nil, err
			}
		}
	}
	return result, nil
}

// roundedUp returns the length of a side of the blank, rounded up to the grid of sheets.
func (b *blank) roundedUp(side exact.Value, at exact.Point) int64 {
	if r, ok := side.Ratio(at); ok && max(r.Num, -r.Num) < math.MaxInt64/exact.Scale {
		return exact.CeilDiv(r.Num*exact.Scale, r.Den*b.step) * b.step
	}
	// big.Int has no division that rounds up. So negate the number of steps, round down, and negate the result.
	steps := new(big.Rat).Mul(side.At(at), big.NewRat(-exact.Scale, b.step))
	whole := new(big.Int).Div(steps.Num(), steps.Denom())
	if whole.BitLen() > 53 {
		return int64(-whole.Sign()) << 53 // longer than any sheet, or negative
	}
	return -whole.Int64() * b.step
}

// size returns the size of the smallest sheet that holds the blank of a box in exact arithmetic.
func (b *blank) size(at exact.Point) exact.Point {
	return b.smallestSheet(b.roundedUp(b.Width, at), b.roundedUp(b.Height, at))
}

// smallestSheet returns the size of the smallest sheet that holds a blank with these sides.
func (b *blank) smallestSheet(width, height int64) exact.Point {
	return exact.Point{max(width, height, b.step), max(min(width, height), b.step)}
}

// minSheetSize returns a lower bound for the size of a sheet that holds the blank of the box, whether the service
// computes exactly or in double precision. Usually that is the result of [blank.size]. But take a blank that is
// 700.0000000000001 long in exact arithmetic, and 700 in double precision. blank.size rounds the length up to 701.
// In double precision, the blank fits a sheet of 700, so minSheetSize returns 700.
func (b *blank) minSheetSize(box exact.Point) exact.Point {
	side := func(i int, v exact.Value, f limits.Formula) int64 {
		rounded := b.roundedUp(v, box)
		if shorter := rounded - b.step; b.isNear(i, v, box, shorter) && b.inFloat64(f, box) <= exact.Units(shorter) {
			return shorter
		}
		return rounded
	}
	return b.smallestSheet(side(0, b.Width, b.formulas.Width), side(1, b.Height, b.formulas.Height))
}

// upperSize returns the size of a sheet that certainly holds the blank of the box, in both arithmetics. If the
// blank is 700 long in exact arithmetic, but a little longer in double precision, the result is one step greater
// than that of [blank.size].
func (b *blank) upperSize(box exact.Point) exact.Point {
	side := func(i int, v exact.Value, f limits.Formula) int64 {
		rounded := b.roundedUp(v, box)
		if b.isNear(i, v, box, rounded) && b.inFloat64(f, box) > exact.Units(rounded) {
			return rounded + b.step
		}
		return rounded
	}
	return b.smallestSheet(side(0, b.Width, b.formulas.Width), side(1, b.Height, b.formulas.Height))
}

// isNear reports whether side i of the blank is so close to the length that comparing the two in double precision
// may give the wrong result.
func (b *blank) isNear(i int, side exact.Value, box exact.Point, length int64) bool {
	if b.rounding[i] == 0 || length > exact.MaxGrid {
		return false
	}
	return math.Abs(exact.Units(length)-nearestFloat64(side, box)) <= 2*b.rounding[i]
}

func (b *blank) inFloat64(f limits.Formula, box exact.Point) float64 {
	return f.Float64(func(name string) float64 { return b.materialLengths.of(name, box) })
}

// knownSize returns the size that a sheet is known to hold if the box fits. If fits is false, it returns the size
// that the sheet is known not to hold.
func (b *blank) knownSize(box exact.Point, fits bool) exact.Point {
	if fits {
		return b.minSheetSize(box)
	}
	return b.upperSize(box)
}

// nearestFloat64 returns the value at a point as a float64. It is wrong by a few rounding errors at most.
func nearestFloat64(v exact.Value, at exact.Point) float64 {
	if r, ok := v.Ratio(at); ok {
		return float64(r.Num) / float64(r.Den)
	}
	x, _ := v.At(at).Float64()
	return x
}

// exceedsRegion returns the region of the boxes whose blank is longer than length on the given side, state.Long or
// state.Short. It returns an error if the region cannot be expressed by half-spaces on the grid.
func (b *blank) exceedsRegion(side int, length int64) (exact.Region, error) {
	v, err := exact.Extreme(side == state.Long, b.Width, b.Height).Add(exact.Constant(big.NewRat(-length, exact.Scale)))
	if err != nil {
		return exact.Region{}, err
	}
	return exact.AboveZero(v, false)
}

// exceeds is like exceedsRegion, but cannot fail, because newBlank has checked the smallest and the greatest
// length.
func (b *blank) exceeds(side int, length int64) exact.Region {
	t, err := b.exceedsRegion(side, length)
	if err != nil {
		panic(err)
	}
	return t
}

// firstUnknownName returns the first name in the list that refers to a limit or to a side of the sheet, whose
// values are to be learned. If there is none, it returns "". User-defined values are known, even if they have a
// name such as max_ratio.
func firstUnknownName(names []string) string {
	for _, name := range names {
		kind, _, _ := strings.Cut(name, "_")
		if expression.IsVariable(name) && slices.Contains([]string{"min", "max", "sheet"}, kind) {
			return name
		}
	}
	return ""
}

// namesIn returns the names in the formulas of a blank, or none if b is nil.
func namesIn(b *limits.Blank) []string {
	if b == nil {
		return nil
	}
	return append(slices.Clone(b.Width.Names()), b.Height.Names()...)
}

// A candidate is a pair of formulas, for width and height, that may be those of an article's blank. Comments call
// the pair a formula for short.
type candidate struct {
	formulas   *limits.Blank
	byMaterial map[string]*blank
}

// addCandidates adds candidates to an article that has no blank: the formulas of the standard styles and those of
// Options.Blanks. It does not add the same formulas twice.
func (l *Learner) addCandidates(a *article, engine *boxrules.Engine) {
	if a.Blank != nil || !l.hasSizeRule {
		return
	}
	add := func(b *limits.Blank) (hasValues bool) {
		isSame := func(c *candidate) bool {
			return c.formulas.Width.Text == b.Width.Text && c.formulas.Height.Text == b.Height.Text
		}
		hasValues = hasValuesFor(a, b, engine)
		if hasValues && firstUnknownName(namesIn(b)) == "" && !slices.ContainsFunc(a.candidates, isSame) {
			a.triesFormulas, a.candidates = true, append(a.candidates, &candidate{b, make(map[string]*blank)})
		}
		return hasValues
	}
	if l.options.Styles {
		var missing []string
		for _, b := range limits.StyleBlanks(l.frame.Unit()) {
			if !add(b) {
				missing = append(missing, b.Style)
			}
		}
		l.warnAboutStyles(a, missing)
	}
	if l.options.Blanks != nil {
		for _, from := range l.options.Blanks.Articles() {
			if from.Blank != nil {
				add(from.Blank)
			}
		}
	}
}

// warnAboutStyles adds a warning that lists the styles that are not tried for the article. It does not repeat a
// warning that an earlier article has caused.
func (l *Learner) warnAboutStyles(a *article, codes []string) {
	var values []string
	for _, s := range limits.Styles() {
		for _, name := range s.Values {
			if slices.Contains(codes, s.Code) && !slices.Contains(values, name) {
				values = append(values, name)
			}
		}
	}
	message := fmt.Sprintf("these styles are not tried for its blank because they need values that are missing: %s; to try them, add the values that they need under values: %s",
		strings.Join(codes, ", "), strings.Join(values, ", "))
	if len(codes) > 0 && !slices.ContainsFunc(l.warnings, func(w *source.Error) bool { return w.Message == message }) {
		l.warnings = append(l.warnings, &source.Error{Position: l.frame.Position("articles", a.Code), Rule: "articles." + a.Code, Message: message})
	}
}

// hasValuesFor reports whether the frame gives all user-defined values in the formulas, for the article in each of
// its materials.
func hasValuesFor(a *article, b *limits.Blank, engine *boxrules.Engine) bool {
	names := namesIn(b)
	for _, material := range a.Materials {
		form, _, err := engine.Exact(a.Code, material)
		if err != nil {
			return false
		}
		if slices.ContainsFunc(names, func(name string) bool { _, ok := form.Variables.Get(name); return !ok }) {
			return false
		}
	}
	return true
}

// addMaterial compiles the formulas for a material with these variables.
func (c *candidate) addMaterial(material string, variables exact.Variables, step int64) (err error) {
	c.byMaterial[material], err = newBlank(c.formulas, variables, step)
	return err
}

// sheetWith returns what would be known about a sheet if the article had the formula c. It takes each box that is
// known to fit or not to fit, computes the size of its blank with the formula, and adds that size to a copy of the
// sheet. ok is false if the answers contradict the formula.
//
// Take a box that fits. According to the formula, its blank is 1100 x 600. If the sheet is known not to hold a
// blank of 1000 x 500, the formula is wrong.
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

// consistentCandidates returns the candidates that no answer contradicts.
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

// assuming returns a copy of the profile that has the candidate's formula as its blank. The sheet of the copy is
// what would be known if the formula were right. The answers must not contradict the formula.
func (p *profile) assuming(c *candidate) *profile {
	copied := *p
	copied.blank = c.byMaterial[p.material]
	copied.sheet, _ = p.article.sheetWith(p.sheet, c)
	return &copied
}

// hypotheses returns copies of the profile, one for each formula that its blank may have. If the blank is known, it
// returns only the profile itself. If the rules do not have a size rule, it returns nil, because blanks do not
// matter.
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

// borderPairs returns pairs of boxes on both sides of the border of a formula: the blank of the first box just fits
// the sheet, and the blank of the second box, which is one step larger along one axis, does not. The profile must
// have a blank, usually that of a candidate. If the answers to all of these boxes are as expected, the formula is
// confirmed. A wrong formula that agrees with all earlier answers is most likely wrong about some of these boxes.
//
// The boxes that just fit form a surface. The pairs should be far apart on this surface, because two formulas may
// give nearly the same blanks for boxes of one shape, and different blanks for boxes of another shape. So for each
// axis along which the second box is larger, borderPairs goes to both ends of the surface along each of the other
// two axes. For boxes that grow in width, these are the pairs with the least and the greatest depth, and with the
// least and the greatest height.
//
// gaveUp is true if one of the searches gave up.
func (l *Learner) borderPairs(p *profile) (pairs [][2]exact.Point, gaveUp bool) {
	step := l.askStep()
	exceeds := p.exceedsSheet(p.sheet.Corner())
	fits := append(p.allowed(p.beforeSheet), exact.Not(exceeds))
	// The conditions in fits are about the first box. The second box must be allowed and must not fit. Shift these
	// conditions by a step to get conditions on the first box: if the second box must have a width > 400, the first
	// must have a width > 399.
	for growAxis := range exact.Axes {
		conditions := slices.Clone(fits)
		for _, condition := range append(p.allowed(p.beforeSheet), exceeds) {
			conditions = append(conditions, condition.Shift(growAxis, -step))
		}
		low, high := p.article.widestLimits()
		high[growAxis] -= step
		for axis := range exact.Axes {
			for _, direction := range []int64{-1, 1} {
				if axis == growAxis {
					continue
				}
				// A borderline box does not confirm anything. If the box is borderline, try the next one along the
				// axis.
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

func (l *Learner) adoptConfirmedBlanks() {
	for _, a := range l.articles {
		l.adoptConfirmedBlank(a)
	}
}

// adoptConfirmedBlank chooses a formula for an article that has no blank, if the answers confirm one. If only one
// formula is left and it is not confirmed, adoptConfirmedBlank returns the boxes to ask about to confirm it. open
// reports whether more can be learned about the blank.
func (l *Learner) adoptConfirmedBlank(a *article) (boxes []boxrules.Box, open bool) {
	candidates := a.consistentCandidates()
	if len(candidates) == 0 {
		return nil, false
	}
	// It is too early to choose a formula if two formulas disagree about some box, or if some box would still be
	// informative about the sheet with one of the formulas.
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
	return l.adoptIfConfirmed(a, candidates[0]) // any other candidates give the same verdicts
}

// findDisagreement looks for a box about which two hypotheses disagree: according to one of them the blank of the
// box fits, and according to the other it does not. For each hypothesis, it takes the smallest sheet that agrees
// with the answers.
func (l *Learner) findDisagreement(p *profile, finest int64, hypotheses []*profile) (exact.Point, polytope.Answer) {
	answer := polytope.Nothing
	exceedsKnownSheet := func(own *profile) exact.Region { return own.exceedsSheet(own.sheet.Corner()) }
	// It is enough to compare each hypothesis with the first one. If all others agree with the first one, they also
	// agree with each other.
	for i := 1; i < len(hypotheses); i++ {
		first, other := exceedsKnownSheet(hypotheses[0]), exceedsKnownSheet(hypotheses[i])
		for _, differ := range [][]exact.Region{{exact.Not(first), other}, {first, exact.Not(other)}} {
			at, found := l.find(p, finest, append(p.allowed(p.beforeSheet), differ...)...)
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

// adoptIfConfirmed chooses the formula c for the article if the answers to all boxes on its border, in every
// material, are known and agree with c. If some of these answers are not known, it returns their boxes, except for
// boxes that [Learner.Skip] excludes. open reports whether any of these answers is not known, including those of
// skipped boxes. If an answer refutes the formula, adoptIfConfirmed removes it from the candidates.
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
					// According to the formula, the first box of a pair fits and the second does not. An answer
					// says the opposite, so the formula is wrong.
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
		// What was known about boxes that fit is now knowledge about the sheet. So move the contradictions about
		// these boxes to the sheet.
		if l.contradictions[p.sheet].last == nil {
			l.contradictions[p.sheet] = contradictions{l.contradictions[p.fitting].last, l.contradictions[p.sheet].count}
		}
		delete(l.contradictions, p.fitting)
	}
	return nil, false
}
