package polytope

// A Budget counts down the work that several searches may do together. One unit of work takes about a
// twentieth of a microsecond. A search stops when the budget is used up. For a nil *Budget, work is
// unlimited.
//
// A Budget is not safe for concurrent use.
type Budget struct {
	remaining int
	whole     *Budget // the budget that this one is a share of, or nil
}

// NewBudget returns a Budget for the given amount of work.
func NewBudget(work int) Budget { return Budget{remaining: work} }

// Share returns a budget for one of the n jobs that still have to be done. It has 1/n of the remaining work. If n is
// greater than 8, it has 1/8, because most jobs take little work and leave enough for a job that takes more. Spending
// from the share also spends from b, so later jobs can use what this job leaves.
func (b *Budget) Share(n int) Budget {
	return Budget{remaining: b.remaining / min(n, 8), whole: b}
}

// Spent reports whether no work remains.
func (b *Budget) Spent() bool { return b != nil && b.remaining <= 0 }

// Spend subtracts work, and reports whether any remains. Callers may also use it to count work other than
// searching, such as simplifying conditions.
func (b *Budget) Spend(work int) bool {
	for budget := b; budget != nil; budget = budget.whole {
		budget.remaining -= work
	}
	return !b.Spent()
}

// workToClassify estimates the work of finding out on which side of a face each vertex is, in the units of a
// Budget.
func (p Polytope) workToClassify() int { return 1 + len(p.vertices)/4 }

// workToCut estimates the work of a cut that drops at least one vertex. Such a cut compares pairs of vertices.
func (p Polytope) workToCut() int { return 2*len(p.vertices)*len(p.vertices) + 128 }
