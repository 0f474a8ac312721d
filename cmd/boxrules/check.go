package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/verdicts"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/locale"
	"example.com/boxrules/internal/wording"
)

// checkCommand checks one box, or files of boxes.
type checkCommand struct {
	*sources
	box     boxFlags
	list    listFlags
	input   choice
	format  choice
	only    choiceList
	expect  string
	output  string
	options verdicts.Options
}

func newCheck(s *sources) *cobra.Command {
	c := &checkCommand{sources: s, input: newListKindFlag()}
	c.format = choice{value: verdicts.FormatText,
		accepted: []string{verdicts.FormatText, verdicts.FormatJSON, verdicts.FormatCSV, verdicts.FormatNone}}
	c.only.accepted = []string{verdicts.OnlyValid, verdicts.OnlyInvalid, verdicts.OnlyErrors, verdicts.OnlyUnexpected}
	command := &cobra.Command{
		Use:   "check [FILE...]",
		Short: "Check whether boxes can be made",
		Long: `check prints whether a box can be made, and if not, the code that is reported first and why. It checks one box, given
by flags, or every box in the files. The file name - means stdin.

A list (.csv, .tsv, .xlsx, .xlsm) has a header with the columns article, material, width, depth and height, in any order, in
upper or lower case. A column can name its unit, as in Width (cm). Other columns are ignored. --article or --material
replaces a missing column. Anything that was not matched exactly is reported on stderr. In an NDJSON file (.ndjson,
.jsonl) each line is an object whose keys have the same names as these columns. If your columns or keys have other
names, use --rename. If your articles and materials have other codes, use --codes. A row that is not a box is reported
as an error, and the remaining rows are still checked. Empty rows are skipped.

--format csv copies the list byte for byte (.xlsx and UTF-16 become CSV in UTF-8) and adds a column named verdict. The
new column holds "valid", a code, or "error:" and the name of the invalid field. --format none writes only the counts.
--summary adds a table that counts boxes by article and answer. With --format text and none the table goes to stdout,
and otherwise to stderr.

--only writes only rows of the given kinds, as in --only invalid,error. The exit status and the counts still cover all
rows.

--expect compares the answers with a column of your list: COLUMN holds the code expected for each box. In that column,
valid, ok or an empty cell means that the box can be made. If any box gets a different answer, the exit status is 1.
--format text writes only the boxes with a different answer. --format csv and json write every row, and add the
expected code as a column or key named expected; --only unexpected,error writes only the rows that failed.

Exit status: 0 every box is valid, 1 at least one box is invalid, 2 something could not be checked: a flag or a file
has an error, a row is not a box, or there are no boxes.`,
		Example: `  boxrules check --article tuck-end --material carton-300 --box 143x50x303
  boxrules check --all examples/boxes.csv
  boxrules check --format csv --advice examples/boxes.csv
  boxrules check --input ndjson --format json - < examples/boxes.ndjson`,
		RunE:              c.run,
		ValidArgsFunction: completeLists,
	}
	flags := command.Flags()
	flags.SortFlags = false
	c.box.add(command, oneBoxHelp, true)
	flags.BoolVar(&c.options.All, "all", false, "report every code that applies to a box, not only the first")
	command.Flags().Var(&c.format, "format", "output format")
	flags.StringVar(&c.options.Column, "verdict-column", "verdict", "`NAME` of the column that --format csv adds")
	flags.BoolVar(&c.options.Advice, "advice", false, "add a sentence that says what to change, as a column or key named advice")
	c.addLang(command)
	addStep(flags, &c.options.Step,
		"if advice changes several dimensions at once, make them multiples of this `NUMBER`")
	flags.BoolVar(&c.options.ExtraKeys, "extra-keys", false, "with --format json, keep the other keys of NDJSON input")
	flags.BoolVar(&c.options.Summary, "summary", false, "also print a table that counts boxes by article and answer")
	command.Flags().Var(&c.only, "only", "write only rows of these kinds, separated by commas")
	flags.StringVar(&c.expect, "expect", "", "`COLUMN` with the code expected for each box")
	addOutput(flags, &c.output, "-", "`FILE` to write to; it is left unchanged if the command fails")
	command.Flags().Var(&c.input, "input", "format of the input files (default: taken from their names)")
	c.list.add(command)
	return command
}

func (c *checkCommand) run(command *cobra.Command, args []string) error {
	inputs, err := c.inputs(command, args)
	if err != nil {
		return err
	}
	if err := checkFlagRelations(command); err != nil {
		return err
	}
	if err := c.checkOutput(c.output, append(args, c.list.codes)...); err != nil {
		return err
	}
	engine, err := c.engine()
	if err != nil {
		return c.console.Fail(err)
	}
	if err := c.list.loadCodes(inputs, engine.Catalogue()); err != nil {
		return c.console.Fail(err)
	}
	o := c.options
	o.Step = stepFlagValue(command, o.Step, engine.Catalogue())
	if o.Advice {
		if err := boxrules.ValidateStep(o.Step, exact.StepOf(engine.Catalogue().Decimals())); err != nil {
			return c.console.Fail(err)
		}
	}
	for i := range inputs {
		inputs[i].Options.Catalogue = engine.Catalogue().Unit()
	}
	if o.Advice && len(inputs) > 0 {
		c.warnOfAdviceWords(inputs[0].Options.Names)
	}
	o.Lang, o.Format, o.Only, o.Expect = c.lang.value, c.format.value, c.only.values, c.expect != ""
	return c.console.Into(c.output, func() (bool, error) {
		run := verdicts.New(c.console, engine, inputs, o)
		if len(inputs) == 0 {
			c.box.unit = c.list.unit
			return true, run.Box(c.box.row(engine.Catalogue()))
		}
		return run.Files()
	})
}

// warnOfAdviceWords warns the user if advice uses a word for one dimension that --rename uses for another. In German
// advice, the width is the Länge and the depth is the Breite.
func (c *checkCommand) warnOfAdviceWords(names map[string]string) {
	words, _ := locale.Of(c.lang.value) // English without --lang
	dimensions := lists.FieldNames[lists.FirstDimension:]
	for _, field := range dimensions {
		for _, other := range dimensions {
			name, _, _ := strings.Cut(names[field], " ") // without a unit
			if word := words.Form[other]; other != field && strings.EqualFold(name, word) {
				c.console.Say("boxrules: the advice says %s for %s, but --rename says it for %s", wording.Quote(word), other, field)
			}
		}
	}
}

// checkExpect returns an error if --only needs --expect but --expect is missing, or if --expect cannot be combined with
// the flags that select the output.
func (c *checkCommand) checkExpect(command *cobra.Command) error {
	expects := command.Flags().Changed("expect")
	switch {
	case !expects && slices.Contains(c.only.values, verdicts.OnlyUnexpected):
		return fmt.Errorf("--only %s is given without --expect; add --expect COLUMN", verdicts.OnlyUnexpected)
	case !expects || c.format.value != verdicts.FormatText:
		return nil
	case len(c.only.values) > 0:
		return errors.New("with --format text, --expect writes only the boxes whose code differs; leave out --only, or use --format csv or json")
	case c.options.All:
		return errors.New("with --format text, --expect compares only the first code; leave out --all, or use --format json")
	}
	return nil
}

// inputs returns the files to check. It returns none if the flags describe a single box.
func (c *checkCommand) inputs(command *cobra.Command, args []string) ([]lists.Input, error) {
	given, _ := c.box.given(command)
	listOptions, err := c.list.readOptions(command)
	if err != nil {
		return nil, err
	}
	if err := c.checkExpect(command); err != nil {
		return nil, err
	}
	if command.Flags().Changed("expect") {
		listOptions.Expect = strings.TrimSpace(c.expect)
		if listOptions.Names["code"] != "" {
			return nil, errors.New("both --expect and --rename name the column of the code; use only one of them")
		}
	}
	asCSV := c.format.value == verdicts.FormatCSV
	if kind := lists.InputKind(c.output); asCSV && kind != "" && kind != lists.CSV {
		return nil, fmt.Errorf("--format csv writes CSV, but --output is %s; use a name that ends in .csv", wording.Quote(c.output))
	}
	givenListFlags := c.list.changedFlags(command)
	givenFileFlags := c.list.changedFlags(command, "input", "summary", "extra-keys", "only")
	givenFileFlags = slices.DeleteFunc(givenFileFlags, func(flag string) bool { return flag == "--unit" }) // --unit also applies to a single box
	if asCSV {
		givenFileFlags = append(givenFileFlags, "--format csv")
	}
	switch {
	case len(args) > 0 && (c.box.box != nil ||
		slices.ContainsFunc(lists.FieldNames[lists.FirstDimension:], command.Flags().Changed)):
		return nil, fmt.Errorf("both a box (%s) and files are given; give either files, with --article and --material for all their "+
			"boxes, or one box, with --box or with --width, --depth and --height", console.ListText(given))
	case len(args) == 0 && len(given) == 0:
		return nil, fmt.Errorf("no box is given; give %s, or name files, or - for stdin", boxFlagNames)
	case len(args) == 0 && len(givenFileFlags) > 0:
		return nil, fmt.Errorf("%s applies only to files, but the box is given by flags; leave out %[1]s", givenFileFlags[0])
	case len(args) == 0:
		return nil, c.box.checkComplete(command)
	case asCSV && c.options.Advice && listOptions.NoQuotes:
		return nil, errors.New("advice may contain the delimiter, which --format csv with --quotes none cannot write; leave out --advice, or use --format json")
	case len(args) > 1 && asCSV:
		return nil, fmt.Errorf("--format csv copies one list, but %d files are given; give one file", len(args))
	}
	for _, name := range []string{"article", "material", "expect", "verdict-column"} {
		if f := command.Flag(name); f.Changed && strings.TrimSpace(f.Value.String()) == "" {
			return nil, fmt.Errorf("--%s is empty; give a name", name)
		}
	}
	copy(listOptions.Given[:], c.box.fields[:])
	inputs, err := listInputs(command, args, &c.input, listOptions, givenListFlags)
	if err != nil {
		return nil, err
	}
	for _, in := range inputs {
		switch ndjson := in.Kind == lists.NDJSON; {
		case ndjson && asCSV:
			return nil, fmt.Errorf("--format csv copies a list, but %s is NDJSON; use --format json with --extra-keys",
				in.DisplayName())
		case !ndjson && c.options.ExtraKeys:
			return nil, fmt.Errorf("--extra-keys applies only to NDJSON, but %s is a list; use --format csv, which keeps every column",
				in.DisplayName())
		}
	}
	return inputs, nil
}
