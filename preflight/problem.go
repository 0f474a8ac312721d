package preflight

import (
	"net/http"

	"example.com/boxrules"
)

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
