package main

import (
	"errors"
	"fmt"
	"log"
	"slices"
	"strconv"
	"strings"

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
	survivor               outcome = iota // no case notices it, and a case with some other box could
	refused                               // the language does not accept it as a condition
	killed                                // a case notices it
	equivalent                            // proved for all boxes with positive dimensions, in every article that has the rule
	equivalentWithinLimits                // proved for all boxes within the limits of every article that has the rule
)

var outcomeNames = [...]string{"survivor", "refused", "killed", "equivalent", "equivalent within limits"}

// A mutant is a rule's condition with one change, and its outcome.
type mutant struct {
	code     boxrules.Code
	change   string
	when     string
	outcome  outcome
	evidence string // the case that kills it, a box that would kill it, or the reason why none is known
}

// tryMutants returns the mutants of a rule with their outcomes.
func tryMutants(suites []suite, rule boxrules.Rule) (mutants []*mutant) {
	e, _ := expression.Condition(rule.When) // LoadRules has accepted it
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
			// A mutant survives if it survives in one suite. It is equivalent only if it is equivalent in
			// all of them.
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

// A profile has the condition of the rule and the conditions of its mutants, for one article in one
// material. The conditions of refused mutants are empty.
type profile struct {
	exact.Form
	original exact.Region
	mutants  []exact.Region
}

// newTrial compiles the mutants with the suite's limits. Mutants that do not compile are refused.
func newTrial(s suite, rule boxrules.Rule, mutants []*mutant) *trial {
	t := &trial{suite: s, rule: rule, mutants: mutants}
	catalogue := s.engine.Catalogue()
	articles := catalogue.Articles()
	for i := range articles {
		// The engine for the mutants has no other rules, so there is nothing to select.
		articles[i].Constraints = nil
	}
	engine := t.compileMutants(catalogue.Completed(articles, catalogue.Materials()))
	for _, original := range s.engine.Profiles() {
		// Skip articles that do not select the rule, because they cannot show a difference.
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

// compileMutants returns an engine in which each mutant is a rule. All are in the size stage, so that
// they apply to every article. Every failed attempt to compile marks more mutants as refused.
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
		// Leave out the mutants with an error and try again, because an error in one mutant may have
		// hidden an error in another.
		for _, problem := range problems {
			t.mutants[mutantIndex(problem.Rule)].outcome = refused
		}
	}
}

// mutantIndex returns 12 for MUTANT_0012.
func mutantIndex(code string) int {
	return must(strconv.Atoi(strings.TrimPrefix(code, "MUTANT_")))
}

// runCases runs the cases, and marks the mutants that they kill. The rules of a file are independent, so
// the codes of a box change if, and only if, the mutated condition gives another result than the
// original.
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

// proveOrSurvive sets the outcome of mutant i, which no case kills. In every article and material that
// has the rule, it searches for a box for which the mutant and the original differ. If no such box
// exists, the mutant is equivalent and proveOrSurvive returns true. Otherwise the mutant is a survivor.
func (t *trial) proveOrSurvive(i int) bool {
	m := t.mutants[i]
	for _, p := range t.profiles {
		proved := equivalent
		// First try to prove that the two are equivalent for all boxes with positive dimensions, and then
		// only for those within the limits.
		at, answer := findDifferingBox(polytope.Sized, p.original, p.mutants[i])
		if answer != polytope.Nothing && t.rule.Stage != boxrules.Boundary {
			// Outside the limits the boundary rules come first, so a difference there changes only the codes
			// after the first one.
			at, answer = findDifferingBox(polytope.Cuboid(p.Low, p.High), p.original, p.mutants[i])
			proved = equivalentWithinLimits
		}
		if answer == polytope.Nothing {
			m.outcome = max(m.outcome, proved) // equivalentWithinLimits is greater than equivalent, so max keeps the weaker result
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

// findDifferingBox returns a box of the domain, preferably with round dimensions, for which one condition
// holds and the other does not.
func findDifferingBox(domain polytope.Polytope, a, b exact.Region) (exact.Point, polytope.Answer) {
	search := polytope.Search{Step: 1} // without a budget, each search has only its own bound
	at, onlyA := search.Roundest(domain, a, exact.Not(b))
	if onlyA == polytope.Something {
		return at, onlyA
	}
	at, onlyB := search.Roundest(domain, b, exact.Not(a))
	if onlyB == polytope.Nothing {
		return at, onlyA // Nothing or Undecided
	}
	return at, onlyB
}
