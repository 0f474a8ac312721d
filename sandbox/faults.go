package sandbox

import (
	"net/http"
	"strings"
	"time"

	"example.com/boxrules"
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

// faultOf returns the fault that the request asks for, or the answer where it cannot be understood.
func (s *Sandbox) faultOf(r *http.Request) (f fault, refused *answer) {
	header := r.Header.Values(FaultHeader)
	if !s.faults || len(header) == 0 {
		return f, nil
	}
	for _, text := range strings.Split(strings.Join(header, ","), ",") {
		text = strings.TrimSpace(text)
		name, value, hasValue := strings.Cut(text, "=")
		wrong := false
		switch {
		case name == "expired-token" && !hasValue:
			f.expired = true
		case name == "500" && !hasValue:
			f.fails = true
		case name == "latency":
			var err error
			f.latency, err = time.ParseDuration(value)
			wrong = err != nil || f.latency < 0 || f.latency > maxLatency
		default:
			wrong = true
		}
		if wrong {
			return fault{}, failure(r, boxrules.TypeValidationError, http.StatusBadRequest,
				"%s: %s; accepted: expired-token, 500 and latency=DURATION from 0s to %v",
				FaultHeader, wording.Quote(text), maxLatency)
		}
	}
	return f, nil
}

// apply waits as the fault asks to. It returns the answer to a request that is to fail, and nil for
// one that is to be answered.
func (s *Sandbox) apply(f fault, r *http.Request) *answer {
	fail := func(why string) *answer {
		return failure(r, boxrules.TypeInternalServerError, http.StatusInternalServerError, "the service failed: %s", why)
	}
	if latency := max(f.latency, time.Duration(s.latency.Load())); latency > 0 {
		timer := time.NewTimer(latency)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
			return fail("the request ended before its delayed answer") // most often nobody is left to read it
		}
	}
	if s.failures.Add(-1) >= 0 || f.fails {
		return fail("it was asked to")
	}
	return nil
}

// FailNext answers the next n requests, token requests among them, with INTERNAL_SERVER_ERROR. It
// takes the place of what an earlier call has left; 0 ends it.
func (s *Sandbox) FailNext(n int) { s.failures.Store(int64(max(n, 0))) }

// SetLatency delays every answer from now on by d; less than 0 counts as 0, and more than 20 s as
// 20 s. A request whose context ends does not wait any longer.
func (s *Sandbox) SetLatency(d time.Duration) {
	s.latency.Store(int64(min(max(d, 0), maxLatency)))
}
