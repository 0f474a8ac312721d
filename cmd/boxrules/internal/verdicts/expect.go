package verdicts

import (
	"fmt"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/internal/wording"
)

// An expectReport lists the boxes that did not get the expected verdict, and the rows that are not boxes.
type expectReport struct {
	noReport
	severalFiles bool
	filePrefix   string // the name of the file if there are several files, otherwise empty
}

func (e *expectReport) beginFile(file *lists.Reader) ([]byte, error) {
	if e.severalFiles {
		e.filePrefix = console.Printable(file.DisplayName()) + ": "
	}
	return nil, nil
}

func (e *expectReport) appendBox(dst []byte, row *lists.Row, p *boxrules.Profile, v boxrules.Verdict) []byte {
	want, got := expectedAnswer(row), reportedVerdict(v)
	if want == got {
		return dst
	}
	return fmt.Appendf(dst, "%srow %d (line %d): %s, %s in %s: expected %s, got %s\n",
		e.filePrefix, row.Number, row.Line, console.SizeText(row.Dimensions[:]...), p.Article(), p.Material(), want, got)
}

func (e *expectReport) appendProblems(dst []byte, row *lists.Row) []byte {
	return fmt.Appendf(dst, "%srow %d (line %d): %s\n", e.filePrefix, row.Number, row.Line, console.Printable(row.ProblemsText()))
}

// expectedAnswer returns the verdict that the row expects, in the form that reportedVerdict returns. If the row has no
// code, the box is expected to be valid.
func expectedAnswer(row *lists.Row) string {
	code := row.Answer.Text(lists.AnswerCode)
	if code == "" || lists.IsValid(code) {
		return lists.Valid
	}
	return code
}

// expectedField is the name of the field with the expected code, in JSON and CSV.
const expectedField = "expected"

// nameExpectedField sets the field name in every problem with the expected code. In text output, it is the title of the
// user's column. In other formats it is expectedField, because programs need a name that is always the same and never
// contains a delimiter.
func (r *rowChecker) nameExpectedField(row *lists.Row) {
	name := expectedField
	if r.Format == FormatText {
		name = r.file.Options.Expect
	}
	for i, problem := range row.Problems {
		if problem.Field == lists.AnswerNames[lists.AnswerCode] {
			row.Problems[i] = &boxrules.InputError{Field: name, Message: problem.Message}
		}
	}
}

// checkExpected adds a problem to the row if no rule has the expected code.
func (r *rowChecker) checkExpected(row *lists.Row) {
	code := expectedAnswer(row)
	if code != lists.Valid && r.engine.Rules().Position(boxrules.Code(code)).Line == 0 {
		row.Fail(lists.AnswerCode, "no rule has the code %s; accepted: valid, ok, an empty cell, or a code such as %s",
			wording.Quote(code), r.engine.Rules().Rules()[0].Code)
	}
}
