// Package expression reads one condition or formula of the linear language, such as "depth > 2 *
// width && height > 35". No other package imports expr, the expression evaluator that it uses.
//
// A text passes three gates:
//
//  1. The scanner lets only the words and operators of the language through.
//  2. expr compiles the text, which parses it and checks its types.
//  3. The walker goes over expr's syntax tree, accepts only what belongs to the language, and refuses
//     what is not linear, such as width * depth. It makes a tree of Nodes.
//
// The Nodes are then lowered to the exact numbers of package exact. That fails only if numbers become too
// large, a divisor is zero or there are too many comparisons. The program that expr has compiled is kept as
// well: it evaluates the expression in double precision. See Machine.
package expression

import (
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"

	"github.com/expr-lang/expr/vm"

	"example.com/boxrules/internal/wording"
)

// variables maps the name of each variable of the language to its kind, which says whether its value depends on the
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

// formulaVariables has the variables that a formula may use: all except blank_width and blank_height, which the
// formulas define.
var formulaVariables = func() map[string]valueKind {
	names := maps.Clone(variables)
	maps.DeleteFunc(names, func(name string, _ valueKind) bool { return IsBlank(name) })
	return names
}()

// IsBlank reports whether the variable is a dimension of the blank.
func IsBlank(name string) bool { return name == "blank_width" || name == "blank_height" }

// IsVariable reports whether the name is a variable of the language, and not a user-defined value.
func IsVariable(name string) bool {
	_, ok := variables[name]
	return ok
}

// valueName matches the names that user-defined values may have.
var valueName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)

// ValueNameFault returns what is wrong with the name of a user-defined value. It returns "" for a name
// that expressions can mention.
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

// An Expression is a condition or formula that passed every gate. It is immutable.
type Expression struct {
	root    *Node
	names   []string    // of the variables, in the order of the text
	values  Degrees     // of user-defined values, which need not all be mentioned
	program *vm.Program // expr's, for evaluating in double precision
}

// Degrees has the degree of each user-defined value that a rule file declares: [Length] or [Plain].
type Degrees map[string]int

// The degrees of user-defined values. A condition in another unit than that of the limits is lowered with lengths
// converted and numbers as they are.
const (
	Plain  = 0 // a number without a unit, such as a ratio
	Length = 1
)

// Condition parses a condition, which is true or false for a box. If anything is wrong with the text, it returns
// a nil Expression and all of the problems.
func Condition(text string) (*Expression, []Problem) { return ConditionWith(nil, text) }

// ConditionWith does what Condition does for a condition that may also use these user-defined values. A condition
// that uses one must not add or compare numbers of different degrees.
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

// FormulaWith parses a formula as Formula does. The formula may also use user-defined values with the given names.
// Names that are variables of the language are ignored.
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

// Names returns the variables that the expression mentions, each once, in the order of the text. Callers
// must not change the slice.
func (e *Expression) Names() []string { return e.names }

// Values returns the user-defined values that the expression mentions, each once, in the order of the text.
func (e *Expression) Values() []string {
	return slices.DeleteFunc(slices.Clone(e.names), IsVariable)
}

// PlainNumbers returns those of Values that are declared as numbers, and so are the same in every unit.
func (e *Expression) PlainNumbers() []string {
	return slices.DeleteFunc(e.Values(), func(name string) bool { return !e.isPlain(name) })
}

func (e *Expression) isPlain(name string) bool {
	degree, declared := e.values[name]
	return declared && degree == Plain
}

// Offset returns the offset in characters at which the expression first mentions the variable. It returns 0 if
// it does not.
func (e *Expression) Offset(name string) int {
	offset, found := 0, false
	var visit func(*Node)
	visit = func(n *Node) {
		if n.Kind == Variable && n.Text == name && (!found || n.From < offset) {
			offset, found = n.From, true
		}
		for _, operand := range n.Operands {
			visit(operand)
		}
	}
	visit(e.root)
	return offset
}

// exactValue returns the exact value of a Number.
func (n *Node) exactValue() *big.Rat {
	value, ok := new(big.Rat).SetString(n.Text)
	if !ok {
		panic("expression: " + n.Text + " is not a number")
	}
	return value
}
