package boxrules

import (
	"math/big"
	"strings"

	"example.com/boxrules/exact"
)

// decisive appends the comparisons that make the tree hold at the point, which it does. Of several that would
// each do alone the first is given.
func decisive(t exact.Tree, at exact.Point, found []*exact.Comparison) []*exact.Comparison {
	if t.Comparison != nil {
		return append(found, t.Comparison)
	}
	for _, part := range t.Parts {
		switch {
		case t.Kind == exact.And:
			found = decisive(part, at, found)
		case part.Holds(at):
			return decisive(part, at, found)
		}
	}
	return found
}

// appendComparison appends the comparison with the numbers in place, and reports whether its sides are equal.
func (p *Profile) appendComparison(dst []byte, c *exact.Comparison, at exact.Point) (text []byte, tie bool) {
	left, right := c.Left.Value.At(at), c.Right.Value.At(at)
	dst = p.appendSide(dst, &c.Left, at, left)
	dst = append(append(append(dst, ' '), c.Operator...), ' ')
	return p.appendSide(dst, &c.Right, at, right), left.Cmp(right) == 0
}

// appendSide appends the text of a side with the value behind each variable, and the result of what is more than
// a variable or a number.
func (p *Profile) appendSide(dst []byte, s *exact.Side, at exact.Point, result *big.Rat) []byte {
	from := 0
	for _, name := range s.Names {
		dst = append(append(dst, s.Text[from:name.End]...), ' ')
		dst = appendNumber(dst, p.form.Variables[name.Name].Value.At(at))
		from = name.End
	}
	dst = append(dst, s.Text[from:]...)
	if !strings.ContainsAny(s.Text, "+-*/(") {
		return dst
	}
	if short, ok := exactNumber(result); ok {
		return append(append(dst, " = "...), short...)
	}
	return appendNumber(append(dst, ' '), result)
}

// appendNumber appends r as a decimal where it has one of at most six places, else rounded to the grid and
// marked with ≈.
func appendNumber(dst []byte, r *big.Rat) []byte {
	if short, ok := exactNumber(r); ok {
		return append(dst, short...)
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
