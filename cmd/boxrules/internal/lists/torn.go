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

// A tornReader skips and counts the torn lines in a record of answers: lines that were only partly written, because
// the disk was full or the computer crashed. A line is torn, wherever it is in the record, if
//
//   - it is the beginning of a JSON object, such as {"article":"tuck-e, or
//   - it contains zero bytes, which a file system leaves in place of lost text. A complete answer before or after
//     the zero bytes is still read.
//
// Any other line that is not an answer is junk. Junk at the end of the record also counts as torn if its first line
// is not text, or if it is a single line without a line end. Junk before an answer is an error, because somebody
// may have meant to write an answer there. In a file without any answers, junk is an error because the user may
// have named the wrong file.
type tornReader struct {
	torn       tornTally
	hasAnswers bool   // whether an answer has been read
	afterZero  bool   // whether the previous row ended in a zero byte
	junkRows   []*Row // rows that count as torn if no answer follows
	junkTally  tornTally
}

// A tornTally counts torn lines and their bytes.
type tornTally struct{ lines, bytes, firstLine, lastLine int }

// add counts a torn part of the given line, and its length in bytes. Calls for the same line must be consecutive.
func (t *tornTally) add(line, bytes int) {
	if t.lines == 0 {
		t.firstLine = line
	}
	if t.lastLine != line {
		t.lines++
	}
	t.bytes, t.lastLine = t.bytes+bytes, line
}

func (t tornTally) String() string {
	return fmt.Sprintf("skipped %s (%s) that a full disk or a crash cut short",
		console.CountText(t.lines, "line", "lines"), console.CountText(t.bytes, "byte", "bytes"))
}

// maxJunk is the maximum number of junk rows that are kept until it is known whether an answer follows. Further
// junk rows are only counted. They need not be kept, because package answers gives up before it has reported that
// many errors.
const maxJunk = 100

// read calls handle for the row, unless the row is torn or empty. If the row shows that the junk above it is an
// error, read first calls handle for the junk.
func (t *tornReader) read(row *Row, handle func(*Row)) {
	line := bytes.TrimSuffix(row.Text, []byte("\n"))
	text := bytes.TrimRight(line, "\x00")
	endsInZero, afterZero := len(text) < len(line), t.afterZero
	t.afterZero = endsInZero
	switch {
	case row.Empty, row.Object != nil:
		if endsInZero { // only the zero bytes count as torn
			t.torn.add(row.Line, len(line)-len(text))
		}
	case isCutOff(text), t.hasAnswers && (endsInZero || afterZero):
		// A line after zero bytes may have lost its beginning, such as epth":141}.
		t.torn.add(row.Line, len(line))
		return
	// This is junk. An exception is a complete line of text right after an answer, which is an error whatever
	// follows.
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
	// The row is an answer or a line of text. It shows that the junk above it is not at the end of the record.
	t.hasAnswers = t.hasAnswers || row.Object != nil
	for _, junk := range t.junkRows {
		handle(junk)
	}
	t.junkRows, t.junkTally = nil, tornTally{}
	handle(row)
}

// end returns the count of all torn lines. It must be called at the end of the file.
func (t *tornReader) end() tornTally {
	all := t.torn
	if t.junkTally.lines > 0 {
		// The junk is at the end of the file, so it counts as torn.
		if all.lines == 0 || t.junkTally.firstLine < all.firstLine {
			all.firstLine = t.junkTally.firstLine
		}
		all.lines, all.bytes = all.lines+t.junkTally.lines, all.bytes+t.junkTally.bytes
	}
	return all
}

// isCutOff reports whether text is an incomplete JSON object.
func isCutOff(text []byte) bool {
	err := json.NewDecoder(bytes.NewReader(text)).Decode(new(json.RawMessage))
	return bytes.HasPrefix(text, []byte("{")) && errors.Is(err, io.ErrUnexpectedEOF)
}

// isTypedText reports whether the line is text that somebody may have typed: UTF-8 without control characters.
func isTypedText(line []byte) bool {
	isOther := func(c rune) bool { return unicode.IsControl(c) && c != '\t' && c != '\r' }
	return utf8.Valid(line) && !bytes.ContainsFunc(line, isOther)
}
