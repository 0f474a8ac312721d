package program

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/gen"
)

func inDomain(x float64) bool { return x >= -exact.MaxDimension && x <= exact.MaxDimension }

// takes reports whether the fast path decides a box whose dimension along the axis is x and whose other
// dimensions are those of at.
func takes(f *FastPath, at exact.Point, axis int, x float64) bool {
	d := [exact.Axes]float64{exact.Float64At(at[0]), exact.Float64At(at[1]), exact.Float64At(at[2])}
	d[axis] = x
	_, _, _, ok := f.Grid(d[0], d[1], d[2])
	return ok
}

// The fast path decides the boxes within the limits, and no others.
func TestFastPathTakes(t *testing.T) {
	f := newFastPath([]exact.Region{
		exact.AnyOf(half(-1, 0, 0, -20_000), half(0, -1, 0, -5_000)), // not about one dimension
		half(-1, 0, 0, -10_000), // width < 10
		half(2, 0, 0, 181_000),  // 2 * width > 181
		half(0, -1, 0, -7_125),
		half(0, 1, 0, 7_125),
		half(0, 0, -1, 0), // -height > 0
		half(0, 0, 1, exact.MaxGrid),
		half(0, 0, 1, 50_000), // of a later stage
	}, 7)
	low, high := exact.Point{10_000, 7_125, 0}, exact.Point{90_500, 7_125, exact.MaxGrid}
	for axis := range exact.Axes {
		for _, at := range []int64{low[axis] - 1, low[axis], (low[axis] + high[axis]) / 2, high[axis], high[axis] + 1} {
			// The neighbouring float64s are on the same coordinate, unless they are not accepted.
			for _, x := range []float64{exact.Float64At(at), exact.Float64At(at) - 0.0004, exact.Float64At(at) + 0.0004} {
				want := at >= low[axis] && at <= high[axis] && inDomain(x)
				if ok := takes(f, low, axis, x); ok != want {
					t.Errorf("axis %d at %v: taken %v, want %v", axis, x, ok, want)
				}
			}
		}
		// The next float64 beyond an end is on another coordinate, or is not a dimension.
		first, last := f.Low[axis], f.High[axis]
		for x, want := range map[float64]bool{
			first: true, last: true, math.Nextafter(first, -1): false, math.Nextafter(last, 2e6): false,
		} {
			within := inDomain(x) && exact.Grid(x) >= low[axis] && exact.Grid(x) <= high[axis]
			if ok := takes(f, low, axis, x); ok != want || ok != within {
				t.Errorf("axis %d at %v: taken %v, want %v, and within the limits is %v", axis, x, ok, want, within)
			}
		}
	}
	none := newFastPath([]exact.Region{half(-1, 1, 0, 0)}, 0)
	for _, x := range []float64{math.Inf(-1), -1, 0, 1, math.Inf(1), math.NaN()} {
		if _, _, _, ok := none.Grid(x, x, x); ok {
			t.Errorf("a box of %v is taken without limits", x)
		}
	}
}

// A coordinate's least float64 is rounded to the coordinate, and the float64 below it to the coordinate before.
func TestLeastFloat64(t *testing.T) {
	coordinates := []int64{exact.MaxGrid - 1, exact.MaxGrid, exact.MaxGrid + 1}
	for x := range int64(3_000) {
		coordinates = append(coordinates, x)
	}
	for _, x := range coordinates {
		least := leastFloat64(x)
		if at, before := exact.Grid(least), exact.Grid(math.Nextafter(least, -1)); at != x || before != x-1 {
			t.Errorf("%v is rounded to %d, and the float64 below it to %d, want %d and %d", least, at, before, x, x-1)
		}
	}
}

// At the grid point that it returns, the fast path decides like the conditions.
func TestFastPathSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		conditions := []exact.Region{
			half(-1, 0, 0, -1), half(1, 0, 0, 9), half(0, -1, 0, 0), half(0, 1, 0, 7), half(0, 0, -1, -2), half(0, 0, 1, 8),
			gen.ExactRegion(draw.Choices(t), 3, 9), gen.ExactRegion(draw.Choices(t), 3, 9),
		}
		f := newFastPath(conditions, 6)
		for range 20 {
			at := exact.Point{
				rapid.Int64Range(1, 9).Draw(t, "width"), rapid.Int64Range(0, 7).Draw(t, "depth"), rapid.Int64Range(2, 8).Draw(t, "height"),
			}
			var beside [exact.Axes]float64
			for axis := range beside {
				beside[axis] = max(0, exact.Float64At(at[axis])+rapid.Float64Range(-0.000_495, 0.000_495).Draw(t, "off"))
			}
			w, d, h, ok := f.Grid(beside[0], beside[1], beside[2])
			if want := first(conditions, at); !ok || (exact.Point{w, d, h}) != at || f.First(w, d, h) != want {
				t.Fatalf("%v at %v: (%d %d %d) %v, where %d holds, want %d", conditions, beside, w, d, h, ok, f.First(w, d, h), want)
			}
		}
	})
}

// Tests that the limits decide are left out, unless there are too many comparisons to find that out.
func TestFastPathIsShort(t *testing.T) {
	for count, want := range map[int]int{7: 1, 100: 1, 101: 101} {
		parts := []exact.Region{half(-1, 1, 0, 0)} // depth > width
		for i := range count - 7 {
			parts = append(parts, half(-1, 0, 0, -int64(i)-1)) // width < i + 1, below the limit
		}
		conditions := append(between(10_000, 90_000), exact.AnyOf(parts...))
		if all := Assemble(conditions...); len(all.tests) != count {
			t.Fatalf("a program of %d comparisons has %d tests", count, len(all.tests))
		}
		if f := newFastPath(conditions, 6); len(f.program.tests) != want {
			t.Errorf("of %d comparisons the fast path has %d, want %d", count, len(f.program.tests), want)
		}
	}
}

// A test that an earlier condition makes impossible is left out, whether that is one comparison or several.
func TestFastPathGoesOn(t *testing.T) {
	wide, high := half(1, 0, 0, 50_000), half(0, 0, 1, 60_000)
	for _, test := range []struct {
		first exact.Region
		want  int
	}{{wide, 2}, {exact.AnyOf(wide, high), 3}, {exact.AllOf(wide, high), 4}} {
		f := newFastPath(append(
			between(10_000, 90_000),
			test.first,
			exact.AnyOf(half(1, 0, 0, 70_000), half(0, 1, 0, 60_000)),
			half(-1, 0, 0, -5_000),
		), 6)
		if got := len(f.program.tests); got != test.want {
			t.Errorf("behind %v the fast path has %d tests, want %d", test.first, got, test.want)
		}
	}
}

func newFastPath(conditions []exact.Region, boundary int) *FastPath {
	f := NewFastPath(Assemble(conditions...), conditions, boundary)
	return &f
}

// Conditions that leave a million convex parts must not take a million steps.
func TestFastPathIsBounded(t *testing.T) {
	conditions := between(1000, 90_000)
	for i := range int64(20) { // width or depth is below a line
		conditions = append(conditions, exact.AllOf(half(i+1, -1, 0, 900*i), half(-1, i+2, 0, 800*i)))
	}
	f := newFastPath(conditions, 6)
	if len(f.Cells) > maxCells {
		t.Errorf("%d cells, want at most %d", len(f.Cells), maxCells)
	}
	for x := int64(1000); x <= 90_000; x += 890 {
		at := exact.Point{x, 91_000 - x, 5000}
		if got, want := f.First(at[0], at[1], at[2]), first(conditions, at); got != want {
			t.Errorf("at %v: %d, want %d", at, got, want)
		}
	}
}

// TestNoFastPath checks that the limits of NoFastPath exclude every box from both sides.
func TestNoFastPath(t *testing.T) {
	if low, high := NoFastPath.Low[exact.Width], NoFastPath.High[exact.Width]; low <= exact.MaxDimension || high >= -exact.MaxDimension {
		t.Errorf("the width is from %v to %v", low, high)
	}
}
