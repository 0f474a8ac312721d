package sidecar

import (
	"bytes"
	"context"
	"io"
	"log/slog"

	"example.com/boxrules/cmd/boxrules/internal/console"
)

// NewLogger returns a logger in the format that --log names. Each line about a request has its id.
func NewLogger(to io.Writer, format string) *slog.Logger {
	switch format {
	case "json":
		printable := writerFunc(func(line []byte) { _, _ = to.Write(console.PrintableJSON(line)) })
		return slog.New(identified{slog.NewJSONHandler(printable, nil)})
	case "off":
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(identified{slog.NewTextHandler(to, nil)})
}

// identified adds its id to each line that is about a request.
type identified struct{ slog.Handler }

// Handle adds the id, and hands the line on.
func (h identified) Handle(ctx context.Context, line slog.Record) error {
	if id := exchangeOf(ctx).id; id != "" {
		line.AddAttrs(slog.String("request_id", id))
	}
	return h.Handler.Handle(ctx, line)
}

// Warnings returns a writer that has each line logged, as a warning.
func Warnings(log *slog.Logger) io.Writer {
	return writerFunc(func(line []byte) { log.Warn(string(bytes.TrimSuffix(line, []byte("\n")))) })
}

// A writerFunc is called with what is written, a line at a time.
type writerFunc func(line []byte)

func (f writerFunc) Write(line []byte) (int, error) {
	f(line)
	return len(line), nil
}
