package sidecar

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"sync/atomic"
)

// An answerWriter writes a response. It stores the status and the length in the exchange, and adds a header with
// the ID of the request.
type answerWriter struct {
	http.ResponseWriter
	shuttingDown *atomic.Bool // if it is true, the connection is closed after the answer
	*exchange
}

// WriteHeader writes the head of the response. The status may be an informational one such as 103. WriteHeader
// ignores 100, which net/http itself sends when the body is read.
func (a *answerWriter) WriteHeader(status int) {
	if status == http.StatusContinue {
		return
	}
	// Informational heads may come before the final one. Add our headers only to the final head, and log only its
	// status.
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		h := a.Header()
		if _, ok := h["Content-Type"]; !ok {
			h["Content-Type"] = nil // otherwise net/http would guess the type
		}
		if h.Get(requestIDHeader) == "" {
			h.Set(requestIDHeader, a.id)
		}
		// A response with the status 101 needs the header "Connection: Upgrade".
		if a.shuttingDown.Load() && status != http.StatusSwitchingProtocols {
			h.Set("Connection", "close")
		}
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answerWriter) Write(p []byte) (int, error) {
	if a.status == 0 {
		// If this call were missing, net/http would send the head without our headers.
		a.WriteHeader(http.StatusOK)
	}
	n, err := a.ResponseWriter.Write(p)
	a.bytes += int64(n)
	return n, err
}

// Hijack takes over the connection. The first reads from it return the bytes that net/http has already read beyond
// the end of the request.
func (a *answerWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(a.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	// Peek at exactly the bytes that are buffered. So Peek does not wait for more, and it consumes none.
	early, err := buffered.Reader.Peek(buffered.Reader.Buffered())
	return &hijackedConn{conn, io.MultiReader(bytes.NewReader(early), conn)}, buffered, err
}

// A hijackedConn is a connection that reads its data from reader.
type hijackedConn struct {
	net.Conn
	reader io.Reader
}

func (h *hijackedConn) Read(p []byte) (int, error) { return h.reader.Read(p) }

// Unwrap returns the wrapped writer, so that http.ResponseController works.
func (a *answerWriter) Unwrap() http.ResponseWriter { return a.ResponseWriter }
