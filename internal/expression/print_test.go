package expression_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/internal/expression"
)

// TestString: a condition is printed with the parentheses that it needs, and with those around an && in an ||, and around
// the sign of a right operand, which make it easier to read. All others are left out.
func TestString(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"depth>width*2", "depth > width * 2"},
		{"(width) >= ((2.50))", "width >= 2.50"},
		{"1 < width < 2", "1 < width && width < 2"},
		{"max(width,min(depth ,0.125), 3) == blank_width", "max(width, min(depth, 0.125), 3) == blank_width"},

		{"width - (depth - height) > 0", "width - (depth - height) > 0"},
		{"width + (depth + height) > 0", "width + (depth + height) > 0"},
		{"(width - depth) - height > 0", "width - depth - height > 0"},
		{"width <= (depth * 3) / 4", "width <= depth * 3 / 4"},
		{"width <= depth * (3 / 4)", "width <= depth * (3 / 4)"},
		{"2 * (width + 1) > (width + 1) * 2", "2 * (width + 1) > (width + 1) * 2"},
		{"1 + (2 * width) > (width / 2) - 1", "1 + 2 * width > width / 2 - 1"},
		{"max(width,(depth + 1) , 2*min((1), 0.5*depth)) == 0.5", "max(width, depth + 1, 2 * min(1, 0.5 * depth)) == 0.5"},

		{"(-width) > (-2.5)", "-width > -2.5"},
		{"-(depth + 1) < -(2 * depth)", "-(depth + 1) < -(2 * depth)"},
		{"- -depth < +(-(min(1, depth)))", "-(-depth) < +(-min(1, depth))"},
		{"width + -depth > width - +depth", "width + (-depth) > width - (+depth)"},
		{"width * -2 > width / -2", "width * (-2) > width / (-2)"},
		{"(-width) + depth > (-2) * width", "-width + depth > -2 * width"},

		{"not (width > 1) and not not (depth > 1)", "!(width > 1) && !(!(depth > 1))"},
		{"(!(width > 1)) || !(depth > 1)", "!(width > 1) || !(depth > 1)"},
		{"(width > 1) and ((depth > 1) and height > 1)", "width > 1 && (depth > 1 && height > 1)"},
		{"(width > 1 and depth > 1) and height > 1", "width > 1 && depth > 1 && height > 1"},
		{"(width > 1 or depth > 1) or height > 1", "width > 1 || depth > 1 || height > 1"},
		{"width > 1 or (depth > 1 or height > 1)", "width > 1 || (depth > 1 || height > 1)"},
		{"width > 1 and depth > 1 or height > 1 and 1 > 2", "(width > 1 && depth > 1) || (height > 1 && 1 > 2)"},
		{"(width > 1 or depth > 1) and (height > 1 or 1 > 2)", "(width > 1 || depth > 1) && (height > 1 || 1 > 2)"},
	} {
		if got := mustCondition(t, test.text).Root().String(); got != test.want {
			t.Errorf("%s is printed as %s, want %s", test.text, got, test.want)
		}
		// What is printed means the same, and is printed in the same way again.
		if e := mustCondition(t, test.want); e.Root().String() != test.want || !equal(e.Root(), mustCondition(t, test.text).Root()) {
			t.Errorf("%s is read as %s", test.want, e.Root())
		}
	}
}

// equal reports whether two trees have the same nodes.
func equal(a, b *expression.Node) bool {
	return a.Kind == b.Kind && a.Text == b.Text && slices.EqualFunc(a.Operands, b.Operands, equal)
}

// TestStringOfSentences: parsing what is printed gives the same tree, for random conditions.
func TestStringOfSentences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := condition(t, 3)
		if len(text) > expression.MaxLength {
			t.Skip("too long")
		}
		e, problems := expression.Condition(text)
		if e == nil {
			t.Fatalf("Condition(%q): problems %v", text, problems)
		}
		printed := e.Root().String()
		if len(printed) > expression.MaxLength {
			t.Skip("too long with spaces")
		}
		again, problems := expression.Condition(printed)
		if again == nil || !equal(again.Root(), e.Root()) || again.Root().String() != printed {
			t.Fatalf("%q is printed as %q, and read as %v, %v", text, printed, again, problems)
		}
	})
}
