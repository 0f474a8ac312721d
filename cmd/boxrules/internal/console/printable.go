package console

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Printable escapes the characters in s that are not printable, so that s can be shown on one line of a terminal.
func Printable(s string) string {
	if !strings.ContainsFunc(s, Unprintable) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		text := s[:size]
		if Unprintable(r) {
			text = strings.Trim(strconv.QuoteToASCII(text), `"`)
		}
		b.WriteString(text)
		s = s[size:]
	}
	return b.String()
}

// Unprintable reports whether Printable escapes r. It is true for utf8.RuneError, which is the result of decoding
// invalid UTF-8.
func Unprintable(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }

// PrintableLine joins the lines of s, such as a message from a rule file, and returns them as one printable line.
func PrintableLine(s string) string { return Printable(strings.Join(strings.Fields(s), " ")) }

// AppendPrintableJSON appends s as a JSON string that is safe to print on a terminal. It escapes more characters than
// JSON requires.
func AppendPrintableJSON(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		if r == '"' || r == '\\' {
			dst = append(dst, '\\')
		}
		dst = appendPrintable(dst, r)
	}
	return append(dst, '"')
}

func appendPrintable(dst []byte, r rune) []byte {
	if Unprintable(r) {
		return appendUnprintable(dst, r)
	}
	return utf8.AppendRune(dst, r)
}

func appendUnprintable(dst []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return appendUnprintable(appendUnprintable(dst, high), low)
	}
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// PrintableJSON escapes the unprintable characters in a line of JSON. Valid JSON has such characters only within
// strings.
func PrintableJSON(line []byte) []byte {
	if !bytes.ContainsFunc(line, func(r rune) bool { return r > '~' }) {
		return line
	}
	var escaped []byte
	for _, r := range strings.TrimSuffix(string(line), "\n") {
		escaped = appendPrintable(escaped, r)
	}
	return append(escaped, '\n')
}
