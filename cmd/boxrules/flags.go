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
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/internal/strictyaml"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
)

// A choice is the value of a flag that accepts one word from a fixed list.
type choice struct {
	value    string
	accepted []string
}

// A choiceList is the value of a flag that accepts one or more words from a fixed list, separated by commas. If the
// flag is repeated, its words are added to the earlier ones.
type choiceList struct{ values, accepted []string }

var _ pflag.Value = (*choiceList)(nil)

func (c *choiceList) String() string { return strings.Join(c.values, ",") }
func (c *choiceList) Type() string   { return strings.Join(c.accepted, "|") + ",..." }
func (c *choiceList) Set(text string) error {
	for value := range strings.SplitSeq(text, ",") {
		value = strings.TrimSpace(value)
		if !slices.Contains(c.accepted, value) {
			return fmt.Errorf("accepted: %s", wording.Accepted(value, c.accepted))
		}
		c.values = append(c.values, value)
	}
	return nil
}

// suggestions maps a value that is not accepted to the accepted value that the error message suggests. It contains only
// values that are spelled so differently that a search for similar words would not find the accepted value.
var suggestions = map[string]string{"mysql": "mariadb"}

var _ pflag.Value = (*choice)(nil)

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.accepted, "|") }
func (c *choice) Set(value string) error {
	if !slices.Contains(c.accepted, value) {
		return fmt.Errorf("accepted: %s", wording.Accepted(cmp.Or(suggestions[value], value), c.accepted))
	}
	c.value = value
	return nil
}

// newFormatFlag returns the value of a --format flag that accepts text and json. The default is text.
func newFormatFlag() choice {
	return choice{value: verdicts.FormatText, accepted: []string{verdicts.FormatText, verdicts.FormatJSON}}
}

// answer returns what to print for an answer: the given text or, with --format json, v as a line of JSON. Control
// characters in the JSON are escaped, because a terminal would interpret them.
func (c *choice) answer(v any, text string) []byte {
	if c.value == verdicts.FormatJSON {
		return console.PrintableJSON(strictjson.Marshal(v))
	}
	return []byte(text)
}

// listingText returns what to print for a list of entries: a table or, with --format json, a line of JSON for each
// entry. row returns the cells of an entry's row in the table.
func listingText[T any](format *choice, entries []T, row func(T) []string) []byte {
	var lines []byte
	var table [][]string
	for _, e := range entries {
		lines = append(lines, format.answer(e, "")...)
		table = append(table, row(e))
	}
	if format.value == verdicts.FormatJSON {
		return lines
	}
	return []byte(console.AlignedText(table))
}

// completeChoices registers the accepted values of the choices for shell completion, for a command and its
// subcommands. Call it only if the shell asks for completions: cobra keeps in a global map what is registered, and with
// it everything that the command holds.
func completeChoices(command *cobra.Command) {
	command.LocalFlags().VisitAll(func(f *pflag.Flag) {
		var words []string
		switch c := f.Value.(type) {
		case *choice:
			words = c.accepted
		case *choiceList:
			words = c.accepted
		default:
			return
		}
		complete := cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
		if err := command.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
			panic(err)
		}
	})
	for _, sub := range command.Commands() {
		completeChoices(sub)
	}
}

// A decimalFlag is a number that is written in the same way as a dimension: digits with at most one decimal point,
// and no exponent.
type decimalFlag float64

var _ pflag.Value = (*decimalFlag)(nil)

func (d *decimalFlag) String() string { return console.NumberText(float64(*d)) }
func (d *decimalFlag) Type() string   { return "float64" }
func (d *decimalFlag) Set(text string) error {
	if fault := strictyaml.DecimalFault(text); fault != "" {
		return errors.New(fault)
	}
	x, err := strconv.ParseFloat(text, 64)
	*d = decimalFlag(x)
	return err
}

// addDecimal adds a flag whose value is stored in x as a decimalFlag.
func addDecimal(flags *pflag.FlagSet, x *float64, name string, defaultValue float64, use string) {
	*x = defaultValue
	flags.Var((*decimalFlag)(x), name, use)
}

// newServiceUnitFlag returns the value of --service-unit, the unit of requests to the service.
func newServiceUnitFlag() choice {
	return choice{value: exact.ServiceUnit, accepted: exact.ConvertibleUnits()}
}

// addStep adds the flag --step. The default depends on the unit of the limits: see stepFlagValue.
func addStep(flags *pflag.FlagSet, x *float64, use string) {
	addDecimal(flags, x, "step", 0, use+" (default 1 mm, 0.1 cm, 0.001 m or 0.125 in)")
}

// stepFlagValue returns x, the value of --step, if the flag is given, and otherwise the default step of the catalogue.
func stepFlagValue(command *cobra.Command, x float64, c *limits.Catalogue) float64 {
	if flagGiven(command, "step") {
		return x
	}
	return c.DefaultStep()
}

// An outputFlag is the name of the file to write to, or - for stdout. An empty name is an error, because it usually
// comes from an unset shell variable.
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

// addOutput adds the flag --output with its short form -o.
func addOutput(flags *pflag.FlagSet, name *string, defaultName, use string) {
	*name = defaultName
	flags.VarP((*outputFlag)(name), "output", "o", use)
}

// atMostOne returns an argument check that fails if there is more than one argument. argument is what the error
// message calls an argument, such as "code".
func atMostOne(argument string) cobra.PositionalArgs {
	return func(command *cobra.Command, args []string) error {
		if len(args) > 1 {
			return fmt.Errorf("%s takes at most one %s, but got %d arguments, starting with %s",
				command.Name(), argument, len(args), wording.Quote(args[0]))
		}
		return nil
	}
}

// flagsOnly returns an argument check that fails if there are any arguments. instead is the end of the error
// message: it says which flags to use instead.
func flagsOnly(instead string) cobra.PositionalArgs {
	return func(command *cobra.Command, args []string) error {
		if len(args) > 0 {
			return fmt.Errorf("%s is an argument, but %s takes only flags; %s",
				wording.Quote(args[0]), command.CommandPath(), instead)
		}
		return nil
	}
}

// acceptedByType maps the type of a flag to a description of the values that the flag accepts. Types that are not
// in the map, such as choice, describe their values in their own errors.
var acceptedByType = map[string]string{
	"int": "a whole number", "bool": "true or false", "duration": "a time such as 30s or 5m",
	"float64": "a plain decimal such as 0.5", "time": "2026-03-01 or 2026-03-01T12:00:00Z",
	"WxDxH": "width, depth and height such as 48x141x184",
}

// flagError improves the error that pflag returns for an unknown flag or an invalid value. It adds the name of a
// similar flag, or a description of the accepted values.
func flagError(command *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) && acceptedByType[invalid.GetFlag().Value.Type()] != "" {
		flag := invalid.GetFlag()
		return fmt.Errorf("--%s %s; accepted: %s", flag.Name, wording.Quote(invalid.GetValue()), acceptedByType[flag.Value.Type()])
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		command.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		return fmt.Errorf("%w%s", err, wording.DidYouMean(unknown.GetSpecifiedName(), names))
	}
	return err
}

// A flagRelation is a rule about flags that need or exclude each other. Each field lists names of flags, separated
// by spaces. `format=csv` means --format with the value csv.
type flagRelation struct {
	flags    string // the flags that the rule is about
	requires string // each of flags needs at least one of these; empty if nothing is needed
	excludes string // none of flags can be combined with any of these
}

// flagRelations maps the name of a command to the rules about its flags.
var flagRelations = map[string][]flagRelation{
	"check": {{"box", "", "width depth height"}, {"step", "advice", ""}, {"advice", "format=csv format=json", ""},
		{"verdict-column", "format=csv", ""}, {"extra-keys", "format=json", ""}, {"all", "", "format=csv format=none"},
		{"only output", "", "format=none"}},
	"explain": {{"box", "", "width depth height"}},
	"learn": {{"query record pause max-questions yes service-unit", "service", ""}, {"next", "", "output service format=json"},
		{"output=-", "", "format=json"}},
	"map": {{"step", "box", ""}},
	"audit": {{"query record pause yes service-unit", "service", ""}, {"service", "", "next"}, {"next", "", "format=json"},
		{"rename codes skip delimiter quotes decimal unit encoding sheet input", "", "next"}},
	"serve": {{"gap service-unit", "preflight sandbox", ""}, {"upstream pass-unknown", "preflight", ""},
		{"validation-codes", "preflight sandbox", ""}, {"fixtures faults", "sandbox", ""},
		{"upstream-time trusted-proxy illustrative record dry-run sample", "upstream", ""},
		{"preflight", "", "sandbox"}, {"dry-run", "", "sample"}},
}

// checkFlagRelations returns an error if the command line breaks one of the command's flagRelations. Cobra can also
// check groups of flags, but it counts --sandbox=false as given, and its errors do not say how to correct the command
// line.
func checkFlagRelations(command *cobra.Command) error {
	given := func(flag string) bool { return flagGiven(command, flag) }
	for _, r := range flagRelations[command.Name()] {
		with, without := strings.Fields(r.requires), strings.Fields(r.excludes)
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

// flagGiven reports whether a flag is on the command line with a value other than false. For `format=csv` it
// reports whether the value of --format is csv, even if that is the default.
func flagGiven(command *cobra.Command, flag string) bool {
	name, value, hasValue := strings.Cut(flag, "=")
	f := command.Flag(name)
	if hasValue {
		return f.Value.String() == value
	}
	return f.Changed && f.Value.String() != "false"
}

// checkRecordFlag returns an error if the name of a record does not end in .ndjson or .jsonl. A record is always written as
// NDJSON, and is appended to, so a name such as limits.yaml would damage another file.
func checkRecordFlag(name string) error {
	if name != "" && lists.InputKind(name) != lists.NDJSON {
		return fmt.Errorf("--record %s: a record is written as NDJSON; use a name such as answers.ndjson", wording.Quote(name))
	}
	return nil
}

// parseAddressFlag parses the URL of the service, which is the value of the named flag. The error does not quote the
// value, because it may contain a password.
func parseAddressFlag(flag, text string) (*url.URL, error) {
	address, err := url.Parse(text)
	wrong := ""
	switch {
	case err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "":
		wrong = "is not the URL of a service; give http or https, a host and, if needed, a path, such as https://api.example.com"
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
