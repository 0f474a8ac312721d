package fuzz

import (
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/profiles"
)

// TestRangesBruteForce compares Ranges with Check at every half millimetre along each dimension.
func TestRangesBruteForce(t *testing.T) {
	profiles.Each(t, func(t *testing.T, p *boxrules.Profile) {
		boxes, high := profiles.Boxes(p), p.Exact().High
		for range *insightBoxes {
			b := boxes.Next()
			ranges, err := p.Ranges(boxrules.DimsAt(b))
			if err != nil {
				t.Fatal(err)
			}
			for axis, list := range [][]boxrules.Range{ranges.Width, ranges.Depth, ranges.Height} {
				wrong := func(format string, args ...any) {
					t.Helper()
					t.Fatalf("Ranges(%+v): %s %+v, "+format, append([]any{boxrules.DimsAt(b), exact.AxisNames()[axis], list}, args...)...)
				}
				for i, interval := range list {
					from, to := exact.Grid(interval.Min), exact.Grid(interval.Max)
					if from > to || i > 0 && exact.Grid(list[i-1].Max) >= from-1 ||
						exact.Float64At(from) != interval.Min || exact.Float64At(to) != interval.Max {
						wrong("want ascending intervals on the grid")
					}
					for x, want := range map[int64]boxrules.Code{from: "", to: "", from - 1: interval.MinCode, to + 1: interval.MaxCode} {
						if got := profiles.Code(t, p, profiles.Moved(b, axis, x)); got != want || got == "" && x != from && x != to {
							wrong("but Check at %v = %q, want %q", exact.Float64At(x), got, want)
						}
					}
				}
				for x := int64(-2000); x <= high[axis]+20_000; x += 500 {
					within := slices.ContainsFunc(list, func(r boxrules.Range) bool { return exact.Float64At(x) >= r.Min && exact.Float64At(x) <= r.Max })
					if got := profiles.Code(t, p, profiles.Moved(b, axis, x)); (got == "") != within {
						wrong("but Check at %v = %q", exact.Float64At(x), got)
					}
				}
			}
		}
	})
}

func TestNearestBruteForce(t *testing.T) {
	profiles.Each(t, func(t *testing.T, p *boxrules.Profile) {
		boxes := profiles.Boxes(p)
		counts, borderline, double := make(map[int]int), 0, doubleOf(boxrules.Default(), p)
		for i := range *insightBoxes * 5 / 4 {
			step := int64(500)
			if i >= *insightBoxes {
				step = []int64{1000, 2500, 7000, 100_000, 250_000, 1_000_000}[boxes.Draw(6)]
			}
			b := boxes.Next()
			s, ok, err := p.Nearest(boxrules.DimsAt(b), exact.Float64At(step))
			wrong := func(format string, args ...any) {
				t.Helper()
				t.Fatalf("Nearest(%+v, %v) = %+v, %v, %v, "+format, append([]any{boxrules.DimsAt(b), exact.Float64At(step), s, ok, err}, args...)...)
			}
			if err != nil || s.Unproved {
				wrong("want a proved answer")
			}
			if again, _, _ := p.Nearest(boxrules.DimsAt(b), exact.Float64At(step)); again.Dims != s.Dims {
				wrong("and then %+v", again)
			}
			want, changed, total := b, 0, int64(0)
			if profiles.Code(t, p, b) != "" {
				want, changed, total = nearestByHand(p, b, step, func(b exact.Point) bool {
					v, err := p.Check(boxrules.DimsAt(b))
					return err == nil && v.OK()
				})
				if code, _ := double.code(boxrules.DimsAt(want)); total >= 0 && code != "" {
					want, changed, total = nearestByHand(p, b, step, double.isSafe)
					borderline++
				}
			}
			counts[changed]++
			if ok != (total >= 0) || ok != s.Found() {
				wrong("want %+v, %d in total", boxrules.DimsAt(want), total)
			}
			if !ok {
				continue
			}
			var names []string
			for axis, x := range want {
				if x != b[axis] {
					names = append(names, exact.AxisNames()[axis])
				}
			}
			if s.Dims != boxrules.DimsAt(want) || !slices.Equal(s.Changed, names) || len(names) != changed {
				wrong("want %+v changed in %v, by %v in total", boxrules.DimsAt(want), names, exact.Float64At(total))
			}
		}
		t.Logf("boxes by the number of dimensions to change: %v; the nearest is borderline for %d", counts, borderline)
	})
}

// A move is a value for a dimension, and how far it is from the one asked about.
type move struct{ to, change int64 }

// moves are the multiples of step in the limits, the nearest first.
func moves(at, low, high, step int64) []move {
	var all []move
	for x := (low + step - 1) / step * step; x <= high; x += step {
		all = append(all, move{x, max(x-at, at-x)})
	}
	slices.SortFunc(all, func(a, b move) int { return int(a.change - b.change) })
	return all
}

// nearestByHand tries every box on the step: those that change one dimension, then two, then
// three, and no box farther away than the best so far. Beyond the limits no box is valid. total
// is negative for none.
func nearestByHand(p *boxrules.Profile, at exact.Point, step int64, valid func(exact.Point) bool) (best exact.Point, changed int, total int64) {
	low, high := p.Exact().Low, p.Exact().High
	var all [exact.Axes][]move
	for axis := range all {
		all[axis] = moves(at[axis], low[axis], high[axis], step)
	}
	total = -1
	var try func(b exact.Point, axes []int, so, rest int64)
	try = func(b exact.Point, axes []int, so, rest int64) {
		if len(axes) == 0 {
			if (total < 0 || so < total || smaller(b, best)) && valid(b) {
				best, total = b, so
			}
			return
		}
		axis := axes[0]
		rest -= all[axis][0].change
		for _, m := range all[axis] {
			if total >= 0 && so+m.change+rest > total {
				return
			}
			try(profiles.Moved(b, axis, m.to), axes[1:], so+m.change, rest)
		}
	}
	for changed, choices := range [][][]int{1: {{0}, {1}, {2}}, 2: {{0, 1}, {0, 2}, {1, 2}}, 3: {{0, 1, 2}}} {
		for _, axes := range choices {
			rest, possible := int64(0), true
			for axis, x := range at {
				if slices.Contains(axes, axis) {
					if possible = possible && len(all[axis]) > 0; possible {
						rest += all[axis][0].change
					}
				} else {
					possible = possible && x >= low[axis] && x <= high[axis]
				}
			}
			if possible {
				try(at, axes, 0, rest)
			}
		}
		if total >= 0 {
			return best, changed, total
		}
	}
	return exact.Point{}, 0, -1
}

// smaller is the order of boxes that are equally near: by the sum of the dimensions, then one by
// one.
func smaller(a, b exact.Point) bool {
	if x, y := a[0]+a[1]+a[2], b[0]+b[1]+b[2]; x != y {
		return x < y
	}
	return slices.Compare(a[:], b[:]) < 0
}
