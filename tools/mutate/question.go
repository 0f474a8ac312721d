package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/limits"
)

// A question is what is asked of the tool: would the cases of the suites notice a mistake in the rules?
type question struct {
	rules  *boxrules.RuleSet
	suites []suite
}

// load reads the files. The rules have to say what the cases want before anything is mutated.
func load(rulesFile, limitsFile, folder string) (*question, error) {
	text, err := os.ReadFile(rulesFile)
	if err != nil {
		return nil, err
	}
	rules, err := boxrules.LoadRules(rulesFile, text)
	if err != nil {
		return nil, err
	}
	q := &question{rules: rules}
	files, err := conformance.Read(folder)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if f.Rules == "" {
			continue
		}
		if other, err := f.RuleText("."); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		} else if !bytes.Equal(other, text) {
			continue
		}
		_, catalogue, err := f.Load(".")
		if err != nil {
			return nil, err
		}
		if err := q.add(f.Name, catalogue, f.Cases); err != nil {
			return nil, err
		}
	}
	if len(q.suites) == 0 {
		return nil, fmt.Errorf("%s: no file there has the rules of %s", folder, rulesFile)
	}
	if text, err = os.ReadFile(limitsFile); err != nil {
		return nil, err
	}
	catalogue, err := limits.Load(limitsFile, text)
	if err != nil {
		return nil, err
	}
	return q, q.add(limitsFile, catalogue, nil)
}

// add adds a catalogue with the cases for it, which have to come out as they say.
func (q *question) add(name string, catalogue *limits.Catalogue, cases []conformance.Case) error {
	engine, err := boxrules.New(q.rules, catalogue)
	if err != nil {
		return err
	}
	for i, c := range cases {
		all, err := engine.CheckAll(c.Box())
		got := verdict(all)
		switch {
		case c.Verdict == nil && err == nil:
			return fmt.Errorf("%s: case %d is a box, and the file has an error for it", name, i+1)
		case c.Verdict != nil && err != nil:
			return fmt.Errorf("%s: case %d: %w", name, i+1, err)
		case c.Verdict != nil && !agrees(got, *c.Verdict):
			return fmt.Errorf("%s: case %d: the rules report %q, and the file has %q, %q", name, i+1, got.Codes, c.Code, c.Codes)
		}
	}
	q.suites = append(q.suites, suite{name, engine, cases})
	return nil
}

func agrees(got, want conformance.Verdict) bool {
	return got.Code == want.Code && slices.Equal(got.Codes, want.Codes)
}

// verdict has the codes of a box as a case has them.
func verdict(all []boxrules.Violation) conformance.Verdict {
	v := conformance.Verdict{Codes: []string{}}
	for _, violation := range all {
		v.Codes = append(v.Codes, string(violation.Code))
	}
	if len(v.Codes) > 0 {
		v.Code = v.Codes[0]
	}
	return v
}

// judge decides the fates of all mutants of all rules, in the order of the file.
func (q *question) judge() ([]*mutant, error) {
	rules := q.rules.Rules()
	fates := make([][]*mutant, len(rules))
	errs := make([]error, len(rules))
	var group sync.WaitGroup
	turn := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, rule := range rules {
		group.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			fates[i], errs[i] = judge(rule, q.suites)
		})
	}
	group.Wait()
	return slices.Concat(fates...), errors.Join(errs...)
}
