package nearest

import (
	"slices"

	"example.com/boxrules/exact"
)

// narrowByConditions adds the pending conditions to a node, narrows its range to the part that they allow, and computes
// the lower bound on the distance of its points. It returns false if no point of the node can meet the conditions, or
// if the effort is used up.
//
// Take the range from 0 to 100 along each axis, and the conditions d <= 3 and "w > 5 or d > 5". The first one narrows
// the depth to 0..3. In that range d > 5 holds nowhere, so w > 5 has to hold, which narrows the width to 6..100. Then
// no disjunction is left.
func (s *nearestSearch) narrowByConditions(n *node) bool {
	n.level++
	// Copy the node's faces and disjunctions to the stacks, because the node shares both with the other nodes
	// that its parent was split into.
	faceStart, disjunctionStart := len(s.faces), len(s.disjunctions)
	s.faces, s.disjunctions = append(s.faces, n.faces...), append(s.disjunctions, n.disjunctions...)
	for {
		// Sort the pending conditions into faces and disjunctions. A conjunction is taken apart, because all
		// of its parts have to hold.
		for len(s.pending) > 0 {
			last := s.pending[len(s.pending)-1]
			s.pending = s.pending[:len(s.pending)-1]
			switch last.Kind() {
			case exact.False:
				return false
			case exact.Half:
				s.faces = append(s.faces, s.inequalityOnGrid(last.HalfSpace()))
			case exact.And:
				s.pending = append(s.pending, last.Parts()...)
			case exact.Or:
				s.disjunctions = append(s.disjunctions, last.Parts())
			}
		}
		// In the narrower range, drop parts of disjunctions that hold nowhere, and disjunctions that hold
		// everywhere. If only one part of a disjunction is possible, it has to hold, and may narrow the
		// range again in the next round.
		n.faces, n.disjunctions = s.faces[faceStart:], s.disjunctions[disjunctionStart:]
		if !s.narrowByInequalities(n) {
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
	// All nodes that this one is split into have smaller ranges. So they do not need the faces that contain
	// the whole range of this node.
	n.faces = slices.DeleteFunc(n.faces, n.alwaysMeets)
	s.faces = s.faces[:faceStart+len(n.faces)]
	return s.remaining >= 0 && s.boundDistance(n)
}

// alwaysMeets reports whether every point of the node is inside the face.
func (n *node) alwaysMeets(f inequality) bool {
	least := int64(0) // the least A·p of any point of the range
	for axis, a := range f.a {
		least += min(a*n.low[axis], a*n.high[axis])
	}
	return least >= f.b
}

// inequalityOnGrid turns a half-space into a face that mentions only the free axes, and rounds it to the step. If
// the width is fixed at 100, w + d > 150 becomes d > 50.
func (s *nearestSearch) inequalityOnGrid(h exact.HalfSpace) inequality {
	f := inequality{h.A, h.K + 1}
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
func (s *nearestSearch) possibleParts(n *node, parts []exact.Region) (remaining []exact.Region, holds bool) {
	from := len(s.parts)
	for _, part := range parts {
		possible, certain := s.evaluate(n, part)
		if certain {
			s.parts = s.parts[:from]
			return nil, true
		}
		if possible {
			s.parts = append(s.parts, part)
		}
	}
	return s.parts[from:], false
}

// evaluate reports whether a condition may hold somewhere in the range of the node, and whether it certainly
// holds everywhere. Each half-space is compared with the range alone. So possible may be true for a
// conjunction that never holds, because its half-spaces exclude each other. certain may be false for a
// disjunction that always holds, such as "w > 5 or w < 8".
func (s *nearestSearch) evaluate(n *node, condition exact.Region) (possible, certain bool) {
	switch condition.Kind() {
	case exact.True:
		return true, true
	case exact.Half:
		s.spend(1)
		// A·p is between least and most for every point of the range.
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

// narrowByInequalities narrows the range of a node to the part that its faces allow, one axis at a time: w + d >=
// 700 and d <= 300 imply w >= 400. It returns false if the range becomes empty, or if the effort is used up.
func (s *nearestSearch) narrowByInequalities(n *node) bool {
	// After one face has narrowed an axis, another face may be able to narrow another axis. That could go on
	// for a great many rounds with less and less effect, so there is a limit. A range that stays too wide
	// does no harm, because the search splits it later.
	const rounds = 8
	for range rounds {
		changed := false
		if !s.spend(len(n.faces)) {
			return false
		}
		for i := range n.faces {
			f := &n.faces[i]
			var least, most exact.Point // the least and the greatest value of each term of a·p
			for axis, a := range f.a {
				least[axis], most[axis] = min(a*n.low[axis], a*n.high[axis]), max(a*n.low[axis], a*n.high[axis])
			}
			// If even the greatest A·p of the range is below the bound, no point is inside the face.
			missing := f.b - most[exact.Width] - most[exact.Depth] - most[exact.Height]
			if missing > 0 {
				return false
			}
			for axis, a := range f.a {
				// This term has to reach the bound even if the other terms are at their maximum. In the
				// example the term w has to reach 700 - 300. Terms with coefficient 0 always do.
				switch bound := missing + most[axis]; {
				case least[axis] >= bound:
					continue
				case a > 0:
					n.low[axis] = ceilToStep(exact.CeilDiv(bound, a), s.Step)
				default:
					n.high[axis] = floorToStep(exact.FloorDiv(-bound, -a), s.Step)
				}
				if n.low[axis] > n.high[axis] {
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
