package state

import (
	"example.com/boxrules/exact"
)

// A Selection says whether an article selects a constraint. If it does, the Set contains the point Selected. For a rule
// that applies to every article, it always does.
type Selection struct {
	code string
	Set
}

// Selected is the point that the Set of a selected constraint contains.
var Selected = exact.Point{1}

// NewSelection returns the Selection of a constraint about which nothing is known yet. If always is true, it is for a
// rule that applies to every article, which counts as selected.
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

// IsOpen reports whether it is not known if the constraint is selected.
func (s *Selection) IsOpen() bool { return len(s.Contained)+len(s.Excluded) == 0 && !s.IsAlways() }

// IsSelected reports whether the constraint is known to be selected.
func (s *Selection) IsSelected() bool { return len(s.Contained) > 0 || s.IsAlways() }

// Rows returns the row that shows whether the constraint is selected, or none if that is not known.
func (s *Selection) Rows() []int { return s.strongestRows() }
