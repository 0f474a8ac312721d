package sidecar

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"os"
	"slices"
	"sync"
	"time"
)

// An upstream forwards requests to the service.
type upstream struct {
	Options
	proxyHost           string // see the function targetHost
	transport           *http.Transport
	outgoingConnections sync.Map // the open connections to the service: each key is its connectionEnds, each value true
}

// connectionEnds identify a connection by the addresses of its client and its server. Both are needed,
// because connections to different servers can have the same client address.
type connectionEnds struct{ client, server string }

func newUpstream(o Options) *upstream {
	u := &upstream{Options: o, proxyHost: targetHost(o.Upstream)}
	u.transport = &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         u.dial,
		MaxIdleConnsPerHost: o.Limits.MaxConcurrent, // so that no connection is closed and opened again under load
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true,
		DisableCompression:  true, // answers are forwarded as they are
	}
	return u
}

// dial connects to the service, and remembers the connection in outgoing.
func (u *upstream) dial(ctx context.Context, network, address string) (net.Conn, error) {
	connection, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	ends := connectionEnds{connection.LocalAddr().String(), connection.RemoteAddr().String()}
	u.outgoingConnections.Store(ends, true)
	return &upstreamConnection{connection, func() { u.outgoingConnections.Delete(ends) }}, nil
}

// An upstreamConnection is a connection to the service.
type upstreamConnection struct {
	net.Conn
	onClose func()
}

// CloseWrite tells the service that no more data follows. It is called for tunnels.
func (c *upstreamConnection) CloseWrite() error { return closeWrite(c.Conn) }

func (c *upstreamConnection) Close() error {
	c.onClose()
	return c.Conn.Close()
}

// refuseLoops refuses requests that this server has sent to itself, because the address of the service leads
// back to it. Such a request would circulate forever. It is recognized by its connection, which is in outgoing.
func (u *upstream) refuseLoops(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isLoop := false
		if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
			_, isLoop = u.outgoingConnections.Load(connectionEnds{r.RemoteAddr, local.String()})
		}
		if !isLoop {
			h.ServeHTTP(w, r)
			return
		}
		const message = "--upstream leads back to this server"
		u.warn(r.Context(), message, slog.String("address", r.Host))
		exchangeOf(r.Context()).writeError(w, http.StatusLoopDetected, message)
	})
}

// proxy returns a handler that forwards requests unchanged. The Base of the transport is u.
func (u *upstream) proxy(transport http.RoundTripper) http.Handler {
	proxy := &httputil.ReverseProxy{
		Rewrite:       u.rewrite,
		Transport:     transport,
		ErrorHandler:  u.fail,
		BufferPool:    &upstreamBuffers{sync.Pool{New: func() any { return new(buffer) }}},
		FlushInterval: 10 * time.Millisecond,      // how long a part of an answer waits for the rest
		ErrorLog:      log.New(io.Discard, "", 0), // fail and the deferred function below log with the request's id
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), u.Limits.Service)
		defer cancel()
		e, out := exchangeOf(ctx), r.WithContext(ctx)
		if r.ContentLength != 0 {
			// A large body may take long, but each piece of it has to arrive in time.
			body := &deadlineReader{r.Body, http.NewResponseController(w), u.Limits.Body}
			e.requestBody = &messageBody{ReadCloser: body}
			out.Body = e.requestBody
		}
		if r.ContentLength < 0 && e.request.Trailer == nil {
			e.request.Trailer = make(http.Header) // net/http fills it with trailers that the head does not announce
		}
		defer func() {
			// ReverseProxy panics if an answer breaks off after its head was sent, so this is deferred. If ctx
			// has ended, the answer broke off because of that, and not because of the service.
			if err := e.responseBody.failure(); err != nil && ctx.Err() == nil {
				u.warn(ctx, "the service's response was cut short", slog.String("error", err.Error()))
				if e.status != 0 {
					_ = http.NewResponseController(w).Flush() // send the part that has arrived
				}
			}
		}()
		proxy.ServeHTTP(w, out)
	})
}

// rewrite sets the query and the headers of the request to the service. RoundTrip sets its address and path.
func (u *upstream) rewrite(r *httputil.ProxyRequest) {
	r.Out.URL.RawQuery = r.In.URL.RawQuery // byte for byte, even if it is malformed
	e := exchangeOf(r.In.Context())
	r.Out.Header.Set(requestIDHeader, e.id)
	r.Out.Trailer = e.request.Trailer // which net/http fills when it has read the body
	u.setForwarded(r)
}

// setForwarded sets the headers that tell the service who sent the request. If a trusted proxy has sent it, the
// values that the proxy has set are forwarded.
func (u *upstream) setForwarded(r *httputil.ProxyRequest) {
	const client, host, scheme, forwarded = "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded"
	from, _ := netip.ParseAddrPort(r.In.RemoteAddr)
	// A server that also listens on IPv6 sees the client 192.0.2.1 as ::ffff:192.0.2.1. Trusted has the former.
	address := from.Addr().Unmap().WithZone("")
	trusted := slices.ContainsFunc(u.Trusted, func(proxies netip.Prefix) bool { return proxies.Contains(address) })
	// ReverseProxy has removed these headers from Out, because any client can write anything into them.
	if trusted {
		r.Out.Header[client] = r.In.Header[client] // SetXForwarded adds the address of the proxy
	}
	r.SetXForwarded()
	for _, name := range []string{host, scheme, forwarded} {
		// SetXForwarded has set the host and scheme of the connection, which is one from the proxy.
		if values, ok := r.In.Header[name]; ok && trusted {
			r.Out.Header[name] = values
		}
	}
}

// fail answers a request in place of the service, because the service did not answer or the client's body could
// not be read to its end. out is the request to the service.
func (u *upstream) fail(w http.ResponseWriter, out *http.Request, err error) {
	ctx := out.Context()
	e := exchangeOf(ctx)
	bodyErr := e.requestBody.failure()
	serviceFailed := func(status int, message string, why slog.Attr) {
		u.warn(ctx, message, why)
		e.writeError(w, status, message)
	}
	switch {
	// Several of these may be true at once: if the client stops sending its body, then reading the body and
	// the round trip fail, and ctx may end. The cases are ordered so that the cause comes first.
	case errors.Is(err, errProxyTarget):
		e.writeError(w, http.StatusBadRequest, err.Error())
	case errors.Is(bodyErr, os.ErrDeadlineExceeded):
		e.writeError(w, http.StatusRequestTimeout, "the request body did not arrive in time")
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		serviceFailed(http.StatusGatewayTimeout, "the service took too long to answer", slog.String("after", u.Limits.Service.String()))
	case bodyErr != nil: // this comes before ctx, which also ends if the client has closed its side
		e.writeError(w, http.StatusBadRequest, "the request body could not be read")
	case ctx.Err() != nil:
		abandonRequest()
	default:
		serviceFailed(http.StatusBadGateway, "the service did not send a valid answer", slog.String("error", err.Error()))
	}
}

func (u *upstream) warn(ctx context.Context, message string, why slog.Attr) {
	u.Log.LogAttrs(ctx, slog.LevelWarn, message, slog.String("service", u.Upstream.Host), why)
}

// RoundTrip sends the request to the service, and notes in the exchange how the service answered and how long that
// took.
func (u *upstream) RoundTrip(r *http.Request) (*http.Response, error) {
	e := exchangeOf(r.Context())
	e.forwarded = true
	to, err := u.targetURL(r)
	if err != nil {
		return nil, err
	}
	outgoing := r.WithContext(r.Context()) // a RoundTripper must not change its request
	outgoing.URL, outgoing.Host = to, ""
	start := time.Now()
	answer, err := u.transport.RoundTrip(outgoing)
	e.upstreamTime = max(time.Since(start), 1) // never 0, which means that nothing was forwarded
	if err != nil {
		return nil, err
	}
	if answer.StatusCode < 100 { // it cannot be forwarded: WriteHeader would panic
		_ = answer.Body.Close()
		return nil, fmt.Errorf("the status %d is invalid", answer.StatusCode)
	}
	if id := answer.Header.Get(requestIDHeader); id != e.id && isRequestID(id) { // people may need it to ask the service about the request
		e.upstreamID = id
	}
	if answer.StatusCode == http.StatusSwitchingProtocols {
		// The body is the connection. The proxy hijacks ours, so no answerWriter sees the status.
		e.status = answer.StatusCode
		return answer, nil
	}
	e.responseBody = &messageBody{ReadCloser: answer.Body}
	answer.Body = e.responseBody
	return answer, nil
}

// A deadlineReader is a body from the client. Each read sets a new deadline.
type deadlineReader struct {
	io.ReadCloser
	controller *http.ResponseController
	timeout    time.Duration
}

func (d *deadlineReader) Read(p []byte) (int, error) {
	_ = d.controller.SetReadDeadline(time.Now().Add(d.timeout))
	return d.ReadCloser.Read(p)
}

// An upstreamBuffers is an httputil.BufferPool. Without one, a ReverseProxy allocates a buffer for each answer.
type upstreamBuffers struct{ pool sync.Pool }

type buffer [32 << 10]byte

func (b *upstreamBuffers) Get() []byte     { return b.pool.Get().(*buffer)[:] }
func (b *upstreamBuffers) Put(used []byte) { b.pool.Put((*buffer)(used)) }
