package charset

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// A utf16Reader makes UTF-8 of UTF-16. It reads no more of its source than it needs to give
// something.
type utf16Reader struct {
	source *bufio.Reader
	order  binary.ByteOrder
	read   int // bytes of the text so far
}

// newUTF16 returns a reader of what comes after a mark of so many bytes.
func newUTF16(source io.Reader, encoding string, mark int) io.Reader {
	u := &utf16Reader{bufio.NewReader(source), binary.LittleEndian, mark}
	if encoding == UTF16BE {
		u.order = binary.BigEndian
	}
	return bufio.NewReader(u) // which asks for more than one character
}

func (u *utf16Reader) Read(p []byte) (n int, _ error) {
	for n == 0 || u.source.Buffered() >= 2 && n+utf8.UTFMax <= len(p) {
		r, err := u.character()
		if err != nil {
			return n, err
		}
		n += utf8.EncodeRune(p[n:], r)
	}
	return n, nil
}

// character reads one character, of one unit or two.
func (u *utf16Reader) character() (rune, error) {
	r, err := u.unit()
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	first := u.read - 1
	low, _ := u.unit() // 0 is of no character
	if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
		return r, fmt.Errorf("byte %d begins half of a character, whose other half is missing; accepted: UTF-16", first)
	}
	return r, nil
}

func (u *utf16Reader) unit() (rune, error) {
	b, err := u.source.Peek(2)
	u.read += len(b)
	if err != nil {
		if len(b) == 1 && err == io.EOF {
			err = fmt.Errorf("byte %d is the last and half of a character; accepted: UTF-16", u.read)
		}
		return 0, err
	}
	_, _ = u.source.Discard(2)
	return rune(u.order.Uint16(b)), nil
}
