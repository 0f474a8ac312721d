package polytope

import (
	"slices"

	"example.com/boxrules/exact"
)

// A cellSearch holds the state of one call of Cells.
type cellSearch struct {
	Search
	visit     func(Polytope) bool
	remaining int // the work that this search may still do
}

// spend takes work from the remaining work, and reports whether any remains.
func (c *cellSearch) spend(work int) bool {
	c.remaining -= work
	c.Budget.Spend(work)
	return !c.spent()
}

func (c *cellSearch) spent() bool { return c.remaining <= 0 || c.Budget.Spent() }

// clip rounds the half-space h to Step, and returns the part of p in it. Rounding h loses no points whose
// coordinates are multiples of Step.
func (c *cellSearch) clip(p Polytope, h exact.HalfSpace) Polytope {
	c.spend(p.workToClassify())
	cut := p.Clip(c.roundedToStep(h))
	if len(cut.faces) > len(p.faces) {
		c.spend(p.workToCut())
	}
	return cut
}

// roundedToStep returns the smallest half-space with the same A that contains the same multiples of Step as h.
// If Step is 1000, w > 5300 becomes w > 5999. No multiple of Step is lost: if all coordinates are multiples of
// Step, so is A·p.
func (c *cellSearch) roundedToStep(h exact.HalfSpace) exact.HalfSpace {
	h.K = latticeFloor(h.K, c.Step) + c.Step - 1
	return h
}

// visitCells visits the part of the domain in which every condition holds, and at least one part of every
// disjunction. Each disjunction is given as a list of its parts.
func (c *cellSearch) visitCells(domain Polytope, conditions []exact.Region, disjunctions [][]exact.Region) bool {
	if domain.Empty() {
		return true
	}
	if !c.spend(len(conditions) + len(disjunctions)) {
		return false
	}
	// First intersect the domain with every half-space that has to hold. That is cheap, and in a smaller domain many
	// disjunctions are already decided. The parts of a conjunction all have to hold, so they become conditions of their
	// own. Disjunctions are only collected.
	pending := slices.Clone(conditions)
	var openDisjunctions [][]exact.Region
	for len(pending) > 0 {
		condition := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		switch condition.Kind() {
		case exact.False:
			return true // there is nothing to visit, which is not a reason to stop the search
		case exact.Half:
			if domain = c.clip(domain, condition.HalfSpace()); domain.Empty() {
				return true
			}
			if c.spent() {
				return false
			}
		case exact.And:
			pending = append(pending, condition.Parts()...)
		case exact.Or:
			openDisjunctions = append(openDisjunctions, condition.Parts())
		}
	}
	for _, parts := range slices.Backward(disjunctions) {
		openDisjunctions = append(openDisjunctions, parts)
	}
	return c.branch(domain, openDisjunctions)
}

// branch visits the part of the domain in which at least one part of every disjunction holds. It first looks
// for a disjunction with a single possible part. That part has to hold, so no branching is necessary. If
// there is no such disjunction, branch tries the parts of the shortest one, each in the part of the domain
// that is outside the earlier parts.
func (c *cellSearch) branch(domain Polytope, disjunctions [][]exact.Region) bool {
	var undecided [][]exact.Region // disjunctions that hold for some boxes of the domain and not for others
	fewest := -1                   // the index of the one with the fewest parts
	for i, parts := range disjunctions {
		parts, holds := c.possibleParts(domain, parts)
		switch {
		case c.spent():
			return false
		case holds:
			continue // this disjunction holds everywhere in the domain
		case len(parts) == 0:
			return true // no point of the domain meets this disjunction
		case len(parts) == 1:
			// The only possible part has to hold. Intersect the domain with it, and look at all disjunctions again,
			// because the smaller domain may decide more of them.
			return c.visitCells(domain, parts, append(undecided, disjunctions[i+1:]...))
		}
		undecided = append(undecided, parts)
		if fewest < 0 || len(parts) < len(undecided[fewest]) {
			fewest = len(undecided) - 1
		}
	}
	if fewest < 0 {
		return c.visit(domain) // every disjunction holds everywhere in the domain
	}
	parts := undecided[fewest]
	others := append(undecided[:fewest:fewest], undecided[fewest+1:]...)
	// For "w > 5 or d > 5", the first branch is w > 5. The second is d > 5 with w <= 5, so that no box is
	// visited twice. Only half-spaces are complemented: the complement of a conjunction would be one more
	// disjunction to branch over. Without it some boxes are visited twice, which does no harm.
	var outside []exact.Region // the complements of the parts visited so far
	for _, part := range parts {
		if !c.visitCells(domain, append(outside[:len(outside):len(outside)], part), others) {
			return false
		}
		if part.Kind() == exact.Half {
			outside = append(outside, exact.Not(part))
		}
	}
	return true
}

// possibleParts returns the parts of a disjunction that hold somewhere in the domain. If one of them holds
// everywhere, it returns true and no parts. If the work budget runs out, it returns the parts found so far,
// and c.spent() is true.
func (c *cellSearch) possibleParts(domain Polytope, parts []exact.Region) (possible []exact.Region, holds bool) {
	for _, part := range parts {
		if !c.spend(domain.workToClassify()) {
			break
		}
		switch part.Kind() {
		case exact.True:
			return nil, true
		case exact.Half:
			if !domain.Meets(c.roundedToStep(part.HalfSpace()).Complement()) {
				return nil, true
			}
			if domain.Meets(c.roundedToStep(part.HalfSpace())) {
				possible = append(possible, part)
			}
		case exact.And:
			// A conjunction is possible unless its half-spaces cut off the whole domain. If none of them
			// cuts anything off, no face is added, and the conjunction holds everywhere. Parts that are
			// disjunctions are ignored here, so an impossible conjunction may be kept.
			cut, onlyHalfSpaces := domain, true
			for _, inner := range part.Parts() {
				if inner.Kind() != exact.Half {
					onlyHalfSpaces = false
					continue
				}
				if cut = c.clip(cut, inner.HalfSpace()); cut.Empty() || c.spent() {
					break
				}
			}
			if onlyHalfSpaces && len(cut.faces) == len(domain.faces) {
				return nil, true
			}
			if !cut.Empty() {
				possible = append(possible, part)
			}
		}
	}
	return possible, false
}
