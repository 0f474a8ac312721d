package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/internal/wording"
)

// newMan returns the command that writes manual pages. Only who packages boxrules needs it, so
// that it is not listed.
func newMan(c *console.Console) *cobra.Command {
	return &cobra.Command{
		Use:    "man FOLDER",
		Short:  "Write the manual pages",
		Long:   `man writes a manual page for each command into the folder. They have the date of SOURCE_DATE_EPOCH, or today's.`,
		Hidden: true,
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(command, "man takes one folder to write into; given: %d arguments", len(args))
			}
			root := command.Root()
			root.DisableAutoGenTag = true
			manFlags(root)
			header := &doc.GenManHeader{Section: "1", Source: strings.TrimSpace("boxrules " + release), Manual: "boxrules"}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return c.Fail(fmt.Errorf("man %s: %w", wording.Quote(args[0]), console.Cause(err)))
			}
			return nil
		},
	}
}

// manFlags adds the flags of the command and of those below it to their descriptions, in the words
// of --help: what cobra itself writes of a flag lacks what it takes. It begins with those below,
// as they inherit flags.
func manFlags(command *cobra.Command) {
	for _, c := range command.Commands() {
		manFlags(c)
	}
	command.InitDefaultHelpFlag()
	if command.HasAvailableFlags() && !command.DisableFlagsInUseLine {
		command.Use += " [flags]" // which cobra adds only where it sees flags
	}
	command.Long += manOptions("OPTIONS", command.NonInheritedFlags()) +
		manOptions("OPTIONS INHERITED FROM PARENT COMMANDS", command.InheritedFlags())
	command.NonInheritedFlags().VisitAll(func(f *pflag.Flag) { f.Hidden = true })
}

// manOptions returns a section of a manual page with what --help says of each flag, or nothing
// where there is none.
func manOptions(title string, flags *pflag.FlagSet) string {
	section := ""
	flags.VisitAll(func(f *pflag.Flag) {
		one := pflag.NewFlagSet("", pflag.ContinueOnError)
		one.AddFlag(f)
		// It is empty for a hidden flag.
		if flag, words, shown := strings.Cut(strings.TrimSpace(one.FlagUsages()), "   "); shown {
			section += fmt.Sprintf("**%s**\n\t%s\n\n", flag, words)
		}
	})
	if section == "" {
		return ""
	}
	return "\n\n# " + title + "\n" + section
}
