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

// lintCommand says what is odd about rules and limits.
type lintCommand struct {
	*sources
	witness bool
	strict  bool
	format  choice
}

func newLint(s *sources) *cobra.Command {
	k := &lintCommand{sources: s, format: newFormatFlag()}
	command := &cobra.Command{
		Use:   "lint [FILE]",
		Short: "Prove what is odd about rule and limit files",
		Long: `lint says, for every article in every material: that no box can be valid, with a smallest set of codes that
exclude each other; which codes no box can report, and the codes that always come first; which limits no
valid box reaches, and how far one gets; which limits nothing enforces, with a valid box beyond; that a blank is not
positive for some valid box. Of the rules alone it says which of your own no article
selects, and which comparisons could be dropped without any box noticing; but not of the documented rules where the limits alone are given,
or --rules extends them.
Everything is proved over all boxes; what could not be settled is said to be undecided. --witness adds a round
box for every code that can be reported.
Notes come last. They tell what a healthy file may have: a code whose condition never holds within the limits, a size that
is not checked, a material or sheet that no article uses, maximums so low that the unit may be another.
The limit file is FILE, or that of --limits. Each line but the boxes of --witness begins with its place, such as limits.yaml:14:29.

Exit status: 0 nothing was found, or notes alone without --strict; 1 something was; 2 the question could not be answered.`,
		Example: `  boxrules lint my-limits.yaml
  boxrules lint --strict --rules my-rules.yaml my-limits.yaml
  boxrules lint --witness --format json`,
		RunE: k.run,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []cobra.Completion{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	command.Flags().BoolVar(&k.witness, "witness", false, "also give a box for every code that can be reported")
	command.Flags().BoolVar(&k.strict, "strict", false, "end with status 1 also where there are notes alone")
	addChoice(command, &k.format, "format", "what is written")
	return command
}

func (k *lintCommand) run(command *cobra.Command, args []string) error {
	for _, name := range args {
		if err := k.limits.Set(name); err != nil {
			return fmt.Errorf("limit file %s: %w", wording.Quote(name), err)
		}
		k.limits.flag = "limit file"
	}
	engine, err := k.engine()
	if err != nil {
		return k.console.Fail(err)
	}
	var searches []iter.Seq[lint.Finding]
	if k.witness {
		searches = append(searches, lint.Witnesses(engine))
	}
	found, notes := 0, []byte(nil)
	for _, findings := range append(searches, lint.Lint(engine)) {
		for f := range findings {
			if f.Article == "" && len(f.Codes) > 0 && k.notTheirs(engine.Rules(), f.Codes[0]) {
				continue
			}
			answer := k.format.answer(f, console.Printable(f.String())+"\n")
			if f.Note {
				notes = append(notes, answer...)
				continue
			}
			if f.Kind != lint.Reportable {
				found++
			}
			if err := k.console.Write(answer); err != nil {
				return err
			}
		}
	}
	return k.end(engine, found, notes)
}

// end writes the notes, says how many findings and notes there are, and returns the status.
func (k *lintCommand) end(engine *boxrules.Engine, found int, notes []byte) error {
	count := bytes.Count(notes, []byte("\n"))
	if count > 0 {
		if k.format.value == verdicts.FormatText {
			notes = append([]byte("Notes, which a healthy file may have:\n"), notes...)
		}
		if err := k.console.Write(notes); err != nil {
			return err
		}
	}
	text := console.Count(found, "finding", "findings")
	if count > 0 {
		text += " and " + console.Count(count, "note", "notes")
	}
	k.console.Say("%s in %s", text,
		console.Count(len(engine.Profiles()), "pair of article and material", "pairs of article and material"))
	if found > 0 || k.strict && count > 0 {
		return console.SomeInvalid
	}
	return nil
}

// notTheirs reports whether the code's rule is a documented one that whoever lints cannot change:
// where only limits are given, or rules that extend the documented ones.
func (k *lintCommand) notTheirs(rules *boxrules.RuleSet, code boxrules.Code) bool {
	_, documented := code.Info()
	return documented && rules.Extends() || k.limits.given && !k.rules.given
}
