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

// A trial is a catalogue cut down to what one rule's condition can see of it: the articles that the rule applies
// to, those that look the same to it once. In it conditions are tried as rules of their own.
type trial struct {
	catalogue *limits.Catalogue
	// places are the article and material of the trial that stand for each article and material that the
	// rule applies to.
	places map[place]place
}

type place struct{ article, material string }

// newTrial cuts the engine's catalogue down for the rule, whose condition is of the class. It is empty where the
// rule applies nowhere.
func newTrial(engine *boxrules.Engine, code boxrules.Code, class expression.Class) (*trial, error) {
	if class&expression.PerBlank != 0 {
		class |= expression.PerArticle | expression.PerMaterial
	}
	t := &trial{places: make(map[place]place)}
	materials := engine.Catalogue().Materials()
	names := make(map[string]string) // by the text of the article
	articles := ""
	for _, a := range engine.Catalogue().Articles() {
		p, err := engine.Profile(a.Code, a.Materials[0])
		if err != nil {
			return nil, err
		}
		if !applies(p, code) {
			continue
		}
		var offered []string
		for _, m := range a.Materials {
			offered = append(offered, fmt.Sprintf("m%d", slices.IndexFunc(materials, func(other limits.Material) bool { return other.Code == m })))
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
			t.places[place{a.Code, m}] = place{names[text], offered[i%len(offered)]}
		}
	}
	if articles == "" {
		return t, nil
	}
	var err error
	t.catalogue, err = limits.Load("trial", []byte(head(engine.Catalogue())+"articles:\n"+articles))
	return t, err
}

func applies(p *boxrules.Profile, code boxrules.Code) bool {
	return slices.ContainsFunc(p.Rules(), func(r boxrules.Rule) bool { return r.Code == code })
}

// articleText is the article for the trial, with nothing that a condition of the class cannot see.
func articleText(a limits.Article, class expression.Class, materials []string) string {
	blank := ""
	if class&expression.PerBlank != 0 {
		blank = fmt.Sprintf(", blank: {width: '%s', height: '%s'}", oneLine(a.Blank.Width.String()), oneLine(a.Blank.Height.String()))
	}
	if class&expression.PerArticle == 0 {
		return fmt.Sprintf("{width: {min: 1, max: 1}, depth: {min: 1, max: 1}, height: {min: 1, max: 1}, materials: [%s], constraints: []}\n",
			strings.Join(materials, ", "))
	}
	return fmt.Sprintf("{width: {min: %s, max: %s}, depth: {min: %s, max: %s}, height: {min: %s, max: %s}, materials: [%s], constraints: []%s}\n",
		a.Width.Min, a.Width.Max, a.Depth.Min, a.Depth.Max, a.Height.Min, a.Height.Max, strings.Join(materials, ", "), blank)
}

// oneLine is an expression without line breaks, which mean nothing in it.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// head is the catalogue without its articles, under names that need no quotes.
func head(c *limits.Catalogue) string {
	var sheets, materials strings.Builder
	for i, m := range c.Materials() {
		fmt.Fprintf(&sheets, "  s%d: {width: %s, height: %s}\n", i, m.Sheet.Width, m.Sheet.Height)
		fmt.Fprintf(&materials, "  m%d: {caliper: %s, glue_flap: %s, sheet: s%d}\n", i, m.Caliper, m.GlueFlap, i)
	}
	return "version: 1\nunit: " + c.Unit() + "\nsheets:\n" + sheets.String() + "materials:\n" + materials.String()
}

// compile makes an engine in which each condition is a rule of its own, with trialCode of its index, and lists
// the conditions that do not compile. There is no engine where none does.
func (t *trial) compile(conditions []string) (engine *boxrules.Engine, refused []int, err error) {
	for len(refused) < len(conditions) {
		engine, err := t.engine(conditions, refused)
		if err == nil {
			return engine, refused, nil
		}
		var problems source.Errors
		if !errors.As(err, &problems) {
			return nil, nil, err
		}
		for _, problem := range problems {
			i := trialIndex(boxrules.Code(problem.Rule))
			if i < 0 {
				return nil, nil, err
			}
			if !slices.Contains(refused, i) {
				refused = append(refused, i)
			}
		}
	}
	return nil, refused, nil
}

// engine has the conditions as rules of the size stage, which apply to every article.
func (t *trial) engine(conditions []string, without []int) (*boxrules.Engine, error) {
	var text strings.Builder
	text.WriteString("version: 1\nsize:\n")
	for i, when := range conditions {
		if !slices.Contains(without, i) {
			fmt.Fprintf(&text, "  - {code: %s, when: '%s', message: trial}\n", trialCode(i), when)
		}
	}
	rules, err := boxrules.LoadRules("trial", []byte(text.String()))
	if err != nil {
		return nil, err
	}
	return boxrules.New(rules, t.catalogue)
}

const trialPrefix = "TRIAL_"

func trialCode(i int) boxrules.Code { return boxrules.Code(fmt.Sprintf("%s%04d", trialPrefix, i)) }

// trialIndex is the index in a trialCode, -1 for any other.
func trialIndex(code boxrules.Code) int {
	digits, ok := strings.CutPrefix(string(code), trialPrefix)
	if i, err := strconv.Atoi(digits); ok && err == nil {
		return i
	}
	return -1
}
