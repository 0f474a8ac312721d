package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/verdicts"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
)

// A choice is a flag that takes one of a few words.
type choice struct {
	value    string
	accepted []string
}

// otherNames are names under which people know a choice, and which are not near to it.
var otherNames = map[string]string{"mysql": "mariadb"}

var _ pflag.Value = (*choice)(nil)

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.accepted, "|") }
func (c *choice) Set(value string) error {
	if !slices.Contains(c.accepted, value) {
		return fmt.Errorf("accepted: %s", wording.Accepted(cmp.Or(otherNames[value], value), c.accepted))
	}
	c.value = value
	return nil
}

// newFormat returns the choice of --format.
func newFormat() choice {
	return choice{value: verdicts.FormatText, accepted: []string{verdicts.FormatText, verdicts.FormatJSON}}
}

// answer returns v as a line of JSON or the text, as --format says.
func (c *choice) answer(v any, text string) []byte {
	if c.value == verdicts.FormatJSON {
		return appendJSON(nil, v)
	}
	return []byte(text)
}

// addChoice adds the flag and its completion.
func addChoice(command *cobra.Command, c *choice, name, use string) {
	command.Flags().Var(c, name, use)
	completeFlag(command, name, func(*cobra.Command, []string, string) []cobra.Completion { return c.accepted })
}

// completeFlag has a shell offer those of the words that begin as the flag's value is typed so
// far.
func completeFlag(command *cobra.Command, flag string, words func(*cobra.Command, []string, string) []cobra.Completion) {
	err := command.RegisterFlagCompletionFunc(flag, func(c *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return completions(words(c, args, prefix), prefix), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err)
	}
}

func completions(words []cobra.Completion, prefix string) []cobra.Completion {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !strings.HasPrefix(word, prefix) })
}

// frame returns the catalogue for completion. A limit file need not be complete for that: it may
// be a frame for learn.
func (s *sources) frame() (*limits.Catalogue, error) {
	return load(&s.limits, limits.Illustrative, limits.LoadFrame)
}

// articles completes --article. A limit file that does not load completes nothing: the command
// itself will say what is wrong with it.
func (s *sources) articles(*cobra.Command, []string, string) []cobra.Completion {
	catalogue, err := s.frame()
	if err != nil {
		return nil
	}
	var words []cobra.Completion
	for _, article := range catalogue.Articles() {
		words = append(words, cobra.CompletionWithDesc(article.Code, console.Printable(article.Title)))
	}
	return words
}

// materials completes --material: with those of --article where that has been typed.
func (s *sources) materials(command *cobra.Command, _ []string, _ string) []cobra.Completion {
	catalogue, err := s.frame()
	if err != nil {
		return nil
	}
	chosen := command.Flag("article").Value.String()
	if several, ok := command.Flag("article").Value.(pflag.SliceValue); ok && len(several.GetSlice()) > 0 {
		chosen = several.GetSlice()[len(several.GetSlice())-1]
	}
	for _, article := range catalogue.Articles() {
		if article.Code == chosen {
			return article.Materials
		}
	}
	var words []cobra.Completion
	for _, material := range catalogue.Materials() {
		words = append(words, material.Code)
	}
	return words
}

// appendJSON appends v as a line of JSON that is safe to show on a terminal.
func appendJSON(dst []byte, v any) []byte {
	return append(dst, console.PrintableJSON(strictjson.Marshal(v))...)
}

// noFiles refuses arguments.
func noFiles(command *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(command, "unexpected %s; accepted: flags alone", wording.Quote(args[0]))
	}
	return nil
}

// atMostOne refuses more than one argument; what names several of them.
func atMostOne(what string) cobra.PositionalArgs {
	return func(command *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usage(command, "%d %s are given; accepted: one, or none for the list", len(args), what)
		}
		return nil
	}
}

// unknownName returns the error of a name that is none of those that `boxrules articles` or
// `boxrules codes` lists.
func unknownName(what, name string, all []string) error {
	return fmt.Errorf("there is no %s %s%s; run 'boxrules %[1]ss' for all that are accepted", what, wording.Quote(name),
		wording.Meant(name, all))
}

// A usageError says what is wrong with a command line.
type usageError struct {
	command *cobra.Command
	err     error
}

func (e *usageError) Error() string { return e.err.Error() }

// usage returns the error of a command line that the command cannot make sense of.
func usage(command *cobra.Command, format string, args ...any) error {
	return &usageError{command, fmt.Errorf(format, args...)}
}

// flagTypes says what is accepted for the flags whose type says it not itself.
var flagTypes = map[string]string{
	"int": "a whole number", "bool": "true or false", "duration": "a time such as 30s or 5m", "float64": "a number such as 0.5",
}

// flagError returns the error of a flag that there is not, or that is given what it does not take.
func flagError(command *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) && flagTypes[invalid.GetFlag().Value.Type()] != "" {
		flag := invalid.GetFlag()
		return usage(command, "--%s %s; accepted: %s", flag.Name, wording.Quote(invalid.GetValue()), flagTypes[flag.Value.Type()])
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		command.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		return usage(command, "%w%s", err, wording.Meant(unknown.GetSpecifiedName(), names))
	}
	return &usageError{command, err}
}

// A flagRelation says beside which others, one of them at least, flags are given, and beside which
// they are not: names with spaces between. `format=csv` is --format with that value.
type flagRelation struct{ flags, with, without string }

var flagRelations = map[string][]flagRelation{
	"check": {{"step", "advice", ""}, {"advice", "format=csv format=json", ""}, {"verdict-column", "format=csv", ""},
		{"extra-keys", "format=json", ""}, {"all", "", "format=csv format=none"},
		{"only output", "", "format=none"}, {"expect", "", "only all advice format=json format=csv format=none"}},
	"learn": {{"query record pause max-questions yes", "service", ""}, {"next", "", "output service format=json"},
		{"output=-", "", "format=json"}},
	"map":   {{"step", "box", ""}},
	"audit": {{"query record pause yes", "service", ""}, {"service", "", "next"}, {"rename skip delimiter decimal unit encoding sheet input", "", "next"}},
	"serve": {{"gap", "preflight sandbox", ""}, {"upstream pass-unknown", "preflight", ""}, {"validation-codes", "preflight sandbox", ""}, {"fixtures faults", "sandbox", ""},
		{"upstream-time trusted-proxy illustrative record dry-run sample", "upstream", ""},
		{"preflight", "", "sandbox"}, {"dry-run", "", "sample"}},
}

// checkFlags returns an error where the command line breaks a relation of the command. Cobra has
// such groups too, but takes --sandbox=false for a flag that is given, and does not say what is
// accepted.
func checkFlags(command *cobra.Command) error {
	given := func(flag string) bool { return flagGiven(command, flag) }
	for _, r := range flagRelations[command.Name()] {
		with, without := strings.Fields(r.with), strings.Fields(r.without)
		for flag := range strings.FieldsSeq(r.flags) {
			if !given(flag) {
				continue
			}
			if len(with) > 0 && !slices.ContainsFunc(with, given) {
				return usage(command, "--%s is given without --%s; accepted: together, or neither", flag, strings.Join(with, " or --"))
			}
			if i := slices.IndexFunc(without, given); i >= 0 {
				return usage(command, "both --%s and --%s are given; accepted: one of them", flag, without[i])
			}
		}
	}
	return nil
}

// flagGiven reports whether a flag is on the command line, and not as false. Of `format=csv` it
// reports whether --format has that value, if only by default.
func flagGiven(command *cobra.Command, flag string) bool {
	name, value, ofValue := strings.Cut(flag, "=")
	f := command.Flag(name)
	if ofValue {
		return f.Value.String() == value
	}
	return f.Changed && f.Value.String() != "false"
}

// shownAddress returns an address for a message, without a password that may be in it.
func shownAddress(text string) string {
	if at := strings.LastIndex(text, "@"); at >= 0 {
		text = "…" + text[at:]
	}
	return wording.Quote(text)
}

// addressFlag reads the address of the service.
func addressFlag(text string) (*url.URL, error) {
	address, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("not a URL")
	case address.Scheme != "http" && address.Scheme != "https":
		return nil, errors.New("neither http nor https")
	case address.Hostname() == "":
		return nil, errors.New("no host")
	case address.User != nil:
		return nil, errors.New("it has a user, which would not be sent")
	case address.RawQuery != "" || address.Fragment != "":
		return nil, errors.New("it has a query or a fragment")
	}
	if n, err := strconv.ParseUint(cmp.Or(address.Port(), "80"), 10, 16); err != nil || n == 0 {
		return nil, errors.New("not a port")
	}
	return address, nil
}
