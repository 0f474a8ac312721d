package sidecar

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/endpoint"
	"example.com/boxrules/preflight"
)

// brokenBody returns a body whose reading has ended with an error.
func brokenBody() *messageBody {
	b, err := new(messageBody), errors.New("connection reset by peer")
	b.finalError.Store(&err)
	return b
}

func TestOutcome(t *testing.T) {
	box := &preflight.Refusal{Type: boxrules.TypeBoxError, Code: boxrules.BOX_3100}
	sheets := &preflight.Refusal{Type: boxrules.TypeQuantityError}
	query := &preflight.Refusal{Type: boxrules.TypeValidationError, Code: "E7"}
	accepted := &preflight.Decision{}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name     string
		exchange exchange
		gone     bool // whether the client has gone
		want     string
		code     boxrules.Code
	}{
		{"a box that can be made", exchange{status: 204, decision: accepted}, false, passed, ""},
		{"a box that cannot", exchange{status: 400, decision: &preflight.Decision{Refusal: box}}, false, refused, box.Code},
		{"too few sheets", exchange{status: 400, decision: &preflight.Decision{Refusal: sheets}}, false, refused, ""},
		{"a wrong parameter", exchange{status: 400, decision: &preflight.Decision{Refusal: query}}, false, malformed, "E7"},
		{"a borderline box", exchange{status: 204, decision: &preflight.Decision{Borderline: box.Code}}, false, borderline, ""},
		{"a path that is not documented", exchange{status: 404, defaultOutcome: unjudged}, false, unjudged, ""},
		{"an answer of the sandbox", exchange{status: 400, defaultOutcome: passed}, false, passed, ""},

		{"an answer of the service", exchange{status: 400, decision: accepted, forwarded: true}, false, passed, ""},
		{"a refused box in a dry run",
			exchange{status: 200, decision: &preflight.Decision{Refusal: box}, forwarded: true}, false, passed, ""},
		{"a wrong parameter in a dry run",
			exchange{status: 200, decision: &preflight.Decision{Refusal: query}, forwarded: true}, false, passed, ""},
		{"a borderline box that was forwarded",
			exchange{status: 200, decision: &preflight.Decision{Borderline: box.Code}, forwarded: true}, false, borderline, ""},
		{"a path that is not documented, forwarded", exchange{status: 200, defaultOutcome: unjudged, forwarded: true}, false, unjudged, ""},

		{"a service that does not answer",
			exchange{status: 502, errorStatus: 502, decision: accepted, forwarded: true}, false, upstreamFailed, ""},
		{"a server with too many requests", exchange{status: 503, errorStatus: 503, defaultOutcome: unjudged}, false, upstreamFailed, ""},
		{"a sample that finds too many requests",
			exchange{status: 503, errorStatus: 503, decision: &preflight.Decision{Refusal: box}}, false, upstreamFailed, ""},
		{"a body that does not arrive",
			exchange{status: 408, errorStatus: 408, defaultOutcome: unjudged, forwarded: true}, false, malformed, ""},

		{"an answer that breaks off",
			exchange{status: 200, decision: accepted, forwarded: true, responseBody: brokenBody()}, false, upstreamFailed, ""},
		{"an answer that breaks off because the client has gone",
			exchange{status: 200, decision: accepted, forwarded: true, responseBody: brokenBody()}, true, passed, ""},
		{"no answer", exchange{decision: accepted, forwarded: true}, true, abandoned, ""},
		{"no answer to a box that cannot be made", exchange{decision: &preflight.Decision{Refusal: box}}, false, abandoned, ""},
	} {
		e := test.exchange
		e.request = httptest.NewRequestWithContext(t.Context(), http.MethodGet, endpoint.Dieline, nil)
		if test.gone {
			e.request = e.request.WithContext(gone)
		}
		if outcome, code := e.outcome(); outcome != test.want || code != test.code {
			t.Errorf("%s: %s %q, want %s %q", test.name, outcome, code, test.want, test.code)
		}
	}
}

func TestIsID(t *testing.T) {
	for text, want := range map[string]bool{
		"a": true, "!~": true, strings.Repeat("x", 128): true,
		"": false, "a b": false, "a\n": false, "\x7f": false, "é": false, strings.Repeat("x", 129): false,
	} {
		if got := isRequestID(text); got != want {
			t.Errorf("isRequestID(%q) is %v", text, got)
		}
	}
}
