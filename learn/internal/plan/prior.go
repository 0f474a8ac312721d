// Package plan estimates what the answer to a box is expected to tell: how likely the values are that
// a limit or a sheet can still have.
package plan

import (
	"math"

	"example.com/boxrules/exact"
	"example.com/boxrules/learn/internal/state"
)

// A Prior says how likely each value of a limit is before any answer: a value is the likelier the
// rounder and the smaller it is, because sizes are spread evenly on a scale of ratios. So 400 mm is 80
// times as likely as 399, and 41 ten times as likely as 401.
//
// The likelihood of several values together is called their mass. Its scale means nothing; only ratios
// of masses are probabilities.
type Prior struct {
	step     int64
	maxLimit int64
	// cumulative[i] is the mass of the multiples of the step up to i*step.
	cumulative []float64
}

// NewPrior returns the prior of limits that are multiples of step up to maxLimit.
func NewPrior(step, maxLimit int64) *Prior {
	cumulative := make([]float64, maxLimit/step+1)
	for i := 1; i < len(cumulative); i++ {
		x := int64(i) * step
		weight := 1 / float64(x)
		for _, round := range []int64{1_000, 5_000, 10_000, 50_000, 100_000} {
			if x%round == 0 {
				weight *= 3
			}
		}
		cumulative[i] = cumulative[i-1] + weight
	}
	return &Prior{step, maxLimit, cumulative}
}

// mass returns how likely the multiples of the step from low to high are together, both included.
func (p *Prior) mass(low, high int64) float64 {
	if high < low {
		return 0
	}
	return p.massUpTo(high) - p.massUpTo(low-p.step)
}

// massUpTo returns the mass of the multiples up to x. Beyond the greatest value of a limit, where only
// sheets can be, the mass grows as the logarithm of x, as the prior does without its round values.
func (p *Prior) massUpTo(x int64) float64 {
	switch {
	case x <= 0:
		return 0
	case x <= p.maxLimit:
		return p.cumulative[x/p.step]
	}
	maxMass := p.cumulative[len(p.cumulative)-1]
	return maxMass * (1 + 0.02*math.Log(float64(x)/float64(p.maxLimit)))
}

// AtLeast returns the probability that a limit is at least a value, given what answers tell of it. A
// maximum from 40 to 400 mm is at least 300 with about 0.15, because small maximums are likelier.
func (p *Prior) AtLeast(limit *state.Limit, value int64) float64 {
	lower, upper := limit.LowerBound(), limit.UpperBound()
	return p.mass(max(lower, value), upper) / p.mass(lower, upper)
}

// Quantile returns the smallest multiple of the step from low to high such that the values up to it
// have the share q of the mass of all.
func (p *Prior) Quantile(low, high int64, q float64) int64 {
	targetMass := p.massUpTo(low-p.step) + q*p.mass(low, high)
	hasLess := func(x int64) bool { return p.massUpTo(x) < targetMass-1e-12 }
	return Farthest(low-p.step, high-p.step, p.step, hasLess) + p.step
}

// Farthest returns the greatest multiple of step from low to high up to which ok holds, and low if it
// holds for none above. ok must not become true again once it is false.
func Farthest(low, high, step int64, ok func(int64) bool) int64 {
	for low < high {
		if middle := exact.CeilDiv(low+(high-low+1)/2, step) * step; ok(middle) {
			low = middle
		} else {
			high = middle - step
		}
	}
	return low
}

// Entropy returns what the answer to a question tells that is yes with probability p, in bits: 1 for
// 0.5, and 0.47 for 0.9.
func Entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -p*math.Log2(p) - (1-p)*math.Log2(1-p)
}
