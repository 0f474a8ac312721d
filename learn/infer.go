package learn

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/learn/internal/state"
)

// A comparison is one test that the service makes of a box: of a dimension against a limit, of a constraint,
// or of a blank against a sheet. Its result depends on the field unknown, a set of points that is to be
// learned. If failsOutside is false, the box fails the test if the set contains the point in the field at. If
// failsOutside is true, the box fails if the set does not contain that point.
//
// The set of a limit, for example, contains the lengths up to the limit. A box of width 19 fails
// width < min_width if the minimum is at least 20, which means that its set contains 20. The box fails
// width > max_width if the maximum is less than 19, which means that its set does not contain 19.
type comparison struct {
	unknown      state.Unknown
	at           exact.Point
	failsOutside bool
	asked        int64       // if the unknown is a limit, the dimension of the box
	blank        *blank      // if the unknown is a sheet, the blank that it has to hold
	box          exact.Point // the box of that blank
}

// excludedPoint returns the point that the set is known not to contain if the answer shows that c.at is not in
// it. That is c.at itself, unless the blank may be larger in double precision. Then a refusal only shows that
// the sheet does not hold the larger size.
func (c comparison) excludedPoint() exact.Point {
	if c.blank == nil {
		return c.at
	}
	return c.blank.upperSize(c.box)
}

// comparison returns the comparison of a box for l.codes[k], and whether the service makes it if the box passes
// all earlier ones. The service never makes the comparison for a constraint whose condition does not hold, because
// then it does not matter whether the article selects the constraint.
func (l *Learner) comparison(p *profile, box exact.Point, k int) (c comparison, occurs occurrence) {
	if k < len(l.limitTests) {
		t := l.limitTests[k]
		c = comparison{unknown: p.article.rangeEnds[t.axis][t.end], failsOutside: t.end == maximum, asked: box[t.axis]}
		// Limits are multiples of the step. If the step is 5, a maximum is at least 19 exactly if it is at
		// least 20, and a minimum is greater than 17 exactly if it is at least 20.
		c.at[0] = roundUp(c.asked, l.step)
		if t.end == minimum {
			c.at[0] = roundDown(c.asked, l.step) + l.step
		}
		return c, always
	}
	if i, ok := l.conditionIndex(k); ok {
		return comparison{unknown: p.article.selections[i], at: state.Selected}, p.occurs(i, box)
	}
	if p.blank == nil {
		return comparison{unknown: p.fitting, at: box, failsOutside: true}, always
	}
	return comparison{unknown: p.sheet, at: p.blank.minSheetSize(box), failsOutside: true, blank: p.blank, box: box}, always
}

// A conclusion is what an answer shows about the unknown of a comparison: that its set contains the point at, or
// that it does not.
type conclusion struct {
	comparison
	contains bool
}

// conclude returns the conclusion for an answer that shows whether the set contains the point of c.
func (c comparison) conclude(contains bool) conclusion {
	if !contains {
		c.at = c.excludedPoint()
	}
	return conclusion{c, contains}
}

func (c conclusion) observation(e state.Evidence) state.Observation {
	return state.Observation{At: c.at, Asked: c.asked, Evidence: e}
}

// mayContain reports whether some limit file that is consistent with the answers contains the point of
// the comparison, and whether some does not.
func (c comparison) mayContain() (may, mayNot bool) {
	may, _ = c.unknown.MayContain(c.at)
	_, mayNot = c.unknown.MayContain(c.excludedPoint())
	return may, mayNot
}

// ErrOffGrid is the error of [Learner.Add] for an answer about dimensions with more decimals than the frame
// allows. The frame allows at most three.
var ErrOffGrid = errors.New("a dimension has too many decimals: nothing can be learned from the answer with certainty")

// ErrBorderline is the error of [Learner.Add] for an answer about a box for which exact arithmetic and
// double precision disagree about the condition of a constraint that may be selected. Because it is not
// known how the service computes, Add learns nothing about that constraint. About everything else, it learns
// what is true in either case.
var ErrBorderline = errors.New("the box is borderline: nothing is learned about a condition that double precision decides differently")

// Add learns from an answer. The error is one of these:
//
//   - A *[boxrules.InputError], if the box is not valid input for the frame, or if the code is not one with
//     which a service refuses boxes. Nothing is learned.
//   - [ErrOffGrid], if a dimension has too many decimals. Nothing is learned: if 48.0004 is refused with the
//     code for the maximum, that does not show whether the maximum is below 48, because nobody knows how the
//     service rounds.
//   - [ErrUnknownCode], for a refusal with a code that the rules do not have. Little is learned.
//   - [ErrBorderline], for an answer from which less is learned than usual because the service may compute
//     in floating point.
//   - A *[Contradiction], or the first one if there are several. Add then forgets the older answers that
//     contradict the new one, because the service may have changed. If no limits explain the new answer,
//     Add ignores it instead.
//
// If a box of width 401 is refused with the code for max_depth, for example, Add learns from the order of the
// rules that the width is at least min_width and at most max_width, that the depth is at least min_depth, and
// that it is greater than max_depth.
func (l *Learner) Add(a Answer) error {
	p, at, err := l.locate(a.Box)
	if err != nil {
		return err
	}
	if boxrules.DimsAt(at) != a.Dims || at[0]%l.answerGrid != 0 || at[1]%l.answerGrid != 0 || at[2]%l.answerGrid != 0 {
		return ErrOffGrid
	}
	l.updateConditions(p.article)
	lastComparison := slices.Index(l.codes, a.Code)
	if lastComparison < 0 && !RefusesBoxes(a.Code) {
		return &boxrules.InputError{Field: "code", Message: wording.Quote(string(a.Code)) + " is not a code of the rules"}
	}
	l.answerCount++
	e := state.Evidence{Seq: l.answerCount, Row: cmp.Or(a.Row, l.answerCount), Date: a.Date, Material: a.Material}
	if lastComparison < 0 {
		e.Code = a.Code
		l.observeUnknownCode(p, at, e)
		return ErrUnknownCode
	}
	// The box passes all comparisons before the one for its code, and fails that one. If it was accepted, it
	// passes all.
	conclusions := make([]conclusion, 0, 64) // enough for most rules, so that they stay on the stack
	borderline := false
	for k := range min(lastComparison+1, len(l.codes)-1) {
		c, occurs := l.comparison(p, at, k)
		fails := k == lastComparison
		i, isCondition := l.conditionIndex(k)
		switch {
		case occurs == always && !fails && isCondition && p.article.selections[i].IsAlways():
			// Every box for which this condition holds is refused, so the answer is impossible.
			return l.contradict(p, c.unknown, e, "the condition holds for the box"+tieNote(p.conditions[i].violated, at), nil)
		case occurs == always || occurs == perhaps && fails:
			conclusions = append(conclusions, c.conclude(fails != c.failsOutside))
			if occurs == perhaps { // if the rule is known to be selected, the answer tells nothing
				l.skipped[p.box(at)] = true
			}
		case occurs == perhaps:
			// The box was not refused by this constraint. Perhaps the article does not select it, and
			// perhaps the service computes in an arithmetic in which the condition does not hold.
			selected, _ := c.mayContain()
			borderline = borderline || selected && !p.conditions[i].opaque
		case fails:
			// The condition holds in neither arithmetic, so this code is impossible for the box.
			note := cmp.Or(p.article.missing[i], "the condition does not hold for the box"+tieNote(p.conditions[i].violated, at))
			return l.contradict(p, c.unknown, e, note, nil)
		}
		if fails && k < len(l.limitTests) {
			// No minimum is greater than its maximum. So if a width of 19 is below the minimum, both the
			// minimum and the maximum are at least 20.
			t := l.limitTests[k]
			c.unknown = p.article.rangeEnds[t.axis][1-t.end]
			conclusions = append(conclusions, c.conclude(!c.failsOutside))
		}
	}
	// If the answer contradicts what was learned from unknown codes, what was learned is wrong, not the answer.
	for _, c := range conclusions {
		l.refute(c)
	}
	if c := l.observe(p, at, conclusions, e); c != nil {
		return c
	}
	if i, ok := l.conditionIndex(lastComparison); ok && i < l.beforeSheet && lastComparison < len(l.codes)-1 && p.conditions[i].opaque {
		p.masked = appendRecent(p.masked, at)
		l.skipped[p.box(at)] = true // do not ask again: the answer may have told nothing, and would be the same
	} else if lastComparison >= len(l.limitTests) {
		p.judged = appendRecent(p.judged, at)
	}
	if borderline {
		return ErrBorderline
	}
	return nil
}

// observe records the conclusions of an answer, and returns the first contradiction. If a conclusion is impossible
// whatever the older answers are, observe records no conclusions.
func (l *Learner) observe(p *profile, at exact.Point, conclusions []conclusion, e state.Evidence) (first *Contradiction) {
	// If the comparison with the sheet rests on a chosen formula, the formula may be wrong. sheetConflict
	// holds the older answers that contradict the conclusion with every formula.
	var sheetConflict []state.Observation
	if i := slices.IndexFunc(conclusions, func(c conclusion) bool { return restsOnFormula(c.unknown) }); i >= 0 {
		c := &conclusions[i]
		sheetConflict = l.resolve(p, at, *c, e)
		recomputed, _ := l.comparison(p, at, l.sheetComparison()) // because resolve may have withdrawn the formula
		*c = recomputed.conclude(c.contains)
	}
	// First check all conclusions, so that an answer that no limits explain changes nothing.
	for _, c := range conclusions {
		if c.unknown.Unexplained(c.at, c.contains) {
			var old []state.Observation
			note := fmt.Sprintf("no limit from %s to %s explains it: are limits greater or smaller than assumed?",
				formatLength(l.step), formatLength(l.maxLimit))
			if isSheet(c.unknown) {
				note = "no sheet is that " + map[bool]string{true: "large", false: "small"}[c.contains]
				old = sheetConflict
			}
			first = cmp.Or(first, l.contradict(p, c.unknown, e, note, old))
		}
	}
	if first != nil {
		return first
	}
	// Then record them. Each unknown drops the older observations that contradict the new one.
	for _, c := range conclusions {
		conflicts := c.unknown.Observe(c.observation(e), c.contains)
		if len(conflicts) > 0 {
			p.article.hidden = nil
		}
		if restsOnFormula(c.unknown) {
			l.recordFormulaFree(p, at, c, e, conflicts)
		}
		for _, old := range conflicts {
			note := ""
			if restsOnFormula(c.unknown) && sheetConflict != nil {
				old, note = sheetConflict, "none of the formulas that are tried for the blanks explains all of them"
			} else if _, ok := c.unknown.(*state.Fitting); ok {
				note = "a box fits although a smaller one does not, or answers about the same box differ"
			} else if c.contains && old[0].Asked > c.asked || !c.contains && old[0].Asked < c.asked {
				// A limit between the two boxes would not be a multiple of the step.
				note = fmt.Sprintf("no multiple of %s explains both: is the step finer?", formatLength(l.step))
			}
			if contradiction := l.contradict(p, c.unknown, e, note, old); contradiction != nil {
				first = cmp.Or(first, contradiction)
				break
			}
		}
	}
	return first
}

// isSheet reports whether facts about the unknown are reported as facts about the sheet of a material.
func isSheet(u state.Unknown) bool { return u.Name() == sheetName }

// restsOnFormula reports whether the unknown is a sheet, and part of what is known about it depends on a
// formula that was chosen because of the answers.
func restsOnFormula(u state.Unknown) bool {
	s, ok := u.(*state.Sheet)
	return ok && s.WithoutFormulas != nil
}

// tieNote returns a remark for a box that lies exactly on a limit of the condition, and "" for any
// other box.
func tieNote(condition exact.Region, at exact.Point) string {
	if onLimit(condition, at) {
		return ", but the box is exactly on its limit, where a service that computes in floating point can differ"
	}
	return ""
}

// contradictions counts the contradictions about one unknown, and keeps the last one.
type contradictions struct {
	last  *Contradiction
	count int
}

// contradict records the contradiction between an answer and older observations, and returns it. If one of
// the observations is from before Options.Since, it may just be out of date, which is not a contradiction:
// then contradict records nothing, and returns nil.
func (l *Learner) contradict(p *profile, u state.Unknown, e state.Evidence, note string, old []state.Observation) *Contradiction {
	c := &Contradiction{Fact{What: u.Name(), State: Contradicted, Since: e.Date, Note: note}}
	if isSheet(u) {
		c.Material = p.material
	} else {
		c.Article = p.article.Code
	}
	for _, o := range old {
		if !o.Date.IsZero() && o.Date.Before(l.options.Since) {
			return nil
		}
		if !slices.Contains(c.Rows, o.Row) {
			c.Rows = append(c.Rows, o.Row)
		}
		if note == "" && !isSheet(u) && o.Material != e.Material {
			c.Note = fmt.Sprintf("one is in %s, the other in %s: do the limits differ by material?", o.Material, e.Material)
		}
	}
	// After two contradictions, a third one means that the service has not simply changed once.
	earlier := l.contradictions[u]
	if c.Rows = append(c.Rows, e.Row); earlier.count > 1 && c.Note == "" {
		c.Note = "answers go back and forth: do they depend on something that the rows do not show, such as type or account?"
	}
	l.contradictions[u] = contradictions{c, earlier.count + 1}
	return c
}

// Possible returns the codes with which the service may answer for the box, given the answers so far. They are in
// check order, and "" for an accepted box comes last. If there is only one code, the answer is certain. The error
// is a *[boxrules.InputError].
func (l *Learner) Possible(b boxrules.Box) ([]boxrules.Code, error) {
	p, at, err := l.locate(b)
	if err != nil {
		return nil, err
	}
	l.updateConditions(p.article)
	var codes []boxrules.Code
	for k, code := range l.codes[:len(l.codes)-1] {
		c, occurs := l.comparison(p, at, k)
		if occurs == never {
			continue
		}
		mayFail, mayPass := c.mayContain()
		if c.failsOutside {
			mayFail, mayPass = mayPass, mayFail
		}
		if mayFail {
			codes = append(codes, code)
		}
		if !mayPass && occurs == always {
			return codes, nil // the box certainly fails here, so the service goes no further
		}
	}
	return append(codes, ""), nil
}

// maxWork limits the proofs of one call to a few seconds.
const maxWork = 100_000_000

// widestLimits returns the smallest and the largest box that may be within the limits.
func (a *article) widestLimits() (low, high exact.Point) {
	for axis := range exact.Axes {
		low[axis], high[axis] = a.rangeEnds[axis][minimum].LowerBound(), a.rangeEnds[axis][maximum].UpperBound()
	}
	return low, high
}

// allowed returns, for each condition rule before end that the article is known to select, the region of the boxes
// that the rule does not refuse.
func (p *profile) allowed(end int) []exact.Region {
	var regions []exact.Region
	for i, c := range p.conditions[:end] {
		if p.article.selections[i].IsSelected() && !c.opaque {
			regions = append(regions, c.satisfied)
		}
	}
	return regions
}

// search returns a search for boxes whose dimensions are multiples of step. It uses up l.work.
func (l *Learner) search(step int64) polytope.Search {
	return polytope.Search{Step: step, Budget: &l.work}
}

// find looks for a box whose dimensions are multiples of finest, that may be within the limits, and that meets
// every condition.
func (l *Learner) find(p *profile, finest int64, conditions ...exact.Region) (exact.Point, polytope.Answer) {
	low, high := p.article.widestLimits()
	at, answer := l.search(finest).Find(polytope.Cube(low, high), conditions...)
	l.gaveUp = l.gaveUp || answer == polytope.Undecided
	return at, answer
}

// findAskable is like find, but looks only at boxes that can be asked, and prefers those whose dimensions are
// multiples of the step of the limits. It never returns a box that [Learner.Skip] excludes, and returns a
// borderline one only if it finds no other.
func (l *Learner) findAskable(p *profile, conditions ...exact.Region) (at exact.Point, ok bool) {
	for _, finest := range []int64{l.askStep(), l.askGrid} {
		conditions := slices.Clip(conditions)
		for borderline := 0; borderline < maxBorderline; {
			another, answer := l.find(p, finest, conditions...)
			if answer != polytope.Something {
				break
			}
			conditions = append(conditions, otherThan(another)) // the next search finds another box
			if l.skipped[p.box(another)] {
				continue
			}
			if _, agreed := l.certainComparisons(p, another); agreed {
				return another, true
			}
			if borderline++; !ok {
				at, ok = another, true
			}
		}
		if l.askStep() == l.askGrid {
			break
		}
	}
	return at, ok
}

// maxBorderline is the number of borderline boxes after which a search for a box that is not borderline gives
// up. Usually one of the first few boxes is not borderline.
const maxBorderline = 10

// otherThan returns the region of all points except at.
func otherThan(at exact.Point) exact.Region {
	var alternatives []exact.Region
	for axis, x := range at {
		alternatives = append(alternatives, exact.AtMost(axis, x-1), exact.AtLeast(axis, x+1))
	}
	return exact.AnyOf(alternatives...)
}

// isHidden reports whether it is proved that no box can show whether the article selects constraint i, which is
// still open. That is so if every box within the limits that violates it is refused by an earlier constraint
// that is known to be selected: width > 100 is hidden by width > 50, for example.
func (l *Learner) isHidden(a *article, i int) bool {
	if a.hidden[i] {
		return true
	}
	for _, p := range a.differentProfiles() {
		if _, answer := l.find(p, l.answerGrid, append(p.allowed(i), p.conditions[i].violated)...); answer != polytope.Nothing {
			return false
		}
	}
	if a.hidden == nil {
		a.hidden = make(map[int]bool)
	}
	a.hidden[i] = true
	return true
}

// differentProfiles returns the profiles of the article, but only one of those that have the same conditions. Usually
// the conditions are the same in all materials, so there is only one.
func (a *article) differentProfiles() (different []*profile) {
	for _, p := range a.profiles {
		if !slices.ContainsFunc(different, func(q *profile) bool { return slices.Equal(p.conditions, q.conditions) }) {
			different = append(different, p)
		}
	}
	return different
}

// hidingConstraints returns a minimal set of selected constraints that hides constraint i: every box that violates
// constraint i violates at least one of them. If any of them is left out, that is no longer true.
func (l *Learner) hidingConstraints(a *article, i int) (hiding []int) {
	for j := range i {
		if a.selections[j].IsSelected() && !a.profiles[0].conditions[j].opaque {
			hiding = append(hiding, j)
		}
	}
	// Leave out each of them if the others still hide constraint i. The last one is tried first, so if there is a
	// choice, the earlier ones remain.
	for k := len(hiding) - 1; k >= 0; k-- {
		fewer := slices.Delete(slices.Clone(hiding), k, k+1)
		stillHidden := true
		for _, p := range a.differentProfiles() {
			conditions := []exact.Region{p.conditions[i].violated}
			for _, j := range fewer {
				conditions = append(conditions, p.conditions[j].satisfied)
			}
			_, answer := l.find(p, l.answerGrid, conditions...)
			stillHidden = stillHidden && answer == polytope.Nothing
		}
		if stillHidden {
			hiding = fewer
		}
	}
	return hiding
}

// informative returns the conditions for boxes whose answer tells more about the sheet: no constraint forbids the
// box, and it is not known whether its blank fits.
//
// Take a sheet that is known to hold 900 x 600 and not to hold 1000 x 500. A blank of 950 x 550 tells
// something: it exceeds 900, and is shorter than 1000. A blank of 800 x 500 certainly fits. A blank of
// 1000 x 550 certainly does not.
func (p *profile) informative() []exact.Region {
	s := p.sheet
	corner := s.Corner()
	conditions := append(p.allowed(p.beforeSheet), p.exceedsSheet(corner))
	for _, e := range s.SmallestExcluded() {
		// The sheet is at least corner, and does not hold the excluded size. So on one of the sides on which
		// corner is smaller than the excluded size, the sheet is smaller, too. A blank that may fit must be
		// smaller on one of these sides. That the other side may fit does not help.
		var alternatives []exact.Region
		for side := range state.Sides {
			if corner[side] < e.At[side] {
				alternatives = append(alternatives, exact.Not(p.blank.exceeds(side, e.At[side]-s.Step)))
			}
		}
		conditions = append(conditions, exact.AnyOf(alternatives...))
	}
	return conditions
}

// exceedsSheet returns the boxes whose blank does not fit a sheet of the given size.
func (p *profile) exceedsSheet(size exact.Point) exact.Region {
	return exact.AnyOf(p.blank.exceeds(state.Long, size[state.Long]), p.blank.exceeds(state.Short, size[state.Short]))
}

// onLimit reports whether a point is exactly on the border of one of the half-spaces of a region, just inside
// or just outside of it.
func onLimit(t exact.Region, at exact.Point) bool {
	for h := range t.HalfSpaces() {
		if excess := h.Excess(at); excess == 0 || excess == 1 {
			return true
		}
	}
	return false
}
