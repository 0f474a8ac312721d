package xlsx

import (
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"slices"

	"example.com/boxrules/internal/wording"
)

// These constants limit the memory that the XML decoder needs.
const (
	maxDepth = 64      // depth of nested elements
	maxText  = 1 << 20 // bytes of a tag, a text or a record
)

var (
	errTooDeep         = fmt.Errorf("more than %d nested elements", maxDepth)
	errTooManyElements = fmt.Errorf("the workbook has more than %d million XML elements and attributes; save the sheet as CSV",
		maxElements/1_000_000)
	errTextTooLong = fmt.Errorf("the workbook has a tag or text longer than %d KiB; save the sheet as CSV", maxText>>10)
)

// A part reads one of the XML files in a workbook. It does not trust the size in the ZIP directory. After an error,
// which the book stores, it behaves as if it had been read to its end. The checksum is verified only if the part has
// really been read to its end.
type part struct {
	book           *book
	name           string
	source         io.Reader
	decoder        *xml.Decoder
	remainingBytes int        // the number of bytes that the current token may still have
	openElements   []xml.Name // the elements that are still open, outermost first
	content        []byte     // the last text, in a buffer that is reused
}

// fail stops reading the book, with an error that says that this part is damaged.
func (p *part) fail(err error) {
	p.book.fail(fmt.Errorf("the workbook is damaged: part %s: %w; open the workbook and save it again",
		wording.Quote(p.name), err))
}

// Read implements io.Reader for the XML decoder. It enforces the limits on bytes.
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

// token returns the next token, or nil at the end of the part and after an error.
//
// It calls RawToken, which takes half as long as Token, because it does not look up namespaces. RawToken also does
// not check that elements are closed in the right order, so token does that.
func (p *part) token() xml.Token {
	if p.book.err != nil {
		return nil
	}
	p.remainingBytes = maxText
	token, err := p.decoder.RawToken()
	switch token := token.(type) {
	case xml.StartElement:
		// Count attributes as well. Otherwise a tag with a million attributes would count as a single element.
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
		err = p.syntaxError("unexpected document type declaration")
	}
	// RawToken returns io.EOF even if elements are still open, which is an error.
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

// syntaxError returns an error at the current line.
func (p *part) syntaxError(message string) error {
	line, _ := p.decoder.InputPos()
	return &xml.SyntaxError{Msg: message, Line: line}
}

// tags iterates over the start tags that have one of the given names. It stops at the end tag of the element outer or,
// if outer is "", at the end of the part.
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

// text returns the text of the element whose start tag was just read. name is the name of the element. The text comes
// from the t and v elements within it, but not from those within rPh, which contain the pronunciation of Japanese text.
func (p *part) text(name string) string {
	p.content = p.content[:0]
	inText, inPhonetic := false, false
	for {
		switch token := p.token().(type) {
		case nil:
			return ""
		case xml.StartElement:
			// A nested element is an error: a cell within a cell, or an element within <t>.
			if inText || token.Name.Local == name {
				p.fail(fmt.Errorf("an element %.20q inside the text of another element", token.Name.Local))
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

// partAttribute returns the value of an attribute of the tag, or "" if the tag does not have the attribute.
func partAttribute(tag xml.StartElement, name string) string {
	for _, a := range tag.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// parseXMLBool parses a boolean in the syntax of XML.
func parseXMLBool(text string) (value, ok bool) {
	value = text == "1" || text == "true"
	return value, value || text == "0" || text == "false"
}
