package sidecar

import (
	"cmp"
	"context"
	"crypto/rand"
	"net/http"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/internal/endpoint"
	"example.com/boxrules/preflight"
)

// An exchange holds a request, and what the server finds out while it answers the request. The handlers only set its
// fields. At the end, the outcome method uses the fields to determine how the request ended, for the log and the
// metrics.
//
// It is used only by the goroutine that answers the request.
type exchange struct {
	request *http.Request // the request as the client sent it
	start   time.Time
	id      string

	// Set by withExchangeEndpoint for API requests.
	endpoint       string // the documented path, or otherPath; empty for requests to the demo
	defaultOutcome string // the outcome if there is no decision and no error

	decision    *preflight.Decision // nil if the request was not judged
	forwarded   bool                // whether the request was sent to the service
	errorStatus int                 // the status that writeError answered with; 0 if it was not called

	status int   // the status of the response; 0 before its head is written
	bytes  int64 // the length of the response's body

	// Set if the request was forwarded.
	requestBody  *messageBody  // nil if there is no body
	responseBody *messageBody  // nil if the service has not answered
	upstreamTime time.Duration // the time until the service answered or failed; 0 if the request was not forwarded
	upstreamID   string        // the ID that the service gave the request, if it differs from ours
}

// The outcomes of an API request. docs/preflight.md explains them.
const (
	refused        = "refused"         // the box cannot be made, or the quantity needs too few sheets
	malformed      = "malformed"       // the request cannot be read, or names something unknown
	passed         = "passed"          // the service answered, or the request may be sent to it
	borderline     = "borderline"      // passed, although exact arithmetic refuses the box, because double precision accepts it
	unjudged       = "unjudged"        // the request is not documented, so it was passed on without a decision
	upstreamFailed = "upstream-failed" // the service did not answer properly
	abandoned      = "abandoned"       // there was no answer, because the client went away or this server failed; the log says why
)

// outcome returns how the request ended. If it ended with a refusal, outcome also returns the code of the refusal.
// The cases are in reverse chronological order, because the latest event counts.
func (e *exchange) outcome() (outcome string, code boxrules.Code) {
	clientIsConnected := e.request.Context().Err() == nil
	switch {
	case e.status == 0:
		return abandoned, ""
	case e.responseBody.failure() != nil && clientIsConnected: // the service broke off in the middle of its answer
		return upstreamFailed, ""
	case e.errorStatus >= 500:
		return upstreamFailed, ""
	case e.errorStatus != 0:
		return malformed, ""
	case e.decision == nil:
		return e.defaultOutcome, ""
	case e.decision.Borderline != "":
		return borderline, ""
	case e.decision.Refusal == nil, e.forwarded: // in a dry run, and as samples, even refused requests are forwarded
		return passed, ""
	}
	switch r := e.decision.Refusal; r.Type {
	case boxrules.TypeBoxError, boxrules.TypeQuantityError:
		return refused, r.Code
	default:
		return malformed, r.Code
	}
}

// writeError answers the request with an error from this server. After that, e.outcome returns upstreamFailed if status
// is 500 or more, and malformed otherwise.
func (e *exchange) writeError(w http.ResponseWriter, status int, message string) {
	e.errorStatus = status
	kind := boxrules.TypeValidationError
	if status >= 500 {
		kind = boxrules.TypeInternalServerError
	}
	preflight.WriteError(w, e.request, kind, status, message)
}

// exchangeKey is the context key for the *exchange of a request.
type exchangeKey struct{}

// exchangeOf returns the exchange of the request with this context. It returns nil if the context does not belong
// to a request, for example if a log line is about the whole server.
func exchangeOf(ctx context.Context) *exchange {
	e, _ := ctx.Value(exchangeKey{}).(*exchange)
	return e
}

// requestIDHeader is the name of the header with the ID of a request.
const requestIDHeader = "X-Request-Id"

const maxIDLength = 128

// newExchange returns a new exchange for a request. The client can set the ID of the request with the header
// requestIDHeader. If there is not exactly one such header, or if isRequestID does not accept its value, the ID is
// random.
func newExchange(r *http.Request) *exchange {
	e := &exchange{request: r, start: time.Now(), id: rand.Text()}
	if ids := r.Header[requestIDHeader]; len(ids) == 1 && isRequestID(ids[0]) {
		e.id = ids[0]
	}
	return e
}

// isRequestID reports whether text is an acceptable request ID: at most maxIDLength printable ASCII characters without
// spaces.
func isRequestID(text string) bool {
	isInvalid := func(c rune) bool { return c <= ' ' || c > '~' }
	return text != "" && len(text) <= maxIDLength && !strings.ContainsFunc(text, isInvalid)
}

// withExchangeEndpoint wraps h, a handler for API requests. API requests use the interface of the printing service, and
// are logged and counted by endpoint and outcome. base is passed to [endpoint.Of].
func withExchangeEndpoint(h http.Handler, base, defaultOutcome string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, _ := endpoint.Of(r.URL, base)
		e := exchangeOf(r.Context())
		e.endpoint, e.defaultOutcome = cmp.Or(path, otherPath), defaultOutcome
		h.ServeHTTP(w, r)
	})
}

// otherPath is the endpoint name recorded for API requests to undocumented paths.
const otherPath = "other"
