package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/internal/wording"
)

// run runs the command with its arguments and surroundings, and returns its exit status.
func run(args []string, c *console.Console) int {
	out := &keepError{Writer: c.Out}
	root := newRoot(c, out)
	root.SetArgs(args)
	command, err := root.ExecuteC()
	if out.err != nil {
		_ = c.Fail(&console.WriteError{Err: out.err})
		return int(console.Unanswered)
	}
	var (
		end   console.Status
		wrong *usageError
	)
	switch {
	case err == nil:
		return int(console.AllValid)
	case errors.As(err, &end):
		return int(end)
	case errors.As(err, &wrong):
	default:
		// What our commands do not say themselves is cobra's: a command that does not exist.
		_, quoted, _ := strings.Cut(err.Error(), `"`)
		name, _, _ := strings.Cut(quoted, `"`)
		wrong = &usageError{command, fmt.Errorf("%w; accepted: %s", err, subcommands(command, name))}
	}
	_ = c.Fail(fmt.Errorf("%w; run '%s --help'", wrong.err, wrong.command.CommandPath()))
	return int(console.Unanswered)
}

// A keepError keeps the error that writing ended with, for cobra, which passes over it in its
// help and gives it no name elsewhere.
type keepError struct {
	io.Writer
	err error
}

func (k *keepError) Write(p []byte) (n int, err error) {
	n, err = k.Writer.Write(p)
	if k.err == nil {
		k.err = err
	}
	return n, err
}

// newRoot returns the whole command. What cobra prints goes to out.
func newRoot(c *console.Console, out io.Writer) *cobra.Command {
	info, ok := debug.ReadBuildInfo()
	root := &cobra.Command{
		Use:   "boxrules",
		Short: "Say whether cardboard boxes can be made, and if not, why",
		Long: `boxrules says offline whether cardboard boxes can be made, and if not, which documented code the
printing service reports and why.

Exit status: 0 every box is valid, 1 some box is invalid, 2 the question could not be answered.`,
		Example: `  boxrules check --article tuck-end --material carton-300 --box 143x50x303
  boxrules check examples/boxes.csv
  boxrules codes BOX_3100`,
		Version:            version(release, info, ok),
		SilenceErrors:      true,
		SilenceUsage:       true,
		DisableSuggestions: true,
	}
	root.RunE = missingCommand
	root.SetOut(out)
	root.SetErr(c.Err)
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	s := &sources{console: c}
	s.addFlags(root)
	root.AddCommand(newCheck(s), newExplain(s), newMap(s), newLint(s), newDiff(s), newLearn(s), newAudit(s), newCodes(s), newArticles(s),
		newGenerate(s), newServe(s), newHealth(s), newMan(c))
	root.SetHelpCommand(newHelp())
	root.InitDefaultCompletionCmd()
	for _, command := range root.Commands() {
		if command.Name() == "completion" {
			command.RunE = missingCommand
		}
	}
	return root
}

// missingCommand fails where cobra would print its help and succeed, although nothing was
// answered.
func missingCommand(command *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(command, "unknown command %s for %q; accepted: %s", wording.Quote(args[0]), command.CommandPath(), subcommands(command, args[0]))
	}
	return usage(command, "a command is missing; accepted: %s", subcommands(command, ""))
}

// subcommands lists the commands below one for a message about a name that is none of them.
func subcommands(command *cobra.Command, name string) string {
	var names []string
	for _, sub := range command.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			names = append(names, sub.Name())
		}
	}
	return wording.Accepted(name, names)
}

// newHelp returns cobra's help command, to which an unknown topic is an error.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",
		ValidArgsFunction: func(command *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var names []cobra.Completion
			if topic, _, err := command.Root().Find(args); err == nil {
				for _, sub := range topic.Commands() {
					names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
				}
			}
			return completions(names, prefix), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(command *cobra.Command, args []string) error {
			topic, rest, err := command.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usage(command, "no help on %s; accepted: %s", wording.Quote(strings.Join(args, " ")), subcommands(command.Root(), args[0]))
			}
			topic.InitDefaultHelpFlag()
			topic.InitDefaultVersionFlag()
			return topic.Help()
		},
	}
}

// release holds the version that scripts/release builds, such as 1.2.3. It is empty in every other
// build.
var release string

// version returns the release, or the module's version as the toolchain recorded it, and the
// toolchain's own.
func version(release string, info *debug.BuildInfo, ok bool) string {
	module := "(unknown)"
	switch {
	case release != "":
		module = release
	case ok && info.Main.Version != "":
		module = info.Main.Version
	}
	return fmt.Sprintf("%s (%s %s/%s)", module, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
