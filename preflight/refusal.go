package preflight

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/internal/strictjson"
)

// A Refusal says why the service would refuse a request. As an error it is one line. It is made by a
// [Checker]; the methods Body and Problem panic without a request.
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

// A Body is the documented error body (section 7.1).
type Body struct {
	Request  Request  `json:"request"`
	Response Response `json:"response"`
}

// A Request repeats the request that failed.
type Request struct {
	URI    string `json:"uri"` // the path
	Method string `json:"method"`
	// Query is absent where the request had no parameters. Each is a string, but for a width, depth
	// or height that is a number.
	Query map[string]any `json:"query,omitempty"`
}

// A Response says what has failed.
type Response struct {
	Code           boxrules.ErrorType `json:"code"`
	Message        string             `json:"message"`
	HTTPStatusCode int                `json:"http_status_code"`
	Errors         []Element          `json:"errors,omitempty"` // at most one
}

// An Element names the code of an error.
type Element struct {
	Code    boxrules.Code `json:"code"`
	Path    string        `json:"path"`
	Message string        `json:"message"`
}

// messages say what an error type means, for people; programs rely on the codes.
var messages = func() map[boxrules.ErrorType]string {
	m := make(map[boxrules.ErrorType]string)
	for _, info := range boxrules.ErrorTypes() {
		m[info.Type], _, _ = strings.Cut(info.Meaning, ";") // without what only explains the type
	}
	return m
}()

// NewBody returns the error body for a request that fails with the type and the status, without an
// element. It panics if r is nil.
func NewBody(r *http.Request, code boxrules.ErrorType, status int, message string) Body {
	return Body{
		Request:  Request{URI: r.URL.Path, Method: cmp.Or(r.Method, http.MethodGet), Query: echo(r.URL.RawQuery)},
		Response: Response{Code: code, Message: message, HTTPStatusCode: status},
	}
}

// Body returns the documented body of the refusal.
func (r *Refusal) Body(request *http.Request) Body {
	b := NewBody(request, r.Type, http.StatusBadRequest, messages[r.Type])
	if r.Code != "" {
		b.Response.Errors = []Element{{r.Code, r.Path, r.Message}}
	} else {
		// There is no element to say it.
		b.Response.Message += ": " + r.Message
	}
	return b
}

// JSON returns the body as it is sent.
func (b Body) JSON() []byte { return strictjson.Marshal(b) }

// A Problem is a refusal as problem details (RFC 9457), with more than the documented body has room
// for: all violations with their numbers, how far each dimension may go, the ways round in which
// the box can be made, and the nearest box that can.
type Problem struct {
	Type     string `json:"type"`  // about:blank: the code says what it is
	Title    string `json:"title"` // that of the status, as about:blank asks
	Status   int    `json:"status"`
	Detail   string `json:"detail"`
	Instance string `json:"instance"`

	ErrorType boxrules.ErrorType `json:"error_type"`
	Code      boxrules.Code      `json:"code,omitempty"`
	Path      string             `json:"path,omitempty"`
	Item      *int               `json:"item,omitempty"` // index of the quotation's item, from 0

	Violations []boxrules.Reason    `json:"violations,omitempty"`
	Ranges     *boxrules.Ranges     `json:"ranges,omitempty"`
	Turned     []boxrules.Turn      `json:"turned,omitempty"`
	Nearest    *boxrules.Suggestion `json:"nearest,omitempty"` // on a step of 1
}

// Problem returns the refusal as problem details.
func (r *Refusal) Problem(request *http.Request) Problem {
	const status = http.StatusBadRequest
	p := Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: r.Message,
		Instance: request.URL.EscapedPath(), ErrorType: r.Type, Code: r.Code, Path: r.Path,
	}
	if r.Item >= 0 {
		p.Item = &r.Item
	}
	if e := r.explanation; e != nil {
		p.Violations, p.Ranges, p.Turned, p.Nearest = e.Violations, &e.Ranges, e.Turned, e.Nearest
	}
	return p
}
