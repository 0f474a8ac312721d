// Package state keeps what answers have shown about the things that a service does not publish: limits, which
// constraints an article selects, sheets, and which boxes fit a sheet.
//
// For each of them there is a version space: the set of all values that agree with the answers so far. A version
// space has a lower bound, which every consistent value reaches, and an upper bound, which none exceeds. An
// informative answer raises the lower bound, or lowers the upper bound. For example, if a maximum width is known
// to be between 100 and 400, and a box of width 250 is accepted, then it is between 250 and 400.
package state

import (
	"cmp"
	"slices"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// Evidence identifies the answer from which an observation follows.
type Evidence struct {
	Seq      int // numbers the answers, from the oldest to the newest
	Row      int // the number by which reports refer to the answer
	Date     time.Time
	Material string
	Code     boxrules.Code // the code of the answer if it is not in the rules, otherwise empty
}

// An Observation says that a Set contains the point At, or that it does not. Which of the two it is depends on
// whether the Set has it in Contained or in Excluded.
type Observation struct {
	At    exact.Point
	Asked int64 // for a limit, the dimension of the box before it was rounded to the step for At
	Evidence
}

// BySeq compares observations by age, the oldest first.
func BySeq(a, b Observation) int { return cmp.Compare(a.Seq, b.Seq) }

// Inside reports whether no coordinate of p is greater than that of q.
func Inside(p, q exact.Point) bool { return p[0] <= q[0] && p[1] <= q[1] && p[2] <= q[2] }

// Join returns the smallest point that is at least as great as p and q in every coordinate.
func Join(p, q exact.Point) exact.Point {
	return exact.Point{max(p[0], q[0]), max(p[1], q[1]), max(p[2], q[2])}
}

// A Set is what is known about a set of points. The set itself is downward closed: if it contains a point, it
// also contains all points inside that point. A limit of 400, for example, is the set of the lengths up to 400,
// and a sheet of 1000 x 700 is the set of the sizes of blanks that it holds.
//
// Contained and Excluded hold observations from the oldest to the newest. Those that a newer one implies are
// dropped. Those that an older one implies are kept, because the older one may be forgotten. If row 2 shows that
// the set contains 350, and row 9 that it contains 300, both are kept. If row 2 is forgotten later, because
// answers contradict it, 300 is still known.
type Set struct {
	Contained, Excluded []Observation
	// Smallest and Largest are assumptions: the set contains Smallest, and all its points are inside Largest.
	Smallest, Largest exact.Point
	// isCorner is true if the set consists of all points inside one point, its corner. That is so for all
	// unknowns except a Fitting.
	isCorner bool
	Step     int64 // the coordinates of the corner are multiples of Step
}

func (s *Set) clone() Set {
	copied := *s
	copied.Contained, copied.Excluded = slices.Clone(s.Contained), slices.Clone(s.Excluded)
	return copied
}

// Unexplained reports whether the assumptions alone rule out an observation: that the set contains the point,
// or, if contains is false, that it does not contain it.
func (s *Set) Unexplained(at exact.Point, contains bool) bool {
	return contains && !Inside(at, s.Largest) || !contains && Inside(at, s.Smallest)
}

// Observe records the newest observation: that the set contains its point, or that it does not. An observation
// that follows from the assumptions is not recorded.
//
// If older observations contradict it, Observe drops the oldest observations, but as few as possible, so that the
// rest are consistent. It returns the conflicts, each with its observations from the oldest to the newest. If a
// conflict has a single observation, that one contradicts o by itself. If it has two, they contradict o only
// together (see conflictOfThree).
//
// Take a set that contains 350 (row 1) and 300 (row 2), and a row 3 that shows that it does not contain 320.
// That contradicts row 1, which is dropped and returned. Row 2 remains.
func (s *Set) Observe(o Observation, contains bool) (conflicts [][]Observation) {
	if s.Unexplained(o.At, !contains) {
		return nil
	}
	same, opposite := &s.Contained, &s.Excluded
	if !contains {
		same, opposite = opposite, same
	}
	// The set contains everything inside a point that it contains, and nothing beyond a point that it does not
	// contain. So covers reports two things: for an older observation of the same kind, that o implies it, and
	// for one of the opposite kind, that o contradicts it.
	covers := func(older Observation) bool {
		return contains && Inside(older.At, o.At) || !contains && Inside(o.At, older.At)
	}
	// The newest observation that contradicts o is forgotten together with all older ones, so the loop can stop
	// there.
	for _, older := range slices.Backward(*opposite) {
		if covers(older) {
			conflicts = append(conflicts, []Observation{older})
			s.Forget(older)
			break
		}
	}
	*same = append(slices.DeleteFunc(*same, covers), o)
	for triple := s.conflictOfThree(); triple != nil; triple = s.conflictOfThree() {
		slices.SortFunc(triple, BySeq)
		conflicts = append(conflicts, triple[:2]) // the third is o, the newest
		s.Forget(triple[0])
	}
	return conflicts
}

// Forget drops an observation and all older ones. If the service has changed, the older ones are out of date,
// too.
func (s *Set) Forget(last Observation) {
	s.DropWhere(func(o Observation) bool { return o.Seq <= last.Seq })
}

// DropWhere drops the observations for which drop returns true.
func (s *Set) DropWhere(drop func(Observation) bool) {
	s.Contained, s.Excluded = slices.DeleteFunc(s.Contained, drop), slices.DeleteFunc(s.Excluded, drop)
}

// conflictOfThree returns three observations that cannot all be true although any two of them can, or nil if
// there are none. An example is that a sheet is at least 1000 long, that it is at least 700 wide, and that it
// does not hold 900 x 600.
func (s *Set) conflictOfThree() []Observation {
	if !s.isCorner || len(s.Contained) < 2 {
		return nil
	}
	corner := s.Corner()
	for _, excluded := range slices.Backward(s.Excluded) {
		if !Inside(excluded.At, corner) {
			continue
		}
		// The corner reaches the excluded size on both sides. For each side take the newest observation that
		// reaches it.
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

// Corner returns the lower bound: the smallest corner of a set that contains everything in Contained.
func (s *Set) Corner() exact.Point {
	corner := s.Smallest
	for i := range s.Contained {
		corner = Join(corner, s.Contained[i].At)
	}
	return corner
}

// MayContain reports whether some set that is consistent with the observations contains the point, and
// whether some such set does not contain it.
func (s *Set) MayContain(at exact.Point) (may, mayNot bool) {
	mayNot = !slices.ContainsFunc(s.Contained, func(o Observation) bool { return Inside(at, o.At) })
	if s.isCorner {
		// If such a set contains the point, its corner is at least the join of the point and the lower
		// bound. So the set contains the join, too, and no excluded point may be inside that.
		mayNot = !Inside(at, s.Corner())
		at = Join(at, s.Corner())
	}
	may = Inside(at, s.Largest) && !slices.ContainsFunc(s.Excluded, func(o Observation) bool { return Inside(o.At, at) })
	return may, mayNot
}

// strongestRows returns the rows of the observations from which the bounds of a limit or a selection follow.
// These are the oldest in Contained and the oldest in Excluded: a newer one is weaker, because a stronger one
// would have replaced the older one.
func (s *Set) strongestRows() (rows []int) {
	for _, observations := range [][]Observation{s.Contained, s.Excluded} {
		if len(observations) > 0 {
			rows = append(rows, observations[0].Row)
		}
	}
	return rows
}
