package polytope

import (
	"slices"
	"testing"

	"example.com/boxrules/exact"
)

func TestLatticePointBefore(t *testing.T) {
	for _, test := range []struct {
		p, q exact.Point
		want bool
	}{
		{exact.Point{1, 9, 9}, exact.Point{2, 0, 0}, true},
		{exact.Point{2, 0, 0}, exact.Point{1, 9, 9}, false},
		{exact.Point{1, 2, 3}, exact.Point{1, 2, 4}, true},
		{exact.Point{1, 2, 3}, exact.Point{1, 2, 3}, false},
	} {
		if got := latticePointBefore(test.p, test.q); got != test.want {
			t.Errorf("latticePointBefore(%v, %v) = %v, want %v", test.p, test.q, got, test.want)
		}
	}
}

// TestShortestExtentFirst looks in polytopes with four widths, depths or heights, far from the origin or on both
// sides of it, and with 101 coordinates along the other axes. None has a grid point. Ten slices are enough only
// across the short axis.
func TestShortestExtentFirst(t *testing.T) {
	for axis := range exact.Axes {
		for _, from := range []int64{-5000, -2, 5000} {
			low, high := exact.Point{}, exact.Point{100, 100, 100}
			low[axis], high[axis] = from, from+3
			var up, down exact.HalfSpace // the difference of the other two coordinates is one half
			a, b := (axis+1)%exact.Axes, (axis+2)%exact.Axes
			up.A[a], up.A[b], up.K = 2, -2, 0
			down.A[a], down.A[b], down.K = -2, 2, -2
			p := Cuboid(low, high).Clip(up).Clip(down)
			if at, answer := p.findLatticePoint(nil, 1, 10); answer != Nothing {
				t.Errorf("axis %d, from %d: %v, %d, want %d", axis, from, at, answer, Nothing)
			}
		}
	}
}

// TestSteps checks that each step is listed once, and is a multiple of the step of the search.
func TestSteps(t *testing.T) {
	for _, test := range []struct {
		step int64
		want []int64
	}{
		{1, []int64{100_000, 50_000, 10_000, 5_000, 1_000, 500, 100, 50, 10, 5, 1}},
		{2, []int64{100_000, 50_000, 10_000, 5_000, 1_000, 500, 100, 50, 10, 2}},
		{10, []int64{100_000, 50_000, 10_000, 5_000, 1_000, 500, 100, 50, 10}},
		{2_000, []int64{100_000, 50_000, 10_000, 2_000}},
		{100_000, []int64{100_000}},
		{300_000, []int64{300_000}},
	} {
		if got := (Search{Step: test.step}).steps(); !slices.Equal(got, test.want) {
			t.Errorf("the steps of %d are %v, want %v", test.step, got, test.want)
		}
	}
}

// TestAllAndSized checks how far the two polytopes extend along each axis.
func TestAllAndSized(t *testing.T) {
	for _, test := range []struct {
		name string
		p    Polytope
		low  int64
	}{{"All", All, -exact.MaxGrid}, {"Sized", Sized, 1}} {
		if len(test.p.vertices) != 8 {
			t.Errorf("%s has %d corners, want 8", test.name, len(test.p.vertices))
		}
		for axis := range exact.Axes {
			if low, high := test.p.latticeRange(axis, 1); low != test.low || high != exact.MaxGrid {
				t.Errorf("%s extends from %d to %d along axis %d, want %d to %d", test.name, low, high, axis, test.low, exact.MaxGrid)
			}
		}
	}
}
