package expression

import (
	"strings"

	"github.com/expr-lang/expr/ast"

	"example.com/boxrules/internal/source"
)

// kind is what a node of the language stands for.
type kind uint8

const (
	isUnknown   kind = iota // a problem was reported; say nothing more of it
	isConstant              // a number that no dimension changes
	isLinear                // a number that the dimensions change
	isCondition             // true or false
)

// A walker accepts the nodes of the linear language and nothing else. In expr's tree of a < b < c the node
// of b stands twice, and in chains inside of chains that would double at each level: a node met again is
// not walked again.
type walker struct {
	*scanner
	class Class // of the variables met so far
	kinds map[ast.Node]kind
	spans map[ast.Node][2]int
}

func (w *walker) walk(n ast.Node) kind {
	k, met := w.kinds[n]
	if !met {
		k = w.kindOf(n)
		w.kinds[n] = k
	}
	return k
}

func (w *walker) kindOf(n ast.Node) kind {
	switch n := n.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		if _, ok := w.numbers[n.Location().From]; ok {
			return isConstant
		}
	case *ast.IdentifierNode:
		if class, ok := w.names[n.Value]; ok {
			w.class |= class
			if class >= PerBox {
				return isLinear
			}
			return isConstant
		}
		w.errorf(w.start(n), "unexpected %q", n.Value)
		return isUnknown
	case *ast.UnaryNode:
		return w.unary(n)
	case *ast.BinaryNode:
		return w.binary(n)
	case *ast.BuiltinNode:
		if n.Name == "min" || n.Name == "max" {
			return w.extreme(n)
		}
	}
	w.errorf(w.start(n), "this is not part of the language: + - * /, min, max, comparisons, &&, || and !")
	return isUnknown
}

func (w *walker) unary(n *ast.UnaryNode) kind {
	operand := w.walk(n.Node)
	negation := n.Operator == "!" || n.Operator == "not"
	switch {
	case operand == isUnknown:
		return isUnknown
	case negation && operand != isCondition:
		w.errorf(n.Location().From, "%s negates a condition, and here it takes the number %q; put parentheses round the comparison", n.Operator, w.piece(n.Node))
		return isUnknown
	case !negation && operand == isCondition:
		w.errorf(n.Location().From, "%s takes a number, and %q is a condition", n.Operator, w.piece(n.Node))
		return isUnknown
	}
	return operand
}

func (w *walker) binary(n *ast.BinaryNode) kind {
	left, right := w.walk(n.Left), w.walk(n.Right)
	if left == isUnknown || right == isUnknown {
		return isUnknown
	}
	logic := n.Operator == "&&" || n.Operator == "||" || n.Operator == "and" || n.Operator == "or"
	for _, side := range []struct {
		kind kind
		node ast.Node
	}{{left, n.Left}, {right, n.Right}} {
		if logic && side.kind != isCondition {
			w.errorf(n.Location().From, "%s joins conditions, and %q is a number", n.Operator, w.piece(side.node))
			return isUnknown
		}
		if !logic && side.kind == isCondition {
			w.errorf(n.Location().From, "%s takes numbers, and %q is a condition", n.Operator, w.piece(side.node))
			return isUnknown
		}
	}
	switch n.Operator {
	case "&&", "||", "and", "or", "<", "<=", ">", ">=", "==", "!=":
		return isCondition
	case "+", "-":
		return max(left, right)
	case "*":
		if left == isLinear && right == isLinear {
			w.errorf(n.Location().From, "the product of %q and %q is not linear: both change with the box", w.piece(n.Left), w.piece(n.Right))
			return isUnknown
		}
		return max(left, right)
	case "/":
		if right == isLinear {
			w.errorf(n.Location().From, "the divisor %q changes with the box; only a constant divides", w.piece(n.Right))
			return isUnknown
		}
		return left
	}
	w.errorf(n.Location().From, "%s is not part of the language", n.Operator)
	return isUnknown
}

func (w *walker) extreme(n *ast.BuiltinNode) kind {
	if len(n.Arguments) < 2 {
		w.errorf(n.Location().From, "%s takes two numbers or more", n.Name)
		return isUnknown
	}
	all, known := isConstant, true
	for _, argument := range n.Arguments {
		switch k := w.walk(argument); k {
		case isUnknown:
			known = false
		case isCondition:
			w.errorf(w.start(argument), "%s takes numbers, and %q is a condition", n.Name, w.piece(argument))
			known = false
		default:
			all = max(all, k)
		}
	}
	if !known {
		return isUnknown
	}
	return all
}

// start is the offset of the first character of n, parentheses left out.
func (w *walker) start(n ast.Node) int {
	return w.span(n)[0]
}

// piece is the text of n, short enough for one line.
func (w *walker) piece(n ast.Node) string {
	span := w.span(n)
	from, to := balanced(w.text, span[0], span[1])
	return source.Cut(strings.Join(strings.Fields(string(w.text[from:to])), " "))
}

// balanced is the span of a node with its parentheses: the span of a call ends with its last argument, and
// that of (a + b) * c begins inside the parentheses.
func balanced(text []rune, from, to int) (int, int) {
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

// span is the range of characters from the first to the last token of n.
func (w *walker) span(n ast.Node) [2]int {
	if s, met := w.spans[n]; met {
		return s
	}
	s := [2]int{n.Location().From, n.Location().To}
	for _, child := range children(n) {
		inner := w.span(child)
		s = [2]int{min(s[0], inner[0]), max(s[1], inner[1])}
	}
	w.spans[n] = s
	return s
}

func children(n ast.Node) []ast.Node {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return []ast.Node{n.Node}
	case *ast.BinaryNode:
		return []ast.Node{n.Left, n.Right}
	case *ast.BuiltinNode:
		return n.Arguments
	}
	return nil
}
