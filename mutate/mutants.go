package main

import (
	"math/big"
	"slices"
)

// A mutation is one way to change a condition: what was done, and the condition that came of it.
type mutation struct {
	how  string
	root *node
}

// mutations are all ways to change one place of the condition, without those whose text is that of the original
// or of an earlier one.
func mutations(root *node) []mutation {
	var found []mutation
	seen := map[string]bool{root.String(): true}
	root.eachPlace(func(n *node, rebuilt func(*node) *node) {
		for _, m := range n.changed() {
			whole := rebuilt(m.root)
			if text := whole.String(); !seen[text] {
				seen[text] = true
				found = append(found, mutation{m.how, whole})
			}
		}
	})
	return found
}

// eachPlace visits every node of the tree with a function that gives the whole tree with another one in its place.
func (n *node) eachPlace(visit func(n *node, rebuilt func(*node) *node)) {
	var walk func(n *node, rebuilt func(*node) *node)
	walk = func(n *node, rebuilt func(*node) *node) {
		visit(n, rebuilt)
		for i, operand := range n.operands {
			walk(operand, func(m *node) *node { return rebuilt(n.with(i, m)) })
		}
	}
	walk(n, func(m *node) *node { return m })
}

// changed are the mutations of the node itself.
func (n *node) changed() []mutation {
	switch n.kind {
	case number:
		return n.otherConstants()
	case variable:
		return n.otherVariables()
	case sign:
		return []mutation{{"dropped sign", n.operands[0]}}
	case negation:
		return []mutation{{"dropped negation", n.operands[0]}}
	}
	var all []mutation
	add := func(how string, m *node) { all = append(all, mutation{how, m}) }
	for _, group := range exchangeable {
		if slices.Contains(group.operators, n.text) {
			for _, operator := range group.operators {
				add(group.how, &node{operators[operator], operator, n.operands})
			}
		}
	}
	if n.kind == extreme {
		add("extreme", &node{extreme, map[string]string{"min": "max", "max": "min"}[n.text], n.operands})
	}
	if n.isCondition() {
		add("negation", not(n))
	}
	if n.kind != relation {
		for i := range n.operands {
			add("dropped operand", n.without(i))
		}
	}
	if n.kind == relation || n.text == "-" || n.text == "/" {
		add("swapped operands", &node{n.kind, n.text, []*node{n.operands[1], n.operands[0]}})
	}
	return all
}

// exchangeable operators take the place of each other.
var exchangeable = []struct {
	how       string
	operators []string
}{
	{"relation", []string{">", ">=", "<", "<=", "==", "!="}},
	{"logic", []string{"&&", "||"}},
	{"arithmetic", []string{"+", "-", "*", "/"}},
}

// without leaves one operand out; the last one stands for itself.
func (n *node) without(i int) *node {
	left := slices.Delete(slices.Clone(n.operands), i, i+1)
	if len(left) == 1 {
		return left[0]
	}
	return &node{n.kind, n.text, left}
}

func (n *node) otherConstants() []mutation {
	value, ok := new(big.Rat).SetString(n.text)
	if !ok {
		panic("mutate: " + n.text + " is no number")
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

// alike are the variables that one could be written for another.
var alike = [][]string{
	{"width", "depth", "height"},
	{"blank_width", "blank_height"},
	{"min_width", "max_width", "min_depth", "max_depth", "min_height", "max_height"},
	{"caliper", "glue_flap", "sheet_width", "sheet_height"},
}

func (n *node) otherVariables() []mutation {
	var all []mutation
	for _, group := range alike {
		if slices.Contains(group, n.text) {
			for _, name := range group {
				all = append(all, mutation{"variable", &node{kind: variable, text: name}})
			}
		}
	}
	return all
}
