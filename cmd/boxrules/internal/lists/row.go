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

// The fields of a box, in the order in which they are written and reported.
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

// The fields of an answer about a box, in addition to the fields of the box. Only the code is required.
const (
	AnswerCode = FieldCount + iota
	AnswerDate
	AnswerItems // how many items the quotation had
	AnswerOK    // this and the next are in NDJSON only
	AnswerError
	answerCount
)

// AnswerNames are the names of all fields, in a header and as the keys of an object. FieldNames are the names of the
// fields of a box.
var (
	AnswerNames = [answerCount]string{"article", "material", "width", "depth", "height", "code", "date",
		"items", "ok", "error"}
	FieldNames = AnswerNames[:FieldCount]
)

// Valid is written in files in place of a code if the box can be made.
const Valid = "valid"

// IsValid reports whether the code means that the box can be made. It also accepts ok, which older files have in
// place of Valid.
func IsValid(code string) bool { return code == Valid || code == "ok" }

// A Row is a row of a file, or the box that the flags describe. It has the fields of the box, or the problems
// for which the row is not a box. In a file of answers, it also has the answer about the box.
//
// Its byte slices share the memory of the file, and the Row is reused for the next row.
type Row struct {
	Number int    // the number of the row in its file, from 1; empty rows are not counted
	File   string // as messages name it
	Line   int    // the line of the file on which the row starts; 0 for the box of the flags
	Text   []byte // the row byte for byte, with its line end
	Object []byte // the row if it is a JSON object, otherwise nil
	Empty  bool   // whether the row has only white space and delimiters

	Known      [FieldCount]bool       // the fields that could be read
	Names      [FirstDimension][]byte // of the article and the material; nil if not known
	Dimensions [FieldCount - FirstDimension]float64
	Answer     RowAnswer

	// Problems are sorted by field. The Field of a problem of the whole row is empty.
	Problems []*boxrules.InputError

	cells  []csvrows.Cell // for the next row to reuse
	points pointUse       // of this row and those before it
}

// An RowAnswer holds the fields of a row from AnswerCode on, which are about the answer to its box. Package answers
// interprets them as answers of the service, and package verdicts as expected answers.
type RowAnswer struct {
	texts [answerCount - FieldCount]string // if a field is not given, its text is from an earlier row
	given [answerCount - FieldCount]bool
}

// IsGiven reports whether the row has the field, such as AnswerCode.
func (a *RowAnswer) IsGiven(field int) bool { return a.given[field-FieldCount] }

// Text returns the field as it is written, or "" if the row does not have it.
func (a *RowAnswer) Text(field int) string {
	if !a.IsGiven(field) {
		return ""
	}
	return a.texts[field-FieldCount]
}

func (a *RowAnswer) set(field int, text string) {
	a.texts[field-FieldCount], a.given[field-FieldCount] = text, true
}

// reset prepares the row to be read into. Dimensions and the texts of the answer keep their old values,
// because clearing them would take time; Known and given say that they are not to be used.
func (r *Row) reset() {
	r.Object, r.Empty = nil, false
	r.Known, r.Names, r.Answer.given = [FieldCount]bool{}, [FirstDimension][]byte{}, [answerCount - FieldCount]bool{}
	r.Problems, r.cells = r.Problems[:0], r.cells[:0]
}

// CheckName adds a problem if the name of an article or a material is not UTF-8.
func (r *Row) CheckName(field int, name []byte) {
	if !utf8.Valid(name) {
		r.Fail(field, "%s is not UTF-8; save the file as UTF-8, or for a list use --encoding windows-1252", wording.Quote(string(name)))
	}
}

// Dims returns the dimensions of the box.
func (r *Row) Dims() boxrules.Dims {
	return boxrules.Dims{Width: r.Dimensions[0], Depth: r.Dimensions[1], Height: r.Dimensions[2]}
}

// Fail adds a problem of a field.
func (r *Row) Fail(field int, format string, args ...any) {
	r.AddProblem(&boxrules.InputError{Field: AnswerNames[field], Message: fmt.Sprintf(format, args...)})
}

// failRow adds a problem of the whole row.
func (r *Row) failRow(format string, args ...any) {
	r.AddProblem(&boxrules.InputError{Message: fmt.Sprintf(format, args...)})
}

// AddProblem adds err to the problems, in the order of the fields. It does nothing if err is nil, if its
// field already has a problem, or if the whole row has one: nothing is known about the fields of a row
// that cannot be read.
func (r *Row) AddProblem(err error) {
	if err == nil || len(r.Problems) > 0 && r.Problems[0].Field == "" {
		return
	}
	var problem *boxrules.InputError
	if !errors.As(err, &problem) {
		problem = &boxrules.InputError{Message: err.Error()}
	}
	// A problem of the whole row has the index -1 and comes first. Of several problems of one field, only the
	// first is kept.
	i, found := slices.BinarySearchFunc(r.Problems, problem,
		func(a, b *boxrules.InputError) int { return cmp.Compare(rowFieldIndex(a), rowFieldIndex(b)) })
	if !found {
		r.Problems = slices.Insert(r.Problems, i, problem)
	}
}

// rowFieldIndex returns the field of a problem, or -1 if it is one of the whole row.
func rowFieldIndex(problem *boxrules.InputError) int {
	return slices.Index(AnswerNames[:], problem.Field)
}

// Problem returns the first problem of the row, or nil if it has none.
func (r *Row) Problem() *boxrules.InputError {
	if len(r.Problems) == 0 {
		return nil
	}
	return r.Problems[0]
}

// LocatedProblemsText returns the problems of the row, after its file and line if it has one.
func (r *Row) LocatedProblemsText() string {
	if r.Line == 0 {
		return r.ProblemsText()
	}
	return fmt.Sprintf("%s:%d: %s", r.File, r.Line, r.ProblemsText())
}

// ProblemsText returns the problems of the row, each after its field.
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

// IsBlankLine reports whether an empty row is a blank line, and not one of several empty cells such as
// ",,,".
func (r *Row) IsBlankLine() bool { return len(r.cells) <= 1 }
