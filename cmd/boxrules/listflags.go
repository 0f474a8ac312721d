package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/lists/charset"
	"example.com/boxrules/cmd/boxrules/internal/lists/header"
	"example.com/boxrules/cmd/boxrules/internal/lists/number"
	"example.com/boxrules/internal/wording"
)

// listFlags are the flags that say how to read a list.
type listFlags struct {
	columns                 []string
	delimiter               string
	decimal, unit, encoding choice
	options                 lists.Options
}

func (l *listFlags) add(command *cobra.Command) {
	flags := command.Flags()
	l.decimal.accepted = []string{".", ","}
	l.unit.accepted = number.Units
	l.encoding.accepted = charset.Encodings
	flags.StringArrayVar(&l.columns, "rename", nil,
		"the names of columns, as `FIELD=NAME,...` (default: the names of the fields)")
	flags.IntVar(&l.options.Skip, "skip", 0, "`NUMBER` of rows above the header, such as a title")
	flags.StringVar(&l.delimiter, "delimiter", "",
		"`CHARACTER` between columns, \\t for a tab (default: detected from the header)")
	addChoice(command, &l.decimal, "decimal",
		"decimal point of dimensions that are text (default: . in a text, none in a sheet)")
	addChoice(command, &l.unit, "unit", "of the dimensions (default: that of the header, or else of the limits)")
	addChoice(command, &l.encoding, "encoding", "of the text (default: detected from the text)")
	flags.StringVar(&l.options.Sheet, "sheet", "", "`NAME` of the sheet of an .xlsx file (default: the first visible one)")
}

// form returns the flags as options for reading lists.
func (l *listFlags) form(command *cobra.Command) (f lists.Options, err error) {
	f = l.options
	if command.Flags().Changed("rename") {
		if f.Names, err = header.ParseColumns(strings.Join(l.columns, ",")); err != nil {
			return f, err
		}
	}
	if command.Flags().Changed("delimiter") {
		text := l.delimiter
		if text == `\t` {
			text = "\t"
		}
		if len(text) != 1 || strings.Trim(text, "\t,;:|/!#$%&*@^~") != "" {
			return f, fmt.Errorf(`--delimiter %s is not a delimiter; accepted: one character such as , or ; or | or \t for a tab`,
				wording.Quote(l.delimiter))
		}
		f.Delimiter = text[0]
	}
	if l.decimal.value != "" {
		f.Decimal = l.decimal.value[0]
	}
	if command.Flags().Changed("sheet") && strings.TrimSpace(f.Sheet) == "" {
		return f, errors.New("--sheet is empty; give the name of a sheet")
	}
	if f.Skip < 0 {
		return f, fmt.Errorf("--skip %d is not a number of rows; accepted: 0 or more", f.Skip)
	}
	f.Unit, f.Encoding = l.unit.value, l.encoding.value
	return f, nil
}

// changed returns the flags of lists, and others of these names, that are given.
func (l *listFlags) changed(command *cobra.Command, others ...string) (names []string) {
	for _, name := range append([]string{"rename", "skip", "delimiter", "decimal", "unit", "encoding", "sheet", "expect"},
		others...) {
		if command.Flags().Changed(name) {
			names = append(names, "--"+name)
		}
	}
	return names
}

// listInputs returns a list for each file of the arguments, of the kind that --input says or else
// its name. The flags are those that only lists have; NDJSON beside one of them is an error.
func listInputs(command *cobra.Command, args []string, given *choice, form lists.Options, flags []string) ([]lists.Input, error) {
	var inputs []lists.Input
	for i, name := range args {
		in := lists.Input{Name: name, Kind: cmp.Or(given.value, lists.KindOf(name)), Options: form}
		switch {
		case name == "-" && slices.Contains(args[:i], "-"):
			return nil, errors.New("stdin is given twice; give - only once")
		case in.Kind == "":
			return nil, fmt.Errorf("the kind of the file %s is not clear from its name; use a name that ends in %s, or --input %s",
				wording.Quote(in.DisplayName()), strings.Join(lists.Extensions(), ", "), strings.Join(given.accepted, ", "))
		case name == "-" && in.Kind == lists.XLSX:
			return nil, errors.New("a spreadsheet cannot be read from stdin; give the name of a file")
		case in.Kind == lists.NDJSON && len(flags) > 0:
			return nil, fmt.Errorf("%s applies only to lists (.csv, .tsv, .xlsx), and %s is NDJSON; leave it out",
				flags[0], wording.Quote(in.DisplayName()))
		case in.Kind == lists.CSV && slices.Contains(flags, "--sheet"):
			return nil, fmt.Errorf("--sheet applies only to .xlsx files, and %s is CSV; leave it out",
				wording.Quote(in.DisplayName()))
		case in.Kind == lists.XLSX && (form.Delimiter != 0 || form.Encoding != ""):
			return nil, fmt.Errorf("--delimiter and --encoding apply only to text, and %s is a spreadsheet; leave them out",
				wording.Quote(in.DisplayName()))
		}
		if strings.EqualFold(filepath.Ext(name), ".tsv") {
			in.Options.Delimiter = cmp.Or(form.Delimiter, '\t')
		}
		inputs = append(inputs, in)
	}
	return inputs, nil
}

// completeLists completes the names of lists.
func completeLists(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var extensions []cobra.Completion
	for _, extension := range lists.Extensions() {
		extensions = append(extensions, extension[len("."):])
	}
	return extensions, cobra.ShellCompDirectiveFilterFileExt
}

// newListKind returns the choice of --input.
func newListKind() choice { return choice{accepted: []string{lists.CSV, lists.XLSX, lists.NDJSON}} }
