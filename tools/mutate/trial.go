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

// An outcome says what became of a mutant.
type outcome uint8

const (
	survivor     outcome = iota // no case tells it from the original, and some box does or may
	refused                     // it is no condition of the language
	killed                      // a case tells it from the original
	equivalent                  // proved: no box that has a size tells them apart, in any article that has the rule
	withinLimits                // proved: no box within the limits of an article that has the rule tells them apart
)

var outcomes = [...]string{"survivor", "refused", "killed", "equivalent", "equivalent within limits"}

// A mutant holds a rule's condition with one change, and what became of it.
type mutant struct {
	code    boxrules.Code
	how     string
	when    string
	outcome outcome
	by      string // what kills it, as FILE case NUMBER, or would, or why that is not known
}

// judge returns the mutants of a rule with their outcomes.
func judge(suites []suite, rule boxrules.Rule) (mutants []*mutant) {
	e, _ := expression.Condition(rule.When) // it was read before
	for _, m := range mutations(e.Root()) {
		mutants = append(mutants, &mutant{code: rule.Code, how: m.how, when: m.root.String(), by: "no article has the rule"})
	}
	var trials []*trial
	for _, s := range suites {
		t := newTrial(s, rule, mutants)
		t.kill()
		trials = append(trials, t)
	}
	for i, m := range mutants {
		for _, t := range trials {
			if m.outcome == killed || m.outcome == refused || !t.settle(i) {
				break
			}
		}
	}
	return mutants
}

// A trial holds the mutants of one rule as the articles of a suite have them that the rule applies
// to.
type trial struct {
	suite
	rule     boxrules.Rule
	mutants  []*mutant
	profiles []profile
}

// A profile holds the rule's condition and those of its mutants, but for the refused ones, in an
// article and material.
type profile struct {
	exact.Form
	original exact.Tree
	mutated  []exact.Tree
}

// newTrial compiles the mutants, and refuses those that are no conditions with the suite's limits.
func newTrial(s suite, rule boxrules.Rule, mutants []*mutant) *trial {
	t := &trial{suite: s, rule: rule, mutants: mutants}
	catalogue := s.engine.Catalogue()
	articles := catalogue.Articles()
	for i := range articles {
		articles[i].Constraints = nil
	}
	engine := t.compile(catalogue.Completed(articles, catalogue.Materials()))
	for _, given := range s.engine.Profiles() {
		i := slices.IndexFunc(given.Rules(), func(r boxrules.Rule) bool { return r.Code == rule.Code })
		if i < 0 {
			continue
		}
		form := given.Exact()
		p := profile{form, form.Conditions[i].Folded(), make([]exact.Tree, len(mutants))}
		compiled := must(engine.Profile(form.Article, form.Material))
		for j, c := range compiled.Exact().Conditions {
			p.mutated[mutantIndex(string(compiled.Rules()[j].Code))] = c.Folded()
		}
		t.profiles = append(t.profiles, p)
	}
	return t
}

// compile returns an engine in which each mutant is a rule of its own. All are of the size stage,
// so that they apply to every article.
func (t *trial) compile(catalogue *limits.Catalogue) *boxrules.Engine {
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
		for _, problem := range problems {
			t.mutants[mutantIndex(problem.Rule)].outcome = refused
		}
	}
}

// mutantIndex returns 12 for MUTANT_0012.
func mutantIndex(code string) int {
	return must(strconv.Atoi(strings.TrimPrefix(code, "MUTANT_")))
}

// kill looks at which mutants the cases tell from the original. The rules of a file do not know of
// each other, so the codes of a box change where the mutated condition does, and nowhere else.
func (t *trial) kill() {
	for n, c := range t.cases {
		box := c.Box()
		i := slices.IndexFunc(t.profiles, func(p profile) bool { return p.Article == box.Article && p.Material == box.Material })
		if i < 0 || c.Verdict == nil {
			continue
		}
		at, _ := box.Grid()
		holds := t.profiles[i].original.Holds(at)
		for k, m := range t.mutants {
			if m.outcome == survivor && t.profiles[i].mutated[k].Holds(at) != holds {
				m.outcome, m.by = killed, fmt.Sprintf("%s case %d", t.name, n+1)
			}
		}
	}
}

// settle says what a mutant is that no case kills, as far as this suite tells. In every article and
// material that has the rule it searches for a box that tells the two conditions apart; where there
// is none that is a proof. It reports whether it found none.
func (t *trial) settle(k int) bool {
	m := t.mutants[k]
	for _, p := range t.profiles {
		proved := equivalent
		at, answer := difference(polytope.Sized, p.original, p.mutated[k])
		if answer != polytope.Nothing && t.rule.Stage != boxrules.Boundary {
			// Outside the limits the boundary rules come first, and nobody may care what follows.
			at, answer = difference(polytope.Cube(p.Low, p.High), p.original, p.mutated[k])
			proved = withinLimits
		}
		if answer == polytope.Nothing {
			m.outcome = max(m.outcome, proved) // withinLimits is the weaker one, and the greater
			continue
		}
		m.outcome, m.by = survivor, "the search for a box was given up"
		if answer == polytope.Something {
			m.by = fmt.Sprintf("a case with %+v would kill it", boxrules.Box{Article: p.Article, Material: p.Material, Dims: boxrules.DimsAt(at)})
		}
		return false
	}
	return true
}

// difference returns a round box of the domain at which one condition holds and the other does
// not.
func difference(domain polytope.Polytope, a, b exact.Tree) (exact.Point, polytope.Answer) {
	var unbounded *polytope.Budget // but for each search alone
	at, more := unbounded.RoundestOn(1, domain, a, exact.Not(b))
	if more == polytope.Something {
		return at, more
	}
	at, less := unbounded.RoundestOn(1, domain, b, exact.Not(a))
	if less == polytope.Nothing {
		return at, more // Nothing or Undecided
	}
	return at, less
}
