package program

import (
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// simplifyInOrder simplifies the conditions. For every box in the domain, the first condition that holds
// stays the same. Half-spaces that contain all of these boxes or none of them are dropped. A condition
// matters only for boxes for which no earlier one holds: after "w > 9", "w < 12 and d > 3" becomes "d > 3".
func simplifyInOrder(domain polytope.Polytope, conditions []exact.Region) []exact.Region {
	simplified := make([]exact.Region, len(conditions))
	for i, c := range conditions {
		simplified[i] = simplify(domain, c)
		// Later conditions matter only if this one does not hold, so intersect the domain with its complement. The
		// complement of an And is not convex. Then the domain stays larger than it has to be.
		switch {
		case simplified[i].Kind() == exact.True:
			return simplified // the later conditions are never reached, and stay False
		case simplified[i].Kind() == exact.Half:
			domain = domain.Clip(simplified[i].HalfSpace().Complement())
		case simplified[i].Kind() == exact.Or:
			// An Or does not hold if none of its parts holds. Again, only the complements of half-spaces are
			// convex.
			for _, part := range simplified[i].Parts() {
				if part.Kind() == exact.Half {
					domain = domain.Clip(part.HalfSpace().Complement())
				}
			}
		}
	}
	return simplified
}

// simplify returns c without the half-spaces that contain all points of the domain, or none of them.
func simplify(domain polytope.Polytope, c exact.Region) exact.Region {
	switch c.Kind() {
	case exact.Half:
		switch {
		// No point of the domain is in the half-space, so c is False there.
		case !domain.Meets(c.HalfSpace()):
			return exact.Region{}
		// All points are in it.
		case !domain.Meets(c.HalfSpace().Complement()):
			return exact.Everywhere()
		}
	case exact.And, exact.Or:
		parts := make([]exact.Region, len(c.Parts()))
		for i, part := range c.Parts() {
			parts[i] = simplify(domain, part)
		}
		if c.Kind() == exact.And {
			return exact.AllOf(parts...)
		}
		return exact.AnyOf(parts...)
	}
	return c
}
