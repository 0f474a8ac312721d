// Package nearest finds the grid point nearest to a box at which given conditions hold. form/nearest.js
// is the same search in JavaScript.
//
// It searches by branch and bound. A node of the search is a range of points with the conditions that
// they still have to meet. The search narrows the range to what the half-spaces leave of it, and computes a
// lower bound on the changes that any of its points takes. A node that cannot contain a better point
// than the best one so far is dropped. If the nearest point of the range meets all conditions, it is the
// answer of the node. Otherwise the node is divided: by the parts of a disjunction, such as w > 5 and
// d > 5 for "w > 5 or d > 5", or into the two halves of its widest axis.
package nearest

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"example.com/boxrules/exact"
)

// A Target describes the point to look for: the one nearest to At if only the axes in Free may change.
// The distance is the sum of the changes. Coordinates along free axes have to be multiples of Step. If At
// is 120 x 60 x 180 mm and only the depth is free, 120 x 48 x 180 has changes of 12 mm.
type Target struct {
	At   exact.Point
	Free [exact.Axes]bool
	Step int64
}

// NoPoint is the total changes if there is no point. It is greater than any changes.
const NoPoint = math.MaxInt64

// Search returns the point nearest to the target at which every condition holds, and its changes in total.
// Of several that are equally near it returns the one that is preferred by Better. If no point is better
// than best, whose changes are total, Search returns best and total.
//
// It subtracts its work from effort, about one for each half-space that is compared with a range. If
// effort becomes negative, Search gives up, and returns the best point so far.
func Search(conditions []exact.Region, t Target, best exact.Point, total int64, effort *int) (exact.Point, int64) {
	s := searchPool.Get().(*search)
	defer searchPool.Put(s)
	s.Target, s.best, s.bestTotal, s.remaining = t, best, total, *effort
	defer s.release(s.mark())
	s.pending = append(s.pending[:0], conditions...)
	whole := node{}
	for axis := range exact.Axes {
		whole.low[axis], whole.high[axis] = t.At[axis], t.At[axis]
		if t.Free[axis] {
			whole.low[axis], whole.high[axis] = ceilTo(-exact.MaxGrid, t.Step), floorTo(exact.MaxGrid, t.Step)
		}
	}
	if s.narrowByConditions(&whole) {
		s.explore(whole)
	}
	*effort = s.remaining
	return s.best, s.bestTotal
}

// A search is one call of Search.
type search struct {
	Target
	best      exact.Point // so far
	bestTotal int64       // its changes, or NoPoint
	remaining int         // effort
	workspace
}

// A workspace is the memory for the nodes of a search, so that they need not be allocated. It is used as a
// stack: a node is done before the node that it is a part of, so memory is released from the end.
type workspace struct {
	faces        []face
	parts        []exact.Region
	disjunctions [][]exact.Region
	nodes        []node
	pending      []exact.Region // conditions that narrowByConditions has yet to add
}

// searchPool keeps the memory of finished searches for further ones.
var searchPool = sync.Pool{New: func() any { return new(search) }}

// A workspaceMark is the length of each stack of a workspace.
type workspaceMark struct{ faces, parts, disjunctions, nodes int }

func (w *workspace) mark() workspaceMark {
	return workspaceMark{len(w.faces), len(w.parts), len(w.disjunctions), len(w.nodes)}
}

// release frees the memory that was used after the mark.
func (w *workspace) release(to workspaceMark) {
	w.faces, w.parts, w.disjunctions, w.nodes = w.faces[:to.faces], w.parts[:to.parts],
		w.disjunctions[:to.disjunctions], w.nodes[:to.nodes]
}

// A node is a range of points with the conditions that they still have to meet.
type node struct {
	span
	faces        []face           // for multiples of the step along the free axes
	disjunctions [][]exact.Region // the parts of each; one of them has to hold
	lowerBound   int64            // on the changes of the points
	solved       bool             // the range is a single point, which meets all conditions
	depth        int              // in the search
	proofTried   bool             // whether isProvedEmpty was called for the node or one that it is a part of
}

// spend subtracts work from the effort, and reports whether any is left.
func (s *search) spend(work int) bool {
	s.remaining -= work
	return s.remaining >= 0
}

// explore looks for a better point in a node that has been narrowed.
func (s *search) explore(n node) {
	if !s.spend(4) {
		return
	}
	if s.bestTotal != NoPoint && s.compare(&n, &node{span: span{s.best, s.best}, lowerBound: s.bestTotal}) >= 0 {
		return
	}
	if n.solved {
		s.best, s.bestTotal = n.low, n.lowerBound
		return
	}
	defer s.release(s.mark())
	from := len(s.nodes)
	if len(n.disjunctions) > 0 {
		s.branch(&n)
	} else {
		s.bisect(&n)
	}
	parts := s.nodes[from:]
	slices.SortStableFunc(parts, func(a, b node) int { return s.compare(&a, &b) })
	for _, part := range parts {
		s.explore(part)
	}
}

// branch adds the parts of a node by the disjunction with the fewest parts. In the first node its first
// part holds, in the second its second part and not its first, and so on, so that no point is in two nodes.
func (s *search) branch(n *node) {
	chosen := 0
	for i := range n.disjunctions {
		if len(n.disjunctions[i]) < len(n.disjunctions[chosen]) {
			chosen = i
		}
	}
	from := len(s.disjunctions)
	s.disjunctions = append(append(s.disjunctions, n.disjunctions[:chosen]...), n.disjunctions[chosen+1:]...)
	others := s.disjunctions[from:]
	for i, part := range n.disjunctions[chosen] {
		s.pending = s.pending[:0]
		for _, before := range n.disjunctions[chosen][:i] {
			if before.Kind() == exact.Half {
				s.pending = append(s.pending, exact.Not(before))
			}
		}
		s.pending = append(s.pending, part)
		if part := (node{span: n.span, faces: n.faces, disjunctions: others, depth: n.depth}); s.narrowByConditions(&part) {
			s.nodes = append(s.nodes, part)
		}
	}
}

// minDepthForProof is the depth from which on a node is proved empty before it is bisected, if it can be.
// Bisecting a large range without a point can take very many steps, for example between two parallel planes
// that have no grid point between them. For most nodes the proof would take longer than bisecting.
const minDepthForProof = 9

// bisect adds the halves of a node along its widest axis, unless they are empty.
func (s *search) bisect(n *node) {
	if n.depth >= minDepthForProof && !n.proofTried {
		if n.proofTried = true; s.isProvedEmpty(n) {
			return
		}
	}
	widest := 0
	for axis := range exact.Axes {
		if n.high[axis]-n.low[axis] > n.high[widest]-n.low[widest] {
			widest = axis
		}
	}
	lower, upper := *n, *n
	lower.high[widest] = floorTo(exact.FloorDiv(n.low[widest]+n.high[widest], 2), s.Step)
	upper.low[widest] = lower.high[widest] + s.Step
	for _, half := range [...]node{lower, upper} {
		s.pending = s.pending[:0]
		if s.narrowByConditions(&half) {
			s.nodes = append(s.nodes, half)
		}
	}
}

// narrowByConditions adds the pending conditions to a node, narrows its range to what they leave, and
// computes the lower bound on its changes. It returns false if nothing is left of the node, or if there
// is no effort left.
func (s *search) narrowByConditions(n *node) bool {
	n.depth++
	faceStart, disjunctionStart := len(s.faces), len(s.disjunctions)
	s.faces, s.disjunctions = append(s.faces, n.faces...), append(s.disjunctions, n.disjunctions...)
	for {
		for len(s.pending) > 0 {
			last := s.pending[len(s.pending)-1]
			s.pending = s.pending[:len(s.pending)-1]
			switch last.Kind() {
			case exact.False:
				return false
			case exact.Half:
				s.faces = append(s.faces, s.faceOnGrid(last.HalfSpace()))
			case exact.And:
				s.pending = append(s.pending, last.Parts()...)
			case exact.Or:
				s.disjunctions = append(s.disjunctions, last.Parts())
			}
		}
		// Narrowing decides disjunctions: drop parts that hold nowhere in the range, and disjunctions that
		// hold everywhere. A part that is left alone has to hold, and narrows the range again.
		n.faces, n.disjunctions = s.faces[faceStart:], s.disjunctions[disjunctionStart:]
		if !s.narrowByFaces(n) {
			return false
		}
		open := n.disjunctions[:0]
		for _, parts := range n.disjunctions {
			possible, holds := s.possibleParts(n, parts)
			switch {
			case holds:
			case len(possible) == 0:
				return false
			case len(possible) == 1:
				s.pending = append(s.pending, possible[0])
			default:
				open = append(open, possible)
			}
		}
		n.disjunctions = open
		s.disjunctions = s.disjunctions[:disjunctionStart+len(open)]
		if len(s.pending) == 0 {
			break
		}
	}
	// Faces that every point of the range meets need not be checked again.
	n.faces = slices.DeleteFunc(n.faces, n.alwaysMeets)
	s.faces = s.faces[:faceStart+len(n.faces)]
	return s.remaining >= 0 && s.boundChanges(n)
}

// alwaysMeets reports whether every point of the node is inside the face.
func (n *node) alwaysMeets(f face) bool {
	least := int64(0)
	for axis, a := range f.a {
		least += min(a*n.low[axis], a*n.high[axis])
	}
	return least >= f.b
}

// faceOnGrid returns a half-space as a face for the free axes and multiples of the step. If width is fixed
// at 100, w + d > 150 becomes d > 50.
func (s *search) faceOnGrid(h exact.HalfSpace) face {
	f := face{h.A, h.K + 1}
	for axis := range exact.Axes {
		if !s.Free[axis] {
			f.b -= f.a[axis] * s.At[axis]
			f.a[axis] = 0
		}
	}
	return f.roundedToStep(s.Step)
}

// possibleParts returns the parts that may hold somewhere in the node. If one of them holds everywhere, it
// returns true and no parts.
func (s *search) possibleParts(n *node, parts []exact.Region) (left []exact.Region, all bool) {
	from := len(s.parts)
	for _, part := range parts {
		some, all := s.evaluate(n, part)
		if all {
			s.parts = s.parts[:from]
			return nil, true
		}
		if some {
			s.parts = append(s.parts, part)
		}
	}
	return s.parts[from:], false
}

// evaluate reports whether a condition may hold somewhere in the node, and whether it holds everywhere.
func (s *search) evaluate(n *node, condition exact.Region) (possible, certain bool) {
	switch condition.Kind() {
	case exact.True:
		return true, true
	case exact.Half:
		s.spend(1)
		least, most := int64(0), int64(0)
		for axis, a := range condition.HalfSpace().A {
			least += min(a*n.low[axis], a*n.high[axis])
			most += max(a*n.low[axis], a*n.high[axis])
		}
		return most > condition.HalfSpace().K, least > condition.HalfSpace().K
	case exact.And:
		possible, certain = true, true
		for _, part := range condition.Parts() {
			partPossible, partCertain := s.evaluate(n, part)
			possible, certain = possible && partPossible, certain && partCertain
			if !possible {
				break
			}
		}
	case exact.Or:
		for _, part := range condition.Parts() {
			partPossible, partCertain := s.evaluate(n, part)
			possible, certain = possible || partPossible, certain || partCertain
			if certain {
				break
			}
		}
	}
	return possible, certain
}

// A span is the range of the points between low and high, both inclusive. If low and high are multiples of
// the step along an axis, only multiples of the step count.
type span struct{ low, high exact.Point }

// clamp returns the point between low and high that is nearest to p.
func (s span) clamp(p exact.Point) exact.Point {
	for axis := range exact.Axes {
		p[axis] = min(max(p[axis], s.low[axis]), s.high[axis])
	}
	return p
}

// compare returns a negative number if r may contain a point that is better than all points of q. It
// compares lower bounds: on the changes, and then on what Better compares for equal changes.
func (s *search) compare(n, q *node) int {
	if c := cmp.Compare(n.lowerBound, q.lowerBound); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(s.minIncrease(n), s.minIncrease(q)), slices.Compare(n.low[:], q.low[:]))
}

// minIncrease returns a lower bound on how far the points of r are above At, as a sum over the axes, if
// their changes are equal to r's lower bound. Of equal changes, those upwards make a larger box and those
// downwards a smaller one, which Better prefers.
func (s *search) minIncrease(n *node) int64 {
	up, down := int64(0), int64(0)
	for axis := range exact.Axes {
		up += max(0, n.low[axis]-s.At[axis])
		down += max(0, s.At[axis]-n.low[axis]) // an upper bound on the changes downwards
	}
	return max(up, n.lowerBound-down)
}

// boundChanges sets the lower bound on the changes of a node. If the point of the range that is nearest to
// the target meets all conditions, the node becomes that point. boundChanges returns false if the range
// is a single point that does not meet them.
func (s *search) boundChanges(n *node) bool {
	nearPoint := n.clamp(s.At)
	nearGridPoint := nearPoint // the nearest multiple of the step, of two the smaller
	for axis := range exact.Axes {
		if n.low[axis] == n.high[axis] {
			continue
		}
		nearGridPoint[axis] = floorTo(nearPoint[axis], s.Step)
		if 2*(nearPoint[axis]-nearGridPoint[axis]) > s.Step {
			nearGridPoint[axis] += s.Step
		}
	}
	// A point of the node takes the changes to nearPoint, and from there the changes to the inside of every
	// face. A change of one adds at most the greatest coefficient to A·p. So if A·p is 6 too small and the
	// greatest coefficient is 2, the changes are at least 3.
	found, stepsToFaces := true, int64(0)
	for i := range n.faces {
		f := &n.faces[i]
		found = found && f.dot(nearGridPoint) >= f.b
		maxCoefficient := int64(1)
		for axis := range exact.Axes {
			if n.low[axis] < n.high[axis] {
				maxCoefficient = max(maxCoefficient, abs(f.a[axis]))
			}
		}
		stepsToFaces = max(stepsToFaces, exact.CeilDiv(f.b-f.dot(nearPoint), maxCoefficient))
	}
	for _, parts := range n.disjunctions {
		found = found && slices.ContainsFunc(parts, func(part exact.Region) bool { return part.Contains(nearGridPoint) })
	}
	if found {
		n.span, n.lowerBound, n.solved = span{nearGridPoint, nearGridPoint}, totalChange(s.At, nearGridPoint), true
		return true
	}
	n.lowerBound = max(totalChange(s.At, nearGridPoint), totalChange(s.At, nearPoint)+stepsToFaces)
	return n.low != n.high
}

// Better reports whether p is preferred to q if their changes are equal. The smaller box is preferred, by
// the sum of its dimensions, and then by width, depth and height.
func Better(p, q exact.Point) bool {
	return cmp.Or(
		cmp.Compare(p[exact.Width]+p[exact.Depth]+p[exact.Height], q[exact.Width]+q[exact.Depth]+q[exact.Height]),
		slices.Compare(p[:], q[:]),
	) < 0
}

// totalChange returns the sum of the differences between the coordinates of two points.
func totalChange(p, q exact.Point) int64 {
	return abs(p[exact.Width]-q[exact.Width]) + abs(p[exact.Depth]-q[exact.Depth]) + abs(p[exact.Height]-q[exact.Height])
}

// floorTo returns the greatest multiple of step that is at most x, and ceilTo the least that is at least x.
func floorTo(x, step int64) int64 { return exact.FloorDiv(x, step) * step }
func ceilTo(x, step int64) int64  { return exact.CeilDiv(x, step) * step }

func abs(x int64) int64 { return max(x, -x) }
