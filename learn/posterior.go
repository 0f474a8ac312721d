package learn

import (
	"math"
	"slices"

	"example.com/boxrules/exact"
)

// cumulatedPrior returns for each multiple of the step how likely it and all before are, on any
// scale: a value is the likelier the rounder and the smaller it is, as sizes are on a scale of
// ratios.
func (l *Learner) cumulatedPrior() []float64 {
	sums := make([]float64, l.greatest/l.step+1)
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
	if l.cumulative == nil {
		l.cumulative = l.cumulatedPrior()
	}
	whole := l.cumulative[len(l.cumulative)-1]
	switch {
	case x <= 0:
		return 0
	case x <= l.greatest:
		return l.cumulative[x/l.step]
	}
	return whole * (1 + 0.02*math.Log(float64(x)/float64(l.greatest)))
}

// chanceBeyond returns the probability that a box fails the test at one end of a range. A box of
// 300 fails a maximum that may be 40 to 400 with about 0.9, as small maximums are likelier.
func (l *Learner) chanceBeyond(i *interval, end int, x int64) float64 {
	from, to := i.least(), i.greatest()
	all := l.mass(from, to)
	if end == least {
		from = max(from, down(x, l.step)+l.step)
	} else {
		to = min(to, up(x, l.step)-l.step)
	}
	return l.mass(from, to) / all
}

// quantiles of what is left of an unknown are worth asking at.
var quantiles = []float64{0.5, 0.35, 0.25, 0.2, 0.14, 0.08}

// values returns the values of one dimension that are worth asking: at quantiles of the minimum and
// the maximum, and where the dimension is within for sure or most likely.
func (l *Learner) values(p *profile, axis int) []int64 {
	low, high := &p.article.ends[axis][least], &p.article.ends[axis][greatest]
	var values []int64
	add := func(x int64) {
		for _, x := range []int64{up(x, l.finest), down(x, l.finest)} {
			if x > 0 && x <= up(l.greatest, l.finest) && !slices.Contains(values, x) {
				values = append(values, x)
			}
		}
	}
	for _, q := range quantiles {
		if low.least() < low.greatest() {
			add(max(low.least(), l.quantile(low.least(), low.greatest(), 1-q)-l.step))
		}
		if high.least() < high.greatest() {
			add(min(high.greatest(), l.quantile(high.least(), high.greatest(), q)+l.step))
		}
	}
	from, to := low.greatest(), high.least()
	if from > to {
		from, to = to, from
	}
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
	reach  corner
	stairs []corner // the last of each stretch, by the longer side
	all    float64
}

// staircase returns the sizes that the sheet may have.
func (s *sheet) staircase(l *Learner) staircase {
	most := down(exact.MaxGrid, s.step)
	t := staircase{l: l, reach: s.corner()}
	short := most
	for _, e := range s.minimal() { // by the longer side, so that the shorter ones fall
		if e.long-s.step >= t.reach.long {
			t.stairs = append(t.stairs, corner{long: e.long - s.step, short: short})
		}
		short = min(short, e.short-s.step)
	}
	t.stairs = append(t.stairs, corner{long: most, short: short})
	t.all = t.mass(t.reach.long, t.reach.short)
	return t
}

// mass returns how likely the sheets are that reach the corner.
func (t *staircase) mass(long, short int64) float64 {
	total, from := 0.0, max(long, t.l.step)
	for _, c := range t.stairs {
		total += t.l.mass(from, c.long) * t.l.mass(max(short, t.l.step), c.short)
		from = max(from, c.long+t.l.step)
	}
	return total
}

// fits returns the probability that a blank with these sides fits.
func (t *staircase) fits(long, short int64) float64 {
	if long <= t.reach.long && short <= t.reach.short {
		return 1
	}
	if t.all <= 0 {
		return 0
	}
	return t.mass(max(long, t.reach.long), max(short, t.reach.short)) / t.all
}

// level returns some sheets, long ones and square ones, of which a blank that just fits one of them
// fits with the chance.
func (t *staircase) level(chance float64) []corner {
	const sheets = 5
	last, first := t.stairs[len(t.stairs)-1], t.stairs[0]
	var level []corner
	for i := range sheets {
		alone := math.Pow(chance, float64(i)/(sheets-1)) // that the longer side is long enough
		c := t.reach
		c.long = t.l.farthest(c.long, last.long, func(x int64) bool { return t.mass(x, c.short) >= alone*t.all })
		c.short = t.l.farthest(c.short, first.short, func(x int64) bool { return t.mass(c.long, x) >= chance*t.all })
		level = append(level, c)
	}
	return level
}
