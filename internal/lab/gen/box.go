package gen

import (
	"math"
	"slices"

	"example.com/boxrules/exact"
)

// Boxes draws boxes for one profile, most of them where a mistake would show.
type Boxes struct {
	Draw      Draw
	Low, High exact.Point       // the limits, which most boxes are within or a little beyond
	Faces     []exact.HalfSpace // where conditions turn, if anywhere
}

// BoxesOf returns the Boxes of a profile: between its limits, and at the half-spaces of its
// conditions.
func BoxesOf(form exact.Form, draw Draw) *Boxes {
	return &Boxes{Draw: draw, Low: form.Low, High: form.High, Faces: Faces(form.Conditions...)}
}

// Faces returns the half-spaces of the conditions, each once, and of one and its complement the
// first.
func Faces(conditions ...exact.Tree) (faces []exact.HalfSpace) {
	for _, c := range conditions {
		for h := range c.HalfSpaces() {
			if !slices.Contains(faces, h) && !slices.Contains(faces, h.Complement()) {
				faces = append(faces, h)
			}
		}
	}
	return faces
}

// proportions have two sides each, as conditions mention them.
var proportions = [][2]int64{{1, 1}, {2, 1}, {1, 2}, {3, 4}, {4, 3}, {4, 5}, {2, 5}, {5, 2}, {1, 3}, {3, 1}}

// Next returns a box. Three times in four it is on a face, or on several, or a thousandth off; else
// it may have a limit for a side or sides in proportion, or be far away.
func (b *Boxes) Next() exact.Point {
	p := b.anywhere()
	axis, other := b.Draw(exact.Axes), b.Draw(exact.Axes)
	switch b.Draw(16) {
	case 0:
	case 1:
		p[axis] = []int64{b.Low[axis], b.High[axis], 0, -p[axis], exact.MaxGrid, -exact.MaxGrid}[b.Draw(6)]
	case 2:
		ratio := proportions[b.Draw(len(proportions))]
		p[axis] = p[other] * ratio[0] / ratio[1]
	case 3:
		for axis := range p {
			if b.Draw(4) > 0 {
				p[axis] = []int64{b.Low[axis] - b.upTo(20_000), b.High[axis] + b.upTo(b.High[axis])}[b.Draw(2)]
			}
		}
	default:
		for turn := range min(len(b.Faces), 1+b.Draw(3)) {
			b.Move(&p, b.Faces[b.Draw(len(b.Faces))], turn == 0)
		}
	}
	if b.Draw(3) > 0 {
		p[b.Draw(exact.Axes)] += 2*b.upTo(1) - 1
	}
	for axis := range p {
		p[axis] = min(max(p[axis], -exact.MaxGrid), exact.MaxGrid)
	}
	return p
}

// upTo returns a number from 0 to most, but none below 0 nor beyond 2^30, so that an int of 32 bits
// holds it.
func (b *Boxes) upTo(most int64) int64 { return int64(b.Draw(int(min(max(0, most), 1<<30)) + 1)) }

// anywhere returns a box within the limits or a little beyond, often with round numbers.
func (b *Boxes) anywhere() (p exact.Point) {
	for axis := range p {
		side := b.High[axis] - b.Low[axis]
		p[axis] = b.Low[axis] - side/8 + b.upTo(side+side/4)
		p[axis] -= p[axis] % []int64{1, 250, 500, 500, 1000, 1000}[b.Draw(6)]
	}
	return p
}

// Move moves p along one axis onto the face, or the last grid point before it. Where the others may
// move they do, to where the face meets the grid.
func (b *Boxes) Move(p *exact.Point, face exact.HalfSpace, others bool) {
	axis := b.Draw(exact.Axes)
	for range exact.Axes {
		if face.A[axis] == 0 {
			axis = (axis + 1) % exact.Axes
		}
	}
	a := face.A[axis]
	if a == 0 {
		return
	}
	rest := face.K
	for i := range p {
		if i == axis {
			continue
		}
		if others {
			p[i] -= p[i] % a
		}
		rest -= face.A[i] * p[i]
	}
	if a < 0 {
		a, rest = -a, -rest
	}
	p[axis] = exact.FloorDiv(rest, a)
}

// Turning returns dimensions at which the way to the grid turns from one of p's neighbours to p or
// back, or a float64 beside those. The grid has to say which point they stand for.
func (b *Boxes) Turning(p exact.Point) (dims [exact.Axes]float64) {
	for axis, n := range p {
		x := exact.Units(n) + []float64{0, 0.0005, -0.0005}[b.Draw(3)]
		x = math.Nextafter(x, []float64{x, math.Inf(1), math.Inf(-1)}[b.Draw(3)])
		dims[axis] = min(max(x, -exact.MaxDimension), exact.MaxDimension)
	}
	return dims
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
	return f.NearestOf(f.Valid, p, step)
}

// NearestOf returns what Nearest does, of the boxes that valid accepts.
func (f *File) NearestOf(valid func(exact.Point) bool, p exact.Point, step int64) (best exact.Point, ok bool) {
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
				if (!ok || slices.Compare(k, key) < 0) && valid(box) {
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
