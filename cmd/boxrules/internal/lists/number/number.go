// Package number reads dimensions from the cells of a list: plain decimals, with a point or a
// comma, in the catalogue's unit or another.
package number

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
)

// Units can be converted into each other.
var Units = []string{"mm", "cm", "m", "in"}

// lengths gives the units in tenths of a millimetre, in the order of Units: an inch has 254.
var lengths = []int64{10, 100, 10_000, 254}

// A Parser reads the cells of one column. It is immutable and safe for concurrent use.
type Parser struct {
	point           byte   // between whole and fraction
	unit, catalogue string // for messages, with a space before them; empty where they are the same

	// The factor from the cells' unit to the catalogue's.
	factor    *big.Rat
	numerator int64
	most      int64                 // times the numerator it is at most 2^53
	divisors  [maxShort + 1]float64 // the denominator with so many decimals; 0 where it is over 2^53
}

// maxShort bounds the digits that parseShort takes: whole numbers of 15 digits are below 2^53.
const maxShort = 15

// maxExact bounds the whole numbers that a float64 holds without gaps: 2^53 + 1 is none of them.
const maxExact = 1 << 53

// New returns the parser of a column whose decimal point is point, '.' or ','. Its cells are in
// the unit, and an empty unit is the catalogue's. New fails where it cannot convert one to the
// other.
func New(point byte, unit, catalogue string) (*Parser, error) {
	p := &Parser{point: point, factor: big.NewRat(1, 1)}
	if unit != "" && unit != catalogue {
		from, to := slices.Index(Units, unit), slices.Index(Units, catalogue)
		if from < 0 || to < 0 {
			return nil, fmt.Errorf("no conversion from the unit %s to the catalogue's, %s; accepted: %s",
				wording.Quote(unit), wording.Quote(catalogue), strings.Join(Units, ", "))
		}
		p.unit, p.catalogue, p.factor = " "+unit, " "+catalogue, big.NewRat(lengths[from], lengths[to])
	}
	p.numerator = p.factor.Num().Int64()
	p.most = maxExact / p.numerator
	divisor := p.factor.Denom().Int64()
	for decimals := range p.divisors {
		if divisor <= maxExact {
			p.divisors[decimals] = float64(divisor)
		}
		divisor *= 10
	}
	return p, nil
}

// Parse returns the float64 nearest to what the cell says, in the catalogue's unit. The cell may
// have white space around what [boxrules.ParseDimension] takes with the parser's point. The error
// is a *boxrules.InputError for the field, with the text as it was typed.
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

// parseShort reads a number of few digits, and reports whether the cell is one. It divides two
// whole numbers that a float64 holds exactly, so that 12.125 in inches is rounded once.
func (p *Parser) parseShort(cell []byte) (float64, bool) {
	negative := len(cell) > 0 && cell[0] == '-'
	if negative {
		cell = cell[1:]
	}
	if len(cell) == 0 || len(cell) > maxShort+1 {
		return 0, false
	}
	var digits int64
	point := len(cell) - 1 // as if it were the last character
	for i, c := range cell {
		if c -= '0'; c <= 9 {
			digits = digits*10 + int64(c)
			continue
		}
		if cell[i] != p.point || point < len(cell)-1 || i == 0 || i == len(cell)-1 {
			return 0, false
		}
		point = i
	}
	divisor := p.divisors[len(cell)-1-point]
	if digits > p.most || divisor == 0 {
		return 0, false
	}
	x := float64(digits*p.numerator) / divisor
	if negative {
		x = -x
	}
	return x, inRange(x)
}

// parseAny reads a number of any length, and says what is wrong with a text that is none.
func (p *Parser) parseAny(field, text string) (float64, error) {
	plain := text
	if p.point == ',' {
		plain = strings.NewReplacer(",", ".", ".", ",").Replace(text)
	}
	switch decimal := plainDecimal.MatchString(plain); {
	case plain == "" || decimal && len(plain) > boxrules.MaxDimensionText:
		return boxrules.ParseDimension(field, plain)
	case !decimal:
		return 0, p.mistaken(field, text)
	}
	value, _ := new(big.Rat).SetString(plain) // it takes every plain decimal
	x, _ := value.Mul(value, p.factor).Float64()
	if plain[0] == '-' {
		x = math.Copysign(x, -1) // a zero keeps its sign, as in ParseDimension
	}
	if !inRange(x) {
		return 0, &boxrules.InputError{Field: field,
			Message: fmt.Sprintf("%s%s is not a dimension; accepted: a number from -%d to %[3]d%s",
				text, p.unit, exact.MaxDimension, p.catalogue)}
	}
	return x, nil
}

// plainDecimal matches what ParseDimension takes as far as its grammar goes.
var plainDecimal = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// mistaken returns the error for a text that is no plain decimal. Of 1,5 it says that there is
// --decimal.
func (p *Parser) mistaken(field, text string) error {
	what := "is not a dimension; accepted: a plain decimal such as 48 or " +
		strings.Replace("48.5", ".", string(p.point), 1)
	if strings.Trim(text, "-0123456789.,") == "" {
		point, comma := strings.Contains(text, "."), strings.Contains(text, ",")
		switch {
		case point && comma:
			what = "has both a point and a comma; accepted: no separator of thousands, such as " +
				strings.Replace("1234.5", ".", string(p.point), 1)
		case p.point == '.' && comma:
			what = "has a comma; accepted: a point such as 48.5, or --decimal , for a list with decimal commas"
		case p.point == ',' && point:
			what = "has a point; accepted: a comma such as 48,5, or no --decimal , for a list with decimal points"
		}
	}
	return &boxrules.InputError{Field: field, Message: wording.Quote(text) + " " + what}
}

func inRange(x float64) bool { return x >= -exact.MaxDimension && x <= exact.MaxDimension }
