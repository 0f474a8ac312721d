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
	l.updateRuleConditions(p.article)
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
		i, isCondition := l.ruleIndex(k)
		switch {
		case occurs == always && !fails && isCondition && p.article.selections[i].IsAlways():
			// Every box for which this condition holds is refused, so the answer is impossible.
			return l.addContradiction(p, c.unknown, e, "the condition holds for the box"+tieNote(p.conditions[i].violated, at), nil)
		case occurs == always || occurs == perhaps && fails:
			conclusions = append(conclusions, c.conclude(fails != c.failsOutside))
			if occurs == perhaps { // if the rule is known to be selected, the answer tells nothing
				l.skipped[p.box(at)] = true
			}
		case occurs == perhaps:
			// The box was not refused by this constraint. Perhaps the article does not select it, and
			// perhaps the service computes in an arithmetic in which the condition does not hold.
			selected, _ := c.mayContain()
			borderline = borderline || selected && !p.conditions[i].isOpaque
		case fails:
			// The condition holds in neither arithmetic, so this code is impossible for the box.
			note := cmp.Or(p.article.missingValues[i], "the condition does not hold for the box"+tieNote(p.conditions[i].violated, at))
			return l.addContradiction(p, c.unknown, e, note, nil)
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
		l.refuteUnknownCodes(c)
	}
	if c := l.addConclusions(p, at, conclusions, e); c != nil {
		return c
	}
	if i, ok := l.ruleIndex(lastComparison); ok && i < l.beforeSheet && lastComparison < len(l.codes)-1 && p.conditions[i].isOpaque {
		p.maskedBoxes = appendRecentBox(p.maskedBoxes, at)
		l.skipped[p.box(at)] = true // do not ask again: the answer may have told nothing, and would be the same
	} else if lastComparison >= len(l.limitTests) {
		p.judgedBoxes = appendRecentBox(p.judgedBoxes, at)
	}
	if borderline {
		return ErrBorderline
	}
	return nil
}

// addConclusions records the conclusions of an answer, and returns the first contradiction. If a conclusion is impossible
// whatever the older answers are, addConclusions records no conclusions.
func (l *Learner) addConclusions(p *profile, at exact.Point, conclusions []conclusion, e state.Evidence) (first *Contradiction) {
	// If the comparison with the sheet rests on a chosen formula, the formula may be wrong. sheetConflict
	// holds the older answers that contradict the conclusion with every formula.
	var sheetConflict []state.Observation
	if i := slices.IndexFunc(conclusions, func(c conclusion) bool { return restsOnFormula(c.unknown) }); i >= 0 {
		c := &conclusions[i]
		sheetConflict = l.resolveFormulaConflict(p, at, *c, e)
		recomputed, _ := l.comparison(p, at, l.sheetComparison()) // because resolveFormulaConflict may have withdrawn the formula
		*c = recomputed.conclude(c.contains)
	}
	// First check all conclusions, so that an answer that no limits explain changes nothing.
	for _, c := range conclusions {
		if c.unknown.Unexplained(c.at, c.contains) {
			var old []state.Observation
			note := fmt.Sprintf("no limit from %s to %s explains it: are limits greater or smaller than assumed?",
				formatLength(l.step), formatLength(l.maxLimit))
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
			if contradiction := l.addContradiction(p, c.unknown, e, note, old); contradiction != nil {
				first = cmp.Or(first, contradiction)
				break
			}
		}
	}
	return first
}

// tieNote returns a remark for a box that lies exactly on a limit of the condition, and "" for any
// other box.
func tieNote(condition exact.Region, at exact.Point) string {
	if isTie(condition, at) {
		return ", but the box is exactly on its limit, where a service that computes in floating point can differ"
	}
	return ""
}

// contradictions counts the contradictions about one unknown, and keeps the last one.
type contradictions struct {
	last  *Contradiction
	count int
}

// addContradiction records the contradiction between an answer and older observations, and returns it. If one of
// the observations is from before Options.Since, it may just be out of date, which is not a contradiction:
// then addContradiction records nothing, and returns nil.
func (l *Learner) addContradiction(p *profile, u state.Unknown, e state.Evidence, note string, old []state.Observation) *Contradiction {
	c := &Contradiction{Fact{What: u.Name(), State: Contradicted, Since: e.Date, Note: note}}
	if isSheetFact(u) {
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
		if note == "" && !isSheetFact(u) && o.Material != e.Material {
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
	l.updateRuleConditions(p.article)
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

// isTie reports whether a point is exactly on the border of one of the half-spaces of a region, just inside
// or just outside of it.
func isTie(t exact.Region, at exact.Point) bool {
	for h := range t.HalfSpaces() {
		if excess := h.Excess(at); excess == 0 || excess == 1 {
			return true
		}
	}
	return false
}
