package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
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

// This file is an oracle for bounds: for each violated rule, the field to blame and the values to propose for it.
// It shares no code with the engine. After a few replacements, a condition is a Go expression, so the Go parser can
// read it. The condition then becomes a tree of linear comparisons in thousandths. To find the valid values of a
// dimension, the oracle looks at both sides of every coordinate at which a comparison changes. It uses package
// boxtest to find out which boxes are rejected in double precision.

// A linear is a linear form: a constant plus a factor times each dimension.
type linear struct {
	factors  [exact.Axes]*big.Rat
	constant *big.Rat
}

// A number is a linear form, or the minimum or maximum of several numbers.
type number struct {
	linear
	choice string // "min", "max", or "" for a linear form
	args   []number
}

func constantNumber(x *big.Rat) number {
	return number{linear: linear{factors: [exact.Axes]*big.Rat{new(big.Rat), new(big.Rat), new(big.Rat)}, constant: x}}
}

func (a number) isConstant() bool {
	return a.choice == "" && a.factors[0].Sign() == 0 && a.factors[1].Sign() == 0 && a.factors[2].Sign() == 0
}

// plus returns a + b. It adds to the arguments of a min or max: min(a, b) + c becomes min(a + c, b + c).
func (a number) plus(b number) number {
	switch {
	case a.choice != "":
		return a.each(func(arg number) number { return arg.plus(b) })
	case b.choice != "":
		return b.each(func(arg number) number { return a.plus(arg) })
	}
	sum := constantNumber(new(big.Rat).Add(a.constant, b.constant))
	for axis := range sum.factors {
		sum.factors[axis].Add(a.factors[axis], b.factors[axis])
	}
	return sum
}

// times returns the number multiplied by a factor. If the factor is negative, min becomes max, and max becomes min.
func (a number) times(factor *big.Rat) number {
	if a.choice != "" {
		product := a.each(func(arg number) number { return arg.times(factor) })
		if factor.Sign() < 0 {
			product.choice = map[string]string{"min": "max", "max": "min"}[a.choice]
		}
		return product
	}
	product := constantNumber(new(big.Rat).Mul(a.constant, factor))
	for axis := range product.factors {
		product.factors[axis].Mul(a.factors[axis], factor)
	}
	return product
}

// each returns a copy of a min or max, with change applied to each argument.
func (a number) each(change func(number) number) number {
	changed := number{choice: a.choice}
	for _, arg := range a.args {
		changed.args = append(changed.args, change(arg))
	}
	return changed
}

// A condition is a combination of other conditions, its parts. If it has no parts, it is a comparison: the constant
// plus each factor times its dimension must be greater than 0.
type condition struct {
	parts []*condition
	isAnd bool // whether all parts have to hold; if not, one of them is enough

	factors  [exact.Axes]int64
	constant int64 // in thousandths
	orEqual  bool  // whether the comparison also holds if the sum is 0
	axes     []int // the axes to blame, in this order
}

// holds reports whether the condition holds at a point.
func (c *condition) holds(at exact.Point) bool {
	for _, part := range c.parts {
		if part.holds(at) != c.isAnd {
			return !c.isAnd
		}
	}
	if c.parts != nil {
		return c.isAnd
	}
	sum := c.sum(at)
	return sum > 0 || c.orEqual && sum == 0
}

func (c *condition) sum(at exact.Point) int64 {
	return c.constant + c.factors[0]*at[0] + c.factors[1]*at[1] + c.factors[2]*at[2]
}

// blamed returns the axes of the comparisons that make the condition hold. If one part of a condition is enough,
// only the first part that holds counts.
func (c *condition) blamed(at exact.Point) (axes []int) {
	for _, part := range c.parts {
		if c.isAnd {
			axes = append(axes, part.blamed(at)...)
		} else if part.holds(at) {
			return part.blamed(at)
		}
	}
	return append(axes, c.axes...)
}

// leaves calls visit for each comparison in the condition.
func (c *condition) leaves(visit func(*condition)) {
	for _, part := range c.parts {
		part.leaves(visit)
	}
	if c.parts == nil {
		visit(c)
	}
}

var errTooLarge = errors.New("a factor of a condition is too large for this oracle")

// A reader converts expressions to numbers and conditions.
type reader struct {
	values map[string]number // the values of the variables
	axes   map[string][]int  // the axes on which each variable depends, in the order of its formula
}

// mentioned returns the axes that the expressions mention, in the order of the text.
func (r reader) mentioned(expressions ...ast.Expr) (axes []int) {
	for _, e := range expressions {
		ast.Inspect(e, func(node ast.Node) bool {
			if name, ok := node.(*ast.Ident); ok {
				for _, axis := range r.axes[name.Name] {
					if !slices.Contains(axes, axis) {
						axes = append(axes, axis)
					}
				}
			}
			return true
		})
	}
	return axes
}

func (r reader) number(e ast.Expr) number {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.number(e.X)
	case *ast.BasicLit:
		x, ok := new(big.Rat).SetString(e.Value)
		if !ok {
			log.Fatalf("%s is not a number", e.Value)
		}
		return constantNumber(x)
	case *ast.Ident:
		value, ok := r.values[e.Name]
		if !ok {
			log.Fatalf("no value of %s", e.Name)
		}
		return value
	case *ast.UnaryExpr:
		if e.Op == token.SUB {
			return r.number(e.X).times(big.NewRat(-1, 1))
		}
		return r.number(e.X)
	case *ast.CallExpr:
		result := number{choice: e.Fun.(*ast.Ident).Name}
		for _, arg := range e.Args {
			result.args = append(result.args, r.number(arg))
		}
		if slices.ContainsFunc(result.args, func(arg number) bool { return !arg.isConstant() }) {
			return result
		}
		byConstant := func(a, b number) int { return a.constant.Cmp(b.constant) }
		if result.choice == "min" {
			return slices.MinFunc(result.args, byConstant)
		}
		return slices.MaxFunc(result.args, byConstant)
	}
	binary := e.(*ast.BinaryExpr)
	x, y := r.number(binary.X), r.number(binary.Y)
	switch binary.Op {
	case token.ADD:
		return x.plus(y)
	case token.SUB:
		return x.plus(y.times(big.NewRat(-1, 1)))
	case token.QUO:
		return x.times(new(big.Rat).Inv(y.constant))
	}
	if x.isConstant() {
		return y.times(x.constant)
	}
	return x.times(y.constant)
}

// condition returns the condition of the expression, or its opposite if not is true.
func (r reader) condition(e ast.Expr, not bool) *condition {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.condition(e.X, not)
	case *ast.UnaryExpr:
		return r.condition(e.X, !not)
	}
	binary := e.(*ast.BinaryExpr)
	op := binary.Op
	// In a rule, 10 <= width <= 20 means two comparisons. The Go parser makes the first comparison an operand of
	// the second.
	if left, ok := binary.X.(*ast.BinaryExpr); ok && op.Precedence() == left.Op.Precedence() && op.Precedence() == token.LSS.Precedence() {
		second := &ast.BinaryExpr{X: left.Y, Op: op, Y: binary.Y}
		return &condition{isAnd: !not, parts: []*condition{r.condition(left, not), r.condition(second, not)}}
	}
	if op == token.LAND || op == token.LOR {
		return &condition{isAnd: (op == token.LAND) != not, parts: []*condition{r.condition(binary.X, not), r.condition(binary.Y, not)}}
	}
	if not {
		op = map[token.Token]token.Token{token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
			token.EQL: token.NEQ, token.NEQ: token.EQL}[op]
	}
	difference := r.number(binary.X).plus(r.number(binary.Y).times(big.NewRat(-1, 1)))
	opposite := difference.times(big.NewRat(-1, 1))
	axes := r.mentioned(binary.X, binary.Y)
	switch op {
	case token.GTR:
		return positive(difference, false, axes)
	case token.GEQ:
		return positive(difference, true, axes)
	case token.LSS:
		return positive(opposite, false, axes)
	case token.LEQ:
		return positive(opposite, true, axes)
	case token.EQL:
		return &condition{isAnd: true, parts: []*condition{positive(difference, true, axes), positive(opposite, true, axes)}}
	}
	return &condition{parts: []*condition{positive(difference, false, axes), positive(opposite, false, axes)}}
}

// positive returns the condition that the number is greater than 0, or at least 0 if orEqual is true. axes are the
// axes to blame.
func positive(n number, orEqual bool, axes []int) *condition {
	if n.choice != "" {
		c := &condition{isAnd: n.choice == "min"}
		for _, arg := range n.args {
			c.parts = append(c.parts, positive(arg, orEqual, axes))
		}
		return c
	}
	// Multiply by the least common denominator, and divide by the greatest common divisor. Then all numbers are
	// whole and as small as possible.
	numbers := []*big.Rat{n.factors[0], n.factors[1], n.factors[2], new(big.Rat).Mul(n.constant, big.NewRat(1000, 1))}
	common, divisor := big.NewInt(1), new(big.Int)
	for _, x := range numbers {
		common.Mul(common, new(big.Int).Div(x.Denom(), new(big.Int).GCD(nil, nil, common, x.Denom())))
	}
	for _, x := range numbers {
		scaled := new(big.Rat).Mul(x, new(big.Rat).SetInt(common))
		divisor.GCD(nil, nil, divisor, new(big.Int).Abs(scaled.Num()))
	}
	if divisor.Sign() == 0 { // all numbers are 0
		divisor.SetInt64(1)
	}
	var whole [4]int64
	reach := int64(0) // the greatest possible magnitude of the sum without the constant
	for i, x := range numbers {
		scaled := new(big.Rat).Mul(x, new(big.Rat).SetFrac(common, divisor)).Num()
		if i == exact.Axes && new(big.Int).Abs(scaled).Cmp(big.NewInt(reach)) > 0 {
			scaled = big.NewInt(int64(scaled.Sign()) * (reach + 1)) // if the constant is beyond reach, only its sign matters
		}
		whole[i] = scaled.Int64()
		if i < exact.Axes {
			if scaled.BitLen() > 30 { // the sum might not fit into an int64
				panic(errTooLarge)
			}
			reach += max(whole[i], -whole[i]) * exact.MaxDimension * 1000
		}
	}
	return &condition{factors: [exact.Axes]int64(whole[:3]), constant: whole[3], orEqual: orEqual, axes: axes}
}

// A blamer finds the bounds for boxes of an article in a material.
type blamer struct {
	rules     []blamedRule // the rules that apply to the article, in check order
	low, high exact.Point  // the article's limits
	step      int64
	reference *boxtest.Reference
}

type blamedRule struct {
	code      string
	stage     boxrules.Stage
	condition *condition
}

func newBlamer(rules *boxrules.RuleSet, catalogue *limits.Catalogue, a limits.Article, m limits.Material, reference *boxtest.Reference) *blamer {
	b := &blamer{step: exact.StepOf(catalogue.Decimals()), reference: reference}
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
	values, axes := make(map[string]number), make(map[string][]int)
	for name, x := range known {
		values[name] = constantNumber(x)
	}
	for axis, name := range exact.AxisNames() {
		dimension := constantNumber(new(big.Rat))
		dimension.factors[axis].SetInt64(1)
		axes[name] = []int{axis}
		values[name] = dimension
	}
	if a.Blank != nil { // the blank comes last, because its formulas can use all other variables
		r, width, height := reader{values, axes}, parsed(a.Blank.Width.Text), parsed(a.Blank.Height.Text)
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
		inUnit := make(map[string]number)
		for name, value := range values {
			if inUnit[name] = value; !slices.Contains(numbers, name) {
				inUnit[name] = value.times(ratio)
			}
		}
		b.rules = append(b.rules, blamedRule{string(rule.Code), rule.Stage, reader{inUnit, axes}.condition(parsed(rule.When), false)})
	}
	return b
}

// blankSide matches the name of a side of the blank in a condition. It does not match the names of user-defined
// values, which may also begin with blank_.
var blankSide = regexp.MustCompile(`\bblank_(width|height)\b`)

// goReplacements turn a condition into a Go expression. Go has other operators for and, or and not. White space
// becomes a space, because a line break could end the expression. Signs get spaces around them, because ++ and --
// are other tokens in Go.
var goReplacements = []struct {
	pattern *regexp.Regexp
	inGo    string
}{{regexp.MustCompile(`\band\b`), "&&"}, {regexp.MustCompile(`\bor\b`), "||"}, {regexp.MustCompile(`\bnot\b`), "!"}, {regexp.MustCompile(`\s`), " "},
	{regexp.MustCompile(`-`), " - "}, {regexp.MustCompile(`\+`), " + "}}

func parsed(text string) ast.Expr {
	for _, r := range goReplacements {
		text = r.pattern.ReplaceAllString(text, r.inGo)
	}
	e, err := parser.ParseExpr(text)
	if err != nil {
		log.Fatalf("%s: %v", text, err)
	}
	return e
}

// A run is a range of valid values, in thousandths.
type run struct {
	low, high       int64
	lowest, highest *int64 // the values to propose for its ends, or nil: see propose
}

// bounds returns a bound for each rule that the box violates in the stage of the first violation. codes are the
// codes of all violated rules according to the caller. If this oracle finds other codes, the program ends with an
// error. bounds returns nil if a bound depends on how far an edge of a condition reaches, because this oracle does
// not know that.
func (b *blamer) bounds(box boxrules.Box, codes []string) []conformance.Bound {
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
			isAbove := exact.Units(run.low) > box.ByAxis()[field]
			if isAbove {
				near, far = far, near
			}
			if near == nil {
				near = far
			}
			switch {
			case near == nil: // every value of this run is borderline
			case !isAbove:
				bound.Max = units(*near)
			case bound.Min == nil:
				bound.Min = units(*near)
			}
		}
		all = append(all, bound)
	}
	return all
}

func units(x int64) *conformance.Number {
	n := conformance.Number(exact.Units(x))
	return &n
}

// isFixable reports whether the box can be made valid by changing a single dimension along one of the given axes.
func (b *blamer) isFixable(axes []int, at exact.Point) bool {
	return slices.ContainsFunc(axes, func(axis int) bool { return len(b.runs(b.rules, at, axis)) > 0 })
}

// runs returns the ranges of values of a dimension, within the limits, that violate none of the rules.
func (b *blamer) runs(rules []blamedRule, at exact.Point, axis int) (runs []run) {
	// The result of a comparison can change only next to its root, the value for which the sum is 0.
	places := []int64{b.low[axis], b.high[axis]}
	for _, r := range rules {
		r.condition.leaves(func(c *condition) {
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
			runs = append(runs, run{low: x, high: x})
			isOpen = true
		}
	}
	return runs
}

// propose sets the values to propose for the ends of a run. It returns false if this oracle cannot determine them.
func (b *blamer) propose(r *run, rules []blamedRule, box boxrules.Box, at exact.Point, axis int) bool {
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
