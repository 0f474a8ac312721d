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

// The outcomes of a request of the interface.
const (
	refused        = "refused"         // the box cannot be made, or there are too few sheets
	malformed      = "malformed"       // what is asked for cannot be read, or is not there
	passed         = "passed"          // the service answers, or would be asked
	borderline     = "borderline"      // the same, because double precision accepts a box that is refused exactly
	unjudged       = "unjudged"        // it is not documented, and goes on as it came
	upstreamFailed = "upstream-failed" // the service should have answered
	abandoned      = "abandoned"       // there was no answer: the client was gone, or by a fault of ours, which the log has
)

// An exchange holds a request, and what the goroutine that answers it notes of the answer.
type exchange struct {
	request  *http.Request // as the client sent it
	begun    time.Time
	id       string
	status   int    // of the answer; 0 while there is none: the request was given up
	bytes    int64  // of the answer's body
	path     string // the endpoint, or otherPath; empty if it is not for the interface, but for the demo
	outcome  string
	code     boxrules.Code // of a refusal; empty where it has none
	upstream time.Duration // 0: it was not passed on
	theirID  string        // that the service gave it
	question *messageBody  // to the service, nil where the request has not been passed on
	answer   *messageBody  // of the service, nil where there is none
}

// exchangeKey is the key of a context with the *exchange of its request.
type exchangeKey struct{}

// exchangeOf returns the exchange of the request, or one that nobody reads where it has none.
func exchangeOf(ctx context.Context) *exchange {
	if e, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return e
	}
	return new(exchange)
}

// requestID names the header with the id of a request.
const requestID = "X-Request-Id"

// maxID bounds the ids that are taken, in bytes.
const maxID = 128

// newExchange returns an exchange with the id that the request has, or with a new one where
// that is no id, or where there are several.
func newExchange(r *http.Request) *exchange {
	e := &exchange{request: r, begun: time.Now(), id: rand.Text()}
	if given := r.Header[requestID]; len(given) == 1 && isID(given[0]) {
		e.id = given[0]
	}
	return e
}

// isID reports whether an id is taken: 1 to 128 visible characters of ASCII.
func isID(text string) bool {
	invisible := func(c rune) bool { return c <= ' ' || c > '~' }
	return text != "" && len(text) <= maxID && !strings.ContainsFunc(text, invisible)
}

// decide notes what is decided of a request. Where one that is refused is passed on all the same,
// the upstream notes that afterwards.
func (e *exchange) decide(d preflight.Decision) {
	switch r := d.Refusal; {
	case d.Borderline != "":
		e.outcome = borderline
	case r == nil:
		e.outcome = passed
	case r.Type == boxrules.TypeBoxError || r.Type == boxrules.TypeQuantityError:
		e.outcome, e.code = refused, r.Code
	default:
		e.outcome, e.code = malformed, r.Code
	}
}

// end notes how a request has ended.
func (e *exchange) end() {
	switch {
	case e.status == 0:
		e.outcome = abandoned
	case e.answer.failure() != nil && e.request.Context().Err() == nil:
		e.outcome = upstreamFailed // on the way
	}
}

// markExchanges notes of requests on their way to h that they are ones of the interface, which the
// log and the metrics tell by path and outcome. Whoever decides about a request replaces the
// outcome. The base is that of endpoint.Of.
func markExchanges(h http.Handler, base, outcome string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, _ := endpoint.Of(r.URL, base)
		e := exchangeOf(r.Context())
		e.path, e.outcome = cmp.Or(path, otherPath), outcome
		h.ServeHTTP(w, r)
	})
}

// otherPath is the path of requests to no endpoint.
const otherPath = "other"

// logged returns the line of the log about a request that has ended. The query is left out: it
// is the customer's.
func (e *exchange) logged() []slog.Attr {
	line := []slog.Attr{
		slog.String("method", e.request.Method),
		slog.String("path", e.request.URL.Path),
		slog.Int("status", e.status),
		slog.Int64("bytes", e.bytes),
		slog.Int64("took_us", time.Since(e.begun).Microseconds()),
		slog.String("from", e.request.RemoteAddr),
	}
	if e.path == "" {
		return line
	}
	line = append(line, slog.String("outcome", e.outcome))
	if e.code != "" {
		line = append(line, slog.String("code", string(e.code)))
	}
	if e.upstream > 0 {
		line = append(line, slog.Int64("upstream_us", e.upstream.Microseconds()))
	}
	if e.theirID != "" {
		line = append(line, slog.String("upstream_request_id", e.theirID))
	}
	return line
}
