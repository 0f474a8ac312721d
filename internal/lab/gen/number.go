package gen

import (
	"math/big"
	"slices"
	"strings"

	"example.com/boxrules/exact"
)

// How strongly the outermost sign of an expression binds.
const (
	either = iota // ||
	both          // &&
	compared
	sum
	product
	signed
	atom
)

// A number has a value for a box: as text, and as what the text means.
type number struct {
	text      string
	level     int
	at        func(*question) *big.Rat
	constants []*big.Rat // its values in the profiles; nil where it may change with the box
	blank     bool       // mentions the blank
	reach
}

// A question puts a box to a profile.
type question struct {
	profile int
	dims    [exact.Axes]*big.Rat
}

func ask(profile int, p exact.Point) *question {
	q := &question{profile: profile}
	for axis, x := range p {
		q.dims[axis] = big.NewRat(x, 1000)
	}
	return q
}

// A reach bounds the linear forms that a number is made of: how many they are, a common denominator
// of their coefficients, and the greatest magnitude of a coefficient and of a constant.
type reach struct {
	pieces, denominator int64
	coefficient, offset float64
}

// fits reports whether the forms stay within what the engine promises to accept, with room for a
// comparison.
func (r reach) fits() bool {
	return r.pieces <= 64 && r.denominator < 1e6 && float64(r.denominator)*(3e9*r.coefficient+1e3*r.offset) < 1<<51
}

func (r reach) plus(s reach) reach {
	return reach{r.pieces * s.pieces, lcm(r.denominator, s.denominator), r.coefficient + s.coefficient, r.offset + s.offset}
}

// beside returns the reach of what is either of two numbers, in so many pieces.
func (r reach) beside(s reach, pieces int64) reach {
	return reach{pieces, lcm(r.denominator, s.denominator), max(r.coefficient, s.coefficient), max(r.offset, s.offset)}
}

func (r reach) times(constants []*big.Rat) reach {
	largest, denominator := 0.0, int64(1)
	for _, k := range constants {
		largest = max(largest, magnitude(k))
		if !k.Denom().IsInt64() || k.Denom().Int64() > 1e6 || denominator > 1e6 {
			return reach{r.pieces, 1e6, r.coefficient, r.offset} // fits nowhere
		}
		denominator = lcm(denominator, k.Denom().Int64())
	}
	if denominator > 1e6 {
		return reach{r.pieces, 1e6, r.coefficient, r.offset}
	}
	return reach{r.pieces, r.denominator * denominator, r.coefficient * largest, r.offset * largest}
}

func magnitude(k *big.Rat) float64 {
	m, _ := new(big.Rat).Abs(k).Float64()
	return m
}

func lcm(a, b int64) int64 {
	g, rest := a, b
	for rest != 0 {
		g, rest = rest, g%rest
	}
	return a / g * b
}

// number draws a number: a constant where that is asked for, else mostly not.
func (f *File) number(depth int, constant, blank bool) *number {
	if depth == 0 || f.Draw(4) == 0 {
		return f.leaf(constant, blank)
	}
	a := f.number(depth-1, constant, blank)
	var n *number
	switch f.Draw(8) {
	case 0, 1:
		n = f.plus(a, f.number(depth-1, constant, blank))
	case 2:
		n = f.minus(a, f.number(depth-1, constant, blank))
	case 3:
		n = f.times(a, f.factor(blank))
	case 4:
		n = f.over(a, f.factor(blank))
	case 5:
		n = f.signed(a)
	default:
		n = f.extreme(a, depth, constant, blank)
	}
	if !n.fits() {
		return a
	}
	return n
}

func (f *File) leaf(constant, blank bool) *number {
	switch choice := f.Draw(8); {
	case !constant && choice < 4:
		return dimension(f.Draw(exact.Axes))
	case !constant && blank && choice < 6:
		return f.blankSide()
	case choice == 7:
		return f.constant()
	}
	return literal(f.decimal(0, 6))
}

// factor draws a constant, as often as not a plain one.
func (f *File) factor(blank bool) *number {
	if plain := []string{"2", "3", "4", "7", "0.5", "2.5", "1.250000000000"}; f.Draw(2) == 0 {
		return literal(plain[f.Draw(len(plain))])
	}
	return f.number(1, true, blank)
}

func dimension(axis int) *number {
	return &number{text: exact.AxisNames()[axis], level: atom, reach: reach{1, 1, 1, 0},
		at: func(q *question) *big.Rat { return q.dims[axis] }}
}

func literal(text string) *number {
	k := decimal(text)
	return &number{text: text, level: atom, at: func(*question) *big.Rat { return k },
		constants: slices.Repeat([]*big.Rat{k}, most), reach: reach{1, 1, 0, magnitude(k)}}
}

func (f *File) constant() *number {
	names := []string{"min_width", "max_width", "min_depth", "max_depth", "min_height", "max_height",
		"caliper", "glue_flap", "sheet_width", "sheet_height"}
	return f.named(names[f.Draw(len(names))])
}

// named returns a variable that does not change with the box.
func (f *File) named(name string) *number {
	values := f.constants[name]
	n := &number{text: name, level: atom, constants: values, reach: reach{1, 1, 0, 0}}
	n.at = func(q *question) *big.Rat { return values[q.profile] }
	for _, k := range values {
		n.offset = max(n.offset, magnitude(k))
	}
	return n
}

func (f *File) blankSide() *number {
	side := f.Draw(2)
	n := &number{text: []string{"blank_width", "blank_height"}[side], level: atom, blank: true, reach: reach{1, 1, 0, 0}}
	n.at = func(q *question) *big.Rat { return f.profiles[q.profile].blank[side].at(q) }
	for _, p := range f.profiles {
		if p.blank == nil {
			continue
		}
		b := p.blank[side].reach
		n.reach = n.reach.beside(b, max(n.pieces, b.pieces))
	}
	return n
}

// in returns a text as an operand next to a sign of the level, in parentheses where they are needed
// and sometimes where they are not.
func (f *File) in(level int, text string, own int) string {
	if own < level || f.Draw(8) == 7 {
		return "(" + text + ")"
	}
	return text
}

// sign returns a sign with or without blanks round it.
func (f *File) sign(text string) string {
	return []string{" " + text + " ", " " + text + " ", "\n" + text + " ", text + "\t", text}[f.Draw(5)]
}

// combined returns what both numbers make together, in all but text and reach.
func combined(a, b *number, at func(*question) *big.Rat) *number {
	n := &number{at: at, blank: a.blank || b.blank}
	if a.constants != nil && b.constants != nil {
		for profile := range min(len(a.constants), len(b.constants)) {
			n.constants = append(n.constants, at(&question{profile: profile}))
		}
	}
	return n
}

// operation returns what a sign of the level makes of two numbers.
func (f *File) operation(a *number, sign string, b *number, level int, r reach, of func(z, x, y *big.Rat) *big.Rat) *number {
	n := combined(a, b, func(q *question) *big.Rat { return of(new(big.Rat), a.at(q), b.at(q)) })
	n.text, n.level = f.in(level, a.text, a.level)+f.sign(sign)+f.in(level+1, b.text, b.level), level
	n.reach = r
	return n
}

func (f *File) plus(a, b *number) *number {
	return f.operation(a, "+", b, sum, a.reach.plus(b.reach), (*big.Rat).Add)
}

func (f *File) minus(a, b *number) *number {
	return f.operation(a, "-", b, sum, a.reach.plus(b.reach), (*big.Rat).Sub)
}

func (f *File) times(a, k *number) *number {
	r := a.reach.times(k.constants)
	if f.Draw(2) == 0 {
		a, k = k, a
	}
	return f.operation(a, "*", k, product, r, (*big.Rat).Mul)
}

// over divides a by k. It returns a where k is zero in some profile.
func (f *File) over(a, k *number) *number {
	inverse := make([]*big.Rat, len(k.constants))
	for i, value := range k.constants {
		if value.Sign() == 0 {
			return a
		}
		inverse[i] = new(big.Rat).Inv(value)
	}
	return f.operation(a, "/", k, product, a.reach.times(inverse), (*big.Rat).Quo)
}

// signed returns the opposite of a, or a with a plus before it.
func (f *File) signed(a *number) *number {
	if f.Draw(8) == 0 {
		n := *a
		n.text, n.level = "+"+f.in(signed, a.text, a.level), signed
		return &n
	}
	return f.opposite(a)
}

func (f *File) opposite(a *number) *number {
	n := combined(a, a, func(q *question) *big.Rat { return new(big.Rat).Neg(a.at(q)) })
	n.text, n.level, n.reach = "-"+f.in(signed, a.text, a.level), signed, a.reach
	return n
}

// extreme returns the minimum or the maximum of a and one to three other numbers.
func (f *File) extreme(a *number, depth int, constant, blank bool) *number {
	name, order := "min", -1
	if f.Draw(2) == 0 {
		name, order = "max", 1
	}
	n, texts := a, []string{a.text}
	for range 1 + f.Draw(3) {
		before, b := n, f.number(depth-1, constant, blank)
		n = combined(before, b, func(q *question) *big.Rat {
			x, y := before.at(q), b.at(q)
			if x.Cmp(y) == order {
				return x
			}
			return y
		})
		n.reach = before.reach.beside(b.reach, before.pieces+b.pieces)
		if !n.fits() {
			return n
		}
		texts = append(texts, b.text)
	}
	n.text, n.level = name+"("+strings.Join(texts, []string{", ", " ,"}[f.Draw(2)])+")", atom
	return n
}
