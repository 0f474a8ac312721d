package sidecar

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/internal/endpoint"
	"example.com/boxrules/sandbox"
)

// newServer returns a sidecar without a handler.
func newServer(log *slog.Logger, p ServerLimits) *Sidecar {
	return &Sidecar{Options: Options{Log: log, Limits: p}, metrics: newMetrics(), slots: make(chan struct{}, p.MaxConcurrent)}
}

// serveWith starts a server with the handler, and returns its address and its log.
func serveWith(t *testing.T, p ServerLimits, h func(*Sidecar) http.Handler) (url string, log *lockedBuffer) {
	t.Helper()
	log = &lockedBuffer{}
	s := newServer(slog.New(slog.NewTextHandler(log, nil)), p)
	handler := h(s)
	s.handler.Store(&handler)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := s.httpServer()
	go func() { _ = server.Serve(newListener(listener, p)) }()
	t.Cleanup(func() { _ = server.Close() })
	return "http://" + listener.Addr().String(), log
}

type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// TestServerLimits says how long slow clients may take, and that net/http gets these limits.
func TestServerLimits(t *testing.T) {
	p := DefaultServerLimits()
	if want := (ServerLimits{2 * time.Second, 2500 * time.Millisecond, 5 * time.Second, time.Minute, 30 * time.Second, 80 << 10, 256, 1024}); p != want {
		t.Errorf("the limits are %+v, want those of SECURITY.md, %+v", p, want)
	}
	if p.Header > p.Body || p.Body >= 3*time.Second || p.Answer > 10*time.Second || p.MaxHeader < 64<<10 || p.MaxHeader > 84<<10 {
		t.Errorf("a slow client may take %+v, want it gone within 3 s, and a quotation of 64 KiB accepted", p)
	}
	s := newServer(slog.New(slog.DiscardHandler), p)
	h := s.httpServer()
	if h.ReadHeaderTimeout != p.Header || h.ReadTimeout != p.Body || h.IdleTimeout != p.Idle ||
		h.MaxHeaderBytes != p.MaxHeader || cap(s.slots) != p.MaxConcurrent {
		t.Errorf("net/http gets %+v, want %+v", h, p)
	}
}

// limitsFor returns limits with the given MaxConcurrent.
func limitsFor(concurrent int) ServerLimits {
	p := DefaultServerLimits()
	p.MaxConcurrent = concurrent
	return p
}

// TestMaxConcurrent says that at most MaxConcurrent requests are worked on at once, that all requests are answered, and
// that those which need no slot do not wait.
func TestMaxConcurrent(t *testing.T) {
	const atOnce, requests = 3, 20
	release := make(chan struct{})
	var mu sync.Mutex
	working, most := 0, 0
	count := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		working += n
		most = max(most, working)
	}
	var loaded *Sidecar
	url, _ := serveWith(t, limitsFor(atOnce), func(s *Sidecar) http.Handler {
		loaded = s
		work := s.limitServerConcurrency(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			count(1)
			defer count(-1)
			<-release
		}))
		paths := http.NewServeMux()
		paths.Handle("/work", work)
		return paths
	})
	// gauges waits until the gauges of waiting requests and of requests in flight have these values.
	gauges := func(waiting, inFlight float64) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
			w, f := counted(loaded.metrics.waiting), counted(loaded.metrics.inFlight)
			if w == waiting && f == inFlight {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("%v waiting and %v in flight, want %v and %v", w, f, waiting, inFlight)
			}
		}
	}
	var answered sync.WaitGroup
	for range requests {
		answered.Go(func() {
			response, err := http.Get(url + "/work")
			if err != nil {
				t.Error(err)
				return
			}
			response.Body.Close()
			if response.StatusCode != http.StatusOK {
				t.Errorf("%s, want 200", response.Status)
			}
		})
	}
	for {
		mu.Lock()
		full := working == atOnce
		mu.Unlock()
		if full {
			break
		}
		time.Sleep(time.Millisecond)
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/other": 404} {
		response, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s while all slots are taken: %s, want %d", path, response.Status, want)
		}
	}
	gauges(requests-atOnce, requests)
	close(release)
	answered.Wait()
	gauges(0, 0)
	if most != atOnce {
		t.Errorf("%d requests were worked on at once, want %d", most, atOnce)
	}
}

// TestSlotTimeout says that a request waits for a slot no longer than for the service.
func TestSlotTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := limitsFor(1)
		s := newServer(slog.New(slog.DiscardHandler), p)
		s.slots <- struct{}{}
		h := withExchangeEndpoint(s.limitServerConcurrency(http.NotFoundHandler()), "", unjudged)
		s.handler.Store(&h)
		start, w := time.Now(), httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, endpoint.Dieline, nil))
		if took := time.Since(start); w.Code != http.StatusServiceUnavailable || took != p.Service ||
			!strings.Contains(w.Body.String(), `"code":"INTERNAL_SERVER_ERROR"`) {
			t.Errorf("after %v it is answered with %d %s, want 503 after %v", took, w.Code, w.Body, p.Service)
		}
		waiting, failed := counted(s.metrics.waiting), counted(s.metrics.requests.WithLabelValues(endpoint.Dieline, upstreamFailed, ""))
		if waiting != 0 || failed != 1 {
			t.Errorf("%v requests wait and %v have failed, want 0 and 1", waiting, failed)
		}
	})
}

// TestSlowReaders says that a client which does not take its answer is cut off.
func TestSlowReaders(t *testing.T) {
	p := limitsFor(1)
	p.Answer = 100 * time.Millisecond
	cut := make(chan error, 1)
	url, log := serveWith(t, p, func(s *Sidecar) http.Handler {
		return s.limitServerConcurrency(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			var err error
			for err == nil {
				_, err = w.Write(make([]byte, 1<<20))
			}
			cut <- err
		}))
	})
	connection, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if _, err := io.WriteString(connection, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if timeout, ok := (<-cut).(net.Error); !ok || !timeout.Timeout() {
		t.Errorf("it ends with %v, want a timeout", timeout)
	}
	for !strings.Contains(log.String(), "path=/ ") {
		time.Sleep(time.Millisecond)
	}
}

// TestUnreadProbes says that a client which sends probes and does not take the answers is cut off.
func TestUnreadProbes(t *testing.T) {
	p := limitsFor(1)
	p.Answer = 100 * time.Millisecond
	url, _ := serveWith(t, p, func(*Sidecar) http.Handler { return http.NotFoundHandler() })
	connection, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(time.Minute)) // ends what hangs
	probes := []byte(strings.Repeat("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 1000))
	for err == nil {
		_, err = connection.Write(probes)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection stays open")
	}
}

// TestRequestLog says what is logged about a request, and that the query of the customer is not.
func TestRequestLog(t *testing.T) {
	url, log := serveWith(t, limitsFor(1), func(*Sidecar) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusBadRequest) })
	})
	response, err := http.Get(url + "/a%0ab?width=48&secret=1")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	for !strings.Contains(log.String(), "from=") {
		time.Sleep(time.Millisecond)
	}
	for _, want := range []string{"level=INFO", "msg=request", "method=GET", `path="/a\nb"`, "status=400", "bytes=3",
		"took_us=", "from=127.0.0.1:"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log %q has no %s", log, want)
		}
	}
	if text := log.String(); strings.Contains(text, "48") && strings.Contains(text, "secret") || strings.Count(text, "\n") != 1 {
		t.Errorf("the log %q has the query, or is not one line", text)
	}
}

// TestUnready says that a server which is about to end still answers requests, but is not ready.
func TestUnready(t *testing.T) {
	s := newServer(slog.New(slog.DiscardHandler), limitsFor(1))
	h := http.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.handler.Store(&h)
	ask := func(path string) int {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Code
	}
	if ask("/readyz") != 200 || ask("/x") != 200 {
		t.Error("a server that has begun is not ready")
	}
	s.shuttingDown.Store(true)
	if ask("/readyz") != 503 || ask("/healthz") != 200 || ask("/x") != 200 {
		t.Error("a server that is to end says that it is ready, or does not answer any more")
	}
}

// TestGivenUp says that a client which goes away while it waits for a slot does not get a status 200. It may have
// closed only its side of the connection.
func TestGivenUp(t *testing.T) {
	s := newServer(slog.New(slog.DiscardHandler), limitsFor(1))
	s.slots <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	defer func() {
		if got := recover(); got != http.ErrAbortHandler {
			t.Errorf("panics with %v, want it to end the connection", got)
		}
		if got := counted(s.metrics.waiting); got != 0 {
			t.Errorf("%v requests wait", got)
		}
	}()
	s.limitServerConcurrency(http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil))
	t.Error("it returns, which net/http answers with 200")
}

// TestSandboxBody says that the sandbox reads at most 1 MiB of the body of a token request. The padding is not accepted either,
// but the answer about it shows that the body was read to its end.
func TestSandboxBody(t *testing.T) {
	server, _ := serveWith(t, DefaultServerLimits(), func(s *Sidecar) http.Handler {
		h, err := s.newSandbox(boxrules.Default())
		if err != nil {
			t.Fatal(err)
		}
		return h
	})
	for _, c := range []struct {
		size   int
		answer string
	}{{1 << 20, "the request has other parameters"}, {1<<20 + 1, "request body too large"}} {
		form := "grant_type=client_credentials&scope=external&padding="
		form += strings.Repeat("x", c.size-len(form))
		request, err := http.NewRequest(http.MethodPost, server+"/v1/oauth2/token", strings.NewReader(form))
		if err != nil {
			t.Fatal(err)
		}
		request.SetBasicAuth(sandbox.DefaultSandbox.ID, sandbox.DefaultSandbox.Secret)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != http.StatusBadRequest || !strings.Contains(string(answer), c.answer) {
			t.Errorf("a body of %d bytes is answered with %d %s, %v, want 400 and %q", c.size, response.StatusCode, answer, err, c.answer)
		}
	}
}
