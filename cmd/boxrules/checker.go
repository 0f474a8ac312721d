package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"example.com/boxrules"
)

// The formats of results.
const (
	formatText = "text"
	formatJSON = "json"
	formatCSV  = "csv"
	formatNone = "none"
)

// A report writes results in one of the formats, one after the other, appended to dst. It belongs to one worker.
type report interface {
	// begin is what comes before the answers of a file, and after those of the one before.
	begin(o *opened) ([]byte, error)
	// box appends what there is to say of a box, which has the verdict.
	box(dst []byte, r *row, p *boxrules.Profile, v boxrules.Verdict) []byte
	// noBox appends the problems of a row that is not a box.
	noBox(dst []byte, r *row) []byte
	// empty appends what stands for a row with nothing in it.
	empty(dst []byte, r *row) []byte
}

// A checker answers for files of boxes, and keeps the score.
type checker struct {
	console    *console
	engine     *boxrules.Engine
	workers    []*worker
	table      io.Writer // of boxes by article and answer; nil for none
	numbered   bool      // whether the reports tell which row it is
	unanswered bool      // beyond the rows that are no boxes
}

// A tally counts answers.
type tally struct{ valid, invalid, noBox int }

// newChecker has as many reports made as may be written at once.
func newChecker(c *console, engine *boxrules.Engine, newReport func() report, table io.Writer) *checker {
	k := &checker{console: c, engine: engine, table: table}
	articles := make(map[string]string)
	for _, a := range engine.Catalogue().Articles() {
		articles[a.Code] = a.Code
	}
	for range workerCount() {
		w := &worker{engine: engine, report: newReport(), articles: articles, counted: table != nil,
			products: make(map[string]*product), noBoxes: make(map[[2]string]int)}
		k.workers = append(k.workers, w)
	}
	return k
}

// one answers for the box of the flags.
func (k *checker) one(box boxFlags) error {
	r := box.row()
	w := k.workers[0]
	if _, err := k.console.out.Write(w.row(nil, &r)); err != nil {
		return k.console.fail(&writeError{err})
	}
	return k.status()
}

// files answers for every row of the files. One that cannot be read does not keep the others from it.
func (k *checker) files(inputs []input) error {
	for _, in := range inputs {
		err := k.file(in)
		if wrote := new(writeError); errors.As(err, &wrote) {
			return k.console.fail(err)
		}
		if err != nil {
			k.unanswered = true
			_ = k.console.fail(err)
		}
	}
	if err := k.summary(); err != nil {
		return err
	}
	return k.status()
}

// file answers for every row of the file. Its errors name their place.
func (k *checker) file(in input) error {
	file, err := in.open(k.console.in)
	if err != nil {
		return fmt.Errorf("%s: %w", in.shown(), cause(err))
	}
	defer file.Close()
	o, err := in.begin(file, k.console)
	if err != nil {
		return err
	}
	var head []byte
	for _, w := range k.workers {
		if head, err = w.report.begin(o); err != nil {
			return fmt.Errorf("%s:%d: %w", o.shown(), o.at.lines, err) // where the header ends
		}
	}
	bar := k.console.bar(file, o)
	before := k.total()
	err = flow(o, k.workers, k.numbered, func(c *chunk) error {
		// What comes before the answers waits for them: a file without a box has neither.
		for _, text := range [][]byte{head, c.out} {
			if len(text) > 0 {
				bar.makeRoom()
				if _, err := k.console.out.Write(text); err != nil {
					return err
				}
			}
		}
		head = nil
		bar.add(len(c.text))
		return nil
	})
	bar.end()
	o.end()
	if err == nil && k.total() == before {
		return fmt.Errorf("%s: %w", in.shown(), errNoBoxes)
	}
	return err
}

// total is what all workers have counted.
func (k *checker) total() (t tally) {
	for _, w := range k.workers {
		t.valid += w.valid
		t.invalid += w.invalid
		t.noBox += w.noBox
	}
	return t
}

// A writeError is what ends a run, because no answer arrives any more.
type writeError struct{ err error }

func (e *writeError) Error() string { return "writing the answers: " + e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }

// summary says how many boxes there were, behind the table of which article with which answer where that is asked for.
func (k *checker) summary() error {
	t := k.total()
	if t == (tally{}) {
		return nil
	}
	if k.table != nil {
		if err := k.writeTable(); err != nil {
			return k.console.fail(&writeError{err})
		}
	}
	text := fmt.Sprintf("%s: %d valid, %d invalid", count(t.valid+t.invalid+t.noBox, "box", "boxes"), t.valid, t.invalid)
	if t.noBox > 0 {
		text += fmt.Sprintf(", %d not a box", t.noBox)
	}
	k.console.say("%s", text)
	return nil
}

// writeTable writes how many boxes of each article have each answer: valid, the codes in check order, then errors.
func (k *checker) writeTable() error {
	articles, answers := []string{""}, []string{"valid"}
	for _, a := range k.engine.Catalogue().Articles() {
		articles = append(articles, a.Code)
	}
	for _, r := range k.engine.Rules().Rules() {
		answers = append(answers, string(r.Code))
	}
	for _, field := range append([]string{"row"}, fieldNames...) {
		answers = append(answers, "error:"+field)
	}
	counts := make(map[[2]string]int)
	for _, w := range k.workers {
		for key, n := range w.noBoxes {
			counts[key] += n
		}
		for _, p := range w.products {
			for _, v := range p.verdicts {
				counts[[2]string{p.profile.Article(), verdictText(v.verdict)}] += v.n
			}
		}
	}
	table := tabwriter.NewWriter(k.table, 0, 0, len(gap), ' ', 0)
	fmt.Fprintln(table, "article\tanswer\tboxes")
	for _, article := range articles {
		for _, answer := range answers {
			if n := counts[[2]string{article, answer}]; n > 0 {
				fmt.Fprintf(table, "%s\t%s\t%d\n", cmp.Or(article, "(unknown)"), answer, n)
			}
		}
	}
	return table.Flush()
}

func (k *checker) status() error {
	switch t := k.total(); {
	case k.unanswered || t.noBox > 0:
		return unanswered
	case t.invalid > 0:
		return someInvalid
	}
	return nil
}
