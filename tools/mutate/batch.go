package main

import (
	"fmt"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/internal/expression"
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
	// killer names the first case that kills it, as FILE case NUMBER.
	killer string
	// witness holds a box that tells a survivor from the original, with the right answer for it;
	// where it is nil, doubt says why.
	witness *conformance.Case
	doubt   string
}

// A suite holds a catalogue with the cases for it.
type suite struct {
	name   string
	engine *boxrules.Engine // of the rules as they are
	cases  []conformance.Case
}

// batchSize says how many mutants are compiled together: enough to share the work on the
// catalogue, and few enough that a long condition does not make an engine of thousands of rules.
const batchSize = 32

// judge returns the mutants of a rule with their outcomes.
func judge(rule boxrules.Rule, suites []suite) ([]*mutant, error) {
	e, problems := expression.Condition(rule.When)
	if len(problems) > 0 {
		return nil, fmt.Errorf("%s: %s", rule.Code, problems[0].Message)
	}
	var mutants []*mutant
	for _, m := range mutations(e.Root()) {
		mutants = append(mutants, &mutant{code: rule.Code, how: m.how, when: m.root.String()})
	}
	var runs []*run
	for _, s := range suites {
		if r := newRun(s, rule.Code); len(r.alike) > 0 {
			runs = append(runs, r)
		}
	}
	for some := range slices.Chunk(mutants, batchSize) {
		b := &batch{rule: rule, runs: runs, mutants: some}
		if err := b.judge(); err != nil {
			return nil, err
		}
	}
	return mutants, nil
}

// A batch holds some mutants of one rule, which are tried together.
type batch struct {
	rule    boxrules.Rule
	runs    []*run // those that have the rule
	mutants []*mutant
}

func (b *batch) judge() error {
	conditions := []string{oneLine(b.rule.When)}
	for _, m := range b.mutants {
		conditions = append(conditions, m.when)
	}
	for _, r := range b.runs {
		no, err := r.compile(conditions)
		if err != nil {
			return fmt.Errorf("%s: %w", r.suite.name, err)
		}
		for _, index := range no {
			if index == 0 {
				return fmt.Errorf("%s: the condition of %s does not compile on its own", r.suite.name, b.rule.Code)
			}
			b.mutants[index-1].outcome = refused
		}
	}
	for _, r := range b.runs {
		if err := b.try(r); err != nil {
			return err
		}
	}
	for i, m := range b.mutants {
		if m.outcome == survivor {
			if err := b.prove(m, i+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// try runs the cases of a suite. The rules of a file do not know of each other, so the codes of a
// box change where the mutated condition does, and nowhere else: the mutants can be rules of one
// engine.
func (b *batch) try(r *run) error {
	s := r.suite
	for i, c := range s.cases {
		box := c.Box()
		if box.Article = r.alike[c.Article]; box.Article == "" || c.Verdict == nil {
			continue
		}
		found, err := r.engine.CheckAll(box)
		if err != nil {
			return fmt.Errorf("%s: case %d: %w", s.name, i+1, err)
		}
		holds := make([]bool, len(b.mutants)+1)
		for _, v := range found {
			holds[ruleIndex(v.Code)] = true
		}
		if holds[0] != slices.Contains(c.Codes, string(b.rule.Code)) {
			return fmt.Errorf("internal fault: %s case %d: %s comes out otherwise on its own", s.name, i+1, b.rule.Code)
		}
		for k, m := range b.mutants {
			if m.outcome == survivor && holds[k+1] != holds[0] {
				m.outcome, m.killer = killed, fmt.Sprintf("%s case %d", s.name, i+1)
			}
		}
	}
	return nil
}
