package state

import (
	"example.com/boxrules/exact"
)

// A Limit is the minimum or the maximum of a dimension. Its Set contains the lengths up to the limit. A length is
// stored as the first coordinate of a point.
type Limit struct {
	name string
	Set
}

// NewLimit returns a limit that may be any multiple of step from lower to upper.
func NewLimit(name string, lower, upper, step int64) *Limit {
	return &Limit{name, Set{Smallest: exact.Point{lower}, Largest: exact.Point{upper}, isCorner: true, Step: step}}
}

// Name returns the name of the limit in rules, such as max_depth.
func (l *Limit) Name() string { return l.name }

// CopyFrom implements [Unknown].
func (l *Limit) CopyFrom(other Unknown) { l.Set = other.Observations().clone() }

// LowerBound returns the smallest value that the limit can have.
func (l *Limit) LowerBound() int64 {
	if len(l.Contained) == 0 {
		return l.Smallest[0]
	}
	return l.Contained[0].At[0]
}

// UpperBound returns the greatest value that the limit can have.
func (l *Limit) UpperBound() int64 {
	if len(l.Excluded) == 0 {
		return l.Largest[0]
	}
	return l.Excluded[0].At[0] - l.Step
}

// Rows returns the rows from which the bounds follow. There are two rows, or fewer if a bound is an assumption.
func (l *Limit) Rows() []int { return l.strongestRows() }
