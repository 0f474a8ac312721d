// Package csvrows reads CSV records, as RFC 4180 and encoding/csv define them, from text that arrives in pieces.
// There is one difference: in a cell that does not begin with a quote, a quote is an ordinary character, as it is
// in spreadsheets. So the text 12" wide is a valid cell.
//
// The difficulty is that a line end within quotes does not end a record. So a reader cannot jump into the middle of a
// file and see where a record begins. Take this text, in which the second record has two lines:
//
//	a,1⏎
//	"b
//	c",2⏎
//	d,3⏎
//
// Several goroutines process the rows of a file, and each of them gets a piece of the file. A piece must end at the
// end of a record: after a,1⏎ or after c",2⏎ but not after "b. [Format.WholeLength] finds the last place where a
// piece can end. It is much faster than [Format.Next], because it jumps from quote to quote, and looks for
// delimiters and line ends only next to quotes. While one goroutine calls it, the others read the cells of their
// pieces.
//
// A malformed record ends at the end of its first line. So a quote that is never closed makes a single row
// unreadable, and not the rest of the file. In
//
//	"a,1⏎
//	b,2⏎
//
// the first line is malformed, and b,2 is a record. The reader can be sure of that only after MaxRecord bytes or at
// the end of the file, because a closing quote might still follow.
//
// A blank line is a record of one empty cell.
package csvrows

import (
	"bytes"
	"errors"
	"strings"
)

// These are the errors for malformed records.
var (
	ErrBareQuote = errors.New("white space before the quote that opens a field" + acceptedQuotes)
	ErrQuote     = errors.New("a quote that is never closed, or closed before its field ends" + acceptedQuotes)
)

// errOpenQuote means that a quote is open, and that the text that follows might close it. Exported functions return
// ErrQuote instead.
var errOpenQuote = errors.New("a quote that may still be closed")

const acceptedQuotes = "; put quotes around the whole field, and double the quotes within it, or use --quotes none if quotes " +
	"have no meaning in this list"

// A Format describes how records are written. It is safe for concurrent use.
type Format struct {
	Delimiter byte // any byte except zero, a quote, \r and \n
	NoQuotes  bool // whether quotes are ordinary characters; if so, every line is a record
	// MaxRecord is the maximum length, in bytes, of a record with a line end within quotes. A longer record is
	// malformed.
	MaxRecord int
}

// A Cell is a field of a record. It shares the memory of the record.
type Cell struct {
	raw              []byte // the text without the quotes around it, but with doubled quotes
	quoted           bool
	hasDoubledQuotes bool // whether raw contains doubled quotes
}

// Quoted reports whether the cell is in quotes.
func (c Cell) Quoted() bool { return c.quoted }

// Text returns the text of the cell without CSV quoting: for the cell "a ""b""" it returns a "b". It makes a copy
// only if the cell has doubled quotes.
func (c Cell) Text() []byte {
	if !c.hasDoubledQuotes {
		return c.raw
	}
	return bytes.ReplaceAll(c.raw, []byte(`""`), []byte(`"`))
}

// AppendCell appends the text as a cell, and quotes it if necessary.
func AppendCell(dst []byte, text string, delimiter byte) []byte {
	if strings.ContainsAny(text, "\"\r\n") || strings.IndexByte(text, delimiter) >= 0 {
		return AppendQuotedCell(dst, text)
	}
	return append(dst, text...)
}

// AppendQuotedCell appends the text as a quoted cell.
func AppendQuotedCell(dst []byte, text string) []byte {
	return append(append(append(dst, '"'), strings.ReplaceAll(text, `"`, `""`)...), '"')
}

// WholeLength returns the length of the complete records at the start of the text. If final is true, the text is
// the end of the file, so its last record is complete as well.
func (f Format) WholeLength(text []byte, final bool) (length int) {
	if final {
		return len(text)
	}
	for {
		rest := text[length:]
		quote := -1
		if !f.NoQuotes {
			quote = bytes.IndexByte(rest, '"')
		}
		if quote < 0 {
			// The rest has no quotes, so every line in it is a record.
			return length + bytes.LastIndexByte(rest, '\n') + 1
		}
		// The lines before the line with the quote are records as well.
		length += bytes.LastIndexByte(rest[:quote], '\n') + 1
		rest = text[length:]
		n, err := f.quotedRecord(rest, LineLength(rest), nil)
		// A record without a line end is not complete. If a quote is open, the text that follows may still close
		// it, unless the record is already longer than MaxRecord. After any other error, the record ends at the end
		// of its first line, whatever follows.
		if rest[n-1] != '\n' || err == errOpenQuote && len(rest) < f.MaxRecord {
			return length // the text that follows may belong to this record
		}
		length += n
	}
}

// Next reads the first record of a text that consists of complete records. It returns the length of the record,
// including its line end, and appends the cells. If the record is malformed, the error is ErrBareQuote or ErrQuote,
// and only some of the cells are appended.
func (f Format) Next(text []byte, cells []Cell) (n int, _ []Cell, _ error) {
	n, err := f.record(text, &cells)
	return n, cells, err
}

// Skip returns the length of the first record of a text that consists of complete records.
func (f Format) Skip(text []byte) int {
	n, _ := f.record(text, nil)
	return n
}

// record returns the length of the first record, and appends its cells unless cells is nil.
func (f Format) record(text []byte, cells *[]Cell) (n int, _ error) {
	firstLine := LineLength(text)
	// Most lines have no quotes. Such a line is a record.
	if f.NoQuotes || bytes.IndexByte(text[:firstLine], '"') < 0 {
		if cells != nil {
			*cells = f.split(WithoutEnd(text[:firstLine]), *cells)
		}
		return firstLine, nil
	}
	n, err := f.quotedRecord(text, firstLine, cells)
	if err != nil {
		// The record ends at the end of its first line. The error must not depend on how much text follows, because
		// that depends on how the file was cut into pieces. So determine the error again, from the first line
		// alone.
		if _, err = f.quotedRecord(text[:firstLine], firstLine, nil); err == errOpenQuote {
			err = ErrQuote
		}
	}
	return n, err
}

// LineLength returns the length of the first line, including its line end.
func LineLength(text []byte) int {
	if n := bytes.IndexByte(text, '\n'); n >= 0 {
		return n + 1
	}
	return len(text)
}

// quotedRecord is like record for a text whose first line has a quote. firstLine is the length of that line. If
// quotedRecord returns an error, n is firstLine.
//
// At the start of each iteration, n is the index at which a cell begins. Take
//
//	a,b,"c ""d""
//	e",f⏎
//
// Iteration 1 begins at a, which is not a quote. It finds the quote before c, with a comma before it, so a and b are
// cells without quotes. Then it reads the quoted cell, which ends at the quote after e. The quotes around d are doubled
// and do not end it. A comma follows, so there is another iteration. Iteration 2 begins at f. It finds no quote in the
// rest of the line, so the line end ends the record.
func (f Format) quotedRecord(text []byte, firstLine int, cells *[]Cell) (n int, _ error) {
	for n < len(text) {
		if text[n] != '"' {
			// Read the unquoted cells up to a quote that opens a cell, or up to the end of the line.
			line := LineLength(text[n:])
			quote := bytes.IndexByte(text[n:n+line], '"')
			unquoted := WithoutEnd(text[n : n+line])
			if quote > 0 && text[n+quote-1] != f.Delimiter { // such as 12" wide
				var err error
				if quote, err = f.openingQuote(unquoted); err != nil {
					return firstLine, err
				}
			}
			if quote > 0 {
				unquoted = unquoted[:quote-1]
			}
			if cells != nil {
				*cells = f.split(unquoted, *cells)
			}
			if quote < 0 {
				return n + line, nil
			}
			n += quote
		}
		// Read the quoted cell, which may contain line ends.
		length, hasDoubledQuotes := quotedLength(text[n+1:])
		if length < 0 {
			return firstLine, errOpenQuote
		}
		if cells != nil {
			*cells = append(*cells, Cell{text[n+1 : n+1+length], true, hasDoubledQuotes})
		}
		n += length + len(`""`)
		// After the closing quote there must be a delimiter, a line end, or the end of the text.
		rest := text[n:]
		switch {
		case n > f.MaxRecord:
			return firstLine, ErrQuote
		case len(rest) > 0 && rest[0] == f.Delimiter:
			n++
		case len(rest) > 0 && rest[0] == '\n':
			return n + 1, nil
		case len(rest) > 1 && rest[0] == '\r' && rest[1] == '\n':
			return n + 2, nil
		case len(rest) == 0 || len(rest) == 1 && rest[0] == '\r':
			return len(text), nil
		default:
			return firstLine, ErrQuote
		}
	}
	// The text ends with a delimiter, so the last cell is empty.
	if cells != nil {
		*cells = append(*cells, Cell{})
	}
	return n, nil
}

// openingQuote returns the index of the first quote in the line that opens a cell, or -1 if there is none. The line
// must not begin with a quote. In
//
//	12" wide,a,"b"
//
// the quote before b opens a cell, and the quote after 12 is an ordinary character. If there is only white space
// between the start of a cell and a quote, as in a, "b", the error is ErrBareQuote. As an ordinary character, the
// quote would not protect the delimiters after it, which is probably not what the author of the file meant.
func (f Format) openingQuote(line []byte) (int, error) {
	for start := 0; ; { // start is the index of the start of a cell
		quote := bytes.IndexByte(line[start:], '"')
		if quote < 0 {
			return -1, nil
		}
		quote += start
		if line[quote-1] == f.Delimiter {
			return quote, nil
		}
		start += bytes.LastIndexByte(line[start:quote], f.Delimiter) + 1
		if len(bytes.TrimLeft(line[start:quote], " \t")) == 0 {
			return 0, ErrBareQuote
		}
		// This quote is in the middle of a cell. So are all other quotes before the next delimiter.
		end := bytes.IndexByte(line[quote:], f.Delimiter)
		if end < 0 {
			return -1, nil
		}
		start = quote + end + 1
	}
}

// quotedLength returns the length of a quoted cell, not counting its quotes. It returns -1 if no quote closes the
// cell. The text begins after the opening quote. For the text
//
//	a ""b""",2
//
// the length is 7: the first two pairs are doubled quotes within the cell, and the quote after them closes the
// cell.
func quotedLength(text []byte) (length int, hasDoubledQuotes bool) {
	for {
		quote := bytes.IndexByte(text[length:], '"')
		if quote < 0 {
			return -1, hasDoubledQuotes
		}
		length += quote
		if length+1 == len(text) || text[length+1] != '"' {
			return length, hasDoubledQuotes
		}
		length, hasDoubledQuotes = length+2, true // a doubled quote is part of the cell
	}
}

// split appends the cells of a line that has no quotes and no line end.
func (f Format) split(line []byte, cells []Cell) []Cell {
	for {
		end := bytes.IndexByte(line, f.Delimiter)
		if end < 0 {
			return append(cells, Cell{raw: line})
		}
		cells = append(cells, Cell{raw: line[:end]})
		line = line[end+1:]
	}
}

// WithoutEnd returns a record without its line end.
func WithoutEnd(record []byte) []byte {
	n := len(record)
	if n > 0 && record[n-1] == '\n' {
		n--
	}
	if n > 0 && record[n-1] == '\r' {
		n--
	}
	return record[:n]
}
