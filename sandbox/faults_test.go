package sandbox_test

import (
	"context"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"example.com/boxrules/sandbox"
)

func TestFaults(t *testing.T) {
	s, deaf := newSandbox(t, sandbox.Options{Faults: true}), newSandbox(t, sandbox.Options{})
	const accepted = "; accepted: expired-token, 500 and latency=DURATION from 0s to 20s"
	for _, test := range []struct {
		faults  []string
		status  int
		message string
	}{
		{[]string{"500"}, 500, "the service failed, because the sandbox was asked to fail"},
		{[]string{" 500 , latency=1ms"}, 500, "the service failed, because the sandbox was asked to fail"},
		{[]string{"latency=0s", "expired-token"}, 401, "the access token is unknown or has expired; request a new one with POST /v1/oauth2/token"},
		{[]string{"latency=1ms"}, 200, ""},
		{[]string{"500,"}, 400, `Boxrules-Fault: ""` + accepted},
		{[]string{"503"}, 400, `Boxrules-Fault: "503"` + accepted},
		{[]string{"500=1"}, 400, `Boxrules-Fault: "500=1"` + accepted},
		{[]string{"Expired-Token"}, 400, `Boxrules-Fault: "Expired-Token"` + accepted},
		{[]string{"latency=2"}, 400, `Boxrules-Fault: "latency=2"` + accepted},
		{[]string{"latency=-1s"}, 400, `Boxrules-Fault: "latency=-1s"` + accepted},
		{[]string{"latency=0s, latency=1ms"}, 400, "Boxrules-Fault: latency is given twice; give each fault once"},
		{[]string{"500", "latency=0s", "500"}, 400, "Boxrules-Fault: 500 is given twice; give each fault once"},
		{[]string{"latency=20.001s"}, 400, `Boxrules-Fault: "latency=20.001s"` + accepted},
	} {
		headers := []string{"Authorization", bearer(t, s)}
		for _, f := range test.faults {
			headers = append(headers, sandbox.FaultHeader, f)
		}
		w := do(s, "GET", "/v1/reseller/dieline?"+goodQuery, "", headers...)
		message := ""
		if w.Code != 200 {
			_, message, _ = errorOf(t, w)
		}
		if w.Code != test.status || message != test.message {
			t.Errorf("%q: %d %q, want %d %q", test.faults, w.Code, message, test.status, test.message)
		}
		headers[1] = bearer(t, deaf)
		if w := do(deaf, "GET", "/v1/reseller/dieline?"+goodQuery, "", headers...); w.Code != 200 {
			t.Errorf("%q without Faults: %d %s", test.faults, w.Code, w.Body)
		}
	}
	// An expired token stays so.
	header := bearer(t, s)
	for i, want := range []int{200, 401, 401} {
		fault := []string{"latency=0s", "expired-token", "latency=0s"}[i]
		if w := do(s, "GET", "/v1/reseller/dieline?"+goodQuery, "", "Authorization", header, sandbox.FaultHeader, fault); w.Code != want {
			t.Errorf("request %d, %s: %d, want %d", i, fault, w.Code, want)
		}
	}
	// The token endpoint obeys them too, except for expired-token, which has no effect there.
	for fault, want := range map[string]int{"500": 500, "expired-token": 200, "teapot": 400} {
		if w := do(s, "POST", tokenPath, tokenForm, "Authorization", basic(sandbox.DefaultSandbox),
			"Content-Type", form, sandbox.FaultHeader, fault); w.Code != want {
			t.Errorf("%s at the token endpoint: %d, want %d", fault, w.Code, want)
		}
	}
}

func TestFailNext(t *testing.T) {
	s := newSandbox(t, sandbox.Options{})
	header := bearer(t, s)
	fails := func(requests int) (n int) {
		for range requests {
			if w := do(s, "GET", "/v1/reseller/dieline?"+goodQuery, "", "Authorization", header); w.Code == 500 {
				n++
			}
		}
		return n
	}
	for _, test := range []struct{ next, requests, want int }{{3, 5, 3}, {5, 2, 2}, {1, 3, 1}, {4, 0, 0}, {0, 3, 0}, {-1, 3, 0}} {
		s.FailNext(test.next)
		if got := fails(test.requests); got != test.want {
			t.Errorf("FailNext(%d): %d of %d fail, want %d", test.next, got, test.requests, test.want)
		}
	}
	s.FailNext(1)
	if w := do(s, "POST", tokenPath, tokenForm, "Authorization", basic(sandbox.DefaultSandbox), "Content-Type", form); w.Code != 500 {
		t.Errorf("a token request: %d, want 500", w.Code)
	}
}

// TestLatency uses the clock of synctest, which advances when all goroutines wait.
func TestLatency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSandbox(t, sandbox.Options{Faults: true})
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		for _, want := range []time.Duration{2 * time.Second, time.Second} { // the context ends before the second is over
			r := httptest.NewRequestWithContext(ctx, "GET", "/", nil)
			r.Header.Set(sandbox.FaultHeader, "latency=2s")
			start := time.Now()
			s.ServeHTTP(httptest.NewRecorder(), r)
			if took := time.Since(start); took != want {
				t.Errorf("it takes %v, want %v", took, want)
			}
		}
		// The longest latency that is accepted.
		start := time.Now()
		do(s, "GET", "/", "", sandbox.FaultHeader, "latency=20s")
		if took := time.Since(start); took != 20*time.Second {
			t.Errorf("it takes %v, want 20 s", took)
		}
	})
}
