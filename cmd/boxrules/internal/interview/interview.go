// Package interview collects answers from the printing service and passes them to a command: first the answers in
// files, then the answers in the record of earlier runs, and finally the answers that the service gives to the
// command's questions.
//
// The commands learn and audit ask different questions, and do different things with the answers. So each of them
// is a [Questioner]. This package does what the two have in common: it reads the files and the record, asks the
// user for confirmation, asks the service, and records its answers.
package interview

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

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/answers"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/service"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/learn"
)

// A Questioner is a command that has questions for the service.
type Questioner interface {
	// Learn learns from an answer. If the answer is unusable, unusableKind is the kind of the answer: the reason
	// why nothing can be learned from it, as package answers defines it. Otherwise unusableKind is empty.
	// informative reports whether the answer says something about its box.
	//
	// The error is a [*learn.Contradiction] if the answer contradicts others. After that, no more questions are
	// asked, but the command goes on. The error may also be [learn.ErrUnknownCode] or [learn.ErrBorderline].
	Learn(a learn.Answer, unusableKind string) (informative bool, err error)
	// Remaining returns a text with the number of questions to ask, such as "at most 35 questions", and the number
	// of products that they are about. If products is 0, there are no questions. Remaining is called once, before
	// the first question.
	Remaining() (questions string, products int)
	// Next returns the box to ask about next. ok is false if no question remains.
	Next() (box boxrules.Box, ok bool)
}

// A Product is an article in a material.
type Product struct{ Article, Material string }

// String returns the product as text, such as tray in carton-300.
func (p Product) String() string { return console.ProductText(p.Article, p.Material) }

// Options configure an Interview.
type Options struct {
	Service    *url.URL      // the URL of the service; nil if no questions are asked
	Parameters url.Values    // query parameters of each request, in addition to those that describe the box
	Record     string        // the file that answers are appended to; empty if they are not recorded
	Pause      time.Duration // the time to wait between two requests
	Yes        bool          // whether to ask the service without asking the user for confirmation

	Unit      string      // the unit of the limits
	ToService exact.Ratio // converts lengths from Unit to the unit of requests; the zero Ratio means that the units are the same
}

// An Interview reads answers, and asks the service for more. It counts the questions that were asked about each
// product.
type Interview struct {
	Options
	console   *console.Console
	collector *answers.Collector
	record    *answers.Record // nil if Options.Record is empty
	asked     map[Product]int // see Asked
}

// New returns an interview. The rules determine which codes are known.
func New(c *console.Console, rules *boxrules.RuleSet, o Options) *Interview {
	return &Interview{Options: o, console: c, collector: answers.New(c, rules, o.Unit), asked: make(map[Product]int)}
}

// Asked returns the number of questions that were asked about a product, in this run and in earlier recorded runs.
func (i *Interview) Asked(p Product) int { return i.asked[p] }

// Rows returns the number of rows of answers that have been read.
func (i *Interview) Rows() int { return i.collector.Rows }

// Locate returns the file and the line of a row; see [answers.Collector.Locate].
func (i *Interview) Locate(row int) string { return i.collector.Locate(row) }

// HasDates reports whether any answer had a date.
func (i *Interview) HasDates() bool { return !i.collector.Latest.IsZero() }

// Run passes all answers to q. If the record is also one of the files, Run reads it only once. Errors that Run
// returns have already been reported.
func (i *Interview) Run(files []lists.Input, q Questioner) error {
	if i.Record != "" {
		files = slices.DeleteFunc(files, func(in lists.Input) bool { return in.Name == i.Record })
		var err error
		if i.record, _, err = answers.OpenRecord(i.Record); err != nil {
			return i.recordError(err)
		}
		defer i.record.Close()
	}
	if err := i.collector.ReadAll(files, learnFrom(q)); err != nil || i.Service == nil {
		return err
	}
	if i.Record != "" {
		if err := i.readRecord(q); err != nil {
			return err
		}
	}
	questions, products := q.Remaining()
	if products == 0 {
		return nil
	}
	if err := i.confirm(questions, products); err != nil {
		return err
	}
	return i.ask(q)
}

// learnFrom returns a function that passes answers from files to q. The function ignores contradictions, because
// the command reports them at the end.
func learnFrom(q Questioner) func(a learn.Answer, unusableKind string) error {
	return func(a learn.Answer, unusableKind string) error {
		if _, err := q.Learn(a, unusableKind); !errors.As(err, new(*learn.Contradiction)) {
			return err
		}
		return nil
	}
}

// readRecord passes the answers of earlier runs to q, and counts the questions for Asked.
func (i *Interview) readRecord(q Questioner) error {
	record := []lists.Input{{Name: i.Record, Kind: lists.NDJSON}}
	learnFromFile := learnFrom(q)
	return i.collector.ReadAll(record, func(a learn.Answer, unusableKind string) error {
		i.asked[Product{a.Article, a.Material}]++
		return learnFromFile(a, unusableKind)
	})
}

func (i *Interview) recordError(err error) error {
	return i.console.Fail(fmt.Errorf("--record %s: %w", wording.Quote(i.Record), console.FileCause(err)))
}

// confirm tells the user how many questions there are, and returns an error unless the user agrees to ask them.
func (i *Interview) confirm(questions string, products int) error {
	i.console.Say("boxrules: %s about %s, one every %v, to %s", questions,
		console.CountText(products, "product", "products"), i.Pause, i.Service)
	if i.record == nil {
		i.console.Say("boxrules: without --record the answers are not saved")
	}
	switch {
	case i.Yes:
		return nil
	case !i.console.InIsTerminal:
		return i.console.Fail(errors.New("refusing to query the service without confirmation; pass --yes (stdin is not a terminal)"))
	}
	_, _ = io.WriteString(i.console.Err, "boxrules: ask the service these questions? [y/N] ")
	line, _ := bufio.NewReader(i.console.In).ReadString('\n') // an empty line means no, so the error can be ignored
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return i.console.Fail(errors.New("nothing was asked"))
	}
	return nil
}

// maxUninformative is the number of uninformative answers in a row after which Run gives up. By then, the URL or
// the parameters of the requests are probably wrong.
const maxUninformative = 3

// ask asks the service until no question is left, an answer contradicts earlier ones, or the user interrupts the
// command.
func (i *Interview) ask(q Questioner) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	client := &service.Client{
		Console: i.console, Address: i.Service, Parameters: i.Parameters, Pause: i.Pause, ToService: i.ToService,
		ID: i.console.Getenv("BOXRULES_CLIENT_ID"), Secret: i.console.Getenv("BOXRULES_CLIENT_SECRET"),
	}
	defer i.collector.Report()
	uninformative, asked := 0, 0
	for ctx.Err() == nil {
		box, ok := q.Next()
		if !ok {
			break
		}
		code, err := client.Ask(ctx, box)
		if err != nil && ctx.Err() != nil {
			break
		} else if err != nil {
			return i.console.Fail(fmt.Errorf("after %s: %w", questionCount(asked), err))
		}
		asked++
		i.asked[Product{box.Article, box.Material}]++
		answer := i.collector.Next(box)
		if err := i.writeRecord(box, code, answer.Date); err != nil {
			return i.recordError(err)
		}
		i.console.Progress("question %d: %s: %s", asked, Product{box.Article, box.Material}, code)

		unusableKind := i.interpret(code, &answer)
		informative, err := q.Learn(answer, unusableKind)
		switch {
		case errors.Is(err, learn.ErrUnknownCode):
			i.collector.Count(code)
			err = nil
		case errors.Is(err, learn.ErrBorderline):
			i.collector.Count(answers.Borderline)
			err = nil
		}
		if !informative && unusableKind != "" {
			i.console.Say("boxrules: %s %s: nothing can be learned from %s", Product{box.Article, box.Material},
				console.SizeText(box.Width, box.Depth, box.Height), answers.KindText(unusableKind))
		}
		switch {
		case informative:
			uninformative = 0
		case unusableKind != string(boxrules.DLN_1101): // DLN_1101 means that the service does not make the product
			uninformative++
		}
		if errors.As(err, new(*learn.Contradiction)) {
			break
		} else if err != nil {
			return i.console.Fail(err)
		}
		if uninformative == maxUninformative {
			return i.console.Fail(fmt.Errorf("after %s: %d boxes in a row got no usable answer; %s; then run the command again",
				questionCount(asked), uninformative, adviceFor(unusableKind)))
		}
	}
	i.console.Say("boxrules: %s", console.CountText(asked, "question was asked", "questions were asked"))
	return nil
}

// adviceFor returns advice on what to do if answers of the given kind are unusable.
func adviceFor(unusableKind string) string {
	switch status, _, _ := strings.Cut(unusableKind, " "); {
	case unusableKind == string(boxrules.TypeValidationError):
		return "the service does not accept the request: check that it has articles and materials with these codes, " +
			"use --query to add any parameter that it needs, such as --query type=pdf, and set decimals in the limit file to the number of decimals that the service accepts"
	case status == "401" || status == "403":
		return "the service does not allow requests from this client: check BOXRULES_CLIENT_ID and BOXRULES_CLIENT_SECRET"
	case status == "404" || status == "405":
		return "check the --service URL: the service has no /v1/reseller/dieline there"
	case strings.HasSuffix(unusableKind, service.WithoutDieline):
		return "the service accepts the boxes but sends no dieline: use --query to add a parameter that asks for one, such as --query type=pdf, " +
			"or, if the service is a boxrules sandbox, give it --fixtures"
	case unusableKind == answers.NoAnswer || len(status) == 3 && status[0] == '5':
		return "the service is not working at the moment: wait a while"
	}
	return "check the --service URL, and check that the service makes these products"
}

func questionCount(n int) string { return console.CountText(n, "question", "questions") }

// writeRecord appends an answer to the record, and waits until it is on the disk.
func (i *Interview) writeRecord(box boxrules.Box, code string, date time.Time) error {
	if i.record == nil {
		return nil
	}
	if _, err := i.record.Write(answers.AppendAnswer(nil, box, code, 1, date)); err != nil {
		return err
	}
	return i.record.Sync()
}

// interpret sets answer.Code to the code if services refuse boxes with it. For lists.Valid, answer.Code stays
// empty. Any other code says nothing about the box, so the answer is unusable, and interpret returns the code as
// its kind.
func (i *Interview) interpret(code string, answer *learn.Answer) (unusableKind string) {
	switch {
	case lists.IsValid(code):
	case i.collector.IsCode(code), learn.RefusesBoxes(boxrules.Code(code)):
		answer.Code = boxrules.Code(code)
	default:
		return cmp.Or(code, answers.NoAnswer)
	}
	return ""
}
