package codegen

import (
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/internal/conditions"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/limits"
)

// The tables for ports also have the conditions as they are written, for the same reason as modules in JavaScript:
// a port computes them in double precision, so that it does not suggest a borderline box. In the tables, a
// condition is a tree in JSON. A node is a number, the name of a variable, or a list of an operator and its
// operands. For example, "depth > (1 / 3) * width" is [">", "depth", ["*", ["/", 1, 3], "width"]].

// prefixTree returns the tree of a node and everything below it as JSON.
func prefixTree(n *expression.Node) string {
	switch n.Kind {
	case expression.Number:
		x, _ := strconv.ParseFloat(n.Text, 64) // no error, because the engine has parsed it
		return strconv.FormatFloat(x, 'f', -1, 64)
	case expression.Variable:
		return quoted(n.Text)
	}
	parts := []string{quoted(n.Text)}
	for _, operand := range n.Operands {
		parts = append(parts, prefixTree(operand))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// ConditionTree returns the tree of the rule's condition as JSON.
func (t *tables) ConditionTree(r boxrules.Rule) string {
	return prefixTree(conditions.Of(t.ruleSet, r).Root())
}

// blankTrees returns a list of two trees as JSON: the formulas of the blank's width and height.
func blankTrees(b *limits.Blank) string {
	width, _ := expression.FormulaWith(b.Width.Names(), b.Width.Text)
	height, _ := expression.FormulaWith(b.Height.Names(), b.Height.Text)
	return "[" + prefixTree(width.Root()) + ", " + prefixTree(height.Root()) + "]"
}
