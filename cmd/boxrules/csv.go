package main

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/boxrules/internal/wording"
)

// csvRows reads a CSV file as RFC 4180 describes it, with a header that names the columns.
type csvRows struct {
	text    *rowText
	csv     *csv.Reader
	header  int              // number of columns
	columns [answerCount]int // of the fields, negative where there is none
	start   int              // line of the last row that was begun
	skipped int              // blank lines that the csv.Reader did not get to see
	end     int              // last line that it did see
}

func newCSV(t *rowText, answers bool) (*csvRows, error) {
	// A csv.Reader reads straight from a bufio.Reader, which lets the two take turns.
	c := &csvRows{text: t, csv: csv.NewReader(t.Reader), start: 1}
	c.csv.FieldsPerRecord = -1
	c.csv.ReuseRecord = true
	header, err := c.record()
	if err == io.EOF {
		return c, errNoBoxes
	} else if err != nil {
		return c, err
	}
	c.header = len(header)
	return c, c.find(header, answers)
}

// find locates the fields among the columns.
func (c *csvRows) find(header []string, answers bool) error {
	required, optional := fieldNames, answerNames[:0]
	if answers {
		required, optional = answerNames[:answerDate], answerNames[answerDate:answerOK]
	}
	var missing, twice []string
	for field, name := range answerNames {
		c.columns[field] = -1
		if field >= len(required)+len(optional) {
			continue
		}
		c.columns[field] = slices.Index(header, name)
		if c.columns[field] < 0 && field < len(required) {
			missing = append(missing, name)
		} else if slices.Contains(header[c.columns[field]+1:], name) {
			twice = append(twice, name)
		}
	}
	accepted := "accepted: a header of " + list(required) + ", as they are written here, in any order, separated by commas"
	joined := strings.Join(header, ",")
	switch {
	case !utf8.ValidString(joined):
		return errors.New("the header is not UTF-8; " + accepted)
	case len(missing) > 0:
		return errors.New("the header " + wording.Quote(joined) + " lacks " + list(missing) + "; " + accepted)
	case len(twice) > 0:
		return errors.New("the header has " + list(twice) + " twice; " + accepted)
	}
	return nil
}

func (c *csvRows) line() int { return c.start }

func (c *csvRows) next(r *row) error {
	record, err := c.record()
	switch {
	case err == errBareQuote || err == errQuote:
		r.fail(-1, "%v", err)
	case err != nil:
		return err
	case len(record) != c.header:
		r.fail(-1, "the row has %s; accepted: %d, as the header", count(len(record), "field", "fields"), c.header)
	case !slices.ContainsFunc(record, invalidUTF8):
		for field, column := range c.columns {
			if column >= 0 {
				r.set(field, record[column])
			}
		}
	default:
		r.fail(-1, "column %d is not UTF-8; accepted: UTF-8", 1+slices.IndexFunc(record, invalidUTF8))
	}
	return nil
}

func invalidUTF8(s string) bool { return !utf8.ValidString(s) }

// What is wrong with a record that cannot be read are its quotes.
var (
	errBareQuote = errors.New("a quote in a field that is not quoted" + quotes)
	errQuote     = errors.New("a quote in a quoted field that is not its end, or none at its end" + quotes)
)

const quotes = "; accepted: quotes around a whole field, and those within it doubled"

// record reads one record and keeps count of the lines.
func (c *csvRows) record() ([]string, error) {
	err := c.skipBlank()
	c.start = c.end + c.skipped + 1
	if err != nil {
		return nil, err
	}
	record, err := c.csv.Read()
	if failed := c.text.failed(); failed != nil {
		return nil, failed
	}
	var malformed *csv.ParseError
	if errors.As(err, &malformed) {
		c.end = malformed.Line
		if malformed.Err == csv.ErrBareQuote {
			return nil, errBareQuote
		}
		return nil, errQuote
	}
	if err == nil {
		last := len(record) - 1
		line, _ := c.csv.FieldPos(last)
		c.end = line + strings.Count(record[last], "\n")
	}
	return record, err
}

// skipBlank starts a row at the next line that has something on it. A csv.Reader would skip blank lines
// too, but as part of the row that follows, which many of them could make too long.
func (c *csvRows) skipBlank() error {
	for {
		c.text.begin()
		b, err := c.text.Peek(1)
		if err == nil && b[0] == '\r' {
			if b, err = c.text.Peek(2); err == io.EOF {
				return nil // a lone carriage return is for the csv.Reader
			}
		}
		if err != nil {
			return err
		}
		if ending := string(b); ending != "\n" && ending != "\r\n" {
			return nil
		}
		c.skipped++
		if _, err := c.text.Discard(len(b)); err != nil {
			return err
		}
	}
}
