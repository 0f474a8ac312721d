package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/limits"
)

// A suite holds a catalogue with the cases for it.
type suite struct {
	name   string
	engine *boxrules.Engine // of the rules as they are
	cases  []conformance.Case
}

// checks hold the rules to mutate and the suites whose cases should notice it.
type checks struct {
	rules  *boxrules.RuleSet
	suites []suite
}

// load reads the files. It fails where the rules do not say what the cases want, before anything
// is mutated.
func load(rulesFile, folder string) (*checks, error) {
	text, err := os.ReadFile(rulesFile)
	if err != nil {
		return nil, err
	}
	rules, err := boxrules.LoadRules(rulesFile, text)
	if err != nil {
		return nil, err
	}
	c := &checks{rules: rules}
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
		if err := c.add(f.Name, catalogue, f.Cases); err != nil {
			return nil, err
		}
	}
	if len(c.suites) == 0 {
		return nil, fmt.Errorf("%s: no file there has the rules of %s", folder, rulesFile)
	}
	return c, nil
}

// add adds a catalogue with the cases for it. It fails where the rules do not say what they want.
func (c *checks) add(name string, catalogue *limits.Catalogue, cases []conformance.Case) error {
	engine, err := boxrules.New(c.rules, catalogue)
	if err != nil {
		return err
	}
	for i, test := range cases {
		all, err := engine.CheckAll(test.Box())
		got := verdict(all)
		switch {
		case test.Verdict == nil && err == nil:
			return fmt.Errorf("%s: case %d is a box, and the file has an error for it", name, i+1)
		case test.Verdict != nil && err != nil:
			return fmt.Errorf("%s: case %d: %w", name, i+1, err)
		case test.Verdict != nil && !agrees(got, *test.Verdict):
			return fmt.Errorf("%s: case %d: the rules report %q, and the file has %q, %q", name, i+1, got.Codes, test.Code, test.Codes)
		}
	}
	c.suites = append(c.suites, suite{name, engine, cases})
	return nil
}

func agrees(got, want conformance.Verdict) bool {
	return got.Code == want.Code && slices.Equal(got.Codes, want.Codes)
}

// verdict returns the codes of a box as a case has them.
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

// judgeAll returns all mutants of all rules with their outcomes, in the order of the file.
func (c *checks) judgeAll() (all []*mutant, err error) {
	for _, rule := range c.rules.Rules() {
		mutants, err := c.judge(rule)
		if err != nil {
			return nil, err
		}
		all = append(all, mutants...)
	}
	return all, nil
}
