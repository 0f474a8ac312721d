package main

import (
	"bufio"
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

// serviceFlags say how the service is asked.
type serviceFlags struct {
	address string
	query   []string
	record  string
	pause   time.Duration
	most    int
	yes     bool

	url        *url.URL
	parameters url.Values // besides those of the box
}

func (s *serviceFlags) add(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&s.address, "service", "", "ask the service at this `URL` itself, by dieline requests")
	flags.StringArrayVar(&s.query, "query", nil, "`NAME=VALUE` to add to each request, such as type=pdf; may be repeated")
	flags.StringVar(&s.record, "record", "", "`FILE` (.ndjson) to add every answer to, and to go on from")
	flags.DurationVar(&s.pause, "pause", time.Second, "`TIME` between two requests")
	flags.IntVar(&s.most, "max-questions", 60, "greatest `NUMBER` of questions about an article in a material, in all runs with the same --record")
	flags.BoolVar(&s.yes, "yes", false, "ask the service without being told yes")
}

func (s *serviceFlags) given() bool { return s.address != "" }

// usage checks the flags together, and reads them.
func (s *serviceFlags) usage(command *cobra.Command, c *console.Console) (err error) {
	if !command.Flags().Changed("service") {
		return nil
	}
	if s.url, err = addressOf(s.address); err != nil {
		return usage(command, "--service %s: %w; accepted: an address such as https://api.example.com", shownAddress(s.address), err)
	}
	s.parameters = make(url.Values)
	for _, pair := range s.query {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" || slices.Contains(lists.FieldNames, name) {
			return usage(command, "--query %s; accepted: NAME=VALUE such as type=pdf, none of %s", wording.Quote(pair), console.List(lists.FieldNames))
		}
		s.parameters.Add(name, value)
	}
	switch kind := lists.KindOf(s.record); {
	case kind != "" && kind != lists.NDJSON:
		return usage(command, "--record %s: a record is NDJSON; accepted: a name such as answers.ndjson", wording.Quote(s.record))
	case s.pause < 0:
		return usage(command, "--pause %v is not a time to wait; accepted: 0 or more, such as 1s", s.pause)
	case s.most < 1:
		return usage(command, "--max-questions %d is not a number of questions; accepted: 1 or more", s.most)
	case c.Getenv("BOXRULES_CLIENT_ID") == "" || c.Getenv("BOXRULES_CLIENT_SECRET") == "":
		return usage(command, "--service needs a client; accepted: its ID in BOXRULES_CLIENT_ID and its secret in BOXRULES_CLIENT_SECRET")
	}
	return nil
}

// askService learns from the files and the record, and then from what the service answers.
func (k *learnCommand) askService(a *answers.Reader, inputs []lists.Input, frame *limits.Catalogue) error {
	k.asked = make(map[learnPair]int)
	var record *os.File
	if k.service.record != "" {
		var err error
		if record, _, err = answers.OpenRecord(k.service.record); err != nil {
			return k.console.Fail(fmt.Errorf("--record %s: %w", wording.Quote(k.service.record), console.Cause(err)))
		}
		defer record.Close()
		inputs = slices.DeleteFunc(inputs, func(in lists.Input) bool { return in.Name == k.service.record })
	}
	if err := a.ReadAll(inputs, k.take); err != nil {
		return err
	}
	if record != nil {
		err := a.ReadAll([]lists.Input{{Name: k.service.record, Kind: lists.NDJSON}}, func(answer learn.Answer, silent string) error {
			k.asked[learnPair{answer.Article, answer.Material}]++
			return k.take(answer, silent)
		})
		if err != nil {
			return err
		}
	}
	if _, _, clashes := k.facts(); len(clashes) > 0 {
		k.console.Say("boxrules: the answers contradict each other: nothing is asked")
		return nil
	}
	if len(k.learner.Next(1)) == 0 {
		return nil
	}
	if err := k.confirm(frame); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := k.askAll(ctx, a, record); err != nil {
		return err
	}
	for _, p := range k.pairsOf(frame) {
		if k.asked[p] >= k.service.most {
			k.console.Say("boxrules: %s: %s asked, the most that --max-questions allows", pairText(p.article, p.material),
				console.Count(k.service.most, "question was", "questions were"))
		}
	}
	return nil
}

// confirm says what is going to be asked, and fails without a yes.
func (k *learnCommand) confirm(frame *limits.Catalogue) error {
	questions, pairs := 0, 0
	for _, pair := range k.pairsOf(frame) {
		if left := k.service.most - k.asked[pair]; left > 0 {
			questions, pairs = questions+left, pairs+1
		}
	}
	k.console.Say("boxrules: at most %s about %s, one every %v, to %s", console.Count(questions, "question", "questions"),
		console.Count(pairs, "article and material", "articles and materials"), k.service.pause, k.service.url)
	if k.service.record == "" {
		k.console.Say("boxrules: without --record the answers are not kept")
	}
	switch {
	case k.service.yes:
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

// pairsOf returns the articles and materials that are asked about.
func (k *learnCommand) pairsOf(frame *limits.Catalogue) (pairs []learnPair) {
	for _, article := range frame.Articles() {
		for _, material := range article.Materials {
			if k.asks(article.Code, material) {
				pairs = append(pairs, learnPair{article.Code, material})
			}
		}
	}
	return pairs
}

// maxSilent bounds the boxes in a row that get no answer.
const maxSilent = 3

// askAll asks until no box tells anything more, or ctx ends.
func (k *learnCommand) askAll(ctx context.Context, a *answers.Reader, record *os.File) error {
	s := service.New(service.Config{
		Console: k.console, Address: k.service.url, Parameters: k.service.parameters, Pause: k.service.pause,
		ID: k.console.Getenv("BOXRULES_CLIENT_ID"), Secret: k.console.Getenv("BOXRULES_CLIENT_SECRET"),
	})
	silent, asked := 0, 0
	for ctx.Err() == nil {
		boxes := k.learner.Next(1)
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
		answer := a.Next(b)
		if record != nil {
			if _, err = record.Write(answers.AppendAnswer(nil, b, code, 1, answer.Date)); err == nil {
				err = record.Sync()
			}
			if err != nil {
				return k.console.Fail(fmt.Errorf("--record %s: %w", wording.Quote(k.service.record), console.Cause(err)))
			}
		}
		k.asked[learnPair{b.Article, b.Material}]++
		k.console.Progress("question %d: %s: %s", asked, pairText(b.Article, b.Material), code)
		kind := ""
		switch {
		case answers.IsAccepted(code):
			silent = 0
		case a.IsCode(code):
			answer.Code, silent = boxrules.Code(code), 0
		default:
			if kind = code; kind == "" {
				kind = answers.NoAnswer
			}
			k.console.Say("boxrules: %s: nothing is learned from %s", boxText(b), wording.Cut(kind))
			if kind != string(boxrules.DLN_1101) {
				silent++
			}
		}
		if err := learnAnswer(k.learner, answer, kind); errors.As(err, new(*learn.Contradiction)) {
			break
		} else if err != nil {
			return k.console.Fail(err)
		}
		if silent == maxSilent {
			return k.console.Fail(fmt.Errorf("after %s: %d boxes in a row got no answer", console.Count(asked, "question", "questions"), silent))
		}
	}
	k.console.Say("boxrules: %s", console.Count(asked, "question was asked", "questions were asked"))
	return nil
}
