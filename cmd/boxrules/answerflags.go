package main

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/interview"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
)

// answerFlags holds the values of the flags that learn and audit share. These flags select the products, and say
// how to read recorded answers and how to ask the service for more answers.
type answerFlags struct {
	articles  []string // articles[i] in materials[i] is a selected product
	materials []string
	input     choice
	list      listFlags
	format    choice

	service string // the URL of the service; empty if no questions are asked
	query   []string
	record  string

	serviceUnit choice
	pause       time.Duration
	yes         bool
}

func newAnswerFlags() answerFlags {
	return answerFlags{input: newListKindFlag(), format: newFormatFlag(), serviceUnit: newServiceUnitFlag()}
}

func (a *answerFlags) add(command *cobra.Command) {
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&a.articles, "article", nil,
		"restrict the command to this article `CODE`; requires --material; may be repeated")
	flags.StringArrayVar(&a.materials, "material", nil, "material `CODE` for --article; may be repeated")
	command.Flags().Var(&a.format, "format", "output format")
	command.Flags().Var(&a.input, "input", "format of the input files (default: taken from their names)")
	a.list.add(command)
}

func (a *answerFlags) addService(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&a.service, "service", "", "`URL` of the service to ask; each question is a dieline request")
	flags.StringArrayVar(&a.query, "query", nil, "query parameter `NAME=VALUE` to add to each request, such as type=pdf; may be repeated")
	flags.StringVar(&a.record, "record", "", "append every answer to this `FILE` (.ndjson), so that a later run can continue from there")
	command.Flags().Var(&a.serviceUnit, "service-unit", "unit of the dimensions sent to --service")
	flags.DurationVar(&a.pause, "pause", time.Second, "`TIME` to wait between requests")
	flags.BoolVar(&a.yes, "yes", false, "query the service without asking for confirmation")
}

// inputs checks the flags and returns the answer files to read. If --limits is missing, the error includes limitsHelp,
// which says what kind of file to give.
func (a *answerFlags) inputs(command *cobra.Command, args []string, s *sources, limitsHelp string) ([]lists.Input, error) {
	switch {
	case !s.limits.isGiven:
		return nil, fmt.Errorf("--limits is missing; give --limits %s", limitsHelp)
	case len(args) == 0 && !flagGiven(command, "next") && a.service == "":
		return nil, errors.New("no answers are given; name files with answers, or - for stdin, or use --next or --service")
	}
	if err := checkFlagRelations(command); err != nil {
		return nil, err
	}
	if _, err := a.interviewOptions(command, s.console, exact.ServiceUnit); err != nil {
		return nil, err
	}
	if flags := a.list.changedFlags(command, "input"); len(args) == 0 && len(flags) > 0 {
		return nil, fmt.Errorf("%s is given without a file of answers; name a file, or leave out %[1]s", flags[0])
	}
	listOptions, err := a.list.readOptions(command)
	if err != nil {
		return nil, err
	}
	return listInputs(command, args, &a.input, listOptions, a.list.changedFlags(command))
}

// interviewOptions returns the options for reading answers and for asking the service. unit is the unit of the
// limits.
func (a *answerFlags) interviewOptions(command *cobra.Command, c *console.Console, unit string) (o interview.Options, err error) {
	o.Unit = unit
	if !command.Flags().Changed("service") {
		return o, nil
	}
	o = interview.Options{Unit: unit, Parameters: make(url.Values), Record: a.record, Pause: a.pause, Yes: a.yes}
	var ok bool
	if o.ToService, ok = exact.UnitRatio(unit, a.serviceUnit.value); !ok && flagGiven(command, "service-unit") {
		return o, fmt.Errorf("--service-unit %s: the unit of the limits, %s, cannot be converted to it; accepted in limits: %s",
			a.serviceUnit.value, unit, wording.Units(unit))
	}
	if o.Service, err = parseAddressFlag("service", a.service); err != nil {
		return o, err
	}
	for _, pair := range a.query {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" || slices.Contains(lists.FieldNames, name) {
			return o, fmt.Errorf("--query %s is not accepted; write NAME=VALUE, such as type=pdf; boxrules itself sets %s",
				wording.Quote(pair), console.ListText(lists.FieldNames))
		}
		o.Parameters.Add(name, value)
	}
	if err := checkRecordFlag(a.record); err != nil {
		return o, err
	}
	if c.Getenv("BOXRULES_CLIENT_ID") == "" || c.Getenv("BOXRULES_CLIENT_SECRET") == "" {
		return o, errors.New("--service needs credentials; put the client's ID in BOXRULES_CLIENT_ID and its secret in BOXRULES_CLIENT_SECRET")
	}
	return o, nil
}

// A selection is the set of products that a command works on. A product is an article in a material.
type selection struct {
	products    []interview.Product
	includesAll bool // whether every product of the limit file is selected
}

// selection returns the products that --article and --material name. If the flags are not given, it returns all
// products of the catalogue. check must return an InputError for a box of an unknown product.
func (a *answerFlags) selection(c *limits.Catalogue, check func(boxrules.Box) error) (s selection, err error) {
	if len(a.articles) != len(a.materials) {
		return s, fmt.Errorf("--article is given %s and --material %s; give one --material for each --article",
			console.CountText(len(a.articles), "time", "times"), console.CountText(len(a.materials), "time", "times"))
	}
	for i, article := range a.articles {
		product := interview.Product{Article: article, Material: a.materials[i]}
		var unknown *boxrules.InputError
		if errors.As(check(boxrules.Box{Article: product.Article, Material: product.Material}), &unknown) {
			return s, fmt.Errorf("--%s: %s", unknown.Field, unknown.Message)
		}
		if !slices.Contains(s.products, product) {
			s.products = append(s.products, product)
		}
	}
	if len(s.products) > 0 {
		return s, nil
	}
	s.includesAll = true
	for _, a := range c.Articles() {
		for _, material := range a.Materials {
			s.products = append(s.products, interview.Product{Article: a.Code, Material: material})
		}
	}
	return s, nil
}

// includes reports whether the selection contains the article in the material.
func (s *selection) includes(article, material string) bool {
	return s.includesAll || slices.Contains(s.products, interview.Product{Article: article, Material: material})
}
