package codegen

import (
	"fmt"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/limits"
)

// A module has the conditions and blank formulas as they are written, besides the half-spaces that
// decide. They tell it whether double precision gives another verdict for a box that it would propose.
// The language of conditions is a part of JavaScript, whose numbers are float64s: the same operations in
// the same order have the same result, to the last bit.
//
// For dimensions with at most three decimals the conditions that have an edge would do. But a turned box
// has the dimensions as they were given: width > max_width holds for 400.0004 in double precision, and
// exactly it does not, because the box is rounded to thousandths first.

// asWritten returns a JavaScript function that reports whether the rule's condition holds.
func asWritten(r boxrules.Rule) string {
	condition, _ := expression.Condition(r.When) // which the engine has read
	return function(condition.Names(), javaScript(condition))
}

// blankAsWritten returns a JavaScript function that gives the sides of the blank.
func blankAsWritten(b *limits.Blank) string {
	width, _ := expression.Formula(b.Width.Text)
	height, _ := expression.Formula(b.Height.Text)
	names := slices.Clone(width.Names())
	for _, name := range height.Names() {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return function(names, fmt.Sprintf("({ blank_width: %s, blank_height: %s })", javaScript(width), javaScript(height)))
}

func function(parameters []string, result string) string {
	return fmt.Sprintf("({ %s }) => %s", strings.Join(parameters, ", "), result)
}

func javaScript(e *expression.Expression) string {
	return strings.NewReplacer("min(", "Math.min(", "max(", "Math.max(").Replace(e.Root().String())
}

// A value holds the value of a variable that no dimension changes.
type value struct {
	Name  string
	Value float64
}

// valuesOf returns the values that the variables have in the profile.
func valuesOf(f *exact.Form, names ...string) []value {
	var list []value
	for _, name := range names {
		k, _ := f.Variables[name].Value.Constant()
		x, _ := k.Float64()
		list = append(list, value{name, x})
	}
	return list
}

// longLimits returns those limits of the profile that have more decimals than its dimensions may have.
func longLimits(f *exact.Form) []value {
	var long []value
	for axis, field := range exact.AxisNames() {
		ends := valuesOf(f, "min_"+field, "max_"+field)
		for i, grid := range []int64{f.Low[axis], f.High[axis]} {
			if ends[i].Value != exact.Units(grid) {
				long = append(long, ends[i])
			}
		}
	}
	return long
}
