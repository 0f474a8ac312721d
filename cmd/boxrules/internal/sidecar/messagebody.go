package sidecar

import (
	"io"
	"net/http"
	"sync/atomic"
)

// A messageBody is the body of a request or of an answer. It remembers the error that ended the body, such as io.EOF,
// and returns it for all further reads. That is necessary because the transport reads once more after EOF, in a
// goroutine of its own. If the answer has begun by then, net/http has closed the body of the request. Reading it would
// return a different error, which would cut the answer short.
type messageBody struct {
	io.ReadCloser
	finalError atomic.Pointer[error] // the error that ended the body; nil before that
}

func (m *messageBody) Read(p []byte) (int, error) {
	if end := m.finalError.Load(); end != nil {
		return 0, *end
	}
	n, err := m.ReadCloser.Read(p)
	if err != nil {
		m.finalError.Store(&err)
	}
	return n, err
}

// failure returns the error that kept the body from being read to its end. It returns nil if there was no such
// error, or if there is no body.
func (m *messageBody) failure() error {
	if m == nil {
		return nil
	}
	end := m.finalError.Load()
	if end == nil || *end == io.EOF || *end == http.ErrBodyReadAfterClose {
		return nil
	}
	return *end
}
