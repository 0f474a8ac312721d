package main

import (
	"strings"

	"github.com/spf13/cobra"

	"example.com/boxrules/cmd/boxrules/internal/columns"
	"example.com/boxrules/cmd/boxrules/internal/decode"
	"example.com/boxrules/cmd/boxrules/internal/number"
	"example.com/boxrules/internal/wording"
)

// A listForm says how lists are written, as far as they do not say it themselves. The zero listForm leaves it all to them.
type listForm struct {
	names     map[string]string // of columns, by field
	delimiter byte              // 0 where the header tells
	decimal   byte              // 0 for a point
	unit      string            // of the dimensions, empty where the header tells or it is the catalogue's
	encoding  string            // empty where the text tells
	sheet     string            // empty for the first

	given     [firstDimension]string // article and material of all rows, empty where they have their own
	catalogue string                 // unit of the limits
}

// listFlags are the flags that make a listForm.
type listFlags struct {
	columns                 []string
	delimiter, sheet        string
	decimal, unit, encoding choice
}

func (l *listFlags) add(command *cobra.Command) {
	flags := command.Flags()
	l.decimal.accepted = []string{".", ","}
	l.unit.accepted = number.Units
	l.encoding.accepted = decode.Encodings
	flags.StringArrayVar(&l.columns, "columns", nil, "what columns are called, as `FIELD=NAME,...` (default: what their fields are)")
	flags.StringVar(&l.delimiter, "delimiter", "", "`CHARACTER` between columns, \\t for a tab (default: what the header tells)")
	addChoice(command, &l.decimal, "decimal", "decimal point of the dimensions (default: .)")
	addChoice(command, &l.unit, "unit", "of the dimensions (default: what the header says, else the limits' own)")
	addChoice(command, &l.encoding, "encoding", "of the text (default: what the text tells)")
	flags.StringVar(&l.sheet, "sheet", "", "`NAME` of the sheet of an .xlsx file (default: the first visible one)")
}

// form is what the flags say.
func (l *listFlags) form(command *cobra.Command) (f listForm, err error) {
	if command.Flags().Changed("columns") {
		if f.names, err = columns.ParseColumns(strings.Join(l.columns, ",")); err != nil {
			return f, usage(command, "%v", err)
		}
	}
	if command.Flags().Changed("delimiter") {
		text := l.delimiter
		if text == `\t` {
			text = "\t"
		}
		if len(text) != 1 || strings.Trim(text, "\t,;:|/!#$%&*@^~") != "" {
			return f, usage(command, `--delimiter %s is not a delimiter; accepted: one character such as , or ; or | or \t for a tab`, wording.Quote(l.delimiter))
		}
		f.delimiter = text[0]
	}
	if l.decimal.value == "," {
		f.decimal = ','
	}
	if f.decimal != 0 && f.delimiter == f.decimal {
		return f, usage(command, "--delimiter and --decimal are both %s; accepted: two characters", wording.Quote(l.delimiter))
	}
	f.unit, f.encoding, f.sheet = l.unit.value, l.encoding.value, l.sheet
	return f, nil
}

// changed are the flags of lists that are given.
func (l *listFlags) changed(command *cobra.Command) (names []string) {
	for _, name := range []string{"columns", "delimiter", "decimal", "unit", "encoding", "sheet"} {
		if command.Flags().Changed(name) {
			names = append(names, "--"+name)
		}
	}
	return names
}
