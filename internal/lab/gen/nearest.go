package gen

import (
	"slices"

	"example.com/boxrules/exact"
)

// value draws a coordinate: on the step, round, or any.
func (f *File) value() int64 {
	switch f.Draw(8) {
	case 0:
		return int64(f.Draw(101)) - 50
	case 1:
		if f.Draw(16) == 0 {
			return exact.MaxGrid * int64(1-2*f.Draw(2))
		}
		return int64(f.Draw(600)) * 1000
	case 2:
		return int64(f.Draw(600_000))
	}
	return f.coordinate(f.Draw(exact.Axes)) / f.step * f.step
}

// Box draws a box to ask for the nearest valid one of, in the first profile. Its coordinates are
// within the limits, or by a few steps outside of them, or far away, mostly on the step or half of
// one beside it.
func (f *File) Box() (p exact.Point) {
	for axis := range p {
		p[axis] = f.coordinate(axis)
		switch f.Draw(8) {
		case 0:
			p[axis] += f.step * int64(f.Draw(9)-4)
		case 1:
			p[axis] += int64(f.Draw(int(2*f.step))) - f.step
		case 2:
			p[axis] += f.step / 2
		case 3:
			p[axis] = f.value()
		}
	}
	return p
}

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
