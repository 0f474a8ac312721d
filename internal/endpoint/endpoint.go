// Package endpoint recognizes the requests that the interface document describes (section 4). The pre-flight
// check, the sandbox and the sidecar's metrics all use it, so that they recognize the same requests.
package endpoint

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// The endpoints of the service. The value of each constant is the path of the endpoint, as it is written in
// the interface document.
const (
	Dieline   = "/v1/reseller/dieline"
	Quotation = "/v1/reseller/quotation"
	Order     = "/v1/reseller/orders/{order_id}"
	Product   = "/v1/reseller/orders/{order_id}/products/{product_id}"
	Token     = "/v1/oauth2/token"
)

// All lists every endpoint.
var All = []string{Dieline, Quotation, Order, Product, Token}

// Methods returns the HTTP methods that an endpoint accepts.
func Methods(endpoint string) []string {
	if endpoint == Token {
		return []string{http.MethodPost}
	}
	return []string{http.MethodGet, http.MethodHead}
}

// Of returns the endpoint that the URL u is for, and the identifiers in its path, unescaped. It returns "" if
// the path is not documented. Everything except the identifiers must be written exactly as in the document:
// /v1/reseller/diel%69ne is not a documented path.
//
// The base is the path of the service's address, such as / or /api/. Only the base may come before
// the endpoint in the path of u. If base is "", the service's address is not known, and any path may come
// before the endpoint.
func Of(u *url.URL, base string) (endpoint string, ids []string) {
	path := WrittenPath(u)
	for _, endpoint := range All {
		before, ids, ok := cutSuffix(path, endpoint)
		if ok && (base == "" || before == strings.TrimSuffix(base, "/")) {
			return endpoint, ids
		}
	}
	return "", nil
}

// cutSuffix removes the endpoint from the end of path. It returns the rest of the path, and the identifiers in
// the endpoint. It compares path and endpoint segment by segment, starting with the last. For
// /api/v1/reseller/orders/7 and the endpoint Order, it returns /api and [7]. ok is false if the path does not
// end with the endpoint, or an identifier is empty.
func cutSuffix(path, endpoint string) (before string, ids []string, ok bool) {
	for endpoint != "" {
		// Cut the last segment off both, such as 7 and {order_id}, until nothing is left of the endpoint.
		i, j := strings.LastIndexByte(path, '/'), strings.LastIndexByte(endpoint, '/')
		if i < 0 {
			return "", nil, false
		}
		segment, want := path[i+1:], endpoint[j+1:]
		if want[0] == '{' {
			id, err := url.PathUnescape(segment)
			if id == "" || err != nil {
				return "", nil, false
			}
			ids = append(ids, id) // from the last to the first
		} else if segment != want {
			return "", nil, false
		}
		path, endpoint = path[:i], endpoint[:j]
	}
	slices.Reverse(ids)
	return path, ids, true
}

// WrittenPath returns the path exactly as it was in the text from which u was parsed. u.EscapedPath does the
// same only if the path is correctly encoded: for /a|%62 it returns /a%7Cb.
func WrittenPath(u *url.URL) string {
	if path, err := url.PathUnescape(u.RawPath); u.RawPath != "" && err == nil && path == u.Path {
		return u.RawPath
	}
	return u.EscapedPath()
}
