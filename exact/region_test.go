package exact_test

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/exact"
)

// form is w*width + d*depth + h*height + k.
func form(t testing.TB, w, d, h, k string) exact.Value {
	t.Helper()
	total := exact.Constant(rat(k))
	for axis, c := range []string{w, d, h} {
		part, err := exact.Dimension(axis).Times(rat(c))
		if err != nil {
			t.Fatal(err)
		}
		if total, err = total.Add(part); err != nil {
			t.Fatal(err)
		}
	}
	return total
}

func TestGrid(t *testing.T) {
	for _, test := range []struct {
		x    float64
		want int64
	}{
		{0, 0}, {12, 12_000}, {12.3, 12_300}, {12.0004, 12_000}, {1e6, exact.MaxGrid}, {-1e6, -exact.MaxGrid},
		{0.0005, 1}, {0.0004999999999999999, 0}, {-0.0005, 0}, {-0.0006, -1}, {-0.0015, -1}, {-0.00150001, -2}, {-3.1, -3100},
		{1.0005, 1001}, // a little less than it says, but the product is 1000.5
	} {
		if got := exact.Grid(test.x); got != test.want {
			t.Errorf("Grid(%v) = %d, want %d", test.x, got, test.want)
		}
	}
}

// TestOnStep: only the float64 nearest to a multiple of the step is on it, and with the step 1 every length is.
func TestOnStep(t *testing.T) {
	for _, test := range []struct {
		x    float64
		step int64
		want bool
	}{
		{48.0004, 1, true}, {-48.0005, 1, true},
		{48.25, 10, true}, {48.255, 10, false},
		{48.2, 100, true}, {48.25, 100, false}, {48.2 + 1e-14, 100, false}, {-48.2, 100, true}, {0, 100, true},
		{48, 1000, true}, {48.5, 1000, false}, {exact.MaxDimension, 1000, true},
	} {
		if got := exact.OnStep(test.x, test.step); got != test.want {
			t.Errorf("OnStep(%v, %d) = %v, want %v", test.x, test.step, got, test.want)
		}
	}
}

// TestAboveZero has forms with the half-spaces where they are greater than zero, and where they
// are at least zero.
func TestAboveZero(t *testing.T) {
	for _, test := range []struct{ w, d, h, k, strict, inclusive string }{
		{"1", "0", "0", "0", "1·w+0·d+0·h > 0", "1·w+0·d+0·h > -1"},
		{"-1", "1", "0", "0", "-1·w+1·d+0·h > 0", "-1·w+1·d+0·h > -1"},
		{"1", "1", "0", "-498.25", "1·w+1·d+0·h > 498250", "1·w+1·d+0·h > 498249"},
		{"-1", "0", "-1", "498.25", "-1·w+0·d-1·h > -498250", "-1·w+0·d-1·h > -498251"},
		// A bound between two grid points is the same for both.
		{"1", "0", "0", "-1/3", "1·w+0·d+0·h > 333", "1·w+0·d+0·h > 333"},
		{"1", "0", "0", "1/3", "1·w+0·d+0·h > -334", "1·w+0·d+0·h > -334"},
		{"-1", "0", "0", "1/3", "-1·w+0·d+0·h > -334", "-1·w+0·d+0·h > -334"},
		{"-1", "0", "0", "-1/3", "-1·w+0·d+0·h > 333", "-1·w+0·d+0·h > 333"},
		{"0", "0", "3", "-1", "0·w+0·d+1·h > 333", "0·w+0·d+1·h > 333"},
		{"0", "1", "0", "-0.0005", "0·w+1·d+0·h > 0", "0·w+1·d+0·h > 0"},
		{"0", "1", "0", "0.0005", "0·w+1·d+0·h > -1", "0·w+1·d+0·h > -1"},
		// Denominators are multiplied away, common factors divided out.
		{"-1/3", "1", "0", "0", "-1·w+3·d+0·h > 0", "-1·w+3·d+0·h > -1"},
		{"1/4", "-1/6", "0", "0", "3·w-2·d+0·h > 0", "3·w-2·d+0·h > -1"},
		{"2", "4", "-6", "-10", "1·w+2·d-3·h > 5000", "1·w+2·d-3·h > 4999"},
		{"2", "4", "0", "-0.003", "1·w+2·d+0·h > 1", "1·w+2·d+0·h > 1"},
		{"2", "4", "0", "0.003", "1·w+2·d+0·h > -2", "1·w+2·d+0·h > -2"},
		{"-4/3", "0", "2/5", "1/7", "-10·w+0·d+3·h > -1072", "-10·w+0·d+3·h > -1072"},
		{"7", "0", "0", "-7", "1·w+0·d+0·h > 1000", "1·w+0·d+0·h > 999"},
		{"0", "0", "0", "1/1000000", "true", "true"},
		{"0", "0", "0", "0", "false", "true"},
		{"0", "0", "0", "-1/1000000", "false", "false"},
		// 2^53 - 1 = 9007199 * 10^9 + 254740991 is the greatest sum of magnitudes.
		{"9007198", "1", "0", "-254740.991", "9007198·w+1·d+0·h > 254740991", "9007198·w+1·d+0·h > 254740990"},
		{"9007198", "1", "0", "254740.991", "9007198·w+1·d+0·h > -254740991", ""},
		{"9007198", "1", "0", "254740.990", "9007198·w+1·d+0·h > -254740990", "9007198·w+1·d+0·h > -254740991"},
		{"9007198", "1", "0", "-254740.992", "", "9007198·w+1·d+0·h > 254740991"},
		{"9007198", "1", "0", "254740.992", "", ""},
		{"-9007190", "4", "-5", "-254740.9915", "-9007190·w+4·d-5·h > 254740991", "-9007190·w+4·d-5·h > 254740991"},
		{"9007199", "-1", "0", "0", "", ""},
		{"3000000", "-3000000", "3000001", "0", "3000000·w-3000000·d+3000001·h > 0", "3000000·w-3000000·d+3000001·h > -1"},
		{"4000000", "-4000000", "4000001", "0", "", ""},
		{"1", "0", "0", "-9007198254740.991", "1·w+0·d+0·h > 9007198254740991", "1·w+0·d+0·h > 9007198254740990"},
		{"1", "0", "0", "-9007198254740.992", "", "1·w+0·d+0·h > 9007198254740991"},
		{"1", "0.00000000000001", "0", "0", "", ""},
		{"1000000000000000", "-3000000000000000", "0", "0", "1·w-3·d+0·h > 0", "1·w-3·d+0·h > -1"},
	} {
		v := form(t, test.w, test.d, test.h, test.k)
		for inclusive, want := range map[bool]string{false: test.strict, true: test.inclusive} {
			c, err := exact.AboveZero(v, inclusive)
			if want == "" {
				if !errors.Is(err, exact.ErrMagnitude) {
					t.Errorf("AboveZero(%+v, %v) = %v, %v, want %v", test, inclusive, c, err, exact.ErrMagnitude)
				}
				continue
			}
			if err != nil || c.String() != want {
				t.Errorf("AboveZero(%+v, %v) = %v, %v, want %s", test, inclusive, c, err, want)
			}
		}
	}
}

// TestAboveZeroPieces: a maximum is positive where some part is, a minimum where all are.
func TestAboveZeroPieces(t *testing.T) {
	w, d := exact.Dimension(exact.Width), exact.Dimension(exact.Depth)
	zero, one := exact.Constant(new(big.Rat)), exact.Constant(rat("1"))
	huge := form(t, "9007199", "-1", "0", "0")
	for _, test := range []struct {
		value             exact.Value
		strict, inclusive string
	}{
		{exact.Extreme(true, w, d), "(1·w+0·d+0·h > 0 or 0·w+1·d+0·h > 0)", "(1·w+0·d+0·h > -1 or 0·w+1·d+0·h > -1)"},
		{exact.Extreme(false, w, d), "(1·w+0·d+0·h > 0 and 0·w+1·d+0·h > 0)", "(1·w+0·d+0·h > -1 and 0·w+1·d+0·h > -1)"},
		{exact.Extreme(true, w, zero), "1·w+0·d+0·h > 0", "true"},
		{exact.Extreme(false, w, zero), "false", "1·w+0·d+0·h > -1"},
		{exact.Extreme(false, one, exact.Extreme(true, w, exact.Extreme(false, d, one))), "(1·w+0·d+0·h > 0 or 0·w+1·d+0·h > 0)",
			"(1·w+0·d+0·h > -1 or 0·w+1·d+0·h > -1)"},
		{exact.Extreme(true, w, huge), "", ""},
		{exact.Extreme(false, exact.Extreme(true, w, huge), d), "", ""},
	} {
		for inclusive, want := range map[bool]string{false: test.strict, true: test.inclusive} {
			c, err := exact.AboveZero(test.value, inclusive)
			if want == "" && !errors.Is(err, exact.ErrMagnitude) || want != "" && (err != nil || c.String() != want) {
				t.Errorf("AboveZero(%v) = %v, %v, want %q", inclusive, c, err, want)
			}
		}
	}
}

// TestAboveZeroExact compares with the sign of the value near its zeros, where a rounding would
// show.
func TestAboveZeroExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, p := drawFormula(t, 3), drawPoint(t)
		// With the value at p taken off, p is on the boundary; then come steps of a grid point and
		// less.
		step := rat(
			rapid.SampledFrom([]string{"0", "1/1000", "-1/1000", "1/3000", "-1/3000", "1/999", "-1/7", "1/1000000", "-1/1000000"}).
				Draw(t, "step"),
		)
		shifted, ok := f.add(literal(new(big.Rat).Sub(step, f.at(p))))
		if !ok {
			t.Skip("too complex")
		}
		for _, inclusive := range []bool{false, true} {
			c, err := exact.AboveZero(shifted.Value, inclusive)
			if err != nil {
				if !errors.Is(err, exact.ErrMagnitude) {
					t.Fatalf("AboveZero(%s) = %v", shifted.text, err)
				}
				return
			}
			wellFormed(t, c)
			for axis := range 4 {
				for _, by := range []int64{-1, 0, 1} {
					q := p
					if axis < exact.Axes {
						q[axis] += by
					}
					sign := shifted.at(q).Sign()
					if want := sign > 0 || sign == 0 && inclusive; c.Contains(q) != want || exact.Not(c).Contains(q) == want {
						t.Fatalf("AboveZero(%s, %v) at %v = %v, want %v", shifted.text, inclusive, q, c.Contains(q), want)
					}
				}
			}
		}
	})
}

// wellFormed checks what the comments on Region and HalfSpace promise.
func wellFormed(t *rapid.T, c exact.Region) {
	switch c.Kind() {
	case exact.Half:
		for _, h := range []exact.HalfSpace{c.HalfSpace(), c.HalfSpace().Complement()} {
			sum := new(big.Int)
			for _, a := range h.A {
				sum.Add(sum, new(big.Int).Mul(new(big.Int).Abs(big.NewInt(a)), big.NewInt(exact.MaxGrid)))
			}
			sum.Add(sum, new(big.Int).Abs(big.NewInt(h.K)))
			if sum.Cmp(big.NewInt(1<<53)) > 0 {
				t.Fatalf("%v can pass 2^53", h)
			}
		}
	case exact.And, exact.Or:
		if len(c.Parts()) < 2 {
			t.Fatalf("%v has fewer than two parts", c)
		}
		for _, part := range c.Parts() {
			if part.Kind() == exact.True || part.Kind() == exact.False || part.Kind() == c.Kind() {
				t.Fatalf("%v has the part %v", c, part)
			}
			wellFormed(t, part)
		}
	}
}

var (
	halfA    = exact.HalfSpace{A: [3]int64{1, 0, -2}, K: -3}.Region()
	halfB    = exact.HalfSpace{A: [3]int64{0, 1, 0}, K: 5}.Region()
	halfC    = exact.HalfSpace{A: [3]int64{0, 0, 1}, K: 7}.Region()
	anywhere = exact.Everywhere()
	nowhere  exact.Region
)

func halves(t exact.Region) int { return len(slices.Collect(t.HalfSpaces())) }

func TestCombine(t *testing.T) {
	all, any, not := exact.AllOf, exact.AnyOf, exact.Not
	const a, b, c = "1·w+0·d-2·h > -3", "0·w+1·d+0·h > 5", "0·w+0·d+1·h > 7"
	for _, test := range []struct {
		condition exact.Region
		want      string
		halves    int
	}{
		{nowhere, "false", 0},
		{anywhere, "true", 0},
		{all(), "true", 0},
		{any(), "false", 0},
		{halfA, a, 1},
		{all(halfA), a, 1},
		{any(halfA), a, 1},
		{all(halfA, anywhere), a, 1},
		{any(nowhere, halfA), a, 1},
		{all(halfA, nowhere), "false", 0},
		{any(halfA, anywhere), "true", 0},
		{all(anywhere, anywhere), "true", 0},
		{all(halfA, halfB, halfA), "(" + a + " and " + b + ")", 2},
		{any(halfA, halfA), a, 1},
		{all(all(halfA, halfB), halfC, all(halfB, halfC)), "(" + a + " and " + b + " and " + c + ")", 3},
		{any(halfA, any(halfB, any(halfC, halfA))), "(" + a + " or " + b + " or " + c + ")", 3},
		{all(halfA, any(halfB, halfC)), "(" + a + " and (" + b + " or " + c + "))", 3},
		{all(halfA, any(halfA, halfB), any(halfC, nowhere)), "(" + a + " and (" + a + " or " + b + ") and " + c + ")", 4},
		{any(all(halfA, nowhere), all(halfB, anywhere)), b, 1},
		{not(anywhere), "false", 0},
		{not(nowhere), "true", 0},
		{not(halfA), "-1·w+0·d+2·h > 2", 1},
		{not(halfB), "0·w-1·d+0·h > -6", 1},
		{not(all(halfA, halfB)), "(-1·w+0·d+2·h > 2 or 0·w-1·d+0·h > -6)", 2},
		{not(any(halfA, all(halfB, halfC))), "(-1·w+0·d+2·h > 2 and (0·w-1·d+0·h > -6 or 0·w+0·d-1·h > -8))", 3},
	} {
		if got := test.condition.String(); got != test.want || halves(test.condition) != test.halves {
			t.Errorf("condition %s with %d halves, want %s with %d", got, halves(test.condition), test.want, test.halves)
		}
	}
	// Flattening copies: what was joined stays as it was.
	parts := all(halfA, halfB)
	if joined := all(parts, halfC); fmt.Sprint(parts) != "("+a+" and "+b+")" || halves(joined) != 3 {
		t.Errorf("after a join with %v the part is %v", joined, parts)
	}
}

func TestHolds(t *testing.T) {
	inA, inB, inAB := exact.Point{-2, 5, 0}, exact.Point{-3, 6, 0}, exact.Point{-2, 6, 0}
	for _, test := range []struct {
		condition         exact.Region
		none, a, b, aAndB bool
	}{
		{nowhere, false, false, false, false},
		{anywhere, true, true, true, true},
		{halfA, false, true, false, true},
		{exact.Not(halfA), true, false, true, false},
		{exact.AllOf(halfA, halfB), false, false, false, true},
		{exact.AnyOf(halfA, halfB), false, true, true, true},
		{exact.Not(exact.AnyOf(halfA, halfB)), true, false, false, false},
	} {
		got := [4]bool{
			test.condition.Contains(exact.Point{-3, 5, 0}),
			test.condition.Contains(inA),
			test.condition.Contains(inB),
			test.condition.Contains(inAB),
		}
		if want := [4]bool{test.none, test.a, test.b, test.aAndB}; got != want {
			t.Errorf("%v holds %v, want %v", test.condition, got, want)
		}
	}
}

// TestHoldsAtTheEdge: at the corners of the domain the sum is 2^53 - 1 - K, and no integer is lost.
func TestHoldsAtTheEdge(t *testing.T) {
	h := exact.HalfSpace{A: [3]int64{9007197, 1, -1}, K: 254740991}
	corner := exact.Point{exact.MaxGrid, exact.MaxGrid, -exact.MaxGrid}
	if !h.Contains(corner) || h.Complement().Contains(corner) {
		t.Errorf("%v does not contain %v", h, corner)
	}
	edge := exact.HalfSpace{A: h.A, K: 9007199 * exact.MaxGrid}
	if edge.Contains(corner) || !edge.Complement().Contains(corner) {
		t.Errorf("%v contains %v", edge, corner)
	}
}

func TestEqual(t *testing.T) {
	other := halfA.Shift(exact.Width, 1)
	conditions := []exact.Region{
		nowhere, anywhere, halfA, halfB, other,
		exact.AllOf(
			halfA,
			halfB,
		), exact.AnyOf(halfA, halfB), exact.AllOf(halfB, halfA), exact.AllOf(halfA, other), exact.AllOf(halfA, halfB, halfC),
		exact.AllOf(halfA, exact.AnyOf(halfB, halfC)), exact.AllOf(halfA, exact.AnyOf(halfB, other)),
	}
	for i, c := range conditions {
		for j, d := range conditions {
			if c.Equal(exact.Not(exact.Not(d))) != (i == j) {
				t.Errorf("%v equals %v: %v", c, d, i != j)
			}
		}
	}
}

func drawRegion(t *rapid.T, depth int) exact.Region {
	kind := rapid.IntRange(0, 6).Draw(t, "kind")
	if depth == 0 {
		kind = min(kind, 3)
	}
	small := rapid.Int64Range(-2, 2)
	switch kind {
	case 0:
		return rapid.SampledFrom([]exact.Region{nowhere, anywhere}).Draw(t, "constant")
	case 1, 2, 3:
		a := [3]int64{small.Draw(t, "a"), small.Draw(t, "b"), 1}
		return exact.HalfSpace{A: a, K: small.Draw(t, "k")}.Region()
	case 4:
		return exact.Not(drawRegion(t, depth-1))
	}
	parts := make([]exact.Region, rapid.IntRange(0, 3).Draw(t, "parts"))
	for i := range parts {
		parts[i] = drawRegion(t, depth-1)
	}
	if kind == 5 {
		return exact.AllOf(parts...)
	}
	return exact.AnyOf(parts...)
}

func TestLogic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawRegion(t, 3), drawRegion(t, 3)
		and, or := exact.AllOf(a, b), exact.AnyOf(a, b)
		for _, c := range []exact.Region{and, or, exact.Not(and), exact.Not(or)} {
			wellFormed(t, c)
		}
		if twice := exact.Not(exact.Not(and)); !reflect.DeepEqual(twice, and) {
			t.Fatalf("not not %v = %v", and, twice)
		}
		if left, right := exact.Not(and), exact.AnyOf(exact.Not(a), exact.Not(b)); !reflect.DeepEqual(left, right) {
			t.Fatalf("De Morgan: %v, %v", left, right)
		}
		small := rapid.Int64Range(-3, 3)
		p := exact.Point{small.Draw(t, "w"), small.Draw(t, "d"), small.Draw(t, "h")}
		inA, inB := a.Contains(p), b.Contains(p)
		if and.Contains(p) != (inA && inB) || or.Contains(p) != (inA || inB) || exact.Not(a).Contains(p) == inA {
			t.Fatalf("at %v: %v is %v, %v is %v, both %v, either %v", p, a, inA, b, inB, and.Contains(p), or.Contains(p))
		}
	})
}

// drawCondition returns a condition as it may be written: constants, repetitions and nodes in nodes
// of their kind are left in it.
func drawCondition(t *rapid.T, depth int) exact.Condition {
	small := rapid.Int64Range(-2, 2)
	if depth == 0 || rapid.Bool().Draw(t, "leaf") {
		c := exact.Condition{Comparison: &exact.Comparison{Operator: ">"}}
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			c.Kind = rapid.SampledFrom([]exact.Kind{exact.True, exact.False}).Draw(t, "constant")
		default:
			c.Kind = exact.Half
			c.Half = exact.HalfSpace{A: [3]int64{small.Draw(t, "a"), small.Draw(t, "b"), 1}, K: small.Draw(t, "k")}
		}
		return c
	}
	c := exact.Condition{Kind: rapid.SampledFrom([]exact.Kind{exact.And, exact.Or}).Draw(t, "kind")}
	for range rapid.IntRange(2, 3).Draw(t, "parts") {
		c.Parts = append(c.Parts, drawCondition(t, depth-1))
	}
	return c
}

func TestRegionOfCondition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		condition := drawCondition(t, 3)
		if yielded := slices.Collect(condition.HalfSpaces()); condition.Size() != len(yielded) {
			t.Fatalf("%v has the size %d, and the half-spaces %v", condition, condition.Size(), yielded)
		}
		region := condition.Region()
		complement := exact.Not(region)
		wellFormed(t, region)
		wellFormed(t, complement)
		if widened := condition.WithEdge(); !widened.Equal(region) {
			t.Fatalf("%v has no edge, and with its edge it is %v", condition, widened)
		}
		small := rapid.Int64Range(-3, 3)
		p := exact.Point{small.Draw(t, "w"), small.Draw(t, "d"), small.Draw(t, "h")}
		if in := condition.Holds(p); region.Contains(p) != in || complement.Contains(p) == in {
			t.Fatalf("at %v: %v is %v, its region %v, the complement %v", p, condition, in, region, complement)
		}
		axis, d := rapid.IntRange(0, 2).Draw(t, "axis"), small.Draw(t, "shift")
		q := p
		q[axis] += d
		if region.Shift(axis, d).Contains(q) != region.Contains(p) {
			t.Fatalf("%v moved by %d along axis %d does not hold at %v as it holds at %v", region, d, axis, q, p)
		}
	})
}
