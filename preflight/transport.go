package preflight

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"

	"example.com/boxrules"
)

// A Transport sends the requests of a client to the service. A documented request that [Checker.Check]
// refuses never leaves the process: the client gets the documented answer, which is the status 400 with the
// error body. All other requests go to Base unchanged.
//
// A Transport is safe for concurrent use if Base is. Its fields must not be changed after the first
// request.
type Transport struct {
	// Checker decides which requests to send. RoundTrip panics if it is nil.
	Checker *Checker

	// Base sends the requests to the service. If it is nil, http.DefaultTransport is used.
	Base http.RoundTripper

	// Observe lets every request pass, so that all answers of the service are compared with the Checker's
	// decisions.
	Observe bool

	// OnDisagreement, if it is not nil, is called if the service and the Checker decide differently about a
	// documented request. The service gets the requests that the Checker accepts, the samples of
	// Options.Sample and, if Observe is set, all other requests. For a borderline box (see
	// [boxrules.Profile.Borderline]), neither of the two possible answers is a disagreement.
	//
	// The call is made in the goroutine of the request, before the answer is returned. Several goroutines
	// may call it at once.
	OnDisagreement func(Disagreement)

	// OnAnswer, if it is not nil, is called with the service's decision about every documented request that
	// was sent, in the same way as OnDisagreement. Limits can be learned from these answers.
	//
	// A wrong answer would lead to wrong limits, so a success counts only if its body is a dieline (see
	// [IsDieline]). A successful quotation never counts, because the document does not show its body. For a
	// success, OnAnswer is called while the client reads the body. If the body begins like a PDF, the call is
	// made after the first five bytes. Otherwise it is made when the body ends, is closed, or reaches a
	// megabyte.
	OnAnswer func(Answer)

	// Logger gets a warning about every disagreement, and about every answer with the status 400 whose
	// body is not the documented one. If it is nil, slog.Default() gets them.
	Logger *slog.Logger
}

// An Answer says what the service has decided about a request. There is no Answer for an expired token or an
// internal error, because then the service has decided nothing.
type Answer struct {
	Request        *http.Request
	Boxes          []boxrules.Box // the boxes of the request; empty if it cannot be parsed
	ServiceRefusal *Refusal       // nil if the service accepts; a Refusal here has the Item -1 and no Box
}

// A Disagreement is an [Answer] that differs from the [Checker]'s decision. Either the limits are out of
// date, or the service has checks that the interface document does not mention.
type Disagreement struct {
	Answer
	CheckerRefusal *Refusal // nil if the Checker accepts
}

// String returns one line with the boxes of the request and both decisions. It panics if Request is nil.
func (d Disagreement) String() string {
	return fmt.Sprintf("%s %v: ours %s, theirs %s", d.Request.URL.Path, d.Boxes, d.CheckerRefusal.summary(), d.ServiceRefusal.summary())
}

// RoundTrip implements [http.RoundTripper]. It panics if t has no Checker.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	base := cmp.Or(t.Base, http.DefaultTransport)
	j := t.Checker.judgeRequest(r)
	if j != nil && !j.passes() && !t.Observe {
		return j.certain.response(r), nil
	}
	response, err := base.RoundTrip(r)
	if err == nil && j != nil { // a response to a documented request
		t.report(r, j, response)
	}
	return response, err
}

// CloseIdleConnections closes the idle connections of Base. [http.Client.CloseIdleConnections] calls it.
func (t *Transport) CloseIdleConnections() {
	(&http.Client{Transport: t.Base}).CloseIdleConnections()
}

// report calls OnAnswer for a documented refusal, and for a dieline request whose response turns out to be a
// dieline. It calls OnDisagreement if the response differs from both decisions in j: the one for exact arithmetic,
// and the one for double precision. It does nothing for other responses, such as an expired token.
func (t *Transport) report(r *http.Request, j *judgement, response *http.Response) {
	logger := cmp.Or(t.Logger, slog.Default())
	path := slog.String("path", r.URL.Path)
	var theirs *Refusal
	switch status := response.StatusCode; {
	case status >= 200 && status < 300:
		if t.OnAnswer != nil && j.path == dielinePath {
			// Whether this success counts depends on the body, which has not arrived yet.
			response.Body = &successBody{ReadCloser: response.Body, header: response.Header,
				onDieline: func() { t.OnAnswer(Answer{r, j.boxes, nil}) }}
		}
	case status == http.StatusBadRequest:
		if theirs = readRefusal(response); theirs == nil {
			logger.LogAttrs(r.Context(), slog.LevelWarn, "the service's refusal cannot be read", path)
			return
		}
		if t.OnAnswer != nil {
			t.OnAnswer(Answer{r, j.boxes, theirs})
		}
	default: // for example 401: the service has decided nothing about the box
		return
	}
	// We do not know how the service computes, so it may answer like either kind of service.
	if refusalsAgree(j.exact, theirs) || refusalsAgree(j.double, theirs) {
		return
	}
	logger.LogAttrs(r.Context(), slog.LevelWarn, "preflight and service disagree", path, slog.Any("boxes", j.boxes),
		slog.String("ours", j.certain.summary()), slog.String("theirs", theirs.summary()))
	if t.OnDisagreement != nil {
		t.OnDisagreement(Disagreement{Answer{r, j.boxes, theirs}, j.certain})
	}
}
