package verdicts

import (
	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/lists"
)

// The formats of results.
const (
	FormatText = "text"
	FormatJSON = "json"
	FormatCSV  = "csv"
	FormatNone = "none"
)

// A report writes results in one of the formats, one after the other, appended to dst. It belongs
// to one rowChecker.
type report interface {
	// begin returns what comes before the answers of a file. It is called once for each file.
	begin(o *lists.Reader) ([]byte, error)
	// box appends what there is to say of a box, which has the verdict.
	box(dst []byte, r *lists.Row, p *boxrules.Profile, v boxrules.Verdict) []byte
	// noBox appends the problems of a row that is not a box.
	noBox(dst []byte, r *lists.Row) []byte
	// empty appends what stands for a row with nothing in it.
	empty(dst []byte, r *lists.Row) []byte
}

// A silent report writes nothing: the counts are enough. Others have it write what they do not.
type silent struct{}

func (silent) begin(*lists.Reader) ([]byte, error) { return nil, nil }
func (silent) box(dst []byte, _ *lists.Row, _ *boxrules.Profile, _ boxrules.Verdict) []byte {
	return dst
}
func (silent) noBox(dst []byte, _ *lists.Row) []byte { return dst }
func (silent) empty(dst []byte, _ *lists.Row) []byte { return dst }
