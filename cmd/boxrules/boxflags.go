package main

import (
	"slices"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/internal/wording"
)

// boxFlags are the flags that give one box.
type boxFlags [fieldCount]string

func (b *boxFlags) add(command *cobra.Command, s *sources) {
	for field, use := range [fieldCount]string{
		"article `CODE` of one box, or of all boxes of a list", "material `CODE`, likewise",
		"width of one box, a plain `NUMBER` such as 48.5", "its depth, a `NUMBER`", "its height, a `NUMBER`",
	} {
		command.Flags().StringVar(&b[field], fieldNames[field], "", use)
	}
	complete(command, fieldNames[article], s.articles)
	complete(command, fieldNames[material], s.materials)
}

// given tells the flags that are given from those that are not.
func (b *boxFlags) given(command *cobra.Command) (given, missing, all []string) {
	for _, name := range fieldNames {
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
	return slices.ContainsFunc(fieldNames[firstDimension:], command.Flags().Changed)
}

// complete fails where one of the flags is missing.
func (b *boxFlags) complete(command *cobra.Command) error {
	if _, missing, all := b.given(command); len(missing) > 0 {
		return usage(command, "%s missing; accepted: %s together", are(missing), list(all))
	}
	return nil
}

func (b *boxFlags) row() row {
	r := row{number: 1}
	for field, text := range b {
		if field < firstDimension {
			r.names[field], r.known[field] = []byte(text), true
			continue
		}
		x, err := boxrules.ParseDimension(fieldNames[field], text)
		r.dimensions[field-firstDimension], r.known[field] = x, err == nil
		r.blame(err)
	}
	return r
}

// parse is the box, whose dimensions have to be plain decimals. Whether there is such an article is the
// engine's to say.
func (b *boxFlags) parse() (boxrules.Box, error) {
	r := b.row()
	if problem := r.problem(); problem != nil {
		return boxrules.Box{}, problem
	}
	return boxrules.Box{Article: string(r.names[article]), Material: string(r.names[material]), Dims: r.dims()}, nil
}

// noFiles is for commands that take no arguments.
func noFiles(command *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(command, "unexpected %s; accepted: flags alone", wording.Quote(args[0]))
	}
	return nil
}
