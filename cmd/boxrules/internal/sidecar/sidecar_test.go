package sidecar

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
)

// sidecarOf returns a sidecar with the given Options.Load, and its messages.
func sidecarOf(t *testing.T, load func() (*boxrules.Engine, Hashes, error)) (*Sidecar, *lockedBuffer) {
	t.Helper()
	said := &lockedBuffer{}
	s, err := New(Options{
		Load: load, Preflight: true, Limits: DefaultServerLimits(),
		Log: slog.New(slog.DiscardHandler), Console: &console.Console{Err: said},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, said
}

// TestReloadHangs says that a reload fails if the files cannot be read to their end, and so do those after it, each
// after reloadTimeout. The files are never read twice at once.
func TestReloadHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		var hangs atomic.Bool
		var reading atomic.Int32
		s, said := sidecarOf(t, func() (*boxrules.Engine, Hashes, error) {
			if n := reading.Add(1); n > 1 {
				t.Errorf("the files are read %d times at once", n)
			}
			defer reading.Add(-1)
			if hangs.Load() {
				<-hang
			}
			return boxrules.Default(), Hashes{"the rules'", "the limits'"}, nil
		})
		before := s.handler.Load()
		hangs.Store(true)
		start := time.Now()
		s.reload()
		if took := time.Since(start); took != reloadTimeout || !s.metrics.reloadFailed.Load() {
			t.Errorf("a reload that hangs ends after %v, want it failed after %v", took, reloadTimeout)
		}
		s.reload() // which does not read them, too
		if n := strings.Count(said.String(), "the files were not read within 10s"); n != 2 {
			t.Errorf("it says %s", said)
		}
		close(hang)
		synctest.Wait()
		if s.handler.Load() != before {
			t.Error("a reload that had failed is in force")
		}
		hangs.Store(false)
		s.reload()
		if s.handler.Load() == before || s.metrics.reloadFailed.Load() {
			t.Error("the reload after those that hang fails")
		}
		if !strings.Contains(said.String(), "reloaded the files: SHA-256 of the limits the limits', of the rules the rules'\n") {
			t.Errorf("it says %s", said)
		}
	})
}

// TestLoop says that a server whose service is itself notices that after one round.
func TestLoop(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	log := &lockedBuffer{}
	s, err := New(Options{
		Load:      func() (*boxrules.Engine, Hashes, error) { return boxrules.Default(), Hashes{}, nil },
		Preflight: true, Upstream: &url.URL{Scheme: "http", Host: listener.Addr().String()}, Limits: DefaultServerLimits(),
		Log: slog.New(slog.NewTextHandler(log, nil)), Console: &console.Console{Err: io.Discard},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, listener, nil, nil) }()
	response, err := http.Get("http://" + listener.Addr().String() + "/v1/reseller/orders/1")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusLoopDetected || !strings.Contains(string(body), "--upstream leads back to this server") {
		t.Errorf("it answers %s %s, %v", response.Status, body, err)
	}
	s.upstream.transport.CloseIdleConnections()
	end()
	if err := <-served; err != nil {
		t.Error(err)
	}
	if n := strings.Count(log.String(), "msg=request"); n != 2 {
		t.Errorf("%d requests are logged, want that of the client and its own:\n%s", n, log)
	}
	s.upstream.outgoingConnections.Range(func(address, _ any) bool {
		t.Errorf("%v is still an outgoing connection", address)
		return true
	})
}

// A countingListener counts the bytes that are read from its connections.
type countingListener struct {
	net.Listener
	read atomic.Int64
}

func (l *countingListener) Accept() (net.Conn, error) {
	connection, err := l.Listener.Accept()
	return &countingConn{connection, &l.read}, err
}

type countingConn struct {
	net.Conn
	read *atomic.Int64
}

func (c *countingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.read.Add(int64(n))
	return n, err
}

// TestEndlessHead says that a client which sends a head without an end is refused. The server reads as much of it as
// a head may have, with the 4 KiB that net/http adds and a buffer, and nothing after that.
func TestEndlessHead(t *testing.T) {
	limits := DefaultServerLimits()
	listener := serveCounting(t)
	connection, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(time.Minute)) // ends what hangs
	if _, err := io.WriteString(connection, "GET / HTTP/1.1\r\nHost: a\r\nX: "); err != nil {
		t.Fatal(err)
	}
	go func() {
		for err := error(nil); err == nil; {
			_, err = connection.Write(bytes.Repeat([]byte("y"), 4096))
		}
	}()
	answer := make([]byte, len("HTTP/1.1 431"))
	if _, err := io.ReadFull(connection, answer); err != nil || string(answer) != "HTTP/1.1 431" {
		t.Errorf("it is answered with %q, %v", answer, err)
	}
	if read, most := listener.read.Load(), int64(limits.MaxHeader+4096+4096); read > most {
		t.Errorf("the server has read %d bytes of the head, want at most %d", read, most)
	}
}

// serveCounting starts a server whose clients may take an hour to send a head.
func serveCounting(t *testing.T) *countingListener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, _ := sidecarOf(t, func() (*boxrules.Engine, Hashes, error) { return boxrules.Default(), Hashes{}, nil })
	s.Limits.Header = time.Hour
	counting := &countingListener{Listener: listener}
	go func() { _ = s.Serve(t.Context(), counting, nil, nil) }()
	return counting
}

// TestUnfinishedHeads measures the memory for the heads that 1,024 clients do not send to their end, each as long as
// it may be: about 100 MB, and three times as much with what the collector has not collected yet. Next to that,
// the rest of the process does not matter.
func TestUnfinishedHeads(t *testing.T) {
	if os.Getenv("CI") == "" {
		t.Skip("takes 100 MB; set CI=true")
	}
	const connections = 1024
	listener := serveCounting(t)
	head := []byte("GET /?" + strings.Repeat("x", 64<<10) + " HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("y", 15<<10))
	liveBytes() // collects what other tests have left
	before := liveBytes()
	for range connections {
		connection, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		if _, err := connection.Write(head); err != nil {
			t.Fatal(err)
		}
	}
	for listener.read.Load() < int64(connections*len(head)) {
		runtime.Gosched()
	}
	all := int64(liveBytes()) - int64(before)
	t.Logf("%d heads take %d bytes", connections, all)
	if all > int64(connections)*150_000 {
		t.Errorf("%d unfinished heads take %d bytes, want at most 150,000 each", connections, all)
	}
}

// liveBytes returns how many bytes of the heap are in use after a collection.
func liveBytes() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
