package learn

import (
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/learn/internal/state"
)

// A comparison is one of the tests that the service makes for a box: it compares a dimension with a limit, checks a
// constraint, or compares a blank with a sheet. The result depends on a set of points that has to be learned. This set
// is in the field unknown. If failsOutside is false, the box fails the test if the set contains the point in the field
// at. If failsOutside is true, the box fails the test if the set does not contain that point.
//
// For example, the set of a limit contains the lengths up to the limit. A box of width 19 fails the test width <
// min_width if the minimum is at least 20, which means that the set of the minimum contains 20. It fails the test width
// > max_width if the maximum is less than 19, which means that the set of the maximum does not contain 19.
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

// comparison returns the comparison of a box that leads to the code l.codes[k] if the box fails it. occurs says
// whether the service makes this comparison if the box passes all earlier ones. The comparison for a constraint
// does not occur if the condition of the constraint does not hold for the box, because then it does not matter
// whether the article selects the constraint.
func (l *Learner) comparison(p *profile, box exact.Point, k int) (c comparison, occurs likelihood) {
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
	if i, ok := l.ruleIndex(k); ok {
		return comparison{unknown: p.article.selections[i], at: state.Selected}, p.comparisonLikelihood(i, box)
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

// possibleOutcomes looks at all limit files that are consistent with the answers. It reports whether the set may contain
// the point of the comparison, and whether it may not contain the point.
func (c comparison) possibleOutcomes() (may, mayNot bool) {
	may, _ = c.unknown.MayContain(c.at)
	_, mayNot = c.unknown.MayContain(c.excludedPoint())
	return may, mayNot
}

// sheetComparison returns the index, among all comparisons, of the one that compares the blank with the sheet. If the
// rules have no such comparison, it returns the index that the comparison would have.
func (l *Learner) sheetComparison() int { return len(l.limitTests) + l.beforeSheet }

// informativeComparisons returns the number of comparisons whose results may be informative: those up to and
// including the comparison with the sheet. All later rules apply to every article, so there is nothing to learn
// about them.
func (l *Learner) informativeComparisons() int {
	if l.hasSizeRule {
		return l.sheetComparison() + 1
	}
	return l.sheetComparison()
}

// A likelihood says whether the service makes a given comparison for a box. It makes the comparison for a constraint
// only if the condition of the constraint holds.
type likelihood int

const (
	never   likelihood = iota
	perhaps            // the two arithmetics disagree, or the rule is opaque
	always
)

// comparisonLikelihood returns always if the condition of condition rule i holds for the box in both arithmetics, never
// if it holds in neither, and perhaps if it holds in only one of them. It also returns perhaps if the rule is opaque,
// because then it is not known for which boxes the condition holds.
func (p *profile) comparisonLikelihood(i int, box exact.Point) likelihood {
	c := p.conditions[i]
	if c.isOpaque {
		return perhaps
	}
	holds := c.violated.Contains(box)
	// The two arithmetics can differ only near the edge of the condition. Call OnEdge first, because computing the
	// condition in double precision is slow.
	switch {
	case c.withEdges.OnEdge(box) && c.expression.HoldsInFloat64(c.unitRatio, p.valueInFloat64(box)) != holds:
		return perhaps
	case holds:
		return always
	}
	return never
}

// A service may compute in double precision, in which some comparisons give a different result from exact
// arithmetic: see boxrules.Profile.Borderline. What is learned has to be right for either kind of service. So
// a Learner learns from an answer only what is true in both arithmetics:
//
//   - The comparison of a dimension with a limit has the same result in both.
//   - If the condition of a constraint holds in only one of them, nothing can be learned about the constraint
//     from a box that is not refused with its code. A box that is refused with this code still shows that the
//     constraint is selected.
//   - The sides of a blank may be a little longer or shorter in double precision, which matters if the sheet
//     has exactly that length. Take a blank that is 700 long in exact arithmetic and 700.0000000000001 in
//     double precision. If it fits, the sheet is at least 700 long. If it does not fit, the sheet may still
//     be 700 long, but it is shorter than 701.

// valueInFloat64 returns a function that returns the values of variables for a box, in double precision.
func (p *profile) valueInFloat64(box exact.Point) func(name string) float64 {
	var value func(name string) float64
	value = func(name string) float64 {
		switch name {
		case "blank_width":
			return p.blank.formulas.Width.Float64(value)
		case "blank_height":
			return p.blank.formulas.Height.Float64(value)
		}
		return p.float64Values.value(name, box)
	}
	return value
}

// comparisonValues are the values of the variables that do not depend on the box: the lengths of the material, the
// user-defined values, and the limits and sheets that are known. They are in units.
type comparisonValues struct {
	caliper, glueFlap float64
	values            map[string]float64 // the other values, keyed by name; nil if there are none
}

// newComparisonValues returns the values of the variables that do not depend on the box. The result includes limits
// and sheets only if limitsGiven is true.
func newComparisonValues(variables exact.Variables, limitsGiven bool) comparisonValues {
	length := func(name string) float64 {
		v, _ := variables.Get(name)
		k, _ := v.Value.Constant()
		x, _ := k.Float64()
		return x
	}
	l := comparisonValues{caliper: length("caliper"), glueFlap: length("glue_flap")}
	for name := range variables.All() {
		if !expression.IsVariable(name) || limitsGiven && firstUnknownName([]string{name}) != "" {
			if l.values == nil {
				l.values = make(map[string]float64)
			}
			l.values[name] = length(name)
		}
	}
	return l
}

// value returns the value of a variable for a box. name must be the name of a dimension or of a value in v.
func (v comparisonValues) value(name string, box exact.Point) float64 {
	switch name {
	case "caliper":
		return v.caliper
	case "glue_flap":
		return v.glueFlap
	}
	if x, ok := v.values[name]; ok {
		return x
	}
	names := exact.AxisNames()
	return exact.Float64At(box[slices.Index(names[:], name)])
}

// agreedComparisons counts the comparisons of a box that come before the first one about which the two arithmetics
// disagree. The service's answer may tell us nothing about that comparison or any later one. all reports whether the
// arithmetics agree about every comparison from which something may still be learned.
func (l *Learner) agreedComparisons(p *profile, box exact.Point) (n int, all bool) {
	for i, c := range p.article.selections[:p.beforeSheet] {
		if may, _ := c.MayContain(state.Selected); may && !p.conditions[i].isOpaque && p.comparisonLikelihood(i, box) == perhaps {
			return len(l.limitTests) + i, false
		}
	}
	n = l.informativeComparisons()
	if p.blank == nil || !l.hasSizeRule {
		return n, true
	}
	// The arithmetics agree if the two sizes are equal, or if the sheet is known to hold the larger size.
	lower, upper := p.blank.minSheetSize(box), p.blank.upperSize(box)
	if lower == upper || state.Inside(upper, p.sheet.Corner()) {
		return n, true
	}
	mayHold, _ := p.sheet.MayContain(upper)
	_, mayNot := p.sheet.MayContain(lower)
	if mayHold && mayNot {
		return n, false // both answers are still informative, but by one step less than usual
	}
	return n - 1, false
}
