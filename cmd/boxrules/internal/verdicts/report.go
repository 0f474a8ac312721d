package verdicts

import (
	"cmp"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/lists"
)

// The formats of reports.
const (
	FormatText = "text"
	FormatJSON = "json"
	FormatCSV  = "csv"
	FormatNone = "none"
)

// A report formats the answer for each row. Its append methods append to dst. Each rowChecker has its own report.
type report interface {
	// beginFile returns the text before the answers of a file.
	beginFile(file *lists.Reader) ([]byte, error)
	// appendBox appends the verdict about a box.
	appendBox(dst []byte, row *lists.Row, p *boxrules.Profile, v boxrules.Verdict) []byte
	// appendProblems appends the problems of a row that is not a box.
	appendProblems(dst []byte, row *lists.Row) []byte
	// appendEmpty appends the text for an empty row.
	appendEmpty(dst []byte, row *lists.Row) []byte
}

// noReport is the report for --format none. Other reports embed noReport, and override the methods for the parts
// that they write.
type noReport struct{}

func (noReport) beginFile(*lists.Reader) ([]byte, error) { return nil, nil }
func (noReport) appendBox(dst []byte, _ *lists.Row, _ *boxrules.Profile, _ boxrules.Verdict) []byte {
	return dst
}
func (noReport) appendProblems(dst []byte, _ *lists.Row) []byte { return dst }
func (noReport) appendEmpty(dst []byte, _ *lists.Row) []byte    { return dst }

// reportedVerdict returns the code of the verdict, or lists.Valid if the box can be made.
func reportedVerdict(v boxrules.Verdict) string { return string(cmp.Or(v.Code(), lists.Valid)) }

// reportedError returns the text that a report shows in place of the verdict if the row is not a box. If the first
// problem is with the width, for example, the text is error:width. If the problem is with the whole row, it is
// error:row.
func reportedError(row *lists.Row) string { return "error:" + cmp.Or(row.Problem().Field, "row") }

// reportedViolation returns the violation that the service would report. The box must not be valid.
func reportedViolation(v boxrules.Verdict) boxrules.Violation {
	return v.Err().(*boxrules.BoxError).Violation
}
