package strictyaml

import (
	"bytes"
	"sort"
	"strings"
	"unicode"

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

// characterFault returns why r is not accepted, as a format for r; rest is what follows it.
func characterFault(r rune, rest []byte) string {
	switch {
	case r >= ' ' && r <= '~', r == '\t', r == '\n', r == '\r' && bytes.HasPrefix(rest, []byte("\n")):
		return ""
	case r == '\r':
		return "a carriage return (%U) without a line feed is not accepted: end the line with a line feed"
	case unicode.IsControl(r), r == '\u2028', r == '\u2029', r == 0xFFFE, r == 0xFFFF:
		return "control character %U is not accepted: take it out"
	case unicode.Is(unicode.Cf, r):
		return "invisible character %U is not accepted: a reader cannot see what it does"
	}
	return ""
}
