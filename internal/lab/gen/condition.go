package gen

import (
	"fmt"
	"math/big"
	"strings"

	"example.com/boxrules/exact"
)

// A condition holds or does not hold for a box: as text, and as what the text means.
type condition struct {
	text  string
	level int
	holds func(*question) bool
	last  *number // on its right, where it is a comparison
	blank bool    // mentions the blank
}

// condition draws one of many forms.
func (f *File) condition(blank bool) *condition {
	switch f.Draw(10) {
	case 0:
		return f.askew()
	case 1, 2, 3, 4:
		return f.clauses(blank)
	}
	return f.tree(2, blank)
}

// askew says that a sum is not between two numbers that are close together.
func (f *File) askew() *condition {
	n := f.times(dimension(0), literal(fmt.Sprint(f.Draw(30))))
	for axis := 1; axis < exact.Axes; axis++ {
		part := f.times(dimension(axis), literal(fmt.Sprint(f.Draw(30))))
		if f.Draw(2) == 0 {
			n = f.plus(n, part)
		} else {
			n = f.minus(n, part)
		}
	}
	from := onGrid(n.at(ask(0, f.anchor())).FloatString(3)) - int64(f.Draw(int(f.step)+1))/2
	to := from + f.step*int64(f.Draw(20))/2
	return f.not(f.chained(f.compare(f.offset(from), "<=", n), "<=", f.offset(to)))
}

// offset returns a number of the grid, which may be negative.
func (f *File) offset(x int64) *number {
	if x < 0 {
		return f.opposite(literal(thousandths(-x)))
	}
	return literal(thousandths(x))
}

// anchor returns a box within the limits of the first profile. Rules that leave little round the
// box that is to be valid make a search hard.
func (f *File) anchor() exact.Point {
	if f.Draw(2) == 0 {
		return f.valid
	}
	return f.box()
}

// clauses joins some comparisons by one word, and some of those by the other.
func (f *File) clauses(blank bool) *condition {
	inner, outer := f.both, f.either
	if f.Draw(2) == 0 {
		inner, outer = f.either, f.both
	}
	return several(2+f.Draw(7), outer, func(int) *condition {
		return several(1+f.Draw(3), inner, func(int) *condition { return f.simple(blank) })
	})
}

// several joins so many conditions.
func several(n int, join func(a, b *condition) *condition, one func(i int) *condition) *condition {
	c := one(0)
	for i := 1; i < n; i++ {
		c = join(c, one(i))
	}
	return c
}

// simple compares a dimension with a place on it, or numbers that are not long.
func (f *File) simple(blank bool) *condition {
	if f.Draw(3) == 0 {
		axis := f.Draw(exact.Axes)
		return f.compare(dimension(axis), signs[f.Draw(len(signs))], f.place(axis))
	}
	return f.comparison(f.number(2, false, blank), f.number(1, false, blank))
}

// tree joins comparisons of any kind.
func (f *File) tree(depth int, blank bool) *condition {
	if depth == 0 || f.Draw(3) == 0 {
		return f.comparison(f.number(3, false, blank), f.number(3, false, blank))
	}
	a := f.tree(depth-1, blank)
	switch f.Draw(5) {
	case 0, 1:
		return f.both(a, f.tree(depth-1, blank))
	case 2, 3:
		return f.either(a, f.tree(depth-1, blank))
	}
	return f.not(a)
}

func (f *File) both(a, b *condition) *condition {
	return f.joined(a, b, both, []string{"&&", "and"}, func(q *question) bool { return a.holds(q) && b.holds(q) })
}

func (f *File) either(a, b *condition) *condition {
	return f.joined(a, b, either, []string{"||", "or"}, func(q *question) bool { return a.holds(q) || b.holds(q) })
}

func (f *File) joined(a, b *condition, level int, words []string, holds func(*question) bool) *condition {
	left, right, word := f.in(level, a.text, a.level), f.in(level+1, b.text, b.level), f.sign(words[f.Draw(2)])
	if !strings.HasSuffix(left, ")") && word[0] != ' ' && word[0] != '\n' {
		word = " " + word
	}
	if last := word[len(word)-1]; right[0] != '(' && last != ' ' && last != '\t' {
		word += " "
	}
	return &condition{left + word + right, level, holds, nil, a.blank || b.blank}
}

func (f *File) not(a *condition) *condition {
	word := []string{"!", "not ", "! ", "not", "!!!"}[f.Draw(5)]
	return &condition{word + "(" + a.text + ")", atom, func(q *question) bool { return !a.holds(q) }, nil, a.blank}
}

// signs has the relations, the orders first.
var signs = []string{">", ">=", "<", "<=", "==", "!="}

// relations tell whether each holds between numbers of an order.
var relations = map[string]func(order int) bool{
	">":  func(order int) bool { return order > 0 },
	">=": func(order int) bool { return order >= 0 },
	"<":  func(order int) bool { return order < 0 },
	"<=": func(order int) bool { return order <= 0 },
	"==": func(order int) bool { return order == 0 },
	"!=": func(order int) bool { return order != 0 },
}

// comparison compares a with b, or with a number that is equal to a at some box, and sometimes goes
// on from there.
func (f *File) comparison(a, b *number) *condition {
	if !a.reach.plus(b.reach).fits() {
		b = literal(f.decimal(0, 6))
	}
	if f.Draw(4) > 0 {
		b = f.equal(a, b)
	}
	relation := signs[f.Draw(len(signs))]
	c := f.compare(a, relation, b)
	for links := f.Draw(3); links > 0 && relation[0] != '=' && relation[0] != '!'; links-- {
		next := literal(f.decimal(0, 6))
		if n := f.number(1, false, false); n.reach.plus(c.last.reach).fits() {
			next = n
		}
		c = f.chained(c, signs[f.Draw(4)], next)
	}
	return c
}

func (f *File) compare(a *number, relation string, b *number) *condition {
	first := &condition{text: f.in(sum, a.text, a.level), holds: func(*question) bool { return true }, last: a, blank: a.blank}
	return f.chained(first, relation, b)
}

// chained puts one more number behind c, as in 1 < width <= 3.
func (f *File) chained(c *condition, relation string, next *number) *condition {
	holds := relations[relation]
	return &condition{
		text:  c.text + f.sign(relation) + f.in(sum, next.text, next.level),
		level: compared,
		holds: func(q *question) bool { return c.holds(q) && holds(c.last.at(q).Cmp(next.at(q))) },
		last:  next,
		blank: c.blank || next.blank,
	}
}

// equal adds a constant to b that makes it equal to a at some box of the first profile, or nearly
// so.
func (f *File) equal(a, b *number) *number {
	if a.blank && f.profiles[0].blank == nil || b.blank && f.profiles[0].blank == nil {
		return b
	}
	q := ask(0, f.anchor())
	difference := new(big.Rat).Sub(a.at(q), b.at(q))
	if magnitude(difference) >= 1e6 {
		return b
	}
	k := literal(new(big.Rat).Abs(difference).FloatString([]int{0, 1, 3, 3, 3, 6, 9}[f.Draw(7)]))
	n := f.plus(b, k)
	if difference.Sign() < 0 {
		if n = f.minus(b, k); f.Draw(2) == 0 {
			n = f.plus(b, f.opposite(k))
		}
	}
	if !a.reach.plus(n.reach).fits() {
		return b
	}
	return n
}
