package polytope_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/polytope"
)

// within is where a point lies in the cube, both ends included.
func within(low, high exact.Point) (conditions []exact.Region) {
	for axis := range exact.Axes {
		var least, most exact.HalfSpace
		least.A[axis], least.K = 1, low[axis]-1
		most.A[axis], most.K = -1, -high[axis]-1
		conditions = append(conditions, least.Region(), most.Region())
	}
	return conditions
}

// TestNearest compares with all points of the cell on the step.
func TestNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low, high := gen.Cube(draw.Choices(t), 9)
		conditions := drawSearches(t)
		coordinate := rapid.Int64Range(-14, 14)
		target := polytope.Target{
			At:   exact.Point{coordinate.Draw(t, "w"), coordinate.Draw(t, "d"), coordinate.Draw(t, "h")},
			Step: rapid.Int64Range(1, 5).Draw(t, "step"),
		}
		free := rapid.IntRange(1, 7).Draw(t, "free")
		for axis := range exact.Axes {
			target.Free[axis] = free>>axis&1 == 1
		}
		var best, want exact.Point
		total, wantTotal, left := int64(polytope.NoPoint), int64(polytope.NoPoint), 1_000_000
		best, total = polytope.Nearest(append(within(low, high), conditions...), target, best, total, &left)
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
			if fits && (changed < wantTotal || changed == wantTotal && polytope.Better(p, want)) {
				want, wantTotal = p, changed
			}
		}
		if total != wantTotal || total != polytope.NoPoint && best != want || left < 0 {
			t.Fatalf("Nearest(%+v) of %v in %v to %v = %v, %d, want %v, %d", target, conditions, low, high, best, total, want, wantTotal)
		}
	})
}

// TestNearestKnown has cubes. The nearest point of one is found with the first range that is
// looked at.
func TestNearestKnown(t *testing.T) {
	all, two, one := [exact.Axes]bool{true, true, true}, [exact.Axes]bool{true, true, false}, [exact.Axes]bool{false, true, false}
	const million = 1_000_000
	for _, test := range []struct {
		high   int64 // of a cube from the origin
		target polytope.Target
		want   exact.Point
		total  int64
	}{
		{million, polytope.Target{At: exact.Point{-5, -5, -5}, Free: all, Step: 1}, exact.Point{}, 15},
		{million, polytope.Target{At: exact.Point{million + 5, -5, million + 5}, Free: all, Step: 1}, exact.Point{million, 0, million}, 15},
		{million, polytope.Target{At: exact.Point{7, 7, 7}, Free: all, Step: 1}, exact.Point{7, 7, 7}, 0},
		{million, polytope.Target{At: exact.Point{-5, 7, 7}, Free: two, Step: 1}, exact.Point{0, 7, 7}, 5},
		// A coordinate that may not change can lie on the border of the cell.
		{9, polytope.Target{At: exact.Point{0, -5, 9}, Free: one, Step: 1}, exact.Point{0, 0, 9}, 5},
		{9, polytope.Target{At: exact.Point{9, 12, 0}, Free: one, Step: 1}, exact.Point{9, 9, 0}, 3},
		// The nearest multiple of the step is below or above; of two as near the smaller is taken.
		{29, polytope.Target{At: exact.Point{3, 6, 3}, Free: one, Step: 5}, exact.Point{3, 5, 3}, 1},
		{29, polytope.Target{At: exact.Point{3, 9, 3}, Free: one, Step: 5}, exact.Point{3, 10, 3}, 1},
		{29, polytope.Target{At: exact.Point{3, 9, 3}, Free: one, Step: 6}, exact.Point{3, 6, 3}, 3},
		{29, polytope.Target{At: exact.Point{3, 40, 3}, Free: one, Step: 6}, exact.Point{3, 24, 3}, 16},
	} {
		cube := within(exact.Point{}, exact.Point{test.high, test.high, test.high})
		left := 16 // a look at each face, twice, and one at the region
		if best, total := polytope.Nearest(cube, test.target, exact.Point{}, polytope.NoPoint, &left); best != test.want ||
			total != test.total ||
			left != 0 {
			t.Errorf("Nearest(%+v) = %v, %d, %d left, want %v, %d, 0 left", test.target, best, total, left, test.want, test.total)
		}
		left = 0
		if _, total := polytope.Nearest(cube, test.target, exact.Point{}, polytope.NoPoint, &left); total != polytope.NoPoint || left >= 0 {
			t.Errorf("Nearest(%+v) with no effort: %d, %d left, want none, and nothing left", test.target, total, left)
		}
	}
}

// nearestIn is what Nearest finds in the part of the cube from the origin that lies in all
// half-spaces, when all may change, and the effort that it takes.
func nearestIn(high int64, at exact.Point, step int64, halves ...exact.HalfSpace) (best exact.Point, total int64, effort int) {
	conditions := within(exact.Point{}, exact.Point{high, high, high})
	for _, h := range halves {
		conditions = append(conditions, h.Region())
	}
	const much = 5_000_000
	left := much
	best, total = polytope.Nearest(
		conditions,
		polytope.Target{At: at, Free: [exact.Axes]bool{true, true, true}, Step: step},
		exact.Point{},
		polytope.NoPoint,
		&left,
	)
	return best, total, much - left
}

// TestNearestEffort has long and thin cells. What is looked at does not grow with their length.
func TestNearestEffort(t *testing.T) {
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
			polytope.NoPoint, 40930},
		{"no multiple of the step", middle, 10, []exact.HalfSpace{half(1, -1, 0, 4), half(-1, 1, 0, -6)}, exact.Point{}, polytope.NoPoint,
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

// TestNearestCases has what drawn cells seldom show.
func TestNearestCases(t *testing.T) {
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
		target polytope.Target
		known  exact.Point // so far
		total  int64
		want   exact.Point
	}{
		{"of the halves one is empty", and(half(0, -2, 3, 0), half(1, -1, -1, 0)), polytope.Target{Free: plane, Step: 1}, exact.Point{},
			polytope.NoPoint, exact.Point{0, -1, 0}},
		{"of two as near the smaller width", within(exact.Point{0, 2, 0}, exact.Point{0, 2, 0}), polytope.Target{Free: all, Step: 1},
			exact.Point{2, 0, 0}, 2, exact.Point{0, 2, 0}},
		{"of two as near the one that is known", within(exact.Point{2, 0, 0}, exact.Point{2, 0, 0}), polytope.Target{Free: all, Step: 1},
			exact.Point{0, 2, 0}, 2, exact.Point{0, 2, 0}},
		{"nothing is nearer than the box itself", cube, polytope.Target{Free: all, Step: 1}, exact.Point{}, 0, exact.Point{}},
	} {
		left := 1000
		if best, _ := polytope.Nearest(test.where, test.target, test.known, test.total, &left); best != test.want || left < 0 {
			t.Errorf("%s: %v, want %v", test.name, best, test.want)
		}
	}
}

// TestNearestTotalEffort has cells that are cut out at random. What they take together tells when
// the search, right as it is, does more than it must.
func TestNearestTotalEffort(t *testing.T) {
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
		if total != polytope.NoPoint {
			found++
		}
	}
	if sum != want || found < 200 {
		t.Errorf("an effort of %d for %d points, want %d", sum, found, want)
	}
}

func TestNearestGivesUp(t *testing.T) {
	// The line of TestGivesUp: it has no grid point, which is proved once that seems worth while.
	line := within(exact.Point{0, 0, 0}, exact.Point{1000, 1000, 1000})
	for _, h := range []exact.HalfSpace{half(2, -1, 0, -1), half(-2, 1, 0, -1), half(0, 1, -2, -2), half(0, -1, 2, 0)} {
		line = append(line, h.Region())
	}
	target := polytope.Target{At: exact.Point{500, 500, 500}, Free: [exact.Axes]bool{true, true, true}, Step: 1}
	left := 200
	if best, total := polytope.Nearest(line, target, exact.Point{}, polytope.NoPoint, &left); total != polytope.NoPoint || left >= 0 {
		t.Errorf("Nearest with an effort of 200 = %v, %d, %d left, want none, and nothing left", best, total, left)
	}
	left = 1_000_000
	if best, total := polytope.Nearest(line, target, exact.Point{}, polytope.NoPoint, &left); total != polytope.NoPoint || left < 0 {
		t.Errorf("Nearest = %v, %d, %d left, want none, and something left", best, total, left)
	}
	// What was known before stays where there is nothing better.
	known := exact.Point{1, 2, 3}
	if best, total := polytope.Nearest(line, target, known, 7, &left); best != known || total != 7 {
		t.Errorf("Nearest = %v, %d, want %v, 7", best, total, known)
	}
}

// TestNearestStops: where the effort is used up, the search ends within one look at every
// half-space. Each axis has 150 values here, of which two axes' do not go together with the
// third's.
func TestNearestStops(t *testing.T) {
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
	target := polytope.Target{At: exact.Point{2000, 3000, 4000}, Free: [exact.Axes]bool{true, true, true}, Step: 1}
	for effort := 1000; effort <= 20_000; effort += 100 {
		left := effort
		_, total := polytope.Nearest(conditions, target, exact.Point{}, polytope.NoPoint, &left)
		if total == polytope.NoPoint && left < -2*sizes {
			t.Fatalf("Nearest with an effort of %d takes %d", effort, effort-left)
		}
	}
}

func TestBetter(t *testing.T) {
	order := []exact.Point{{5, 5, 4}, {5, 0, 10}, {5, 1, 9}, {6, 0, 9}, {0, 0, 16}}
	for i, p := range order {
		for j, q := range order {
			if got := polytope.Better(p, q); got != (i < j) {
				t.Errorf("Better(%v, %v) = %v, want %v", p, q, got, i < j)
			}
		}
	}
}
