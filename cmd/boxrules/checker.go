package main

import (
	"errors"
	"fmt"

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
	workers    []*worker
	numbered   bool // whether the reports tell which row it is
	unanswered bool // beyond the rows that are no boxes
}

// A tally counts answers.
type tally struct{ valid, invalid, noBox int }

// newChecker has as many reports made as may be written at once.
func newChecker(c *console, engine *boxrules.Engine, newReport func() report, summary bool) *checker {
	k := &checker{console: c}
	for range workerCount() {
		w := &worker{engine: engine, report: newReport(), products: make(map[string]*product)}
		if summary {
			w.codes = make(map[answered]int)
		}
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
	k.summary()
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
			return o.failed(err)
		}
	}
	bar := k.console.bar(file, in.shown())
	before := k.total()
	err = flow(o, k.workers, k.numbered, func(c *chunk) error {
		bar.hide()
		// What comes before the answers waits for them: a file without a box has neither.
		for _, text := range [][]byte{head, c.out} {
			if len(text) > 0 {
				if _, err := k.console.out.Write(text); err != nil {
					return err
				}
			}
		}
		head = nil
		bar.add(len(c.text))
		return nil
	})
	bar.hide()
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

// summary says how many boxes there were, and in a table of which article with which answer where that is asked for.
func (k *checker) summary() {
	t := k.total()
	if t == (tally{}) {
		return
	}
	text := fmt.Sprintf("%s: %d valid, %d invalid", count(t.valid+t.invalid+t.noBox, "box", "boxes"), t.valid, t.invalid)
	if t.noBox > 0 {
		text += fmt.Sprintf(", %d not a box", t.noBox)
	}
	k.console.say("%s", text)
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
