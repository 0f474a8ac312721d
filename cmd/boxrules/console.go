package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"example.com/boxrules/source"
)

// A console is what surrounds the command. Results go to out, everything else to err.
type console struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	terminal bool // whether out is a terminal
	watched  bool // whether err is
	typed    bool // whether in is
	now      func() time.Time
	sleep    func(context.Context, time.Duration) error

	log *slog.Logger // gets what is said; nil: err does

	shown bool // a line of progress is
}

// colour reports whether results are to be coloured.
func (c *console) colour() bool {
	return c.terminal && c.getenv("NO_COLOR") == "" && c.getenv("TERM") != "dumb"
}

// say writes one line about the run.
func (c *console) say(format string, args ...any) {
	c.tell(slog.LevelInfo, fmt.Sprintf(format, args...))
}

// tell is say with a level, for a log.
func (c *console) tell(level slog.Level, line string) {
	if c.log != nil {
		c.log.Log(context.Background(), level, strings.TrimPrefix(line, "boxrules: "))
		return
	}
	// Where stderr is gone there is nobody left to tell.
	c.progress("")
	_, _ = fmt.Fprintln(c.err, printable(line))
}

// progress shows a line on a terminal, which takes the place of the one before; none where the text is empty.
func (c *console) progress(format string, args ...any) {
	if text := printable(fmt.Sprintf(format, args...)); c.watched && (c.shown || text != "") {
		c.shown = text != ""
		_, _ = fmt.Fprint(c.err, "\r"+text+"\x1b[K")
	}
}

// sleep waits, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// write writes a whole answer.
func (c *console) write(answer []byte) error {
	if _, err := c.out.Write(answer); err != nil {
		return c.fail(&writeError{err})
	}
	return nil
}

// save writes a whole answer to the file, which is stdout under the name -.
func (c *console) save(name string, answer []byte) error {
	if name == "-" {
		return c.write(answer)
	}
	if err := replaceFile(name, answer); err != nil {
		return c.fail(err)
	}
	return nil
}

// replaceFile writes a file whole or not at all. What is not a file, such as a device, is written to.
func replaceFile(name string, data []byte) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(name, data, mode)
	} else if err == nil {
		mode = info.Mode().Perm()
	}
	folder, base := filepath.Split(name)
	file, err := os.OpenFile(folder+"."+base+"."+rand.Text()[:8], os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return &fs.PathError{Op: "open", Path: name, Err: cause(err)}
	}
	if _, err = file.Write(data); err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

// answer writes a whole answer, and is the status to end with.
func (c *console) answer(answer []byte, invalid bool) error {
	err := c.write(answer)
	if err == nil && invalid {
		return someInvalid
	}
	return err
}

// fail writes a line for each error within err, and is the status to end with. A closed stdout is no
// news to whoever closed it.
func (c *console) fail(err error) error {
	var several interface{ Unwrap() []error }
	var located *source.Error
	switch {
	case errors.Is(err, syscall.EPIPE):
	case errors.As(err, &several):
		for _, single := range several.Unwrap() {
			_ = c.fail(single)
		}
	case errors.As(err, &located):
		c.tell(slog.LevelError, err.Error()) // as compilers do it: the place comes first
	default:
		c.tell(slog.LevelError, "boxrules: "+err.Error())
	}
	return unanswered
}

// printable is s fit for one line on a terminal: what is not a printable character is escaped.
func printable(s string) string {
	if !strings.ContainsFunc(s, unprintable) {
		return s
	}
	var b []byte
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			b = fmt.Appendf(b, `\x%02x`, s[0])
		case unprintable(r):
			b = append(b, strings.Trim(strconv.QuoteRuneToASCII(r), "'")...)
		default:
			b = append(b, s[:size]...)
		}
		s = s[size:]
	}
	return string(b)
}

// unprintable holds for bytes that are no UTF-8 too, which arrive here as the replacement character.
func unprintable(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }

// oneLine is text from a rule file, which may have been written on several lines.
func oneLine(s string) string { return printable(strings.Join(strings.Fields(s), " ")) }

// list joins words as prose does: a, b and c.
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// count is a number of things in words.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
