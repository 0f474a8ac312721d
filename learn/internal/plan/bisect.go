package plan

import (
	"example.com/boxrules/exact"
)

// Bisect returns the greatest multiple of step from low to high for which ok is true. If ok is false for all of
// them, it returns low. Because Bisect is a binary search, ok must be true up to some value and false above that
// value.
func Bisect(low, high, step int64, ok func(int64) bool) int64 {
	// ok is true for low, or assumed to be, and false for every multiple above high. Round the middle up. Then it
	// is always greater than low, so the range gets smaller in both cases.
	for low < high {
		if middle := exact.CeilDiv(low+(high-low+1)/2, step) * step; ok(middle) {
			low = middle
		} else {
			high = middle - step
		}
	}
	return low
}
