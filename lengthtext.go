package boxrules

import (
	"strconv"
	"strings"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
)

// A lengthText writes lengths of the grid in another unit than that of the profile. There, most of them have
// many decimals: 11.811 in are 299.9994 mm. A lengthText writes fewer, but only numbers that are read as the
// same length: 300 mm are 11.81102… in, and the grid rounds that to 11.811.
//
// The zero lengthText writes lengths in the unit of the profile.
type lengthText struct {
	unit     exact.Ratio // one unit of the text in units of the profile; zero if they are the same
	decimals int         // how many people use in the unit of the text
}

// usualDecimals are the decimals of a thousandth of a millimetre, and for inches those of a thousandth of an inch.
var usualDecimals = map[string]int{"mm": 3, "cm": 4, "m": 6, "in": 3}

// maxTextDecimals are enough to tell all coordinates of the grid apart in any unit.
const maxTextDecimals = 6

// newLengthText returns the lengthText that writes lengths of a profile in another unit.
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

// A decimal is the number digits / 10^decimals.
type decimal struct {
	digits   int64
	decimals int
}

func (d decimal) String() string {
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

// lessOrEqual reports whether d <= other. Neither has more than maxTextDecimals.
func (d decimal) lessOrEqual(other decimal) bool {
	return d.digits*powerOf10(maxTextDecimals-d.decimals) <= other.digits*powerOf10(maxTextDecimals-other.decimals)
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

// in returns the coordinate in the unit of the text, rounded to the decimals.
func (t lengthText) in(coordinate int64, decimals int, r rounding) decimal {
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
	return decimal{digits, decimals}
}

// read returns the coordinate that a list has in which the number is written.
func (t lengthText) read(d decimal) int64 {
	// Both are whole numbers that a float64 represents exactly, so this is the float64 nearest to the length.
	return exact.Grid(float64(d.digits*t.unit.Num) / float64(powerOf10(d.decimals)*t.unit.Den))
}

// point writes the coordinate with the fewest decimals.
func (t lengthText) point(coordinate int64) string {
	if t.unit.Den == 0 {
		return gridText(coordinate)
	}
	return t.fewestDecimals(coordinate).String()
}

func (t lengthText) fewestDecimals(coordinate int64) decimal {
	for decimals := 0; ; decimals++ {
		if d := t.in(coordinate, decimals, halfUp); decimals == maxTextDecimals || t.read(d) == coordinate {
			return d
		}
	}
}

// ends writes the ends of a range. It rounds inwards: if a width may be at most 11.063 in, ends writes 281 mm. It
// does not write 281.012 mm, which is too long and valid only because the grid rounds it.
func (t lengthText) ends(least, greatest int64) (low, high string) {
	if t.unit.Den == 0 {
		return gridText(least), gridText(greatest)
	}
	from, to := t.inward(least, greatest, up), t.inward(greatest, least, down)
	if !from.lessOrEqual(to) { // no number with so few decimals is in the range
		from, to = t.fewestDecimals(least), t.fewestDecimals(greatest)
	}
	return from.String(), to.String()
}

// inward returns the end of a range whose other end is given, rounded. It has the usual decimals, or more if the
// range is too narrow for them.
func (t lengthText) inward(end, other int64, r rounding) decimal {
	for decimals := t.decimals; ; decimals++ {
		d := t.in(end, decimals, r)
		if read := t.read(d); decimals == maxTextDecimals || min(end, other) <= read && read <= max(end, other) {
			return d
		}
	}
}

// shorten returns a point close to the given one, whose lengths can be written with the usual decimals.
func (t lengthText) shorten(p exact.Point) exact.Point {
	for axis, coordinate := range p {
		p[axis] = t.read(t.in(coordinate, t.decimals, halfUp))
	}
	return p
}
