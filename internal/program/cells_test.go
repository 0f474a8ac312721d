package program

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// between returns the six limits of the dimensions, on the grid, in order.
func between(low, high int64) []exact.Region {
	return []exact.Region{
		half(-1, 0, 0, -low), half(1, 0, 0, high), half(0, -1, 0, -low), half(0, 1, 0, high), half(0, 0, -1, -low), half(0, 0, 1, high),
	}
}

// near draws a float64 within half a thousandth of the coordinate or slightly beyond. Most often it is the
// coordinate itself, or one of the last float64s that the grid puts there.
func near(t *rapid.T, coordinate int64) float64 {
	x, edge := exact.Float64At(coordinate), leastFloat64(coordinate)
	return rapid.OneOf(
		rapid.SampledFrom([]float64{x, edge, math.Nextafter(edge, 0), math.Nextafter(leastFloat64(coordinate+1), 0)}),
		rapid.Float64Range(x-0.0006, x+0.0006),
	).Draw(t, "dimension")
}

// onFace moves a point along an axis until it is just inside the half-space, or just outside.
func onFace(h exact.HalfSpace, at exact.Point, axis int) exact.Point {
	if a := h.A[axis]; a != 0 {
		rest := h.K
		for other := range exact.Axes {
			if other != axis {
				rest -= h.A[other] * at[other]
			}
		}
		if at[axis] = exact.FloorDiv(rest, a); a < 0 {
			at[axis] = exact.FloorDiv(-rest, -a)
		}
	}
	return at
}

// TestCells checks that boxes in a cell violate nothing, even very near to a face and for large numbers.
func TestCells(t *testing.T) {
	contained, certain := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int64{20, 5_000, 1_000_000, exact.MaxGrid}).Draw(t, "most")
		coordinate := rapid.Int64Range(0, most)
		point := rapid.Custom(func(t *rapid.T) exact.Point {
			return exact.Point{coordinate.Draw(t, "width"), coordinate.Draw(t, "depth"), coordinate.Draw(t, "height")}
		})
		scale := rapid.SampledFrom([]int64{1, 1, 3, 1000, 1_000_000}).Draw(t, "scale")
		coefficient := rapid.Custom(func(t *rapid.T) int64 {
			return rapid.Int64Range(-3, 3).Draw(t, "coefficient") * rapid.Int64Range(1, scale).Draw(t, "times")
		})
		halfSpace := rapid.Custom(func(t *rapid.T) exact.HalfSpace {
			h := exact.HalfSpace{A: exact.Point{1, -1, 0}, K: -rapid.Int64Range(0, 1).Draw(t, "tie")}
			if rapid.IntRange(0, 5).Draw(t, "oblique") > 0 {
				h.A = exact.Point{coefficient.Draw(t, "w"), coefficient.Draw(t, "d"), coefficient.Draw(t, "h")}
				centre := point.Draw(t, "centre")
				h.K += h.A[0]*centre[0] + h.A[1]*centre[1] + h.A[2]*centre[2]
			}
			return h
		})
		var conditions []exact.Region
		halves := rapid.SliceOfN(halfSpace, 1, 4).Draw(t, "halves")
		for i, h := range halves {
			tree := h.Region()
			if i%2 == 1 && rapid.Bool().Draw(t, "joined") {
				conditions[len(conditions)-1] = exact.AllOf(conditions[len(conditions)-1], tree)
			} else {
				conditions = append(conditions, tree)
			}
		}
		limits := between(0, most)
		f := newFastPath(append(limits, conditions...), len(limits))
		if !f.StartsWithLimits {
			t.Fatalf("%v: the limits come in order, and it is not seen", limits)
		}
		for range 30 {
			at := point.Draw(t, "box")
			if rapid.IntRange(0, 3).Draw(t, "on a face") > 0 {
				at = onFace(rapid.SampledFrom(halves).Draw(t, "face"), at, rapid.IntRange(exact.Width, exact.Height).Draw(t, "along"))
				at[rapid.IntRange(exact.Width, exact.Height).Draw(t, "axis")] += rapid.Int64Range(-1, 1).Draw(t, "beside")
			}
			for _, x := range at {
				if x < 0 || x > most {
					at = exact.Point{}
				}
			}
			w, d, h := near(t, at[0]), near(t, at[1]), near(t, at[2])
			width, depth, height, ok := f.Grid(w, d, h)
			if !ok {
				continue
			}
			valid := first(conditions, exact.Point{width, depth, height}) == len(conditions)
			if valid {
				certain++
			}
			for i := range f.Cells {
				if f.Cells[i].Contains(w, d, h) {
					if !valid {
						t.Fatalf("%v: (%v, %v, %v), on the grid %d %d %d, is in cell %d", conditions, w, d, h, width, depth, height, i)
					}
					contained++
					break
				}
			}
		}
	})
	t.Logf("of %d valid boxes, %d are in a cell", certain, contained)
	if contained < certain/3 {
		t.Errorf("of %d valid boxes, most of them near a face, %d are in a cell", certain, contained)
	}
}

// Boxes with two equal dimensions are in a cell although they are on its face.
func TestCellOfSquares(t *testing.T) {
	limits := between(1, 500_000)
	f := newFastPath(append(limits, half(-1, 1, 0, 0)), len(limits)) // depth > width
	for _, x := range []float64{0.001, 1, 0.3, 12.0005, 99.9994999, 500} {
		if len(f.Cells) != 1 || !f.Cells[0].Contains(x, x, 0.5) || f.Cells[0].Contains(x, x+0.001, 0.5) {
			t.Errorf("%v by %[1]v: cells %v", x, f.Cells)
		}
	}
	if nan := math.NaN(); f.Cells[0].Contains(nan, 1, 1) || f.Cells[0].Contains(2, nan, 1) || f.Cells[0].Contains(2, 1, nan) {
		t.Error("a cell contains NaN")
	}
}

// TestCellsCover checks that the cells contain a union of convex parts with few faces, and overlapping parts
// completely.
func TestCellsCover(t *testing.T) {
	limits := between(0, 1000)
	either := exact.AllOf(half(1, 1, 0, 1225), half(0, 1, 1, 875)) // a box is valid where one of the two does not hold
	for _, test := range []struct {
		condition exact.Region
		want      int
	}{
		{either, 2},
		{exact.AnyOf(either, half(-1, -1, -1, -225)), 2},
		{exact.AnyOf(half(1, 1, 0, 1525), half(0, 1, 1, 1525), half(1, 0, 1, 1525)), 1}, // three faces
		{half(1, 1, 1, 5000), 1}, // nowhere
		{half(1, 1, 1, -1), 0},   // everywhere
		{exact.AnyOf(half(1, 1, 0, 1500), half(0, 1, 1, 1500), half(1, 0, 1, 1500), half(-1, -1, 1, 0)), 0}, // four faces
	} {
		conditions := append(limits[:6:6], test.condition)
		f := newFastPath(conditions, 6)
		if len(f.Cells) != test.want {
			t.Errorf("%v: %d cells, want %d", test.condition, len(f.Cells), test.want)
		}
		missed := 0
		for i := range 1000 {
			at := exact.Point{int64(i%10)*100 + 50, int64(i/10%10)*100 + 50, int64(i/100)*100 + 50}
			in := false
			for c := range f.Cells {
				in = in || f.Cells[c].Contains(exact.Float64At(at[0]), exact.Float64At(at[1]), exact.Float64At(at[2]))
			}
			if in == (first(conditions, at) < len(conditions)) {
				missed++
			}
		}
		if test.want > 0 && missed > 0 {
			t.Errorf("%v: %d boxes are in a cell or in none, and should not be", test.condition, missed)
		}
	}
}

// Limits in any other order than axis by axis, minimum first, must not be taken for their rules.
func TestStartsWithLimits(t *testing.T) {
	limits := between(5, 50)
	for i := range limits {
		swapped := append([]exact.Region(nil), limits...)
		swapped[i], swapped[(i+1)%6] = swapped[(i+1)%6], swapped[i]
		tighter := append(limits[:6:6], exact.Not(limits[i]))
		wider := append([]exact.Region(nil), limits...)
		looser := limits[i].HalfSpace()
		looser.K++
		wider[i] = looser.Region()
		for name, conditions := range map[string][]exact.Region{
			"swapped": swapped, "tighter": append(tighter, half(int64(i-2), 1, 0, 9)), "missing": limits[:5], "of which one is two": wider,
		} {
			if name == "of which one is two" {
				conditions = append(conditions, limits[i])
			}
			if f := newFastPath(conditions, len(conditions)); f.StartsWithLimits {
				t.Errorf("limits %s at %d: ordered", name, i)
			}
		}
	}
	if f := newFastPath(append(limits, limits...), 12); !f.StartsWithLimits {
		t.Error("limits said twice: not ordered")
	}
}

// TestContains compares points on each face with points just outside it.
func TestContains(t *testing.T) {
	c := Cell{cellFace{1, -1, 0, 0}, cellFace{0, 1, -1, 0}, cellFace{0, 0, 1, 3}, true} // width >= depth >= height >= 3
	for _, test := range []struct {
		w, d, h float64
		want    bool
	}{
		{3, 3, 3, true}, {5, 4, 3, true}, {3, 3.001, 3, false}, {3, 3, 3.001, false}, {5, 4, 2.999, false},
	} {
		if got := c.Contains(test.w, test.d, test.h); got != test.want {
			t.Errorf("%v x %v x %v: %v, want %v", test.w, test.d, test.h, got, test.want)
		}
	}
	c.hasThird = false
	if !c.Contains(5, 4, 2) {
		t.Error("a face that is not needed excludes a box")
	}
}

// TestNewCellFace checks that only comparisons of one dimension with another keep their place. Any other face is moved inwards.
func TestNewCellFace(t *testing.T) {
	for _, test := range []struct {
		w, d, h, k int64
		want       float64
	}{
		{1, -1, 0, -1, 0},
		{0, -1, 1, -1, 0},
		{1, -1, 0, 0, 0.001002},
		{1, -1, 0, -2, -0.000998},
		{1, 1, 0, -1, 0.000002},
		{2, -2, 0, -1, 0.001004},
		{2, 0, 0, -1, 0.000002},
		{-1, 0, -1, -500_001, -499.999998},
	} {
		f := newCellFace(half(test.w, test.d, test.h, test.k).HalfSpace())
		if math.Abs(f.bound-test.want) > 1e-9 {
			t.Errorf("%d·w + %d·d + %d·h > %d: the bound is %v, want %v", test.w, test.d, test.h, test.k, f.bound, test.want)
		}
	}
}

func TestSamplePoints(t *testing.T) {
	points := samplePoints(exact.Point{0, 1_200, 24_000}, exact.Point{1_200, 2_400, 24_000})
	if len(points) != 216 {
		t.Fatalf("%d points", len(points))
	}
	for i, at := range map[int]exact.Point{
		0: {100, 1_300, 24_000}, 1: {100, 1_300, 24_000}, 6: {100, 1_500, 24_000}, 36: {300, 1_300, 24_000}, 215: {1_100, 2_300, 24_000},
	} {
		if points[i] != at {
			t.Errorf("point %d is %v, want %v", i, points[i], at)
		}
	}
	if swapped := samplePoints(exact.Point{0, 0, 0}, exact.Point{0, 0, 1_200}); swapped[1] != (exact.Point{0, 0, 300}) {
		t.Errorf("the second point is %v", swapped[1])
	}
}

// TestSplit counts the parts of "(w > 1 or d > 1) and (d > 2 or h > 2)", and of alternatives within their bound and beyond it.
func TestSplit(t *testing.T) {
	domain := polytope.Cuboid(exact.Point{}, exact.Point{1_000, 1_000, 1_000})
	alternatives := func(n int) exact.Region {
		var parts []exact.Region
		for i := range n {
			parts = append(parts, half(1, int64(i), 0, 500))
		}
		return exact.AnyOf(parts...)
	}
	for _, test := range []struct {
		c    exact.Region
		want int
	}{
		{half(1, 0, 0, 500), 1},
		{half(1, 0, 0, 1_000), 0},
		{half(1, 0, 0, -1), 1},
		{exact.AllOf(half(1, 0, 0, 500), half(0, 1, 0, 500)), 1},
		{exact.AllOf(exact.AnyOf(half(1, 0, 0, 1), half(0, 1, 0, 1)), exact.AnyOf(half(0, 1, 0, 2), half(0, 0, 1, 2))), 4},
		{alternatives(60), 60},
		{alternatives(maxSplits - 1), maxSplits - 1},
		{alternatives(maxSplits), maxSplits - 1}, // the first call is for the whole condition
		{alternatives(90), maxSplits - 1},
	} {
		s := cellSplitter{remaining: maxSplits}
		s.split(domain, test.c)
		if len(s.parts) != test.want {
			t.Errorf("%v: %d parts, want %d", test.c, len(s.parts), test.want)
		}
	}
}

// TestCellsAreFew divides the valid boxes into twelve parts that do not overlap.
func TestCellsAreFew(t *testing.T) {
	low, high := exact.Point{}, exact.Point{600, 600, 600}
	var parts []exact.Region
	for i := range int64(6) {
		slab := exact.AllOf(half(1, 0, 0, 100*i), half(-1, 0, 0, -100*i-99)) // the width is 100·i+1 to 100·i+98
		parts = append(parts, exact.AllOf(slab, half(0, 1, 0, 300)), exact.AllOf(slab, half(0, -1, 0, -300)))
	}
	if cells := newCells(polytope.Cuboid(low, high), low, high, []exact.Region{exact.Not(exact.AnyOf(parts...))}); len(cells) != maxCells {
		t.Errorf("%d cells, want %d", len(cells), maxCells)
	}
}
