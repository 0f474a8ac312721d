package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/lists/number"
	"example.com/boxrules/exact"
	"example.com/boxrules/limits"
)

// boxFlags holds the values of the flags that describe one box: one flag for each field, and --box.
type boxFlags struct {
	fields [lists.FieldCount]string
	box    boxFlag
	unit   choice // the unit of the dimensions; empty if --unit is not given
}

// A boxFlag is the value of --box, such as 48x141x184, split into the texts of the three dimensions. X and × are
// also accepted as separators.
type boxFlag []string

var _ pflag.Value = (*boxFlag)(nil)

func (b *boxFlag) String() string { return strings.Join(*b, "x") }
func (b *boxFlag) Type() string   { return "WxDxH" }
func (b *boxFlag) Set(text string) error {
	*b = strings.Split(strings.NewReplacer("X", "x", "×", "x").Replace(text), "x")
	if len(*b) != lists.FieldCount-lists.FirstDimension {
		return errors.New("not three dimensions")
	}
	return nil
}

// oneBoxHelp is the help text of --box for a command that takes one box.
const oneBoxHelp = "width, depth and height together, as WxDxH such as 48x141x184"

// add adds the flags to the command. boxHelp is the help text of --box. withLists is true if the command also reads
// lists.
func (b *boxFlags) add(command *cobra.Command, boxHelp string, withLists bool) {
	flags := command.Flags()
	uses := [lists.FieldCount]string{"article `CODE` of the box", "material `CODE` of the box",
		"width of the box, a `NUMBER` such as 48.5, or 3 1/2 if the limits are in inches", "depth of the box, a `NUMBER`", "height of the box, a `NUMBER`"}
	if withLists {
		uses[lists.Article], uses[lists.Material] = "article `CODE` of one box, or of all boxes in a list", "material `CODE` of one box, or of all boxes in a list"
		uses[lists.Width] = "width of one box, a `NUMBER` such as 48.5, or 3 1/2 if the limits are in inches"
	}
	for field, use := range uses {
		flags.StringVar(&b.fields[field], lists.FieldNames[field], "", use)
	}
	flags.Var(&b.box, "box", boxHelp)
}

// boxFlagNames lists the flags that describe one box, for use in messages.
const boxFlagNames = "--article, --material, and either --box or --width, --depth and --height"

// given returns the flags on the command line that describe the box. It also returns the flags that are missing for
// a complete box.
func (b *boxFlags) given(command *cobra.Command) (given, missing []string) {
	for field, name := range lists.FieldNames {
		switch {
		case command.Flags().Changed(name):
			given = append(given, "--"+name)
		case b.box == nil || field < lists.FirstDimension:
			missing = append(missing, "--"+name)
		}
	}
	if b.box != nil {
		given = append(given, "--box")
	}
	return given, missing
}

// checkComplete returns an error if a flag that a complete box needs is missing.
func (b *boxFlags) checkComplete(command *cobra.Command) error {
	if _, missing := b.given(command); len(missing) > 0 {
		return fmt.Errorf("missing: %s; a box needs %s", strings.Join(missing, ", "), boxFlagNames)
	}
	return nil
}

// row returns the box as a row of a list. Dimensions that cannot be parsed become problems of the row. If --unit is
// given, row converts the dimensions to the unit of the limits.
func (b *boxFlags) row(c *limits.Catalogue) lists.Row {
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
		x, err := b.parseDimension(lists.FieldNames[field], text, c.Unit())
		if c.Decimals() == 3 && b.isConverted(c.Unit()) && err == nil {
			x = exact.Float64At(exact.Grid(x)) // show the number that is checked: 300 mm is 11.81102… in, which the check rounds to 11.811
		}
		r.Dimensions[axis], r.Known[field] = x, err == nil
		r.AddProblem(err)
	}
	return r
}

func (b *boxFlags) parseDimension(field, text, unit string) (float64, error) {
	if !b.isConverted(unit) {
		return boxrules.ParseDimensionIn(field, text, unit)
	}
	parser, err := number.New('.', b.unit.value, unit)
	if err != nil {
		return 0, fmt.Errorf("--unit: %w", err)
	}
	return parser.Parse(field, []byte(text))
}

// isConverted reports whether --unit is given and differs from unit. If so, the dimensions must be converted.
func (b *boxFlags) isConverted(unit string) bool { return b.unit.value != "" && b.unit.value != unit }

func (b *boxFlags) addUnit(command *cobra.Command) {
	b.unit.accepted = exact.ConvertibleUnits()
	command.Flags().Var(&b.unit, "unit", "unit of the given dimensions (default: the unit of the limits)")
}

// parse returns the box, with its dimensions in the unit of the limits. If a dimension is not a number, the error
// says which one. parse does not check that the article and the material exist. The engine does that.
func (b *boxFlags) parse(c *limits.Catalogue) (boxrules.Box, error) {
	r := b.row(c)
	if problem := r.Problem(); problem != nil {
		return boxrules.Box{}, problem
	}
	return boxrules.Box{
		Article: string(r.Names[lists.Article]), Material: string(r.Names[lists.Material]), Dims: r.Dims(),
	}, nil
}
