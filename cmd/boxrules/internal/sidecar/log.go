package sidecar

import (
	"context"
	"io"
	"log"
	"log/slog"

	"example.com/boxrules/cmd/boxrules/internal/console"
)

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
	if id := exchangeOf(ctx).id; id != "" {
		line.AddAttrs(slog.String("request_id", id))
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
