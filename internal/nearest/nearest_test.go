package nearest_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/nearest"
)

func init() { lab.Checks(30, 100) }

// half returns the half-space w·x + d·y + h·z > k.
func half(w, d, h, k int64) exact.HalfSpace {
	return exact.HalfSpace{A: [exact.Axes]int64{w, d, h}, K: k}
}

// within returns the conditions that a point is in the cube, both ends included.
func within(low, high exact.Point) (conditions []exact.Region) {
	for axis := range exact.Axes {
		var least, most exact.HalfSpace
		least.A[axis], least.K = 1, low[axis]-1
		most.A[axis], most.K = -1, -high[axis]-1
		conditions = append(conditions, least.Region(), most.Region())
	}
	return conditions
}

// TestSearch compares with all points of a cube whose coordinates are multiples of the step.
func TestSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low, high := gen.ExactCuboid(draw.Choices(t), 9)
		conditions := drawConditions(t)
		coordinate := rapid.Int64Range(-14, 14)
		target := nearest.Target{
			At:   exact.Point{coordinate.Draw(t, "w"), coordinate.Draw(t, "d"), coordinate.Draw(t, "h")},
			Step: rapid.Int64Range(1, 5).Draw(t, "step"),
		}
		free := rapid.IntRange(1, 7).Draw(t, "free")
		for axis := range exact.Axes {
			target.Free[axis] = free>>axis&1 == 1
		}
		var best, want exact.Point
		total, wantTotal, left := int64(nearest.NoPoint), int64(nearest.NoPoint), 1_000_000
		best, total = nearest.Search(append(within(low, high), conditions...), target, best, total, &left)
		for _, p := range points(low, high, 1, conditions) {
			changed, fits := int64(0), true
			for axis, x := range p {
				if target.Free[axis] {
					fits = fits && x%target.Step == 0
				} else {
					fits = fits && x == target.At[axis]
				}
				changed += max(x-target.At[axis], target.At[axis]-x)
			}
			if fits && (changed < wantTotal || changed == wantTotal && nearest.Better(p, want)) {
				want, wantTotal = p, changed
			}
		}
		if total != wantTotal || total != nearest.NoPoint && best != want || left < 0 {
			t.Fatalf("Nearest(%+v) of %v in %v to %v = %v, %d, want %v, %d", target, conditions, low, high, best, total, want, wantTotal)
		}
	})
}

// The nearest point of a cube is found at the first node.
func TestSearchInCubes(t *testing.T) {
	all, two, one := [exact.Axes]bool{true, true, true}, [exact.Axes]bool{true, true, false}, [exact.Axes]bool{false, true, false}
	const million = 1_000_000
	for _, test := range []struct {
		high   int64 // of a cube from the origin
		target nearest.Target
		want   exact.Point
		total  int64
	}{
		{million, nearest.Target{At: exact.Point{-5, -5, -5}, Free: all, Step: 1}, exact.Point{}, 15},
		{million, nearest.Target{At: exact.Point{million + 5, -5, million + 5}, Free: all, Step: 1}, exact.Point{million, 0, million}, 15},
		{million, nearest.Target{At: exact.Point{7, 7, 7}, Free: all, Step: 1}, exact.Point{7, 7, 7}, 0},
		{million, nearest.Target{At: exact.Point{-5, 7, 7}, Free: two, Step: 1}, exact.Point{0, 7, 7}, 5},
		// A coordinate that may not change can be on the border of the cube.
		{9, nearest.Target{At: exact.Point{0, -5, 9}, Free: one, Step: 1}, exact.Point{0, 0, 9}, 5},
		{9, nearest.Target{At: exact.Point{9, 12, 0}, Free: one, Step: 1}, exact.Point{9, 9, 0}, 3},
		// The nearest multiple of the step is below or above. Of two that are equally near it is the smaller one.
		{29, nearest.Target{At: exact.Point{3, 6, 3}, Free: one, Step: 5}, exact.Point{3, 5, 3}, 1},
		{29, nearest.Target{At: exact.Point{3, 9, 3}, Free: one, Step: 5}, exact.Point{3, 10, 3}, 1},
		{29, nearest.Target{At: exact.Point{3, 9, 3}, Free: one, Step: 6}, exact.Point{3, 6, 3}, 3},
		{29, nearest.Target{At: exact.Point{3, 40, 3}, Free: one, Step: 6}, exact.Point{3, 24, 3}, 16},
	} {
		cube := within(exact.Point{}, exact.Point{test.high, test.high, test.high})
		left := 16 // a look at each face, twice, and one at the region
		if best, total := nearest.Search(cube, test.target, exact.Point{}, nearest.NoPoint, &left); best != test.want ||
			total != test.total ||
			left != 0 {
			t.Errorf("Nearest(%+v) = %v, %d, %d left, want %v, %d, 0 left", test.target, best, total, left, test.want, test.total)
		}
		left = 0
		if _, total := nearest.Search(cube, test.target, exact.Point{}, nearest.NoPoint, &left); total != nearest.NoPoint || left >= 0 {
			t.Errorf("Nearest(%+v) with no effort: %d, %d left, want none, and nothing left", test.target, total, left)
		}
	}
}

// nearestIn returns what Search finds in the part of a cube at the origin that is in all half-spaces, if
// every axis may change, and the effort that it takes.
func nearestIn(high int64, at exact.Point, step int64, halves ...exact.HalfSpace) (best exact.Point, total int64, effort int) {
	conditions := within(exact.Point{}, exact.Point{high, high, high})
	for _, h := range halves {
		conditions = append(conditions, h.Region())
	}
	const much = 5_000_000
	left := much
	best, total = nearest.Search(
		conditions,
		nearest.Target{At: at, Free: [exact.Axes]bool{true, true, true}, Step: step},
		exact.Point{},
		nearest.NoPoint,
		&left,
	)
	return best, total, much - left
}

// TestSearchEffort searches long and thin ranges. The effort does not grow with their length.
func TestSearchEffort(t *testing.T) {
	const long = 900_000_000
	middle := exact.Point{long / 2, long / 2, long / 2}
	slope := half(1, 1, 1, long-1) // all of it is as far from the origin, and the smallest width is preferred
	for _, test := range []struct {
		name   string
		at     exact.Point
		step   int64
		halves []exact.HalfSpace
		want   exact.Point
		total  int64
		effort int
	}{
		{"a slope", exact.Point{}, 1, []exact.HalfSpace{slope}, exact.Point{0, 0, long}, long, 5913},
		{"a slope from above", exact.Point{long, long, long}, 1, []exact.HalfSpace{half(-1, -1, -1, -long-1)}, exact.Point{0, 0, long},
			2 * long, 13059},
		{"a steep slope", exact.Point{1, 1, 1}, 7, []exact.HalfSpace{half(1, 3, 2, long-1)}, exact.Point{0, 300_000_001, 0}, 300_000_002, 1892},
		{"a plane", middle, 1, []exact.HalfSpace{half(1, -1, 0, 4), half(-1, 1, 0, -6)}, exact.Point{long / 2, long/2 - 5, long / 2}, 5, 952},
		{"a line", exact.Point{long / 2, long / 2, 0}, 10, []exact.HalfSpace{half(2, -3, 0, -1), half(-2, 3, 0, -1), half(0, 1, -2, -1),
			half(0, -1, 2, -1)},
			exact.Point{450_000_000, 300_000_000, 150_000_000}, 300_000_000, 956},
		{"an even number that is odd", middle, 1, []exact.HalfSpace{half(2, -4, 6, 6), half(-2, 4, -6, -8)}, exact.Point{},
			nearest.NoPoint, 40930},
		{"no multiple of the step", middle, 10, []exact.HalfSpace{half(1, -1, 0, 4), half(-1, 1, 0, -6)}, exact.Point{}, nearest.NoPoint,
			34844},
	} {
		best, total, effort := nearestIn(long, test.at, test.step, test.halves...)
		if total != test.total || best != test.want {
			t.Errorf("%s: nearest = %v, %d, want %v, %d", test.name, best, total, test.want, test.total)
		}
		if effort != test.effort {
			t.Errorf("%s: an effort of %d, want %d", test.name, effort, test.effort)
		}
	}
}

// TestSearchCases checks cases that are rare among random conditions.
func TestSearchCases(t *testing.T) {
	cube := within(exact.Point{-9, -9, -9}, exact.Point{9, 9, 9})
	and := func(halves ...exact.HalfSpace) []exact.Region {
		all := slices.Clone(cube)
		for _, h := range halves {
			all = append(all, h.Region())
		}
		return all
	}
	all, plane := [exact.Axes]bool{true, true, true}, [exact.Axes]bool{false, true, true}
	for _, test := range []struct {
		name   string
		where  []exact.Region
		target nearest.Target
		known  exact.Point // so far
		total  int64
		want   exact.Point
	}{
		{"of the halves one is empty", and(half(0, -2, 3, 0), half(1, -1, -1, 0)), nearest.Target{Free: plane, Step: 1}, exact.Point{},
			nearest.NoPoint, exact.Point{0, -1, 0}},
		{"of two as near the smaller width", within(exact.Point{0, 2, 0}, exact.Point{0, 2, 0}), nearest.Target{Free: all, Step: 1},
			exact.Point{2, 0, 0}, 2, exact.Point{0, 2, 0}},
		{"of two as near the one that is known", within(exact.Point{2, 0, 0}, exact.Point{2, 0, 0}), nearest.Target{Free: all, Step: 1},
			exact.Point{0, 2, 0}, 2, exact.Point{0, 2, 0}},
		{"nothing is nearer than the box itself", cube, nearest.Target{Free: all, Step: 1}, exact.Point{}, 0, exact.Point{}},
	} {
		left := 1000
		if best, _ := nearest.Search(test.where, test.target, test.known, test.total, &left); best != test.want || left < 0 {
			t.Errorf("%s: %v, want %v", test.name, best, test.want)
		}
	}
}

// TestSearchTotalEffort bounds the effort for many random conditions together, so that it notices a search
// that finds the right points, but does more work than it has to.
func TestSearchTotalEffort(t *testing.T) {
	lab.OnlyCI(t, "the effort of 300 searches")
	const long, want = 1_000_000, 10_857_215
	r := rand.New(rand.NewPCG(1, 2))
	sum, found := 0, 0
	for range 300 {
		point := func() exact.Point { return exact.Point{r.Int64N(long), r.Int64N(long), r.Int64N(long)} }
		inside := point()
		var halves []exact.HalfSpace
		for range 4 {
			h := half(r.Int64N(7)-3, r.Int64N(7)-3, r.Int64N(7)-3, 0)
			for axis, a := range h.A {
				h.K += a * inside[axis]
			}
			h.K -= r.Int64N(1000)
			halves = append(halves, h)
		}
		_, total, effort := nearestIn(long, point(), 1+r.Int64N(50), halves...)
		sum += effort
		if total != nearest.NoPoint {
			found++
		}
	}
	if sum != want || found < 200 {
		t.Errorf("an effort of %d for %d points, want %d", sum, found, want)
	}
}

// TestSearchEffortOfDisjunctions fixes the effort for conditions with disjunctions, some of whose parts join
// several half-spaces. It notices a search that branches more than it has to: by a longer disjunction than
// the shortest one, over parts that cannot hold, or over disjunctions that always hold.
func TestSearchEffortOfDisjunctions(t *testing.T) {
	const long, want = 10_000, 138_458
	r := rand.New(rand.NewPCG(3, 4))
	number := func(n int64) int64 { return r.Int64N(2*n+1) - n }
	halfSpace := func() exact.Region {
		h := half(number(3), number(3), number(3), 0)
		for _, a := range h.A {
			h.K += a * r.Int64N(long)
		}
		return h.Region()
	}
	sum, found := 0, 0
	for range 100 {
		conditions := within(exact.Point{}, exact.Point{long, long, long})
		for range 3 {
			parts := []exact.Region{halfSpace(), exact.AllOf(halfSpace(), halfSpace())}
			for range r.IntN(3) {
				parts = append(parts, exact.AllOf(halfSpace(), exact.AnyOf(halfSpace(), halfSpace())))
			}
			conditions = append(conditions, exact.AnyOf(parts...))
		}
		target := nearest.Target{At: exact.Point{r.Int64N(long), r.Int64N(long), r.Int64N(long)},
			Free: [exact.Axes]bool{true, true, r.IntN(2) == 0}, Step: 1 + r.Int64N(20)}
		const effort = 1_000_000
		left := effort
		if _, total := nearest.Search(conditions, target, exact.Point{}, nearest.NoPoint, &left); total != nearest.NoPoint {
			found++
		}
		sum += effort - left
	}
	if sum != want || found < 50 {
		t.Errorf("an effort of %d for %d points, want %d", sum, found, want)
	}
}

func TestSearchGivesUp(t *testing.T) {
	// This line has no grid point, which is proved at minLevelForProof.
	line := within(exact.Point{0, 0, 0}, exact.Point{1000, 1000, 1000})
	for _, h := range []exact.HalfSpace{half(2, -1, 0, -1), half(-2, 1, 0, -1), half(0, 1, -2, -2), half(0, -1, 2, 0)} {
		line = append(line, h.Region())
	}
	target := nearest.Target{At: exact.Point{500, 500, 500}, Free: [exact.Axes]bool{true, true, true}, Step: 1}
	left := 200
	if best, total := nearest.Search(line, target, exact.Point{}, nearest.NoPoint, &left); total != nearest.NoPoint || left >= 0 {
		t.Errorf("Nearest with an effort of 200 = %v, %d, %d left, want none, and nothing left", best, total, left)
	}
	left = 1_000_000
	if best, total := nearest.Search(line, target, exact.Point{}, nearest.NoPoint, &left); total != nearest.NoPoint || left < 0 {
		t.Errorf("Search = %v, %d, %d left, want none, and something left", best, total, left)
	}
	// If no point is better than the one that is passed, that one is returned.
	known := exact.Point{1, 2, 3}
	if best, total := nearest.Search(line, target, known, 7, &left); best != known || total != 7 {
		t.Errorf("Search = %v, %d, want %v, 7", best, total, known)
	}
}

// TestSearchStops checks that after the effort is used up, the search compares each half-space at most once
// more. Each axis has 150 values here, and for most pairs of them there is no value of the third axis.
func TestSearchStops(t *testing.T) {
	conditions := []exact.Region{half(7, 11, -13, 3).Region(), half(-7, -11, 13, -5).Region()}
	sizes := 0
	for axis := range exact.Axes {
		var values []exact.Region
		for i := range int64(150) {
			value := 1000 + i*i + 17*i*int64(axis+1)
			values = append(values, exact.AllOf(exact.AtLeast(axis, value), exact.AtMost(axis, value)))
			sizes += 2
		}
		conditions = append(conditions, exact.AnyOf(values...))
	}
	target := nearest.Target{At: exact.Point{2000, 3000, 4000}, Free: [exact.Axes]bool{true, true, true}, Step: 1}
	for effort := 1000; effort <= 20_000; effort += 100 {
		left := effort
		_, total := nearest.Search(conditions, target, exact.Point{}, nearest.NoPoint, &left)
		if total == nearest.NoPoint && left < -2*sizes {
			t.Fatalf("Nearest with an effort of %d takes %d", effort, effort-left)
		}
	}
}

func TestBetter(t *testing.T) {
	order := []exact.Point{{5, 5, 4}, {5, 0, 10}, {5, 1, 9}, {6, 0, 9}, {0, 0, 16}}
	for i, p := range order {
		for j, q := range order {
			if got := nearest.Better(p, q); got != (i < j) {
				t.Errorf("Better(%v, %v) = %v, want %v", p, q, got, i < j)
			}
		}
	}
}

func drawConditions(t *rapid.T) []exact.Region {
	conditions := make([]exact.Region, rapid.IntRange(1, 4).Draw(t, "conditions"))
	for i := range conditions {
		conditions[i] = gen.ExactRegion(draw.Choices(t), 2, 12)
	}
	return conditions
}

func holdAll(conditions []exact.Region, p exact.Point) bool {
	return !slices.ContainsFunc(conditions, func(c exact.Region) bool { return !c.Contains(p) })
}

// points returns the points of the cube whose coordinates are multiples of step and at which every
// condition holds, the smallest first.
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
