package exact_test

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/exact"
)

// rat reads "1/3" or "498.25".
func rat(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return r
}

// A formula is a Value, and what it should be at a point, computed without it.
type formula struct {
	exact.Value
	text string
	at   func(exact.Point) *big.Rat
}

func literal(k *big.Rat) formula {
	return formula{exact.Constant(k), k.RatString(), func(exact.Point) *big.Rat { return k }}
}

func variable(axis int) formula {
	return formula{
		exact.Dimension(axis),
		[]string{"w", "d", "h"}[axis],
		func(p exact.Point) *big.Rat { return big.NewRat(p[axis], 1000) },
	}
}

// add, scale and extreme return false if the Value cannot be made.
func (f formula) add(g formula) (formula, bool) {
	v, err := f.Add(g.Value)
	return formula{
		v,
		"(" + f.text + " + " + g.text + ")",
		func(p exact.Point) *big.Rat { return new(big.Rat).Add(f.at(p), g.at(p)) },
	}, err == nil
}

func (f formula) scale(k *big.Rat) (formula, bool) {
	v, err := f.Times(k)
	return formula{v, k.RatString() + "*" + f.text, func(p exact.Point) *big.Rat { return new(big.Rat).Mul(f.at(p), k) }}, err == nil
}

func extreme(max bool, formulas ...formula) formula {
	values := make([]exact.Value, len(formulas))
	text := map[bool]string{true: "max", false: "min"}[max]
	for i, f := range formulas {
		values[i] = f.Value
		text += "(" + f.text + ")"
	}
	return formula{exact.Extreme(max, values...), text, func(p exact.Point) *big.Rat {
		best := formulas[0].at(p)
		for _, f := range formulas[1:] {
			if c := f.at(p).Cmp(best); c > 0 && max || c < 0 && !max {
				best = f.at(p)
			}
		}
		return best
	}}
}

func drawRat(t *rapid.T, label string) *big.Rat {
	return big.NewRat(
		rapid.Int64Range(-60, 60).Draw(t, label),
		rapid.SampledFrom([]int64{1, 1, 2, 3, 4, 5, 7, 1000, 999}).Draw(t, "denominator"),
	)
}

func drawPoint(t *rapid.T) exact.Point {
	coordinate := rapid.OneOf(
		rapid.Int64Range(-5000, 5000),
		rapid.Int64Range(-exact.MaxGrid, exact.MaxGrid),
		rapid.SampledFrom([]int64{exact.MaxGrid, -exact.MaxGrid}),
	)
	return exact.Point{coordinate.Draw(t, "w"), coordinate.Draw(t, "d"), coordinate.Draw(t, "h")}
}

func drawFormula(t *rapid.T, depth int) formula {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth == 0 {
		kind %= 2
	}
	switch kind {
	case 0:
		return literal(drawRat(t, "constant"))
	case 1:
		return variable(rapid.IntRange(exact.Width, exact.Height).Draw(t, "axis"))
	case 2, 3:
		parts := []formula{drawFormula(t, depth-1), drawFormula(t, depth-1)}
		if rapid.Bool().Draw(t, "third") {
			parts = append(parts, drawFormula(t, depth-1))
		}
		return extreme(kind == 2, parts...)
	case 4:
		if f, ok := drawFormula(t, depth-1).scale(drawRat(t, "factor")); ok {
			return f
		}
	case 5:
		if f, ok := drawFormula(t, depth-1).add(drawFormula(t, depth-1)); ok {
			return f
		}
	}
	return literal(big.NewRat(1, 3))
}

func TestValueAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFormula(t, 4)
		for range 4 {
			p := drawPoint(t)
			if got, want := f.At(p), f.at(p); got.Cmp(want) != 0 {
				t.Fatalf("%s at %v = %v, want %v", f.text, p, got, want)
			}
			if k, ok := f.Constant(); ok && k.Cmp(f.at(p)) != 0 {
				t.Fatalf("%s is the constant %v, and at %v it is %v", f.text, k, p, f.at(p))
			}
			if got := byParts(f.Value, p); got.Cmp(f.at(p)) != 0 {
				t.Fatalf("%s at %v = %v by its parts, want %v", f.text, p, got, f.at(p))
			}
		}
	})
}

// byParts is a value at a point, computed from its parts and coefficients.
func byParts(v exact.Value, p exact.Point) *big.Rat {
	if coefficients, constant, ok := v.Linear(); ok {
		total := new(big.Rat).Set(constant)
		for axis, c := range coefficients {
			total.Add(total, new(big.Rat).Mul(c, big.NewRat(p[axis], exact.Scale)))
		}
		return total
	}
	max, parts := v.Parts()
	best := byParts(parts[0], p)
	for _, part := range parts[1:] {
		if at := byParts(part, p); at.Cmp(best) > 0 == max {
			best = at
		}
	}
	return best
}

// TestImmutable: what is made of a value does not change it, nor does what a caller does with a
// result.
func TestImmutable(t *testing.T) {
	k := big.NewRat(1, 3)
	v := exact.Dimension(exact.Depth)
	sum, err := v.Add(exact.Constant(k))
	if err != nil {
		t.Fatal(err)
	}
	both := exact.Extreme(true, v, sum)
	p := exact.Point{0, 3000, 0}
	before := []string{v.At(p).String(), sum.At(p).String(), both.At(p).String()}
	sum.At(p).SetInt64(99)
	exact.Constant(k).At(p).SetInt64(98)
	exact.Constant(new(big.Rat)).At(p).SetInt64(97)
	for _, factor := range []*big.Rat{big.NewRat(-2, 1), new(big.Rat)} {
		if _, err := both.Times(factor); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := both.Add(both); err != nil {
		t.Fatal(err)
	}
	for i, after := range []string{v.At(p).String(), sum.At(p).String(), both.At(p).String()} {
		if after != before[i] {
			t.Errorf("value %d became %s, want %s", i, after, before[i])
		}
	}
	if k.RatString() != "1/3" || v.At(exact.Point{}).Sign() != 0 {
		t.Errorf("the constant became %v, and zero %v", k, v.At(exact.Point{}))
	}
}

func TestConstant(t *testing.T) {
	w, third, two := exact.Dimension(exact.Width), exact.Constant(rat("1/3")), exact.Constant(rat("2"))
	minus := func(v exact.Value) exact.Value {
		scaled, err := v.Times(rat("-1"))
		if err != nil {
			t.Fatal(err)
		}
		return scaled
	}
	plus := func(v, w exact.Value) exact.Value {
		sum, err := v.Add(w)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	none, err := exact.Extreme(true, w, two).Times(new(big.Rat))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		value exact.Value
		want  string // empty if the value is not a constant
	}{
		{"1/3", third, "1/3"},
		{"w", w, ""},
		{"w + 2", plus(w, two), ""},
		{"w - w", plus(w, minus(w)), "0"},
		{"2 + 1/3", plus(two, third), "7/3"},
		{"min(2, 1/3)", exact.Extreme(false, two, third), "1/3"},
		{"max(1/3, 2)", exact.Extreme(true, third, two), "2"},
		{"max(2, 1/3, w - w)", exact.Extreme(true, two, third, plus(w, minus(w))), "2"},
		{"-max(1/3, 2)", minus(exact.Extreme(true, third, two)), "-2"},
		{"max(min(2, 1/3), 0)", exact.Extreme(true, exact.Extreme(false, two, third), exact.Constant(new(big.Rat))), "1/3"},
		{"min(w, 2)", exact.Extreme(false, w, two), ""},
		{"max(2, min(w, 2))", exact.Extreme(true, two, exact.Extreme(false, w, two)), ""},
		{"0 * max(w, 2)", none, "0"},
	} {
		k, ok := test.value.Constant()
		if ok != (test.want != "") || ok && k.RatString() != test.want {
			t.Errorf("%s: Constant() = %v, %v, want %q", test.name, k, ok, test.want)
		}
	}
}

// TestComplex adds minimums of many parts: 256 sums are accepted, one more is not.
func TestComplex(t *testing.T) {
	many := func(n int) exact.Value {
		if n == 1 {
			return exact.Dimension(exact.Height)
		}
		parts := make([]exact.Value, n-1)
		for i := range parts {
			parts[i] = exact.Dimension(exact.Width)
		}
		// The parts count, however they are nested.
		return exact.Extreme(true, exact.Dimension(exact.Depth), exact.Extreme(false, parts...))
	}
	for _, test := range []struct {
		a, b int
		want error
	}{
		{1, 256, nil}, {256, 1, nil}, {16, 16, nil}, {2, 128, nil},
		{1, 257, exact.ErrComplex}, {257, 1, exact.ErrComplex}, {16, 17, exact.ErrComplex}, {129, 2, exact.ErrComplex}, {100000, 100000,
			exact.ErrComplex},
	} {
		sum, err := many(test.a).Add(many(test.b))
		if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
			t.Errorf("a maximum of %d plus one of %d: error %v, want %v", test.a, test.b, err, test.want)
		}
		if err != nil {
			continue
		}
		if c, err := exact.AboveZero(sum, false); err != nil || c.Kind() == exact.False {
			t.Errorf("a maximum of %d plus one of %d: positive at %v, error %v", test.a, test.b, c, err)
		}
	}
}

// TestConstantsAreOne: constants do not count by the number, since they are folded.
func TestConstantsAreOne(t *testing.T) {
	constants := make([]exact.Value, 300)
	for i := range constants {
		constants[i] = exact.Constant(big.NewRat(int64(i), 1))
	}
	sum, err := exact.Extreme(true, constants...).Add(exact.Extreme(false, constants...))
	if k, ok := sum.Constant(); err != nil || !ok || k.RatString() != "299" {
		t.Errorf("the maximum and the minimum of 0 to 299 make %v, %v, error %v, want 299", k, ok, err)
	}
}

// TestBits: a number of 512 bits, numerator and denominator, is accepted on the way, one of 513
// is not.
func TestBits(t *testing.T) {
	power := func(n uint) *big.Rat { return new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), n)) }
	over := func(n uint) *big.Rat { return new(big.Rat).Inv(power(n)) }
	w := exact.Dimension(exact.Width)
	for _, test := range []struct {
		factor *big.Rat
		want   error
	}{
		{power(510), nil}, {power(511), exact.ErrMagnitude}, {over(510), nil}, {over(511), exact.ErrMagnitude},
		{new(big.Rat).Neg(power(511)), exact.ErrMagnitude}, {new(big.Rat), nil},
	} {
		for name, value := range map[string]exact.Value{
			"w": w, "1": exact.Constant(rat("1")), "min(w, 1)": exact.Extreme(false, w, exact.Constant(rat("1"))),
		} {
			if _, err := value.Times(test.factor); !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
				t.Errorf("%s times %.20v: error %v, want %v", name, test.factor, err, test.want)
			}
		}
	}
	large, err := exact.Constant(rat("1")).Times(power(510))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]exact.Value{"2^510": large, "max(w, 2^510)": exact.Extreme(true, w, large)} {
		if _, err := value.Add(large); !errors.Is(err, exact.ErrMagnitude) {
			t.Errorf("%s + 2^510: error %v, want %v", name, err, exact.ErrMagnitude)
		}
	}
	for _, err := range []error{exact.ErrMagnitude, exact.ErrComplex} {
		if text := fmt.Sprint(err); len(text) < 20 || len(text) > 120 {
			t.Errorf("error %q does not say what is wrong in a line", text)
		}
	}
}

// TestVariables: a variable in both maps is the one of the article in its material.
func TestVariables(t *testing.T) {
	constant := func(k int64) exact.Variable { return exact.Variable{Value: exact.Constant(big.NewRat(k, 1))} }
	variables := exact.NewVariables(
		map[string]exact.Variable{"shared": constant(1), "both": constant(2)},
		map[string]exact.Variable{"own": constant(3), "both": constant(4)},
	)
	want := map[string]int64{"shared": 1, "own": 3, "both": 4}
	for name, v := range variables.All() {
		got, ok := variables.Get(name)
		k, _ := got.Value.Constant()
		if other, _ := v.Value.Constant(); !ok || k.Cmp(other) != 0 || k.Cmp(big.NewRat(want[name], 1)) != 0 {
			t.Errorf("%s is %v and %v, want %d", name, k, other, want[name])
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("All leaves out %v", want)
	}
	if _, ok := variables.Get("other"); ok {
		t.Errorf("there is no other variable")
	}
}
