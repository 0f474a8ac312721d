package exact

import (
	"math"
	"math/big"
	"slices"
)

// A Rounding bounds the rounding errors of a floating-point computation of the two sides of a comparison left
// > right. The zero Rounding means that both sides are computed exactly.
type Rounding struct {
	// Distance is how far the difference between the computed sides may be from left - right, in units. It is
	// infinite if there is no bound.
	Distance float64
	// Nearest is true if each computed side is the float64 nearest to its exact value. Then equal sides give
	// equal numbers, so ties are decided correctly. A comparison may be decided wrongly only if its sides
	// differ by so little that both have the same nearest float64.
	Nearest bool
}

// An Edge says for which points near the plane of a HalfSpace a floating-point computation may give the wrong
// result. These are the points with K-Outside < A·p <= K, which are not in the half-space, and the points
// with K < A·p <= K+Inside, which are in it. If Inside and Outside are 0, floating point decides every point
// correctly.
//
// Usually, a point is on the edge only if the two sides of the comparison are equal there. "depth > (1 /
// 3) * width" is -1·w + 3·d > 0 with Outside 1: for a box of 60.3 x 20.1 the condition is false, but in
// float64 it is true, because (1 / 3) * 60.3 is then a little less than 20.1. "depth >= (1 / 3) * width"
// is -1·w + 3·d > -1 with Inside 1.
type Edge struct{ Inside, Outside int64 }

// union returns the Edge that contains the points of both edges.
func (e Edge) union(other Edge) Edge {
	return Edge{Inside: max(e.Inside, other.Inside), Outside: max(e.Outside, other.Outside)}
}

// edge returns the Edge of the half-space A·p > k, which is the exact form of a comparison left > right or
// left >= right.
//
// The sides are equal if A·p equals tie, which need not be a whole number. In general, A·p - tie is the
// difference between the sides, times scale · Scale. So floating point may decide the wrong way only if A·p
// differs from tie by at most r.Distance · scale · Scale. For example, if tie is 2.5 and that product is 1.2,
// this is the case for A·p = 2 and A·p = 3. With k = 2, the half-space A·p > 2 contains 3 but not 2, so
// Inside and Outside are both 1.
func (r Rounding) edge(k int64, tie, scale *big.Rat) Edge {
	// distance is how far A·p may be from tie. The call of min makes an infinite distance fit into an int64.
	// It changes nothing else, because no A·p is greater than maxExactInteger.
	distance := min(r.Distance*nearestFloat64(scale)*Scale, maxExactInteger)
	if distance == 0 || r.Nearest && tie.IsInt() && distance < 1 {
		// Nothing is rounded, or only a tie is within the distance, and ties are decided exactly.
		return Edge{}
	}
	// Split tie into a whole number and a fraction of at least 0 and less than 1: -2.5 is -3 + 0.5.
	below, fraction := tie.Num(), 0.0
	if !tie.IsInt() {
		below = floorRat(tie)
		fraction = nearestFloat64(new(big.Rat).Sub(tie, new(big.Rat).SetInt(below)))
	}
	// Count the whole numbers within the distance: down is how many of them are at most tie (below, below-1
	// and so on), and up is how many are greater than tie (below+1, below+2 and so on).
	var down, up int64
	if distance >= fraction {
		down = int64(distance-fraction) + 1
	}
	if distance >= 1-fraction {
		up = int64(distance-(1-fraction)) + 1
	}
	// These whole numbers are first to last, both inclusive. The half-space A·p > k divides them: first
	// to k are outside it, and k+1 to last are inside.
	first, last := below.Int64()-down+1, below.Int64()+up
	return Edge{Inside: max(last-k, 0), Outside: max(k-first+1, 0)}
}

// edgeOfConstant returns the Edge of a comparison whose sides differ by k, the same number for every box. If
// the Edge is not zero, floating point may decide the comparison wrongly for any box.
func (r Rounding) edgeOfConstant(k *big.Rat) Edge {
	// The computed difference is within Distance of k. So if k is farther from 0 than Distance, the
	// computed difference has the sign of k.
	if r.Distance == 0 || math.Abs(nearestFloat64(k)) > r.Distance || r.Nearest && k.Sign() == 0 {
		return Edge{}
	}
	return Edge{Inside: 1, Outside: 1}
}

// OnEdge reports whether p is on the edge of one of c's half-spaces. If it is not, a computation in floating
// point agrees with c at p. This holds for the conditions of a [Form], whose edges take rounding into
// account. It does not hold for conditions that are made with a zero Rounding.
func (c Condition) OnEdge(p Point) bool { return c.onEdge(&p) }

func (c *Condition) onEdge(p *Point) bool {
	switch c.Kind {
	case Half:
		// This is K-Outside < A·p <= K+Inside with K subtracted from all three.
		above := c.Half.Excess(*p)
		return above > -c.Edge.Outside && above <= c.Edge.Inside
	case True, False:
		return c.Edge != Edge{}
	}
	for i := range c.Parts { // by index, because a Condition is expensive to copy
		if c.Parts[i].onEdge(p) {
			return true
		}
	}
	return false
}

// HasEdge reports whether c or one of its parts has an Edge. If it returns false, no point is on an edge of c.
func (c Condition) HasEdge() bool {
	return c.Edge != Edge{} || slices.ContainsFunc(c.Parts, Condition.HasEdge)
}

// WithEdge returns the Region of the points at which c holds in exact arithmetic, or may hold in floating
// point. A point outside this Region is safe: c does not hold there, whichever way it is computed.
func (c Condition) WithEdge() Region {
	switch c.Kind {
	case Half:
		// Floating point may count points just outside the plane as inside, so move the plane outwards.
		h := HalfSpace{A: c.Half.A, K: c.Half.K - c.Edge.Outside}
		if h.K < -MaxGrid*(abs(h.A[Width])+abs(h.A[Depth])+abs(h.A[Height])) {
			return Everywhere() // A·p is greater than K for every point within MaxGrid
		}
		return h.Region()
	case True, False:
		if c.Kind == True || c.Edge != (Edge{}) { // a False with an Edge may be true in floating point
			return Everywhere()
		}
		return Region{}
	}
	parts := make([]Region, len(c.Parts))
	for i, part := range c.Parts {
		parts[i] = part.WithEdge()
	}
	return joinRegions(c.Kind, parts)
}
