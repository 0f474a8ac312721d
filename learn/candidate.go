package learn

import (
	"fmt"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/learn/internal/state"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// A candidate is a pair of formulas that may be right for the blank of an article: one for its width and one for
// its height. For short, comments call the pair a formula.
type candidate struct {
	formulas   *limits.Blank
	byMaterial map[string]*blank
}

// addCandidates adds candidates to an article that has no blank: the formulas of the standard styles and the formulas
// in Options.Blanks. It never adds the same pair of formulas twice.
func (l *Learner) addCandidates(a *article, engine *boxrules.Engine) {
	if a.Blank != nil || !l.hasSizeRule {
		return
	}
	add := func(b *limits.Blank) (hasValues bool) {
		isSame := func(c *candidate) bool {
			return c.formulas.Width.Text == b.Width.Text && c.formulas.Height.Text == b.Height.Text
		}
		hasValues = hasValuesForCandidate(a, b, engine)
		if hasValues && firstUnknownName(namesInBlank(b)) == "" && !slices.ContainsFunc(a.candidates, isSame) {
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
		l.warnAboutCandidateStyles(a, missing)
	}
	if l.options.Blanks != nil {
		for _, from := range l.options.Blanks.Articles() {
			if from.Blank != nil {
				add(from.Blank)
			}
		}
	}
}

// warnAboutCandidateStyles adds a warning that lists the styles that are not tried for the article. It does not repeat
// a warning that an earlier article has caused.
func (l *Learner) warnAboutCandidateStyles(a *article, codes []string) {
	var values []string
	for _, s := range limits.Styles() {
		for _, name := range s.Values {
			if slices.Contains(codes, s.Code) && !slices.Contains(values, name) {
				values = append(values, name)
			}
		}
	}
	message := fmt.Sprintf("these styles were not tried for the blank, because values that they need are missing: %s; to try them, add under values: %s",
		strings.Join(codes, ", "), strings.Join(values, ", "))
	if len(codes) > 0 && !slices.ContainsFunc(l.warnings, func(w *source.Error) bool { return w.Message == message }) {
		l.warnings = append(l.warnings, &source.Error{Position: l.frame.Position("articles", a.Code), Rule: "articles." + a.Code, Message: message})
	}
}

// hasValuesForCandidate reports whether the frame defines all values that the formulas mention, for the article in
// each of its materials.
func hasValuesForCandidate(a *article, b *limits.Blank, engine *boxrules.Engine) bool {
	names := namesInBlank(b)
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

// addMaterial compiles the formulas for a material. variables holds the values of the variables in that material.
func (c *candidate) addMaterial(material string, variables exact.Variables, step int64) (err error) {
	c.byMaterial[material], err = newBlank(c.formulas, variables, step)
	return err
}

// sheetWithCandidate returns what would be known about a sheet if the article had the formula c. For each box that
// is known to fit or not to fit, it computes the size of the blank with the formula, and records in a copy of the
// sheet that this size fits or does not fit. ok is false if the answers contradict the formula.
//
// Take a box that fits. According to the formula, its blank is 1100 x 600. If the sheet is known not to hold a
// blank of 1000 x 500, the formula is wrong.
func (a *article) sheetWithCandidate(s *state.Sheet, c *candidate) (joined *state.Sheet, ok bool) {
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
			_, ok := a.sheetWithCandidate(p.sheet, c)
			return !ok
		})
	})
}

// withCandidate returns a copy of the profile that has the candidate's formula as its blank. The sheet of the copy
// records what would be known if the formula were right. The answers must not contradict the formula.
func (p *profile) withCandidate(c *candidate) *profile {
	copied := *p
	copied.blank = c.byMaterial[p.material]
	copied.sheet, _ = p.article.sheetWithCandidate(p.sheet, c)
	return &copied
}

// candidateProfiles returns a copy of the profile for each formula that its blank may have. If the blank is known,
// it returns only the profile itself. If the rules do not have a size rule, it returns nil, because blanks do not
// matter.
func (l *Learner) candidateProfiles(p *profile) []*profile {
	switch {
	case !l.hasSizeRule:
		return nil
	case p.blank != nil:
		return []*profile{p}
	}
	var all []*profile
	for _, c := range p.article.consistentCandidates() {
		all = append(all, p.withCandidate(c))
	}
	return all
}

// candidateBorderPairs returns pairs of boxes on both sides of the border of the formula in p.blank. Usually this
// formula is a candidate. In each pair, the second box is one step larger than the first along one axis. The blank of
// the first box just fits the sheet, and the blank of the second box does not. If the answers about all of these boxes
// are as expected, the formula is confirmed. A wrong formula that agrees with all earlier answers is most likely wrong
// about some of these boxes.
//
// The boxes that just fit form a surface. The pairs should be far apart on this surface, because two formulas may give
// nearly the same blanks for boxes of one shape, and different blanks for boxes of another shape. So for each axis
// along which the second box is larger, candidateBorderPairs goes to both ends of the surface along each of the other
// two axes. For boxes that grow in width, these are the pairs with the smallest and the greatest depth, and with the
// smallest and the greatest height.
//
// gaveUp is true if a search gave up, so that a pair may be missing.
func (l *Learner) candidateBorderPairs(p *profile) (pairs [][2]exact.Point, gaveUp bool) {
	step := l.askStep()
	exceeds := p.oversizeRegion(p.sheet.Corner())
	fits := append(p.allowedRegions(p.beforeSheet), exact.Not(exceeds))
	// The conditions in fits are about the first box. The second box must be allowed and must not fit. Shift these
	// conditions by a step to get conditions on the first box: if the second box must have a width > 400, the first
	// must have a width > 399.
	for growAxis := range exact.Axes {
		conditions := slices.Clone(fits)
		for _, condition := range append(p.allowedRegions(p.beforeSheet), exceeds) {
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
					at, answer := l.newBoxSearch(step).Extreme(polytope.Cuboid(low, high), axis, direction, conditions...)
					gaveUp = gaveUp || answer == polytope.Undecided
					if answer != polytope.Something {
						break
					}
					beyond := at
					beyond[growAxis] += step
					if _, agreed := l.agreedComparisons(p, at); agreed {
						if pair := [2]exact.Point{at, beyond}; !slices.Contains(pairs, pair) {
							pairs = append(pairs, pair)
						}
						break
					}
					conditions = append(slices.Clip(conditions), regionExcept(at))
				}
			}
		}
	}
	return pairs, gaveUp
}

func (l *Learner) adoptConfirmedCandidates() {
	for _, a := range l.articles {
		l.adoptConfirmedCandidate(a)
	}
}

// adoptConfirmedCandidate chooses a formula for an article that has no blank, if the answers confirm one. If only one
// formula is left and it is not confirmed, adoptConfirmedCandidate returns the boxes to ask about to confirm it. open
// reports whether more can be learned about the blank.
func (l *Learner) adoptConfirmedCandidate(a *article) (boxes []boxrules.Box, open bool) {
	candidates := a.consistentCandidates()
	if len(candidates) == 0 {
		return nil, false
	}
	// It is too early to choose a formula if two formulas disagree about some box, or if some box would still be
	// informative about the sheet with one of the formulas.
	for _, p := range a.profiles {
		hypotheses := l.candidateProfiles(p)
		for _, hypothesis := range hypotheses {
			if _, answer := l.findBox(hypothesis, l.answerGrid, hypothesis.informativeRegions()...); answer != polytope.Nothing {
				return nil, true
			}
		}
		if _, answer := l.candidateDisagreement(p, l.answerGrid, hypotheses); answer != polytope.Nothing {
			return nil, true
		}
	}
	return l.adoptCandidateIfConfirmed(a, candidates[0]) // any other candidates give the same verdicts
}

// candidateDisagreement looks for a box about which two hypotheses disagree: the blank of the box fits
// according to the first hypothesis, and does not fit according to the second. For each hypothesis,
// candidateDisagreement assumes the smallest sheet that agrees with the answers.
func (l *Learner) candidateDisagreement(p *profile, step int64, hypotheses []*profile) (exact.Point, polytope.Answer) {
	answer := polytope.Nothing
	exceedsKnownSheet := func(own *profile) exact.Region { return own.oversizeRegion(own.sheet.Corner()) }
	// It is enough to compare each hypothesis with the first one. If all others agree with the first one, they also
	// agree with each other.
	for i := 1; i < len(hypotheses); i++ {
		first, other := exceedsKnownSheet(hypotheses[0]), exceedsKnownSheet(hypotheses[i])
		for _, differ := range [][]exact.Region{{exact.Not(first), other}, {first, exact.Not(other)}} {
			at, found := l.findBox(p, step, append(p.allowedRegions(p.beforeSheet), differ...)...)
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

// adoptCandidateIfConfirmed chooses the formula c for the article if the answers about the boxes on its border, in every
// material, agree with c. Until all of these answers are known, it returns the boxes to ask about. It does without the
// answers about boxes that [Learner.Skip] excludes, if there is at least one answer about a box that just fits, and one
// about a box that is just too large. open reports whether any answer is missing, even if only the answers about
// skipped boxes are. If an answer refutes the formula, adoptCandidateIfConfirmed removes it from the candidates.
func (l *Learner) adoptCandidateIfConfirmed(a *article, c *candidate) (boxes []boxrules.Box, open bool) {
	var rows []int
	var confirmed [2]bool // by a box that just fits, and by one that is just too large
	complete := true      // whether all boxes on the border were found
	for _, p := range a.profiles {
		pairs, gaveUp := l.candidateBorderPairs(p.withCandidate(c))
		complete = complete && !gaveUp
		for _, pair := range pairs {
			for i, at := range pair {
				row, fits := p.fitting.RowOf(at)
				switch {
				case row == 0:
					open = true
					if box := p.box(at); !l.skipped[box] {
						boxes = append(boxes, box)
					}
				case fits != (i == 0):
					// According to the formula, the first box of a pair fits and the second does not. An answer
					// says the opposite, so the formula is wrong.
					a.candidates = slices.DeleteFunc(slices.Clone(a.candidates), func(o *candidate) bool { return o == c })
					return nil, true
				default:
					confirmed[i] = true
					if !slices.Contains(rows, row) {
						rows = append(rows, row)
					}
				}
			}
		}
	}
	if len(boxes) > 0 || !complete || !confirmed[0] || !confirmed[1] {
		return boxes, open || !complete
	}
	l.adoptFormulas(map[*article]*candidate{a: c})
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
