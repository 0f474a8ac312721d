package boxrules

import (
	"math/big"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/linear"
)

// An Explanation says of a box why it is not valid and what would make it so. Its JSON is what the command
// and the web answer with.
type Explanation struct {
	OK         bool        `json:"ok"`
	Code       Code        `json:"code,omitempty"`    // the first violation's; empty for a valid box
	Violations []Reason    `json:"violations"`        // in check order
	Ranges     Ranges      `json:"ranges"`            // how far each dimension may go alone
	Nearest    *Suggestion `json:"nearest,omitempty"` // nil for a valid box, and where no box is valid
}

// A Reason says of one violated rule why it holds for a box.
type Reason struct {
	Code  Code  `json:"code"`
	Stage Stage `json:"stage"`
	// Field is the dimension to blame: the first one mentioned that a change to, within the article's limits,
	// can make the rule hold no more, else the first mentioned; empty where the rule mentions none.
	Field string `json:"field,omitempty"`
	// Condition is the rule's condition, as written.
	Condition string `json:"condition"`
	// Values is the part of the condition that holds, with the box's numbers in place, as in
	// "depth 141 > width 48". A number with no short decimal is rounded to the grid and marked with ≈.
	Values string `json:"values"`
	// By is the least change of Field, in the catalogue's unit, after which the rule holds no more; 0 where no
	// change of a single dimension is enough.
	By float64 `json:"by"`
	// Tie says that the box lies exactly on a limit: the two sides of a comparison in Values are equal.
	Tie bool `json:"tie"`

	message string // the rule's text for people
}

// Explain says of a box why it is not valid, how far each dimension may go alone, and which valid box is
// nearest on the step (see Nearest). The error is that of Nearest.
func (p *Profile) Explain(d Dims, step float64) (Explanation, error) {
	reasons, err := p.Reasons(d)
	if err != nil {
		return Explanation{}, err
	}
	at, _ := d.grid()
	e := Explanation{OK: len(reasons) == 0, Violations: reasons, Ranges: p.ranges(at)}
	nearest, ok, err := p.Nearest(d, step)
	if err != nil {
		return Explanation{}, err
	}
	if !e.OK {
		e.Code = reasons[0].Code
		if ok {
			e.Nearest = &nearest
		}
	}
	return e, nil
}

// Reasons says of each rule that the box violates why it does, in check order. It is empty, and not nil,
// for a valid box. The error is that of Check.
func (p *Profile) Reasons(d Dims) ([]Reason, error) {
	point, ok := d.grid()
	if !ok {
		return nil, d.inputError()
	}
	reasons := []Reason{}
	for i := range p.rules {
		if r := &p.rules[i]; r.program.run(point) == holds {
			reasons = append(reasons, p.reason(r, point))
		}
	}
	return reasons, nil
}

func (p *Profile) reason(r *ruling, at linear.Point) Reason {
	e := explainer{&lowering{expression: r.rule.condition, variables: p.numbers}, at}
	reason := Reason{
		Code: r.rule.Code, Stage: r.rule.Stage, Condition: r.rule.When, message: r.rule.Message,
	}
	var values []string
	var mentioned []int
	for _, c := range e.reasons(r.rule.condition.Root(), true) {
		if text := e.text(c); !slices.Contains(values, text) {
			values = append(values, text)
		}
		reason.Tie = reason.Tie || e.tie(c)
		mentioned = p.mentioned(mentioned, r.rule.condition, c.node)
	}
	reason.Values = strings.Join(values, " and ")
	if len(mentioned) > 0 {
		reason.Field = axisNames[mentioned[0]]
	}
	for _, axis := range mentioned {
		if by, ok := p.mend(r, at, axis); ok {
			reason.Field, reason.By = axisNames[axis], units(by)
			break
		}
	}
	return reason
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

// mend is the least change of the box along the axis, within the article's limits, after which the rule
// holds no more.
func (p *Profile) mend(r *ruling, at linear.Point, axis int) (by int64, ok bool) {
	low, high := p.gridLimits(axis)
	var buffer [16]piece
	l := r.program.along(at, axis, buffer[:0])
	for i, piece := range l.pieces {
		from, to := max(piece.from, low), min(l.end(i), high)
		if piece.outcome == holds || from > to {
			continue
		}
		if change := max(from-at[axis], at[axis]-to); !ok || change < by {
			by, ok = change, true
		}
	}
	return by, ok
}

// gridLimits are the least and the greatest coordinate that the article's limits allow along the axis.
func (p *Profile) gridLimits(axis int) (low, high int64) {
	scaled := func(r *big.Rat, sign int64) int64 {
		r.Mul(r, big.NewRat(linear.Scale*sign, 1))
		return new(big.Int).Div(r.Num(), r.Denom()).Int64() * sign
	}
	limits := p.limits(axis)
	return scaled(limits.Min.Rat(), -1), scaled(limits.Max.Rat(), 1)
}

// An explainer reads a condition at a point.
type explainer struct {
	*lowering
	at linear.Point
}

// A comparison of the tree, as it reads where it holds.
type comparison struct {
	node     *ast.BinaryNode
	operator string
}

// reasons are the comparisons that make n come out as want, which it does. Of several that would each do
// alone the first is given.
func (e *explainer) reasons(n ast.Node, want bool) []comparison {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return e.reasons(n.Node, !want)
	case *ast.BinaryNode:
		switch {
		case !logical(n) && want:
			return []comparison{{n, n.Operator}}
		case !logical(n):
			return []comparison{{n, opposite[n.Operator]}}
		case conjunction(n) == want: // it takes both sides to make a && b true, or a || b false
			return append(e.reasons(n.Left, want), e.reasons(n.Right, want)...)
		case e.condition(n.Left).Holds(e.at) == want:
			return e.reasons(n.Left, want)
		default:
			return e.reasons(n.Right, want)
		}
	}
	return nil
}

// opposite is the comparison that holds where the key does not.
var opposite = map[string]string{">": "<=", ">=": "<", "<": ">=", "<=": ">", "==": "!=", "!=": "=="}

func (e *explainer) text(c comparison) string {
	return e.side(c.node.Left) + " " + c.operator + " " + e.side(c.node.Right)
}

func (e *explainer) tie(c comparison) bool {
	return e.value(c.node.Left).At(e.at).Cmp(e.value(c.node.Right).At(e.at)) == 0
}

// side is one side of a comparison with its numbers in place, and what they come to where that is not plain.
func (e *explainer) side(n ast.Node) string {
	text := e.expression.Annotated(n, func(name string) string {
		return " " + number(e.variables[name].At(e.at))
	})
	switch n.(type) {
	case *ast.IdentifierNode, *ast.IntegerNode, *ast.FloatNode:
		return text
	}
	result := number(e.value(n).At(e.at))
	if strings.HasPrefix(result, "≈") {
		return text + " " + result
	}
	return text + " = " + result
}

// number is r as a decimal where it has one of at most six places, else rounded to the grid and marked.
func number(r *big.Rat) string {
	const places = 6
	text := r.FloatString(places)
	if exact, ok := new(big.Rat).SetString(text); !ok || exact.Cmp(r) != 0 {
		return "≈ " + r.FloatString(3)
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
