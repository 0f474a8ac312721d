package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
)

// recorder is a service that remembers the requests it gets, as lines of their method and target, and answers with them.
type recorder struct {
	*httptest.Server
	got chan string
}

func newRecorder(t *testing.T) *recorder {
	r := &recorder{got: make(chan string, 100)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.got <- request.Method + " " + request.RequestURI
		_, _ = io.Copy(io.Discard, request.Body)
		_ = request.Header.Write(w)
	}))
	t.Cleanup(r.Close)
	return r
}

// requests are those that it got since they were last asked for.
func (r *recorder) requests() (all []string) {
	for len(r.got) > 0 {
		all = append(all, <-r.got)
	}
	return all
}

// exchange sends the text on a connection of its own and gives what comes back.
func exchange(t *testing.T, s *served, text string) string {
	t.Helper()
	return send(t, strings.TrimPrefix(s.url, "http://"), text)
}

// TestUpstreamBytes says what arrives at the service, byte by byte: what was sent, where it is not refused.
func TestUpstreamBytes(t *testing.T) {
	service := newRecorder(t)
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL, "--log", "off")
	const dieline = "/v1/reseller/dieline"
	for _, test := range []struct{ method, target, want string }{
		{"GET", dieline + "?" + goodBox, dieline + "?" + goodBox},
		{"HEAD", "/any/base" + dieline + "?" + goodBox, "/any/base" + dieline + "?" + goodBox},
		{"GET", dieline + "?%61rticle=tuck%2dend&&type=a+b%20c%3b&material=carton-300&z=%7E~&depth=5%30&height=303.000&width=143&", ""},
		{"GET", dieline + "?" + strings.Replace(goodBox, "143", "143.0004", 1), dieline + "?" + goodBox},
		{"GET", dieline + "?" + badBox, "none"},
		{"HEAD", dieline + "?" + badBox, "none"},
		{"POST", dieline + "?" + goodBox, "none"},
		{"GET", "/" + dieline + "?" + goodBox, "none"},
		{"DELETE", "/v1/reseller//orders/../%2e%2F;a=b/?c=;&d=%zz&&e=1.00001&WIDTH=1", ""},
		{"OPTIONS", "*", "none"},
	} {
		answer := exchange(t, s, attack{method: test.method, target: test.target}.String())
		want := []string{test.method + " " + test.want}
		switch test.want {
		case "":
			want[0] += test.target
		case "none":
			want = nil
		}
		if got := service.requests(); !slices.Equal(got, want) {
			t.Errorf("%s %s: the service gets %q, want %q\n%s", test.method, test.target, got, want, answer)
		}
	}
}

// TestUpstreamLargeBody says that nothing of a body that is too large arrives, not even a part of it.
func TestUpstreamLargeBody(t *testing.T) {
	service := newRecorder(t)
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL, "--log", "off")
	const large = 1<<20 + 1
	answer := exchange(t, s, attack{method: "POST", target: "/v1/reseller/orders", headers: []string{fmt.Sprint("Content-Length: ", large)},
		body: strings.Repeat("x", large)}.String())
	if got := service.requests(); len(got) > 0 || !strings.HasPrefix(answer, "HTTP/1.1 413 ") ||
		!strings.Contains(answer, "accepted: at most 1048576 bytes") {
		t.Errorf("the service gets %q, the client\n%s", got, answer)
	}
	answer = exchange(t, s, attack{method: "POST", target: "/v1/reseller/orders",
		headers: []string{fmt.Sprint("Content-Length: ", large-1)}, body: strings.Repeat("x", large-1)}.String())
	if got := service.requests(); len(got) != 1 || !strings.HasPrefix(answer, "HTTP/1.1 200 ") {
		t.Errorf("at the bound: the service gets %q, the client\n%s", got, answer)
	}
}

// TestUpstreamTunnel has a service that gladly speaks another protocol, and clients that send a bad dieline through it.
func TestUpstreamTunnel(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	lines := make(chan string, 100)
	var talks sync.WaitGroup
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			talks.Go(func() {
				defer connection.Close()
				scanner := bufio.NewScanner(connection)
				for scanner.Scan() {
					if line := scanner.Text(); line != "" {
						lines <- line
						continue
					}
					// The head of a request has ended; whatever follows is read as another one.
					_, _ = io.WriteString(connection, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
				}
			})
		}
	}()
	s := startServe(t, "--preflight", "--illustrative", "--upstream", "http://"+listener.Addr().String(), "--log", "off")
	bad := "GET /v1/reseller/dieline?" + badBox + " HTTP/1.1\r\nHost: a\r\n\r\n"
	for _, head := range []string{
		"GET /v1/reseller/dieline?" + goodBox + " HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
		"GET /v1/reseller/orders HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: x\r\nHTTP2-Settings: a\r\n\r\n",
		"CONNECT /v1/reseller/orders HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n",
			len(bad), bad),
		"CONNECT a:80 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(bad), bad),
	} {
		connection, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		_ = connection.SetDeadline(time.Now().Add(20 * time.Second)) // a tunnel may have nothing to say
		if _, err := io.WriteString(connection, head); err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil {
			t.Errorf("%.50q: %v", head, err)
			continue
		}
		if response.StatusCode == http.StatusSwitchingProtocols {
			t.Errorf("%.50q: %s", head, response.Status)
		}
		_, _ = io.WriteString(connection, bad) // to whoever listens now
		_, _ = http.ReadResponse(bufio.NewReader(connection), nil)
	}
	if err := s.process.Process.Kill(); err != nil { // which ends every connection to the service
		t.Fatal(err)
	}
	talks.Wait()
	for len(lines) > 0 {
		if line := <-lines; strings.Contains(line, "width=10&") || strings.HasPrefix(line, "Upgrade") || strings.HasPrefix(line, "CONNECT") {
			t.Errorf("the service gets %q", line)
		}
	}
}

// TestObserveTunnel says that --observe only looks on: what becomes of a connection is the service's to say.
func TestObserveTunnel(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		connection, buffer, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer connection.Close()
		_, _ = io.WriteString(connection, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
		line, _ := buffer.ReadString('\n')
		_, _ = io.WriteString(connection, "you say "+line)
	}))
	defer service.Close()
	s := startServe(t, "--preflight", "--illustrative", "--observe", "--upstream", service.URL)
	connection, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	reader := bufio.NewReader(connection)
	_, _ = io.WriteString(connection, "GET /v1/x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
	if response, err := http.ReadResponse(reader, nil); err != nil || response.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%+v, %v, want the service's 101", response, err)
	}
	_, _ = io.WriteString(connection, "hello\n")
	if line, err := reader.ReadString('\n'); line != "you say hello\n" {
		t.Errorf("behind it comes %q, %v", line, err)
	}
}

// TestTrustedProxy says whose word the service gets to hear about who the client is.
func TestTrustedProxy(t *testing.T) {
	service := newRecorder(t)
	said := []string{"X-Forwarded-For: 203.0.113.7", "X-Forwarded-For: 10.0.0.1", "X-Forwarded-Proto: https",
		"X-Forwarded-Host: shop.example",
		"Forwarded: for=203.0.113.7"}
	for _, test := range []struct {
		proxies []string
		want    map[string]string
	}{
		{nil, map[string]string{"For": "127.0.0.1", "Proto": "http", "Host": "a"}},
		{[]string{"10.0.0.0/8,fd00::/8", "126.255.255.255", "127.0.0.2/31"}, map[string]string{"For": "127.0.0.1", "Proto": "http",
			"Host": "a"}},
		{[]string{"10.0.0.0/8,127.0.0.0/8"}, map[string]string{"For": "203.0.113.7, 10.0.0.1, 127.0.0.1", "Proto": "https",
			"Host": "shop.example"}},
		{[]string{"10.0.0.0/8", "127.0.0.1"}, map[string]string{"For": "203.0.113.7, 10.0.0.1, 127.0.0.1", "Proto": "https",
			"Host": "shop.example"}},
	} {
		args := []string{"--preflight", "--illustrative", "--upstream", service.URL, "--log", "off"}
		for _, proxy := range test.proxies {
			args = append(args, "--trusted-proxy", proxy)
		}
		s := startServe(t, args...)
		for _, headers := range [][]string{said, nil} {
			answer := exchange(t, s, attack{method: "GET", target: dieline, headers: headers}.String())
			want := test.want
			if headers == nil {
				want = map[string]string{"For": "127.0.0.1", "Proto": "http", "Host": "a"}
			}
			for name, value := range want {
				if !strings.Contains(answer, "\r\nX-Forwarded-"+name+": "+value+"\r\n") {
					t.Errorf("%q, sent %q: %s is not %s in\n%s", test.proxies, headers, name, value, answer)
				}
			}
			if strings.Contains(answer, "\r\nForwarded:") {
				t.Errorf("%q: %s", test.proxies, answer)
			}
		}
	}
	// Who listens on all addresses sees those of IPv4 as ones of IPv6, and the zones of others.
	trusted, err := proxiesOf([]string{"10.0.0.0/8", "fe80::/64"})
	if err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string]string{"[::ffff:10.1.2.3]:4": "192.0.2.1, ::ffff:10.1.2.3",
		"[fe80::1%eth0]:4": "192.0.2.1, fe80::1%eth0",
		"11.0.0.1:4":       "11.0.0.1", "[fe81::1]:4": "fe81::1"} {
		in := httptest.NewRequest("GET", "/", nil)
		in.RemoteAddr = from
		in.Header.Set("X-Forwarded-For", "192.0.2.1")
		r := &httputil.ProxyRequest{In: in, Out: httptest.NewRequest("GET", "/", nil)}
		(&serve{trusted: trusted}).setForwarded(r)
		if got := r.Out.Header.Get("X-Forwarded-For"); got != want {
			t.Errorf("from %s: X-Forwarded-For is %s, want %s", from, got, want)
		}
	}
	for _, wrong := range []string{"", "10.0.0.0/8,", "10.0.0.1/8", "10.0.0.0/33", "localhost", "10.0.0.0/8 ", "::/129"} {
		got := ask(t, "", "serve", "--preflight", "--illustrative", "--upstream", service.URL, "--trusted-proxy", wrong, "--address", "nowhere")
		if got.status != 2 || !strings.Contains(got.err,
			"is not a network; accepted: one such as 10.0.0.0/8") || strings.Count(got.err, "\n") != 1 {
			t.Errorf("--trusted-proxy %q: %d %s", wrong, got.status, got.err)
		}
	}
}

// TestDocumentedRefusals has requests that net/http refuses before any handler sees them.
func TestDocumentedRefusals(t *testing.T) {
	s := startServe(t, "--sandbox", "--log", "off")
	for _, test := range []struct {
		text   string
		status int
	}{
		{"GET / HTTP/1.1\r\n\r\n", 400},
		{"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
		{"GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400},
		{"GET / HTTP/1.1\r\nHost: a\r\nA b: c\r\n\r\n", 400},
		{"GET / HTTP/9.9\r\nHost: a\r\n\r\n", 505},
		{"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n", 501},
		{"GET /?" + strings.Repeat("x", 200_000) + " HTTP/1.1\r\nHost: a\r\n\r\n", 431},
		{"x\r\n\r\n", 400},
		{"OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 401}, // by the sandbox
	} {
		answer := exchange(t, s, test.text)
		response, err := http.ReadResponse(bufio.NewReader(strings.NewReader(answer)), nil)
		if err != nil {
			t.Errorf("%.60q: %q, %v", test.text, answer, err)
			continue
		}
		text, err := io.ReadAll(response.Body)
		var body preflight.Body
		if wrong := json.Unmarshal(text, &body); wrong != nil || err != nil || response.StatusCode != test.status ||
			response.Header.Get("Content-Type") != "application/json" || body.Response.Code != boxrules.ValidationError ||
			body.Response.HTTPStatusCode != response.StatusCode || body.Response.Message == "" || len(body.Response.Errors) > 0 {
			t.Errorf("%.60q: %v, %v\n%s", test.text, wrong, err, answer)
		}
	}
}

// TestOnlyRefusalsAreDocumented says that an answer which looks like a refusal of net/http stays as it is.
func TestOnlyRefusalsAreDocumented(t *testing.T) {
	body := "HTTP/1.1 400 Bad Request" + string(refusalHead) + "400 Bad Request"
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }))
	defer service.Close()
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL, "--log", "off")
	if response, got := s.get(t, dieline); response.StatusCode != http.StatusOK || got != body {
		t.Errorf("%s %q, want 200 %q", response.Status, got, body)
	}
}

// TestFixturesInFolder says that links within the folder of fixtures are followed, and those out of it are not.
func TestFixturesInFolder(t *testing.T) {
	outside, folder := t.TempDir(), t.TempDir()
	for _, name := range []string{filepath.Join(outside, "secret.json"), filepath.Join(folder, "dieline.json")} {
		if err := os.WriteFile(name, []byte(`{"recorded":true}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(folder, name)); err != nil {
			t.Skip("this system makes no links: ", err)
		}
	}
	link("dieline.json", "quotation.json")
	startServe(t, "--sandbox", "--log", "off", "--fixtures", folder)
	for _, to := range []string{filepath.Join(outside, "secret.json"), "../" + filepath.Base(outside) + "/secret.json"} {
		if err := os.Remove(filepath.Join(folder, "quotation.json")); err != nil {
			t.Fatal(err)
		}
		link(to, "quotation.json")
		got := ask(t, "", "serve", "--sandbox", "--log", "off", "--fixtures", folder, "--address", "nowhere") // where it would hang
		if got.status != 2 || !strings.Contains(got.err, "fixture quotation.json: ") || !strings.Contains(got.err, "escapes") {
			t.Errorf("a link to %s: %d %s", to, got.status, got.err)
		}
	}
	if got := ask(t, "", "serve", "--sandbox", "--fixtures", filepath.Join(folder, "dieline.json"), "--address",
		"nowhere"); got.status != 2 ||
		!strings.Contains(got.err, "is not a folder") {
		t.Errorf("a file for a folder: %d %s", got.status, got.err)
	}
}
