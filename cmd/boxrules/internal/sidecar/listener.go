package sidecar

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// A boundedListener limits the number of open connections, and closes connections without losing a request that has
// already arrived.
//
// The limit must not keep new clients waiting, because a health check arrives on a new connection, too. Therefore a
// new connection is always accepted. If it is one too many, another connection has to give way, which means that it
// is closed. For example, with room for three connections:
//
//	A  idle for 5 s
//	B  idle for 2 s
//	C  the server is working on its request
//	D  new: A gives way, because it has been idle the longest
//	E  new: B gives way
//	F  new: D and E are sending their requests, for which they have gracePeriod. F waits until one of them
//	   is done, or until D's time is over and D gives way. C never gives way.
//
// If no connection is idle and no client is that slow, but requests are waiting for a slot (see
// Sidecar.takeServerSlot), the request that has waited longest is answered with 503.
//
// When the server shuts down, finish accepts all connections that the operating system has queued, and gives each
// client time for one last request.
type boundedListener struct {
	net.Listener
	maxOpen       int
	answerTimeout time.Duration // the time that a client has to receive a piece of an answer
	closeSignal   chan struct{} // a value is sent when a connection is closed
	finished      chan struct{} // closed when the listener is closed

	mu              sync.Mutex // also guards the state of the connections
	openConnections map[*connection]struct{}
	acceptDeadline  time.Time // the time when listening ends at the latest; zero until finish is called
}

const (
	// gracePeriod is how long a connection that is not idle may keep the server waiting before it has to give way
	// to a new one. It is long enough for the head of a request to arrive.
	gracePeriod = 500 * time.Millisecond
	// lastRequestTimeout is how long an idle connection stays open when the server shuts down. Within that time, a
	// busy client sends its next request, and the answer says that the connection will be closed.
	lastRequestTimeout = 250 * time.Millisecond
	// quietPeriod is how long Accept waits for another connection when the server shuts down. If none arrives within
	// quietPeriods periods, Accept closes the listener. A single period is not enough: on a busy machine, it can pass
	// before Accept has looked at the queue of the operating system.
	quietPeriod  = 10 * time.Millisecond
	quietPeriods = 3
	// maxAcceptTime is how long the listener goes on accepting when the server shuts down, even if clients never stop
	// connecting.
	maxAcceptTime = time.Second
	// giveWayTimeout is how long a connection may take to close after it was chosen to make room. After that,
	// another connection has to make room in its place.
	giveWayTimeout = 200 * time.Millisecond
	// pollInterval is the time after which the listener looks at its connections again if none of them closes in
	// the meantime.
	pollInterval = 20 * time.Millisecond
)

func newListener(l net.Listener, limits ServerLimits) *boundedListener {
	return &boundedListener{
		Listener:        l,
		maxOpen:         limits.MaxConnections,
		answerTimeout:   limits.Answer,
		closeSignal:     make(chan struct{}, 1),
		finished:        make(chan struct{}),
		openConnections: make(map[*connection]struct{}),
	}
}

// Accept waits for the next connection, and returns it as soon as there is room for it.
func (b *boundedListener) Accept() (net.Conn, error) {
	accepted, err := b.Listener.Accept()
	// After a deadline, Accept fails even if connections are queued. So call it again with new deadlines.
	for range quietPeriods {
		if !errors.Is(err, os.ErrDeadlineExceeded) || !b.allowOneMoreAccept() {
			break
		}
		accepted, err = b.Listener.Accept()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) { // nobody has connected lately
		_ = b.Listener.Close()
		close(b.finished)
		err = net.ErrClosed
	}
	if err != nil {
		return nil, err
	}
	// From here on, the new connection counts as open, so makeRoom finds one too many if maxOpen were open before.
	// makeRoom does not choose the new one, because it stays in the zero phase, working, until it is returned.
	c := &connection{Conn: accepted, listener: b}
	b.mu.Lock()
	b.openConnections[c] = struct{}{}
	b.mu.Unlock()
	for !b.makeRoom() {
		b.waitForClose()
	}
	c.enter(receiving)
	return c, nil
}

// makeRoom reports whether at most maxOpen connections are open. If more are open, and the connections that are already
// closing do not make enough room, it makes one more connection close if possible. While the server shuts down, it
// always returns true, so that all connections that the operating system has queued are accepted: see finish.
func (b *boundedListener) makeRoom() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.openConnections) <= b.maxOpen || !b.acceptDeadline.IsZero() {
		return true
	}
	var chosen *connection
	now, closing := time.Now(), 0
	for c := range b.openConnections {
		if c.isClosing(now) {
			closing++
		}
		if c.canGiveWay(now) && (chosen == nil || c.givesWayBefore(chosen)) {
			chosen = c
		}
	}
	// Connections that are closing will make room in a moment. Another one has to give way only if that is not
	// enough.
	if chosen != nil && len(b.openConnections)-closing > b.maxOpen {
		// The caller will wait until the chosen connection closes. Discard the signal of a connection that closed
		// earlier, which would end that wait at once.
		select {
		case <-b.closeSignal:
		default:
		}
		chosen.giveWay(now)
	}
	return false
}

// waitForClose waits until a connection is closed, but no longer than pollInterval.
func (b *boundedListener) waitForClose() {
	select {
	case <-b.closeSignal:
	case <-time.After(pollInterval):
	}
}

// finish makes Accept return the connections that clients have already opened. After that, Accept returns an error.
//
// When a listener is closed, the operating system resets the connections that it has queued. So the listener must
// be closed at a moment when nobody is connecting. There might be no such moment if a busy client opens a new
// connection for each request. So connection.waitUntilClosed makes the request of such a client wait until the
// listener is closed. Idle connections get time for one more request.
func (b *boundedListener) finish() {
	now := time.Now()
	b.mu.Lock()
	b.acceptDeadline = now.Add(maxAcceptTime)
	for c := range b.openConnections {
		// For all other connections, enterLocked sets the deadline when they become idle.
		if c.phase == idle {
			c.limitReading(now.Add(lastRequestTimeout))
		}
	}
	b.mu.Unlock()
	// A waiting call to Accept returns at this deadline. If the listener does not support deadlines, close it right
	// away.
	if !b.allowOneMoreAccept() {
		_ = b.Listener.Close()
	}
}

// allowOneMoreAccept sets the deadline of the next Accept to quietPeriod from now. It returns false if
// acceptDeadline has passed or the listener does not support deadlines.
func (b *boundedListener) allowOneMoreAccept() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	l, ok := b.Listener.(interface{ SetDeadline(time.Time) error })
	now := time.Now()
	return ok && now.Before(b.acceptDeadline) && l.SetDeadline(now.Add(quietPeriod)) == nil
}

// wait waits until all connections except tunnels are closed, or until ctx is done.
func (b *boundedListener) wait(ctx context.Context) error {
	for ctx.Err() == nil {
		if b.onlyTunnelsAreOpen() {
			return nil
		}
		b.waitForClose()
	}
	return ctx.Err()
}

func (b *boundedListener) onlyTunnelsAreOpen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.openConnections {
		if c.phase != tunnel {
			return false
		}
	}
	return true
}

// remove removes a closed connection from b.openConnections, and signals that it was closed.
func (b *boundedListener) remove(c *connection) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.openConnections, c)
	select {
	case b.closeSignal <- struct{}{}:
	default: // a signal is already pending
	}
}
