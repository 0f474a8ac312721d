package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// expectedTarget returns the target that the service gets if its address has the base. It cuts the
// target of the client by hand.
func expectedTarget(base, method, target string) string {
	if target == "*" || method == http.MethodConnect && !strings.HasPrefix(target, "/") {
		return target
	}
	path, query, hasQuery := strings.Cut(target, "?")
	if !strings.HasPrefix(path, "/") {
		_, path, _ = strings.Cut(path, ":")
		switch {
		case strings.HasPrefix(path, "//"): // an authority up to the next slash
			path = path[2:]
			path = path[len(path)-len(path[strings.IndexByte(path+"/", '/'):]):]
		case !strings.HasPrefix(path, "/"): // foo:bar
			return target
		}
		if path == "" && method == http.MethodOptions && !hasQuery {
			return "*"
		}
		if path == "" {
			path = "/"
		}
	}
	path = strings.TrimSuffix(base, "/") + path
	if hasQuery {
		path += "?" + query
	}
	return path
}

// asWritten returns an expected target as it is written without a proxy: if it begins with //, what
// no path may have is escaped.
func asWritten(target string) string {
	if !strings.HasPrefix(target, "//") {
		return target
	}
	path, query, hasQuery := strings.Cut(target, "?")
	path = strings.NewReplacer("|", "%7C", "\xfc", "%FC").Replace(path)
	if hasQuery {
		path += "?" + query
	}
	return path
}

func TestExpectedTarget(t *testing.T) {
	for _, test := range []struct{ base, method, target, want string }{
		{"", "GET", "/a|b?c?d", "/a|b?c?d"},
		{"/x/", "GET", "/a?", "/x/a?"},
		{"/x", "GET", "http://u:p@h:1/a?http://b", "/x/a?http://b"},
		{"/x", "GET", "http://h", "/x/"},
		{"", "GET", "http://h?a/b", "/?a/b"},
		{"", "GET", "http:/a", "/a"},
		{"", "GET", "http:///a", "/a"},
		{"", "GET", "http:////a|", "//a|"},
		{"/x", "OPTIONS", "http://h", "*"},
		{"/x", "OPTIONS", "http://h?", "/x/?"},
		{"/x", "OPTIONS", "*", "*"},
		{"/x", "GET", "foo:bar/b?c", "foo:bar/b?c"},
		{"/x", "CONNECT", "h:1", "h:1"},
	} {
		if got := expectedTarget(test.base, test.method, test.target); got != test.want {
			t.Errorf("expectedTarget(%s, %s %s) = %s, want %s", test.base, test.method, test.target, got, test.want)
		}
	}
}

// nastyTargets are targets in which the path begins elsewhere than it seems, or is not what Go would
// write.
var nastyTargets = []string{
	"http://b/v1/a|b?c",
	"http://u:p@b" + dielinePath + "?" + goodBox,
	"http://u:p@b/v1/a|b",
	"http://u%40v:p%3A%2F@b:80/v1/a|b",
	"http://@b/v1/a|b",
	"http://\xc3\xbc.test/v1/a|b?\xfc",
	"http://%C3%BC.test/v1/a|b",
	"http://%C3%BC.test" + dielinePath + "?" + goodBox,
	"http://[fe80::1%25eth0]:80/v1/a|b",
	"http://[fe80::1%25eth0]/v1/a%7cb",
	"http://[::1]:80/v1/a|b",
	"http://b:/v1/a|b",
	"http://:80/v1/a|b",
	"HTTP://B/v1/a|b",
	"https://b/v1/a|b",
	"foo+x://b/v1/a|b",
	"http://b",
	"http://b?c/d",
	"http://b?",
	"http://b/",
	"http://b//a%2Fb",
	"http://b//a|%2F%7c\xfc",
	"http:/v1/a|b",
	"http:///v1/a|b",
	"http:////v1/a|b",
	"http://b/http://c/a|b?http://d/e",
	"http://b/a?http://c/|",
	"http://b/../%2e%2e//./a|b;c=d",
	"/v1/a|b\"<>^`{}#c?d|e",
	"/v1/\xfc\xe9?\xfc",
	"/v1/a%7Cb|c%2fd%2F",
	"//c",
	"//b/v1/a|%2F",
	"/http://b/c|",
	"/??",
	"*",
}

// TestUpstreamNastyTargets sends targets in all their forms, with a base of the service and without.
func TestUpstreamNastyTargets(t *testing.T) {
	service := newRawService(t)
	for _, base := range []string{"", "/", "/a%2Fb", "/a|b/", "/v1/reseller2"} {
		s := startServe(t, "--preflight", "--illustrative", "--upstream", service.url+base, "--log", "off")
		for _, method := range []string{"GET", "OPTIONS", "POST"} {
			for _, target := range nastyTargets {
				want := method + " " + asWritten(expectedTarget(strings.ReplaceAll(base, "|", "%7C"), method, target))
				answer := s.send(t, attack{method: method, target: target}.String())
				if got := service.requests(); !slices.Equal(got, []string{want}) {
					t.Errorf("with the base %q the service gets %q of %q, want %q\n%s", base, got, method+" "+target, want, answer)
				}
			}
		}
	}
}

// TestUpstreamThroughProxy says what an HTTP proxy gets: the same paths, after the address of the
// service. It never gets a target that it would take for its own, or for another host.
func TestUpstreamThroughProxy(t *testing.T) {
	proxy := newRawService(t)
	t.Setenv("HTTP_PROXY", proxy.url) // which net/http reads once a process
	for base, host := range map[string]string{"": "service.test", "/a%2Fb/": "service.test:8080", "/x": "xn--tda.test"} {
		address := "http://" + strings.Replace(host, "xn--tda", "\u00fc", 1)
		s := startProcess(t, "--preflight", "--illustrative", "--upstream", address+base, "--log", "off")
		for _, method := range []string{"GET", "OPTIONS"} {
			for _, target := range nastyTargets {
				path := expectedTarget(base, method, target)
				want := []string{method + " http://" + host + strings.TrimPrefix(path, "*")}
				if path == "*" && method == "GET" { // a proxy would turn it into GET /
					want = nil
				}
				answer := s.send(t, attack{method: method, target: target}.String())
				if got := proxy.requests(); !slices.Equal(got, want) || want == nil && !strings.HasPrefix(answer, "HTTP/1.1 400 ") {
					t.Errorf("the proxy gets %q of %q, want %q\n%s", got, method+" "+target, want, answer)
				}
			}
		}
		for _, request := range []string{"CONNECT other.test:443", "CONNECT /v1/reseller/orders", "GET http:other.test/x", "GET foo:bar"} {
			method, target, _ := strings.Cut(request, " ")
			answer := s.send(t, attack{method: method, target: target}.String())
			if got := proxy.requests(); len(got) > 0 || !strings.HasPrefix(answer, "HTTP/1.1 400 ") ||
				!strings.Contains(answer, "cannot be sent to the service through an HTTP proxy") {
				t.Errorf("the proxy gets %q of %q\n%s", got, request, answer)
			}
		}
	}
}
