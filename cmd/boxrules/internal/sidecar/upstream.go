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
	proxyHost           string // the result of targetHost
	transport           *http.Transport
	outgoingConnections sync.Map // the open connections to the service: the keys are connectionEnds, and the values are true
}

// connectionEnds identifies a connection by the addresses of its client and of its server. Both are needed, because
// connections to different servers may have the same client address.
type connectionEnds struct{ client, server string }

func newUpstream(o Options) *upstream {
	u := &upstream{Options: o, proxyHost: targetHost(o.Upstream)}
	u.transport = &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         u.dial,
		MaxIdleConnsPerHost: o.Limits.MaxConcurrent, // so that under load, connections are not closed and opened again
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true,
		DisableCompression:  true, // forward answers unchanged
	}
	return u
}

// dial connects to the service, and keeps the connection in u.outgoingConnections until it is closed.
func (u *upstream) dial(ctx context.Context, network, address string) (net.Conn, error) {
	connection, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	ends := connectionEnds{connection.LocalAddr().String(), connection.RemoteAddr().String()}
	u.outgoingConnections.Store(ends, true)
	return &upstreamConnection{connection, func() { u.outgoingConnections.Delete(ends) }}, nil
}

// An upstreamConnection is a connection to the service. It calls onClose when it is closed.
type upstreamConnection struct {
	net.Conn
	onClose func()
}

// CloseWrite signals to the service that no more data will follow. It is called for tunnels.
func (c *upstreamConnection) CloseWrite() error { return closeWrite(c.Conn) }

func (c *upstreamConnection) Close() error {
	c.onClose()
	return c.Conn.Close()
}

// refuseLoops returns a handler that refuses requests that this server has sent to itself. That happens if --upstream
// leads back to this server. Without this check, such a request would be forwarded again and again. refuseLoops
// recognizes such a request because its connection is in u.outgoingConnections.
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

// proxy returns a handler that forwards requests unchanged. The transport must pass each request on to u.RoundTrip.
func (u *upstream) proxy(transport http.RoundTripper) http.Handler {
	proxy := &httputil.ReverseProxy{
		Rewrite:       u.rewrite,
		Transport:     transport,
		ErrorHandler:  u.fail,
		BufferPool:    &upstreamBuffers{sync.Pool{New: func() any { return new(buffer) }}},
		FlushInterval: 10 * time.Millisecond,      // how long a part of an answer is held back to wait for more
		ErrorLog:      log.New(io.Discard, "", 0), // fail and the deferred function below write log lines that have the request's ID
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), u.Limits.Service)
		defer cancel()
		e, out := exchangeOf(ctx), r.WithContext(ctx)
		if r.ContentLength != 0 {
			// A large body may take long, but each piece of it must arrive in time.
			body := &deadlineReader{r.Body, http.NewResponseController(w), u.Limits.Body}
			e.requestBody = &messageBody{ReadCloser: body}
			out.Body = e.requestBody
		}
		if r.ContentLength < 0 && e.request.Trailer == nil {
			e.request.Trailer = make(http.Header) // net/http adds trailers to this map even if the head does not announce them
		}
		defer func() {
			// ReverseProxy panics if an answer breaks off after its head was sent, so this must be deferred. If ctx
			// is done, that is the reason why the answer broke off, and not the service.
			switch err := e.responseBody.failure(); {
			case err == nil:
			case ctx.Err() == nil:
				u.warn(ctx, "the service's response was cut short", slog.String("error", err.Error()))
				if e.status != 0 {
					_ = http.NewResponseController(w).Flush() // send the part that has arrived
				}
			case errors.Is(ctx.Err(), context.DeadlineExceeded): // the service or the client was too slow
				u.warn(ctx, "the response took too long to pass on, and was cut short", slog.String("after", u.Limits.Service.String()))
			}
		}()
		proxy.ServeHTTP(w, out)
	})
}

// rewrite sets the query and the headers of the request to the service. RoundTrip sets the address and the path.
func (u *upstream) rewrite(r *httputil.ProxyRequest) {
	r.Out.URL.RawQuery = r.In.URL.RawQuery // keep the query byte for byte, even if it is malformed
	e := exchangeOf(r.In.Context())
	r.Out.Header.Set(requestIDHeader, e.id)
	r.Out.Trailer = e.request.Trailer // net/http fills this map when it has read the body
	u.setForwarded(r)
}

// setForwarded sets the X-Forwarded headers, which tell the service who sent the request. If the request came from a
// trusted proxy, setForwarded keeps the values that the proxy has set.
func (u *upstream) setForwarded(r *httputil.ProxyRequest) {
	const client, host, scheme, forwarded = "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded"
	from, _ := netip.ParseAddrPort(r.In.RemoteAddr)
	// If the server also listens on IPv6, the client 192.0.2.1 appears as ::ffff:192.0.2.1. In Trusted it is
	// 192.0.2.1.
	address := from.Addr().Unmap().WithZone("")
	trusted := slices.ContainsFunc(u.Trusted, func(proxies netip.Prefix) bool { return proxies.Contains(address) })
	// ReverseProxy has removed these headers from Out, because any client can set them to anything.
	if trusted {
		r.Out.Header[client] = r.In.Header[client] // SetXForwarded adds the address of the proxy
	}
	r.SetXForwarded()
	for _, name := range []string{host, scheme, forwarded} {
		// SetXForwarded has set the host and the scheme of the connection from the proxy.
		if values, ok := r.In.Header[name]; ok && trusted {
			r.Out.Header[name] = values
		}
	}
}

// fail answers a request with an error, because the service did not answer, or because the client's body could not
// be read to its end. out is the request to the service.
func (u *upstream) fail(w http.ResponseWriter, out *http.Request, err error) {
	ctx := out.Context()
	e := exchangeOf(ctx)
	bodyErr := e.requestBody.failure()
	serviceFailed := func(status int, message string, why slog.Attr) {
		u.warn(ctx, message, why)
		e.writeError(w, status, message)
	}
	switch {
	// Several of these may be true at once: if the client stops sending its body, both reading the body and the
	// round trip fail, and ctx may be done. The cases are ordered so that the cause comes first.
	case errors.Is(err, errProxyTarget):
		e.writeError(w, http.StatusBadRequest, err.Error())
	case errors.Is(bodyErr, os.ErrDeadlineExceeded):
		e.writeError(w, http.StatusRequestTimeout, "the request body did not arrive in time")
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		serviceFailed(http.StatusGatewayTimeout, "the service took too long to answer", slog.String("after", u.Limits.Service.String()))
	case bodyErr != nil: // before the case for ctx, which is also done if the client has closed its side
		e.writeError(w, http.StatusBadRequest, "the request body could not be read")
	case ctx.Err() != nil:
		abandonRequest()
	default:
		message := "the service did not send a valid answer"
		if failure := (*net.OpError)(nil); errors.As(err, &failure) && failure.Op == "dial" {
			message = "the service could not be reached"
		}
		serviceFailed(http.StatusBadGateway, message, slog.String("error", err.Error()))
	}
}

func (u *upstream) warn(ctx context.Context, message string, why slog.Attr) {
	u.Log.LogAttrs(ctx, slog.LevelWarn, message, slog.String("service", u.Upstream.Host), why)
}

// RoundTrip sends the request to the service. It stores in the exchange how the service answered and how long that
// took.
func (u *upstream) RoundTrip(r *http.Request) (*http.Response, error) {
	e := exchangeOf(r.Context())
	e.forwarded = true
	to, err := u.targetURL(r)
	if err != nil {
		return nil, err
	}
	outgoing := r.WithContext(r.Context()) // copy the request, because a RoundTripper must not change it
	outgoing.URL, outgoing.Host = to, ""
	start := time.Now()
	answer, err := u.transport.RoundTrip(outgoing)
	e.upstreamTime = max(time.Since(start), 1) // at least 1, because 0 means that nothing was forwarded
	if err != nil {
		return nil, err
	}
	if answer.StatusCode < 100 { // it cannot be forwarded, because WriteHeader would panic
		_ = answer.Body.Close()
		return nil, fmt.Errorf("the status %d is invalid", answer.StatusCode)
	}
	if id := answer.Header.Get(requestIDHeader); id != e.id && isRequestID(id) { // log the ID, because the user may need it to ask the support of the service about the request
		e.upstreamID = id
	}
	if answer.StatusCode == http.StatusSwitchingProtocols {
		// The body is the connection to the service. ReverseProxy hijacks the client's connection, so answerWriter
		// does not see the status.
		e.status = answer.StatusCode
		return answer, nil
	}
	e.responseBody = &messageBody{ReadCloser: answer.Body}
	answer.Body = e.responseBody
	return answer, nil
}

// A deadlineReader reads a body from the client. It sets a new deadline before each read.
type deadlineReader struct {
	io.ReadCloser
	controller *http.ResponseController
	timeout    time.Duration
}

func (d *deadlineReader) Read(p []byte) (int, error) {
	_ = d.controller.SetReadDeadline(time.Now().Add(d.timeout))
	return d.ReadCloser.Read(p)
}

// An upstreamBuffers implements httputil.BufferPool. Without a pool, ReverseProxy allocates a buffer for each
// answer.
type upstreamBuffers struct{ pool sync.Pool }

type buffer [32 << 10]byte

func (b *upstreamBuffers) Get() []byte     { return b.pool.Get().(*buffer)[:] }
func (b *upstreamBuffers) Put(used []byte) { b.pool.Put((*buffer)(used)) }
