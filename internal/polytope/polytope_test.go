package polytope_test

import (
	"fmt"
	"math"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/polytope"
)

func init() { lab.Checks(30, 100) }

// corners returns the vertices as text, sorted.
func corners(p polytope.Polytope) string {
	var all []string
	for _, v := range p.Corners() {
		all = append(all, v[0].RatString()+","+v[1].RatString()+","+v[2].RatString())
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func half(w, d, h, k int64) exact.HalfSpace {
	return exact.HalfSpace{A: [exact.Axes]int64{w, d, h}, K: k}
}

func TestCube(t *testing.T) {
	for _, test := range []struct {
		low, high exact.Point
		want      string
	}{
		{exact.Point{0, 0, 0}, exact.Point{1, 2, 3}, "0,0,0 0,0,3 0,2,0 0,2,3 1,0,0 1,0,3 1,2,0 1,2,3"},
		{exact.Point{-1, 0, 4}, exact.Point{1, 2, 4}, "-1,0,4 -1,2,4 1,0,4 1,2,4"},
		{exact.Point{5, -3, 0}, exact.Point{5, 2, 0}, "5,-3,0 5,2,0"},
		{exact.Point{5, 5, 0}, exact.Point{5, 5, 9}, "5,5,0 5,5,9"},
		{exact.Point{7, 8, 9}, exact.Point{7, 8, 9}, "7,8,9"},
		{exact.Point{1, 0, 0}, exact.Point{0, 9, 9}, ""},
		{exact.Point{0, 0, 1}, exact.Point{9, 9, 0}, ""},
	} {
		p := polytope.Cuboid(test.low, test.high)
		if got := corners(p); got != test.want || p.Empty() != (test.want == "") {
			t.Errorf("Cuboid(%v, %v) = %s, empty %v, want %s", test.low, test.high, got, p.Empty(), test.want)
		}
	}
}

// TestClip cuts a cube of side 4 by one half-space after the other. a·p > k is a·p >= k+1 on the grid.
func TestClip(t *testing.T) {
	cube := polytope.Cuboid(exact.Point{0, 0, 0}, exact.Point{4, 4, 4})
	flat := polytope.Cuboid(exact.Point{0, 0, 0}, exact.Point{4, 4, 0})
	line := polytope.Cuboid(exact.Point{0, 0, 0}, exact.Point{4, 0, 0})
	point := polytope.Cuboid(exact.Point{4, 0, 0}, exact.Point{4, 0, 0})
	for _, test := range []struct {
		name   string
		body   polytope.Polytope
		halves []exact.HalfSpace
		want   string
	}{
		{"nothing is cut off", cube, []exact.HalfSpace{half(1, 1, 1, -1), half(1, 0, 0, -1), half(-1, -1, -1, -13)}, corners(cube)},
		{"a corner is left", cube, []exact.HalfSpace{half(-1, -1, -1, -3)}, "0,0,0 0,0,2 0,2,0 2,0,0"},
		{"a corner is cut off", cube, []exact.HalfSpace{half(1, 1, 1, 0)},
			"0,0,1 0,0,4 0,1,0 0,4,0 0,4,4 1,0,0 4,0,0 4,0,4 4,4,0 4,4,4"},
		{"through opposite edges", cube, []exact.HalfSpace{half(1, -1, 0, -1)}, "0,0,0 0,0,4 4,0,0 4,0,4 4,4,0 4,4,4"},
		{"a face is left", cube, []exact.HalfSpace{half(1, 0, 0, 3)}, "4,0,0 4,0,4 4,4,0 4,4,4"},
		{"an edge is left", cube, []exact.HalfSpace{half(1, -1, 0, 3)}, "4,0,0 4,0,4"},
		{"a corner alone is left", cube, []exact.HalfSpace{half(1, 1, 1, 11)}, "4,4,4"},
		{"nothing is left", cube, []exact.HalfSpace{half(1, 1, 1, 12)}, ""},
		{"a plane across", cube, []exact.HalfSpace{half(1, 1, 1, 5), half(-1, -1, -1, -7)},
			"0,2,4 0,4,2 2,0,4 2,4,0 4,0,2 4,2,0"},
		{"a plane across, and a line in it", cube, []exact.HalfSpace{half(1, 1, 1, 5), half(-1, -1, -1, -7), half(1, -1, 0, -1), half(-1, 1,
			0, -1)},
			"1,1,4 3,3,0"},
		{"and a point on that", cube, []exact.HalfSpace{half(1, 1, 1, 5), half(-1, -1, -1, -7), half(1, -1, 0, -1), half(-1, 1, 0, -1),
			half(0, 0, 1, 3)},
			"1,1,4"},
		{"thirds", cube, []exact.HalfSpace{half(-3, -1, 0, -2), half(0, 0, -1, -1)}, "0,0,0 0,1,0 1/3,0,0"},
		{"no grid point is left", cube, []exact.HalfSpace{half(2, 1, 0, 0), half(-2, -1, 0, -2), half(0, -1, 0, -1), half(0, 0, -1, -1)},
			"1/2,0,0"},
		{"flat, across", flat, []exact.HalfSpace{half(1, 1, 1, 5)}, "2,4,0 4,2,0 4,4,0"},
		{"flat, along", flat, []exact.HalfSpace{half(0, 0, 1, -1)}, corners(flat)},
		{"flat, away", flat, []exact.HalfSpace{half(0, 0, 1, 0)}, ""},
		{"line, across", line, []exact.HalfSpace{half(2, 0, 5, 2), half(-1, 0, 0, -4)}, "3,0,0 3/2,0,0"},
		{"line, at its end", line, []exact.HalfSpace{half(1, 1, 1, 3)}, "4,0,0"},
		{"point, kept", point, []exact.HalfSpace{half(1, 1, 1, 3)}, "4,0,0"},
		{"point, away", point, []exact.HalfSpace{half(1, 1, 1, 4)}, ""},
		{"nothing stays nothing", polytope.Polytope{}, []exact.HalfSpace{half(1, 1, 1, -100)}, ""},
	} {
		p := test.body
		for _, h := range test.halves {
			before := p
			if p = p.Clip(h); before.Meets(h) == p.Empty() {
				t.Errorf("%s: %s: Meets(%v) = %v, though Clip leaves %s", test.name, corners(before), h, before.Meets(h), corners(p))
			}
		}
		if got := corners(p); got != test.want || p.Empty() != (test.want == "") {
			t.Errorf("%s: Clip(%v) = %s, empty %v, want %s", test.name, test.halves, got, p.Empty(), test.want)
		}
	}
	if got := corners(cube); got != "0,0,0 0,0,4 0,4,0 0,4,4 4,0,0 4,0,4 4,4,0 4,4,4" {
		t.Errorf("after the cuts the cube is %s", got)
	}
}

func TestSlice(t *testing.T) {
	// A pyramid over a square of side 8, as high as half of it: (0,0,0) to (8,8,0), top (4,4,4).
	pyramid := polytope.Cuboid(exact.Point{-9, -9, 0}, exact.Point{9, 9, 9})
	for _, h := range []exact.HalfSpace{half(1, 0, -1, -1), half(-1, 0, -1, -9), half(0, 1, -1, -1), half(0, -1, -1, -9)} {
		pyramid = pyramid.Clip(h)
	}
	if got, want := corners(pyramid), "0,0,0 0,8,0 4,4,4 8,0,0 8,8,0"; got != want {
		t.Fatalf("the pyramid is %s, want %s", got, want)
	}
	for _, test := range []struct {
		axis  int
		value int64
		want  string
	}{
		{exact.Height, 0, "0,0,0 0,8,0 8,0,0 8,8,0"},
		{exact.Height, 1, "1,1,1 1,7,1 7,1,1 7,7,1"},
		{exact.Height, 4, "4,4,4"},
		{exact.Height, 5, ""},
		{exact.Width, 0, "0,0,0 0,8,0"},
		{exact.Width, 4, "4,0,0 4,4,4 4,8,0"},
		{exact.Depth, 3, "0,3,0 3,3,3 5,3,3 8,3,0"},
		{exact.Depth, -1, ""},
	} {
		if got := corners(pyramid.Slice(test.axis, test.value)); got != test.want {
			t.Errorf("Slice(%d, %d) = %s, want %s", test.axis, test.value, got, test.want)
		}
	}
	steep := pyramid.Clip(half(0, 0, -3, -10)) // height <= 3
	steep = steep.Clip(half(3, 0, 0, 3))       // width >= 4/3
	if got, want := corners(steep), "3,3,3 3,5,3 4/3,0,0 4/3,20/3,4/3 4/3,4/3,4/3 4/3,8,0 5,3,3 5,5,3 8,0,0 8,8,0"; got != want {
		t.Errorf("the cut pyramid is %s, want %s", got, want)
	}
}

// side returns A·v - K for a vertex.
func side(h exact.HalfSpace, v [exact.Axes]*big.Rat) *big.Rat {
	total := big.NewRat(-h.K, 1)
	for axis, x := range v {
		total.Add(total, new(big.Rat).Mul(big.NewRat(h.A[axis], 1), x))
	}
	return total
}

// heights returns the least and the greatest height of the grid points of p with the width and the depth. If
// there are no such points, ok is false.
func heights(p polytope.Polytope, w, d int64) (low, high int64, ok bool) {
	slice := p.Slice(exact.Width, w)
	if slice.Empty() {
		return 0, 0, false
	}
	line := slice.Slice(exact.Depth, d)
	if line.Empty() {
		return 0, 0, false
	}
	least, greatest := line.Corners()[0][exact.Height], line.Corners()[0][exact.Height]
	for _, v := range line.Corners() {
		if v[exact.Height].Cmp(least) < 0 {
			least = v[exact.Height]
		}
		if v[exact.Height].Cmp(greatest) > 0 {
			greatest = v[exact.Height]
		}
	}
	up, down := new(big.Int).Neg(least.Num()), greatest.Num()
	up.Div(up, least.Denom()).Neg(up)
	low, high = up.Int64(), new(big.Int).Div(down, greatest.Denom()).Int64()
	return low, high, low <= high
}

// TestPolytopeProperty cuts small cubes at random, and compares the result with all points of the cube.
func TestPolytopeProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low, high := gen.ExactCuboid(draw.Choices(t), 6)
		p := polytope.Cuboid(low, high)
		var halves []exact.HalfSpace
		for range rapid.IntRange(1, 6).Draw(t, "halves") {
			h := gen.ExactHalfSpace(draw.Choices(t), 9)
			halves = append(halves, h)
			if p.Meets(h) == p.Clip(h).Empty() {
				t.Fatalf("%v: Meets(%v) = %v, though Clip leaves %s", corners(p), h, p.Meets(h), corners(p.Clip(h)))
			}
			p = p.Clip(h)
		}
		for _, body := range []struct {
			name   string
			p      polytope.Polytope
			margin *big.Rat // A·v - K is at least this
		}{{"Clip", p, big.NewRat(1, 1)}} {
			seen := make(map[string]bool)
			for _, v := range body.p.Corners() {
				text := fmt.Sprint(v[0].RatString(), " ", v[1].RatString(), " ", v[2].RatString())
				if seen[text] {
					t.Fatalf("%s(%v): vertex %s is there twice", body.name, halves, text)
				}
				seen[text] = true
				for _, h := range halves {
					if side(h, v).Cmp(body.margin) < 0 {
						t.Fatalf("%s(%v): vertex %s is not in %v", body.name, halves, text, h)
					}
				}
				for axis, x := range v {
					if x.Cmp(big.NewRat(low[axis], 1)) < 0 || x.Cmp(big.NewRat(high[axis], 1)) > 0 {
						t.Fatalf("%s(%v): vertex %s is not in the cube %v to %v", body.name, halves, text, low, high)
					}
				}
			}
			for w := low[0]; w <= high[0]; w++ {
				for d := low[1]; d <= high[1]; d++ {
					var want []int64
					for h := low[2]; h <= high[2]; h++ {
						if inAll(halves, exact.Point{w, d, h}) {
							want = append(want, h)
						}
					}
					from, to, ok := heights(body.p, w, d)
					if ok != (len(want) > 0) || ok && (from != want[0] || to != want[len(want)-1]) {
						t.Fatalf(
							"%s(%v) in %v to %v, width %d, depth %d: heights %d to %d (%v), want %v",
							body.name,
							halves,
							low,
							high,
							w,
							d,
							from,
							to,
							ok,
							want,
						)
					}
				}
			}
		}
	})
}

// TestManyFaces cuts a ball out of a cube, in several orders. The result is always the same, and has all the
// faces. It takes some ten megabytes each time.
func TestManyFaces(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var faces []exact.HalfSpace
	for i := range int64(125) {
		w, d, h := i/25-2, i/5%5-2, i%5-2
		square := w*w + d*d + h*h
		if square != 0 && (w%2 != 0 || d%2 != 0 || h%2 != 0) {
			faces = append(faces, half(w, d, h, -int64(1000*math.Sqrt(float64(square)))))
		}
	}
	cut := func(start, step int) polytope.Polytope {
		p := polytope.Cuboid(exact.Point{-9999, -9999, -9999}, exact.Point{9999, 9999, 9999})
		for i := range faces {
			p = p.Clip(faces[(start+i*step)%len(faces)])
		}
		return p
	}
	ball := cut(0, 1)
	for _, f := range faces {
		on := 0
		for _, v := range ball.Corners() {
			if side(f, v).Cmp(big.NewRat(1, 1)) == 0 {
				on++
			}
		}
		if on < 3 {
			t.Errorf("%d vertices lie on the face %v, want 3 or more", on, f)
		}
	}
	want := corners(ball)
	for _, step := range []int{5, 27, len(faces) - 1} {
		if got := corners(cut(step, step)); got != want {
			t.Errorf("in steps of %d the vertices are %s, want %s", step, got, want)
		}
	}
	runtime.ReadMemStats(&after)
	if size := after.TotalAlloc - before.TotalAlloc; size > 400<<20 {
		t.Errorf("all together took %d MiB", size>>20)
	}
}

func inAll(halves []exact.HalfSpace, p exact.Point) bool {
	for _, h := range halves {
		if !h.Contains(p) {
			return false
		}
	}
	return true
}
