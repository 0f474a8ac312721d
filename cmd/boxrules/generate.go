package main

import (
	"strings"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
	"example.com/boxrules/internal/wording"
)

// A generator is a command that writes the rules and limits in another language.
type generator struct {
	command *cobra.Command
	*sources
	write   func(*boxrules.Engine, codegen.Options) (codegen.Files, error)
	options codegen.Options
	output  string
}

func newGenerate(s *sources) *cobra.Command {
	command := &cobra.Command{
		Use:   "generate",
		Short: "Write the rules and limits as a module for the browser, or as SQL",
		RunE:  missingCommand,
	}
	js := newGenerator(s, "js", codegen.JavaScript)
	js.command.Short = "Write an ES module that checks boxes in the browser"
	js.command.Long = `js writes an ES module without dependencies that gives the same verdicts, ranges and nearest boxes as this
command does, and next to it its TypeScript declarations. It evaluates no text, so it runs under script-src 'self'.

Exit status: 0, or 2 where the module could not be written.`
	js.command.Example = `  boxrules generate js --limits limits.yaml -o boxrules.js
  boxrules generate js --limits limits.yaml --articles tuck-end,mailer -o boxrules.js`
	js.command.Flags().BoolVar(&js.options.WithoutNearest, "without-nearest", false, "leave out nearest, the search for the nearest valid box, and with it turned and suggest")
	details := newGenerator(s, "details", codegen.Details)
	details.command.Short = "Write an ES module for pages that show blanks and conditions"
	details.command.Long = `details writes an ES module that tells the size of the flat blank of a box and of its sheet, and the conditions
of the rules as they are written, and next to it its TypeScript declarations. Its numbers are for show: whether
a blank fits is a verdict, and those are js's.

Exit status: 0, or 2 where the module could not be written.`
	details.command.Example = `  boxrules generate details --limits limits.yaml -o details.js`
	command.AddCommand(js.command, details.command, newGenerateSQL(s))
	return command
}

func newGenerator(s *sources, name string, write func(*boxrules.Engine, codegen.Options) (codegen.Files, error)) *generator {
	k := &generator{sources: s, write: write}
	k.command = &cobra.Command{Use: name, Args: noFiles, RunE: k.run}
	flags := k.command.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&k.options.Articles, "articles", nil, "`CODES` of the articles to write, separated by commas (default: all)")
	flags.StringVarP(&k.output, "output", "o", "-", "`FILE` to write the module to; its declarations go next to it")
	complete(k.command, "articles", s.articles)
	return k
}

func (k *generator) run(command *cobra.Command, _ []string) error {
	declarations := ""
	if k.output != "-" {
		var ok bool
		if declarations, ok = declarationsOf(k.output); !ok {
			return usage(command, "--output %s is not a module; accepted: a name that ends in .js or .mjs, or -", wording.Quote(k.output))
		}
	}
	if err := trimArticles(command, k.options.Articles); err != nil {
		return err
	}
	engine, err := k.engine()
	if err != nil {
		return k.console.fail(err)
	}
	files, err := k.write(engine, k.options)
	if err != nil {
		return k.console.fail(err)
	}
	if err := k.console.save(k.output, files.Module); err != nil || k.output == "-" {
		return err
	}
	return k.console.save(declarations, files.Declarations)
}

// trimArticles takes the spaces from around the codes that --articles names.
func trimArticles(command *cobra.Command, codes []string) error {
	for i, article := range codes {
		codes[i] = strings.TrimSpace(article)
	}
	if command.Flags().Changed("articles") && len(codes) == 0 {
		return usage(command, "--articles names none; accepted: codes of articles, separated by commas")
	}
	return nil
}

// declarationsOf is where TypeScript looks for the declarations of a module.
func declarationsOf(module string) (name string, ok bool) {
	for from, to := range map[string]string{".js": ".d.ts", ".mjs": ".d.mts"} {
		if stem, ok := strings.CutSuffix(module, from); ok {
			return stem + to, true
		}
	}
	return "", false
}
