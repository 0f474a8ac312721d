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

// A csvReport writes the list itself, byte for byte, with a column for the verdict, and perhaps one for the
// expected verdict and one for advice.
type csvReport struct {
	verdictColumn  string
	checksExpected bool     // whether rows have an expected verdict
	addExpected    bool     // whether to add a column for the expected verdict, because the list has none of that name
	adviser        *adviser // nil without --advice

	delimiter byte
	file      *lists.Reader
}

const adviceColumn = "advice"

func (c *csvReport) beginFile(file *lists.Reader) ([]byte, error) {
	type column struct{ name, ifTaken string }
	columns := []column{{c.verdictColumn, "give another name with --verdict-column"}}
	// The column with the expected codes may itself be called expected. Then it stays as it is.
	c.addExpected = c.checksExpected && !isSameCSVTitle(file.Options.Expect, expectedField)
	if c.addExpected {
		columns = append(columns, column{expectedField, "rename that column"})
	}
	if c.adviser != nil {
		c.adviser.beginFile(file)
		columns = append(columns, column{adviceColumn, "rename that column, or leave out --advice"})
	}
	c.delimiter, c.file = file.Options.Delimiter, file
	text, end := cutCSVEnd(file.Head)
	head, titles := bytes.Clone(text), slices.Clone(file.Titles)
	for _, added := range columns {
		// The output of an earlier check already has these columns.
		if slices.ContainsFunc(titles, func(title string) bool { return isSameCSVTitle(title, added.name) }) {
			return nil, fmt.Errorf("two columns would be called %s; %s", wording.Quote(added.name), added.ifTaken)
		}
		// In windows-1252, Encoded replaces characters that the encoding does not have by question marks.
		if strings.Contains(file.Encoded(added.name, file.Head), "?") != strings.Contains(added.name, "?") {
			return nil, fmt.Errorf("the list is in windows-1252, which cannot write %s; give another name with --verdict-column",
				wording.Quote(added.name))
		}
		if file.Options.NoQuotes && strings.ContainsAny(added.name, string(rune(c.delimiter))+"\r\n") {
			return nil, fmt.Errorf("with --quotes none, %s cannot be a title, because it contains the delimiter or a line end; "+
				"give another name with --verdict-column", wording.Quote(added.name))
		}
		titles = append(titles, added.name)
		head = c.appendCell(head, added.name, text)
	}
	return append(head, end...), nil
}

// isSameCSVTitle reports whether two titles name the same column.
func isSameCSVTitle(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

func (c *csvReport) appendBox(dst []byte, row *lists.Row, p *boxrules.Profile, v boxrules.Verdict) []byte {
	advice := ""
	if c.adviser != nil {
		advice = c.adviser.advice(p, row.Dims(), v)
	}
	expected := ""
	if c.addExpected {
		expected = expectedAnswer(row)
	}
	return c.appendRow(dst, row, reportedVerdict(v), expected, advice)
}

func (c *csvReport) appendProblems(dst []byte, row *lists.Row) []byte {
	problems := ""
	if c.adviser != nil {
		problems = unescapeQuotes.Replace(console.Printable(row.ProblemsText()))
	}
	expected := ""
	if c.addExpected && row.Answer.IsGiven(lists.AnswerCode) { // otherwise the row could not be read
		expected = expectedAnswer(row)
	}
	return c.appendRow(dst, row, reportedError(row), expected, problems)
}

// unescapeQuotes undoes the escapes of wording.Quote. CSV has its own.
var unescapeQuotes = strings.NewReplacer(`\"`, `"`, `\\`, `\`)

// appendEmpty keeps a blank line as it is: with a delimiter, it would become a row of two cells.
func (c *csvReport) appendEmpty(dst []byte, row *lists.Row) []byte {
	if row.IsBlankLine() {
		return append(dst, row.Text...)
	}
	return c.appendRow(dst, row, "", "", "")
}

// appendRow appends the row with its verdict, and with the expected one and the advice if they have columns.
func (c *csvReport) appendRow(dst []byte, row *lists.Row, verdict, expected, advice string) []byte {
	text, end := cutCSVEnd(row.Text)
	dst = append(append(append(dst, text...), c.delimiter), verdict...)
	if c.addExpected {
		dst = c.appendCell(dst, expected, text)
	}
	if c.adviser != nil {
		dst = c.appendCell(dst, advice, text)
	}
	return append(dst, end...)
}

// cutCSVEnd separates a record from its line end.
func cutCSVEnd(record []byte) (text, end []byte) {
	text = csvrows.WithoutEnd(record)
	return text, record[len(text):]
}

// appendCell appends a delimiter and the text as a cell, in the encoding of the row that it is added to.
func (c *csvReport) appendCell(dst []byte, text string, row []byte) []byte {
	dst, text = append(dst, c.delimiter), c.file.Encoded(text, row)
	if c.file.Options.NoQuotes { // here the text contains no delimiter: it is a title, or a cell of the list
		return append(dst, text...)
	}
	return csvrows.AppendCell(dst, text, c.delimiter)
}
