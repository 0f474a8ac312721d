package codegen

import (
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/conditions"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/locale"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/limits"
)

// The tables for ports have the conditions as they are written, too, for the same reason as modules in JavaScript: a
// port that computes them in double precision proposes no borderline box. They are trees of JSON: a number, the name of a
// variable, or a list of an operator and its operands. "depth > (1 / 3) * width" is
// [">", "depth", ["*", ["/", 1, 3], "width"]].

// prefixTree returns the node as JSON.
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

// ConditionTree returns the rule's condition as JSON.
func (t *tables) ConditionTree(r boxrules.Rule) string {
	return prefixTree(conditions.Of(t.ruleSet, r).Root())
}

// blankTrees returns the formulas of the sides of the blank as JSON.
func blankTrees(b *limits.Blank) string {
	width, _ := expression.FormulaWith(b.Width.Names(), b.Width.Text)
	height, _ := expression.FormulaWith(b.Height.Names(), b.Height.Text)
	return "[" + prefixTree(width.Root()) + ", " + prefixTree(height.Root()) + "]"
}

// UnitRatio returns the numbers of a list by which lengths are converted to the unit of the rule, such as "127, 5". It
// is empty if the rule and the limits have the same unit.
func (t *tables) UnitRatio(r boxrules.Rule) string {
	ratio, _ := exact.UnitRatio(t.Unit, r.Unit) // New has accepted the units
	if ratio.Num == ratio.Den {
		return ""
	}
	return strconv.FormatInt(ratio.Num, 10) + ", " + strconv.FormatInt(ratio.Den, 10)
}

// Texts returns the sentences of each language as JSON, in the order of the locales.
func (t *tables) Texts() []string {
	var lines []string
	for _, language := range locale.Languages {
		l, _ := locale.Of(language)
		parts := []string{quoted("decimal") + ": " + quoted(l.Decimal)}
		for _, key := range locale.Keys {
			parts = append(parts, quoted(key)+": "+strings.TrimSpace(string(strictjson.Marshal(l.Form[key]))))
		}
		lines = append(lines, quoted(language)+": {"+strings.Join(parts, ", ")+"}")
	}
	return lines
}
