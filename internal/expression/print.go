package expression

import "strings"

// String returns the expression in the syntax of rule files, with only those parentheses that are needed or
// that make it easier to read. Equal trees have equal texts.
func (n *Node) String() string {
	switch n.Kind {
	case Number, Variable:
		return n.Text
	case Extreme:
		texts := make([]string, len(n.Operands))
		for i, operand := range n.Operands {
			texts[i] = operand.String()
		}
		return n.Text + "(" + strings.Join(texts, ", ") + ")"
	case Negation:
		return "!(" + n.Operands[0].String() + ")"
	case Sign:
		return n.Text + n.Operands[0].wrapped(n.Operands[0].Kind >= Sign)
	}
	left, right := n.Operands[0], n.Operands[1]
	// Operators are left-associative, so a - (b - c) needs its parentheses. A sign gets them because a + -b
	// is hard to read.
	wrapRight := right.needsParentheses(n) || right.Kind == n.Kind || right.Kind == Sign && n.Kind <= Sum
	return left.wrapped(left.needsParentheses(n)) + " " + n.Text + " " + right.wrapped(wrapRight)
}

// needsParentheses reports whether n gets parentheses as an operand of outer. An && inside an || does not need
// them, but gets them, for readers who do not know which of the two binds more tightly.
func (n *Node) needsParentheses(outer *Node) bool {
	return n.Kind > outer.Kind || n.Kind == Conjunction && outer.Kind == Disjunction
}

func (n *Node) wrapped(parentheses bool) string {
	if parentheses {
		return "(" + n.String() + ")"
	}
	return n.String()
}
