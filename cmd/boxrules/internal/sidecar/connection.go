package sidecar

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"time"
)

// A connection is a connection from a client. Its phase says what it is waiting for. The listener compares the
// phases to choose which connection gives way to a new one.
//
// A connection with two requests goes through these phases:
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
// To make a connection give way, we set a read deadline that has already passed, its cutoff. net/http also sets
// read deadlines, so SetReadDeadline remembers the deadline of net/http, and applies the earlier of the two.
//
// The methods that ServeHTTP and takeServerSlot call accept a nil connection, for a request that came on another
// listener, as in tests.
type connection struct {
	net.Conn
	listener *boundedListener

	// These are guarded by listener.mu.
	phase         phase
	phaseStart    time.Time     // when the phase began
	httpDeadline  time.Time     // the read deadline that net/http has set
	cutoff        time.Time     // a read deadline of our own, which may be earlier; zero if there is none
	giveWaySignal chan struct{} // closed to make the waiting request give up; nil once closed
	isLastRequest bool          // whether shed was closed; if so, nothing more is read after this request
}

// A phase says what a connection is waiting for.
type phase int

const (
	working   phase = iota // for the server to answer a request
	receiving              // for the client to send the rest of a head, or of a body that nobody reads
	answering              // for the client to receive a piece of an answer
	idle                   // for the client to send another request
	waiting                // for a slot, see Sidecar.takeServerSlot
	tunnel                 // for nothing: the connection was hijacked
)

// canGiveWay reports whether the connection may be closed, or its waiting request answered with 503, to
// make room for a new connection. A connection gives way only once.
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

// isClosing reports whether the connection is giving way and about to close.
func (c *connection) isClosing(now time.Time) bool {
	return !c.cutoff.IsZero() && now.Sub(c.cutoff) < giveWayTimeout
}

// givesWayBefore reports whether c should give way rather than other. Idle connections are chosen first, then
// those of slow clients, then waiting requests, and within each group the one that has been in its phase longest.
func (c *connection) givesWayBefore(other *connection) bool {
	if (c.phase == idle) != (other.phase == idle) {
		return c.phase == idle
	}
	if (c.phase == waiting) != (other.phase == waiting) {
		return other.phase == waiting
	}
	return c.phaseStart.Before(other.phaseStart)
}

// giveWay closes the connection or gives up its waiting request. It does so by waking the goroutine that waits
// for the client or for a slot.
func (c *connection) giveWay(now time.Time) {
	if c.phase == waiting {
		// takeServerSlot returns false, and the request is answered with 503. After that answer enterLocked sees
		// isLastRequest and closes the connection.
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

// limitReading makes reads fail after the time t, until the phase changes.
func (c *connection) limitReading(t time.Time) {
	c.cutoff = t
	_ = c.Conn.SetReadDeadline(t)
}

// waitUntilClosed makes a request wait until the listener is closed, if boundedListener.finish is closing it.
// Otherwise it returns at once.
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

// trackConnectionState is the ConnState hook of the servers.
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
	// If a request has arrived just before the connection gave way, it is answered after all.
	if !c.cutoff.IsZero() && (p == working || p == receiving) {
		c.cutoff = time.Time{}
		_ = c.Conn.SetReadDeadline(c.httpDeadline)
	}
	// Once the 503 is written, the rest of the request's body is not worth waiting for.
	if p == receiving && c.isLastRequest {
		c.limitReading(c.phaseStart)
	}
	// When net/http next sets its deadline for another request, SetReadDeadline applies this cutoff.
	if p == idle && !c.listener.acceptDeadline.IsZero() {
		c.cutoff = c.phaseStart.Add(lastRequestTimeout)
	}
}

// beginWaiting enters the waiting phase. It returns a channel that is closed if the request has to give up.
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

// Read reads what the client sends. If the connection gives way while it is idle, Read tries once more,
// because a request may have arrived: a read after its deadline returns nothing, even if there is data.
func (c *connection) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) && c.allowOneMoreRead() {
		n, err = c.Conn.Read(p)
	}
	if n > 0 {
		// In the idle phase, this is the start of the next request. The client has gracePeriod to send the rest.
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
	// The deadline only has to be in the future: data that has arrived is returned without waiting.
	return c.Conn.SetReadDeadline(time.Now().Add(time.Millisecond)) == nil
}

// SetReadDeadline sets the read deadline that net/http asks for, or the cutoff if that is earlier.
func (c *connection) SetReadDeadline(t time.Time) error {
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	c.httpDeadline = t
	if !c.cutoff.IsZero() && (t.IsZero() || t.After(c.cutoff)) {
		t = c.cutoff
	}
	return c.Conn.SetReadDeadline(t)
}

// pieceSize is how many bytes of an answer the client has to receive within answerTimeout.
const pieceSize = 64 << 10

// Write writes to the client piece by piece, and bounds how long the client may take for each piece. This is
// done here and not in the handlers, because answers to health checks and answers of net/http itself do not go
// through the handlers. A client that does not read those must not keep its connection forever either.
func (c *connection) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var written int
		written, err = c.writePiece(p[n:min(n+pieceSize, len(p))])
		n += written
	}
	return n, err
}

// writePiece writes p in the answering phase, and then restores the previous phase. A tunnel stays a tunnel;
// the time limit of its request bounds it.
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

// CloseWrite tells the client that the answer is complete. net/http calls it after it has answered a
// request without reading all of it, and then waits a little, because closing at once could lose the answer.
func (c *connection) CloseWrite() error { return closeWrite(c.Conn) }

func closeWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// Close closes the connection, and tells the listener that there is room for another one.
func (c *connection) Close() error {
	err := c.Conn.Close()
	c.listener.remove(c)
	return err
}

// connectionKey is the context key for the *connection of a request.
type connectionKey struct{}

// withConnection is the ConnContext hook of the servers: it puts the connection into the context of its
// requests.
func withConnection(ctx context.Context, conn net.Conn) context.Context {
	c, _ := conn.(*connection)
	return context.WithValue(ctx, connectionKey{}, c)
}

// connectionOf returns the connection of the request with this context, or nil if it came on another
// listener.
func connectionOf(ctx context.Context) *connection {
	c, _ := ctx.Value(connectionKey{}).(*connection)
	return c
}
