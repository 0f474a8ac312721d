package polytope_test

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/polytope"
)

// TestHalfSpaces checks that the intersection of the half-spaces is the polytope, and that without any one of
// them it is not, unless the polytope is flat.
func TestHalfSpaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low, high := gen.ExactCuboid(draw.Choices(t), 9)
		p := polytope.Cuboid(low, high)
		for range rapid.IntRange(0, 6).Draw(t, "halves") {
			p = p.Clip(gen.ExactHalfSpace(draw.Choices(t), 9))
		}
		if p.Empty() {
			t.Skip()
		}
		intersection := func(halves []exact.HalfSpace) string {
			q := polytope.Cuboid(exact.Point{-99, -99, -99}, exact.Point{99, 99, 99})
			for _, h := range halves {
				q = q.Clip(h)
			}
			return corners(q)
		}
		halves := p.HalfSpaces()
		if got := intersection(halves); got != corners(p) {
			t.Fatalf("%v are those of %s, and cut out %s", halves, corners(p), got)
		}
		for i := range halves {
			on := 0
			for _, v := range p.Corners() {
				if side(halves[i], v).Cmp(big.NewRat(1, 1)) == 0 {
					on++
				}
			}
			if on == len(p.Corners()) {
				return // flat
			}
		}
		for i := range halves {
			if without := slices.Delete(slices.Clone(halves), i, i+1); intersection(without) == corners(p) {
				t.Fatalf("%s: %v is not needed", corners(p), halves[i])
			}
		}
	})
}

// A face that later cuts reduce to an edge is redundant.
func TestHalfSpacesAtAnEdge(t *testing.T) {
	p := polytope.Cuboid(exact.Point{0, 0, 0}, exact.Point{4, 4, 4}).Clip(half(-1, -1, 0, -7)).Clip(half(-1, 0, 0, -3)) // w+d <= 6, w <= 2
	if halves := p.HalfSpaces(); len(halves) != 6 || slices.Contains(halves, half(-1, -1, 0, -7)) {
		t.Errorf("%v, want the six sides", halves)
	}
}

// TestSide checks that the side of a face on which a corner lies is exact, even if float64s cannot decide it.
func TestSide(t *testing.T) {
	coefficient := rapid.Int64Range(-2_000_000, 2_000_000)
	drawHalf := rapid.Custom(func(t *rapid.T) exact.HalfSpace {
		return half(coefficient.Draw(t, "w"), coefficient.Draw(t, "d"), coefficient.Draw(t, "h"),
			rapid.Int64Range(-exact.MaxGrid, exact.MaxGrid).Draw(t, "k"))
	})
	close, bodies := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := polytope.Cuboid(exact.Point{-exact.MaxGrid, -exact.MaxGrid, -exact.MaxGrid}, exact.Point{exact.MaxGrid, exact.MaxGrid, exact.MaxGrid})
		for _, h := range rapid.SliceOfN(drawHalf, 0, 4).Draw(t, "halves") {
			p = p.Clip(h)
		}
		bodies++
		for _, v := range p.Corners() {
			// For these K the corner is just inside of the half-space or just outside.
			h := drawHalf.Draw(t, "face")
			h.K = 0
			at := side(h, v)
			below := new(big.Int).Div(at.Num(), at.Denom()).Int64()
			for _, k := range []int64{below - 2, below - 1, below} {
				h.K = k
				want := side(h, v).Cmp(big.NewRat(1, 1)) >= 0
				if got := slices.Contains(metBy(p, h), v[0].RatString()+v[1].RatString()+v[2].RatString()); got != want {
					t.Fatalf("%v at %v: kept %v, want %v", h, v, got, want)
				}
				close++
			}
		}
	})
	if close < 10*bodies {
		t.Errorf("%d corners of %d bodies were compared with faces near them", close, bodies)
	}
}

// metBy returns the corners of p that are also corners of its part in the half-space.
func metBy(p polytope.Polytope, h exact.HalfSpace) (met []string) {
	for _, v := range p.Clip(h).Corners() {
		met = append(met, v[0].RatString()+v[1].RatString()+v[2].RatString())
	}
	return met
}
