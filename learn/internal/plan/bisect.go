package plan

import (
	"example.com/boxrules/exact"
)

// Bisect returns the greatest multiple of step from low to high for which ok is true, or low if there is none
// above low. It bisects, so ok must be true up to some value and false above it.
func Bisect(low, high, step int64, ok func(int64) bool) int64 {
	// ok is true for low, or assumed to be true, and false for every multiple above high. The middle is rounded
	// up, so it is always greater than low, and the range becomes smaller in either case.
	for low < high {
		if middle := exact.CeilDiv(low+(high-low+1)/2, step) * step; ok(middle) {
			low = middle
		} else {
			high = middle - step
		}
	}
	return low
}
