package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"example.com/boxrules"
)

// The fields of a box, in the order in which they are written and blamed.
const (
	article = iota
	material
	width
	depth
	height
	fieldCount
)

const firstDimension = width

// The fields of an answer to a box come behind those of the box.
const (
	answerCode  = fieldCount + iota
	answerDate  // optional, as all that follow
	answerItems // of the quotation
	answerOK    // in NDJSON alone, as is what follows
	answerError
	answerCount
)

var (
	answerNames = [answerCount]string{"article", "material", "width", "depth", "height", "code", "date", "items", "ok", "error"}
	fieldNames  = answerNames[:fieldCount]
)

// A row is what a reader makes of one row of a file, or of the flags: a box, or why it is none.
type row struct {
	number int    // from 1, in its file
	place  string // "boxes.csv:7", made only for a row that is not a box; empty for flags
	line   int    // where the row starts

	// What could be read; the rest is zero.
	known      [answerCount]bool
	texts      [firstDimension]string // of article and material
	dimensions [fieldCount - firstDimension]float64
	answer     [answerCount - fieldCount]string

	problem *boxrules.InputError // the first in the order of the fields; its Field is empty where none is to blame
}

func (r *row) dims() boxrules.Dims {
	return boxrules.Dims{Width: r.dimensions[0], Depth: r.dimensions[1], Height: r.dimensions[2]}
}

// set reads the field from text, as it comes from a CSV file or a flag.
func (r *row) set(field int, text string) {
	var err error
	switch {
	case field < firstDimension:
		r.texts[field] = text
	case field < fieldCount:
		r.dimensions[field-firstDimension], err = boxrules.ParseDimension(fieldNames[field], text)
	default:
		r.answer[field-fieldCount] = text
	}
	r.known[field] = err == nil
	r.blame(err)
}

// fail blames the field, or the row where the field is negative.
func (r *row) fail(field int, format string, args ...any) {
	err := &boxrules.InputError{Message: fmt.Sprintf(format, args...)}
	if field >= 0 {
		err.Field = answerNames[field]
	}
	r.blame(err)
}

// blame keeps the error if it comes before the one there is. A nil error is none.
func (r *row) blame(err error) {
	if err == nil {
		return
	}
	var problem *boxrules.InputError
	if !errors.As(err, &problem) {
		problem = &boxrules.InputError{Message: err.Error()}
	}
	if r.problem == nil || rank(problem) < rank(r.problem) {
		r.problem = problem
	}
}

func rank(problem *boxrules.InputError) int { return slices.Index(answerNames[:], problem.Field) }

// problemText is the row's problem with its place.
func (r *row) problemText() string {
	text := r.problem.Message
	if r.problem.Field != "" {
		text = r.problem.Error()
	}
	if r.place != "" {
		text = r.place + ": " + text
	}
	return text
}

// appendNumber writes the shortest decimal that is read back as the same float64, and has an exponent only
// where encoding/json would write one: what is greater or smaller by far is no dimension of a box.
func appendNumber(dst []byte, x float64) []byte {
	if magnitude := max(x, -x); magnitude != 0 && (magnitude < 1e-6 || magnitude >= 1e21) {
		return strconv.AppendFloat(dst, x, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, x, 'f', -1, 64)
}
