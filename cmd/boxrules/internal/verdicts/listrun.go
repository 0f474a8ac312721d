// Package verdicts implements the check command. For each row of a file, it reports whether the box can be made, as
// text, JSON or CSV. It also counts the answers.
//
// A [ListRun] uses several goroutines. In each of them, a rowChecker checks rows and passes the verdicts to a
// report, which formats them.
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
	"example.com/boxrules/internal/wording"
)

// Options configure how verdicts are reported.
type Options struct {
	Format    string   // FormatText, FormatJSON, FormatCSV or FormatNone
	All       bool     // whether to report all codes of a box instead of only the first one
	ExtraKeys bool     // whether JSON copies further keys of an NDJSON row
	Column    string   // the title of the column with the verdict in CSV
	Advice    bool     // whether CSV and JSON contain advice on what to change
	Lang      string   // the language of the advice; empty for English
	Step      float64  // if advice changes several dimensions, they become multiples of Step
	Summary   bool     // whether to print a table with the number of boxes for each article and answer
	Only      []string // the kinds of rows to report, such as OnlyValid; if empty, all are reported
	Expect    bool     // whether rows contain expected codes, to be compared with the verdicts
}

// A ListRun checks the boxes in files, or a single box.
type ListRun struct {
	Options
	console   *console.Console
	engine    *boxrules.Engine
	inputs    []lists.Input
	checkers  []*rowChecker // one checker for each goroutine
	anyFailed bool          // whether any file could not be read to its end
}

// The values of Options.Only.
const (
	OnlyValid      = lists.Valid
	OnlyInvalid    = "invalid"
	OnlyErrors     = "error"
	OnlyUnexpected = "unexpected" // boxes whose code differs from the expected one
)

// A runTally counts rows. With Options.Expect, valid counts the boxes that got the expected verdict, and invalid counts
// all other boxes.
type runTally struct{ valid, invalid, inputErrors int }

func (t runTally) rows() int { return t.valid + t.invalid + t.inputErrors }

// New returns a run that checks the files. If inputs is empty, the run checks the box that the flags describe.
func New(c *console.Console, engine *boxrules.Engine, inputs []lists.Input, o Options) *ListRun {
	l := &ListRun{Options: o, console: c, engine: engine, inputs: inputs}
	limits := unitIntervalsByArticle(engine.Catalogue())
	for range lists.AnswererCount() {
		c := &rowChecker{Options: o, engine: engine, report: l.newReport(), limitsByArticle: limits, counts: make(map[string]map[string]int)}
		c.beginFile(nil)
		l.checkers = append(l.checkers, c)
	}
	return l
}

func (l *ListRun) newReport() report {
	var a *adviser
	if l.Advice {
		a = newAdviser(l.engine.Catalogue(), l.Options)
	}
	switch l.Format {
	case FormatJSON:
		members := make(map[*boxrules.Profile][]byte)
		return &jsonReport{severalFiles: len(l.inputs) > 1, all: l.All, extraKeys: l.ExtraKeys, expect: l.Expect, adviser: a, profileMembers: members}
	case FormatCSV:
		return &csvReport{verdictColumn: l.Column, checksExpected: l.Expect, adviser: a}
	case FormatNone:
		return noReport{}
	}
	if l.Expect {
		return &expectReport{severalFiles: len(l.inputs) > 1}
	}
	return newTextReport(l.engine, l.inputs, l.All)
}

// Box checks the single box that the flags describe, and returns the exit status as an error.
func (l *ListRun) Box(row lists.Row) error {
	if err := l.console.Write(l.checkers[0].check(nil, &row)); err != nil {
		return err
	}
	return l.status()
}

// Files checks all rows of all files, and returns the exit status as err. If a file cannot be read to its end, Files
// continues with the next file, and complete is false.
func (l *ListRun) Files() (complete bool, err error) {
	for _, in := range l.inputs {
		err := l.checkFile(in)
		// If the output cannot be written, all other files would fail in the same way.
		if writeErr := new(console.WriteError); errors.As(err, &writeErr) {
			return false, l.console.Fail(err)
		}
		if err != nil {
			l.anyFailed = true
			_ = l.console.Fail(err)
		}
	}
	if err := l.printSummary(); err != nil {
		return false, err
	}
	return !l.anyFailed, l.status()
}

// checkFile checks all rows of a file. Errors name the file and the line.
func (l *ListRun) checkFile(in lists.Input) error {
	reader, err := in.Open(l.console)
	if err != nil {
		return err
	}
	defer reader.Close()
	var (
		head      []byte
		answerers []lists.Answerer
	)
	for _, c := range l.checkers {
		if head, err = c.report.beginFile(reader); err != nil { // each report returns the same head
			return fmt.Errorf("%s: %w", in.DisplayName(), err)
		}
		c.beginFile(reader)
		answerers = append(answerers, c.answer)
	}
	// Count rows only for formats that show row numbers, because counting takes time.
	numbered := l.Format == FormatText || l.Format == FormatJSON
	// The counts of the checkers include earlier files, which have to be subtracted.
	before := l.total()
	err = reader.Flow(answerers, numbered, func(answers []byte) error {
		// Write the head together with the first answers, so that nothing is written for a file without boxes.
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
		return fmt.Errorf("%s: %w", in.DisplayName(), lists.ErrNoBoxes)
	}
	l.reportCaseMismatches(in)
	l.reportUnitTally(in, rows-(t.inputErrors-before.inputErrors))
	if !numbered {
		l.reportFirstProblem(in, rows, t.inputErrors-before.inputErrors)
	}
	return err
}

// reportCaseMismatches warns about rows that were rejected only because a code differs in case from the code in the
// limits.
func (l *ListRun) reportCaseMismatches(in lists.Input) {
	var all caseMismatchTally
	for _, c := range l.checkers {
		all.add(c.caseMismatches)
	}
	if all.rows > 0 {
		l.console.Say("boxrules: %s: %s a code that differs only in case from a code in the limits, such as %s for %s; "+
			"write it as the limits do, or map it with --codes FILE", in.DisplayName(), console.CountText(all.rows, "row has", "rows have"),
			wording.Quote(all.firstMismatch.list), all.firstMismatch.limits)
	}
}

// minRowsForWarning is the minimum number of rows for a warning about a whole file. reportFirstProblem needs that many
// rows that are not boxes, and reportUnitTally needs that many boxes.
const minRowsForWarning = 3

// reportFirstProblem prints the first problem of a file if most of its rows are not boxes. In that case the program
// has probably misunderstood the file, and neither the CSV output nor the counts show why.
func (l *ListRun) reportFirstProblem(in lists.Input, rows, bad int) {
	if bad < minRowsForWarning || bad <= rows/2 {
		return
	}
	// Each checker knows the first problem in its own rows.
	var first rowProblem
	for _, c := range l.checkers {
		p := c.firstProblem
		if first.text == "" || p.text != "" && p.line < first.line {
			first = p
		}
	}
	l.console.Say("boxrules: %s: %d of %d rows could not be read as boxes; the first error: %s", in.DisplayName(), bad, rows, first.text)
}

// total returns the sum of the tallies of all checkers.
func (l *ListRun) total() (t runTally) {
	for _, c := range l.checkers {
		t.valid += c.valid
		t.invalid += c.invalid
		t.inputErrors += c.inputErrors
	}
	return t
}

// printSummary prints the numbers of valid and invalid boxes. If Options.Summary is true, it first writes the table
// of counts.
func (l *ListRun) printSummary() error {
	t := l.total()
	if t == (runTally{}) {
		return nil
	}
	if l.Summary {
		if err := l.writeTable(); err != nil {
			return l.console.Fail(&console.WriteError{Err: err})
		}
	}
	format := "%s: %d valid, %d invalid"
	if l.Expect {
		format = "%s: %d as expected, %d not"
	}
	text := fmt.Sprintf(format, console.CountText(t.rows(), "box", "boxes"), t.valid, t.invalid)
	if t.inputErrors > 0 {
		text += fmt.Sprintf(", %d not a box", t.inputErrors)
	}
	l.console.Say("%s", text)
	return nil
}

// writeTable writes a table with the number of boxes for each article and answer. If the answers on stdout are JSON or
// CSV, the table goes to stderr.
func (l *ListRun) writeTable() error {
	counts := make(map[[2]string]int)
	for _, c := range l.checkers {
		for article, answers := range c.counts {
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
	_, err := io.WriteString(out, console.AlignedText(table))
	return err
}

func (l *ListRun) status() error {
	switch t := l.total(); {
	case l.anyFailed || t.inputErrors > 0:
		return console.Unanswered
	case t.invalid > 0:
		return console.SomeInvalid
	}
	return nil
}
