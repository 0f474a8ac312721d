package sidecar

import (
	"io"
	"net/http"
	"sync/atomic"
)

// A messageBody is the body of a request or an answer. It remembers the error that ended it, such as io.EOF, and
// returns it for all later reads. The transport reads once more after EOF, in a goroutine of its own. If the
// answer has begun by then, net/http has closed the request's body and would return another error, which would
// break off the answer.
type messageBody struct {
	io.ReadCloser
	finalError atomic.Pointer[error] // nil before the end
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

// failure returns why the body could not be read to its end. It returns nil if it could, or if there is no body.
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
