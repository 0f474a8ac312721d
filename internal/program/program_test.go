package program

import (
	"math/rand/v2"
	"testing"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
)

// half is where w·width + d·depth + h·height > k.
func half(w, d, h, k int64) exact.Tree {
	return exact.Tree{Kind: exact.Half, Half: exact.HalfSpace{A: [exact.Axes]int64{w, d, h}, K: k}}
}

// first is the index of the first condition that holds, or their number.
func first(conditions []exact.Tree, at exact.Point) int {
	for i, c := range conditions {
		if c.Holds(at) {
			return i
		}
	}
	return len(conditions)
}

// withConstants puts true or false in place of some parts, where a folded condition has none.
func withConstants(c exact.Tree, rng *rand.Rand) exact.Tree {
	if rng.IntN(4) == 0 {
		return exact.Tree{Kind: []exact.Kind{exact.False, exact.True}[rng.IntN(2)]}
	}
	for i, part := range c.Parts {
		c.Parts[i] = withConstants(part, rng)
	}
	return c
}

// TestAssemble has conditions of any shape, with constants where folded ones have none.
func TestAssemble(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 2000 {
		conditions := []exact.Tree{gen.Tree(rng.IntN, 4, 9), gen.Tree(rng.IntN, 4, 9)}
		if i%2 == 0 {
			conditions[i/2%2] = withConstants(conditions[i/2%2], rng)
		}
		p := Assemble(conditions...)
		if halves := conditions[0].Size() + conditions[1].Size(); i%2 == 1 && len(p.tests) != halves {
			t.Fatalf("%v: %d tests, want one for each of %d half-spaces", conditions, len(p.tests), halves)
		}
		for range 50 {
			at := exact.Point{rng.Int64N(9) - 4, rng.Int64N(9) - 4, rng.Int64N(9) - 4}
			want := first(conditions, at)
			if got := p.First(at); got != want || p.FirstAt(at[0], at[1], at[2]) != want {
				t.Fatalf("%v at %v: %d, want %d", conditions, at, got, want)
			}
			if alone := Assemble(conditions[0]); alone.Holds(at) != (want == 0) {
				t.Fatalf("%v at %v: holds %v, want %v", conditions[0], at, alone.Holds(at), want == 0)
			}
		}
	}
	if none := Assemble(); none.First(exact.Point{}) != 0 {
		t.Errorf("of no conditions number %d holds", none.First(exact.Point{}))
	}
}

// TestSweep: the pieces of a line cover it without a gap, differ from their neighbours, and say
// of every point near their ends and near the middle of the grid what holds there; on a step, of
// every multiple of it.
func TestSweep(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 2000 {
		conditions := []exact.Tree{gen.Tree(rng.IntN, 3, 9), gen.Tree(rng.IntN, 3, 9)}
		p := Assemble(conditions...)
		at, axis := exact.Point{rng.Int64N(9) - 4, rng.Int64N(9) - 4, rng.Int64N(9) - 4}, rng.IntN(exact.Axes)
		kept := Piece{1, 2, 3}
		step := []int64{1, 1, 10, 100, 1000}[rng.IntN(5)]
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
		for x, outcome := range outcomes {
			if at[axis] = x; first(conditions, at) != outcome {
				t.Fatalf("%v at %v: %d, want %d, of pieces %v", conditions, at, outcome, first(conditions, at), pieces)
			}
		}
	}
}
