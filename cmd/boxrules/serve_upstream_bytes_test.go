package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
)

const (
	goodBox  = "article=tuck-end&material=carton-300&width=143&depth=50&height=303"
	badBox   = "article=tuck-end&material=carton-300&width=10&depth=50&height=303"
	goodItem = `{"article":"tuck-end","material":"carton-300","width":143,"depth":50,"height":303}`
	badItem  = `{"article":"tuck-end","material":"carton-300","width":10,"depth":50,"height":303}`
)

// An attack is a request, byte by byte.
type attack struct {
	method, target string
	headers        []string
	body           string
}

func (a attack) String() string {
	text := a.method + " " + a.target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
	for _, header := range a.headers {
		text += header + "\r\n"
	}
	return text + "\r\n" + a.body
}

// arrived returns what a service sees of a request: method, address, headers except those that
// the sidecar adds, and body.
func arrived(r *http.Request) string {
	for _, added := range []string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Request-Id"} {
		r.Header.Del(added)
	}
	text := r.Method + " " + r.RequestURI + "\n"
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		text += fmt.Sprintf("%s: %q\n", name, r.Header[name])
	}
	body, err := io.ReadAll(r.Body)
	return fmt.Sprintf("%s%s %v", text, body, err)
}

// TestUpstreamBytes says what arrives at the service: of a documented request with a good box, and
// of every request that is not documented, all that was sent; of a documented request with a bad
// one nothing.
func TestUpstreamBytes(t *testing.T) {
	got := make(chan string, 1)
	service := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- arrived(r) }))
	t.Cleanup(service.Close)
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL, "--log", "off")
	const dieline, quotation = "/v1/reseller/dieline?", "/v1/reseller/quotation?"
	const escaped = "%61rticle=tuck%2dend&&type=a+b%20c%3b&material=carton-300&z=%7E~&depth=5%30&height=303.000&width=143&"
	items := func(text string) string { return quotation + "items=" + url.QueryEscape(text) }
	good := dieline + goodBox
	form := []string{"Content-Type: application/x-www-form-urlencoded", "Content-Length: 8"}
	passed := []attack{
		{method: "GET", target: good},
		{method: "HEAD", target: good},
		{method: "GET", target: "/any/base" + dieline + badBox},
		{method: "GET", target: "/v1/reseller" + dieline + badBox},
		{method: "GET", target: dieline + escaped},
		{method: "GET", target: dieline + strings.Replace(goodBox, "143", "143.0004", 1)},
		{method: "GET", target: good + "&Width=10&x=%zz;&x=1&return=https%3A%2F%2Fa%2F%3Fb%2520c"},
		{method: "GET", target: good, headers: []string{"Cookie: Width=1; width=10", "X-Original-URL: /x", "X-HTTP-Method-Override: POST"}},
		{method: "GET", target: good, headers: form, body: "width=10"},
		{method: "GET", target: "/" + good},
		{method: "GET", target: items(" [" + strings.Replace(goodItem, "}", `,"Width":10}`, 1) + "]")},
		{method: "POST", target: dieline + badBox, headers: form, body: "width=10"},
		{method: "GET", target: "/v1/reseller/Dieline?" + badBox},
		{method: "GET", target: "/v1/reseller/%64ieline?" + badBox},
		{method: "DELETE", target: "/v1/reseller//orders/../%2e%2F;a=b/?c=;&d=%zz&&e=1.00001&WIDTH=1"},
	}
	for _, a := range passed {
		r := httptest.NewRequest(a.method, a.target, strings.NewReader(a.body))
		for _, header := range a.headers {
			name, value, _ := strings.Cut(header, ": ")
			r.Header.Add(name, value)
		}
		want := arrived(r)
		answer := s.send(t, a.String())
		select {
		case text := <-got:
			if text != want {
				t.Errorf("%q arrives as\n%s\nwant\n%s", a, text, want)
			}
		default:
			t.Errorf("%q does not arrive: %s", a, answer)
		}
	}
	for _, target := range []string{
		dieline + badBox, "http://b" + dieline + badBox, "http://u:p@b" + dieline + badBox, good + "&width=143", dieline + "x=" + goodBox,
		items("[" + badItem + "]"), items("\u00a0[" + goodItem + "]"), items("["+goodItem+"]") + "&items=[]",
	} {
		answer := s.send(t, attack{method: "GET", target: target}.String())
		if !strings.HasPrefix(answer, "HTTP/1.1 "+strconv.Itoa(http.StatusBadRequest)) || len(got) > 0 {
			t.Errorf("%s: %s", target, answer)
		}
	}
}

// TestUpstreamRandom has random bytes put into requests: of those that net/http reads, the service
// gets what a checker of the same limits does not refuse, byte by byte, and nothing else.
func TestUpstreamRandom(t *testing.T) {
	requests := 300
	if os.Getenv("CI") != "" {
		requests = 10_000
	}
	checker, err := preflight.New(boxrules.Default(), preflight.Options{Base: "/"})
	noError(t, err)
	service := newRawService(t)
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.url, "--log", "off")
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	outcomes := make(map[string]int)
	for range requests {
		query := pick(goodBox, badBox, "items="+url.QueryEscape("["+pick(goodItem, badItem)+"]"))
		target := pick("", "/a") + pick(dielinePath, quotationPath) + "?" + query
		for range random.IntN(3) { // put in, or in the place of a byte
			at := 1 + random.IntN(len(target)-1)
			odd := pick("%", "/", ".", ";", "&", "=", "%2f", "%20", "\xe9", "|", "x", "?", "#", "width=1", "\"")
			target = target[:at] + odd + target[at+random.IntN(2):]
		}
		a := attack{method: pick("GET", "GET", "HEAD", "POST", "get"), target: pick("", "", "http://b") + target}
		answer, want := s.send(t, a.String()), []string(nil)
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(a.String())))
		switch {
		case err != nil:
			outcomes["unread"]++
		case checker.Check(r) != nil:
			outcomes["refused"]++
		default:
			outcomes["passed"]++
			want = []string{a.method + " " + target}
		}
		if got := service.requests(); !slices.Equal(got, want) {
			t.Errorf("of %q the service gets %q, want %q\n%s", a, got, want, answer)
		}
	}
	t.Log(outcomes)
}
