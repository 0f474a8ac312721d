package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/boxrules/internal/wording"
)

// check is the command that answers for one box, or for files of them.
type check struct {
	*sources
	box    boxFlags
	input  choice
	format choice
	all    bool
}

func newCheck(s *sources) *cobra.Command {
	k := &check{sources: s, input: choice{accepted: []string{kindCSV, kindNDJSON}}, format: newFormat()}
	command := &cobra.Command{
		Use:   "check [FILE...]",
		Short: "Say of each box whether it can be made",
		Long: `check says of one box, given by its five flags, or of each box in the files, whether it can be made, and
if not, which code is reported first and why. The file - is stdin.

In a CSV file (.csv) a header names the columns article, material, width, depth and height, in any order;
others are ignored. In an NDJSON file (.ndjson, .jsonl) each line is an object with those keys. A row that
is not a box is reported in its place, and the others are answered all the same.

Exit status: 0 every box is valid, 1 some box is invalid, 2 some question could not be answered: a flag or
a file is wrong, a row is not a box, or there is none at all.`,
		Example: `  boxrules check --article tuck-end --material carton-300 --width 143 --depth 50 --height 303
  boxrules check --all examples/boxes.csv
  boxrules check --input ndjson --format json - < examples/boxes.ndjson`,
		RunE:              k.run,
		ValidArgsFunction: inputNames,
	}
	flags := command.Flags()
	flags.SortFlags = false
	k.box.add(command, s)
	flags.BoolVar(&k.all, "all", false, "report every code of a box, not the first alone")
	addChoice(command, &k.format, "format", "what is written")
	addChoice(command, &k.input, "input", "what the files are, whatever their names")
	return command
}

func (k *check) run(command *cobra.Command, args []string) error {
	inputs, err := k.inputs(command, args)
	if err != nil {
		return err
	}
	engine, err := k.engine()
	if err != nil {
		return k.console.fail(err)
	}
	c := newChecker(k.console, engine, inputs, k.format.value, k.all)
	if len(inputs) == 0 {
		return c.one(k.box)
	}
	return c.files(inputs)
}

// inputs are the files to check, none where one box is given by flags.
func (k *check) inputs(command *cobra.Command, args []string) ([]input, error) {
	given, missing, all := k.box.given(command)
	switch {
	case len(given) > 0 && len(args) > 0:
		return nil, usage(command, "both a box (%s) and files are given; accepted: one or the other", list(given))
	case len(given) == 0 && len(args) == 0:
		return nil, usage(command, "no box is given; accepted: %s, or files, or - for stdin", list(all))
	case len(args) == 0 && len(missing) > 0:
		return nil, k.box.complete(command)
	case len(given) > 0 && k.input.value != "":
		return nil, usage(command, "--input is about files, and one box is given by flags; accepted: one or the other")
	}
	return inputs(command, args, &k.input)
}

// inputs are the files of the arguments, each of the kind that --input says or else its name.
func inputs(command *cobra.Command, args []string, given *choice) ([]input, error) {
	var inputs []input
	accepted := strings.Join(given.accepted, " or ")
	for i, name := range args {
		kind := cmp.Or(given.value, kindOf(name))
		switch {
		case name == "-" && slices.Contains(args[:i], "-"):
			return nil, usage(command, "stdin is given twice; accepted: - once")
		case name == "-" && kind == "":
			return nil, usage(command, "--input is missing, as stdin has no name that tells what it is; accepted: --input %s", accepted)
		case kind == "":
			return nil, usage(command, "what file %s is cannot be told from its name; accepted: .csv, .ndjson, .jsonl, or --input %s", wording.Quote(name), accepted)
		}
		inputs = append(inputs, input{name: name, kind: kind})
	}
	return inputs, nil
}

// inputNames completes the names of files.
func inputNames(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []cobra.Completion{"csv", "ndjson", "jsonl"}, cobra.ShellCompDirectiveFilterFileExt
}

func are(words []string) string {
	if len(words) == 1 {
		return words[0] + " is"
	}
	return list(words) + " are"
}
