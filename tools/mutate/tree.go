package main

import (
	"math/big"
	"strings"

	"example.com/boxrules/internal/expression"
)

// A node is a part of a condition. Nodes are never changed; a mutant shares what it has in common with the original.
type node = expression.Node

func not(n *node) *node {
	return &node{Kind: expression.Negation, Text: "!", Operands: []*node{n}}
}

// constant is a number of any sign; the language has no negative ones, but a sign.
func constant(r *big.Rat) *node {
	if r.Sign() < 0 {
		return &node{Kind: expression.Sign, Text: "-", Operands: []*node{constant(new(big.Rat).Neg(r))}}
	}
	const places = 20 // more than the language takes
	return &node{Kind: expression.Number, Text: strings.TrimSuffix(strings.TrimRight(r.FloatString(places), "0"), ".")}
}

// with is n with another operand at the place.
func with(n *node, place int, operand *node) *node {
	operands := append([]*node(nil), n.Operands...)
	operands[place] = operand
	return &node{Kind: n.Kind, Text: n.Text, Operands: operands}
}
