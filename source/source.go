// Package source says where in a file something stands, and reports what is wrong there.
package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Position is a place in a rule or limit file. Line and Column count from 1; Column counts
// characters (runes), not bytes.
type Position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// String returns the position as file:line:column.
func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Error is one thing wrong with a rule or limit file, at the place where it is wrong. What was made
// in Go has no place: its Position is zero, and Rule leads to the field. [Errors] are pointers:
// find the first by
//
//	var problem *source.Error
//	if errors.As(err, &problem) { … problem.Line … }
type Error struct {
	Position
	// Rule is the code of the rule, or the dotted path of the entry ("articles.tuck-end"), that the
	// error belongs to; empty where the error belongs to the file as a whole. Where there is no
	// place it is the path of the very field ("articles.tuck-end.width.max").
	Rule string `json:"rule,omitempty"`
	// Message says in one line what is wrong and what would be accepted.
	Message string `json:"message"`
}

// Error returns the whole error in one line, without the position or the rule where it has none:
// file:line:column: rule: message.
func (e *Error) Error() string {
	text := e.Message
	if e.Rule != "" {
		text = e.Rule + ": " + text
	}
	if e.Position != (Position{}) {
		text = e.Position.String() + ": " + text
	}
	return text
}

// Errors is everything wrong with one or more files, in the order of the text. errors.As wants a
// pointer to such a slice:
//
//	var problems source.Errors
//	if errors.As(err, &problems) { … len(problems) … }
type Errors []*Error

// Error returns one line for each error.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, err := range e {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the single errors, for errors.Is and errors.As.
func (e Errors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, err := range e {
		errs[i] = err
	}
	return errs
}

// Err brings the errors into the order of file, line and column and returns them; nil where there
// is none.
func (e Errors) Err() error {
	if len(e) == 0 {
		return nil
	}
	slices.SortStableFunc(e, func(a, b *Error) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column)
	})
	return e
}
