// Package number reads dimensions from the cells of a list: plain decimals, with a point or a comma, and in
// inches also fractions such as 12 3/8, in the catalogue's unit or a different one.
package number

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/fraction"
	"example.com/boxrules/internal/wording"
)

// Units are the units that can be converted into each other.
var Units = exact.ConvertibleUnits()

// A Parser reads the cells of one column. It is immutable and safe for concurrent use.
type Parser struct {
	decimalPoint byte // the decimal point or comma

	takesFractions bool // whether 12 3/8 is a number, because the cells are in inches

	// The units as messages write them, with a space before each. Both are empty if the units are the same.
	unit, catalogueUnit string

	// The factor from the cells' unit to the catalogue's.
	factor    *big.Rat
	numerator int64
	maxDigits int64                       // maxDigits*numerator <= maxExact
	divisors  [maxShortDigits + 1]float64 // the denominator times 10^i; 0 if that is over maxExact
}

// maxShortDigits is how many digits parseShort reads: whole numbers of 15 digits are below 2^53.
const maxShortDigits = 15

// maxExact is the number up to which a float64 holds every whole number exactly. It does not hold 2^53 + 1.
const maxExact = 1 << 53

// New returns the parser of a column whose decimal point is '.' or ','. The cells of the column are in the given
// unit, or in the unit of the catalogue if unit is empty, and Parse converts them to the unit of the catalogue.
// New fails if the units differ and one of them is not among Units.
func New(decimalPoint byte, unit, catalogueUnit string) (*Parser, error) {
	p := &Parser{decimalPoint: decimalPoint, factor: big.NewRat(1, 1), takesFractions: cmp.Or(unit, catalogueUnit) == "in"}
	if unit != "" && unit != catalogueUnit {
		ratio, ok := exact.UnitRatio(unit, catalogueUnit)
		if !ok {
			return nil, fmt.Errorf("no conversion from the unit %s to the catalogue's, %s; accepted: %s",
				wording.Quote(unit), wording.Quote(catalogueUnit), strings.Join(Units, ", "))
		}
		p.unit, p.catalogueUnit, p.factor = " "+unit, " "+catalogueUnit, ratio.Rat()
	}
	p.numerator = p.factor.Num().Int64()
	p.maxDigits = maxExact / p.numerator
	divisor := p.factor.Denom().Int64()
	// With divisors up to maxExact, parseShort divides two whole numbers that are exact. The others stay 0.
	for decimals := range p.divisors {
		if divisor <= maxExact {
			p.divisors[decimals] = float64(divisor)
		}
		divisor *= 10
	}
	return p, nil
}

// Parse returns the float64 nearest to the number in the cell, in the unit of the catalogue. The cell has
// the syntax of [boxrules.ParseDimension], but with the decimal point of p, and may have white space
// around it. In inches it may also have a fraction, such as 12 3/8. The error is a *boxrules.InputError for the
// field, with the text as it was typed.
func (p *Parser) Parse(field string, cell []byte) (float64, error) {
	if x, ok := p.parseShort(cell); ok {
		return x, nil
	}
	cell = bytes.TrimSpace(cell)
	if x, ok := p.parseShort(cell); ok {
		return x, nil
	}
	return p.parseAny(field, string(cell))
}

// parseShort parses a number with few digits. It returns false if the cell is not one, or if the division below
// would not be exact or the result is out of range; parseAny then decides. Most cells are short numbers.
//
// It divides two whole numbers that a float64 holds exactly, so that the result is rounded only once. For
// 12.125 in inches, with 127/5 mm to the inch, they are 12125*127 and 5*1000.
func (p *Parser) parseShort(cell []byte) (float64, bool) {
	negative := len(cell) > 0 && cell[0] == '-'
	if negative {
		cell = cell[1:]
	}
	if len(cell) == 0 || len(cell) > maxShortDigits+1 {
		return 0, false
	}
	// digits becomes the number without its point: 12125 for 12.125. c - '0' is over 9 for anything but a
	// digit, because a byte wraps around below 0.
	var digits int64
	point := len(cell) - 1 // the index of the decimal point, or of the last digit if there is no point
	for i, c := range cell {
		if c -= '0'; c <= 9 {
			digits = digits*10 + int64(c)
			continue
		}
		// Anything else must be the only point, with a digit on both sides.
		if cell[i] != p.decimalPoint || point < len(cell)-1 || i == 0 || i == len(cell)-1 {
			return 0, false
		}
		point = i
	}
	divisor := p.divisors[len(cell)-1-point]
	// parseAny computes the few numbers for which a product here would not be exact.
	if digits > p.maxDigits || divisor == 0 {
		return 0, false
	}
	x := float64(digits*p.numerator) / divisor
	if negative {
		x = -x
	}
	return x, isNumberInRange(x)
}

// parseAny parses a number of any length exactly, and explains what is wrong with other texts.
func (p *Parser) parseAny(field, text string) (float64, error) {
	plain := text
	// Exchange points and commas, so that plain has a decimal point where text has a decimal comma, and a point
	// in text is not taken for a decimal point.
	if p.decimalPoint == ',' {
		plain = strings.NewReplacer(",", ".", ".", ",").Replace(text)
	}
	value, isFraction := fraction.Parse(text)
	isFraction = isFraction && p.takesFractions
	switch decimal := plainDecimal.MatchString(plain); {
	case plain == "" || decimal && len(plain) > boxrules.MaxDimensionLength:
		return boxrules.ParseDimension(field, plain)
	case !decimal && !isFraction:
		return 0, p.syntaxError(field, text)
	case decimal:
		value, _ = new(big.Rat).SetString(plain) // cannot fail for a plain decimal
	}
	x, _ := value.Mul(value, p.factor).Float64()
	if plain[0] == '-' {
		x = math.Copysign(x, -1) // a zero keeps its sign, as in ParseDimension
	}
	if !isNumberInRange(x) {
		return 0, &boxrules.InputError{Field: field,
			Message: fmt.Sprintf("%s%s is not a dimension; accepted: a number from -%d to %[3]d%s",
				text, p.unit, exact.MaxDimension, p.catalogueUnit)}
	}
	return x, nil
}

// plainDecimal matches the syntax of boxrules.ParseDimension.
var plainDecimal = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// syntaxError returns the error for a text that is not a plain decimal. For 1,5 it mentions --decimal.
func (p *Parser) syntaxError(field, text string) error {
	problem := "is not a dimension; accepted: a plain decimal such as 48 or " +
		strings.Replace("48.5", ".", string(p.decimalPoint), 1)
	if p.takesFractions {
		problem += ", or a fraction such as 12 3/8"
	}
	if strings.Trim(text, "-0123456789.,") == "" {
		point, comma := strings.Contains(text, "."), strings.Contains(text, ",")
		switch {
		case point && comma:
			problem = "has both a point and a comma; leave out the separator of thousands, as in " +
				strings.Replace("1234.5", ".", string(p.decimalPoint), 1)
		case p.decimalPoint == '.' && comma:
			problem = "has a comma; write a point, as in 48.5, or use --decimal , for a list with decimal commas"
		case p.decimalPoint == ',' && point:
			problem = "has a point; write a comma, as in 48,5, or leave out --decimal , for a list with decimal points"
		}
	}
	return &boxrules.InputError{Field: field, Message: wording.Quote(text) + " " + problem}
}

func isNumberInRange(x float64) bool { return x >= -exact.MaxDimension && x <= exact.MaxDimension }
