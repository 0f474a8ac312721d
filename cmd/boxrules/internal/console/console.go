// Package console is what surrounds the command: its input and outputs, the words in which it
// speaks of a run, how they are quoted for a terminal, and the status that a run ends with.
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

// A Console surrounds the command. Results go to Out, everything else to Err.
type Console struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string
	Watched  bool // whether Err is a terminal
	Typed    bool // whether In is
	Now      func() time.Time
	Sleep    func(context.Context, time.Duration) error

	Log *slog.Logger // gets what is said; nil: Err does

	shown bool // a line of progress is
}

// Say writes one line about the run.
func (c *Console) Say(format string, args ...any) {
	c.Tell(slog.LevelInfo, fmt.Sprintf(format, args...))
}

// Tell does as Say does, with a level for a log.
func (c *Console) Tell(level slog.Level, line string) {
	if c.Log != nil {
		c.Log.Log(context.Background(), level, strings.TrimPrefix(line, "boxrules: "))
		return
	}
	// Where stderr is gone there is nobody left to tell.
	c.Progress("")
	_, _ = fmt.Fprintln(c.Err, Printable(line))
}

// Progress shows a line on a terminal, in the place of the one before. An empty text takes that
// away.
func (c *Console) Progress(format string, args ...any) {
	if text := Printable(fmt.Sprintf(format, args...)); c.Watched && (c.shown || text != "") {
		c.shown = text != ""
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

// Write writes a whole answer.
func (c *Console) Write(answer []byte) error {
	if _, err := c.Out.Write(answer); err != nil {
		return c.Fail(&WriteError{Err: err})
	}
	return nil
}

// Answer writes a whole answer, and returns the status to end with.
func (c *Console) Answer(answer []byte, invalid bool) error {
	err := c.Write(answer)
	if err == nil && invalid {
		return SomeInvalid
	}
	return err
}

// Fail writes a line for each error within err, and returns the status to end with. A closed stdout
// is no news to whoever closed it, and what a Status stands for has been told.
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
		c.Tell(slog.LevelError, err.Error()) // as compilers do it: the place comes first
	default:
		c.Tell(slog.LevelError, "boxrules: "+err.Error())
	}
	return Unanswered
}

// A Status tells the shell how the command ended. It travels as an error because that is how cobra
// returns from a command; what there was to say has been said.
type Status int

const (
	AllValid    Status = iota // every box is valid
	SomeInvalid               // every box has its verdict, and some are invalid
	Unanswered                // some question could not be answered
)

// Error makes a Status an error. Only a debugger shows the text.
func (s Status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// A WriteError ends a run, because no answer arrives any more.
type WriteError struct{ Err error }

// Error says that the answers cannot be written, and why.
func (e *WriteError) Error() string { return "writing the answers: " + FileCause(e.Err).Error() }

// Unwrap returns the error of writing.
func (e *WriteError) Unwrap() error { return e.Err }
