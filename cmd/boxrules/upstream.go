package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/preflight"
)

// newTransport keeps so many connections to the service, as many as requests go there at once.
func newTransport(connections int) *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		MaxIdleConnsPerHost: connections,
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true,
		DisableCompression:  true, // answers come back as they are
	}
}

// shownAddress is an address for a message, without a password that may be in it.
func shownAddress(text string) string {
	if at := strings.LastIndex(text, "@"); at >= 0 {
		text = "…" + text[at:]
	}
	return wording.Quote(text)
}

// addressOf reads the address of the service.
func addressOf(text string) (*url.URL, error) {
	address, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("not a URL")
	case address.Scheme != "http" && address.Scheme != "https":
		return nil, errors.New("neither http nor https")
	case address.Hostname() == "":
		return nil, errors.New("no host")
	case address.User != nil:
		return nil, errors.New("it has a user, which would not be sent")
	case address.RawQuery != "" || address.Fragment != "":
		return nil, errors.New("it has a query or a fragment")
	}
	if n, err := strconv.ParseUint(cmp.Or(address.Port(), "80"), 10, 16); err != nil || n == 0 {
		return nil, errors.New("not a port")
	}
	return address, nil
}

func (k *serve) newPreflight(e *boxrules.Engine) (http.Handler, error) {
	options := k.options
	options.OnDecision = decided
	checker, err := preflight.New(e, options)
	if err != nil {
		return nil, err
	}
	if k.service == nil {
		return checker.Handler(), nil
	}
	transport := &preflight.Transport{
		Checker: checker, Base: noted{k.transport}, Observe: k.observe, Logger: k.server.log,
		OnDisagreement: func(preflight.Disagreement) { k.server.metrics.disagreements.Inc() },
	}
	if k.recorder != nil {
		transport.OnAnswer = k.recorder.add
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(k.service)
			r.Out.URL.RawQuery = r.In.URL.RawQuery // as it was sent, well formed or not
			r.Out.Header.Set(requestID, entryOf(r.In.Context()).id)
			k.setForwarded(r)
		},
		Transport: transport,
	}
	timed := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Opaque != "" || r.URL.Path == "*":
			preflight.WriteError(w, r, boxrules.ValidationError, http.StatusBadRequest, "the address is not a path; accepted: one that begins with /")
			return
		case r.ContentLength > k.server.maxBody: // of which nothing is passed on
			k.upstreamFailed(r.Context(), w, r, &http.MaxBytesError{Limit: k.server.maxBody}, nil)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), k.upstreamTime)
		defer cancel()
		body := &watched{ReadCloser: r.Body}
		out := r.WithContext(ctx)
		out.Body = body
		one := *proxy
		// What it is given is the request to the service, not the client's.
		one.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, err error) {
			k.upstreamFailed(ctx, w, r, body.failure(), err)
		}
		one.ErrorLog = k.server.errorLog(ctx)
		one.ModifyResponse = func(answer *http.Response) error {
			if answer.StatusCode < 100 { // which cannot be passed on
				return fmt.Errorf("it answers with the status %d", answer.StatusCode)
			}
			w.Header().Del(requestID) // an interim answer may have taken it off already
			switch e, id := entryOf(ctx), answer.Header.Get(requestID); {
			case id == "":
				answer.Header.Set(requestID, e.id)
			case id != e.id && isID(id): // the service's, which the client may have to name there
				e.theirID = id
			}
			return nil
		}
		one.ServeHTTP(w, out)
	})
	if k.observe {
		return k.server.limit(timed), nil
	}
	// What is refused here does not wait for those that upstream keeps.
	return checker.Middleware(k.server.limit(timed)), nil
}

// setForwarded tells the service whose request it is. What the client has said of that counts where it is a trusted proxy.
func (k *serve) setForwarded(r *httputil.ProxyRequest) {
	const client, host, scheme = "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"
	from, _ := netip.ParseAddrPort(r.In.RemoteAddr)
	address := from.Addr().Unmap().WithZone("")
	if !slices.ContainsFunc(k.trusted, func(proxies netip.Prefix) bool { return proxies.Contains(address) }) {
		r.SetXForwarded()
		return
	}
	r.Out.Header[client] = r.In.Header[client] // to which the proxy is added
	r.SetXForwarded()
	for _, name := range []string{host, scheme} {
		if said, ok := r.In.Header[name]; ok {
			r.Out.Header[name] = said
		}
	}
}

// proxiesOf reads the networks of trusted proxies, of which a text may have several, with commas.
func proxiesOf(texts []string) (proxies []netip.Prefix, err error) {
	if texts == nil {
		return nil, nil
	}
	for text := range strings.SplitSeq(strings.Join(texts, ","), ",") {
		proxy, err := netip.ParsePrefix(text)
		if address, notOne := netip.ParseAddr(text); notOne == nil {
			proxy, err = address.Prefix(address.BitLen())
		}
		if err != nil || proxy != proxy.Masked() {
			return nil, fmt.Errorf("%s is not a network; accepted: one such as 10.0.0.0/8 or fd00::/8, or an address", wording.Quote(text))
		}
		proxies = append(proxies, proxy)
	}
	return proxies, nil
}

// upstreamFailed answers where there is no answer of the service's: the client's body could not be read to its end,
// or the service gave none.
func (k *serve) upstreamFailed(ctx context.Context, w http.ResponseWriter, r *http.Request, body, err error) {
	var large *http.MaxBytesError
	e := entryOf(ctx)
	e.outcome = malformed
	switch {
	case errors.As(body, &large):
		preflight.WriteError(w, r, boxrules.ValidationError, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is too large; accepted: at most %d bytes", large.Limit))
	case errors.Is(body, os.ErrDeadlineExceeded):
		preflight.WriteError(w, r, boxrules.ValidationError, http.StatusRequestTimeout, "the body does not arrive")
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		e.outcome = upstreamFailed
		k.server.log.LogAttrs(ctx, slog.LevelWarn, "the service takes too long", slog.String("service", k.service.Host), slog.String("after", k.upstreamTime.String()))
		preflight.WriteError(w, r, boxrules.InternalServerError, http.StatusGatewayTimeout, "the service takes too long")
	case ctx.Err() != nil:
		giveUp()
	case body != nil:
		preflight.WriteError(w, r, boxrules.ValidationError, http.StatusBadRequest, "the body cannot be read")
	default:
		e.outcome = upstreamFailed
		k.server.log.LogAttrs(ctx, slog.LevelWarn, "the service does not answer", slog.String("service", k.service.Host), slog.String("error", err.Error()))
		preflight.WriteError(w, r, boxrules.InternalServerError, http.StatusBadGateway, "the service does not answer")
	}
}

// noted is a transport that notes what is passed on, and how the service answers.
type noted struct{ http.RoundTripper }

func (t noted) RoundTrip(r *http.Request) (*http.Response, error) {
	e := entryOf(r.Context())
	e.outcome, e.code = passed, ""
	start := time.Now()
	answer, err := t.RoundTripper.RoundTrip(r)
	e.upstream = max(time.Since(start), 1)
	if err == nil && answer.StatusCode != http.StatusSwitchingProtocols { // whose body is the connection
		e.answer = &watched{ReadCloser: answer.Body}
		answer.Body = e.answer
	}
	return answer, err
}

// A watched body remembers why it could not be read to its end. The transport reads it in a goroutine of its own.
type watched struct {
	io.ReadCloser
	err atomic.Pointer[error]
}

func (b *watched) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF && err != http.ErrBodyReadAfterClose {
		b.err.Store(&err)
	}
	return n, err
}

func (b *watched) failure() error {
	if err := b.err.Load(); err != nil {
		return *err
	}
	return nil
}
