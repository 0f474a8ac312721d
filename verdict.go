package boxrules

import (
	"encoding/json"
)

// A Violation is one rule that a box violates.
type Violation struct {
	Code    Code   `json:"code"`
	Stage   Stage  `json:"stage"`
	Message string `json:"message"` // the rule's text for people
}

// A Verdict says whether a box can be made, and if not, which rule it violates first. The zero Verdict means
// that no box was checked: it is not OK, and its Code is empty. Verdicts are small, so pass them by value.
// Compare their codes, not the verdicts themselves: == is false for verdicts from two different engines, even
// if the codes are the same.
type Verdict struct {
	violation *Violation // &noViolation for a valid box, nil for no verdict
}

// noViolation is what the verdict on a valid box points to, in place of a violated rule.
var noViolation Violation

// OK reports whether the box violates no rule.
func (v Verdict) OK() bool { return v.violation == &noViolation }

// Code returns the code of the first rule that the box violates, or "" if it violates none.
func (v Verdict) Code() Code {
	if v.violation == nil {
		return ""
	}
	return v.violation.Code
}

// Stage returns the stage of the first rule that the box violates, or 0 if it violates none.
func (v Verdict) Stage() Stage {
	if v.violation == nil {
		return 0
	}
	return v.violation.Stage
}

// Err returns the verdict as an error: nil for a valid box, otherwise a *[BoxError].
func (v Verdict) Err() error {
	switch v.violation {
	case &noViolation:
		return nil
	case nil:
		return &BoxError{}
	}
	return &BoxError{*v.violation}
}

type jsonVerdict struct {
	OK bool `json:"ok"`
	*Violation
}

// MarshalJSON returns {"ok":true} for a valid box, and null for the zero Verdict. Otherwise it returns
// "ok":false together with the keys of the [Violation].
func (v Verdict) MarshalJSON() ([]byte, error) {
	if v.violation == nil {
		return []byte("null"), nil
	}
	if v.OK() {
		return json.Marshal(jsonVerdict{OK: true})
	}
	return json.Marshal(jsonVerdict{Violation: v.violation})
}

// UnmarshalJSON parses what [Verdict.MarshalJSON] returns.
func (v *Verdict) UnmarshalJSON(data []byte) error {
	var read *jsonVerdict // stays nil for null, the zero Verdict
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	switch {
	case read == nil:
		*v = Verdict{}
	case read.OK:
		*v = Verdict{&noViolation}
	default:
		*v = Verdict{read.Violation}
	}
	return nil
}

// validAnswer is the answer for a valid box, in place of a code.
const validAnswer = "valid"

// codeOrValid returns "valid" for a valid box, and otherwise the code.
func (v Verdict) codeOrValid() string {
	if v.OK() {
		return validAnswer
	}
	return string(v.Code())
}

// String returns "ok" for a valid box, the code for an invalid box, and "no verdict" for the zero Verdict.
func (v Verdict) String() string {
	switch v.violation {
	case &noViolation:
		return "ok"
	case nil:
		return "no verdict"
	}
	return string(v.violation.Code)
}
