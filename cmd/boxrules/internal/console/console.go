// Package console connects the commands to the world: input and output, messages about a run, quoting for a
// terminal, files that are replaced when they are complete, and the exit status.
package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"syscall"
	"time"

	"example.com/boxrules/source"
)

// A Console has the input and the outputs of a command. Results go to Out, everything else to Err.
type Console struct {
	In            io.Reader
	Out, Err      io.Writer
	Getenv        func(string) string
	ErrIsTerminal bool
	InIsTerminal  bool
	Now           func() time.Time
	Sleep         func(context.Context, time.Duration) error

	Log *slog.Logger // for messages; if it is nil, they go to Err

	showsProgress bool // whether a line of progress is on the terminal
}

// Say writes a message of one line.
func (c *Console) Say(format string, args ...any) {
	c.Tell(slog.LevelInfo, fmt.Sprintf(format, args...))
}

// Tell writes a message of one line. If the message goes to Log, it has the given level.
func (c *Console) Tell(level slog.Level, line string) {
	if c.Log != nil {
		c.Log.Log(context.Background(), level, strings.TrimPrefix(line, "boxrules: "))
		return
	}
	// If stderr is closed, there is nowhere to report that.
	c.Progress("")
	_, _ = fmt.Fprintln(c.Err, Printable(line))
}

// Progress shows a line on a terminal in place of the previous one. An empty text removes it.
func (c *Console) Progress(format string, args ...any) {
	if text := Printable(fmt.Sprintf(format, args...)); c.ErrIsTerminal && (c.showsProgress || text != "") {
		c.showsProgress = text != ""
		_, _ = fmt.Fprint(c.Err, "\r"+text+"\x1b[K")
	}
}

// Sleep waits for d, or until ctx ends.
func Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
	return ctx.Err()
}

// Write writes a complete answer to Out.
func (c *Console) Write(answer []byte) error {
	if _, err := c.Out.Write(answer); err != nil {
		return c.Fail(&WriteError{Err: err})
	}
	return nil
}

// Answer writes a complete answer to Out, and returns the exit status.
func (c *Console) Answer(answer []byte, invalid bool) error {
	err := c.Write(answer)
	if err == nil && invalid {
		return SomeInvalid
	}
	return err
}

// Fail writes a line for each error in err, and returns the exit status. It does not report a closed pipe, because
// the reader has closed it, nor a Status, whose error was reported already.
func (c *Console) Fail(err error) error {
	var several interface{ Unwrap() []error }
	var located *source.Error
	switch {
	case errors.Is(err, syscall.EPIPE), errors.As(err, new(Status)):
	case errors.As(err, &several):
		for _, single := range several.Unwrap() {
			_ = c.Fail(single)
		}
	case errors.As(err, &located):
		c.Tell(slog.LevelError, err.Error()) // the place comes first, as in the messages of compilers
	default:
		c.Tell(slog.LevelError, "boxrules: "+err.Error())
	}
	return Unanswered
}

// A Status is an exit status. It is an error because commands of cobra return errors. A command returns it after
// it has written all messages.
type Status int

const (
	AllValid    Status = iota // every box is valid
	SomeInvalid               // every box has its verdict, and some are invalid
	Unanswered                // the command could not be completed
)

// Error implements error. Its text is never printed.
func (s Status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// A WriteError means that the results cannot be written. It ends the run.
type WriteError struct{ Err error }

func (w *WriteError) Error() string { return "writing the answers: " + FileCause(w.Err).Error() }

// Unwrap returns the error of writing.
func (w *WriteError) Unwrap() error { return w.Err }
