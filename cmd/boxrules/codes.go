package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/lint"
)

// codesCommand lists the codes, or describes a single code.
type codesCommand struct {
	*sources
	format choice
}

func newCodes(s *sources) *cobra.Command {
	c := &codesCommand{sources: s, format: newFormatFlag()}
	command := &cobra.Command{
		Use:   "codes [CODE]",
		Short: "List the documented codes, or describe one",
		Long: `codes lists every documented code with its error type, its HTTP status and its meaning, and then the codes that a rule
file adds. If you name a code, it prints the condition under which the code is reported, the articles to which the
condition applies, and an example of a box that gets the code.

Exit status: 0, or 2 if there is no such code or a file has an error.`,
		Example: `  boxrules codes
  boxrules codes BOX_3113
  boxrules codes QTT_1114 --format json`,
		Args: atMostOne("code"),
		RunE: c.run,
	}
	command.Flags().Var(&c.format, "format", "output format")
	return command
}

// A codeEntry describes a code. It combines what the interface document and the rule file say about the code.
type codeEntry struct {
	boxrules.CodeInfo // its Type and Status are empty for a code that the rule file adds

	// The remaining fields are set only by describe.
	Condition string        `json:"condition,omitempty"` // Condition, Message and Articles are empty if no rule reports the code
	Unit      string        `json:"unit,omitempty"`      // the unit of the lengths in Condition; empty if it is the unit of the limits
	Message   string        `json:"message,omitempty"`
	Articles  []string      `json:"articles,omitzero"`
	Example   *boxrules.Box `json:"example,omitempty"`   // a box for which the code is reported, in round numbers; nil if none is known
	Undecided bool          `json:"undecided,omitempty"` // whether no example was found although one may exist

	rule          boxrules.Rule // the rule that reports the code
	conditionText string        // the condition, with its unit if that is not the unit of the limits
}

func (c *codesCommand) run(command *cobra.Command, args []string) error {
	rules, err := c.ruleSet()
	if err != nil {
		return c.console.Fail(err)
	}
	if len(args) == 0 {
		return c.console.Write(listingText(&c.format, codeEntries(rules), codeRow))
	}
	e, err := c.describe(args[0], rules)
	if err != nil {
		return c.console.Fail(err)
	}
	return c.console.Write(c.format.answer(e, codeText(e)))
}

// codeEntries returns the documented codes, followed by the codes that the rules add, in check order.
func codeEntries(rules *boxrules.RuleSet) []codeEntry {
	var all []codeEntry
	for _, info := range boxrules.Codes() {
		all = append(all, codeEntry{CodeInfo: info})
	}
	for _, rule := range rules.Rules() {
		if _, documented := rule.Code.Info(); !documented {
			all = append(all, codeEntry{CodeInfo: boxrules.CodeInfo{Code: rule.Code, Stage: rule.Stage, Meaning: rule.Message}})
		}
	}
	return all
}

func codeRow(e codeEntry) []string {
	kind, status := "(from the rule file)", ""
	if e.Type != "" {
		kind, status = string(e.Type), fmt.Sprint(e.Status)
	}
	return []string{string(e.Code), kind, status, console.PrintableLine(e.Meaning)}
}

// describe returns the entry of the named code. If a rule reports the code, the entry includes the condition, the
// articles and an example.
func (c *codesCommand) describe(name string, rules *boxrules.RuleSet) (codeEntry, error) {
	var names []string
	all := codeEntries(rules)
	for _, e := range all {
		names = append(names, string(e.Code))
	}
	i := slices.Index(names, name)
	if i < 0 {
		return codeEntry{}, fmt.Errorf("there is no code %s; accepted: %s",
			wording.Quote(name), wording.Accepted(name, names))
	}
	e := all[i]
	for _, rule := range rules.Rules() {
		if rule.Code == e.Code {
			e.Condition, e.Message = rule.When, rule.Message
			e.rule = rule
		}
	}
	if e.Condition == "" {
		return e, nil
	}
	engine, err := c.engine()
	if err != nil {
		return e, err
	}
	e.conditionText = e.rule.Condition(engine.Catalogue().Unit())
	if e.conditionText != e.rule.Condition(e.rule.Unit) {
		e.Unit = e.rule.Unit
	}
	e.Articles = codeArticles(engine, e.Code)
	e.Example, e.Undecided = codeExample(engine, e.Code)
	return e, nil
}

// codeArticles returns the articles to which the rule with the code applies, in catalogue order.
func codeArticles(engine *boxrules.Engine, code boxrules.Code) []string {
	articles := []string{}
	for _, a := range engine.Catalogue().Articles() {
		// The same rules apply in all materials.
		_, rules, err := engine.Exact(a.Code, a.Materials[0])
		if err == nil && slices.ContainsFunc(rules, func(r boxrules.Rule) bool { return r.Code == code }) {
			articles = append(articles, a.Code)
		}
	}
	return articles
}

// codeExample returns a box for which the code is reported. It tries the articles and materials in catalogue order, and
// returns nil if it finds no such box. undecided is true if such a box may exist although none was found.
func codeExample(engine *boxrules.Engine, code boxrules.Code) (found *boxrules.Box, undecided bool) {
	for f := range lint.Witnesses(engine, code) {
		if f.Kind == lint.Reportable {
			return &boxrules.Box{Article: f.Article, Material: f.Material, Dims: *f.Witness}, false
		}
		undecided = true
	}
	return nil, undecided
}

// codeText returns a table that describes a code.
func codeText(e codeEntry) string {
	table := [][]string{{"code", string(e.Code)}}
	if e.Type == "" {
		table = append(table, []string{"type", "(none documented: the code comes from the rule file)"})
	} else {
		table = append(table, []string{"type", string(e.Type)}, []string{"status", fmt.Sprint(e.Status)})
	}
	if e.Stage != 0 {
		table = append(table, []string{"stage", e.Stage.String()})
	}
	table = append(table, []string{"path", cmp.Or(e.Path, "(empty)")}, []string{"meaning", console.PrintableLine(e.Meaning)})
	if e.Condition != "" {
		table = append(table, []string{"condition", console.PrintableLine(e.conditionText)},
			[]string{"message", console.PrintableLine(e.Message)},
			[]string{"articles", cmp.Or(strings.Join(e.Articles, ", "), "(none)")}, []string{"example", codeExampleText(e)})
	} else {
		table = append(table, []string{"condition", "(no rule reports the code)"})
	}
	return console.AlignedText(table)
}

func codeExampleText(e codeEntry) string {
	switch {
	case e.Undecided:
		return "(undecided whether any box gets this code)"
	case e.Example == nil:
		return "(no box gets this code)"
	}
	return productText(e.Example.Article, e.Example.Material) + ", " + boxDimsText(e.Example.Dims)
}
