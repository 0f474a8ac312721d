package gen

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"example.com/boxrules/exact"
)

// The precedences of operators. Operators that bind less tightly come first.
const (
	orPrecedence  = iota // ||
	andPrecedence        // &&
	relationPrecedence
	sumPrecedence
	productPrecedence
	signPrecedence
	atomPrecedence
)

// A number is the text of a numeric expression, together with a Go function that computes its value for a box.
type number struct {
	text          string
	precedence    int
	value         func(*numberInput) *big.Rat
	constants     []*big.Rat // the value in each profile; nil if the value depends on the box
	mentionsBlank bool
	formBounds
}

// A numberInput is a box in a profile. Numbers and conditions are evaluated for it.
type numberInput struct {
	profile int
	dims    [exact.Axes]*big.Rat
}

func newNumberInput(profile int, p exact.Point) *numberInput {
	q := &numberInput{profile: profile}
	for axis, x := range p {
		q.dims[axis] = big.NewRat(x, 1000)
	}
	return q
}

func leastCommonMultiple(a, b int64) int64 {
	// Euclid's algorithm: g becomes the greatest common divisor.
	g, rest := a, b
	for rest != 0 {
		g, rest = rest, g%rest
	}
	return a / g * b
}

// drawNumber draws a numeric expression whose operations are nested up to the given depth. If mustBeConstant is set,
// its value does not depend on the box. If allowBlank is not set, it does not mention the blank.
func (f *File) drawNumber(depth int, mustBeConstant, allowBlank bool) *number {
	if depth == 0 || f.Draw(4) == 0 {
		return f.atom(mustBeConstant, allowBlank)
	}
	a := f.drawNumber(depth-1, mustBeConstant, allowBlank)
	// Products and quotients need a constant as one operand, because conditions must be linear.
	var n *number
	switch f.Draw(8) {
	case 0, 1:
		n = f.sum(a, f.drawNumber(depth-1, mustBeConstant, allowBlank))
	case 2:
		n = f.difference(a, f.drawNumber(depth-1, mustBeConstant, allowBlank))
	case 3:
		n = f.product(a, f.factor())
	case 4:
		n = f.quotient(a, f.factor())
	case 5:
		n = f.withSign(a)
	default:
		n = f.minOrMax(a, depth, mustBeConstant, allowBlank)
	}
	if !n.fits() {
		return a // the engine might reject n
	}
	return n
}

func (f *File) atom(mustBeConstant, allowBlank bool) *number {
	switch choice := f.Draw(8); {
	case !mustBeConstant && choice < 4:
		return dimensionNumber(f.Draw(exact.Axes))
	case !mustBeConstant && allowBlank && choice < 6:
		return f.blankSide()
	case choice == 7:
		return f.constant()
	}
	return literalNumber(f.drawDecimal(0, 6))
}

// factor draws an operand for a product or quotient. Its value does not depend on the box, so that the result is
// linear. In half of the cases it is a short literal, and otherwise an expression from drawNumber.
func (f *File) factor() *number {
	if plain := []string{"2", "3", "4", "7", "0.5", "2.5", "1.250000000000"}; f.Draw(2) == 0 {
		return literalNumber(plain[f.Draw(len(plain))])
	}
	return f.drawNumber(1, true, false)
}

func dimensionNumber(axis int) *number {
	return &number{text: exact.AxisNames()[axis], precedence: atomPrecedence, formBounds: formBounds{1, 1, 1, 0},
		value: func(q *numberInput) *big.Rat { return q.dims[axis] }}
}

func literalNumber(text string) *number {
	k := mustRat(text)
	return &number{text: text, precedence: atomPrecedence, value: func(*numberInput) *big.Rat { return k },
		constants: slices.Repeat([]*big.Rat{k}, maxProfiles), formBounds: formBounds{1, 1, 0, numberMagnitude(k)}}
}

func (f *File) constant() *number {
	names := []string{"min_width", "max_width", "min_depth", "max_depth", "min_height", "max_height",
		"caliper", "glue_flap", "sheet_width", "sheet_height"}
	if f.mayUseValues {
		names = append(names, sharedValueName, materialValueName, articleValueName, negativeValueName)
	}
	return f.variable(names[f.Draw(len(names))])
}

// variable returns a variable whose value depends only on the profile.
func (f *File) variable(name string) *number {
	values := f.constantValues[name]
	n := &number{text: name, precedence: atomPrecedence, constants: values, formBounds: formBounds{1, 1, 0, 0}}
	n.value = func(q *numberInput) *big.Rat { return values[q.profile] }
	for _, k := range values {
		n.offset = max(n.offset, numberMagnitude(k))
	}
	return n
}

func (f *File) blankSide() *number {
	side := f.Draw(2)
	n := &number{text: []string{"blank_width", "blank_height"}[side], precedence: atomPrecedence, mentionsBlank: true, formBounds: formBounds{1, 1, 0, 0}}
	n.value = func(q *numberInput) *big.Rat { return f.profiles[q.profile].blankFormulas[side].value(q) }
	for _, p := range f.profiles {
		if p.blankFormulas == nil {
			continue
		}
		b := p.blankFormulas[side].formBounds
		n.formBounds = n.formBounds.minMax(b, max(n.pieces, b.pieces))
	}
	return n
}

// operand returns the text of an operand. It adds parentheses if the operator's precedence requires them, and sometimes
// superfluous ones.
func (f *File) operand(precedence int, text string, ownPrecedence int) string {
	if ownPrecedence < precedence || f.Draw(8) == 7 {
		return "(" + text + ")"
	}
	return text
}

// combineNumbers returns a number that is made from a and b. value computes it for a box. The caller sets the text and
// the bounds of the number.
func combineNumbers(a, b *number, value func(*numberInput) *big.Rat) *number {
	n := &number{value: value, mentionsBlank: a.mentionsBlank || b.mentionsBlank}
	if a.constants != nil && b.constants != nil {
		for profile := range min(len(a.constants), len(b.constants)) {
			// A constant does not depend on the box, so the input needs only a profile.
			n.constants = append(n.constants, value(&numberInput{profile: profile}))
		}
	}
	return n
}

// binaryOperation returns the number "a operator b", such as width + 2. compute applies the operator to values.
// bounds are the bounds of the result. Operators are left-associative, so b gets parentheses if it has the same
// precedence, as in 5 - (3 - 1).
func (f *File) binaryOperation(a *number, operator string, b *number, precedence int, bounds formBounds, compute func(z, x, y *big.Rat) *big.Rat) *number {
	n := combineNumbers(a, b, func(q *numberInput) *big.Rat { return compute(new(big.Rat), a.value(q), b.value(q)) })
	n.text, n.precedence = f.operand(precedence, a.text, a.precedence)+f.drawSpacedOperator(operator)+f.operand(precedence+1, b.text, b.precedence), precedence
	n.formBounds = bounds
	return n
}

func (f *File) sum(a, b *number) *number {
	return f.binaryOperation(a, "+", b, sumPrecedence, a.formBounds.plus(b.formBounds), (*big.Rat).Add)
}

func (f *File) difference(a, b *number) *number {
	return f.binaryOperation(a, "-", b, sumPrecedence, a.formBounds.plus(b.formBounds), (*big.Rat).Sub)
}

func (f *File) product(a, k *number) *number {
	r := a.formBounds.times(k.constants)
	if f.Draw(2) == 0 {
		a, k = k, a
	}
	return f.binaryOperation(a, "*", k, productPrecedence, r, (*big.Rat).Mul)
}

// quotient returns a divided by k. If k is zero in some profile, it returns a.
func (f *File) quotient(a, k *number) *number {
	inverse := make([]*big.Rat, len(k.constants))
	for i, value := range k.constants {
		if value.Sign() == 0 {
			return a
		}
		inverse[i] = new(big.Rat).Inv(value)
	}
	return f.binaryOperation(a, "/", k, productPrecedence, a.formBounds.times(inverse), (*big.Rat).Quo)
}

// withSign returns -a or +a.
func (f *File) withSign(a *number) *number {
	if f.Draw(8) == 0 {
		// A plus sign changes only the text.
		n := *a
		n.text, n.precedence = "+"+f.operand(signPrecedence, a.text, a.precedence), signPrecedence
		return &n
	}
	return f.negated(a)
}

func (f *File) negated(a *number) *number {
	n := combineNumbers(a, a, func(q *numberInput) *big.Rat { return new(big.Rat).Neg(a.value(q)) })
	n.text, n.precedence, n.formBounds = "-"+f.operand(signPrecedence, a.text, a.precedence), signPrecedence, a.formBounds
	return n
}

// minOrMax returns the minimum or the maximum of a and up to three other numbers.
func (f *File) minOrMax(a *number, depth int, mustBeConstant, allowBlank bool) *number {
	name, order := "min", -1
	if f.Draw(2) == 0 {
		name, order = "max", 1
	}
	// n is the minimum or maximum of the operands so far: min(a, b, c) is min(min(a, b), c).
	n, texts := a, []string{a.text}
	for range 1 + f.Draw(3) {
		before, b := n, f.drawNumber(depth-1, mustBeConstant, allowBlank)
		n = combineNumbers(before, b, func(q *numberInput) *big.Rat {
			x, y := before.value(q), b.value(q)
			if x.Cmp(y) == order {
				return x
			}
			return y
		})
		n.formBounds = before.formBounds.minMax(b.formBounds, before.pieces+b.pieces)
		if !n.fits() {
			return n
		}
		texts = append(texts, b.text)
	}
	n.text, n.precedence = name+"("+strings.Join(texts, []string{", ", " ,"}[f.Draw(2)])+")", atomPrecedence
	return n
}

// signedLiteral returns a literal for x thousandths. A negative number becomes a literal with a sign.
func (f *File) signedLiteral(x int64) *number {
	if x < 0 {
		return f.negated(literalNumber(decimalText(-x)))
	}
	return literalNumber(decimalText(x))
}

// coordinateLiteral draws a literal that is equal or close to a coordinate within the limits of the first profile.
func (f *File) coordinateLiteral(axis int) *number {
	x := f.drawCoordinate(axis) + f.step*int64(f.Draw(5)-2)
	if f.Draw(4) == 0 {
		x += int64(f.Draw(3) - 1)
	}
	return literalNumber(decimalText(max(0, x)))
}

// lengthWithValues draws a length that may contain user-defined values: a single term, or the sum, difference or
// maximum of two terms.
func (f *File) lengthWithValues() *number {
	term := func() *number {
		length := dimensionNumber(f.Draw(exact.Axes))
		switch f.Draw(4) {
		case 0:
			length = f.variable([]string{sharedValueName, articleValueName}[f.Draw(2)])
		case 1:
			length = f.product(length, literalNumber(f.drawDecimal(0, 2)))
		}
		var n *number
		switch number := f.variable([]string{materialValueName, negativeValueName}[f.Draw(2)]); f.Draw(4) {
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
		n = combineNumbers(a, b, func(q *numberInput) *big.Rat {
			if x, y := a.value(q), b.value(q); x.Cmp(y) > 0 {
				return x
			} else {
				return y
			}
		})
		n.formBounds = a.formBounds.minMax(b.formBounds, a.pieces+b.pieces)
		n.text, n.precedence = "max("+a.text+", "+b.text+")", atomPrecedence
	}
	if !n.fits() {
		return a
	}
	return n
}

// equalNumber adds a constant to b, so that b is equal or nearly equal to a for some box of the first profile.
func (f *File) equalNumber(a, b *number) *number {
	// Without a blank, blank_width and blank_height have no value.
	if a.mentionsBlank && f.profiles[0].blankFormulas == nil || b.mentionsBlank && f.profiles[0].blankFormulas == nil {
		return b
	}
	q := newNumberInput(0, f.boxOnBorder())
	difference := new(big.Rat).Sub(a.value(q), b.value(q))
	if numberMagnitude(difference) >= 1e6 {
		return b
	}
	// Round the difference, sometimes to few decimals. Then the two are only nearly equal, which is just as
	// interesting.
	k := literalNumber(new(big.Rat).Abs(difference).FloatString([]int{0, 1, 3, 3, 3, 6, 9}[f.Draw(7)]))
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

func mustRat(text string) *big.Rat {
	value, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return value
}

// mustThousandths parses a number with at most three decimals, and returns it in thousandths.
func mustThousandths(text string) int64 {
	x := new(big.Rat).Mul(mustRat(text), big.NewRat(1000, 1))
	if !x.IsInt() {
		panic(text)
	}
	return x.Num().Int64()
}

// decimalText formats a number of thousandths as a decimal.
func decimalText(x int64) string {
	text := strings.TrimRight(big.NewRat(x, 1000).FloatString(3), "0")
	return strings.TrimSuffix(text, ".")
}

// drawDecimals draws enough decimals for each article or each material to have one. It passes its arguments to
// drawDecimal.
func (f *File) drawDecimals(minUnits, maxPlaces int) (texts []string) {
	for range max(f.articles, f.materials) {
		texts = append(texts, f.drawDecimal(minUnits, maxPlaces))
	}
	return texts
}

// drawDecimal draws a number with fewer than maxPlaces decimals. If maxPlaces is 6, it sometimes draws a number with
// twelve decimals instead, as many as the language accepts. minUnits is 0 or 1. If it is 1, the number is at least
// one unit of its last decimal place, so it is not 0.
func (f *File) drawDecimal(minUnits, maxPlaces int) string {
	places := f.Draw(maxPlaces)
	// Draw twelve decimals. The last six are at least minUnits, so the number is not 0 if minUnits is 1.
	if places == 5 {
		return fmt.Sprintf("%d.%06d%06d", f.Draw(500), f.Draw(1_000_000), minUnits+f.Draw(1_000_000-minUnits))
	}
	n := minUnits + f.Draw([]int{500, 5_000, 50_000, 500_000, 500_000}[places])
	return big.NewRat(int64(n), []int64{1, 10, 100, 1_000, 10_000}[places]).FloatString(places)
}
