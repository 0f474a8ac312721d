package exact

import (
	"math/big"
	"testing"
)

// edgeByDefinition returns the Edge of A·p > k if floating point may decide a whole number n = A·p wrongly that differs
// from the tie by at most the distance.
func edgeByDefinition(k int64, tie *big.Rat, distance float64, nearest bool) (e Edge) {
	for n := k - 50; n <= k+50; n++ {
		off := new(big.Rat).Sub(new(big.Rat).SetInt64(n), tie)
		off.Abs(off)
		isExact := distance == 0 || nearest && off.Sign() == 0 && distance < 1 // a tie that is decided correctly
		switch {
		case isExact || off.Cmp(new(big.Rat).SetFloat64(distance)) > 0:
		case n > k:
			e.Inside = max(e.Inside, n-k)
		default:
			e.Outside = max(e.Outside, k-n+1)
		}
	}
	return e
}

// TestEdgeOfRounding compares edges with their definition.
func TestEdgeOfRounding(t *testing.T) {
	check := func(k int64, tie *big.Rat, distance float64) {
		for _, scale := range []*big.Rat{big.NewRat(1, 8), big.NewRat(2, 1)} {
			for _, nearest := range []bool{false, true} {
				r := Rounding{Distance: distance / (nearestFloat64(scale) * Scale), Nearest: nearest}
				if got, want := r.edge(k, tie, scale), edgeByDefinition(k, tie, distance, nearest); got != want {
					t.Errorf("%+v with the tie %v, the scale %v and k = %d: %+v, want %+v", r, tie, scale, k, got, want)
				}
			}
		}
	}
	for _, tie := range []*big.Rat{big.NewRat(0, 1), big.NewRat(7, 1), big.NewRat(-3, 1), big.NewRat(1, 2), big.NewRat(-5, 2), big.NewRat(1, 4), big.NewRat(-1, 4)} {
		below := floorRat(tie).Int64()
		for _, distance := range []float64{0, 0.125, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 40.25} {
			check(below, tie, distance) // the exact form of left > right
			if tie.IsInt() {
				check(below-1, tie, distance) // that of left >= right
			}
		}
	}
	if e := edgeByDefinition(2, big.NewRat(5, 2), 1.2, false); e != (Edge{Inside: 1, Outside: 1}) { // the example of edge
		t.Errorf("the definition gives %+v", e)
	}
}

func TestEdgeOfConstant(t *testing.T) {
	both := Edge{Inside: 1, Outside: 1}
	for _, test := range []struct {
		r    Rounding
		k    *big.Rat
		want Edge
	}{
		{Rounding{}, big.NewRat(0, 1), Edge{}},
		{Rounding{Distance: 0.5}, big.NewRat(0, 1), both},
		{Rounding{Distance: 0.5}, big.NewRat(1, 2), both},
		{Rounding{Distance: 0.5}, big.NewRat(-1, 2), both},
		{Rounding{Distance: 0.5}, big.NewRat(3, 4), Edge{}},
		{Rounding{Distance: 0.5}, big.NewRat(-3, 4), Edge{}},
		{Rounding{Distance: 0.5, Nearest: true}, big.NewRat(0, 1), Edge{}},
		{Rounding{Distance: 0.5, Nearest: true}, big.NewRat(1, 4), both},
	} {
		if got := test.r.edgeOfConstant(test.k); got != test.want {
			t.Errorf("%+v, %v: %+v, want %+v", test.r, test.k, got, test.want)
		}
	}
}

// TestWithEdgeAtTheEndOfTheGrid moves a half-space outwards until it contains every point.
func TestWithEdgeAtTheEndOfTheGrid(t *testing.T) {
	first := Point{-MaxGrid, -MaxGrid, 0}
	for outside, want := range map[int64]bool{0: false, 1: true, 2: true} {
		c := Condition{Kind: Half, Half: HalfSpace{A: Point{1, 2, 0}, K: -3 * MaxGrid}, Edge: Edge{Outside: outside}}
		if got := c.WithEdge().Contains(first); got != want {
			t.Errorf("outside %d: %v, want %v", outside, got, want)
		}
		if got := c.WithEdge().Kind() == True; got != want {
			t.Errorf("outside %d: everywhere is %v", outside, got)
		}
	}
}

// TestJoinConstantsWithEdges checks that only a constant without an Edge decides or disappears.
func TestJoinConstantsWithEdges(t *testing.T) {
	half := Condition{Kind: Half, Half: HalfSpace{A: Point{1, 0, 0}, K: 5}}
	edge := Edge{Inside: 1, Outside: 1}
	for _, test := range []struct {
		kind, constant Kind
		edge           Edge
		want           string
	}{
		{And, False, Edge{}, "false"},
		{And, True, Edge{}, half.String()},
		{And, False, edge, "both"},
		{And, True, edge, "both"},
		{Or, True, Edge{}, "true"},
		{Or, False, Edge{}, half.String()},
		{Or, True, edge, "both"},
		{Or, False, edge, "both"},
	} {
		join := map[Kind]func([]Condition) Condition{And: allOf, Or: anyOf}[test.kind]
		got := join([]Condition{half, {Kind: test.constant, Edge: test.edge}})
		text := got.String()
		if len(got.Parts) == 2 {
			text = "both"
		}
		if text != test.want {
			t.Errorf("%v with %v, edge %+v: %s, want %s", test.kind, test.constant, test.edge, text, test.want)
		}
	}
}

// TestOnEdge: the edge ends where its definition says, K-Outside < A·p <= K+Inside.
func TestOnEdge(t *testing.T) {
	for _, test := range []struct {
		edge        Edge
		first, last int64 // the widths on the edge of width > 10; if last < first, none is
	}{
		{Edge{}, 1, 0},
		{Edge{Outside: 1}, 10, 10},
		{Edge{Inside: 1}, 11, 11},
		{Edge{Inside: 2, Outside: 3}, 8, 12},
	} {
		half := Condition{Kind: Half, Half: HalfSpace{A: Point{1, 0, 0}, K: 10}, Edge: test.edge}
		for _, c := range []Condition{half, half.Or(Condition{Kind: Half, Half: HalfSpace{A: Point{0, 1, 0}}})} {
			for w := range int64(20) {
				if got, want := c.OnEdge(Point{w, 10, 10}), test.first <= w && w <= test.last; got != want {
					t.Errorf("%v with %+v: %d on the edge is %v, want %v", c, test.edge, w, got, want)
				}
			}
		}
	}
}

// TestOnEdgeOfConstants checks that every point is on the edge of a constant that has one.
func TestOnEdgeOfConstants(t *testing.T) {
	for _, kind := range []Kind{True, False} {
		for edge, want := range map[Edge]bool{{}: false, {Inside: 1, Outside: 1}: true} {
			c := Condition{Kind: kind, Edge: edge}
			if c.OnEdge(Point{1, 2, 3}) != want || c.HasEdge() != want {
				t.Errorf("%v with %+v: on the edge is %v, want %v", kind, edge, c.OnEdge(Point{1, 2, 3}), want)
			}
		}
	}
}

func TestBound(t *testing.T) {
	width, depth := Dimension(Width), Dimension(Depth)
	twice, err := depth.Times(big.NewRat(-2, 1))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := width.Add(twice)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		v    Value
		want float64
	}{
		{Constant(big.NewRat(-5, 1)), 5},
		{width, MaxDimension},
		{sum, 3 * MaxDimension},
		{Extreme(false, width, twice), 2 * MaxDimension},
	} {
		if got := test.v.Bound(); got != test.want {
			t.Errorf("%v, want %v", got, test.want)
		}
	}
}
