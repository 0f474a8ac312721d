package main

import (
	"errors"
	"fmt"
	"log"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// An outcome is the result of trying a mutant.
type outcome uint8

const (
	survivor               outcome = iota // no case notices it, but a case with another box might
	refused                               // the language does not accept the condition
	killed                                // a case notices it
	equivalent                            // proved to be equivalent for all boxes with positive dimensions, in every article that has the rule
	equivalentWithinLimits                // proved to be equivalent for all boxes within the limits of every article that has the rule
)

var outcomeNames = [...]string{"survivor", "refused", "killed", "equivalent", "equivalent within limits"}

// A mutant is the condition of a rule after one change, with its outcome.
type mutant struct {
	code     boxrules.Code
	change   string
	when     string
	outcome  outcome
	evidence string // the case that kills it, a box that would kill it, or the reason why no such box is known
}

// tryMutants returns the mutants of a rule with their outcomes.
func tryMutants(suites []suite, rule boxrules.Rule) (mutants []*mutant) {
	e, _ := expression.Condition(rule.When) // cannot fail, because LoadRules has accepted the condition
	for _, m := range mutations(e.Root()) {
		mutants = append(mutants, &mutant{code: rule.Code, change: m.change, when: m.root.String(), evidence: "no article has the rule"})
	}
	var trials []*trial
	for _, s := range suites {
		t := newTrial(s, rule, mutants)
		t.runCases()
		trials = append(trials, t)
	}
	for i, m := range mutants {
		for _, t := range trials {
			// A mutant survives if it survives in any suite. It is equivalent only if it is equivalent in all
			// suites.
			if m.outcome == killed || m.outcome == refused || !t.proveOrSurvive(i) {
				break
			}
		}
	}
	return mutants
}

// A trial tries the mutants of one rule with one suite.
type trial struct {
	suite
	rule     boxrules.Rule
	mutants  []*mutant
	profiles []profile
}

// A profile holds the conditions of the rule and of its mutants for one article in one material. The regions of refused
// mutants are empty.
type profile struct {
	exact.Form
	original exact.Region
	mutants  []exact.Region
}

// newTrial compiles the mutants with the limits of the suite. It marks a mutant that does not compile as refused.
func newTrial(s suite, rule boxrules.Rule, mutants []*mutant) *trial {
	t := &trial{suite: s, rule: rule, mutants: mutants}
	catalogue := s.engine.Catalogue()
	articles := catalogue.Articles()
	for i := range articles {
		// The engine for the mutants does not have the constraints, so they cannot be selected.
		articles[i].Constraints = nil
	}
	engine := t.compileMutants(catalogue.Completed(articles, catalogue.Materials()))
	for _, original := range s.engine.Profiles() {
		// Skip articles to which the rule does not apply, because they cannot show a difference.
		i := slices.IndexFunc(original.Rules(), func(r boxrules.Rule) bool { return r.Code == rule.Code })
		if i < 0 {
			continue
		}
		form := original.Exact()
		p := profile{form, form.Conditions[i].Region(), make([]exact.Region, len(mutants))}
		compiled := must(engine.Profile(form.Article, form.Material))
		for j, c := range compiled.Exact().Conditions {
			p.mutants[mutantIndex(string(compiled.Rules()[j].Code))] = c.Region()
		}
		t.profiles = append(t.profiles, p)
	}
	return t
}

// compileMutants returns an engine in which each mutant is a rule. All mutants are in the size stage, so that they
// apply to every article. Whenever compiling fails, it marks the mutants with errors as refused, and tries again.
func (t *trial) compileMutants(catalogue *limits.Catalogue) *boxrules.Engine {
	for {
		text := "version: 1\nunit: " + catalogue.Unit() + "\nsize:\n"
		for i, m := range t.mutants {
			if m.outcome != refused {
				text += fmt.Sprintf("  - {code: MUTANT_%04d, when: '%s', message: m}\n", i, m.when)
			}
		}
		var engine *boxrules.Engine
		rules, err := boxrules.LoadRules("mutants", []byte(text))
		if err == nil {
			engine, err = boxrules.New(rules, catalogue)
		}
		if err == nil {
			return engine
		}
		var problems source.Errors
		if !errors.As(err, &problems) {
			log.Fatal(err)
		}
		// Leave out the mutants with errors and try again. These errors may have hidden errors in other mutants.
		for _, problem := range problems {
			t.mutants[mutantIndex(problem.Rule)].outcome = refused
		}
	}
}

// runCases runs the cases, and marks the mutants that they kill. The rules in a file do not depend on each other,
// so the codes of a box change if and only if the changed condition gives a different result for the box.
func (t *trial) runCases() {
	for n, c := range t.cases {
		box := c.Box()
		i := slices.IndexFunc(t.profiles, func(p profile) bool { return p.Article == box.Article && p.Material == box.Material })
		if i < 0 || c.Verdict == nil {
			continue
		}
		at, _ := box.Grid()
		holds := t.profiles[i].original.Contains(at)
		for k, m := range t.mutants {
			if m.outcome == survivor && t.profiles[i].mutants[k].Contains(at) != holds {
				m.outcome, m.evidence = killed, fmt.Sprintf("%s case %d", t.name, n+1)
			}
		}
	}
}

// proveOrSurvive sets the outcome of mutant i, which no case kills. In every article and material that has the
// rule, it searches for a box for which the mutant and the original give different results. If there is no such
// box, the mutant is equivalent, and proveOrSurvive returns true. Otherwise the mutant is a survivor.
func (t *trial) proveOrSurvive(i int) bool {
	m := t.mutants[i]
	for _, p := range t.profiles {
		proved := equivalent
		// Try to prove that the two are equivalent for all boxes with positive dimensions. If they are not, try the
		// boxes within the limits.
		at, answer := findDifferingBox(polytope.Sized, p.original, p.mutants[i])
		if answer != polytope.Nothing && t.rule.Stage != boxrules.Boundary {
			// Outside the limits, a boundary rule comes first. So a difference there cannot change the first code.
			at, answer = findDifferingBox(polytope.Cuboid(p.Low, p.High), p.original, p.mutants[i])
			proved = equivalentWithinLimits
		}
		if answer == polytope.Nothing {
			m.outcome = max(m.outcome, proved) // equivalentWithinLimits is the weaker result and the greater constant
			continue
		}
		m.outcome, m.evidence = survivor, "the search for such a box stopped before it was complete"
		if answer == polytope.Something {
			m.evidence = fmt.Sprintf("a case with %+v would kill it", boxrules.Box{Article: p.Article, Material: p.Material, Dims: boxrules.DimsAt(at)})
		}
		return false
	}
	return true
}

// findDifferingBox returns a box in the domain for which one of the conditions holds and the other does not. It prefers
// a box with round dimensions.
func findDifferingBox(domain polytope.Polytope, a, b exact.Region) (exact.Point, polytope.Answer) {
	search := polytope.Search{Step: 1} // without a budget, each search has only its own work limit
	at, onlyA := search.Roundest(domain, a, exact.Not(b))
	if onlyA == polytope.Something {
		return at, onlyA
	}
	at, onlyB := search.Roundest(domain, b, exact.Not(a))
	if onlyB == polytope.Nothing {
		return at, onlyA // onlyA is Nothing or Undecided
	}
	return at, onlyB
}
