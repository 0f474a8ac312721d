package state

import (
	"example.com/boxrules/exact"
)

// An Unknown is something that a service does not publish, but that can be learned from its answers. It is a *Limit, a
// *Selection, a *Sheet or a *Fitting.
type Unknown interface {
	// Name returns the name in reports and files, such as max_depth, BOX_3100 or sheet.
	Name() string
	Observe(o Observation, contains bool) (conflicts [][]Observation)
	Unexplained(at exact.Point, contains bool) bool
	MayContain(at exact.Point) (may, mayNot bool)
	Observations() *Set
	// CopyFrom copies the state of another Unknown, which must have the same type.
	CopyFrom(other Unknown)
}

// Observations returns the Set itself. The types that implement [Unknown] embed a Set, so they inherit this method.
func (s *Set) Observations() *Set { return s }
