package expression

import (
	"fmt"
	"math/big"
	"slices"

	"example.com/boxrules/exact"
)

// A lowering translates the nodes of one expression to package exact. A number becomes a minimum or maximum
// of linear forms, and a condition becomes half-spaces joined by "and" and "or". For example, 2 * depth >
// width + 3 becomes the half-space -1·w + 2·d > 3000, in thousandths.
//
// The walker has already refused expressions that are not linear. So lowering fails only if numbers become
// too large, a divisor is zero or there are too many comparisons.
//
// Variables are in the unit of the box. If the condition has a different unit, each variable that is a length
// is multiplied by the ratio of the two units.
type lowering struct {
	variables exact.Variables
	unit      string      // of the condition, if it differs from that of the variables; otherwise empty
	ratio     exact.Ratio // from the unit of the variables to that of the condition
	budget    *int        // the number of linear forms that comparisons may still use
	problem   *Problem    // the first problem, or nil
}

// Condition returns the exact form of the condition for these variables. It fails if numbers become too
// large, if a divisor is zero or if the budget is exceeded.
//
// The budget bounds the work for all conditions together. Condition subtracts the number of linear forms that
// the comparisons need: max(a, b) > min(c, d) needs four, one for each combination. If they need more than
// remains, Condition fails and leaves *budget negative.
func (e *Expression) Condition(variables exact.Variables, budget *int) (exact.Condition, *Problem) {
	return e.ConditionIn("", exact.Ratio{Num: 1, Den: 1}, variables, budget)
}

// ConditionIn does the same as Condition for a condition whose unit differs from that of the variables. unit
// is the unit of the condition. ratio is the factor that converts a variable to that unit: 127/5 if the
// variables are in inches and the condition is in mm. Then 498.25 in the condition means 498.25 mm. The
// result is in the unit of the variables, except for the texts of its comparisons.
func (e *Expression) ConditionIn(
	unit string, ratio exact.Ratio, variables exact.Variables, budget *int,
) (exact.Condition, *Problem) {
	l := &lowering{variables: variables, unit: unit, ratio: ratio, budget: budget}
	condition := l.condition(e.root, false)
	if l.problem != nil {
		return exact.Condition{}, l.problem
	}
	return condition, nil
}

// Value returns the exact value of the formula for these variables. It fails if numbers become too large or a
// divisor is zero.
func (e *Expression) Value(variables exact.Variables) (exact.Variable, *Problem) {
	l := &lowering{variables: variables, ratio: exact.Ratio{Num: 1, Den: 1}}
	result := l.value(e.root)
	if l.problem != nil {
		return exact.Variable{Value: exact.Constant(new(big.Rat))}, l.problem
	}
	return exact.Variable{Value: result.Value, Axes: l.axes(e.root.phrase.Names), Rounding: orInfinite(result.rounding)}, nil
}

// fail records a problem, unless there already is one. Lowering continues after a problem, but its result is
// discarded.
func (l *lowering) fail(n *Node, message string) {
	if l.problem == nil {
		l.problem = &Problem{n.problemOffset, message}
	}
}

// condition returns the exact form of the condition n, or of !n if negated is set.
//
// An exact condition has no negation. So condition moves each negation inwards to the comparisons, by De
// Morgan's laws. On the way && becomes ||, and || becomes &&: !(width > 5 && depth > 3) is width <= 5 ||
// depth <= 3.
func (l *lowering) condition(n *Node, negated bool) exact.Condition {
	if l.problem != nil {
		return exact.Condition{}
	}
	switch n.Kind {
	case Negation:
		return l.condition(n.Operands[0], !negated)
	case Relation:
		return l.comparison(n, negated)
	}
	// A conjunction becomes an And, and a disjunction an Or, or the other way round if negated is set.
	joined := exact.Condition{Kind: exact.Or}
	if (n.Kind == Conjunction) != negated {
		joined.Kind = exact.And
	}
	for _, operand := range n.Operands {
		part := l.condition(operand, negated)
		if part.Kind == joined.Kind && part.Comparison == nil {
			joined.Parts = append(joined.Parts, part.Parts...) // a && (b && c) is a && b && c
		} else {
			// A comparison stays one part, even if it is an And itself, so that its text is not lost.
			joined.Parts = append(joined.Parts, part)
		}
	}
	return joined
}

// negatedRelation maps each comparison operator to the operator of the negated comparison.
var negatedRelation = map[string]string{">": "<=", ">=": "<", "<": ">=", "<=": ">", "==": "!=", "!=": "=="}

// comparison returns the exact form of the comparison n, or of its negation if negated is set. If both sides
// are linear, each of >, >=, < and <= is one half-space. == is ">= and <=", and != is "> or <".
func (l *lowering) comparison(n *Node, negated bool) exact.Condition {
	left, right := l.value(n.Operands[0]), l.value(n.Operands[1])
	operator := n.Text
	if negated {
		operator = negatedRelation[operator]
	}
	above := func(inclusive bool) exact.Condition { return l.greaterThan(n, left, right, inclusive) }
	below := func(inclusive bool) exact.Condition { return l.greaterThan(n, right, left, inclusive) }
	// Only > and >= have an exact form. left < right is right > left, and == and != are each made of two
	// comparisons.
	var c exact.Condition
	switch operator {
	case ">", ">=":
		c = above(operator == ">=")
	case "<", "<=":
		c = below(operator == "<=")
	case "==":
		c = above(true).And(below(true))
	case "!=":
		c = above(false).Or(below(false))
	}
	// Keep the text and the values of the sides as they were written, for explanations.
	phrases := [...]*exact.Phrase{n.Operands[0].phrase, n.Operands[1].phrase}
	c.Comparison = &exact.Comparison{
		From: n.From, To: n.To, Operator: operator,
		Left:  exact.Side{Phrase: phrases[0], Value: l.inUnitOfBox(n, n.Operands[0], left.Value)},
		Right: exact.Side{Phrase: phrases[1], Value: l.inUnitOfBox(n, n.Operands[1], right.Value)},
		Unit:  l.unit,
		Axes:  l.axes(append(slices.Clip(phrases[0].Names), phrases[1].Names...)),
	}
	return c
}

// inUnitOfBox converts the value of an operand of the comparison n from the unit of the condition to the unit
// of the box.
func (l *lowering) inUnitOfBox(n, operand *Node, side exact.Value) exact.Value {
	if l.unit == "" || n.Operands[0].phrase.Mixed {
		return side
	}
	if operand.Kind == Variable { // most operands are variables, whose original values are still in memory
		v, _ := l.variables.Get(operand.Text)
		return v.Value
	}
	// Divide a length by the ratio, and an area by the square of the ratio. Multiply the reciprocal of a
	// length by it.
	back := new(big.Rat).Inv(l.ratio.Rat())
	if n.degree < 0 {
		back.Inv(back)
	}
	for range max(n.degree, -n.degree) {
		side = l.scale(n, side, back)
	}
	return side
}

// axes returns the axes on which the named variables depend, without duplicates, in the order of the names.
func (l *lowering) axes(names []exact.Name) []int {
	var axes []int
	for _, name := range names {
		v, _ := l.variables.Get(name.Name)
		for _, axis := range v.Axes {
			if !slices.Contains(axes, axis) {
				axes = append(axes, axis)
			}
		}
	}
	return axes
}

// greaterThan returns the condition a > b, or a >= b if inclusive is set. It compares a - b with 0.
func (l *lowering) greaterThan(n *Node, a, b roundedValue, inclusive bool) exact.Condition {
	// The difference of max(a, b) and max(c, d) has four pieces, and each of them may become a half-space. So
	// check the budget before making half-spaces.
	difference := l.add(n, a.Value, l.scale(n, b.Value, minusOne))
	if *l.budget -= difference.Pieces(); *l.budget < 0 {
		l.fail(n, "too many comparisons")
		return exact.Condition{}
	}
	// a > b is the same as a - b > 0.
	c, err := exact.AboveZeroRounded(difference, inclusive, comparisonRounding(a, b))
	if err != nil {
		l.fail(n, err.Error())
	}
	return c
}

func (l *lowering) add(n *Node, a, b exact.Value) exact.Value {
	total, err := a.Add(b)
	if err != nil {
		l.fail(n, err.Error())
		return a
	}
	return total
}

func (l *lowering) scale(n *Node, v exact.Value, k *big.Rat) exact.Value {
	scaled, err := v.Times(k)
	if err != nil {
		l.fail(n, err.Error())
		return v
	}
	return scaled
}

var dimensions = exact.AxisNames()

var minusOne = big.NewRat(-1, 1)

// value returns the value of a node that is a number. The walker has made sure that every divisor, and at least
// one factor of every product, is the same for every box.
func (l *lowering) value(n *Node) roundedValue {
	switch n.Kind {
	case Number:
		v := exact.Constant(n.number)
		return roundedValue{v, v.Bound(), 0}
	case Variable:
		v, ok := l.variables.Get(n.Text)
		if !ok { // a user-defined value, in a formula of another catalogue
			l.fail(n, "there is no value "+n.Text)
		}
		rounded := roundedValue{v.Value, v.Value.Bound(), v.Rounding}
		if l.unit == "" || n.degree == Plain { // numbers are the same in every unit
			return rounded
		}
		return roundedConversion(rounded, l.ratio, l.scale(n, v.Value, l.ratio.Rat()), slices.Contains(dimensions[:], n.Text))
	}
	// Each case computes two things from the operands: the exact value, and how far float64 may be from it.
	first := l.value(n.Operands[0])
	switch n.Kind {
	case Extreme:
		operands, values := []roundedValue{first}, []exact.Value{first.Value}
		for _, operand := range n.Operands[1:] {
			value := l.value(operand)
			operands, values = append(operands, value), append(values, value.Value)
		}
		return roundedExtreme(operands, exact.Extreme(n.Text == "max", values...))
	case Sign:
		if n.Text == "-" { // changing the sign rounds nothing, so the bounds stay
			first.Value = l.scale(n, first.Value, minusOne)
		}
		return first
	}
	second := l.value(n.Operands[1])
	switch n.Text {
	case "*":
		// One of the two is the same for every box. Multiply the other by it.
		factor, v := first, second
		if _, ok := factor.Constant(); !ok {
			factor, v = v, factor
		}
		return roundedProduct(v, factor, l.scale(n, v.Value, l.constantValue(n, factor.Value)))
	case "/":
		divisor := l.constantValue(n, second.Value)
		if divisor.Sign() == 0 {
			l.fail(n, "division by zero")
			return first
		}
		return roundedQuotient(first, second, l.scale(n, first.Value, new(big.Rat).Inv(divisor)))
	case "-": // a - b is a + -b, with the same rounding
		second.Value = l.scale(n, second.Value, minusOne)
	}
	return roundedSum(first, second, l.add(n, first.Value, second.Value))
}

// constantValue returns v as a number. v is the value of an operand of n, and the walker has checked that it is
// the same for every box.
func (l *lowering) constantValue(n *Node, v exact.Value) *big.Rat {
	k, ok := v.Constant()
	if !ok {
		panic(fmt.Sprintf("expression: an operand of %s changes with the box", n.Text))
	}
	return k
}
