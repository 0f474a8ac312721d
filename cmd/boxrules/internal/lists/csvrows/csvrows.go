// Package csvrows reads records of cells between delimiters, as RFC 4180 and encoding/csv have
// them, from text that is in memory piece by piece. [Format.Whole] finds where a piece may be cut
// much faster than [Format.Next] finds cells, so that pieces can be read side by side.
//
// A malformed record ends with its first line, so that a quote that is never closed costs one row.
// Blank lines are records of one empty cell.
package csvrows

import (
	"bytes"
	"errors"
	"strings"
)

// Errors of malformed records.
var (
	ErrBareQuote = errors.New("a quote within a field that does not begin with one" + quotes)
	ErrQuote     = errors.New("a quote that is never closed, or closed before its field ends" + quotes)
)

// errOpen is ErrQuote of a quote that a longer text might close.
var errOpen = errors.New("a quote that is not closed yet")

const quotes = "; accepted: quotes around a whole field, and those within it doubled"

// A Format says how records are written. It may be used concurrently.
type Format struct {
	Delimiter byte // neither zero, nor a quote, nor part of a line end
	// MaxRecord bounds the bytes of a record that a quote continues over several lines. A longer
	// one is malformed.
	MaxRecord int
}

// A Cell holds one field of a record, in the memory of the record.
type Cell struct {
	raw     []byte // without the quotes around it
	quoted  bool
	doubled bool // whether it has doubled quotes
}

// Quoted reports whether quotes are around the cell.
func (c Cell) Quoted() bool { return c.quoted }

// Text returns what the cell says. It copies only a cell with quotes within it: "a ""b""" says
// a "b".
func (c Cell) Text() []byte {
	if !c.doubled {
		return c.raw
	}
	return bytes.ReplaceAll(c.raw, []byte(`""`), []byte(`"`))
}

// AppendCell appends the text as a cell, in quotes where it needs them.
func AppendCell(dst []byte, text string, delimiter byte) []byte {
	if strings.ContainsAny(text, "\"\r\n") || strings.IndexByte(text, delimiter) >= 0 {
		return AppendQuotedCell(dst, text)
	}
	return append(dst, text...)
}

// AppendQuotedCell appends the text as a cell in quotes.
func AppendQuotedCell(dst []byte, text string) []byte {
	return append(append(append(dst, '"'), strings.ReplaceAll(text, `"`, `""`)...), '"')
}

// Whole returns the length of the whole records at the start of the text; final says that no more
// text follows. It goes from quote to quote, and does not look at cells without one.
func (f Format) Whole(text []byte, final bool) (whole int) {
	if final {
		return len(text)
	}
	for {
		rest := text[whole:]
		quote := bytes.IndexByte(rest, '"')
		if quote < 0 {
			return whole + bytes.LastIndexByte(rest, '\n') + 1
		}
		whole += bytes.LastIndexByte(rest[:quote], '\n') + 1
		rest = text[whole:]
		n, err := f.quoted(rest, LineLength(rest), nil)
		if rest[n-1] != '\n' || err == errOpen && len(rest) < f.MaxRecord {
			return whole // the text that follows may belong to it
		}
		whole += n
	}
}

// Next reads the first record of a text of whole records. It returns its length with its line end,
// and appends its cells. The error is ErrBareQuote or ErrQuote, and comes with some of the cells.
func (f Format) Next(text []byte, cells []Cell) (n int, _ []Cell, _ error) {
	n, err := f.record(text, &cells)
	return n, cells, err
}

// Skip returns the length of the first record of a text of whole records.
func (f Format) Skip(text []byte) int {
	n, _ := f.record(text, nil)
	return n
}

// record returns the length of the first record. It appends its cells unless cells is nil.
func (f Format) record(text []byte, cells *[]Cell) (n int, _ error) {
	first := LineLength(text)
	if bytes.IndexByte(text[:first], '"') >= 0 {
		n, err := f.quoted(text, first, cells)
		if err != nil {
			// What is said of it must not depend on how much of the text behind its first line is
			// there.
			if _, err = f.quoted(text[:first], first, nil); err == errOpen {
				err = ErrQuote
			}
		}
		return n, err
	}
	if cells != nil {
		*cells = f.split(WithoutEnd(text[:first]), *cells)
	}
	return first, nil
}

// LineLength returns the length of the first line, with its end.
func LineLength(text []byte) int {
	if n := bytes.IndexByte(text, '\n'); n >= 0 {
		return n + 1
	}
	return len(text)
}

// quoted does as record does where the first line, whose length is first, has a quote.
func (f Format) quoted(text []byte, first int, cells *[]Cell) (n int, _ error) {
	for n < len(text) {
		if text[n] != '"' {
			line := LineLength(text[n:])
			quote := bytes.IndexByte(text[n:n+line], '"')
			outside := WithoutEnd(text[n : n+line])
			switch {
			case quote > 0 && text[n+quote-1] != f.Delimiter:
				return first, ErrBareQuote
			case quote > 0:
				outside = text[n : n+quote-1]
			}
			if cells != nil {
				*cells = f.split(outside, *cells)
			}
			if quote < 0 {
				return n + line, nil
			}
			n += quote
		}
		end, doubled := closingQuote(text[n+1:])
		if end < 0 {
			return first, errOpen
		}
		if cells != nil {
			*cells = append(*cells, Cell{text[n+1 : n+1+end], true, doubled})
		}
		n += end + 2
		rest := text[n:]
		switch {
		case n > f.MaxRecord:
			return first, ErrQuote
		case len(rest) > 0 && rest[0] == f.Delimiter:
			n++
		case len(rest) > 0 && rest[0] == '\n':
			return n + 1, nil
		case len(rest) > 1 && rest[0] == '\r' && rest[1] == '\n':
			return n + 2, nil
		case len(rest) == 0 || len(rest) == 1 && rest[0] == '\r':
			return len(text), nil
		default:
			return first, ErrQuote
		}
	}
	// A delimiter was last, and an empty cell follows it.
	if cells != nil {
		*cells = append(*cells, Cell{})
	}
	return n, nil
}

// closingQuote returns where the quote is that ends a cell, or -1 where there is none.
func closingQuote(text []byte) (end int, doubled bool) {
	for {
		quote := bytes.IndexByte(text[end:], '"')
		if quote < 0 {
			return -1, doubled
		}
		end += quote
		if end+1 == len(text) || text[end+1] != '"' {
			return end, doubled
		}
		end, doubled = end+2, true
	}
}

// split cuts a line without quotes and line end at the delimiters.
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
