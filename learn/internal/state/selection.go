package state

import (
	"example.com/boxrules/exact"
)

// A Selection says whether an article selects a constraint. The Set contains the point Selected if the constraint
// is selected. A rule that applies to every article counts as selected.
type Selection struct {
	code string
	Set
}

// Selected is the point that the Set of a selected constraint contains.
var Selected = exact.Point{1}

// NewSelection returns a Selection about which nothing is known yet. always is true for a rule that applies to
// every article.
func NewSelection(code string, always bool) *Selection {
	s := &Selection{code, Set{Largest: Selected, isCorner: true, Step: 1}}
	if always {
		s.Smallest = Selected
	}
	return s
}

// Name returns the code of the constraint.
func (s *Selection) Name() string { return s.code }

// CopyFrom implements [Unknown].
func (s *Selection) CopyFrom(other Unknown) { s.Set = other.Observations().clone() }

// IsAlways reports whether the rule applies to every article.
func (s *Selection) IsAlways() bool { return s.Smallest == Selected }

// IsOpen reports whether it is still unknown if the constraint is selected.
func (s *Selection) IsOpen() bool { return len(s.Contained)+len(s.Excluded) == 0 && !s.IsAlways() }

// IsSelected reports whether the constraint is known to be selected.
func (s *Selection) IsSelected() bool { return len(s.Contained) > 0 || s.IsAlways() }

// Rows returns the row of the answer that shows whether the constraint is selected. It returns no rows if that is
// not known.
func (s *Selection) Rows() []int { return s.strongestRows() }
