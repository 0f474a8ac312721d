package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/internal/wording"
)

// boxFlags hold the texts of the flags that give one box.
type boxFlags struct {
	fields [lists.FieldCount]string
	box    string // all dimensions, such as 48x141x184
}

// oneBox says what --box is for where a command takes one box.
const oneBox = "width, depth and height together, as `WxDxH` such as 48x141x184"

// add adds the flags, with what --box is for.
func (b *boxFlags) add(command *cobra.Command, s *sources, box string) {
	flags := command.Flags()
	for field, use := range [lists.FieldCount]string{
		"article `CODE` of one box, or of all boxes of a list", "material `CODE`, likewise",
		"width of one box, a plain `NUMBER` such as 48.5", "its depth, a `NUMBER`", "its height, a `NUMBER`",
	} {
		flags.StringVar(&b.fields[field], lists.FieldNames[field], "", use)
	}
	flags.StringVar(&b.box, "box", "", box)
	completeFlag(command, lists.FieldNames[lists.Article], s.articles)
	completeFlag(command, lists.FieldNames[lists.Material], s.materials)
}

// spread gives the dimensions of --box to their own flags.
func (b *boxFlags) spread(command *cobra.Command) error {
	if !command.Flags().Changed("box") {
		return nil
	}
	for _, name := range lists.FieldNames[lists.FirstDimension:] {
		if command.Flags().Changed(name) {
			return usage(command, "both --box and --%s are given; accepted: one of them", name)
		}
	}
	sides, err := b.sides(command)
	for axis, text := range sides {
		_ = command.Flags().Set(lists.FieldNames[lists.FirstDimension+axis], text) // as any text is taken
	}
	return err
}

// sides returns the dimensions of --box.
func (b *boxFlags) sides(command *cobra.Command) ([]string, error) {
	sides := strings.Split(b.box, "x")
	if len(sides) != lists.FieldCount-lists.FirstDimension {
		return nil, usage(command, "--box %s is not a box; accepted: width, depth and height such as 48x141x184", wording.Quote(b.box))
	}
	for i := range sides {
		sides[i] = strings.TrimSpace(sides[i])
	}
	return sides, nil
}

// given returns the names of the flags that are given, of those that are not, and of all.
func (b *boxFlags) given(command *cobra.Command) (given, missing, all []string) {
	for _, name := range lists.FieldNames {
		all = append(all, "--"+name)
		if command.Flags().Changed(name) {
			given = append(given, "--"+name)
		} else {
			missing = append(missing, "--"+name)
		}
	}
	return given, missing, all
}

// dimensions reports whether one of the dimensions is given.
func (b *boxFlags) dimensions(command *cobra.Command) bool {
	return slices.ContainsFunc(lists.FieldNames[lists.FirstDimension:], command.Flags().Changed)
}

// complete returns an error where one of the flags is missing.
func (b *boxFlags) complete(command *cobra.Command) error {
	if _, missing, all := b.given(command); len(missing) > 0 {
		return usage(command, "%s missing; accepted: %s together", console.Are(missing), console.List(all))
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
		x, err := boxrules.ParseDimension(lists.FieldNames[field], text)
		r.Dimensions[field-lists.FirstDimension], r.Known[field] = x, err == nil
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
	return boxrules.Box{Article: string(r.Names[lists.Article]), Material: string(r.Names[lists.Material]), Dims: r.Dims()}, nil
}

// pairText returns an article in a material for people, such as `tray in carton-300`.
func pairText(article, material string) string {
	return console.Printable(article) + " in " + console.Printable(material)
}

// boxText returns a box, such as `tray in carton-300 48 x 141 x 184`.
func boxText(b boxrules.Box) string { return pairText(b.Article, b.Material) + " " + dimsText(b.Dims) }

func dimsText(d boxrules.Dims) string { return console.Size(d.Width, d.Depth, d.Height) }
