package polytope

// A Budget counts down the work that several searches may do together. Its unit is about a twentieth of a
// microsecond. A search stops when the budget is used up. For a nil *Budget, work is unlimited.
//
// A Budget is not safe for concurrent use.
type Budget struct {
	remaining int
	whole     *Budget // the budget that this one is a share of, or nil
}

// NewBudget returns a Budget of that much work.
func NewBudget(work int) Budget { return Budget{remaining: work} }

// Share returns a budget for one of n jobs that are still to be done: an nth of the work that remains, or an
// eighth if n is greater, because most jobs take little. Work that is spent from the share is spent from b,
// too. What a job does not use is therefore left for the jobs after it.
func (b *Budget) Share(n int) Budget {
	return Budget{remaining: b.remaining / min(n, 8), whole: b}
}

// Spent reports whether no work remains.
func (b *Budget) Spent() bool { return b != nil && b.remaining <= 0 }

// Spend subtracts work, and reports whether any remains. Work need not be that of a search.
func (b *Budget) Spend(work int) bool {
	for budget := b; budget != nil; budget = budget.whole {
		budget.remaining -= work
	}
	return !b.Spent()
}
