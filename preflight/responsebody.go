package preflight

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
)

// maxBody is the maximum number of bytes that we read from a response body. An error body has a few hundred bytes in
// addition to the query that it repeats.
const maxBody = 1 << 20

// peekBody returns the beginning of a body, at most maxBody bytes. A client that reads the body afterwards
// still gets all of it, and any error that occurred while reading.
func peekBody(response *http.Response) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	// Put the bytes that were read back in front of the rest of the body.
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(text), response.Body), response.Body}
	return text, err
}

// A successBody is the body of a successful answer. While the client reads the body, successBody
// collects its beginning, to decide whether the body is a dieline.
type successBody struct {
	io.ReadCloser
	header    http.Header
	onDieline func() // called once if the body is a dieline
	beginning []byte // at most maxBody bytes
	decided   bool
}

func (s *successBody) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if s.decided {
		return n, err
	}
	s.beginning = append(s.beginning, p[:min(n, maxBody-len(s.beginning))]...)
	switch {
	case err != nil && err != io.EOF:
		s.decided = true // a body that breaks off is not a dieline
	// The whole body has arrived, or enough of it.
	case err == io.EOF, len(s.beginning) == maxBody, bytes.HasPrefix(s.beginning, []byte(pdfSignature)):
		s.decide()
	}
	return n, err
}

func (s *successBody) decide() {
	if !s.decided && (IsDieline(s.beginning) || IsDieline(uncompressedBody(s.header, s.beginning))) {
		s.onDieline()
	}
	s.decided, s.beginning = true, nil
}

// Close decides whether the body is a dieline, unless that has already been decided. This is necessary because a client
// that has parsed the JSON of the body may close the body before it has read io.EOF.
func (s *successBody) Close() error {
	s.decide()
	return s.ReadCloser.Close()
}

// pdfSignature is the beginning of every PDF.
const pdfSignature = "%PDF-"

// IsDieline reports whether the body of a successful answer is a dieline. A dieline is a PDF, or a JSON
// object whose response has a buffer with a PDF in base64, a mime_type and an encoding. The beginning of
// a PDF is enough, but JSON must be complete.
//
// Any other body, such as {"error":"maintenance"}, does not mean that the service has accepted the box.
func IsDieline(body []byte) bool {
	if bytes.HasPrefix(body, []byte(pdfSignature)) {
		return true
	}
	var answer struct {
		Response struct {
			Buffer   []byte `json:"buffer"`
			MimeType string `json:"mime_type"`
			Encoding string `json:"encoding"`
		} `json:"response"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return false
	}
	r := answer.Response
	return bytes.HasPrefix(r.Buffer, []byte(pdfSignature)) && r.MimeType != "" && r.Encoding != ""
}

// uncompressedBody returns the text of a body, decompressed if necessary. A body is compressed only if the
// client has set Accept-Encoding itself; otherwise net/http has already decompressed it.
func uncompressedBody(h http.Header, text []byte) []byte {
	if h.Get("Content-Encoding") != "gzip" {
		return text
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil
	}
	text, _ = io.ReadAll(io.LimitReader(unpacked, maxBody)) // an error is fine: the beginning of a PDF is enough
	return text
}
