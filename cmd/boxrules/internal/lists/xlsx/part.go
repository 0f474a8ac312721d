package xlsx

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"example.com/boxrules/internal/wording"
)

// An element of XML lies in fewer others than maxDepth, and a tag, a text or a record takes fewer
// bytes than maxText. This bounds what a decoder holds.
const (
	maxDepth = 64
	maxText  = 1 << 20
)

var (
	errDeep = fmt.Errorf("elements in each other, over %d", maxDepth)
	errMany = fmt.Errorf("the workbook has over %d million elements and attributes of XML; accepted: fewer, or the sheet saved as CSV",
		maxElements/1_000_000)
	errLong = fmt.Errorf("the workbook has a tag or a text of over %d KiB; accepted: less, or the sheet saved as CSV", maxText>>10)
)

// A part reads a file of XML in the workbook. What the zip file says of its size does not count,
// and its sum only at its end. Nothing is read behind an error, which the book keeps.
type part struct {
	book    *book
	name    string
	source  io.Reader
	decoder *xml.Decoder
	room    int        // bytes that the token may still take
	parents []xml.Name // the elements that are open, outermost first
	content []byte     // of the last text, to be overwritten by the next
}

// open opens the part of the name for reading.
func (b *book) open(name string) *part {
	p := &part{book: b, name: name}
	f := b.files[strings.ToLower(name)]
	if f == nil {
		p.damaged(errors.New("it is missing"))
		return p
	}
	source, err := f.Open()
	if err != nil {
		p.damaged(err)
	}
	p.source, p.decoder = source, xml.NewDecoder(p)
	return p
}

// damaged keeps the error as one of the part.
func (p *part) damaged(err error) {
	p.book.fail(fmt.Errorf("the workbook is damaged, its part %s: %w; accepted: a workbook saved anew",
		wording.Quote(p.name), err))
}

// Read reads for the decoder, within the bounds.
func (p *part) Read(to []byte) (int, error) {
	switch {
	case p.book.left < 0:
		p.book.fail(p.book.tooLarge)
	case p.room <= 0:
		p.book.fail(errLong)
	}
	if p.book.err != nil {
		return 0, p.book.err
	}
	n, err := p.source.Read(to)
	p.room -= n
	p.book.left -= int64(n)
	return n, err
}

// token returns the next token, and nil after the last one and after an error.
//
// It calls RawToken, which takes half the time of Token because it does not look up namespaces. It does
// not check either that elements are closed in order, so we do.
func (p *part) token() xml.Token {
	if p.book.err != nil {
		return nil
	}
	p.room = maxText
	token, err := p.decoder.RawToken()
	switch token := token.(type) {
	case xml.StartElement:
		if p.book.elements -= 1 + len(token.Attr); p.book.elements < 0 {
			p.book.fail(errMany)
		}
		if p.parents = append(p.parents, token.Name); len(p.parents) > maxDepth {
			err = errDeep
		}
	case xml.EndElement:
		last := len(p.parents) - 1
		if last < 0 || p.parents[last] != token.Name {
			err = p.syntaxError(fmt.Sprintf("</%.20s> closes no element", token.Name.Local))
			break
		}
		p.parents = p.parents[:last]
	case xml.Directive:
		err = p.syntaxError("a document type, which no workbook has")
	}
	if err == io.EOF && len(p.parents) > 0 {
		err = p.syntaxError("unexpected EOF")
	}
	if err != nil && err != io.EOF {
		p.damaged(err)
	}
	if p.book.err != nil {
		return nil
	}
	return token
}

// syntaxError returns an error at the place that was reached.
func (p *part) syntaxError(what string) error {
	line, _ := p.decoder.InputPos()
	return &xml.SyntaxError{Msg: what, Line: line}
}

// tags returns the next tags that have one of the names, up to the end of the element of the name
// outer or that of the part.
func (p *part) tags(outer string, names ...string) iter.Seq[xml.StartElement] {
	return func(yield func(xml.StartElement) bool) {
		for {
			switch token := p.token().(type) {
			case nil:
				return
			case xml.StartElement:
				if slices.Contains(names, token.Name.Local) && !yield(token) {
					return
				}
			case xml.EndElement:
				if token.Name.Local == outer {
					return
				}
			}
		}
	}
}

// text returns what the element of the name says whose tag was read: the text of elements t and v
// in it, but none that hints how to pronounce another.
func (p *part) text(name string) string {
	p.content = p.content[:0]
	shown, hint := false, false
	for {
		switch token := p.token().(type) {
		case nil:
			return ""
		case xml.StartElement:
			if shown || token.Name.Local == name {
				p.damaged(fmt.Errorf("an element %.20q within the text of another", token.Name.Local))
			}
			hint = hint || token.Name.Local == "rPh"
			shown = !hint && (token.Name.Local == "t" || token.Name.Local == "v")
		case xml.CharData:
			if shown {
				p.content = append(p.content, token...)
			}
		case xml.EndElement:
			shown, hint = false, hint && token.Name.Local != "rPh"
			if token.Name.Local == name {
				return string(p.content)
			}
		}
		if len(p.content) > maxText {
			p.book.fail(errLong)
		}
	}
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
