package sandbox

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"example.com/boxrules/internal/wording"
)

// FaultHeader names the request header that asks for faults where Options.Faults is set, several
// of them separated by commas:
//
//	expired-token      the access token of the request has expired, from now on
//	500                the answer is INTERNAL_SERVER_ERROR
//	latency=DURATION   the answer comes later, such as latency=1.5s; from 0s to 20s
//
// Anything else is refused with the status 400. A token request has no access token to expire.
const FaultHeader = "Boxrules-Fault"

// maxLatency keeps a delayed answer below the time that servers and clients commonly wait.
const maxLatency = 20 * time.Second

// A fault says what goes wrong with a request.
type fault struct {
	expired, fails bool
	latency        time.Duration
}

// faultOf returns the fault that the request asks for.
func (s *Sandbox) faultOf(r *http.Request) (f fault, err error) {
	header := r.Header.Values(FaultHeader)
	if !s.options.Faults || len(header) == 0 {
		return f, nil
	}
	for _, text := range strings.Split(strings.Join(header, ","), ",") {
		text = strings.TrimSpace(text)
		name, value, _ := strings.Cut(text, "=")
		latency, err := time.ParseDuration(value)
		switch {
		case text == "expired-token":
			f.expired = true
		case text == "500":
			f.fails = true
		case name == "latency" && err == nil && latency >= 0 && latency <= maxLatency:
			f.latency = latency
		default:
			return fault{}, fmt.Errorf("%s: %s; accepted: expired-token, 500 and latency=DURATION from 0s to %v",
				FaultHeader, wording.Quote(text), maxLatency)
		}
	}
	return f, nil
}

// fails waits as the fault asks to, and reports whether the request is to fail.
func (s *Sandbox) fails(f fault, r *http.Request) bool {
	select {
	case <-time.After(f.latency):
	case <-r.Context().Done(): // most often nobody is left to read the answer
	}
	return s.failures.Add(-1) >= 0 || f.fails
}

// FailNext answers the next n requests, token requests among them, with INTERNAL_SERVER_ERROR. It
// takes the place of what an earlier call has left; 0 ends it.
func (s *Sandbox) FailNext(n int) { s.failures.Store(int64(max(n, 0))) }
