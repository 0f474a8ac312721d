package boxrules

import (
	"math/big"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/linear"
)

// A reading is a rule's condition as an explanation goes through it: the tree of && and || with negations
// pushed down to the comparisons. It depends on the profile alone and is made when the rule is first
// explained.
type reading struct {
	parts       []reading // of a && or ||; none for a comparison
	every       bool      // && rather than ||
	condition   linear.Condition
	left, right side
	operator    string
	mentioned   []int // axes, in the order of the text
}

// A side of a comparison, with its text in pieces: each variable ends one, and its value follows.
type side struct {
	value     linear.Value
	pieces    []string
	variables []linear.Value
	tail      string
	plain     bool // a single variable or number, which needs no result
}

// read makes the reading of a condition.
func (p *Profile) read(e *expression.Expression) *reading {
	r := p.readNode(&lowering{expression: e, variables: p.numbers}, e.Root(), true)
	return &r
}

// readNode makes the reading of n, or of its negation where want is false.
func (p *Profile) readNode(l *lowering, n ast.Node, want bool) reading {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return p.readNode(l, n.Node, !want)
	case *ast.BinaryNode:
		if logical(n) {
			r := reading{every: conjunction(n) == want}
			for _, operand := range []ast.Node{n.Left, n.Right} {
				r.parts = append(r.parts, p.readNode(l, operand, want))
			}
			return r
		}
		r := reading{condition: l.condition(n), operator: n.Operator, left: l.side(n.Left), right: l.side(n.Right)}
		if !want {
			r.condition, r.operator = linear.Not(r.condition), opposite[n.Operator]
		}
		r.mentioned = p.mentioned(nil, l.expression, n)
		return r
	}
	panic("boxrules: a condition that is none")
}

// opposite is the comparison that holds where the key does not.
var opposite = map[string]string{">": "<=", ">=": "<", "<": ">=", "<=": ">", "==": "!=", "!=": "=="}

func (l *lowering) side(n ast.Node) side {
	s := side{value: l.value(n)}
	switch n.(type) {
	case *ast.IdentifierNode, *ast.IntegerNode, *ast.FloatNode:
		s.plain = true
	}
	// The mark stands in no expression.
	const mark = "\x00"
	text := l.expression.Annotated(n, func(name string) string {
		s.variables = append(s.variables, l.variables[name])
		return mark
	})
	s.pieces = strings.Split(text, mark)
	s.tail = s.pieces[len(s.pieces)-1]
	s.pieces = s.pieces[:len(s.pieces)-1]
	return s
}

// mentioned adds the axes that the tree mentions to those known, in the order in which it does; a variable
// of the blank stands for what its formula mentions.
func (p *Profile) mentioned(axes []int, e *expression.Expression, n ast.Node) []int {
	for _, name := range e.Names(n) {
		switch blank := p.article.Blank; name {
		case "blank_width":
			axes = p.mentioned(axes, blank.Width.Expression(), blank.Width.Expression().Root())
		case "blank_height":
			axes = p.mentioned(axes, blank.Height.Expression(), blank.Height.Expression().Root())
		default:
			if axis := slices.Index(axisNames[:], name); axis >= 0 && !slices.Contains(axes, axis) {
				axes = append(axes, axis)
			}
		}
	}
	return axes
}

// tree is the reading without its texts.
func (r *reading) tree() linear.Tree {
	t := linear.Tree{Every: r.every, Condition: r.condition, Mentioned: r.mentioned}
	for i := range r.parts {
		t.Parts = append(t.Parts, r.parts[i].tree())
	}
	return t
}

func (r *reading) holds(at linear.Point) bool {
	if len(r.parts) == 0 {
		return r.condition.Holds(at)
	}
	for i := range r.parts {
		if r.parts[i].holds(at) != r.every {
			return !r.every
		}
	}
	return r.every
}

// reasons appends the comparisons that make r hold at the point, which it does. Of several that would each
// do alone the first is given.
func (r *reading) reasons(at linear.Point, found []*reading) []*reading {
	if len(r.parts) == 0 {
		return append(found, r)
	}
	for i := range r.parts {
		part := &r.parts[i]
		switch {
		case r.every:
			found = part.reasons(at, found)
		case part.holds(at):
			return part.reasons(at, found)
		}
	}
	return found
}

// appendText appends the comparison with the numbers in place, and reports whether its sides are equal.
func (r *reading) appendText(dst []byte, at linear.Point) (text []byte, tie bool) {
	left, right := r.left.value.At(at), r.right.value.At(at)
	dst = r.left.append(dst, at, left)
	dst = append(append(append(dst, ' '), r.operator...), ' ')
	return r.right.append(dst, at, right), left.Cmp(right) == 0
}

func (s *side) append(dst []byte, at linear.Point, result *big.Rat) []byte {
	for i, piece := range s.pieces {
		dst = append(append(dst, piece...), ' ')
		dst = appendNumber(dst, s.variables[i].At(at))
	}
	dst = append(dst, s.tail...)
	if s.plain {
		return dst
	}
	if exact, ok := exactNumber(result); ok {
		return append(append(dst, " = "...), exact...)
	}
	return appendNumber(append(dst, ' '), result)
}

// appendNumber appends r as a decimal where it has one of at most six places, else rounded to the grid and
// marked with ≈.
func appendNumber(dst []byte, r *big.Rat) []byte {
	if exact, ok := exactNumber(r); ok {
		return append(dst, exact...)
	}
	return append(append(dst, "≈ "...), r.FloatString(3)...)
}

// million is what turns a decimal of six places into a whole number.
var million = big.NewInt(1_000_000)

func exactNumber(r *big.Rat) (text string, ok bool) {
	if r.IsInt() {
		return r.Num().String(), true
	}
	if new(big.Int).Rem(million, r.Denom()).Sign() != 0 {
		return "", false
	}
	return strings.TrimRight(r.FloatString(6), "0"), true
}
