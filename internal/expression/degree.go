package expression

import (
	"fmt"
	"math"
)

// The degree of a number says how it changes with the unit: a length has degree 1, a factor 0 and an area 2. Two
// numbers can be added or compared only if they have the same degree.
//
// A variable of the language has degree 1, and a user-defined value the degree that the rule file declares. The degree of
// a literal follows from its place. In
//
//	height > 2 * depth + 30
//
// 2 * depth is a length, because depth is one and 2 multiplies it. 30 is added to a length, so it is a length, too.
// Verdicts do not depend on degrees: every condition is evaluated in the unit of its rule. Texts do. If that unit is
// not the box's, they show 30 with its unit, and the value of a side is converted according to its degree. So a sum of
// a length and an area is accepted. With user-defined values it is not: there it is probably a value that was declared
// as the wrong kind, and verdicts do depend on that.

// openDegree is the degree of an expression that consists only of literals, such as 30 or 1 / 3. Its real degree
// depends on what the expression is added to or compared with. It is not the degree of anything that fits into
// [MaxLength] characters.
const openDegree = math.MinInt

// setDegrees sets the degrees of the literals on both sides of a comparison, and returns the degree that both sides
// have. ok is false if numbers of different degrees are added or compared.
func setDegrees(left, right *Node) (degree int, ok bool) {
	degree, ok = unifiedDegree([]*Node{left, right})
	if degree == openDegree { // only literals, as in 1 < 2
		left.setDegree(0)
		right.setDegree(0)
		degree = 0
	}
	return degree, ok
}

// unifiedDegree returns the common degree of nodes that are added or compared with each other. It gives this degree to
// the nodes whose degree is openDegree.
func unifiedDegree(nodes []*Node) (degree int, ok bool) {
	degree, ok = openDegree, true
	var open []*Node
	// Find the degree of the first node that has one. All others must have the same degree, or be open.
	for _, n := range nodes {
		d, consistent := n.degreeOf()
		switch ok = ok && consistent; {
		case d == openDegree:
			open = append(open, n)
		case degree == openDegree:
			degree = d
		case d != degree:
			ok = false
		}
	}
	if degree != openDegree {
		for _, n := range open {
			n.setDegree(degree)
		}
	}
	return degree, ok
}

// degreeOf returns the degree of n, which may be openDegree. ok is false if n adds numbers of different degrees, or
// computes their minimum or maximum.
func (n *Node) degreeOf() (degree int, ok bool) {
	switch n.Kind {
	case Number, Variable:
		return n.degree, true
	case Sign:
		return n.Operands[0].degreeOf()
	case Sum, Extreme:
		return unifiedDegree(n.Operands)
	}
	// A product or quotient. A literal that multiplies or divides a length is a factor. The degree of a literal that is
	// divided, such as 30 in 30 / caliper, stays open.
	left, leftOK := n.Operands[0].degreeOf()
	right, rightOK := n.Operands[1].degreeOf()
	ok = leftOK && rightOK
	switch {
	case left == openDegree && right == openDegree:
		return openDegree, ok
	// What 30 is in 30 / caliper depends on how the quotient is used.
	case left == openDegree && n.Text == "/" && right != Plain:
		return openDegree, ok
	case left == openDegree:
		n.Operands[0].setDegree(0)
		return right, ok
	case right == openDegree:
		n.Operands[1].setDegree(0)
		return left, ok
	case n.Text == "/":
		return left - right, ok
	}
	// The degree of a product is the sum of the degrees: length times length is an area.
	return left + right, ok
}

// setDegree gives n the degree that follows from how n is used. Before the call, the degree of n must be openDegree.
func (n *Node) setDegree(degree int) {
	switch n.Kind {
	case Number:
		n.degree = degree
	case Sign, Sum, Extreme:
		for _, operand := range n.Operands {
			operand.setDegree(degree)
		}
	case Product:
		left, right := n.Operands[0], n.Operands[1]
		switch divisor, _ := right.degreeOf(); {
		case n.Text == "/" && divisor == openDegree: // 30 / 2: the dividend is the length
			left.setDegree(degree)
			right.setDegree(0)
		case n.Text == "/": // 30 / caliper
			left.setDegree(degree + divisor)
		default: // 2 * 30
			left.setDegree(0)
			right.setDegree(degree)
		}
	}
}

// reportMixedDegrees reports a problem at the first operation in n that adds or compares numbers of different
// degrees.
func (w *walker) reportMixedDegrees(n *Node) {
	for _, operand := range n.Operands {
		if _, ok := operand.degreeOf(); !ok {
			w.reportMixedDegrees(operand)
			return
		}
	}
	what := map[Kind]string{Sum: "added or subtracted", Extreme: "compared", Relation: "compared"}[n.Kind]
	var first *Node // the first operand with a degree of its own
	for _, operand := range n.Operands {
		switch degree, _ := operand.degreeOf(); {
		case !operand.hasVariable():
		case first == nil:
			first = operand
		default:
			firstDegree, _ := first.degreeOf()
			if degree == firstDegree {
				continue
			}
			w.errorf(n.problemOffset, "%q is %s and %q %s: they cannot be %s%s", w.excerpt(first), degreeName(firstDegree),
				w.excerpt(operand), degreeName(degree), what, w.degreeDeclarations(first, operand))
			return
		}
	}
}

// degreeDeclarations returns the end of a message, which says how each user-defined value in the nodes is declared, as
// in "; lid is declared as a length". It is empty if the nodes contain no such values.
func (w *walker) degreeDeclarations(nodes ...*Node) string {
	var text string
	var add func(n *Node)
	add = func(n *Node) {
		if degree, ok := w.values[n.Text]; ok && n.Kind == Variable {
			text += "; " + n.Text + " is declared as a " + map[int]string{Plain: "number", Length: "length"}[degree]
		}
		for _, operand := range n.Operands {
			add(operand)
		}
	}
	for _, n := range nodes {
		add(n)
	}
	return text
}

// degreeName returns the phrase that messages use for a number of this degree, such as "a length".
func degreeName(degree int) string {
	switch degree {
	case Plain:
		return "a number"
	case Length:
		return "a length"
	case 2:
		return "an area"
	}
	return fmt.Sprintf("a length to the power of %d", degree)
}

// hasUnit reports whether a literal has a unit, such as the length 30. A factor has no unit. Zero has none either,
// because it is the same in every unit.
func (n *Node) hasUnit() bool {
	return n.degree != openDegree && n.degree != 0 && n.number.Sign() != 0
}
