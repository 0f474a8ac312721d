package learn

import (
	"math"
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/learn/internal/state"
)

// prior returns for each multiple of the step how likely it and all before are, on any scale: a
// value is the likelier the rounder and the smaller it is, as sizes are on a scale of ratios.
func (l *Learner) prior() []float64 {
	sums := make([]float64, l.maxLimit/l.step+1)
	for i := 1; i < len(sums); i++ {
		x := int64(i) * l.step
		w := 1 / float64(x)
		for _, round := range []int64{1_000, 5_000, 10_000, 50_000, 100_000} {
			if x%round == 0 {
				w *= 3
			}
		}
		sums[i] = sums[i-1] + w
	}
	return sums
}

// mass returns how likely the multiples of the step from low to high are together, both included.
// Beyond the greatest value of a limit, where sheets can be, it falls off as sizes do.
func (l *Learner) mass(low, high int64) float64 {
	if high < low {
		return 0
	}
	return l.massTo(high) - l.massTo(low-l.step)
}

// massTo returns the mass of the multiples up to x.
func (l *Learner) massTo(x int64) float64 {
	whole := l.cumulative[len(l.cumulative)-1]
	switch {
	case x <= 0:
		return 0
	case x <= l.maxLimit:
		return l.cumulative[x/l.step]
	}
	return whole * (1 + 0.02*math.Log(float64(x)/float64(l.maxLimit)))
}

// chance returns the probability that a limit is at least a value. A maximum that may be 40 to 400
// is at least 300 with about 0.1, as small maximums are likelier.
func (l *Learner) chance(limit *state.Limit, value int64) float64 {
	from, to := limit.LowerBound(), limit.UpperBound()
	return l.mass(max(from, value), to) / l.mass(from, to)
}

// quantiles of what is left of an unknown are worth asking at.
var quantiles = []float64{0.5, 0.35, 0.25, 0.2, 0.14, 0.08}

// values returns the values of one dimension that are worth asking: at quantiles of the minimum and
// the maximum, and where the dimension is within for sure or most likely.
func (l *Learner) values(p *profile, axis int) []int64 {
	low, high := p.article.ends[axis][minimum], p.article.ends[axis][maximum]
	var values []int64
	add := func(x int64) {
		for _, x := range []int64{up(x, l.finest), down(x, l.finest)} {
			if x > 0 && x <= up(l.maxLimit, l.finest) && !slices.Contains(values, x) {
				values = append(values, x)
			}
		}
	}
	for _, q := range quantiles {
		if low.LowerBound() < low.UpperBound() {
			add(max(low.LowerBound(), l.quantile(low.LowerBound(), low.UpperBound(), 1-q)-l.step))
		}
		if high.LowerBound() < high.UpperBound() {
			add(min(high.UpperBound(), l.quantile(high.LowerBound(), high.UpperBound(), q)+l.step))
		}
	}
	from, to := min(low.UpperBound(), high.LowerBound()), max(low.UpperBound(), high.LowerBound())
	for _, q := range []float64{0, 0.03, 0.1, 0.25, 0.5, 0.75, 0.9, 1} {
		add(down(from+int64(q*float64(to-from)), l.step))
	}
	return values
}

// quantile returns the least multiple of the step in the interval up to which the share q of its
// mass lies.
func (l *Learner) quantile(low, high int64, q float64) int64 {
	want := l.massTo(low-l.step) + q*l.mass(low, high)
	less := func(x int64) bool { return l.massTo(x) < want-1e-12 }
	return l.farthest(low-l.step, high-l.step, less) + l.step
}

// farthest returns the greatest multiple of the step from low to high up to which ok holds, and low
// where it holds for none above.
func (l *Learner) farthest(low, high int64, ok func(int64) bool) int64 {
	for low < high {
		if middle := up(low+(high-low+1)/2, l.step); ok(middle) {
			low = middle
		} else {
			high = middle - l.step
		}
	}
	return low
}

// A staircase bounds what a sheet may be: for each stretch of the longer side, how long the shorter
// one may be.
type staircase struct {
	l      *Learner
	blank  *blank
	reach  exact.Point
	stairs []exact.Point // the last of each stretch, by the longer side
	all    float64
}

// staircase returns the sizes that the sheet of a profile whose blank is known may have.
func (l *Learner) staircase(p *profile) staircase {
	s := p.sheet
	t := staircase{l: l, blank: p.blank, reach: s.Corner()}
	end := s.Largest
	for _, e := range s.SmallestExcluded() { // by the longer side, so that the shorter ones fall
		if e.At[state.Long]-s.Step >= t.reach[state.Long] {
			t.stairs = append(t.stairs, exact.Point{e.At[state.Long] - s.Step, end[state.Short]})
		}
		end[state.Short] = min(end[state.Short], e.At[state.Short]-s.Step)
	}
	t.stairs = append(t.stairs, end)
	t.all = t.mass(t.reach)
	return t
}

// mass returns how likely the sheets are that reach the corner.
func (t *staircase) mass(corner exact.Point) float64 {
	total, from := 0.0, max(corner[state.Long], t.l.step)
	for _, end := range t.stairs {
		total += t.l.mass(from, end[state.Long]) * t.l.mass(max(corner[state.Short], t.l.step), end[state.Short])
		from = max(from, end[state.Long]+t.l.step)
	}
	return total
}

// fits returns the probability that the blank of a box fits.
func (t *staircase) fits(box exact.Point) float64 {
	size := t.blank.sides(box)
	if state.Inside(size, t.reach) {
		return 1
	}
	if t.all <= 0 {
		return 0
	}
	return t.mass(state.Join(size, t.reach)) / t.all
}

// level returns some sheets, long ones and square ones, of which a blank that just fits one of them
// fits with the chance.
func (t *staircase) level(chance float64) []exact.Point {
	const sheets = 5
	ends := exact.Point{t.stairs[len(t.stairs)-1][state.Long], t.stairs[0][state.Short]}
	var level []exact.Point
	for i := range sheets {
		c := t.reach
		for side, chance := range []float64{math.Pow(chance, float64(i)/(sheets-1)), chance} {
			c[side] = t.l.farthest(c[side], ends[side], func(x int64) bool {
				longer := c
				longer[side] = x
				return t.mass(longer) >= chance*t.all
			})
		}
		level = append(level, c)
	}
	return level
}
