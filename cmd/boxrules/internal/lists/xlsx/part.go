package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"errors"
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

// A part reads a file of XML in the workbook.
type part struct {
	name    string
	decoder *xml.Decoder
	bound   *bound
	path    []string // of the elements that are open, the innermost last
}

// newPart starts to read the file, which has been unpacked before.
func newPart(f *zip.File) (*part, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	b := &bound{source: r}
	return &part{name: f.Name, decoder: xml.NewDecoder(b), bound: b}, nil
}

// next returns the next token, and io.EOF behind the last.
func (p *part) next() (xml.Token, error) {
	p.bound.left = maxToken
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
	if err != nil && err != io.EOF {
		return nil, p.damaged(err)
	}
	return token, err
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

// A bound fails when more than left is read.
type bound struct {
	source io.Reader
	left   int
}

func (b *bound) Read(to []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLong
	}
	n, err := b.source.Read(to)
	b.left -= n
	return n, err
}

// attribute returns the tag's attribute of the name, empty where there is none.
func attribute(tag xml.StartElement, name string) string {
	for _, a := range tag.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

var errMissing = errors.New("it is missing")
