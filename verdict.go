package boxrules

// A Violation is one rule that a box violates.
type Violation struct {
	Code    Code   `json:"code"`
	Stage   Stage  `json:"stage"`
	Message string `json:"message"` // the rule's text for people
}

// A Verdict says whether a box can be made, and if not, which rule is the first that it violates. The zero
// Verdict is no verdict: it is not OK, and its Code is empty. Verdicts are small; pass them by value.
type Verdict struct {
	violation *Violation // &none for a valid box, nil for no verdict
}

// none stands in the verdict on a valid box.
var none Violation

// OK reports whether the box violates no rule.
func (v Verdict) OK() bool { return v.violation == &none }

// Code is the code of the first rule that the box violates; empty where it violates none.
func (v Verdict) Code() Code {
	if v.violation == nil {
		return ""
	}
	return v.violation.Code
}

// Stage is the stage of that rule; zero where the box violates none.
func (v Verdict) Stage() Stage {
	if v.violation == nil {
		return 0
	}
	return v.violation.Stage
}

// Err is the verdict as an error: nil for a valid box, otherwise a *BoxError.
func (v Verdict) Err() error {
	switch v.violation {
	case &none:
		return nil
	case nil:
		return &BoxError{}
	}
	return &BoxError{*v.violation}
}

// MarshalText is String, so that a Verdict is a word in JSON.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// String is "ok", the code, or "no verdict".
func (v Verdict) String() string {
	switch v.violation {
	case &none:
		return "ok"
	case nil:
		return "no verdict"
	}
	return string(v.violation.Code)
}
