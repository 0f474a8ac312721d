// Package expression reads one condition or formula of the linear language, such as "depth > 2 *
// width && height > 35".
//
// A text passes three gates. The scanner lets only the words and signs of the language through.
// expr compiles what is left, which parses it and checks its types. A walk over the tree of the
// program accepts only the nodes of the language and refuses what is not linear, such as
// width * depth. The Nodes that it makes are lowered to a Condition of package exact, which fails only
// where numbers grow too large or a divisor is zero. The program itself says what the expression
// is in double precision: see Machine. No other package knows expr.
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

	"example.com/boxrules/internal/wording"
)

// variables lists the names of the language, and whether the dimensions of the box change them.
var variables = map[string]valueKind{
	"width": isLinear, "depth": isLinear, "height": isLinear,
	"blank_width": isLinear, "blank_height": isLinear,
	"min_width": isConstant, "max_width": isConstant,
	"min_depth": isConstant, "max_depth": isConstant,
	"min_height": isConstant, "max_height": isConstant,
	"caliper": isConstant, "glue_flap": isConstant,
	"sheet_width": isConstant, "sheet_height": isConstant,
}

// formulaVariables leaves out blank_width and blank_height, which a blank formula defines itself.
var formulaVariables = func() map[string]valueKind {
	names := maps.Clone(variables)
	maps.DeleteFunc(names, func(name string, _ valueKind) bool { return IsBlank(name) })
	return names
}()

// IsBlank reports whether the variable is a side of the blank.
func IsBlank(name string) bool { return strings.HasPrefix(name, "blank_") }

// An Expression is a condition or formula that passed every gate. It is immutable.
type Expression struct {
	root    *Node
	names   []string
	program *vm.Program
}

// Condition returns the condition that the text says: an expression that is true or false for a
// box. Where it finds problems it returns all of them, and no Expression.
func Condition(text string) (*Expression, []Problem) { return parse(text, true, variables) }

// Formula returns the formula that the text says: an expression that is a number. It knows all
// variables but blank_width and blank_height. Where it finds problems it returns all of them, and
// no Expression.
func Formula(text string) (*Expression, []Problem) { return parse(text, false, formulaVariables) }

// parse takes the text through the three gates and returns the problems of the first that it does
// not pass. So "width ** 2 > depth *" is told that powers are not linear, and not that the end is
// missing.
func parse(text string, condition bool, names map[string]valueKind) (*Expression, []Problem) {
	s := &scanner{text: []rune(text), names: names, literals: make(map[int]string), inRightOperand: []bool{false}}
	s.scan()
	if len(s.problems) > 0 {
		return nil, s.problems
	}
	program, tree, err := s.compile(condition)
	if tree == nil {
		return nil, []Problem{s.translateError(err)}
	}
	w := &walker{scanner: s, walked: make(map[ast.Node]*Node)}
	root := w.walk(tree)
	switch {
	case len(w.problems) > 0:
		return nil, w.problems
	case condition && root.valueKind != isCondition:
		return nil, []Problem{{root.From, "a condition is expected, not a number: compare it, as in depth > width"}}
	case !condition && root.valueKind == isCondition:
		return nil, []Problem{{root.From, "a number is expected, not a condition"}}
	}
	// The walk and expr's type check have to agree on every type. If only expr objects, its message
	// is reported.
	if err != nil {
		return nil, []Problem{s.translateError(err)}
	}
	if !condition {
		root.phrase = w.phraseOf(root)
	}
	return &Expression{root: root, names: s.mentioned, program: program}, nil
}

// compile returns the program that expr makes of the text, and its tree. If expr's type check
// refuses the text, there is an error and a tree, because the walk has better messages. If expr
// cannot parse the text, there is an error alone.
//
// Environment and tree are made for each text: an environment with every variable would make
// compiling a fifth slower.
func (s *scanner) compile(condition bool) (*vm.Program, ast.Node, error) {
	environment := make(map[string]any, len(s.mentioned))
	for _, name := range s.mentioned {
		environment[name] = 0.0
	}
	result := expr.AsFloat64()
	if condition {
		result = expr.AsBool()
	}
	patch := &literalPatch{literals: s.literals}
	program, err := expr.Compile(s.textForParser(), expr.Env(environment), result, expr.Optimize(false), expr.Patch(patch))
	return program, patch.lastVisited, err
}

// A literalPatch visits the tree between expr's parser and expr's type check. It makes a float64 of every
// number, as it was written. expr itself computes with ints as long as all operands are whole
// numbers: they are exact beyond 2^53, overflow, and have 32 bits on some machines.
type literalPatch struct {
	literals    map[int]string // as in scanner
	lastVisited ast.Node       // visited: at the end the root, which is program.Node()
}

// Visit replaces the node if it is a number.
func (p *literalPatch) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		if value, err := strconv.ParseFloat(p.literals[n.Location().From], 64); err == nil {
			ast.Patch(node, &ast.FloatNode{Value: value})
		}
	}
	p.lastVisited = *node
}

// textForParser returns the text as expr can read it on every machine. Where an int has 32 bits expr
// takes no whole number beyond them, but a float64: so 12345678901 becomes 123456789.0, which has
// the same length. Its value comes from the text as it was written: see patch.
func (s *scanner) textForParser() string {
	const safe = 9 // digits fit an int everywhere
	text := slices.Clone(s.text)
	for start, number := range s.literals {
		if len(number) > safe && !strings.Contains(number, ".") {
			copy(text[start+len(number)-2:], []rune(".0"))
		}
	}
	return string(text)
}

// translateError returns an error of expr as ours. Where expr ran out of text it points just behind the
// text.
func (s *scanner) translateError(err error) Problem {
	var e *file.Error
	if !errors.As(err, &e) {
		return Problem{0, "not an expression"}
	}
	if e.Message == "unexpected token EOF" || e.From >= len(s.text) {
		return Problem{len(s.text), "the expression is not complete"}
	}
	if message := s.missingOperatorMessage(e.From); message != "" {
		return Problem{e.From, message}
	}
	message := unexpectedToken.ReplaceAllString(e.Message, "unexpected $1")
	if at := e.From; s.text[at] == ',' && at > 0 && isDigit(s.text[at-1]) && at+1 < len(s.text) && isDigit(s.text[at+1]) {
		message += "; a number has a point before the fraction"
	}
	return Problem{e.From, message}
}

// missingOperatorMessage returns the message if the operand at the offset comes right after another one, as in
// 4 width, and otherwise "".
func (s *scanner) missingOperatorMessage(at int) string {
	before := operandAtEnd.FindStringSubmatch(string(s.text[:at]))
	after := operandAtStart.FindString(string(s.text[at:]))
	if before == nil || after == "" || isOperatorWord(before[1]) || isOperatorWord(after) {
		return ""
	}
	message := "an operator is missing before " + wording.Quote(after)
	if isDigit(rune(before[1][0])) && isLetter(rune(after[0])) {
		message += fmt.Sprintf(": write %s * %s for a product", wording.Cut(before[1]), wording.Cut(after))
	}
	return message
}

// operandAtEnd and firstOperand match an operand or a parenthesis at the end and at the beginning of a
// text.
var (
	operandAtEnd   = regexp.MustCompile(`([0-9A-Za-z_.]+|\))\s*$`)
	operandAtStart = regexp.MustCompile(`^([0-9A-Za-z_.]+|\()`)
)

// isOperatorWord reports whether the word is an operator or a function.
func isOperatorWord(word string) bool { return words[word] != "" || word == "min" || word == "max" }

// unexpectedToken matches expr's way of naming a token, as in `unexpected token Bracket(")")`.
var unexpectedToken = regexp.MustCompile(`^unexpected token \w+\((.*)\)$`)

// Root returns the expression as a tree.
func (e *Expression) Root() *Node { return e.root }

// Names returns the variables that the expression mentions, each once, in the order of the text.
// The slice must not be changed.
func (e *Expression) Names() []string { return e.names }

// exactValue returns the exact value of a Number, as it was written.
func (n *Node) exactValue() *big.Rat {
	value, ok := new(big.Rat).SetString(n.Text)
	if !ok {
		panic("expression: " + n.Text + " is not a number")
	}
	return value
}
