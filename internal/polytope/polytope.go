// Package polytope proves things about boxes: it cuts convex sets of points by half-spaces, finds
// grid points in them or shows that there are none, and finds the grid point nearest to a box.
//
// Each search is bounded in the work that it does, and says so where it gave up. Values are
// immutable and safe for concurrent use.
package polytope

import (
	"math"
	"math/big"
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

// A vertex stands for the point x/q, q > 0, in lowest terms: q is common to all three
// coordinates.
type vertex struct {
	x     [exact.Axes]*big.Int
	q     *big.Int
	near  [exact.Axes]float64 // x/q, rounded
	tight bits
}

// rounded returns v with near.
func (v vertex) rounded() vertex {
	q, _ := v.q.Float64()
	for axis, x := range v.x {
		n, _ := x.Float64()
		v.near[axis] = n / q
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
		v := vertex{q: big.NewInt(1)}
		for axis := range exact.Axes {
			end := [...]int64{low[axis], high[axis]}[corner>>axis&1]
			if v.x[axis] = big.NewInt(end); end == low[axis] {
				v.tight = v.tight.with(2 * axis)
			}
			if end == high[axis] {
				v.tight = v.tight.with(2*axis + 1)
			}
			if low[axis] == high[axis] && corner>>axis&1 == 1 {
				continue corners // it is the same as another
			}
		}
		p.vertices = append(p.vertices, v.rounded())
	}
	return p
}

// above returns q·(A·p - b), which is positive inside the face and zero on it.
func (v vertex) above(f face) *big.Int {
	total := new(big.Int).Mul(big.NewInt(-f.b), v.q)
	var term, a big.Int
	for axis, x := range v.x {
		if f.a[axis] != 0 {
			total.Add(total, term.Mul(a.SetInt64(f.a[axis]), x))
		}
	}
	return total
}

// side returns the sign of above: 1 inside the face, 0 on it, -1 beyond. Mostly float64s tell, as
// near is off by far less than the slack allowed here; only where they do not are exact numbers
// needed.
func (v vertex) side(f face) int {
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
	return v.above(f).Sign()
}

// Empty reports whether p has no point at all, on the grid or off it.
func (p Polytope) Empty() bool { return len(p.vertices) == 0 }

// Clip returns the part of p in the half-space, as far as grid points go: for them A·p > K says
// the same as A·p >= K+1.
func (p Polytope) Clip(h exact.HalfSpace) Polytope { return p.cut(face{h.A, h.K + 1}) }

// Meets reports whether Clip would leave anything, for less work.
func (p Polytope) Meets(h exact.HalfSpace) bool {
	f := face{h.A, h.K + 1}
	for _, v := range p.vertices {
		if v.side(f) >= 0 {
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
	inside, outside := 0, 0
	for i, v := range p.vertices {
		sides[i] = v.side(f)
		switch sides[i] {
		case 1:
			inside++
		case -1:
			outside++
		}
	}
	if outside == 0 {
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
	if inside == 0 {
		return kept
	}
	for i, v := range p.vertices {
		for j, w := range p.vertices {
			if sides[i] > 0 && sides[j] < 0 && p.edge(i, j) {
				x := between(v, w, v.above(f), w.above(f))
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
	for k, v := range p.vertices {
		if k != i && k != j && v.tight.contains(common) {
			return false
		}
	}
	return true
}

// between returns the point where the segment from v to w goes through a face. inside is how far
// v is above the face (> 0), outside is how far w is (< 0), both from the method above.
func between(v, w vertex, inside, outside *big.Int) vertex {
	if bits := max(inside.BitLen(), outside.BitLen()) + max(v.bits(), w.bits()); bits < 62 {
		return betweenSmall(v, w, inside.Int64(), -outside.Int64())
	}
	combine := func(a, b *big.Int) *big.Int {
		sum := new(big.Int).Mul(inside, b)
		return sum.Sub(sum, new(big.Int).Mul(outside, a))
	}
	x := vertex{q: combine(v.q, w.q)}
	divisor := new(big.Int).Set(x.q)
	for axis := range exact.Axes {
		x.x[axis] = combine(v.x[axis], w.x[axis])
		divisor.GCD(nil, nil, divisor, new(big.Int).Abs(x.x[axis]))
	}
	x.q.Quo(x.q, divisor)
	for axis := range exact.Axes {
		x.x[axis].Quo(x.x[axis], divisor)
	}
	return x.rounded()
}

// betweenSmall does what between does where int64s hold the sums, in a third of the time. Most
// vertices are of that kind.
func betweenSmall(v, w vertex, inside, outside int64) vertex {
	q := inside*w.q.Int64() + outside*v.q.Int64()
	var x exact.Point
	divisor := q
	for axis := range exact.Axes {
		x[axis] = inside*w.x[axis].Int64() + outside*v.x[axis].Int64()
		divisor = exact.GCD(divisor, abs(x[axis]))
	}
	u := vertex{q: big.NewInt(q / divisor)}
	for axis := range exact.Axes {
		u.x[axis] = big.NewInt(x[axis] / divisor)
	}
	return u.rounded()
}

// bits returns the length of the longest number of the vertex.
func (v vertex) bits() int {
	return max(v.q.BitLen(), v.x[exact.Width].BitLen(), v.x[exact.Depth].BitLen(), v.x[exact.Height].BitLen())
}

// Extent returns the least and the greatest coordinate along the axis, in grid points. p must not
// be empty.
func (p Polytope) Extent(axis int) (least, greatest *big.Rat) {
	for i, v := range p.vertices {
		x := new(big.Rat).SetFrac(v.x[axis], v.q)
		if i == 0 || x.Cmp(least) < 0 {
			least = x
		}
		if i == 0 || x.Cmp(greatest) > 0 {
			greatest = x
		}
	}
	return least, greatest
}

// multiples returns the least and the greatest multiple of the step within the extent of p along
// the axis. Where there is none, least > greatest. p must not be empty.
func (p Polytope) multiples(axis int, step int64) (least, greatest int64) {
	least, greatest = math.MaxInt64, math.MinInt64
	for _, v := range p.vertices {
		below, above := v.around(axis)
		least, greatest = min(least, above), max(greatest, below)
	}
	return ceilTo(least, step), floorTo(greatest, step)
}

// around returns the whole numbers next to the coordinate along the axis. They are the same where
// it is whole.
func (v vertex) around(axis int) (below, above int64) {
	x, q := v.x[axis], v.q
	if x.BitLen() < 64 && q.BitLen() < 64 {
		return exact.FloorDiv(x.Int64(), q.Int64()), exact.CeilDiv(x.Int64(), q.Int64())
	}
	floor, rest := new(big.Int).DivMod(x, q, new(big.Int))
	return floor.Int64(), floor.Int64() + int64(rest.Sign())
}

// Vertices returns the corners of p, in grid points.
func (p Polytope) Vertices() [][exact.Axes]*big.Rat {
	corners := make([][exact.Axes]*big.Rat, len(p.vertices))
	for i, v := range p.vertices {
		for axis := range exact.Axes {
			corners[i][axis] = new(big.Rat).SetFrac(v.x[axis], v.q)
		}
	}
	return corners
}

// A bits is a set of small numbers, here of the indexes of faces.
type bits []uint64

func (b bits) with(n int) bits {
	set := make(bits, max(len(b), n/64+1))
	copy(set, b)
	set[n/64] |= 1 << (n % 64)
	return set
}

func (b bits) has(n int) bool { return n/64 < len(b) && b[n/64]>>(n%64)&1 == 1 }

func (b bits) and(c bits) bits {
	set := make(bits, min(len(b), len(c)))
	for i := range set {
		set[i] = b[i] & c[i]
	}
	return set
}

// contains reports whether every number of c is in b.
func (b bits) contains(c bits) bool {
	for i, word := range c {
		if i >= len(b) && word != 0 || i < len(b) && word&^b[i] != 0 {
			return false
		}
	}
	return true
}
