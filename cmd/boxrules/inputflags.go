package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/lists/charset"
	"example.com/boxrules/cmd/boxrules/internal/lists/header"
	"example.com/boxrules/cmd/boxrules/internal/lists/number"
	"example.com/boxrules/internal/wording"
)

// boxFlags hold the texts of the flags that give one box.
type boxFlags struct {
	fields [lists.FieldCount]string
	box    boxFlag
}

// A boxFlag is a flag with all dimensions of a box, such as 48x141x184.
type boxFlag []string

var _ pflag.Value = (*boxFlag)(nil)

func (b *boxFlag) String() string { return strings.Join(*b, "x") }
func (b *boxFlag) Type() string   { return "WxDxH" }
func (b *boxFlag) Set(text string) error {
	*b = strings.Split(text, "x")
	if len(*b) != lists.FieldCount-lists.FirstDimension {
		return errors.New("another number of dimensions")
	}
	return nil
}

// oneBox says what --box is for where a command takes one box.
const oneBox = "width, depth and height together, as WxDxH such as 48x141x184"

// add adds the flags, with what --box is for.
func (b *boxFlags) add(command *cobra.Command, box string) {
	flags := command.Flags()
	for field, use := range [lists.FieldCount]string{
		"article `CODE` of one box, or of all boxes of a list", "material `CODE`, likewise",
		"width of one box, a plain `NUMBER` such as 48.5", "its depth, a `NUMBER`", "its height, a `NUMBER`",
	} {
		flags.StringVar(&b.fields[field], lists.FieldNames[field], "", use)
	}
	flags.Var(&b.box, "box", box)
}

// boxFlagNames lists the flags that give one box.
const boxFlagNames = "--article, --material, --width, --depth and --height"

// given returns the names of the flags that are given, and of those that are not.
func (b *boxFlags) given(command *cobra.Command) (given, missing []string) {
	for field, name := range lists.FieldNames {
		if command.Flags().Changed(name) || b.box != nil && field >= lists.FirstDimension {
			given = append(given, "--"+name)
		} else {
			missing = append(missing, "--"+name)
		}
	}
	return given, missing
}

// complete returns an error where one of the flags is missing.
func (b *boxFlags) complete(command *cobra.Command) error {
	if _, missing := b.given(command); len(missing) > 0 {
		return fmt.Errorf("missing: %s; accepted: %s together", strings.Join(missing, ", "), boxFlagNames)
	}
	return nil
}

func (b *boxFlags) row() lists.Row {
	r := lists.Row{Number: 1}
	for field, text := range b.fields {
		if field < lists.FirstDimension {
			r.Names[field], r.Known[field] = []byte(text), true
			continue
		}
		axis := field - lists.FirstDimension
		if b.box != nil {
			text = strings.TrimSpace(b.box[axis])
		}
		x, err := boxrules.ParseDimension(lists.FieldNames[field], text)
		r.Dimensions[axis], r.Known[field] = x, err == nil
		r.Blame(err)
	}
	return r
}

// parse returns the box. Its dimensions have to be plain decimals; whether there is such an
// article it leaves to the engine.
func (b *boxFlags) parse() (boxrules.Box, error) {
	r := b.row()
	if problem := r.Problem(); problem != nil {
		return boxrules.Box{}, problem
	}
	return boxrules.Box{
		Article: string(r.Names[lists.Article]), Material: string(r.Names[lists.Material]), Dims: r.Dims(),
	}, nil
}

// boxPairText returns an article in a material for people, such as `tray in carton-300`.
func boxPairText(article, material string) string {
	return console.Printable(article) + " in " + console.Printable(material)
}

// boxText returns a box, such as `tray in carton-300 48 x 141 x 184`.
func boxText(b boxrules.Box) string {
	return boxPairText(b.Article, b.Material) + " " + boxDimsText(b.Dims)
}

func boxDimsText(d boxrules.Dims) string { return console.Size(d.Width, d.Depth, d.Height) }

// listFlags say how a list is to be read.
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
		"what columns are called, as `FIELD=NAME,...` (default: what their fields are)")
	flags.IntVar(&l.options.Skip, "skip", 0, "`NUMBER` of rows above the header, such as a title")
	flags.StringVar(&l.delimiter, "delimiter", "",
		"`CHARACTER` between columns, \\t for a tab (default: what the header tells)")
	addChoice(command, &l.decimal, "decimal",
		"decimal point of dimensions that are text (default: . in a text, none in a sheet)")
	addChoice(command, &l.unit, "unit", "of the dimensions (default: what the header says, else the limits' own)")
	addChoice(command, &l.encoding, "encoding", "of the text (default: what the text tells)")
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
			return nil, errors.New("stdin is given twice; accepted: - once")
		case in.Kind == "":
			return nil, fmt.Errorf("what file %s is cannot be told from its name; accepted: %s, or --input %s",
				wording.Quote(in.Shown()), strings.Join(lists.Extensions(), ", "), strings.Join(given.accepted, ", "))
		case name == "-" && in.Kind == lists.XLSX:
			return nil, errors.New("a spreadsheet cannot be read from stdin; accepted: a file")
		case in.Kind == lists.NDJSON && len(flags) > 0:
			return nil, fmt.Errorf("%s is about lists, and %s is NDJSON; accepted: .csv, .tsv or .xlsx",
				flags[0], wording.Quote(in.Shown()))
		case in.Kind == lists.CSV && slices.Contains(flags, "--sheet"):
			return nil, fmt.Errorf("--sheet is about .xlsx files, and %s is CSV; accepted: one of them",
				wording.Quote(in.Shown()))
		case in.Kind == lists.XLSX && (form.Delimiter != 0 || form.Encoding != ""):
			return nil, fmt.Errorf("--delimiter and --encoding are about text, and %s is a spreadsheet; accepted: one of them",
				wording.Quote(in.Shown()))
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
