package gen

import (
	"slices"

	"example.com/boxrules/exact"
)

// Nearest returns the box that the engine has to suggest for p in the first profile of f. f must have been drawn by
// Small. Nearest tries every box within the limits whose changed coordinates are multiples of step. It returns the
// valid box with the fewest changed coordinates. If there are several, it prefers the smallest total change, then
// the smallest sum of coordinates, and then the smallest width, depth and height. ok is false if no box is valid.
func (f *File) Nearest(p exact.Point, step int64) (best exact.Point, ok bool) {
	return f.NearestOf(f.Valid, p, step)
}

// NearestOf is like Nearest, but valid decides which boxes are valid.
func (f *File) NearestOf(valid func(exact.Point) bool, p exact.Point, step int64) (best exact.Point, ok bool) {
	var multiples [exact.Axes][]int64
	for axis := range multiples {
		for x := (f.low[axis] + step - 1) / step * step; x <= f.high[axis]; x += step {
			multiples[axis] = append(multiples[axis], x)
		}
	}
	// Also try the coordinates of p itself, which need not be multiples of step.
	var key []int64
	for _, w := range append(multiples[0], p[0]) {
		for _, d := range append(multiples[1], p[1]) {
			for _, h := range append(multiples[2], p[2]) {
				box := exact.Point{w, d, h}
				k := suggestionKey(p, box)
				if (!ok || slices.Compare(k, key) < 0) && valid(box) {
					best, key, ok = box, k, true
				}
			}
		}
	}
	return best, ok
}

// suggestionKey returns a key for comparing boxes. The box with the smaller key is the better suggestion for p.
func suggestionKey(p, box exact.Point) []int64 {
	changed, total := int64(0), int64(0)
	for axis, x := range box {
		if x != p[axis] {
			changed++
			total += max(x-p[axis], p[axis]-x)
		}
	}
	return []int64{changed, total, box[0] + box[1] + box[2], box[0], box[1], box[2]}
}

// Better reports whether box is a better suggestion for p than other.
func Better(p, box, other exact.Point) bool {
	return slices.Compare(suggestionKey(p, box), suggestionKey(p, other)) < 0
}
