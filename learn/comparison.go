package learn

import (
	"example.com/boxrules/exact"
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
	if i, ok := l.ruleIndex(k); ok {
		return comparison{unknown: p.article.selections[i], at: state.Selected}, p.occurrence(i, box)
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

// sheetComparison returns the index of the comparison with the sheet among all comparisons. If the rules have none, it
// returns the number of comparisons.
func (l *Learner) sheetComparison() int { return len(l.limitTests) + l.beforeSheet }

// informativeComparisons returns the number of comparisons whose results may tell something: those up to and including
// the comparison with the sheet. The rules after it apply to every article.
func (l *Learner) informativeComparisons() int {
	if l.hasSizeRule {
		return l.sheetComparison() + 1
	}
	return l.sheetComparison()
}

// An occurrence says whether the service makes a comparison for a box. For a constraint, it makes the comparison
// only if the condition of the constraint holds.
type occurrence int

const (
	never   occurrence = iota
	perhaps            // the two arithmetics disagree, or the rule is opaque
	always
)

// occurrence says whether the condition of condition rule i holds for the box. It returns always if the condition holds
// both in exact arithmetic and in double precision, never if it holds in neither of the two, and perhaps if it
// holds in only one of them, or if the rule is opaque.
func (p *profile) occurrence(i int, box exact.Point) occurrence {
	c := p.conditions[i]
	if c.isOpaque {
		return perhaps
	}
	holds := c.violated.Contains(box)
	// The arithmetics can only differ near the edge of the condition. Computing the condition in double
	// precision is slow, so OnEdge is called first.
	switch {
	case c.withEdges.OnEdge(box) && c.expression.HoldsInFloat64(c.unitRatio, p.valueInFloat64(box)) != holds:
		return perhaps
	case holds:
		return always
	}
	return never
}
