// Package sidecar implements the HTTP server of boxrules serve: the demo, the pre-flight check and the sandbox. It
// can forward requests to the printing service, and record the service's answers.
//
// A request passes through these files: listener.go and connection.go accept it, server.go logs and counts it, and
// package preflight decides whether to refuse it. If it is forwarded, target.go computes the URL, upstream.go sends
// the request, and recorder.go records the answer. Each step stores what it finds out about the request in an
// exchange (exchange.go).
package sidecar

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/answers"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/preflight"
	"example.com/boxrules/sandbox"
)

// Options configure a Sidecar.
type Options struct {
	// Load reads the rule and limit files. It is called at startup and for each reload.
	Load func() (*boxrules.Engine, Hashes, error)

	Demo, Preflight, Sandbox bool

	Checks   preflight.Options
	Upstream *url.URL       // the URL of the service, whose path is prepended to the path of each request; nil if nothing is forwarded
	Trusted  []netip.Prefix // the proxies whose X-Forwarded headers are trusted
	DryRun   bool           // whether to forward every request and only compare our decision with the service's answer
	Record   string         // the file in which answers are recorded; empty if they are not recorded

	Credentials sandbox.Credentials
	Fixtures    string // the folder of recorded answers for the sandbox; empty if there is none
	Faults      bool

	Limits  ServerLimits
	Drain   time.Duration // how long to continue serving after /readyz has begun to answer 503
	Log     *slog.Logger
	Console *console.Console // for messages and the time
}

// Hashes are the SHA-256 hashes of the rule file and the limit file that are in use, as sha256sum prints them. If
// the documented rules are in use, Rules is "documented".
type Hashes struct{ Rules, Limits string }

// A Sidecar is an HTTP server that is configured by Options.
type Sidecar struct {
	Options
	metrics      *metrics
	handler      atomic.Pointer[http.Handler] // the handler for the files that were loaded last
	slots        chan struct{}                // a semaphore: it contains a value for each request in progress
	loading      chan struct{}                // a semaphore: it contains a value while the files are being read
	shuttingDown atomic.Bool                  // whether Serve has begun to shut down
	upstream     *upstream                    // nil if nothing is forwarded
	recorder     *recorder                    // nil if answers are not recorded
	sandbox      *sandbox.Sandbox             // nil before the first load; reloads must not replace it, because it keeps the tokens
}

const (
	// shutdownTimeout plus --upstream-time is how long Serve waits, after Drain, for the requests in progress to end.
	shutdownTimeout = 5 * time.Second
	// reloadTimeout is how long a reload of the files may take, including compilation.
	reloadTimeout = 10 * time.Second
)

// New returns a Sidecar. It opens the record and loads the files.
func New(o Options) (*Sidecar, error) {
	s := &Sidecar{
		Options: o, metrics: newMetrics(),
		slots: make(chan struct{}, o.Limits.slots()), loading: make(chan struct{}, 1),
	}
	if o.Upstream != nil {
		s.upstream = newUpstream(o)
	}
	if o.Record != "" {
		// Open the record now, so that the server does not start if the file cannot be written. Otherwise the
		// failure would only show at the first answer.
		open := func() (io.WriteCloser, time.Time, error) { return answers.OpenRecord(o.Record) }
		s.recorder = &recorder{open: open, log: o.Log, dropped: s.metrics.dropped, now: o.Console.Now}
		if err := s.recorder.start(); err != nil {
			return nil, fmt.Errorf("--record %s: %w", wording.Quote(o.Record), console.FileCause(err))
		}
	}
	if _, err := s.load(context.Background()); err != nil {
		return nil, err
	}
	return s, nil
}

// load reads the files, and uses them for all new requests, unless ctx is done in the meantime.
func (s *Sidecar) load(ctx context.Context) (Hashes, error) {
	engine, hashes, err := s.Load()
	if err == nil {
		// If ctx is done, reading took too long, and reload has already reported that the old files stay in use.
		err = ctx.Err()
	}
	if err != nil {
		return hashes, err
	}
	h, err := s.newHandler(engine)
	if err == nil {
		// Requests that have already begun keep the old handler.
		s.handler.Store(&h)
		s.metrics.setLoaded(hashes)
	}
	return hashes, err
}

// newHandler returns a handler for all features that the options turn on.
func (s *Sidecar) newHandler(engine *boxrules.Engine) (http.Handler, error) {
	api, err := http.NotFoundHandler(), error(nil) // the handler for API requests
	switch {
	case s.Preflight:
		api, err = s.newPreflight(engine)
	case s.Sandbox:
		api, err = s.newSandbox(engine)
	}
	if !s.Demo || err != nil {
		return api, err
	}
	demo, err := newDemo(engine)
	if err != nil {
		return nil, err
	}
	demo = s.limitServerConcurrency(demo)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The demo and the API share one address. The paths of API requests begin with /v1/.
		if strings.HasPrefix(r.URL.Path, "/v1/") {
			api.ServeHTTP(w, r)
			return
		}
		demo.ServeHTTP(w, r)
	}), nil
}

func (s *Sidecar) newPreflight(engine *boxrules.Engine) (http.Handler, error) {
	options := s.Checks
	if s.upstream != nil {
		options.Base = "/" // the paths of requests do not contain the path of --upstream
	}
	options.OnDecision = func(d preflight.Decision) {
		s.metrics.decision.Observe(d.Took.Seconds())
		exchangeOf(d.Request.Context()).decision = &d
	}
	checker, err := preflight.New(engine, options)
	if err != nil {
		return nil, err
	}
	if s.upstream == nil {
		return withExchangeEndpoint(checker.Handler(), options.Base, unjudged), nil
	}
	transport := &preflight.Transport{
		Checker:        checker,
		Base:           s.upstream,
		Observe:        s.DryRun,
		Logger:         s.Log,
		OnDisagreement: func(preflight.Disagreement) { s.metrics.disagreements.Inc() },
	}
	if s.recorder != nil {
		transport.OnAnswer = func(a preflight.Answer) { s.recorder.add(a, engine) }
	}
	// These handlers are wrapped around each other. From the outside in, they refuse invalid boxes, refuse loops,
	// wait for a slot, and forward the request. In a dry run, no boxes are refused. Instead, the transport compares
	// the service's answers with our decisions.
	h := s.upstream.refuseLoops(s.limitServerConcurrency(s.upstream.proxy(transport)))
	if !s.DryRun {
		h = checker.Middleware(h) // outside limitServerConcurrency, because refusals need no slot
	}
	return withExchangeEndpoint(h, options.Base, unjudged), nil
}

// maxSandboxBody is the maximum size in bytes of a request body. The sandbox reads bodies only for token requests.
const maxSandboxBody = 1 << 20

func (s *Sidecar) newSandbox(engine *boxrules.Engine) (http.Handler, error) {
	o := sandbox.Options{Preflight: s.Checks, Faults: s.Faults, Credentials: s.Credentials}
	if s.Fixtures != "" {
		root, err := os.OpenRoot(s.Fixtures) // os.Root does not follow links that lead out of the folder
		if err != nil {
			return nil, fmt.Errorf("--fixtures %s is not a folder", wording.Quote(s.Fixtures))
		}
		defer root.Close() // New and Reload read all fixtures before they return
		o.Fixtures = root.FS()
	}
	var err error
	if s.sandbox == nil {
		s.sandbox, err = sandbox.New(engine, o)
	} else {
		// Keep this sandbox, because a new one would not accept the tokens that this one has issued.
		err = s.sandbox.Reload(engine, o)
	}
	h := s.limitServerConcurrency(http.MaxBytesHandler(s.sandbox, maxSandboxBody))
	return withExchangeEndpoint(h, "/", passed), err // the sandbox plays the service, so every request counts as passed
}

// Serve answers requests until ctx is done. It loads the files again after each signal from reload. If metrics is
// not nil, it serves the metrics on that listener.
//
// When ctx is done, the server shuts down without losing a request. With a Drain of 10 seconds and a Limits.Service
// of 30 seconds, these are the steps:
//
//	0 s      /readyz answers 503, so load balancers stop sending requests. Requests that still arrive are
//	         answered as before, but each answer closes its connection.
//	10 s     boundedListener.finish: connections that the operating system has queued are accepted, and idle
//	         connections get a moment for one more request.
//	10.3 s   The listener is closed. Serve waits for the requests in progress.
//	45 s     Serve returns an error if some of them have not ended.
func (s *Sidecar) Serve(ctx context.Context, listener, metrics net.Listener, reload <-chan os.Signal) error {
	if s.recorder != nil {
		defer s.recorder.close()
	}
	if metrics != nil {
		server := s.metrics.httpServer(s.Limits)
		server.ErrorLog = Warnings(s.Log)
		go func() {
			if err := server.Serve(newListener(metrics, s.Limits)); !errors.Is(err, http.ErrServerClosed) {
				_ = s.Console.Fail(err)
			}
		}()
		defer server.Close()
	}
	connections := newListener(listener, s.Limits)
	server := s.httpServer()
	server.ConnState, server.ConnContext = trackConnectionState, withConnection
	defer server.Close()
	// The channel is buffered, so that the goroutine ends even if nobody receives the error.
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(connections) }()
	go func() { // in a separate goroutine, so that an interrupt need not wait for a reload
		for range reload {
			if s.recorder != nil {
				s.recorder.reopen.Store(true)
			}
			s.reload()
		}
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.shuttingDown.Store(true)
	time.Sleep(s.Drain) // give load balancers time to notice that /readyz answers 503
	finish, release := context.WithTimeout(context.Background(), shutdownTimeout+s.Limits.Service)
	defer release()
	// Do not call Server.Shutdown, which would drop requests that have arrived on idle connections.
	connections.finish()
	select {
	// After finish, Accept fails as soon as the queue is empty, and then server.Serve returns.
	case <-ended: // no more connections are accepted
	case <-finish.Done():
	}
	if err := connections.wait(finish); err != nil {
		return fmt.Errorf("some requests did not finish: %w", err)
	}
	return nil
}

// reload loads the files again, in a goroutine. Reading may take longer than reloadTimeout, for example on a
// network file system. In that case, reload reports an error and returns, and the files that were loaded before
// stay in use. The goroutine continues until it has read the files. The next reload waits for the goroutine, so
// that the files are never read twice at the same time.
func (s *Sidecar) reload() {
	ctx, cancel := context.WithTimeout(context.Background(), reloadTimeout)
	defer cancel()
	var hashes Hashes
	// hashes needs no lock, because the goroutine sets it before it sends to done, and we read it after receiving
	// from done. done is buffered, so that the goroutine ends even if nobody receives the error.
	done := make(chan error, 1)
	go func() {
		select {
		case s.loading <- struct{}{}:
		case <-ctx.Done():
			return
		}
		defer func() { <-s.loading }()
		loaded, err := s.load(ctx)
		hashes = loaded
		done <- err
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = fmt.Errorf("the files were not read within %v", reloadTimeout)
	}
	if err != nil {
		// setLoaded resets this after the next successful reload.
		s.metrics.reloadFailed.Store(true)
		_ = s.Console.Fail(err)
		s.Console.Tell(slog.LevelError, "boxrules: reload failed; still using the files loaded before")
		return
	}
	s.Console.Say("boxrules: reloaded the files: SHA-256 of the limits %s, of the rules %s", hashes.Limits, hashes.Rules)
}

// serveProbe answers health checks. If a reload has failed, the server is still ready, because it continues with the
// files that it loaded before. Clients can read the answer, so the cause of the failure is only in the log.
func (s *Sidecar) serveProbe(w http.ResponseWriter, r *http.Request) {
	if s.shuttingDown.Load() {
		w.Header().Set("Connection", "close")
	}
	switch {
	case r.URL.Path == "/healthz":
		_, _ = io.WriteString(w, "ok\n")
	case s.shuttingDown.Load():
		http.Error(w, "shutting down", http.StatusServiceUnavailable)
	case s.metrics.reloadFailed.Load():
		_, _ = io.WriteString(w, "ready; the last reload failed, see the log\n")
	default:
		_, _ = io.WriteString(w, "ready\n")
	}
}
