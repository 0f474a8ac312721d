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

// A comparison is what the service compares of a box at one place of its rules: a dimension with a
// limit, a condition with whether it is selected, or a blank with a sheet. The box fails it if the set
// of the unknown contains the point, or if failsOutside is set, if it does not.
//
// A box of width 19, for example, fails width < min_width if the minimum is at least 20: if the set of
// the minimum contains 20. It fails width > max_width if the maximum is less than 19: if the set of the
// maximum does not contain 19.
type comparison struct {
	unknown      state.Unknown
	at           exact.Point
	failsOutside bool
	asked        int64       // if the unknown is a limit, the dimension of the box
	blank        *blank      // if the unknown is a sheet, the blank that it has to hold
	box          exact.Point // of the blank
}

// excludedPoint returns the point that the set is known to exclude if the answer is that it does not
// contain c.at. It is another point for a blank whose size double precision may compute otherwise.
func (c comparison) excludedPoint() exact.Point {
	if c.blank == nil {
		return c.at
	}
	return c.blank.upperSize(c.box)
}

// comparison returns comparison k of those that the service makes of a box, in the order of the codes,
// up to the first that the box fails. A constraint whose condition does not hold is never asked about.
func (l *Learner) comparison(p *profile, box exact.Point, k int) (c comparison, occurs occurrence) {
	if k < len(l.limitTests) {
		t := l.limitTests[k]
		c = comparison{unknown: p.article.rangeEnds[t.axis][t.end], failsOutside: t.end == maximum, asked: box[t.axis]}
		c.at[0] = roundUp(c.asked, l.step)
		if t.end == minimum {
			c.at[0] = roundDown(c.asked, l.step) + l.step
		}
		return c, always
	}
	if k -= len(l.limitTests); k < len(p.violated) {
		return comparison{unknown: p.article.selections[k], at: state.Selected}, p.occurs(k, box)
	}
	if p.blank == nil {
		return comparison{unknown: p.fitting, at: box, failsOutside: true}, always
	}
	return comparison{unknown: p.sheet, at: p.blank.lowerSize(box), failsOutside: true, blank: p.blank, box: box}, always
}

// A conclusion is what an answer says about a comparison: that the set contains the point, or that it does
// not.
type conclusion struct {
	comparison
	contains bool
}

// conclude returns the conclusion that the set contains the point, or that it does not.
func (c comparison) conclude(contains bool) conclusion {
	if !contains {
		c.at = c.excludedPoint()
	}
	return conclusion{c, contains}
}

// observation returns the conclusion as an observation that rests on the evidence.
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

// ErrOffGrid is the error of [Learner.Add] for an answer about dimensions with more decimals than
// the frame takes, three at most.
var ErrOffGrid = errors.New("a dimension has too many decimals: the answer tells nothing certain")

// ErrBorderline is the error of [Learner.Add] for an answer about a box for which exact arithmetic and
// double precision disagree about the condition of a constraint that may be selected. Because it is not
// known how the service computes, Add has learned nothing about that constraint, and about everything
// else what is true in either case.
var ErrBorderline = errors.New("the box is borderline: the answer tells nothing of a condition that double precision decides otherwise")

// Add learns from an answer. The error is one of these:
//
//   - A *[boxrules.InputError], if the answer is not about a box of the frame or its code does not refuse
//     boxes. Nothing is learned.
//   - [ErrOffGrid], if a dimension has too many decimals. Nothing is learned: a refusal of 48.0004 by the
//     code for its maximum does not tell whether the maximum is below 48, because nobody knows how the
//     service rounds.
//   - [ErrUnknownCode], for a refusal by a code that the rules do not have, which tells little.
//   - [ErrBorderline], for an answer that tells less than others because the service may compute in
//     floating point.
//   - A *[Contradiction], the first if there are several. Then Add forgets the older answers that
//     contradict the new one, because a service may change. An answer that no limits explain is ignored.
func (l *Learner) Add(a Answer) error {
	p, at, err := l.locate(a.Box)
	if err != nil {
		return err
	}
	if boxrules.DimsAt(at) != a.Dims || at[0]%l.answerGrid != 0 || at[1]%l.answerGrid != 0 || at[2]%l.answerGrid != 0 {
		return ErrOffGrid
	}
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
	conclusions := make([]conclusion, 0, 64) // enough for most rules, so that they stay on the stack
	borderline := false
	for k := range min(lastComparison+1, len(l.codes)-1) {
		c, occurs := l.comparison(p, at, k)
		fails := k == lastComparison
		switch {
		case occurs == always || occurs == perhaps && fails:
			conclusions = append(conclusions, c.conclude(fails != c.failsOutside))
		case occurs == perhaps:
			selected, _ := c.mayContain()
			borderline = borderline || selected
		case fails:
			note := "the condition does not hold there" + tieNote(p.violated[k-len(l.limitTests)], at)
			return l.contradict(p, c.unknown, e, note, nil)
		}
		if fails && k < len(l.limitTests) {
			// No minimum is greater than its maximum: a box of width 19 below the minimum shows
			// that both are at least 20.
			t := l.limitTests[k]
			c.unknown = p.article.rangeEnds[t.axis][1-t.end]
			conclusions = append(conclusions, c.conclude(!c.failsOutside))
		}
	}
	for _, c := range conclusions {
		l.refute(c)
	}
	if c := l.observe(p, at, conclusions, e); c != nil {
		return c
	}
	if lastComparison >= len(l.limitTests) {
		p.judged = appendRecent(p.judged, at)
	}
	if borderline {
		return ErrBorderline
	}
	return nil
}

// observe records the conclusions of an answer, if they can be true at all. It returns the first
// contradiction.
func (l *Learner) observe(p *profile, at exact.Point, conclusions []conclusion, e state.Evidence) (first *Contradiction) {
	// Among the answers about blanks whose formulas were chosen, those that contradict this one.
	var sheetConflict []state.Observation
	if c := &conclusions[len(conclusions)-1]; restsOnFormula(c.unknown) {
		sheetConflict = l.resolve(p, at, *c, e)
		recomputed, _ := l.comparison(p, at, len(l.codes)-2) // the formula may have been taken back
		*c = recomputed.conclude(c.contains)
	}
	for _, c := range conclusions {
		if c.unknown.Unexplained(c.at, c.contains) {
			var old []state.Observation
			note := fmt.Sprintf("no limit from %s to %s explains it: are limits greater or smaller than assumed?",
				formatLength(l.step), formatLength(l.maxLimit))
			if isSheet(c.unknown) {
				note = "no sheet is so " + map[bool]string{true: "large", false: "small"}[c.contains]
				old = sheetConflict
			}
			first = cmp.Or(first, l.contradict(p, c.unknown, e, note, old))
		}
	}
	if first != nil {
		return first
	}
	for _, c := range conclusions {
		conflicts := c.unknown.Observe(c.observation(e), c.contains)
		if restsOnFormula(c.unknown) {
			l.recordFormulaFree(p, at, c, e, conflicts)
		}
		for _, old := range conflicts {
			note := ""
			if restsOnFormula(c.unknown) && sheetConflict != nil {
				old, note = sheetConflict, "no formula that is tried for a blank explains them together"
			} else if _, ok := c.unknown.(*state.Fitting); ok {
				note = "a box fits that is larger than one that does not, or the answers differ"
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

// isSheet reports whether answers about the unknown are about the sheet of a material.
func isSheet(u state.Unknown) bool { return u.Name() == sheetName }

// restsOnFormula reports whether the unknown is a sheet about which something is known by a formula that
// was chosen because of the answers.
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

// contradictions are those about one unknown.
type contradictions struct {
	last  *Contradiction
	count int
}

// contradict keeps the contradiction between an answer and older observations, and returns it. If
// one of these is so old that it may be wrong by now, it returns nil.
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
	earlier := l.contradictions[u]
	if c.Rows = append(c.Rows, e.Row); earlier.count > 1 && c.Note == "" {
		c.Note = "answers go back and forth: do they depend on something that the rows do not show, such as type or account?"
	}
	l.contradictions[u] = contradictions{c, earlier.count + 1}
	return c
}

// Possible returns the codes that the service may answer for the box, given the answers so far: "" is
// accepted, and a single element is certain. They come in check order, with "" last. The error
// is an *InputError.
func (l *Learner) Possible(b boxrules.Box) ([]boxrules.Code, error) {
	p, at, err := l.locate(b)
	if err != nil {
		return nil, err
	}
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
			return codes, nil
		}
	}
	return append(codes, ""), nil
}

// maxWork bounds the proofs of one call to some seconds.
const maxWork = 100_000_000

// widestLimits returns the smallest and the largest box that may be within the limits.
func (a *article) widestLimits() (low, high exact.Point) {
	for axis := range exact.Axes {
		low[axis], high[axis] = a.rangeEnds[axis][minimum].LowerBound(), a.rangeEnds[axis][maximum].UpperBound()
	}
	return low, high
}

// allowed returns, for each constraint before end that the article is known to select, the boxes
// that it allows.
func (p *profile) allowed(end int) []exact.Region {
	var regions []exact.Region
	for i, keeps := range p.satisfied[:end] {
		if p.article.selections[i].IsSelected() {
			regions = append(regions, keeps)
		}
	}
	return regions
}

// search returns a search for boxes whose dimensions are multiples of step, within the work of one call.
func (l *Learner) search(step int64) polytope.Search {
	return polytope.Search{Step: step, Budget: &l.work}
}

// find looks for a box on a grid that may be within the limits and meets every condition.
func (l *Learner) find(p *profile, finest int64, conditions ...exact.Region) (exact.Point, polytope.Answer) {
	low, high := p.article.widestLimits()
	at, answer := l.search(finest).Find(polytope.Cube(low, high), conditions...)
	l.gaveUp = l.gaveUp || answer == polytope.Undecided
	return at, answer
}

// findRound looks for such a box that can be asked, preferably in whole units. It passes over boxes
// that got no answer, and over borderline ones unless it finds no others.
func (l *Learner) findAskable(p *profile, conditions ...exact.Region) (at exact.Point, ok bool) {
	for _, finest := range []int64{l.askStep(), l.askGrid} {
		conditions := slices.Clip(conditions)
		for borderline := 0; borderline < maxBorderline; {
			another, answer := l.find(p, finest, conditions...)
			if answer != polytope.Something {
				break
			}
			conditions = append(conditions, otherThan(another))
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

// maxBorderline bounds the borderline boxes that a search passes over. Among a few neighbours there
// is most often one that is not borderline.
const maxBorderline = 10

// otherThan returns all points but one.
func otherThan(at exact.Point) exact.Region {
	var alternatives []exact.Region
	for axis, x := range at {
		alternatives = append(alternatives, exact.AtMost(axis, x-1), exact.AtLeast(axis, x+1))
	}
	return exact.AnyOf(alternatives...)
}

// isHidden reports whether it is proved that no box tells if the article selects constraint i,
// about which no answer tells yet: wherever its condition holds, an earlier constraint is reported.
func (l *Learner) isHidden(a *article, i int) bool {
	for _, p := range a.profiles {
		if _, answer := l.find(p, l.answerGrid, append(p.allowed(i), p.violated[i])...); answer != polytope.Nothing {
			return false
		}
	}
	return true
}

// hidingConstraints returns selected constraints that are reported wherever constraint i holds.
// None of them can be left out.
func (l *Learner) hidingConstraints(a *article, i int) (hiding []int) {
	for j := range i {
		if a.selections[j].IsSelected() {
			hiding = append(hiding, j)
		}
	}
	for k := len(hiding) - 1; k >= 0; k-- {
		fewer := slices.Delete(slices.Clone(hiding), k, k+1)
		stillHidden := true
		for _, p := range a.profiles {
			conditions := []exact.Region{p.violated[i]}
			for _, j := range fewer {
				conditions = append(conditions, exact.Not(p.violated[j]))
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

// informative returns conditions for boxes that tell more about the sheet: no constraint forbids
// them, their blank exceeds the size that the sheet is known to have, and it may still fit.
func (p *profile) informative() []exact.Region {
	s := p.sheet
	corner := s.Corner()
	conditions := append(p.allowed(len(p.violated)), p.exceedsSheet(corner))
	for _, e := range s.SmallestExcluded() {
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

// exceedsSheet returns the boxes whose blank does not fit a sheet of the size.
func (p *profile) exceedsSheet(size exact.Point) exact.Region {
	return exact.AnyOf(p.blank.exceeds(state.Long, size[state.Long]), p.blank.exceeds(state.Short, size[state.Short]))
}

// onLimit reports whether a point is exactly on the border of one of the half-spaces of a region,
// on either side.
func onLimit(t exact.Region, at exact.Point) bool {
	for h := range t.HalfSpaces() {
		if excess := h.Excess(at); excess == 0 || excess == 1 {
			return true
		}
	}
	return false
}
