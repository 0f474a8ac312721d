package sidecar

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// A deadlineCounter counts the read deadlines that are set.
type deadlineCounter struct {
	http.ResponseWriter
	set int
}

func (d *deadlineCounter) SetReadDeadline(time.Time) error {
	d.set++
	return nil
}

// TestBodyDeadlines says that each piece of a body gets a new deadline, but not what follows the end. net/http would
// take a client for gone that, rightly, sends nothing after the end.
func TestBodyDeadlines(t *testing.T) {
	d := &deadlineCounter{}
	body := io.NopCloser(iotest.OneByteReader(strings.NewReader("abc")))
	r := &messageBody{ReadCloser: &deadlineReader{body, http.NewResponseController(d), time.Second}}
	for range 2 {
		if text, err := io.ReadAll(r); err != nil || d.set != 4 {
			t.Errorf("%q, %v, %d deadlines, want 4", text, err, d.set)
		}
	}
}

// A closedBody returns its text with io.EOF, and then another error, like the body of a request whose answer has
// begun.
type closedBody struct{ text io.Reader }

func (b *closedBody) Read(p []byte) (int, error) {
	n, err := b.text.Read(p)
	if n == 0 {
		err = http.ErrBodyReadAfterClose
	}
	return n, err
}

// TestBodyEnd says that a body whose end was read returns io.EOF again. Another error would break off the answer of
// the service.
func TestBodyEnd(t *testing.T) {
	r := &messageBody{ReadCloser: io.NopCloser(&closedBody{iotest.DataErrReader(strings.NewReader("abc"))})}
	if text, err := io.ReadAll(r); string(text) != "abc" || err != nil {
		t.Fatalf("it reads %q, %v", text, err)
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("after its end it reads %d bytes, %v, want %v", n, err, io.EOF)
	}
}

// TestForwardedIPv6 says which proxies are trusted if addresses are IPv6: a server that listens on all addresses sees
// those of IPv4 in this form, and others with a zone.
func TestForwardedIPv6(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fe80::/64")}
	for from, want := range map[string]string{"[::ffff:10.1.2.3]:4": "192.0.2.1, ::ffff:10.1.2.3",
		"[fe80::1%eth0]:4": "192.0.2.1, fe80::1%eth0",
		"11.0.0.1:4":       "11.0.0.1", "[fe81::1]:4": "fe81::1"} {
		in := httptest.NewRequest("GET", "/", nil)
		in.RemoteAddr = from
		in.Header.Set("X-Forwarded-For", "192.0.2.1")
		r := &httputil.ProxyRequest{In: in, Out: httptest.NewRequest("GET", "/", nil)}
		(&upstream{Options: Options{Trusted: trusted}}).setForwarded(r)
		if got := r.Out.Header.Get("X-Forwarded-For"); got != want {
			t.Errorf("from %s: X-Forwarded-For is %s, want %s", from, got, want)
		}
	}
}

// TestLoopConnections says that a client is taken for the server itself only if both ends of its connection match. The
// system may give a client the port of a connection to the service.
func TestLoopConnections(t *testing.T) {
	const client, here, service = "127.0.0.1:40000", "127.0.0.1:8080", "127.0.0.1:9090"
	address, err := net.ResolveTCPAddr("tcp", here)
	if err != nil {
		t.Fatal(err)
	}
	for own, want := range map[connectionEnds]int{{client, here}: http.StatusLoopDetected, {client, service}: http.StatusTeapot,
		{service, here}: http.StatusTeapot} {
		u := &upstream{Options: Options{Log: slog.New(slog.DiscardHandler), Upstream: &url.URL{Host: here}}}
		u.outgoingConnections.Store(own, true)
		r := httptest.NewRequest("GET", "/", nil)
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(address)))
		r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, newExchange(r)))
		r.RemoteAddr = client
		w := httptest.NewRecorder()
		u.refuseLoops(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })).ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("beside the connection %v to the service a client is answered with %d, want %d", own, w.Code, want)
		}
	}
}
