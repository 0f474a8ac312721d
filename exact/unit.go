package exact

import (
	"slices"
)

// ConvertibleUnits returns the units between which lengths can be converted: mm, cm, m and in. The caller
// may change the slice.
func ConvertibleUnits() []string { return slices.Clone(convertibleUnits) }

var convertibleUnits = []string{"mm", "cm", "m", "in"}

// tenthsOfMillimetre has the length of each convertible unit, in the same order. An inch is exactly 25.4 mm.
var tenthsOfMillimetre = []int64{10, 100, 10_000, 254}

// UnitRatio returns the factor that converts lengths from one unit to another: 127/5 if from is "in" and to
// is "mm", because an inch is 25.4 mm. If both are the same unit, even one that cannot be converted, the ratio
// is 1. ok is false if the units differ and one of them is not among [ConvertibleUnits].
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
