package expression

import "strings"

// String returns the condition as a rule file takes it. Equal trees have equal texts.
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
	// A sign right behind an operator would be hard to read, and a - (b - c) is not a - b - c.
	wrapRight := right.bindsLooser(n) || right.Kind == n.Kind || right.Kind == Sign && n.Kind <= Sum
	return left.wrapped(left.bindsLooser(n)) + " " + n.Text + " " + right.wrapped(wrapRight)
}

// bindsLooser reports whether n needs parentheses as an operand of outer. An && in an || gets them for
// the reader's sake.
func (n *Node) bindsLooser(outer *Node) bool {
	return n.Kind > outer.Kind || n.Kind == Conjunction && outer.Kind == Disjunction
}

func (n *Node) wrapped(parentheses bool) string {
	if parentheses {
		return "(" + n.String() + ")"
	}
	return n.String()
}
