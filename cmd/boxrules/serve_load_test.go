package main

import (
	"bufio"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.com/boxrules/cmd/boxrules/internal/sidecar"
)

const dieline = "/v1/reseller/dieline?article=tuck-end&material=carton-300&width=143&depth=50&height=303&type=pdf"

func TestServePreflight(t *testing.T) {
	s := startServe(t, "--preflight", "--validation-codes", "article=DLN_1100,depth=DLN_1103")
	for _, test := range []struct {
		path   string
		status int
		body   string // a part of it
	}{
		{dieline, http.StatusNoContent, ""},
		{strings.Replace(dieline, "width=143", "width=48", 1), http.StatusBadRequest, `"errors":[{"code":"BOX_3100","path":"",`},
		{strings.Replace(dieline, "depth=50", "depth=x", 1), http.StatusBadRequest, `"errors":[{"code":"DLN_1103","path":"depth",`},
		{"/v1/reseller/orders/2026-1-1", http.StatusNotFound, `"code":"NOT_FOUND"`}, // nobody to pass it on to
		{"/", http.StatusNotFound, `"code":"NOT_FOUND"`},
		{"/healthz", http.StatusOK, "ok\n"},
		{"/readyz", http.StatusOK, "ready\n"},
	} {
		response, body := s.get(t, test.path)
		if response.StatusCode != test.status || !strings.Contains(body, test.body) {
			t.Errorf("%s: %s %s, want %d with %s", test.path, response.Status, body, test.status, test.body)
		}
	}
}

// TestServeUpstream says that what is not refused is passed on as it is, and comes back as it is.
func TestServeUpstream(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // a body that was cut off on the way
		}
		w.Header().Set("Service", "real")
		w.WriteHeader(http.StatusAccepted)
		_, _ = fmt.Fprintf(w, "%s %s %s %s", r.Method, r.URL, r.Header.Get("Authorization"), body)
	}))
	defer service.Close()
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL+"/base")
	if response, body := s.get(t, dieline); response.StatusCode != http.StatusAccepted ||
		response.Header.Get("Service") != "real" || body != "GET /base"+dieline+"  " {
		t.Errorf("an accepted dieline: %s %q", response.Status, body)
	}
	if response, body := s.get(t, strings.Replace(dieline, "width=143", "width=48", 1)); response.StatusCode != http.StatusBadRequest ||
		response.Header.Get("Service") != "" {
		t.Errorf("a refused dieline: %s %q, want it not passed on", response.Status, body)
	}
	request, err := http.NewRequest(http.MethodPost, s.url+"/v1/reseller/orders?x=1", strings.NewReader("an order"))
	noError(t, err)
	request.Header.Set("Authorization", "Bearer t")
	response, err := http.DefaultClient.Do(request)
	noError(t, err)
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || string(body) != "POST /base/v1/reseller/orders?x=1 Bearer t an order" {
		t.Errorf("an order: %q, %v", body, err)
	}
	// What the service gets is what was sent, well formed or not, and what it answers comes back as
	// it is.
	odd := "/v1/reseller/orders/1?b=1;2&a=%zz&z=%7E"
	if _, body := s.get(t, odd); body != "GET /base"+odd+"  " {
		t.Errorf("an odd query arrives as %q", body)
	}
	large := strings.Repeat("x", 5<<20)
	response, err = http.Post(s.url+"/v1/reseller/orders", "text/plain", strings.NewReader(large))
	noError(t, err)
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || string(body) != "POST /base/v1/reseller/orders  "+large {
		t.Errorf("of a body of 5 MiB the service gets %d bytes, %v", len(body), err)
	}
	service.Close()
	if response, body := s.get(t, dieline); response.StatusCode != http.StatusBadGateway ||
		!strings.Contains(body, `"code":"INTERNAL_SERVER_ERROR"`) ||
		!strings.Contains(body, `"uri":"/v1/reseller/dieline"`) {
		t.Errorf("a service that is gone: %s %s, want 502 with the path that was asked for", response.Status, body)
	}
}

// TestServeUpstreamClients has clients that do not send what they should. None gets a success, and the
// service is not blamed.
func TestServeUpstreamClients(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done() // never answers
	}))
	defer service.Close()
	hasty := sidecar.DefaultServerLimits()
	hasty.Body = 50 * time.Millisecond
	for _, test := range []struct {
		name, sent string
		limits     sidecar.ServerLimits
		half       bool // and no more is sent
		want       string
	}{
		{"a body that stops", "POST /v1/reseller/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc", hasty, false, "HTTP/1.1 408 "},
		{"a body that is no chunk", "POST /v1/reseller/orders HTTP/1.1\r\nHost: a\r\n" +
			"Transfer-Encoding: chunked\r\n\r\nZZ\r\n", sidecar.DefaultServerLimits(), false, "HTTP/1.1 400 "},
		{"a request by who has gone", "GET " + dieline + " HTTP/1.1\r\nHost: a\r\n\r\n", sidecar.DefaultServerLimits(), true, ""},
	} {
		s := startWithLimits(t, test.limits, "--preflight", "--illustrative", "--upstream", service.URL)
		connection := s.dial(t)
		defer connection.Close()
		writeTo(t, connection, test.sent)
		if test.half {
			noError(t, connection.(*net.TCPConn).CloseWrite())
		}
		answer := make([]byte, len("HTTP/1.1 200 "))
		n, err := io.ReadFull(connection, answer)
		if got := string(answer[:n]); got != test.want {
			t.Errorf("%s: %q, %v, want %q", test.name, got, err, test.want)
		}
	}
}

// TestServeUpstreamLate says that a service that hangs is not waited for without end.
func TestServeUpstreamLate(t *testing.T) {
	ended := make(chan struct{})
	service := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-ended:
		}
	}))
	defer service.Close()
	defer close(ended)
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL, "--upstream-time", "50ms")
	if response, body := s.get(t, dieline); response.StatusCode != http.StatusGatewayTimeout ||
		!strings.Contains(body, `"code":"INTERNAL_SERVER_ERROR"`) {
		t.Errorf("a service that hangs: %s %s, want 504", response.Status, body)
	}
}

// TestServeUpstreamTLS says that the certificate of the service is verified, and that HTTP/2 changes
// no target.
func TestServeUpstreamTLS(t *testing.T) {
	service := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Target", r.RequestURI)
		_, _ = io.WriteString(w, r.Proto)
	}))
	service.EnableHTTP2 = true
	service.Config.ErrorLog = log.New(io.Discard, "", 0) // handshakes that fail
	service.StartTLS()
	defer service.Close()
	roots := filepath.Join(t.TempDir(), "roots.pem")
	noError(t, os.WriteFile(roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: service.Certificate().Raw}), 0o600))
	s := startProcess(t, "--preflight", "--illustrative", "--upstream", service.URL)
	if response, body := s.get(t, dieline); response.StatusCode != http.StatusBadGateway {
		t.Errorf("a service that is not trusted: %s %s, want 502", response.Status, body)
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		t.Skip("the roots of this system cannot be given in the environment")
	}
	t.Setenv("SSL_CERT_FILE", roots)
	s = startProcess(t, "--preflight", "--illustrative", "--upstream", service.URL)
	if response, body := s.get(t, dieline); response.StatusCode != http.StatusOK || body != "HTTP/2.0" {
		t.Errorf("a service that is trusted: %s %s, want 200 over HTTP/2", response.Status, body)
	}
	for _, target := range nastyTargets {
		if target == "*" { // not possible with GET in HTTP/2
			continue
		}
		want := "\r\nTarget: " + asWritten(expectedTarget("", "GET", target)) + "\r\n"
		if answer := s.send(t, attack{method: "GET", target: target}.String()); !strings.Contains(answer, want) {
			t.Errorf("of %q the service does not get %q\n%s", target, want, answer)
		}
	}
}

// TestServeEndsAtOnce says that a second interrupt does not wait for the requests that have begun.
func TestServeEndsAtOnce(t *testing.T) {
	arrived := make(chan struct{})
	service := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
	}))
	defer service.Close()
	p := startProcess(t, "--preflight", "--illustrative", "--upstream", service.URL, "--log", "off")
	go func() {
		if response, err := http.Get(p.url + dieline); err == nil {
			response.Body.Close()
		}
	}()
	<-arrived
	p.signal(t, syscall.SIGTERM)
	p.untilClosed()
	p.signal(t, syscall.SIGTERM)
	_ = p.Wait()
	if status, ok := p.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() {
		t.Errorf("after a second interrupt: %v, want it ended by that", p.ProcessState)
	}
}

// untilClosed waits until nobody listens.
func (s *served) untilClosed() {
	for {
		connection, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			return
		}
		connection.Close()
	}
}

// dial opens a connection.
func (s *served) dial(t *testing.T) net.Conn {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	noError(t, err)
	return connection
}

// TestServeKeepsTokens says that a reload ends no token, and that the client is the one that the
// environment names.
func TestServeKeepsTokens(t *testing.T) {
	t.Setenv("BOXRULES_CLIENT_ID", "me")
	t.Setenv("BOXRULES_CLIENT_SECRET", "mine")
	s := startServe(t, "--sandbox", "--demo", "--log", "off")
	ask := func(method, path, body string, set func(*http.Request)) (int, string) {
		t.Helper()
		request, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
		noError(t, err)
		set(request)
		response, err := http.DefaultClient.Do(request)
		noError(t, err)
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		noError(t, err)
		return response.StatusCode, string(text)
	}
	token := func(id, secret string) (int, string) {
		return ask(http.MethodPost, "/v1/oauth2/token", "grant_type=client_credentials&scope=external", func(r *http.Request) {
			r.SetBasicAuth(id, secret)
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		})
	}
	if status, _ := token("sandbox-client", "sandbox-secret"); status != http.StatusUnauthorized {
		t.Errorf("the client that is not named gets a token: %d", status)
	}
	status, text := token("me", "mine")
	_, rest, _ := strings.Cut(text, `"access_token":"`)
	access, _, ok := strings.Cut(rest, `"`)
	if status != http.StatusOK || !ok {
		t.Fatalf("the client that is named: %d %s", status, text)
	}
	bearer := func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+access) }
	if status, _ := ask(http.MethodGet, dieline, "", bearer); status != http.StatusOK {
		t.Errorf("with the token: %d, want 200", status)
	}
	s.reload(t, "reloaded the files")
	if status, _ := ask(http.MethodGet, dieline, "", bearer); status != http.StatusOK {
		t.Errorf("with the token, after a reload: %d, want 200", status)
	}
	// The paths are not rewritten, and the demo is served next to the interface.
	if status, text := ask(http.MethodGet, "/v1/reseller/orders/..", "", bearer); status != http.StatusNotFound ||
		!strings.Contains(text, "ORDER_ERROR") {
		t.Errorf("an odd path: %d %s", status, text)
	}
	if status, _ := ask(http.MethodGet, "/demo/", "", bearer); status != http.StatusOK {
		t.Errorf("the demo: %d, want 200", status)
	}
}

// TestServeDrain says that after an interrupt it goes on for the time of --drain, and is not ready
// meanwhile.
func TestServeDrain(t *testing.T) {
	s := startServe(t, "--preflight", "--log", "off", "--drain", "1h")
	s.interrupt()
	for {
		if response, _ := s.get(t, "/readyz"); response.StatusCode == http.StatusServiceUnavailable {
			break
		}
	}
	if response, _ := s.get(t, dieline); response.StatusCode != http.StatusNoContent {
		t.Errorf("while it drains: %s, want 204", response.Status)
	}
}

// TestServeEndsRequests says that the requests that have begun end during a shutdown.
func TestServeEndsRequests(t *testing.T) {
	const inFlight = 50
	arrived, release := make(chan struct{}, inFlight), make(chan struct{})
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		arrived <- struct{}{}
		<-release
		w.WriteHeader(http.StatusTeapot)
	}))
	defer service.Close()
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL, "--log", "off")
	var ended sync.WaitGroup
	for range inFlight {
		ended.Go(func() {
			answer := s.send(t, attack{method: "GET", target: dieline}.String())
			if !strings.HasPrefix(answer, "HTTP/1.1 418 ") {
				t.Errorf("a request that has begun is answered with %q", answer)
			}
		})
	}
	for range inFlight {
		<-arrived
	}
	s.interrupt()
	s.untilClosed()
	close(release)
	ended.Wait()
	if status, said := s.end(t); status != 0 || said != "" {
		t.Errorf("it ends with the status %d and says %q", status, said)
	}
}

// TestServeAmongSlowClients says that clients which do not send the head of a request keep nobody
// from being answered.
func TestServeAmongSlowClients(t *testing.T) {
	s := startServe(t, "--preflight", "--log", "off", "--max-concurrent", "1")
	for range 40 {
		connection := s.dial(t)
		defer connection.Close()
		writeTo(t, connection, "GET "+dieline+" HTTP/1.1\r\nHost: x\r\nX: ")
	}
	if response, _ := s.get(t, dieline); response.StatusCode != http.StatusNoContent {
		t.Errorf("among slow clients: %s, want 204", response.Status)
	}
}

// TestServeSlowClients says that clients which send their requests byte by byte are cut off.
func TestServeSlowClients(t *testing.T) {
	limits := sidecar.DefaultServerLimits()
	limits.Header, limits.Body = 50*time.Millisecond, 60*time.Millisecond
	s := startWithLimits(t, limits, "--preflight", "--log", "off")
	for name, head := range map[string]string{
		"head": "GET " + dieline + " HTTP/1.1\r\nHost: x\r\nX: ",
		"body": "POST /v1/oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n",
	} {
		connection := s.dial(t)
		defer connection.Close()
		writeTo(t, connection, head)
		gone := make(chan struct{})
		go func() {
			_, _ = io.Copy(io.Discard, connection)
			close(gone)
		}()
		pace := time.NewTicker(10 * time.Millisecond)
		defer pace.Stop()
		for bytes, cutOff := 0, false; !cutOff; {
			select {
			case <-gone:
				cutOff = true
			case <-pace.C:
				_, _ = io.WriteString(connection, "x")
				if bytes++; bytes == 900 {
					t.Fatalf("a slow %s is not cut off", name)
				}
			}
		}
	}
}

// readAnswer sends a request, and wants an answer without a body that begins so.
func readAnswer(t *testing.T, connection net.Conn, request, want string) {
	t.Helper()
	if _, err := io.WriteString(connection, request); err != nil {
		t.Error(err)
		return
	}
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil || !strings.HasPrefix(fmt.Sprintf("%s %s", answer.Proto, answer.Status), want) {
		t.Errorf("it is answered with %+v, %v, want %s", answer, err, want)
	}
}
