package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// textService answers each request by the handler, which gets the bytes that arrive after the head
// too. The connection ends with the answer.
func textService(t *testing.T, answer func(head string, rest *bufio.Reader, connection net.Conn)) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer connection.Close()
				reader := bufio.NewReader(connection)
				if head, err := untilEmptyLine(reader); err == nil {
					answer(head, reader, connection)
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String()
}

// untilEmptyLine reads up to and including the first empty line.
func untilEmptyLine(r *bufio.Reader) (text string, err error) {
	for err == nil && !strings.HasSuffix(text, "\r\n\r\n") {
		var line string
		line, err = r.ReadString('\n')
		text += line
	}
	return text, err
}

// TestUpgradeBytes says that what a client sends right after its request for another protocol
// reaches the service.
func TestUpgradeBytes(t *testing.T) {
	service := textService(t, func(_ string, rest *bufio.Reader, connection net.Conn) {
		_, _ = io.WriteString(connection, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
		_, _ = io.Copy(connection, rest)
	})
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service, "--log", "off")
	connection := s.dial(t)
	defer connection.Close()
	writeTo(t, connection, "GET /v1/x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nhello")
	reader := bufio.NewReader(connection)
	if response, err := http.ReadResponse(reader, nil); err != nil || response.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%+v, %v, want 101", response, err)
	}
	writeTo(t, connection, " there")
	noError(t, connection.(*net.TCPConn).CloseWrite())
	if echoed, err := io.ReadAll(reader); string(echoed) != "hello there" {
		t.Errorf("the service has got %q, %v", echoed, err)
	}
}

// TestRequestTrailers says that trailers reach the service, whether the head names them or not.
func TestRequestTrailers(t *testing.T) {
	got := make(chan string, 1)
	service := textService(t, func(head string, rest *bufio.Reader, connection net.Conn) {
		body, _ := untilEmptyLine(rest)
		got <- body
		_, _ = io.WriteString(connection, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
	})
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service, "--log", "off")
	for _, header := range []string{"", "Trailer: X-Sum\r\n"} {
		s.send(t, "POST /v1/reseller/orders HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n"+header+
			"\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n")
		if body := <-got; body != "3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n" {
			t.Errorf("with %q the service gets %q", header, body)
		}
	}
}

// TestPragma says that the service gets Pragma and Cache-Control once each, as the client wrote them. net/http
// adds Cache-Control only to a Pragma without one.
func TestPragma(t *testing.T) {
	service := textService(t, func(head string, _ *bufio.Reader, connection net.Conn) { // net/http would add it again
		_, _ = io.WriteString(connection, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"+head)
	})
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service, "--log", "off")
	const pragma, noCache, noStore = "Pragma: no-cache", "Cache-Control: no-cache", "Cache-Control: no-store"
	for _, test := range []struct{ headers, want []string }{
		{[]string{pragma}, []string{pragma, noCache}},
		{[]string{pragma, noCache}, []string{pragma, noCache}},
		{[]string{pragma, noStore}, []string{pragma, noStore}},
		{[]string{noCache}, []string{noCache}},
		{nil, nil},
	} {
		answer := s.send(t, attack{method: "GET", target: dieline, headers: test.headers}.String())
		for _, header := range []string{pragma, noCache, noStore} {
			want := 0
			if slices.Contains(test.want, header) {
				want = 1
			}
			if got := strings.Count(answer, "\r\n"+header+"\r\n"); got != want {
				t.Errorf("of %q the service gets %q %d times, want %d\n%s", test.headers, header, got, want, answer)
			}
		}
	}
}

// TestForwarded says that the service gets the Forwarded of trusted proxies, and nobody else's.
func TestForwarded(t *testing.T) {
	const said = "Forwarded: for=203.0.113.7;proto=https"
	for proxy, want := range map[string]bool{"127.0.0.1": true, "10.0.0.0/8": false} {
		s := startServe(t, "--preflight", "--illustrative", "--upstream", echo(t), "--log", "off", "--trusted-proxy", proxy)
		answer := s.send(t, attack{method: "GET", target: dieline, headers: []string{said}}.String())
		if strings.Contains(answer, "\r\n"+said+"\r\n") != want {
			t.Errorf("with the proxy %s the service gets\n%s\nwant the header: %v", proxy, answer, want)
		}
		if answer := s.send(t, attack{method: "GET", target: dieline}.String()); strings.Contains(answer, "\r\nForwarded:") {
			t.Errorf("with the proxy %s the service gets\n%s\nof a request without the header", proxy, answer)
		}
	}
}

// TestShortBodies says that a client gets the beginning of an answer that breaks off, and an answer if
// its own body breaks off.
func TestShortBodies(t *testing.T) {
	service := textService(t, func(_ string, rest *bufio.Reader, connection net.Conn) {
		_, _ = io.WriteString(connection, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nX-Service: yes\r\n\r\nthe beginning")
	})
	for _, record := range []bool{false, true} {
		args := []string{"--preflight", "--illustrative", "--upstream", service, "--log", "off"}
		if record {
			args = append(args, "--record", t.TempDir()+"/answers.ndjson")
		}
		s := startServe(t, args...)
		answer := s.send(t, attack{method: "GET", target: dieline}.String())
		if !strings.HasPrefix(answer, "HTTP/1.1 200 OK\r\n") || !strings.Contains(answer, "\r\nX-Service: yes\r\n") ||
			!strings.Contains(answer, "\r\nContent-Length: 100\r\n") || !strings.HasSuffix(answer, "\r\n\r\nthe beginning") {
			t.Errorf("recorded: %v; of an answer that breaks off the client gets %q", record, answer)
		}
	}
	s := startServe(t, "--preflight", "--illustrative", "--upstream", echo(t), "--log", "off")
	for _, request := range []string{
		"POST /v1/reseller/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc",
		"GET " + dieline + " HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc",
		"GET " + dielinePath + "?" + badBox + " HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc",
	} {
		connection := s.dial(t)
		defer connection.Close()
		writeTo(t, connection, request)
		noError(t, connection.(*net.TCPConn).CloseWrite())
		if answer, err := io.ReadAll(connection); err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 400 ") {
			t.Errorf("%q is answered with %q, %v, want 400", request, answer, err)
		}
	}
}

// TestRecordPasses says that a success goes on as it comes while it is recorded: the service waits
// for the client to have the beginning before it sends the rest.
func TestRecordPasses(t *testing.T) {
	more := make(chan bool)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"response":{"buffer":"JVBERi0xLjQK",`)
		_ = http.NewResponseController(w).Flush()
		select {
		case <-more:
		case <-time.After(30 * time.Second):
		}
		_, _ = io.WriteString(w, `"mime_type":"application/pdf","encoding":"base64"}}`)
	}))
	defer service.Close()
	file := t.TempDir() + "/answers.ndjson"
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL, "--log", "off", "--record", file)
	response, err := http.Get(s.url + dieline)
	noError(t, err)
	defer response.Body.Close()
	start := make([]byte, 10)
	_, err = io.ReadFull(response.Body, start)
	noError(t, err)
	select {
	case more <- true:
	case <-time.After(20 * time.Second):
		t.Error("the service had given up before the client got the beginning")
	}
	_, err = io.ReadAll(response.Body)
	noError(t, err)
	s.end(t)
	if text := string(readFile(t, file)); strings.Count(text, "\n") != 1 || !strings.Contains(text, `"ok":true`) {
		t.Errorf("the record is %q", text)
	}
}
