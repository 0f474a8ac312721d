package expression_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
)

// firstComparison parses a condition that may use the user-defined values of these tests, and returns its first comparison.
func firstComparison(t *testing.T, text string) *exact.Comparison {
	t.Helper()
	e, problems := expression.ConditionWith(degrees, text)
	if e == nil {
		t.Fatalf("%q: problems %v", text, problems)
	}
	all := values()
	for name := range degrees {
		all[name] = all["caliper"]
	}
	budget := 100
	c, problem := e.Condition(exact.NewVariables(nil, all), &budget)
	if problem != nil {
		t.Fatalf("%q: %v", text, problem)
	}
	for c.Comparison == nil {
		c = c.Parts[0]
	}
	return c.Comparison
}

// withDegrees returns the text of a side, with ^DEGREE after each number that has a unit.
func withDegrees(s exact.Side) string {
	text, from := "", 0
	for _, number := range s.Numbers {
		text += s.Text[from:number.End] + fmt.Sprintf("^%d", number.Degree)
		from = number.End
	}
	return text + s.Text[from:]
}

// TestDegreesOfLiterals: a number in a condition is a length, an area or a plain number, depending on what it is added to,
// compared with, multiplied or divided by. Only lengths and areas have a unit.
func TestDegreesOfLiterals(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		// A number that is compared with or added to a length is one.
		{"height > 498.25", "height > 498.25^1"},
		{"30 < height", "30^1 < height"},
		{"height > 2 * depth + 30", "height > 2 * depth + 30^1"},
		{"-30 < 1 - -height", "-30^1 < 1^1 - -height"},
		{"min(width, 30) > max(7, 12.5)", "min(width, 30^1) > max(7^1, 12.5^1)"},
		{"30 - 7 - 1 < height", "30^1 - 7^1 - 1^1 < height"},
		// A number that multiplies or divides a length is a factor.
		{"depth > (1 / 3) * width", "depth > (1 / 3) * width"},
		{"width * 2 > 30", "width * 2 > 30^1"},
		{"2.5 > width / 30", "2.5^1 > width / 30"},
		{"(width + 10) * 2 > 5", "(width + 10^1) * 2 > 5^1"},
		{"2 * (3 - 1) * width > depth", "2 * (3 - 1) * width > depth"},
		// In a product or quotient of numbers, one of them is the length.
		{"width > 30 / 2", "width > 30^1 / 2"},
		{"width > 30 / 2 / 3", "width > 30^1 / 2 / 3"},
		{"width > 2 * 30", "width > 2 * 30^1"},
		{"width > 2 * (30 + 1)", "width > 2 * (30^1 + 1^1)"},
		{"width > (30 + 1) / (2 + 3)", "width > (30^1 + 1^1) / (2 + 3)"},
		// Products of lengths are areas, and quotients of lengths are plain numbers.
		{"width * caliper > 400", "width * caliper > 400^2"},
		{"width * caliper > 4 * 100", "width * caliper > 4 * 100^2"},
		{"width * (caliper + 3) > 400", "width * (caliper + 3^1) > 400^2"},
		{"width * caliper / caliper > 2", "width * caliper / caliper > 2^1"},
		{"width / caliper > 2", "width / caliper > 2"},
		{"width / caliper / caliper > 2 + 1", "width / caliper / caliper > 2^-1 + 1^-1"},
		// What is divided by a length depends on what the quotient is.
		{"depth > 30 / caliper", "depth > 30^2 / caliper"},
		{"depth > (30 + 5) / (2 * caliper)", "depth > (30^2 + 5^2) / (2 * caliper)"},
		{"depth / caliper > 30 / caliper", "depth / caliper > 30^1 / caliper"},
		{"width / caliper / caliper > 30 / caliper", "width / caliper / caliper > 30 / caliper"},
		// Values are declared as lengths or as plain numbers.
		{"ratio > 4", "ratio > 4"},
		{"crease > 4", "crease > 4^1"},
		// Zero is the same in every unit.
		{"width > 0", "width > 0"},
		{"width > 0.0 + 1", "width > 0.0 + 1^1"},
		// Between numbers alone, nothing is a length.
		{"1 < 2", "1 < 2"},
		{"3 < 30 / caliper", "3 < 30^1 / caliper"},
		{"2 < 4 / ratio", "2 < 4 / ratio"},
	} {
		c := firstComparison(t, test.text)
		if got := withDegrees(c.Left) + " " + c.Operator + " " + withDegrees(c.Right); got != test.want || c.Left.Mixed || c.Right.Mixed {
			t.Errorf("%s has the degrees %s, mixed %v %v, want %s", test.text, got, c.Left.Mixed, c.Right.Mixed, test.want)
		}
	}
}

// TestHasLengths: a condition has lengths if its meaning depends on the unit.
func TestHasLengths(t *testing.T) {
	for text, want := range map[string]bool{
		"height > width + 30": true, "width > 1 && depth > height": true, "depth > height || width * caliper > 9": true,
		"depth > 2 * width": false, "depth > (1 / 3) * width": false, "width > 0": false, "width > caliper": false, "1 < 2": false,
	} {
		if got := mustCondition(t, text).HasLengths(); got != want {
			t.Errorf("%s has lengths: %v, want %v", text, got, want)
		}
	}
	if (*expression.Expression)(nil).HasLengths() {
		t.Error("a nil expression has lengths")
	}
}

// TestMixed: both sides of a comparison are marked if lengths are added to or compared with areas or plain numbers, on
// either side.
func TestMixed(t *testing.T) {
	for text, want := range map[string]bool{
		"width + width * caliper > 3":              true,
		"3 > 2 * (width + width * caliper)":        true,
		"3 > (width + width * caliper) * 2":        true,
		"3 > -(width + width * caliper)":           true,
		"width > max(caliper * caliper, depth, 3)": true,
		"width * caliper > depth":                  true,
		"caliper * caliper < width < 3":            true,
		"width > depth / caliper":                  true,
		"width * caliper + 3 > depth * caliper":    false,
		"width > depth / caliper * caliper":        false,
		"width / caliper > depth / glue_flap":      false,
	} {
		if c := firstComparison(t, text); c.Left.Mixed != want || c.Right.Mixed != want {
			t.Errorf("%s is mixed: %v and %v, want %v", text, c.Left.Mixed, c.Right.Mixed, want)
		}
	}
}

// TestPowers: a quotient of many lengths has a degree far below zero, which differs from that of a length.
func TestPowers(t *testing.T) {
	for _, divisors := range []int{2, 100, 101, 102, 300} {
		text := "crease" + strings.Repeat(" / caliper", divisors) + " > width"
		_, problems := expression.ConditionWith(degrees, text)
		want := fmt.Sprintf("is a length to the power of %d and \"width\" a length: they cannot be compared", 1-divisors)
		if len(problems) != 1 || !strings.Contains(problems[0].Message, want) {
			t.Errorf("crease divided by %d lengths: problems %v, want one that says it %s", divisors, problems, want)
		}
	}
}
