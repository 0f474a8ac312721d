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

// A report writes the answers to rows in one of the formats. Its methods append to dst. Each rowChecker has
// its own report.
type report interface {
	// beginFile returns what is written before the answers of a file.
	beginFile(file *lists.Reader) ([]byte, error)
	// appendBox appends the verdict on a box.
	appendBox(dst []byte, row *lists.Row, p *boxrules.Profile, v boxrules.Verdict) []byte
	// appendProblems appends the problems of a row that is not a box.
	appendProblems(dst []byte, row *lists.Row) []byte
	// appendEmpty appends what is written for an empty row.
	appendEmpty(dst []byte, row *lists.Row) []byte
}

// noReport writes nothing, for --format none. Other reports embed it for what they do not write.
type noReport struct{}

func (noReport) beginFile(*lists.Reader) ([]byte, error) { return nil, nil }
func (noReport) appendBox(dst []byte, _ *lists.Row, _ *boxrules.Profile, _ boxrules.Verdict) []byte {
	return dst
}
func (noReport) appendProblems(dst []byte, _ *lists.Row) []byte { return dst }
func (noReport) appendEmpty(dst []byte, _ *lists.Row) []byte    { return dst }

// reportedVerdict returns the code, or lists.Valid for a box that can be made.
func reportedVerdict(v boxrules.Verdict) string { return string(cmp.Or(v.Code(), lists.Valid)) }

// reportedError returns what replaces the verdict of a row that is not a box: error:width if the width is the
// first field with a problem, and error:row for a problem of the whole row.
func reportedError(row *lists.Row) string { return "error:" + cmp.Or(row.Problem().Field, "row") }

// reportedViolation returns the violation that the verdict reports. The box must not be valid.
func reportedViolation(v boxrules.Verdict) boxrules.Violation {
	return v.Err().(*boxrules.BoxError).Violation
}
