package verdicts

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/lists/csvrows"
	"example.com/boxrules/internal/wording"
)

// A filter writes the list itself, every byte of it, with one column more, and two with advice.
type filter struct {
	column string // its name
	advice *adviser

	delimiter byte
	file      *lists.Reader
}

// adviceColumn names the second column.
const adviceColumn = "advice"

func (f *filter) begin(o *lists.Reader) ([]byte, error) {
	if f.advice != nil {
		f.advice.begin(o)
	}
	f.delimiter, f.file = o.Options.Delimiter, o
	names := []string{f.column}
	if f.advice != nil {
		names = append(names, adviceColumn)
	}
	for i, name := range names {
		if i == 1 && strings.EqualFold(strings.TrimSpace(f.column), adviceColumn) {
			return nil, fmt.Errorf("--verdict-column and --advice both add a column %s; accepted: another name for --verdict-column", adviceColumn)
		}
		if strings.Contains(o.Encoded(name, o.Head), "?") != strings.Contains(name, "?") {
			return nil, fmt.Errorf("the list is in windows-1252, which cannot write %s; accepted: another --verdict-column", wording.Quote(name))
		}
		same := func(title string) bool { return strings.EqualFold(strings.TrimSpace(title), name) }
		switch {
		case !slices.ContainsFunc(o.Titles, same):
		case i == 0:
			return nil, fmt.Errorf("the header has a column %s already; accepted: another name, as in --verdict-column checked", wording.Quote(name))
		default:
			return nil, fmt.Errorf("the header has a column %s already; accepted: a list without one, or no --advice", wording.Quote(name))
		}
	}
	text, end := cutEnd(o.Head)
	head := bytes.Clone(text)
	for _, name := range names {
		head = f.appendCell(head, name, text)
	}
	return append(head, end...), nil
}

func (f *filter) box(dst []byte, r *lists.Row, p *boxrules.Profile, v boxrules.Verdict) []byte {
	text, end := cutEnd(r.Text)
	dst = append(append(append(dst, text...), f.delimiter), verdictText(v)...)
	if f.advice != nil {
		dst = f.appendCell(dst, f.advice.onBox(p, r.Dims(), v), text)
	}
	return append(dst, end...)
}

func (f *filter) noBox(dst []byte, r *lists.Row) []byte {
	text, end := cutEnd(r.Text)
	dst = append(append(append(dst, text...), f.delimiter), errorText(r)...)
	if f.advice != nil {
		dst = f.appendCell(dst, console.Printable(r.ProblemsText()), text)
	}
	return append(dst, end...)
}

// empty keeps a blank line as it is: with a delimiter more it would be a row of two cells.
func (f *filter) empty(dst []byte, r *lists.Row) []byte {
	text, end := cutEnd(r.Text)
	dst = append(dst, text...)
	if r.Wide() {
		dst = append(dst, f.delimiter)
		if f.advice != nil {
			dst = append(dst, f.delimiter)
		}
	}
	return append(dst, end...)
}

// cutEnd tells a record from its line end.
func cutEnd(record []byte) (text, end []byte) {
	text = csvrows.WithoutEnd(record)
	return text, record[len(text):]
}

// appendCell appends the text as a cell behind a delimiter, in quotes where it needs them, and
// encoded as the row that it stands beside.
func (f *filter) appendCell(dst []byte, text string, row []byte) []byte {
	return csvrows.AppendCell(append(dst, f.delimiter), f.file.Encoded(text, row), f.delimiter)
}
