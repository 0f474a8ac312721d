package sheet

import (
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strconv"
)

// texts are those that cells share, one behind the other.
type texts struct {
	all  []byte
	ends []uint32 // in all
}

// text is the text of the number, from 0.
func (t *texts) text(number string) ([]byte, error) {
	i, err := strconv.ParseUint(number, 10, 32)
	if err != nil || i >= uint64(len(t.ends)) {
		return nil, fmt.Errorf("refers to the shared text %.20q of %d; accepted: a workbook saved anew", number, len(t.ends))
	}
	start := uint32(0)
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.all[start:t.ends[i]], nil
}

// readTexts reads the part that holds them.
func (w *workbook) readTexts() (*texts, error) {
	t := &texts{}
	if w.texts == "" {
		return t, nil
	}
	r, err := w.open(w.texts, maxSheet)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	in := newTokens(w.texts, r)
	var item richText
	for {
		token, err := in.next()
		if err == io.EOF {
			return t, nil
		} else if err != nil {
			return nil, err
		}
		item.take(token)
		if end, ok := token.(xml.EndElement); ok && end.Name.Local == "si" {
			t.all = append(t.all, item.unescaped()...)
			t.ends = append(t.ends, uint32(len(t.all)))
			item = richText{text: item.text[:0]}
		}
		if len(t.all)+4*len(t.ends) > maxTexts || len(item.text) > maxToken {
			return nil, fmt.Errorf("the workbook has over %d MiB of text; accepted: less, or the sheet saved as CSV", maxTexts>>20)
		}
	}
}

// A richText collects the text between two tags: all of its runs, but not how they are pronounced.
type richText struct {
	text     []byte
	within   bool // a t
	phonetic bool
}

func (r *richText) take(token xml.Token) {
	switch token := token.(type) {
	case xml.StartElement:
		r.within = token.Name.Local == "t"
		r.phonetic = r.phonetic || token.Name.Local == "rPh"
	case xml.EndElement:
		r.within = false
		r.phonetic = r.phonetic && token.Name.Local != "rPh"
	case xml.CharData:
		if r.within && !r.phonetic {
			r.text = append(r.text, token...)
		}
	}
}

// escape stands for a character that XML cannot hold.
var escape = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

func (r *richText) unescaped() []byte {
	if !escape.Match(r.text) {
		return r.text
	}
	return escape.ReplaceAllFunc(r.text, func(match []byte) []byte {
		code, _ := strconv.ParseUint(string(match[2:6]), 16, 16) // it is hexadecimal
		return []byte(string(rune(code)))
	})
}
