package exact

import (
	"iter"
	"slices"
	"strings"
)

// A Region is a set of grid points: no points, all points, a half-space, or the intersection (And) or the union
// (Or) of other Regions. It is simplified when it is made, so that code that takes it apart needs to handle few
// cases: an And or Or has at least two parts, and no part is True or False, has the same kind as the whole, or
// is the same half-space as another part. The zero Region is empty.
//
// Regions come from [Condition.Region], [HalfSpace.Region], [AtLeast] and [AboveZero], and are
// joined by [AllOf], [AnyOf] and [Not].
type Region struct {
	kind      Kind
	halfSpace HalfSpace // if kind is Half
	parts     []Region  // if kind is And or Or
}

// Everywhere returns the Region of all grid points.
func Everywhere() Region { return Region{kind: True} }

// Region returns h as a Region.
func (h HalfSpace) Region() Region { return Region{kind: Half, halfSpace: h} }

// AtLeast returns the Region of the points whose coordinate along the axis is at least x.
func AtLeast(axis int, x int64) Region {
	h := HalfSpace{K: x - 1} // for integers, at least x is greater than x-1
	h.A[axis] = 1
	return h.Region()
}

// AtMost returns the Region of the points whose coordinate along the axis is at most x.
func AtMost(axis int, x int64) Region { return Not(AtLeast(axis, x+1)) }

// Kind returns the kind of r. A Region of the kind False is empty.
func (r Region) Kind() Kind { return r.kind }

// HalfSpace returns the half-space of r if its kind is Half. Otherwise it returns the zero HalfSpace.
func (r Region) HalfSpace() HalfSpace { return r.halfSpace }

// Parts returns the Regions that r joins, if its kind is And or Or. Otherwise it returns nil. The caller must
// not change the slice.
func (r Region) Parts() []Region { return r.parts }

// AllOf returns the Region of the points that are in every part. If there are no parts, it contains all
// points.
func AllOf(parts ...Region) Region { return joinRegions(And, parts) }

// AnyOf returns the Region of the points that are in at least one part. If there are no parts, it is empty.
func AnyOf(parts ...Region) Region { return joinRegions(Or, parts) }

// joinRegions joins the parts with And or Or, and simplifies the result. In an And, a True part changes
// nothing and is left out, and a False part makes the whole False; in an Or it is the other way round. Parts
// of the same kind are flattened, so a and (b and c) has three parts. If a half-space occurs twice, one of
// the two is left out.
func joinRegions(kind Kind, parts []Region) Region {
	neutral, deciding := True, False
	if kind == Or {
		neutral, deciding = False, True
	}
	joinedParts := make([]Region, 0, len(parts))
	seen := make(map[HalfSpace]bool)
	for _, part := range parts {
		// The parts of an And or Or are simplified already, so it is enough to flatten one level.
		inner := []Region{part}
		if part.kind == kind {
			inner = part.parts
		}
		for _, r := range inner {
			switch {
			case r.kind == deciding:
				return Region{kind: deciding}
			case r.kind == neutral || r.kind == Half && seen[r.halfSpace]:
			default:
				if r.kind == Half {
					seen[r.halfSpace] = true
				}
				joinedParts = append(joinedParts, r)
			}
		}
	}
	switch len(joinedParts) {
	case 0:
		return Region{kind: neutral}
	case 1:
		return joinedParts[0]
	}
	return Region{kind: kind, parts: joinedParts}
}

// Not returns the Region of the grid points that are not in r. By De Morgan, the complement of an
// And is the Or of the complements of its parts.
func Not(r Region) Region {
	switch r.kind {
	case True:
		return Region{}
	case False:
		return Everywhere()
	case Half:
		return r.halfSpace.Complement().Region()
	}
	// An And becomes an Or of the complements, and an Or becomes an And.
	parts := make([]Region, len(r.parts))
	for i, part := range r.parts {
		parts[i] = Not(part)
	}
	if r.kind == And {
		return AnyOf(parts...)
	}
	return AllOf(parts...)
}

// Shift returns r moved by d along the axis: if r contains p, the result contains p moved by d.
func (r Region) Shift(axis int, d int64) Region {
	if r.kind == Half {
		// A·(p - d) > K is A·p > K + A·d. For example, w > 5 moved by 2 is w > 7.
		r.halfSpace.K += r.halfSpace.A[axis] * d
		return r
	}
	// Make new parts: other Regions may share those of r. True and False have none, and stay the same.
	parts := make([]Region, len(r.parts))
	for i, part := range r.parts {
		parts[i] = part.Shift(axis, d)
	}
	r.parts = parts
	return r
}

// Contains reports whether p is in r. It evaluates the parts one by one, which is slower than a check by an
// engine.
func (r Region) Contains(p Point) bool {
	switch r.kind {
	case Half:
		return r.halfSpace.Contains(p)
	case And, Or:
		// A part that does not contain p decides an And, and one that contains it decides an Or.
		for _, part := range r.parts {
			if part.Contains(p) != (r.kind == And) {
				return r.kind == Or
			}
		}
		return r.kind == And
	}
	return r.kind == True
}

// HalfSpaces yields the half-spaces of r from left to right. A half-space that occurs in several parts is
// yielded once for each of them.
func (r Region) HalfSpaces() iter.Seq[HalfSpace] {
	return func(yield func(HalfSpace) bool) { r.eachHalfSpace(yield) }
}

func (r Region) eachHalfSpace(yield func(HalfSpace) bool) bool {
	if r.kind == Half {
		return yield(r.halfSpace)
	}
	for _, part := range r.parts {
		if !part.eachHalfSpace(yield) {
			return false
		}
	}
	return true
}

// Size returns the number of half-spaces that HalfSpaces yields.
func (r Region) Size() int {
	n := 0
	for range r.HalfSpaces() {
		n++
	}
	return n
}

// Equal reports whether r and s have the same structure and numbers. Equal Regions contain the same points,
// but Regions that contain the same points need not be Equal.
func (r Region) Equal(s Region) bool {
	return r.kind == s.kind && r.halfSpace == s.halfSpace && slices.EqualFunc(r.parts, s.parts, Region.Equal)
}

// String returns the inequalities on one line, for tests and messages.
func (r Region) String() string {
	switch r.kind {
	case True:
		return "true"
	case False:
		return "false"
	case Half:
		return r.halfSpace.String()
	}
	parts := make([]string, len(r.parts))
	for i, part := range r.parts {
		parts[i] = part.String()
	}
	return joinRegionTexts(r.kind, parts)
}

func joinRegionTexts(kind Kind, parts []string) string {
	word := " and "
	if kind == Or {
		word = " or "
	}
	return "(" + strings.Join(parts, word) + ")"
}
