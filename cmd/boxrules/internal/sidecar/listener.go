package sidecar

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// A boundedListener bounds how many connections are open, and closes them without losing a request that
// has arrived.
//
// The bound must not keep new clients waiting, because a health check comes on a connection like any
// other. Therefore a new connection is always accepted, and if it is one too many, another one gives way.
// With room for three connections:
//
//	A  idle for 5 s
//	B  idle for 2 s
//	C  the server is working on its request
//	D  new: A gives way, because it has been idle for longest
//	E  new: B gives way
//	F  new: D and E are sending their requests, for which they have gracePeriod. F waits until one of them
//	   is done, or until D's time is over and D gives way. C never gives way.
//
// If no connection is idle and no client is that slow, but requests are waiting for a slot (see
// Sidecar.takeServerSlot), the request that has waited longest is answered with 503.
//
// When the server ends, finish accepts all connections that the system has queued, and gives each
// client time for one last request.
type boundedListener struct {
	net.Listener
	maxOpen       int
	answerTimeout time.Duration // how long a client may take to receive a piece of an answer
	closeSignal   chan struct{} // receives a value when a connection is closed
	finished      chan struct{} // closed when the listener is closed

	mu              sync.Mutex // also guards the state of the connections
	openConnections map[*connection]struct{}
	acceptDeadline  time.Time // the latest time to stop listening; zero until finish is called
}

const (
	// gracePeriod is how long a connection that is not idle may keep the server waiting before it
	// gives way to a new one. It leaves the head of a request time to arrive.
	gracePeriod = 500 * time.Millisecond
	// lastRequestTimeout is how long an idle connection stays open when the server shuts down. A busy client
	// sends its next request in that time, and learns from the answer that it was the last one.
	lastRequestTimeout = 250 * time.Millisecond
	// The listener is closed once nobody has connected for quietPeriod, and at the latest after
	// lastRequestTimeout.
	quietPeriod = 10 * time.Millisecond
	// giveWayTimeout is how long a connection that gives way may take to close before another one has to
	// give way in its place.
	giveWayTimeout = 200 * time.Millisecond
	// pollInterval is the interval at which the connections are checked again while none of them closes.
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

// Accept returns the next connection, once there is room for it.
func (b *boundedListener) Accept() (net.Conn, error) {
	accepted, err := b.Listener.Accept()
	// Once a deadline has passed, Accept fails even if there are connections in the queue. So it is called once
	// more, with a deadline that has not passed.
	if errors.Is(err, os.ErrDeadlineExceeded) && b.allowOneMoreAccept() {
		accepted, err = b.Listener.Accept()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) { // nobody has connected for quietPeriod
		_ = b.Listener.Close()
		close(b.finished)
		err = net.ErrClosed
	}
	if err != nil {
		return nil, err
	}
	// The new connection counts from here on, so makeRoom sees one too many if maxOpen were open before.
	// makeRoom does not choose the new one, because its phase is working, the zero phase, until it is returned.
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

// makeRoom returns true if at most maxOpen connections are open. Otherwise it makes one of them give way, if
// one can and not enough of them are closing already, and returns false. When the server is shutting down,
// makeRoom always returns true, so that all connections that the system has queued are accepted: see finish.
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
	// Connections that are closing already will make room in a moment. Another one gives way only if there are
	// too few of them.
	if chosen != nil && len(b.openConnections)-closing > b.maxOpen {
		// The caller waits for the chosen connection to close. The signal of one that closed earlier would
		// end that wait at once, so it is discarded.
		select {
		case <-b.closeSignal:
		default:
		}
		chosen.giveWay(now)
	}
	return false
}

// waitForClose waits until a connection has closed, but at most for pollInterval.
func (b *boundedListener) waitForClose() {
	select {
	case <-b.closeSignal:
	case <-time.After(pollInterval):
	}
}

// finish makes Accept return the connections that clients have already opened, and then an error.
//
// When a listener is closed, the system resets the connections that it has queued. So the listener
// must be closed at a moment when nobody is connecting. A busy client that opens a connection for each
// request would leave no such moment; connection.waitUntilClosed makes its request wait until the listener is
// closed. Idle connections get time for one more request.
func (b *boundedListener) finish() {
	b.mu.Lock()
	b.acceptDeadline = time.Now().Add(lastRequestTimeout)
	for c := range b.openConnections {
		// All other connections get a deadline from enterLocked when they become idle.
		if c.phase == idle {
			c.limitReading(b.acceptDeadline)
		}
	}
	b.mu.Unlock()
	// An Accept that is waiting returns when this deadline has passed. A listener that does not support
	// deadlines is closed right away.
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

// wait waits until all connections except tunnels are closed, or until ctx ends.
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

// remove removes a connection that was closed from the open ones, and signals that it was closed.
func (b *boundedListener) remove(c *connection) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.openConnections, c)
	select {
	case b.closeSignal <- struct{}{}:
	default: // there is a signal already
	}
}
