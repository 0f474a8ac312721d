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

// An inquiry asks the service about boxes, as the flags say, and keeps a record of its answers.
type inquiry struct {
	address string
	query   []string
	record  string
	pause   time.Duration
	most    int
	yes     bool

	url        *url.URL
	parameters url.Values // besides those of the box
	console    *console.Console
	answers    *answers.Reader
	file       *os.File // of the record; nil without --record
}

func (q *inquiry) add(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&q.address, "service", "", "ask the service at this `URL` itself, by dieline requests")
	flags.StringArrayVar(&q.query, "query", nil, "`NAME=VALUE` to add to each request, such as type=pdf; may be repeated")
	flags.StringVar(&q.record, "record", "", "`FILE` (.ndjson) to add every answer to, and to go on from")
	flags.DurationVar(&q.pause, "pause", time.Second, "`TIME` between two requests")
	flags.BoolVar(&q.yes, "yes", false, "ask the service without being told yes")
}

func (q *inquiry) given() bool { return q.address != "" }

// usage checks the flags together, and reads them.
func (q *inquiry) usage(command *cobra.Command) (err error) {
	if !command.Flags().Changed("service") {
		return nil
	}
	if q.url, err = addressFlag("service", q.address); err != nil {
		return err
	}
	q.parameters = make(url.Values)
	for _, pair := range q.query {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" || slices.Contains(lists.FieldNames, name) {
			return fmt.Errorf("--query %s; accepted: NAME=VALUE such as type=pdf, none of %s", wording.Quote(pair), console.List(lists.FieldNames))
		}
		q.parameters.Add(name, value)
	}
	switch kind := lists.KindOf(q.record); {
	case kind != "" && kind != lists.NDJSON:
		return fmt.Errorf("--record %s: a record is NDJSON; accepted: a name such as answers.ndjson", wording.Quote(q.record))
	case q.console.Getenv("BOXRULES_CLIENT_ID") == "" || q.console.Getenv("BOXRULES_CLIENT_SECRET") == "":
		return errors.New("--service needs a client; accepted: its ID in BOXRULES_CLIENT_ID and its secret in BOXRULES_CLIENT_SECRET")
	}
	return nil
}

// begin opens the record, and reads it behind the other files. An answer of the record goes to
// recorded, one of another file to take.
func (q *inquiry) begin(inputs []lists.Input, take, recorded func(a learn.Answer, silent string) error) (err error) {
	if q.record != "" {
		inputs = slices.DeleteFunc(inputs, func(in lists.Input) bool { return in.Name == q.record })
		if q.file, _, err = answers.OpenRecord(q.record); err != nil {
			return q.recordFailed(err)
		}
	}
	if err := q.answers.ReadAll(inputs, take); err != nil || q.record == "" {
		return err
	}
	return q.answers.ReadAll([]lists.Input{{Name: q.record, Kind: lists.NDJSON}}, recorded)
}

func (q *inquiry) recordFailed(err error) error {
	return q.console.Fail(fmt.Errorf("--record %s: %w", wording.Quote(q.record), console.FileCause(err)))
}

func (q *inquiry) close() { _ = q.file.Close() } // nil without --record

// confirm says what is going to be asked, and fails without a yes.
func (q *inquiry) confirm(most string, pairs int) error {
	q.console.Say("boxrules: %s about %s, one every %v, to %s", most,
		console.Count(pairs, "article and material", "articles and materials"), q.pause, q.url)
	if q.file == nil {
		q.console.Say("boxrules: without --record the answers are not kept")
	}
	switch {
	case q.yes:
		return nil
	case !q.console.Typed:
		return q.console.Fail(errors.New("nothing is asked without a yes; accepted: --yes, where stdin is no terminal"))
	}
	_, _ = io.WriteString(q.console.Err, "boxrules: ask them? [y/N] ")
	line, _ := bufio.NewReader(q.console.In).ReadString('\n') // what cannot be read is no yes
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return q.console.Fail(errors.New("nothing was asked"))
	}
	return nil
}

// maxSilent bounds the boxes in a row that get no answer.
const maxSilent = 3

// ask asks until next returns no box, a contradiction is learned, or somebody interrupts. take
// reports whether anything is learned from an answer, of a kind from which most often nothing is.
func (q *inquiry) ask(next func() []boxrules.Box, take func(a learn.Answer, kind string) (learned bool, err error)) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s := service.Client{
		Console: q.console, Address: q.url, Parameters: q.parameters, Pause: q.pause,
		ID: q.console.Getenv("BOXRULES_CLIENT_ID"), Secret: q.console.Getenv("BOXRULES_CLIENT_SECRET"),
	}
	silent, asked := 0, 0
	for ctx.Err() == nil {
		boxes := next()
		if len(boxes) == 0 {
			break
		}
		b := boxes[0]
		code, err := s.Ask(ctx, b)
		if err != nil && ctx.Err() != nil {
			break
		} else if err != nil {
			return q.console.Fail(fmt.Errorf("after %s: %w", console.Count(asked, "question", "questions"), err))
		}
		asked++
		answer := q.answers.Next(b)
		if q.file != nil {
			if _, err = q.file.Write(answers.AppendAnswer(nil, b, code, 1, answer.Date)); err == nil {
				err = q.file.Sync()
			}
			if err != nil {
				return q.recordFailed(err)
			}
		}
		q.console.Progress("question %d: %s: %s", asked, boxPairText(b.Article, b.Material), code)
		kind := ""
		switch {
		case answers.IsAccepted(code):
		case q.answers.IsCode(code):
			answer.Code = boxrules.Code(code)
		default:
			kind = cmp.Or(code, answers.NoAnswer)
		}
		learned, err := take(answer, kind)
		switch {
		case learned:
			silent = 0
		case kind != "":
			q.console.Say("boxrules: %s: nothing is learned from %s", boxText(b), wording.Cut(kind))
		}
		if !learned && kind != string(boxrules.DLN_1101) {
			silent++
		}
		if errors.As(err, new(*learn.Contradiction)) {
			break
		} else if err != nil {
			return q.console.Fail(err)
		}
		if silent == maxSilent {
			return q.console.Fail(fmt.Errorf("after %s: %d boxes in a row got no answer", console.Count(asked, "question", "questions"), silent))
		}
	}
	q.console.Say("boxrules: %s", console.Count(asked, "question was asked", "questions were asked"))
	return nil
}

// askService learns from the files and the record, and then from what the service answers.
func (k *learnCommand) askService(a *answers.Reader, inputs []lists.Input, frame *limits.Catalogue) error {
	k.asked = make(map[learnPair]int)
	q := &k.service
	q.answers = a
	defer q.close()
	err := q.begin(inputs, k.take, func(answer learn.Answer, silent string) error {
		k.asked[learnPair{answer.Article, answer.Material}]++
		return k.take(answer, silent)
	})
	if err != nil {
		return err
	}
	if _, _, clashes := k.facts(); len(clashes) > 0 {
		k.console.Say("boxrules: the answers contradict each other: nothing is asked")
		return nil
	}
	if len(k.learner.Next(1)) == 0 {
		return nil
	}
	questions, pairs := 0, 0
	for _, pair := range k.pairsOf(frame) {
		if left := k.service.most - k.asked[pair]; left > 0 {
			questions, pairs = questions+left, pairs+1
		}
	}
	if err := q.confirm("at most "+console.Count(questions, "question", "questions"), pairs); err != nil {
		return err
	}
	err = q.ask(func() []boxrules.Box { return k.learner.Next(1) }, func(answer learn.Answer, kind string) (bool, error) {
		k.asked[learnPair{answer.Article, answer.Material}]++
		return kind == "", learnAnswer(k.learner, answer, kind)
	})
	if err != nil {
		return err
	}
	for _, p := range k.pairsOf(frame) {
		if k.asked[p] >= k.service.most {
			k.console.Say("boxrules: %s: %s asked, the most that --max-questions allows", boxPairText(p.article, p.material),
				console.Count(k.service.most, "question was", "questions were"))
		}
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
