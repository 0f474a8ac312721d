package sidecar

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// connections is a listener that bounds how many connections are open, and that ends them without
// losing a request that has arrived.
//
// A health check comes on a connection like any other, so it would fail if new connections had to
// wait at the bound. Instead a new connection is accepted, and another one gives way: the one that
// has been idle for longest; if none is idle, one whose client has kept the server waiting for a
// while; otherwise the one whose request has waited longest for its turn. That request is answered
// with 503. Connections whose requests are being worked on never give way.
type connections struct {
	net.Listener
	max      int
	answer   time.Duration // for a client to take a piece of an answer
	closed   chan struct{} // holds a value after a connection has ended
	finished chan struct{} // closed when nobody listens any more

	mu     sync.Mutex
	open   map[*connection]struct{}
	ending time.Time // the latest time to stop listening; zero while the server goes on
}

const (
	// crowdedTime is how long a connection that is not idle may keep the server waiting before it
	// gives way to a new one. It leaves the head of a request time to arrive.
	crowdedTime = 500 * time.Millisecond
	// lastRequestTime is how long an idle connection stays open when the server ends. A busy client
	// sends its next request within it, and learns from the answer that it was the last one.
	lastRequestTime = 250 * time.Millisecond
	// The listener is closed once nobody has connected for quietTime, and after lastRequestTime in any
	// case.
	quietTime = 10 * time.Millisecond
)

// A phase says what a connection is waiting for.
type phase int

const (
	working   phase = iota // for the server, which is working on a request
	receiving              // for the client, to send the rest of a head, or of a body that nobody wants
	answering              // for the client, to take a piece of an answer
	idle                   // for the client, to send another request
	waiting                // for the turn of its request
	tunnel                 // for nothing: it was hijacked
)

// A connection is a connection from a client.
type connection struct {
	net.Conn
	of *connections

	// These are guarded by of.mu.
	phase    phase
	since    time.Time     // when the phase began
	deadline time.Time     // for reading, as net/http wants it
	limit    time.Time     // an earlier deadline of ours; zero if there is none
	shed     chan struct{} // closed when the waiting request is to give up
	last     bool          // shed was closed: nothing more is read after this request
}

func newConnections(l net.Listener, p Patience) *connections {
	return &connections{Listener: l, max: p.MaxConnections, answer: p.Answer, closed: make(chan struct{}, 1),
		finished: make(chan struct{}), open: make(map[*connection]struct{})}
}

// Accept returns the next connection, once there is room for it.
func (l *connections) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if errors.Is(err, os.ErrDeadlineExceeded) && l.mayLookAgain() {
		accepted, err = l.Listener.Accept()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) { // finish has set the deadline, and nobody has connected
		_ = l.Listener.Close()
		close(l.finished)
		err = net.ErrClosed
	}
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: accepted, of: l}
	l.mu.Lock()
	l.open[c] = struct{}{}
	l.mu.Unlock()
	for !l.hasRoom() {
		l.pause()
	}
	c.enter(receiving)
	return c, nil
}

// hasRoom reports whether at most max connections are open, and otherwise makes one give way. When
// the server ends there is room for all connections that the system has queued: see finish.
func (l *connections) hasRoom() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.open) <= l.max || !l.ending.IsZero() {
		return true
	}
	var chosen *connection
	now := time.Now()
	for c := range l.open {
		if c.canGiveWay(now) && (chosen == nil || c.giveWayBefore(chosen)) {
			chosen = c
		}
	}
	if chosen != nil {
		select {
		case <-l.closed: // forget a connection that ended earlier
		default:
		}
		chosen.giveWay(now)
	}
	return false
}

func (c *connection) canGiveWay(now time.Time) bool {
	switch c.phase {
	case idle:
		return c.limit.IsZero()
	case receiving, answering:
		return c.limit.IsZero() && now.Sub(c.since) >= crowdedTime
	case waiting:
		return c.shed != nil && now.Sub(c.since) >= crowdedTime
	}
	return false
}

func (c *connection) giveWayBefore(other *connection) bool {
	if (c.phase == idle) != (other.phase == idle) {
		return c.phase == idle
	}
	if (c.phase == waiting) != (other.phase == waiting) {
		return other.phase == waiting
	}
	return c.since.Before(other.since)
}

// giveWay ends the connection or its waiting request. It takes effect in the goroutine that waits.
func (c *connection) giveWay(now time.Time) {
	if c.phase == waiting {
		close(c.shed)
		c.shed, c.last = nil, true
		return
	}
	if c.phase == answering {
		_ = c.Conn.SetWriteDeadline(now)
	}
	c.limitReading(now)
}

// limitReading makes reads fail from then on, until the phase changes.
func (c *connection) limitReading(at time.Time) {
	c.limit = at
	_ = c.Conn.SetReadDeadline(at)
}

// pause waits until a connection has ended, or for long enough to look at them again.
func (l *connections) pause() {
	select {
	case <-l.closed:
	case <-time.After(20 * time.Millisecond):
	}
}

// finish makes Accept return the connections that clients have already opened, and then an error.
// When a listener is closed, the system resets the connections that have not been accepted. So the
// listener is closed at a moment when nobody connects: hold makes clients that send one request after
// the other wait until then. Idle connections get time for one more request.
func (l *connections) finish() {
	l.mu.Lock()
	l.ending = time.Now().Add(lastRequestTime)
	for c := range l.open {
		if c.phase == idle {
			c.limitReading(l.ending)
		}
	}
	l.mu.Unlock()
	if !l.mayLookAgain() {
		_ = l.Listener.Close()
	}
}

// mayLookAgain sets a deadline for the next Accept, and reports whether there may be another one.
func (l *connections) mayLookAgain() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	bounded, ok := l.Listener.(interface{ SetDeadline(time.Time) error })
	now := time.Now()
	return ok && now.Before(l.ending) && bounded.SetDeadline(now.Add(quietTime)) == nil
}

// hold makes a request wait while the listener is being closed.
func (c *connection) hold() {
	if c == nil {
		return
	}
	c.of.mu.Lock()
	ending := c.of.ending
	c.of.mu.Unlock()
	if ending.IsZero() {
		return
	}
	select {
	case <-c.of.finished:
	case <-time.After(time.Until(ending)):
	}
}

// wait waits until all connections except tunnels have ended, or until ctx ends.
func (l *connections) wait(ctx context.Context) error {
	for ctx.Err() == nil {
		if l.allEnded() {
			return nil
		}
		l.pause()
	}
	return ctx.Err()
}

func (l *connections) allEnded() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.open {
		if c.phase != tunnel {
			return false
		}
	}
	return true
}

// note is the ConnState hook of the servers.
func note(conn net.Conn, state http.ConnState) {
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

// enter begins a phase. c is nil if the connection comes from another listener, as in tests.
func (c *connection) enter(p phase) {
	if c == nil {
		return
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.begin(p)
}

func (c *connection) begin(p phase) {
	c.phase, c.since = p, time.Now()
	if !c.limit.IsZero() && (p == working || p == receiving) {
		c.limit = time.Time{}
		_ = c.Conn.SetReadDeadline(c.deadline)
	}
	if p == receiving && c.last {
		c.limitReading(c.since)
	}
	if p == idle && !c.of.ending.IsZero() {
		c.limit = c.since.Add(lastRequestTime)
	}
}

// waitForTurn begins the phase waiting. The channel is closed when the request has to give up.
func (c *connection) waitForTurn() <-chan struct{} {
	if c == nil {
		return nil
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.begin(waiting)
	shed := make(chan struct{})
	c.shed = shed
	return shed
}

// Read reads what the client sends. When the time of an idle connection is over, it tries once more,
// as a request may have arrived: a read after its deadline returns nothing, even if there is data.
func (c *connection) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) && c.mayLookAgain() {
		n, err = c.Conn.Read(p)
	}
	if n > 0 {
		c.of.mu.Lock()
		defer c.of.mu.Unlock()
		if c.phase == idle {
			c.begin(receiving)
		}
	}
	return n, err
}

func (c *connection) mayLookAgain() bool {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if c.phase != idle || c.limit.IsZero() {
		return false
	}
	return c.Conn.SetReadDeadline(time.Now().Add(time.Millisecond)) == nil
}

// SetReadDeadline sets the deadline of net/http. An earlier limit of ours stays in force.
func (c *connection) SetReadDeadline(t time.Time) error {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.deadline = t
	if !c.limit.IsZero() && (t.IsZero() || t.After(c.limit)) {
		t = c.limit
	}
	return c.Conn.SetReadDeadline(t)
}

// pieceSize is how much of an answer a client has to take at once.
const pieceSize = 64 << 10

// Write writes to the client piece by piece, and bounds how long the client may take for each. It is
// done here, and not by the handlers, because probes and the answers of net/http itself go through
// no handler. A client that does not take those must not keep its connection forever either.
func (c *connection) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var written int
		written, err = c.writePiece(p[n:min(n+pieceSize, len(p))])
		n += written
	}
	return n, err
}

// writePiece writes p in the phase answering, and then goes back to the phase before. A tunnel stays a
// tunnel, whose time is bounded by that of its request.
func (c *connection) writePiece(p []byte) (int, error) {
	c.of.mu.Lock()
	if c.phase == tunnel {
		c.of.mu.Unlock()
		return c.Conn.Write(p)
	}
	phase, since := c.phase, c.since
	c.phase, c.since = answering, time.Now()
	_ = c.Conn.SetWriteDeadline(c.since.Add(c.of.answer))
	c.of.mu.Unlock()
	defer func() {
		c.of.mu.Lock()
		defer c.of.mu.Unlock()
		c.phase, c.since = phase, since
	}()
	return c.Conn.Write(p)
}

// CloseWrite tells the client that nothing more comes. net/http calls it after it has answered a
// request without reading all of it, and then waits a little: closing at once could lose the answer.
func (c *connection) CloseWrite() error { return closeWrite(c.Conn) }

func closeWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// Close ends the connection.
func (c *connection) Close() error {
	err := c.Conn.Close()
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	delete(c.of.open, c)
	select {
	case c.of.closed <- struct{}{}:
	default:
	}
	return err
}

// connectionKey is the key of a context with the *connection of its request.
type connectionKey struct{}

// withConnection returns a context that connectionOf finds the connection in.
func withConnection(ctx context.Context, conn net.Conn) context.Context {
	c, _ := conn.(*connection)
	return context.WithValue(ctx, connectionKey{}, c)
}

// connectionOf returns the connection of the request, or nil if it has none.
func connectionOf(ctx context.Context) *connection {
	c, _ := ctx.Value(connectionKey{}).(*connection)
	return c
}
