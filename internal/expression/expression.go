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
// The Nodes are then translated to the exact numbers of package exact, which is called lowering. That fails
// only if numbers become too large, a divisor is zero or there are too many comparisons. The program that
// expr has compiled is also kept, to evaluate the expression in double precision. See Machine.
package expression

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"example.com/boxrules/internal/fraction"
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

// ValueNameFault says what is wrong with the name of a user-defined value. It returns "" if expressions can
// mention the name.
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

// An Expression is a condition or formula that has passed every gate. It is immutable.
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

// ConditionWith parses a condition that may also use these user-defined values. If it uses any of them, it
// must not add or compare numbers of different degrees.
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

// parse takes the text through the three gates. It returns the problems that the first failing gate has
// found: for "width ** 2 > depth *" it reports the power, and not the missing operand.
func parse(text string, condition bool, names map[string]valueKind, values Degrees) (*Expression, []Problem) {
	// Gate 1: only words, numbers and operators of the language.
	s := &scanner{text: []rune(text), names: names, isCondition: condition, literals: make(map[int]string), inRightOperand: []bool{false}}
	s.scan()
	if len(s.problems) > 0 {
		return nil, s.problems
	}
	// Gate 2: expr's syntax. A text of the wrong type goes on to gate 3, which has better messages about types.
	program, tree, err := s.compile(condition)
	if tree == nil {
		return nil, []Problem{s.translateError(err)}
	}
	// Gate 3: types, and whether the text is linear.
	w := &walker{scanner: s, values: values, walked: make(map[ast.Node]*Node)}
	root := w.walk(tree)
	switch {
	case len(w.problems) > 0:
		return nil, w.problems
	case condition && root.valueKind != conditionKind:
		return nil, []Problem{{root.From, "a condition is expected, not a number: compare it, as in depth > width"}}
	case !condition && root.valueKind == conditionKind:
		return nil, []Problem{{root.From, "a number is expected, not a condition"}}
	}
	// The walker has found nothing wrong, but expr's type check may have failed. Then report expr's error.
	if err != nil {
		return nil, []Problem{s.translateError(err)}
	}
	if !condition {
		root.phrase = w.phraseOf(root) // in a condition the operands of each relation have phrases
	}
	return &Expression{root: root, names: s.mentioned, values: values, program: program}, nil
}

// compile parses the text with expr and returns its program and its syntax tree. If the text is refused
// by expr's type check, compile returns the tree along with the error, because the walker has better
// messages for wrong types. If expr cannot parse the text, the tree is nil.
//
// The environment has only the variables that the text mentions. With all variables of the language,
// compiling would take a fifth longer.
func (s *scanner) compile(condition bool) (*vm.Program, ast.Node, error) {
	// Only the type of 0.0 matters: every variable is a float64.
	environment := make(map[string]any, len(s.mentioned))
	for _, name := range s.mentioned {
		environment[name] = 0.0
	}
	result := expr.AsFloat64()
	if condition {
		result = expr.AsBool()
	}
	// Turn the optimizer off, so that the program computes exactly what is written, in the same order.
	patch := &literalPatch{literals: s.literals}
	program, err := expr.Compile(s.textForParser(), expr.Env(environment), result, expr.Optimize(false), expr.Patch(patch))
	return program, patch.lastVisited, err
}

// A literalPatch replaces every number in expr's tree with the float64 nearest to the literal in the text,
// before expr checks types. Otherwise expr would compute with ints if all operands are whole numbers. Ints
// differ from float64s: they overflow, are exact beyond 2^53, and have only 32 bits on some machines.
type literalPatch struct {
	literals    map[int]string // as in scanner
	lastVisited ast.Node       // the root of the tree after all visits, because expr visits it last
}

// Visit replaces the node by a float64 if it is a number.
func (l *literalPatch) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		if value, err := strconv.ParseFloat(l.literals[n.Location().From], 64); err == nil {
			ast.Patch(node, &ast.FloatNode{Value: value})
		}
	}
	l.lastVisited = *node
}

// textForParser returns the text in a form that expr can parse on every machine. If ints have 32 bits, expr
// refuses longer whole numbers, but not longer decimals. So 12345678901 becomes 123456789.0. The two have the
// same length, so offsets stay the same. The value of the number does not matter, because literalPatch
// replaces it.
func (s *scanner) textForParser() string {
	const safeDigits = 9 // any number with 9 digits fits into 32 bits
	text := slices.Clone(s.text)
	for start, number := range s.literals {
		if len(number) > safeDigits && !strings.Contains(number, ".") {
			copy(text[start+len(number)-2:], []rune(".0"))
		}
	}
	return string(text)
}

// translateError turns an error from expr into a Problem. If the text ends too early, the Problem is at the
// end of the text.
func (s *scanner) translateError(err error) Problem {
	var e *file.Error
	if !errors.As(err, &e) {
		return Problem{0, "not an expression"}
	}
	// expr has reached the end of the text.
	if e.Message == "unexpected token EOF" || e.From >= len(s.text) {
		return Problem{len(s.text), "the expression is not complete"}
	}
	if message := s.missingOperatorMessage(e.From); message != "" {
		return Problem{e.From, message}
	}
	message := unexpectedToken.ReplaceAllString(e.Message, "unexpected $1")
	// In 0,5 outside of min and max, expr reports the comma.
	if offset := e.From; s.text[offset] == ',' && offset > 0 && isDigit(s.text[offset-1]) && offset+1 < len(s.text) && isDigit(s.text[offset+1]) {
		message += "; a number has a point before the fraction"
	}
	return Problem{e.From, message}
}

// fractionAtStart matches the fraction in a length such as 20 1/2.
var fractionAtStart = regexp.MustCompile(`^[0-9]+/(?:2|4|8|16|32|64)\b`)

// missingOperatorMessage returns a message if the operand at the offset follows another operand without an
// operator in between, as in 4 width. Otherwise it returns "".
func (s *scanner) missingOperatorMessage(offset int) string {
	before := operandAtEnd.FindStringSubmatch(string(s.text[:offset]))
	after := operandAtStart.FindString(string(s.text[offset:]))
	if before == nil || after == "" || isOperatorWord(before[1]) || isOperatorWord(after) {
		return "" // as in "width and 4", where and is not an operand
	}
	message := "an operator is missing before " + wording.Quote(after)
	// In 20 1/2 the operands form a number of inches, so show it as a decimal.
	if number := before[1] + " " + fractionAtStart.FindString(string(s.text[offset:])); fraction.Decimal(number) != "" {
		return message + ": write " + fraction.Decimal(number) + " for " + number
	}
	// In 4 width a product is meant.
	if isDigit(rune(before[1][0])) && isLetter(rune(after[0])) {
		message += fmt.Sprintf(": write %s * %s for a product", wording.Cut(before[1]), wording.Cut(after))
	}
	return message
}

// operandAtEnd matches an operand or a parenthesis at the end of a text, and operandAtStart at the start.
var (
	operandAtEnd   = regexp.MustCompile(`([0-9A-Za-z_.]+|\))\s*$`)
	operandAtStart = regexp.MustCompile(`^([0-9A-Za-z_.]+|\()`)
)

// isOperatorWord reports whether the word is an operator or a function.
func isOperatorWord(word string) bool {
	return wordOperators[word] != "" || word == "min" || word == "max"
}

// unexpectedToken matches expr's message about an unexpected token, such as `unexpected token Bracket(")")`.
var unexpectedToken = regexp.MustCompile(`^unexpected token \w+\((.*)\)$`)

// Root returns the expression as a tree.
func (e *Expression) Root() *Node { return e.root }

// Names returns the names of the variables that the expression mentions, each once, in the order of the text.
// Callers must not change the slice.
func (e *Expression) Names() []string { return e.names }

// Values returns the names of the user-defined values that the expression mentions, each once, in the order
// of the text.
func (e *Expression) Values() []string {
	return slices.DeleteFunc(slices.Clone(e.names), IsVariable)
}

// PlainNumbers returns the names of the user-defined values that the expression mentions and that are
// declared as numbers. They are the same in every unit.
func (e *Expression) PlainNumbers() []string {
	return slices.DeleteFunc(e.Values(), func(name string) bool { return !e.isPlain(name) })
}

func (e *Expression) isPlain(name string) bool {
	degree, declared := e.values[name]
	return declared && degree == Plain
}

// Offset returns the offset, in characters, of the place where the expression first mentions the variable. It
// returns 0 if there is no such place.
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

// exactValue returns the exact value of a literal.
func (n *Node) exactValue() *big.Rat {
	value, ok := new(big.Rat).SetString(n.Text)
	if !ok {
		panic("expression: " + n.Text + " is not a number")
	}
	return value
}
