package lint

import (
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// indexRange returns the integers from first up to, but not including, end.
func indexRange(first, end int) []int {
	var all []int
	for i := first; i < end; i++ {
		all = append(all, i)
	}
	return all
}

// maxSubsets is the number of subsets that smallestSubset tries before it settles for a subset that may not
// be the smallest.
const maxSubsets = 1000

// smallestSubset returns the smallest subset of the candidates for which suffices returns true. If several
// subsets of that size suffice, it returns the first in the order of the candidates. suffices must be true
// for the set of all candidates.
//
// It tries the empty subset, then all subsets with one member, then all with two: for candidates 4, 5 and 6
// these are {}, {4}, {5}, {6}, {4 5}, {4 6}, {5 6}. The number of subsets grows fast. So after maxSubsets
// trials it starts again with the set of all candidates, and removes each candidate that is not needed. No
// member of that result can be left out, but a smaller subset may suffice. suffices may also return false
// because its work is used up. Then the result may have members that are not needed.
func smallestSubset(candidates []int, suffices func([]int) bool) []int {
	trials := 0
	for size := 0; size < len(candidates) && trials <= maxSubsets; size++ {
		if found := subsetOfSize(size, candidates, nil, &trials, suffices); found != nil {
			return found
		}
	}
	set := slices.Clone(candidates)
	if trials > maxSubsets {
		// Go backwards, so that the indexes of the candidates that are still to be tried stay the same.
		for i := len(set) - 1; i >= 0; i-- {
			if fewer := slices.Delete(slices.Clone(set), i, i+1); suffices(fewer) {
				set = fewer
			}
		}
	}
	return set
}

// subsetOfSize adds size candidates to the chosen ones in every possible way. It returns the first set that
// suffices. It returns nil if there is no such set, or after maxSubsets trials.
func subsetOfSize(size int, candidates, chosen []int, trials *int, suffices func([]int) bool) []int {
	if size == 0 {
		if *trials++; *trials <= maxSubsets && suffices(chosen) {
			return append([]int{}, chosen...) // not nil, even if it is empty
		}
		return nil
	}
	for i, candidate := range candidates {
		if *trials > maxSubsets || len(candidates)-i < size {
			break
		}
		// Without the full slice expression, append might write every candidate to the same memory.
		extended := append(chosen[:len(chosen):len(chosen)], candidate)
		if found := subsetOfSize(size-1, candidates[i+1:], extended, trials, suffices); found != nil {
			return found
		}
	}
	return nil
}

// smallestRejectingSet chooses rules from the candidates that together reject every box for which the condition
// holds. It chooses as few rules as possible, and returns their codes.
func (p *profileLinter) smallestRejectingSet(condition exact.Region, candidates []int) []boxrules.Code {
	return p.codesOf(smallestSubset(candidates, func(rules []int) bool { return p.provesAllRejected(rules, condition) }))
}
