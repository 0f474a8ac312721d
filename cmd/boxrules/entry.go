package main

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
)

// The outcomes of a request of the interface.
const (
	refused        = "refused"         // the box cannot be made, or there are too few sheets
	malformed      = "malformed"       // what is asked for cannot be read, or is not there
	passed         = "passed"          // the service answers, or would be asked
	upstreamFailed = "upstream-failed" // the service should have answered
	abandoned      = "abandoned"       // there was no answer: the client was gone, or by a fault of ours, which the log has
)

// An entry is what is noted of a request, by the goroutine that answers it.
type entry struct {
	id       string
	path     string // of documentedPaths; empty where it is not a request of the interface
	outcome  string
	code     boxrules.Code // of a refusal; empty where it has none
	decision time.Duration // 0: nothing was decided
	upstream time.Duration // 0: it was not passed on
	theirID  string        // that the service gave it
	answer   *watched      // of the service, nil where there is none
}

// entryKey is the key of a context with the *entry of its request.
type entryKey struct{}

// entryOf is the entry of the request; one that nobody reads where it has none.
func entryOf(ctx context.Context) *entry {
	if e, ok := ctx.Value(entryKey{}).(*entry); ok {
		return e
	}
	return new(entry)
}

// requestID is the header with the id of a request.
const requestID = "X-Request-Id"

// maxID bounds the ids that are taken, in bytes.
const maxID = 128

// newEntry is an entry with the id that the request has, or with a new one where that is none, or several.
func newEntry(r *http.Request) *entry {
	if given := r.Header[requestID]; len(given) == 1 && isID(given[0]) {
		return &entry{id: given[0]}
	}
	return &entry{id: rand.Text()}
}

// isID reports whether an id is taken: 1 to 128 visible characters of ASCII.
func isID(text string) bool {
	return text != "" && len(text) <= maxID && !strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c > '~' })
}

// decided notes a decision. Who passes the request on all the same says so afterwards.
func decided(d preflight.Decision) {
	e := entryOf(d.Request.Context())
	e.decision += max(d.Took, 1) // the transport decides once more, and a clock may be coarse
	if d.Refusal == nil {
		return
	}
	e.outcome, e.code = malformed, d.Refusal.Code
	if t := d.Refusal.Type; t == boxrules.BoxErrorType || t == boxrules.QuantityError {
		e.outcome = refused
	}
}

// end notes how a request has ended, by the status of its answer, 0 where there is none.
func (e *entry) end(ctx context.Context, status int) {
	switch {
	case status == 0:
		e.outcome = abandoned
	case e.answer != nil && e.answer.failure() != nil && ctx.Err() == nil:
		e.outcome = upstreamFailed // on the way
	case e.outcome != "":
	case status < http.StatusBadRequest:
		e.outcome = passed
	default:
		e.outcome = malformed
	}
}

// ofInterface notes that the requests which get to h are ones of the interface.
func ofInterface(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		entryOf(r.Context()).path = documentedPath(r.URL.Path)
		h.ServeHTTP(w, r)
	})
}

const (
	dielinePath   = "/v1/reseller/dieline"
	quotationPath = "/v1/reseller/quotation"
	orderPath     = "/v1/reseller/orders/{order_id}"
	productPath   = "/v1/reseller/orders/{order_id}/products/{product_id}"
	tokenPath     = "/v1/oauth2/token"
	otherPath     = "other"
)

var documentedPaths = []string{dielinePath, quotationPath, orderPath, productPath, tokenPath, otherPath}

// documentedPath is which of documentedPaths a path is, whatever base stands before it.
func documentedPath(path string) string {
	path = path[max(0, strings.LastIndex(path, "/v1/")):]
	switch path {
	case dielinePath, quotationPath, tokenPath:
		return path
	}
	orders, ok := strings.CutPrefix(path, "/v1/reseller/orders/")
	switch parts := strings.SplitN(orders, "/", 4); {
	case !ok || parts[0] == "":
	case len(parts) == 1:
		return orderPath
	case len(parts) == 3 && parts[1] == "products" && parts[2] != "":
		return productPath
	}
	return otherPath
}

// identified adds its id to each line that is about a request.
type identified struct{ slog.Handler }

func (h identified) Handle(ctx context.Context, line slog.Record) error {
	if id := entryOf(ctx).id; id != "" {
		line.AddAttrs(slog.String("request_id", id))
	}
	return h.Handler.Handle(ctx, line)
}

// logged is the line of the log about a request that has ended. The query is left out: it is the customer's.
func (e *entry) logged(r *http.Request, out *patientWriter, took time.Duration) []slog.Attr {
	line := append(make([]slog.Attr, 0, 11), slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Int("status", out.status),
		slog.Int64("bytes", out.bytes), slog.Int64("took_us", took.Microseconds()), slog.String("from", r.RemoteAddr))
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
