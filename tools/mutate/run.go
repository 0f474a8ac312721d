package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// A run holds the articles of a suite that a rule applies to, those that are alike once. In it
// conditions are tried as rules of their own, of the size stage, which apply to every article.
type run struct {
	suite     suite
	catalogue *limits.Catalogue
	alike     map[string]string // the article of the run that stands for each article
	engine    *boxrules.Engine  // of a batch: of the original, under ruleCode(0), and the mutants that compile
}

// newRun returns the run for a rule; it has no articles where the rule applies to none.
func newRun(s suite, code boxrules.Code) *run {
	r := &run{suite: s, alike: make(map[string]string)}
	known := make(map[string]string) // by all but its code, title and constraints
	articles := slices.DeleteFunc(s.engine.Catalogue().Articles(), func(a limits.Article) bool {
		p, err := s.engine.Profile(a.Code, a.Materials[0])
		if err != nil || !slices.ContainsFunc(p.Rules(), func(r boxrules.Rule) bool { return r.Code == code }) {
			return true
		}
		text := fmt.Sprint(a.Width, a.Depth, a.Height, a.Materials, a.Blank)
		first, met := known[text]
		if !met {
			first, known[text] = a.Code, a.Code
		}
		r.alike[a.Code] = first
		return met
	})
	for i := range articles {
		articles[i].Constraints = nil // conditions are no constraints here
	}
	r.catalogue = s.engine.Catalogue().Completed(articles, s.engine.Catalogue().Materials())
	return r
}

// oneLine returns an expression without line breaks, which mean nothing in it.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// compile makes the run's engine, in which each condition is a rule of its own, with ruleCode of
// its index. It returns the indexes of the conditions that do not compile, and gives up where the
// original, the first, is one of them.
func (r *run) compile(conditions []string) (refused []int, err error) {
	for !slices.Contains(refused, 0) {
		r.engine, err = r.compiled(conditions, refused)
		var problems source.Errors
		if !errors.As(err, &problems) {
			return refused, err
		}
		for _, problem := range problems {
			i := ruleIndex(boxrules.Code(problem.Rule))
			if i < 0 {
				return nil, err
			}
			if !slices.Contains(refused, i) {
				refused = append(refused, i)
			}
		}
	}
	return refused, nil
}

// compiled returns an engine with the conditions as rules of the size stage, which apply to every
// article.
func (r *run) compiled(conditions []string, without []int) (*boxrules.Engine, error) {
	var text strings.Builder
	text.WriteString("version: 1\nunit: " + r.catalogue.Unit() + "\nsize:\n")
	for i, when := range conditions {
		if !slices.Contains(without, i) {
			fmt.Fprintf(&text, "  - {code: %s, when: '%s', message: run}\n", ruleCode(i), when)
		}
	}
	rules, err := boxrules.LoadRules("run", []byte(text.String()))
	if err != nil {
		return nil, err
	}
	return boxrules.New(rules, r.catalogue)
}

const codePrefix = "MUTANT_"

func ruleCode(i int) boxrules.Code { return boxrules.Code(fmt.Sprintf("%s%04d", codePrefix, i)) }

// ruleIndex returns the index in a ruleCode, or -1 for any other.
func ruleIndex(code boxrules.Code) int {
	digits, ok := strings.CutPrefix(string(code), codePrefix)
	if i, err := strconv.Atoi(digits); ok && err == nil {
		return i
	}
	return -1
}
