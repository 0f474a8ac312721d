package verdicts

import (
	"fmt"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/internal/wording"
)

// An expectReport tells the boxes that have another answer than the one that their row expects.
type expectReport struct {
	silent
	several bool // files, which are named then
	file    string
	column  string // of the codes that the boxes must have
}

func (e *expectReport) begin(o *lists.Reader) ([]byte, error) {
	e.column = o.Options.Expect
	if e.several {
		e.file = console.Printable(o.Shown()) + ": "
	}
	return nil, nil
}

func (e *expectReport) box(dst []byte, r *lists.Row, p *boxrules.Profile, v boxrules.Verdict) []byte {
	want, got := expected(r), verdictText(v)
	if want == got {
		return dst
	}
	return fmt.Appendf(dst, "%srow %d (line %d): %s, %s in %s: expected %s, is %s\n",
		e.file, r.Number, r.Line, console.Size(r.Dimensions[:]...), p.Article(), p.Material(), want, got)
}

func (e *expectReport) noBox(dst []byte, r *lists.Row) []byte {
	for i, problem := range r.Problems {
		if problem.Field == lists.AnswerNames[lists.AnswerCode] {
			// People know it by the name of its column.
			r.Problems[i] = &boxrules.InputError{Field: e.column, Message: problem.Message}
		}
	}
	return fmt.Appendf(dst, "%srow %d (line %d): %s\n", e.file, r.Number, r.Line, console.Printable(r.ProblemsText()))
}

// expected returns the answer that a row expects: valid or a code.
func expected(r *lists.Row) string {
	switch code := r.Answer[lists.AnswerCode-lists.FieldCount]; code {
	case "", "ok":
		return accepted
	default:
		return code
	}
}

// blameExpected blames an expected code that no rule has.
func (w *rowChecker) blameExpected(r *lists.Row) {
	code := expected(r)
	if !r.Known[lists.AnswerCode] || code == accepted {
		return
	}
	if w.engine.Rules().Position(boxrules.Code(code)).Line == 0 {
		r.Fail(lists.AnswerCode, "%s is the code of no rule; accepted: valid, ok, nothing, or a code such as %s",
			wording.Quote(code), w.engine.Rules().Rules()[0].Code)
	}
}
