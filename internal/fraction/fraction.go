// Package fraction parses lengths with a fraction of an inch, such as 12 3/8.
package fraction

import (
	"math/big"
	"regexp"
	"strings"
)

var pattern = regexp.MustCompile(`^(-?)([0-9]{1,7}) ([0-9]{1,2})/(2|4|8|16|32|64)$`)

// Parse parses a whole number, a space, and a fraction that is less than 1 and has the denominator 2, 4, 8,
// 16, 32 or 64. For any other text, ok is false. A minus sign applies to the whole number and the fraction
// together: -1 1/2 is -1.5.
func Parse(text string) (value *big.Rat, ok bool) {
	parts := pattern.FindStringSubmatch(text)
	if parts == nil {
		return nil, false
	}
	value, _ = new(big.Rat).SetString(parts[2]) // cannot fail for digits
	part, _ := new(big.Rat).SetString(parts[3] + "/" + parts[4])
	if part.Cmp(big.NewRat(1, 1)) >= 0 {
		return nil, false
	}
	value.Add(value, part)
	if parts[1] != "" {
		value.Neg(value)
	}
	return value, true
}

// Decimal converts a text that Parse accepts to a decimal: 12 3/8 becomes 12.375. For any other text it
// returns "".
func Decimal(text string) string {
	value, ok := Parse(text)
	if !ok {
		return ""
	}
	return strings.TrimSuffix(strings.TrimRight(value.FloatString(6), "0"), ".") // 1/64 has six decimals
}
