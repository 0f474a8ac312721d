package main

import (
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
)

// border adds boxes around the border of every half-space of the profile's rules of the stage: up
// to count points on it, each with a thousandth less and more of every dimension that the
// half-space mentions.
func (s *suite) border(p *boxrules.Profile, stage boxrules.Stage, count int) {
	dice := dice(17)
	for i, rule := range p.Rules() {
		if rule.Stage != stage {
			continue
		}
		for _, h := range gen.Faces(p.Exact().Conditions[i].Folded()) {
			// The last grid points outside and the first ones inside: one of the two is the tie of
			// > or >=.
			for _, level := range []int64{h.K, h.K + 1} {
				for _, at := range points(p, i, h, level, count, &dice) {
					s.neighbours(p, h, at)
				}
			}
		}
	}
}

func (s *suite) neighbours(p *boxrules.Profile, h exact.HalfSpace, at exact.Point) {
	s.askPoint(p.Article(), p.Material(), at)
	for axis := range exact.Axes {
		for _, step := range []int64{-1, 1} {
			beside := at
			beside[axis] += step
			if h.A[axis] != 0 {
				s.askPoint(p.Article(), p.Material(), beside)
			}
		}
	}
}

// points are grid points with h.A·p = level, the best of those drawn: where the half-space alone
// decides the rule and the rule the verdict, where at least the limits are kept, where the
// half-space decides the rule, or any.
func points(p *boxrules.Profile, rule int, h exact.HalfSpace, level int64, count int, dice *dice) []exact.Point {
	const draws, ranks = 1500, 4
	rules, form := p.Rules(), p.Exact()
	var found [ranks][]exact.Point
	for range draws {
		at, ok := dice.onPlane(form, h, level)
		if !ok {
			continue
		}
		rank := ranks - 1
		if c := form.Conditions[rule]; holds(c, at, h, true) != holds(c, at, h, false) {
			rank = othersHold(rules, form.Conditions, rule, at)
		}
		if !slices.Contains(found[rank], at) {
			found[rank] = append(found[rank], at)
		}
		if len(found[0]) == count {
			break
		}
	}
	best := slices.Concat(found[:]...)
	return best[:min(count, len(best))]
}

// othersHold is 0 where no other rule holds, 1 where none of the boundary stage does, and 2
// elsewhere.
func othersHold(rules []boxrules.Rule, conditions []exact.Tree, rule int, at exact.Point) int {
	rank := 0
	for i, c := range conditions {
		if i == rule || !c.Holds(at) {
			continue
		}
		if rules[i].Stage == boxrules.Boundary {
			return 2
		}
		rank = 1
	}
	return rank
}

// holds is whether the condition holds at the point, which is taken to be inside h, or outside.
func holds(c exact.Tree, at exact.Point, h exact.HalfSpace, inside bool) bool {
	part := func(c exact.Tree) bool { return holds(c, at, h, inside) }
	switch {
	case c.Kind == exact.Or:
		return slices.ContainsFunc(c.Parts, part)
	case c.Kind == exact.And:
		return !slices.ContainsFunc(c.Parts, func(c exact.Tree) bool { return !part(c) })
	case c.Kind == exact.Half && c.Half == h:
		return inside
	case c.Kind == exact.Half && c.Half == h.Complement():
		return !inside
	}
	return c.Holds(at)
}
