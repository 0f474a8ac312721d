// Package strictyaml reads YAML files without YAML's surprises. It reports everything that is wrong with a
// file, with the line and column of each error.
//
// It accepts one document of mappings, lists and scalars: no anchors, aliases, tags or merge keys, no
// duplicate, empty or null keys, no empty values, no invisible characters. Whether a scalar is text
// or a number is decided by the caller that reads it, not by how it looks.
//
//	data ─> text: size, encoding, characters
//	     ─> syntax: gopkg.in/yaml.v3, one document
//	     ─> tree: everything else that is not accepted
//	     ─> Node: the caller reads the values, and reports further errors through it
//
// # What it relies on in yaml.v3
//
// The error messages of yaml.v3 are hard to understand, and the lines that they name are often wrong. So syntax.go
// writes its own messages. To do so, it compares the message of yaml.v3 with about 25 known messages. It also reads
// private fields of yaml.v3's parser, by reflection: the place of the error, and the place of the text or bracket that
// was being read. yaml.v3 does not promise to keep these messages and fields.
//
// yaml.v3 v3.0.1 is the last version: its repository is archived. If it is ever replaced with another version
// or a fork, TestSyntaxErrors and TestParseErrors show what has changed. An error text that syntax.go does
// not know is shown as it is, after "not YAML:". If a field is missing, Parse panics for every file that is
// not YAML. It does not read the fields for files that are YAML.
package strictyaml

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"example.com/boxrules/source"
	"gopkg.in/yaml.v3"
)

// maxErrors is the maximum number of errors that are listed for one file. If there are more, a final error says how
// many were omitted.
const maxErrors = 100

// Document holds a parsed file and the errors that have been found in it so far. It is not safe for
// concurrent use, because its nodes add errors to it.
type Document struct {
	file  string
	runes []rune // the text; characters that are not accepted are replaced by U+FFFD
	lines []int  // the offset in runes at which each line starts
	root  *yaml.Node

	replacedCharacters map[int]bool // the offsets in runes of replaced characters

	errors        source.Errors // at most maxErrors
	omittedErrors int           // the number of further errors
}

// Parse parses data, the content of the named file. The file may have at most maxBytes bytes. Parse always returns a
// document. The document's Errors method returns everything that is wrong with the file.
func Parse(name string, data []byte, maxBytes int) *Document {
	d := &Document{file: name, lines: []int{0}, replacedCharacters: make(map[int]bool)}
	if !d.readText(data, maxBytes) || !d.hasAcceptableNodeCount() {
		return d
	}
	d.rejectDirectives()
	switch root, ok := d.parseSyntax(); {
	case !ok:
	case root == nil || isMissingValue(root):
		d.report("", 0, `the file is empty; write keys and values, such as "version: 1"`)
	default:
		d.checkValue(root, 0)
		d.root = root
	}
	return d
}

// Root returns the root value of the file, or the zero Node if the file could not be parsed.
func (d *Document) Root() Node { return Node{doc: d, yaml: d.root} }

// readText decodes data as UTF-8, and reports characters that are not accepted. It returns false if data is
// too large or is not text.
func (d *Document) readText(data []byte, maxBytes int) bool {
	if len(data) > maxBytes {
		d.report("", 0, "the file is too large: at most %d KiB are read", maxBytes>>10)
		return false
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // a byte order mark, which some editors write
	d.runes = make([]rune, 0, len(data))
	// Decode all of the text, so that one run reports every character that is not accepted.
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			d.report("", len(d.runes), "byte 0x%02X is not UTF-8: save the file as UTF-8", data[0])
			return false
		}
		data = data[size:]
		if fault := characterFault(r, data); fault != "" {
			d.report("", len(d.runes), fault, r)
			// A caller that parses the text would report U+FFFD as another error, so remember where it
			// replaces a character.
			d.replacedCharacters[len(d.runes)] = true
			if len(d.replacedCharacters) == maxReplacedRunes {
				return false // it is not a text file
			}
			r = utf8.RuneError // yaml.v3 stops at some of these characters, and takes others for a line break
		}
		d.runes = append(d.runes, r)
		if r == '\n' {
			d.lines = append(d.lines, len(d.runes))
		}
	}
	return true
}

// maxReplacedRunes is the maximum number of characters that readText replaces because they are not accepted.
const maxReplacedRunes = 10_000

// maxNodeMarks is the maximum number of marks in a file, as hasAcceptableNodeCount counts them. yaml.v3 makes one or
// two nodes for each mark, and a node takes about 200 bytes. Without this bound, a file of 4 MiB such as [1,1,1,…]
// could have two million nodes.
const maxNodeMarks = 300_000

// Errors returns the errors that Parse and the nodes have reported so far, in the order of the text. It lists at most
// 100 errors. If there are more, a final error says how many were omitted.
func (d *Document) Errors() source.Errors {
	errs := slices.Clone(d.errors) // Err sorts them in place
	if errs.Err() == nil {
		return nil
	}
	if d.omittedErrors > 0 {
		errs = append(errs, &source.Error{
			Position: errs[len(errs)-1].Position,
			Message:  fmt.Sprintf("too many errors: %d more in this file are not listed", d.omittedErrors),
		})
	}
	return errs
}

func (d *Document) report(rule string, offset int, format string, args ...any) {
	if len(d.errors) >= maxErrors {
		d.omittedErrors++
		return
	}
	d.errors = append(d.errors, &source.Error{
		Position: d.position(offset),
		Rule:     rule,
		Message:  fmt.Sprintf(format, args...),
	})
}
