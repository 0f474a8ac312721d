package lint

import "slices"

// numbers returns the whole numbers from first up to, but not including, end.
func numbers(first, end int) []int {
	var all []int
	for i := first; i < end; i++ {
		all = append(all, i)
	}
	return all
}

// maxTrials bounds how many sets smallest looks at for the one with the fewest members.
const maxTrials = 1000

// smallest returns a subset of the candidates, all of which together suffice, that suffices with as
// few members as possible, and of those the first in order. Where there are too many to try, it
// returns one of which no member can be left out, as far as the work suffices to find out.
func smallest(candidates []int, suffices func([]int) bool) []int {
	trials := 0
	for size := 0; size < len(candidates) && trials <= maxTrials; size++ {
		if found := subset(candidates, size, nil, &trials, suffices); found != nil {
			return found
		}
	}
	set := slices.Clone(candidates)
	if trials > maxTrials {
		for i := len(set) - 1; i >= 0; i-- {
			if fewer := slices.Delete(slices.Clone(set), i, i+1); suffices(fewer) {
				set = fewer
			}
		}
	}
	return set
}

// subset returns the first subset of the size that suffices, together with those chosen already.
func subset(candidates []int, size int, chosen []int, trials *int, suffices func([]int) bool) []int {
	if size == 0 {
		if *trials++; *trials <= maxTrials && suffices(chosen) {
			return append([]int{}, chosen...)
		}
		return nil
	}
	for i := range candidates {
		if *trials > maxTrials || len(candidates)-i < size {
			break
		}
		if found := subset(candidates[i+1:], size-1, append(chosen[:len(chosen):len(chosen)], candidates[i]), trials, suffices); found != nil {
			return found
		}
	}
	return nil
}
