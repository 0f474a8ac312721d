package state

import (
	"example.com/boxrules/exact"
)

// An Unknown is a *Limit, a *Selection, a *Sheet or a *Fitting.
type Unknown interface {
	// Name returns the name in reports and files: max_depth, BOX_3100 or sheet.
	Name() string
	Observe(o Observation, contains bool) (conflicts [][]Observation)
	Unexplained(at exact.Point, contains bool) bool
	MayContain(at exact.Point) (may, mayNot bool)
	Observations() *Set
	// CopyFrom makes the Unknown a copy of another one of the same type.
	CopyFrom(other Unknown)
}

// Observations returns the Set of an Unknown.
func (s *Set) Observations() *Set { return s }
