package lists

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/lists/csvrows"
	"example.com/boxrules/internal/wording"
)

// The fields of a box, in the order in which they are written and blamed.
const (
	Article = iota
	Material
	Width
	Depth
	Height
	FieldCount
)

// FirstDimension is the first field that is a number.
const FirstDimension = Width

// The fields of an answer to a box come behind those of the box.
const (
	AnswerCode  = FieldCount + iota
	AnswerDate  // optional, as all that follow
	AnswerItems // of the quotation
	AnswerOK    // in NDJSON alone, as is what follows
	AnswerError
	answerCount
)

// The names of the fields, as a header and the keys of an object have them: of an answer, and of a
// box.
var (
	AnswerNames = [answerCount]string{"article", "material", "width", "depth", "height", "code", "date",
		"items", "ok", "error"}
	FieldNames = AnswerNames[:FieldCount]
)

// A Row holds what a reader makes of one row of a file, or of the flags: a box, or why it is none.
// Its bytes share the memory of the file.
type Row struct {
	Number int    // from 1, in its file; rows that are empty are not counted
	File   string // as messages name it
	Line   int    // where the row starts, 0 for flags
	Text   []byte // the row as it stands in the file, with its line end
	Object []byte // the same as a JSON object, nil where it is none
	Empty  bool   // whether nothing is in it

	// What could be read. Names are empty where they are not known; the rest is then of a row
	// before.
	Known      [answerCount]bool
	Names      [FirstDimension][]byte // of article and material
	Dimensions [FieldCount - FirstDimension]float64
	Answer     [answerCount - FieldCount]string

	Problems []*boxrules.InputError // Field is empty where no field is to blame

	cells []csvrows.Cell // reused
}

// reset empties the row for what is read next. What is not known may be of the row before.
func (r *Row) reset() {
	r.Object, r.Empty = nil, false
	r.Known, r.Names = [answerCount]bool{}, [FirstDimension][]byte{}
	r.Problems, r.cells = r.Problems[:0], r.cells[:0]
}

// CheckName blames a name that is not text.
func (r *Row) CheckName(field int, name []byte) {
	if !utf8.Valid(name) {
		r.Fail(field, "%s is not UTF-8; accepted: UTF-8, or for a list --encoding windows-1252", wording.Quote(string(name)))
	}
}

// Dims returns the dimensions of the box.
func (r *Row) Dims() boxrules.Dims {
	return boxrules.Dims{Width: r.Dimensions[0], Depth: r.Dimensions[1], Height: r.Dimensions[2]}
}

// Fail blames the field, or the row where the field is negative.
func (r *Row) Fail(field int, format string, args ...any) {
	err := &boxrules.InputError{Message: fmt.Sprintf(format, args...)}
	if field >= 0 {
		err.Field = AnswerNames[field]
	}
	r.Blame(err)
}

// Blame keeps the error, in the order of the fields: the first of a field, and none of the fields
// of a row that could not be read. A nil error is none.
func (r *Row) Blame(err error) {
	if err == nil || len(r.Problems) > 0 && r.Problems[0].Field == "" {
		return
	}
	var problem *boxrules.InputError
	if !errors.As(err, &problem) {
		problem = &boxrules.InputError{Message: err.Error()}
	}
	at, found := slices.BinarySearchFunc(r.Problems, problem,
		func(a, b *boxrules.InputError) int { return cmp.Compare(rank(a), rank(b)) })
	if !found {
		r.Problems = slices.Insert(r.Problems, at, problem)
	}
}

func rank(problem *boxrules.InputError) int { return slices.Index(AnswerNames[:], problem.Field) }

// Problem returns the first problem of the row, nil where it is a box.
func (r *Row) Problem() *boxrules.InputError {
	if len(r.Problems) == 0 {
		return nil
	}
	return r.Problems[0]
}

// ProblemText returns the row's problems, with their place.
func (r *Row) ProblemText() string {
	if r.Line == 0 {
		return r.ProblemsText()
	}
	return fmt.Sprintf("%s:%d: %s", r.File, r.Line, r.ProblemsText())
}

// ProblemsText returns the row's problems with their fields.
func (r *Row) ProblemsText() string {
	var texts []string
	for _, p := range r.Problems {
		if p.Field == "" {
			texts = append(texts, p.Message)
		} else {
			texts = append(texts, p.Error())
		}
	}
	return strings.Join(texts, "; ")
}

// Wide reports whether a row with nothing in it has several cells all the same.
func (r *Row) Wide() bool { return len(r.cells) > 1 }
