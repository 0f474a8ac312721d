package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// echo starts a service that answers with the headers that it gets.
func echo(t *testing.T) string {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) { _ = request.Header.Write(w) }))
	t.Cleanup(service.Close)
	return service.URL
}

// writeTo writes the text to a connection, or to any other writer.
func writeTo(t *testing.T, w io.Writer, text string) {
	t.Helper()
	_, err := io.WriteString(w, text)
	noError(t, err)
}

// send sends the text on a connection of its own, and returns what comes back.
func (s *served) send(t *testing.T, text string) string {
	t.Helper()
	connection := s.dial(t)
	defer connection.Close()
	writeTo(t, connection, text)
	answer, _ := io.ReadAll(connection) // a connection that is reset has said all that it will
	return string(answer)
}

// A rawService is one that remembers the lines with which requests begin, byte by byte, and
// answers each with 204.
type rawService struct {
	url string
	got chan string
}

func newRawService(t *testing.T) *rawService {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	t.Cleanup(func() { listener.Close() })
	r := &rawService{"http://" + listener.Addr().String(), make(chan string, 100)}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go r.answer(connection)
		}
	}()
	return r
}

func (r *rawService) answer(connection net.Conn) {
	defer connection.Close()
	reader := textproto.NewReader(bufio.NewReader(connection))
	line, err := reader.ReadLine()
	if err != nil {
		return
	}
	r.got <- line
	_, _ = reader.ReadMIMEHeader()
	_, _ = io.WriteString(connection, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
}

// requests returns those that it got since they were last asked for, without their versions.
func (r *rawService) requests() (all []string) {
	for len(r.got) > 0 {
		all = append(all, strings.TrimSuffix(<-r.got, " HTTP/1.1"))
	}
	return all
}

// TestUpstreamTargets: the target of a request arrives at the service byte for byte, even if Go would
// not write it like that.
func TestUpstreamTargets(t *testing.T) {
	service := newRawService(t)
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.url, "--log", "off")
	for _, want := range []string{
		"GET /v1/a|b\"<>^`{}#c?d|e",
		"GET /v1/\xfc\xe9?\xfc",
		"GET /a|b" + dielinePath + "?" + goodBox,
		"GET /v1/orders?",
		"get " + dielinePath + "?" + badBox,
		"OPTIONS *",
		"CONNECT a.test:80",
		"CONNECT /v1/reseller/orders",
		"GET foo:v1/reseller/orders",
	} {
		method, target, _ := strings.Cut(want, " ")
		answer := s.send(t, attack{method: method, target: target}.String())
		if got := service.requests(); !slices.Equal(got, []string{want}) {
			t.Errorf("of %q the service gets %q\n%s", want, got, answer)
		}
	}
	// What is asked for with the address is asked for without it.
	s.send(t, attack{method: "GET", target: "http://b/v1/a|b?c"}.String())
	if got := service.requests(); !slices.Equal(got, []string{"GET /v1/a|b?c"}) {
		t.Errorf("of an absolute address the service gets %q", got)
	}
}

// TestUpstreamBase: the path in the service's address is put before the path of a request.
func TestUpstreamBase(t *testing.T) {
	service := newRawService(t)
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.url+"/a%2Fb/", "--log", "off")
	for target, want := range map[string]string{
		dielinePath + "?" + goodBox: "/a%2Fb" + dielinePath + "?" + goodBox,
		"/v1/a|b":                   "/a%2Fb/v1/a|b",
		"//c":                       "/a%2Fb//c",
		"*":                         "*",
	} {
		s.send(t, attack{method: "OPTIONS", target: target}.String())
		if got := service.requests(); !slices.Equal(got, []string{"OPTIONS " + want}) {
			t.Errorf("of %s the service gets %q, want %q", target, got, want)
		}
	}
}

// TestTunnel says that what becomes of a connection is the service's to say.
func TestTunnel(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
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
	for _, dryRun := range []string{"--dry-run=false", "--dry-run"} {
		s := startServe(t, "--preflight", "--illustrative", dryRun, "--upstream", service.URL)
		connection := s.dial(t)
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
		_, _ = io.Copy(io.Discard, reader) // the service has ended it
		// A server that shuts down does not wait for connections that it gave away, so the line is
		// read first.
		said, err := s.stderr.ReadString('\n')
		_, rest := s.end(t)
		if err != nil || !strings.Contains(said, "status=101") || strings.Contains(said+rest, "panic") {
			t.Errorf("the log says\n%s%s\nwant the status 101 alone", said, rest)
		}
	}
}

// TestTrustedProxy says whose word the service gets to hear about who the client is.
func TestTrustedProxy(t *testing.T) {
	service := echo(t)
	said := []string{"X-Forwarded-For: 203.0.113.7", "X-Forwarded-For: 10.0.0.1", "X-Forwarded-Proto: https",
		"X-Forwarded-Host: shop.example"}
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
		args := []string{"--preflight", "--illustrative", "--upstream", service, "--log", "off"}
		for _, proxy := range test.proxies {
			args = append(args, "--trusted-proxy", proxy)
		}
		s := startServe(t, args...)
		for _, headers := range [][]string{said, nil} {
			answer := s.send(t, attack{method: "GET", target: dieline, headers: headers}.String())
			want := test.want
			if headers == nil {
				want = map[string]string{"For": "127.0.0.1", "Proto": "http", "Host": "a"}
			}
			for name, value := range want {
				if !strings.Contains(answer, "\r\nX-Forwarded-"+name+": "+value+"\r\n") {
					t.Errorf("%q, sent %q: %s is not %s in\n%s", test.proxies, headers, name, value, answer)
				}
			}
		}
	}
}

// TestRefusalsOfNetHTTP says that what net/http refuses by itself is answered as net/http answers
// it.
func TestRefusalsOfNetHTTP(t *testing.T) {
	s := startServe(t, "--preflight", "--log", "off")
	for _, test := range []struct{ text, status, body string }{
		{"GET / HTTP/1.1\r\n\r\n", "400 Bad Request: missing required Host header", "400 Bad Request: missing required Host header"},
		{"GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", "400 Bad Request", "400 Bad Request"},
		{"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n", "501 Not Implemented", "Unsupported transfer encoding"},
		{"GET /?" + strings.Repeat("x", 90_000) + " HTTP/1.1\r\nHost: a\r\n\r\n", "431 Request Header Fields Too Large",
			"431 Request Header Fields Too Large"},
	} {
		answer := s.send(t, test.text)
		want := "HTTP/1.1 " + test.status + "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n" + test.body
		if answer != want {
			t.Errorf("%.60q is answered with %q, want %q", test.text, answer, want)
		}
	}
	// This is how a client begins that speaks HTTP/2 without asking.
	if answer := s.send(t, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"); !strings.Contains(answer, " 505 HTTP Version Not Supported\r\n") {
		t.Errorf("HTTP/2 is answered with %q", answer)
	}
}

// TestAnswerBytes: an answer of the service comes back byte for byte, even if it looks like one of
// net/http's.
func TestAnswerBytes(t *testing.T) {
	refusal := "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request"
	body := refusal + strings.Repeat("x", 9_000) + refusal
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		for part := range slices.Chunk([]byte(body), 4_100) {
			_, _ = w.Write(part)
			_ = http.NewResponseController(w).Flush()
		}
	}))
	defer service.Close()
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL, "--log", "off")
	for range 2 { // the second on the same connection
		if response, got := s.get(t, dieline); response.ContentLength != int64(len(body)) || got != body {
			t.Errorf("%s, %d bytes, want the %d of the service", response.Status, len(got), len(body))
		}
	}
}

// TestAnswerHeads: no content type is guessed if the service has sent none, a client gets 100 Continue
// only once, and the beginning of an answer is passed on before the rest arrives.
func TestAnswerHeads(t *testing.T) {
	more := make(chan bool)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = nil
		if r.URL.Path == "/103" {
			w.WriteHeader(http.StatusEarlyHints)
		}
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Length", "7")
		_, _ = io.WriteString(w, "<h")
		_ = http.NewResponseController(w).Flush()
		if string(body) != "hello" {
			<-more
		}
		_, _ = io.WriteString(w, "tml>.")
	}))
	defer service.Close()
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL, "--log", "off")
	expects := "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello"
	answer := s.send(t, expects)
	if n := strings.Count(answer, "100 Continue"); n != 1 {
		t.Errorf("%d times 100 Continue, want once: %q", n, answer)
	}
	for _, path := range []string{"/", "/103"} {
		connection := s.dial(t)
		defer connection.Close()
		_, _ = io.WriteString(connection, "GET "+path+" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
		reader := bufio.NewReader(connection)
		start, err := reader.ReadString('<') // before the service goes on
		if err != nil || strings.Contains(start, "Content-Type") {
			t.Errorf("%s: the answer begins %q, %v, want it without a type", path, start, err)
		}
		more <- true
	}
}

// TestFixturesInFolder says that links within the folder of fixtures are followed.
func TestFixturesInFolder(t *testing.T) {
	folder := t.TempDir()
	noError(t, os.WriteFile(filepath.Join(folder, "dieline.json"), []byte(`{"recorded":true}`), 0o600))
	noError(t, os.Symlink("dieline.json", filepath.Join(folder, "quotation.json")))
	startServe(t, "--sandbox", "--log", "off", "--fixtures", folder)
}

// TestFixturesOddFiles has files in the folder of fixtures that must not be read: a read of them would
// hang, or take too long.
func TestFixturesOddFiles(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	noError(t, syscall.Mkfifo(pipe, 0o600))
	for _, test := range []struct {
		put  func(file string) error
		want string
	}{
		{func(file string) error { return syscall.Mkfifo(file, 0o600) }, "not a regular file"},
		{func(file string) error { return os.Link(pipe, file) }, "not a regular file"},
		{func(file string) error { return os.Symlink(".", file) }, "not a regular file"},
		{func(file string) error { return os.Symlink(pipe, file) }, "path escapes from parent"},
		{func(file string) error { // 5 GB that take no room on the disk
			return errors.Join(os.WriteFile(file, nil, 0o600), os.Truncate(file, 5_000_000_000))
		}, "the file has 5000000000 bytes; accepted: at most 16777216"},
	} {
		folder := t.TempDir()
		noError(t, test.put(filepath.Join(folder, "dieline.json")))
		got := ask(t, "", "serve", "--sandbox", "--fixtures", folder, "--address", "127.0.0.1:0")
		if got.status != 2 || !strings.Contains(got.err, "fixture dieline.json: ") || !strings.Contains(got.err, test.want) {
			t.Errorf("status %d, %swant %s", got.status, got.err, test.want)
		}
	}
}

// TestChunkedHTTP10 says that in HTTP/1.0, which has no chunks, what follows a request is not taken for another one.
func TestChunkedHTTP10(t *testing.T) {
	s := startServe(t, "--preflight", "--illustrative", "--upstream", echo(t), "--log", "off")
	answer := s.send(t, "POST /v1/reseller/orders/x HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n"+
		"GET "+dieline+" HTTP/1.1\r\nHost: a\r\n\r\n")
	if n := strings.Count(answer, "HTTP/1."); n != 1 {
		t.Errorf("%d answers: %q", n, answer)
	}
}

// TestServeUnreachable says that with --log off a warning tells that the service cannot be reached, and requests have no line.
func TestServeUnreachable(t *testing.T) {
	nobody := httptest.NewServer(http.NotFoundHandler())
	nobody.Close()
	s := startServe(t, "--preflight", "--illustrative", "--upstream", nobody.URL, "--log", "off")
	if response, body := s.get(t, dieline); response.StatusCode != http.StatusBadGateway || !strings.Contains(body, "the service could not be reached") {
		t.Errorf("%d %s", response.StatusCode, body)
	}
	_, said := s.end(t)
	if strings.Count(said, "\n") != 1 || !strings.Contains(said, `level=WARN msg="the service could not be reached"`) {
		t.Errorf("the log is %q", said)
	}
}

// TestAnswerTooSlow says that a warning tells that an answer has begun, but could not be passed on in time.
func TestAnswerTooSlow(t *testing.T) {
	begun := make(chan bool, 1)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		writeTo(t, w, "begun")
		_ = http.NewResponseController(w).Flush()
		begun <- true
		<-r.Context().Done()
	}))
	defer service.Close()
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL, "--log", "off", "--upstream-time", "300ms")
	response, err := http.Get(s.url + dieline)
	noError(t, err)
	<-begun
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	if _, said := s.end(t); !strings.Contains(said, `level=WARN msg="the response took too long to pass on, and was cut short"`) {
		t.Errorf("the log is %q", said)
	}
}
