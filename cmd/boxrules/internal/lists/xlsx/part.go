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

// These bounds limit the memory of the XML decoder.
const (
	maxDepth = 64      // of nested elements
	maxText  = 1 << 20 // bytes of a tag, a text or a record
)

var (
	errTooDeep         = fmt.Errorf("more than %d nested elements", maxDepth)
	errTooManyElements = fmt.Errorf("the workbook has more than %d million elements and attributes of XML; save the sheet as CSV",
		maxElements/1_000_000)
	errTextTooLong = fmt.Errorf("the workbook has a tag or text longer than %d KiB; save the sheet as CSV", maxText>>10)
)

// A part reads a part of the workbook, which is a file of XML. It does not trust the size that the ZIP file gives.
// After an error, which the book keeps, it behaves as at the end of the file. The checksum is verified only if the
// part is read to its end.
type part struct {
	book           *book
	name           string
	source         io.Reader
	decoder        *xml.Decoder
	remainingBytes int        // how many more bytes the current token may have
	openElements   []xml.Name // the elements that are not closed yet, outermost first
	content        []byte     // the last text; its memory is reused
}

// openPart opens the named part. It returns a part without content if that fails.
func (b *book) openPart(name string) *part {
	p := &part{book: b, name: name}
	f := b.files[strings.ToLower(name)]
	if f == nil {
		p.fail(errors.New("it is missing"))
		return p
	}
	source, err := f.Open()
	if err != nil {
		p.fail(err)
	}
	p.source, p.decoder = source, xml.NewDecoder(p)
	return p
}

// fail stops all reading with an error that says that the part is damaged.
func (p *part) fail(err error) {
	p.book.fail(fmt.Errorf("the workbook is damaged: part %s: %w; open the workbook and save it again",
		wording.Quote(p.name), err))
}

// Read reads for the decoder, and enforces the bounds on bytes.
func (p *part) Read(buffer []byte) (int, error) {
	switch {
	case p.book.remainingBytes < 0:
		p.book.fail(p.book.errTooLarge)
	case p.remainingBytes <= 0:
		p.book.fail(errTextTooLong)
	}
	if p.book.err != nil {
		return 0, p.book.err
	}
	n, err := p.source.Read(buffer)
	p.remainingBytes -= n
	p.book.remainingBytes -= int64(n)
	return n, err
}

// token returns the next token, or nil after the last one and after an error.
//
// It calls RawToken, which takes half the time of Token because it does not look up namespaces. RawToken also
// does not check that elements are closed in the right order, so token does.
func (p *part) token() xml.Token {
	if p.book.err != nil {
		return nil
	}
	p.remainingBytes = maxText
	token, err := p.decoder.RawToken()
	switch token := token.(type) {
	case xml.StartElement:
		// Attributes count as well: otherwise a tag with a million of them would count as a single element.
		if p.book.remainingElements -= 1 + len(token.Attr); p.book.remainingElements < 0 {
			p.book.fail(errTooManyElements)
		}
		if p.openElements = append(p.openElements, token.Name); len(p.openElements) > maxDepth {
			err = errTooDeep
		}
	case xml.EndElement:
		last := len(p.openElements) - 1
		if last < 0 || p.openElements[last] != token.Name {
			err = p.syntaxError(fmt.Sprintf("</%.20s> closes no element", token.Name.Local))
			break
		}
		p.openElements = p.openElements[:last]
	case xml.Directive:
		err = p.syntaxError("a document type, which no workbook has")
	}
	// RawToken returns io.EOF even if elements are still open.
	if err == io.EOF && len(p.openElements) > 0 {
		err = p.syntaxError("unexpected EOF")
	}
	if err != nil && err != io.EOF {
		p.fail(err)
	}
	if p.book.err != nil {
		return nil
	}
	return token
}

// syntaxError returns an error with the current line.
func (p *part) syntaxError(message string) error {
	line, _ := p.decoder.InputPos()
	return &xml.SyntaxError{Msg: message, Line: line}
}

// tags iterates over the following start tags with one of the names, up to the end tag with the name outer.
// If outer is "", it goes to the end of the part.
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

// text returns the text of the element whose start tag, with the given name, was just read. It is the text
// of the elements t and v in it, except those within rPh, which say how Japanese is pronounced.
func (p *part) text(name string) string {
	p.content = p.content[:0]
	inText, inPhonetic := false, false
	for {
		switch token := p.token().(type) {
		case nil:
			return ""
		case xml.StartElement:
			// For example, there is a cell within a cell, or an element within <t>.
			if inText || token.Name.Local == name {
				p.fail(fmt.Errorf("an element %.20q within the text of another", token.Name.Local))
			}
			inPhonetic = inPhonetic || token.Name.Local == "rPh"
			inText = !inPhonetic && (token.Name.Local == "t" || token.Name.Local == "v")
		case xml.CharData:
			if inText {
				p.content = append(p.content, token...)
			}
		case xml.EndElement:
			inText, inPhonetic = false, inPhonetic && token.Name.Local != "rPh"
			if token.Name.Local == name {
				return string(p.content)
			}
		}
		if len(p.content) > maxText {
			p.book.fail(errTextTooLong)
		}
	}
}

// partAttribute returns the value of an attribute of the tag, or "" if the tag does not have it.
func partAttribute(tag xml.StartElement, name string) string {
	for _, a := range tag.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// parseXMLBool parses a boolean as XML writes it.
func parseXMLBool(text string) (value, ok bool) {
	value = text == "1" || text == "true"
	return value, value || text == "0" || text == "false"
}
