package sidecar

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"time"
)

// A connection is a connection from a client. Its phase is what it is waiting for. When a new client connects and there
// is no room, the listener chooses another connection by its phase and closes it. That connection gives way to the new
// one.
//
// A connection on which two requests arrive goes through these phases:
//
//	receiving   the head of the first request arrives
//	working     net/http has read it (ConnState says StateActive) and calls the handler
//	waiting     if all slots are taken, until one is free
//	working
//	answering   during each write; after it the previous phase is restored
//	receiving   after the handler, while net/http skips a body that nobody has read
//	idle        net/http is ready for the next request (StateIdle)
//	receiving   its first byte arrives
//	…
//
// To make a connection give way, the listener sets its cutoff, which is a read deadline that has already passed.
// net/http also sets read deadlines. SetReadDeadline remembers them, and applies the earlier of the two.
//
// The methods that ServeHTTP and takeServerSlot call accept a nil connection. It means that the request came from a
// listener that is not a boundedListener, as in tests.
type connection struct {
	net.Conn
	listener *boundedListener

	// The following fields are guarded by listener.mu.
	phase         phase
	phaseStart    time.Time     // when the phase began
	httpDeadline  time.Time     // the read deadline that net/http asked for
	cutoff        time.Time     // our own read deadline, which may be earlier; zero if there is none
	giveWaySignal chan struct{} // closed to make a waiting request give up; nil after that
	isLastRequest bool          // whether giveWaySignal was closed; if so, this request is the last one
}

// A phase is what a connection is waiting for.
type phase int

const (
	working   phase = iota // for the server to answer a request
	receiving              // for the client to send the rest of a head, or of a body that nobody reads
	answering              // for the client to receive a piece of an answer
	idle                   // for the client to send another request
	waiting                // for a slot: see Sidecar.takeServerSlot
	tunnel                 // for nothing: the connection was hijacked
)

// canGiveWay reports whether the connection can make room for a new one: it may be closed, or its waiting request
// may be answered with 503. A connection can give way only once.
func (c *connection) canGiveWay(now time.Time) bool {
	switch c.phase {
	case idle:
		return c.cutoff.IsZero()
	case receiving, answering:
		return c.cutoff.IsZero() && now.Sub(c.phaseStart) >= gracePeriod
	case waiting:
		return c.giveWaySignal != nil && now.Sub(c.phaseStart) >= gracePeriod
	}
	return false
}

// isClosing reports whether the connection is about to close, because it was chosen a moment ago to make room for a
// new connection.
func (c *connection) isClosing(now time.Time) bool {
	return !c.cutoff.IsZero() && now.Sub(c.cutoff) < giveWayTimeout
}

// givesWayBefore reports whether c should give way to a new connection rather than other. Idle connections give way
// first, then connections of slow clients, and then connections with waiting requests. Among connections of the
// same kind, the one that has been in its phase longest gives way first.
func (c *connection) givesWayBefore(other *connection) bool {
	if (c.phase == idle) != (other.phase == idle) {
		return c.phase == idle
	}
	if (c.phase == waiting) != (other.phase == waiting) {
		return other.phase == waiting
	}
	return c.phaseStart.Before(other.phaseStart)
}

// giveWay makes room for a new connection: it makes this connection close, or makes its waiting request give up. To
// do so, it wakes the goroutine that is waiting for the client or for a slot.
func (c *connection) giveWay(now time.Time) {
	if c.phase == waiting {
		// takeServerSlot returns false, so the request is answered with 503. After that, enterLocked finds
		// isLastRequest set, and stops reading from the connection.
		close(c.giveWaySignal)
		c.giveWaySignal, c.isLastRequest = nil, true
		return
	}
	if c.phase == answering {
		// A write in progress fails at once, and net/http closes the connection.
		_ = c.Conn.SetWriteDeadline(now)
	}
	c.limitReading(now)
}

// limitReading makes reads fail after time t, until the phase changes.
func (c *connection) limitReading(t time.Time) {
	c.cutoff = t
	_ = c.Conn.SetReadDeadline(t)
}

// waitUntilClosed blocks while the listener is being closed: see boundedListener.finish. If the listener is not
// being closed, it returns at once.
func (c *connection) waitUntilClosed() {
	if c == nil {
		return
	}
	c.listener.mu.Lock()
	deadline := c.listener.acceptDeadline
	c.listener.mu.Unlock()
	if deadline.IsZero() {
		return
	}
	select {
	case <-c.listener.finished:
	case <-time.After(time.Until(deadline)):
	}
}

// trackConnectionState is used as the ConnState hook of the HTTP servers.
func trackConnectionState(conn net.Conn, state http.ConnState) {
	c, ok := conn.(*connection)
	if !ok {
		return
	}
	switch state {
	case http.StateActive:
		c.enter(working)
	case http.StateIdle:
		c.enter(idle)
	case http.StateHijacked:
		c.enter(tunnel)
	}
}

func (c *connection) enter(p phase) {
	if c == nil {
		return
	}
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	c.enterLocked(p)
}

func (c *connection) enterLocked(p phase) {
	c.phase, c.phaseStart = p, time.Now()
	// If a request arrived just before the connection was to give way, answer the request after all.
	if !c.cutoff.IsZero() && (p == working || p == receiving) {
		c.cutoff = time.Time{}
		_ = c.Conn.SetReadDeadline(c.httpDeadline)
	}
	// The 503 has been written. Do not wait for the rest of the request's body.
	if p == receiving && c.isLastRequest {
		c.limitReading(c.phaseStart)
	}
	// This cutoff takes effect when net/http sets its deadline for the next request: see SetReadDeadline.
	if p == idle && !c.listener.acceptDeadline.IsZero() {
		c.cutoff = c.phaseStart.Add(lastRequestTimeout)
	}
}

// beginWaiting enters the waiting phase. The channel that it returns is closed if the request has to give up, to
// make room for a new connection.
func (c *connection) beginWaiting() (shed <-chan struct{}) {
	if c == nil {
		return nil
	}
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	c.enterLocked(waiting)
	c.giveWaySignal = make(chan struct{})
	return c.giveWaySignal
}

// Read reads from the client. After its deadline, a read fails even if there is data. So if the cutoff passes while the
// connection is idle, Read tries once more, in case a request has arrived.
func (c *connection) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) && c.allowOneMoreRead() {
		n, err = c.Conn.Read(p)
	}
	if n > 0 {
		// If the connection was idle, this is the start of the next request. The client has gracePeriod to send the
		// rest of it.
		c.listener.mu.Lock()
		defer c.listener.mu.Unlock()
		if c.phase == idle {
			c.enterLocked(receiving)
		}
	}
	return n, err
}

func (c *connection) allowOneMoreRead() bool {
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	if c.phase != idle || c.cutoff.IsZero() {
		return false
	}
	// Any deadline in the future will do, because data that has already arrived is returned at once.
	return c.Conn.SetReadDeadline(time.Now().Add(time.Millisecond)) == nil
}

// SetReadDeadline sets the read deadline to t, or to the cutoff if that is earlier.
func (c *connection) SetReadDeadline(t time.Time) error {
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	c.httpDeadline = t
	if !c.cutoff.IsZero() && (t.IsZero() || t.After(c.cutoff)) {
		t = c.cutoff
	}
	return c.Conn.SetReadDeadline(t)
}

// pieceSize is the number of bytes of an answer that the client must receive within answerTimeout.
const pieceSize = 64 << 10

// Write writes to the client in pieces, and limits the time for each piece. The handlers cannot limit that time,
// because health checks and some errors of net/http are answered without going through them. A client that does not
// read such an answer must not keep its connection forever either.
func (c *connection) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var written int
		written, err = c.writePiece(p[n:min(n+pieceSize, len(p))])
		n += written
	}
	return n, err
}

// writePiece writes p in the answering phase, and then restores the previous phase. A tunnel stays in its phase and
// gets no deadline here, because the time limit of its request applies.
func (c *connection) writePiece(p []byte) (int, error) {
	c.listener.mu.Lock()
	if c.phase == tunnel {
		c.listener.mu.Unlock()
		return c.Conn.Write(p)
	}
	previousPhase, previousSince := c.phase, c.phaseStart
	c.phase, c.phaseStart = answering, time.Now()
	_ = c.Conn.SetWriteDeadline(c.phaseStart.Add(c.listener.answerTimeout))
	c.listener.mu.Unlock()
	defer func() {
		c.listener.mu.Lock()
		defer c.listener.mu.Unlock()
		c.phase, c.phaseStart = previousPhase, previousSince
	}()
	return c.Conn.Write(p)
}

// CloseWrite signals to the client that the answer is complete. net/http calls it after it has answered a request
// that it has not read to the end. It then waits a little, because closing the connection at once could lose the
// answer.
func (c *connection) CloseWrite() error { return closeWrite(c.Conn) }

func closeWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// Close closes the connection, and signals to the listener that there is room for another one.
func (c *connection) Close() error {
	err := c.Conn.Close()
	c.listener.remove(c)
	return err
}

// connectionKey is the context key for the *connection on which a request arrived.
type connectionKey struct{}

// withConnection is used as the ConnContext hook of the HTTP server. It stores the connection in the context of its
// requests.
func withConnection(ctx context.Context, conn net.Conn) context.Context {
	c, _ := conn.(*connection)
	return context.WithValue(ctx, connectionKey{}, c)
}

// connectionOf returns the connection of the request with this context. It returns nil if the request came from a
// listener that is not a boundedListener.
func connectionOf(ctx context.Context) *connection {
	c, _ := ctx.Value(connectionKey{}).(*connection)
	return c
}
