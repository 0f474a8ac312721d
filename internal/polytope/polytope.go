// Package polytope proves things about boxes: it cuts convex sets of points by half-spaces, finds
// grid points in them or shows that there are none, and finds the grid point nearest to a box.
//
// Each search is bounded in the work that it does, and says so where it gave up. Values are
// immutable and safe for concurrent use.
package polytope

import (
	"math"
	"math/big"
	"math/bits"
	"slices"

	"example.com/boxrules/exact"
)

// A Polytope is a bounded convex set of points: those with A·p >= b for each of its faces. It
// keeps its vertices, and with each the faces through it, so that emptiness and extent can be
// read off; it is cut by one half-space at a time (the double description method). Cutting a
// corner off a cube replaces one vertex by three.
//
// It may be flat. It may also hold no grid point though it is not empty, as 2·w >= 1 and 2·w <= 1
// does; lattice tells.
type Polytope struct {
	vertices []vertex
	faces    []face
}

// A face bounds a polytope by A·p >= b. It is tight at a vertex that lies on it.
type face struct {
	a [exact.Axes]int64
	b int64
}

// opposite returns the face with what is beyond f inside.
func (f face) opposite() face {
	return face{[...]int64{-f.a[exact.Width], -f.a[exact.Depth], -f.a[exact.Height]}, -f.b}
}

func (f *face) dot(p exact.Point) int64 {
	return f.a[exact.Width]*p[exact.Width] + f.a[exact.Depth]*p[exact.Depth] + f.a[exact.Height]*p[exact.Height]
}

// A vertex stands for a point by four integers, the coordinates and behind them their common
// divisor, which is positive: (1/2, 3, 0) by 1, 6, 0 and 2. They are in lowest terms.
type vertex struct {
	over  [exact.Axes + 1]integer
	near  [exact.Axes]float64 // the coordinates, rounded
	tight faceSet
}

// newVertex returns the vertex for the integers, which need not be in lowest terms.
func newVertex(over [exact.Axes + 1]integer) vertex {
	divisor := over[exact.Axes]
	for _, x := range over[:exact.Axes] {
		divisor = divisor.gcd(x)
	}
	v := vertex{}
	for i, x := range over {
		v.over[i] = x.over(divisor)
	}
	for axis := range exact.Axes {
		v.near[axis] = v.over[axis].float64() / v.over[exact.Axes].float64()
	}
	return v
}

// Cube returns all points whose coordinates lie between low and high, both included.
func Cube(low, high exact.Point) Polytope {
	var p Polytope
	for axis := range exact.Axes {
		var up, down face
		up.a[axis], up.b = 1, low[axis]
		down.a[axis], down.b = -1, -high[axis]
		if low[axis] > high[axis] {
			return Polytope{}
		}
		p.faces = append(p.faces, up, down)
	}
corners:
	for corner := range 1 << exact.Axes {
		over, tight := [...]integer{exact.Axes: {small: 1}}, faceSet(nil)
		for axis := range exact.Axes {
			end := [...]int64{low[axis], high[axis]}[corner>>axis&1]
			if over[axis].small = end; end == low[axis] {
				tight = tight.with(2 * axis)
			}
			if end == high[axis] {
				tight = tight.with(2*axis + 1)
			}
			if low[axis] == high[axis] && corner>>axis&1 == 1 {
				continue corners // it is the same as another
			}
		}
		v := newVertex(over)
		v.tight = tight
		p.vertices = append(p.vertices, v)
	}
	return p
}

// above returns the divisor times A·p - b, which is positive inside the face and zero on it.
func (v *vertex) above(f face) integer {
	a := [...]integer{{small: f.a[exact.Width]}, {small: f.a[exact.Depth]}, {small: f.a[exact.Height]}, {small: -f.b}}
	return dot(a[:], v.over[:])
}

// side returns the sign of above: 1 inside the face, 0 on it, -1 beyond. Mostly float64s tell, as
// near is off by far less than the slack allowed here; only where they do not are exact numbers
// needed.
func (v *vertex) side(f face) int {
	sum, size := -float64(f.b), math.Abs(float64(f.b))
	for axis, x := range v.near {
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
	return v.above(f).sign()
}

// HalfSpaces returns the half-spaces that p is the intersection of, without those that are not
// needed, as far as its corners tell. p must not be empty.
func (p Polytope) HalfSpaces() []exact.HalfSpace {
	corners := make([]int, len(p.faces)) // on each face
	for _, v := range p.vertices {
		for i := range p.faces {
			if v.tight.has(i) {
				corners[i]++
			}
		}
	}
	flat := slices.Contains(corners, len(p.vertices))
	var halves []exact.HalfSpace
	for i, f := range p.faces {
		if flat || corners[i] > 2 { // a face that is needed is a polygon
			halves = append(halves, exact.HalfSpace{A: f.a, K: f.b - 1})
		}
	}
	return halves
}

// Empty reports whether p has no point at all, on the grid or off it.
func (p Polytope) Empty() bool { return len(p.vertices) == 0 }

// Clip returns the part of p in the half-space, as far as grid points go: for them A·p > K says
// the same as A·p >= K+1.
func (p Polytope) Clip(h exact.HalfSpace) Polytope { return p.cut(face{h.A, h.K + 1}) }

// Meets reports whether Clip would leave anything, for less work.
func (p Polytope) Meets(h exact.HalfSpace) bool {
	f := face{h.A, h.K + 1}
	for i := range p.vertices {
		if p.vertices[i].side(f) >= 0 {
			return true
		}
	}
	return false
}

// Slice returns the part of p where the coordinate along the axis has the value.
func (p Polytope) Slice(axis int, value int64) Polytope {
	var up, down face
	up.a[axis], up.b = 1, value
	down.a[axis], down.b = -1, -value
	return p.cut(up).cut(down)
}

// cut returns the part of p inside the face. Vertices inside it and on it are kept, those beyond
// are dropped. Where an edge leads from inside to beyond, the face cuts it in a new vertex, which
// lies on the face and on all faces of the edge. Segments that are no edges run through the
// inside: cutting them would give points that are no corners.
func (p Polytope) cut(f face) Polytope {
	sides := make([]int, len(p.vertices))
	for i := range p.vertices {
		sides[i] = p.vertices[i].side(f)
	}
	if !slices.Contains(sides, -1) {
		return p // nothing is cut off; the face is not needed
	}
	kept := Polytope{faces: append(slices.Clip(p.faces), f), vertices: make([]vertex, 0, len(p.vertices)+2)}
	number := len(p.faces)
	for i, v := range p.vertices {
		switch sides[i] {
		case 1:
			kept.vertices = append(kept.vertices, v)
		case 0:
			v.tight = v.tight.with(number)
			kept.vertices = append(kept.vertices, v)
		}
	}
	if !slices.Contains(sides, 1) {
		return kept
	}
	for i := range p.vertices {
		for j := range p.vertices {
			if sides[i] > 0 && sides[j] < 0 && p.edge(i, j) {
				v, w := &p.vertices[i], &p.vertices[j]
				x := between(v, w, f)
				x.tight = v.tight.and(w.tight).with(number)
				kept.vertices = append(kept.vertices, x)
			}
		}
	}
	return kept
}

// edge reports whether the segment between two vertices is an edge of p and does not run through
// it: then no third vertex lies on all the faces that both lie on.
func (p Polytope) edge(i, j int) bool {
	common := p.vertices[i].tight.and(p.vertices[j].tight)
	for k := range p.vertices {
		if k != i && k != j && p.vertices[k].tight.contains(common) {
			return false
		}
	}
	return true
}

// between returns the point where the segment from v, above the face, to w below it goes through
// the face.
func between(v, w *vertex, f face) vertex {
	weights := [...]integer{w.above(f.opposite()), v.above(f)}
	var over [exact.Axes + 1]integer
	for i := range over {
		over[i] = dot(weights[:], []integer{v.over[i], w.over[i]})
	}
	return newVertex(over)
}

// multiples returns the least and the greatest multiple of the step within the extent of p along
// the axis. Where there is none, least > greatest. p must not be empty.
func (p Polytope) multiples(axis int, step int64) (least, greatest int64) {
	least, greatest = math.MaxInt64, math.MinInt64
	for i := range p.vertices {
		below, above := p.vertices[i].around(axis)
		least, greatest = min(least, above), max(greatest, below)
	}
	return ceilTo(least, step), floorTo(greatest, step)
}

// around returns the whole numbers next to the coordinate along the axis. They are the same where
// it is whole.
func (v *vertex) around(axis int) (below, above int64) {
	x, divisor := v.over[axis], v.over[exact.Axes]
	if x.large == nil && divisor.large == nil {
		return exact.FloorDiv(x.small, divisor.small), exact.CeilDiv(x.small, divisor.small)
	}
	floor, rest := new(big.Int).DivMod(x.big(), divisor.big(), new(big.Int))
	return floor.Int64(), floor.Int64() + int64(rest.Sign())
}

// Vertices returns the corners of p, in grid points, rounded.
func (p Polytope) Vertices() [][exact.Axes]float64 {
	corners := make([][exact.Axes]float64, len(p.vertices))
	for i := range p.vertices {
		corners[i] = p.vertices[i].near
	}
	return corners
}

// A faceSet holds indexes of faces.
type faceSet []uint64

func (b faceSet) with(n int) faceSet {
	set := make(faceSet, max(len(b), n/64+1))
	copy(set, b)
	set[n/64] |= 1 << (n % 64)
	return set
}

func (b faceSet) has(n int) bool { return n/64 < len(b) && b[n/64]>>(n%64)&1 == 1 }

func (b faceSet) and(c faceSet) faceSet {
	set := make(faceSet, min(len(b), len(c)))
	for i := range set {
		set[i] = b[i] & c[i]
	}
	return set
}

// contains reports whether every number of c is in b.
func (b faceSet) contains(c faceSet) bool {
	for i, word := range c {
		if i >= len(b) && word != 0 || i < len(b) && word&^b[i] != 0 {
			return false
		}
	}
	return true
}

// An integer has any size. Most are small, which takes no memory and little time; large is nil
// for those.
type integer struct {
	small int64
	large *big.Int
}

// smallBits bounds the length of small integers, so that they can be negated.
const smallBits = 62

func newInteger(x *big.Int) integer {
	if x.BitLen() <= smallBits {
		return integer{small: x.Int64()}
	}
	return integer{large: x}
}

func (n integer) bits() int {
	if n.large != nil {
		return n.large.BitLen()
	}
	return bits.Len64(uint64(abs(n.small)))
}

// big returns n, which must not be changed.
func (n integer) big() *big.Int {
	if n.large != nil {
		return n.large
	}
	return big.NewInt(n.small)
}

func (n integer) sign() int { return n.big().Sign() }

func (n integer) float64() float64 {
	if n.large != nil {
		x, _ := n.large.Float64()
		return x
	}
	return float64(n.small)
}

// over returns n/m, where m divides n.
func (n integer) over(m integer) integer {
	if n.large != nil || m.large != nil {
		return newInteger(new(big.Int).Quo(n.big(), m.big()))
	}
	return integer{small: n.small / m.small}
}

// gcd returns the greatest common divisor of n and m, of which one is not 0.
func (n integer) gcd(m integer) integer {
	if n.large != nil || m.large != nil {
		return newInteger(new(big.Int).GCD(nil, nil, n.big(), m.big()))
	}
	return integer{small: exact.GCD(abs(n.small), abs(m.small))}
}

// dot returns the sum of the products, a[0]·b[0] + a[1]·b[1] and so on, of up to four.
func dot(a, b []integer) integer {
	total := int64(0)
	for i := range a {
		if a[i].bits()+b[i].bits() > smallBits-2 {
			return dotLarge(a, b)
		}
		total += a[i].small * b[i].small
	}
	return integer{small: total}
}

func dotLarge(a, b []integer) integer {
	total := new(big.Int)
	for i := range a {
		total.Add(total, new(big.Int).Mul(a[i].big(), b[i].big()))
	}
	return newInteger(total)
}

// floorTo returns the greatest multiple of step that is not above x, ceilTo the least not below
// it.
func floorTo(x, step int64) int64 { return exact.FloorDiv(x, step) * step }
func ceilTo(x, step int64) int64  { return exact.CeilDiv(x, step) * step }

func abs(x int64) int64 { return max(x, -x) }
