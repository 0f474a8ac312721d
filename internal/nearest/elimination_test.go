package nearest

import (
	"iter"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// multiples yields the points of the cube from -6 to 6 whose coordinates are multiples of the step.
func multiples(step int64) iter.Seq[exact.Point] {
	return func(yield func(exact.Point) bool) {
		for w := ceilToStep(-6, step); w <= 6; w += step {
			for d := ceilToStep(-6, step); d <= 6; d += step {
				for h := ceilToStep(-6, step); h <= 6; h += step {
					if !yield(exact.Point{w, d, h}) {
						return
					}
				}
			}
		}
	}
}

// TestIsProvedEmpty compares with all multiples of the step in a cube. If the faces contain one, they must not be
// proved empty. If they contain no point at all, on the step or off it, they must be.
func TestIsProvedEmpty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		step := rapid.Int64Range(1, 4).Draw(t, "step")
		var faces []inequality
		for range rapid.IntRange(1, 5).Draw(t, "faces") {
			coefficient := rapid.Int64Range(-3, 3)
			f := inequality{
				[exact.Axes]int64{coefficient.Draw(t, "a"), coefficient.Draw(t, "b"), coefficient.Draw(t, "c")},
				rapid.Int64Range(-12, 12).Draw(t, "k"),
			}
			faces = append(faces, f)
		}
		s := nearestSearch{Target: Target{Step: step}, remaining: 1_000_000}
		var tight []inequality
		for _, f := range faces {
			tight = append(tight, f.roundedToStep(step))
		}
		empty := s.isEmptyByElimination(&node{pointRange: pointRange{exact.Point{-6, -6, -6}, exact.Point{6, 6, 6}}, faces: tight})
		cube := polytope.Cuboid(exact.Point{-6, -6, -6}, exact.Point{6, 6, 6})
		for _, f := range faces {
			cube = cube.Clip(exact.HalfSpace{A: f.a, K: f.b - 1})
		}
		if cube.Empty() && !empty {
			t.Fatalf("%v leave no point, but that is not proved", faces)
		}
		for at := range multiples(step) {
			if empty && !slices.ContainsFunc(faces, func(f inequality) bool { return f.dot(at) < f.b }) {
				t.Fatalf("%v leave %v, on a step of %d", faces, at, step)
			}
		}
	})
}

// TestEliminate checks that the axis drops out of the sum, and that a sum is refused if a product would
// reach maxProduct.
func TestEliminate(t *testing.T) {
	for _, test := range []struct {
		f, g, sum inequality
		ok        bool
	}{
		{inequality{[exact.Axes]int64{2, 1, 0}, 5}, inequality{[exact.Axes]int64{-3, 0, 4}, 7}, inequality{[exact.Axes]int64{0, 3, 8}, 29}, true},
		{inequality{[exact.Axes]int64{1, 0, 0}, maxProduct - 1}, inequality{[exact.Axes]int64{-1, 0, 0}, 1 - maxProduct}, inequality{}, true},
		{inequality{[exact.Axes]int64{1, 0, 0}, maxProduct}, inequality{[exact.Axes]int64{-1, 0, 0}, 0}, inequality{}, false},
		{inequality{[exact.Axes]int64{1, 0, 0}, 0}, inequality{[exact.Axes]int64{-1, 0, 0}, -maxProduct}, inequality{}, false},
		{inequality{[exact.Axes]int64{2, 0, 0}, maxProduct / 2}, inequality{[exact.Axes]int64{-1, 0, 0}, 0}, inequality{}, false},
		{inequality{[exact.Axes]int64{1, 0, 0}, 0}, inequality{[exact.Axes]int64{-4, maxProduct / 4, 0}, 0}, inequality{}, false},
		{inequality{[exact.Axes]int64{1, 0, maxProduct/4 - 1}, 3}, inequality{[exact.Axes]int64{-4, 0, 0}, 2}, inequality{[exact.Axes]int64{0, 0, maxProduct - 4},
			14}, true},
	} {
		if sum, ok := test.f.eliminate(test.g, exact.Width); sum != test.sum || ok != test.ok {
			t.Errorf("%v and %v: %v, %v, want %v, %v", test.f, test.g, sum, ok, test.sum, test.ok)
		}
	}
}

func TestRoundedToStep(t *testing.T) {
	for _, test := range []struct {
		f    inequality
		step int64
		want inequality
	}{
		{inequality{[exact.Axes]int64{4, -6, 0}, 7}, 1, inequality{[exact.Axes]int64{2, -3, 0}, 4}},
		{inequality{[exact.Axes]int64{4, -6, 0}, -7}, 1, inequality{[exact.Axes]int64{2, -3, 0}, -3}},
		{inequality{[exact.Axes]int64{4, -6, 9}, 7}, 5, inequality{[exact.Axes]int64{4, -6, 9}, 10}},
		{inequality{[exact.Axes]int64{0, -8, 0}, 41}, 5, inequality{[exact.Axes]int64{0, -1, 0}, 10}},
		{inequality{[exact.Axes]int64{}, 3}, 5, inequality{[exact.Axes]int64{}, 5}},
		{inequality{[exact.Axes]int64{}, 0}, 5, inequality{}},
	} {
		if got := test.f.roundedToStep(test.step); got != test.want {
			t.Errorf("%v on a step of %d: %v, want %v", test.f, test.step, got, test.want)
		}
	}
}

// TestBoundChanges checks ranges that are narrowed by half in each round, until nothing is left. None may
// end as a single point that is not inside the faces.
func TestBoundChanges(t *testing.T) {
	s := nearestSearch{Target: Target{Step: 1}}
	faces := []inequality{{[exact.Axes]int64{-2, 1, 0}, 0}, {[exact.Axes]int64{1, -1, 0}, 0}}
	collapsed := false
	for high := int64(2); high < 200_000; high++ {
		whole := node{pointRange: pointRange{exact.Point{1, 1, 0}, exact.Point{high, high, 0}}, faces: faces}
		r, left := whole, whole
		s.remaining = 1_000_000 // which is not used up
		if s.narrowByInequalities(&r) && s.boundDistance(&r) && r.low == r.high {
			t.Errorf("up to %d: %+v, want nothing", high, r)
		}
		collapsed = collapsed || s.narrowByInequalities(&left) && left.low == left.high
	}
	if !collapsed {
		t.Error("no span is left as a single point")
	}
}
