package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"example.com/boxrules/internal/wording"
)

// newMan writes manual pages, for those who package the command. Nobody else needs it, so it is not listed.
func newMan(c *console) *cobra.Command {
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
			header := &doc.GenManHeader{Section: "1", Source: strings.TrimSpace("boxrules " + release), Manual: "boxrules"}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return c.fail(fmt.Errorf("man %s: %w", wording.Quote(args[0]), cause(err)))
			}
			return nil
		},
	}
}
