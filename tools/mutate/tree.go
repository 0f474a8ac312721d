package main

import (
	"math/big"
	"strings"

	"example.com/boxrules/internal/expression"
)

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
