package preflight

import (
	"errors"
	"fmt"
	"strings"

	"example.com/boxrules"
)

// A Refusal says why the service would refuse a request. As an error it is one line.
type Refusal struct {
	// Type is the documented error type. The status of each is 400.
	Type boxrules.ErrorType
	// Code is the element code, and Path the path of its element (section 7.1). Both are empty
	// where neither the document nor Options.ValidationCodes have a code for the failure; a code
	// has an empty path where it is about a box.
	Code boxrules.Code
	Path string
	// Message says what is wrong and what would be accepted.
	Message string
	// Item is the index of the quotation's item that is wrong, -1 in a dieline request and where it
	// is not one item.
	Item int
	// Box is the box that cannot be made, nil where the failure is another.
	Box *boxrules.Box

	field       string                // the wrong one of a box, empty where the failure is another
	explanation *boxrules.Explanation // of Box
}

// Error returns the type, the code where there is one, and the message.
func (r *Refusal) Error() string {
	return r.short() + ": " + r.Message
}

// short returns the type, and the code where there is one.
func (r *Refusal) short() string {
	if r == nil {
		return "accepted"
	}
	return strings.TrimSpace(string(r.Type) + " " + string(r.Code))
}

// in notes which item of a quotation the refusal is about.
func (r *Refusal) in(item int) *Refusal {
	r.Item, r.Message = item, fmt.Sprintf("items[%d]: %s", item, r.Message)
	return r
}

// invalid returns a VALIDATION_ERROR without an element.
func invalid(format string, args ...any) *Refusal {
	return &Refusal{Type: boxrules.TypeValidationError, Message: fmt.Sprintf(format, args...), Item: -1}
}

// wrongField returns the error of a field of a request or of Options.
func wrongField(name, format string, args ...any) error {
	return &boxrules.InputError{Field: name, Message: fmt.Sprintf(format, args...)}
}

// missingField returns the error of a box without article or material, and nil for one that has
// both.
func missingField(b boxrules.Box) error {
	switch {
	case b.Article == "":
		return wrongField("article", "missing")
	case b.Material == "":
		return wrongField("material", "missing")
	}
	return nil
}

// refusalOf returns the error of a parser or of an engine as a Refusal.
func refusalOf(err error) *Refusal {
	var r *Refusal
	if errors.As(err, &r) {
		return r
	}
	r = invalid("%v", err)
	var input *boxrules.InputError
	if errors.As(err, &input) {
		r.field = input.Field
	}
	if r.field == "material" {
		r.Code, r.Path = boxrules.DLN_1101, "material"
	}
	return r
}
