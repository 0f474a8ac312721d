package reasons

import (
	"math/big"
	"strconv"
	"strings"

	"example.com/boxrules/exact"
)

// A number is the result of evaluating an exact.Value at a point. It is stored in small, or in large if it does not fit
// into small. A small number is below a billion, so a float64 is precise enough for six of its decimals.
type number struct {
	small exact.Ratio
	large *big.Rat
}

// numberOf returns the value of v at the point.
func numberOf(v exact.Value, at exact.Point) number {
	const limit = 1_000_000_000
	if small, ok := v.Ratio(at); ok && -limit < small.Num/small.Den && small.Num/small.Den < limit {
		return number{small: small}
	}
	return number{large: v.At(at)}
}

func (n number) equal(m number) bool {
	if n.large == nil && m.large == nil {
		return n.small == m.small
	}
	return n.toRat().Cmp(m.toRat()) == 0
}

func (n number) toRat() *big.Rat {
	if n.large != nil {
		return n.large
	}
	return big.NewRat(n.small.Num, n.small.Den)
}

// millionths is the denominator of a decimal with six places.
const millionths = 1_000_000

// isShort reports whether n can be written as a decimal with at most six places.
func (n number) isShort() bool {
	if n.large != nil {
		return new(big.Int).Rem(big.NewInt(millionths), n.large.Denom()).Sign() == 0
	}
	return millionths%n.small.Den == 0
}

// append appends n in full if it is short. Otherwise it appends ≈ and n rounded to three decimals: a third is
// ≈ 0.333.
func (n number) append(dst []byte) []byte {
	short := n.isShort()
	if !short {
		dst = append(dst, "≈ "...)
	}
	// Format small numbers as float64s, which is faster.
	switch small := float64(n.small.Num) / float64(n.small.Den); {
	case n.large == nil && short:
		return strconv.AppendFloat(dst, small, 'f', -1, 64)
	case n.large == nil:
		return strconv.AppendFloat(dst, small, 'f', 3, 64)
	case short:
		return append(dst, strings.TrimSuffix(strings.TrimRight(n.large.FloatString(6), "0"), ".")...)
	}
	return append(dst, n.large.FloatString(3)...)
}
