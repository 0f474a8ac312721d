package preflight

import (
	"cmp"
	"net/http"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/internal/strictjson"
)

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
// element.
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
