package gen

import (
	"fmt"
	"strings"

	"example.com/boxrules/exact"
)

// A condition holds the text of a condition in the rule language, together with a Go function that reports whether the
// condition is true.
type condition struct {
	text          string
	precedence    int
	holds         func(*numberInput) bool
	rightmost     *number // the last operand, if the condition is a comparison or a chain of them
	mentionsBlank bool
}

// drawCondition draws a condition: a thin band, a disjunctive or conjunctive normal form, or a tree of comparisons.
// The condition mentions blank_width and blank_height only if allowBlank is set.
func (f *File) drawCondition(allowBlank bool) *condition {
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
	n := f.product(dimensionNumber(0), literalNumber(fmt.Sprint(f.Draw(30))))
	for axis := 1; axis < exact.Axes; axis++ {
		part := f.product(dimensionNumber(axis), literalNumber(fmt.Sprint(f.Draw(30))))
		if f.Draw(2) == 0 {
			n = f.sum(n, part)
		} else {
			n = f.difference(n, part)
		}
	}
	// Begin the band at or just below the sum for the target box, so that the target box is usually in the band.
	from := mustThousandths(n.value(newNumberInput(0, f.boxOnBorder())).FloatString(3)) - int64(f.Draw(int(f.step)+1))/2
	to := from + f.step*int64(f.Draw(20))/2
	return f.not(f.extendChain(f.compare(f.signedLiteral(from), "<=", n), "<=", f.signedLiteral(to)))
}

// clauses draws a condition in disjunctive or conjunctive normal form.
func (f *File) clauses(allowBlank bool) *condition {
	// Either "and" joins the comparisons in a clause and "or" joins the clauses, or the other way round.
	inner, outer := f.and, f.or
	if f.Draw(2) == 0 {
		inner, outer = f.or, f.and
	}
	return joinConditions(2+f.Draw(7), outer, func(int) *condition {
		return joinConditions(1+f.Draw(3), inner, func(int) *condition { return f.shortComparison(allowBlank) })
	})
}

// joinConditions joins the conditions part(0) to part(n-1) with the function join.
func joinConditions(n int, join func(a, b *condition) *condition, part func(i int) *condition) *condition {
	c := part(0)
	for i := 1; i < n; i++ {
		c = join(c, part(i))
	}
	return c
}

// shortComparison draws a comparison of a dimension with a literal, of numbers that contain user-defined values, or
// of two short numeric expressions.
func (f *File) shortComparison(allowBlank bool) *condition {
	switch f.Draw(9) {
	case 0, 1:
		return f.valueComparison()
	case 2, 3, 4:
		axis := f.Draw(exact.Axes)
		return f.compare(dimensionNumber(axis), relationOperators[f.Draw(len(relationOperators))], f.coordinateLiteral(axis))
	}
	return f.comparison(f.drawNumber(2, false, allowBlank), f.drawNumber(1, false, allowBlank))
}

// valueComparison draws a comparison of numbers that contain user-defined values. It never adds a length to a number
// without a unit, and never compares the two.
func (f *File) valueComparison() *condition {
	// Usually both sides are lengths. Otherwise both are numbers without a unit: a dimension divided by a length,
	// and a number.
	a, b := f.lengthWithValues(), f.lengthWithValues()
	if f.Draw(4) == 0 {
		a, b = f.quotient(dimensionNumber(f.Draw(exact.Axes)), f.variable(articleValueName)), f.variable(materialValueName)
		if f.Draw(2) == 0 {
			b = f.product(b, f.variable(negativeValueName))
		}
	}
	if !a.formBounds.plus(b.formBounds).fits() {
		a, b = dimensionNumber(0), f.variable(sharedValueName) // the engine might refuse the comparison
	}
	if f.Draw(4) > 0 {
		b = f.equalNumber(a, b)
	}
	if f.Draw(2) == 0 {
		a, b = b, a
	}
	return f.compare(a, relationOperators[f.Draw(len(relationOperators))], b)
}

// conditionTree draws a condition that combines comparisons, nested up to the given depth.
func (f *File) conditionTree(depth int, allowBlank bool) *condition {
	if depth == 0 && f.Draw(4) == 0 {
		return f.valueComparison()
	}
	if depth == 0 || f.Draw(3) == 0 {
		return f.comparison(f.drawNumber(3, false, allowBlank), f.drawNumber(3, false, allowBlank))
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
	return f.binary(a, b, andPrecedence, []string{"&&", "and"}, func(q *numberInput) bool { return a.holds(q) && b.holds(q) })
}

func (f *File) or(a, b *condition) *condition {
	return f.binary(a, b, orPrecedence, []string{"||", "or"}, func(q *numberInput) bool { return a.holds(q) || b.holds(q) })
}

func (f *File) binary(a, b *condition, precedence int, words []string, holds func(*numberInput) bool) *condition {
	left, right, word := f.operand(precedence, a.text, a.precedence), f.operand(precedence+1, b.text, b.precedence), f.drawSpacedOperator(words[f.Draw(2)])
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
	return &condition{word + "(" + a.text + ")", atomPrecedence, func(q *numberInput) bool { return !a.holds(q) }, nil, a.mentionsBlank}
}

// relationOperators lists the comparison operators. The first four can be chained.
var relationOperators = []string{">", ">=", "<", "<=", "==", "!="}

// relationHolds maps each relation to a function that reports whether the relation holds between two numbers. order
// is the result of comparing the two with Cmp.
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
		b = literalNumber(f.drawDecimal(0, 6))
	}
	if f.Draw(4) > 0 {
		b = f.equalNumber(a, b)
	}
	relation := relationOperators[f.Draw(len(relationOperators))]
	c := f.compare(a, relation, b)
	// == and != cannot be chained.
	for links := f.Draw(3); links > 0 && relation[0] != '=' && relation[0] != '!'; links-- {
		next := literalNumber(f.drawDecimal(0, 6))
		if n := f.drawNumber(1, false, false); n.formBounds.plus(c.rightmost.formBounds).fits() {
			next = n
		}
		c = f.extendChain(c, relationOperators[f.Draw(4)], next)
	}
	return c
}

func (f *File) compare(a *number, relation string, b *number) *condition {
	// first is the beginning of a chain, with a single number and no relation, so it always holds.
	first := &condition{text: f.operand(sumPrecedence, a.text, a.precedence), holds: func(*numberInput) bool { return true }, rightmost: a, mentionsBlank: a.mentionsBlank}
	return f.extendChain(first, relation, b)
}

// extendChain appends a relation and the number next to c: 1 < width becomes 1 < width <= 3.
func (f *File) extendChain(c *condition, relation string, next *number) *condition {
	holds := relationHolds[relation]
	return &condition{
		text:          c.text + f.drawSpacedOperator(relation) + f.operand(sumPrecedence, next.text, next.precedence),
		precedence:    relationPrecedence,
		holds:         func(q *numberInput) bool { return c.holds(q) && holds(c.rightmost.value(q).Cmp(next.value(q))) },
		rightmost:     next,
		mentionsBlank: c.mentionsBlank || next.mentionsBlank,
	}
}

// outsideLimits returns the condition that a dimension is outside its limits.
func (f *File) outsideLimits(axis int) *condition {
	x, low, high := dimensionNumber(axis), f.variable("min_"+exact.AxisNames()[axis]), f.variable("max_"+exact.AxisNames()[axis])
	if f.Draw(2) == 0 {
		return f.not(f.extendChain(f.compare(low, "<=", x), "<=", high))
	}
	return f.or(f.compare(x, "<", low), f.compare(high, "<", x))
}

// drawSpacedOperator returns the operator, usually with white space around it.
func (f *File) drawSpacedOperator(operator string) string {
	return []string{" " + operator + " ", " " + operator + " ", "\n" + operator + " ", operator + "\t", operator}[f.Draw(5)]
}
