package lists

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"sync/atomic"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists/charset"
	"example.com/boxrules/cmd/boxrules/internal/lists/xlsx"
)

// A rowFormat knows how the rows of a file are written. It may be used concurrently.
type rowFormat interface {
	// whole returns the length of the whole rows at the start of the text; final says that no more
	// text follows.
	whole(text []byte, final bool) int
	// read reads the first row of a text of whole rows into an empty one, and returns its length.
	read(text []byte, r *Row) int
	// skip returns the length of that row, and reports whether it is empty.
	skip(text []byte) (n int, empty bool)
}

// A position counts what has been read of a file.
type position struct{ rows, lines int }

// A Reader reads the rows of an input, from the first on.
type Reader struct {
	Input
	rowFormat
	*textPieces
	Head      []byte   // what stands before the first row, to be kept by a filter
	Titles    []string // of the columns of a list, between which its Options.Delimiter stands
	OtherUnit string   // of the limits, where a dimension of the list is in another; else empty
	at        position

	console *console.Console
	file    io.ReadCloser
	text    *charset.Text
	foreign atomic.Bool // whether a name was no UTF-8 and taken for Windows-1252
}

// Decoded returns a name as UTF-8.
func (f *Reader) Decoded(name []byte) string {
	if f.text.Encoding == charset.Either && f.text.Foreign(name) {
		f.foreign.Store(true)
	}
	return f.text.Decode(name)
}

// noBreakSpace is the no-break space in Windows-1252. In UTF-8 the byte is part of other characters: it
// is the last one of à.
const noBreakSpace = 0xA0

// trimmed returns a cell without the white space around it. No-break spaces count as white space, in
// every encoding.
func (f *Reader) trimmed(cell []byte) []byte {
	cell = bytes.TrimSpace(cell)
	atEdge := len(cell) > 0 && (cell[0] == noBreakSpace || cell[len(cell)-1] == noBreakSpace)
	if !atEdge || !f.text.Foreign(cell) {
		return cell
	}
	f.Decoded(cell) // says that it is read as Windows-1252
	for space := []byte{noBreakSpace}; atEdge; {
		shorter := bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimPrefix(cell, space), space))
		atEdge, cell = len(shorter) < len(cell), shorter
	}
	return cell
}

// Open opens the file and reads what stands before its first row. Its errors name their place.
func (in Input) Open(c *console.Console) (*Reader, error) {
	file, err := in.openFile(c.In)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Shown(), console.FileCause(err))
	}
	f := &Reader{Input: in, console: c, file: file}
	if err := f.begin(); err != nil {
		_ = file.Close()
		return nil, err
	}
	return f, nil
}

// begin reads what stands before the first row.
func (f *Reader) begin() error {
	if s, ok := f.file.(*xlsx.Sheet); ok {
		f.Options.Delimiter, f.Options.Encoding = ',', charset.UTF8
		f.note("%s", s.Note)
	}
	encoding := f.Options.Encoding
	if encoding == "" && f.Kind == NDJSON && f.Answers {
		encoding = charset.Either // a zero byte beside its first letter is torn, and no sign of UTF-16
	}
	text, err := charset.Open(f.file, encoding)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Shown(), console.FileCause(err))
	}
	f.textPieces, f.text, f.Head = &textPieces{source: text.Reader}, text, []byte(text.Mark)
	if f.Kind == NDJSON {
		fields, ends := FieldNames, boxEnds
		if f.Answers {
			fields, ends = AnswerNames[:], recordEnds
		}
		f.rowFormat = &ndjsonFormat{fields: fields, given: f.Options.fixed(), ends: ends}
		return nil
	}
	f.note("%s", text.Note)
	return f.beginCSV()
}

// pass moves on behind what stands before the rows.
func (f *Reader) pass(n int) {
	f.Head, f.rest = append(f.Head, f.rest[:n]...), f.rest[n:]
	f.at.lines += f.lines(f.Head[len(f.Head)-n:])
}

// note says what was understood of the file. An empty text says nothing.
func (f *Reader) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); text != "" {
		f.console.Say("boxrules: %s: %s", f.Shown(), text)
	}
}

// failed returns the error with the place where reading stopped.
func (f *Reader) failed(err error) error {
	return fmt.Errorf("%s:%d: %w", f.Shown(), f.at.lines+1, console.FileCause(err))
}

// Close closes the file, and says what was understood of its rows.
func (f *Reader) Close() {
	if f.foreign.Load() {
		f.note("some text is not UTF-8: it is read as windows-1252, unless --encoding says another")
	}
	_ = f.file.Close()
}

// Encoded returns a text as the file is written, beside a row of it.
func (f *Reader) Encoded(text string, row []byte) string { return f.text.Encode(text, row) }

// Each calls take for every row of the file that has something in it. An error of take ends it. Its
// errors name their place. What is torn in a record is passed over, and reported at the end.
func (in Input) Each(c *console.Console, take func(*Row) error) error {
	f, err := in.Open(c)
	if err != nil {
		return err
	}
	defer f.Close()
	var torn tornReader
	var wrong error // of take
	number := 0
	takeRow := func(r *Row) {
		if wrong != nil {
			return
		}
		number++
		r.Number = number
		for field, name := range r.Names {
			r.Names[field] = []byte(f.Decoded(name))
			r.CheckName(field, r.Names[field])
		}
		if err := take(r); err != nil {
			wrong = fmt.Errorf("%s:%d: %w", f.Shown(), r.Line, console.FileCause(err))
		}
	}
	answerer := func(_ []byte, r *Row) []byte {
		if f.Kind == NDJSON && f.Answers {
			torn.read(r, takeRow)
		} else if !r.Empty {
			takeRow(r)
		}
		return nil
	}
	err = f.Flow([]Answerer{answerer}, true, func([]byte) error { return wrong })
	if all := torn.end(); err == nil && all.lines > 0 {
		f.console.Say("boxrules: %s:%d: %s", f.Shown(), all.first, all)
	}
	return cmp.Or(wrong, err)
}

// lines counts the lines of the text, or rows of a sheet.
func (f *Reader) lines(text []byte) (n int) {
	if f.Kind != XLSX {
		return bytes.Count(text, []byte("\n"))
	}
	for ; len(text) > 0; n++ {
		length, _ := f.skip(text)
		text = text[length:]
	}
	return n
}

// after returns the position behind a text, with its rows where they are counted.
func (f *Reader) after(text []byte, rows bool) position {
	at := position{f.at.rows, f.at.lines + f.lines(text)}
	for rows && len(text) > 0 {
		length, empty := f.skip(text)
		if !empty {
			at.rows++
		}
		text = text[length:]
	}
	return at
}
