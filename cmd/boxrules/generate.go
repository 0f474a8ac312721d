package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/verdicts"
	"example.com/boxrules/codegen"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/internal/wording"
)

// A generator holds the flag values of a generate command. The fields marked js are used only by generate js, and the
// fields marked sql only by generate sql.
type generator struct {
	*sources
	articles       []string
	output         string
	withoutNearest bool               // js
	dialect        choice             // sql
	format         choice             // sql
	options        codegen.SQLOptions // sql
}

// addFlags adds the flags that all generate commands share, and returns the command. outputHelp is the help text of
// --output.
func (g *generator) addFlags(command *cobra.Command, outputHelp string) *cobra.Command {
	command.Args = flagsOnly("use --limits FILE, --rules FILE and --output FILE")
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&g.articles, "articles", nil,
		"`CODES` of the articles to write, separated by commas (default: all)")
	addOutput(flags, &g.output, "-", outputHelp)
	return command
}

// load checks the flags, and returns an engine with the rules and limits to write.
func (g *generator) load(command *cobra.Command) (*boxrules.Engine, error) {
	for i, article := range g.articles {
		g.articles[i] = strings.TrimSpace(article)
	}
	if command.Flags().Changed("articles") && len(g.articles) == 0 {
		return nil, errors.New("--articles is empty; give article codes, separated by commas")
	}
	if err := g.checkOutput(g.output); err != nil {
		return nil, err
	}
	engine, err := g.engine()
	if err != nil {
		return nil, g.console.Fail(err)
	}
	return engine, nil
}

// save writes the generated text to the output. If err is not nil, it prints the error instead.
func (g *generator) save(text []byte, err error) error {
	if err != nil {
		return g.console.Fail(err)
	}
	return g.console.Save(g.output, text)
}

func newGenerate(s *sources) *cobra.Command {
	command := &cobra.Command{
		Use:   "generate",
		Short: "Write the rules and limits as a module for the browser, as tables for other languages, or as SQL",
	}
	command.AddCommand(newGenerateJS(s), newGenerateJSON(s), newGenerateSQL(s))
	return command
}

func newGenerateJS(s *sources) *cobra.Command {
	g := &generator{sources: s}
	command := &cobra.Command{
		Use:   "js",
		Short: "Write an ES module that checks boxes in the browser",
		Long: `js writes an ES module without dependencies that gives the same verdicts, ranges and nearest boxes as this
command. Its TypeScript declarations are written next to it. The module does not call eval, so it runs under the content
security policy script-src 'self'.

Exit status: 0, or 2 if the module could not be written.`,
		Example: `  boxrules generate js --limits limits.yaml -o boxrules.js
  boxrules generate js --limits limits.yaml --articles tuck-end,mailer -o boxrules.js`,
		RunE: g.writeJS,
	}
	g.addFlags(command, "`FILE` to write the module to; its declarations go next to it")
	command.Flags().BoolVar(&g.withoutNearest, "without-nearest", false,
		"leave out the search for the nearest valid box, and the functions turned and suggest")
	return command
}

func (g *generator) writeJS(command *cobra.Command, _ []string) error {
	extension := filepath.Ext(g.output)
	declarationExtension, ok := map[string]string{".js": ".d.ts", ".mjs": ".d.mts"}[extension] // the extension with which TypeScript looks for declarations
	if !ok && g.output != "-" {
		return fmt.Errorf("--output %s does not name a JavaScript module; use a name that ends in .js or .mjs, or - for stdout",
			wording.Quote(g.output))
	}
	engine, err := g.load(command)
	if err != nil {
		return err
	}
	files, err := codegen.JavaScript(engine, codegen.Options{Articles: g.articles, WithoutNearest: g.withoutNearest})
	if err := g.save(files.Module, err); err != nil || g.output == "-" {
		return err
	}
	return g.console.Save(strings.TrimSuffix(g.output, extension)+declarationExtension, files.Declarations)
}

func newGenerateJSON(s *sources) *cobra.Command {
	g := &generator{sources: s}
	return g.addFlags(&cobra.Command{
		Use:   "json",
		Short: "Write the rules and limits as tables that any language can read",
		Long: `json writes the rules and limits as tables. ports/php/Boxrules.php, ports/python/boxrules.py and
ports/java/Boxrules.java read them. They compare sums of dimensions with whole numbers from the tables, so their verdicts
are the same as those of this command. You can write a port of your own: conformance/README.md describes the format.

Exit status: 0, or 2 if the tables could not be written.`,
		Example: `  boxrules generate json --limits limits.yaml -o boxrules.json
  boxrules generate json --limits limits.yaml --articles tuck-end,mailer`,
		RunE: func(command *cobra.Command, _ []string) error {
			engine, err := g.load(command)
			if err != nil {
				return err
			}
			return g.save(codegen.JSON(engine, g.articles))
		},
	}, "`FILE` to write the tables to")
}

func newGenerateSQL(s *sources) *cobra.Command {
	g := &generator{sources: s, format: newFormatFlag()}
	command := &cobra.Command{
		Use:   "sql",
		Short: "Write SQL that checks a table of boxes inside the database",
		Long: `sql writes statements that create a table box_profiles with its rows, and a view box_verdicts. The view shows your
table of boxes with an additional column, verdict, which holds "valid", a code, or "error:" and the name of the invalid
field. The verdicts are exactly those of this command. Your table needs the columns article and material, spelled as
in the limits, and width, depth and height as numbers.

With --constraint the table rejects boxes that are not valid, and the database's error names the code.

With --limits-only it writes only statements that replace the rows of box_profiles with new limits. They do so in one
step: no query fails or sees a mixture of old and new limits. If the new limits need a different view, or the table has
the constraint, the database rejects the statements. In that case, load the whole file.

With --format json it writes a list of the statements, for programs that run them one by one.

Exit status: 0, or 2 if the SQL could not be written.`,
		Example: `  boxrules generate sql --dialect postgres --limits limits.yaml -o boxrules.sql
  boxrules generate sql --dialect sqlite --limits limits.yaml --table orders --constraint | sqlite3 -bail shop.db
  boxrules generate sql --dialect clickhouse --limits limits.yaml --limits-only | clickhouse client --queries-file /dev/stdin`,
		RunE: g.writeSQL,
	}
	dialects, constraint := codegen.SQLDialects()
	limitsOnly := codegen.SQLDialectsWithLimitsOnly()
	flags := command.Flags()
	flags.SortFlags = false
	g.dialect.accepted = dialects
	command.Flags().Var(&g.dialect, "dialect", "SQL dialect of the database")
	flags.StringVar(&g.options.Table, "table", "boxes",
		"`NAME` of your table of boxes, spelled as the database lists it, such as shop.boxes")
	flags.BoolVar(&g.options.Constraint, "constraint", false,
		"make the table reject boxes that are not valid ("+strings.Join(constraint, ", ")+")")
	flags.BoolVar(&g.options.LimitsOnly, "limits-only", false,
		"write only statements that replace the rows of box_profiles with new limits, in one step ("+strings.Join(limitsOnly, ", ")+")")
	command.Flags().Var(&g.format, "format", "output format: one SQL script, or a list of statements")
	return g.addFlags(command, "`FILE` to write the SQL to")
}

func (g *generator) writeSQL(command *cobra.Command, _ []string) error {
	if g.options.Dialect = g.dialect.value; g.options.Dialect == "" {
		return fmt.Errorf("--dialect is missing; accepted: %s", strings.Join(g.dialect.accepted, ", "))
	}
	if g.options.Table == "" {
		return errors.New("--table is empty; give the name of your table of boxes")
	}
	engine, err := g.load(command)
	if err != nil {
		return err
	}
	g.options.Articles = g.articles
	g.options.Version = mainModuleVersion()
	if g.format.value != verdicts.FormatJSON {
		return g.save(codegen.SQL(engine, g.options))
	}
	statements, err := codegen.SQLStatements(engine, g.options)
	return g.save(console.PrintableJSON(strictjson.Marshal(statements)), err)
}
