package gen

import (
	"slices"

	"example.com/boxrules/exact"
)

// Valid reports whether a box violates no rule of the first profile.
func (f *File) Valid(p exact.Point) bool {
	valid, known := f.known[p]
	if !known {
		q := ask(0, p)
		valid = !slices.ContainsFunc(f.applied(0), func(r rule) bool { return r.condition.holds(q) })
		f.known[p] = valid
	}
	return valid
}

// Nearest returns the box that is to be suggested for p in the first profile of a file that Small
// drew. It tries every box within the limits whose changed coordinates are multiples of step, and
// chooses of the valid ones that with the fewest changed coordinates, of those that with the least
// change in total, and of those the smallest, by the sum of its coordinates and then by the first
// that differs. ok is false where there is none.
func (f *File) Nearest(p exact.Point, step int64) (best exact.Point, ok bool) {
	var steps [exact.Axes][]int64
	for axis := range steps {
		for x := (f.low[axis] + step - 1) / step * step; x <= f.high[axis]; x += step {
			steps[axis] = append(steps[axis], x)
		}
	}
	var key []int64
	for _, w := range append(steps[0], p[0]) {
		for _, d := range append(steps[1], p[1]) {
			for _, h := range append(steps[2], p[2]) {
				box := exact.Point{w, d, h}
				k := preference(p, box)
				if (!ok || slices.Compare(k, key) < 0) && f.Valid(box) {
					best, key, ok = box, k, true
				}
			}
		}
	}
	return best, ok
}

// preference returns a key that is less for a box that is rather to be suggested for p.
func preference(p, box exact.Point) []int64 {
	changed, total := int64(0), int64(0)
	for axis, x := range box {
		if x != p[axis] {
			changed++
			total += max(x-p[axis], p[axis]-x)
		}
	}
	return []int64{changed, total, box[0] + box[1] + box[2], box[0], box[1], box[2]}
}

// Better reports whether box is rather to be suggested for p than other.
func Better(p, box, other exact.Point) bool {
	return slices.Compare(preference(p, box), preference(p, other)) < 0
}
