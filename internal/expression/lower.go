package expression

import (
	"fmt"
	"math/big"
	"slices"

	"example.com/boxrules/exact"
)

// A lowering turns the nodes of one expression into their exact form: a value into minimums and
// maximums of linear forms, a condition into half-spaces joined by and/or. What is not linear has been
// refused before, so only the size of numbers can fail here, and a divisor that is zero.
type lowering struct {
	variables map[string]exact.Variable
	budget    *int // linear forms that comparisons may still be made of
	problem   *Problem
}

// Condition returns the condition in exact numbers. It counts down in budget the linear
// forms that its comparisons are made of, each combination of minimums and maximums counting. It
// fails where numbers grow too large, where a divisor is zero, and where the budget does not
// suffice, which is negative then.
func (e *Expression) Condition(variables map[string]exact.Variable, budget *int) (exact.Condition, *Problem) {
	l := &lowering{variables: variables, budget: budget}
	condition := l.condition(e.root, true)
	if l.problem != nil {
		return exact.Condition{}, l.problem
	}
	return condition, nil
}

// Value returns the value of the formula. It fails where numbers grow too large or a divisor is
// zero.
func (e *Expression) Value(variables map[string]exact.Variable) (exact.Variable, *Problem) {
	l := &lowering{variables: variables}
	n := l.value(e.root)
	if l.problem != nil {
		return exact.Variable{Value: exact.Constant(new(big.Rat))}, l.problem
	}
	return exact.Variable{Value: n.Value, Axes: l.axes(e.root.phrase.Names), Rounding: orInfinite(n.rounding)}, nil
}

// fail keeps the first problem. What is made after it is not looked at.
func (l *lowering) fail(n *Node, message string) {
	if l.problem == nil {
		l.problem = &Problem{n.problemOffset, message}
	}
}

// condition returns where n holds, or with want false where it does not: a negation changes want on
// the way down, and && into || with it.
func (l *lowering) condition(n *Node, want bool) exact.Condition {
	if l.problem != nil {
		return exact.Condition{}
	}
	switch n.Kind {
	case Negation:
		return l.condition(n.Operands[0], !want)
	case Relation:
		return l.comparison(n, want)
	}
	t := exact.Condition{Kind: exact.Or}
	if (n.Kind == Conjunction) == want {
		t.Kind = exact.And
	}
	for _, operand := range n.Operands {
		part := l.condition(operand, want)
		if part.Kind == t.Kind && part.Comparison == nil {
			t.Parts = append(t.Parts, part.Parts...)
		} else {
			t.Parts = append(t.Parts, part)
		}
	}
	return t
}

// opposite maps a comparison to the one that holds where it does not.
var opposite = map[string]string{">": "<=", ">=": "<", "<": ">=", "<=": ">", "==": "!=", "!=": "=="}

// comparison returns where the relation holds, or with want false where it does not. > and < are
// one half-space each where both sides are linear; == is ">= and <=", and != is "> or <".
func (l *lowering) comparison(n *Node, want bool) exact.Condition {
	left, right := l.value(n.Operands[0]), l.value(n.Operands[1])
	operator := n.Text
	if !want {
		operator = opposite[operator]
	}
	above := func(inclusive bool) exact.Condition { return l.greaterThan(n, left, right, inclusive) }
	below := func(inclusive bool) exact.Condition { return l.greaterThan(n, right, left, inclusive) }
	var t exact.Condition
	switch operator {
	case ">", ">=":
		t = above(operator == ">=")
	case "<", "<=":
		t = below(operator == "<=")
	case "==":
		t = above(true).And(below(true))
	case "!=":
		t = above(false).Or(below(false))
	}
	phrases := [...]*exact.Phrase{n.Operands[0].phrase, n.Operands[1].phrase}
	t.Comparison = &exact.Comparison{
		From: n.From, To: n.To, Operator: operator,
		Left:  exact.Side{Phrase: phrases[0], Value: left.Value},
		Right: exact.Side{Phrase: phrases[1], Value: right.Value},
		Axes:  l.axes(append(slices.Clip(phrases[0].Names), phrases[1].Names...)),
	}
	return t
}

// axes returns the axes that the variables depend on, each once, in order.
func (l *lowering) axes(names []exact.Name) []int {
	var axes []int
	for _, name := range names {
		for _, axis := range l.variables[name.Name].Axes {
			if !slices.Contains(axes, axis) {
				axes = append(axes, axis)
			}
		}
	}
	return axes
}

// greaterThan returns where a > b, or with inclusive a >= b.
func (l *lowering) greaterThan(n *Node, a, b roundedValue, inclusive bool) exact.Condition {
	difference := l.add(n, a.Value, l.scale(n, b.Value, minusOne))
	if *l.budget -= difference.Pieces(); *l.budget < 0 {
		l.fail(n, "too many comparisons")
		return exact.Condition{}
	}
	t, err := exact.AboveZeroRounded(difference, inclusive, comparisonRounding(a, b))
	if err != nil {
		l.fail(n, err.Error())
	}
	return t
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

var minusOne = big.NewRat(-1, 1)

// value returns the value of a node that is a number. Of a product one operand is a constant, and
// a divisor is one too: the walk has made sure.
func (l *lowering) value(n *Node) roundedValue {
	switch n.Kind {
	case Number:
		v := exact.Constant(n.exactValue())
		return roundedValue{v, v.Bound(), 0}
	case Variable:
		v := l.variables[n.Text]
		return roundedValue{v.Value, v.Value.Bound(), v.Rounding}
	}
	first := l.value(n.Operands[0])
	switch n.Kind {
	case Extreme:
		operands, values := []roundedValue{first}, []exact.Value{first.Value}
		for _, operand := range n.Operands[1:] {
			x := l.value(operand)
			operands, values = append(operands, x), append(values, x.Value)
		}
		return roundedExtreme(operands, exact.Extreme(n.Text == "max", values...))
	case Sign:
		if n.Text == "-" {
			first.Value = l.scale(n, first.Value, minusOne)
		}
		return first
	}
	second := l.value(n.Operands[1])
	switch n.Text {
	case "*":
		k, v := first, second
		if _, ok := k.Constant(); !ok {
			k, v = v, k
		}
		return roundedProduct(v, k, l.scale(n, v.Value, l.constantValue(n, k.Value)))
	case "/":
		divisor := l.constantValue(n, second.Value)
		if divisor.Sign() == 0 {
			l.fail(n, "division by zero")
			return first
		}
		return roundedQuotient(first, second, l.scale(n, first.Value, new(big.Rat).Inv(divisor)))
	case "-":
		second.Value = l.scale(n, second.Value, minusOne)
	}
	return roundedSum(first, second, l.add(n, first.Value, second.Value))
}

// constantValue returns the value of an operand that no dimension changes, as the walk has made sure.
func (l *lowering) constantValue(n *Node, v exact.Value) *big.Rat {
	k, ok := v.Constant()
	if !ok {
		panic(fmt.Sprintf("expression: an operand of %s changes with the box", n.Text))
	}
	return k
}
