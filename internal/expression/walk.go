package expression

import (
	"math/big"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
)

// A Node is a number, a variable, or an operator with its operands. It must not be changed, because it may
// have several parents: a < b < c means a < b && b < c, and both occurrences of b are the same Node.
type Node struct {
	Kind Kind
	// Text is the literal as written, the name of the variable, or the operator. The operators and, or and
	// not are replaced by &&, || and !.
	Text     string
	number   *big.Rat // the exact value of a Number
	Operands []*Node
	// From is the offset of the first character of the node's text, and To is the offset after its last character.
	// Both count characters. The parentheses in the text of a comparison are balanced.
	From, To int

	problemOffset int // where problems are reported: the offset of the operator, or of the first character
	valueKind     valueKind
	phrase        *exact.Phrase // nil unless the node is an operand of a relation, or a formula
	degree        int           // the degree of a Number or Variable (see setDegrees), or of the operands of a Relation
}

// A Kind is the kind of a Node. The kinds are in the order of precedence: operators that bind more tightly
// come first.
type Kind uint8

// The kinds of Nodes.
const (
	Number      Kind = iota
	Variable         // width
	Extreme          // min, max
	Sign             // - or + of one operand
	Product          // * /
	Sum              // + -
	Relation         // < <= > >= == !=
	Negation         // !
	Conjunction      // &&
	Disjunction      // ||
)

// IsCondition reports whether nodes of this kind are conditions, which are true or false. All other nodes are numbers.
func (k Kind) IsCondition() bool { return k >= Relation }

// Operators maps each binary operator to the kind of its Node.
var Operators = map[string]Kind{
	"+": Sum, "-": Sum, "*": Product, "/": Product, "<": Relation, "<=": Relation, ">": Relation, ">=": Relation,
	"==": Relation, "!=": Relation, "&&": Conjunction, "||": Disjunction,
}

// wordOperators maps each operator that is a word to the symbol that replaces it in the Text of a Node.
var wordOperators = map[string]string{"and": "&&", "or": "||", "not": "!"}

// A valueKind says whether a node is a number or a condition, and for a number, whether it depends on the box.
// The kind of an arithmetic operation is the greatest of the kinds of its operands.
type valueKind uint8

const (
	constantKind  valueKind = iota // a number that is the same for every box, such as 2 * caliper
	linearKind                     // a number that depends on the dimensions
	conditionKind                  // true or false
)

// A walker turns expr's syntax tree into Nodes, and refuses everything that does not belong to the linear
// language. For a < b < c, expr's tree has two pointers to the node of b. If the walker followed both, the time
// would double with each level of nested chains. So it remembers the nodes that it has walked.
type walker struct {
	*scanner
	values Degrees // of the user-defined values
	walked map[ast.Node]*Node
}

// walk returns the Node for n. If it has reported a problem in n, it returns nil. Callers report nothing
// further about a nil operand.
func (w *walker) walk(n ast.Node) *Node {
	node, walked := w.walked[n]
	if !walked {
		node = w.newNode(n)
		w.walked[n] = node
	}
	return node
}

func (w *walker) newNode(n ast.Node) *Node {
	location := n.Location()
	switch n := n.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		// If the scanner has not seen the number, it comes from expr itself.
		if text, ok := w.literals[location.From]; ok {
			number, isNumber := new(big.Rat).SetString(text)
			if !isNumber {
				panic("expression: " + text + " is not a number")
			}
			return &Node{Kind: Number, Text: text, number: number, From: location.From, To: location.To, problemOffset: location.From, degree: openDegree}
		}
	case *ast.IdentifierNode:
		if kind, ok := w.names[n.Value]; ok {
			degree, isValue := w.values[n.Value]
			if !isValue {
				degree = Length
			}
			return &Node{Kind: Variable, Text: n.Value, From: location.From, To: location.To, problemOffset: location.From, valueKind: kind, degree: degree}
		}
		return w.errorf(location.From, "unexpected %q", n.Value)
	case *ast.UnaryNode:
		return w.walkUnary(n)
	case *ast.BinaryNode:
		return w.walkBinary(n)
	case *ast.BuiltinNode:
		if n.Name == "min" || n.Name == "max" {
			return w.walkExtreme(n)
		}
	}
	return w.errorf(location.From, "this is not part of the language, which has + - * /, min, max, comparisons, &&, || and !")
}

// newOperatorNode returns the node for an operator. The node spans the text of the operator and its operands.
func newOperatorNode(n ast.Node, kind Kind, text string, operands ...*Node) *Node {
	node := &Node{Kind: kind, Text: text, Operands: operands,
		From: n.Location().From, To: n.Location().To, problemOffset: n.Location().From}
	for _, operand := range operands {
		node.From, node.To = min(node.From, operand.From), max(node.To, operand.To)
		node.valueKind = max(node.valueKind, operand.valueKind)
	}
	return node
}

func (w *walker) walkUnary(n *ast.UnaryNode) *Node {
	operand := w.walk(n.Node)
	if operand == nil {
		return nil
	}
	negation := n.Operator == "!" || n.Operator == "not"
	switch {
	case negation && operand.valueKind != conditionKind:
		return w.errorf(n.Location().From,
			"%s negates a condition, but here it is applied to the number %q; put parentheses around the comparison",
			n.Operator, w.excerpt(operand))
	case negation:
		return newOperatorNode(n, Negation, "!", operand)
	case operand.valueKind == conditionKind:
		return w.errorf(n.Location().From, "%s takes a number, but %q is a condition", n.Operator, w.excerpt(operand))
	}
	return newOperatorNode(n, Sign, n.Operator, operand)
}

// walkBinary returns the node for an operator with two operands. It refuses the product of two numbers that
// depend on the box, a divisor that depends on the box, a condition in place of a number, and a number in place
// of a condition.
func (w *walker) walkBinary(n *ast.BinaryNode) *Node {
	left, right := w.walk(n.Left), w.walk(n.Right)
	if left == nil || right == nil {
		return nil
	}
	text := n.Operator
	if sign, ok := wordOperators[text]; ok { // "and" becomes "&&"
		text = sign
	}
	kind, known := Operators[text]
	logic := kind > Relation // && and || take conditions, all other operators take numbers
	for _, side := range []*Node{left, right} {
		if logic && side.valueKind != conditionKind {
			return w.errorf(n.Location().From, "%s joins conditions, but %q is a number", n.Operator, w.excerpt(side))
		}
		if !logic && side.valueKind == conditionKind {
			return w.errorf(n.Location().From, "%s takes numbers, but %q is a condition", n.Operator, w.excerpt(side))
		}
	}
	switch {
	case !known:
		return w.errorf(n.Location().From, "%s is not part of the language", n.Operator)
	case text == "*" && left.valueKind == linearKind && right.valueKind == linearKind:
		return w.errorf(n.Location().From, "the product of %q and %q is not linear: both change with the box",
			w.excerpt(left), w.excerpt(right))
	case text == "/" && right.valueKind == linearKind:
		return w.errorf(n.Location().From, "the divisor %q changes with the box; divide by a constant", w.excerpt(right))
	}
	node := newOperatorNode(n, kind, text, left, right)
	if kind == Relation {
		node.valueKind = conditionKind // although its operands are numbers
		node.From, node.To = spanWithParentheses(w.text, node.From, node.To)
		var consistent bool
		node.degree, consistent = setDegrees(left, right)
		left.phrase, right.phrase = w.phraseOf(left), w.phraseOf(right)
		left.phrase.Mixed, right.phrase.Mixed = left.phrase.Mixed || !consistent, right.phrase.Mixed || !consistent
		if !consistent && w.mentionsValue(node) {
			w.reportMixedDegrees(node)
		}
	}
	return node
}

func (w *walker) walkExtreme(n *ast.BuiltinNode) *Node {
	if len(n.Arguments) < 2 {
		return w.errorf(n.Location().From, "%s takes two or more numbers", n.Name)
	}
	// Walk all arguments before giving up, so that the problems of all of them are reported.
	var arguments []*Node
	accepted := true
	for _, a := range n.Arguments {
		argument := w.walk(a)
		if argument != nil && argument.valueKind == conditionKind {
			argument = w.errorf(argument.From, "%s takes numbers, but %q is a condition", n.Name, w.excerpt(argument))
		}
		arguments, accepted = append(arguments, argument), accepted && argument != nil
	}
	if !accepted {
		return nil
	}
	return newOperatorNode(n, Extreme, n.Name, arguments...)
}

// excerpt returns the text of n on one line, shortened for use in a message.
func (w *walker) excerpt(n *Node) string { return wording.Cut(w.phraseOf(n).Text) }

// phraseOf returns the text of a node on one line. The phrase also contains the offsets of the variables in the text,
// and of the numbers that have a unit.
func (w *walker) phraseOf(n *Node) *exact.Phrase {
	if n.phrase != nil {
		return n.phrase
	}
	from, to := spanWithParentheses(w.text, n.From, n.To)
	text := strings.Join(strings.Fields(string(w.text[from:to])), " ")
	// Find the words in the text that are variables or numbers. What the scanner accepts is ASCII, so bytes are
	// characters.
	phrase, literals := &exact.Phrase{Text: text}, n.appendLiterals(nil)
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && (isLetter(rune(text[i])) || isDigit(rune(text[i])) || text[i] == '.') {
			i++
		}
		if _, ok := w.names[text[start:i]]; ok {
			phrase.Names = append(phrase.Names, exact.Name{Name: text[start:i], End: i})
		} else if i > start && !isLetter(rune(text[start])) {
			// The numbers in the text are the literals in the same order.
			literal := literals[0]
			literals = literals[1:]
			if literal.hasUnit() {
				phrase.Numbers = append(phrase.Numbers, exact.Number{End: i, Degree: literal.degree})
			}
		}
		i = max(i, start+1) // skip a character that is not part of a word
	}
	return phrase
}

// spanWithParentheses widens the span of a node until the parentheses in it are balanced. It returns the new ends of
// the span. Widening is necessary because the spans of expr's nodes leave out parentheses:
//
//	max(a, b    the span of max(a, b) lacks the ) on the right
//	a + b) * c  the span of (a + b) * c lacks the ( on the left
func spanWithParentheses(text []rune, from, to int) (int, int) {
	open, minOpen := 0, 0 // the number of open parentheses, and its minimum: below 0, some ) lack their (
	for _, r := range text[from:to] {
		switch r {
		case '(':
			open++
		case ')':
			open--
			minOpen = min(minOpen, open)
		}
	}
	// open - minOpen parentheses are still open at the end. For each of them, a closing one is missing.
	for missing := open - minOpen; missing > 0; to++ {
		if text[to] == ')' {
			missing--
		}
	}
	for missing := -minOpen; missing > 0; {
		from--
		if text[from] == '(' {
			missing--
		}
	}
	return from, to
}

// mentionsValue reports whether n contains a user-defined value.
func (w *walker) mentionsValue(n *Node) bool {
	if _, ok := w.values[n.Text]; ok && n.Kind == Variable {
		return true
	}
	return slices.ContainsFunc(n.Operands, w.mentionsValue)
}

// hasVariable reports whether n contains a variable. If it does not, the degree of n depends on how n is
// used.
func (n *Node) hasVariable() bool {
	return n.Kind == Variable || slices.ContainsFunc(n.Operands, (*Node).hasVariable)
}
