// Command boxrules checks offline whether cardboard boxes can be made. If a box cannot be made, it prints which
// documented code the printing service reports, and why.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/internal/wording"
)

func main() {
	// Without this call, a write to a closed pipe on stdout would kill the process with a signal, and there would
	// be no exit status.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], &console.Console{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Getenv:        os.Getenv,
		ErrIsTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		InIsTerminal:  term.IsTerminal(int(os.Stdin.Fd())),
		Now:           time.Now,
		Sleep:         console.Sleep,
	}))
}

// run runs the command with the arguments args on the console c, and returns the exit status.
func run(args []string, c *console.Console) int {
	out := &errorRecorder{Writer: c.Out}
	root := newRoot(c, out)
	root.SetArgs(args)
	if slices.Contains(args, cobra.ShellCompRequestCmd) || slices.Contains(args, cobra.ShellCompNoDescRequestCmd) {
		completeChoices(root)
	}
	command, err := root.ExecuteC()
	var end console.Status
	switch {
	case out.err != nil:
		_ = c.Fail(&console.WriteError{Err: out.err})
		return int(console.Unanswered)
	case err == nil:
		return int(console.AllValid)
	case errors.As(err, &end):
		return int(end)
	}
	// Any other error is about the command line and has not been printed yet.
	_ = c.Fail(fmt.Errorf("%w; run '%s --help'", err, command.CommandPath()))
	return int(console.Unanswered)
}

// An errorRecorder is a writer that remembers its first error. Cobra ignores errors when it prints help, so run
// looks at err afterwards.
type errorRecorder struct {
	io.Writer
	err error
}

func (r *errorRecorder) Write(p []byte) (n int, err error) {
	n, err = r.Writer.Write(p)
	r.err = cmp.Or(r.err, err)
	return n, err
}

// newRoot returns the root command with all subcommands. Cobra prints help to out.
func newRoot(c *console.Console, out io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:   "boxrules",
		Short: "Say whether cardboard boxes can be made, and if not, why",
		Long: `boxrules checks, offline, whether cardboard boxes can be made, and if not, which documented code the printing service
reports and why.

If a flag is given twice, the last one counts, so a script can override an earlier one. --rules and --limits may be
given only once. The help of a flag says whether it may be repeated.

Exit status: 0 all is well, for example every box is valid or no mistake was found; 1 a problem was found, for example
an invalid box; 2 the command failed, or could not answer everything. The help of each command explains its own exit
statuses.`,
		Example: `  boxrules check --article tuck-end --material carton-300 --box 143x50x303
  boxrules check examples/boxes.csv
  boxrules codes BOX_3100`,
		Version:            version(),
		Args:               cobra.ArbitraryArgs, // missingCommand reports arguments that are not commands
		RunE:               missingCommand,
		PersistentPreRun:   tuneMemory,
		SilenceErrors:      true,
		SilenceUsage:       true,
		DisableSuggestions: true,
	}
	root.SetOut(out)
	root.SetErr(c.Err)
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetFlagErrorFunc(func(command *cobra.Command, err error) error {
		if command.HasAvailableSubCommands() && command.Flags().NArg() > 0 {
			return missingCommand(command, command.Flags().Args()) // the flag belongs to an unknown subcommand, not to this command
		}
		return flagError(command, err)
	})
	s := &sources{console: c}
	s.addFlags(root)
	root.AddCommand(newCheck(s), newExplain(s), newMap(s), newLint(s), newDiff(s), newLearn(s), newAudit(s), newCodes(s),
		newArticles(s), newGenerate(s), newServe(s), newHealth(s))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, command := range root.Commands() {
		switch command.Name() {
		case "completion", "generate":
			command.Args, command.RunE = cobra.ArbitraryArgs, missingCommand
		case "help":
			command.Args = checkHelpTopic
		}
	}
	warnOnStderr(root, c.Err)
	return root
}

// warnOnStderr makes the command and its subcommands print to stderr that a flag or a command is deprecated. Cobra prints this to
// the writer for help, which is stdout, where it would become part of a result.
func warnOnStderr(command *cobra.Command, stderr io.Writer) {
	command.Flags().SetOutput(stderr)
	if command.Deprecated != "" {
		command.SetOut(stderr)
	}
	for _, child := range command.Commands() {
		warnOnStderr(child, stderr)
	}
}

// missingCommand returns an error for a command that needs a subcommand but was called without one. Otherwise cobra
// would print help and exit with status 0, although nothing was done.
func missingCommand(command *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unknown command %s for %q; accepted: %s",
			wording.Quote(args[0]), command.CommandPath(), subcommands(command, args[0]))
	}
	return fmt.Errorf("a command is missing; accepted: %s", subcommands(command, ""))
}

// subcommands lists the subcommands of a command, for a message that says that name is not one of them.
func subcommands(command *cobra.Command, name string) string {
	var names []string
	for _, sub := range command.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			names = append(names, sub.Name())
		}
	}
	return wording.Accepted(name, names)
}

// checkHelpTopic returns an error for an unknown help topic. Otherwise cobra would print the help of the root
// command and exit with status 0.
func checkHelpTopic(command *cobra.Command, args []string) error {
	if topic, rest, err := command.Root().Find(args); err == nil && !topic.HasParent() && len(rest) > 0 {
		return missingCommand(topic, rest)
	}
	return nil
}

// release is the version, such as 1.2.3, in a binary built by scripts/release. In all other binaries it is empty.
var release string

// mainModuleVersion returns release or, if that is empty, the module version that the toolchain recorded. The result
// may be empty.
func mainModuleVersion() string {
	recorded := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		recorded = info.Main.Version
	}
	return cmp.Or(release, recorded)
}

// version returns the module version, the Go version, and the platform.
func version() string {
	return fmt.Sprintf("%s (%s %s/%s)", cmp.Or(mainModuleVersion(), "(unknown)"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
