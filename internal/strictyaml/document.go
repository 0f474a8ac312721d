package strictyaml

import (
	"fmt"
	"slices"

	"example.com/boxrules/source"
	"gopkg.in/yaml.v3"
)

// maxErrors bounds the errors that are listed for one file; one more says that there were more.
const maxErrors = 100

// Document holds one parsed file and everything found wrong with it so far. It is not safe for
// concurrent use: its nodes add errors to it.
type Document struct {
	text *text
	root *yaml.Node

	errors  source.Errors
	omitted int
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

func (d *Document) report(rule string, at source.Position, format string, args ...any) {
	if len(d.errors) >= maxErrors {
		d.omitted++
		return
	}
	d.errors = append(d.errors, &source.Error{
		Position: at,
		Rule:     rule,
		Message:  fmt.Sprintf(format, args...),
	})
}

// rejected marks a node whose error is reported: nothing reads it any more, so nothing reports it
// twice.
const rejected yaml.Kind = 0

// index returns where a node starts: at its tag or anchor, where it has one.
func (d *Document) index(n *yaml.Node) int { return d.text.index(n.Line, n.Column) }

func (d *Document) rejectf(n *yaml.Node, format string, args ...any) {
	d.report("", d.text.position(d.index(n)), format, args...)
	n.Kind = rejected
}

// character returns the one at the index, and at the end of the text the line break that it could
// end in.
func (d *Document) character(at int) rune {
	if at < len(d.text.runes) {
		return d.text.runes[at]
	}
	return '\n'
}
