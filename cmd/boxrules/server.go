package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
)

// patience is what a client may take of a server. None of the requests that it answers needs more.
type patience struct {
	header     time.Duration // to send the head of a request
	request    time.Duration // to send all of it
	answer     time.Duration // to take what is written to it at once
	idle       time.Duration // between two requests
	maxHeader  int           // bytes; a quotation's items travel in the query, of at most 64 KiB
	maxBody    int64
	concurrent int // requests that are worked on at once
}

func usualPatience(concurrent int) patience {
	return patience{
		header: 2 * time.Second, request: 2500 * time.Millisecond, answer: 5 * time.Second, idle: time.Minute,
		maxHeader: 96 << 10, maxBody: 1 << 20, concurrent: concurrent,
	}
}

// A server answers over HTTP. What it answers with can be replaced while it runs.
type server struct {
	patience
	log     *slog.Logger
	metrics *metrics
	handler atomic.Pointer[http.Handler]
	slots   chan struct{} // taken by requests that are being worked on
	leaving atomic.Bool   // no more requests are wanted
}

func newServer(log *slog.Logger, p patience) *server {
	return &server{patience: p, log: log, metrics: newMetrics(), slots: make(chan struct{}, p.concurrent)}
}

// replace answers with h from now on, which is of the files that were loaded.
func (s *server) replace(h http.Handler, of loading) {
	s.handler.Store(&h)
	s.metrics.loaded.Store(&of)
}

// http is the server for net/http.
func (s *server) http() *http.Server {
	return &http.Server{
		Handler:           s,
		ReadHeaderTimeout: s.header,
		ReadTimeout:       s.request,
		IdleTimeout:       s.idle,
		MaxHeaderBytes:    s.maxHeader,
		ErrorLog:          s.errorLog(context.Background()),

		DisableGeneralOptionsHandler: true, // which answers OPTIONS * with an empty 200
	}
}

// errorLog is for what net/http has to say, of a request where the context is one's.
func (s *server) errorLog(ctx context.Context) *log.Logger {
	return log.New(writerFunc(func(line []byte) { s.log.WarnContext(ctx, string(bytes.TrimSuffix(line, []byte("\n")))) }), "", 0)
}

// A writerFunc is told what is written, a line at a time.
type writerFunc func(line []byte)

func (f writerFunc) Write(line []byte) (int, error) {
	f(line)
	return len(line), nil
}

// A documented listener has net/http answer with the documented body where it refuses a request by itself, in plain text
// and before any handler. What the request was is not known then.
type documented struct{ net.Listener }

func (l documented) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		c = documentedConn{tcp}
	}
	return c, err
}

type documentedConn struct{ *net.TCPConn }

// refusalHead follows the line of the status where net/http refuses, and nowhere else.
var refusalHead = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")

func (c documentedConn) Write(p []byte) (int, error) {
	line, message, ok := bytes.Cut(p, refusalHead)
	if !ok || bytes.Contains(line, []byte("\n")) {
		return c.TCPConn.Write(p)
	}
	failed := preflight.Response{Code: boxrules.ValidationError, Message: string(message)}
	_, _ = fmt.Sscanf(string(line), "HTTP/1.1 %d", &failed.HTTPStatusCode)
	body := preflight.Body{Response: failed}.JSON()
	_, err := fmt.Fprintf(c.TCPConn, "%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		line, len(body), body)
	return len(p), err
}

// ServeHTTP answers and logs. The paths are compared as they are sent: nothing is redirected.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/healthz":
		_, _ = io.WriteString(w, "ok\n")
		return
	case "/readyz":
		if s.leaving.Load() {
			http.Error(w, "shutting down", http.StatusServiceUnavailable)
			return
		}
		if s.metrics.loaded.Load().failed { // no reason to take away what works; clients can read this, so why is in the log
			_, _ = io.WriteString(w, "ready; the last reload failed, see the log\n")
			return
		}
		_, _ = io.WriteString(w, "ready\n")
		return
	}
	start, e := time.Now(), newEntry(r)
	w.Header().Set(requestID, e.id)
	r = r.WithContext(context.WithValue(r.Context(), entryKey{}, e))
	r.Body = http.MaxBytesReader(w, r.Body, s.maxBody)
	out := &patientWriter{ResponseWriter: w, control: http.NewResponseController(w), wait: s.answer}
	s.metrics.inFlight.Inc()
	defer func() {
		s.metrics.inFlight.Dec()
		e.end(r.Context(), out.status)
		s.metrics.count(e)
		if s.log.Enabled(r.Context(), slog.LevelInfo) {
			s.log.LogAttrs(r.Context(), slog.LevelInfo, "request", e.logged(r, out, time.Since(start))...)
		}
	}()
	(*s.handler.Load()).ServeHTTP(out, r)
}

// limit lets only so many requests at once get to h: under load they take their turn, and none is refused.
func (s *server) limit(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.metrics.waiting.Inc()
		select {
		case s.slots <- struct{}{}:
			s.metrics.waiting.Dec()
		case <-r.Context().Done():
			s.metrics.waiting.Dec()
			giveUp()
		}
		defer func() { <-s.slots }()
		if r.ContentLength != 0 {
			// The time for the body begins now: to have waited is no fault of the client's. Without a body there is
			// nothing left to read, and a deadline would end the request.
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.request))
		}
		h.ServeHTTP(w, r)
	})
}

// giveUp ends a request whose client has gone. To return instead would mean 200, to a client that has only closed
// its side of the connection.
func giveUp() { panic(http.ErrAbortHandler) }

// A patientWriter notes what is sent through it, and gives the client so long to take each piece.
type patientWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	wait    time.Duration
	status  int // 0 while there is none: the request was given up
	bytes   int64
}

func (w *patientWriter) WriteHeader(status int) {
	_ = w.control.SetWriteDeadline(time.Now().Add(w.wait))                  // not every writer knows deadlines
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols { // the others come before the answer
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *patientWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	} else {
		_ = w.control.SetWriteDeadline(time.Now().Add(w.wait))
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (w *patientWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// shutdown tells that no more requests are wanted, waits as long as it takes for that to get around, and lets the
// requests that have begun end, for as long as ctx lasts.
func (s *server) shutdown(ctx context.Context, h *http.Server, grace time.Duration) error {
	s.leaving.Store(true)
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return h.Shutdown(ctx)
}

// under hands requests for paths below the prefix to h, and all others to rest.
func under(prefix string, h, rest http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, prefix) {
			h.ServeHTTP(w, r)
			return
		}
		rest.ServeHTTP(w, r)
	})
}
