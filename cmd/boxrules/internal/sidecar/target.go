package sidecar

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"

	"example.com/boxrules/internal/endpoint"
)

// targetHost returns the host of the service in the form that requests to an HTTP proxy need. It returns "" if
// requests go to the service directly, or through a CONNECT tunnel.
func targetHost(service *url.URL) string {
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: service})
	if err != nil || proxy == nil || service.Scheme != "http" || !strings.HasPrefix(proxy.Scheme, "http") {
		return ""
	}
	host, _ := httpguts.PunycodeHostPort(service.Host) // if this fails, the transport will refuse the host, too
	return host
}

// errProxyTarget is the error for a request that an HTTP proxy would not forward to the service: the proxy would
// answer it, or send it to another host.
var errProxyTarget = errors.New("the request target cannot be sent to the service through an HTTP proxy")

// targetURL returns a URL that makes the transport send the client's request target to the service byte for byte. The
// transport escapes the Path of a URL as package url does: /a|b becomes /a%7Cb. It sends Opaque unchanged, except that
// it adds the scheme if Opaque begins with //, as an HTTP proxy requires.
//
// These are the request targets for --upstream http://service/api, sent directly or through an HTTP proxy:
//
//	client     directly      through a proxy
//	/a|b       /api/a|b      http://service/api/a|b
//	*          *             http://service, but only for OPTIONS
//	host:443   host:443      errProxyTarget, because CONNECT is for the proxy itself
func (u *upstream) targetURL(r *http.Request) (*url.URL, error) {
	to := &url.URL{Scheme: u.Upstream.Scheme, Host: u.Upstream.Host, Path: "/"}
	to.RawQuery, to.ForceQuery = r.URL.RawQuery, r.URL.ForceQuery
	target := u.target(r)
	switch {
	case u.proxyHost == "" && strings.HasPrefix(target, "//"): // in Opaque, it would be sent with http: before it
		// The transport sends RawPath unchanged if it is a valid encoding of Path.
		to.RawPath = escapeInvalidTarget(target)
		to.Path, _ = url.PathUnescape(to.RawPath)
	case u.proxyHost == "":
		to.Opaque = target
	case r.Method == http.MethodConnect:
		return nil, errProxyTarget
	case strings.HasPrefix(target, "/"):
		to.Opaque = "//" + u.proxyHost + target
	case r.Method == http.MethodOptions && target == "*":
		to.Opaque = "//" + u.proxyHost // RFC 9112, section 3.2.4
	default:
		return nil, errProxyTarget
	}
	return to, nil
}

// target returns the request target for the service, without the query: the path of --upstream, followed by the path of
// the request as the client wrote it, such as /api/v1/reseller/dieline. A target without a path, such as * or
// host:port, is returned unchanged.
func (u *upstream) target(r *http.Request) string {
	path := endpoint.WrittenPath(r.URL)
	asWritten, _, hasQuery := strings.Cut(r.RequestURI, "?")
	switch {
	case r.URL.Opaque != "", path == "*", r.Method == http.MethodConnect && !strings.HasPrefix(asWritten, "/"):
		return asWritten
	case path == "" && r.Method == http.MethodOptions && !hasQuery:
		return "*" // OPTIONS http://host means OPTIONS *: see RFC 9112, section 3.2.4
	case path == "":
		path = "/"
	}
	return strings.TrimSuffix(u.Upstream.EscapedPath(), "/") + path
}

// escapeInvalidTarget escapes the bytes that a path must not contain, and leaves all other bytes unchanged.
func escapeInvalidTarget(path string) string {
	var b strings.Builder
	for _, c := range []byte(path) {
		if c <= ' ' || c > '~' || strings.IndexByte("\"#<>?\\^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
