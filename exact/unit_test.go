package exact_test

import (
	"math/big"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/exact"
)

func TestUnitRatio(t *testing.T) {
	for _, test := range []struct {
		from, to string
		want     exact.Ratio
	}{
		{"in", "mm", exact.Ratio{Num: 127, Den: 5}},
		{"mm", "in", exact.Ratio{Num: 5, Den: 127}},
		{"in", "cm", exact.Ratio{Num: 127, Den: 50}},
		{"m", "in", exact.Ratio{Num: 5000, Den: 127}},
		{"m", "mm", exact.Ratio{Num: 1000, Den: 1}},
		{"cm", "m", exact.Ratio{Num: 1, Den: 100}},
		{"in", "in", exact.Ratio{Num: 1, Den: 1}},
		{"Zoll", "Zoll", exact.Ratio{Num: 1, Den: 1}},
		{"Zoll", "in", exact.Ratio{}},
		{"mm", "MM", exact.Ratio{}},
	} {
		if got, ok := exact.UnitRatio(test.from, test.to); got != test.want || ok != (test.want.Den > 0) {
			t.Errorf("UnitRatio(%s, %s) = %v, %v, want %v", test.from, test.to, got, ok, test.want)
		}
	}
	units := exact.ConvertibleUnits()
	units[0] = "changed by the caller"
	if want := []string{"mm", "cm", "m", "in"}; !slices.Equal(exact.ConvertibleUnits(), want) {
		t.Errorf("ConvertibleUnits() = %v, want %v", exact.ConvertibleUnits(), want)
	}
}

// TestConvert: the result for a number on the grid is the float64 nearest to the exact length, and that for any other
// number differs from it by less than two roundings.
func TestConvert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.SampledFrom(exact.ConvertibleUnits())
		ratio, _ := exact.UnitRatio(units.Draw(t, "from"), units.Draw(t, "to"))
		decimals := rapid.SampledFrom([]int{3, 3, 5}).Draw(t, "decimals")
		scale := int64(1000)
		if decimals == 5 {
			scale = 100_000
		}
		number := big.NewRat(rapid.Int64Range(-exact.MaxDimension*scale, exact.MaxDimension*scale).Draw(t, "number"), scale)
		x, _ := strconv.ParseFloat(number.FloatString(decimals), 64)
		want, _ := new(big.Rat).Mul(number, ratio.Rat()).Float64()
		got := ratio.Convert(x)
		difference := (got - want) / want
		if got != want && (decimals == 3 || difference > 0x1p-51 || difference < -0x1p-51) {
			t.Fatalf("%v.Convert(%v) = %v, want %v", ratio, x, got, want)
		}
	})
}

// TestConvertThousandths converts numbers of thousandths whose product with 1000 is not a whole number in float64: 1.001
// times 1000 is a little less than 1001.
func TestConvertThousandths(t *testing.T) {
	for _, test := range []struct {
		from, to string
		x, want  float64
	}{
		{"m", "mm", 1.001, 1001}, {"m", "mm", -1.001, -1001}, {"in", "mm", 1.001, 25.4254}, {"mm", "cm", 1.003, 0.1003},
	} {
		ratio, _ := exact.UnitRatio(test.from, test.to)
		if got := ratio.Convert(test.x); got != test.want {
			t.Errorf("%v %s are %v %s, want %v", test.x, test.from, got, test.to, test.want)
		}
	}
}
