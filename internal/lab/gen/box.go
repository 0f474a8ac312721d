package gen

import (
	"iter"
	"math"
	"slices"

	"example.com/boxrules/exact"
)

// Boxes draws boxes for a profile. Most of the boxes are on or near the border of a condition, where the engine is most
// likely to be wrong.
type Boxes struct {
	Draw      Draw
	Low, High exact.Point       // the limits; most boxes are within them or a little beyond
	Faces     []exact.HalfSpace // the half-spaces of the conditions, if any
}

// BoxesOf returns Boxes for the profile whose limits and conditions are in form.
func BoxesOf(form exact.Form, draw Draw) *Boxes {
	return &Boxes{Draw: draw, Low: form.Low, High: form.High, Faces: Faces(form.Conditions...)}
}

// Faces returns the half-spaces of conditions or regions without duplicates. A half-space and its complement have
// the same border, so Faces returns only the first of the two.
func Faces[C interface {
	HalfSpaces() iter.Seq[exact.HalfSpace]
}](conditions ...C) (faces []exact.HalfSpace) {
	for _, c := range conditions {
		for h := range c.HalfSpaces() {
			if !slices.Contains(faces, h) && !slices.Contains(faces, h.Complement()) {
				faces = append(faces, h)
			}
		}
	}
	return faces
}

// proportions lists ratios of two dimensions. Similar ratios appear in the documented conditions.
var proportions = [][2]int64{{1, 1}, {2, 1}, {1, 2}, {3, 4}, {4, 3}, {4, 5}, {2, 5}, {5, 2}, {1, 3}, {3, 1}}

// Next returns a random box. Three out of four boxes are on one or more faces, or within a thousandth of them. Most of
// the others have a dimension at a limit, have two dimensions in a simple proportion, or are far outside the limits.
func (b *Boxes) Next() exact.Point {
	p := b.nearLimits()
	axis, other := b.Draw(exact.Axes), b.Draw(exact.Axes)
	switch b.Draw(16) {
	case 0: // leave p as it is
	case 1:
		p[axis] = []int64{b.Low[axis], b.High[axis], 0, -p[axis], exact.MaxGrid, -exact.MaxGrid}[b.Draw(6)]
	case 2:
		ratio := proportions[b.Draw(len(proportions))]
		p[axis] = p[other] * ratio[0] / ratio[1]
	case 3:
		for axis := range p {
			if b.Draw(4) > 0 {
				p[axis] = []int64{b.Low[axis] - b.randomUpTo(20_000), b.High[axis] + b.randomUpTo(b.High[axis])}[b.Draw(2)]
			}
		}
	default:
		for turn := range min(len(b.Faces), 1+b.Draw(3)) {
			b.Move(&p, b.Faces[b.Draw(len(b.Faces))], turn == 0)
		}
	}
	// Move two out of three boxes by a thousandth, so that they are next to the border and not on it.
	if b.Draw(3) > 0 {
		p[b.Draw(exact.Axes)] += 2*b.randomUpTo(1) - 1
	}
	for axis := range p {
		p[axis] = min(max(p[axis], -exact.MaxGrid), exact.MaxGrid)
	}
	return p
}

// randomUpTo returns a random number from 0 to the limit. The limit is reduced to 2^30 if it is greater, so that
// the number fits into a 32-bit int.
func (b *Boxes) randomUpTo(limit int64) int64 {
	return int64(b.Draw(int(min(max(0, limit), 1<<30)) + 1))
}

// nearLimits returns a random box within the limits or a little beyond them. Its dimensions are often round
// numbers.
func (b *Boxes) nearLimits() (p exact.Point) {
	for axis := range p {
		side := b.High[axis] - b.Low[axis]
		p[axis] = b.Low[axis] - side/8 + b.randomUpTo(side+side/4)
		p[axis] -= p[axis] % []int64{1, 250, 500, 500, 1000, 1000}[b.Draw(6)] // round most coordinates to quarters, halves or whole units
	}
	return p
}

// Move moves p along one axis onto the face, or to the last grid point before the face. If moveOthers is true, it
// first rounds the other coordinates so that the face has a grid point there: for 3*width > depth, it makes the
// depth a multiple of 3 before it moves the width.
func (b *Boxes) Move(p *exact.Point, face exact.HalfSpace, moveOthers bool) {
	axis := b.Draw(exact.Axes)
	// Find an axis along which p can reach the face.
	for range exact.Axes {
		if face.A[axis] == 0 {
			axis = (axis + 1) % exact.Axes
		}
	}
	a := face.A[axis]
	if a == 0 {
		return
	}
	// Solve A·p = K for p[axis]. rest becomes K minus the terms of the other axes.
	rest := face.K
	for i := range p {
		if i == axis {
			continue
		}
		if moveOthers {
			p[i] -= p[i] % a
		}
		rest -= face.A[i] * p[i]
	}
	// FloorDiv needs a positive divisor.
	if a < 0 {
		a, rest = -a, -rest
	}
	p[axis] = exact.FloorDiv(rest, a)
}

// HardToRound returns dimensions that are hard to round. Each is a coordinate of p, a number halfway between that
// coordinate and a neighbour on the grid, or a float64 next to one of these.
func (b *Boxes) HardToRound(p exact.Point) (dims [exact.Axes]float64) {
	for axis, n := range p {
		x := exact.Float64At(n) + []float64{0, 0.0005, -0.0005}[b.Draw(3)]
		// Nextafter(x, x) returns x itself.
		x = math.Nextafter(x, []float64{x, math.Inf(1), math.Inf(-1)}[b.Draw(3)])
		dims[axis] = min(max(x, -exact.MaxDimension), exact.MaxDimension)
	}
	return dims
}

// drawBox draws a box within the limits of the first profile.
func (f *File) drawBox() (p exact.Point) {
	for axis := range p {
		p[axis] = f.drawCoordinate(axis)
	}
	return p
}

// drawCoordinate draws a coordinate within the limits of the first profile. It is a multiple of the step, unless that
// would be above the maximum.
func (f *File) drawCoordinate(axis int) int64 {
	x := f.low[axis] + int64(f.Draw(int(f.high[axis]-f.low[axis]+1)))
	// Round up, so that the coordinate does not fall below the minimum.
	if rounded := (x + f.step - 1) / f.step * f.step; rounded <= f.high[axis] {
		return rounded
	}
	return x
}

// boxOnBorder draws a box within the limits of the first profile. The caller places the border of a condition at or
// near this box. In half of the cases, the box is f.acceptedBox, which most rules accept. Therefore many borders are
// near f.acceptedBox. Often only a few of the boxes around it are valid, which makes a valid box hard to find.
func (f *File) boxOnBorder() exact.Point {
	if f.Draw(2) == 0 {
		return f.acceptedBox
	}
	return f.drawBox()
}
