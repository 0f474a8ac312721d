package gen

import (
	"fmt"
	"math/big"
	"strings"

	"example.com/boxrules/exact"
)

// A condition is the text of a condition in the rule language, together with its meaning as a function.
type condition struct {
	text          string
	precedence    int
	holds         func(*input) bool
	rightmost     *number // the last operand, if the condition is a comparison or a chain of them
	mentionsBlank bool
}

// condition draws a condition: a thin band, a normal form, or a tree of comparisons.
func (f *File) condition(allowBlank bool) *condition {
	switch f.Draw(10) {
	case 0:
		return f.thinBand()
	case 1, 2, 3, 4:
		return f.clauses(allowBlank)
	}
	return f.conditionTree(2, allowBlank)
}

// thinBand returns a condition that rejects boxes outside a thin, oblique band: a sum of dimensions must be between
// two numbers that are close to each other, as in
//
//	not (703 <= 7*width - 12*depth + 3*height <= 705.5)
//
// Few grid points are in such a band, so it is hard to find a valid box.
func (f *File) thinBand() *condition {
	n := f.product(dimension(0), literal(fmt.Sprint(f.Draw(30))))
	for axis := 1; axis < exact.Axes; axis++ {
		part := f.product(dimension(axis), literal(fmt.Sprint(f.Draw(30))))
		if f.Draw(2) == 0 {
			n = f.sum(n, part)
		} else {
			n = f.difference(n, part)
		}
	}
	// Begin the band at or just below the sum for the target box, so that the target box is usually in the band.
	from := mustThousandths(n.value(newInput(0, f.targetBox())).FloatString(3)) - int64(f.Draw(int(f.step)+1))/2
	to := from + f.step*int64(f.Draw(20))/2
	return f.not(f.extendChain(f.compare(f.signedLiteral(from), "<=", n), "<=", f.signedLiteral(to)))
}

// targetBox returns a box within the limits of the first profile. Conditions are drawn so that their border is near
// such a box. In half of the cases, it is the box that most rules accept. If the rules reject most boxes around it,
// a valid box is hard to find.
func (f *File) targetBox() exact.Point {
	if f.Draw(2) == 0 {
		return f.acceptedBox
	}
	return f.box()
}

// clauses draws a condition in disjunctive or conjunctive normal form.
func (f *File) clauses(allowBlank bool) *condition {
	// Either "and" joins the comparisons in a clause and "or" joins the clauses, or the other way round.
	inner, outer := f.and, f.or
	if f.Draw(2) == 0 {
		inner, outer = f.or, f.and
	}
	return joinAll(2+f.Draw(7), outer, func(int) *condition {
		return joinAll(1+f.Draw(3), inner, func(int) *condition { return f.shortComparison(allowBlank) })
	})
}

// joinAll joins the n conditions that part returns.
func joinAll(n int, join func(a, b *condition) *condition, part func(i int) *condition) *condition {
	c := part(0)
	for i := 1; i < n; i++ {
		c = join(c, part(i))
	}
	return c
}

// shortComparison draws a comparison of a dimension with a coordinate, or of two short numbers.
func (f *File) shortComparison(allowBlank bool) *condition {
	switch f.Draw(9) {
	case 0, 1:
		return f.valueComparison()
	case 2, 3, 4:
		axis := f.Draw(exact.Axes)
		return f.compare(dimension(axis), relationOperators[f.Draw(len(relationOperators))], f.coordinateLiteral(axis))
	}
	return f.comparison(f.number(2, false, allowBlank), f.number(1, false, allowBlank))
}

// valueComparison draws a comparison of numbers that contain user-defined values. It must not add a length to a
// number without a unit, or compare the two.
func (f *File) valueComparison() *condition {
	// Usually both sides are lengths. Otherwise both are numbers without a unit: a dimension divided by a length,
	// and a number.
	a, b := f.lengthWithValues(), f.lengthWithValues()
	if f.Draw(4) == 0 {
		a, b = f.quotient(dimension(f.Draw(exact.Axes)), f.variable(ownArticleValue)), f.variable(ownMaterialValue)
		if f.Draw(2) == 0 {
			b = f.product(b, f.variable(ownNegativeValue))
		}
	}
	if !a.formBounds.plus(b.formBounds).fits() {
		a, b = dimension(0), f.variable(ownValue) // the engine might refuse the comparison
	}
	if f.Draw(4) > 0 {
		b = f.makeEqual(a, b)
	}
	if f.Draw(2) == 0 {
		a, b = b, a
	}
	return f.compare(a, relationOperators[f.Draw(len(relationOperators))], b)
}

// lengthWithValues draws a length, or a sum, difference or maximum of two lengths.
func (f *File) lengthWithValues() *number {
	term := func() *number {
		length := dimension(f.Draw(exact.Axes))
		switch f.Draw(4) {
		case 0:
			length = f.variable([]string{ownValue, ownArticleValue}[f.Draw(2)])
		case 1:
			length = f.product(length, literal(f.randomDecimal(0, 2)))
		}
		var n *number
		switch number := f.variable([]string{ownMaterialValue, ownNegativeValue}[f.Draw(2)]); f.Draw(4) {
		case 0, 1:
			return length
		case 2:
			n = f.quotient(length, number)
		default:
			n = f.product(length, number)
		}
		if !n.fits() {
			return length
		}
		return n
	}
	a, b := term(), term()
	var n *number
	switch f.Draw(4) {
	case 0:
		return a
	case 1:
		n = f.sum(a, b)
	case 2:
		n = f.difference(a, b)
	default:
		n = combine(a, b, func(q *input) *big.Rat {
			if x, y := a.value(q), b.value(q); x.Cmp(y) > 0 {
				return x
			} else {
				return y
			}
		})
		n.formBounds = a.formBounds.either(b.formBounds, a.pieces+b.pieces)
		n.text, n.precedence = "max("+a.text+", "+b.text+")", atomPrecedence
	}
	if !n.fits() {
		return a
	}
	return n
}

// conditionTree draws a condition that combines comparisons, nested up to the given depth.
func (f *File) conditionTree(depth int, allowBlank bool) *condition {
	if depth == 0 && f.Draw(4) == 0 {
		return f.valueComparison()
	}
	if depth == 0 || f.Draw(3) == 0 {
		return f.comparison(f.number(3, false, allowBlank), f.number(3, false, allowBlank))
	}
	a := f.conditionTree(depth-1, allowBlank)
	switch f.Draw(5) {
	case 0, 1:
		return f.and(a, f.conditionTree(depth-1, allowBlank))
	case 2, 3:
		return f.or(a, f.conditionTree(depth-1, allowBlank))
	}
	return f.not(a)
}

func (f *File) and(a, b *condition) *condition {
	return f.binary(a, b, andPrecedence, []string{"&&", "and"}, func(q *input) bool { return a.holds(q) && b.holds(q) })
}

func (f *File) or(a, b *condition) *condition {
	return f.binary(a, b, orPrecedence, []string{"||", "or"}, func(q *input) bool { return a.holds(q) || b.holds(q) })
}

func (f *File) binary(a, b *condition, precedence int, words []string, holds func(*input) bool) *condition {
	left, right, word := f.operand(precedence, a.text, a.precedence), f.operand(precedence+1, b.text, b.precedence), f.operatorText(words[f.Draw(2)])
	// There must be white space or a parenthesis between a word such as "and" and its operands.
	if !strings.HasSuffix(left, ")") && word[0] != ' ' && word[0] != '\n' {
		word = " " + word
	}
	if last := word[len(word)-1]; right[0] != '(' && last != ' ' && last != '\t' {
		word += " "
	}
	return &condition{left + word + right, precedence, holds, nil, a.mentionsBlank || b.mentionsBlank}
}

func (f *File) not(a *condition) *condition {
	word := []string{"!", "not ", "! ", "not", "!!!"}[f.Draw(5)]
	return &condition{word + "(" + a.text + ")", atomPrecedence, func(q *input) bool { return !a.holds(q) }, nil, a.mentionsBlank}
}

// relationOperators lists the relations. The first four can be chained.
var relationOperators = []string{">", ">=", "<", "<=", "==", "!="}

// relationHolds has a function for each relation. It reports whether the relation holds between two numbers, given
// the result of their Cmp.
var relationHolds = map[string]func(order int) bool{
	">":  func(order int) bool { return order > 0 },
	">=": func(order int) bool { return order >= 0 },
	"<":  func(order int) bool { return order < 0 },
	"<=": func(order int) bool { return order <= 0 },
	"==": func(order int) bool { return order == 0 },
	"!=": func(order int) bool { return order != 0 },
}

// comparison returns a comparison of a with b. In most cases it first adds a constant to b, so that a and b are
// equal for some box within the limits, and the border of the condition passes through this box. For width >
// 2*depth and the box 50 x 20 x 30, it returns width > 2*depth + 10, or the same with another relation. Sometimes
// it extends the comparison to a chain.
func (f *File) comparison(a, b *number) *condition {
	if !a.formBounds.plus(b.formBounds).fits() {
		// The engine might reject this comparison. Compare with a plain number instead.
		b = literal(f.randomDecimal(0, 6))
	}
	if f.Draw(4) > 0 {
		b = f.makeEqual(a, b)
	}
	relation := relationOperators[f.Draw(len(relationOperators))]
	c := f.compare(a, relation, b)
	// == and != cannot be chained.
	for links := f.Draw(3); links > 0 && relation[0] != '=' && relation[0] != '!'; links-- {
		next := literal(f.randomDecimal(0, 6))
		if n := f.number(1, false, false); n.formBounds.plus(c.rightmost.formBounds).fits() {
			next = n
		}
		c = f.extendChain(c, relationOperators[f.Draw(4)], next)
	}
	return c
}

func (f *File) compare(a *number, relation string, b *number) *condition {
	// first is the beginning of a chain, with a single number and no relation, so it always holds.
	first := &condition{text: f.operand(sumPrecedence, a.text, a.precedence), holds: func(*input) bool { return true }, rightmost: a, mentionsBlank: a.mentionsBlank}
	return f.extendChain(first, relation, b)
}

// extendChain appends another relation to c: 1 < width becomes 1 < width <= 3.
func (f *File) extendChain(c *condition, relation string, next *number) *condition {
	holds := relationHolds[relation]
	return &condition{
		text:          c.text + f.operatorText(relation) + f.operand(sumPrecedence, next.text, next.precedence),
		precedence:    relationPrecedence,
		holds:         func(q *input) bool { return c.holds(q) && holds(c.rightmost.value(q).Cmp(next.value(q))) },
		rightmost:     next,
		mentionsBlank: c.mentionsBlank || next.mentionsBlank,
	}
}

// makeEqual adds a constant to b, so that b is equal or nearly equal to a for some box of the first profile.
func (f *File) makeEqual(a, b *number) *number {
	// Without a blank, blank_width and blank_height have no value.
	if a.mentionsBlank && f.profiles[0].blank == nil || b.mentionsBlank && f.profiles[0].blank == nil {
		return b
	}
	q := newInput(0, f.targetBox())
	difference := new(big.Rat).Sub(a.value(q), b.value(q))
	if magnitude(difference) >= 1e6 {
		return b
	}
	// Round the difference, sometimes to few decimals. Then the two are only nearly equal, which is just as
	// interesting.
	k := literal(new(big.Rat).Abs(difference).FloatString([]int{0, 1, 3, 3, 3, 6, 9}[f.Draw(7)]))
	n := f.sum(b, k)
	if difference.Sign() < 0 {
		if n = f.difference(b, k); f.Draw(2) == 0 {
			n = f.sum(b, f.negated(k))
		}
	}
	if !a.formBounds.plus(n.formBounds).fits() {
		return b
	}
	return n
}

// outsideLimits returns the condition that a dimension is outside its limits.
func (f *File) outsideLimits(axis int) *condition {
	x, low, high := dimension(axis), f.variable("min_"+exact.AxisNames()[axis]), f.variable("max_"+exact.AxisNames()[axis])
	if f.Draw(2) == 0 {
		return f.not(f.extendChain(f.compare(low, "<=", x), "<=", high))
	}
	return f.or(f.compare(x, "<", low), f.compare(high, "<", x))
}

func (f *File) addRules(stage string, n int, allowBlank bool) {
	for i := range n {
		c := f.condition(allowBlank)
		// Negate most conditions that reject acceptedBox. Otherwise hardly any box would be valid.
		if f.Draw(6) > 0 && (f.profiles[0].blank != nil || !c.mentionsBlank) && c.holds(newInput(0, f.acceptedBox)) {
			c = f.not(c)
		}
		// The language does not accept longer conditions.
		if len(c.text) > 4096 {
			c = f.compare(dimension(0), ">", literal(f.randomDecimal(0, 6)))
		}
		f.rules = append(f.rules, rule{stage, fmt.Sprintf("%s_%04d", strings.ToUpper(stage), i), c})
	}
}
