package boxrules

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/expr-lang/expr/ast"

	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/linear"
)

// A lowering turns expr's tree of one expression into its exact form: a value into minimums and maximums
// of linear forms, a condition into half-spaces. Numbers are the decimals that were written, never expr's
// float64s. Package expression has refused whatever is not linear, so only sizes can fail here.
type lowering struct {
	expression *expression.Expression
	variables  map[string]linear.Value
	without    ast.Node // one side of && or || that is left out; nil for none
	work       *int     // linear forms that comparisons may still be made of; nil for any number
}

// A lowerError is a failure at an offset in the expression.
type lowerError struct {
	offset int
	err    error
}

func (e *lowerError) Error() string { return e.err.Error() }

var (
	errZeroDivisor = errors.New("division by zero")
	errWork        = fmt.Errorf("the rules and limits have too many comparisons together: at most %d over all articles and materials", maxComparisons)
)

// maxComparisons bounds the work and the memory of New: a few seconds, where the default files take a
// four-hundredth of it. Of a comparison between minimums and maximums every combination counts.
const maxComparisons = 150_000

// fail is thrown and caught inside this file, so that the lowering reads as the formulas it implements.
func (l *lowering) fail(n ast.Node, err error) {
	panic(&lowerError{n.Location().From, err})
}

func caught(err **lowerError) {
	switch r := recover().(type) {
	case nil:
	case *lowerError:
		*err = r
	default:
		panic(r)
	}
}

// lowerCondition is where the condition holds.
func lowerCondition(e *expression.Expression, variables map[string]linear.Value, work *int) (c linear.Condition, err *lowerError) {
	defer caught(&err)
	l := &lowering{expression: e, variables: variables, work: work}
	return l.condition(e.Root()), nil
}

// lowerWithout is where the condition would hold without the part, which is one side of && or ||.
func lowerWithout(e *expression.Expression, part ast.Node, variables map[string]linear.Value) (c linear.Condition, err *lowerError) {
	defer caught(&err)
	l := &lowering{expression: e, variables: variables, without: part}
	return l.condition(e.Root()), nil
}

// lowerFormula is the value of the formula.
func lowerFormula(e *expression.Expression, variables map[string]linear.Value) (v linear.Value, err *lowerError) {
	defer caught(&err)
	l := &lowering{expression: e, variables: variables}
	return l.value(e.Root()), nil
}

func (l *lowering) condition(n ast.Node) linear.Condition {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return linear.Not(l.condition(n.Node))
	case *ast.BinaryNode:
		switch {
		case !logical(n):
			return l.comparison(n)
		case n.Left == l.without:
			return l.condition(n.Right)
		case n.Right == l.without:
			return l.condition(n.Left)
		case conjunction(n):
			return linear.AllOf(l.condition(n.Left), l.condition(n.Right))
		default:
			return linear.AnyOf(l.condition(n.Left), l.condition(n.Right))
		}
	}
	panic(fmt.Sprintf("boxrules: %T is not a condition", n))
}

func logical(n *ast.BinaryNode) bool { return conjunction(n) || disjunction(n) }

func conjunction(n *ast.BinaryNode) bool { return n.Operator == "&&" || n.Operator == "and" }

func disjunction(n *ast.BinaryNode) bool { return n.Operator == "||" || n.Operator == "or" }

func (l *lowering) comparison(n *ast.BinaryNode) linear.Condition {
	left, right := l.value(n.Left), l.value(n.Right)
	// above is left > right, or left >= right; below the other way round.
	above := func(inclusive bool) linear.Condition { return l.greater(n, left, right, inclusive) }
	below := func(inclusive bool) linear.Condition { return l.greater(n, right, left, inclusive) }
	switch n.Operator {
	case ">":
		return above(false)
	case ">=":
		return above(true)
	case "<":
		return below(false)
	case "<=":
		return below(true)
	case "==":
		return linear.AllOf(above(true), below(true))
	case "!=":
		return linear.AnyOf(above(false), below(false))
	}
	panic("boxrules: " + n.Operator + " is not a comparison")
}

func (l *lowering) greater(n ast.Node, a, b linear.Value, inclusive bool) linear.Condition {
	difference := l.add(n, a, l.scale(n, b, minusOne))
	if l.work != nil {
		if *l.work -= difference.Pieces(); *l.work < 0 {
			l.fail(n, errWork)
		}
	}
	c, err := linear.Positive(difference, inclusive)
	if err != nil {
		l.fail(n, err)
	}
	return c
}

func (l *lowering) add(n ast.Node, a, b linear.Value) linear.Value {
	total, err := a.Add(b)
	if err != nil {
		l.fail(n, err)
	}
	return total
}

func (l *lowering) scale(n ast.Node, v linear.Value, k *big.Rat) linear.Value {
	scaled, err := v.Scale(k)
	if err != nil {
		l.fail(n, err)
	}
	return scaled
}

var minusOne = big.NewRat(-1, 1)

func (l *lowering) value(n ast.Node) linear.Value {
	switch n := n.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		return linear.Constant(l.expression.Number(n))
	case *ast.IdentifierNode:
		return l.variables[n.Value]
	case *ast.UnaryNode:
		v := l.value(n.Node)
		if n.Operator == "-" {
			return l.scale(n, v, minusOne)
		}
		return v
	case *ast.BuiltinNode:
		values := make([]linear.Value, len(n.Arguments))
		for i, argument := range n.Arguments {
			values[i] = l.value(argument)
		}
		return linear.Extreme(n.Name == "max", values...)
	case *ast.BinaryNode:
		return l.arithmetic(n)
	}
	panic(fmt.Sprintf("boxrules: %T is not a number", n))
}

func (l *lowering) arithmetic(n *ast.BinaryNode) linear.Value {
	left, right := l.value(n.Left), l.value(n.Right)
	switch n.Operator {
	case "+":
		return l.add(n, left, right)
	case "-":
		return l.add(n, left, l.scale(n, right, minusOne))
	case "*":
		if k, ok := left.Constant(); ok {
			return l.scale(n, right, k)
		}
		if k, ok := right.Constant(); ok {
			return l.scale(n, left, k)
		}
	case "/":
		if k, ok := right.Constant(); ok {
			if k.Sign() == 0 {
				l.fail(n, errZeroDivisor)
			}
			return l.scale(n, left, new(big.Rat).Inv(k))
		}
	}
	panic("boxrules: " + n.Operator + " is not linear here")
}
