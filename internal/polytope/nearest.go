package polytope

import (
	"cmp"
	"math"
	"slices"

	"example.com/boxrules/exact"
)

// A Target asks for the lattice point of a polytope that is nearest to At when only the axes in Free may
// change: the sum of the changes counts. Coordinates along free axes are multiples of Step.
type Target struct {
	At   exact.Point
	Free [exact.Axes]bool
	Step int64
}

// A Cell is a Polytope as Nearest wants it: its faces, and how far it reaches along each axis.
type Cell struct {
	faces []face
	span
}

// Cell makes a Cell of p, which must not be empty.
func (p Polytope) Cell() Cell {
	c := Cell{faces: p.faces}
	for axis := range exact.Axes {
		low, high := p.Extent(axis)
		c.low[axis], c.high[axis] = roundUp(low, 1), roundDown(high, 1)
	}
	return c
}

// None is more than any changes in total: nothing was found.
const None = math.MaxInt64

// Nearest looks for a point of c that is better than best, which has the changes in total; see Better. Where it
// finds none it gives what it was given. It gives up when effort is used up, and counts down what it uses: one
// for each range of points that it looks at, and for each sum of faces.
//
// It is a search by branch and bound. A range is cut to what the faces leave of it, and passed over where no
// point of it can be better. Where its nearest point lies in the cell that is the answer, and otherwise the
// range is halved.
func (c *Cell) Nearest(t Target, best exact.Point, total int64, effort *int) (exact.Point, int64) {
	s := nearest{Target: t, best: best, total: total, effort: effort}
	whole := c.span
	for axis := range exact.Axes {
		if t.Free[axis] {
			whole.low[axis], whole.high[axis] = ceilTo(whole.low[axis], t.Step), floorTo(whole.high[axis], t.Step)
		} else {
			whole.low[axis], whole.high[axis] = max(whole.low[axis], t.At[axis]), min(whole.high[axis], t.At[axis])
		}
		if whole.low[axis] > whole.high[axis] {
			return best, total
		}
	}
	if changes(t.At, whole.clamp(t.At)) > total {
		return best, total
	}
	var buffer [16]face
	s.faces = buffer[:0]
	for _, f := range c.faces {
		for axis := range exact.Axes {
			if !t.Free[axis] {
				f.b -= f.a[axis] * t.At[axis]
				f.a[axis] = 0
			}
		}
		s.faces = append(s.faces, f.over(t.Step))
	}
	if r, ok := s.reach(whole); ok {
		s.visit(r)
	}
	return s.best, s.total
}

type nearest struct {
	Target
	faces  []face      // as they bind multiples of the step along the free axes
	best   exact.Point // so far
	total  int64       // its changes, or None
	effort *int
	looked int  // at ranges of this cell
	barren bool // it is proved that no multiple of the step lies in the cell
}

// A span is the points between low and high, both included; between multiples of the step only such points.
type span struct{ low, high exact.Point }

// clamp is the point between low and high that is nearest to p.
func (s span) clamp(p exact.Point) exact.Point {
	for axis := range exact.Axes {
		p[axis] = min(max(p[axis], s.low[axis]), s.high[axis])
	}
	return p
}

// A reach is a span with a lower bound of the changes that its points take, or where it is found the one
// nearest point and its changes.
type reach struct {
	span
	bound int64
	found bool
}

// patience is how many ranges are looked at before it is worth while to prove that the cell is barren.
const patience = 100

func (s *nearest) visit(r reach) {
	if *s.effort--; *s.effort < 0 || s.barren {
		return
	}
	if s.total != None && s.order(r, reach{span: span{s.best, s.best}, bound: s.total}) >= 0 {
		return
	}
	if r.found {
		s.best, s.total = r.low, r.bound
		return
	}
	if s.looked++; s.looked == patience && s.empty() {
		s.barren = true
		return
	}
	widest := 0
	for axis := range exact.Axes {
		if r.high[axis]-r.low[axis] > r.high[widest]-r.low[widest] {
			widest = axis
		}
	}
	lower, upper := r.span, r.span
	lower.high[widest] = floorTo(exact.FloorDiv(r.low[widest]+r.high[widest], 2), s.Step)
	upper.low[widest] = lower.high[widest] + s.Step
	first, some := s.reach(lower)
	second, more := s.reach(upper)
	switch {
	case !some:
		first, some, more = second, more, false
	case more && s.order(second, first) < 0:
		first, second = second, first
	}
	if some {
		s.visit(first)
	}
	if more {
		s.visit(second)
	}
}

// order is negative where r may have a better point than all that q has, as far as bounds tell: fewer changes,
// or as many and one that Better prefers. No point of a span is less than its low.
func (s *nearest) order(r, q reach) int {
	if c := cmp.Compare(r.bound, q.bound); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(s.ups(r), s.ups(q)), slices.Compare(r.low[:], q.low[:]))
}

// ups bounds from below by how much points are greater than At, if their changes are no more than the bound. Of
// equal changes what goes up makes a greater box, and what goes down a smaller one.
func (s *nearest) ups(r reach) int64 {
	up, down := int64(0), int64(0)
	for axis := range exact.Axes {
		up += max(0, r.low[axis]-s.At[axis])
		down += max(0, s.At[axis]-r.low[axis]) // at most
	}
	return max(up, r.bound-down)
}

// reach bounds the changes of what the faces leave of a span; ok is false where that is nothing.
func (s *nearest) reach(r span) (_ reach, ok bool) {
	if !s.narrow(&r) {
		return reach{}, false
	}
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
	// A point of the span takes the changes to near and those from there; from there a face is as far as the
	// steepest axis takes to it.
	found, far := true, int64(0)
	for _, f := range s.faces {
		found = found && f.dot(first) >= f.b
		steepest := int64(1)
		for axis := range exact.Axes {
			if r.low[axis] < r.high[axis] {
				steepest = max(steepest, abs(f.a[axis]))
			}
		}
		far = max(far, -exact.FloorDiv(f.dot(near)-f.b, steepest))
	}
	if found {
		return reach{span{first, first}, changes(s.At, first), true}, true
	}
	// A single point that is not in the cell is nothing; halving would not end.
	return reach{r, max(changes(s.At, first), changes(s.At, near)+far), false}, r.low != r.high
}

// narrow takes from a span what lies beyond the faces at its corners; false where that is everything.
func (s *nearest) narrow(r *span) bool {
	const rounds = 8 // each takes less than the one before
	for range rounds {
		changed := false
		for i := range s.faces {
			f := &s.faces[i]
			var least, most exact.Point // of each term of a·p
			for axis, a := range f.a {
				least[axis], most[axis] = min(a*r.low[axis], a*r.high[axis]), max(a*r.low[axis], a*r.high[axis])
			}
			missing := f.b - most[exact.Width] - most[exact.Depth] - most[exact.Height]
			if missing > 0 {
				return false
			}
			for axis, a := range f.a {
				// With the others at their most this term must make up for what is missing.
				switch bound := missing + most[axis]; {
				case least[axis] >= bound:
					continue
				case a > 0:
					r.low[axis] = ceilTo(-exact.FloorDiv(-bound, a), s.Step)
				default:
					r.high[axis] = floorTo(exact.FloorDiv(-bound, -a), s.Step)
				}
				if r.low[axis] > r.high[axis] {
					return false
				}
				changed = true
			}
		}
		if !changed {
			break
		}
	}
	return true
}

// empty reports that the faces leave no multiple of the step, found by adding them up so that one axis after
// the other drops out (Fourier-Motzkin elimination, each sum rounded up to what multiples of the step can
// be). It may not find out where that makes many faces, or numbers that are not exact.
func (s *nearest) empty() bool {
	const many = 200
	faces := s.faces
	for axis := range exact.Axes {
		if len(faces) > many {
			return false
		}
		bounds := make(map[[exact.Axes]int64]int64)
		for _, f := range faces {
			if f.a[axis] == 0 {
				f.boundIn(bounds)
			}
			for _, g := range faces {
				if f.a[axis] <= 0 || g.a[axis] >= 0 {
					continue
				}
				*s.effort--
				if sum, ok := f.without(g, axis); ok {
					sum.over(s.Step).boundIn(bounds)
				}
			}
		}
		faces = nil
		for a, b := range bounds {
			faces = append(faces, face{a, b})
		}
	}
	for _, f := range faces {
		if f.b > 0 { // of nothing
			return true
		}
	}
	return false
}

// boundIn keeps the greatest bound of each direction.
func (f face) boundIn(bounds map[[exact.Axes]int64]int64) {
	if b, ok := bounds[f.a]; !ok || f.b > b {
		bounds[f.a] = f.b
	}
}

// maxExact is where the integers end that package exact promises for sums.
const maxExact = 1 << 53

// without is the sum of f and g, of opposite directions along the axis, in which that drops out; ok is false
// where it would not be exact.
func (f face) without(g face, axis int) (sum face, ok bool) {
	m, n := -g.a[axis], f.a[axis]
	for _, x := range [...]int64{f.a[exact.Width], f.a[exact.Depth], f.a[exact.Height], f.b, g.a[exact.Width], g.a[exact.Depth], g.a[exact.Height], g.b} {
		if abs(x) >= maxExact/max(m, n) {
			return face{}, false
		}
	}
	for i := range exact.Axes {
		sum.a[i] = m*f.a[i] + n*g.a[i]
	}
	sum.b = m*f.b + n*g.b
	return sum, true
}

// over is the face as it binds points whose coordinates, where it has any, are multiples of the step.
func (f face) over(step int64) face {
	divisor := max(1, gcd(gcd(abs(f.a[exact.Width]), abs(f.a[exact.Depth])), abs(f.a[exact.Height])))
	if divisor != 1 {
		for axis := range exact.Axes {
			f.a[axis] /= divisor
		}
		f.b = -exact.FloorDiv(-f.b, divisor)
	}
	f.b = ceilTo(f.b, step)
	return f
}

func (f *face) dot(p exact.Point) int64 {
	return f.a[exact.Width]*p[exact.Width] + f.a[exact.Depth]*p[exact.Depth] + f.a[exact.Height]*p[exact.Height]
}

// Better settles which of two points with equal changes is preferred: the smaller box, by the sum of its
// dimensions, then by width, depth and height.
func Better(p, q exact.Point) bool {
	return cmp.Or(cmp.Compare(p[exact.Width]+p[exact.Depth]+p[exact.Height], q[exact.Width]+q[exact.Depth]+q[exact.Height]), slices.Compare(p[:], q[:])) < 0
}

// changes is by how much the coordinates of two points differ in all.
func changes(p, q exact.Point) int64 {
	return abs(p[exact.Width]-q[exact.Width]) + abs(p[exact.Depth]-q[exact.Depth]) + abs(p[exact.Height]-q[exact.Height])
}

// floorTo and ceilTo are the multiples of step next to x.
func floorTo(x, step int64) int64 { return exact.FloorDiv(x, step) * step }
func ceilTo(x, step int64) int64  { return -exact.FloorDiv(-x, step) * step }

func abs(x int64) int64 { return max(x, -x) }

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
