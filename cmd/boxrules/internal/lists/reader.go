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

// A rowFormat reads rows in one of the file formats. It is safe for concurrent use.
type rowFormat interface {
	// completeLength returns the length of the complete rows at the start of the text. final is true if the text
	// ends the file.
	completeLength(text []byte, final bool) int
	// readRow reads the first row of the text into row, which the caller has reset. It returns the length of the
	// row. The text consists of complete rows.
	readRow(text []byte, row *Row) int
	// skipRow returns the length of the first row of the text, and reports whether the row is empty. The text
	// consists of complete rows.
	skipRow(text []byte) (n int, empty bool)
}

// A position is a place in a file: the number of rows and the number of lines before it.
type position struct{ rows, lines int }

// A Reader reads the rows of an input.
type Reader struct {
	Input
	rowFormat
	*chunker
	Head         []byte      // the file up to the first row, byte for byte
	Titles       []string    // the titles of the columns; nil for NDJSON
	Units        ReaderUnits // the units of the dimensions
	UnitInHeader bool        // whether a title in the header names a unit
	position     position
	points       pointUse

	console     *console.Console
	file        io.ReadCloser
	text        *charset.Text
	windows1252 atomic.Bool // whether some text was read as Windows-1252 although --encoding does not say so, because it is not UTF-8
}

// ReaderUnits are the units of the width, the depth and the height in a list.
type ReaderUnits [FieldCount - FirstDimension]string

// Common returns the unit of all dimensions, or "" if their units differ.
func (u ReaderUnits) Common() string {
	if u[0] != u[1] || u[0] != u[2] {
		return ""
	}
	return u[0]
}

// Decoded converts a name in the file to UTF-8.
func (r *Reader) Decoded(name []byte) string {
	if r.text.Encoding == charset.UTF8OrWindows1252 && r.text.IsWindows1252(name) {
		r.windows1252.Store(true)
	}
	return r.text.Decode(name)
}

// noBreakSpace is the no-break space in Windows-1252. In UTF-8, the same byte is part of other characters. For
// example, it is the last byte of à.
const noBreakSpace = 0xA0

// trimmed returns a cell without the white space around it. A no-break space counts as white space in every encoding.
func (r *Reader) trimmed(cell []byte) []byte {
	cell = bytes.TrimSpace(cell) // also removes no-break spaces in UTF-8
	atEdge := len(cell) > 0 && (cell[0] == noBreakSpace || cell[len(cell)-1] == noBreakSpace)
	if !atEdge || !r.text.IsWindows1252(cell) {
		return cell
	}
	r.Decoded(cell) // for its side effect: it records that a cell was read as Windows-1252
	// No-break spaces and other white space may alternate, so trim until nothing changes.
	for space := []byte{noBreakSpace}; atEdge; {
		shorter := bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimPrefix(cell, space), space))
		atEdge, cell = len(shorter) < len(cell), shorter
	}
	return cell
}

// readHead finds out how the file is written, and reads it up to its first row. For a list, it detects the encoding
// and the delimiter, and finds the columns.
func (r *Reader) readHead() error {
	if s, ok := r.file.(*xlsx.Sheet); ok {
		// Package xlsx converts the sheet to CSV with this delimiter and encoding.
		r.Options.Delimiter, r.Options.Encoding = ',', charset.UTF8
		r.note("%s", s.Note)
	}
	encoding := r.Options.Encoding
	if encoding == "" && r.Kind == NDJSON && r.Answers {
		// A zero byte at the start of a record was left by a crash. It does not mean that the record is UTF-16.
		encoding = charset.UTF8OrWindows1252
	}
	text, err := charset.Open(r.file, encoding)
	if err != nil {
		return fmt.Errorf("%s: %w", r.DisplayName(), console.FileCause(err))
	}
	r.chunker, r.text, r.Head = &chunker{source: text.Reader}, text, []byte(text.BOM)
	// NDJSON has no header that could name units. For a list, readCSVHead overwrites the units.
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

// consumeHead moves n bytes from r.rest to the end of r.Head.
func (r *Reader) consumeHead(n int) {
	r.Head, r.rest = append(r.Head, r.rest[:n]...), r.rest[n:]
	r.position.lines += r.countLines(r.Head[len(r.Head)-n:])
}

// note tells the user how the file was understood. It prints nothing if the text is empty.
func (r *Reader) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); text != "" {
		r.console.Say("boxrules: %s: %s", r.DisplayName(), text)
	}
}

// errorHere adds the name of the file and the number of the current line to err.
func (r *Reader) errorHere(err error) error {
	return fmt.Errorf("%s:%d: %w", r.DisplayName(), r.position.lines+1, console.FileCause(err))
}

// Close closes the file. Before that, it warns about text whose meaning was guessed: text that is not UTF-8, and
// numbers such as 1.200.
func (r *Reader) Close() {
	if r.windows1252.Load() {
		r.note("some text is not UTF-8, so it is read as windows-1252; if that is wrong, give the encoding with --encoding")
	}
	if !r.points.decimal && r.points.thousands != "" {
		r.note("%s is read as %s, but nothing in the list confirms that the point is a decimal point; "+
			"if it separates thousands, remove it", wording.Quote(r.points.thousands), r.points.shortened())
	}
	_ = r.file.Close()
}

// Encoded converts text from UTF-8 to the encoding of a row, so that it can be written next to the row.
func (r *Reader) Encoded(text string, row []byte) string { return r.text.Encode(text, row) }

// countLines returns the number of lines in the text, or the number of rows if the file is a workbook.
func (r *Reader) countLines(text []byte) (n int) {
	if r.Kind != XLSX {
		return bytes.Count(text, []byte("\n"))
	}
	// A cell of a sheet may contain line breaks. In messages about a workbook, the line is the number of the row in
	// the sheet.
	for ; len(text) > 0; n++ {
		length, _ := r.skipRow(text)
		text = text[length:]
	}
	return n
}

// positionAfter returns the position after a text of complete rows that begins at r.position. It counts rows only
// if countRows is true, because counting takes time.
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
