// Package charset detects the encoding of a list and converts its text to UTF-8. Text that may be either UTF-8 or
// Windows-1252 is not converted when it is read. Instead, each part of it is decoded when it is needed.
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

// Encodings lists the values of --encoding.
var Encodings = []string{UTF8, UTF16LE, UTF16BE, Windows1252}

const (
	UTF8        = "utf-8"
	UTF16LE     = "utf-16le"
	UTF16BE     = "utf-16be"
	Windows1252 = "windows-1252"
)

// UTF8OrWindows1252 is the encoding of a text if neither a byte order mark nor --encoding says otherwise. A part of
// such a text, for example a name, is UTF-8 if it is valid UTF-8, and Windows-1252 otherwise.
const UTF8OrWindows1252 = "utf-8 or windows-1252"

// A Text is the text of a list together with its encoding.
type Text struct {
	// Reader reads the text without its byte order mark. It converts UTF-16 to UTF-8, and replaces invalid UTF-16 with
	// U+FFFD. Text in any other encoding is read unchanged, and must be passed to Decode.
	Reader io.Reader

	Encoding string // one of Encodings, or UTF8OrWindows1252
	BOM      string // the byte order mark in UTF-8 if the text begins with one, otherwise empty
	Note     string // tells the user in one line which encoding was guessed; empty if none was
}

const utf8BOM = "\ufeff"

var boms = []struct{ bytes, encoding string }{{utf8BOM, UTF8}, {"\xff\xfe", UTF16LE}, {"\xfe\xff", UTF16BE}}

// decodedEncodings holds the encodings that Text.Reader converts to UTF-8, keyed by name.
var decodedEncodings = map[string]encoding.Encoding{
	UTF16LE: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	UTF16BE: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
}

// Open returns the text in r. encoding is one of [Encodings] or empty. A byte order mark at the start of the text
// takes precedence over encoding. If there is none and encoding is empty, Open detects UTF-16 by a zero byte next
// to the first letter. The encoding of any other text is UTF8OrWindows1252.
//
// Open reads a third byte only if the first two may belong to a byte order mark. Otherwise a user who types a list
// into a terminal might have to type more before anything happens.
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

// guessEncoding guesses the encoding from the first two bytes of a text. note tells the user about the guess.
func guessEncoding(beginning []byte) (encoding, note string) {
	// The first letter of a list is ASCII. For the w of "width", UTF-16 has the bytes w 0 in little-endian order
	// and 0 w in big-endian order.
	if len(beginning) < 2 || (beginning[0] == 0) == (beginning[1] == 0) {
		return UTF8OrWindows1252, ""
	}
	encoding = UTF16LE
	if beginning[0] == 0 {
		encoding = UTF16BE
	}
	return encoding, "reading the text as " + encoding + "; if that is wrong, give the encoding with --encoding"
}

// IsWindows1252 reports whether a part of the text is in Windows-1252. If so, Decode has to convert it.
func (t *Text) IsWindows1252(part []byte) bool {
	return t.Encoding == Windows1252 || t.Encoding == UTF8OrWindows1252 && !utf8.Valid(part)
}

// Decode converts a part of the text that was read from Reader, such as a name, to UTF-8.
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

// Encode converts text from UTF-8 to the encoding of neighbor. The text will be written next to neighbor, which is a
// part of the list. If that encoding is Windows-1252, characters that it lacks become question marks.
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
