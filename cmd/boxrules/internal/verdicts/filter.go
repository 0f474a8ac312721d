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
	names := []string{f.column}
	if f.advice != nil {
		f.advice.begin(o)
		names = append(names, adviceColumn)
	}
	f.delimiter, f.file = o.Options.Delimiter, o
	text, end := cutEnd(o.Head)
	head, titles := bytes.Clone(text), slices.Clone(o.Titles)
	for _, name := range names {
		same := func(title string) bool { return strings.EqualFold(strings.TrimSpace(title), strings.TrimSpace(name)) }
		if slices.ContainsFunc(titles, same) {
			accepted := map[bool]string{true: "no --advice", false: "another --verdict-column"}[len(titles) > len(o.Titles)]
			return nil, fmt.Errorf("two columns would be called %s; accepted: %s", wording.Quote(name), accepted)
		}
		if strings.Contains(o.Encoded(name, o.Head), "?") != strings.Contains(name, "?") {
			return nil, fmt.Errorf("the list is in windows-1252, which cannot write %s; accepted: another --verdict-column",
				wording.Quote(name))
		}
		titles = append(titles, name)
		head = f.appendCell(head, name, text)
	}
	return append(head, end...), nil
}

func (f *filter) box(dst []byte, r *lists.Row, p *boxrules.Profile, v boxrules.Verdict) []byte {
	advice := ""
	if f.advice != nil {
		advice = f.advice.onBox(p, r.Dims(), v)
	}
	return f.row(dst, r, verdictText(v), advice)
}

func (f *filter) noBox(dst []byte, r *lists.Row) []byte {
	problems := ""
	if f.advice != nil {
		problems = plainQuotes.Replace(console.Printable(r.ProblemsText()))
	}
	return f.row(dst, r, errorText(r), problems)
}

// plainQuotes takes Go's escapes of quotes out of messages: a cell has its own, as CSV has them.
var plainQuotes = strings.NewReplacer(`\"`, `"`, `\\`, `\`)

// empty keeps a blank line as it is: with a delimiter more it would be a row of two cells.
func (f *filter) empty(dst []byte, r *lists.Row) []byte {
	if !r.Wide() {
		return append(dst, r.Text...)
	}
	return f.row(dst, r, "", "")
}

// row appends the row with the verdict, and the advice where that is asked for.
func (f *filter) row(dst []byte, r *lists.Row, verdict, advice string) []byte {
	text, end := cutEnd(r.Text)
	dst = append(append(append(dst, text...), f.delimiter), verdict...)
	if f.advice != nil {
		dst = f.appendCell(dst, advice, text)
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
