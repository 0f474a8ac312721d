package expression

import (
	"errors"
	"regexp"
	"strconv"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
)

// parse takes the text through the three gates that the package comment describes. It returns the problems that
// the first failing gate has found: for "width ** 2 > depth *" it reports the power, and not the missing
// operand.
func parse(text string, isCondition bool, names map[string]valueKind, values Degrees) (*Expression, []Problem) {
	// Gate 1: only words, numbers and operators of the language.
	s := &scanner{text: []rune(text), names: names, isCondition: isCondition, literals: make(map[int]string), inRightOperand: []bool{false}}
	s.scan()
	if len(s.problems) > 0 {
		return nil, s.problems
	}
	// Gate 2: expr's syntax. A text of the wrong type goes on to gate 3, which has better messages about types.
	program, tree, err := s.parseAndCompile(isCondition)
	if tree == nil {
		return nil, []Problem{s.translateParseError(err)}
	}
	// Gate 3: types, and whether the text is linear.
	w := &walker{scanner: s, values: values, walked: make(map[ast.Node]*Node)}
	root := w.walk(tree)
	switch {
	case len(w.problems) > 0:
		return nil, w.problems
	case isCondition && root.valueKind != conditionKind:
		return nil, []Problem{{root.From, "a condition is expected, not a number: compare it, as in depth > width"}}
	case !isCondition && root.valueKind == conditionKind:
		return nil, []Problem{{root.From, "a number is expected, not a condition"}}
	}
	// The walker has found nothing wrong, but expr's type check may have failed. Then report expr's error.
	if err != nil {
		return nil, []Problem{s.translateParseError(err)}
	}
	if !isCondition {
		root.phrase = w.phraseOf(root) // in a condition the operands of each relation have phrases
	}
	return &Expression{root: root, names: s.mentioned, values: values, program: program}, nil
}

// parseAndCompile parses the text with expr and returns its program and its syntax tree. If the text is refused
// by expr's type check, parseAndCompile returns the tree along with the error, because the walker has better
// messages for wrong types. If expr cannot parse the text, the tree is nil.
//
// The environment has only the variables that the text mentions. With all variables of the language,
// compiling would take a fifth longer.
func (s *scanner) parseAndCompile(isCondition bool) (*vm.Program, ast.Node, error) {
	// Only the type of 0.0 matters: every variable is a float64.
	environment := make(map[string]any, len(s.mentioned))
	for _, name := range s.mentioned {
		environment[name] = 0.0
	}
	result := expr.AsFloat64()
	if isCondition {
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

// Visit replaces the node with a float64 if it is a number.
func (l *literalPatch) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		if value, err := strconv.ParseFloat(l.literals[n.Location().From], 64); err == nil {
			ast.Patch(node, &ast.FloatNode{Value: value})
		}
	}
	l.lastVisited = *node
}

// translateParseError turns an error from expr into a Problem. If the text ends too early, the Problem is at the
// end of the text.
func (s *scanner) translateParseError(err error) Problem {
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
		message += "; write a decimal point, as in 0.5"
	}
	return Problem{e.From, message}
}

// unexpectedToken matches expr's message about an unexpected token, such as `unexpected token Bracket(")")`.
var unexpectedToken = regexp.MustCompile(`^unexpected token \w+\((.*)\)$`)
