// Package charset tells how a list's text is encoded, and reads it as UTF-8, or as it is where it
// may be Windows-1252.
package charset

import (
	"bufio"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// Encodings lists those that --encoding takes.
var Encodings = []string{UTF8, UTF16LE, UTF16BE, Windows1252}

// The names of the encodings.
const (
	UTF8        = "utf-8"
	UTF16LE     = "utf-16le"
	UTF16BE     = "utf-16be"
	Windows1252 = "windows-1252"
)

// Either stands for the encoding of a text that does not tell. Each name in it is taken by itself,
// as UTF-8, or as Windows-1252 where it is no UTF-8.
const Either = "utf-8 or windows-1252"

// A Text says what the first bytes of a list's text tell, and has the text.
type Text struct {
	// Reader has the text without a byte order mark: UTF-16 as UTF-8, with U+FFFD for what is none
	// in it, and any other as it is.
	Reader io.Reader

	Encoding string // one of the others, or Either
	Mark     string // the byte order mark in UTF-8, where one was taken off; else empty
	Note     string // what was guessed, in one line; empty for nothing
}

const utf8Mark = "\ufeff"

// marks lists the byte order marks.
var marks = []struct{ mark, encoding string }{{utf8Mark, UTF8}, {"\xff\xfe", UTF16LE}, {"\xfe\xff", UTF16BE}}

// rewritten has the encodings that Reader makes UTF-8 of.
var rewritten = map[string]encoding.Encoding{
	UTF16LE: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	UTF16BE: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
}

// Open tells the encoding from a byte order mark, or else takes that of [Encodings] which is given;
// "" leaves it to the text, where a zero byte beside the first letter tells UTF-16. Open reads more
// than one character of r only where that may be part of a mark, so that who types a text is not
// kept waiting.
func Open(r io.Reader, encoding string) (*Text, error) {
	source := bufio.NewReader(r)
	first, err := source.Peek(2)
	if err == nil && strings.HasPrefix(utf8Mark, string(first)) {
		first, err = source.Peek(len(utf8Mark))
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	t := &Text{Reader: source, Encoding: encoding}
	for _, m := range marks {
		if strings.HasPrefix(string(first), m.mark) {
			t.Encoding, t.Mark = m.encoding, utf8Mark
			_, _ = source.Discard(len(m.mark)) // which is there
		}
	}
	if t.Encoding == "" {
		t.Encoding, t.Note = tellEncoding(first)
	}
	if e, ok := rewritten[t.Encoding]; ok {
		t.Reader = e.NewDecoder().Reader(source)
	}
	return t, nil
}

// tellEncoding returns the encoding that two bytes show, and a note where it is a guess.
func tellEncoding(first []byte) (encoding, note string) {
	if len(first) < 2 || (first[0] == 0) == (first[1] == 0) {
		return Either, ""
	}
	encoding = UTF16LE
	if first[0] == 0 {
		encoding = UTF16BE
	}
	return encoding, "the text is read as " + encoding + ", unless --encoding says another"
}

// Foreign reports whether a part of what Reader gives is to be read as Windows-1252.
func (t *Text) Foreign(part []byte) bool {
	return t.Encoding == Windows1252 || t.Encoding == Either && !utf8.Valid(part)
}

// Decode returns a part of what Reader gives, as UTF-8.
func (t *Text) Decode(part []byte) string {
	if !t.Foreign(part) {
		return string(part)
	}
	var b strings.Builder
	for _, c := range part {
		b.WriteRune(charmap.Windows1252.DecodeByte(c))
	}
	return b.String()
}

// Encode returns UTF-8 in the encoding of a part of what Reader gives, to stand beside it. What
// Windows-1252 does not have becomes a question mark.
func (t *Text) Encode(text string, beside []byte) string {
	if !t.Foreign(beside) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		c, ok := charmap.Windows1252.EncodeRune(r)
		if !ok {
			c = '?'
		}
		b.WriteByte(c)
	}
	return b.String()
}
