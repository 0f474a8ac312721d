package linear

// A Target asks for the lattice point of a polytope that is nearest to At when only the axes in Free may
// change: the sum of the changes counts. Coordinates along free axes are multiples of Step.
type Target struct {
	At   Point
	Free [Axes]bool
	Step int64
}

// A Cell is a Polytope as Nearest wants it: its faces, and how far it reaches along each axis.
type Cell struct {
	faces     []face
	low, high Point
}

// Cell makes a Cell of p, which must not be empty.
func (p Polytope) Cell() Cell {
	c := Cell{faces: p.faces}
	for axis := range Axes {
		low, high := p.Extent(axis)
		c.low[axis], c.high[axis] = roundUp(low, 1), roundDown(high, 1)
	}
	return c
}

// Nearest looks for a point of c that is better than best, which has the changes in total, or than nothing
// where total is negative; see Better. It gives up when effort is used up, and counts down what it uses.
func (c *Cell) Nearest(t Target, best Point, total int64, effort *int) (Point, int64) {
	s := nearest{Target: t, cell: c, best: best, total: total, effort: effort}
	for axis := range Axes {
		s.low[axis], s.high[axis] = t.At[axis], t.At[axis]
		if t.Free[axis] {
			s.low[axis], s.high[axis] = -FloorDiv(-c.low[axis], t.Step)*t.Step, FloorDiv(c.high[axis], t.Step)*t.Step
			s.order[s.free] = axis
			s.free++
		} else if t.At[axis] < c.low[axis] || t.At[axis] > c.high[axis] {
			return best, total
		}
		s.least[axis] = distance(t.At[axis], s.low[axis], s.high[axis])
	}
	s.descend(0, t.At, 0)
	return s.best, s.total
}

type nearest struct {
	Target
	cell      *Cell
	low, high Point     // the extent of the cell, in steps along free axes
	least     Point     // how far each coordinate must change at least
	order     [Axes]int // the free axes, of which there are free
	free      int
	best      Point // so far
	total     int64 // its changes, or negative
	effort    *int
}

// descend tries the values of the depth-th free axis, nearest first, with those before it at their place.
func (s *nearest) descend(depth int, at Point, changed int64) {
	axis := s.order[depth]
	if depth == s.free-1 {
		s.last(axis, at, changed)
		return
	}
	rest := int64(0)
	for _, later := range s.order[depth+1 : s.free] {
		rest += s.least[later]
	}
	x := s.At[axis]
	// One below and one above walk outward; whichever is nearer comes next.
	below := min(FloorDiv(x, s.Step)*s.Step, s.high[axis])
	above := max(-FloorDiv(-x, s.Step)*s.Step, s.low[axis])
	if below == above {
		above += s.Step
	}
	for below >= s.low[axis] || above <= s.high[axis] {
		next := below
		if below < s.low[axis] || above <= s.high[axis] && above-x < x-below {
			next = above
			above += s.Step
		} else {
			below -= s.Step
		}
		change := abs(next - x)
		if s.total >= 0 && changed+change+rest > s.total {
			return // and all that follow are farther
		}
		if *s.effort--; *s.effort < 0 {
			return
		}
		at[axis] = next
		s.descend(depth+1, at, changed+change)
	}
}

// last finds the best value of the last free axis: the cell is convex, so it is the nearest one in an interval.
func (s *nearest) last(axis int, at Point, changed int64) {
	low, high := s.low[axis], s.high[axis]
	for i := range s.cell.faces {
		f := &s.cell.faces[i]
		rest := f.b // a·x >= rest
		for other := range Axes {
			if other != axis {
				rest -= f.a[other] * at[other]
			}
		}
		switch a := f.a[axis]; {
		case a > 0:
			low = max(low, -FloorDiv(-rest, a))
		case a < 0:
			high = min(high, FloorDiv(-rest, -a))
		case rest > 0:
			return
		}
	}
	x := s.At[axis]
	low, high = -FloorDiv(-low, s.Step)*s.Step, FloorDiv(high, s.Step)*s.Step
	if low > high {
		return
	}
	try := func(value int64) {
		if value < low || value > high {
			return
		}
		point, total := at, changed+abs(value-x)
		point[axis] = value
		if s.total < 0 || total < s.total || total == s.total && Better(point, s.best) {
			s.best, s.total = point, total
		}
	}
	switch {
	case x < low:
		try(low)
	case x > high:
		try(high)
	default:
		try(FloorDiv(x, s.Step) * s.Step)
		try(-FloorDiv(-x, s.Step) * s.Step)
	}
}

// Better settles which of two points with equal changes is preferred: the smaller box, by the sum of its
// dimensions, then by width, depth and height.
func Better(p, q Point) bool {
	if a, b := p[Width]+p[Depth]+p[Height], q[Width]+q[Depth]+q[Height]; a != b {
		return a < b
	}
	return less(p, q)
}

// distance is how far x is from the interval.
func distance(x, low, high int64) int64 { return max(0, low-x, x-high) }

func abs(x int64) int64 { return max(x, -x) }
