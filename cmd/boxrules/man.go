package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
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
			date := time.Now()
			if text := c.Getenv("SOURCE_DATE_EPOCH"); text != "" {
				epoch, err := strconv.ParseInt(text, 10, 64)
				if err != nil {
					return usage(command, "SOURCE_DATE_EPOCH is %s; accepted: seconds since 1970", wording.Quote(text))
				}
				date = time.Unix(epoch, 0).UTC()
			}
			if err := manPages(command.Root(), args[0], date); err != nil {
				return c.Fail(fmt.Errorf("man %s: %w", wording.Quote(args[0]), console.FileCause(err)))
			}
			return nil
		},
	}
}

// manPages writes the pages of the command and of those below it into the folder.
func manPages(command *cobra.Command, folder string, date time.Time) error {
	for _, below := range command.Commands() {
		if below.IsAvailableCommand() {
			if err := manPages(below, folder, date); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(filepath.Join(folder, manName(command)+".1"), []byte(manPage(command, date)), 0o644)
}

func manName(command *cobra.Command) string {
	return strings.ReplaceAll(command.CommandPath(), " ", "-")
}

// manPage returns the manual page of the command, in the language of man.
func manPage(command *cobra.Command, date time.Time) string {
	command.InitDefaultHelpFlag()
	var page strings.Builder
	name := manName(command)
	fmt.Fprintf(&page, ".nh\n.TH %q 1 %q %q boxrules\n",
		strings.ToUpper(name), date.Format("Jan 2006"), strings.TrimSpace("boxrules "+release))
	section := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&page, "\n.SH %s\n%s\n", title, text)
		}
	}
	section("NAME", name+" - "+manText(command.Short))
	section("SYNOPSIS", `\fB`+command.UseLine()+`\fP`)
	section("DESCRIPTION", strings.ReplaceAll(manText(cmp.Or(command.Long, command.Short)), "\n\n", "\n.PP\n"))
	section("OPTIONS", manFlags(command.NonInheritedFlags()))
	section("OPTIONS INHERITED FROM PARENT COMMANDS", manFlags(command.InheritedFlags()))
	if command.HasExample() {
		section("EXAMPLE", ".EX\n"+manText(command.Example)+"\n.EE")
	}
	section("SEE ALSO", strings.Join(manNeighbours(command), ", "))
	return page.String()
}

// manNeighbours returns the pages of the commands next to the command, above it and below.
func manNeighbours(command *cobra.Command) []string {
	var pages []string
	if command.HasParent() {
		pages = append(pages, `\fB`+manName(command.Parent())+`(1)\fP`)
	}
	for _, below := range command.Commands() {
		if below.IsAvailableCommand() {
			pages = append(pages, `\fB`+manName(below)+`(1)\fP`)
		}
	}
	return pages
}

// manFlags returns what --help says of each flag.
func manFlags(flags *pflag.FlagSet) string {
	var all []string
	flags.VisitAll(func(f *pflag.Flag) {
		one := pflag.NewFlagSet("", pflag.ContinueOnError)
		one.AddFlag(f)
		// It is empty for a hidden flag.
		if flag, words, shown := strings.Cut(strings.TrimSpace(one.FlagUsages()), "   "); shown {
			all = append(all, ".TP\n\\fB"+manText(flag)+"\\fP\n"+manText(strings.TrimSpace(words)))
		}
	})
	return strings.Join(all, "\n")
}

// manText returns the text without what man would read as a command.
func manText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace(text)
}
