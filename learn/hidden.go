package learn

import (
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// isHiddenConstraint reports whether it is proved that no box can show whether the article selects constraint i. That
// is so if earlier constraints that are known to be selected refuse every box within the limits that violates
// constraint i. For example, width > 50 hides width > 100.
func (l *Learner) isHiddenConstraint(a *article, i int) bool {
	if a.hidden[i] {
		return true
	}
	for _, p := range a.differentProfiles() {
		if _, answer := l.findBox(p, l.answerGrid, append(p.allowedRegions(i), p.conditions[i].violated)...); answer != polytope.Nothing {
			return false
		}
	}
	if a.hidden == nil {
		a.hidden = make(map[int]bool)
	}
	a.hidden[i] = true
	return true
}

// hidingConstraints returns a minimal set of selected constraints that hide the constraint with the index hidden: every
// box that violates that constraint violates at least one of them. No constraint can be left out of the set.
func (l *Learner) hidingConstraints(a *article, hidden int) (hiding []int) {
	for j := range hidden {
		if a.selections[j].IsSelected() && !a.profiles[0].conditions[j].isOpaque {
			hiding = append(hiding, j)
		}
	}
	// Leave out each constraint if the others still hide the hidden one. Begin with the last one, so that earlier
	// constraints remain if there is a choice.
	for k := len(hiding) - 1; k >= 0; k-- {
		fewer := slices.Delete(slices.Clone(hiding), k, k+1)
		stillHidden := true
		for _, p := range a.differentProfiles() {
			conditions := []exact.Region{p.conditions[hidden].violated}
			for _, j := range fewer {
				conditions = append(conditions, p.conditions[j].satisfied)
			}
			_, answer := l.findBox(p, l.answerGrid, conditions...)
			stillHidden = stillHidden && answer == polytope.Nothing
		}
		if stillHidden {
			hiding = fewer
		}
	}
	return hiding
}
