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
	"example.com/boxrules/limits"
)

// listFlags holds the values of the flags that say how to read a list.
type listFlags struct {
	columns                 []string
	delimiter               string
	quotes                  choice
	codes                   string
	decimal, unit, encoding choice
	options                 lists.Options
}

func (l *listFlags) add(command *cobra.Command) {
	flags := command.Flags()
	l.decimal.accepted = []string{".", ","}
	l.unit.accepted = number.Units
	l.encoding.accepted = charset.Encodings
	l.quotes = choice{value: doubleQuotes, accepted: []string{doubleQuotes, noQuotes}}
	flags.StringArrayVar(&l.columns, "rename", nil,
		"names of your columns or NDJSON keys, as `FIELD=NAME,...` (default: the field names)")
	flags.StringVar(&l.codes, "codes", "",
		"`FILE` (.csv, .tsv, .xlsx) with two columns: your codes for articles and materials, and the codes in the limits")
	flags.IntVar(&l.options.Skip, "skip", 0, "`NUMBER` of rows to skip above the header, such as a title")
	flags.StringVar(&l.delimiter, "delimiter", "",
		"`CHARACTER` between columns, \\t for a tab (default: detected from the header)")
	command.Flags().Var(&l.quotes, "quotes", "quotes that can enclose a field; if the value is none, quotes are ordinary characters")
	command.Flags().Var(&l.decimal, "decimal",
		"decimal separator of dimensions stored as text (default: . in text files; in .xlsx such dimensions are rejected)")
	command.Flags().Var(&l.unit, "unit", "unit of the dimensions (default: the unit in the header, or else the unit of the limits)")
	command.Flags().Var(&l.encoding, "encoding", "encoding of the text (default: detected)")
	flags.StringVar(&l.options.Sheet, "sheet", "", "`NAME` of the sheet of an .xlsx file (default: the first visible one)")
}

// The values of --quotes.
const (
	doubleQuotes = "double"
	noQuotes     = "none"
)

// readOptions converts the flags to options for reading lists. It returns an error if a flag has an invalid value.
func (l *listFlags) readOptions(command *cobra.Command) (o lists.Options, err error) {
	o = l.options
	if command.Flags().Changed("rename") {
		if o.Names, err = header.ParseColumns(strings.Join(l.columns, ",")); err != nil {
			return o, err
		}
	}
	if command.Flags().Changed("delimiter") {
		text := l.delimiter
		if text == `\t` {
			text = "\t"
		}
		if len(text) != 1 || strings.Trim(text, "\t,;:|/!#$%&*@^~") != "" {
			return o, fmt.Errorf(`--delimiter %s is not a delimiter; accepted: one character such as , or ; or | or \t for a tab`,
				wording.Quote(l.delimiter))
		}
		o.Delimiter = text[0]
	}
	if l.decimal.value != "" {
		o.Decimal = l.decimal.value[0]
	}
	if command.Flags().Changed("sheet") && strings.TrimSpace(o.Sheet) == "" {
		return o, errors.New("--sheet is empty; give the name of a sheet")
	}
	if command.Flags().Changed("codes") && l.codes == "" {
		return o, errors.New("--codes is empty; give the name of a file")
	}
	if o.Skip < 0 {
		return o, fmt.Errorf("--skip %d is not a number of rows; accepted: 0 or more", o.Skip)
	}
	o.Unit, o.Encoding, o.NoQuotes = l.unit.value, l.encoding.value, l.quotes.value == noQuotes
	return o, nil
}

// loadCodes reads the file that --codes names, and sets its codes in the options of every input. Readers of these
// inputs then translate the shop's codes to the codes of the catalogue.
func (l *listFlags) loadCodes(inputs []lists.Input, catalogue *limits.Catalogue) error {
	if l.codes == "" {
		return nil
	}
	codes, err := lists.LoadCodes(l.codes, catalogue)
	for i := range inputs {
		inputs[i].Options.Codes = codes
	}
	return err
}

// changedFlags returns the flags on the command line that apply only to files. These are the flags in listFlags,
// --expect, and the flags in others.
func (l *listFlags) changedFlags(command *cobra.Command, others ...string) (names []string) {
	for _, name := range append([]string{"rename", "codes", "skip", "delimiter", "quotes", "decimal", "unit", "encoding", "sheet", "expect"},
		others...) {
		if command.Flags().Changed(name) {
			names = append(names, "--"+name)
		}
	}
	return names
}

// ndjsonFlags are the flags for lists that also apply to NDJSON.
var ndjsonFlags = []string{"--rename", "--codes", "--expect"}

// listInputs returns an input for each file in args. kind is the value of --input. If it is empty, the extension of
// each file determines its kind. given is the result of listFlags.changedFlags. If one of these flags does not
// apply to the kind of a file, listInputs returns an error.
func listInputs(command *cobra.Command, args []string, kind *choice, o lists.Options, given []string) ([]lists.Input, error) {
	listOnly := slices.DeleteFunc(slices.Clone(given), func(flag string) bool { return slices.Contains(ndjsonFlags, flag) })
	var inputs []lists.Input
	for i, name := range args {
		in := lists.Input{Name: name, Kind: cmp.Or(kind.value, lists.InputKind(name)), Options: o}
		switch {
		case name == "-" && slices.Contains(args[:i], "-"):
			return nil, errors.New("stdin is given twice; give - only once")
		case in.Kind == "":
			return nil, fmt.Errorf("the format of the file %s is not clear from its name; use a name that ends in %s, or --input %s",
				wording.Quote(in.DisplayName()), strings.Join(lists.InputExtensions(), ", "), strings.Join(kind.accepted, ", "))
		case name == "-" && in.Kind == lists.XLSX:
			return nil, errors.New("a spreadsheet cannot be read from stdin; give the name of a file")
		case in.Kind == lists.NDJSON && len(listOnly) > 0:
			return nil, fmt.Errorf("%s applies only to lists (.csv, .tsv, .xlsx), but %s is NDJSON; leave out %[1]s",
				listOnly[0], wording.Quote(in.DisplayName()))
		case in.Kind == lists.CSV && slices.Contains(listOnly, "--sheet"):
			return nil, fmt.Errorf("--sheet applies only to .xlsx files, but %s is CSV; leave out --sheet",
				wording.Quote(in.DisplayName()))
		case in.Kind == lists.XLSX && (o.Delimiter != 0 || o.Encoding != "" || o.NoQuotes):
			return nil, fmt.Errorf("--delimiter, --quotes and --encoding apply only to text, but %s is a spreadsheet; leave out these flags",
				wording.Quote(in.DisplayName()))
		}
		if strings.EqualFold(filepath.Ext(name), ".tsv") {
			in.Options.Delimiter = cmp.Or(o.Delimiter, '\t')
		}
		inputs = append(inputs, in)
	}
	return inputs, nil
}

// completeLists makes the shell complete the names of files with the extension of a list, such as .csv.
func completeLists(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var extensions []cobra.Completion
	for _, extension := range lists.InputExtensions() {
		extensions = append(extensions, extension[len("."):])
	}
	return extensions, cobra.ShellCompDirectiveFilterFileExt
}

// newListKindFlag returns the value of the flag --input, which sets the kind of the input files.
func newListKindFlag() choice { return choice{accepted: []string{lists.CSV, lists.XLSX, lists.NDJSON}} }
