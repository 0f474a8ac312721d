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
	"sync/atomic"
	"time"
)

// An upstream passes requests on to the service.
type upstream struct {
	Options
	proxyHost string // see the function proxyHost
	transport *http.Transport
	own       sync.Map // the connectionEnds of the open connections to the service
}

// A connectionEnds identifies a connection by the addresses of its client and its server. It needs
// both, as connections to different servers can have the same client address.
type connectionEnds struct{ client, server string }

// newUpstream keeps as many connections to the service as requests go there at once.
func newUpstream(o Options) *upstream {
	u := &upstream{Options: o, proxyHost: proxyHost(o.Upstream)}
	u.transport = &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         u.dial,
		MaxIdleConnsPerHost: o.Limits.MaxConcurrent,
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true,
		DisableCompression:  true, // answers come back as they are
	}
	return u
}

// dial connects to the service, and notes the connection.
func (u *upstream) dial(ctx context.Context, network, address string) (net.Conn, error) {
	connection, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	own := connectionEnds{connection.LocalAddr().String(), connection.RemoteAddr().String()}
	u.own.Store(own, true)
	return &ownConnection{connection, func() { u.own.Delete(own) }}, nil
}

// An ownConnection is a connection to the service.
type ownConnection struct {
	net.Conn
	closed func()
}

// CloseWrite tells the service that nothing more comes. It is called for tunnels.
func (c *ownConnection) CloseWrite() error { return closeWrite(c.Conn) }

// Close ends the connection.
func (c *ownConnection) Close() error {
	c.closed()
	return c.Conn.Close()
}

// refuseOwn keeps requests from going round forever if the address of the service is that of this
// server. Such a request comes on a connection that this server has opened.
func (u *upstream) refuseOwn(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		here, own := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		if own {
			_, own = u.own.Load(connectionEnds{r.RemoteAddr, here.String()})
		}
		if !own {
			h.ServeHTTP(w, r)
			return
		}
		const message = "--upstream leads back to this server"
		u.warn(r.Context(), message, slog.String("address", r.Host))
		exchangeOf(r.Context()).writeError(w, http.StatusLoopDetected, message)
	})
}

// proxy passes requests on as they came, by a transport that ends at the upstream.
func (u *upstream) proxy(transport http.RoundTripper) http.Handler {
	proxy := &httputil.ReverseProxy{
		Rewrite:       u.rewrite,
		Transport:     transport,
		ErrorHandler:  u.fail,
		BufferPool:    &buffers{sync.Pool{New: func() any { return new(buffer) }}},
		FlushInterval: 10 * time.Millisecond,      // which is how long what there is of an answer waits for the rest
		ErrorLog:      log.New(io.Discard, "", 0), // what there is to say is said below, with the id of the request
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), u.Limits.Service)
		defer cancel()
		e, out := exchangeOf(ctx), r.WithContext(ctx)
		if r.ContentLength != 0 {
			patient := &patientReader{r.Body, http.NewResponseController(w), u.Limits.Body}
			e.requestBody = &messageBody{ReadCloser: patient}
			out.Body = e.requestBody
		}
		if r.ContentLength < 0 && e.request.Trailer == nil {
			e.request.Trailer = make(http.Header) // for trailers that the head does not name
		}
		defer func() {
			if err := e.responseBody.failure(); err != nil && ctx.Err() == nil {
				u.warn(ctx, "the service's answer breaks off", slog.String("error", err.Error()))
				if e.status != 0 {
					_ = http.NewResponseController(w).Flush() // the part that has arrived
				}
			}
		}()
		proxy.ServeHTTP(w, out)
	})
}

// rewrite sets the query and the headers of the request to the service. Its path is the client's
// until RoundTrip addresses it.
func (u *upstream) rewrite(r *httputil.ProxyRequest) {
	r.Out.URL.RawQuery = r.In.URL.RawQuery // as it was sent, well formed or not
	e := exchangeOf(r.In.Context())
	r.Out.Header.Set(requestID, e.id)
	r.Out.Trailer = e.request.Trailer // which net/http fills when it has read the body
	u.setForwarded(r)
}

// setForwarded tells the service whose request it is. What the client has said of that counts
// where it is a trusted proxy.
func (u *upstream) setForwarded(r *httputil.ProxyRequest) {
	const client, host, scheme, forwarded = "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded"
	from, _ := netip.ParseAddrPort(r.In.RemoteAddr)
	address := from.Addr().Unmap().WithZone("")
	trusted := slices.ContainsFunc(u.Trusted, func(proxies netip.Prefix) bool { return proxies.Contains(address) })
	if trusted {
		r.Out.Header[client] = r.In.Header[client] // to which the proxy is added
	}
	r.SetXForwarded()
	for _, name := range []string{host, scheme, forwarded} {
		if said, ok := r.In.Header[name]; ok && trusted {
			r.Out.Header[name] = said
		}
	}
}

// fail answers where there is no answer of the service's: the client's body could not be read
// to its end, or the service gave none. The request is the one to the service.
func (u *upstream) fail(w http.ResponseWriter, out *http.Request, err error) {
	ctx := out.Context()
	e := exchangeOf(ctx)
	bodyErr := e.requestBody.failure()
	serviceFailed := func(status int, message string, why slog.Attr) {
		u.warn(ctx, message, why)
		e.writeError(w, status, message)
	}
	switch {
	case errors.Is(err, errProxyTarget):
		e.writeError(w, http.StatusBadRequest, err.Error())
	case errors.Is(bodyErr, os.ErrDeadlineExceeded):
		e.writeError(w, http.StatusRequestTimeout, "the body does not arrive")
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		serviceFailed(http.StatusGatewayTimeout, "the service takes too long", slog.String("after", u.Limits.Service.String()))
	case bodyErr != nil: // this comes before ctx, which also ends if the client has closed its side
		e.writeError(w, http.StatusBadRequest, "the body cannot be read")
	case ctx.Err() != nil:
		giveUp()
	default:
		serviceFailed(http.StatusBadGateway, "the service does not answer", slog.String("error", err.Error()))
	}
}

func (u *upstream) warn(ctx context.Context, message string, why slog.Attr) {
	u.Log.LogAttrs(ctx, slog.LevelWarn, message, slog.String("service", u.Upstream.Host), why)
}

// RoundTrip sends the request to the service, and notes when and how the answer begins.
func (u *upstream) RoundTrip(r *http.Request) (*http.Response, error) {
	e := exchangeOf(r.Context())
	e.forwarded = true
	to, err := u.targetURL(r)
	if err != nil {
		return nil, err
	}
	addressed := r.WithContext(r.Context()) // a RoundTripper does not change what it is given
	addressed.URL, addressed.Host = to, ""
	start := time.Now()
	answer, err := u.transport.RoundTrip(addressed)
	e.upstreamTime = max(time.Since(start), 1)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode < 100 { // which cannot be passed on
		_ = answer.Body.Close()
		return nil, fmt.Errorf("it answers with the status %d", answer.StatusCode)
	}
	if id := answer.Header.Get(requestID); id != e.id && isID(id) { // the client may have to name it there
		e.upstreamID = id
	}
	if answer.StatusCode == http.StatusSwitchingProtocols { // whose body is the connection
		e.status = answer.StatusCode // no head is written: the connection is given away
		return answer, nil
	}
	e.responseBody = &messageBody{ReadCloser: answer.Body}
	answer.Body = e.responseBody
	return answer, nil
}

// A messageBody remembers its end. The transport, which reads it in a goroutine of its own, asks
// once more behind the last byte, when net/http may have closed the body for an answer that has
// begun, and an error then would break that answer off.
type messageBody struct {
	io.ReadCloser
	end atomic.Pointer[error]
}

func (b *messageBody) Read(p []byte) (int, error) {
	if end := b.end.Load(); end != nil {
		return 0, *end
	}
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.end.Store(&err)
	}
	return n, err
}

// failure returns the error of a body that could not be read to its end, nil where there is no
// body.
func (b *messageBody) failure() error {
	if b == nil {
		return nil
	}
	end := b.end.Load()
	if end == nil || *end == io.EOF || *end == http.ErrBodyReadAfterClose {
		return nil
	}
	return *end
}

// A patientReader gives the client so long to send the next piece of a body.
type patientReader struct {
	io.ReadCloser
	control *http.ResponseController
	wait    time.Duration
}

func (r *patientReader) Read(p []byte) (int, error) {
	_ = r.control.SetReadDeadline(time.Now().Add(r.wait))
	return r.ReadCloser.Read(p)
}

// A buffer is what answers are copied through.
type buffer [32 << 10]byte

// A buffers keeps those that are not in use. Without it each answer takes a new one.
type buffers struct{ pool sync.Pool }

// Get returns a buffer, one that was put back if there is any.
func (b *buffers) Get() []byte { return b.pool.Get().(*buffer)[:] }

// Put takes a buffer back.
func (b *buffers) Put(used []byte) { b.pool.Put((*buffer)(used)) }
