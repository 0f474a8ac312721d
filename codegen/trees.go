package codegen

import (
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/conditions"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/limits"
)

// The tables for ports also have the conditions as they are written, for the same reason as modules in JavaScript:
// a port computes them in double precision, so that it does not suggest a borderline box. In the tables, a
// condition is a tree in JSON. A node is a number, the name of a variable, or a list of an operator and its
// operands. For example, "depth > (1 / 3) * width" is [">", "depth", ["*", ["/", 1, 3], "width"]].

// prefixTree returns the tree whose root is n as JSON.
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

// treeJSON returns the JSON tree of c, which is a condition or a part of a condition. If c is a part of a
// comparison, axes are the axes of the comparison. listMeansOr says what a list means at this place in the
// tree: "or" at the top and inside a list that means "and", and "and" inside a list that means "or".
func (t *tables) treeJSON(f *exact.Form, c exact.Condition, axes string, listMeansOr bool) string {
	// All half-spaces of one comparison, such as the two of max(width, depth) > 5, get the axes of the
	// comparison.
	if c.Comparison != nil {
		var mentioned []string
		for _, axis := range c.Comparison.Axes {
			mentioned = append(mentioned, strconv.Itoa(axis))
		}
		axes = strings.Join(mentioned, ", ")
	}
	switch c.Kind {
	case exact.True: // 0 > -1 holds everywhere
		return strconv.Itoa(t.indexOfHalfSpace(f, exact.HalfSpace{K: -1}, c.Edge, axes))
	case exact.False: // 0 > 0 holds nowhere
		return strconv.Itoa(t.indexOfHalfSpace(f, exact.HalfSpace{}, c.Edge, axes))
	case exact.Half:
		return strconv.Itoa(t.indexOfHalfSpace(f, c.Half, c.Edge, axes))
	}
	isAnd := c.Kind == exact.And
	var parts []string
	for _, part := range c.Parts {
		parts = append(parts, t.treeJSON(f, part, axes, isAnd))
	}
	list := "[" + strings.Join(parts, ",") + "]"
	if isAnd == listMeansOr {
		list = "[" + list + "]" // a list inside a list has the other meaning: at the top, [[1,2]] means "1 and 2"
	}
	return list
}
