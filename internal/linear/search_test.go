package linear_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/internal/linear"
)

// drawSearch is an and/or combination of half-spaces through and near the middle of a cube of the size.
func drawSearch(t *rapid.T, depth int, size int64) linear.Condition {
	kind := rapid.IntRange(0, 4).Draw(t, "kind")
	if depth == 0 || kind < 2 {
		h := drawHalf(t, 2*size)
		return linear.Condition{Kind: linear.Half, Half: h}
	}
	parts := make([]linear.Condition, rapid.IntRange(2, 3).Draw(t, "parts"))
	for i := range parts {
		parts[i] = drawSearch(t, depth-1, size)
	}
	switch kind {
	case 2:
		return linear.AllOf(parts...)
	case 3:
		return linear.Not(linear.AllOf(parts...))
	}
	return linear.AnyOf(parts...)
}

func drawSearches(t *rapid.T, size int64) []linear.Condition {
	conditions := make([]linear.Condition, rapid.IntRange(1, 4).Draw(t, "conditions"))
	for i := range conditions {
		conditions[i] = drawSearch(t, 2, size)
	}
	return conditions
}

func holdAll(conditions []linear.Condition, p linear.Point) bool {
	return !slices.ContainsFunc(conditions, func(c linear.Condition) bool { return !c.Holds(p) })
}

// points are those of the cube whose coordinates are multiples of step and at which every condition holds,
// the smallest first.
func points(low, high linear.Point, step int64, conditions []linear.Condition) []linear.Point {
	var all []linear.Point
	up := func(x int64) int64 { return x + ((-x)%step+step)%step }
	for w := up(low[0]); w <= high[0]; w += step {
		for d := up(low[1]); d <= high[1]; d += step {
			for h := up(low[2]); h <= high[2]; h += step {
				if p := (linear.Point{w, d, h}); holdAll(conditions, p) {
					all = append(all, p)
				}
			}
		}
	}
	return all
}

func TestCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low, high := drawCube(t, 6)
		conditions := drawSearches(t, 6)
		var cells []linear.Polytope
		if !linear.Cells(linear.Cube(low, high), conditions, func(p linear.Polytope) bool {
			cells = append(cells, p)
			return true
		}) {
			t.Fatal("Cells stopped before the end")
		}
		covered := make(map[linear.Point]bool)
		for _, cell := range cells {
			if cell.Empty() {
				t.Fatalf("%v: an empty cell was visited", conditions)
			}
			for w := low[0]; w <= high[0]; w++ {
				for d := low[1]; d <= high[1]; d++ {
					from, to, ok := heights(cell, w, d)
					for h := from; ok && h <= to; h++ {
						covered[linear.Point{w, d, h}] = true
					}
				}
			}
		}
		want := points(low, high, 1, conditions)
		for _, p := range want {
			if !covered[p] {
				t.Fatalf("%v in %v to %v: no cell has %v", conditions, low, high, p)
			}
			delete(covered, p)
		}
		for p := range covered {
			t.Fatalf("%v in %v to %v: a cell has %v", conditions, low, high, p)
		}
		if len(cells) > 1 {
			visited := 0
			if linear.Cells(linear.Cube(low, high), conditions, func(linear.Polytope) bool { visited++; return false }) || visited != 1 {
				t.Fatalf("Cells went to the end, or visited %d cells, though it was told to stop at the first", visited)
			}
		}
	})
}

func TestFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low, high := drawCube(t, 6)
		conditions := drawSearches(t, 6)
		want := points(low, high, 1, conditions)
		p, answer := linear.Find(linear.Cube(low, high), conditions...)
		if wantAnswer := known(len(want) > 0); answer != wantAnswer {
			t.Fatalf("Find(%v in %v to %v) = %v, %d, want %d: %v", conditions, low, high, p, answer, wantAnswer, want)
		}
		if answer == linear.Something && !slices.Contains(want, p) {
			t.Fatalf("Find(%v in %v to %v) = %v, want one of %v", conditions, low, high, p, want)
		}
		for axis := range linear.Axes {
			for _, direction := range []int64{-1, 1} {
				p, answer := linear.Greatest(linear.Cube(low, high), axis, direction, conditions...)
				if answer != known(len(want) > 0) {
					t.Fatalf("Greatest(%d, %d, %v in %v to %v) = %v, %d, want one of %v", axis, direction, conditions, low, high, p, answer, want)
				}
				if answer != linear.Something {
					continue
				}
				if !slices.Contains(want, p) {
					t.Fatalf("Greatest(%d, %d, %v in %v to %v) = %v, want one of %v", axis, direction, conditions, low, high, p, want)
				}
				for _, q := range want {
					if (q[axis]-p[axis])*direction > 0 {
						t.Fatalf("Greatest(%d, %d, %v in %v to %v) = %v, want %v", axis, direction, conditions, low, high, p, q)
					}
				}
			}
		}
	})
}

func known(some bool) linear.Answer {
	if some {
		return linear.Something
	}
	return linear.Nothing
}

// TestRoundest looks in boxes of such sides that some steps have points in them and others none.
func TestRoundest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var low, high linear.Point
		for axis, longest := range rapid.Permutation([]int64{300, 40, 6}).Draw(t, "sides") {
			low[axis] = rapid.Int64Range(-longest, longest/2).Draw(t, "low")
			high[axis] = low[axis] + rapid.Int64Range(0, longest/2).Draw(t, "side")
		}
		var conditions []linear.Condition
		for range rapid.IntRange(1, 3).Draw(t, "conditions") {
			// Through a point of the box, so that there is something to find.
			var through linear.Point
			for axis := range linear.Axes {
				through[axis] = rapid.Int64Range(low[axis], high[axis]).Draw(t, "through")
			}
			c := drawSearch(t, 1, 6)
			conditions = append(conditions, moved(c, through))
		}
		var want []linear.Point
		for _, step := range []int64{100_000, 50_000, 10_000, 5_000, 1_000, 500, 100, 50, 10, 5, 1} {
			if want = points(low, high, step, conditions); len(want) > 0 {
				break
			}
		}
		p, answer := linear.Roundest(linear.Cube(low, high), conditions...)
		if answer != known(len(want) > 0) || answer == linear.Something && p != want[0] {
			t.Fatalf("Roundest(%v in %v to %v) = %v, %d, want the first of %.5v", conditions, low, high, p, answer, want)
		}
	})
}

// moved is the condition with the origin moved to the point.
func moved(c linear.Condition, to linear.Point) linear.Condition {
	for axis, x := range to {
		c.Half.K += c.Half.A[axis] * x
	}
	c.Parts = slices.Clone(c.Parts)
	for i, part := range c.Parts {
		c.Parts[i] = moved(part, to)
	}
	return c
}

func TestRoundestKnown(t *testing.T) {
	atLeast := func(w, d, h int64) []linear.Condition {
		var all []linear.Condition
		for axis, least := range []int64{w, d, h} {
			var half linear.HalfSpace
			half.A[axis], half.K = 1, least-1
			all = append(all, linear.Condition{Kind: linear.Half, Half: half})
		}
		return all
	}
	domain := linear.Cube(linear.Point{1, 1, 1}, linear.Point{linear.MaxGrid, linear.MaxGrid, linear.MaxGrid})
	narrow := linear.Cube(linear.Point{12_345, 12_340, 99_000}, linear.Point{12_345, 12_349, 101_000})
	for _, test := range []struct {
		domain     linear.Polytope
		conditions []linear.Condition
		want       linear.Point
	}{
		{domain, nil, linear.Point{100_000, 100_000, 100_000}},
		{domain, atLeast(1, 100_001, 500), linear.Point{100_000, 200_000, 100_000}},
		{narrow, nil, linear.Point{12_345, 12_340, 99_000}},
		{narrow, atLeast(1, 12_341, 99_001), linear.Point{12_345, 12_345, 99_005}},
		{narrow, atLeast(1, 12_346, 99_001), linear.Point{12_345, 12_346, 99_001}},
	} {
		p, answer := linear.Roundest(test.domain, test.conditions...)
		if p != test.want || answer != linear.Something {
			t.Errorf("Roundest(%v) = %v, %d, want %v", test.conditions, p, answer, test.want)
		}
	}
}

// TestRoundestThin looks in slabs so thin that no coarse point is in them, and so long that a coarse step is given up.
func TestRoundestThin(t *testing.T) {
	slab := func(side, k int64) linear.Polytope { // 2·width - 2·height = k, three grid points deep
		return linear.Cube(linear.Point{0, 7, 0}, linear.Point{side, 9, side}).Clip(half(2, 0, -2, k-1)).Clip(half(-2, 0, 2, -k-1))
	}
	for _, test := range []struct {
		name   string
		domain linear.Polytope
		want   linear.Point
		answer linear.Answer
	}{
		{"points of step 1", slab(100_000, 2), linear.Point{1, 7, 0}, linear.Something},
		{"none", slab(100_000, 1), linear.Point{}, linear.Nothing},
		{"none, and too long", slab(1_000_000, 1), linear.Point{}, linear.Undecided},
		// 500·depth - width + height = 250: the first width with a point is found across the heights.
		{"steep", linear.Cube(linear.Point{0, 0, 7}, linear.Point{50_000, 100, 9}).Clip(half(-1, 500, 1, 249)).Clip(half(1, -500, -1, -251)),
			linear.Point{257, 1, 7}, linear.Something},
	} {
		if p, answer := linear.Roundest(test.domain); p != test.want || answer != test.answer {
			t.Errorf("%s: Roundest = %v, %d, want %v, %d", test.name, p, answer, test.want, test.answer)
		}
		if p, answer := linear.Find(test.domain); p != test.want || answer != test.answer {
			t.Errorf("%s: Find = %v, %d, want %v, %d", test.name, p, answer, test.want, test.answer)
		}
	}
	// A rounder point elsewhere is found, whichever comes first.
	thin := linear.AllOf(
		linear.Condition{Kind: linear.Half, Half: half(2, 0, -2, 1)}, linear.Condition{Kind: linear.Half, Half: half(-2, 0, 2, -3)},
		linear.Condition{Kind: linear.Half, Half: half(0, -1, 0, -10)})
	round := linear.AllOf(
		linear.Condition{Kind: linear.Half, Half: half(1, 0, 0, 9_999)}, linear.Condition{Kind: linear.Half, Half: half(0, 1, 0, 9_999)},
		linear.Condition{Kind: linear.Half, Half: half(-1, 0, -1, -20_001)}, linear.Condition{Kind: linear.Half, Half: half(0, 0, 1, 9_999)})
	domain := linear.Cube(linear.Point{0, 7, 0}, linear.Point{10_000_000, 10_000, 10_000_000})
	for _, parts := range [][]linear.Condition{{thin, round}, {round, thin}} {
		want := linear.Point{10_000, 10_000, 10_000}
		if p, answer := linear.Roundest(domain, linear.AnyOf(parts...)); p != want || answer != linear.Something {
			t.Errorf("Roundest(%v) = %v, %d, want %v", parts, p, answer, want)
		}
	}
}

// TestFindNested has a disjunction inside the parts of another.
func TestFindNested(t *testing.T) {
	width := func(w int64) linear.Condition { return exactly(w) }
	low, high := linear.Condition{Kind: linear.Half, Half: half(0, -1, 0, -5)}, linear.Condition{Kind: linear.Half, Half: half(0, 1, 0, 4)}
	nested := linear.AnyOf(
		linear.AllOf(low, linear.AnyOf(width(1), width(3))),
		linear.AllOf(high, linear.AnyOf(width(5), width(7))))
	domain := linear.Cube(linear.Point{0, 0, 0}, linear.Point{9, 9, 9})
	for w := range int64(10) {
		p, answer := linear.Find(domain, nested, width(w))
		if want := known(w == 1 || w == 3 || w == 5 || w == 7); answer != want || want == linear.Something && !nested.Holds(p) {
			t.Errorf("Find with width %d = %v, %d, want %d", w, p, answer, want)
		}
	}
}

// TestGivesUp asks for a grid point on lines that pass between them: width + 1/2 = height, depth = 2·width.
func TestGivesUp(t *testing.T) {
	between := func(end int64) linear.Polytope {
		p := linear.Cube(linear.Point{0, 0, 0}, linear.Point{end, 2 * end, end})
		for _, h := range []linear.HalfSpace{half(0, 1, -2, -2), half(0, -1, 2, 0), half(2, -1, 0, -1), half(-2, 1, 0, -1)} {
			p = p.Clip(h)
		}
		return p
	}
	if p := between(100); p.Empty() {
		t.Fatal("the line is empty")
	}
	// A slice of so many lines, of which none has a grid point: depth + 1/2 = height.
	lines := func(count int64) linear.Polytope {
		return linear.Cube(linear.Point{0, 0, 0}, linear.Point{0, count - 1, count}).Clip(half(0, -2, 2, 0)).Clip(half(0, 2, -2, -2))
	}
	const wide = 10_000_000
	for _, test := range []struct {
		name   string
		answer func() (linear.Point, linear.Answer)
		want   linear.Answer
	}{
		{"all slices looked at", func() (linear.Point, linear.Answer) { return between(100).Lattice(1, 100) }, linear.Nothing},
		{"all lines looked at", func() (linear.Point, linear.Answer) { return lines(100).Lattice(1, 1) }, linear.Nothing},
		{"one line too few", func() (linear.Point, linear.Answer) { return lines(101).Lattice(1, 1) }, linear.Undecided},
		{"one slice too few", func() (linear.Point, linear.Answer) { return between(100).Lattice(1, 99) }, linear.Undecided},
		{"a point in the last slice", func() (linear.Point, linear.Answer) {
			return linear.Cube(linear.Point{0, 1, 0}, linear.Point{9, 1, 9}).Clip(half(1, 0, 0, 8)).Lattice(1, 1)
		}, linear.Something},
		{"no slice", func() (linear.Point, linear.Answer) {
			return linear.Cube(linear.Point{}, linear.Point{}).Lattice(1, 0)
		}, linear.Undecided},
		{"empty, no slice", func() (linear.Point, linear.Answer) { return linear.Polytope{}.Lattice(1, 0) }, linear.Nothing},
		{"Find, narrow", func() (linear.Point, linear.Answer) { return linear.Find(between(100)) }, linear.Nothing},
		{"Find, wide", func() (linear.Point, linear.Answer) { return linear.Find(between(wide)) }, linear.Undecided},
		{"Roundest, wide", func() (linear.Point, linear.Answer) { return linear.Roundest(between(wide)) }, linear.Undecided},
		{"Greatest, narrow", func() (linear.Point, linear.Answer) { return linear.Greatest(between(90), linear.Width, 1) }, linear.Nothing},
		{"Greatest, all tried", func() (linear.Point, linear.Answer) { return linear.Greatest(between(100), linear.Width, 1) }, linear.Nothing},
		{"Greatest, one too many", func() (linear.Point, linear.Answer) { return linear.Greatest(between(101), linear.Width, 1) }, linear.Undecided},
		{"Greatest, wide", func() (linear.Point, linear.Answer) { return linear.Greatest(between(wide), linear.Width, 1) }, linear.Undecided},
		{"Find of nothing", func() (linear.Point, linear.Answer) { return linear.Find(linear.Polytope{}) }, linear.Nothing},
		{"Find nowhere", func() (linear.Point, linear.Answer) {
			return linear.Find(linear.Cube(linear.Point{}, linear.Point{}), nowhere)
		}, linear.Nothing},
	} {
		if p, answer := test.answer(); answer != test.want {
			t.Errorf("%s: %v, %d, want %d", test.name, p, answer, test.want)
		}
	}
	// A cell that is given up does not hide the point of another, whichever comes first.
	end := linear.Condition{Kind: linear.Half, Half: half(1, 0, 0, wide-2)}
	line := linear.AllOf(
		linear.Condition{Kind: linear.Half, Half: half(0, 1, -2, -2)}, linear.Condition{Kind: linear.Half, Half: half(0, -1, 2, 0)},
		linear.Condition{Kind: linear.Half, Half: half(2, -1, 0, -1)}, linear.Condition{Kind: linear.Half, Half: half(-2, 1, 0, -1)})
	for _, parts := range [][]linear.Condition{{end, line}, {line, end}} {
		domain := linear.Cube(linear.Point{0, 0, 0}, linear.Point{wide, 2 * wide, wide})
		if p, answer := linear.Find(domain, linear.AnyOf(parts...)); answer != linear.Something || p[linear.Width] < wide-1 {
			t.Errorf("Find(%v) = %v, %d, want a point", parts, p, answer)
		}
	}
}

// TestCellsGivesUp has planes that cut the cube into more cells than are looked at.
func TestCellsGivesUp(t *testing.T) {
	var conditions []linear.Condition
	for i := range int64(120) {
		h := half(i%11+1, i%7-3, i%5-2, 10*i)
		beside := h.Complement()
		beside.K++ // off the plane, on its other side
		conditions = append(conditions, linear.AnyOf(linear.Condition{Kind: linear.Half, Half: h}, linear.Condition{Kind: linear.Half, Half: beside}))
	}
	cells := 0
	if linear.Cells(linear.Cube(linear.Point{0, 0, 0}, linear.Point{1000, 1000, 1000}), conditions, func(linear.Polytope) bool { cells++; return true }) {
		t.Errorf("Cells went to the end, after %d cells", cells)
	}
	// No width is even and odd; that takes a look at each even width, and at each odd one for it.
	domain := linear.Cube(linear.Point{0, 0, 0}, linear.Point{9999, 9, 9})
	for _, test := range []struct {
		widths int64
		want   linear.Answer
	}{{60, linear.Nothing}, {1500, linear.Undecided}} {
		var even, odd []linear.Condition
		for w := range test.widths {
			even, odd = append(even, exactly(2*w)), append(odd, exactly(2*w+1))
		}
		both := []linear.Condition{linear.AnyOf(even...), linear.AnyOf(odd...)}
		for name, answer := range map[string]func() (linear.Point, linear.Answer){
			"Find":     func() (linear.Point, linear.Answer) { return linear.Find(domain, both...) },
			"Roundest": func() (linear.Point, linear.Answer) { return linear.Roundest(domain, both...) },
			"Greatest": func() (linear.Point, linear.Answer) { return linear.Greatest(domain, linear.Depth, 1, both...) },
		} {
			if p, got := answer(); got != test.want {
				t.Errorf("%s, %d widths = %v, %d, want %d", name, test.widths, p, got, test.want)
			}
		}
	}
}

// TestWork: a search is bounded, in pairs of vertices. Half-spaces that cut nothing off a square take 4·4 + 64 each.
func TestWork(t *testing.T) {
	square := linear.Cube(linear.Point{0, 0, 0}, linear.Point{9, 9, 0})
	var conditions []linear.Condition
	for i := range int64(62_499) {
		conditions = append(conditions, linear.Condition{Kind: linear.Half, Half: half(1, 0, 0, -1-i)})
	}
	visited := 0
	visit := func(linear.Polytope) bool { visited++; return true }
	if !linear.Cells(square, conditions, visit) || visited != 1 {
		t.Errorf("Cells gives up after less than 5,000,000, or visits %d cells, want 1", visited)
	}
	if linear.Cells(square, append(conditions, linear.Condition{Kind: linear.Half, Half: half(0, 1, 0, -1)}), visit) || visited != 1 {
		t.Errorf("Cells goes on after 5,000,000, and visits %d cells, want 1", visited)
	}
}

// TestFewestPartsFirst has two disjunctions that exclude each other. Beginning with the long one would take the
// square of its length.
func TestFewestPartsFirst(t *testing.T) {
	const radius = 10_000
	var outside []linear.Condition // of a circle
	for w := range int64(400) {
		d := 400 - w
		k := int64(radius * math.Sqrt(float64(w*w+d*d)))
		outside = append(outside, linear.Condition{Kind: linear.Half, Half: half(w, d, 0, k)})
	}
	shallow := linear.Condition{Kind: linear.Half, Half: half(0, -1, 0, -10)}
	long, short := linear.AnyOf(outside...), linear.AnyOf(linear.AllOf(exactly(1), shallow), linear.AllOf(exactly(3), shallow))
	domain := linear.Cube(linear.Point{0, 0, 0}, linear.Point{2 * radius, 2 * radius, 9})
	for _, conditions := range [][]linear.Condition{{long, short}, {short, long}} {
		if p, answer := linear.Find(domain, conditions...); answer != linear.Nothing {
			t.Errorf("Find = %v, %d, want %d", p, answer, linear.Nothing)
		}
	}
}

// TestCellsOrder: of disjunctions with as many parts the last goes first, which decides what box is shown.
func TestCellsOrder(t *testing.T) {
	depth := func(d int64) linear.Condition {
		return linear.AllOf(linear.Condition{Kind: linear.Half, Half: half(0, 1, 0, d-1)}, linear.Condition{Kind: linear.Half, Half: half(0, -1, 0, -d-1)})
	}
	var order []string
	conditions := []linear.Condition{linear.AnyOf(exactly(1), exactly(3)), linear.AnyOf(depth(5), depth(7))}
	linear.Cells(linear.Cube(linear.Point{0, 0, 0}, linear.Point{9, 9, 0}), conditions, func(cell linear.Polytope) bool {
		order = append(order, corners(cell))
		return true
	})
	if got, want := strings.Join(order, " "), "1,5,0 3,5,0 1,7,0 3,7,0"; got != want {
		t.Errorf("the cells are %s, want %s", got, want)
	}
}

// TestCellsApart: no point is in two cells where all parts of a disjunction are half-spaces.
func TestCellsApart(t *testing.T) {
	condition := linear.AnyOf(
		linear.Condition{Kind: linear.Half, Half: half(1, 0, 0, 5)}, linear.Condition{Kind: linear.Half, Half: half(0, 1, 0, 5)},
		linear.Condition{Kind: linear.Half, Half: half(-1, -1, 1, 0)})
	seen := make(map[linear.Point]bool)
	linear.Cells(linear.Cube(linear.Point{0, 0, 0}, linear.Point{9, 9, 9}), []linear.Condition{condition}, func(cell linear.Polytope) bool {
		for w := range int64(10) {
			for d := range int64(10) {
				from, to, ok := heights(cell, w, d)
				for h := from; ok && h <= to; h++ {
					if p := (linear.Point{w, d, h}); seen[p] {
						t.Errorf("%v is in two cells", p)
					} else {
						seen[p] = true
					}
				}
			}
		}
		return true
	})
	if len(seen) == 0 {
		t.Error("there are no cells")
	}
}

// TestGreatestElsewhere: what is hard to settle does not matter where it reaches no farther than what is known.
func TestGreatestElsewhere(t *testing.T) {
	const wide = 10_000_000
	easy := linear.AllOf(exactly(wide), linear.Condition{Kind: linear.Half, Half: half(0, -1, 0, -2)})
	hard := linear.AllOf(exactly(wide), linear.Condition{Kind: linear.Half, Half: half(0, 1, 0, 9)},
		linear.Condition{Kind: linear.Half, Half: half(0, -2, 2, 0)}, linear.Condition{Kind: linear.Half, Half: half(0, 2, -2, -2)})
	domain := linear.Cube(linear.Point{0, 0, 0}, linear.Point{wide, wide, wide})
	if p, answer := linear.Greatest(domain, linear.Width, 1, hard); answer != linear.Undecided {
		t.Fatalf("Greatest = %v, %d, want it undecided", p, answer)
	}
	if p, answer := linear.Greatest(domain, linear.Width, 1, linear.AnyOf(easy, hard)); answer != linear.Something || p[linear.Width] != wide {
		t.Errorf("Greatest = %v, %d, want a point of width %d", p, answer, wide)
	}
}

// exactly is where the width has the value.
func exactly(width int64) linear.Condition {
	return linear.AllOf(linear.Condition{Kind: linear.Half, Half: half(1, 0, 0, width-1)}, linear.Condition{Kind: linear.Half, Half: half(-1, 0, 0, -width-1)})
}
