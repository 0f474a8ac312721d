package charset

import (
	"encoding/binary"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// A utf16Reader makes UTF-8 of UTF-16. It reads no more of its source than it needs to give
// something.
type utf16Reader struct {
	source io.Reader
	order  binary.ByteOrder

	in    [8 << 10]byte
	held  int    // bytes at the start of in that wait for the rest of their character
	read  int64  // bytes of the text so far
	out   []byte // decoded and not taken
	store []byte // where out is
	err   error  // comes after out
}

// newUTF16 returns a reader of what comes after a mark of so many bytes.
func newUTF16(source io.Reader, encoding string, mark int) *utf16Reader {
	u := &utf16Reader{source: source, order: binary.LittleEndian, read: int64(mark)}
	if encoding == UTF16BE {
		u.order = binary.BigEndian
	}
	return u
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.out) == 0 && u.err == nil {
		u.fill()
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, u.err
}

// fill decodes what one Read of the source gives.
func (u *utf16Reader) fill() {
	n, err := u.source.Read(u.in[u.held:])
	u.read += int64(n)
	in := u.in[:u.held+n]
	out := u.store[:0]
	for u.err == nil && len(in) >= 2 {
		r, size := rune(u.order.Uint16(in)), 2
		if utf16.IsSurrogate(r) {
			if len(in) < 4 && err == nil {
				break
			}
			low := rune(0) // of no character
			if len(in) >= 4 {
				low = rune(u.order.Uint16(in[2:]))
			}
			r, size = utf16.DecodeRune(r, low), 4
		}
		if r == utf8.RuneError && size == 4 {
			u.err = fmt.Errorf("byte %d begins half of a character, whose other half is missing; accepted: UTF-16", u.read-int64(len(in))+1)
			break
		}
		out = utf8.AppendRune(out, r)
		in = in[size:]
	}
	if u.err == nil && err == io.EOF && len(in) > 0 {
		u.err = fmt.Errorf("byte %d is the last and half of a character; accepted: UTF-16", u.read)
	}
	if u.err == nil {
		u.err = err
	}
	u.held = copy(u.in[:], in)
	u.out, u.store = out, out
}
