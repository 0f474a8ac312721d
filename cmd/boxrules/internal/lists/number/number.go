// Package number parses the dimensions in the cells of a list: decimals with a point or a comma and, if the unit is
// inches, fractions such as 12 3/8. It converts them to the unit of the catalogue.
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

// Units lists the units that can be converted into each other.
var Units = exact.ConvertibleUnits()

// A Parser parses the cells of one column. It is immutable and safe for concurrent use.
type Parser struct {
	decimalPoint byte // the decimal separator: a point or a comma

	takesFractions bool // whether fractions such as 12 3/8 are accepted, because the unit is inches

	// The units for use in messages, each after a space. Both are empty if the two units are the same.
	unit, catalogueUnit string

	// The factor that converts from the unit of the cells to the unit of the catalogue.
	factor    *big.Rat
	numerator int64
	maxDigits int64                       // the largest number with maxDigits*numerator <= maxExact
	divisors  [maxShortDigits + 1]float64 // divisors[i] is the denominator times 10^i, or 0 if that is greater than maxExact
}

// maxShortDigits is the maximum number of digits in a number that parseShort parses. Whole numbers of 15 digits are
// below 2^53, so a float64 represents them exactly.
const maxShortDigits = 15

// maxExact is 2^53. A float64 represents every whole number up to it exactly, but not the next one.
const maxExact = 1 << 53

// New returns a parser for a column. decimalPoint is the decimal separator of the column, '.' or ','. unit is the
// unit of its cells. If unit is empty, the cells are in the unit of the catalogue. Parse converts numbers to the
// unit of the catalogue. New returns an error if the two units differ and one of them is not in Units.
func New(decimalPoint byte, unit, catalogueUnit string) (*Parser, error) {
	p := &Parser{decimalPoint: decimalPoint, factor: big.NewRat(1, 1), takesFractions: cmp.Or(unit, catalogueUnit) == "in"}
	if unit != "" && unit != catalogueUnit {
		ratio, ok := exact.UnitRatio(unit, catalogueUnit)
		if !ok {
			return nil, fmt.Errorf("the unit %s cannot be converted to the unit of the limits, %s; accepted: %s",
				wording.Quote(unit), wording.Quote(catalogueUnit), strings.Join(Units, ", "))
		}
		p.unit, p.catalogueUnit, p.factor = " "+unit, " "+catalogueUnit, ratio.Rat()
	}
	p.numerator = p.factor.Num().Int64()
	p.maxDigits = maxExact / p.numerator
	divisor := p.factor.Denom().Int64()
	// parseShort can use only divisors that a float64 represents exactly. The others stay 0.
	for decimals := range p.divisors {
		if divisor <= maxExact {
			p.divisors[decimals] = float64(divisor)
		}
		divisor *= 10
	}
	return p, nil
}

// Parse parses a cell, and returns the float64 nearest to its number in the unit of the catalogue. The syntax is the
// same as for [boxrules.ParseDimension], with two differences: the decimal separator may be a comma, and white space
// around the number is allowed. If the unit is inches, a fraction such as 12 3/8 is also accepted. The error is a
// *boxrules.InputError for the field. It quotes the text as it was typed.
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

// parseShort parses a number with few digits, as most cells have. It returns false if the cell is not such a
// number, if the result is out of range, or if a float64 cannot represent both numbers of the division exactly.
// parseAny handles these cases.
//
// parseShort divides two whole numbers that a float64 represents exactly, so that the result is rounded only once.
// An inch is 127/5 mm, so for 12.125 in it divides 12125*127 by 5*1000.
func (p *Parser) parseShort(cell []byte) (float64, bool) {
	negative := len(cell) > 0 && cell[0] == '-'
	if negative {
		cell = cell[1:]
	}
	if len(cell) == 0 || len(cell) > maxShortDigits+1 {
		return 0, false
	}
	// digits becomes the number without its point: 12125 for 12.125. If c is not a digit, c - '0' is greater than
	// 9, because a byte below 0 wraps around.
	var digits int64
	point := len(cell) - 1 // the index of the decimal point, or of the last digit if there is no point
	for i, c := range cell {
		if c -= '0'; c <= 9 {
			digits = digits*10 + int64(c)
			continue
		}
		// Any other character must be the decimal separator. There can be only one, with a digit on both sides.
		if cell[i] != p.decimalPoint || point < len(cell)-1 || i == 0 || i == len(cell)-1 {
			return 0, false
		}
		point = i
	}
	divisor := p.divisors[len(cell)-1-point]
	// A product or a divisor that is too large to be exact is rare, so leave it to parseAny.
	if digits > p.maxDigits || divisor == 0 {
		return 0, false
	}
	x := float64(digits*p.numerator) / divisor
	if negative {
		x = -x
	}
	return x, isNumberInRange(x)
}

// parseAny parses a number of any length exactly. If the text is not a number, the error explains what is wrong
// with it.
func (p *Parser) parseAny(field, text string) (float64, error) {
	plain := text
	// Exchange points and commas. A decimal comma in text becomes a point in plain, and a point in text becomes a
	// comma, which is not accepted.
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
		x = math.Copysign(x, -1) // also for zero, as in ParseDimension
	}
	if !isNumberInRange(x) {
		return 0, &boxrules.InputError{Field: field,
			Message: fmt.Sprintf("%s%s is not a dimension; accepted: a number from -%d to %[3]d%s",
				text, p.unit, exact.MaxDimension, p.catalogueUnit)}
	}
	return x, nil
}

// plainDecimal matches a number in the syntax that boxrules.ParseDimension accepts.
var plainDecimal = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// syntaxError returns the error for a text that is not a number. For a text such as 1,5 it mentions --decimal.
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
			problem = "has both a point and a comma; leave out the thousands separator, as in " +
				strings.Replace("1234.5", ".", string(p.decimalPoint), 1)
		case p.decimalPoint == '.' && comma:
			problem = "has a comma; write a point, as in 48.5, or use --decimal , for a list with decimal commas"
		case p.decimalPoint == ',' && point:
			problem = "has a point; write a comma, as in 48,5, or leave out --decimal if the list has decimal points"
		}
	}
	return &boxrules.InputError{Field: field, Message: wording.Quote(text) + " " + problem}
}

func isNumberInRange(x float64) bool { return x >= -exact.MaxDimension && x <= exact.MaxDimension }
