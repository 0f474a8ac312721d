// Package source defines positions in rule and limit files, and errors with a position. You need it only if
// your program shows the errors of LoadRules, New or limits.Load in its own way.
package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Position is a position in a rule or limit file. Lines and columns are numbered from 1. A column is a
// character (rune), not a byte.
type Position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// String returns the position as file:line:column.
func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Error is a mistake in a rule or limit file, with its position. If the limits were made in Go, there is no
// file: Position is zero, and Rule is the path of the field. To find the first error, write
//
//	var problem *source.Error
//	if errors.As(err, &problem) { … problem.Line … }
type Error struct {
	Position
	// Rule is the code of the rule, or the dotted path of the entry that has the error ("articles.tuck-end").
	// It is empty if the error is about the file as a whole. If Position is zero, Rule is the path of the
	// field itself ("articles.tuck-end.width.max").
	Rule string `json:"rule,omitempty"`
	// Message says in one line what is wrong and what would be accepted.
	Message string `json:"message"`
}

// Error returns the error on one line, as file:line:column: rule: message. It leaves out the position or the
// rule if there is none.
func (e *Error) Error() string {
	text := e.Message
	if e.Rule != "" {
		text = e.Rule + ": " + text
	}
	// Limits made in Go have no positions.
	if e.Position != (Position{}) {
		text = e.Position.String() + ": " + text
	}
	return text
}

// Errors is a list of all mistakes in one or more files, in the order of their positions. To get the
// list from an error, write
//
//	var problems source.Errors
//	if errors.As(err, &problems) { … len(problems) … }
type Errors []*Error

// Error returns the errors, one on each line.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, err := range e {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors in the list, so that errors.Is and errors.As can find them.
func (e Errors) Unwrap() []error {
	// errors.Is and errors.As need a []error, and Go does not convert a []*Error to one.
	errs := make([]error, len(e))
	for i, err := range e {
		errs[i] = err
	}
	return errs
}

// Err sorts the errors by file, line and column and returns them. It returns nil if there are none.
func (e Errors) Err() error {
	if len(e) == 0 {
		return nil
	}
	// The sort is stable, so that several errors at one position stay in the order in which they were
	// found.
	slices.SortStableFunc(e, func(a, b *Error) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column)
	})
	return e
}
