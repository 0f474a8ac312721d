package main

import (
	"math/big"
	"slices"

	"example.com/boxrules/internal/expression"
)

// A mutation is one way to change a condition: what was done, and the condition that came of it.
type mutation struct {
	how  string
	root *node
}

// mutations returns all ways to change one place of the condition, but for those whose text is
// that of the original or of an earlier one.
func mutations(root *node) []mutation {
	seen := map[string]bool{root.String(): true}
	return slices.DeleteFunc(everywhere(root), func(m mutation) bool {
		text := m.root.String()
		known := seen[text]
		seen[text] = true
		return known
	})
}

// everywhere returns the mutations of the tree, at its root and then at each of its operands.
func everywhere(n *node) []mutation {
	all := changed(n)
	for i, operand := range n.Operands {
		for _, m := range everywhere(operand) {
			operands := slices.Clone(n.Operands)
			operands[i] = m.root
			all = append(all, mutation{m.how, over(n, operands...)})
		}
	}
	return all
}

// changed returns the mutations of the node itself.
func changed(n *node) []mutation {
	switch n.Kind {
	case expression.Number:
		return otherConstants(n)
	case expression.Variable:
		return otherVariables(n)
	case expression.Sign:
		return []mutation{{"dropped sign", n.Operands[0]}}
	case expression.Negation:
		return []mutation{{"dropped negation", n.Operands[0]}}
	}
	var all []mutation
	add := func(how string, m *node) { all = append(all, mutation{how, m}) }
	for _, group := range exchangeable {
		if slices.Contains(group.operators, n.Text) {
			for _, operator := range group.operators {
				add(group.how, &node{Kind: expression.Operators[operator], Text: operator, Operands: n.Operands})
			}
		}
	}
	if n.Kind == expression.Extreme {
		other := map[string]string{"min": "max", "max": "min"}[n.Text]
		add("extreme", &node{Kind: expression.Extreme, Text: other, Operands: n.Operands})
	}
	if n.Kind.IsCondition() {
		add("negation", &node{Kind: expression.Negation, Text: "!", Operands: []*node{n}})
	}
	if n.Kind != expression.Relation {
		for i := range n.Operands {
			add("dropped operand", without(n, i))
		}
	}
	if n.Kind == expression.Relation || n.Text == "-" || n.Text == "/" {
		add("swapped operands", over(n, n.Operands[1], n.Operands[0]))
	}
	return all
}

// exchangeable lists operators that take the place of each other.
var exchangeable = []struct {
	how       string
	operators []string
}{
	{"relation", []string{">", ">=", "<", "<=", "==", "!="}},
	{"logic", []string{"&&", "||"}},
	{"arithmetic", []string{"+", "-", "*", "/"}},
}

// without returns the node without one operand; where one is left, that operand.
func without(n *node, i int) *node {
	left := slices.Delete(slices.Clone(n.Operands), i, i+1)
	if len(left) == 1 {
		return left[0]
	}
	return over(n, left...)
}

func otherConstants(n *node) []mutation {
	value, ok := new(big.Rat).SetString(n.Text)
	if !ok {
		panic("mutate: " + n.Text + " is not a number")
	}
	var all []mutation
	for _, step := range []*big.Rat{big.NewRat(1, 1000), big.NewRat(-1, 1000), big.NewRat(1, 1), big.NewRat(-1, 1)} {
		all = append(all, mutation{"constant", constant(new(big.Rat).Add(value, step))})
	}
	for _, factor := range []*big.Rat{new(big.Rat), big.NewRat(2, 1), big.NewRat(1, 2)} {
		all = append(all, mutation{"constant", constant(new(big.Rat).Mul(value, factor))})
	}
	return all
}

// alike groups the variables that one could write for another by mistake.
var alike = [][]string{
	{"width", "depth", "height"},
	{"blank_width", "blank_height"},
	{"min_width", "max_width", "min_depth", "max_depth", "min_height", "max_height"},
	{"caliper", "glue_flap", "sheet_width", "sheet_height"},
}

func otherVariables(n *node) []mutation {
	var all []mutation
	for _, group := range alike {
		if slices.Contains(group, n.Text) {
			for _, name := range group {
				all = append(all, mutation{"variable", &node{Kind: expression.Variable, Text: name}})
			}
		}
	}
	return all
}
