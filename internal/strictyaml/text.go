package strictyaml

import (
	"bytes"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/boxrules/source"
)

// text holds a file in characters, the unit in which columns count.
type text struct {
	file  string
	runes []rune // without a byte order mark; what is not accepted is replaced
	lines []int  // where each line starts in runes
}

// position returns the place of the character at index; the end of the text is a place too.
func (t *text) position(index int) source.Position {
	index = min(max(index, 0), len(t.runes))
	line := sort.SearchInts(t.lines, index+1)
	return source.Position{File: t.file, Line: line, Column: index - t.lines[line-1] + 1}
}

// index does the reverse of position. yaml.v3 puts the end of a text on a line behind the last one.
func (t *text) index(line, column int) int {
	if line > len(t.lines) {
		return len(t.runes)
	}
	return t.lines[line-1] + column - 1
}

// line returns the range of the line, counted from 1, without its line break.
func (t *text) line(line int) (start, end int) {
	start, end = t.lines[line-1], len(t.runes)
	if line == len(t.lines) {
		return start, end
	}
	end = t.lines[line] - 1
	if end > start && t.runes[end-1] == '\r' {
		end--
	}
	return start, end
}

// skipBlanks returns the first index from i on, before end, that holds neither space nor tab.
func (t *text) skipBlanks(i, end int) int {
	for i < end && (t.runes[i] == ' ' || t.runes[i] == '\t') {
		i++
	}
	return i
}

func isWhite(r rune) bool { return strings.ContainsRune(" \t\n\r\u0085\u2028\u2029", r) }

// read fills the text, and reports the bytes and characters that are not accepted. It fails where
// the bytes are no text at all.
func (d *Document) read(data []byte) bool {
	if len(data) > MaxBytes {
		d.report("", d.text.position(0), "the file is too large: at most %d KiB are read", MaxBytes>>10)
		return false
	}
	// A byte order mark tells, or the zeros beside an ASCII character.
	if bytes.HasPrefix(data, []byte{0xFF, 0xFE}) || bytes.HasPrefix(data, []byte{0xFE, 0xFF}) ||
		len(data) > 1 && (data[0] == 0 || data[1] == 0) {
		d.report("", d.text.position(0), "the file is UTF-16 or UTF-32: save it as UTF-8")
		return false
	}
	t := d.text
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	t.runes = make([]rune, 0, len(data))
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			d.report("", t.position(len(t.runes)), "byte 0x%02X is not UTF-8: save the file as UTF-8", data[0])
			return false
		}
		data = data[size:]
		fault := characterFault(r, data)
		t.runes = append(t.runes, r)
		if fault != "" {
			index := len(t.runes) - 1
			d.report("", t.position(index), fault, r)
			// yaml.v3 would stop at some of them, and take others for a line break.
			t.runes[index] = utf8.RuneError
		}
		if r == '\n' {
			t.lines = append(t.lines, len(t.runes))
		}
	}
	return true
}

// characterFault returns why r is not accepted, as a format for r; rest is what follows it.
func characterFault(r rune, rest []byte) string {
	switch {
	case r >= ' ' && r <= '~', r == '\t', r == '\n', r == '\r' && bytes.HasPrefix(rest, []byte("\n")):
		return ""
	case r == '\r':
		return "a carriage return (%U) without a line feed is not accepted: end the line with a line feed"
	case unicode.IsControl(r), r == 0xFFFE, r == 0xFFFF:
		return "control character %U is not accepted: take it out"
	case r == '\u2028', r == '\u2029':
		return "line separator %U is not accepted: end the line with a line feed"
	case unicode.Is(unicode.Cf, r):
		return "invisible character %U is not accepted: a reader cannot see what it does"
	}
	return ""
}
