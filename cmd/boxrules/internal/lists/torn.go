package lists

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode"
	"unicode/utf8"

	"example.com/boxrules/cmd/boxrules/internal/console"
)

// A tornReader passes over the lines of a record that a full disk or a crash has torn, and counts
// them. A line is torn, wherever it is, if
//
//   - it is the beginning of a JSON object, which no answer that was written whole is, or
//   - it has zero bytes, which take the place of lost text. An answer beside them is read.
//
// Other junk is torn only if no answer follows: everything from the first line that is not text, or a
// last line without a line end. If an answer follows, the junk is an error, as somebody may have meant
// to write an answer. In a file without any answer it is an error too: such a file is not a record.
type tornReader struct {
	torn      tally
	answers   bool   // whether an answer was read
	afterZero bool   // whether the row before ended in a zero byte
	junk      []*Row // torn if no answer follows
	junkTally tally
}

// A tally counts torn lines.
type tally struct{ lines, bytes, first, last int }

// add counts bytes of a line.
func (t *tally) add(line, n int) {
	if t.lines == 0 {
		t.first = line
	}
	if t.last != line {
		t.lines++
	}
	t.bytes, t.last = t.bytes+n, line
}

// String returns the count in words.
func (t tally) String() string {
	return fmt.Sprintf("passed over %s (%s) that a full disk or a crash has torn",
		console.Count(t.lines, "line", "lines"), console.Count(t.bytes, "byte", "bytes"))
}

// maxJunk bounds the rows that are kept until it is known whether an answer follows. Fewer than that
// are reported.
const maxJunk = 100

// read calls take for the row, unless it is torn or empty. If the junk above the row turns out to be an
// error, read first calls take for that.
func (t *tornReader) read(r *Row, take func(*Row)) {
	line := bytes.TrimSuffix(r.Text, []byte("\n"))
	text := bytes.TrimRight(line, "\x00")
	endsInZero, afterZero := len(text) < len(line), t.afterZero
	t.afterZero = endsInZero
	switch {
	case r.Empty, r.Object != nil:
		if endsInZero {
			t.torn.add(r.Line, len(line)-len(text))
		}
	case isCutOff(text), t.answers && (endsInZero || afterZero):
		t.torn.add(r.Line, len(line))
		return
	case t.answers && (len(t.junk) > 0 || len(line) == len(r.Text) || !isText(text)):
		t.junkTally.add(r.Line, len(line))
		if len(t.junk) < maxJunk {
			t.junk = append(t.junk, &Row{File: r.File, Line: r.Line, Problems: slices.Clone(r.Problems)})
		}
		return
	}
	if r.Empty {
		return
	}
	t.answers = t.answers || r.Object != nil
	for _, junk := range t.junk {
		take(junk)
	}
	t.junk, t.junkTally = nil, tally{}
	take(r)
}

// end returns the count of torn lines, at the end of the file.
func (t *tornReader) end() tally {
	all := t.torn
	if t.junkTally.lines > 0 {
		if all.lines == 0 || t.junkTally.first < all.first {
			all.first = t.junkTally.first
		}
		all.lines, all.bytes = all.lines+t.junkTally.lines, all.bytes+t.junkTally.bytes
	}
	return all
}

// isCutOff reports whether a text is an incomplete JSON object.
func isCutOff(text []byte) bool {
	err := json.NewDecoder(bytes.NewReader(text)).Decode(new(json.RawMessage))
	return bytes.HasPrefix(text, []byte("{")) && errors.Is(err, io.ErrUnexpectedEOF)
}

// isText reports whether the bytes are text that somebody may have typed.
func isText(line []byte) bool {
	isOther := func(c rune) bool { return unicode.IsControl(c) && c != '\t' && c != '\r' }
	return utf8.Valid(line) && !bytes.ContainsFunc(line, isOther)
}
