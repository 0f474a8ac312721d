// Package verdicts answers for the rows of files: it says of each whether it is a box that can be
// made, as text, JSON or CSV, and counts the answers.
package verdicts

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
)

// Options say in which format verdicts are written, and what more is said.
type Options struct {
	Format  string  // FormatText, FormatJSON, FormatCSV or FormatNone
	All     bool    // every code of a box, and not the first alone
	Keep    bool    // in JSON the other keys of NDJSON, too
	Column  string  // name of the column that CSV adds
	Advice  bool    // what to change, in CSV and JSON
	Step    float64 // of advice that changes several dimensions
	Summary bool    // a table of boxes by article and answer: in Out for people, else in Err
	Only    string  // OnlyValid, OnlyInvalid or OnlyErrors: the rows that are written; empty for all
	Expect  bool    // whether rows say which code they are to have, and others are told
}

// A ListRun answers for files of boxes, and keeps the score.
type ListRun struct {
	Options
	console    *console.Console
	engine     *boxrules.Engine
	inputs     []lists.Input
	checkers   []*rowChecker
	unanswered bool // beyond the rows that are no boxes
}

// The kinds of rows, as Options.Only names them.
const (
	OnlyValid   = "valid"
	OnlyInvalid = "invalid"
	OnlyErrors  = "error"
)

// A tally counts rows by their kinds. Of boxes with a code that they are to have, those that have
// it count as valid.
type tally struct{ valid, invalid, noBox int }

func (t tally) rows() int { return t.valid + t.invalid + t.noBox }

// New returns a run that answers for the files, or for one box where there are none.
func New(c *console.Console, engine *boxrules.Engine, inputs []lists.Input, o Options) *ListRun {
	l := &ListRun{Options: o, console: c, engine: engine, inputs: inputs}
	for range lists.AnswererCount() {
		w := &rowChecker{Options: o, engine: engine, report: l.newReport(), counts: make(map[string]map[string]int)}
		w.begin(nil)
		l.checkers = append(l.checkers, w)
	}
	return l
}

// newReport returns a report for one rowChecker.
func (l *ListRun) newReport() report {
	if l.Expect {
		return &expectReport{several: len(l.inputs) > 1}
	}
	var advice *adviser
	if l.Advice {
		advice = &adviser{step: l.Step}
	}
	switch l.Format {
	case FormatJSON:
		names := make(map[*boxrules.Profile][]byte)
		return &jsonReport{named: len(l.inputs) > 1, all: l.All, keep: l.Keep, advice: advice, names: names}
	case FormatCSV:
		return &filter{column: l.Column, advice: advice}
	case FormatNone:
		return silent{}
	}
	return newTextReport(l.engine, l.inputs, l.All)
}

// Box answers for the box of the flags, and returns the status to end with.
func (l *ListRun) Box(r lists.Row) error {
	if err := l.console.Write(l.checkers[0].row(nil, &r)); err != nil {
		return err
	}
	return l.status()
}

// Files answers for every row of the files, and returns the status to end with. One that cannot be
// read does not keep the others from it; whole reports whether there was none.
func (l *ListRun) Files() (whole bool, err error) {
	for _, in := range l.inputs {
		err := l.file(in)
		if wrote := new(console.WriteError); errors.As(err, &wrote) {
			return false, l.console.Fail(err)
		}
		if err != nil {
			l.unanswered = true
			_ = l.console.Fail(err)
		}
	}
	if err := l.summary(); err != nil {
		return false, err
	}
	return !l.unanswered, l.status()
}

// file answers for every row of the file. Its errors name their place.
func (l *ListRun) file(in lists.Input) error {
	o, err := in.Open(l.console)
	if err != nil {
		return err
	}
	defer o.Close()
	var (
		head      []byte
		answerers []lists.Answerer
	)
	for _, w := range l.checkers {
		if head, err = w.report.begin(o); err != nil {
			return fmt.Errorf("%s: %w", in.Shown(), err)
		}
		w.begin(o)
		answerers = append(answerers, w.answer)
	}
	numbered := l.Format == FormatText || l.Format == FormatJSON
	before := l.total()
	err = o.Flow(answerers, numbered, func(answers []byte) error {
		// What comes before the answers waits for them: a file without a box has neither.
		for _, text := range [][]byte{head, answers} {
			if len(text) > 0 {
				if _, err := l.console.Out.Write(text); err != nil {
					return err
				}
			}
		}
		head = nil
		return nil
	})
	t := l.total()
	rows := t.rows() - before.rows()
	if err == nil && rows == 0 {
		return fmt.Errorf("%s: %w", in.Shown(), lists.ErrNoBoxes)
	}
	if !numbered {
		l.sayFirst(in, rows, t.noBox-before.noBox)
	}
	return err
}

// minBad is how many rows are no boxes, at least, for a reason to be told.
const minBad = 3

// sayFirst tells the first problem of a file of which most rows are no boxes. CSV and counts do not
// show it.
func (l *ListRun) sayFirst(in lists.Input, rows, bad int) {
	if bad < minBad || bad <= rows/2 {
		return
	}
	var first problem
	for _, w := range l.checkers {
		if first.text == "" || w.first.text != "" && w.first.line < first.line {
			first = w.first
		}
	}
	l.console.Say("boxrules: %s: %d of %d rows are no boxes; the first: %s", in.Shown(), bad, rows, first.text)
}

// total returns what all rowCheckers have counted.
func (l *ListRun) total() (t tally) {
	for _, w := range l.checkers {
		t.valid += w.valid
		t.invalid += w.invalid
		t.noBox += w.noBox
	}
	return t
}

// summary says how many boxes there were, behind the table of which article with which answer where
// that is asked for.
func (l *ListRun) summary() error {
	t := l.total()
	if t == (tally{}) {
		return nil
	}
	if l.Summary {
		if err := l.writeTable(); err != nil {
			return l.console.Fail(&console.WriteError{Err: err})
		}
	}
	form := "%s: %d valid, %d invalid"
	if l.Expect {
		form = "%s: %d as expected, %d not"
	}
	text := fmt.Sprintf(form, console.Count(t.rows(), "box", "boxes"), t.valid, t.invalid)
	if t.noBox > 0 {
		text += fmt.Sprintf(", %d not a box", t.noBox)
	}
	l.console.Say("%s", text)
	return nil
}

// writeTable writes how many boxes of each article have each answer.
func (l *ListRun) writeTable() error {
	counts := make(map[[2]string]int)
	for _, w := range l.checkers {
		for article, answers := range w.counts {
			for answer, n := range answers {
				counts[[2]string{article, answer}] += n
			}
		}
	}
	var table [][]string
	for key, n := range counts {
		table = append(table, []string{cmp.Or(key[0], "(unknown)"), key[1], strconv.Itoa(n)})
	}
	slices.SortFunc(table, slices.Compare)
	table = slices.Insert(table, 0, []string{"article", "answer", "boxes"})
	out := l.console.Err
	if l.Format == FormatText || l.Format == FormatNone {
		out = l.console.Out
	}
	_, err := io.WriteString(out, console.Aligned(table))
	return err
}

func (l *ListRun) status() error {
	switch t := l.total(); {
	case l.unanswered || t.noBox > 0:
		return console.Unanswered
	case t.invalid > 0:
		return console.SomeInvalid
	}
	return nil
}
