package exact

import (
	"math"
	"math/big"
	"slices"
)

// ConvertibleUnits returns the units that lengths can be converted between: mm, cm, m and in. The caller may
// change the slice.
func ConvertibleUnits() []string { return slices.Clone(convertibleUnits) }

var convertibleUnits = []string{"mm", "cm", "m", "in"}

// tenthsOfMillimetre lists the lengths of the convertible units in the order of ConvertibleUnits. An inch is
// exactly 25.4 mm.
var tenthsOfMillimetre = []int64{10, 100, 10_000, 254}

// UnitRatio returns the factor that converts lengths from one unit to another. From "in" to "mm" it is 127/5,
// because an inch is 25.4 mm. If the two units are the same, the ratio is 1, even if the unit cannot be
// converted. ok is false if the units differ and one of them is not among [ConvertibleUnits].
func UnitRatio(from, to string) (ratio Ratio, ok bool) {
	if from == to {
		return Ratio{1, 1}, true
	}
	i, j := slices.Index(convertibleUnits, from), slices.Index(convertibleUnits, to)
	if i < 0 || j < 0 {
		return Ratio{}, false
	}
	num, den := tenthsOfMillimetre[i], tenthsOfMillimetre[j]
	common := GCD(num, den)
	return Ratio{num / common, den / common}, true
}

// ServiceUnit is the unit of the dimensions in requests to the printing service.
const ServiceUnit = "mm"

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
