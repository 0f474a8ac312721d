// Package state keeps what the answers have shown about the things that a service does not publish: the limits, the
// sheets, which constraints an article selects, and which boxes fit a sheet.
//
// Each of these unknowns has a version space: the set of all values that agree with the answers so far. A version
// space has a lower bound and an upper bound, and all values that agree with the answers are between them. An
// informative answer raises the lower bound or lowers the upper bound. For example, if a maximum width is known to
// be between 100 and 400, and a box of width 250 is accepted, the maximum width must be between 250 and 400.
package state

import (
	"cmp"
	"slices"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// Evidence identifies the answer that an observation comes from.
type Evidence struct {
	Seq      int // the number of the answer, counted from the oldest one
	Row      int // the number of the answer in reports
	Date     time.Time
	Material string
	Code     boxrules.Code // the code of the answer if the rules do not define it, otherwise empty
}

// An Observation records that a Set contains the point At, or that it does not. The Set lists the observation in its
// field Contained or its field Excluded accordingly.
type Observation struct {
	At    exact.Point
	Asked int64 // for a limit, the dimension of the box, which is rounded to the step in At
	Evidence
}

// BySeq is a comparison function that sorts observations from the oldest to the newest.
func BySeq(a, b Observation) int { return cmp.Compare(a.Seq, b.Seq) }

// Inside reports whether no coordinate of p exceeds the same coordinate of q.
func Inside(p, q exact.Point) bool { return p[0] <= q[0] && p[1] <= q[1] && p[2] <= q[2] }

// Join returns the point that has, on each axis, the greater of the coordinates of p and q.
func Join(p, q exact.Point) exact.Point {
	return exact.Point{max(p[0], q[0]), max(p[1], q[1]), max(p[2], q[2])}
}

// A Set is what is known about a set of points. This set of points is downward closed: if it contains a point, it
// also contains all smaller points (see [Inside]). For example, a limit of 400 is the set of the lengths up to 400,
// and a sheet of 1000 x 700 is the set of the sizes of blanks that it holds.
//
// Contained and Excluded hold observations from the oldest to the newest. An observation is dropped if it follows
// from a newer one. It is kept if it follows only from an older one, because the older one may be forgotten. For
// example, suppose that the set contains 350 according to row 2, and 300 according to row 9. Both observations are
// kept. If row 2 is forgotten later because other answers contradict it, it is still known that the set contains
// 300.
type Set struct {
	Contained, Excluded []Observation
	// Smallest and Largest are assumptions: the set contains Smallest, and all points that it contains are inside
	// Largest.
	Smallest, Largest exact.Point
	// isCorner is true if the set consists of all points inside a single point, its corner. That is the case for
	// all unknowns except a Fitting.
	isCorner bool
	Step     int64 // the corner has coordinates that are multiples of Step
}

func (s *Set) clone() Set {
	copied := *s
	copied.Contained, copied.Excluded = slices.Clone(s.Contained), slices.Clone(s.Excluded)
	return copied
}

// Unexplained reports whether the assumptions alone rule out an observation. The observation is that the set
// contains the given point or, if contains is false, that it does not.
func (s *Set) Unexplained(at exact.Point, contains bool) bool {
	return contains && !Inside(at, s.Largest) || !contains && Inside(at, s.Smallest)
}

// Observe records a new observation: that the set contains the point o.At or, if contains is false, that it does
// not. An observation that follows from the assumptions is not recorded.
//
// If older observations contradict o, Observe drops the oldest observations, but only as many as necessary to make
// the rest consistent. It returns the conflicts. Each conflict lists older observations, the oldest first. If it
// has a single observation, that observation contradicts o by itself. If it has two, they contradict o only
// together (see findConflictOfThree).
//
// For example, suppose that a set contains 350 according to row 1, and 300 according to row 2. Row 3 shows that it
// does not contain 320. That contradicts row 1, which is dropped and returned. Row 2 remains.
func (s *Set) Observe(o Observation, contains bool) (conflicts [][]Observation) {
	if s.Unexplained(o.At, !contains) {
		return nil
	}
	same, opposite := &s.Contained, &s.Excluded
	if !contains {
		same, opposite = opposite, same
	}
	// The set contains everything inside a point that it contains, and nothing beyond a point that it does not
	// contain. So covers has two meanings. For an older observation of the same kind, it reports whether the
	// observation follows from o. For an older observation of the opposite kind, it reports whether o contradicts
	// it.
	covers := func(older Observation) bool {
		return contains && Inside(older.At, o.At) || !contains && Inside(o.At, older.At)
	}
	// Look for the newest observation that o contradicts. It is forgotten together with all older ones.
	for _, older := range slices.Backward(*opposite) {
		if covers(older) {
			conflicts = append(conflicts, []Observation{older})
			s.Forget(older)
			break
		}
	}
	*same = append(slices.DeleteFunc(*same, covers), o)
	for triple := s.findConflictOfThree(); triple != nil; triple = s.findConflictOfThree() {
		slices.SortFunc(triple, BySeq)
		conflicts = append(conflicts, triple[:2]) // the third one is o
		s.Forget(triple[0])
	}
	return conflicts
}

// Forget drops an observation and all older ones. If the service has changed, the older observations are out of
// date, too.
func (s *Set) Forget(last Observation) {
	s.DropWhere(func(o Observation) bool { return o.Seq <= last.Seq })
}

// DropWhere drops the observations for which drop returns true.
func (s *Set) DropWhere(drop func(Observation) bool) {
	s.Contained, s.Excluded = slices.DeleteFunc(s.Contained, drop), slices.DeleteFunc(s.Excluded, drop)
}

// findConflictOfThree returns three observations that cannot all be true, although any two of them can. If there are no
// such observations, it returns nil. For example, a sheet cannot be at least 1000 long and at least 700 wide if it
// does not hold a blank of 900 x 600.
func (s *Set) findConflictOfThree() []Observation {
	if !s.isCorner || len(s.Contained) < 2 {
		return nil
	}
	corner := s.Corner()
	for _, excluded := range slices.Backward(s.Excluded) {
		if !Inside(excluded.At, corner) {
			continue
		}
		// The corner is at least as large as the excluded size on both sides. For each side, find the newest
		// observation for which that is true.
		triple := []Observation{excluded}
		for side := range Sides {
			newest := len(s.Contained) - 1
			for s.Contained[newest].At[side] < excluded.At[side] {
				newest--
			}
			triple = append(triple, s.Contained[newest])
		}
		return triple
	}
	return nil
}

// Corner returns the lower bound of the set: the smallest point such that Smallest and all points in Contained are
// inside it.
func (s *Set) Corner() exact.Point {
	corner := s.Smallest
	for i := range s.Contained {
		corner = Join(corner, s.Contained[i].At)
	}
	return corner
}

// MayContain looks at all sets that are consistent with the observations. It reports whether some of them contain
// the point, and whether some do not.
func (s *Set) MayContain(at exact.Point) (may, mayNot bool) {
	mayNot = !slices.ContainsFunc(s.Contained, func(o Observation) bool { return Inside(at, o.At) })
	if s.isCorner {
		// If a set contains the point, its corner is at least the join of the point and the lower bound. So the set
		// also contains the join, and no excluded point may be inside the join.
		mayNot = !Inside(at, s.Corner())
		at = Join(at, s.Corner())
	}
	may = Inside(at, s.Largest) && !slices.ContainsFunc(s.Excluded, func(o Observation) bool { return Inside(o.At, at) })
	return may, mayNot
}

// strongestRows returns the rows of the answers that determine the bounds of a limit or a selection. These are the
// rows of the oldest observation in Contained and of the oldest one in Excluded. All newer observations are weaker:
// a newer observation that was at least as strong would have replaced the oldest one.
func (s *Set) strongestRows() (rows []int) {
	for _, observations := range [][]Observation{s.Contained, s.Excluded} {
		if len(observations) > 0 {
			rows = append(rows, observations[0].Row)
		}
	}
	return rows
}
