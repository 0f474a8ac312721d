package exact

import (
	"math"
	"math/big"
	"slices"
)

// A Rounding bounds what floating point does to the two sides of a comparison left > right. The zero
// Rounding is that of sides that are computed exactly.
type Rounding struct {
	// Distance is how far, in units, the difference of the computed sides may be from left - right. It
	// is infinite if nothing is known of them.
	Distance float64
	// Nearest says that each computed side is the float64 nearest to its value. Then equal sides are
	// computed equal, so that ties are decided as they are exactly, and only sides that differ by less
	// than a float64 can tell may be decided otherwise.
	Nearest bool
}

// An Edge says which points near the plane of a HalfSpace a computation in floating point may put on
// the other side: those with K-Outside < A·p <= K, which are not in the half-space, and those with
// K < A·p <= K+Inside, which are. If both are 0, floating point decides every point as it is.
//
// Most often only ties are on the edge. "depth > (1 / 3) * width" is -1·w + 3·d > 0 with Outside 1:
// exactly, a box of 60.3 x 20.1 does not hold, but in float64 it does, because (1 / 3) * 60.3 is a little
// less than 20.1 there. "depth >= (1 / 3) * width" is -1·w + 3·d > -1 with Inside 1.
type Edge struct{ Inside, Outside int64 }

// join returns an Edge that has the points of both.
func (e Edge) join(other Edge) Edge {
	return Edge{Inside: max(e.Inside, other.Inside), Outside: max(e.Outside, other.Outside)}
}

// edge returns the Edge of the half-space A·p > k, which says that left - right is above zero. The two
// sides are equal where A·p is tie, and for others A·p - tie is scale · Scale times their difference.
func (r Rounding) edge(k int64, tie, scale *big.Rat) Edge {
	// Beyond maxExact there is no A·p.
	distance := min(r.Distance*nearest(scale)*Scale, maxExact)
	if distance == 0 || r.Nearest && tie.IsInt() && distance < 1 {
		return Edge{}
	}
	below, fraction := tie.Num(), 0.0
	if !tie.IsInt() {
		below = floor(tie)
		fraction = nearest(new(big.Rat).Sub(tie, new(big.Rat).SetInt(below)))
	}
	// Of the integers below, below-1, … and of below+1, below+2, … these are within the distance.
	var down, up int64
	if distance >= fraction {
		down = int64(distance-fraction) + 1
	}
	if distance >= 1-fraction {
		up = int64(distance-(1-fraction)) + 1
	}
	first, last := below.Int64()-down+1, below.Int64()+up
	return Edge{Inside: max(last-k, 0), Outside: max(k-first+1, 0)}
}

// edgeOfConstant returns the Edge of a comparison whose sides differ by k for every box.
func (r Rounding) edgeOfConstant(k *big.Rat) Edge {
	if r.Distance == 0 || math.Abs(nearest(k)) > r.Distance || r.Nearest && k.Sign() == 0 {
		return Edge{}
	}
	return Edge{Inside: 1, Outside: 1}
}

// OnEdge reports whether p is on the edge of one of t's half-spaces. If it is not, a computation in
// floating point agrees with t at p. The comparisons of t have to be made with their rounding, as those of
// [Form.Conditions] are.
func (t Tree) OnEdge(p Point) bool { return t.onEdge(&p) }

func (t *Tree) onEdge(p *Point) bool {
	switch t.Kind {
	case Half:
		above := t.Half.A[Width]*p[Width] + t.Half.A[Depth]*p[Depth] + t.Half.A[Height]*p[Height] - t.Half.K
		return above > -t.Edge.Outside && above <= t.Edge.Inside
	case True, False:
		return t.Edge != Edge{}
	}
	for i := range t.Parts { // by index, as a Tree is large to copy
		if t.Parts[i].onEdge(p) {
			return true
		}
	}
	return false
}

// HasEdge reports whether any point may be on an edge of t.
func (t Tree) HasEdge() bool { return t.Edge != Edge{} || slices.ContainsFunc(t.Parts, Tree.HasEdge) }

// WithEdge returns a folded Tree that holds where t does and, besides, wherever a computation of t in
// floating point may hold. A point at which it does not hold is safe: t does not hold there, whichever way
// it is computed.
func (t Tree) WithEdge() Tree { return t.widened().Folded() }

func (t Tree) widened() Tree {
	switch t.Kind {
	case Half:
		h := HalfSpace{A: t.Half.A, K: t.Half.K - t.Edge.Outside}
		if h.K < -MaxGrid*(abs(h.A[Width])+abs(h.A[Depth])+abs(h.A[Height])) {
			return constant(true) // no A·p is less
		}
		return Tree{Kind: Half, Half: h}
	case True, False:
		return constant(t.Kind == True || t.Edge != Edge{})
	}
	parts := make([]Tree, len(t.Parts))
	for i, part := range t.Parts {
		parts[i] = part.widened()
	}
	return Tree{Kind: t.Kind, Parts: parts}
}
