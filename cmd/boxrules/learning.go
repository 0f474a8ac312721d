package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/answers"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/service"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// learning holds the flags that learn and audit share: how recorded answers are read, about what,
// and how the service is asked for more. It reads them, asks, and keeps a record.
type learning struct {
	*sources
	input     choice
	list      listFlags
	format    choice
	articles  []string // in pairs with the materials
	materials []string

	service string // its address; empty where it is not asked
	query   []string
	record  string
	pause   time.Duration
	most    int
	yes     bool

	options    learn.Options
	learner    *learn.Learner
	chosen     []learnPair
	url        *url.URL
	parameters url.Values // besides those of the box
	recorded   *answers.Collector
	file       *answers.Record   // nil without --record
	asked      map[learnPair]int // questions to the service, in all runs that the record has
}

// A learnPair is an article in a material.
type learnPair struct{ article, material string }

// An asker is a command that learns from answers and has questions.
type asker interface {
	// take takes an answer, and reports whether it tells anything; silent is the kind of one from
	// which nothing can be learned. The error is [learn.ErrUnknownCode] for a code that the rules
	// do not have, and may be [learn.ErrBorderline].
	take(a learn.Answer, silent string) (tells bool, err error)
	// left says how many questions are left, and about how many articles and materials.
	left() (questions string, pairs int)
	// question returns the box to ask about, if there is one.
	question() []boxrules.Box
}

func newLearning(s *sources) learning {
	return learning{sources: s, input: newListKind(), format: newFormatFlag(), asked: make(map[learnPair]int)}
}

func (k *learning) addFlags(command *cobra.Command) {
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&k.articles, "article", nil,
		"article `CODE` to ask about alone, with its --material; may be repeated")
	flags.StringArrayVar(&k.materials, "material", nil, "material `CODE` to ask about; may be repeated")
	addChoice(command, &k.format, "format", "how facts are written")
	addChoice(command, &k.input, "input", "what the files are, whatever their names")
	k.list.add(command)
}

// addServiceFlags adds the flags of how the service is asked.
func (k *learning) addServiceFlags(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&k.service, "service", "", "ask the service at this `URL` itself, by dieline requests")
	flags.StringArrayVar(&k.query, "query", nil, "`NAME=VALUE` to add to each request, such as type=pdf; may be repeated")
	flags.StringVar(&k.record, "record", "", "`FILE` (.ndjson) to add every answer to, and to go on from")
	flags.DurationVar(&k.pause, "pause", time.Second, "`TIME` between two requests")
	flags.BoolVar(&k.yes, "yes", false, "ask the service without being told yes")
}

// usage checks the flags together, and returns the files to read. kind says what file the limits
// are.
func (k *learning) usage(command *cobra.Command, args []string, kind string) ([]lists.Input, error) {
	switch {
	case !k.limits.given:
		return nil, fmt.Errorf("--limits is missing; accepted: --limits %s", kind)
	case len(args) == 0 && !flagGiven(command, "next") && k.service == "":
		return nil, errors.New("no answers are given; accepted: files, or - for stdin, or --next, or --service")
	}
	if err := checkFlagRelations(command); err != nil {
		return nil, err
	}
	if err := k.serviceUsage(command); err != nil {
		return nil, err
	}
	if flags := k.list.changed(command, "input"); len(args) == 0 && len(flags) > 0 {
		return nil, fmt.Errorf("%s is given without a file of answers; accepted: together, or neither", flags[0])
	}
	form, err := k.list.form(command)
	if err != nil {
		return nil, err
	}
	return listInputs(command, args, &k.input, form, k.list.changed(command))
}

// serviceUsage checks the flags of how the service is asked, and reads them.
func (k *learning) serviceUsage(command *cobra.Command) (err error) {
	if !command.Flags().Changed("service") {
		return nil
	}
	if k.url, err = addressFlag("service", k.service); err != nil {
		return err
	}
	k.parameters = make(url.Values)
	for _, pair := range k.query {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" || slices.Contains(lists.FieldNames, name) {
			return fmt.Errorf("--query %s; accepted: NAME=VALUE such as type=pdf, none of %s",
				wording.Quote(pair), console.List(lists.FieldNames))
		}
		k.parameters.Add(name, value)
	}
	if err := recordFlag(k.record); err != nil {
		return err
	}
	if k.console.Getenv("BOXRULES_CLIENT_ID") == "" || k.console.Getenv("BOXRULES_CLIENT_SECRET") == "" {
		return errors.New("--service needs a client; accepted: its ID in BOXRULES_CLIENT_ID and its secret in BOXRULES_CLIENT_SECRET")
	}
	return nil
}

// choose makes pairs of the articles and materials of the flags, which check has to know. Without
// flags it takes all of the catalogue.
func (k *learning) choose(c *limits.Catalogue, check func(boxrules.Box) error) error {
	if len(k.articles) != len(k.materials) {
		return fmt.Errorf("--article is given %s and --material %s; accepted: pairs of them",
			console.Count(len(k.articles), "time", "times"), console.Count(len(k.materials), "time", "times"))
	}
	for i, code := range k.articles {
		var wrong *boxrules.InputError
		if errors.As(check(boxrules.Box{Article: code, Material: k.materials[i]}), &wrong) {
			return fmt.Errorf("--%s: %s", wrong.Field, wrong.Message)
		}
		if pair := (learnPair{code, k.materials[i]}); !slices.Contains(k.chosen, pair) {
			k.chosen = append(k.chosen, pair)
		}
	}
	if k.chosen != nil {
		return nil
	}
	for _, a := range c.Articles() {
		for _, material := range a.Materials {
			k.chosen = append(k.chosen, learnPair{a.Code, material})
		}
	}
	return nil
}

// asks reports whether the article in the material is asked about.
func (k *learning) asks(article, material string) bool {
	return len(k.articles) == 0 || slices.Contains(k.chosen, learnPair{article, material})
}

// interview has the command take the answers of the files and of the record, which is read last,
// and then those of the service, where that is to be asked.
func (k *learning) interview(of asker, rules *boxrules.RuleSet, inputs []lists.Input) (err error) {
	k.recorded = answers.New(k.console, rules)
	take := func(a learn.Answer, silent string) error {
		if _, err := of.take(a, silent); !errors.As(err, new(*learn.Contradiction)) {
			return err
		}
		return nil // it is a fact, which is reported at the end
	}
	if k.record != "" {
		inputs = slices.DeleteFunc(inputs, func(in lists.Input) bool { return in.Name == k.record })
		if k.file, _, err = answers.OpenRecord(k.record); err != nil {
			return k.recordFailed(err)
		}
		defer k.file.Close()
	}
	if err := k.recorded.ReadAll(inputs, take); err != nil || k.service == "" {
		return err
	}
	if k.record != "" {
		record := []lists.Input{{Name: k.record, Kind: lists.NDJSON}}
		err := k.recorded.ReadAll(record, func(a learn.Answer, silent string) error {
			k.asked[learnPair{a.Article, a.Material}]++
			return take(a, silent)
		})
		if err != nil {
			return err
		}
	}
	questions, pairs := of.left()
	if pairs == 0 {
		return nil
	}
	if err := k.confirm(questions, pairs); err != nil {
		return err
	}
	return k.ask(of)
}

func (k *learning) recordFailed(err error) error {
	return k.console.Fail(fmt.Errorf("--record %s: %w", wording.Quote(k.record), console.FileCause(err)))
}

// confirm says what is going to be asked, and fails without a yes.
func (k *learning) confirm(questions string, pairs int) error {
	k.console.Say("boxrules: %s about %s, one every %v, to %s", questions,
		console.Count(pairs, "article and material", "articles and materials"), k.pause, k.url)
	if k.file == nil {
		k.console.Say("boxrules: without --record the answers are not kept")
	}
	switch {
	case k.yes:
		return nil
	case !k.console.Typed:
		return k.console.Fail(errors.New("nothing is asked without a yes; accepted: --yes, where stdin is no terminal"))
	}
	_, _ = io.WriteString(k.console.Err, "boxrules: ask them? [y/N] ")
	line, _ := bufio.NewReader(k.console.In).ReadString('\n') // what cannot be read is no yes
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return k.console.Fail(errors.New("nothing was asked"))
	}
	return nil
}

// maxSilent bounds the boxes in a row that get no answer.
const maxSilent = 3

// ask asks until there is no question, a contradiction is learned, or somebody interrupts.
func (k *learning) ask(of asker) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s := service.Client{
		Console: k.console, Address: k.url, Parameters: k.parameters, Pause: k.pause,
		ID: k.console.Getenv("BOXRULES_CLIENT_ID"), Secret: k.console.Getenv("BOXRULES_CLIENT_SECRET"),
	}
	defer k.recorded.Report()
	silent, asked := 0, 0
	for ctx.Err() == nil {
		boxes := of.question()
		if len(boxes) == 0 {
			break
		}
		b := boxes[0]
		code, err := s.Ask(ctx, b)
		if err != nil && ctx.Err() != nil {
			break
		} else if err != nil {
			return k.console.Fail(fmt.Errorf("after %s: %w", console.Count(asked, "question", "questions"), err))
		}
		asked++
		k.asked[learnPair{b.Article, b.Material}]++
		answer := k.recorded.Next(b)
		if k.file != nil {
			if _, err = k.file.Write(answers.AppendAnswer(nil, b, code, 1, answer.Date)); err == nil {
				err = k.file.Sync()
			}
			if err != nil {
				return k.recordFailed(err)
			}
		}
		k.console.Progress("question %d: %s: %s", asked, boxPairText(b.Article, b.Material), code)
		kind := ""
		switch {
		case lists.IsValid(code):
		case k.recorded.IsCode(code), learn.RefusesBoxes(boxrules.Code(code)):
			answer.Code = boxrules.Code(code)
		default:
			kind = cmp.Or(code, answers.NoAnswer)
		}
		tells, err := of.take(answer, kind)
		if errors.Is(err, learn.ErrUnknownCode) {
			k.recorded.Count(code)
			err = nil
		} else if errors.Is(err, learn.ErrBorderline) {
			k.recorded.Count(answers.Borderline)
			err = nil
		}
		switch {
		case tells:
			silent = 0
		case kind != "":
			k.console.Say("boxrules: %s: nothing is learned from %s", boxText(b), wording.Cut(kind))
		}
		if !tells && kind != string(boxrules.DLN_1101) {
			silent++
		}
		if errors.As(err, new(*learn.Contradiction)) {
			break
		} else if err != nil {
			return k.console.Fail(err)
		}
		if silent == maxSilent {
			return k.console.Fail(fmt.Errorf("after %s: %d boxes in a row got no answer that tells anything",
				console.Count(asked, "question", "questions"), silent))
		}
	}
	k.console.Say("boxrules: %s", console.Count(asked, "question was asked", "questions were asked"))
	return nil
}
