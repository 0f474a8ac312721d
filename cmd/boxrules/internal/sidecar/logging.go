package sidecar

import (
	"context"
	"io"
	"log"
	"log/slog"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
)

// NewLogger returns a logger that writes in the given format, one of the values of --log: text, json or off. Each line
// about a request contains the ID of the request. If the format is off, only warnings and errors are written, as text.
func NewLogger(to io.Writer, format string) *slog.Logger {
	switch format {
	case "json":
		return slog.New(requestIDHandler{slog.NewJSONHandler(printableWriter{to}, nil)})
	case "off": // no line for each request, but warnings
		return slog.New(requestIDHandler{slog.NewTextHandler(to, &slog.HandlerOptions{Level: slog.LevelWarn})})
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

// A printableWriter escapes control characters in JSON, because a terminal would interpret them.
type printableWriter struct{ io.Writer }

func (p printableWriter) Write(line []byte) (int, error) {
	return p.Writer.Write(console.PrintableJSON(line))
}

// Warnings returns a *log.Logger, which net/http needs. It writes each line to logger as a warning.
func Warnings(logger *slog.Logger) *log.Logger {
	return slog.NewLogLogger(logger.Handler(), slog.LevelWarn)
}

// logAttrs returns the attributes to log about a request that has ended. They do not include the query, because it
// contains customer data.
func (e *exchange) logAttrs(outcome string, code boxrules.Code) []slog.Attr {
	attrs := []slog.Attr{
		slog.String("method", e.request.Method),
		slog.String("path", e.request.URL.Path),
		slog.Int("status", e.status),
		slog.Int64("bytes", e.bytes),
		slog.Int64("took_us", time.Since(e.start).Microseconds()),
		slog.String("from", e.request.RemoteAddr),
	}
	if e.endpoint == "" {
		return attrs
	}
	attrs = append(attrs, slog.String("outcome", outcome))
	if code != "" {
		attrs = append(attrs, slog.String("code", string(code)))
	}
	if e.upstreamTime > 0 {
		attrs = append(attrs, slog.Int64("upstream_us", e.upstreamTime.Microseconds()))
	}
	if e.upstreamID != "" {
		attrs = append(attrs, slog.String("upstream_request_id", e.upstreamID))
	}
	return attrs
}
