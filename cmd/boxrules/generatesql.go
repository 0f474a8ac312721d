package main

import (
	"errors"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
)

// A sqlGenerator is the command that writes the rules and limits as SQL.
type sqlGenerator struct {
	*sources
	dialect choice
	options codegen.SQLOptions
	output  string
}

func newGenerateSQL(s *sources) *cobra.Command {
	k := &sqlGenerator{sources: s}
	command := &cobra.Command{
		Use:   "sql",
		Short: "Write SQL that checks a table of boxes where it is",
		Long: `sql writes a table box_profiles, its rows, and a view box_verdicts: your table of boxes with one column more,
verdict, which is valid, a code, or error: and the field that is wrong. The verdicts are those of this command, exactly.
Your table has article and material as they are written in the limits, and width, depth and height as numbers.

With --constraint the table takes no box that is not valid, and the database's error names the code.

Exit status: 0, or 2 where the SQL could not be written.`,
		Example: `  boxrules generate sql --dialect postgres --limits limits.yaml -o boxrules.sql
  boxrules generate sql --dialect sqlite --limits limits.yaml --table orders --constraint | sqlite3 -bail shop.db`,
		Args: noFiles,
		RunE: k.run,
	}
	dialects, constraint := codegen.SQLDialects()
	flags := command.Flags()
	flags.SortFlags = false
	k.dialect.accepted = dialects
	addChoice(command, &k.dialect, "dialect", "the database's SQL")
	flags.StringVar(&k.options.Table, "table", "boxes", "`NAME` of your table of boxes, as the database lists it, as in shop.boxes")
	flags.BoolVar(&k.options.Constraint, "constraint", false, "have the table refuse what is not valid ("+strings.Join(constraint, ", ")+")")
	flags.StringSliceVar(&k.options.Articles, "articles", nil, "`CODES` of the articles to write, separated by commas (default: all)")
	flags.StringVarP(&k.output, "output", "o", "-", "`FILE` to write the SQL to")
	complete(command, "articles", s.articles)
	return command
}

func (k *sqlGenerator) run(command *cobra.Command, _ []string) error {
	if k.options.Dialect = k.dialect.value; k.options.Dialect == "" {
		return usage(command, "--dialect is missing; accepted: %s", strings.Join(k.dialect.accepted, ", "))
	}
	if k.options.Table == "" {
		return usage(command, "--table names none; accepted: the name of your table of boxes")
	}
	if err := trimArticles(command, k.options.Articles); err != nil {
		return err
	}
	engine, err := k.engine()
	if err != nil {
		return k.console.Fail(err)
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		k.options.Version = info.Main.Version
	}
	text, err := codegen.SQL(engine, k.options)
	var input *boxrules.InputError
	switch {
	case errors.As(err, &input) && input.Field != "article":
		return usage(command, "--%s: %s", input.Field, input.Message)
	case err != nil:
		return k.console.Fail(err)
	}
	return k.console.Save(k.output, text)
}
