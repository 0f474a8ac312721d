package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/sidecar"
	"example.com/boxrules/codegen"
	"example.com/boxrules/form"
)

// served is the command serving in this process, until the test ends.
type served struct {
	url     string
	metrics string // the address of the metrics, empty without --metrics
	stderr  *bufio.Reader

	interrupt func() // is what SIGTERM is to a process
	hangups   chan os.Signal
	status    chan int // when it has ended
}

func startServe(t *testing.T, args ...string) *served {
	t.Helper()
	return startWithLimits(t, sidecar.DefaultServerLimits(), args...)
}

// startWithLimits starts it with the limits of the test.
func startWithLimits(t *testing.T, limits sidecar.ServerLimits, args ...string) *served {
	t.Helper()
	said := newFeed()
	c := &console.Console{In: strings.NewReader(""), Out: io.Discard, Err: said, Getenv: os.Getenv, Now: time.Now}
	k := &serveCommand{sources: &sources{console: c}, hangups: make(chan os.Signal, 1)}
	k.options.Limits = limits
	command := k.command()
	k.addFlags(command)
	command.SetArgs(append([]string{"--address", "127.0.0.1:0"}, args...))
	command.SilenceErrors, command.SilenceUsage = true, true
	ctx, interrupt := context.WithCancel(context.Background())
	s := &served{stderr: bufio.NewReader(said), interrupt: interrupt, hangups: k.hangups, status: make(chan int, 1)}
	go func() {
		status := 0
		if err := command.ExecuteContext(ctx); err != nil {
			c.Say("%v", err)
			status = 2
		}
		said.close()
		s.status <- status
	}()
	t.Cleanup(s.interrupt)
	s.readAddresses(t)
	return s
}

// end interrupts it, and returns its status and the rest of what it has said.
func (s *served) end(t *testing.T) (status int, said string) {
	t.Helper()
	s.interrupt()
	rest, err := io.ReadAll(s.stderr)
	noError(t, err)
	return <-s.status, string(rest)
}

// readAddresses reads stderr up to the address.
func (s *served) readAddresses(t *testing.T) {
	t.Helper()
	for s.url == "" {
		line, err := s.stderr.ReadString('\n')
		if err != nil {
			t.Fatalf("serve says %q and ends", line)
		}
		if _, address, ok := strings.Cut(line, "metrics are at "); ok {
			s.metrics = strings.TrimRight(address, "\"}\n")
		}
		if _, address, ok := strings.Cut(line, " is at http://"); ok {
			host, _, _ := strings.Cut(address, "/")
			s.url = "http://" + host
		}
	}
}

// A process is the command serving in a process of its own, until the test ends.
type process struct {
	served
	*exec.Cmd
}

func startProcess(t *testing.T, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	noError(t, err)
	p := &process{Cmd: exec.Command(self, append([]string{"serve", "--address", "127.0.0.1:0"}, args...)...)}
	p.Env = append(os.Environ(), "BOXRULES_TEST_MAIN=1")
	stderr, err := p.StderrPipe()
	noError(t, err)
	p.stderr = bufio.NewReader(stderr)
	noError(t, p.Start())
	t.Cleanup(func() {
		_ = p.Process.Kill()
		_ = p.Wait()
	})
	p.readAddresses(t)
	return p
}

// signal sends the process a signal.
func (p *process) signal(t *testing.T, s os.Signal) {
	t.Helper()
	noError(t, p.Process.Signal(s))
}

// A feed is text that one goroutine writes and another one reads, which waits for more until it is
// closed.
type feed struct {
	mu     sync.Mutex
	more   *sync.Cond
	text   []byte
	closed bool
}

func newFeed() *feed {
	f := &feed{}
	f.more = sync.NewCond(&f.mu)
	return f
}

func (f *feed) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.text = append(f.text, p...)
	f.more.Broadcast()
	return len(p), nil
}

func (f *feed) Read(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.text) == 0 {
		if f.closed {
			return 0, io.EOF
		}
		f.more.Wait()
	}
	n := copy(p, f.text)
	f.text = f.text[n:]
	return n, nil
}

func (f *feed) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.more.Broadcast()
}

func (s *served) get(t *testing.T, path string) (*http.Response, string) {
	t.Helper()
	response, err := http.Get(s.url + path)
	noError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	noError(t, err)
	return response, string(body)
}

// reload has the files loaded again, and waits until it says so.
func (s *served) reload(t *testing.T, want string) {
	t.Helper()
	s.hangups <- syscall.SIGHUP
	for {
		line, err := s.stderr.ReadString('\n')
		if err != nil {
			t.Fatalf("serve ended instead of saying %q: %v", want, err)
		}
		if strings.Contains(line, want) {
			return
		}
	}
}

func TestServeDemo(t *testing.T) {
	s := startServe(t, "--demo")
	page, err := form.Files.ReadFile("demo/index.html")
	noError(t, err)
	index, err := codegen.JavaScript(boxrules.Default(), codegen.Options{})
	noError(t, err)
	for _, test := range []struct {
		path, kind, body string
	}{
		{"/", "text/html; charset=utf-8", string(page)},
		{"/demo/", "text/html; charset=utf-8", string(page)},
		{"/index.js", "text/javascript; charset=utf-8", string(index.Module)},
	} {
		response, body := s.get(t, test.path)
		if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != test.kind || body != test.body {
			t.Errorf("%s: %s, %s, %d bytes, want 200, %s, %d bytes", test.path, response.Status,
				response.Header.Get("Content-Type"), len(body), test.kind, len(test.body))
		}
		if csp := response.Header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'; script-src 'self';") ||
			strings.Contains(csp, "unsafe") {
			t.Errorf("%s: Content-Security-Policy %q", test.path, csp)
		}
	}
	if response, _ := s.get(t, "/demo/demo.css"); response.Header.Get("Content-Type") != "text/css; charset=utf-8" {
		t.Errorf("the style has the type %q", response.Header.Get("Content-Type"))
	}
	if response, body := s.get(t, "/form.go"); response.StatusCode != http.StatusNotFound || body == "" {
		t.Errorf("/form.go: %s %q, want 404 with a word", response.Status, body)
	}
	for _, path := range []string{"/locales/", "/demo/%2e%2e/", "/demo/..%2f", "/demo/%2e%2e/locales/", "/locales", "/%2e%2e/", "/demo/%2e/"} {
		answer := s.send(t, attack{method: "GET", target: path}.String())
		if !strings.HasPrefix(answer, "HTTP/1.1 404 ") || strings.Contains(answer, "<a href") {
			t.Errorf("%s: %s", path, answer)
		}
	}
	for path, want := range map[string]string{"/demo": "demo/", "/demo/index.html": "./"} {
		answer := s.send(t, attack{method: "GET", target: path}.String())
		if !strings.Contains(answer, "\r\nLocation: "+want+"\r\n") {
			t.Errorf("%s: %s, want it elsewhere, at %s", path, answer, want)
		}
	}
	response, err := http.Post(s.url+"/demo/", "text/plain", strings.NewReader("x"))
	noError(t, err)
	response.Body.Close()
	if response.StatusCode != http.StatusMethodNotAllowed || response.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %s, Allow %q", response.Status, response.Header.Get("Allow"))
	}
}

func TestServeOwnLimits(t *testing.T) {
	s := startServe(t, "--demo", "--rules", "../../examples/shop/rules.yaml", "--limits", "../../examples/shop/limits.yaml")
	_, body := s.get(t, "/index.js")
	if strings.Contains(body, "tuck-end-slim") || strings.Contains(body, "illustrative.yaml") || !strings.Contains(body, `"gift-box"`) {
		t.Error("the module has not the limits of the shop")
	}
}

// TestServeEnds says that both signals end the process, with the status 0 and without a word.
func TestServeEnds(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		p := startProcess(t, "--demo")
		p.signal(t, signal)
		rest, err := io.ReadAll(p.stderr)
		if err != nil || len(rest) > 0 {
			t.Errorf("after %v it says %q, %v", signal, rest, err)
		}
		if err := p.Wait(); err != nil {
			t.Errorf("after %v: %v, want status 0", signal, err)
		}
	}
}
