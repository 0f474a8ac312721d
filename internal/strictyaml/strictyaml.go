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
	"unicode/utf8"
)

// MaxBytes bounds the size of a file that is read.
const MaxBytes = 256 << 10

// Parse reads data, the content of the file with that name. It always returns a document: what is
// wrong is in its Errors.
func Parse(name string, data []byte) *Document {
	d := &Document{text: &text{file: name, lines: []int{0}}}
	if !d.read(data) {
		return d
	}
	d.refuseDirectives()
	switch root, ok := d.parse(); {
	case !ok:
	case root == nil || isNothing(root):
		d.report("", d.text.position(0), `the file is empty; write keys and values, such as "version: 1"`)
	default:
		d.checkValue(root, 0)
		d.root = root
	}
	return d
}

// refuseDirectives reports lines such as %YAML 1.2 before the document.
func (d *Document) refuseDirectives() {
	for _, start := range d.text.lines {
		switch d.character(start) {
		case '%':
			d.report("", d.text.position(start), "directives are not accepted: take the line out")
			d.text.runes[start] = '#' // a comment, so that the rest of the file is read
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
func (d *Document) read(data []byte) bool {
	if len(data) > MaxBytes {
		d.report("", d.text.position(0), "the file is too large: at most %d KiB are read", MaxBytes>>10)
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
