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

// The fields of a box. Rows are written, and problems are reported, in this order.
const (
	Article = iota
	Material
	Width
	Depth
	Height
	FieldCount
)

// FirstDimension is the first field that is a dimension. The fields before it are names.
const FirstDimension = Width

// The additional fields of an answer. Only the code is required.
const (
	AnswerCode = FieldCount + iota
	AnswerDate
	AnswerItems // the number of items in the quotation
	AnswerOK    // AnswerOK and AnswerError exist only in NDJSON
	AnswerError
	answerCount
)

// AnswerNames lists the names of all fields. They are used as titles of columns and as keys of JSON objects.
// FieldNames lists only the names of the fields of a box.
var (
	AnswerNames = [answerCount]string{"article", "material", "width", "depth", "height", "code", "date",
		"items", "ok", "error"}
	FieldNames = AnswerNames[:FieldCount]
)

// Valid is the text that files contain instead of a code if the box can be made.
const Valid = "valid"

// IsValid reports whether code is Valid, or "ok", which older files use instead.
func IsValid(code string) bool { return code == Valid || code == "ok" }

// A Row is a row of a file, or the box that the command's flags describe. It holds the fields of the box, and the
// problems if the row is not a box. In a file of answers, it also holds the answer about the box.
//
// Its byte slices point into the buffer of the file, and the Row is reused for the next row.
type Row struct {
	Number int    // the number of the row in its file, from 1; empty rows are not counted
	File   string // the name of the file for use in messages
	Line   int    // the line on which the row begins; 0 for the box that flags describe
	Text   []byte // the row byte for byte, with its line end
	Object []byte // the row if it is a JSON object, otherwise nil
	Empty  bool   // whether the row has only white space and delimiters

	Known      [FieldCount]bool       // the fields that could be read
	Names      [FirstDimension][]byte // the names of the article and the material; nil if not known
	Dimensions [FieldCount - FirstDimension]float64
	Answer     RowAnswer

	// Problems are sorted by field. The Field of a problem with the whole row is empty.
	Problems []*boxrules.InputError

	cells  []csvrows.Cell // a buffer that the next row reuses
	points pointUse       // the use of points in this row and in earlier ones
}

// A RowAnswer holds the additional fields of a row of answers, from AnswerCode on. Package answers interprets them as
// an answer from the service, and package verdicts interprets them as an expected answer.
type RowAnswer struct {
	texts [answerCount - FieldCount]string // the text of a field that is not given is left over from an earlier row
	given [answerCount - FieldCount]bool
}

// IsGiven reports whether the row has the field, such as AnswerCode.
func (a *RowAnswer) IsGiven(field int) bool { return a.given[field-FieldCount] }

// Text returns the text of the field, or "" if the row does not have the field.
func (a *RowAnswer) Text(field int) string {
	if !a.IsGiven(field) {
		return ""
	}
	return a.texts[field-FieldCount]
}

func (a *RowAnswer) set(field int, text string) {
	a.texts[field-FieldCount], a.given[field-FieldCount] = text, true
}

// reset prepares the row for reading the next row into it. To save time, it does not clear the dimensions and the texts
// of the answer. The fields Known and Answer.given show that they are no longer valid.
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

// Fail adds a problem with a field.
func (r *Row) Fail(field int, format string, args ...any) {
	r.AddProblem(&boxrules.InputError{Field: AnswerNames[field], Message: fmt.Sprintf(format, args...)})
}

// failRow adds a problem with the whole row.
func (r *Row) failRow(format string, args ...any) {
	r.AddProblem(&boxrules.InputError{Message: fmt.Sprintf(format, args...)})
}

// AddProblem adds err to the problems of the row, which are in the order of the fields. It does nothing if err is
// nil, if the same field already has a problem, or if there is a problem with the whole row: if a row cannot be
// read, nothing is known about its fields.
func (r *Row) AddProblem(err error) {
	if err == nil || len(r.Problems) > 0 && r.Problems[0].Field == "" {
		return
	}
	var problem *boxrules.InputError
	if !errors.As(err, &problem) {
		problem = &boxrules.InputError{Message: err.Error()}
	}
	// A problem with the whole row has the index -1, so it comes first. If a field has several problems, only the
	// first is kept.
	i, found := slices.BinarySearchFunc(r.Problems, problem,
		func(a, b *boxrules.InputError) int { return cmp.Compare(rowFieldIndex(a), rowFieldIndex(b)) })
	if !found {
		r.Problems = slices.Insert(r.Problems, i, problem)
	}
}

// rowFieldIndex returns the field that the problem is about, or -1 if it is about the whole row.
func rowFieldIndex(problem *boxrules.InputError) int {
	return slices.Index(AnswerNames[:], problem.Field)
}

// Problem returns the first problem of the row, or nil if there is none.
func (r *Row) Problem() *boxrules.InputError {
	if len(r.Problems) == 0 {
		return nil
	}
	return r.Problems[0]
}

// LocatedProblemsText returns the problems of the row as text that begins with the file and the line. It omits the
// file and the line for the box that flags describe.
func (r *Row) LocatedProblemsText() string {
	if r.Line == 0 {
		return r.ProblemsText()
	}
	return fmt.Sprintf("%s:%d: %s", r.File, r.Line, r.ProblemsText())
}

// ProblemsText returns the problems of the row as text. Each problem begins with the name of its field, if it is
// about a field.
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

// IsBlankLine reports whether an empty row is a blank line, as opposed to a row of empty cells such as ",,,".
func (r *Row) IsBlankLine() bool { return len(r.cells) <= 1 }
