// Package state keeps what answers tell of the things that a service does not publish: of a limit, of
// the selection of a constraint, of a sheet, and of the boxes that fit one.
//
// Each of them is a version space: the set of all values that agree with the answers so far. Such a
// space has a lower bound, which every consistent value reaches, and an upper bound, which none exceeds.
// An answer raises the one or lowers the other.
package state

import (
	"cmp"
	"slices"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// Evidence is the answer that an observation rests on.
type Evidence struct {
	Seq      int // numbers the answers, from the oldest to the newest
	Row      int // the number by which people know the answer
	Date     time.Time
	Material string
	Code     boxrules.Code // of the answer, if the rules do not have it
}

// An Observation says that a Set contains a point, or that it does not.
type Observation struct {
	At    exact.Point
	Asked int64 // of a limit, the dimension of the box
	Evidence
}

// BySeq compares observations by age, the oldest first.
func BySeq(a, b Observation) int { return cmp.Compare(a.Seq, b.Seq) }

// Inside reports whether no coordinate of p is greater than that of q.
func Inside(p, q exact.Point) bool { return p[0] <= q[0] && p[1] <= q[1] && p[2] <= q[2] }

// Join returns the smallest point that both p and q are inside of.
func Join(p, q exact.Point) exact.Point {
	return exact.Point{max(p[0], q[0]), max(p[1], q[1]), max(p[2], q[2])}
}

// A Set is what is known of a set of points. The set is downward closed: with each point it contains
// all points inside it. A limit of 400, for example, is the set of the lengths up to 400, and a sheet of
// 1000 x 700 is the set of the blanks that it holds.
//
// Contained and Excluded are the observations, from the oldest to the newest, that no newer one implies.
// An observation that is weaker than an older one is kept, because it counts once the older one is
// forgotten: that the set contains 300 (row 9) beside that it contains 350 (row 2).
type Set struct {
	Contained, Excluded []Observation
	// Smallest and Largest are assumed: the set contains Smallest, and is inside Largest.
	Smallest, Largest exact.Point
	// isCorner says that the set is all that is inside one point, its corner, as every set is but that of
	// the boxes that fit.
	isCorner bool
	Step     int64 // the corner is a multiple of it
}

func (s *Set) clone() Set {
	copied := *s
	copied.Contained, copied.Excluded = slices.Clone(s.Contained), slices.Clone(s.Excluded)
	return copied
}

// Unexplained reports whether the assumptions alone rule out that the set contains the point, or if
// contains is false, that it does not.
func (s *Set) Unexplained(at exact.Point, contains bool) bool {
	return contains && !Inside(at, s.Largest) || !contains && Inside(at, s.Smallest)
}

// Observe records that the set contains the point of the newest observation, or that it does not. It
// returns the sets of older observations that contradict it, from the oldest to the newest, and drops
// as few observations as possible so that the rest agrees: the oldest ones. A set of one observation
// contradicts o by itself; of two, neither does alone (see conflictOfThree). What the assumptions
// imply anyway is not recorded.
func (s *Set) Observe(o Observation, contains bool) (conflicts [][]Observation) {
	if s.Unexplained(o.At, !contains) {
		return nil
	}
	same, opposite := &s.Contained, &s.Excluded
	if !contains {
		same, opposite = opposite, same
	}
	// Whether o implies an older observation of its kind, or contradicts one of the opposite kind: the
	// set contains everything inside a point that it contains, and nothing beyond one that it does not.
	covers := func(older Observation) bool {
		return contains && Inside(older.At, o.At) || !contains && Inside(o.At, older.At)
	}
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
		conflicts = append(conflicts, triple[:2])
		s.Forget(triple[0])
	}
	return conflicts
}

// Forget drops an observation and all older ones.
func (s *Set) Forget(last Observation) {
	s.DropWhere(func(o Observation) bool { return o.Seq <= last.Seq })
}

// DropWhere drops the observations for which drop returns true.
func (s *Set) DropWhere(drop func(Observation) bool) {
	s.Contained, s.Excluded = slices.DeleteFunc(s.Contained, drop), slices.DeleteFunc(s.Excluded, drop)
}

// conflictOfThree returns three observations that cannot all be true although any two of them can: a
// sheet is at least 1000 long, it is at least 700 wide, and it does not hold 900 x 600. It returns nil if
// there are none.
func (s *Set) conflictOfThree() []Observation {
	if !s.isCorner || len(s.Contained) < 2 {
		return nil
	}
	corner := s.Corner()
	for _, excluded := range slices.Backward(s.Excluded) {
		if !Inside(excluded.At, corner) {
			continue
		}
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

// Corner returns the lower bound: the smallest corner that the set can have.
func (s *Set) Corner() exact.Point {
	corner := s.Smallest
	for i := range s.Contained {
		corner = Join(corner, s.Contained[i].At)
	}
	return corner
}

// MayContain reports whether some set that is consistent with the observations contains the point, and
// whether some does not.
func (s *Set) MayContain(at exact.Point) (may, mayNot bool) {
	mayNot = !slices.ContainsFunc(s.Contained, func(o Observation) bool { return Inside(at, o.At) })
	if s.isCorner {
		// A set with a corner that contains the point contains the join of it and all that it is known to
		// contain.
		mayNot = !Inside(at, s.Corner())
		at = Join(at, s.Corner())
	}
	may = Inside(at, s.Largest) && !slices.ContainsFunc(s.Excluded, func(o Observation) bool { return Inside(o.At, at) })
	return may, mayNot
}

// strongestRows returns the rows of the observations that a limit or a selection rests on. Of each kind
// the oldest is the strongest.
func (s *Set) strongestRows() (rows []int) {
	for _, observations := range [][]Observation{s.Contained, s.Excluded} {
		if len(observations) > 0 {
			rows = append(rows, observations[0].Row)
		}
	}
	return rows
}
