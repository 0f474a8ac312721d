package boxrules

import "fmt"

// Stage is one of the three groups of checks. The groups run in the order of the constants, and the first
// violation ends the check. The zero Stage is not one of the three: it is the stage of the verdict on a valid
// box.
type Stage uint8

// The stages, in the order in which they run.
const (
	Boundary   Stage = iota + 1 // a dimension is outside the article's limits
	Constraint                  // the dimensions do not make a proper box together
	Size                        // the blank does not fit the sheet
)

// String returns the stage's key in a rule file: "boundary", "constraint" or "size". For the zero Stage it returns "none".
func (s Stage) String() string {
	switch s {
	case Boundary:
		return "boundary"
	case Constraint:
		return "constraint"
	case Size:
		return "size"
	}
	return "none"
}

// MarshalText returns the same text as String, so a [Stage] is written as a word in JSON.
func (s Stage) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText parses the text that [Stage.MarshalText] returns.
func (s *Stage) UnmarshalText(text []byte) error {
	for _, stage := range []Stage{0, Boundary, Constraint, Size} { // 0 is "none"
		if stage.String() == string(text) {
			*s = stage
			return nil
		}
	}
	return fmt.Errorf("%q is not a stage; accepted: boundary, constraint, size", text)
}
