package exact

import (
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
