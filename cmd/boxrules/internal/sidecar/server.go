package sidecar

import (
	"context"
	"log/slog"
	"net/http"
	"time"
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

// slots returns the maximum number of requests that may be in progress at once. It is less than MaxConnections, unless
// MaxConnections is 1, so that there is always a connection that can give way to a new one.
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
	// A client that begins with HTTP/2 sends a request with the method PRI, which must not be forwarded. net/http does not
	// refuse it.
	if r.ProtoMajor != 1 {
		w.Header().Set("Connection", "close")
		http.Error(w, "boxrules speaks HTTP/1.1", http.StatusHTTPVersionNotSupported)
		return
	}
	// In HTTP/1.0, net/http removes Transfer-Encoding and takes the request for one without a body. If the client has sent a
	// chunked body, it must not be read as the next request.
	if r.ProtoMinor == 0 {
		w.Header().Set("Connection", "close")
	}
	// Answer health checks before anything that can block. They are neither logged nor counted.
	if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
		s.serveProbe(w, r)
		return
	}
	e := newExchange(r)
	r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, e))
	s.metrics.inFlight.Inc()
	defer func() {
		// This is deferred because a handler may panic, as abandonRequest does. So every request is logged exactly
		// once.
		s.metrics.inFlight.Dec()
		outcome, code := e.outcome()
		s.metrics.count(e, outcome, code)
		s.Log.LogAttrs(r.Context(), slog.LevelInfo, "request", e.logAttrs(outcome, code)...)
	}()
	(*s.handler.Load()).ServeHTTP(&answerWriter{w, &s.shuttingDown, e}, r)
}

// limitServerConcurrency returns a handler that passes a request to h as soon as there is a free slot for it. A request
// that has to wait too long is answered with 503.
func (s *Sidecar) limitServerConcurrency(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.takeServerSlot(r.Context()) {
			w.Header().Set("Connection", "close") // to make room for another client
			exchangeOf(r.Context()).writeError(w, http.StatusServiceUnavailable, "too many requests are in progress")
			return
		}
		defer func() { <-s.slots }()
		h.ServeHTTP(w, r)
	})
}

// takeServerSlot waits until a slot is free and takes it. It returns false if that takes too long, or if the connection
// has to give way. If the client goes away, takeServerSlot does not return, but calls abandonRequest, which ends the
// request.
func (s *Sidecar) takeServerSlot(ctx context.Context) bool {
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
		abandonRequest()
	}
	return false
}

// abandonRequest ends a request without an answer, because the client has gone away. If the handler simply returned,
// net/http would answer 200, and a client that has closed only its sending side would receive that answer.
func abandonRequest() { panic(http.ErrAbortHandler) }
