package reasons

import (
	"math/big"
	"testing"

	"example.com/boxrules/exact"
)

func TestNumberOf(t *testing.T) {
	for _, test := range []struct {
		value   string
		isSmall bool
		text    string
	}{
		{"0", true, "0"},
		{"-0.5", true, "-0.5"},
		{"1/3", true, "≈ 0.333"},
		{"0.000001", true, "0.000001"},
		{"0.0000001", true, "≈ 0.000"},
		{"999999999.5", true, "999999999.5"},
		{"-999999999.5", true, "-999999999.5"},
		{"1000000.000001", false, "1000000.000001"},
		{"1000000000", false, "1000000000"},
		{"-1000000000", false, "-1000000000"},
		{"123456789012345678901.5", false, "123456789012345678901.5"},
		{"10000000000/3", false, "≈ 3333333333.333"},
	} {
		value, ok := new(big.Rat).SetString(test.value)
		if !ok {
			t.Fatal(test.value)
		}
		n := numberOf(exact.Constant(value), exact.Point{})
		if isSmall, text := n.large == nil, string(n.append(nil)); isSmall != test.isSmall || text != test.text {
			t.Errorf("%s: small %v, %q; want %v, %q", test.value, isSmall, text, test.isSmall, test.text)
		}
	}
}

// TestEqual includes a number that is stored in large although it would fit into small: a sum of fractions whose
// common denominator does not fit an int64 may be a whole number.
func TestEqual(t *testing.T) {
	small := func(num, den int64) number { return number{small: exact.Ratio{Num: num, Den: den}} }
	large := func(num, den int64) number { return number{large: big.NewRat(num, den)} }
	for _, test := range []struct {
		n, m number
		want bool
	}{
		{small(101, 2), small(101, 2), true},
		{small(101, 2), small(50, 1), false},
		{small(101, 2), large(101, 2), true},
		{small(101, 2), large(50, 1), false},
		{large(1e10, 1), large(1e10, 1), true},
		{large(1e10, 1), large(2e10, 1), false},
	} {
		if test.n.equal(test.m) != test.want || test.m.equal(test.n) != test.want {
			t.Errorf("%v equal to %v: want %v", test.n, test.m, test.want)
		}
	}
}

func TestFormula(t *testing.T) {
	width, depth := exact.Dimension(0), exact.Dimension(1)
	at := exact.Point{300_000, 200_500, 0}
	sum, err := width.Add(depth)
	if err != nil {
		t.Fatal(err)
	}
	variables := exact.NewVariables(nil, map[string]exact.Variable{"width": {Value: width}, "depth": {Value: depth}})
	for _, test := range []struct {
		text  string
		value exact.Value
		want  string
	}{
		{"width", width, "width 300"},
		{"width  +\n depth", sum, "width 300 + depth 200.5 = 500.5"},
		{"(depth + width)", sum, "(depth 200.5 + width 300) = 500.5"},
		{"max(width, depth)", exact.Extreme(true, width, depth), "max(width 300, depth 200.5) = 300"},
	} {
		if got := Formula(test.text, []string{"width", "depth"}, test.value, variables, at); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}
