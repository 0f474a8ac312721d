package exact

import (
	"math"
	"math/big"
)

// A Ratio is the number Num/Den in lowest terms, with a positive Den. So equal numbers are equal Ratios: two
// thirds is always {2, 3}.
type Ratio struct{ Num, Den int64 }

// greater reports whether r > s.
func (r Ratio) greater(s Ratio) bool {
	// Compare the whole parts first. Multiplying the numerators by the denominators could overflow, but the
	// remainders are less than the denominators, whose product fits an int64.
	whole, other := FloorDiv(r.Num, r.Den), FloorDiv(s.Num, s.Den)
	return whole > other || whole == other && (r.Num-whole*r.Den)*s.Den > (s.Num-other*s.Den)*r.Den
}

// These constants bound the size, in bits, of the numbers that Value.Ratio accepts. With these bounds it cannot
// overflow: over a common denominator, the numerator of its sum is always below 2^62.
const (
	coefficientBits = 14 // for the numerator of a coefficient
	constantBits    = 36 // for the numerator of the constant
	denominatorBits = 24 // for every denominator
)

// Ratio returns the same number as [Value.At], but faster and without allocating. If the numbers are too
// large for a Ratio, ok is false; call At instead.
func (v Value) Ratio(p Point) (r Ratio, ok bool) {
	v = v.orZero()
	if v.linear != nil {
		return v.linear.ratio(p)
	}
	// v is the maximum or minimum of its parts.
	for i, part := range v.parts {
		s, ok := part.Ratio(p)
		if !ok {
			return Ratio{}, false
		}
		if i == 0 || v.isMaximum == s.greater(r) {
			r = s
		}
	}
	return r, true
}

func abs(x int64) int64 { return max(x, -x) }

// Rat returns r as a new big.Rat. It panics for the zero Ratio.
func (r Ratio) Rat() *big.Rat { return big.NewRat(r.Num, r.Den) }

// Convert converts the length x to another unit. r is the factor that [UnitRatio] returns. If x is the
// float64 nearest to a whole number of thousandths, the result is the float64 nearest to the exact length.
// This is the number that a service reads if the converted length is sent to it as a decimal: 12.001 inches
// is 304.8254 mm. Multiplying 12.001 by 25.4 in float64 need not give the same number. Any other x is
// multiplied and divided in float64, which rounds twice.
//
// Generated JavaScript contains the same formula.
func (r Ratio) Convert(x float64) float64 {
	if r.Num == r.Den {
		return x
	}
	// The conversions keep a compiler from fusing two operations into one rounding.
	thousandths := float64(x * Scale)
	if whole := math.Floor(thousandths + 0.5); whole/Scale == x {
		// For a length within MaxDimension both products are whole numbers below 2^53, which float64s represent
		// exactly. So only the division rounds.
		thousandths = whole
	}
	return float64(thousandths*float64(r.Num)) / float64(Scale*r.Den)
}
