package charset

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

var errHalf = errors.New("half a character, whose other half is missing; accepted: UTF-16")

// A utf16Reader makes UTF-8 of UTF-16. It reads no more of its source than it needs to give
// something.
type utf16Reader struct {
	source *bufio.Reader
	order  binary.ByteOrder
}

func (u utf16Reader) Read(p []byte) (n int, _ error) {
	for n == 0 || u.source.Buffered() >= 2 && n+utf8.UTFMax <= len(p) {
		r, err := u.unit()
		if utf16.IsSurrogate(r) {
			low, _ := u.unit() // 0 is of no character
			if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
				err = errHalf
			}
		}
		if err != nil {
			return n, err
		}
		n += utf8.EncodeRune(p[n:], r)
	}
	return n, nil
}

// unit reads one of the two halves of a character, or all of one. It returns 0 with an error.
func (u utf16Reader) unit() (rune, error) {
	b, err := u.source.Peek(2)
	if len(b) == 1 && err == io.EOF {
		err = errHalf
	}
	if err != nil {
		return 0, err
	}
	_, _ = u.source.Discard(2)
	return rune(u.order.Uint16(b)), nil
}
