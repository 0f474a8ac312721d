// Package expression parses conditions and formulas of the linear language, such as "depth > 2 * width &&
// height > 35". It is the only package that imports expr, an evaluator for expressions.
//
// A text passes three gates:
//
//  1. The scanner lets only the words and operators of the language through.
//  2. expr compiles the text, which parses it and checks its types.
//  3. The walker goes over expr's syntax tree, accepts only what belongs to the language, and refuses
//     what is not linear, such as width * depth. It makes a tree of Nodes.
//
// Then a step called lowering translates the Nodes to the exact conditions and numbers of package exact.
// Lowering fails only if numbers become too large, a divisor is zero or there are too many comparisons. The
// program that expr has compiled is also kept, to evaluate the expression in double precision. See Machine.
package expression

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/expr-lang/expr/vm"

	"example.com/boxrules/internal/wording"
)

// variables holds the variables of the language. The kind of a variable says whether its value depends on the
// dimensions of the box.
var variables = map[string]valueKind{
	"width": linearKind, "depth": linearKind, "height": linearKind,
	"blank_width": linearKind, "blank_height": linearKind,
	"min_width": constantKind, "max_width": constantKind,
	"min_depth": constantKind, "max_depth": constantKind,
	"min_height": constantKind, "max_height": constantKind,
	"caliper": constantKind, "glue_flap": constantKind,
	"sheet_width": constantKind, "sheet_height": constantKind,
}

// formulaVariables holds the variables that a formula may use: all except blank_width and blank_height,
// because the formulas define these two.
var formulaVariables = func() map[string]valueKind {
	names := maps.Clone(variables)
	maps.DeleteFunc(names, func(name string, _ valueKind) bool { return IsBlank(name) })
	return names
}()

// IsBlank reports whether the variable is a side of the blank: blank_width or blank_height.
func IsBlank(name string) bool { return name == "blank_width" || name == "blank_height" }

// IsVariable reports whether the name is a variable of the language, and not a user-defined value.
func IsVariable(name string) bool {
	_, ok := variables[name]
	return ok
}

// valueName matches the names that user-defined values may have.
var valueName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)

// ValueNameFault says what is wrong with the name of a user-defined value. It returns "" if the name is
// accepted.
func ValueNameFault(name string) string {
	_, refused := refusals[name]
	switch {
	case !valueName.MatchString(name):
		return fmt.Sprintf("%q is not a name; accepted: a letter from a to z, then at most 31 letters, digits and _", wording.Cut(name))
	case IsVariable(name):
		return name + " is a variable of the language; choose another name"
	case refused || isOperatorWord(name):
		return name + " is a word of the language; choose another name"
	}
	return ""
}

// An Expression is a parsed condition or formula. It is immutable.
type Expression struct {
	root    *Node
	names   []string    // of the variables, in the order of the text
	values  Degrees     // of user-defined values, which need not all be mentioned
	program *vm.Program // expr's, for evaluating in double precision
}

// Degrees maps each user-defined value that a rule file declares to its degree, which is [Length] or [Plain].
type Degrees map[string]int

// The degrees of user-defined values. If a condition and the limits have different units, lengths are
// converted and plain numbers are not.
const (
	Plain  = 0 // a number without a unit, such as a ratio
	Length = 1
)

// Condition parses a condition, which is true or false for a box. If anything is wrong with the text, it returns
// a nil Expression and all of the problems.
func Condition(text string) (*Expression, []Problem) { return ConditionWith(nil, text) }

// ConditionWith parses a condition that may also use the given user-defined values. A condition that uses any of
// them must not add or compare numbers of different degrees.
func ConditionWith(values Degrees, text string) (*Expression, []Problem) {
	names := variables
	if len(values) > 0 {
		names = maps.Clone(variables)
		for name := range values {
			names[name] = constantKind
		}
	}
	return parse(text, true, names, values)
}

// Formula parses a formula, whose value is a number. It may use all variables except blank_width and
// blank_height. If anything is wrong with the text, it returns a nil Expression and all of the problems.
func Formula(text string) (*Expression, []Problem) { return parse(text, false, formulaVariables, nil) }

// FormulaWith parses a formula that may also use user-defined values with the given names. Names that are
// variables of the language are ignored.
func FormulaWith(values []string, text string) (*Expression, []Problem) {
	names := maps.Clone(formulaVariables)
	for _, name := range values {
		if !IsVariable(name) {
			names[name] = constantKind
		}
	}
	return parse(text, false, names, nil)
}

// Root returns the expression as a tree.
func (e *Expression) Root() *Node { return e.root }

// Names returns the names of the variables that the expression mentions, without duplicates, in the order of the text.
// Callers must not change the slice.
func (e *Expression) Names() []string { return e.names }

// Values returns the names of the user-defined values that the expression mentions, without duplicates, in the order of
// the text.
func (e *Expression) Values() []string {
	return slices.DeleteFunc(slices.Clone(e.names), IsVariable)
}

// PlainNumbers returns the names of the user-defined values that the expression mentions and that are declared
// as plain numbers. Their values are the same in every unit.
func (e *Expression) PlainNumbers() []string {
	return slices.DeleteFunc(e.Values(), func(name string) bool { return !e.isPlain(name) })
}

func (e *Expression) isPlain(name string) bool {
	degree, declared := e.values[name]
	return declared && degree == Plain
}

// Offset returns the offset, in characters, of the place where the expression first mentions the variable. It
// returns 0 if the expression does not mention the variable.
func (e *Expression) Offset(name string) int {
	if mention := e.root.firstMention(name); mention != nil {
		return mention.From
	}
	return 0
}

// firstMention returns the first node in n, in the order of the text, that is the variable. It returns nil if n does
// not mention the variable.
func (n *Node) firstMention(name string) *Node {
	if n.Kind == Variable && n.Text == name {
		return n
	}
	for _, operand := range n.Operands {
		if mention := operand.firstMention(name); mention != nil {
			return mention
		}
	}
	return nil
}

// appendLiterals appends the literals in n to literals, in the order of the text.
func (n *Node) appendLiterals(literals []*Node) []*Node {
	if n.Kind == Number {
		return append(literals, n)
	}
	for _, operand := range n.Operands {
		literals = operand.appendLiterals(literals)
	}
	return literals
}

// HasLengths reports whether the condition contains numbers whose meaning depends on the unit, such as 30 in
// "height > width + 30". It is false for a nil Expression.
func (e *Expression) HasLengths() bool {
	return e != nil && slices.ContainsFunc(e.root.appendLiterals(nil), (*Node).hasUnit)
}
