// Package polytope proves things about boxes: it intersects convex sets of points with half-spaces, and finds grid
// points in them or shows that there are none.
//
// The work of each search is limited. If a search gives up, its answer says so. Polytopes are immutable and
// safe for concurrent use.
package polytope

import (
	"math"
	"math/big"

	"slices"

	"example.com/boxrules/exact"
)

// A Polytope is a bounded convex set of points: the points with A·p >= b for each of its faces. It also stores its
// vertices, and for each vertex the faces that it lies on. The vertices show at once whether the polytope is empty and
// how far it extends along each axis. Half-spaces are added one at a time, and each time the faces and the vertices are
// updated together (the double description method): cutting a corner off a cube replaces one vertex with three.
//
// A Polytope may be flat. It may also contain no grid point although it is not empty: the only width with 2·w >= 1 and
// 2·w <= 1 is one half. findFirstLatticePoint finds out whether it contains a grid point.
type Polytope struct {
	vertices []vertex
	faces    []face
}

// A face is a half-space A·p >= b that bounds a polytope.
type face struct {
	a [exact.Axes]int64
	b int64
}

// opposite returns the half-space on the other side of the same plane: w >= 5 becomes -w >= -5.
func (f face) opposite() face {
	return face{[...]int64{-f.a[exact.Width], -f.a[exact.Depth], -f.a[exact.Height]}, -f.b}
}

func (f *face) dot(p exact.Point) int64 {
	return f.a[exact.Width]*p[exact.Width] + f.a[exact.Depth]*p[exact.Depth] + f.a[exact.Height]*p[exact.Height]
}

// A vertex is a point with rational coordinates. It is stored as four integers in lowest terms: numerators for the
// three axes, and then their common denominator, which is positive. (1/2, 3, 0) is stored as 1, 6, 0 and 2. These are
// called homogeneous coordinates.
type vertex struct {
	homogeneous [exact.Axes + 1]integer
	approximate [exact.Axes]float64 // the coordinates, rounded
	tightFaces  faceSet             // the faces that the vertex lies on, by index in Polytope.faces
}

// newVertex returns the vertex for homogeneous coordinates, which need not be in lowest terms.
func newVertex(homogeneous [exact.Axes + 1]integer) vertex {
	// Every cut multiplies the coordinates of two vertices. In lowest terms they stay small enough for an
	// int64 in nearly all cases.
	divisor := homogeneous[exact.Axes]
	for _, x := range homogeneous[:exact.Axes] {
		divisor = divisor.gcd(x)
	}
	v := vertex{}
	for i, x := range homogeneous {
		v.homogeneous[i] = x.dividedBy(divisor)
	}
	for axis := range exact.Axes {
		v.approximate[axis] = v.homogeneous[axis].float64() / v.homogeneous[exact.Axes].float64()
	}
	return v
}

// Cuboid returns the polytope of the points whose coordinates are between low and high, both inclusive.
func Cuboid(low, high exact.Point) Polytope {
	var p Polytope
	for axis := range exact.Axes {
		var up, down face
		up.a[axis], up.b = 1, low[axis]
		down.a[axis], down.b = -1, -high[axis]
		if low[axis] > high[axis] {
			return Polytope{}
		}
		p.faces = append(p.faces, up, down) // with the indexes 2*axis and 2*axis+1
	}
corners:
	// The bits of corner choose the end on each axis: corner 5, binary 101, has the high width, the low
	// depth and the high height.
	for corner := range 1 << exact.Axes {
		homogeneous, tight := [...]integer{exact.Axes: {small: 1}}, faceSet(nil)
		for axis := range exact.Axes {
			end := [...]int64{low[axis], high[axis]}[corner>>axis&1]
			if homogeneous[axis].small = end; end == low[axis] {
				tight = tight.with(2 * axis)
			}
			if end == high[axis] {
				tight = tight.with(2*axis + 1)
			}
			if low[axis] == high[axis] && corner>>axis&1 == 1 {
				continue corners // the cube is flat along this axis, so the corner with the low end is the same point
			}
		}
		v := newVertex(homogeneous)
		v.tightFaces = tight
		p.vertices = append(p.vertices, v)
	}
	return p
}

// excess returns A·v - b, multiplied by the denominator of v so that it is a whole number. It is positive
// inside the face, and zero on it.
func (v *vertex) excess(f face) integer {
	a := [...]integer{{small: f.a[exact.Width]}, {small: f.a[exact.Depth]}, {small: f.a[exact.Height]}, {small: -f.b}}
	return dot(a[:], v.homogeneous[:])
}

// side returns the sign of excess: 1 if v is inside the face, 0 if it is on it, -1 if it is outside. It
// computes in float64s, and uses exact numbers only if the sum is so close to zero that rounding could have
// changed its sign.
func (v *vertex) side(f face) int {
	// Each rounding has a relative error of at most 2^-53, about 1e-16, and there are only a few of them. So
	// the error of the sum is far below 1e-12 times size, which is the sum of the magnitudes of the terms.
	sum, size := -float64(f.b), math.Abs(float64(f.b))
	for axis, x := range v.approximate {
		term := float64(f.a[axis]) * x
		sum += term
		size += math.Abs(term)
	}
	switch slack := size * 1e-12; {
	case sum > slack:
		return 1
	case sum < -slack:
		return -1
	}
	return v.excess(f).sign()
}

// HalfSpaces returns half-spaces whose intersection is p. A half-space is left out if the vertices of p show that it is
// redundant. p must not be empty.
func (p Polytope) HalfSpaces() []exact.HalfSpace {
	corners := make([]int, len(p.faces)) // the number of corners on each face
	for _, v := range p.vertices {
		for i := range p.faces {
			if v.tightFaces.has(i) {
				corners[i]++
			}
		}
	}
	// In a solid polytope every necessary face is a polygon, so it has at least three corners: one that
	// only touches the polytope at a corner or an edge is redundant. If all corners lie on one face, the
	// polytope is flat, and a face with two corners may be necessary. Then all faces are kept.
	flat := slices.Contains(corners, len(p.vertices))
	var halves []exact.HalfSpace
	for i, f := range p.faces {
		if flat || corners[i] > 2 {
			halves = append(halves, exact.HalfSpace{A: f.a, K: f.b - 1}) // A·p >= b is A·p > b-1
		}
	}
	return halves
}

// Empty reports whether p contains no points at all, not even points off the grid.
func (p Polytope) Empty() bool { return len(p.vertices) == 0 }

// Clip returns the part of p with A·p >= K+1. That part contains all grid points of p that are in the
// half-space, because A·p is a whole number at grid points. It does not contain other points with A·p between
// K and K+1.
func (p Polytope) Clip(h exact.HalfSpace) Polytope { return p.cut(face{h.A, h.K + 1}) }

// Meets reports whether Clip would return a polytope that is not empty. It takes less work than Clip.
func (p Polytope) Meets(h exact.HalfSpace) bool {
	f := face{h.A, h.K + 1}
	for i := range p.vertices {
		if p.vertices[i].side(f) >= 0 {
			return true
		}
	}
	return false
}

// Slice returns the part of p in which the coordinate along the axis has the given value.
func (p Polytope) Slice(axis int, value int64) Polytope {
	var up, down face
	up.a[axis], up.b = 1, value
	down.a[axis], down.b = -1, -value
	return p.cut(up).cut(down)
}

// cut returns the part of p inside the face. Vertices inside the face and on it are kept, and those outside
// are dropped. Each edge from a vertex inside to a vertex outside crosses the face, and the crossing is a
// new vertex: it lies on the face, and on all faces that contain the whole edge. Other segments between two
// vertices are not edges, so their crossings are not vertices.
//
// Take the cube from 0 to 10 and the face -w-d-h >= -25. Of the eight vertices only (10, 10, 10) is outside,
// with the sum 30. Its three edges lead to vertices with the sum 20, and cross the face at (5, 10, 10),
// (10, 5, 10) and (10, 10, 5). The result has these three and the seven others.
func (p Polytope) cut(f face) Polytope {
	sides := make([]int, len(p.vertices))
	for i := range p.vertices {
		sides[i] = p.vertices[i].side(f)
	}
	if !slices.Contains(sides, -1) {
		return p // nothing is cut off, so the face is not needed
	}
	// A polytope shares the faces of the polytope that it was cut from. Clip makes append copy them.
	// Otherwise two polytopes that are cut from p would overwrite each other's new face.
	result := Polytope{faces: append(slices.Clip(p.faces), f), vertices: make([]vertex, 0, len(p.vertices)+2)}
	faceIndex := len(p.faces)
	for i, v := range p.vertices {
		switch sides[i] {
		case 1:
			result.vertices = append(result.vertices, v)
		case 0:
			v.tightFaces = v.tightFaces.with(faceIndex)
			result.vertices = append(result.vertices, v)
		}
	}
	if !slices.Contains(sides, 1) {
		return result // p only touches the face, or is outside: no edge crosses it
	}
	for i := range p.vertices {
		for j := range p.vertices {
			if sides[i] > 0 && sides[j] < 0 && p.isEdge(i, j) {
				v, w := &p.vertices[i], &p.vertices[j]
				x := intersection(v, w, f)
				x.tightFaces = v.tightFaces.intersect(w.tightFaces).with(faceIndex)
				result.vertices = append(result.vertices, x)
			}
		}
	}
	return result
}

// isEdge reports whether the segment between two vertices is an edge of p. It is an edge if no third vertex lies on all
// the faces that contain both ends of the segment. The diagonal of one side of a cube is not an edge: the only face
// that contains both of its ends is that side, and the other two corners of the side also lie on it.
func (p Polytope) isEdge(i, j int) bool {
	common := p.vertices[i].tightFaces.intersect(p.vertices[j].tightFaces)
	for k := range p.vertices {
		if k != i && k != j && p.vertices[k].tightFaces.containsAll(common) {
			return false
		}
	}
	return true
}

// intersection returns the point where the segment from v to w crosses the face. v must be inside the face,
// and w outside.
func intersection(v, w *vertex, f face) vertex {
	// Weight each end by the distance of the other end from the face, so that the weighted excesses add up to
	// 0. Both weights are positive, so the point is between the ends. The weights need not add up to 1,
	// because the denominators are weighted and added up as well.
	weights := [...]integer{w.excess(f.opposite()), v.excess(f)}
	var homogeneous [exact.Axes + 1]integer
	for i := range homogeneous {
		homogeneous[i] = dot(weights[:], []integer{v.homogeneous[i], w.homogeneous[i]})
	}
	return newVertex(homogeneous)
}

// floorAndCeil returns the coordinate along the axis, rounded down and rounded up to integers.
func (v *vertex) floorAndCeil(axis int) (below, above int64) {
	x, divisor := v.homogeneous[axis], v.homogeneous[exact.Axes]
	if x.large == nil && divisor.large == nil {
		return exact.FloorDiv(x.small, divisor.small), exact.CeilDiv(x.small, divisor.small)
	}
	// The remainder of DivMod is never negative, even if x is.
	floor, remainder := new(big.Int).DivMod(x.big(), divisor.big(), new(big.Int))
	return floor.Int64(), floor.Int64() + int64(remainder.Sign())
}

// Vertices returns the vertices of p in grid coordinates, rounded to float64s. The coordinates need not be whole
// numbers.
func (p Polytope) Vertices() [][exact.Axes]float64 {
	corners := make([][exact.Axes]float64, len(p.vertices))
	for i := range p.vertices {
		corners[i] = p.vertices[i].approximate
	}
	return corners
}
