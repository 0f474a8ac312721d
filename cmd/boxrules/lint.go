package main

import (
	"bytes"
	"fmt"
	"iter"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/verdicts"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/lint"
)

// lintCommand finds mistakes in rule and limit files.
type lintCommand struct {
	*sources
	witness bool
	strict  bool
	format  choice
}

func newLint(s *sources) *cobra.Command {
	c := &lintCommand{sources: s, format: newFormatFlag()}
	command := &cobra.Command{
		Use:   "lint [FILE]",
		Short: "Find mistakes in rule and limit files, with proofs",
		Long: `lint looks at every article in every material. It finds
- articles without a valid box, with a minimal set of codes that together reject all boxes;
- codes that no box gets, with the codes that are always reported first;
- limits that no valid box reaches, with the nearest value that a valid box does reach;
- limits that no rule enforces, with a valid box beyond them;
- blanks whose width or height is 0 or less, with a valid box that has such a blank.

In rule files, lint also finds constraints of your own that no article selects, and comparisons that could be dropped
without changing any answer. With limits alone, or with rules that extend the documented ones, it ignores such
comparisons in the documented rules, because you cannot change those.

Every finding is proved for all boxes. Anything that could be neither proved nor disproved is reported as undecided.
--witness adds a box in round numbers for every code that can be reported.

Notes come last. They point out things that may be intended: a code that no box within the limits can get, a size that
is not checked, a material, sheet or value that nothing uses, or maximums that suggest a different unit.

The limit file is FILE, or the one given with --limits. Each line begins with its position, such as limits.yaml:14:29,
except for the boxes of --witness.

Exit status: 0 nothing was found, or only notes without --strict; 1 something was found; 2 the files could not be
checked.`,
		Example: `  boxrules lint my-limits.yaml
  boxrules lint --strict --rules my-rules.yaml my-limits.yaml
  boxrules lint --witness --format json`,
		RunE: c.run,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []cobra.Completion{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	command.Flags().BoolVar(&c.witness, "witness", false, "also print a box for every code that can be reported")
	command.Flags().BoolVar(&c.strict, "strict", false, "exit with status 1 even if there are only notes")
	command.Flags().Var(&c.format, "format", "output format")
	return command
}

func (c *lintCommand) run(command *cobra.Command, args []string) error {
	for _, name := range args {
		if err := c.limits.Set(name); err != nil {
			return fmt.Errorf("limit file %s: %w", wording.Quote(name), err)
		}
		c.limits.flag = "limit file"
	}
	engine, err := c.engine()
	if err != nil {
		return c.console.Fail(err)
	}
	var searches []iter.Seq[lint.Finding]
	if c.witness {
		searches = append(searches, lint.Witnesses(engine))
	}
	found, notes := 0, []byte(nil)
	for _, findings := range append(searches, lint.Lint(engine)) {
		for f := range findings {
			if f.Article == "" && len(f.Codes) > 0 && c.isFixedRule(engine.Rules(), f.Codes[0]) {
				continue
			}
			answer := c.format.answer(f, console.Printable(f.String())+"\n")
			if f.Note {
				notes = append(notes, answer...)
				continue
			}
			if f.Kind != lint.Reportable {
				found++
			}
			if err := c.console.Write(answer); err != nil {
				return err
			}
		}
	}
	return c.finish(engine, found, notes)
}

// finish prints the notes, and then the numbers of findings and notes. It returns the exit status. notes has one
// line for each note.
func (c *lintCommand) finish(engine *boxrules.Engine, findingCount int, notes []byte) error {
	count := bytes.Count(notes, []byte("\n"))
	if count > 0 {
		if c.format.value == verdicts.FormatText {
			notes = append([]byte("Notes, which need not be mistakes:\n"), notes...)
		}
		if err := c.console.Write(notes); err != nil {
			return err
		}
	}
	text := console.CountText(findingCount, "finding", "findings")
	if count > 0 {
		text += " and " + console.CountText(count, "note", "notes")
	}
	products := 0
	for _, a := range engine.Catalogue().Articles() {
		products += len(a.Materials)
	}
	c.console.Say("%s in %s", text,
		console.CountText(products, "product", "products"))
	if findingCount > 0 || c.strict && count > 0 {
		return console.SomeInvalid
	}
	return nil
}

// isFixedRule reports whether the user cannot edit the rule with the code. If only limits were given, no rule can be
// edited. If the rule file extends the documented rules, the documented rules cannot be edited.
func (c *lintCommand) isFixedRule(rules *boxrules.RuleSet, code boxrules.Code) bool {
	_, documented := code.Info()
	return documented && rules.Extends() || c.limits.isGiven && !c.rules.isGiven
}
