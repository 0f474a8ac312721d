// Package strictyaml reads a YAML file with none of YAML's surprises, and reports everything that
// is wrong with the file, each at its line and column.
//
// What is left of YAML is one document of mappings, lists and scalars: no anchors, aliases, tags or
// merge keys, no duplicate, empty or null keys, no empty values, no invisible characters. Whether a
// scalar is text or a number is decided by the caller that asks for it, not by its looks.
//
//	data ─> text: size, encoding, characters
//	     ─> syntax: gopkg.in/yaml.v3, one document
//	     ─> tree: all else that is not accepted
//	     ─> Node: the caller reads, and reports what it finds wrong itself
package strictyaml

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/boxrules/source"
	"gopkg.in/yaml.v3"
)

// maxErrors bounds the errors that are listed for one file; one more says that there were more.
const maxErrors = 100

// Document holds one parsed file and everything found wrong with it so far. It is not safe for
// concurrent use: its nodes add errors to it.
type Document struct {
	file  string
	runes []rune // the characters, in which columns count; what is not accepted is replaced
	lines []int  // where each line starts in runes
	root  *yaml.Node

	replacedCharacters map[int]bool // the indexes of replaced characters in runes

	errors  source.Errors
	omitted int
}

// MaxBytes bounds the size of a file that is read.
const MaxBytes = 256 << 10

// Parse reads data, the content of the file with that name. It always returns a document: what is
// wrong is in its Errors.
func Parse(name string, data []byte) *Document {
	d := &Document{file: name, lines: []int{0}, replacedCharacters: make(map[int]bool)}
	if !d.readText(data) {
		return d
	}
	d.rejectDirectives()
	switch root, ok := d.parse(); {
	case !ok:
	case root == nil || isNothing(root):
		d.report("", 0, `the file is empty; write keys and values, such as "version: 1"`)
	default:
		d.checkValue(root, 0)
		d.root = root
	}
	return d
}

// refuseDirectives reports lines such as %YAML 1.2 before the document.
func (d *Document) rejectDirectives() {
	for _, start := range d.lines {
		switch d.character(start) {
		case '%':
			d.report("", start, "directives are not accepted: take the line out")
			d.runes[start] = '#' // a comment, so that the rest of the file is read
		case '#', '\r', '\n':
		default:
			return
		}
	}
}

// Root returns the value that the file holds, and a Node that IsZero where the file could not be
// parsed.
func (d *Document) Root() Node { return Node{doc: d, yaml: d.root} }

// read fills the text, and reports the bytes and characters that are not accepted. It fails where
// the bytes are no text at all.
func (d *Document) readText(data []byte) bool {
	if len(data) > MaxBytes {
		d.report("", 0, "the file is too large: at most %d KiB are read", MaxBytes>>10)
		return false
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	d.runes = make([]rune, 0, len(data))
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			d.report("", len(d.runes), "byte 0x%02X is not UTF-8: save the file as UTF-8", data[0])
			return false
		}
		data = data[size:]
		if fault := characterFault(r, data); fault != "" {
			d.report("", len(d.runes), fault, r)
			d.replacedCharacters[len(d.runes)] = true
			r = utf8.RuneError // yaml.v3 would stop at some of them, and take others for a line break
		}
		d.runes = append(d.runes, r)
		if r == '\n' {
			d.lines = append(d.lines, len(d.runes))
		}
	}
	return true
}

// Errors returns everything found wrong so far, by Parse and through the nodes, in the order of the
// text. It lists at most 100; the last one says so where there were more.
func (d *Document) Errors() source.Errors {
	errs := slices.Clone(d.errors)
	if errs.Err() == nil {
		return nil
	}
	if d.omitted > 0 {
		errs = append(errs, &source.Error{
			Position: errs[len(errs)-1].Position,
			Message:  fmt.Sprintf("too many errors: %d more in this file are not listed", d.omitted),
		})
	}
	return errs
}

func (d *Document) report(rule string, offset int, format string, args ...any) {
	if len(d.errors) >= maxErrors {
		d.omitted++
		return
	}
	d.errors = append(d.errors, &source.Error{
		Position: d.position(offset),
		Rule:     rule,
		Message:  fmt.Sprintf(format, args...),
	})
}

// rejected marks a node whose error is reported: nothing reads it any more, so nothing reports it
// twice.
const rejected yaml.Kind = 0

// index returns where a node starts: at its tag or anchor, where it has one.
func (d *Document) start(n *yaml.Node) int { return d.offset(n.Line, n.Column) }

func (d *Document) rejectf(n *yaml.Node, format string, args ...any) {
	d.report("", d.start(n), format, args...)
	n.Kind = rejected
}

// character returns the one at the index, and at the end of the text the line break that it could
// end in.
func (d *Document) character(offset int) rune {
	if offset < len(d.runes) {
		return d.runes[offset]
	}
	return '\n'
}

// position returns the place of the character at index; the end of the text is a place too.
func (d *Document) position(offset int) source.Position {
	offset = min(max(offset, 0), len(d.runes))
	line := sort.SearchInts(d.lines, offset+1)
	return source.Position{File: d.file, Line: line, Column: offset - d.lines[line-1] + 1}
}

// at does the reverse of position. yaml.v3 puts the end of a text on a line behind the last one.
func (d *Document) offset(line, column int) int {
	if line > len(d.lines) {
		return len(d.runes)
	}
	return d.lines[line-1] + column - 1
}

// line returns the range of the line, counted from 1, without its line break.
func (d *Document) lineRange(line int) (start, end int) {
	start, end = d.lines[line-1], len(d.runes)
	if line < len(d.lines) {
		end = d.lines[line] - 1
	}
	if end > start && d.runes[end-1] == '\r' {
		end--
	}
	return start, end
}

// skipBlanks returns the first index from i on, before end, that holds neither space nor tab.
func (d *Document) skipBlanks(i, end int) int {
	for i < end && (d.runes[i] == ' ' || d.runes[i] == '\t') {
		i++
	}
	return i
}

func isWhitespace(r rune) bool { return strings.ContainsRune(" \t\n\r\u0085\u2028\u2029", r) }

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

// scalarIndex returns where the character at offset of a scalar's value stands in the text. Folding
// and indentation touch white space only, so the k-th character of the value that is not white is
// the k-th of the source. Where it is another one there, as behind an escape, scalarIndex returns
// where the scalar starts. White space itself is placed at the character behind it.
func (d *Document) scalarOffset(n *yaml.Node, index int) int {
	start := d.start(n)
	position := start
	switch {
	case n.Kind != yaml.ScalarNode, strings.TrimSpace(n.Value) == "":
		return start
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		_, position = d.lineRange(d.position(start).Line)
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		position++
	}
	for i, r := range []rune(n.Value) {
		if isWhitespace(r) {
			continue
		}
		for position < len(d.runes) && isWhitespace(d.runes[position]) {
			position++
		}
		if d.character(position) != r {
			return start
		}
		if i >= index {
			return position
		}
		position++
		if r == '\'' && n.Style&yaml.SingleQuotedStyle != 0 {
			position++ // it is written twice
		}
	}
	return position
}
