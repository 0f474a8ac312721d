// Package strictyaml reads a YAML file with none of YAML's surprises, and reports everything that
// is wrong with the file, each at its line and column.
//
// What is left of YAML is one document of mappings, lists and scalars: no anchors, aliases, tags
// or merge keys, no duplicate, empty or null keys, no empty values, no invisible
// characters. Whether a scalar is text or a number is decided by the caller that asks for it, not
// by its looks.
//
//	data ─> text: size, encoding, characters
//	     ─> syntax: gopkg.in/yaml.v3, one document
//	     ─> tree: all else that is not accepted
//	     ─> Node: the caller reads, and reports what it finds wrong itself
package strictyaml

import (
	"fmt"
	"slices"
	"strings"

	"example.com/boxrules/source"
	"gopkg.in/yaml.v3"
)

const (
	// MaxBytes bounds the size of a file that is read.
	MaxBytes = 256 << 10

	maxErrors = 100 // listed for one file; one more says that there were more
	maxDepth  = 32  // collections within collections

	tooDeepMessage = "nested too deep: at most 32 levels are accepted"
)

// Document holds one parsed file and everything found wrong with it so far. It is not safe for
// concurrent use: its nodes add errors to it.
type Document struct {
	text *text
	root *yaml.Node

	errors  source.Errors
	omitted int
}

// Parse reads data, the content of the file with that name. It always returns a document: what is
// wrong is in its Errors.
func Parse(name string, data []byte) *Document {
	d := &Document{text: &text{file: name, lines: []int{0}}}
	if !d.read(data) {
		return d
	}
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

// Root returns the value that the file holds, and a Node that IsZero where the file could not be
// parsed.
func (d *Document) Root() Node { return Node{doc: d, yaml: d.root} }

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

func (d *Document) report(rule string, at source.Position, format string, args ...any) {
	if len(d.errors) >= maxErrors {
		d.omitted++
		return
	}
	d.errors = append(d.errors, &source.Error{
		Position: at,
		Rule:     rule,
		Message:  oneLine(fmt.Sprintf(format, args...)),
	})
}

// oneLine joins the lines of a message of a library, which would break the list of errors.
func oneLine(message string) string {
	if strings.ContainsAny(message, "\n\r\u0085\u2028\u2029") {
		return strings.Join(strings.Fields(message), " ")
	}
	return message
}
