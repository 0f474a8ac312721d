package main

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/expr-lang/expr/ast"

	"example.com/boxrules/internal/expression"
)

// A node is a part of a condition: a number, a variable, or an operator with its operands. Nodes are never
// changed; a mutant shares what it has in common with the original.
type node struct {
	kind     kind
	text     string // the number, the name, or the operator
	operands []*node
}

// A kind says what a node is, from what binds most closely to what binds least.
type kind uint8

const (
	number   kind = iota
	variable      // width
	extreme       // min, max
	sign          // - or + of one operand
	product       // * /
	sum           // + -
	relation      // < <= > >= == !=
	negation      // !
	conjunction
	disjunction
)

// isCondition tells what is true or false from what is a number.
func (n *node) isCondition() bool { return n.kind >= relation }

var operators = map[string]kind{
	"+": sum, "-": sum, "*": product, "/": product, "<": relation, "<=": relation, ">": relation, ">=": relation,
	"==": relation, "!=": relation, "&&": conjunction, "and": conjunction, "||": disjunction, "or": disjunction,
}

// parse reads a condition that the rule file's loader has accepted.
func parse(when string) (*node, error) {
	e, problems := expression.Condition(when)
	if len(problems) > 0 {
		return nil, fmt.Errorf("%q: %s", when, problems[0].Message)
	}
	return convert(e, e.Root()), nil
}

// convert copies expr's tree, with numbers as they are written. Of a < b < c expr makes a < b && b < c.
func convert(e *expression.Expression, n ast.Node) *node {
	switch n := n.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		return constant(e.Number(n))
	case *ast.IdentifierNode:
		return &node{kind: variable, text: n.Value}
	case *ast.UnaryNode:
		operand := convert(e, n.Node)
		if operand.isCondition() {
			return not(operand)
		}
		return &node{sign, n.Operator, []*node{operand}}
	case *ast.BuiltinNode:
		call := &node{kind: extreme, text: n.Name}
		for _, argument := range n.Arguments {
			call.operands = append(call.operands, convert(e, argument))
		}
		return call
	case *ast.BinaryNode:
		operator := n.Operator
		switch operators[operator] {
		case conjunction:
			operator = "&&"
		case disjunction:
			operator = "||"
		}
		return &node{operators[operator], operator, []*node{convert(e, n.Left), convert(e, n.Right)}}
	}
	panic(fmt.Sprintf("mutate: %T is not part of the language", n))
}

func not(n *node) *node { return &node{negation, "!", []*node{n}} }

// constant is a number of any sign; the language has no negative ones, but a sign.
func constant(r *big.Rat) *node {
	if r.Sign() < 0 {
		return &node{sign, "-", []*node{constant(new(big.Rat).Neg(r))}}
	}
	const places = 20 // more than the language takes
	return &node{kind: number, text: strings.TrimSuffix(strings.TrimRight(r.FloatString(places), "0"), ".")}
}

// with is n with another operand at the place.
func (n *node) with(place int, operand *node) *node {
	operands := append([]*node(nil), n.operands...)
	operands[place] = operand
	return &node{n.kind, n.text, operands}
}

// String is the condition as a rule file takes it. Equal trees have equal texts.
func (n *node) String() string {
	switch n.kind {
	case number, variable:
		return n.text
	case extreme:
		texts := make([]string, len(n.operands))
		for i, operand := range n.operands {
			texts[i] = operand.String()
		}
		return n.text + "(" + strings.Join(texts, ", ") + ")"
	case negation:
		return "!(" + n.operands[0].String() + ")"
	case sign:
		return n.text + n.operands[0].wrapped(n.operands[0].kind >= sign)
	}
	left, right := n.operands[0], n.operands[1]
	// A sign right behind an operator would be hard to read, and a - (b - c) is not a - b - c.
	behind := right.looser(n) || right.kind == n.kind || right.kind == sign && n.kind <= sum
	return left.wrapped(left.looser(n)) + " " + n.text + " " + right.wrapped(behind)
}

// looser says whether n needs parentheses as an operand of outer. && in || gets them for the reader's sake.
func (n *node) looser(outer *node) bool {
	return n.kind > outer.kind || n.kind == conjunction && outer.kind == disjunction
}

func (n *node) wrapped(parentheses bool) string {
	if parentheses {
		return "(" + n.String() + ")"
	}
	return n.String()
}
