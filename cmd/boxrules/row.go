package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/delimited"
	"example.com/boxrules/internal/wording"
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

// A row is what a reader makes of one row of a file, or of the flags: a box, or why it is none. What is bytes shares the
// memory of the file.
type row struct {
	number int    // from 1, in its file; rows that are empty are not counted
	file   string // as messages name it
	line   int    // where the row starts, 0 for flags
	text   []byte // the row as it stands in the file, with its line end
	object []byte // the same as a JSON object, nil where it is none
	empty  bool   // whether nothing is in it

	// What could be read. Names are empty where they are not known; the rest is then of a row before.
	known      [answerCount]bool
	names      [firstDimension][]byte // of article and material
	dimensions [fieldCount - firstDimension]float64
	answer     [answerCount - fieldCount]string

	problems []*boxrules.InputError // Field is empty where no field is to blame

	cells []delimited.Cell // reused
}

// reset empties the row for what is read next. What is not known may be of the row before.
func (r *row) reset() {
	r.object, r.empty = nil, false
	r.known, r.names = [answerCount]bool{}, [firstDimension][]byte{}
	r.problems, r.cells = r.problems[:0], r.cells[:0]
}

// checkName blames a name that is not text.
func (r *row) checkName(field int, name []byte) {
	if !utf8.Valid(name) {
		r.fail(field, "%s is not UTF-8; accepted: UTF-8, or for a list --encoding windows-1252", wording.Quote(string(name)))
	}
}

func (r *row) dims() boxrules.Dims {
	return boxrules.Dims{Width: r.dimensions[0], Depth: r.dimensions[1], Height: r.dimensions[2]}
}

// fail blames the field, or the row where the field is negative.
func (r *row) fail(field int, format string, args ...any) {
	err := &boxrules.InputError{Message: fmt.Sprintf(format, args...)}
	if field >= 0 {
		err.Field = answerNames[field]
	}
	r.blame(err)
}

// blame keeps the error, in the order of the fields: the first of a field, and none of the fields of a row that could not
// be read. A nil error is none.
func (r *row) blame(err error) {
	if err == nil || len(r.problems) > 0 && r.problems[0].Field == "" {
		return
	}
	var problem *boxrules.InputError
	if !errors.As(err, &problem) {
		problem = &boxrules.InputError{Message: err.Error()}
	}
	at, found := slices.BinarySearchFunc(r.problems, problem, func(a, b *boxrules.InputError) int { return cmp.Compare(rank(a), rank(b)) })
	if !found {
		r.problems = slices.Insert(r.problems, at, problem)
	}
}

func rank(problem *boxrules.InputError) int { return slices.Index(answerNames[:], problem.Field) }

// problem is the first problem of the row, nil where it is a box.
func (r *row) problem() *boxrules.InputError {
	if len(r.problems) == 0 {
		return nil
	}
	return r.problems[0]
}

// problemText is the row's problems, with their place.
func (r *row) problemText() string {
	if r.line == 0 {
		return r.problemsText()
	}
	return fmt.Sprintf("%s:%d: %s", r.file, r.line, r.problemsText())
}

// problemsText is the row's problems.
func (r *row) problemsText() string {
	var texts []string
	for _, p := range r.problems {
		texts = append(texts, problemText(p))
	}
	return strings.Join(texts, "; ")
}

// problemText is the problem with its field.
func problemText(p *boxrules.InputError) string {
	if p.Field == "" {
		return p.Message
	}
	return p.Error()
}

// appendNumber writes the shortest decimal that is read back as the same float64, and has an exponent only
// where encoding/json would write one: what is greater or smaller by far is no dimension of a box.
func appendNumber(dst []byte, x float64) []byte {
	magnitude := max(x, -x)
	if thousandths := int64(magnitude * 1000); magnitude < 1e6 && float64(thousandths)/1000 == magnitude && thousandths > 0 {
		// Nearly all dimensions have at most three decimals, and then no shorter decimal is read back as the same.
		if x < 0 {
			dst = append(dst, '-')
		}
		dst = strconv.AppendInt(dst, thousandths/1000, 10)
		if part := thousandths % 1000; part != 0 {
			dst = append(dst, '.', byte('0'+part/100), byte('0'+part/10%10), byte('0'+part%10))
			for dst[len(dst)-1] == '0' {
				dst = dst[:len(dst)-1]
			}
		}
		return dst
	}
	if magnitude != 0 && (magnitude < 1e-6 || magnitude >= 1e21) {
		return strconv.AppendFloat(dst, x, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, x, 'f', -1, 64)
}
