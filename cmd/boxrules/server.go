package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"
)

// What a client may take of the server. None of the requests that it answers needs more.
const (
	headerTime  = 2 * time.Second         // to send the head of a request
	requestTime = 2500 * time.Millisecond // to send all of it
	answerTime  = 60 * time.Second        // until it has the answer
	idleTime    = 60 * time.Second        // between two requests
	maxHeader   = 96 << 10                // a quotation's items travel in the query, of at most 64 KiB
	maxBody     = 1 << 20
)

// A server answers over HTTP. What it answers with can be replaced while it runs.
type server struct {
	log     *slog.Logger
	handler atomic.Pointer[http.Handler]
	slots   chan struct{} // taken by requests that are being answered
	leaving atomic.Bool   // no more requests are wanted
}

func newServer(log *slog.Logger, atOnce int) *server {
	return &server{log: log, slots: make(chan struct{}, atOnce)}
}

func (s *server) replace(h http.Handler) { s.handler.Store(&h) }

// http is the server for net/http.
func (s *server) http() *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok\n") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if s.leaving.Load() {
			http.Error(w, "shutting down", http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ready\n")
	})
	mux.Handle("/", http.MaxBytesHandler(http.HandlerFunc(s.answer), maxBody))
	return &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       requestTime,
		WriteTimeout:      answerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
}

// answer waits for a slot: under load requests take their turn, and none is refused.
func (s *server) answer(w http.ResponseWriter, r *http.Request) {
	select {
	case s.slots <- struct{}{}:
	case <-r.Context().Done():
		return // the client has gone
	}
	defer func() { <-s.slots }()
	if !s.log.Enabled(r.Context(), slog.LevelInfo) {
		(*s.handler.Load()).ServeHTTP(w, r)
		return
	}
	start := time.Now()
	counted := &countedWriter{ResponseWriter: w, status: http.StatusOK}
	defer func() {
		// The query is left out: it is the customer's.
		s.log.LogAttrs(r.Context(), slog.LevelInfo, "request",
			slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Int("status", counted.status),
			slog.Int64("bytes", counted.bytes), slog.Duration("took", time.Since(start)), slog.String("from", r.RemoteAddr))
	}()
	(*s.handler.Load()).ServeHTTP(counted, r)
}

// A countedWriter notes what is sent through it.
type countedWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (w *countedWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *countedWriter) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (w *countedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// shutdown lets the requests that have begun end, for as long as ctx lasts.
func (s *server) shutdown(ctx context.Context, h *http.Server) error {
	s.leaving.Store(true)
	return h.Shutdown(ctx)
}
