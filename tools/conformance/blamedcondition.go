package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"math/big"
	"regexp"
	"slices"

	"example.com/boxrules/exact"
)

// linear is a linear expression: a constant, plus each dimension times a factor.
type linear struct {
	factors  [exact.Axes]*big.Rat
	constant *big.Rat
}

// A blamedExtreme is a number in a condition, as a function of the box: a linear expression, or the minimum or the
// maximum of several numbers.
type blamedExtreme struct {
	linear
	choice string // "min", "max", or "" for a linear expression
	args   []blamedExtreme
}

func blamedConstant(x *big.Rat) blamedExtreme {
	return blamedExtreme{linear: linear{factors: [exact.Axes]*big.Rat{new(big.Rat), new(big.Rat), new(big.Rat)}, constant: x}}
}

func (a blamedExtreme) isConstant() bool {
	return a.choice == "" && a.factors[0].Sign() == 0 && a.factors[1].Sign() == 0 && a.factors[2].Sign() == 0
}

// plus returns a + b. If one of them is a min or max, the other one is added to each argument: min(x, y) + b becomes
// min(x+b, y+b).
func (a blamedExtreme) plus(b blamedExtreme) blamedExtreme {
	switch {
	case a.choice != "":
		return a.mapArguments(func(arg blamedExtreme) blamedExtreme { return arg.plus(b) })
	case b.choice != "":
		return b.mapArguments(func(arg blamedExtreme) blamedExtreme { return a.plus(arg) })
	}
	sum := blamedConstant(new(big.Rat).Add(a.constant, b.constant))
	for axis := range sum.factors {
		sum.factors[axis].Add(a.factors[axis], b.factors[axis])
	}
	return sum
}

// times returns the number multiplied by a factor. If the factor is negative, min becomes max, and max becomes min.
func (a blamedExtreme) times(factor *big.Rat) blamedExtreme {
	if a.choice != "" {
		product := a.mapArguments(func(arg blamedExtreme) blamedExtreme { return arg.times(factor) })
		if factor.Sign() < 0 {
			product.choice = map[string]string{"min": "max", "max": "min"}[a.choice]
		}
		return product
	}
	product := blamedConstant(new(big.Rat).Mul(a.constant, factor))
	for axis := range product.factors {
		product.factors[axis].Mul(a.factors[axis], factor)
	}
	return product
}

// mapArguments returns a copy of a min or max, with change applied to each argument.
func (a blamedExtreme) mapArguments(change func(blamedExtreme) blamedExtreme) blamedExtreme {
	changed := blamedExtreme{choice: a.choice}
	for _, arg := range a.args {
		changed.args = append(changed.args, change(arg))
	}
	return changed
}

// A blamedCondition is a condition that also says which dimensions of a box are to blame if it holds. It is either
// a combination of other conditions, which are called its parts, or a comparison. A comparison holds if the sum of
// the constant and of each dimension times its factor is greater than 0.
type blamedCondition struct {
	parts []*blamedCondition
	isAnd bool // whether all parts have to hold; if not, one of them is enough

	factors  [exact.Axes]int64
	constant int64 // in thousandths
	orEqual  bool  // whether the comparison also holds if the sum is 0
	axes     []int // of a comparison: the axes of the dimensions to blame if it holds, in this order
}

func (c *blamedCondition) holds(at exact.Point) bool {
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

func (c *blamedCondition) sum(at exact.Point) int64 {
	return c.constant + c.factors[0]*at[0] + c.factors[1]*at[1] + c.factors[2]*at[2]
}

// blamed returns the axes of the dimensions to blame: the axes of all comparisons that make the condition hold. If
// a single part is enough to make the condition hold, only the first part that holds is to blame.
func (c *blamedCondition) blamed(at exact.Point) (axes []int) {
	for _, part := range c.parts {
		if c.isAnd {
			axes = append(axes, part.blamed(at)...)
		} else if part.holds(at) {
			return part.blamed(at)
		}
	}
	return append(axes, c.axes...)
}

// visitComparisons calls visit for each comparison in the condition.
func (c *blamedCondition) visitComparisons(visit func(*blamedCondition)) {
	for _, part := range c.parts {
		part.visitComparisons(visit)
	}
	if c.parts == nil {
		visit(c)
	}
}

// A blamedConditionReader converts expressions to numbers and conditions.
type blamedConditionReader struct {
	values map[string]blamedExtreme // the values of the variables
	axes   map[string][]int         // the axes on which each variable depends, in the order of its formula
}

// mentioned returns the axes of the dimensions that the expressions depend on, in the order of the text.
func (r blamedConditionReader) mentioned(expressions ...ast.Expr) (axes []int) {
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

func (r blamedConditionReader) number(e ast.Expr) blamedExtreme {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.number(e.X)
	case *ast.BasicLit:
		x, ok := new(big.Rat).SetString(e.Value)
		if !ok {
			log.Fatalf("%s is not a number", e.Value)
		}
		return blamedConstant(x)
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
		result := blamedExtreme{choice: e.Fun.(*ast.Ident).Name}
		for _, arg := range e.Args {
			result.args = append(result.args, r.number(arg))
		}
		if slices.ContainsFunc(result.args, func(arg blamedExtreme) bool { return !arg.isConstant() }) {
			return result
		}
		byConstant := func(a, b blamedExtreme) int { return a.constant.Cmp(b.constant) }
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
func (r blamedConditionReader) condition(e ast.Expr, not bool) *blamedCondition {
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
		return &blamedCondition{isAnd: !not, parts: []*blamedCondition{r.condition(left, not), r.condition(second, not)}}
	}
	if op == token.LAND || op == token.LOR {
		return &blamedCondition{isAnd: (op == token.LAND) != not, parts: []*blamedCondition{r.condition(binary.X, not), r.condition(binary.Y, not)}}
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
		return positiveBlamedCondition(difference, false, axes)
	case token.GEQ:
		return positiveBlamedCondition(difference, true, axes)
	case token.LSS:
		return positiveBlamedCondition(opposite, false, axes)
	case token.LEQ:
		return positiveBlamedCondition(opposite, true, axes)
	case token.EQL:
		return &blamedCondition{isAnd: true, parts: []*blamedCondition{positiveBlamedCondition(difference, true, axes), positiveBlamedCondition(opposite, true, axes)}}
	}
	return &blamedCondition{parts: []*blamedCondition{positiveBlamedCondition(difference, false, axes), positiveBlamedCondition(opposite, false, axes)}}
}

// positiveBlamedCondition returns a condition that holds if n is greater than 0 or, if orEqual is true, at least 0.
// If it holds, the dimensions along the given axes are to blame.
func positiveBlamedCondition(n blamedExtreme, orEqual bool, axes []int) *blamedCondition {
	if n.choice != "" {
		c := &blamedCondition{isAnd: n.choice == "min"}
		for _, arg := range n.args {
			c.parts = append(c.parts, positiveBlamedCondition(arg, orEqual, axes))
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
	return &blamedCondition{factors: [exact.Axes]int64(whole[:3]), constant: whole[3], orEqual: orEqual, axes: axes}
}

// goReplacements turn a condition into a Go expression. In Go, the operators and, or and not are written &&, || and
// !. Each white space character becomes a space, because a line break could end the expression. Signs get spaces
// around them, because ++ and -- have a different meaning in Go.
var goReplacements = []struct {
	pattern *regexp.Regexp
	inGo    string
}{{regexp.MustCompile(`\band\b`), "&&"}, {regexp.MustCompile(`\bor\b`), "||"}, {regexp.MustCompile(`\bnot\b`), "!"}, {regexp.MustCompile(`\s`), " "},
	{regexp.MustCompile(`-`), " - "}, {regexp.MustCompile(`\+`), " + "}}

func parseBlamedCondition(text string) ast.Expr {
	for _, r := range goReplacements {
		text = r.pattern.ReplaceAllString(text, r.inGo)
	}
	e, err := parser.ParseExpr(text)
	if err != nil {
		log.Fatalf("%s: %v", text, err)
	}
	return e
}
