package program

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/gen"
)

func init() { lab.Checks(500, 4_000) }

// half returns the condition w·width + d·depth + h·height > k.
func half(w, d, h, k int64) exact.Region {
	return exact.HalfSpace{A: [exact.Axes]int64{w, d, h}, K: k}.Region()
}

// first returns the index of the first condition that holds, or the number of conditions.
func first(conditions []exact.Region, at exact.Point) int {
	for i, c := range conditions {
		if c.Contains(at) {
			return i
		}
	}
	return len(conditions)
}

// aroundOrigin holds the points around the origin, those with the smallest coordinates first.
func aroundOrigin() (points []exact.Point) {
	for size := range int64(5) {
		for w := -size; w <= size; w++ {
			for d := -size; d <= size; d++ {
				for h := -size; h <= size; h++ {
					if max(w, -w, d, -d, h, -h) == size {
						points = append(points, exact.Point{w, d, h})
					}
				}
			}
		}
	}
	return points
}

// TestAssemble assembles conditions of any shape, including some that hold everywhere or nowhere.
func TestAssemble(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		conditions := []exact.Region{gen.ExactRegion(draw.Choices(t), 4, 9), gen.ExactRegion(draw.Choices(t), 4, 9)}
		halves := conditions[0].Size() + conditions[1].Size()
		constant := rapid.IntRange(0, 3).Draw(t, "constant")
		if constant < 2 {
			i := rapid.IntRange(0, 1).Draw(t, "at")
			conditions[i] = []exact.Region{{}, exact.Everywhere()}[constant]
		}
		p, alone := Assemble(conditions...), Assemble(conditions[0])
		if constant >= 2 && len(p.tests) != halves {
			t.Fatalf("%v: %d tests, want one for each of %d half-spaces", conditions, len(p.tests), halves)
		}
		for _, at := range aroundOrigin() {
			want := first(conditions, at)
			if got := p.First(at); got != want || p.FirstAt(at[0], at[1], at[2]) != want {
				t.Fatalf("%v at %v: %d, want %d", conditions, at, got, want)
			}
			if alone.Holds(at) != (want == 0) {
				t.Fatalf("%v at %v: holds %v, want %v", conditions[0], at, alone.Holds(at), want == 0)
			}
		}
	})
	if none := Assemble(); none.First(exact.Point{}) != 0 {
		t.Errorf("of no conditions number %d holds", none.First(exact.Point{}))
	}
}

// TestSweep checks that the pieces cover a line without gaps, differ from their neighbours, and have the right
// outcome at every point near their ends and near the middle of the grid. With a step it checks every
// multiple.
func TestSweep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		conditions := []exact.Region{gen.ExactRegion(draw.Choices(t), 3, 9), gen.ExactRegion(draw.Choices(t), 3, 9)}
		small := rapid.Int64Range(-4, 4)
		at := exact.Point{small.Draw(t, "width"), small.Draw(t, "depth"), small.Draw(t, "height")}
		for axis := range exact.Axes {
			for _, step := range []int64{1, 10, 100, 1000} {
				sweeps(t, conditions, at, axis, step)
			}
		}
	})
}

// sweeps compares the pieces of a line with the first condition that holds at each of its points.
func sweeps(t *rapid.T, conditions []exact.Region, at exact.Point, axis int, step int64) {
	p, kept := Assemble(conditions...), Piece{1, 2, 3}
	pieces := p.Sweep(at, axis, step, []Piece{kept})
	if len(pieces) < 2 || pieces[0] != kept || pieces[1].From != -exact.MaxGrid || pieces[len(pieces)-1].To != exact.MaxGrid {
		t.Fatalf("%v along axis %d from %v: %v, want the whole line behind %v", conditions, axis, at, pieces, kept)
	}
	outcomes := make(map[int64]int)
	for i, piece := range pieces[1:] {
		if before := pieces[i]; piece.From > piece.To || piece.From%step != 0 || piece.To%step != 0 ||
			i > 0 && (piece.From != before.To+step || piece.First == before.First) {
			t.Fatalf("%v along axis %d from %v: %v behind %v", conditions, axis, at, piece, before)
		}
		outcomes[piece.From], outcomes[piece.To] = piece.First, piece.First
		for x := max(piece.From, -40*step); x <= min(piece.To, 40*step); x += step {
			outcomes[x] = piece.First
		}
	}
	for _, x := range slices.Sorted(maps.Keys(outcomes)) {
		if at[axis] = x; first(conditions, at) != outcomes[x] {
			t.Fatalf("%v at %v: %d, want %d, of pieces %v", conditions, at, outcomes[x], first(conditions, at), pieces)
		}
	}
}

// TestSweepAtTheEnds moves the place where a condition begins to hold beyond both ends of the grid.
func TestSweepAtTheEnds(t *testing.T) {
	const end = exact.MaxGrid
	for _, test := range []struct {
		bound int64 // the condition is width > bound
		want  []Piece
	}{
		{-end - 2, []Piece{{-end, end, 0}}},
		{-end - 1, []Piece{{-end, end, 0}}},
		{-end, []Piece{{-end, -end, 1}, {-end + 1, end, 0}}},
		{end - 1, []Piece{{-end, end - 1, 1}, {end, end, 0}}},
		{end, []Piece{{-end, end, 1}}},
		{end + 1, []Piece{{-end, end, 1}}},
	} {
		p := Assemble(half(1, 0, 0, test.bound))
		if got := p.Sweep(exact.Point{}, exact.Width, 1, nil); !slices.Equal(got, test.want) {
			t.Errorf("width > %d: %v, want %v", test.bound, got, test.want)
		}
	}
}
