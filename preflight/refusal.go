package preflight

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/internal/strictjson"
)

// A Refusal is the reason why the service would refuse a request. [Checker.Check] returns one. The
// methods Body and Problem panic if the request passed to them is nil.
type Refusal struct {
	// Type is the documented error type. The status of a refusal is always 400.
	Type boxrules.ErrorType

	// Code is the code in the element of the error, and Path is the path in it (section 7.1). Both are empty
	// if neither the document nor Options.ValidationCodes has a code for the failure. If the code is about a
	// box, Path is empty.
	Code boxrules.Code
	Path string

	// Message says, for people, what is wrong and what would be accepted.
	Message string

	// Item is the index of the wrong item of a quotation. It is -1 for a dieline request, and for a
	// quotation whose failure is not about a single item.
	Item int

	// Box is the box that cannot be made. It is nil for every other failure.
	Box *boxrules.Box

	field       string                // the field that a VALIDATION_ERROR is about, or empty
	unit        string                // the unit of the numbers in the explanation, if requests use another unit
	explanation *boxrules.Explanation // the explanation of Box; nil if the client did not wait for it
}

// noItem is the value of Item in a Refusal that is not about a single item of a quotation.
const noItem = -1

// Error returns the type, the code if there is one, and the message, on one line.
func (r *Refusal) Error() string { return r.summary() + ": " + r.Message }

// summary returns "accepted" if r is nil, and otherwise the type and the code, such as "BOX_ERROR
// BOX_3100".
func (r *Refusal) summary() string {
	if r == nil {
		return "accepted"
	}
	return strings.TrimSpace(string(r.Type) + " " + string(r.Code))
}

// An itemError is an error about one item of a quotation.
type itemError struct {
	index int
	err   error
}

func (i *itemError) Error() string { return itemPrefix(i.index) + i.err.Error() }

func (i *itemError) Unwrap() error { return i.err }

// itemPrefix returns the beginning of a message about an item of a quotation. It is empty for noItem.
func itemPrefix(item int) string {
	if item == noItem {
		return ""
	}
	return fmt.Sprintf("items[%d]: ", item)
}

// optionError returns an error about the value of the named option.
func optionError(name, format string, args ...any) error {
	return &boxrules.OptionError{Option: name, Message: fmt.Sprintf(format, args...)}
}

// fieldError returns an error about the value of the named field of a request.
func fieldError(name, format string, args ...any) error {
	return &boxrules.InputError{Field: name, Message: fmt.Sprintf(format, args...)}
}

// newRefusal returns a refusal of the type VALIDATION_ERROR for an error from a parser or from the engine.
func newRefusal(err error) *Refusal {
	// The message contains everything. Extract the parts that have their own keys in the body and in the
	// problem details.
	r := &Refusal{Type: boxrules.TypeValidationError, Message: err.Error(), Item: noItem}
	var item *itemError
	if errors.As(err, &item) {
		r.Item = item.index
	}
	var input *boxrules.InputError
	if errors.As(err, &input) {
		r.field = input.Field
	}
	if r.field == "material" { // the only field for which the document has a code
		r.Code, r.Path = boxrules.DLN_1101, "material"
	}
	return r
}

// boxRefusal returns the refusal for a box with the verdict v, without an explanation. It returns nil if
// the box can be made.
func boxRefusal(item int, b boxrules.Box, v boxrules.Verdict) *Refusal {
	if v.OK() {
		return nil
	}
	return &Refusal{
		Type: boxrules.TypeBoxError, Code: v.Code(), Item: item, Box: &b,
		Message: itemPrefix(item) + "the provided values do not allow creating a proper box",
	}
}

// A Body is the documented error body (section 7.1).
type Body struct {
	Request  Request  `json:"request"`
	Response Response `json:"response"`
}

// A Request is the part of a [Body] that repeats the failed request.
type Request struct {
	URI    string `json:"uri"` // the path
	Method string `json:"method"`
	// Query is absent if the request had no parameters. A width, depth or height that is a number is
	// a JSON number; everything else is a string.
	Query map[string]any `json:"query,omitempty"`
}

// A Response is the part of a [Body] that says what went wrong.
type Response struct {
	Code           boxrules.ErrorType `json:"code"`
	Message        string             `json:"message"`
	HTTPStatusCode int                `json:"http_status_code"`
	Errors         []Element          `json:"errors,omitempty"` // at most one
}

// An Element of a [Response] holds the code of an error.
type Element struct {
	Code    boxrules.Code `json:"code"`
	Path    string        `json:"path"`
	Message string        `json:"message"`
}

// messages holds the message for each error type. Messages are for people; programs rely on the codes.
var messages = func() map[boxrules.ErrorType]string {
	m := make(map[boxrules.ErrorType]string)
	for _, info := range boxrules.ErrorTypes() {
		m[info.Type], _, _ = strings.Cut(info.Meaning, ";") // the part after the semicolon only explains the type
	}
	return m
}()

// newRefusalBody returns the error body for a request that fails with the given error type and status, without an
// element. It panics if r is nil.
func newRefusalBody(r *http.Request, code boxrules.ErrorType, status int, message string) Body {
	return Body{
		Request:  Request{URI: r.URL.Path, Method: cmp.Or(r.Method, http.MethodGet), Query: echoQuery(r.URL.RawQuery)},
		Response: Response{Code: code, Message: message, HTTPStatusCode: status},
	}
}

// Body returns the documented body of the refusal.
func (r *Refusal) Body(request *http.Request) Body {
	b := newRefusalBody(request, r.Type, http.StatusBadRequest, messages[r.Type])
	if r.Code != "" {
		b.Response.Errors = []Element{{r.Code, r.Path, r.Message}}
	} else {
		// There is no element, so the message has to say what is wrong.
		b.Response.Message += ": " + r.Message
	}
	return b
}

// Header is the name of a header that this package adds to its refusals, with the value "refused". It
// distinguishes them from refusals by the service.
const Header = "Boxrules-Preflight"

// response returns the response to the refused request: the one that the service would send, with [Header] added.
func (r *Refusal) response(request *http.Request) *http.Response {
	if request.Body != nil {
		_ = request.Body.Close() // a RoundTripper has to close it
	}
	body := r.Body(request).JSON()
	response := &http.Response{
		Status: "400 Bad Request", StatusCode: http.StatusBadRequest,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{
			Header:           {"refused"},
			"Content-Type":   {"application/json"},
			"Content-Length": {strconv.Itoa(len(body))},
		},
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
		Request:       request,
	}
	if request.Method == http.MethodHead {
		response.Body = http.NoBody // Content-Length is still the one that GET would have
	}
	return response
}

// JSON returns the body as JSON, as it is sent.
func (b Body) JSON() []byte { return strictjson.Marshal(b) }

// A Problem is a refusal in the form of problem details (RFC 9457). It contains more than the documented
// body: all violations with their numbers, the ranges in which each dimension is valid, the orientations in
// which the box can be made, and the nearest box that can be made.
type Problem struct {
	Type     string `json:"type"`  // about:blank, because the code identifies the problem
	Title    string `json:"title"` // the text of the status, as RFC 9457 requires with about:blank
	Status   int    `json:"status"`
	Detail   string `json:"detail"`
	Instance string `json:"instance"`

	ErrorType boxrules.ErrorType `json:"error_type"`
	Code      boxrules.Code      `json:"code,omitempty"`
	Path      string             `json:"path,omitempty"`
	Item      *int               `json:"item,omitempty"` // the index of the item of a quotation, from 0

	// Unit is the unit of the numbers in the fields below, if it differs from the unit of requests.
	Unit       string               `json:"unit,omitempty"`
	Violations []boxrules.Reason    `json:"violations,omitempty"`
	Ranges     *boxrules.Ranges     `json:"ranges,omitempty"`
	Turned     []boxrules.Turn      `json:"turned,omitempty"`
	Nearest    *boxrules.Suggestion `json:"nearest,omitempty"` // on the default step of the unit
}

// Problem returns the refusal in the form of problem details.
func (r *Refusal) Problem(request *http.Request) Problem {
	const status = http.StatusBadRequest
	p := Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: r.Message,
		Instance: request.URL.EscapedPath(), ErrorType: r.Type, Code: r.Code, Path: r.Path,
	}
	if r.Item >= 0 {
		p.Item = &r.Item // a pointer, so that the index 0 is written and noItem is not
	}
	if e := r.explanation; e != nil {
		p.Unit = r.unit
		p.Violations, p.Ranges, p.Turned, p.Nearest = e.Violations, &e.Ranges, e.Turned, e.Nearest
	}
	return p
}

// readRefusal reads the error body of an answer. It returns nil if the body is not in the documented
// form.
func readRefusal(response *http.Response) *Refusal {
	text, err := peekBody(response)
	var body struct {
		Response Response `json:"response"` // its other member only repeats the request
	}
	if err != nil || json.Unmarshal(uncompressedBody(response.Header, text), &body) != nil || body.Response.Code == "" {
		return nil
	}
	theirs := &Refusal{Type: body.Response.Code, Message: body.Response.Message, Item: noItem}
	if len(body.Response.Errors) > 0 { // the document shows at most one element
		e := body.Response.Errors[0]
		theirs.Code, theirs.Path, theirs.Message = e.Code, e.Path, e.Message
	}
	return theirs
}

// write answers the request with the refusal r.
func (r *Refusal) write(w http.ResponseWriter, request *http.Request) {
	// A cache must not answer a request for problem details with the documented body, or the other way round.
	w.Header().Add("Vary", "Accept")
	w.Header().Set(Header, "refused")
	if wantsProblem(request.Header.Values("Accept")) {
		writeResponse(w, "application/problem+json", http.StatusBadRequest, strictjson.Marshal(r.Problem(request)))
		return
	}
	writeResponse(w, "application/json", http.StatusBadRequest, r.Body(request).JSON())
}

// refusalsAgree reports whether our decision and the service's decision are the same. A nil Refusal means that the
// request is accepted.
func refusalsAgree(checkerRefusal, serviceRefusal *Refusal) bool {
	if checkerRefusal == nil || serviceRefusal == nil {
		return checkerRefusal == nil && serviceRefusal == nil
	}
	// The document has no codes for most parameters. If we have no code, any code of the service agrees with
	// ours.
	sameCode := serviceRefusal.Code == checkerRefusal.Code || checkerRefusal.Type == boxrules.TypeValidationError && checkerRefusal.Code == ""
	// The path of a QUANTITY_ERROR says which item is wrong. Other paths may differ.
	samePath := serviceRefusal.Path == checkerRefusal.Path || checkerRefusal.Type != boxrules.TypeQuantityError
	return serviceRefusal.Type == checkerRefusal.Type && sameCode && samePath
}
