package main

import (
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/internal/linear"
)

// border adds boxes around the border of every half-space of the profile's rules of the stage: up to count points
// on it, each with a thousandth less and more of every dimension that the half-space mentions.
func (s *suite) border(p *boxrules.Profile, stage boxrules.Stage, count int) {
	dice := dice(17)
	for i, rule := range p.Rules() {
		if rule.Stage != stage {
			continue
		}
		for _, h := range halfSpaces(p.Conditions()[i], nil) {
			// The last grid points outside and the first ones inside: one of the two is the tie of > or >=.
			for _, level := range []int64{h.K, h.K + 1} {
				for _, at := range points(p, i, h, level, count, &dice) {
					s.neighbours(p, h, at)
				}
			}
		}
	}
}

func (s *suite) neighbours(p *boxrules.Profile, h linear.HalfSpace, at linear.Point) {
	s.askPoint(p.Article(), p.Material(), at)
	for axis := range linear.Axes {
		if h.A[axis] == 0 {
			continue
		}
		for _, step := range []int64{-1, 1} {
			beside := at
			beside[axis] += step
			s.askPoint(p.Article(), p.Material(), beside)
		}
	}
}

// points are grid points with h.A·p = level, the best of those drawn: where the half-space alone decides the rule
// and the rule the verdict, where at least the limits are kept, where the half-space decides the rule, or any.
func points(p *boxrules.Profile, rule int, h linear.HalfSpace, level int64, count int, dice *dice) []linear.Point {
	const draws, ranks = 1500, 4
	rules, conditions := p.Rules(), p.Conditions()
	c := conditions[rule]
	with, without := assume(c, h, true), assume(c, h, false)
	limits := gridLimits(p)
	var found [ranks][]linear.Point
	for range draws {
		at, ok := dice.onPlane(limits, h, level)
		if !ok {
			continue
		}
		rank := ranks - 1
		if with.Holds(at) != without.Holds(at) {
			rank = othersHold(rules, conditions, rule, at)
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

// othersHold is 0 where no other rule holds, 1 where none of the boundary stage does, and 2 elsewhere.
func othersHold(rules []boxrules.Rule, conditions []linear.Condition, rule int, at linear.Point) int {
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

// halfSpaces adds those of the condition to what is known, each once; a complement has the same border.
func halfSpaces(c linear.Condition, known []linear.HalfSpace) []linear.HalfSpace {
	if c.Kind == linear.Half && !slices.Contains(known, c.Half) && !slices.Contains(known, c.Half.Complement()) {
		known = append(known, c.Half)
	}
	for _, part := range c.Parts {
		known = halfSpaces(part, known)
	}
	return known
}

// assume is the condition where a point is known to be inside h, or outside.
func assume(c linear.Condition, h linear.HalfSpace, inside bool) linear.Condition {
	always, never := linear.AllOf(), linear.AnyOf()
	switch c.Kind {
	case linear.Half:
		switch {
		case c.Half != h && c.Half != h.Complement():
			return c
		case (c.Half == h) == inside:
			return always
		}
		return never
	case linear.And, linear.Or:
		parts := make([]linear.Condition, len(c.Parts))
		for i, part := range c.Parts {
			parts[i] = assume(part, h, inside)
		}
		if c.Kind == linear.And {
			return linear.AllOf(parts...)
		}
		return linear.AnyOf(parts...)
	}
	return c
}
