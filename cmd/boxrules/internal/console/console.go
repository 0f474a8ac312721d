// Package console is the interface between the commands and the outside world: input and output, messages, escaping
// of text for terminals, files that are replaced only when they are complete, and the exit status.
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

// A Console holds the input and the outputs of a command. Results are written to Out, and everything else to Err.
type Console struct {
	In            io.Reader
	Out, Err      io.Writer
	Getenv        func(string) string
	ErrIsTerminal bool
	InIsTerminal  bool
	Now           func() time.Time
	Sleep         func(context.Context, time.Duration) error

	Log *slog.Logger // where messages are logged; if it is nil, they are written to Err

	showsProgress bool // whether the terminal shows a line of progress
}

// Say formats a message, and passes it to [Console.Tell] with the level Info.
func (c *Console) Say(format string, args ...any) {
	c.Tell(slog.LevelInfo, fmt.Sprintf(format, args...))
}

// Tell writes a message on one line: to Log if it is set, and otherwise to Err. level is the level of the log
// record.
func (c *Console) Tell(level slog.Level, line string) {
	if c.Log != nil {
		c.Log.Log(context.Background(), level, strings.TrimPrefix(line, "boxrules: "))
		return
	}
	// If stderr is closed, there is nowhere to report that.
	c.Progress("")
	_, _ = fmt.Fprintln(c.Err, Printable(line))
}

// Progress replaces the progress line on the terminal. An empty text removes the line.
func (c *Console) Progress(format string, args ...any) {
	if text := Printable(fmt.Sprintf(format, args...)); c.ErrIsTerminal && (c.showsProgress || text != "") {
		c.showsProgress = text != ""
		_, _ = fmt.Fprint(c.Err, "\r"+text+"\x1b[K")
	}
}

// Sleep waits for d, or until ctx is done.
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

// Answer writes a complete answer to Out. If invalid is true, which means that the answer reports something invalid,
// Answer returns the exit status SomeInvalid.
func (c *Console) Answer(answer []byte, invalid bool) error {
	err := c.Write(answer)
	if err == nil && invalid {
		return SomeInvalid
	}
	return err
}

// Fail prints a line for each error in err, and returns the exit status Unanswered. It prints nothing if the reader of
// the output has closed the pipe, which is not a mistake, or if err is a Status, whose cause has already been reported.
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
		c.Tell(slog.LevelError, err.Error()) // file, line and column come first, as in the messages of compilers
	default:
		c.Tell(slog.LevelError, "boxrules: "+err.Error())
	}
	return Unanswered
}

// A Status is an exit status. It implements error, because cobra expects commands to return an error. A command
// returns a Status after it has printed all messages.
type Status int

const (
	AllValid    Status = iota // every box is valid
	SomeInvalid               // every box has a verdict, and some boxes are invalid
	Unanswered                // the command could not be completed
)

// Error implements error. Its text is never printed.
func (s Status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// A WriteError is a failure to write the results. It ends the run.
type WriteError struct{ Err error }

func (w *WriteError) Error() string { return "writing the answers: " + FileCause(w.Err).Error() }

func (w *WriteError) Unwrap() error { return w.Err }
