package expression_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/parser/operator"
	"pgregory.net/rapid"

	"example.com/boxrules/internal/expression"
)

// TestClosed asks a version of expr that has more functions and operators for a look at them.
func TestClosed(t *testing.T) {
	functions := []string{"min", "max"}
	for _, name := range builtin.Names {
		if slices.Contains(functions, name) {
			continue
		}
		_, problems := expression.Condition(name + "(width, 1) > 1")
		if !strings.HasPrefix(lines(problems), fmt.Sprintf("0: unknown function %q", name)) {
			t.Errorf("%s(width, 1) > 1: problems %v", name, problems)
		}
		for _, text := range []string{"%s(width > 1)", "%s()", "%s", "1 | %s(2) > 1", "::%s(1) > 1", "%s (1) > 1", "%s(1..2, # > 1)",
			"%s([width], {# > 1})"} {
			text = fmt.Sprintf(text, name)
			if e, problems := expression.Condition(text); e != nil || len(problems) == 0 {
				t.Errorf("Condition(%s) is accepted", text)
			}
			if e, problems := expression.Formula(text); e != nil || len(problems) == 0 {
				t.Errorf("Formula(%s) is accepted", text)
			}
		}
	}
	numbers := []string{"+", "-", "*", "/"}
	comparisons := []string{"<", "<=", ">", ">=", "==", "!="}
	logic := []string{"&&", "||", "and", "or"}
	for op := range operator.Binary {
		var text string
		switch {
		case slices.Contains(numbers, op):
			text = "2 " + op + " 1 > 0"
		case slices.Contains(comparisons, op):
			text = "2 " + op + " 1"
		case slices.Contains(logic, op):
			text = "2 > 1 " + op + " 1 > 2"
		default:
			for _, text := range []string{"2 %s 1", "2 %s 1 > 1", "(2 > 1) %s (1 > 0)", "width not %s 1", "2 > (2 %s 1)"} {
				text = fmt.Sprintf(text, op)
				if e, problems := expression.Condition(text); e != nil || len(problems) == 0 ||
					problems[0].Offset != strings.Index(text, op) {
					t.Errorf("Condition(%s) is accepted, or not refused for %s: %v", text, op, problems)
				}
			}
			continue
		}
		if e, problems := expression.Condition(text); e == nil {
			t.Errorf("Condition(%s): problems %v, want none", text, problems)
		}
	}
	for op := range operator.Unary {
		if !slices.Contains([]string{"+", "-", "!", "not"}, op) {
			t.Errorf("expr has a unary operator %s that the tests do not know", op)
		}
	}
}

// soup is made of everything that expr or the scanner knows, and of what neither does.
var soup = strings.Fields(
	"width depth blank_width caliper foo min max min( max( abs( ( ( ( ) ) ) , , + - * / % ** ^ < <= > >= == != = ! not not && || & " +
		"| and or in matches contains " +
		"startsWith if else let true nil ? : ?? ?. . .. ... ; # $env [ ] { } ' \" ` \\ // /* */ 0 1 2.5 498.25 010 1e3 .5 5. 0x1 1_0 " +
		"1234567890123456 é １ \x00 \u200b",
)

func TestSoup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tokens := rapid.SliceOfN(rapid.SampledFrom(soup), 0, 30).Draw(t, "tokens")
		text := strings.Join(tokens, rapid.SampledFrom([]string{"", " ", "\n", " \t "}).Draw(t, "space"))
		for _, read := range []func(string) (*expression.Expression, []expression.Problem){expression.Condition, expression.Formula} {
			e, problems := read(text)
			if (e == nil) == (len(problems) == 0) {
				t.Fatalf("%q: an expression: %v, problems %v", text, e != nil, problems)
			}
			for _, p := range problems {
				if p.Offset < 0 || p.Offset > utf8.RuneCountInString(text) || p.Message == "" || len(p.Message) > 400 ||
					strings.ContainsFunc(p.Message, func(r rune) bool { return !unicode.IsPrint(r) }) {
					t.Fatalf("%q: problem %d: %q", text, p.Offset, p.Message)
				}
			}
		}
	})
}

// roundedValue draws a number of the language.
func roundedValue(t *rapid.T, depth int, constant bool) string {
	sub := func(constant bool) string { return roundedValue(t, depth-1, constant) }
	kind := rapid.IntRange(0, 6).Draw(t, "kind")
	if depth == 0 {
		kind %= 2
	}
	switch kind {
	case 0:
		return rapid.SampledFrom([]string{"0", "30", "2.5", "498.25", "999999999999999"}).Draw(t, "literal")
	case 1:
		name := rapid.SampledFrom(strings.Split(conditionNames, ", ")).Draw(t, "name")
		if constant && slices.Contains([]string{"width", "depth", "height", "blank_width", "blank_height"}, name) {
			name = "caliper"
		}
		return name
	case 2:
		a := sub(constant)
		return rapid.SampledFrom([]string{"-", "+", "- -"}).Draw(t, "sign") + "(" + a + ")"
	case 3:
		a, b := sub(constant), sub(constant)
		return a + rapid.SampledFrom([]string{"+", " - ", "\n+\t"}).Draw(t, "sum") + "(" + b + ")"
	case 4:
		a, b := sub(true), sub(constant)
		if rapid.Bool().Draw(t, "turned") {
			a, b = b, a
		}
		return "(" + a + ") * (" + b + ")"
	case 5:
		a, b := sub(constant), sub(true)
		return "(" + a + ")/(" + b + ")"
	}
	a, b, c := sub(constant), sub(constant), sub(constant)
	return rapid.SampledFrom([]string{"min(", "max ("}).Draw(t, "extreme") + a + " ," + b + " , " + c + ")"
}

func condition(t *rapid.T, depth int) string {
	kind := rapid.IntRange(0, 3).Draw(t, "kind")
	if depth == 0 {
		kind = 0
	}
	switch kind {
	case 0:
		a, b := roundedValue(t, 2, false), roundedValue(t, 2, false)
		return a + rapid.SampledFrom([]string{" < ", "<=", "\n> ", ">=", "==", "!="}).Draw(t, "comparison") + b
	case 1:
		a := condition(t, depth-1)
		return rapid.SampledFrom([]string{"!", "not "}).Draw(t, "not") + "(" + a + ")"
	case 2:
		a, b, c := roundedValue(t, 1, false), roundedValue(t, 1, false), roundedValue(t, 1, false)
		return a + " < " + b + " >= " + c
	}
	a, b := condition(t, depth-1), condition(t, depth-1)
	return a + rapid.SampledFrom([]string{" && ", " || ", " and ", " or "}).Draw(t, "logic") + "(" + b + ")"
}

func TestSentences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := condition(t, 3)
		if len(text) > expression.MaxLength {
			t.Skip("too long")
		}
		if e, problems := expression.Condition(text); e == nil || !slices.Equal(slices.Sorted(slices.Values(e.Names())), mentioned(text)) {
			t.Fatalf("Condition(%q): problems %v, want no problem", text, problems)
		}
	})
}
