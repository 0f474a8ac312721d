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

// A ServerLimits bounds what clients may take of a server. None of the requests that it answers
// needs more.
type ServerLimits struct {
	Header         time.Duration // to send the head of a request
	Body           time.Duration // to send a body, or its next piece where the body is passed on
	Answer         time.Duration // to take the next piece of an answer
	Idle           time.Duration // between two requests
	Service        time.Duration // to get an answer of the service, and to wait for a turn, also of the demo and the sandbox
	MaxHeader      int           // bytes; net/http reads 4 KiB more
	MaxConcurrent  int           // requests that are worked on
	MaxConnections int           // open at once, not counting one that waits for room
}

// DefaultServerLimits leaves room in the head of a request for a query of 64 KiB, in which a
// quotation has its items, and for 16 KiB of path and headers.
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

// slots returns how many requests are worked on at once. If there may be several connections, one of
// them is left over, which can give way to a new one.
func (p ServerLimits) slots() int { return min(p.MaxConcurrent, max(1, p.MaxConnections-1)) }

// http returns the server for net/http.
func (s *Sidecar) http() *http.Server {
	return &http.Server{
		Handler:           s,
		ReadHeaderTimeout: s.Limits.Header,
		ReadTimeout:       s.Limits.Body,
		IdleTimeout:       s.Limits.Idle,
		MaxHeaderBytes:    s.Limits.MaxHeader,
		ErrorLog:          Warnings(s.Log),

		DisableGeneralOptionsHandler: true, // which answers OPTIONS * with an empty 200
	}
}

// ServeHTTP answers and logs. The paths are compared as they are sent: nothing is redirected.
func (s *Sidecar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	connection := connectionOf(r.Context())
	defer connection.enter(receiving)
	connection.hold()
	if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
		s.probe(w, r)
		return
	}
	e := newExchange(r)
	r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, e))
	s.metrics.inFlight.Inc()
	defer func() {
		s.metrics.inFlight.Dec()
		outcome, code := e.outcome()
		s.metrics.count(e, outcome, code)
		s.Log.LogAttrs(r.Context(), slog.LevelInfo, "request", e.logAttrs(outcome, code)...)
	}()
	(*s.handler.Load()).ServeHTTP(&answerWriter{w, &s.leaving, e}, r)
}

// probe answers the health checks. A reload that failed is no reason to take away what works.
// Clients can read the answer too, so that the reason is in the log alone.
func (s *Sidecar) probe(w http.ResponseWriter, r *http.Request) {
	if s.leaving.Load() {
		w.Header().Set("Connection", "close")
	}
	switch {
	case r.URL.Path == "/healthz":
		_, _ = io.WriteString(w, "ok\n")
	case s.leaving.Load():
		http.Error(w, "shutting down", http.StatusServiceUnavailable)
	case s.metrics.reloadFailed.Load():
		_, _ = io.WriteString(w, "ready; the last reload failed, see the log\n")
	default:
		_, _ = io.WriteString(w, "ready\n")
	}
}

// limit lets MaxConcurrent requests at once get to h. The others take their turn; one that
// waits too long is answered with the status 503.
func (s *Sidecar) limit(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.takeSlot(r.Context()) {
			w.Header().Set("Connection", "close") // which makes room for another client
			exchangeOf(r.Context()).writeError(w, http.StatusServiceUnavailable, "too many requests are under way")
			return
		}
		defer func() { <-s.slots }()
		h.ServeHTTP(w, r)
	})
}

// takeSlot waits for a slot where none is free, and reports whether there was one in time.
func (s *Sidecar) takeSlot(ctx context.Context) bool {
	select {
	case s.slots <- struct{}{}:
		return true
	default:
	}
	s.metrics.waiting.Inc()
	defer s.metrics.waiting.Dec()
	connection := connectionOf(ctx)
	shed := connection.waitForSlot()
	defer connection.enter(working)
	select {
	case s.slots <- struct{}{}:
		return true
	case <-shed:
	case <-time.After(s.Limits.Service):
	case <-ctx.Done():
		giveUp()
	}
	return false
}

// giveUp ends a request whose client has gone. To return instead would mean 200, to a client
// that has only closed its side of the connection.
func giveUp() { panic(http.ErrAbortHandler) }

// An answerWriter notes what is sent through it, and names the request in the answer.
type answerWriter struct {
	http.ResponseWriter
	leaving *atomic.Bool // the answer is the last one on its connection
	*exchange
}

// WriteHeader writes the head of the answer, or of one that comes before it, such as 103. It leaves
// 100 out: net/http has sent that, once the body was read.
func (w *answerWriter) WriteHeader(status int) {
	if status == http.StatusContinue {
		return
	}
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		h := w.Header()
		if _, ok := h["Content-Type"]; !ok {
			h["Content-Type"] = nil // net/http would guess one
		}
		if h.Get(requestID) == "" {
			h.Set(requestID, w.id)
		}
		if w.leaving.Load() && status != http.StatusSwitchingProtocols {
			h.Set("Connection", "close")
		}
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *answerWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Hijack gives the connection away. Reads from it begin with what net/http has already read after the
// request.
func (w *answerWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	early, err := buffered.Reader.Peek(buffered.Reader.Buffered())
	return &hijacked{conn, io.MultiReader(bytes.NewReader(early), conn)}, buffered, err
}

// A hijacked connection reads from another reader.
type hijacked struct {
	net.Conn
	from io.Reader
}

func (h *hijacked) Read(p []byte) (int, error) { return h.from.Read(p) }

// Unwrap returns the writer itself, for http.ResponseController.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// NewLogger returns a logger in the format that --log names. Each line about a request has its id.
func NewLogger(to io.Writer, format string) *slog.Logger {
	switch format {
	case "json":
		return slog.New(identified{slog.NewJSONHandler(printable{to}, nil)})
	case "off":
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(identified{slog.NewTextHandler(to, nil)})
}

// identified adds its id to each line that is about a request.
type identified struct{ slog.Handler }

// Handle adds the id, and hands the line on.
func (h identified) Handle(ctx context.Context, line slog.Record) error {
	if e := exchangeOf(ctx); e != nil {
		line.AddAttrs(slog.String("request_id", e.id))
	}
	return h.Handler.Handle(ctx, line)
}

// A printable writer escapes what a terminal would obey in lines of JSON.
type printable struct{ io.Writer }

func (p printable) Write(line []byte) (int, error) {
	return p.Writer.Write(console.PrintableJSON(line))
}

// Warnings returns a logger for what net/http has to say, each line of which is a warning.
func Warnings(logger *slog.Logger) *log.Logger {
	return slog.NewLogLogger(logger.Handler(), slog.LevelWarn)
}
