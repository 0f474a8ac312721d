package boxrules_test

import (
	"math/big"
	"strings"

	"pgregory.net/rapid"

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

// A number is a random expression that is a number.
type number struct {
	text      string
	level     int
	at        func(*question) *big.Rat
	constants []*big.Rat // its values in the profiles; nil where it may change with the box
	blank     bool       // mentions the blank
	reach
}

// A reach bounds the linear forms that a number is made of: how many they are, a common denominator of their
// coefficients, and the greatest magnitude of a coefficient and of a constant.
type reach struct {
	pieces, denominator int64
	coefficient, offset float64
}

// fits reports whether the forms stay within what the engine promises to accept, with room for a comparison.
func (r reach) fits() bool {
	return r.pieces <= 64 && r.denominator < 1e6 && float64(r.denominator)*(3e9*r.coefficient+1e3*r.offset) < 1<<51
}

func (r reach) plus(s reach) reach {
	return reach{r.pieces * s.pieces, lcm(r.denominator, s.denominator), r.coefficient + s.coefficient, r.offset + s.offset}
}

// beside is the reach of what is either of two numbers, in so many pieces.
func (r reach) beside(s reach, pieces int64) reach {
	return reach{pieces, lcm(r.denominator, s.denominator), max(r.coefficient, s.coefficient), max(r.offset, s.offset)}
}

func (r reach) times(constants []*big.Rat) reach {
	largest, denominator := 0.0, int64(1)
	for _, k := range constants {
		magnitude, _ := new(big.Rat).Abs(k).Float64()
		largest = max(largest, magnitude)
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

func lcm(a, b int64) int64 {
	g, rest := a, b
	for rest != 0 {
		g, rest = rest, g%rest
	}
	return a / g * b
}

func dimension(axis int) func(*question) *big.Rat {
	return func(q *question) *big.Rat { return q.dims[axis] }
}

// number is a random number: a constant where that is asked for, else mostly not.
func (f *ruleFile) number(depth int, constant, blank bool) *number {
	if depth == 0 || f.draw("leaf", 4) == 0 {
		return f.leaf(constant, blank)
	}
	a := f.number(depth-1, constant, blank)
	var n *number
	switch f.draw("operation", 8) {
	case 0, 1:
		n = f.plus(a, f.number(depth-1, constant, blank))
	case 2:
		n = f.minus(a, f.number(depth-1, constant, blank))
	case 3:
		n = f.times(a, f.number(1, true, blank))
	case 4:
		n = f.over(a, f.number(1, true, blank))
	case 5:
		n = f.negative(a)
	default:
		n = f.extreme(a, depth, constant, blank)
	}
	if !n.fits() {
		return a
	}
	return n
}

func (f *ruleFile) leaf(constant, blank bool) *number {
	switch choice := f.draw("kind", 8); {
	case !constant && choice < 4:
		axis := f.draw("axis", 3)
		return &number{text: exact.AxisNames()[axis], level: atom, at: dimension(axis), reach: reach{1, 1, 1, 0}}
	case !constant && blank && choice < 6:
		return f.blankSide()
	case choice == 7:
		return f.constant()
	}
	return f.literal()
}

func (f *ruleFile) literal() *number {
	text := f.decimal(0, 5)
	k := decimal(text)
	offset, _ := k.Float64()
	return &number{text: text, level: atom, at: func(*question) *big.Rat { return k },
		constants: []*big.Rat{k, k, k, k}, reach: reach{1, 1, 0, offset}}
}

func (f *ruleFile) constant() *number {
	names := []string{"min_width", "max_width", "min_depth", "max_depth", "min_height", "max_height",
		"caliper", "glue_flap", "sheet_width", "sheet_height"}
	name := rapid.SampledFrom(names).Draw(f.t, "variable")
	values := f.constants[name]
	return &number{text: name, level: atom, at: func(q *question) *big.Rat { return values[q.profile] },
		constants: values, reach: reach{1, 1, 0, 500}}
}

func (f *ruleFile) blankSide() *number {
	side := f.draw("side", 2)
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

// in is the text of n as an operand next to a sign of the level, in parentheses where they are needed and
// sometimes where they are not.
func (f *ruleFile) in(level int, text string, own int) string {
	if own < level || f.draw("parentheses", 8) == 7 {
		return "(" + text + ")"
	}
	return text
}

// sign is a sign with or without blanks round it; two signs never touch.
func (f *ruleFile) sign(text string) string {
	return []string{" " + text + " ", " " + text + " ", "\n" + text + " ", text + "\t"}[f.draw("blanks", 4)]
}

func combined(a, b *number, at func(*question) *big.Rat) *number {
	n := &number{at: at, blank: a.blank || b.blank}
	if a.constants != nil && b.constants != nil {
		for profile := range a.constants {
			n.constants = append(n.constants, at(&question{profile: profile}))
		}
	}
	return n
}

func (f *ruleFile) plus(a, b *number) *number {
	n := combined(a, b, func(q *question) *big.Rat { return add(a.at(q), b.at(q)) })
	n.text, n.level = f.in(sum, a.text, a.level)+f.sign("+")+f.in(product, b.text, b.level), sum
	n.reach = a.reach.plus(b.reach)
	return n
}

func (f *ruleFile) minus(a, b *number) *number {
	n := combined(a, b, func(q *question) *big.Rat { return sub(a.at(q), b.at(q)) })
	n.text, n.level = f.in(sum, a.text, a.level)+f.sign("-")+f.in(product, b.text, b.level), sum
	n.reach = a.reach.plus(b.reach)
	return n
}

func (f *ruleFile) times(a, k *number) *number {
	n := combined(a, k, func(q *question) *big.Rat { return new(big.Rat).Mul(a.at(q), k.at(q)) })
	n.reach = a.reach.times(k.constants)
	left, right := a, k
	if f.draw("swap", 2) == 0 {
		left, right = k, a
	}
	n.text, n.level = f.in(product, left.text, left.level)+f.sign("*")+f.in(signed, right.text, right.level), product
	return n
}

// over is a divided by k, and a where k is zero in some profile.
func (f *ruleFile) over(a, k *number) *number {
	inverse := make([]*big.Rat, len(k.constants))
	for i, value := range k.constants {
		if value.Sign() == 0 {
			return a
		}
		inverse[i] = new(big.Rat).Inv(value)
	}
	n := combined(a, k, func(q *question) *big.Rat { return new(big.Rat).Quo(a.at(q), k.at(q)) })
	n.text, n.level = f.in(product, a.text, a.level)+f.sign("/")+f.in(signed, k.text, k.level), product
	n.reach = a.reach.times(inverse)
	return n
}

func (f *ruleFile) negative(a *number) *number {
	n := combined(a, a, func(q *question) *big.Rat { return new(big.Rat).Neg(a.at(q)) })
	n.text, n.level, n.reach = "-"+f.in(signed, a.text, a.level), signed, a.reach
	return n
}

// extreme is the minimum or the maximum of a and one to three other numbers.
func (f *ruleFile) extreme(a *number, depth int, constant, blank bool) *number {
	name, best := "min", least
	if f.draw("max", 2) == 0 {
		name, best = "max", greatest
	}
	n, texts := a, []string{a.text}
	for range 1 + f.draw("more", 3) {
		before, b := n, f.number(depth-1, constant, blank)
		n = combined(before, b, func(q *question) *big.Rat { return best(before.at(q), b.at(q)) })
		n.reach = before.reach.beside(b.reach, before.pieces+b.pieces)
		if !n.fits() {
			return n
		}
		texts = append(texts, b.text)
	}
	n.text, n.level = name+"("+strings.Join(texts, ", ")+")", atom
	return n
}

// A condition is a random expression that is true or false.
type condition struct {
	text  string
	level int
	holds func(*question) bool
	turns [][2]*number // the two sides of its comparisons
	blank bool         // mentions the blank
}

func (f *ruleFile) condition(depth int, blank bool) *condition {
	if depth == 0 || f.draw("comparison", 3) == 0 {
		return f.comparison(f.number(3, false, blank), f.number(3, false, blank))
	}
	a := f.condition(depth-1, blank)
	switch f.draw("logic", 5) {
	case 0, 1:
		b := f.condition(depth-1, blank)
		return f.joined(a, b, both, []string{"&&", "and"}, func(q *question) bool { return a.holds(q) && b.holds(q) })
	case 2, 3:
		b := f.condition(depth-1, blank)
		return f.joined(a, b, either, []string{"||", "or"}, func(q *question) bool { return a.holds(q) || b.holds(q) })
	}
	not := []string{"!", "not ", "! "}[f.draw("word", 3)]
	return &condition{not + "(" + a.text + ")", atom, func(q *question) bool { return !a.holds(q) }, a.turns, a.blank}
}

func (f *ruleFile) joined(a, b *condition, level int, words []string, holds func(*question) bool) *condition {
	word := f.sign(words[f.draw("word", 2)])
	if word[0] != ' ' && word[0] != '\n' {
		word = " " + word
	}
	text := f.in(level, a.text, a.level) + word + f.in(level+1, b.text, b.level)
	return &condition{text, level, holds, append(a.turns[:len(a.turns):len(a.turns)], b.turns...), a.blank || b.blank}
}

var relations = []struct {
	sign  string
	holds func(order int) bool
}{
	{">", func(order int) bool { return order > 0 }},
	{">=", func(order int) bool { return order >= 0 }},
	{"<", func(order int) bool { return order < 0 }},
	{"<=", func(order int) bool { return order <= 0 }},
	{"==", func(order int) bool { return order == 0 }},
	{"!=", func(order int) bool { return order != 0 }},
}

// comparison compares a with b, and sometimes b with a third number, and so on.
func (f *ruleFile) comparison(a, b *number) *condition {
	relation := relations[f.draw("relation", len(relations))]
	if !a.reach.plus(b.reach).fits() {
		b = f.literal()
	}
	c := &condition{
		text:  f.in(sum, a.text, a.level) + f.sign(relation.sign) + f.in(sum, b.text, b.level),
		level: compared,
		holds: func(q *question) bool { return relation.holds(a.at(q).Cmp(b.at(q))) },
		turns: [][2]*number{{a, b}},
		blank: a.blank || b.blank,
	}
	for links := f.draw("links", 3); links > 0 && relation.sign[0] != '=' && relation.sign[0] != '!'; links-- {
		before, next := c, f.literal()
		last := c.turns[len(c.turns)-1][1]
		relation := relations[f.draw("relation", 4)]
		if n := f.number(1, false, false); n.reach.plus(last.reach).fits() {
			next = n
		}
		c = &condition{
			text:  before.text + f.sign(relation.sign) + f.in(sum, next.text, next.level),
			level: compared,
			holds: func(q *question) bool { return before.holds(q) && relation.holds(last.at(q).Cmp(next.at(q))) },
			turns: append(before.turns, [2]*number{last, next}),
			blank: before.blank,
		}
	}
	return c
}
