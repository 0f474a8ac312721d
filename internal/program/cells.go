package program

import (
	"math"
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// A Cell holds valid boxes alone: those that are within the limits and inside its faces. It is
// convex, being cut out by planes, so up to three inequalities decide whether a box is in it;
// valid boxes on the whole are not convex, and need several cells. With the rule "depth > width
// and height > width" one cell has depth <= width, another height <= width.
type Cell struct {
	first, second, third face
	two                  bool // whether two faces say it all
}

// maxFaces bounds the faces of a Cell, the limits not counted. Most valid boxes of real articles
// are in cells with two or three, and each face takes time.
const maxFaces = 3

// A face keeps a plane with dimensions in units: w·width + d·depth + h·height >= b is inside.
type face struct{ w, d, h, b float64 }

// Contains reports whether a box within the limits is certain to be in the cell. Very near to a
// face it may report false for a box inside, and for NaN it always does.
func (c *Cell) Contains(w, d, h float64) bool {
	return c.first.w*w+c.first.d*d+c.first.h*h >= c.first.b &&
		c.second.w*w+c.second.d*d+c.second.h*h >= c.second.b &&
		(c.two || c.third.w*w+c.third.d*d+c.third.h*h >= c.third.b)
}

// newFace returns the half-space as a face for float64s: a box inside the face is in the
// half-space once it is put on the grid. For w + d > 500000 the face is some thousandth inside,
// at w + d >= 500.001002. The face goes through the limits, so that no sum is greater than the
// coefficients together times exact.MaxDimension.
func newFace(h exact.HalfSpace) face {
	f := face{float64(h.A[exact.Width]), float64(h.A[exact.Depth]), float64(h.A[exact.Height]), 0}
	sum := math.Abs(f.w) + math.Abs(f.d) + math.Abs(f.h)
	if sum == 2 && f.w+f.d+f.h == 0 && h.K == -1 {
		// One dimension is at least another: the way to the grid never decreases, so there it is no
		// less.
		return f
	}
	// The grid takes a dimension at most half a thousandth off. All roundings, on the way there
	// and here, are each of at most 2^-53 of 10^9 thousandths: together they stay far below the
	// last thousandth of one.
	f.b = (float64(h.K) + 0.501*sum) / exact.Scale
	return f
}

// maxCells bounds the cells of a profile.
const maxCells = 6

// newCells returns cells of the domain in which no condition holds, beginning with the one that
// has most of the domain's boxes. Each further one is chosen for the boxes that the ones before
// lack.
func newCells(domain polytope.Polytope, low, high exact.Point, conditions []exact.Region) []Cell {
	kept := make([]exact.Region, len(conditions))
	for i, c := range conditions {
		kept[i] = exact.Not(c)
	}
	s := splitter{left: maxSplits}
	s.split(domain, exact.AllOf(kept...))
	limits := domain.HalfSpaces()
	points := samplePoints(low, high)
	var found []candidate
	for _, part := range s.parts {
		halves := slices.DeleteFunc(part.HalfSpaces(), func(h exact.HalfSpace) bool { return slices.Contains(limits, h) })
		if len(halves) <= maxFaces {
			c := candidate{halves: halves}
			c.points = slices.DeleteFunc(slices.Clone(points), func(at exact.Point) bool { return !c.contains(at) })
			found = append(found, c)
		}
	}
	var cells []Cell
	for len(found) > 0 && len(cells) < maxCells {
		best := slices.MaxFunc(found, func(c, d candidate) int { return len(c.points) - len(d.points) })
		if len(best.points) == 0 {
			break
		}
		for i := range found {
			found[i].points = slices.DeleteFunc(found[i].points, best.contains)
		}
		var faces [maxFaces]face // a zero one, 0 >= 0, contains everything
		for i, h := range best.halves {
			faces[i] = newFace(h)
		}
		cells = append(cells, Cell{faces[0], faces[1], faces[2], len(best.halves) < maxFaces})
	}
	return cells
}

// A candidate may become a Cell. It keeps the sample points in it that no cell has yet.
type candidate struct {
	halves []exact.HalfSpace
	points []exact.Point
}

func (c candidate) contains(at exact.Point) bool {
	for i := range c.halves {
		if !c.halves[i].Contains(at) {
			return false
		}
	}
	return true
}

// samplePoints returns points all over the limits, by which the sizes of cells are compared.
func samplePoints(low, high exact.Point) []exact.Point {
	const n = 6 // along an axis
	at := func(axis, i int) int64 { return low[axis] + (high[axis]-low[axis])*int64(2*i+1)/(2*n) }
	points := make([]exact.Point, 0, n*n*n)
	for i := range n * n * n {
		points = append(points, exact.Point{at(exact.Width, i/n/n), at(exact.Depth, i/n%n), at(exact.Height, i%n)})
	}
	return points
}

// A splitter finds convex parts of a domain in which a condition holds.
type splitter struct {
	parts []polytope.Polytope
	left  int // of maxSplits
}

// maxSplits bounds the work for one profile.
const maxSplits = 64

// split adds convex parts that together cover the domain wherever c holds.
// Parts may overlap, as each is made as large as it can be: of "w > 5 or d > 5" the parts are w >
// 5 and d > 5, and the boxes with both are in both.
func (s *splitter) split(domain polytope.Polytope, c exact.Region) {
	if s.left--; s.left < 0 || domain.Empty() {
		return
	}
	switch c = simplify(domain, c); c.Kind() {
	case exact.True:
		s.parts = append(s.parts, domain)
	case exact.Half:
		s.parts = append(s.parts, domain.Clip(c.HalfSpace()))
	case exact.And:
		rest := slices.DeleteFunc(slices.Clone(c.Parts()), func(part exact.Region) bool {
			if part.Kind() == exact.Half {
				domain = domain.Clip(part.HalfSpace())
			}
			return part.Kind() == exact.Half
		})
		if len(rest) < len(c.Parts()) {
			s.split(domain, exact.AllOf(rest...))
			return
		}
		for _, part := range rest[0].Parts() {
			s.split(domain, exact.AllOf(append([]exact.Region{part}, rest[1:]...)...))
		}
	case exact.Or:
		for _, part := range c.Parts() {
			s.split(domain, part)
		}
	}
}
