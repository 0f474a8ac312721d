package learn

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/learn/internal/state"
)

// ErrOffGrid is the error that [Learner.Add] returns for an answer about dimensions with more decimals than the frame
// allows. A frame allows at most three decimals.
var ErrOffGrid = errors.New("a dimension has too many decimals: nothing can be learned from the answer with certainty")

// ErrBorderline is the error that [Learner.Add] returns for an answer about a box for which exact arithmetic and double
// precision disagree about the condition of a constraint that may be selected. We do not know how the service computes,
// so Add learns nothing about that constraint. About everything else, it learns what is true in both arithmetics.
var ErrBorderline = errors.New("the box is borderline: nothing is learned about a condition that double precision decides differently")

// Add learns from an answer. The error is one of these:
//
//   - A *[boxrules.InputError] if the box is not valid input for the frame, or if services never refuse a box with
//     the code. Nothing is learned.
//   - [ErrOffGrid] if a dimension has too many decimals. Nothing is learned, because we do not know how the service
//     rounds. If a width of 48.0004 is refused with the code for the maximum, for example, the maximum may or may
//     not be below 48.
//   - [ErrUnknownCode] if the rules do not define the code of a refusal. Little is learned.
//   - [ErrBorderline] for an answer about a borderline box. Less is learned than usual, because the service may
//     compute in floating point.
//   - A *[Contradiction] if the answer contradicts older answers. If there are several contradictions, it is the
//     first one. Add then forgets the older answers, because the service may have changed. The error is also a
//     *[Contradiction] if the new answer is impossible whatever the limits are. In that case, Add ignores the
//     answer.
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
	l.updateRuleConditions(p.article)
	lastComparison := slices.Index(l.codes, a.Code)
	if lastComparison < 0 && !RefusesBoxes(a.Code) {
		return &boxrules.InputError{Field: "code", Message: wording.Quote(string(a.Code)) + " is not a code with which a service refuses a box"}
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
		i, isCondition := l.ruleIndex(k)
		switch {
		case occurs == always && !fails && isCondition && p.article.selections[i].IsAlways():
			// The rule applies to every article and refuses the box, so the answer is impossible.
			return l.addContradiction(p, c.unknown, e, "the condition holds for the box"+tieNote(p.conditions[i].violated, at), nil)
		case occurs == always || occurs == perhaps && fails:
			conclusions = append(conclusions, c.conclude(fails != c.failsOutside))
			if occurs == perhaps { // do not ask again: if the rule is already known to be selected, nothing new follows
				l.skipped[p.box(at)] = true
			}
		case occurs == perhaps:
			// The constraint has not refused the box. Either the article does not select it, or the service uses
			// the arithmetic in which the condition does not hold. So nothing follows.
			selected, _ := c.possibleOutcomes()
			borderline = borderline || selected && !p.conditions[i].isOpaque
		case fails:
			// The condition does not hold in either arithmetic, so the service cannot report this code for the box.
			note := cmp.Or(p.article.missingValues[i], "the condition does not hold for the box"+tieNote(p.conditions[i].violated, at))
			return l.addContradiction(p, c.unknown, e, note, nil)
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
		l.refuteUnknownCodes(c)
	}
	if c := l.addConclusions(p, at, conclusions, e); c != nil {
		return c
	}
	if i, ok := l.ruleIndex(lastComparison); ok && i < l.beforeSheet && p.conditions[i].isOpaque {
		p.maskedBoxes = appendRecentBox(p.maskedBoxes, at)
		l.skipped[p.box(at)] = true // do not ask again: even if nothing was learned, the answer would be the same
	} else if lastComparison >= len(l.limitTests) {
		p.judgedBoxes = appendRecentBox(p.judgedBoxes, at)
	}
	if borderline {
		return ErrBorderline
	}
	return nil
}

// addConclusions records the conclusions from an answer, and returns the first contradiction. If one of the conclusions
// is impossible whatever the older answers are, it records none of them.
func (l *Learner) addConclusions(p *profile, at exact.Point, conclusions []conclusion, e state.Evidence) (first *Contradiction) {
	// If the comparison with the sheet depends on a chosen formula, the formula may be wrong. sheetConflict has the
	// older answers that contradict the conclusion whatever the formulas are.
	var sheetConflict []state.Observation
	if i := slices.IndexFunc(conclusions, func(c conclusion) bool { return dependsOnFormula(c.unknown) }); i >= 0 {
		c := &conclusions[i]
		sheetConflict = l.resolveFormulaConflict(p, at, *c, e)
		recomputed, _ := l.comparison(p, at, l.sheetComparison()) // resolveFormulaConflict may have withdrawn the formula
		*c = recomputed.conclude(c.contains)
	}
	// First check all conclusions, so that an impossible answer changes nothing.
	for _, c := range conclusions {
		if c.unknown.Unexplained(c.at, c.contains) {
			var old []state.Observation
			note := fmt.Sprintf("no limit from %s to %s explains it: are the limits smaller or greater than assumed?",
				factLength(l.step), factLength(l.maxLimit))
			if isSheetFact(c.unknown) {
				note = "no sheet is that " + map[bool]string{true: "large", false: "small"}[c.contains]
				old = sheetConflict
			}
			first = cmp.Or(first, l.addContradiction(p, c.unknown, e, note, old))
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
		if dependsOnFormula(c.unknown) {
			l.recordFormulaFree(p, at, c, e, conflicts)
		}
		for _, old := range conflicts {
			note := ""
			if dependsOnFormula(c.unknown) && sheetConflict != nil {
				old, note = sheetConflict, "none of the formulas tried for the blanks explains all of these answers"
			} else if _, ok := c.unknown.(*state.Fitting); ok {
				note = "a box fits although a smaller one does not, or answers about the same box differ"
			} else if c.contains && old[0].Asked > c.asked || !c.contains && old[0].Asked < c.asked {
				// A limit between the two dimensions would explain both answers, but would not be a multiple of the
				// step.
				note = fmt.Sprintf("no multiple of %s explains both answers: is the real step smaller?", factLength(l.step))
			}
			if contradiction := l.addContradiction(p, c.unknown, e, note, old); contradiction != nil {
				first = cmp.Or(first, contradiction)
				break
			}
		}
	}
	return first
}

// tieNote returns a note, for the end of a message, that says that the box is exactly on the border of the condition.
// If the box is not on the border, tieNote returns "".
func tieNote(condition exact.Region, at exact.Point) string {
	if isTie(condition, at) {
		return ", but the box is exactly on its limit, where a service that computes in floating point can answer differently"
	}
	return ""
}

// contradictions counts the contradictions about one unknown, and stores the latest of them.
type contradictions struct {
	last  *Contradiction
	count int
}

// addContradiction records the contradiction between an answer and older observations, and returns it. If one of
// these observations is from before Options.Since, it may simply be out of date. In that case addContradiction
// only counts it for Outdated and returns nil.
func (l *Learner) addContradiction(p *profile, u state.Unknown, e state.Evidence, note string, old []state.Observation) *Contradiction {
	c := &Contradiction{Fact{What: u.Name(), State: Contradicted, Since: e.Date, Note: note}}
	if isSheetFact(u) {
		c.Material = p.material
	} else {
		c.Article = p.article.Code
	}
	for _, o := range old {
		if !o.Date.IsZero() && o.Date.Before(l.options.Since) {
			if l.outdated == nil {
				l.outdated = make(map[int]bool)
			}
			l.outdated[o.Seq] = true
			return nil
		}
		if !slices.Contains(c.Rows, o.Row) {
			c.Rows = append(c.Rows, o.Row)
		}
		if note == "" && !isSheetFact(u) && o.Material != e.Material {
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

// Outdated returns the number of answers from before Options.Since that later answers contradict.
func (l *Learner) Outdated() int { return len(l.outdated) }

// Possible returns the codes that the service may report for the box, according to the answers so far. The codes are in
// check order. If the service may accept the box, the last code is "". If there is only one code, the answer is
// certain. The error is a *[boxrules.InputError].
func (l *Learner) Possible(b boxrules.Box) ([]boxrules.Code, error) {
	p, at, err := l.locate(b)
	if err != nil {
		return nil, err
	}
	l.updateRuleConditions(p.article)
	var codes []boxrules.Code
	for k, code := range l.codes[:len(l.codes)-1] {
		c, occurs := l.comparison(p, at, k)
		if occurs == never {
			continue
		}
		mayFail, mayPass := c.possibleOutcomes()
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

// isTie reports whether a point is on the border of one of the half-spaces of a region, either just inside or
// just outside.
func isTie(t exact.Region, at exact.Point) bool {
	for h := range t.HalfSpaces() {
		if excess := h.Excess(at); excess == 0 || excess == 1 {
			return true
		}
	}
	return false
}

// locate returns the profile and the grid point of a box. For an unknown article or material, and for invalid
// dimensions, it returns the same error as [boxrules.Engine.Check].
func (l *Learner) locate(b boxrules.Box) (*profile, exact.Point, error) {
	at, ok := b.Grid()
	if p := l.profileByProduct[[2]string{b.Article, b.Material}]; ok && p != nil {
		return p, at, nil
	}
	// Something is wrong with the box. Let Check find out what it is. If the dimensions are valid, their values do
	// not matter.
	if ok {
		b.Dims = boxrules.Dims{}
	}
	_, err := l.recompiledEngine().Check(b)
	return nil, exact.Point{}, err
}
