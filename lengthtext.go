package boxrules

import (
	"strconv"
	"strings"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
)

// A lengthText writes lengths as text in a unit that may differ from the unit of the profile. The lengths are
// coordinates of the profile's grid. After an exact conversion, most lengths would have many decimals: 11.811
// in is 299.9994 mm. So a lengthText rounds them. A single length is written with as few decimals as
// possible, but a check must still round the text to the same coordinate: 11.811 in becomes 300 mm, because
// 300 mm is 11.81102… in, which a check rounds to 11.811. The ends of an interval are rounded inwards.
//
// The zero lengthText writes lengths in the unit of the profile.
type lengthText struct {
	unit     exact.Ratio // one unit of the text in units of the profile; zero if they are the same
	decimals int         // the number of decimals that is usual in the unit of the text
}

// usualDecimals is the number of decimals with which lengths are usually written in each unit. It is enough
// to write a thousandth of a millimetre in metric units, and a thousandth of an inch in inches.
var usualDecimals = map[string]int{"mm": 3, "cm": 4, "m": 6, "in": 3}

// maxTextDecimals is the maximum number of decimals in a text. It is enough to distinguish all coordinates of
// the grid in any unit.
const maxTextDecimals = 6

// newLengthText returns a lengthText that converts lengths from profileUnit to unit.
func newLengthText(unit, profileUnit string) (lengthText, error) {
	if unit == profileUnit {
		return lengthText{}, nil
	}
	ratio, ok := exact.UnitRatio(unit, profileUnit)
	if !ok {
		return lengthText{}, &OptionError{"unit", wording.Quote(unit) + " cannot be converted to the unit of the limits, " +
			wording.Quote(profileUnit) + "; accepted: " + wording.Units(unit)}
	}
	return lengthText{ratio, usualDecimals[unit]}, nil
}

// A decimalLength is the number digits / 10^decimals.
type decimalLength struct {
	digits   int64
	decimals int
}

func (d decimalLength) String() string {
	sign, text := "", strconv.FormatInt(max(d.digits, -d.digits), 10)
	if d.digits < 0 {
		sign = "-"
	}
	if missing := d.decimals + 1 - len(text); missing > 0 {
		text = strings.Repeat("0", missing) + text
	}
	point := len(text) - d.decimals
	return sign + strings.TrimSuffix(strings.TrimRight(text[:point]+"."+text[point:], "0"), ".")
}

func powerOf10(n int) int64 {
	power := int64(1)
	for range n {
		power *= 10
	}
	return power
}

// A rounding says in which direction a number is rounded.
type rounding int

const (
	down rounding = iota
	up
	halfUp
)

// convert converts the coordinate to the unit of the text, and rounds it to the given number of decimals.
func (t lengthText) convert(coordinate int64, decimals int, r rounding) decimalLength {
	// With coordinates up to 10^9, denominators up to 5000 and six decimals, the products are below 2^63.
	numerator, denominator := coordinate*t.unit.Den*powerOf10(decimals), exact.Scale*t.unit.Num
	switch r {
	case up:
		numerator += denominator - 1
	case halfUp:
		numerator += denominator / 2
	}
	digits := numerator / denominator
	if numerator%denominator < 0 { // Go rounds quotients towards zero
		digits--
	}
	return decimalLength{digits, decimals}
}

// read is the inverse of text: it returns the coordinate of a length that is given in the unit of the text.
func (t lengthText) read(d decimalLength) int64 {
	// A float64 represents both whole numbers exactly, so their quotient is the float64 nearest to the length.
	return exact.Grid(float64(d.digits*t.unit.Num) / float64(powerOf10(d.decimals)*t.unit.Den))
}

// text returns the coordinate as text, with as few decimals as possible.
func (t lengthText) text(coordinate int64) string {
	if t.unit.Den == 0 {
		return dimensionText(coordinate)
	}
	return t.fewestDecimals(coordinate).String()
}

// fewestDecimals returns the coordinate in the unit of the text, with just enough decimals that read converts
// it back to the same coordinate.
func (t lengthText) fewestDecimals(coordinate int64) decimalLength {
	for decimals := 0; ; decimals++ {
		if d := t.convert(coordinate, decimals, halfUp); decimals == maxTextDecimals || t.read(d) == coordinate {
			return d
		}
	}
}

// intervalTexts returns the ends of an interval as texts, rounded inwards. For example, if a width may be at
// most 11.063 in, which is 281.0002 mm, the text is 281. It is never a number such as 281.012, which is
// beyond the end of the interval, and is valid only because a check rounds it. If the interval is a single
// value, both texts are the text of this value.
func (t lengthText) intervalTexts(least, greatest int64) (low, high string) {
	if t.unit.Den > 0 && least < greatest {
		// Begin with the usual number of decimals. If the interval is too narrow to contain a number with these few
		// decimals, try more.
		for decimals := t.decimals; decimals <= maxTextDecimals; decimals++ {
			from, to := t.convert(least, decimals, up), t.convert(greatest, decimals, down)
			if from.digits <= to.digits {
				return from.String(), to.String()
			}
		}
	}
	return t.text(least), t.text(greatest)
}

// roundPoint returns a point close to p whose coordinates can be written with the usual number of decimals.
func (t lengthText) roundPoint(p exact.Point) exact.Point {
	for axis, coordinate := range p {
		p[axis] = t.read(t.convert(coordinate, t.decimals, halfUp))
	}
	return p
}
