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

// proxyHost returns the host of the service as an HTTP proxy is told it. It returns "" if requests
// to the service go there directly or through a tunnel.
func proxyHost(service *url.URL) string {
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: service})
	if err != nil || proxy == nil || service.Scheme != "http" || !strings.HasPrefix(proxy.Scheme, "http") {
		return ""
	}
	host, _ := httpguts.PunycodeHostPort(service.Host) // if that fails, the transport refuses the host too
	return host
}

// errProxyTarget is about requests that an HTTP proxy would take for its own, or for another host.
var errProxyTarget = errors.New("the request target cannot be sent to the service through an HTTP proxy")

// targetURL returns the URL with which the transport asks the service for what the client has asked
// for, byte for byte. The transport writes a Path as Go spells it, such as /a%7Cb for /a|b. It
// writes an Opaque as it is, but one that begins with // it writes after the scheme, as an HTTP
// proxy needs it.
func (u *upstream) targetURL(r *http.Request) (*url.URL, error) {
	to := &url.URL{Scheme: u.Upstream.Scheme, Host: u.Upstream.Host, Path: "/"}
	to.RawQuery, to.ForceQuery = r.URL.RawQuery, r.URL.ForceQuery
	target := u.target(r)
	switch {
	case u.proxyHost == "" && strings.HasPrefix(target, "//"): // Go would write http: before it
		to.RawPath = escapeInvalid(target)
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

// target returns the request target for the service, without the query: the path of --upstream and
// that of the request as the client wrote it. The other forms of a target, such as * and host:port,
// have no path, and are what they were.
func (u *upstream) target(r *http.Request) string {
	path := endpoint.WrittenPath(r.URL)
	asWritten, _, hasQuery := strings.Cut(r.RequestURI, "?")
	switch {
	case r.URL.Opaque != "", path == "*", r.Method == http.MethodConnect && !strings.HasPrefix(asWritten, "/"):
		return asWritten
	case path == "" && r.Method == http.MethodOptions && !hasQuery:
		return "*" // which is what OPTIONS http://host means by RFC 9112, section 3.2.4
	case path == "":
		path = "/"
	}
	return strings.TrimSuffix(u.Upstream.EscapedPath(), "/") + path
}

// escapeInvalid escapes the bytes that no path may have, and leaves all others as they are.
func escapeInvalid(path string) string {
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
