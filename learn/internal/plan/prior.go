// Package plan estimates the probability of each value that a limit or a sheet can still have. From these
// probabilities, package learn computes how much information the answer about a box is expected to give.
package plan

import (
	"math"

	"example.com/boxrules/learn/internal/state"
)

// A Prior is the assumed probability of each value of a limit before there are any answers. Round values are more
// likely than others. Small values are more likely than large ones, because limits are assumed to be spread evenly
// on a logarithmic scale: as many are between 50 and 100 as between 200 and 400. For example, 400 mm is about 80
// times as likely as 399 mm, and 41 mm is about ten times as likely as 401 mm.
//
// The mass of a set of values is the sum of their weights. The weights do not add up to 1, so a probability is
// always the ratio of two masses.
type Prior struct {
	step     int64
	maxLimit int64
	// cumulative[i] is the mass of the multiples of the step up to i*step.
	cumulative []float64
}

// NewPrior returns the prior for limits that are multiples of step up to maxLimit.
func NewPrior(step, maxLimit int64) *Prior {
	cumulative := make([]float64, maxLimit/step+1)
	for i := 1; i < len(cumulative); i++ {
		x := int64(i) * step
		// A value is three times as likely for each of these numbers that divides it. 400 mm is a multiple of 1, 5,
		// 10, 50 and 100 mm, and 399 mm only of 1 mm.
		weight := 1 / float64(x)
		for _, round := range []int64{1_000, 5_000, 10_000, 50_000, 100_000} {
			if x%round != 0 {
				break // each number is a multiple of the one before
			}
			weight *= 3
		}
		cumulative[i] = cumulative[i-1] + weight
	}
	return &Prior{step, maxLimit, cumulative}
}

// mass returns the mass of the multiples of the step from low to high, including both.
func (p *Prior) mass(low, high int64) float64 {
	if high < low {
		return 0
	}
	return p.massUpTo(high) - p.massUpTo(low-p.step)
}

// massUpTo returns the mass of the multiples of the step up to x. Only sheets can be greater than maxLimit. Above
// maxLimit, the mass grows with the logarithm of x. Below maxLimit, it would do the same if round values did not
// have more weight.
func (p *Prior) massUpTo(x int64) float64 {
	if x <= p.maxLimit {
		return p.cumulative[max(x, 0)/p.step]
	}
	maxMass := p.cumulative[len(p.cumulative)-1]
	return maxMass * (1 + 0.02*math.Log(float64(x)/float64(p.maxLimit)))
}

// AtLeast returns the probability that a limit is at least value, given its lower and upper bounds. If a maximum is
// between 40 and 400 mm, it is at least 300 mm with a probability of only about 0.15, because small values are more
// likely.
func (p *Prior) AtLeast(limit *state.Limit, value int64) float64 {
	lower, upper := limit.LowerBound(), limit.UpperBound()
	return p.mass(max(lower, value), upper) / p.mass(lower, upper)
}

// Quantile returns the q-quantile of the values from low to high: the smallest multiple of the step such that the
// values up to it have at least a share q of the mass. For q = 0.5 it is the median.
func (p *Prior) Quantile(low, high int64, q float64) int64 {
	targetMass := p.massUpTo(low-p.step) + q*p.mass(low, high)
	hasLess := func(x int64) bool { return p.massUpTo(x) < targetMass-1e-12 }
	return Bisect(low-p.step, high, p.step, hasLess) + p.step
}

// Entropy returns how much information the answer to a question is expected to give, in bits, if the answer is yes
// with probability p: 1 bit for p = 0.5, and 0.47 bits for p = 0.9.
func Entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -p*math.Log2(p) - (1-p)*math.Log2(1-p)
}
