package polytope_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/polytope"
)

func drawSearches(t *rapid.T) []exact.Region {
	conditions := make([]exact.Region, rapid.IntRange(1, 4).Draw(t, "conditions"))
	for i := range conditions {
		conditions[i] = gen.ExactRegion(draw.Choices(t), 2, 12)
	}
	return conditions
}

func holdAll(conditions []exact.Region, p exact.Point) bool {
	return !slices.ContainsFunc(conditions, func(c exact.Region) bool { return !c.Contains(p) })
}

// points returns the points of the cube whose coordinates are multiples of step and at which every condition
// holds, the smallest first.
func points(low, high exact.Point, step int64, conditions []exact.Region) []exact.Point {
	var all []exact.Point
	up := func(x int64) int64 { return x + ((-x)%step+step)%step }
	for w := up(low[0]); w <= high[0]; w += step {
		for d := up(low[1]); d <= high[1]; d += step {
			for h := up(low[2]); h <= high[2]; h += step {
				if p := (exact.Point{w, d, h}); holdAll(conditions, p) {
					all = append(all, p)
				}
			}
		}
	}
	return all
}

// unbounded looks for any grid points, and bounds each search alone.
var unbounded = polytope.Search{Step: 1}

func TestCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low, high := gen.ExactCuboid(draw.Choices(t), 6)
		conditions := drawSearches(t)
		var cells []polytope.Polytope
		if !unbounded.Cells(polytope.Cuboid(low, high), conditions, func(p polytope.Polytope) bool {
			cells = append(cells, p)
			return true
		}) {
			t.Fatal("Cells stopped before the end")
		}
		covered := make(map[exact.Point]bool)
		for _, cell := range cells {
			if cell.Empty() {
				t.Fatalf("%v: an empty cell was visited", conditions)
			}
			for w := low[0]; w <= high[0]; w++ {
				for d := low[1]; d <= high[1]; d++ {
					from, to, ok := heights(cell, w, d)
					for h := from; ok && h <= to; h++ {
						covered[exact.Point{w, d, h}] = true
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
			if unbounded.Cells(polytope.Cuboid(low, high), conditions, func(polytope.Polytope) bool { visited++; return false }) ||
				visited != 1 {
				t.Fatalf("Cells went to the end, or visited %d cells, though it was told to stop at the first", visited)
			}
		}
	})
}

func TestFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low, high := gen.ExactCuboid(draw.Choices(t), 6)
		conditions := drawSearches(t)
		// With a step of 2 or 3, the search must not return a multiple of a greater round step, such as 5.
		search := polytope.Search{Step: rapid.SampledFrom([]int64{1, 1, 2, 3, 5}).Draw(t, "step")}
		want := points(low, high, search.Step, conditions)
		p, answer := search.Find(polytope.Cuboid(low, high), conditions...)
		if wantAnswer := known(len(want) > 0); answer != wantAnswer {
			t.Fatalf("Find(%v in %v to %v) = %v, %d, want %d: %v", conditions, low, high, p, answer, wantAnswer, want)
		}
		if answer == polytope.Something && !slices.Contains(want, p) {
			t.Fatalf("Find(%v in %v to %v) = %v, want one of %v", conditions, low, high, p, want)
		}
		for axis := range exact.Axes {
			for _, direction := range []int64{-1, 1} {
				p, answer := search.Extreme(polytope.Cuboid(low, high), axis, direction, conditions...)
				if answer != known(len(want) > 0) {
					t.Fatalf("Extreme(%d, %d, %v in %v to %v) = %v, %d, want one of %v", axis, direction, conditions, low, high, p, answer, want)
				}
				if answer != polytope.Something {
					continue
				}
				if !slices.Contains(want, p) {
					t.Fatalf("Extreme(%d, %d, %v in %v to %v) = %v, want one of %v", axis, direction, conditions, low, high, p, want)
				}
				for _, q := range want {
					if (q[axis]-p[axis])*direction > 0 {
						t.Fatalf("Extreme(%d, %d, %v in %v to %v) = %v, want %v", axis, direction, conditions, low, high, p, q)
					}
				}
			}
		}
	})
}

func known(some bool) polytope.Answer {
	if some {
		return polytope.Something
	}
	return polytope.Nothing
}

// TestRoundest looks in boxes whose sides are such that some steps have points in them and others do not.
func TestRoundest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var low, high exact.Point
		for axis, longest := range rapid.Permutation([]int64{300, 40, 6}).Draw(t, "sides") {
			low[axis] = rapid.Int64Range(-longest, longest/2).Draw(t, "low")
			high[axis] = low[axis] + rapid.Int64Range(0, longest/2).Draw(t, "side")
		}
		var conditions []exact.Region
		for range rapid.IntRange(1, 3).Draw(t, "conditions") {
			// Through a point of the box, so that there is something to find.
			var through exact.Point
			for axis := range exact.Axes {
				through[axis] = rapid.Int64Range(low[axis], high[axis]).Draw(t, "through")
			}
			c := gen.ExactRegion(draw.Choices(t), 1, 12)
			conditions = append(conditions, moved(c, through))
		}
		search := polytope.Search{Step: rapid.SampledFrom([]int64{1, 1, 2, 3, 5}).Draw(t, "step")}
		var want []exact.Point
		for _, step := range []int64{100_000, 50_000, 10_000, 5_000, 1_000, 500, 100, 50, 10, 5, search.Step} {
			if step%search.Step != 0 {
				continue
			}
			if want = points(low, high, step, conditions); len(want) > 0 {
				break
			}
		}
		p, answer := search.Roundest(polytope.Cuboid(low, high), conditions...)
		if answer != known(len(want) > 0) || answer == polytope.Something && p != want[0] {
			t.Fatalf("Roundest(%v in %v to %v) = %v, %d, want the first of %.5v", conditions, low, high, p, answer, want)
		}
	})
}

// moved returns the condition with the origin moved to the point.
func moved(c exact.Region, to exact.Point) exact.Region {
	for axis, x := range to {
		c = c.Shift(axis, x)
	}
	return c
}

func TestRoundestKnown(t *testing.T) {
	atLeast := func(w, d, h int64) []exact.Region {
		var all []exact.Region
		for axis, least := range []int64{w, d, h} {
			var half exact.HalfSpace
			half.A[axis], half.K = 1, least-1
			all = append(all, half.Region())
		}
		return all
	}
	domain := polytope.Cuboid(exact.Point{1, 1, 1}, exact.Point{exact.MaxGrid, exact.MaxGrid, exact.MaxGrid})
	narrow := polytope.Cuboid(exact.Point{12_345, 12_340, 99_000}, exact.Point{12_345, 12_349, 101_000})
	for _, test := range []struct {
		domain     polytope.Polytope
		conditions []exact.Region
		want       exact.Point
	}{
		{domain, nil, exact.Point{100_000, 100_000, 100_000}},
		{domain, atLeast(1, 100_001, 500), exact.Point{100_000, 200_000, 100_000}},
		{narrow, nil, exact.Point{12_345, 12_340, 99_000}},
		{narrow, atLeast(1, 12_341, 99_001), exact.Point{12_345, 12_345, 99_005}},
		{narrow, atLeast(1, 12_346, 99_001), exact.Point{12_345, 12_346, 99_001}},
	} {
		p, answer := unbounded.Roundest(test.domain, test.conditions...)
		if p != test.want || answer != polytope.Something {
			t.Errorf("Roundest(%v) = %v, %d, want %v", test.conditions, p, answer, test.want)
		}
	}
}

// TestRoundestThin looks in slabs that are too thin for a coarse point, and so long that the search of a coarse
// step is given up.
func TestRoundestThin(t *testing.T) {
	slab := func(side, k int64) polytope.Polytope { // 2·width - 2·height = k, three grid points deep
		return polytope.Cuboid(exact.Point{0, 7, 0}, exact.Point{side, 9, side}).Clip(half(2, 0, -2, k-1)).Clip(half(-2, 0, 2, -k-1))
	}
	for _, test := range []struct {
		name   string
		domain polytope.Polytope
		want   exact.Point
		answer polytope.Answer
	}{
		{"points of step 1", slab(100_000, 2), exact.Point{1, 7, 0}, polytope.Something},
		{"none", slab(100_000, 1), exact.Point{}, polytope.Nothing},
		{"none, and too long", slab(1_000_000, 1), exact.Point{}, polytope.Undecided},
		// 500·depth - width + height = 250: the first width with a point is found across the
		// heights.
		{"steep", polytope.Cuboid(exact.Point{0, 0, 7}, exact.Point{50_000, 100, 9}).Clip(half(-1, 500, 1, 249)).Clip(half(1, -500, -1, -251)),
			exact.Point{257, 1, 7}, polytope.Something},
	} {
		if p, answer := unbounded.Roundest(test.domain); p != test.want || answer != test.answer {
			t.Errorf("%s: Roundest = %v, %d, want %v, %d", test.name, p, answer, test.want, test.answer)
		}
		if p, answer := unbounded.Find(test.domain); p != test.want || answer != test.answer {
			t.Errorf("%s: Find = %v, %d, want %v, %d", test.name, p, answer, test.want, test.answer)
		}
	}
	// The roundest point is found in whichever cell it is.
	thin := exact.AllOf(
		half(2, 0, -2, 1).Region(), half(-2, 0, 2, -3).Region(),
		half(0, -1, 0, -10).Region())
	round := exact.AllOf(
		half(1, 0, 0, 9_999).Region(), half(0, 1, 0, 9_999).Region(),
		half(-1, 0, -1, -20_001).Region(), half(0, 0, 1, 9_999).Region())
	domain := polytope.Cuboid(exact.Point{0, 7, 0}, exact.Point{10_000_000, 10_000, 10_000_000})
	for _, parts := range [][]exact.Region{{thin, round}, {round, thin}} {
		want := exact.Point{10_000, 10_000, 10_000}
		if p, answer := unbounded.Roundest(domain, exact.AnyOf(parts...)); p != want || answer != polytope.Something {
			t.Errorf("Roundest(%v) = %v, %d, want %v", parts, p, answer, want)
		}
	}
}

// TestFindNested looks for points of a disjunction inside the parts of another.
func TestFindNested(t *testing.T) {
	width := func(w int64) exact.Region { return exactly(w) }
	low, high := half(0, -1, 0, -5).Region(), half(0, 1, 0, 4).Region()
	nested := exact.AnyOf(
		exact.AllOf(low, exact.AnyOf(width(1), width(3))),
		exact.AllOf(high, exact.AnyOf(width(5), width(7))))
	domain := polytope.Cuboid(exact.Point{0, 0, 0}, exact.Point{9, 9, 9})
	for w := range int64(10) {
		p, answer := unbounded.Find(domain, nested, width(w))
		if want := known(w == 1 || w == 3 || w == 5 || w == 7); answer != want || want == polytope.Something && !nested.Contains(p) {
			t.Errorf("Find with width %d = %v, %d, want %d", w, p, answer, want)
		}
	}
}

// TestGivesUp looks for a grid point on lines that pass between them: width + 1/2 = height, depth = 2·width.
func TestGivesUp(t *testing.T) {
	between := func(end int64) polytope.Polytope {
		p := polytope.Cuboid(exact.Point{0, 0, 0}, exact.Point{end, 2 * end, end})
		for _, h := range []exact.HalfSpace{half(0, 1, -2, -2), half(0, -1, 2, 0), half(2, -1, 0, -1), half(-2, 1, 0, -1)} {
			p = p.Clip(h)
		}
		return p
	}
	if p := between(100); p.Empty() {
		t.Fatal("the line is empty")
	}
	// A slice of count lines, none with a grid point: depth + 1/2 = height.
	lines := func(count int64) polytope.Polytope {
		return polytope.Cuboid(exact.Point{0, 0, 0}, exact.Point{0, count - 1, count}).Clip(half(0, -2, 2, 0)).Clip(half(0, 2, -2, -2))
	}
	const wide = 10_000_000
	for _, test := range []struct {
		name   string
		answer func() (exact.Point, polytope.Answer)
		want   polytope.Answer
	}{
		{"all slices looked at", func() (exact.Point, polytope.Answer) { return between(100).Lattice(1, 100) }, polytope.Nothing},
		{"all lines looked at", func() (exact.Point, polytope.Answer) { return lines(100).Lattice(1, 1) }, polytope.Nothing},
		{"one line too few", func() (exact.Point, polytope.Answer) { return lines(101).Lattice(1, 1) }, polytope.Undecided},
		{"one slice too few", func() (exact.Point, polytope.Answer) { return between(100).Lattice(1, 99) }, polytope.Undecided},
		{"a point in the last slice", func() (exact.Point, polytope.Answer) {
			return polytope.Cuboid(exact.Point{0, 1, 0}, exact.Point{9, 1, 9}).Clip(half(1, 0, 0, 8)).Lattice(1, 1)
		}, polytope.Something},
		{"no slice", func() (exact.Point, polytope.Answer) {
			return polytope.Cuboid(exact.Point{}, exact.Point{}).Lattice(1, 0)
		}, polytope.Undecided},
		{"empty, no slice", func() (exact.Point, polytope.Answer) { return polytope.Polytope{}.Lattice(1, 0) }, polytope.Nothing},
		{"Find, narrow", func() (exact.Point, polytope.Answer) { return unbounded.Find(between(100)) }, polytope.Nothing},
		{"Find, wide", func() (exact.Point, polytope.Answer) { return unbounded.Find(between(wide)) }, polytope.Undecided},
		{"Roundest, wide", func() (exact.Point, polytope.Answer) { return unbounded.Roundest(between(wide)) }, polytope.Undecided},
		{"Extreme, narrow", func() (exact.Point, polytope.Answer) { return unbounded.Extreme(between(90), exact.Width, 1) }, polytope.Nothing},
		{"Extreme, all tried", func() (exact.Point, polytope.Answer) { return unbounded.Extreme(between(100), exact.Width, 1) },
			polytope.Nothing},
		{"Extreme, one too many", func() (exact.Point, polytope.Answer) { return unbounded.Extreme(between(101), exact.Width, 1) },
			polytope.Undecided},
		{"Extreme, wide", func() (exact.Point, polytope.Answer) { return unbounded.Extreme(between(wide), exact.Width, 1) },
			polytope.Undecided},
		{"Find of nothing", func() (exact.Point, polytope.Answer) { return unbounded.Find(polytope.Polytope{}) }, polytope.Nothing},
		{"Find nowhere", func() (exact.Point, polytope.Answer) {
			return unbounded.Find(polytope.Cuboid(exact.Point{}, exact.Point{}), exact.Region{})
		}, polytope.Nothing},
	} {
		if p, answer := test.answer(); answer != test.want {
			t.Errorf("%s: %v, %d, want %d", test.name, p, answer, test.want)
		}
	}
	// If one cell is given up, the point of another is found, in either order.
	end := half(1, 0, 0, wide-2).Region()
	line := exact.AllOf(
		half(0, 1, -2, -2).Region(), half(0, -1, 2, 0).Region(),
		half(2, -1, 0, -1).Region(), half(-2, 1, 0, -1).Region())
	for _, parts := range [][]exact.Region{{end, line}, {line, end}} {
		domain := polytope.Cuboid(exact.Point{0, 0, 0}, exact.Point{wide, 2 * wide, wide})
		if p, answer := unbounded.Find(domain, exact.AnyOf(parts...)); answer != polytope.Something || p[exact.Width] < wide-1 {
			t.Errorf("Find(%v) = %v, %d, want a point", parts, p, answer)
		}
	}
}

// TestCellsGivesUp has planes that cut the cube into more cells than the work allows.
func TestCellsGivesUp(t *testing.T) {
	var conditions []exact.Region
	for i := range int64(120) {
		h := half(i%11+1, i%7-3, i%5-2, 10*i)
		beside := h.Complement()
		beside.K++ // off the plane, on its other side
		conditions = append(conditions, exact.AnyOf(h.Region(), beside.Region()))
	}
	cells := 0
	cube := polytope.Cuboid(exact.Point{0, 0, 0}, exact.Point{1000, 1000, 1000})
	if unbounded.Cells(cube, conditions, func(polytope.Polytope) bool { cells++; return true }) {
		t.Errorf("Cells went to the end, after %d cells", cells)
	}
	// No width is both even and odd. For each even width every odd one is tried.
	domain := polytope.Cuboid(exact.Point{0, 0, 0}, exact.Point{9999, 9, 9})
	for _, test := range []struct {
		widths int64
		want   polytope.Answer
	}{{60, polytope.Nothing}, {1500, polytope.Undecided}} {
		var even, odd []exact.Region
		for w := range test.widths {
			even, odd = append(even, exactly(2*w)), append(odd, exactly(2*w+1))
		}
		both := []exact.Region{exact.AnyOf(even...), exact.AnyOf(odd...)}
		for name, answer := range map[string]func() (exact.Point, polytope.Answer){
			"Find":     func() (exact.Point, polytope.Answer) { return unbounded.Find(domain, both...) },
			"Roundest": func() (exact.Point, polytope.Answer) { return unbounded.Roundest(domain, both...) },
			"Extreme":  func() (exact.Point, polytope.Answer) { return unbounded.Extreme(domain, exact.Depth, 1, both...) },
		} {
			if p, got := answer(); got != test.want {
				t.Errorf("%s, %d widths = %v, %d, want %d", name, test.widths, p, got, test.want)
			}
		}
	}
}

// TestWork checks the bound on the work. Cutting something off a cube takes 1 + 8/4 and 2·8·8 + 128, and 1 more
// for the conditions.
func TestWork(t *testing.T) {
	const cuts, work = 200, 200*260 + 140
	cube := polytope.Cuboid(exact.Point{0, 0, 0}, exact.Point{9_000, 9, 9})
	var conditions []exact.Region // the last is looked at first
	for i := range int64(cuts) {
		conditions = append(conditions, half(1, 0, 0, 5_000-i).Region())
	}
	visited := 0
	visit := func(polytope.Polytope) bool { visited++; return true }
	enough, short := polytope.NewBudget(work), polytope.NewBudget(work)
	if !(polytope.Search{Step: 1, Budget: &enough}).Cells(cube, conditions, visit) || visited != 1 {
		t.Errorf("Cells gives up after less than %d, or visits %d cells, want 1", work, visited)
	}
	if (polytope.Search{Step: 1, Budget: &short}).Cells(cube, append(conditions, half(0, 1, 0, 5).Region()), visit) || visited != 1 {
		t.Errorf("Cells goes on after %d, and visits %d cells, want 1", work, visited)
	}
}

// TestFewestPartsFirst has two disjunctions that exclude each other. Beginning with the long one would take the
// square of its length.
func TestFewestPartsFirst(t *testing.T) {
	const radius = 10_000
	var outside []exact.Region // of a circle
	for w := range int64(400) {
		d := 400 - w
		k := int64(radius * math.Sqrt(float64(w*w+d*d)))
		outside = append(outside, half(w, d, 0, k).Region())
	}
	shallow := half(0, -1, 0, -10).Region()
	long, short := exact.AnyOf(outside...), exact.AnyOf(exact.AllOf(exactly(1), shallow), exact.AllOf(exactly(3), shallow))
	domain := polytope.Cuboid(exact.Point{0, 0, 0}, exact.Point{2 * radius, 2 * radius, 9})
	for _, conditions := range [][]exact.Region{{long, short}, {short, long}} {
		if p, answer := unbounded.Find(domain, conditions...); answer != polytope.Nothing {
			t.Errorf("Find = %v, %d, want %d", p, answer, polytope.Nothing)
		}
	}
}

// Of disjunctions with equally many parts the last one is branched on first. That decides which box is shown.
func TestCellsOrder(t *testing.T) {
	depth := func(d int64) exact.Region {
		return exact.AllOf(
			half(0, 1, 0, d-1).Region(),
			half(0, -1, 0, -d-1).Region(),
		)
	}
	var order []string
	conditions := []exact.Region{exact.AnyOf(exactly(1), exactly(3)), exact.AnyOf(depth(5), depth(7))}
	unbounded.Cells(polytope.Cuboid(exact.Point{0, 0, 0}, exact.Point{9, 9, 0}), conditions, func(cell polytope.Polytope) bool {
		order = append(order, corners(cell))
		return true
	})
	if got, want := strings.Join(order, " "), "1,5,0 3,5,0 1,7,0 3,7,0"; got != want {
		t.Errorf("the cells are %s, want %s", got, want)
	}
}

// If all parts of a disjunction are half-spaces, no point is in two cells.
func TestCellsApart(t *testing.T) {
	condition := exact.AnyOf(
		half(1, 0, 0, 5).Region(), half(0, 1, 0, 5).Region(),
		half(-1, -1, 1, 0).Region())
	seen := make(map[exact.Point]bool)
	unbounded.Cells(polytope.Cuboid(exact.Point{0, 0, 0}, exact.Point{9, 9, 9}), []exact.Region{condition}, func(cell polytope.Polytope) bool {
		for w := range int64(10) {
			for d := range int64(10) {
				from, to, ok := heights(cell, w, d)
				for h := from; ok && h <= to; h++ {
					if p := (exact.Point{w, d, h}); seen[p] {
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

// A cell that is hard to search does not matter if it extends no further than the best point so far.
func TestExtremeElsewhere(t *testing.T) {
	const wide = 10_000_000
	easy := exact.AllOf(exactly(wide), half(0, -1, 0, -2).Region())
	hard := exact.AllOf(exactly(wide), half(0, 1, 0, 9).Region(),
		half(0, -2, 2, 0).Region(), half(0, 2, -2, -2).Region())
	domain := polytope.Cuboid(exact.Point{0, 0, 0}, exact.Point{wide, wide, wide})
	if p, answer := unbounded.Extreme(domain, exact.Width, 1, hard); answer != polytope.Undecided {
		t.Fatalf("Extreme = %v, %d, want it undecided", p, answer)
	}
	if p, answer := unbounded.Extreme(domain, exact.Width, 1, exact.AnyOf(easy, hard)); answer != polytope.Something ||
		p[exact.Width] != wide {
		t.Errorf("Extreme = %v, %d, want a point of width %d", p, answer, wide)
	}
}

// exactly returns the condition that the width has the value.
func exactly(width int64) exact.Region {
	from, to := half(1, 0, 0, width-1), half(-1, 0, 0, -width-1)
	return exact.AllOf(from.Region(), to.Region())
}

// TestExtremeAlongAStep looks for the farthest multiple of 10 in both directions.
func TestExtremeAlongAStep(t *testing.T) {
	domain := polytope.Cuboid(exact.Point{13, 0, 0}, exact.Point{987, 40, 40})
	search := polytope.Search{Step: 10}
	for _, test := range []struct {
		direction  int64
		conditions []exact.Region
		want       int64
		answer     polytope.Answer
	}{
		{1, nil, 980, polytope.Something},
		{-1, nil, 20, polytope.Something},
		{1, []exact.Region{half(-1, -1, 0, -500).Region()}, 490, polytope.Something},
		{-1, []exact.Region{half(1, 1, 0, 500).Region()}, 470, polytope.Something},
		{1, []exact.Region{half(-1, 0, 0, -20).Region()}, 0, polytope.Nothing},
		{-1, []exact.Region{half(1, 0, 0, 980).Region()}, 0, polytope.Nothing},
		{1, []exact.Region{half(-1, 0, 0, -21).Region()}, 20, polytope.Something},
		{-1, []exact.Region{half(1, 0, 0, 979).Region()}, 980, polytope.Something},
	} {
		point, answer := search.Extreme(domain, exact.Width, test.direction, test.conditions...)
		if answer != test.answer || point[exact.Width] != test.want {
			t.Errorf("direction %d, %v: %v, %v; want %d, %v", test.direction, test.conditions, point, answer, test.want, test.answer)
		}
	}
}
