package main

import (
	"bufio"
	"fmt"

	"example.com/boxrules"
)

// The formats of results.
const (
	formatText = "text"
	formatJSON = "json"
)

// A report writes results in one of the formats, one after the other, appended to dst.
type report interface {
	// box appends what there is to say of a box, which has the verdict.
	box(dst []byte, r *row, p *boxrules.Profile, v boxrules.Verdict) []byte
	// noBox appends the problem of a row that is not a box.
	noBox(dst []byte, r *row) []byte
	// file begins a file.
	file(in input)
}

// A checker answers row by row and keeps the score.
type checker struct {
	console *console
	engine  *boxrules.Engine
	report  report
	out     *bufio.Writer
	line    []byte // reused

	valid, invalid, noBox int
	unanswered            bool // beyond the rows that are no boxes
}

func newChecker(c *console, engine *boxrules.Engine, inputs []input, format string, all bool) *checker {
	k := &checker{console: c, engine: engine, out: bufio.NewWriterSize(c.out, 64<<10)}
	if format == formatJSON {
		k.report = &jsonReport{all: all, named: len(inputs) > 1}
	} else {
		k.report = newTextReport(engine, inputs, all, c.colour())
	}
	return k
}

// one answers for the box of the flags.
func (c *checker) one(box boxFlags) error {
	r := box.row()
	_ = c.answer(input{}, &r) // flush fails too
	if err := c.flush(); err != nil {
		return c.console.fail(err)
	}
	return c.status()
}

// files answers for every row of the files. One that cannot be read does not keep the others from it.
func (c *checker) files(inputs []input) error {
	for _, in := range inputs {
		c.report.file(in)
		err := c.rows(in)
		// The answers before the error come before it, where both go to the same place. What fails to write once
		// fails again.
		if flushErr := c.flush(); flushErr != nil {
			return c.console.fail(flushErr)
		}
		if err != nil {
			c.unanswered = true
			_ = c.console.fail(err)
		}
	}
	c.summary()
	return c.status()
}

// rows answers for every row of the file. Its errors name their place.
func (c *checker) rows(in input) error {
	n, err := in.each(c.console.in, c.flush, func(r *row) error { return c.answer(in, r) })
	if n == 0 && err == nil {
		return fmt.Errorf("%s: %w", in.shown(), errNoBoxes)
	}
	return err
}

// answer writes the answer for the row.
func (c *checker) answer(in input, r *row) error {
	p, err := c.engine.Profile(r.texts[article], r.texts[material])
	r.blame(err)
	var verdict boxrules.Verdict
	if err == nil {
		verdict, err = p.Check(r.dims())
		r.blame(err)
	}
	switch {
	case r.problem != nil:
		c.noBox++
		if r.line > 0 {
			r.place = fmt.Sprintf("%s:%d", in.shown(), r.line)
		}
		c.line = c.report.noBox(c.line[:0], r)
	case verdict.OK():
		c.valid++
		c.line = c.report.box(c.line[:0], r, p, verdict)
	default:
		c.invalid++
		c.line = c.report.box(c.line[:0], r, p, verdict)
	}
	if _, err := c.out.Write(c.line); err != nil {
		return &writeError{err}
	}
	return nil
}

// A writeError is what ends a run, because no answer arrives any more.
type writeError struct{ err error }

func (e *writeError) Error() string { return "writing the answers: " + e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }

func (c *checker) flush() error {
	if err := c.out.Flush(); err != nil {
		return &writeError{err}
	}
	return nil
}

func (c *checker) summary() {
	total := c.valid + c.invalid + c.noBox
	if total == 0 {
		return
	}
	text := fmt.Sprintf("%s: %d valid, %d invalid", count(total, "box", "boxes"), c.valid, c.invalid)
	if c.noBox > 0 {
		text += fmt.Sprintf(", %d not a box", c.noBox)
	}
	c.console.say("%s", text)
}

func (c *checker) status() error {
	switch {
	case c.unanswered || c.noBox > 0:
		return unanswered
	case c.invalid > 0:
		return someInvalid
	}
	return nil
}
