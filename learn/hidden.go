package learn

import (
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/learn/internal/state"
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

// isObservableLimit reports whether the answer about some box could narrow down a limit. For that, there must be a box
// that may pass all earlier tests, and that passes the test of the limit for some possible values of the limit and
// fails it for others.
//
// If boxes have few decimals, there may be no such box. If a maximum width is either 10 or 10.5, only a box whose
// width is greater than 10 and at most 10.5 can show which of the two it is. In whole millimetres, there is no such
// box.
func (l *Learner) isObservableLimit(a *article, u *state.Limit) bool {
	low := exact.Point{l.answerGrid, l.answerGrid, l.answerGrid}
	high := exact.Point{exact.MaxGrid, exact.MaxGrid, exact.MaxGrid}
	// Narrow down the boxes from low to high with each test. The box must have a chance to pass the tests before
	// the test of the limit, so it must be within the widest possible range. For the limit itself, it must not be
	// known whether the box passes.
	for _, t := range l.limitTests {
		limit := a.rangeEnds[t.axis][t.end]
		from, to := &low[t.axis], &high[t.axis]
		switch {
		case limit == u && t.end == minimum:
			*from, *to = max(*from, u.LowerBound()), min(*to, u.UpperBound()-1)
		case limit == u:
			*from, *to = max(*from, u.LowerBound()+1), min(*to, u.UpperBound())
		case t.end == minimum:
			*from = max(*from, limit.LowerBound())
		default:
			*to = min(*to, limit.UpperBound())
		}
		if limit == u {
			break
		}
	}
	for axis := range exact.Axes {
		if roundUp(low[axis], l.answerGrid) > high[axis] {
			return false
		}
	}
	return true
}
