package codegen

import (
	"maps"
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/limits"
)

// A constant is the value of a variable that does not depend on the dimensions, such as caliper.
type constant struct {
	Name  string
	Value float64
}

// constantsOf returns the values of the named variables in the profile.
func constantsOf(f *exact.Form, names ...string) []constant {
	var constants []constant
	for _, name := range names {
		v, _ := f.Variables.Get(name)
		k, _ := v.Value.Constant()
		x, _ := k.Float64()
		constants = append(constants, constant{name, x})
	}
	return constants
}

// valueConstants returns the user-defined values whose names are in mentioned, sorted by name.
func valueConstants(mentioned map[string]bool, values limits.Values) []constant {
	var constants []constant
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if mentioned[name] {
			constants = append(constants, constant{name, values[name].Float64()})
		}
	}
	return constants
}

// longLimitConstants returns the limits of the profile that have more decimals than a dimension may have, such as a
// minimum of 20.25 if dimensions have one decimal.
func longLimitConstants(f *exact.Form) []constant {
	var long []constant
	for axis, field := range exact.AxisNames() {
		// Low and High are rounded to the step: Low is 20.3 for a minimum of 20.25.
		ends := constantsOf(f, "min_"+field, "max_"+field)
		for i, grid := range []int64{f.Low[axis], f.High[axis]} {
			if ends[i].Value != exact.Float64At(grid) {
				long = append(long, ends[i])
			}
		}
	}
	return long
}
