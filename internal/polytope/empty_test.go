package polytope

import (
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/exact"
)

// TestEmpty compares with all multiples of the step in a cube: where there is one the faces are
// not empty. Where the faces leave no point at all they are.
func TestEmpty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		step := rapid.Int64Range(1, 4).Draw(t, "step")
		cube := Cube(exact.Point{-6, -6, -6}, exact.Point{6, 6, 6})
		var faces []face
		for range rapid.IntRange(1, 5).Draw(t, "faces") {
			coefficient := rapid.Int64Range(-3, 3)
			f := face{
				[exact.Axes]int64{coefficient.Draw(t, "a"), coefficient.Draw(t, "b"), coefficient.Draw(t, "c")},
				rapid.Int64Range(-12, 12).Draw(t, "k"),
			}
			faces = append(faces, f)
			cube = cube.cut(f)
		}
		s := nearest{Target: Target{Step: step}, effort: 1_000_000}
		var tight []face
		for _, f := range faces {
			tight = append(tight, f.over(step))
		}
		empty := s.empty(&region{span: span{exact.Point{-6, -6, -6}, exact.Point{6, 6, 6}}, faces: tight})
		if cube.Empty() && !empty {
			t.Fatalf("%v leave no point, which is not found out", faces)
		}
		if at, answer := cube.Lattice(step, 1000); empty && answer != Nothing {
			t.Fatalf("%v leave %v, on a step of %d", faces, at, step)
		}
	})
}

// TestWithout: what drops out is gone, and the sum says no more than the faces do. It is
// maxExact, or there is none.
func TestWithout(t *testing.T) {
	for _, test := range []struct {
		f, g, sum face
		ok        bool
	}{
		{face{[exact.Axes]int64{2, 1, 0}, 5}, face{[exact.Axes]int64{-3, 0, 4}, 7}, face{[exact.Axes]int64{0, 3, 8}, 29}, true},
		{face{[exact.Axes]int64{1, 0, 0}, maxExact - 1}, face{[exact.Axes]int64{-1, 0, 0}, 1 - maxExact}, face{}, true},
		{face{[exact.Axes]int64{1, 0, 0}, maxExact}, face{[exact.Axes]int64{-1, 0, 0}, 0}, face{}, false},
		{face{[exact.Axes]int64{1, 0, 0}, 0}, face{[exact.Axes]int64{-1, 0, 0}, -maxExact}, face{}, false},
		{face{[exact.Axes]int64{2, 0, 0}, maxExact / 2}, face{[exact.Axes]int64{-1, 0, 0}, 0}, face{}, false},
		{face{[exact.Axes]int64{1, 0, 0}, 0}, face{[exact.Axes]int64{-4, maxExact / 4, 0}, 0}, face{}, false},
		{face{[exact.Axes]int64{1, 0, maxExact/4 - 1}, 3}, face{[exact.Axes]int64{-4, 0, 0}, 2}, face{[exact.Axes]int64{0, 0, maxExact - 4},
			14}, true},
	} {
		if sum, ok := test.f.without(test.g, exact.Width); sum != test.sum || ok != test.ok {
			t.Errorf("%v and %v: %v, %v, want %v, %v", test.f, test.g, sum, ok, test.sum, test.ok)
		}
	}
}

// TestOver has faces as they bind all points, and as they bind multiples of a step alone.
func TestOver(t *testing.T) {
	for _, test := range []struct {
		f    face
		step int64
		want face
	}{
		{face{[exact.Axes]int64{4, -6, 0}, 7}, 1, face{[exact.Axes]int64{2, -3, 0}, 4}},
		{face{[exact.Axes]int64{4, -6, 0}, -7}, 1, face{[exact.Axes]int64{2, -3, 0}, -3}},
		{face{[exact.Axes]int64{4, -6, 9}, 7}, 5, face{[exact.Axes]int64{4, -6, 9}, 10}},
		{face{[exact.Axes]int64{0, -8, 0}, 41}, 5, face{[exact.Axes]int64{0, -1, 0}, 10}},
		{face{[exact.Axes]int64{}, 3}, 5, face{[exact.Axes]int64{}, 5}},
		{face{[exact.Axes]int64{}, 0}, 5, face{}},
	} {
		if got := test.f.over(test.step); got != test.want {
			t.Errorf("%v on a step of %d: %v, want %v", test.f, test.step, got, test.want)
		}
	}
}

// TestReach has spans that shrink by half in each round, until nothing is left of them. None
// comes back as a single point that is not in the cell.
func TestReach(t *testing.T) {
	s := nearest{Target: Target{Step: 1}}
	faces := []face{{[exact.Axes]int64{-2, 1, 0}, 0}, {[exact.Axes]int64{1, -1, 0}, 0}}
	collapsed := false
	for high := int64(2); high < 200_000; high++ {
		whole := region{span: span{exact.Point{1, 1, 0}, exact.Point{high, high, 0}}, faces: faces}
		r, left := whole, whole
		s.effort = 1_000_000 // which is not used up
		if s.narrow(&r) && s.reach(&r) && r.low == r.high {
			t.Errorf("up to %d: %+v, want nothing", high, r)
		}
		collapsed = collapsed || s.narrow(&left) && left.low == left.high
	}
	if !collapsed {
		t.Error("no span is left as a single point")
	}
}
