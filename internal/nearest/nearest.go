// Package nearest finds, among the grid points that meet given conditions, the one that is nearest to a target.
// form/nearest.js is the same search in JavaScript.
//
// It searches by branch and bound. A node of the search is a range of points, together with the conditions that they
// still have to meet. The search narrows the range to the part that the half-spaces allow, and computes a lower bound
// on the distance of any of its points from the target. A node that cannot contain a better point than the best one so
// far is dropped. If the nearest point of the range meets all conditions, it is the best point of the node. Otherwise
// the node is split: into one node for each part of a disjunction, such as w > 5 and d > 5 for "w > 5 or d > 5", or
// into two halves along its widest axis.
//
// Take the target 48 x 141 x 184, and the condition that the width is at least the depth. The nearest point of the
// first range is the target itself, which does not meet the condition: w - d is 93 too small. A change of 1 in a
// dimension makes w - d at most 1 greater, so the distance is at least 93. The range is bisected until the nearest
// point of a node meets the condition. One such point is 48 x 48 x 184. Its distance is 93, and no other node has a
// smaller lower bound. Among points at the same distance, the smallest box is preferred. Here that is 48 x 48 x 184.
package nearest

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"example.com/boxrules/exact"
)

// A Target describes the point to look for: the point nearest to At if only the coordinates along the axes in Free may
// change. The distance between two points is the sum of the differences between their coordinates. If At is 120 x 60 x
// 180 mm and only the depth is free, 120 x 48 x 180 is at a distance of 12 mm. Coordinates along free axes must be
// multiples of Step.
type Target struct {
	At   exact.Point
	Free [exact.Axes]bool
	Step int64
}

// NoPoint is the distance that Search returns if it has found no point. It is greater than the distance of any point.
const NoPoint = math.MaxInt64

// Search returns the point nearest to the target that meets every condition, and its distance from the target. If
// several points are equally near, it returns the one that Better prefers. best is a point that the caller already
// knows, and total is its distance. If the caller knows no point, total is NoPoint. Search returns best and total
// unchanged if it finds no better point.
//
// Search subtracts its work from *effort, about one for each half-space that is compared with a range. If *effort
// becomes negative, Search gives up, and returns the best point so far.
func Search(conditions []exact.Region, t Target, best exact.Point, total int64, effort *int) (exact.Point, int64) {
	s := searchPool.Get().(*nearestSearch)
	defer searchPool.Put(s)
	s.Target, s.best, s.bestTotal, s.remaining = t, best, total, *effort
	defer s.release(s.mark())
	s.pending = append(s.pending[:0], conditions...)
	// The root node has every value along the free axes, and only the target's value along the others.
	root := node{}
	for axis := range exact.Axes {
		root.low[axis], root.high[axis] = t.At[axis], t.At[axis]
		if t.Free[axis] {
			root.low[axis], root.high[axis] = ceilToStep(-exact.MaxGrid, t.Step), floorToStep(exact.MaxGrid, t.Step)
		}
	}
	if s.narrowByConditions(&root) {
		s.explore(root)
	}
	*effort = s.remaining
	return s.best, s.bestTotal
}

// A nearestSearch holds the state of one call of Search.
type nearestSearch struct {
	Target
	best      exact.Point // the best point so far
	bestTotal int64       // its distance from the target, or NoPoint
	remaining int         // the remaining effort
	nodeWorkspace
}

// A nodeWorkspace is the memory for the nodes of a search. It is reused, so that nodes need not be allocated one by
// one. Each of its slices is used as a stack. Nodes are explored depth first, so when a node is finished, the memory
// of its parts is at the end of the stacks, and is released by shortening the slices.
type nodeWorkspace struct {
	faces        []inequality
	parts        []exact.Region
	disjunctions [][]exact.Region
	nodes        []node
	pending      []exact.Region // conditions that narrowByConditions has yet to add
}

// searchPool keeps the memory of finished searches for later ones.
var searchPool = sync.Pool{New: func() any { return new(nearestSearch) }}

// A workspaceMark holds the lengths of the stacks of a workspace at some time, so that release can restore them.
type workspaceMark struct{ faces, parts, disjunctions, nodes int }

func (w *nodeWorkspace) mark() workspaceMark {
	return workspaceMark{len(w.faces), len(w.parts), len(w.disjunctions), len(w.nodes)}
}

// release frees all memory that has been used since mark returned the given lengths.
func (w *nodeWorkspace) release(to workspaceMark) {
	w.faces, w.parts, w.disjunctions, w.nodes = w.faces[:to.faces], w.parts[:to.parts],
		w.disjunctions[:to.disjunctions], w.nodes[:to.nodes]
}

// A node is a range of points with the conditions that they still have to meet.
type node struct {
	pointRange
	faces        []inequality     // the half-spaces that contain every solution, made by inequalityOnGrid
	disjunctions [][]exact.Region // the parts of each disjunction; at least one of them has to hold
	lowerBound   int64            // on the distance of any point from the target
	solved       bool             // whether the range is a single point that meets all conditions
	level        int              // in the tree of nodes: 1 for the root
	triedProof   bool             // whether isEmptyByElimination was called for the node or one that contains it
}

// spend subtracts work from the remaining effort, and reports whether any is left.
func (s *nearestSearch) spend(work int) bool {
	s.remaining -= work
	return s.remaining >= 0
}

// explore searches a node for a point that is better than the best one so far. The node must already have been narrowed
// by narrowByConditions.
func (s *nearestSearch) explore(n node) {
	if !s.spend(4) {
		return
	}
	// Compare n with a node that consists of the best point so far. If n is not more promising, it contains
	// no better point.
	if s.bestTotal != NoPoint && s.compareNodes(&n, &node{pointRange: pointRange{s.best, s.best}, lowerBound: s.bestTotal}) >= 0 {
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
	// The most promising part comes first: once it has given a good point, most others are dropped at once.
	parts := s.nodes[from:]
	slices.SortStableFunc(parts, func(a, b node) int { return s.compareNodes(&a, &b) })
	for _, part := range parts {
		s.explore(part)
	}
}

// branch splits a node at the disjunction with the fewest parts, and adds the new nodes to s.nodes. In the first new
// node the first part holds. In the second new node the second part holds and the first does not, and so on. For
// "w > 5 or d > 5" the nodes are w > 5, and d > 5 with w <= 5, so no point is searched twice.
func (s *nearestSearch) branch(n *node) {
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
			// Only half-spaces are complemented: the complement of a conjunction would be one more
			// disjunction to branch over.
			if before.Kind() == exact.Half {
				s.pending = append(s.pending, exact.Not(before))
			}
		}
		s.pending = append(s.pending, part)
		if part := (node{pointRange: n.pointRange, faces: n.faces, disjunctions: others, level: n.level}); s.narrowByConditions(&part) {
			s.nodes = append(s.nodes, part)
		}
	}
}

// minLevelForProof is the first level at which isEmptyByElimination is tried before a node is bisected. Bisecting a
// large range without a solution can take a great many nodes, for example if the range is between two parallel planes
// with no grid point between them. Nodes near the root are bisected without trying a proof: for most of them, the proof
// would take longer.
const minLevelForProof = 9

// bisect splits a node into two halves along its widest axis, and adds the halves that are not empty to s.nodes.
func (s *nearestSearch) bisect(n *node) {
	if n.level >= minLevelForProof && !n.triedProof {
		if n.triedProof = true; s.isEmptyByElimination(n) {
			return
		}
	}
	widest := 0
	for axis := range exact.Axes {
		if n.high[axis]-n.low[axis] > n.high[widest]-n.low[widest] {
			widest = axis
		}
	}
	// Both halves begin and end at multiples of the step. If the step is 10, the range from 0 to 50 becomes
	// 0 to 20 and 30 to 50.
	lower, upper := *n, *n
	lower.high[widest] = floorToStep(exact.FloorDiv(n.low[widest]+n.high[widest], 2), s.Step)
	upper.low[widest] = lower.high[widest] + s.Step
	for _, half := range [...]node{lower, upper} {
		s.pending = s.pending[:0]
		if s.narrowByConditions(&half) {
			s.nodes = append(s.nodes, half)
		}
	}
}

// compareNodes returns a negative number if n is more promising than q. It compares the lower bounds on the distance.
// If they are equal, it compares lower bounds on the numbers that Better compares. If q is a single point and the
// result is not negative, n contains no better point.
func (s *nearestSearch) compareNodes(n, q *node) int {
	if c := cmp.Compare(n.lowerBound, q.lowerBound); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(s.minIncrease(n), s.minIncrease(q)), slices.Compare(n.low[:], q.low[:]))
}

// minIncrease returns a lower bound on the total increase for points in n whose distance from the target is
// n.lowerBound. It breaks ties: of two points at the same distance, the one with the smaller total increase has the
// smaller sum of dimensions, and Better prefers it.
//
// The distance is the total increase plus the total decrease. So the total increase is at least the distance minus the
// greatest possible decrease, and at least what is needed to reach the range of n.
func (s *nearestSearch) minIncrease(n *node) int64 {
	up, down := int64(0), int64(0)
	for axis := range exact.Axes {
		up += max(0, n.low[axis]-s.At[axis])
		down += max(0, s.At[axis]-n.low[axis]) // an upper bound on the decreases
	}
	return max(up, n.lowerBound-down)
}

// boundDistance sets the lower bound on the distance of the points of a node. If the point of the range that is nearest
// to the target meets all conditions, the node is solved, and boundDistance reduces it to that point. feasible is false
// if the range is a single point that does not meet the conditions.
func (s *nearestSearch) boundDistance(n *node) (feasible bool) {
	nearPoint := n.clamp(s.At)
	nearGridPoint := nearPoint // rounded to the nearest multiple of the step; of two equally near ones, the smaller
	for axis := range exact.Axes {
		if n.low[axis] == n.high[axis] {
			continue
		}
		nearGridPoint[axis] = floorToStep(nearPoint[axis], s.Step)
		if 2*(nearPoint[axis]-nearGridPoint[axis]) > s.Step {
			nearGridPoint[axis] += s.Step
		}
	}
	// To reach any point of the node, the target has to change at least as much as to reach nearPoint, and
	// then further until it is inside every face. A change of 1 adds at most the greatest coefficient to A·p.
	// So if A·p is 6 too small and the greatest coefficient is 2, the further changes are at least 3.
	meetsAll, changeToFaces := true, int64(0)
	for i := range n.faces {
		f := &n.faces[i]
		meetsAll = meetsAll && f.dot(nearGridPoint) >= f.b
		maxCoefficient := int64(1)
		for axis := range exact.Axes {
			if n.low[axis] < n.high[axis] {
				maxCoefficient = max(maxCoefficient, abs(f.a[axis]))
			}
		}
		changeToFaces = max(changeToFaces, exact.CeilDiv(f.b-f.dot(nearPoint), maxCoefficient))
	}
	for _, parts := range n.disjunctions {
		meetsAll = meetsAll && slices.ContainsFunc(parts, func(part exact.Region) bool { return part.Contains(nearGridPoint) })
	}
	if meetsAll {
		n.pointRange, n.lowerBound, n.solved = pointRange{nearGridPoint, nearGridPoint}, totalChange(s.At, nearGridPoint), true
		return true
	}
	n.lowerBound = max(totalChange(s.At, nearGridPoint), totalChange(s.At, nearPoint)+changeToFaces)
	return n.low != n.high
}

// Better reports whether p is preferred to q, given that both are at the same distance from the target. The point with
// the smaller sum of dimensions is preferred. If the sums are equal too, it is the point with the smaller width, then
// depth, then height.
func Better(p, q exact.Point) bool {
	return cmp.Or(
		cmp.Compare(p[exact.Width]+p[exact.Depth]+p[exact.Height], q[exact.Width]+q[exact.Depth]+q[exact.Height]),
		slices.Compare(p[:], q[:]),
	) < 0
}

// totalChange returns the distance between two points: the sum of the differences between their coordinates.
func totalChange(p, q exact.Point) int64 {
	return abs(p[exact.Width]-q[exact.Width]) + abs(p[exact.Depth]-q[exact.Depth]) + abs(p[exact.Height]-q[exact.Height])
}

// floorToStep rounds x down to a multiple of step, and ceilToStep rounds it up.
func floorToStep(x, step int64) int64 { return exact.FloorDiv(x, step) * step }
func ceilToStep(x, step int64) int64  { return exact.CeilDiv(x, step) * step }

func abs(x int64) int64 { return max(x, -x) }
