package xlsx

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
)

// An element of XML lies in fewer others than maxDepth, and a tag or a text takes fewer bytes
// than maxToken. Both bound what a decoder holds.
const (
	maxDepth = 64
	maxToken = 1 << 20
)

var (
	errDeep = fmt.Errorf("elements in each other, over %d", maxDepth)
	errLong = fmt.Errorf("a tag or a text of over %d KiB", maxToken>>10)
)

// A part reads a file of XML in the workbook. What the zip file says of its size does not count,
// and its sum only at its end.
type part struct {
	book    *book
	name    string
	source  io.Reader
	decoder *xml.Decoder
	room    int      // bytes that the token may still take
	path    []string // of the elements that are open, the innermost last
}

// Read reads for the decoder, within the bounds.
func (p *part) Read(to []byte) (int, error) {
	if p.room <= 0 {
		return 0, errLong
	}
	n, err := p.source.Read(to)
	p.room -= n
	if p.book.left -= int64(n); p.book.left < 0 {
		err = p.book.tooLarge()
	}
	return n, err
}

// next returns the next token, and io.EOF behind the last.
func (p *part) next() (xml.Token, error) {
	p.room = maxToken
	token, err := p.decoder.Token()
	switch token := token.(type) {
	case xml.StartElement:
		if len(p.path) == maxDepth {
			return nil, p.damaged(errDeep)
		}
		p.path = append(p.path, token.Name.Local)
	case xml.EndElement:
		p.path = p.path[:len(p.path)-1]
	}
	if err != nil {
		return nil, p.failed(err)
	}
	return token, nil
}

// drain reads what nobody looks at, up to the sum of the zip file. It returns io.EOF where that is
// right.
func (p *part) drain() error {
	p.room = maxUnpacked
	if _, err := io.Copy(io.Discard, p); err != nil {
		return p.failed(err)
	}
	return io.EOF
}

// failed returns the error of reading, with the part where it is that part's.
func (p *part) failed(err error) error {
	if err == io.EOF || p.book.left < 0 {
		return err
	}
	return p.damaged(err)
}

// within reports whether the innermost open element has the name.
func (p *part) within(name string) bool {
	return len(p.path) > 0 && p.path[len(p.path)-1] == name
}

// shown reports whether the present text is one that a cell shows: of an element t, which is
// not a hint how to pronounce it.
func (p *part) shown() bool {
	return p.within("t") && !slices.Contains(p.path, "rPh")
}

func (p *part) damaged(err error) error { return damaged(p.name, err) }

// attribute returns the tag's attribute of the name, empty where there is none.
func attribute(tag xml.StartElement, name string) string {
	for _, a := range tag.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
