package sidecar

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"sync/atomic"
)

// An answerWriter writes a response. It records the status and the length in the exchange, and adds a header
// with the request ID.
type answerWriter struct {
	http.ResponseWriter
	shuttingDown *atomic.Bool // while it is true, each answer closes its connection
	*exchange
}

// WriteHeader writes the head of the response, or an informational one such as 103. It leaves out 100, which
// net/http sends itself when the body is read.
func (a *answerWriter) WriteHeader(status int) {
	if status == http.StatusContinue {
		return
	}
	// Several informational heads may come before the final one. Only the final one has our headers, and only
	// its status is logged.
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		h := a.Header()
		if _, ok := h["Content-Type"]; !ok {
			h["Content-Type"] = nil // otherwise net/http would guess one
		}
		if h.Get(requestIDHeader) == "" {
			h.Set(requestIDHeader, a.id)
		}
		// A 101 needs its own Connection header: "Upgrade".
		if a.shuttingDown.Load() && status != http.StatusSwitchingProtocols {
			h.Set("Connection", "close")
		}
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answerWriter) Write(p []byte) (int, error) {
	if a.status == 0 {
		// net/http would send this head itself, but without our headers.
		a.WriteHeader(http.StatusOK)
	}
	n, err := a.ResponseWriter.Write(p)
	a.bytes += int64(n)
	return n, err
}

// Hijack hands over the connection. Reads from it begin with the bytes that net/http has already read beyond
// the request.
func (a *answerWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(a.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	// Peek neither consumes bytes nor waits for more, because it asks for exactly those that are buffered.
	early, err := buffered.Reader.Peek(buffered.Reader.Buffered())
	return &hijackedConn{conn, io.MultiReader(bytes.NewReader(early), conn)}, buffered, err
}

// A hijackedConn is a connection whose data is read from reader.
type hijackedConn struct {
	net.Conn
	reader io.Reader
}

func (h *hijackedConn) Read(p []byte) (int, error) { return h.reader.Read(p) }

// Unwrap is for http.ResponseController.
func (a *answerWriter) Unwrap() http.ResponseWriter { return a.ResponseWriter }
