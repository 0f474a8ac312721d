package sheet

import (
	"bufio"
	"encoding/xml"
	"errors"
	"io"
)

// tokens reads the XML of a part, which may be long, piece by piece. Prefixes of names are passed over.
type tokens struct {
	part    string
	decoder *xml.Decoder
	limit   *tokenLimit
}

func newTokens(part string, r io.Reader) *tokens {
	limit := &tokenLimit{source: r}
	return &tokens{part, xml.NewDecoder(bufio.NewReaderSize(limit, 64<<10)), limit}
}

// next is the next piece; its bytes are valid until the one after it. At the end of the part it is io.EOF.
func (t *tokens) next() (xml.Token, error) {
	t.limit.left = maxToken
	token, err := t.decoder.RawToken()
	if err == nil || err == io.EOF || err == t.limit.failed {
		return token, err
	}
	return nil, damaged(t.part, err)
}

// tokenLimit bounds how much is read for one piece, and so what the decoder holds.
type tokenLimit struct {
	source io.Reader
	left   int
	failed error // of the source
}

var errLongToken = errors.New("a text or tag of over 1 MiB")

func (l *tokenLimit) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errLongToken
	}
	n, err := l.source.Read(p)
	l.left -= n
	l.failed = err
	return n, err
}

// attribute is the start tag's attribute of the name, without its prefix's meaning; empty where there is none.
func attribute(tag xml.StartElement, name string) string {
	for _, a := range tag.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}
