package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"

	"example.com/boxrules/source"
)

// A console is what surrounds the command. Results go to out, everything else to err.
type console struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	terminal bool // whether out is a terminal
}

// colour reports whether results are to be coloured.
func (c *console) colour() bool {
	return c.terminal && c.getenv("NO_COLOR") == "" && c.getenv("TERM") != "dumb"
}

// say writes one line about the run.
func (c *console) say(format string, args ...any) {
	// Where stderr is gone there is nobody left to tell.
	_, _ = fmt.Fprintln(c.err, printable(fmt.Sprintf(format, args...)))
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
	if err := os.WriteFile(name, answer, 0o644); err != nil {
		return c.fail(err)
	}
	return nil
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
		c.say("%v", err) // as compilers do it: the place comes first
	default:
		c.say("boxrules: %v", err)
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
