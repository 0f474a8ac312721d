package sidecar

import (
	"io"
	"net"
	"testing"
	"time"
)

// listenerOf returns a listener with the given bound, and the server side of its open connections.
func listenerOf(t *testing.T, most, open int) (*boundedListener, []*connection) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	l, accepted := newListener(listener, ServerLimits{MaxConnections: most, Answer: time.Minute}), []*connection(nil)
	for range open {
		client, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { client.Close() })
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		accepted = append(accepted, c.(*connection))
	}
	return l, accepted
}

// TestGiveWay says which connection gives way to a new one.
func TestGiveWay(t *testing.T) {
	type state struct {
		phase phase
		ago   time.Duration
	}
	for _, test := range []struct {
		name string
		open []state
		want int // its index, or -1
	}{
		{"the one idle for longest", []state{{idle, time.Second}, {idle, time.Minute}, {idle, 0}}, 1},
		{"an idle one before slow ones", []state{{receiving, time.Hour}, {waiting, time.Hour}, {idle, 0}}, 2},
		{"a slow one before one that waits", []state{{waiting, time.Hour}, {receiving, time.Minute}, {working, time.Hour}}, 1},
		{"one that does not take its answer", []state{{waiting, time.Hour}, {answering, time.Minute}, {receiving, 0}}, 1},
		{"the one that waits longest", []state{{waiting, time.Hour}, {waiting, 2 * time.Hour}, {working, 3 * time.Hour}}, 1},
		{"none that is quick enough", []state{{receiving, 0}, {answering, 0}, {waiting, 0}, {working, time.Hour}}, -1},
		{"no tunnel", []state{{tunnel, time.Hour}, {working, time.Hour}}, -1},
	} {
		l, open := listenerOf(t, len(test.open), len(test.open))
		shed := make(map[int]<-chan struct{})
		for i, d := range test.open {
			if d.phase == waiting {
				shed[i] = open[i].beginWaiting()
			}
			open[i].enter(d.phase)
			open[i].phaseStart = time.Now().Add(-d.ago)
		}
		l.maxOpen--
		if l.makeRoom() {
			t.Errorf("%s: there is room for %d beside %d", test.name, l.maxOpen, len(open))
		}
		for i, c := range open {
			gives := !c.cutoff.IsZero()
			if shed[i] != nil {
				select {
				case <-shed[i]:
					gives = true
				default:
				}
			}
			if gives != (i == test.want) {
				t.Errorf("%s: the connection %d gives way: %v", test.name, i, gives)
			}
		}
	}
}

// TestGiveWayOnce says that no second connection gives way while the first one is about to close.
func TestGiveWayOnce(t *testing.T) {
	l, open := listenerOf(t, 3, 3)
	for _, c := range open {
		c.enter(idle)
	}
	givesWay := func() (n int) {
		for _, c := range open {
			if !c.cutoff.IsZero() {
				n++
			}
		}
		return n
	}
	l.maxOpen = 2
	l.makeRoom()
	l.makeRoom()
	if n := givesWay(); n != 1 {
		t.Errorf("%d connections give way to one", n)
	}
	for _, c := range open {
		if !c.cutoff.IsZero() {
			c.cutoff = c.cutoff.Add(-giveWayTimeout) // it is stuck
		}
	}
	l.makeRoom()
	if n := givesWay(); n != 2 {
		t.Errorf("%d connections give way, want another one in the place of the first", n)
	}
}

// TestLastLook says that a request is read although its connection has to give way, if it has arrived by then.
func TestLastLook(t *testing.T) {
	l, _ := listenerOf(t, 1, 0)
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := io.WriteString(client, "GET"); err != nil {
		t.Fatal(err)
	}
	accepted, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	c := accepted.(*connection)
	c.enter(idle)
	c.giveWay(time.Now().Add(-time.Hour))
	if err := c.SetReadDeadline(time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 3)
	if n, err := c.Read(text); n == 0 || err != nil || c.phase != receiving || !c.cutoff.IsZero() {
		t.Errorf("%d bytes are read, %v, want those that have arrived", n, err)
	}
	c.enter(idle)
	c.giveWay(time.Now())
	if n, err := c.Read(text); n > 0 || err == nil {
		t.Errorf("%d bytes are read from a client that sends nothing, %v", n, err)
	}
}
