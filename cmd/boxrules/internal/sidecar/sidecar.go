// Package sidecar serves the demo, the pre-flight check and the sandbox over HTTP, passes on to
// the service, and records what that answers.
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

// Options say what a sidecar serves, and how.
type Options struct {
	// Load reads the rule and limit files, at the start and for each reload.
	Load func() (*boxrules.Engine, Hashes, error)

	Demo, Preflight, Sandbox bool

	Checks   preflight.Options
	Upstream *url.URL       // nil where nothing is passed on; its path comes before that of each request
	Trusted  []netip.Prefix // proxies whose X-Forwarded headers count
	DryRun   bool
	Record   string // file, empty where answers are not recorded

	Credentials sandbox.Credentials
	Fixtures    string // folder, empty where there are none
	Faults      bool

	Limits  ServerLimits
	Drain   time.Duration
	Log     *slog.Logger
	Console *console.Console // which tells the time, and is told of what fails
}

// Hashes are the SHA-256 of the files that are in force, as sha256sum prints them, or "documented" for
// the documented rules.
type Hashes struct{ Rules, Limits string }

// A Sidecar serves what its options say until it is stopped.
type Sidecar struct {
	Options
	metrics  *metrics
	handler  atomic.Pointer[http.Handler] // of the files as they were loaded last
	slots    chan struct{}                // taken by requests that are worked on
	loading  chan struct{}                // taken while the files are read
	leaving  atomic.Bool                  // no more requests are wanted
	upstream *upstream                    // nil where nothing is passed on
	recorder *recorder                    // nil where answers are not recorded
	offline  *sandbox.Sandbox             // kept over reloads, with its tokens
}

const (
	// shutdownTime bounds how long requests that have begun may take after an interrupt, besides
	// --upstream-time.
	shutdownTime = 5 * time.Second
	// reloadTime bounds how long it may take to read and compile the files again.
	reloadTime = 10 * time.Second
)

// New opens the record and loads the files.
func New(o Options) (*Sidecar, error) {
	s := &Sidecar{
		Options: o, metrics: newMetrics(),
		slots: make(chan struct{}, o.Limits.slots()), loading: make(chan struct{}, 1),
	}
	if o.Upstream != nil {
		s.upstream = newUpstream(o)
	}
	if o.Record != "" {
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

// load has requests answered by what the files say, unless ctx has ended before they were read.
func (s *Sidecar) load(ctx context.Context) (Hashes, error) {
	engine, hashes, err := s.Load()
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return hashes, err
	}
	h, err := s.content(engine)
	if err == nil {
		s.handler.Store(&h)
		s.metrics.load(hashes)
	}
	return hashes, err
}

// content returns the handler of all that is served, for the engine.
func (s *Sidecar) content(engine *boxrules.Engine) (http.Handler, error) {
	api, err := http.NotFoundHandler(), error(nil)
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
	demo = s.limit(demo)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
	h := s.upstream.refuseOwn(s.limit(s.upstream.proxy(transport)))
	if !s.DryRun {
		h = checker.Middleware(h) // what is refused does not wait for a slot
	}
	return forInterface(h, options.Base, unjudged), nil
}

// maxSandboxBody bounds the bodies of requests to the sandbox, which has use for those of
// tokens alone.
const maxSandboxBody = 1 << 20

func (s *Sidecar) newSandbox(engine *boxrules.Engine) (http.Handler, error) {
	o := sandbox.Options{Preflight: s.Checks, Faults: s.Faults, Credentials: s.Credentials}
	if s.Fixtures != "" {
		root, err := os.OpenRoot(s.Fixtures) // which no link leads out of
		if err != nil {
			return nil, fmt.Errorf("--fixtures %s is not a folder", wording.Quote(s.Fixtures))
		}
		defer root.Close()
		o.Fixtures = root.FS()
	}
	var err error
	if s.offline == nil {
		s.offline, err = sandbox.New(engine, o)
	} else {
		err = s.offline.Reload(engine, o)
	}
	h := s.limit(http.MaxBytesHandler(s.offline, maxSandboxBody))
	return forInterface(h, "/", passed), err // to the sandbox, which is the service
}

// Serve answers until ctx ends, and reloads for each signal. Where metrics is nil, there are none.
func (s *Sidecar) Serve(ctx context.Context, listener, metrics net.Listener, reload <-chan os.Signal) error {
	if s.recorder != nil {
		defer s.recorder.close()
	}
	if metrics != nil {
		server := s.metrics.server(s.Limits)
		server.ErrorLog = Warnings(s.Log)
		go func() {
			if err := server.Serve(newListener(metrics, s.Limits)); !errors.Is(err, http.ErrServerClosed) {
				_ = s.Console.Fail(err)
			}
		}()
		defer server.Close()
	}
	connections := newListener(listener, s.Limits)
	server := s.http()
	server.ConnState, server.ConnContext = trackState, withConnection
	defer server.Close()
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(connections) }()
	go func() { // apart from the rest: an interrupt does not wait for a reload
		for range reload {
			if s.recorder != nil {
				s.recorder.moved.Store(true)
			}
			s.reload()
		}
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.leaving.Store(true)
	time.Sleep(s.Drain) // until it has got around that /readyz says no
	finish, release := context.WithTimeout(context.Background(), shutdownTime+s.Limits.Service)
	defer release()
	// Server.Shutdown would drop requests that have arrived on idle connections.
	connections.finish()
	select {
	case <-ended: // by now every connection is counted
	case <-finish.Done():
	}
	if err := connections.wait(finish); err != nil {
		return fmt.Errorf("some requests did not end: %w", err)
	}
	return nil
}

// reload loads the files again, in a goroutine. If that takes too long, what was loaded before stays in
// force and the goroutine is left running. The next reload waits for it, so that files that cannot be
// read never block more than one goroutine.
func (s *Sidecar) reload() {
	ctx, cancel := context.WithTimeout(context.Background(), reloadTime)
	defer cancel()
	var hashes Hashes
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
		s.metrics.reloadFailed.Store(true)
		_ = s.Console.Fail(err)
		s.Console.Tell(slog.LevelError, "boxrules: the files were not loaded again; what was loaded before stays in force")
		return
	}
	s.Console.Say("boxrules: the files were loaded again: limits %s, rules %s", hashes.Limits, hashes.Rules)
}
