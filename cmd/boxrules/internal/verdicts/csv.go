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

// A csvReport copies the list byte for byte, and adds a column with the verdict. It may also add columns with the
// expected verdict and with advice.
type csvReport struct {
	verdictColumn  string
	checksExpected bool     // whether the rows contain expected verdicts
	addExpected    bool     // whether to add a column with the expected verdict; not needed if the list has a column of that name
	adviser        *adviser // nil without --advice

	delimiter byte
	file      *lists.Reader
}

const adviceColumn = "advice"

func (c *csvReport) beginFile(file *lists.Reader) ([]byte, error) {
	type column struct{ name, ifTaken string }
	columns := []column{{c.verdictColumn, "give another name with --verdict-column"}}
	// If the column with the expected codes is itself called expected, it stays as it is.
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
		// The list may already have such a column if it is the output of an earlier check.
		if slices.ContainsFunc(titles, func(title string) bool { return isSameCSVTitle(title, added.name) }) {
			return nil, fmt.Errorf("two columns would be called %s; %s", wording.Quote(added.name), added.ifTaken)
		}
		// If the list is in windows-1252, Encoded replaces characters that this encoding lacks with question marks.
		if strings.Contains(file.Encoded(added.name, file.Head), "?") != strings.Contains(added.name, "?") {
			return nil, fmt.Errorf("the list is in windows-1252, in which %s cannot be written; give another name with --verdict-column",
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

// isSameCSVTitle reports whether two titles are equal, ignoring case and the white space around them.
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
	if c.addExpected && row.Answer.IsGiven(lists.AnswerCode) { // if it is not given, the row could not be read
		expected = expectedAnswer(row)
	}
	return c.appendRow(dst, row, reportedError(row), expected, problems)
}

// unescapeQuotes undoes the escaping of wording.Quote, because CSV escapes quotes in its own way.
var unescapeQuotes = strings.NewReplacer(`\"`, `"`, `\\`, `\`)

// appendEmpty appends an empty row. It leaves a blank line as it is: if a delimiter were appended, the line would
// become a row of two cells.
func (c *csvReport) appendEmpty(dst []byte, row *lists.Row) []byte {
	if row.IsBlankLine() {
		return append(dst, row.Text...)
	}
	return c.appendRow(dst, row, "", "", "")
}

// appendRow appends the row and its verdict. It also appends the expected verdict and the advice if there are
// columns for them.
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

// cutCSVEnd splits a record into its text and its line end.
func cutCSVEnd(record []byte) (text, end []byte) {
	text = csvrows.WithoutEnd(record)
	return text, record[len(text):]
}

// appendCell appends a delimiter and a cell with the text. It writes the text in the encoding of row, the row to which
// the cell is added.
func (c *csvReport) appendCell(dst []byte, text string, row []byte) []byte {
	dst, text = append(dst, c.delimiter), c.file.Encoded(text, row)
	if c.file.Options.NoQuotes { // the text contains no delimiter, because it is a checked title or a cell of the list
		return append(dst, text...)
	}
	return csvrows.AppendCell(dst, text, c.delimiter)
}
