package program

import (
	"math"
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// A Cell is a convex set of valid boxes: within the limits and its faces no rule is violated.
type Cell struct {
	first, second, third face
	two                  bool // whether two faces say it all
}

// maxFaces is how many faces a Cell has room for, apart from the limits: most valid boxes of real articles are in cells
// with two or three, and each of them takes time.
const maxFaces = 3

// A face is a·x >= b over dimensions in units.
type face struct{ w, d, h, b float64 }

// Contains reports whether a box within the limits is certain to be in the cell. Very near to a face it may not be
// certain, on NaN it never is.
func (c *Cell) Contains(w, d, h float64) bool {
	return c.first.w*w+c.first.d*d+c.first.h*h >= c.first.b &&
		c.second.w*w+c.second.d*d+c.second.h*h >= c.second.b &&
		(c.two || c.third.w*w+c.third.d*d+c.third.h*h >= c.third.b)
}

// newFace is the half-space for float64s: what is beyond the face is in the half-space when it is put on the grid. The face
// goes through the limits, so that no sum is greater than the coefficients together times exact.MaxDimension.
func newFace(h exact.HalfSpace) face {
	f := face{float64(h.A[exact.Width]), float64(h.A[exact.Depth]), float64(h.A[exact.Height]), 0}
	sum := math.Abs(f.w) + math.Abs(f.d) + math.Abs(f.h)
	if sum == 2 && f.w+f.d+f.h == 0 && h.K == -1 {
		// One dimension is at least another: the way to the grid never decreases, so there it is no less.
		return f
	}
	// The grid takes a dimension at most half a thousandth off. All roundings, on the way there and here, are each of at most
	// 2^-53 of 10^9 thousandths: together they stay far below the last thousandth of one.
	f.b = (float64(h.K) + 0.501*sum) / exact.Scale
	return f
}

// maxCells bounds the cells of a profile.
const maxCells = 6

// newCells are cells of the domain, those first that hold most of it.
func newCells(domain polytope.Polytope, low, high exact.Point, conditions []exact.Tree, splits *int) []Cell {
	kept := make([]exact.Tree, len(conditions))
	for i, c := range conditions {
		kept[i] = exact.Not(c)
	}
	most := min(maxSplits, *splits)
	s := splitter{left: most}
	s.split(domain, exact.AllOf(kept...))
	*splits -= most - max(s.left, 0)
	limits := domain.HalfSpaces()
	var found [][]exact.HalfSpace
	for _, part := range s.parts {
		halves := slices.DeleteFunc(part.HalfSpaces(), func(h exact.HalfSpace) bool { return slices.Contains(limits, h) })
		if len(halves) <= maxFaces {
			found = append(found, halves)
		}
	}
	points := spread(low, high)
	var cells []Cell
	for len(cells) < maxCells {
		best, most := []exact.HalfSpace(nil), 0
		for _, halves := range found {
			if n := count(points, halves); n > most {
				best, most = halves, n
			}
		}
		if most == 0 {
			break
		}
		points = slices.DeleteFunc(points, func(at exact.Point) bool { return contain(best, at) })
		var faces [maxFaces]face // that without a half-space contains everything
		for i, h := range best {
			faces[i] = newFace(h)
		}
		cells = append(cells, Cell{faces[0], faces[1], faces[2], len(best) < maxFaces})
	}
	return cells
}

// spread are points all over the limits.
func spread(low, high exact.Point) []exact.Point {
	const n = 6 // along an axis
	at := func(axis, i int) int64 { return low[axis] + (high[axis]-low[axis])*int64(2*i+1)/(2*n) }
	points := make([]exact.Point, 0, n*n*n)
	for i := range n * n * n {
		points = append(points, exact.Point{at(exact.Width, i/n/n), at(exact.Depth, i/n%n), at(exact.Height, i%n)})
	}
	return points
}

func count(points []exact.Point, halves []exact.HalfSpace) (n int) {
	for _, at := range points {
		if contain(halves, at) {
			n++
		}
	}
	return n
}

func contain(halves []exact.HalfSpace, at exact.Point) bool {
	for _, h := range halves {
		if !h.Contains(at) {
			return false
		}
	}
	return true
}

// A splitter finds convex parts of a domain in which a condition holds.
type splitter struct {
	parts []polytope.Polytope
	left  int // of maxSplits
}

// maxSplits bounds the work for one profile.
const maxSplits = 64

// split adds parts that cover all of the domain where c, which is folded, holds. Parts may overlap, so that each is as
// large as it can be.
func (s *splitter) split(domain polytope.Polytope, c exact.Tree) {
	if s.left--; s.left < 0 || domain.Empty() {
		return
	}
	switch c = simplify(domain, c); c.Kind {
	case exact.True:
		s.parts = append(s.parts, domain)
	case exact.Half:
		s.parts = append(s.parts, domain.Clip(c.Half))
	case exact.And:
		rest := slices.DeleteFunc(slices.Clone(c.Parts), func(part exact.Tree) bool {
			if part.Kind == exact.Half {
				domain = domain.Clip(part.Half)
			}
			return part.Kind == exact.Half
		})
		if len(rest) < len(c.Parts) {
			s.split(domain, exact.AllOf(rest...))
			return
		}
		for _, part := range rest[0].Parts {
			s.split(domain, exact.AllOf(append([]exact.Tree{part}, rest[1:]...)...))
		}
	case exact.Or:
		for _, part := range c.Parts {
			s.split(domain, part)
		}
	}
}
