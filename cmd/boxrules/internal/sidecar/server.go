package sidecar

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"example.com/boxrules/cmd/boxrules/internal/console"
)

// ServerLimits limit the time, the memory and the connections that clients can use. Each duration is a maximum.
type ServerLimits struct {
	Header         time.Duration // for the client to send the head of a request
	Body           time.Duration // for the client to send a body, or the next piece of one that is forwarded
	Answer         time.Duration // for the client to receive the next piece of an answer
	Idle           time.Duration // between two requests on a connection
	Service        time.Duration // for the service to answer, and for a request to wait for a slot
	MaxHeader      int           // the maximum number of bytes in the head of a request; net/http adds 4 KiB
	MaxConcurrent  int           // the maximum number of requests in progress, not counting those that wait for a slot
	MaxConnections int           // the maximum number of open connections, not counting a new one that waits for another one to close
}

// DefaultServerLimits returns the default limits. The head of a request may contain a query of 64 KiB, which holds
// the items of a quotation, and 16 KiB of path and headers.
func DefaultServerLimits() ServerLimits {
	return ServerLimits{
		Header:         2 * time.Second,
		Body:           2500 * time.Millisecond,
		Answer:         5 * time.Second,
		Idle:           time.Minute,
		Service:        30 * time.Second,
		MaxHeader:      80 << 10,
		MaxConcurrent:  256,
		MaxConnections: 1024,
	}
}

// slots returns the maximum number of requests that may be in progress at once. It is less than MaxConnections,
// unless that is 1, so that there is always a connection that can give way to a new one.
func (s ServerLimits) slots() int { return min(s.MaxConcurrent, max(1, s.MaxConnections-1)) }

func (s *Sidecar) httpServer() *http.Server {
	return &http.Server{
		Handler:           s,
		ReadHeaderTimeout: s.Limits.Header,
		ReadTimeout:       s.Limits.Body,
		IdleTimeout:       s.Limits.Idle,
		MaxHeaderBytes:    s.Limits.MaxHeader,
		ErrorLog:          Warnings(s.Log),

		// Forward OPTIONS *. By default, net/http would answer it with an empty 200.
		DisableGeneralOptionsHandler: true,
	}
}

// ServeHTTP answers a request and logs it. It compares paths as the client wrote them, and never redirects to a
// cleaned path.
func (s *Sidecar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	connection := connectionOf(r.Context())
	defer connection.enter(receiving) // after the handler, net/http reads the rest of the body
	connection.waitUntilClosed()
	// Answer health checks before anything that can block. They are neither logged nor counted.
	if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
		s.probe(w, r)
		return
	}
	e := newExchange(r)
	r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, e))
	s.metrics.inFlight.Inc()
	defer func() {
		// This is deferred because a handler may panic, as giveUp does. So every request is logged exactly once.
		s.metrics.inFlight.Dec()
		outcome, code := e.outcome()
		s.metrics.count(e, outcome, code)
		s.Log.LogAttrs(r.Context(), slog.LevelInfo, "request", e.logAttrs(outcome, code)...)
	}()
	(*s.handler.Load()).ServeHTTP(&answerWriter{w, &s.shuttingDown, e}, r)
}

// probe answers health checks. If a reload has failed, the server is still ready, because it continues with the
// files that it loaded before. Clients can read the answer, so the cause of the failure is only in the log.
func (s *Sidecar) probe(w http.ResponseWriter, r *http.Request) {
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

// limitConcurrent returns a handler that passes a request to h as soon as there is a free slot for it. A request
// that has to wait too long is answered with 503.
func (s *Sidecar) limitConcurrent(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.takeSlot(r.Context()) {
			w.Header().Set("Connection", "close") // to make room for another client
			exchangeOf(r.Context()).writeError(w, http.StatusServiceUnavailable, "too many requests are under way")
			return
		}
		defer func() { <-s.slots }()
		h.ServeHTTP(w, r)
	})
}

// takeSlot waits until a slot is free and takes it. It returns false if that takes too long, or if the connection
// has to give way. If the client goes away, takeSlot does not return but calls giveUp, which ends the request.
func (s *Sidecar) takeSlot(ctx context.Context) bool {
	// Usually a slot is free at once. Only a request that does not find one counts as waiting, and may have to give
	// way.
	select {
	case s.slots <- struct{}{}:
		return true
	default:
	}
	s.metrics.waiting.Inc()
	defer s.metrics.waiting.Dec()
	connection := connectionOf(ctx)
	giveWay := connection.beginWaiting()
	defer connection.enter(working)
	select {
	case s.slots <- struct{}{}:
		return true
	case <-giveWay:
	case <-time.After(s.Limits.Service):
	case <-ctx.Done():
		giveUp()
	}
	return false
}

// giveUp ends a request without an answer, because the client has gone away. If the handler simply returned,
// net/http would answer 200, and a client that has closed only its sending side would receive that answer.
func giveUp() { panic(http.ErrAbortHandler) }

// An answerWriter writes a response. It stores the status and the length in the exchange, and adds a header with
// the ID of the request.
type answerWriter struct {
	http.ResponseWriter
	shuttingDown *atomic.Bool // if it is true, the connection is closed after the answer
	*exchange
}

// WriteHeader writes the head of the response. The status may be an informational one such as 103. WriteHeader
// ignores 100, which net/http itself sends when the body is read.
func (a *answerWriter) WriteHeader(status int) {
	if status == http.StatusContinue {
		return
	}
	// Informational heads may come before the final one. Add our headers only to the final head, and log only its
	// status.
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		h := a.Header()
		if _, ok := h["Content-Type"]; !ok {
			h["Content-Type"] = nil // otherwise net/http would guess the type
		}
		if h.Get(requestIDHeader) == "" {
			h.Set(requestIDHeader, a.id)
		}
		// A response with the status 101 needs the header "Connection: Upgrade".
		if a.shuttingDown.Load() && status != http.StatusSwitchingProtocols {
			h.Set("Connection", "close")
		}
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answerWriter) Write(p []byte) (int, error) {
	if a.status == 0 {
		// If this call were missing, net/http would send the head without our headers.
		a.WriteHeader(http.StatusOK)
	}
	n, err := a.ResponseWriter.Write(p)
	a.bytes += int64(n)
	return n, err
}

// Hijack takes over the connection. Reads from it begin with the bytes after the request that net/http has already
// read.
func (a *answerWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(a.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	// Peek at exactly the bytes that are buffered. So Peek does not wait for more, and it consumes none.
	early, err := buffered.Reader.Peek(buffered.Reader.Buffered())
	return &hijackedConn{conn, io.MultiReader(bytes.NewReader(early), conn)}, buffered, err
}

// A hijackedConn is a connection that reads its data from reader.
type hijackedConn struct {
	net.Conn
	reader io.Reader
}

func (h *hijackedConn) Read(p []byte) (int, error) { return h.reader.Read(p) }

// Unwrap makes the methods of http.ResponseController work.
func (a *answerWriter) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// NewLogger returns a logger that writes in a format of --log: text, json or off. Each line about a request
// contains the ID of the request.
func NewLogger(to io.Writer, format string) *slog.Logger {
	switch format {
	case "json":
		return slog.New(requestIDHandler{slog.NewJSONHandler(printableWriter{to}, nil)})
	case "off":
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(requestIDHandler{slog.NewTextHandler(to, nil)})
}

// A requestIDHandler is a slog.Handler that adds the ID of the request to each line about a request.
type requestIDHandler struct{ slog.Handler }

func (r requestIDHandler) Handle(ctx context.Context, line slog.Record) error {
	if e := exchangeOf(ctx); e != nil {
		line.AddAttrs(slog.String("request_id", e.id))
	}
	return r.Handler.Handle(ctx, line)
}

// A printableWriter escapes control characters in JSON, because a terminal would obey them.
type printableWriter struct{ io.Writer }

func (p printableWriter) Write(line []byte) (int, error) {
	return p.Writer.Write(console.PrintableJSON(line))
}

// Warnings returns a *log.Logger, which net/http needs. It writes each line to logger as a warning.
func Warnings(logger *slog.Logger) *log.Logger {
	return slog.NewLogLogger(logger.Handler(), slog.LevelWarn)
}
