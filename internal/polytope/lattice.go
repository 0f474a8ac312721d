package polytope

import (
	"cmp"
	"math"
	"slices"

	"example.com/boxrules/exact"
)

func latticePointBefore(p, q exact.Point) bool { return slices.Compare(p[:], q[:]) < 0 }

// findLatticePoint returns any point of p whose coordinates are multiples of step. It slices p along the axis with the
// shortest extent, because that takes the fewest slices.
func (p Polytope) findLatticePoint(b *Budget, step int64, maxSlices int) (exact.Point, Answer) {
	if p.Empty() {
		return exact.Point{}, Nothing
	}
	var extent [exact.Axes]int64
	for axis := range exact.Axes {
		low, high := p.latticeRange(axis, 1)
		extent[axis] = high - low
	}
	order := byWidthDepthHeight
	slices.SortStableFunc(order[:], func(a, b int) int { return cmp.Compare(extent[a], extent[b]) })
	return p.findFirstLatticePoint(b, step, maxSlices, order)
}

// findFirstLatticePoint returns the first point of p, in the order of the axes, whose coordinates are multiples
// of step. If the order is width, depth, height, it tries every width in p, beginning with the smallest. The
// points of p with that width form a slice. In each slice it tries every depth. The points with that width
// and depth form a line. On a line, the smallest height follows from the faces without any search.
//
// It returns Undecided if it would have to look at more than maxSlices slices, or at more than 100 times as many lines.
func (p Polytope) findFirstLatticePoint(b *Budget, step int64, maxSlices int, order [exact.Axes]int) (exact.Point, Answer) {
	if p.Empty() {
		return exact.Point{}, Nothing
	}
	for axis := range exact.Axes {
		// A cell that is thinner than a step along some axis seldom contains a multiple. This saves
		// going through its slices along another axis.
		if low, high := p.latticeRange(axis, step); low > high {
			return exact.Point{}, Nothing
		}
	}
	outer, inner := order[0], order[1]
	low, high := p.latticeRange(outer, step)
	var at exact.Point
	maxLines := 100 * maxSlices // in all slices together: a line takes about a hundredth of the work of a slice
	for at[outer] = low; at[outer] <= high; at[outer] += step {
		if maxSlices--; maxSlices < 0 || !b.Spend(p.workToCut()) {
			return exact.Point{}, Undecided
		}
		slice := p.Slice(outer, at[outer])
		if slice.Empty() {
			continue
		}
		if low, high := slice.latticeRange(order[2], step); low > high {
			continue
		}
		low, high := slice.latticeRange(inner, step)
		for at[inner] = low; at[inner] <= high; at[inner] += step {
			if maxLines--; maxLines < 0 || !b.Spend(1+len(p.faces)/4) {
				return exact.Point{}, Undecided
			}
			if x, ok := p.firstLatticePointOnLine(at, order[2], step); ok {
				at[order[2]] = x
				return at, Something
			}
		}
	}
	return exact.Point{}, Nothing
}

// firstLatticePointOnLine looks at the line through the point at, parallel to the axis. Among the points of p on this
// line whose coordinate along the axis is a multiple of step, it returns the smallest such coordinate.
func (p Polytope) firstLatticePointOnLine(at exact.Point, axis int, step int64) (x int64, ok bool) {
	low, high := int64(-exact.MaxGrid), int64(exact.MaxGrid)
	at[axis] = 0
	for _, f := range p.faces {
		// at[axis] is 0, so the coordinate x has to meet a·x >= rest. For w + 2·h >= 9 and w = 4 that is
		// 2·h >= 5, so h is at least 3.
		rest := f.b - f.dot(at)
		switch a := f.a[axis]; {
		case a > 0:
			low = max(low, exact.CeilDiv(rest, a))
		case a < 0:
			high = min(high, exact.FloorDiv(-rest, -a))
		case rest > 0:
			return 0, false // the whole line is outside this face
		}
	}
	x = latticeCeil(low, step)
	return x, x <= high
}

// latticeRange returns the smallest and the greatest multiple of the step among the coordinates of p along the axis. If
// there is no such multiple, low is greater than high. p must not be empty.
func (p Polytope) latticeRange(axis int, step int64) (low, high int64) {
	low, high = math.MaxInt64, math.MinInt64
	for i := range p.vertices {
		below, above := p.vertices[i].floorAndCeil(axis)
		low, high = min(low, above), max(high, below)
	}
	return latticeCeil(low, step), latticeFloor(high, step)
}

// latticeFloor rounds x down to a multiple of step, and latticeCeil rounds it up.
func latticeFloor(x, step int64) int64 { return exact.FloorDiv(x, step) * step }

func latticeCeil(x, step int64) int64 { return exact.CeilDiv(x, step) * step }
