package main

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"example.com/boxrules/internal/expression"
)

// A mutation is a change to a condition: the kind of the change, and the condition that results from it.
type mutation struct {
	change string
	root   *node
}

// mutations returns all ways to change the condition in one place. It leaves out mutations with the same text as
// the original or an earlier mutation.
func mutations(root *node) []mutation {
	seen := map[string]bool{root.String(): true}
	return slices.DeleteFunc(treeMutations(root), func(m mutation) bool {
		text := m.root.String()
		known := seen[text]
		seen[text] = true
		return known
	})
}

// treeMutations returns the mutations of all nodes of a tree: first the mutations of the root, and then the
// mutations of each operand.
func treeMutations(n *node) []mutation {
	all := nodeMutations(n)
	for i, operand := range n.Operands {
		for _, m := range treeMutations(operand) {
			// Change one operand in a copy of this node. The copy shares the other operands with the original.
			operands := slices.Clone(n.Operands)
			operands[i] = m.root
			all = append(all, mutation{m.change, withOperands(n, operands...)})
		}
	}
	return all
}

// nodeMutations returns the mutations that change the node itself, and not its operands.
func nodeMutations(n *node) []mutation {
	switch n.Kind {
	case expression.Number:
		return constantMutations(n)
	case expression.Sign:
		return []mutation{{"dropped sign", n.Operands[0]}}
	case expression.Negation:
		return []mutation{{"dropped negation", n.Operands[0]}}
	}
	var all []mutation
	add := func(change string, m *node) { all = append(all, mutation{change, m}) }
	for _, group := range interchangeable {
		if !slices.Contains(group.texts, n.Text) {
			continue
		}
		for _, text := range group.texts {
			// The kind of a node may depend on its operator: && and || are of different kinds, while < and > are
			// both relations. A variable is not an operator and keeps its kind.
			kind, ok := expression.Operators[text]
			if !ok {
				kind = n.Kind
			}
			add(group.change, &node{Kind: kind, Text: text, Operands: n.Operands})
		}
	}
	if n.Kind.IsCondition() {
		add("negation", &node{Kind: expression.Negation, Text: "!", Operands: []*node{n}})
	}
	// A relation needs both operands.
	if n.Kind != expression.Relation {
		for i := range n.Operands {
			add("dropped operand", dropOperand(n, i))
		}
	}
	if n.Kind == expression.Relation || n.Text == "-" || n.Text == "/" {
		add("swapped operands", withOperands(n, n.Operands[1], n.Operands[0]))
	}
	return all
}

// interchangeable lists groups of operators that can replace each other, and groups of variables that the author of
// a rule could confuse.
var interchangeable = []struct {
	change string
	texts  []string
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

// dropOperand returns the node without operand i. If only one operand is left, it returns that operand.
func dropOperand(n *node, i int) *node {
	remaining := slices.Delete(slices.Clone(n.Operands), i, i+1)
	if len(remaining) == 1 {
		return remaining[0]
	}
	return withOperands(n, remaining...)
}

func constantMutations(n *node) []mutation {
	value, ok := new(big.Rat).SetString(n.Text)
	if !ok {
		panic("mutate: " + n.Text + " is not a number")
	}
	var all []mutation
	for _, change := range []*big.Rat{big.NewRat(1, 1000), big.NewRat(-1, 1000), big.NewRat(1, 1), big.NewRat(-1, 1)} {
		all = append(all, mutation{"constant", constantNode(new(big.Rat).Add(value, change))})
	}
	for _, factor := range []*big.Rat{new(big.Rat), big.NewRat(2, 1), big.NewRat(1, 2)} {
		all = append(all, mutation{"constant", constantNode(new(big.Rat).Mul(value, factor))})
	}
	return all
}

// A node is a part of a condition. Nodes are never modified, so a mutant can share all unchanged nodes with the
// original.
type node = expression.Node

// constantNode returns a node for the number. A negative number becomes a minus sign applied to a literal, because
// the rule language has no negative literals.
func constantNode(r *big.Rat) *node {
	if r.Sign() < 0 {
		return &node{Kind: expression.Sign, Text: "-", Operands: []*node{constantNode(new(big.Rat).Neg(r))}}
	}
	const places = 20 // more decimals than the language accepts
	return &node{Kind: expression.Number, Text: strings.TrimSuffix(strings.TrimRight(r.FloatString(places), "0"), ".")}
}

func withOperands(n *node, operands ...*node) *node {
	return &node{Kind: n.Kind, Text: n.Text, Operands: operands}
}

// outcomeText returns a text that states the outcome. It is the end of the mutant's line in the report.
func (m *mutant) outcomeText() string {
	switch m.outcome {
	case killed:
		return ": killed by " + m.evidence
	case survivor:
		return ": survives; " + m.evidence
	}
	return ": " + outcomeNames[m.outcome]
}

// mutantIndex returns the number in a mutant's code, such as 12 for MUTANT_0012.
func mutantIndex(code string) int {
	return must(strconv.Atoi(strings.TrimPrefix(code, "MUTANT_")))
}
