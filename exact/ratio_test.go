package exact_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/exact"
)

// TestRatio: a Ratio is what At says, wherever it is given, for numbers of any size and at the
// ends of the grid.
func TestRatio(t *testing.T) {
	given, asked := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int64{5, 200, 1 << 14, 1 << 15, 1 << 37}).Draw(t, "most")
		over := func(denominators *rapid.Generator[int64]) *rapid.Generator[*big.Rat] {
			return rapid.Custom(func(t *rapid.T) *big.Rat {
				return big.NewRat(rapid.Int64Range(-most, most).Draw(t, "numerator"), denominators.Draw(t, "denominator"))
			})
		}
		number, whole := over(rapid.Int64Range(1, most)), over(rapid.SampledFrom([]int64{1, 2, 4, 10, 16_384}))
		sum := func() exact.Value {
			v := exact.Constant(number.Draw(t, "constant"))
			for axis := range exact.Axes {
				term, err := exact.Dimension(axis).Times(rapid.OneOf(whole, whole, whole, number).Draw(t, "coefficient"))
				if err != nil {
					t.Fatal(err)
				}
				if v, err = v.Add(term); err != nil {
					t.Fatal(err)
				}
			}
			return v
		}
		v := sum()
		if rapid.Bool().Draw(t, "extreme") {
			greatest := rapid.Bool().Draw(t, "greatest")
			v = exact.Extreme(greatest, v, exact.Extreme(!greatest, sum(), sum()))
		}
		for range 20 {
			at := drawPoint(t)
			asked++
			r, ok := v.Ratio(at)
			if !ok {
				continue
			}
			given++
			if want := v.At(at); want.Num().Cmp(big.NewInt(r.Num)) != 0 || want.Denom().Cmp(big.NewInt(r.Den)) != 0 {
				t.Fatalf("Ratio at %v = %v, want %v", at, r, want)
			}
		}
	})
	// About 42 % of the points of many values have a ratio. Of few values it may be any share.
	if asked >= 2_000 && given < asked/8 {
		t.Errorf("%d ratios of %d were given", given, asked)
	}
	if r, ok := (exact.Value{}).Ratio(exact.Point{}); !ok || r != (exact.Ratio{Num: 0, Den: 1}) {
		t.Errorf("the zero Value has the ratio %v, %v", r, ok)
	}
}

// TestRatioWorst: numbers at the bounds do not overflow, and beyond them there is no ratio.
func TestRatioWorst(t *testing.T) {
	for _, test := range []struct {
		coefficient, constant *big.Rat
		ok                    bool
	}{
		{big.NewRat(1<<14-1, 1), big.NewRat(1<<36-1, 1<<14-1), true},
		{big.NewRat(1<<14, 1), big.NewRat(1, 1), false},
		{big.NewRat(1, 1), big.NewRat(1<<36, 1), false},
		{big.NewRat(1<<14-1, 1<<14), big.NewRat(1, 1), true},
		{big.NewRat(1, 1<<15), big.NewRat(1, 1), false},
		{big.NewRat(1, 1), big.NewRat(1, 1<<24-1), false}, // together with the thousandths
		{big.NewRat(1, 1), big.NewRat(1, 1<<24), false},
		{big.NewRat(1, 1<<23), big.NewRat(1, 1<<24-1), false},
		{big.NewRat(0, 1), big.NewRat(1, 1<<24-1), true},
	} {
		v := exact.Constant(test.constant)
		for axis := range exact.Axes {
			term, _ := exact.Dimension(axis).Times(test.coefficient)
			v, _ = v.Add(term)
		}
		for _, x := range []int64{exact.MaxGrid, -exact.MaxGrid} {
			at := exact.Point{x, x, x}
			r, ok := v.Ratio(at)
			if ok != test.ok || ok && big.NewRat(r.Num, r.Den).Cmp(v.At(at)) != 0 {
				t.Errorf("%v each and %v: ratio %v, %v, want %v", test.coefficient, test.constant, r, ok, v.At(at))
			}
		}
	}
}

// TestRatioOfExtremes: the greatest and the least are told apart by less than one, also below zero.
func TestRatioOfExtremes(t *testing.T) {
	part := func(n, d int64) exact.Value {
		v, err := exact.Dimension(exact.Width).Times(big.NewRat(n, d))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, fractions := range [][2]exact.Value{{part(1, 3), part(1, 2)}, {part(2, 7), part(3, 11)}, {part(1, 9), part(1, 9)}} {
		for _, greatest := range []bool{false, true} {
			for _, x := range []int64{-2_000, -1, 0, 1, 1_000} {
				for i := range fractions {
					v, at := exact.Extreme(greatest, fractions[i], fractions[1-i]), exact.Point{x, 0, 0}
					if r, ok := v.Ratio(at); !ok || big.NewRat(r.Num, r.Den).Cmp(v.At(at)) != 0 {
						t.Errorf("at %v: ratio %v, %v, want %v", at, r, ok, v.At(at))
					}
				}
			}
		}
	}
	if r, ok := part(1, 1).Ratio(exact.Point{exact.MaxGrid + 1}); ok {
		t.Errorf("beyond the grid there is the ratio %v", r)
	}
}
