package verdicts

import (
	"fmt"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/internal/wording"
)

// An expectReport writes the boxes whose answer differs from the one that their row expects.
type expectReport struct {
	noReport
	severalFiles bool
	filePrefix   string // the name of the file, if there are several
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
	return fmt.Appendf(dst, "%srow %d (line %d): %s, %s in %s: expected %s, is %s\n",
		e.filePrefix, row.Number, row.Line, console.SizeText(row.Dimensions[:]...), p.Article(), p.Material(), want, got)
}

func (e *expectReport) appendProblems(dst []byte, row *lists.Row) []byte {
	return fmt.Appendf(dst, "%srow %d (line %d): %s\n", e.filePrefix, row.Number, row.Line, console.Printable(row.ProblemsText()))
}

// expectedAnswer returns the answer that a row expects, as reportedVerdict writes it. A row without a code
// expects a valid box.
func expectedAnswer(row *lists.Row) string {
	code := row.Answer.Text(lists.AnswerCode)
	if code == "" || lists.IsValid(code) {
		return lists.Valid
	}
	return code
}

// expectedField is the name of the field with the expected code in reports for programs.
const expectedField = "expected"

// nameExpectedField sets the name of the field in problems with the expected code. In text the name is the title of
// the column, which people know. Programs need a name that is always the same and never contains a delimiter.
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

// checkExpected adds a problem if no rule has the expected code.
func (r *rowChecker) checkExpected(row *lists.Row) {
	code := expectedAnswer(row)
	if code != lists.Valid && r.engine.Rules().Position(boxrules.Code(code)).Line == 0 {
		row.Fail(lists.AnswerCode, "no rule has the code %s; accepted: valid, ok, nothing, or a code such as %s",
			wording.Quote(code), r.engine.Rules().Rules()[0].Code)
	}
}
