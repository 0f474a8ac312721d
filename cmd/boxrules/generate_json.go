package main

import (
	"github.com/spf13/cobra"

	"example.com/boxrules/codegen"
)

// A jsonWriter writes the rules and limits as tables for ports.
type jsonWriter struct {
	*sources
	articles []string
	output   string
}

func newGenerateJSON(s *sources) *cobra.Command {
	k := &jsonWriter{sources: s}
	command := &cobra.Command{
		Use:   "json",
		Short: "Write the rules and limits as tables that any language can read",
		Long: `json writes what ports/php/Boxrules.php and ports/python/boxrules.py read, and ports of your own, to give the same verdicts as
this command: whole numbers to compare sums with. conformance/README.md says what is in it.

Exit status: 0, or 2 where the tables could not be written.`,
		Example: `  boxrules generate json --limits limits.yaml -o boxrules.json
  boxrules generate json --limits limits.yaml --articles tuck-end,mailer`,
		Args: noFiles,
		RunE: k.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&k.articles, "articles", nil, "`CODES` of the articles to write, separated by commas (default: all)")
	flags.StringVarP(&k.output, "output", "o", "-", "`FILE` to write the tables to")
	complete(command, "articles", s.articles)
	return command
}

func (k *jsonWriter) run(command *cobra.Command, _ []string) error {
	if err := trimArticles(command, k.articles); err != nil {
		return err
	}
	engine, err := k.engine()
	if err != nil {
		return k.console.Fail(err)
	}
	tables, err := codegen.JSON(engine, k.articles)
	if err != nil {
		return k.console.Fail(err)
	}
	return k.console.Save(k.output, tables)
}
