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

// A csvReport writes the list itself, byte for byte, with a column for the verdict and perhaps one for advice.
type csvReport struct {
	verdictColumn string
	adviser       *adviser // nil without --advice

	delimiter byte
	file      *lists.Reader
}

const adviceColumn = "advice"

func (c *csvReport) beginFile(file *lists.Reader) ([]byte, error) {
	columns := []string{c.verdictColumn}
	if c.adviser != nil {
		c.adviser.beginFile(file)
		columns = append(columns, adviceColumn)
	}
	c.delimiter, c.file = file.Options.Delimiter, file
	text, end := cutEnd(file.Head)
	head, titles := bytes.Clone(text), slices.Clone(file.Titles)
	for i, name := range columns {
		// A list that has been checked before has these columns already.
		same := func(title string) bool { return strings.EqualFold(strings.TrimSpace(title), strings.TrimSpace(name)) }
		if slices.ContainsFunc(titles, same) {
			advice := "give another name with --verdict-column"
			if i > 0 {
				advice = "rename that column, or leave out --advice"
			}
			return nil, fmt.Errorf("two columns would be called %s; %s", wording.Quote(name), advice)
		}
		// Windows-1252 replaces characters that it does not have by question marks.
		if strings.Contains(file.Encoded(name, file.Head), "?") != strings.Contains(name, "?") {
			return nil, fmt.Errorf("the list is in windows-1252, which cannot write %s; give another name with --verdict-column",
				wording.Quote(name))
		}
		titles = append(titles, name)
		head = c.appendCell(head, name, text)
	}
	return append(head, end...), nil
}

func (c *csvReport) box(dst []byte, row *lists.Row, p *boxrules.Profile, v boxrules.Verdict) []byte {
	advice := ""
	if c.adviser != nil {
		advice = c.adviser.advice(p, row.Dims(), v)
	}
	return c.appendRow(dst, row, verdictText(v), advice)
}

func (c *csvReport) noBox(dst []byte, row *lists.Row) []byte {
	problems := ""
	if c.adviser != nil {
		problems = unescapeQuotes.Replace(console.Printable(row.ProblemsText()))
	}
	return c.appendRow(dst, row, errorText(row), problems)
}

// unescapeQuotes undoes the escapes of wording.Quote. CSV has its own.
var unescapeQuotes = strings.NewReplacer(`\"`, `"`, `\\`, `\`)

// empty keeps a blank line as it is: with a delimiter, it would become a row of two cells.
func (c *csvReport) empty(dst []byte, row *lists.Row) []byte {
	if row.IsBlankLine() {
		return append(dst, row.Text...)
	}
	return c.appendRow(dst, row, "", "")
}

// appendRow appends the row with its verdict and, with --advice, the advice.
func (c *csvReport) appendRow(dst []byte, row *lists.Row, verdict, advice string) []byte {
	text, end := cutEnd(row.Text)
	dst = append(append(append(dst, text...), c.delimiter), verdict...)
	if c.adviser != nil {
		dst = c.appendCell(dst, advice, text)
	}
	return append(dst, end...)
}

// cutEnd separates a record from its line end.
func cutEnd(record []byte) (text, end []byte) {
	text = csvrows.WithoutEnd(record)
	return text, record[len(text):]
}

// appendCell appends a delimiter and the text as a cell, in the encoding of the row that it is added to.
func (c *csvReport) appendCell(dst []byte, text string, row []byte) []byte {
	return csvrows.AppendCell(append(dst, c.delimiter), c.file.Encoded(text, row), c.delimiter)
}
