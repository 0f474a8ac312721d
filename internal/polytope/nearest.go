package polytope

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"example.com/boxrules/exact"
)

// A Target asks for the point nearest to At when only the axes in Free may change: the sum of the
// changes counts. Coordinates along free axes have to be multiples of Step. With At 120, 60, 180
// mm and depth alone free, 120, 48, 180 has changes of 12 mm.
type Target struct {
	At   exact.Point
	Free [exact.Axes]bool
	Step int64
}

// NoPoint is the total of Nearest where no point was found: more than any changes.
const NoPoint = math.MaxInt64

// Nearest returns a point at which every condition holds that is better than best, whose changes
// are total; see Better. Where it finds none it returns best and total. It counts down the effort
// that it uses, one for each half-space held against a range of points, and gives up where none
// is left.
//
// It searches by branch and bound. A region is cut down to what its half-spaces leave, and passed
// over where no point of it can be better than the best so far. Where the nearest point of the
// region meets all conditions, that is the region's answer. Otherwise the region is parted: by
// the parts of a disjunction that it leaves open, or where there is none into halves.
func Nearest(conditions []exact.Region, t Target, best exact.Point, total int64, effort *int) (exact.Point, int64) {
	s := searches.Get().(*nearest)
	defer searches.Put(s)
	s.Target, s.best, s.total, s.effort = t, best, total, *effort
	defer s.free(s.used())
	s.pending = append(s.pending[:0], conditions...)
	whole := region{}
	for axis := range exact.Axes {
		whole.low[axis], whole.high[axis] = t.At[axis], t.At[axis]
		if t.Free[axis] {
			whole.low[axis], whole.high[axis] = ceilTo(-exact.MaxGrid, t.Step), floorTo(exact.MaxGrid, t.Step)
		}
	}
	if s.settle(&whole) {
		s.visit(whole)
	}
	*effort = s.effort
	return s.best, s.total
}

// A nearest is a search, with the best point so far.
type nearest struct {
	Target
	best   exact.Point // so far
	total  int64       // its changes, or NoPoint
	effort int         // left
	memory
}

// A memory holds what the regions of a search are made of, one behind the other. A region is done
// with before the one that it is a part of, so the memory is freed from its end.
type memory struct {
	faces   []face
	parts   []exact.Region
	lists   [][]exact.Region
	regions []region
	pending []exact.Region // for settle alone
}

// searches keeps the memory of searches that have ended for those to come.
var searches = sync.Pool{New: func() any { return new(nearest) }}

// A mark says how much of a memory is used.
type mark struct{ faces, parts, lists, regions int }

func (m *memory) used() mark {
	return mark{len(m.faces), len(m.parts), len(m.lists), len(m.regions)}
}

// free frees what was used after the mark.
func (m *memory) free(to mark) {
	m.faces, m.parts, m.lists, m.regions = m.faces[:to.faces], m.parts[:to.parts],
		m.lists[:to.lists], m.regions[:to.regions]
}

// A region is a range of points with the conditions that they still have to meet.
type region struct {
	span
	faces []face           // as they bind multiples of the step along the free axes
	open  [][]exact.Region // the parts of disjunctions, of each of which some part has to hold
	bound int64            // no point takes fewer changes
	found bool             // the region is its nearest point, and that meets everything
	depth int              // of the search
	// proved says that a proof that nothing is in it was tried, here or before it was halved.
	proved bool
}

// spend counts work and reports whether any effort is left.
func (s *nearest) spend(work int) bool {
	s.effort -= work
	return s.effort >= 0
}

// visit looks for a better point in a region that is settled.
func (s *nearest) visit(r region) {
	if !s.spend(4) {
		return
	}
	if s.total != NoPoint && s.order(&r, &region{span: span{s.best, s.best}, bound: s.total}) >= 0 {
		return
	}
	if r.found {
		s.best, s.total = r.low, r.bound
		return
	}
	defer s.free(s.used())
	from := len(s.regions)
	if len(r.open) > 0 {
		s.part(&r)
	} else {
		s.halve(&r)
	}
	parts := s.regions[from:]
	slices.SortStableFunc(parts, func(a, b region) int { return s.order(&a, &b) })
	for _, part := range parts {
		s.visit(part)
	}
}

// part adds the parts of a region by the disjunction with the fewest: in the first its first
// condition holds, in the second its second and not its first, and so on.
func (s *nearest) part(r *region) {
	chosen := 0
	for i := range r.open {
		if len(r.open[i]) < len(r.open[chosen]) {
			chosen = i
		}
	}
	from := len(s.lists)
	s.lists = append(append(s.lists, r.open[:chosen]...), r.open[chosen+1:]...)
	rest := s.lists[from:]
	for i, tree := range r.open[chosen] {
		s.pending = s.pending[:0]
		for _, before := range r.open[chosen][:i] {
			if before.Kind() == exact.Half {
				s.pending = append(s.pending, exact.Not(before))
			}
		}
		s.pending = append(s.pending, tree)
		if part := (region{span: r.span, faces: r.faces, open: rest, depth: r.depth}); s.settle(&part) {
			s.regions = append(s.regions, part)
		}
	}
}

// patience bounds the depth of the search. From there on it is worth while to try once whether
// the region can be proved to have no point at all, before it is halved on.
const patience = 9

// halve adds the halves of a region across its widest axis, without those that are empty.
func (s *nearest) halve(r *region) {
	if r.depth >= patience && !r.proved {
		if r.proved = true; s.empty(r) {
			return
		}
	}
	widest := 0
	for axis := range exact.Axes {
		if r.high[axis]-r.low[axis] > r.high[widest]-r.low[widest] {
			widest = axis
		}
	}
	lower, upper := *r, *r
	lower.high[widest] = floorTo(exact.FloorDiv(r.low[widest]+r.high[widest], 2), s.Step)
	upper.low[widest] = lower.high[widest] + s.Step
	for _, half := range [...]region{lower, upper} {
		s.pending = s.pending[:0]
		if s.settle(&half) {
			s.regions = append(s.regions, half)
		}
	}
}

// settle adds the pending conditions to a region, takes from it what they leave no point of, and
// bounds the changes of the rest from below. It reports whether anything is left, and effort too.
func (s *nearest) settle(r *region) bool {
	r.depth++
	faces, lists := len(s.faces), len(s.lists)
	s.faces, s.lists = append(s.faces, r.faces...), append(s.lists, r.open...)
	for {
		for len(s.pending) > 0 {
			last := s.pending[len(s.pending)-1]
			s.pending = s.pending[:len(s.pending)-1]
			switch last.Kind() {
			case exact.False:
				return false
			case exact.Half:
				s.faces = append(s.faces, s.face(last.HalfSpace()))
			case exact.And:
				s.pending = append(s.pending, last.Parts()...)
			case exact.Or:
				s.lists = append(s.lists, last.Parts())
			}
		}
		r.faces, r.open = s.faces[faces:], s.lists[lists:]
		if !s.narrow(r) {
			return false
		}
		open := r.open[:0]
		for _, parts := range r.open {
			left, all := s.possible(r, parts)
			switch {
			case all:
			case len(left) == 0:
				return false
			case len(left) == 1:
				s.pending = append(s.pending, left[0])
			default:
				open = append(open, left)
			}
		}
		r.open = open
		s.lists = s.lists[:lists+len(open)]
		if len(s.pending) == 0 {
			break
		}
	}
	// What holds everywhere in the region need not be looked at again.
	r.faces = slices.DeleteFunc(r.faces, r.holds)
	s.faces = s.faces[:faces+len(r.faces)]
	return s.effort >= 0 && s.reach(r)
}

// holds reports whether every point of the region is inside the face.
func (r *region) holds(f face) bool {
	least := int64(0)
	for axis, a := range f.a {
		least += min(a*r.low[axis], a*r.high[axis])
	}
	return least >= f.b
}

// face returns a half-space as it binds multiples of the step along the free axes: where width is
// held at 100, w + d > 150 binds d > 50.
func (s *nearest) face(h exact.HalfSpace) face {
	f := face{h.A, h.K + 1}
	for axis := range exact.Axes {
		if !s.Free[axis] {
			f.b -= f.a[axis] * s.At[axis]
			f.a[axis] = 0
		}
	}
	return f.over(s.Step)
}

// possible returns the parts that may hold somewhere in the region; all reports whether one holds
// everywhere.
func (s *nearest) possible(r *region, parts []exact.Region) (left []exact.Region, all bool) {
	from := len(s.parts)
	for _, part := range parts {
		some, all := s.where(r, part)
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

// where reports whether a condition may hold somewhere in the region, and whether it holds everywhere.
func (s *nearest) where(r *region, t exact.Region) (some, all bool) {
	switch t.Kind() {
	case exact.True:
		return true, true
	case exact.Half:
		s.spend(1)
		least, most := int64(0), int64(0)
		for axis, a := range t.HalfSpace().A {
			least += min(a*r.low[axis], a*r.high[axis])
			most += max(a*r.low[axis], a*r.high[axis])
		}
		return most > t.HalfSpace().K, least > t.HalfSpace().K
	case exact.And:
		some, all = true, true
		for _, part := range t.Parts() {
			partSome, partAll := s.where(r, part)
			some, all = some && partSome, all && partAll
			if !some {
				break
			}
		}
	case exact.Or:
		for _, part := range t.Parts() {
			partSome, partAll := s.where(r, part)
			some, all = some || partSome, all || partAll
			if all {
				break
			}
		}
	}
	return some, all
}

// A span holds the points between low and high, both included. Where low and high are multiples
// of the step along an axis, only such points count.
type span struct{ low, high exact.Point }

// clamp returns the point between low and high that is nearest to p.
func (s span) clamp(p exact.Point) exact.Point {
	for axis := range exact.Axes {
		p[axis] = min(max(p[axis], s.low[axis]), s.high[axis])
	}
	return p
}

// order returns a negative number where r may have a better point than all that q has, as far as
// bounds tell: one with fewer changes, or with as many that Better prefers. No point of a span is
// less than its low.
func (s *nearest) order(r, q *region) int {
	if c := cmp.Compare(r.bound, q.bound); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(s.ups(r), s.ups(q)), slices.Compare(r.low[:], q.low[:]))
}

// ups bounds from below by how much the points of r are greater than At, if their changes are no
// more than the bound. Of equal changes, those upwards make a greater box and those downwards a
// smaller one, which Better prefers.
func (s *nearest) ups(r *region) int64 {
	up, down := int64(0), int64(0)
	for axis := range exact.Axes {
		up += max(0, r.low[axis]-s.At[axis])
		down += max(0, s.At[axis]-r.low[axis]) // at most
	}
	return max(up, r.bound-down)
}

// reach bounds the changes of a region from below, and notes where its nearest point meets
// everything. It returns false where the region is a single point that does not.
func (s *nearest) reach(r *region) bool {
	near := r.clamp(s.At)
	first := near // the nearest multiple of the step, of two the smaller
	for axis := range exact.Axes {
		if r.low[axis] == r.high[axis] {
			continue
		}
		first[axis] = floorTo(near[axis], s.Step)
		if 2*(near[axis]-first[axis]) > s.Step {
			first[axis] += s.Step
		}
	}
	// A point of the region takes the changes to near, and from there those that reach every face.
	// Of them a step of one adds at most the steepest coefficient to a·p: where 6 is missing and
	// the steepest is 2, it takes 3 steps or more.
	found, far := true, int64(0)
	for i := range r.faces {
		f := &r.faces[i]
		found = found && f.dot(first) >= f.b
		steepest := int64(1)
		for axis := range exact.Axes {
			if r.low[axis] < r.high[axis] {
				steepest = max(steepest, abs(f.a[axis]))
			}
		}
		far = max(far, exact.CeilDiv(f.b-f.dot(near), steepest))
	}
	for _, parts := range r.open {
		found = found && slices.ContainsFunc(parts, func(part exact.Region) bool { return part.Contains(first) })
	}
	if found {
		r.span, r.bound, r.found = span{first, first}, changes(s.At, first), true
		return true
	}
	r.bound = max(changes(s.At, first), changes(s.At, near)+far)
	return r.low != r.high
}

// Better reports whether p is preferred to q, their changes being equal: the smaller box by the
// sum of its dimensions, then by width, depth and height.
func Better(p, q exact.Point) bool {
	return cmp.Or(
		cmp.Compare(p[exact.Width]+p[exact.Depth]+p[exact.Height], q[exact.Width]+q[exact.Depth]+q[exact.Height]),
		slices.Compare(p[:], q[:]),
	) < 0
}

// changes returns by how much the coordinates of two points differ in all.
func changes(p, q exact.Point) int64 {
	return abs(p[exact.Width]-q[exact.Width]) + abs(p[exact.Depth]-q[exact.Depth]) + abs(p[exact.Height]-q[exact.Height])
}

// floorTo returns the greatest multiple of step that is not above x, ceilTo the least not below
// it.
func floorTo(x, step int64) int64 { return exact.FloorDiv(x, step) * step }
func ceilTo(x, step int64) int64  { return exact.CeilDiv(x, step) * step }

func abs(x int64) int64 { return max(x, -x) }
