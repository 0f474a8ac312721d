// Package charset detects how the text of a list is encoded, and converts it to UTF-8. It does not convert a
// text that may be UTF-8 or Windows-1252 when it reads it, but decodes each part when the part is needed.
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

// Encodings are the values of --encoding.
var Encodings = []string{UTF8, UTF16LE, UTF16BE, Windows1252}

// The names of the encodings.
const (
	UTF8        = "utf-8"
	UTF16LE     = "utf-16le"
	UTF16BE     = "utf-16be"
	Windows1252 = "windows-1252"
)

// UTF8OrWindows1252 is the encoding of a text without a byte order mark. Each part of it, such as a
// name, is UTF-8 if it is valid UTF-8, and Windows-1252 otherwise.
const UTF8OrWindows1252 = "utf-8 or windows-1252"

// A Text is the text of a list.
type Text struct {
	// Reader reads the text without its byte order mark. It converts UTF-16 to UTF-8, with U+FFFD in place of
	// what is not valid. It does not convert other encodings; Decode does.
	Reader io.Reader

	Encoding string // one of Encodings, or UTF8OrWindows1252
	BOM      string // the byte order mark in UTF-8, if the text had one
	Note     string // tells the user in one line what was guessed; empty if nothing was
}

const utf8BOM = "\ufeff"

var boms = []struct{ bytes, encoding string }{{utf8BOM, UTF8}, {"\xff\xfe", UTF16LE}, {"\xfe\xff", UTF16BE}}

// decodedEncodings are the encodings that Reader converts to UTF-8.
var decodedEncodings = map[string]encoding.Encoding{
	UTF16LE: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	UTF16BE: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
}

// Open returns the text in r. encoding is one of [Encodings] or empty. If the text begins with a byte order mark,
// that decides the encoding. Otherwise encoding does. If encoding is empty as well, a zero byte next to the first
// letter shows that the text is UTF-16, and any other text is UTF8OrWindows1252.
//
// Open reads the third byte of r only if the first two may be part of a byte order mark, so that a person
// who types a text is not kept waiting.
func Open(r io.Reader, encoding string) (*Text, error) {
	source := bufio.NewReader(r)
	first, err := source.Peek(2)
	if err == nil && strings.HasPrefix(utf8BOM, string(first)) {
		first, err = source.Peek(len(utf8BOM))
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	t := &Text{Reader: source, Encoding: encoding}
	for _, bom := range boms {
		if strings.HasPrefix(string(first), bom.bytes) {
			t.Encoding, t.BOM = bom.encoding, utf8BOM
			_, _ = source.Discard(len(bom.bytes)) // cannot fail after Peek
		}
	}
	if t.Encoding == "" {
		t.Encoding, t.Note = guessEncoding(first)
	}
	if e, ok := decodedEncodings[t.Encoding]; ok {
		t.Reader = e.NewDecoder().Reader(source)
	}
	return t, nil
}

// guessEncoding looks for a zero byte in the first two bytes of a text.
func guessEncoding(beginning []byte) (encoding, note string) {
	// The first letter of a list is ASCII, as in "width": w 0 in little endian, 0 w in big endian.
	if len(beginning) < 2 || (beginning[0] == 0) == (beginning[1] == 0) {
		return UTF8OrWindows1252, ""
	}
	encoding = UTF16LE
	if beginning[0] == 0 {
		encoding = UTF16BE
	}
	return encoding, "the text is read as " + encoding + ", unless --encoding says otherwise"
}

// IsWindows1252 reports whether Decode decodes a part of the text as Windows-1252.
func (t *Text) IsWindows1252(part []byte) bool {
	return t.Encoding == Windows1252 || t.Encoding == UTF8OrWindows1252 && !utf8.Valid(part)
}

// Decode converts a part of the text, such as a name that was read from Reader, to UTF-8.
func (t *Text) Decode(part []byte) string {
	if !t.IsWindows1252(part) {
		return string(part)
	}
	var b strings.Builder
	for _, c := range part {
		b.WriteRune(charmap.Windows1252.DecodeByte(c))
	}
	return b.String()
}

// Encode converts text from UTF-8 to the encoding of neighbor, a part of the list, so that the two can be
// written next to each other. Characters that Windows-1252 does not have become question marks.
func (t *Text) Encode(text string, neighbor []byte) string {
	if !t.IsWindows1252(neighbor) {
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
