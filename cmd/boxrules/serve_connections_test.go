package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/boxrules/cmd/boxrules/internal/sidecar"
)

// keptAlive is a request after which the client would send others.
const keptAlive = "GET " + dieline + " HTTP/1.1\r\nHost: x\r\n\r\n"

// TestServeConnections says that at most --max-connections are open, and that idle ones give way to new
// ones.
func TestServeConnections(t *testing.T) {
	const most, clients = 3, 10
	s := startServe(t, "--preflight", "--log", "off", "--max-connections", fmt.Sprint(most))
	var connections []net.Conn
	for range clients {
		connection := s.dial(t)
		defer connection.Close()
		readAnswer(t, connection, keptAlive, "HTTP/1.1 204 ")
		connections = append(connections, connection)
	}
	open := 0
	for _, connection := range connections {
		if _, err := io.WriteString(connection, keptAlive); err != nil {
			continue
		}
		if _, err := http.ReadResponse(bufio.NewReader(connection), nil); err == nil {
			open++
		}
	}
	if open != most {
		t.Errorf("%d connections are open, want %d", open, most)
	}
}

// TestServeProbes has all connections taken by clients that do nothing, or too little, or whose
// requests the service does not answer. Probes are answered all the same.
func TestServeProbes(t *testing.T) {
	const most = 8
	ended := make(chan struct{})
	service := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-ended }))
	defer service.Close()
	defer close(ended)
	order := "POST /v1/reseller/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"
	for name, sent := range map[string]string{
		"silent":                   "",
		"half a head":              "GET " + dieline + " HTTP/1.1\r\nHost: x\r\n",
		"a head after an answer":   "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET " + dieline,
		"idle":                     "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
		"requests for the service": keptAlive,
		"half a body":              order + "a",
		"half a body that nobody wants": "GET " + dielinePath + "?" + badBox +
			" HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na",
	} {
		limits := sidecar.DefaultServerLimits()
		limits.Header, limits.Body, limits.Idle, limits.Service = time.Hour, time.Hour, time.Hour, time.Hour
		s := startWithLimits(t, limits, "--preflight", "--illustrative", "--upstream", service.URL, "--log", "off",
			"--max-connections", fmt.Sprint(most), "--metrics", "127.0.0.1:0")
		for range most {
			connection := s.dial(t)
			defer connection.Close()
			writeTo(t, connection, sent)
		}
		for _, path := range []string{"/healthz", "/readyz"} {
			if response, _ := s.get(t, path); response.StatusCode != http.StatusOK {
				t.Errorf("%s: %s: %s", name, path, response.Status)
			}
		}
		if response, err := http.Get(s.metrics); err != nil || response.StatusCode != http.StatusOK {
			t.Errorf("%s: %v, %v", name, response, err)
		}
	}
}

// TestServeUnreadAnswers has all connections taken by clients that send requests and never take an
// answer. Probes are answered all the same, whatever the requests are for.
func TestServeUnreadAnswers(t *testing.T) {
	const most = 4
	for _, path := range []string{"/healthz", dielinePath + "?" + badBox} {
		limits := sidecar.DefaultServerLimits()
		limits.Answer = time.Hour
		s := startWithLimits(t, limits, "--preflight", "--log", "off", "--max-connections", fmt.Sprint(most))
		requests := []byte(strings.Repeat("GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n", 1000))
		var clients sync.WaitGroup
		for range most {
			connection := s.dial(t)
			defer connection.Close()
			noError(t, connection.(*net.TCPConn).SetReadBuffer(4096)) // little is enough to fill it
			clients.Go(func() {
				var err error
				for err == nil { // until the server reads no more, as it cannot answer
					_ = connection.SetWriteDeadline(time.Now().Add(time.Second))
					_, err = connection.Write(requests)
				}
			})
		}
		clients.Wait()
		for range most + 1 {
			if response, _ := s.get(t, "/healthz"); response.StatusCode != http.StatusOK {
				t.Errorf("%s: %s", path, response.Status)
			}
		}
	}
}

// TestServeShedding says that the request which has waited longest for its turn is answered when
// its connection is needed, and that those which are worked on go on.
func TestServeShedding(t *testing.T) {
	arrived, release := make(chan struct{}, 1), make(chan struct{})
	service := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-release
	}))
	defer service.Close()
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL, "--log", "off",
		"--max-connections", "2", "--max-concurrent", "1")
	first, second := s.dial(t), s.dial(t)
	defer first.Close()
	defer second.Close()
	writeTo(t, first, keptAlive)
	<-arrived
	writeTo(t, second, keptAlive)
	if response, _ := s.get(t, "/healthz"); response.StatusCode != http.StatusOK {
		t.Errorf("a probe: %s", response.Status)
	}
	answer, err := io.ReadAll(second)
	if text := string(answer); err != nil || !strings.HasPrefix(text, "HTTP/1.1 503 ") || !strings.Contains(text, "Connection: close\r\n") {
		t.Errorf("the request that gives way is answered with %q, %v", text, err)
	}
	close(release)
	readAnswer(t, first, "", "HTTP/1.1 200 ")
}

// TestDrainKeepAlive has busy clients that keep their connections. While the server drains, each
// answer says that it is the last one on its connection, and each request is answered: those that
// connect meanwhile, and those that are sent while the server ends.
func TestDrainKeepAlive(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer service.Close()
	for _, drain := range []string{"0s", "50ms"} {
		s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL, "--log", "off", "--drain", drain)
		var clients, begun sync.WaitGroup
		for range 10 {
			begun.Add(1)
			clients.Go(func() {
				first := true
				busyClient(t, s, func() {
					if first {
						begun.Done()
					}
					first = false
				})
			})
		}
		begun.Wait()
		s.interrupt()
		clients.Wait()
		if status, said := s.end(t); status != 0 || said != "" {
			t.Errorf("it ends with the status %d and says %q", status, said)
		}
	}
}

// TestDrainQueue has more clients than --max-connections. When the server ends, it also answers the
// requests of those that it has not accepted yet.
func TestDrainQueue(t *testing.T) {
	arrived, release := make(chan struct{}, 1), make(chan struct{})
	service := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		select {
		case arrived <- struct{}{}:
		default:
		}
		<-release
	}))
	defer service.Close()
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL, "--log", "off", "--max-connections", "1")
	var clients []net.Conn
	for range 10 {
		connection := s.dial(t)
		defer connection.Close()
		writeTo(t, connection, keptAlive)
		clients = append(clients, connection)
	}
	<-arrived
	s.interrupt()
	s.untilClosed()
	close(release)
	for _, connection := range clients {
		readAnswer(t, connection, "", "HTTP/1.1 200 ")
	}
}

// busyClient sends one request after the other until nobody listens, and calls answered after each.
// A request that was sent on a connection that the server has not said to be the last has to be
// answered.
func busyClient(t *testing.T, s *served, answered func()) {
	for {
		connection, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			return
		}
		reader := bufio.NewReader(connection)
		for last := false; !last; {
			if _, err := io.WriteString(connection, keptAlive); err != nil {
				t.Errorf("a request is not taken: %v", err)
				break
			}
			response, err := http.ReadResponse(reader, nil)
			if err != nil {
				t.Errorf("a request is not answered: %v", err)
				break
			}
			answered()
			_, _ = io.Copy(io.Discard, response.Body)
			last = response.Close
		}
		connection.Close()
	}
}

// TestDrainAnswers says that every answer while the server drains is the last one on its connection:
// to a probe, from the service, and to a request that is refused here.
func TestDrainAnswers(t *testing.T) {
	s := startServe(t, "--preflight", "--illustrative", "--upstream", echo(t), "--log", "off", "--drain", "1h")
	s.interrupt()
	for {
		if response, _ := s.get(t, "/readyz"); response.StatusCode == http.StatusServiceUnavailable {
			break
		}
	}
	for _, target := range []string{"/healthz", "/readyz", dieline, dielinePath + "?" + badBox, "/v1/reseller/orders/1"} {
		if response, _ := s.get(t, target); !response.Close {
			t.Errorf("%s: %s does not say that it is the last answer", target, response.Status)
		}
	}
}
