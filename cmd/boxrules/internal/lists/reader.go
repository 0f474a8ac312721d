package lists

import (
	"bytes"
	"fmt"
	"io"
	"sync/atomic"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists/charset"
	"example.com/boxrules/cmd/boxrules/internal/lists/xlsx"
	"example.com/boxrules/internal/wording"
)

// A rowFormat reads rows in one of the formats of files. It is safe for concurrent use.
type rowFormat interface {
	// completeLength returns the length of the complete rows at the start of the text. final is true if
	// no more text follows.
	completeLength(text []byte, final bool) int
	// readRow reads the first row of a text of complete rows into row, which was reset, and returns its
	// length.
	readRow(text []byte, row *Row) int
	// skipRow returns the length of the first row of a text of complete rows, and reports whether the row is
	// empty.
	skipRow(text []byte) (n int, empty bool)
}

// A position says how many rows and lines of a file have been read.
type position struct{ rows, lines int }

// A Reader reads the rows of an input.
type Reader struct {
	Input
	rowFormat
	*chunker
	Head         []byte      // what comes before the first row, byte for byte
	Titles       []string    // of the columns of a list
	Units        ReaderUnits // of the dimensions
	UnitInHeader bool        // whether a title names one of them
	position     position
	points       pointUse

	console     *console.Console
	file        io.ReadCloser
	text        *charset.Text
	windows1252 atomic.Bool // whether a name was read as Windows-1252 because it is not UTF-8, and not because of --encoding
}

// ReaderUnits are the units of the width, depth and height of a list.
type ReaderUnits [FieldCount - FirstDimension]string

// Common returns the unit of all dimensions, or "" if they have different ones.
func (u ReaderUnits) Common() string {
	if u[0] != u[1] || u[0] != u[2] {
		return ""
	}
	return u[0]
}

// Decoded returns a name as UTF-8.
func (r *Reader) Decoded(name []byte) string {
	if r.text.Encoding == charset.UTF8OrWindows1252 && r.text.IsWindows1252(name) {
		r.windows1252.Store(true)
	}
	return r.text.Decode(name)
}

// noBreakSpace is the no-break space in Windows-1252. In UTF-8 the byte is part of other characters: it
// is the last one of à.
const noBreakSpace = 0xA0

// trimmed returns a cell without the white space around it. No-break spaces count as white space, in
// every encoding.
func (r *Reader) trimmed(cell []byte) []byte {
	cell = bytes.TrimSpace(cell) // also removes no-break spaces in UTF-8
	atEdge := len(cell) > 0 && (cell[0] == noBreakSpace || cell[len(cell)-1] == noBreakSpace)
	if !atEdge || !r.text.IsWindows1252(cell) {
		return cell
	}
	r.Decoded(cell) // notes that it is read as Windows-1252
	// Both kinds of white space may alternate, so remove them until nothing changes.
	for space := []byte{noBreakSpace}; atEdge; {
		shorter := bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimPrefix(cell, space), space))
		atEdge, cell = len(shorter) < len(cell), shorter
	}
	return cell
}

// readHead detects how the file is written: its encoding, and for a list its delimiter and columns.
func (r *Reader) readHead() error {
	if s, ok := r.file.(*xlsx.Sheet); ok {
		// Package xlsx has converted the sheet to CSV, so this is known.
		r.Options.Delimiter, r.Options.Encoding = ',', charset.UTF8
		r.note("%s", s.Note)
	}
	encoding := r.Options.Encoding
	if encoding == "" && r.Kind == NDJSON && r.Answers {
		// A zero byte at the start of a record comes from a crash. It does not mean UTF-16.
		encoding = charset.UTF8OrWindows1252
	}
	text, err := charset.Open(r.file, encoding)
	if err != nil {
		return fmt.Errorf("%s: %w", r.DisplayName(), console.FileCause(err))
	}
	r.chunker, r.text, r.Head = &chunker{source: text.Reader}, text, []byte(text.BOM)
	// An object names its fields, so NDJSON has no header. A list has one, which must be found.
	for axis := range r.Units {
		r.Units[axis] = r.Options.Catalogue
	}
	if r.Kind == NDJSON {
		j, err := newJSONFormat(r.Answers, r.Options)
		if err != nil {
			return fmt.Errorf("%s: %w", r.DisplayName(), err)
		}
		r.rowFormat = j
		return nil
	}
	r.note("%s", text.Note)
	return r.readCSVHead()
}

// consumeHead moves n bytes from rest to Head.
func (r *Reader) consumeHead(n int) {
	r.Head, r.rest = append(r.Head, r.rest[:n]...), r.rest[n:]
	r.position.lines += r.countLines(r.Head[len(r.Head)-n:])
}

// note prints a text that says how the file was understood, unless it is empty.
func (r *Reader) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); text != "" {
		r.console.Say("boxrules: %s: %s", r.DisplayName(), text)
	}
}

// errorHere returns err with the name of the file and the number of the current line before it.
func (r *Reader) errorHere(err error) error {
	return fmt.Errorf("%s:%d: %w", r.DisplayName(), r.position.lines+1, console.FileCause(err))
}

// Close closes the file. First it reports how it has read texts that may have been meant differently: those that
// are not UTF-8, and numbers such as 1.200.
func (r *Reader) Close() {
	if r.windows1252.Load() {
		r.note("some text is not UTF-8: it is read as windows-1252; give another encoding with --encoding")
	}
	if !r.points.decimal && r.points.thousands != "" {
		r.note("%s is read as %s, and no dimension in the list shows that its point is a decimal point; "+
			"if it separates thousands, remove it", wording.Quote(r.points.thousands), r.points.shortened())
	}
	_ = r.file.Close()
}

// Encoded returns a text in the encoding of the row, so that the text can be written next to the row.
func (r *Reader) Encoded(text string, row []byte) string { return r.text.Encode(text, row) }

// countLines counts the lines of the text, or the rows of a sheet.
func (r *Reader) countLines(text []byte) (n int) {
	if r.Kind != XLSX {
		return bytes.Count(text, []byte("\n"))
	}
	// A cell of a sheet may contain line breaks. In messages, "line" is the number of the row in the sheet.
	for ; len(text) > 0; n++ {
		length, _ := r.skipRow(text)
		text = text[length:]
	}
	return n
}

// positionAfter returns the position after a text of complete rows. It counts the rows only if countRows
// is set, because that takes time.
func (r *Reader) positionAfter(text []byte, countRows bool) position {
	p := position{r.position.rows, r.position.lines + r.countLines(text)}
	for countRows && len(text) > 0 {
		length, empty := r.skipRow(text)
		if !empty {
			p.rows++
		}
		text = text[length:]
	}
	return p
}
