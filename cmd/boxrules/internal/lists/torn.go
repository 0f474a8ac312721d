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

// A tornReader skips and counts the torn lines of a record of answers: lines that were not written
// completely, because the disk was full or the computer crashed. A line is torn, anywhere in the record,
// if
//
//   - it is the beginning of a JSON object, such as {"article":"tuck-e, or
//   - it has zero bytes, which a file system leaves in place of text that it has lost. An answer before or
//     after the zero bytes is read.
//
// Any other line that is not an answer is junk. Junk at the end of the record also counts as torn if it
// begins with a line that is not text or is a last line without a line end. But if an answer follows, or if
// the file has no answer at all, junk is an error, because somebody may have meant to write an answer, or
// named the wrong file.
type tornReader struct {
	torn       tornTally
	hasAnswers bool   // whether an answer was read
	afterZero  bool   // whether the previous row ended in a zero byte
	junkRows   []*Row // these rows are torn if no answer follows
	junkTally  tornTally
}

// A tornTally counts torn lines.
type tornTally struct{ lines, bytes, first, last int }

// add counts bytes of a line. Several calls for the same line must follow each other.
func (t *tornTally) add(line, bytes int) {
	if t.lines == 0 {
		t.first = line
	}
	if t.last != line {
		t.lines++
	}
	t.bytes, t.last = t.bytes+bytes, line
}

func (t tornTally) String() string {
	return fmt.Sprintf("skipped %s (%s) that a full disk or a crash cut short",
		console.CountText(t.lines, "line", "lines"), console.CountText(t.bytes, "byte", "bytes"))
}

// maxJunk bounds how many junk rows are kept until it is known whether an answer follows. Further junk rows are
// only counted. That is enough, because package answers stops before it has reported that many.
const maxJunk = 100

// read calls handle for the row, unless it is torn or empty. If the row shows that the junk above it is an
// error, read calls handle for that first.
func (t *tornReader) read(row *Row, handle func(*Row)) {
	line := bytes.TrimSuffix(row.Text, []byte("\n"))
	text := bytes.TrimRight(line, "\x00")
	endsInZero, afterZero := len(text) < len(line), t.afterZero
	t.afterZero = endsInZero
	switch {
	case row.Empty, row.Object != nil:
		if endsInZero { // only the zero bytes are torn
			t.torn.add(row.Line, len(line)-len(text))
		}
	case isCutOff(text), t.hasAnswers && (endsInZero || afterZero):
		// A line after zero bytes may have lost its beginning, such as epth":141}.
		t.torn.add(row.Line, len(line))
		return
	// This is junk, unless it is a line of text between answers, which is an error in any case.
	case t.hasAnswers && (len(t.junkRows) > 0 || len(line) == len(row.Text) || !isTypedText(text)):
		t.junkTally.add(row.Line, len(line))
		// The Row is reused for the next row, so keep a copy of what handle needs.
		if len(t.junkRows) < maxJunk {
			t.junkRows = append(t.junkRows, &Row{File: row.File, Line: row.Line, Problems: slices.Clone(row.Problems)})
		}
		return
	}
	if row.Empty {
		return
	}
	// An answer after the junk, or a line of text, shows that the junk is not at the end of the record.
	t.hasAnswers = t.hasAnswers || row.Object != nil
	for _, junk := range t.junkRows {
		handle(junk)
	}
	t.junkRows, t.junkTally = nil, tornTally{}
	handle(row)
}

// end returns the count of all torn lines. It is called at the end of the file.
func (t *tornReader) end() tornTally {
	all := t.torn
	if t.junkTally.lines > 0 {
		// The file ended with the junk, so it counts as torn.
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

// isTypedText reports whether the line has only text that somebody may have typed.
func isTypedText(line []byte) bool {
	isOther := func(c rune) bool { return unicode.IsControl(c) && c != '\t' && c != '\r' }
	return utf8.Valid(line) && !bytes.ContainsFunc(line, isOther)
}
