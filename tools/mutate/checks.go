package main

import (
	"fmt"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
)

// A suite holds cases, and the engine of the rules as they are with the limits of the cases.
type suite struct {
	name   string
	engine *boxrules.Engine
	cases  []conformance.Case
}

// checks hold the rules to mutate and the suites whose cases should notice it.
type checks struct {
	rules  *boxrules.RuleSet
	suites []suite
}

// load reads the files of the folder whose rules are those of the file.
func load(rulesFile, folder string) (*checks, error) {
	c := &checks{}
	files, err := conformance.Read(folder)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if f.Rules != rulesFile {
			continue
		}
		rules, catalogue, err := f.Load(".")
		if err != nil {
			return nil, err
		}
		engine, err := boxrules.New(rules, catalogue)
		if err != nil {
			return nil, err
		}
		c.rules = rules
		c.suites = append(c.suites, suite{f.Name, engine, f.Cases})
	}
	if c.rules == nil {
		return nil, fmt.Errorf("%s: no file there has the rules of %s", folder, rulesFile)
	}
	return c, nil
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
