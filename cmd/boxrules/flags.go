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
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/verdicts"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/internal/strictyaml"
	"example.com/boxrules/internal/wording"
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

// newFormatFlag returns the choice of --format.
func newFormatFlag() choice {
	return choice{value: verdicts.FormatText, accepted: []string{verdicts.FormatText, verdicts.FormatJSON}}
}

// answer returns v as a line of JSON that is safe to show on a terminal, or the text, as --format
// says.
func (c *choice) answer(v any, text string) []byte {
	if c.value == verdicts.FormatJSON {
		return console.PrintableJSON(strictjson.Marshal(v))
	}
	return []byte(text)
}

// listing returns entries as lines of JSON, or their rows as a table, as --format says.
func listing[T any](format *choice, all []T, row func(T) []string) []byte {
	var lines []byte
	var table [][]string
	for _, e := range all {
		lines = append(lines, format.answer(e, "")...)
		table = append(table, row(e))
	}
	if format.value == verdicts.FormatJSON {
		return lines
	}
	return []byte(console.Aligned(table))
}

// addChoice adds the flag and its completion.
func addChoice(command *cobra.Command, c *choice, name, use string) {
	command.Flags().Var(c, name, use)
	words := cobra.FixedCompletions(c.accepted, cobra.ShellCompDirectiveNoFileComp)
	if err := command.RegisterFlagCompletionFunc(name, words); err != nil {
		panic(err)
	}
}

// A decimalFlag is a number that is written as dimensions are: without an exponent.
type decimalFlag float64

var _ pflag.Value = (*decimalFlag)(nil)

func (d *decimalFlag) String() string { return console.Number(float64(*d)) }
func (d *decimalFlag) Type() string   { return "float64" }
func (d *decimalFlag) Set(text string) error {
	if fault := strictyaml.DecimalFault(text); fault != "" {
		return errors.New(fault)
	}
	x, err := strconv.ParseFloat(text, 64)
	*d = decimalFlag(x)
	return err
}

// addDecimal adds a flag that is a plain decimal.
func addDecimal(flags *pflag.FlagSet, x *float64, name string, usual float64, use string) {
	*x = usual
	flags.Var((*decimalFlag)(x), name, use)
}

// An outputFlag names the file to write to; - is stdout. An empty name, as from an unset shell variable,
// is refused: it would mean the current folder.
type outputFlag string

var _ pflag.Value = (*outputFlag)(nil)

func (o *outputFlag) String() string { return string(*o) }
func (o *outputFlag) Type() string   { return "FILE" }
func (o *outputFlag) Set(name string) error {
	if name == "" {
		return errors.New("name a file, or use - for stdout")
	}
	*o = outputFlag(name)
	return nil
}

// addOutput adds --output.
func addOutput(flags *pflag.FlagSet, name *string, usual, use string) {
	*name = usual
	flags.VarP((*outputFlag)(name), "output", "o", use)
}

// atMostOne accepts one argument or none. what names it in the message.
func atMostOne(what string) cobra.PositionalArgs {
	return func(command *cobra.Command, args []string) error {
		if len(args) > 1 {
			return fmt.Errorf("%d arguments are given to %s, beginning with %s; give one %s or none",
				len(args), command.Name(), wording.Quote(args[0]), what)
		}
		return nil
	}
}

// flagsAlone accepts no arguments. Its message says what to write instead of one.
func flagsAlone(instead string) cobra.PositionalArgs {
	return func(command *cobra.Command, args []string) error {
		if len(args) > 0 {
			return fmt.Errorf("%s is an argument, but %s takes only flags; use %s",
				wording.Quote(args[0]), command.CommandPath(), instead)
		}
		return nil
	}
}

// flagTypes says what is accepted for the flags whose type says it not itself.
var flagTypes = map[string]string{
	"int": "a whole number", "bool": "true or false", "duration": "a time such as 30s or 5m",
	"float64": "a plain decimal such as 0.5", "time": "2026-03-01 or 2026-03-01T12:00:00Z",
	"WxDxH": "width, depth and height such as 48x141x184",
}

// flagError returns the error of a flag that there is not, or that is given what it does not take.
func flagError(command *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) && flagTypes[invalid.GetFlag().Value.Type()] != "" {
		flag := invalid.GetFlag()
		return fmt.Errorf("--%s %s; accepted: %s", flag.Name, wording.Quote(invalid.GetValue()), flagTypes[flag.Value.Type()])
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		command.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		return fmt.Errorf("%w%s", err, wording.DidYouMean(unknown.GetSpecifiedName(), names))
	}
	return err
}

// A flagRelation says beside which others, one of them at least, flags are given, and beside which
// they are not: names with spaces between. `format=csv` is --format with that value.
type flagRelation struct{ flags, with, without string }

var flagRelations = map[string][]flagRelation{
	"check": {{"box", "", "width depth height"}, {"step", "advice", ""}, {"advice", "format=csv format=json", ""},
		{"verdict-column", "format=csv", ""}, {"extra-keys", "format=json", ""}, {"all", "", "format=csv format=none"},
		{"only output", "", "format=none"}, {"expect", "", "only all advice format=json format=csv format=none"}},
	"explain": {{"box", "", "width depth height"}},
	"learn": {{"query record pause max-questions yes", "service", ""}, {"next", "", "output service format=json"},
		{"output=-", "", "format=json"}},
	"map": {{"step", "box", ""}},
	"audit": {{"query record pause yes", "service", ""}, {"service", "", "next"}, {"next", "", "format=json"},
		{"rename skip delimiter decimal unit encoding sheet input", "", "next"}},
	"serve": {{"gap", "preflight sandbox", ""}, {"upstream pass-unknown", "preflight", ""},
		{"validation-codes", "preflight sandbox", ""}, {"fixtures faults", "sandbox", ""},
		{"upstream-time trusted-proxy illustrative record dry-run sample", "upstream", ""},
		{"preflight", "", "sandbox"}, {"dry-run", "", "sample"}},
}

// checkFlagRelations returns an error where the command line breaks a relation of the command.
// Cobra has such groups too, but takes --sandbox=false for a flag that is given, and does not say
// what is accepted.
func checkFlagRelations(command *cobra.Command) error {
	given := func(flag string) bool { return flagGiven(command, flag) }
	for _, r := range flagRelations[command.Name()] {
		with, without := strings.Fields(r.with), strings.Fields(r.without)
		for flag := range strings.FieldsSeq(r.flags) {
			if !given(flag) {
				continue
			}
			if len(with) > 0 && !slices.ContainsFunc(with, given) {
				advice := "use both or neither"
				if len(with) > 1 {
					advice = "add one of them"
				}
				return fmt.Errorf("--%s is given without --%s; %s", flag, strings.Join(with, " or --"), advice)
			}
			if i := slices.IndexFunc(without, given); i >= 0 {
				return fmt.Errorf("both --%s and --%s are given; use only one of them", flag, without[i])
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

// recordFlag returns an error where the name is one of another kind of file than a record.
func recordFlag(name string) error {
	if kind := lists.KindOf(name); kind != "" && kind != lists.NDJSON {
		return fmt.Errorf("--record %s: a record is NDJSON; use a name such as answers.ndjson", wording.Quote(name))
	}
	return nil
}

// addressFlag reads the address of the service that a flag has. Its error does not show the text,
// in which a password may be.
func addressFlag(flag, text string) (*url.URL, error) {
	address, err := url.Parse(text)
	wrong := ""
	switch {
	case err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "":
		wrong = "is not the address of a service; give http or https, a host and perhaps a path, such as https://api.example.com"
	case address.User != nil:
		wrong = "has a user name, which is not sent to the service; leave out the part before the @"
	case address.RawQuery != "" || address.ForceQuery:
		wrong = "has a query; leave out the ? and what comes after it"
	case address.Fragment != "":
		wrong = "has a fragment; leave out the # and what comes after it"
	default:
		return address, nil
	}
	return nil, fmt.Errorf("--%s %s", flag, wrong)
}
