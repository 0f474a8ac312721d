package strictyaml

import (
	"sort"
	"strings"

	"example.com/boxrules/source"
	"gopkg.in/yaml.v3"
)

// start returns the offset at which a node starts. A tag or an anchor is part of the node.
func (d *Document) start(n *yaml.Node) int { return d.offset(n.Line, n.Column) }

// position returns the line and column of an offset. The offset may be the end of the text.
func (d *Document) position(offset int) source.Position {
	offset = min(max(offset, 0), len(d.runes))
	line := sort.SearchInts(d.lines, offset+1) // the number of lines that start at the offset or before it
	return source.Position{File: d.file, Line: line, Column: offset - d.lines[line-1] + 1}
}

// offset is the inverse of position: it returns the offset of a line and column. It also accepts the line after the
// last one, because that is how yaml.v3 reports the end of the text.
func (d *Document) offset(line, column int) int {
	if line > len(d.lines) {
		return len(d.runes)
	}
	return d.lines[line-1] + column - 1
}

// lineRange returns the offsets at which a line starts and ends. Its line break is not included. Lines are
// numbered from 1.
func (d *Document) lineRange(line int) (start, end int) {
	start, end = d.lines[line-1], len(d.runes)
	if line < len(d.lines) {
		end = d.lines[line] - 1
	}
	// The line may end with \r\n.
	if end > start && d.runes[end-1] == '\r' {
		end--
	}
	return start, end
}

// scalarOffset returns the offset in the file of a character of a scalar, given its index in the
// scalar's value.
//
// yaml.v3 gives us the value of a scalar and the place at which the scalar starts. It does not give us the
// place of each character. In
//
//	when: "depth >
//	  2 * width"
//
// the value is `depth > 2 * width`, because YAML folds the line break and the indentation into one space.
// However, folding changes nothing but white space. If we skip white space in both, the k-th character of the
// value is the k-th character of the text. So scalarOffset walks through the two side by side. If the
// character at the index is white space, the result is the place of the next character that is not.
//
// In double quotes an escape such as \x41 is written differently from its value. After an escape the two no
// longer match, and scalarOffset returns the start of the scalar.
func (d *Document) scalarOffset(n *yaml.Node, index int) int {
	start := d.start(n)
	offset := start
	switch {
	case n.Kind != yaml.ScalarNode, strings.TrimSpace(n.Value) == "":
		return start
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		_, offset = d.lineRange(d.position(start).Line) // the text begins on the line after | or >
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		offset++ // after the quote
	}
	for i, r := range []rune(n.Value) {
		if isWhitespace(r) {
			continue
		}
		// Skip white space in the text. The value may have a single space in its place, or nothing.
		for offset < len(d.runes) && isWhitespace(d.runes[offset]) {
			offset++
		}
		if d.character(offset) != r {
			return start // an escape
		}
		if i >= index {
			return offset
		}
		offset++
		if r == '\'' && n.Style&yaml.SingleQuotedStyle != 0 {
			offset++ // inside single quotes, a single quote is written twice
		}
	}
	return offset
}
