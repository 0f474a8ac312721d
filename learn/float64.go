package learn

import (
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/learn/internal/state"
)

// A service may compute in double precision, in which some comparisons give a different result from exact
// arithmetic: see boxrules.Profile.Borderline. What is learned has to be right for either kind of service. So
// a Learner learns from an answer only what is true in both arithmetics:
//
//   - The comparison of a dimension with a limit has the same result in both.
//   - If the condition of a constraint holds in only one of them, a box that is not refused with the code of the
//     constraint tells nothing about it. A box that is refused with its code still shows that it is selected.
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
		return p.float64Values.of(name, box)
	}
	return value
}

// float64Values are the values of the variables that do not depend on the box: the lengths of the material, the
// user-defined values, and the limits and sheets that are known. They are in units.
type float64Values struct {
	caliper, glueFlap float64
	values            map[string]float64 // the other values by name; nil if there are none
}

// newFloat64Values returns the lengths of the material that are among the variables. It includes limits and sheets
// only if limitsGiven is true.
func newFloat64Values(variables exact.Variables, limitsGiven bool) float64Values {
	length := func(name string) float64 {
		v, _ := variables.Get(name)
		k, _ := v.Value.Constant()
		x, _ := k.Float64()
		return x
	}
	l := float64Values{caliper: length("caliper"), glueFlap: length("glue_flap")}
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

// of returns the value of a variable for a box. The name is that of a dimension or of one of the values in l.
func (v float64Values) of(name string, box exact.Point) float64 {
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
// disagree. The answer may say nothing about that comparison and about later ones. all reports whether the
// arithmetics agree about every comparison from which something may still be learned.
func (l *Learner) agreedComparisons(p *profile, box exact.Point) (n int, all bool) {
	for i, c := range p.article.selections[:p.beforeSheet] {
		if may, _ := c.MayContain(state.Selected); may && !p.conditions[i].isOpaque && p.conditionLikelihood(i, box) == perhaps {
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
