package learn

import (
	"cmp"
	"slices"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// An unknown keeps what is known of one thing that the service does not publish, as a set of
// points that has with each point all those inside it:
//
//	a limit         the values up to it, as the first coordinate
//	a constraint    one point where it is selected, else none
//	a sheet         the sizes that it holds, the longer side first
//	what fits       the boxes that do, where the blank is not known
//
// All but the last are the points inside one corner. Of the facts it keeps those that no newer one
// implies: weaker ones that are newer than the strongest count once that is forgotten.
type unknown struct {
	what       string      // as in a Fact
	code       string      // of a sheet
	cornered   bool        // whether the points are those inside one corner
	from, to   exact.Point // what is assumed: the least corner and the greatest
	step       int64       // of corners
	has, lacks []mark      // from the oldest to the newest
	bare       *unknown    // of a sheet for which formulas were chosen, the same without them; else nil

	last    *Contradiction
	clashes int // how many there were
}

// A mark says that an unknown has a point, or lacks it.
type mark struct {
	at    exact.Point
	asked int64 // of a limit, the dimension of the box
	evidence
}

// evidence names the answer that a fact rests on.
type evidence struct {
	seq, row int
	date     time.Time
	material string
	code     boxrules.Code // of the answer, if the rules do not have it
}

// The coordinates of a sheet, and of the least sheet that holds a blank.
const (
	long = iota
	short
	sides
)

func bySeq(a, b mark) int { return cmp.Compare(a.seq, b.seq) }

// inside reports whether no coordinate of p is greater than that of q.
func inside(p, q exact.Point) bool { return p[0] <= q[0] && p[1] <= q[1] && p[2] <= q[2] }

// join returns the least point that both are inside of.
func join(p, q exact.Point) exact.Point {
	return exact.Point{max(p[0], q[0]), max(p[1], q[1]), max(p[2], q[2])}
}

// selection is the point that the set of a selected constraint has.
var selection = exact.Point{1}

// clone returns a copy that learns alone.
func (u *unknown) clone() *unknown {
	own := *u
	own.has, own.lacks = slices.Clone(u.has), slices.Clone(u.lacks)
	if u.bare != nil {
		own.bare = u.bare.clone()
	}
	return &own
}

// impossible reports whether nothing that is assumed explains that the set has the point, or lacks
// it.
func (u *unknown) impossible(at exact.Point, has bool) bool {
	return has && !inside(at, u.to) || !has && inside(at, u.from)
}

// learn adds that the set has the point of the newest mark, or lacks it. It returns the sets of
// older marks that contradict it, from the oldest to the newest: of one, or of two where one alone
// does not. It forgets as little as it must: the oldest answers. What is assumed is not added.
func (u *unknown) learn(m mark, has bool) (sets [][]mark) {
	if u.impossible(m.at, !has) {
		return nil
	}
	same, other := &u.has, &u.lacks
	if !has {
		same, other = other, same
	}
	follows := func(o mark) bool { return has && inside(o.at, m.at) || !has && inside(m.at, o.at) }
	for _, o := range slices.Backward(*other) {
		if follows(o) {
			sets = append(sets, []mark{o})
			u.forget(o)
			break
		}
	}
	*same = append(slices.DeleteFunc(*same, follows), m)
	for torn := u.torn(); torn != nil; torn = u.torn() {
		slices.SortFunc(torn, bySeq)
		sets = append(sets, torn[:2])
		u.forget(torn[0])
	}
	return sets
}

// forget takes out all marks up to one.
func (u *unknown) forget(last mark) {
	old := func(o mark) bool { return o.seq <= last.seq }
	u.has, u.lacks = slices.DeleteFunc(u.has, old), slices.DeleteFunc(u.lacks, old)
}

// torn returns three marks that contradict each other, where no two do: a sheet is so long, and so
// wide, but not both. It returns nil where there are none.
func (u *unknown) torn() []mark {
	if !u.cornered || len(u.has) < 2 {
		return nil
	}
	corner := u.corner()
	for _, e := range slices.Backward(u.lacks) {
		if !inside(e.at, corner) {
			continue
		}
		three := []mark{e}
		for axis := range sides {
			newest := len(u.has) - 1
			for u.has[newest].at[axis] < e.at[axis] {
				newest--
			}
			three = append(three, u.has[newest])
		}
		return three
	}
	return nil
}

// open reports whether it is not known if a constraint is selected, selected that it is.
func (u *unknown) open() bool     { return len(u.has)+len(u.lacks) == 0 }
func (u *unknown) selected() bool { return len(u.has) > 0 }

// top returns the mark with the greatest coordinate along the axis that the set has, if any.
func (u *unknown) top(axis int) (m mark) {
	for _, o := range u.has {
		if o.at[axis] > m.at[axis] {
			m = o
		}
	}
	return m
}

// corner returns the least corner that the set may have.
func (u *unknown) corner() exact.Point {
	c := u.from
	for i := range u.has {
		c = join(c, u.has[i].at)
	}
	return c
}

// largest returns a corner that contains every one that is possible.
func (u *unknown) largest() exact.Point {
	c, least := u.to, u.corner()
	for _, e := range u.lacks {
		for axis := range sides {
			// Where the other side reaches that of e, this one must not.
			if other := 1 - axis; e.at[other] <= least[other] {
				c[axis] = min(c[axis], e.at[axis]-u.step)
			}
		}
	}
	c[short] = min(c[short], c[long])
	return c
}

// rows returns the answers that the ends of a limit rest on, or the selection of a constraint. Of
// each kind of mark the oldest is the strongest.
func (u *unknown) rows() (rows []int) {
	for _, marks := range [][]mark{u.has, u.lacks} {
		if len(marks) > 0 {
			rows = append(rows, marks[0].row)
		}
	}
	return rows
}

// least and greatest return the ends of the values that a limit may have.
func (u *unknown) least() int64 {
	if len(u.has) == 0 {
		return u.from[0]
	}
	return u.has[0].at[0]
}

func (u *unknown) greatest() int64 {
	if len(u.lacks) == 0 {
		return u.to[0]
	}
	return u.lacks[0].at[0] - u.step
}

// possible reports whether the set may have the point, as far as is known, and whether it may lack
// it.
func (u *unknown) possible(at exact.Point) (has, lacks bool) {
	lacks = !slices.ContainsFunc(u.has, func(o mark) bool { return inside(at, o.at) })
	if u.cornered {
		lacks = !inside(at, u.corner())
		at = join(at, u.corner())
	}
	has = inside(at, u.to) && !slices.ContainsFunc(u.lacks, func(o mark) bool { return inside(o.at, at) })
	return has, lacks
}

// told returns the row that says whether a box fits, and 0 where none does.
func (u *unknown) told(box exact.Point) (row int, fits bool) {
	for _, o := range u.has {
		if inside(box, o.at) {
			return o.row, true
		}
	}
	for _, o := range u.lacks {
		if inside(o.at, box) {
			return o.row, false
		}
	}
	return 0, false
}

// minimal returns the points that the set lacks without those that follow from another, by their
// first coordinate.
func (u *unknown) minimal() []mark {
	kept := slices.DeleteFunc(slices.Clone(u.lacks), func(m mark) bool {
		return slices.ContainsFunc(u.lacks, func(o mark) bool { return o.at != m.at && inside(o.at, m.at) })
	})
	slices.SortFunc(kept, func(a, b mark) int { return cmp.Compare(a.at[0], b.at[0]) })
	return kept
}
