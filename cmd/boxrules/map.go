package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/boxmap"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
)

// mapCommand draws a map that shows which boxes of an article can be made if one dimension is fixed.
type mapCommand struct {
	*sources
	flags  boxFlags
	step   float64
	output string
}

func newMap(s *sources) *cobra.Command {
	c := &mapCommand{sources: s}
	command := &cobra.Command{
		Use:   "map",
		Short: "Draw the boxes that can be made, as an SVG image",
		Long: `map draws which boxes can be made when one dimension is fixed. Set that dimension with --width, --depth or --height;
the other two are the axes of the picture. Each region shows the code that is reported first. The borders between
regions are exact. --box marks a box in the picture, with its valid ranges and the nearest valid box. If only --box is
given, the height of that box is the fixed dimension.

Exit status: 0, or 2 if the picture could not be drawn.`,
		Example: `  boxrules map --article tuck-end --material carton-300 --height 100 -o map.svg
  boxrules map --article mailer --material e-flute --width 300 > map.svg
  boxrules map --article tuck-end --material carton-300 --box 48x141x184 -o map.svg`,
		Args: flagsOnly("use --article, --material, and either the dimension to fix or --box"),
		RunE: c.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	c.flags.add(command, "mark the box with these dimensions, as WxDxH", false)
	addStep(flags, &c.step, "in the nearest valid box, make the changed dimensions multiples of this `NUMBER`")
	addOutput(flags, &c.output, "-", "`FILE` to write the picture to, such as map.svg")
	return command
}

func (c *mapCommand) run(command *cobra.Command, _ []string) error {
	fixed, err := c.fixedField(command)
	if err != nil {
		return err
	}
	if err := checkFlagRelations(command); err != nil {
		return err
	}
	if err := c.checkOutput(c.output); err != nil {
		return err
	}
	if extension := filepath.Ext(c.output); extension != "" && !strings.EqualFold(extension, ".svg") {
		return fmt.Errorf("--output %s: the picture is an SVG file; use a name that ends in .svg, or - for stdout", wording.Quote(c.output))
	}
	engine, err := c.engine()
	if err != nil {
		return c.console.Fail(err)
	}
	options, marked, err := c.options(fixed, engine.Catalogue())
	if err != nil {
		return c.console.Fail(err)
	}
	p, err := engine.Profile(c.flags.fields[lists.Article], c.flags.fields[lists.Material])
	if err != nil {
		return c.console.Fail(err)
	}
	if marked != nil {
		e, err := p.Explain(*marked, stepFlagValue(command, c.step, engine.Catalogue()))
		if err != nil {
			return c.console.Fail(err)
		}
		options.Mark = &e
	}
	picture, err := boxmap.SVG(p, options)
	if err != nil {
		return c.console.Fail(err)
	}
	return c.console.Save(c.output, picture)
}

// fixedField returns the field of the fixed dimension. This is the dimension whose flag is given or, if no such flag is
// given, the height, whose value then comes from --box.
func (c *mapCommand) fixedField(command *cobra.Command) (int, error) {
	fixed := -1
	for field := lists.FirstDimension; field < lists.FieldCount; field++ {
		switch {
		case !command.Flags().Changed(lists.FieldNames[field]):
		case fixed >= 0:
			return fixed, fmt.Errorf("both --%s and --%s are given; give only the dimension to fix; to mark a box, use --box",
				lists.FieldNames[fixed], lists.FieldNames[field])
		default:
			fixed = field
		}
	}
	if fixed < 0 && c.flags.box != nil {
		fixed = lists.Height
		c.flags.fields[fixed] = strings.TrimSpace(c.flags.box[fixed-lists.FirstDimension])
	}
	if fixed < 0 {
		return fixed, errors.New("no dimension is fixed; give one of --width, --depth and --height, or --box")
	}
	return fixed, nil
}

// options returns the drawing options, and the box to mark in it. The box is nil if --box is not given.
func (c *mapCommand) options(fixed int, catalogue *limits.Catalogue) (o boxmap.Options, marked *boxrules.Dims, err error) {
	if c.flags.box != nil {
		b, err := c.flags.parse(catalogue)
		if err != nil {
			return o, nil, fmt.Errorf("--box: %w", err)
		}
		marked = &b.Dims
	}
	o.Fixed = lists.FieldNames[fixed]
	if o.Value, err = boxrules.ParseDimensionIn(o.Fixed, c.flags.fields[fixed], catalogue.Unit()); err != nil {
		return o, nil, fmt.Errorf("--%w", err)
	}
	return o, marked, nil
}
