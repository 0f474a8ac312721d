package main

import (
	"cmp"
	"fmt"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/lint"
)

// lintCommand says what is odd about rules and limits.
type lintCommand struct {
	*sources
	witness bool
	format  choice
}

func newLint(s *sources) *cobra.Command {
	k := &lintCommand{sources: s, format: newFormat()}
	command := &cobra.Command{
		Use:   "lint",
		Short: "Prove what is odd about rule and limit files",
		Long: `lint says, for every article in every material: that no box can be valid, with a smallest set of codes that
exclude each other; which codes no box can report, and the codes that always come first; which limits no
valid box reaches, and how far one gets; which limits nothing enforces, with a valid box beyond; that a blank is not
positive for some valid box; that the size is not checked. Of the rules alone it says which of your own no article
selects, and which comparisons could be dropped without any box noticing; but not of the documented rules where --limits alone is given,
or --rules extends them.
Everything is proved over all boxes; what could not be settled is said to be undecided. --witness adds a round
box for every code that can be reported.

Exit status: 0 nothing was found, 1 something was, 2 the question could not be answered.`,
		Example: `  boxrules lint
  boxrules lint --limits my-limits.yaml
  boxrules lint --witness --format json`,
		Args: noFiles,
		RunE: k.run,
	}
	command.Flags().BoolVar(&k.witness, "witness", false, "also give a box for every code that can be reported")
	addChoice(command, &k.format, "format", "what is written")
	return command
}

func (k *lintCommand) run(*cobra.Command, []string) error {
	lean()
	engine, err := k.engine()
	if err != nil {
		return k.console.Fail(err)
	}
	var searches []iter.Seq[lint.Finding]
	if k.witness {
		searches = append(searches, lint.Witnesses(engine))
	}
	found := 0
	for _, findings := range append(searches, lint.Lint(engine)) {
		for f := range findings {
			if f.Article == "" && k.notTheirs(engine.Rules(), f.Codes[0]) {
				continue
			}
			if f.Kind != lint.Reportable {
				found++
			}
			if err := k.console.Write(k.format.answer(f, lintText(f)+"\n")); err != nil {
				return err
			}
		}
	}
	k.console.Say("%s in %s", console.Count(found, "finding", "findings"),
		console.Count(len(engine.Profiles()), "pair of article and material", "pairs of article and material"))
	if found > 0 {
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

// lintText returns a finding in one line, for people.
func lintText(f lint.Finding) string {
	if f.Article == "" {
		return lintWhat(f)
	}
	return pairText(f.Article, f.Material) + ": " + lintWhat(f)
}

// lintWhat returns the finding without its article and material.
func lintWhat(f lint.Finding) string {
	code := codeList(f.Codes)
	switch f.Kind {
	case lint.Unsatisfiable:
		if len(f.Codes) == 1 {
			return "no box is valid: " + code + " rejects every box within the limits, every one that the boundary rules accept"
		}
		return "no box is valid: " + code + " together reject every box within the limits, every one that the boundary rules accept"
	case lint.Unreportable:
		if f.Witness == nil {
			return code + " is never reported: its condition never holds within the limits"
		}
		by := codeList(f.By)
		if len(f.By) > 1 {
			by = "one of " + by
		}
		return fmt.Sprintf("%s is never reported: wherever it holds, as at %s, %s comes first", code, dimsText(*f.Witness), by)
	case lint.UnreachableLimit:
		text := fmt.Sprintf("no valid box reaches %s %s: the farthest is %s, at %s",
			f.Limit, console.Number(*f.Value), console.Number(*f.Reachable), dimsText(*f.Witness))
		if len(f.By) > 0 {
			text += ", because of " + codeList(f.By)
		}
		return text
	case lint.UnenforcedLimit:
		return fmt.Sprintf("nothing enforces %s %s: %s is valid", f.Limit, console.Number(*f.Value), dimsText(*f.Witness))
	case lint.BlankNotPositive:
		return fmt.Sprintf("the blank of a valid box has a side of 0 or less: %s at %s", f.Condition, dimsText(*f.Witness))
	case lint.Reportable:
		return code + " is reported for " + dimsText(*f.Witness)
	case lint.SizeUnchecked:
		return code + " is not checked: the article has no blank"
	case lint.RedundantCondition:
		return fmt.Sprintf("%s: `%s` could be dropped: no box with dimensions greater than 0 tells the difference", code, console.OneLine(f.Condition))
	case lint.UnselectedRule:
		return code + " is selected by no article: list it under constraints of those that it is for"
	case lint.Undecided:
		switch f.Question {
		case "":
			return "undecided what else there is to find, if anything: the files take too much work"
		case lint.Reportable:
			return "undecided whether a box reports " + code
		}
		text := fmt.Sprintf("undecided whether there is a finding of the kind %s", f.Question)
		if about := cmp.Or(f.Limit, code, console.OneLine(f.Condition)); about != "" {
			text += " for " + about
		}
		return text
	}
	return string(f.Kind) + " " + code
}

func codeList(codes []boxrules.Code) string {
	var words []string
	for _, code := range codes {
		words = append(words, string(code))
	}
	return strings.Join(words, ", ")
}
