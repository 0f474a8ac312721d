package codegen

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/internal/conditions"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/limits"
)

// A module decides by half-spaces. In addition it contains the conditions of the rules and the formulas
// of the blanks as they are written, translated to JavaScript. With these it computes the verdict in
// double precision, and it suggests no box for which that verdict differs from the exact one.
//
// The translation is simple: the language of conditions is a subset of JavaScript, and the numbers of
// JavaScript are float64s. The same operations in the same order have the same result, bit for bit.
//
// All conditions are translated, not only those with an edge. For a box on the grid, only conditions with an
// edge can give a different verdict. But a suggested box need not be on the grid: a turned box keeps its
// dimensions as they were given. For example, if max_width is 400 and a width is 400.0004, width > max_width
// is true in double precision. The exact verdict is false, because the width is first rounded to thousandths.

// AsWritten returns a JavaScript function that computes the rule's condition from lengths in the catalogue's
// unit. If the rule has a different unit, the function first converts the lengths with the formula of
// [exact.Ratio.Convert].
func (t *tables) AsWritten(r boxrules.Rule) string {
	condition := conditions.Of(t.ruleSet, r)
	text := "(v) => " + expressionAsWritten(condition)
	if ratio := t.UnitRatio(r); ratio != "" {
		numbers := ""
		if names := t.Numbers(r); names != "" {
			numbers = ", [" + names + "]"
		}
		text = "converted(" + ratio + ", " + text + numbers + ")"
	}
	return text
}

// Numbers returns the names of the user-defined values in the rule's condition that are plain numbers and not
// lengths, such as `"max_ratio", "min_ratio"`. The generated code must not convert these values to the rule's
// unit. Numbers returns "" if the rule and the limits have the same unit.
func (t *tables) Numbers(r boxrules.Rule) string {
	if t.UnitRatio(r) == "" {
		return ""
	}
	var names []string
	for _, name := range conditions.Of(t.ruleSet, r).PlainNumbers() {
		names = append(names, quoted(name))
	}
	return strings.Join(names, ", ")
}

// hasOtherUnit reports whether the unit of any rule differs from unit.
func hasOtherUnit(rules []boxrules.Rule, unit string) bool {
	return slices.ContainsFunc(rules, func(r boxrules.Rule) bool { return r.Unit != unit })
}

// blankAsWritten returns a JavaScript function that computes the width and the height of the blank.
func blankAsWritten(b *limits.Blank) string {
	width, _ := expression.FormulaWith(b.Width.Names(), b.Width.Text)
	height, _ := expression.FormulaWith(b.Height.Names(), b.Height.Text)
	return fmt.Sprintf("(v) => ({ blank_width: %s, blank_height: %s })", expressionAsWritten(width), expressionAsWritten(height))
}

// expressionAsWritten returns a JavaScript expression that reads its variables and user-defined values from the
// object v, such as "v.width < v.min_width".
func expressionAsWritten(e *expression.Expression) string {
	return namePattern.ReplaceAllStringFunc(e.Root().String(), func(word string) string {
		if word == "min" || word == "max" {
			return "Math." + word
		}
		return "v." + word
	})
}

// namePattern matches min, max, and the names of variables and values in an expression.
var namePattern = regexp.MustCompile(`[a-z][a-z0-9_]*`)
