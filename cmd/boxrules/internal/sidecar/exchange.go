package sidecar

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/internal/endpoint"
	"example.com/boxrules/preflight"
)

// An exchange holds a request and the facts that become known while it is answered. The handlers only note
// the facts. At the end, the method outcome derives from them how the request ended, for the log and the
// metrics.
//
// Only the goroutine that answers the request uses it.
type exchange struct {
	request *http.Request // as the client sent it
	start   time.Time
	id      string

	// Set by withExchangeEndpoint, for requests to the interface of the service.
	endpoint       string // or otherPath; empty for requests to the demo
	defaultOutcome string // the outcome if there is no decision and no error

	decision    *preflight.Decision // nil if the request was not judged
	forwarded   bool                // whether the request was sent to the service
	errorStatus int                 // the status that writeError answered with; 0 if it was not called

	status int   // of the response; 0 before its head is written
	bytes  int64 // of the response's body

	// Set if the request was forwarded.
	requestBody  *messageBody  // nil if there is no body
	responseBody *messageBody  // nil if the service has not answered
	upstreamTime time.Duration // until the service answered or the request failed; 0 if it was not forwarded
	upstreamID   string        // the id that the service gave the request, if it differs from ours
}

// The outcomes of a request to the interface. docs/preflight.md explains them.
const (
	refused        = "refused"         // the box cannot be made, or the quantity needs too few sheets
	malformed      = "malformed"       // the request cannot be read, or names something unknown
	passed         = "passed"          // the service answered, or the request may be sent to it
	borderline     = "borderline"      // passed, because double precision accepts a box that exact arithmetic refuses
	unjudged       = "unjudged"        // not documented, so it was passed on without a decision
	upstreamFailed = "upstream-failed" // the service should have answered and did not
	abandoned      = "abandoned"       // no answer, because the client went away or this server failed; the log says why it failed
)

// outcome returns how the request ended. If a decision ended it, outcome also returns the code of the decision.
// The cases are in reverse chronological order, because the latest event decides.
func (e *exchange) outcome() (outcome string, code boxrules.Code) {
	clientIsConnected := e.request.Context().Err() == nil
	switch {
	case e.status == 0:
		return abandoned, ""
	case e.responseBody.failure() != nil && clientIsConnected: // the service broke off in the middle
		return upstreamFailed, ""
	case e.errorStatus >= 500:
		return upstreamFailed, ""
	case e.errorStatus != 0:
		return malformed, ""
	case e.decision == nil:
		return e.defaultOutcome, ""
	case e.decision.Borderline != "":
		return borderline, ""
	case e.decision.Refusal == nil, e.forwarded: // refused requests are forwarded as samples and in a dry run
		return passed, ""
	}
	switch r := e.decision.Refusal; r.Type {
	case boxrules.TypeBoxError, boxrules.TypeQuantityError:
		return refused, r.Code
	default:
		return malformed, r.Code
	}
}

// writeError answers the request with an error of this server instead of an answer of the service. With a
// status of 500 or more, outcome returns upstreamFailed, and with any other status malformed.
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

// exchangeOf returns the exchange of the request with this context. It returns nil for a context without a
// request, such as that of a log line about the whole server.
func exchangeOf(ctx context.Context) *exchange {
	e, _ := ctx.Value(exchangeKey{}).(*exchange)
	return e
}

// requestIDHeader is the name of the header that holds the id of a request.
const requestIDHeader = "X-Request-Id"

const maxIDLength = 128

// newExchange returns the exchange of a request. The client may set the request's id with a header. If it
// sends no such header, several, or one that isRequestID does not accept, the id is random.
func newExchange(r *http.Request) *exchange {
	e := &exchange{request: r, start: time.Now(), id: rand.Text()}
	if ids := r.Header[requestIDHeader]; len(ids) == 1 && isRequestID(ids[0]) {
		e.id = ids[0]
	}
	return e
}

// isRequestID reports whether text is 1 to maxIDLength printable ASCII characters other than spaces.
func isRequestID(text string) bool {
	isInvalid := func(c rune) bool { return c <= ' ' || c > '~' }
	return text != "" && len(text) <= maxIDLength && !strings.ContainsFunc(text, isInvalid)
}

// withExchangeEndpoint marks the requests to h as requests to the interface of the service, which are logged and
// counted by endpoint and outcome. base is passed to [endpoint.Of].
func withExchangeEndpoint(h http.Handler, base, defaultOutcome string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, _ := endpoint.Of(r.URL, base)
		e := exchangeOf(r.Context())
		e.endpoint, e.defaultOutcome = cmp.Or(path, otherPath), defaultOutcome
		h.ServeHTTP(w, r)
	})
}

// otherPath is the endpoint of a request in the metrics if its path is not documented.
const otherPath = "other"

// logAttrs returns the attributes that are logged about a request that has ended. The query is left out,
// because it belongs to the customer.
func (e *exchange) logAttrs(outcome string, code boxrules.Code) []slog.Attr {
	attrs := []slog.Attr{
		slog.String("method", e.request.Method),
		slog.String("path", e.request.URL.Path),
		slog.Int("status", e.status),
		slog.Int64("bytes", e.bytes),
		slog.Int64("took_us", time.Since(e.start).Microseconds()),
		slog.String("from", e.request.RemoteAddr),
	}
	if e.endpoint == "" {
		return attrs
	}
	attrs = append(attrs, slog.String("outcome", outcome))
	if code != "" {
		attrs = append(attrs, slog.String("code", string(code)))
	}
	if e.upstreamTime > 0 {
		attrs = append(attrs, slog.Int64("upstream_us", e.upstreamTime.Microseconds()))
	}
	if e.upstreamID != "" {
		attrs = append(attrs, slog.String("upstream_request_id", e.upstreamID))
	}
	return attrs
}
