// Package sidecar serves the demo, the pre-flight check and the sandbox over HTTP. It forwards requests to the
// service, and records its answers.
//
// A request goes through these files: listener.go and connection.go accept it, server.go logs and counts it,
// and package preflight decides about it. If it is forwarded, upstream.go sends it, target.go finds its
// address at the service, and recorder.go records the answer. What is learned on the way is collected in an
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

// Options say what a sidecar serves.
type Options struct {
	// Load reads the rule and limit files. It is called at the start and for each reload.
	Load func() (*boxrules.Engine, Hashes, error)

	Demo, Preflight, Sandbox bool

	Checks   preflight.Options
	Upstream *url.URL       // the service; nil if nothing is forwarded. Its path comes before that of each request.
	Trusted  []netip.Prefix // the proxies whose X-Forwarded headers are believed
	DryRun   bool           // forward every request, and only compare the answers
	Record   string         // the file for answers; empty if they are not recorded

	Credentials sandbox.Credentials
	Fixtures    string // the folder; empty if there is none
	Faults      bool

	Limits  ServerLimits
	Drain   time.Duration // how long to answer requests after /readyz has begun to say no
	Log     *slog.Logger
	Console *console.Console // for messages and the time
}

// Hashes are the SHA-256 of the files in force, as sha256sum prints them, or "documented" for the documented
// rules.
type Hashes struct{ Rules, Limits string }

// A Sidecar is a server for what its options name.
type Sidecar struct {
	Options
	metrics      *metrics
	handler      atomic.Pointer[http.Handler] // for the files that were loaded last
	slots        chan struct{}                // a semaphore: one value per request that is worked on
	loading      chan struct{}                // a semaphore: one value while the files are read
	shuttingDown atomic.Bool                  // whether the server is about to end
	upstream     *upstream                    // nil if nothing is forwarded
	recorder     *recorder                    // nil if answers are not recorded
	sandbox      *sandbox.Sandbox             // nil before the first load; keeps its tokens over reloads
}

const (
	// shutdownTime, plus --upstream-time, is how long requests in progress may take after an interrupt.
	shutdownTime = 5 * time.Second
	// reloadTime bounds how long it may take to read and compile the files again.
	reloadTime = 10 * time.Second
)

// New returns a Sidecar that has opened the record and loaded the files.
func New(o Options) (*Sidecar, error) {
	s := &Sidecar{
		Options: o, metrics: newMetrics(),
		slots: make(chan struct{}, o.Limits.slots()), loading: make(chan struct{}, 1),
	}
	if o.Upstream != nil {
		s.upstream = newUpstream(o)
	}
	if o.Record != "" {
		// Open the record now, so that a file that cannot be written stops the start and does not surprise
		// the user at the first answer.
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

// load reads the files and puts them in force, unless ctx has ended in the meantime.
func (s *Sidecar) load(ctx context.Context) (Hashes, error) {
	engine, hashes, err := s.Load()
	if err == nil {
		// If reading took too long, reload has told the user that the old files stay in force.
		err = ctx.Err()
	}
	if err != nil {
		return hashes, err
	}
	h, err := s.newHandler(engine)
	if err == nil {
		// Requests that have begun keep the handler that they were given.
		s.handler.Store(&h)
		s.metrics.setLoaded(hashes)
	}
	return hashes, err
}

// newHandler returns the handler for everything that is served.
func (s *Sidecar) newHandler(engine *boxrules.Engine) (http.Handler, error) {
	api, err := http.NotFoundHandler(), error(nil) // the interface of the service
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
	demo = s.limitConcurrent(demo)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The demo and the interface share one address: the paths of the interface begin with /v1/.
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
		options.Base = "/" // requests come without the path of --upstream
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
		return forInterface(checker.Handler(), options.Base, unjudged), nil
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
	// From the outside in: refuse invalid boxes, refuse loops, wait for a slot, forward. In a dry run nothing
	// is refused; the transport compares the service's answers with our decisions.
	h := s.upstream.refuseLoops(s.limitConcurrent(s.upstream.proxy(transport)))
	if !s.DryRun {
		h = checker.Middleware(h) // outside of limitConcurrent: refusals need no slot
	}
	return forInterface(h, options.Base, unjudged), nil
}

// maxSandboxBody bounds the bodies of requests to the sandbox. It reads only those of token requests.
const maxSandboxBody = 1 << 20

func (s *Sidecar) newSandbox(engine *boxrules.Engine) (http.Handler, error) {
	o := sandbox.Options{Preflight: s.Checks, Faults: s.Faults, Credentials: s.Credentials}
	if s.Fixtures != "" {
		root, err := os.OpenRoot(s.Fixtures) // no link leads out of a Root
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
		// A new sandbox would not accept the tokens that clients have.
		err = s.sandbox.Reload(engine, o)
	}
	h := s.limitConcurrent(http.MaxBytesHandler(s.sandbox, maxSandboxBody))
	return forInterface(h, "/", passed), err // the sandbox acts as the service, which answers everything
}

// Serve answers requests until ctx ends, and loads the files again after each signal from reload. It serves
// metrics if their listener is not nil.
//
// When ctx ends, no request may be lost. With a Drain of 10 seconds and a Limits.Service of 30, it goes
// like this:
//
//	0 s      /readyz says no, so load balancers stop sending requests. Those that come are answered as
//	         before, but each answer closes its connection.
//	10 s     boundedListener.finish: connections in the queue of the system are accepted, and idle
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
	server.ConnState, server.ConnContext = trackState, withConnection
	defer server.Close()
	// The channel has room for the error, so that the goroutine ends even if nobody receives it.
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(connections) }()
	go func() { // in a goroutine of its own, so that an interrupt does not wait for a reload
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
	time.Sleep(s.Drain) // until load balancers have noticed that /readyz says no
	finish, release := context.WithTimeout(context.Background(), shutdownTime+s.Limits.Service)
	defer release()
	// Server.Shutdown would drop requests that have arrived on idle connections.
	connections.finish()
	select {
	// finish makes Accept fail when the queue is empty, and server.Serve returns then.
	case <-ended: // no more connections are accepted
	case <-finish.Done():
	}
	if err := connections.wait(finish); err != nil {
		return fmt.Errorf("some requests did not end: %w", err)
	}
	return nil
}

// reload loads the files again. It does so in a goroutine, which goes on if reading them takes too long, as it
// may on a network file system. What was loaded before then stays in force. The next reload waits for that
// goroutine, so that there is never more than one.
func (s *Sidecar) reload() {
	ctx, cancel := context.WithTimeout(context.Background(), reloadTime)
	defer cancel()
	var hashes Hashes
	// hashes is written before done is sent to, and read only after done was received from. done has room for
	// the error, so that the goroutine ends even if nobody waits for it any more.
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
		err = fmt.Errorf("the files were not read within %v", reloadTime)
	}
	if err != nil {
		// setLoaded takes this back after the next reload that succeeds.
		s.metrics.reloadFailed.Store(true)
		_ = s.Console.Fail(err)
		s.Console.Tell(slog.LevelError, "boxrules: the files were not loaded again; what was loaded before stays in force")
		return
	}
	s.Console.Say("boxrules: the files were loaded again: limits %s, rules %s", hashes.Limits, hashes.Rules)
}
