package console

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Printable returns s fit for one line on a terminal: what is not a printable character is escaped.
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

// Unprintable reports whether a character is escaped. Bytes that are no UTF-8 are, too: they arrive
// here as the replacement character.
func Unprintable(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }

// OneLine returns text from a rule file, which may have been written on several lines, in one line.
func OneLine(s string) string { return Printable(strings.Join(strings.Fields(s), " ")) }

// AppendJSON appends s as a JSON string that is safe to show on a terminal: more is escaped than
// JSON asks for.
func AppendJSON(dst []byte, s string) []byte {
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
		return appendEscape(dst, r)
	}
	return utf8.AppendRune(dst, r)
}

func appendEscape(dst []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return appendEscape(appendEscape(dst, high), low)
	}
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// PrintableJSON returns a line of JSON with every character escaped that is not printable, which
// can only be part of a string.
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
