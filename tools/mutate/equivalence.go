package main

import (
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// prove settles the outcome of mutant number so and so, which no case kills. In every article and
// material that has the rule it searches for a box that tells the two conditions apart; where
// there is none that is a proof.
func (b *batch) prove(m *mutant, number int) error {
	m.outcome, m.doubt = survivor, "no article has the rule"
	for _, r := range b.runs {
		var compared []equivalence // many articles have the same two conditions
		for _, p := range r.engine.Profiles() {
			c := equivalence{original: condition(p, 0), mutated: condition(p, number)}
			i := slices.IndexFunc(compared, func(other equivalence) bool {
				return c.original.Equal(other.original) && c.mutated.Equal(other.mutated)
			})
			if i < 0 {
				c.box, c.answer = difference(polytope.Sized, c.original, c.mutated)
				i, compared = len(compared), append(compared, c)
			}
			c = compared[i]
			outcome, box := c.outcome(p, b.rule.Stage)
			if outcome == survivor {
				m.outcome, m.doubt = survivor, "the search for a box was given up"
				if box == nil {
					return nil
				}
				var err error
				m.witness, err = witness(r.suite.engine, p, *box)
				return err
			}
			m.outcome = max(m.outcome, outcome) // withinLimits is the weaker one, and the greater
		}
	}
	return nil
}

// An equivalence compares the original and a mutant in one article of a run.
type equivalence struct {
	original, mutated exact.Tree
	box               exact.Point
	answer            polytope.Answer // among all boxes that have a size
}

// outcome returns what that says of the mutant in an article which the one of the run stands for,
// and a box that tells the two apart, if there is one.
func (c equivalence) outcome(p *boxrules.Profile, stage boxrules.Stage) (outcome, *exact.Point) {
	if c.answer == polytope.Nothing {
		return equivalent, nil
	}
	box, answer := c.box, c.answer
	if stage != boxrules.Boundary {
		// Outside the limits the boundary rules come first, and nobody may care what follows.
		form := p.Exact()
		box, answer = difference(polytope.Cube(form.Low, form.High), c.original, c.mutated)
	}
	switch answer {
	case polytope.Nothing:
		return withinLimits, nil
	case polytope.Something:
		return survivor, &box
	}
	return survivor, nil
}

// condition returns where the rule of the index in a run holds.
func condition(p *boxrules.Profile, index int) exact.Tree {
	i := slices.IndexFunc(p.Rules(), func(r boxrules.Rule) bool { return r.Code == ruleCode(index) })
	return p.Exact().Conditions[i].Folded()
}

// difference returns a round box of the domain at which one condition holds and the other does
// not.
func difference(domain polytope.Polytope, a, b exact.Tree) (exact.Point, polytope.Answer) {
	if a.Equal(b) {
		return exact.Point{}, polytope.Nothing
	}
	var unbounded *polytope.Budget // but for each search alone
	at, more := unbounded.Roundest(domain, a, exact.Not(b))
	if more == polytope.Something {
		return at, more
	}
	at, less := unbounded.Roundest(domain, b, exact.Not(a))
	if less == polytope.Nothing {
		return at, more // Nothing or Undecided
	}
	return at, less
}

// witness returns the box as a case, with the codes that the original rules report.
func witness(engine *boxrules.Engine, p *boxrules.Profile, at exact.Point) (*conformance.Case, error) {
	form, d := p.Exact(), boxrules.DimsAt(at)
	c := conformance.Case{
		Article: form.Article, Material: form.Material,
		Width: conformance.Number(d.Width), Depth: conformance.Number(d.Depth), Height: conformance.Number(d.Height),
	}
	all, err := engine.CheckAll(c.Box())
	if err != nil {
		return nil, err
	}
	right := verdict(all)
	c.Verdict = &right
	return &c, nil
}
