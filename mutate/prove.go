package main

import (
	"math/big"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/internal/linear"
	"example.com/boxrules/limits"
)

// positive are all boxes that have a size.
var positive = linear.Cube(linear.Point{1, 1, 1}, linear.Point{linear.MaxGrid, linear.MaxGrid, linear.MaxGrid})

// prove decides the fate of the mutant of the number, which no case kills. In every article and material that
// has the rule it asks for a box that tells the two conditions apart; that there is none is a proof.
func (j *jury) prove(m *mutant, number int) error {
	m.fate, m.doubt = survivor, "no article has the rule"
	for i, s := range j.suites {
		compared := make(map[place]comparison)
		for _, p := range s.engine.Profiles() {
			at, ok := j.trials[i].places[place{p.Article(), p.Material()}]
			if !ok {
				continue
			}
			c, met := compared[at]
			if !met {
				trial, err := j.engines[i].Profile(at.article, at.material)
				if err != nil {
					return err
				}
				c = compare(trial, number)
				compared[at] = c
			}
			fate, box := c.fate(p, j.rule.Stage)
			if fate == survivor {
				m.fate, m.doubt = survivor, "the search for a box was given up"
				if box != nil {
					var err error
					m.witness, err = witness(s.engine, p, *box)
					return err
				}
				return nil
			}
			m.fate = max(m.fate, fate) // withinLimits is the weaker one, and the greater
		}
	}
	return nil
}

// A comparison is of the original and a mutant in one article of a trial: what tells them apart.
type comparison struct {
	original, mutated linear.Condition
	box               linear.Point
	answer            linear.Answer // among all boxes that have a size
}

func compare(trial *boxrules.Profile, number int) comparison {
	c := comparison{original: condition(trial, 0), mutated: condition(trial, number)}
	c.box, c.answer = difference(positive, c.original, c.mutated)
	return c
}

// fate is what the comparison says of the mutant in an article that it stands for, with a box where one tells them
// apart.
func (c comparison) fate(p *boxrules.Profile, stage boxrules.Stage) (fate, *linear.Point) {
	if c.answer == linear.Nothing {
		return equivalent, nil
	}
	box, answer := c.box, c.answer
	if stage != boxrules.Boundary {
		// Outside the limits the boundary rules come first, and nobody may care what follows.
		box, answer = difference(within(p), c.original, c.mutated)
	}
	switch answer {
	case linear.Nothing:
		return withinLimits, nil
	case linear.Something:
		return survivor, &box
	}
	return survivor, nil
}

// condition is where the rule of the index in a trial holds.
func condition(p *boxrules.Profile, index int) linear.Condition {
	for i, r := range p.Rules() {
		if r.Code == trialCode(index) {
			return p.Conditions()[i]
		}
	}
	panic("mutate: a trial without " + string(trialCode(index)))
}

// difference is a round box of the domain at which one condition holds and the other does not.
func difference(domain linear.Polytope, a, b linear.Condition) (linear.Point, linear.Answer) {
	if a.Equal(b) {
		return linear.Point{}, linear.Nothing
	}
	at, more := linear.Roundest(domain, a, linear.Not(b))
	if more == linear.Something {
		return at, more
	}
	at, less := linear.Roundest(domain, b, linear.Not(a))
	if less == linear.Nothing {
		return at, more // Nothing or Undecided
	}
	return at, less
}

// within are the boxes within the article's limits.
func within(p *boxrules.Profile) linear.Polytope {
	article, _ := p.Entries()
	var low, high linear.Point
	for axis, r := range []limits.Range{article.Width, article.Depth, article.Height} {
		low[axis], high[axis] = -floor(new(big.Rat).Neg(r.Min.Rat())), floor(r.Max.Rat())
	}
	return linear.Cube(low, high)
}

// floor is the last grid point that is not beyond the length.
func floor(r *big.Rat) int64 {
	r.Mul(r, big.NewRat(linear.Scale, 1))
	return new(big.Int).Div(r.Num(), r.Denom()).Int64()
}

// witness is the box as a case, with the codes that the rules as they are report.
func witness(engine *boxrules.Engine, p *boxrules.Profile, at linear.Point) (*conformance.Case, error) {
	c := conformance.Case{
		Article: p.Article(), Material: p.Material(),
		Width:  conformance.Number(float64(at[linear.Width]) / linear.Scale),
		Depth:  conformance.Number(float64(at[linear.Depth]) / linear.Scale),
		Height: conformance.Number(float64(at[linear.Height]) / linear.Scale),
	}
	all, err := engine.CheckAll(c.Box())
	if err != nil {
		return nil, err
	}
	c.Verdict = &conformance.Verdict{Codes: []string{}}
	for _, v := range all {
		c.Codes = append(c.Codes, string(v.Code))
	}
	if len(all) > 0 {
		c.Code = c.Codes[0]
	}
	return &c, nil
}
