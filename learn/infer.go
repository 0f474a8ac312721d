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

// A comparison is one of the tests that the service makes for a box: it compares a dimension with a limit, checks a
// constraint, or compares a blank with a sheet. The result depends on something that is to be learned: the set of
// points in the field unknown. If failsOutside is false, the box fails the test if this set contains a certain
// point, which is in the field at. If failsOutside is true, the box fails if the set does not contain the point.
//
// For example, the set of a limit contains the lengths up to the limit. A box of width 19 fails the test width <
// min_width if the minimum is at least 20, which means that the set of the minimum contains 20. It fails the test
// width > max_width if the maximum is less than 19, which means that the set of the maximum does not contain 19.
type comparison struct {
	unknown      state.Unknown
	at           exact.Point
	failsOutside bool
	asked        int64       // if unknown is a limit: the dimension of the box
	blank        *blank      // if unknown is a sheet: the blank of the box
	box          exact.Point // if unknown is a sheet: the box
}

// excludedPoint returns the point to record if the answer shows that the set does not contain c.at. That is c.at
// itself, unless the blank may be larger in double precision. In that case, a refusal shows only that the sheet
// does not hold the larger size.
func (c comparison) excludedPoint() exact.Point {
	if c.blank == nil {
		return c.at
	}
	return c.blank.upperSize(c.box)
}

// comparison returns the comparison of a box for l.codes[k]. occurs says whether the service makes this comparison
// if the box passes all earlier ones. The comparison for a constraint does not occur if its condition does not
// hold, because then it does not matter whether the article selects the constraint.
func (l *Learner) comparison(p *profile, box exact.Point, k int) (c comparison, occurs occurrence) {
	if k < len(l.limitTests) {
		t := l.limitTests[k]
		c = comparison{unknown: p.article.rangeEnds[t.axis][t.end], failsOutside: t.end == maximum, asked: box[t.axis]}
		// Limits are multiples of the step. So if the step is 5, a maximum is at least 19 if and only if it is at
		// least 20, and a minimum is greater than 17 if and only if it is at least 20.
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

// A conclusion is what an answer shows about the unknown of a comparison: whether its set contains the point of the
// comparison.
type conclusion struct {
	comparison
	contains bool
}

// conclude returns the conclusion from an answer that shows whether the set contains the point of the comparison.
func (c comparison) conclude(contains bool) conclusion {
	if !contains {
		c.at = c.excludedPoint()
	}
	return conclusion{c, contains}
}

func (c conclusion) observation(e state.Evidence) state.Observation {
	return state.Observation{At: c.at, Asked: c.asked, Evidence: e}
}

// mayContain looks at all limit files that are consistent with the answers. It reports whether the set may contain
// the point of the comparison, and whether it may not contain the point.
func (c comparison) mayContain() (may, mayNot bool) {
	may, _ = c.unknown.MayContain(c.at)
	_, mayNot = c.unknown.MayContain(c.excludedPoint())
	return may, mayNot
}

// ErrOffGrid is the error of [Learner.Add] for an answer about dimensions with more decimals than the frame allows,
// which is at most three.
var ErrOffGrid = errors.New("a dimension has too many decimals: nothing can be learned from the answer with certainty")

// ErrBorderline is the error of [Learner.Add] for an answer about a box for which exact arithmetic and double
// precision disagree about the condition of a constraint that may be selected. We do not know how the service
// computes, so Add learns nothing about that constraint. About everything else, it learns what is true in both
// arithmetics.
var ErrBorderline = errors.New("the box is borderline: nothing is learned about a condition that double precision decides differently")

// Add learns from an answer. The error is one of these:
//
//   - A *[boxrules.InputError] if the box is not valid input for the frame, or if services do not use the code to
//     refuse boxes. Nothing is learned.
//   - [ErrOffGrid] if a dimension has too many decimals. Nothing is learned, because we do not know how the service
//     rounds. If a width of 48.0004 is refused with the code for the maximum, for example, the maximum may or may
//     not be below 48.
//   - [ErrUnknownCode] for a refusal with a code that the rules do not have. Little is learned.
//   - [ErrBorderline] for an answer about a borderline box. Less is learned than usual, because the service may
//     compute in floating point.
//   - A *[Contradiction] if the answer contradicts older answers. If there are several, it is the first one. Add
//     then forgets the older answers, because the service may have changed. If the new answer is impossible
//     whatever the limits are, the error is also a *[Contradiction], and Add ignores the answer.
//
// For example, suppose that a box is refused with the code for max_depth. From the order of the rules, Add learns
// that its width is at least min_width and at most max_width, that its depth is at least min_depth, and that its
// depth is greater than max_depth.
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
	// The box passes all comparisons before the one for its code, and fails that one. An accepted box passes all
	// comparisons.
	conclusions := make([]conclusion, 0, 64) // a capacity that is enough for most rules, and small enough for the stack
	borderline := false
	for k := range min(lastComparison+1, len(l.codes)-1) {
		c, occurs := l.comparison(p, at, k)
		fails := k == lastComparison
		i, isCondition := l.conditionIndex(k)
		switch {
		case occurs == always && !fails && isCondition && p.article.selections[i].IsAlways():
			// The rule applies to every article and refuses the box, so the answer is impossible.
			return l.contradict(p, c.unknown, e, "the condition holds for the box"+tieNote(p.conditions[i].violated, at), nil)
		case occurs == always || occurs == perhaps && fails:
			conclusions = append(conclusions, c.conclude(fails != c.failsOutside))
			if occurs == perhaps { // do not ask again: if the rule is already known to be selected, nothing new follows
				l.skipped[p.box(at)] = true
			}
		case occurs == perhaps:
			// The constraint has not refused the box. Either the article does not select it, or the service uses
			// the arithmetic in which the condition does not hold. So nothing follows.
			selected, _ := c.mayContain()
			borderline = borderline || selected && !p.conditions[i].opaque
		case fails:
			// The condition does not hold in either arithmetic, so the service cannot report this code for the box.
			note := cmp.Or(p.article.missing[i], "the condition does not hold for the box"+tieNote(p.conditions[i].violated, at))
			return l.contradict(p, c.unknown, e, note, nil)
		}
		if fails && k < len(l.limitTests) {
			// A minimum is never greater than its maximum. So if a width of 19 is below the minimum, both the
			// minimum and the maximum are at least 20.
			t := l.limitTests[k]
			c.unknown = p.article.rangeEnds[t.axis][1-t.end]
			conclusions = append(conclusions, c.conclude(!c.failsOutside))
		}
	}
	// If the answer contradicts something that was learned from unknown codes, the answer is right, and what was
	// learned is wrong.
	for _, c := range conclusions {
		l.refute(c)
	}
	if c := l.observe(p, at, conclusions, e); c != nil {
		return c
	}
	if i, ok := l.conditionIndex(lastComparison); ok && i < l.beforeSheet && lastComparison < len(l.codes)-1 && p.conditions[i].opaque {
		p.masked = appendRecent(p.masked, at)
		l.skipped[p.box(at)] = true // do not ask again: even if nothing was learned, the answer would be the same
	} else if lastComparison >= len(l.limitTests) {
		p.judged = appendRecent(p.judged, at)
	}
	if borderline {
		return ErrBorderline
	}
	return nil
}

// observe records the conclusions from an answer, and returns the first contradiction. If one of the conclusions is
// impossible whatever the older answers are, it records none of them.
func (l *Learner) observe(p *profile, at exact.Point, conclusions []conclusion, e state.Evidence) (first *Contradiction) {
	// If the comparison with the sheet depends on a chosen formula, the formula may be wrong. sheetConflict has the
	// older answers that contradict the conclusion whatever the formulas are.
	var sheetConflict []state.Observation
	if i := slices.IndexFunc(conclusions, func(c conclusion) bool { return restsOnFormula(c.unknown) }); i >= 0 {
		c := &conclusions[i]
		sheetConflict = l.resolve(p, at, *c, e)
		recomputed, _ := l.comparison(p, at, l.sheetComparison()) // resolve may have withdrawn the formula
		*c = recomputed.conclude(c.contains)
	}
	// First check all conclusions, so that an impossible answer changes nothing.
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
	// Then record the conclusions. Each unknown drops the older observations that contradict the new one.
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
				// A limit between the two dimensions would explain both answers, but would not be a multiple of the
				// step.
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

// isSheet reports whether facts about the unknown are reported as facts about a sheet.
func isSheet(u state.Unknown) bool { return u.Name() == sheetName }

// restsOnFormula reports whether the unknown is a sheet and what is known about it depends partly on a formula that
// was chosen because of the answers.
func restsOnFormula(u state.Unknown) bool {
	s, ok := u.(*state.Sheet)
	return ok && s.WithoutFormulas != nil
}

// tieNote returns a note about a box that is exactly on the border of the condition. For all other boxes it returns
// "".
func tieNote(condition exact.Region, at exact.Point) string {
	if onLimit(condition, at) {
		return ", but the box is exactly on its limit, where a service that computes in floating point can differ"
	}
	return ""
}

// contradictions counts the contradictions about one unknown, and stores the last one.
type contradictions struct {
	last  *Contradiction
	count int
}

// contradict records the contradiction between an answer and older observations, and returns it. If one of the
// observations is from before Options.Since, it may be out of date, which does not count as a contradiction. In
// that case contradict records nothing and returns nil.
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
	// If there is a third contradiction, the service has not just changed once.
	earlier := l.contradictions[u]
	if c.Rows = append(c.Rows, e.Row); earlier.count > 1 && c.Note == "" {
		c.Note = "answers go back and forth: do they depend on something that the rows do not show, such as type or account?"
	}
	l.contradictions[u] = contradictions{c, earlier.count + 1}
	return c
}

// Possible returns the codes that the service may answer for the box according to the answers so far. They are in
// check order. If the box may be accepted, the last code is "". If there is only one code, the answer is certain.
// The error is a *[boxrules.InputError].
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
			return codes, nil // the box certainly fails, so the service goes no further
		}
	}
	return append(codes, ""), nil
}

// maxWork limits the searches of one call to a few seconds.
const maxWork = 100_000_000

// widestLimits returns the smallest and the largest box that may be within the limits.
func (a *article) widestLimits() (low, high exact.Point) {
	for axis := range exact.Axes {
		low[axis], high[axis] = a.rangeEnds[axis][minimum].LowerBound(), a.rangeEnds[axis][maximum].UpperBound()
	}
	return low, high
}

// allowed returns a region for each condition rule before end that the article is known to select: the boxes that
// the rule does not refuse.
func (p *profile) allowed(end int) []exact.Region {
	var regions []exact.Region
	for i, c := range p.conditions[:end] {
		if p.article.selections[i].IsSelected() && !c.opaque {
			regions = append(regions, c.satisfied)
		}
	}
	return regions
}

// search returns a search for boxes whose dimensions are multiples of step. The search spends l.work.
func (l *Learner) search(step int64) polytope.Search {
	return polytope.Search{Step: step, Budget: &l.work}
}

// find looks for a box that may be within the limits and meets all conditions. Its dimensions are multiples of
// finest.
func (l *Learner) find(p *profile, finest int64, conditions ...exact.Region) (exact.Point, polytope.Answer) {
	low, high := p.article.widestLimits()
	at, answer := l.search(finest).Find(polytope.Cube(low, high), conditions...)
	l.gaveUp = l.gaveUp || answer == polytope.Undecided
	return at, answer
}

// findAskable is like find, but considers only boxes to ask about, and prefers boxes whose dimensions are multiples
// of the step of the limits. It never returns a box that [Learner.Skip] excludes, and returns a borderline box only
// if it finds no other.
func (l *Learner) findAskable(p *profile, conditions ...exact.Region) (at exact.Point, ok bool) {
	for _, finest := range []int64{l.askStep(), l.askGrid} {
		conditions := slices.Clip(conditions)
		for borderline := 0; borderline < maxBorderline; {
			another, answer := l.find(p, finest, conditions...)
			if answer != polytope.Something {
				break
			}
			conditions = append(conditions, otherThan(another)) // so that the next search finds another box
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

// maxBorderline is the number of borderline boxes after which the search for a box that is not borderline gives up.
// Usually one of the first few boxes is not.
const maxBorderline = 10

// otherThan returns the region of all points other than at.
func otherThan(at exact.Point) exact.Region {
	var alternatives []exact.Region
	for axis, x := range at {
		alternatives = append(alternatives, exact.AtMost(axis, x-1), exact.AtLeast(axis, x+1))
	}
	return exact.AnyOf(alternatives...)
}

// isHidden reports whether it is proved that no box can show whether the article selects constraint i. That is so
// if earlier constraints that are known to be selected refuse every box within the limits that violates constraint
// i. For example, width > 50 hides width > 100.
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

// differentProfiles returns profiles of the article that all have different conditions. Usually the conditions are
// the same in all materials, so there is only one.
func (a *article) differentProfiles() (different []*profile) {
	for _, p := range a.profiles {
		if !slices.ContainsFunc(different, func(q *profile) bool { return slices.Equal(p.conditions, q.conditions) }) {
			different = append(different, p)
		}
	}
	return different
}

// hidingConstraints returns a minimal set of selected constraints that hide constraint i: every box that violates
// constraint i violates at least one of them. No constraint can be left out of the set.
func (l *Learner) hidingConstraints(a *article, i int) (hiding []int) {
	for j := range i {
		if a.selections[j].IsSelected() && !a.profiles[0].conditions[j].opaque {
			hiding = append(hiding, j)
		}
	}
	// Leave out each constraint if the others still hide constraint i. Begin with the last one, so that earlier
	// constraints remain if there is a choice.
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

// informative returns the conditions for boxes from whose answers more can be learned about the sheet: no
// constraint refuses the box, and it is not known whether its blank fits.
//
// Take a sheet that is known to hold 900 x 600 and not to hold 1000 x 500. A blank of 950 x 550 is informative,
// because it exceeds 900 and is shorter than 1000. A blank of 800 x 500 is not, because it certainly fits. Nor is a
// blank of 1000 x 550, because it certainly does not fit.
func (p *profile) informative() []exact.Region {
	s := p.sheet
	corner := s.Corner()
	conditions := append(p.allowed(p.beforeSheet), p.exceedsSheet(corner))
	for _, e := range s.SmallestExcluded() {
		// The sheet is at least as large as corner, and does not hold the excluded size. So it is smaller than the
		// excluded size on a side on which corner is smaller, too. A blank that may fit must also be smaller on one
		// of these sides. It does not help if it is smaller on another side.
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

// exceedsSheet returns the region of the boxes whose blank does not fit a sheet of the given size.
func (p *profile) exceedsSheet(size exact.Point) exact.Region {
	return exact.AnyOf(p.blank.exceeds(state.Long, size[state.Long]), p.blank.exceeds(state.Short, size[state.Short]))
}

// onLimit reports whether a point is on the border of one of the half-spaces of a region, either just inside or
// just outside.
func onLimit(t exact.Region, at exact.Point) bool {
	for h := range t.HalfSpaces() {
		if excess := h.Excess(at); excess == 0 || excess == 1 {
			return true
		}
	}
	return false
}
