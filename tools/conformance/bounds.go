package main

import (
	"errors"
	"log"
	"math/big"
	"regexp"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/boxtest"
	"example.com/boxrules/conformance"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/limits"
)

// This file is an oracle for the field to blame and its bound. It shares no code with the engine. The Go parser reads
// the conditions, which are Go expressions after a few replacements. Each condition becomes a tree of linear
// comparisons in thousandths. To find the valid values of a dimension, the oracle looks at both sides of every
// coordinate at which a comparison changes. Package boxtest says which boxes are rejected in double precision.

var errTooLarge = errors.New("a factor of a condition is too large for this oracle")

// A boundFinder finds the bounds for boxes of an article in a material.
type boundFinder struct {
	rules     []blamedRule // the rules that apply to the article, in check order
	low, high exact.Point  // the article's limits
	step      int64
	reference *boxtest.Reference
}

type blamedRule struct {
	code      string
	stage     boxrules.Stage
	condition *blamedCondition
}

func newBoundFinder(rules *boxrules.RuleSet, catalogue *limits.Catalogue, a limits.Article, m limits.Material, reference *boxtest.Reference) *boundFinder {
	b := &boundFinder{step: exact.StepOf(catalogue.Decimals()), reference: reference}
	for axis, r := range a.Ranges() {
		thousand := big.NewRat(1000, 1)
		b.low[axis] = new(big.Rat).Mul(r.Min.Rat(), thousand).Num().Int64()
		b.high[axis] = new(big.Rat).Mul(r.Max.Rat(), thousand).Num().Int64()
	}
	known := map[string]*big.Rat{
		"min_width": a.Width.Min.Rat(), "max_width": a.Width.Max.Rat(), "min_depth": a.Depth.Min.Rat(),
		"max_depth": a.Depth.Max.Rat(), "min_height": a.Height.Min.Rat(), "max_height": a.Height.Max.Rat(),
		"caliper": m.Caliper.Rat(), "glue_flap": m.GlueFlap.Rat(),
		"sheet_width": m.Sheet.Width.Rat(), "sheet_height": m.Sheet.Height.Rat(),
	}
	for _, given := range []limits.Values{catalogue.Values(), a.Values, m.Values} {
		for name, text := range given {
			known[name] = text.Rat()
		}
	}
	values, axes := make(map[string]blamedExtreme), make(map[string][]int)
	for name, x := range known {
		values[name] = blamedConstant(x)
	}
	for axis, name := range exact.AxisNames() {
		dimension := blamedConstant(new(big.Rat))
		dimension.factors[axis].SetInt64(1)
		axes[name] = []int{axis}
		values[name] = dimension
	}
	if a.Blank != nil { // the blank comes last, because its formulas can use all other variables
		r, width, height := blamedConditionReader{values, axes}, parseBlamedCondition(a.Blank.Width.Text), parseBlamedCondition(a.Blank.Height.Text)
		values["blank_width"], values["blank_height"] = r.number(width), r.number(height)
		axes["blank_width"], axes["blank_height"] = r.mentioned(width), r.mentioned(height)
	}
	var numbers []string
	for _, v := range rules.Values() {
		if v.Kind == boxrules.NumberValue {
			numbers = append(numbers, v.Name)
		}
	}
	for _, rule := range rules.Rules() {
		isSelected := rule.Stage != boxrules.Constraint || slices.Contains(a.Constraints, string(rule.Code))
		if !isSelected || blankSide.MatchString(rule.When) && a.Blank == nil {
			continue
		}
		// A condition is evaluated in the unit of its rule, so convert all lengths. A value that is declared as a
		// number has no unit.
		ratio := new(big.Rat).Quo(oracle.Millimetres[catalogue.Unit()], oracle.Millimetres[rule.Unit])
		inUnit := make(map[string]blamedExtreme)
		for name, value := range values {
			if inUnit[name] = value; !slices.Contains(numbers, name) {
				inUnit[name] = value.times(ratio)
			}
		}
		b.rules = append(b.rules, blamedRule{string(rule.Code), rule.Stage, blamedConditionReader{inUnit, axes}.condition(parseBlamedCondition(rule.When), false)})
	}
	return b
}

// blankSide matches the name of a side of the blank in a condition. It does not match the names of user-defined
// values, which may also begin with blank_.
var blankSide = regexp.MustCompile(`\bblank_(width|height)\b`)

// A validRun is a range of valid values, in thousandths.
type validRun struct {
	low, high       int64
	lowest, highest *int64 // the values to propose for its ends, or nil: see propose
}

// bounds returns a bound for each rule that the box violates in the stage of the first violation. codes are the
// codes of all violated rules, as package oracle determined them. If the oracle in this file finds different codes,
// the program ends with an error. bounds returns nil if a bound depends on how far an edge of a condition reaches,
// because this oracle does not know that.
func (b *boundFinder) bounds(box boxrules.Box, codes []string) []conformance.Bound {
	var at exact.Point
	for axis, x := range box.ByAxis() {
		at[axis] = new(big.Rat).Mul(oracle.Grid(x), big.NewRat(1000, 1)).Num().Int64()
	}
	violated := slices.DeleteFunc(slices.Clone(b.rules), func(r blamedRule) bool { return !r.condition.holds(at) })
	if !slices.EqualFunc(violated, codes, func(r blamedRule, code string) bool { return r.code == code }) {
		log.Fatalf("%+v violates %v, but the oracle of bounds finds %v", box, codes, violated)
	}
	var all []conformance.Bound
	for _, r := range violated {
		if r.stage != violated[0].stage {
			continue
		}
		axes := r.condition.blamed(at)
		field := -1
		for _, rules := range [][]blamedRule{b.rules, {r}} {
			for _, axis := range axes {
				if field < 0 && len(b.runs(rules, at, axis)) > 0 {
					field = axis
				}
			}
		}
		if field < 0 {
			field = append(axes, exact.Width)[0]
		}
		within := b.rules
		if !b.isFixable(axes, at) && !slices.ContainsFunc(axes, func(axis int) bool { return axis != field }) {
			within = []blamedRule{r}
		}
		bound := conformance.Bound{Field: exact.AxisNames()[field]}
		for _, run := range b.runs(within, at, field) {
			if !b.propose(&run, within, box, at, field) {
				return nil
			}
			near, far := run.highest, run.lowest
			isAbove := exact.Float64At(run.low) > box.ByAxis()[field]
			if isAbove {
				near, far = far, near
			}
			if near == nil {
				near = far
			}
			switch {
			case near == nil: // every value of this run is borderline
			case !isAbove:
				bound.Max = boundNumber(*near)
			case bound.Min == nil:
				bound.Min = boundNumber(*near)
			}
		}
		all = append(all, bound)
	}
	return all
}

func boundNumber(x int64) *conformance.Number {
	n := conformance.Number(exact.Float64At(x))
	return &n
}

// isFixable reports whether the box can be made valid by changing a single dimension along one of the given axes.
func (b *boundFinder) isFixable(axes []int, at exact.Point) bool {
	return slices.ContainsFunc(axes, func(axis int) bool { return len(b.runs(b.rules, at, axis)) > 0 })
}

// runs returns the ranges of values of the dimension along the axis that are within the limits and violate none of
// the rules.
func (b *boundFinder) runs(rules []blamedRule, at exact.Point, axis int) (runs []validRun) {
	// The result of a comparison can change only next to its root, the value for which the sum is 0.
	places := []int64{b.low[axis], b.high[axis]}
	for _, r := range rules {
		r.condition.visitComparisons(func(c *blamedCondition) {
			if slope := c.factors[axis]; slope != 0 {
				origin := at
				origin[axis] = 0
				root := -c.sum(origin) / slope / b.step * b.step // the division rounds towards zero, so look two steps in both directions
				for i := int64(-2); i <= 2; i++ {
					places = append(places, root+i*b.step)
				}
			}
		})
	}
	slices.Sort(places)
	places = slices.Compact(places)
	isValid := func(x int64) bool {
		at[axis] = x
		return !slices.ContainsFunc(rules, func(r blamedRule) bool { return r.condition.holds(at) })
	}
	isOpen := false // whether the previous place is valid, so that this place may continue its run
	for _, x := range places {
		switch {
		case x < b.low[axis] || x > b.high[axis] || !isValid(x):
			isOpen = false
		case isOpen && isValid((runs[len(runs)-1].high+x)/2/b.step*b.step):
			runs[len(runs)-1].high = x
		default:
			runs = append(runs, validRun{low: x, high: x})
			isOpen = true
		}
	}
	return runs
}

// propose sets r.lowest and r.highest, the values to propose for the ends of a run. It returns false if it cannot
// determine them.
func (b *boundFinder) propose(r *validRun, rules []blamedRule, box boxrules.Box, at exact.Point, axis int) bool {
	isBorderline := func(x int64) bool {
		at[axis] = x
		changed := box
		changed.Dims = boxrules.DimsAt(at)
		codes, err := b.reference.Float64(changed)
		if err != nil {
			log.Fatal(err)
		}
		return slices.ContainsFunc(codes, func(code boxrules.Code) bool {
			return slices.ContainsFunc(rules, func(r blamedRule) bool { return r.code == string(code) })
		})
	}
	safe := func(end, inward int64) (*int64, bool) {
		switch next := end + inward; {
		case !isBorderline(end):
			return &end, true
		case r.low == r.high:
			return nil, true // the only value of the run is borderline
		case !isBorderline(next):
			return &next, true
		}
		return nil, false
	}
	var knowsLow, knowsHigh bool
	r.lowest, knowsLow = safe(r.low, b.step)
	r.highest, knowsHigh = safe(r.high, -b.step)
	return knowsLow && knowsHigh
}
