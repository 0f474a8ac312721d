package expression

import (
	"strings"

	"github.com/expr-lang/expr/ast"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
)

// A Node is a part of an expression: a number, a variable, or an operator with its operands. It
// must not be changed, as it may stand in several places: a < b < c means a < b && b < c.
type Node struct {
	Kind Kind
	// Text holds the number as it was written, the name, or the operator: && and ! also where
	// and, or, not were written.
	Text     string
	Operands []*Node
	// From and To delimit the text from the first to the last token, in characters, To being just
	// behind it. For a relation the parentheses in between come in pairs.
	From, To int

	problemOffset int // where a problem with it is reported: its operator or first character
	valueKind     valueKind
	phrase        *exact.Phrase // of an operand of a relation, and of a formula
}

// A Kind says what a Node is, from what binds most closely to what binds least.
type Kind uint8

// The kinds.
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

// IsCondition reports whether a node of the kind is true or false, and not a number.
func (k Kind) IsCondition() bool { return k >= Relation }

// Operators maps the operators of two operands to the kind of their Node.
var Operators = map[string]Kind{
	"+": Sum, "-": Sum, "*": Product, "/": Product, "<": Relation, "<=": Relation, ">": Relation, ">=": Relation,
	"==": Relation, "!=": Relation, "&&": Conjunction, "||": Disjunction,
}

// words maps the operators that can be written as words to their signs.
var words = map[string]string{"and": "&&", "or": "||", "not": "!"}

// valueKind says what the value of a node depends on.
type valueKind uint8

const (
	isConstant  valueKind = iota // a number that no dimension changes
	isLinear                     // a number that the dimensions change
	isCondition                  // true or false
)

// A walker turns expr's tree into Nodes, and accepts the linear language and nothing else. For a
// < b < c expr's tree has the node of b twice; in chains inside of chains that would double at
// each level, so a node met again is not walked again.
type walker struct {
	*scanner
	walked map[ast.Node]*Node
}

// walk returns the node for n. It returns nil where a problem was reported; then nothing more is
// said of it.
func (w *walker) walk(n ast.Node) *Node {
	node, met := w.walked[n]
	if !met {
		node = w.node(n)
		w.walked[n] = node
	}
	return node
}

func (w *walker) node(n ast.Node) *Node {
	at := n.Location()
	switch n := n.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		if text, ok := w.literals[at.From]; ok {
			return &Node{Kind: Number, Text: text, From: at.From, To: at.To, problemOffset: at.From}
		}
	case *ast.IdentifierNode:
		if kind, ok := w.names[n.Value]; ok {
			return &Node{Kind: Variable, Text: n.Value, From: at.From, To: at.To, problemOffset: at.From, valueKind: kind}
		}
		return w.errorf(at.From, "unexpected %q", n.Value)
	case *ast.UnaryNode:
		return w.unary(n)
	case *ast.BinaryNode:
		return w.binary(n)
	case *ast.BuiltinNode:
		if n.Name == "min" || n.Name == "max" {
			return w.extreme(n)
		}
	}
	return w.errorf(at.From, "this is not part of the language: + - * /, min, max, comparisons, &&, || and !")
}

// newOperatorNode returns a node over the operands, which spans all of them.
func newOperatorNode(n ast.Node, kind Kind, text string, operands ...*Node) *Node {
	node := &Node{Kind: kind, Text: text, Operands: operands,
		From: n.Location().From, To: n.Location().To, problemOffset: n.Location().From}
	for _, operand := range operands {
		node.From, node.To = min(node.From, operand.From), max(node.To, operand.To)
		node.valueKind = max(node.valueKind, operand.valueKind)
	}
	return node
}

func (w *walker) unary(n *ast.UnaryNode) *Node {
	operand := w.walk(n.Node)
	if operand == nil {
		return nil
	}
	negation := n.Operator == "!" || n.Operator == "not"
	switch {
	case negation && operand.valueKind != isCondition:
		return w.errorf(n.Location().From,
			"%s negates a condition, and here it takes the number %q; put parentheses round the comparison",
			n.Operator, w.excerpt(operand))
	case negation:
		return newOperatorNode(n, Negation, "!", operand)
	case operand.valueKind == isCondition:
		return w.errorf(n.Location().From, "%s takes a number, and %q is a condition", n.Operator, w.excerpt(operand))
	}
	return newOperatorNode(n, Sign, n.Operator, operand)
}

// binary returns the node of an operator with two operands. This is where a product of two
// dimensions is refused, a divisor that changes with the box, and a condition where a number is
// wanted.
func (w *walker) binary(n *ast.BinaryNode) *Node {
	left, right := w.walk(n.Left), w.walk(n.Right)
	if left == nil || right == nil {
		return nil
	}
	text := n.Operator
	if sign, ok := words[text]; ok {
		text = sign
	}
	kind, known := Operators[text]
	logic := kind > Relation
	for _, side := range []*Node{left, right} {
		if logic && side.valueKind != isCondition {
			return w.errorf(n.Location().From, "%s joins conditions, and %q is a number", n.Operator, w.excerpt(side))
		}
		if !logic && side.valueKind == isCondition {
			return w.errorf(n.Location().From, "%s takes numbers, and %q is a condition", n.Operator, w.excerpt(side))
		}
	}
	switch {
	case !known:
		return w.errorf(n.Location().From, "%s is not part of the language", n.Operator)
	case text == "*" && left.valueKind == isLinear && right.valueKind == isLinear:
		return w.errorf(n.Location().From, "the product of %q and %q is not linear: both change with the box",
			w.excerpt(left), w.excerpt(right))
	case text == "/" && right.valueKind == isLinear:
		return w.errorf(n.Location().From, "the divisor %q changes with the box; only a constant divides", w.excerpt(right))
	}
	node := newOperatorNode(n, kind, text, left, right)
	if kind == Relation {
		node.valueKind = isCondition
		node.From, node.To = spanWithParentheses(w.text, node.From, node.To)
		left.phrase, right.phrase = w.phraseOf(left), w.phraseOf(right)
	}
	return node
}

func (w *walker) extreme(n *ast.BuiltinNode) *Node {
	if len(n.Arguments) < 2 {
		return w.errorf(n.Location().From, "%s takes two numbers or more", n.Name)
	}
	var arguments []*Node
	known := true
	for _, a := range n.Arguments {
		argument := w.walk(a)
		if argument != nil && argument.valueKind == isCondition {
			argument = w.errorf(argument.From, "%s takes numbers, and %q is a condition", n.Name, w.excerpt(argument))
		}
		arguments, known = append(arguments, argument), known && argument != nil
	}
	if !known {
		return nil
	}
	return newOperatorNode(n, Extreme, n.Name, arguments...)
}

// excerpt returns the text of n, short enough for one line.
func (w *walker) excerpt(n *Node) string { return wording.Cut(w.phraseOf(n).Text) }

// phraseOf returns the text of a node in one line, with the variables in it.
func (w *walker) phraseOf(n *Node) *exact.Phrase {
	if n.phrase != nil {
		return n.phrase
	}
	from, to := spanWithParentheses(w.text, n.From, n.To)
	text := strings.Join(strings.Fields(string(w.text[from:to])), " ")
	var names []exact.Name
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && (isLetter(rune(text[i])) || isDigit(rune(text[i]))) {
			i++
		}
		if _, ok := variables[text[start:i]]; ok {
			names = append(names, exact.Name{Name: text[start:i], End: i})
		}
		i = max(i, start+1)
	}
	return &exact.Phrase{Text: text, Names: names}
}

// spanWithParentheses returns the span of a node with its parentheses. expr ends that of max(a, b) with b,
// and begins that of (a + b) * c with a: the missing parentheses are added on either side.
func spanWithParentheses(text []rune, from, to int) (int, int) {
	open := 0
	least := 0
	for _, r := range text[from:to] {
		switch r {
		case '(':
			open++
		case ')':
			open--
			least = min(least, open)
		}
	}
	for missing := open - least; missing > 0; to++ {
		if text[to] == ')' {
			missing--
		}
	}
	for missing := -least; missing > 0; {
		from--
		if text[from] == '(' {
			missing--
		}
	}
	return from, to
}
