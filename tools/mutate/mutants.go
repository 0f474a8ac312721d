package main

import (
	"math/big"
	"slices"
	"strings"

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
	case expression.Sign:
		return []mutation{{"dropped sign", n.Operands[0]}}
	case expression.Negation:
		return []mutation{{"dropped negation", n.Operands[0]}}
	}
	var all []mutation
	add := func(how string, m *node) { all = append(all, mutation{how, m}) }
	for _, group := range exchangeable {
		if !slices.Contains(group.texts, n.Text) {
			continue
		}
		for _, text := range group.texts {
			kind, ok := expression.Operators[text]
			if !ok {
				kind = n.Kind
			}
			add(group.how, &node{Kind: kind, Text: text, Operands: n.Operands})
		}
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

// exchangeable lists what takes the place of each other: operators, and variables that one could
// write for another by mistake.
var exchangeable = []struct {
	how   string
	texts []string
}{
	{"relation", []string{">", ">=", "<", "<=", "==", "!="}},
	{"logic", []string{"&&", "||"}},
	{"arithmetic", []string{"+", "-", "*", "/"}},
	{"extreme", []string{"min", "max"}},
	{"variable", []string{"width", "depth", "height"}},
	{"variable", []string{"blank_width", "blank_height"}},
	{"variable", []string{"min_width", "max_width", "min_depth", "max_depth", "min_height", "max_height"}},
	{"variable", []string{"caliper", "glue_flap", "sheet_width", "sheet_height"}},
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

// A node is a part of a condition. Nodes are never changed; a mutant shares what it has in common
// with the original.
type node = expression.Node

// constant returns a node for the number, which needs a sign where it is negative: the language
// has no negative numbers.
func constant(r *big.Rat) *node {
	if r.Sign() < 0 {
		return &node{Kind: expression.Sign, Text: "-", Operands: []*node{constant(new(big.Rat).Neg(r))}}
	}
	const places = 20 // more than the language takes
	return &node{Kind: expression.Number, Text: strings.TrimSuffix(strings.TrimRight(r.FloatString(places), "0"), ".")}
}

// over returns the node with other operands.
func over(n *node, operands ...*node) *node {
	return &node{Kind: n.Kind, Text: n.Text, Operands: operands}
}
