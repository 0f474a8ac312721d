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
)

// check answers for one box, or for files of them.
type check struct {
	*sources
	box     boxFlags
	list    listFlags
	input   choice
	format  choice
	only    choice
	expect  string
	output  string
	options verdicts.Options
}

func newCheck(s *sources) *cobra.Command {
	k := &check{sources: s, input: newListKind()}
	k.format = choice{value: verdicts.FormatText,
		accepted: []string{verdicts.FormatText, verdicts.FormatJSON, verdicts.FormatCSV, verdicts.FormatNone}}
	k.only.accepted = []string{verdicts.OnlyValid, verdicts.OnlyInvalid, verdicts.OnlyErrors}
	command := &cobra.Command{
		Use:   "check [FILE...]",
		Short: "Say of each box whether it can be made",
		Long: `check says of one box, given by flags, or of each box in the files, whether it can be made, and
if not, which code is reported first and why. The file - is stdin.

In a list (.csv, .tsv, .xlsx) a header names the columns article, material, width, depth and height, in any
order and any case, with a unit as in Width (cm) where that is another; others are passed over. Where the
columns are called differently, --rename says how, and --article or --material stands for a column that is
missing. Whatever is understood that is not written so is said on stderr. In an NDJSON file (.ndjson, .jsonl)
each line is an object with those keys. A row that is not a box is reported in its place, and the others are
answered all the same; rows with nothing in them are passed over.

--format csv writes the list as it came, every byte of it (but .xlsx and UTF-16 as UTF-8), with a column verdict: valid,
a code, or error: and the field. --format none leaves it at the counts and the status. --summary adds a table of boxes
by article and answer: on stdout where the results are for people, otherwise on stderr.

--only writes the rows of one kind alone; status and counts are those of all. --expect makes a test of a list: its
COLUMN has for each box the code that it must have, or valid, ok or nothing for one that can be made. Each box
whose code differs is reported, and the status is 1 then.

Exit status: 0 every box is valid, 1 some box is invalid, 2 some question could not be answered: a flag or
a file is wrong, a row is not a box, or there is none at all.`,
		Example: `  boxrules check --article tuck-end --material carton-300 --box 143x50x303
  boxrules check --all examples/boxes.csv
  boxrules check --format csv --advice examples/boxes.csv
  boxrules check --input ndjson --format json - < examples/boxes.ndjson`,
		RunE:              k.run,
		ValidArgsFunction: completeLists,
	}
	flags := command.Flags()
	flags.SortFlags = false
	k.box.add(command, oneBox, true)
	flags.BoolVar(&k.options.All, "all", false, "report every code of a box, not the first alone")
	addChoice(command, &k.format, "format", "what is written")
	flags.StringVar(&k.options.Column, "verdict-column", "verdict", "`NAME` of the column that --format csv adds")
	flags.BoolVar(&k.options.Advice, "advice", false, "say in words what to change, in a column or key advice")
	addDecimal(flags, &k.options.Step, "step", 1,
		"several dimensions that advice changes at once are multiples of this `NUMBER`")
	flags.BoolVar(&k.options.ExtraKeys, "extra-keys", false, "keep the other keys of NDJSON in --format json")
	flags.BoolVar(&k.options.Summary, "summary", false, "end with a table of boxes by article and answer")
	addChoice(command, &k.only, "only", "the rows that are written")
	flags.StringVar(&k.expect, "expect", "", "`COLUMN` of the codes that the boxes must have")
	addOutput(flags, &k.output, "-", "`FILE` to write to, whole or not at all")
	addChoice(command, &k.input, "input", "what the files are, whatever their names")
	k.list.add(command)
	return command
}

func (k *check) run(command *cobra.Command, args []string) error {
	inputs, err := k.inputs(command, args)
	if err != nil {
		return err
	}
	if err := checkFlagRelations(command); err != nil {
		return err
	}
	if err := k.readToo(k.output, args...); err != nil {
		return err
	}
	engine, err := k.engine()
	if err != nil {
		return k.console.Fail(err)
	}
	o := k.options
	if o.Advice {
		if err := boxrules.ValidateStep(o.Step, exact.StepOf(engine.Catalogue().Decimals())); err != nil {
			return k.console.Fail(err)
		}
	}
	for i := range inputs {
		inputs[i].Options.Catalogue = engine.Catalogue().Unit()
	}
	o.Format, o.Only, o.Expect = k.format.value, k.only.value, k.expect != ""
	return k.console.Into(k.output, func() (bool, error) {
		run := verdicts.New(k.console, engine, inputs, o)
		if len(inputs) == 0 {
			return true, run.Box(k.box.row())
		}
		return run.Files()
	})
}

// inputs returns the files to check, or none where the flags give one box.
func (k *check) inputs(command *cobra.Command, args []string) ([]lists.Input, error) {
	given, _ := k.box.given(command)
	form, err := k.list.form(command)
	if err != nil {
		return nil, err
	}
	if command.Flags().Changed("expect") {
		form.Expect = strings.TrimSpace(k.expect)
		if form.Names["code"] != "" {
			return nil, errors.New("both --expect and --rename name the column of the code; accepted: one of them")
		}
	}
	asCSV := k.format.value == verdicts.FormatCSV
	listed := k.list.changed(command)
	ofFiles := k.list.changed(command, "input", "summary", "extra-keys", "only")
	if asCSV {
		ofFiles = append(ofFiles, "--format csv")
	}
	switch {
	case len(args) > 0 && (k.box.box != nil ||
		slices.ContainsFunc(lists.FieldNames[lists.FirstDimension:], command.Flags().Changed)):
		return nil, fmt.Errorf("both a box (%s) and files are given; accepted: files, with --article and --material for all their "+
			"boxes, or one box, by --box or by --width, --depth and --height", console.List(given))
	case len(args) == 0 && len(given) == 0:
		return nil, fmt.Errorf("no box is given; accepted: %s (or --box), or files, or - for stdin", boxFlagNames)
	case len(args) == 0 && len(ofFiles) > 0:
		return nil, fmt.Errorf("%s is about files, and one box is given by flags; accepted: one or the other", ofFiles[0])
	case len(args) == 0:
		return nil, k.box.complete(command)
	case len(args) > 1 && asCSV:
		return nil, fmt.Errorf("--format csv writes a list as it came, and there are %d; accepted: one file", len(args))
	}
	for _, name := range []string{"article", "material", "expect", "verdict-column"} {
		if f := command.Flag(name); f.Changed && strings.TrimSpace(f.Value.String()) == "" {
			return nil, fmt.Errorf("--%s is empty; accepted: a name", name)
		}
	}
	copy(form.Given[:], k.box.fields[:])
	inputs, err := listInputs(command, args, &k.input, form, listed)
	if err != nil {
		return nil, err
	}
	for _, in := range inputs {
		switch ndjson := in.Kind == lists.NDJSON; {
		case ndjson && asCSV:
			return nil, fmt.Errorf("--format csv writes a list as it came, and %s is NDJSON; accepted: --format json with --extra-keys",
				in.DisplayName())
		case !ndjson && k.options.ExtraKeys:
			return nil, fmt.Errorf("--extra-keys is about NDJSON, and %s is a list; accepted: --format csv, which keeps every column",
				in.DisplayName())
		}
	}
	return inputs, nil
}
