package boxrules

import (
	"fmt"

	"example.com/boxrules/internal/source"
)

// SourceError is one thing wrong with a rule or limit file: what, and at which file, line and column
// (both counted from 1, the column in characters). It is what errors.As finds in an error of LoadRules,
// limits.Load and New.
type SourceError = source.Error

// SourceErrors is everything wrong with the files, a line each, in the order of the text.
type SourceErrors = source.Errors

// Position is a place in a rule or limit file.
type Position = source.Position

// InputError says that a question is not about a box: a dimension that is no number, an unknown
// article or material. It is never a verdict, and it comes before any rule runs.
type InputError struct {
	// Field names what is wrong: "article", "material", "width", "depth" or "height"; "step" where a step for
	// the nearest box is none, and "fixed" where package boxmap is told to hold no dimension.
	Field string
	// Reason says in a few words what is wrong and what would be accepted.
	Reason string
}

// Error is the field and the reason in one line.
func (e *InputError) Error() string { return e.Field + ": " + e.Reason }

// BoxError is a verdict as an error: the box cannot be made. It is what Verdict.Err returns.
type BoxError struct {
	Violation
}

// Error is the code, the stage and the rule's message. Programs rely on the code alone.
func (e *BoxError) Error() string {
	if e.Code == "" {
		return "no verdict: the box was not checked"
	}
	return fmt.Sprintf("%s (%s): %s", e.Code, e.Stage, e.Message)
}
