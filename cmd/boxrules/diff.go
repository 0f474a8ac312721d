package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/lint"
)

// diffCommand lists how the verdicts change between two versions of the files.
type diffCommand struct {
	*sources // before the change: --rules and --limits, as in every command
	after    sources
	format   choice
}

func newDiff(s *sources) *cobra.Command {
	c := &diffCommand{sources: s, after: sources{console: s.console}, format: newFormatFlag()}
	command := &cobra.Command{
		Use:   "diff",
		Short: "Find the boxes whose verdict changes between two versions of the rules and limits",
		Long: `diff compares the verdicts under --rules and --limits with those under --new-rules and --new-limits, for every article
in every material and for all boxes. If verdicts change, it prints each pair of an old and a new code, with a box as
an example. Otherwise it prints that the verdicts are identical. That result is proved for all boxes, not only tested
on some. If you do not give the new version of a file, both sides use the old one.

Exit status: 0 all verdicts are identical, 1 some differ, 2 the files could not be compared.`,
		Example: `  boxrules diff --new-rules edited-rules.yaml
  boxrules diff --limits old-limits.yaml --new-limits new-limits.yaml
  boxrules diff --limits limits.yaml --new-rules edited-rules.yaml --format json`,
		Args: flagsOnly("use --limits OLD --new-limits NEW, --rules OLD --new-rules NEW, or both"),
		RunE: c.run,
	}
	c.after.rules.add(command.Flags(), "new-rules", "new version of the rule file")
	c.after.limits.add(command.Flags(), "new-limits", "new version of the limit file")
	command.Flags().Var(&c.format, "format", "output format")
	return command
}

func (c *diffCommand) run(command *cobra.Command, _ []string) error {
	if !c.after.rules.isGiven && !c.after.limits.isGiven {
		return errors.New("nothing to compare with; give --new-rules, --new-limits, or both")
	}
	if !c.after.rules.isGiven {
		c.after.rules = c.rules
	}
	if !c.after.limits.isGiven {
		c.after.limits = c.limits
	}
	before, beforeErr := diffFiles(c.engine())
	after, afterErr := diffFiles(c.after.quietEngine())
	if err := errors.Join(beforeErr, afterErr); err != nil {
		return c.console.Fail(err)
	}
	if unit, other := before.Catalogue.Unit(), after.Catalogue.Unit(); unit != other {
		return c.console.Fail(fmt.Errorf(
			"the old files have the unit %s, but the new files have the unit %s; use the same unit in all files", unit, other))
	}
	if n, other := before.Catalogue.Decimals(), after.Catalogue.Decimals(); n != other {
		c.console.Say("boxrules: the old limits allow %d decimals and the new limits allow %d; only boxes with at most %d are compared",
			n, other, min(n, other))
	}
	changed := false
	for change, err := range lint.DiffFiles(before, after) {
		if err != nil {
			return c.console.Fail(err)
		}
		changed = changed || change.Kind != lint.Identical
		if err := c.console.Write(c.format.answer(change, console.Printable(change.String())+"\n")); err != nil {
			return err
		}
	}
	return c.console.Answer(nil, changed)
}

// diffFiles returns the rules and limits of the engine, or err if it is not nil. The caller compiles the engine only to
// check that the files are valid, and does not keep it, because it takes too much memory.
func diffFiles(engine *boxrules.Engine, err error) (lint.Files, error) {
	if err != nil {
		return lint.Files{}, err
	}
	return lint.Files{Rules: engine.Rules(), Catalogue: engine.Catalogue()}, nil
}
