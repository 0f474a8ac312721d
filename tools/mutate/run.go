package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// A run holds a catalogue cut down to what one rule's condition can see of it: the articles that
// the rule applies to, those that look the same to it once. depth > width sees no limits at all,
// so that one article is enough. In a run conditions are tried as rules of their own.
type run struct {
	suite     suite
	catalogue *limits.Catalogue
	// places maps each article and material that the rule applies to, to those of the run that
	// stand for them.
	places map[place]place
	engine *boxrules.Engine // of a batch: of the original, under ruleCode(0), and the mutants that compile
}

type place struct{ article, material string }

// newRun returns the suite's catalogue cut down for the rule, whose condition is of the class. It
// has no places where the rule applies nowhere.
func newRun(s suite, code boxrules.Code, class expression.Class) (*run, error) {
	if class&expression.PerBlank != 0 {
		class |= expression.PerArticle | expression.PerMaterial
	}
	r := &run{suite: s, places: make(map[place]place)}
	catalogue := s.engine.Catalogue()
	materials := catalogue.Materials()
	names := make(map[string]string) // by the text of the article
	articles := ""
	for _, a := range catalogue.Articles() {
		p, err := s.engine.Profile(a.Code, a.Materials[0])
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(p.Rules(), func(r boxrules.Rule) bool { return r.Code == code }) {
			continue
		}
		var offered []string
		for _, m := range a.Materials {
			i := slices.IndexFunc(materials, func(other limits.Material) bool { return other.Code == m })
			offered = append(offered, fmt.Sprintf("m%d", i))
		}
		if class&expression.PerMaterial == 0 {
			offered = []string{"m0"}
		}
		text := articleText(a, class, offered)
		if names[text] == "" {
			names[text] = fmt.Sprintf("a%d", len(names))
			articles += "  " + names[text] + ": " + text
		}
		for i, m := range a.Materials {
			r.places[place{a.Code, m}] = place{names[text], offered[i%len(offered)]}
		}
	}
	if articles == "" {
		return r, nil
	}
	var err error
	r.catalogue, err = limits.Load("run", []byte(head(catalogue)+"articles:\n"+articles))
	return r, err
}

// articleText returns the article for the run, with nothing that a condition of the class cannot
// see.
func articleText(a limits.Article, class expression.Class, materials []string) string {
	width, depth, height, blank := "min: 1, max: 1", "min: 1, max: 1", "min: 1, max: 1", ""
	if class&expression.PerArticle != 0 {
		text := func(r limits.Range) string { return fmt.Sprintf("min: %s, max: %s", r.Min, r.Max) }
		width, depth, height = text(a.Width), text(a.Depth), text(a.Height)
	}
	if class&expression.PerBlank != 0 {
		blank = fmt.Sprintf(", blank: {width: '%s', height: '%s'}", oneLine(a.Blank.Width.String()), oneLine(a.Blank.Height.String()))
	}
	return fmt.Sprintf("{width: {%s}, depth: {%s}, height: {%s}, materials: [%s], constraints: []%s}\n",
		width, depth, height, strings.Join(materials, ", "), blank)
}

// oneLine returns an expression without line breaks, which mean nothing in it.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// head returns the catalogue without its articles, under names that need no quotes.
func head(c *limits.Catalogue) string {
	var sheets, materials strings.Builder
	for i, m := range c.Materials() {
		fmt.Fprintf(&sheets, "  s%d: {width: %s, height: %s}\n", i, m.Sheet.Width, m.Sheet.Height)
		fmt.Fprintf(&materials, "  m%d: {caliper: %s, glue_flap: %s, sheet: s%d}\n", i, m.Caliper, m.GlueFlap, i)
	}
	return "version: 1\nunit: " + c.Unit() + "\nsheets:\n" + sheets.String() + "materials:\n" + materials.String()
}

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
