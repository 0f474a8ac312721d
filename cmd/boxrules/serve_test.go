package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
	"example.com/boxrules/form"
	"example.com/boxrules/limits"
)

// served is the command serving in a process of its own, until the test ends.
type served struct {
	url     string
	metrics string // where they are, empty where they are nowhere
	process *exec.Cmd
	stderr  *bufio.Reader
}

func startServe(t *testing.T, args ...string) *served {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &served{process: exec.Command(self, append([]string{"serve", "--address", "127.0.0.1:0"}, args...)...)}
	s.process.Env = append(os.Environ(), "BOXRULES_TEST_MAIN=1")
	stderr, err := s.process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.stderr = bufio.NewReader(stderr)
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.process.Process.Kill()
		_ = s.process.Wait()
	})
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
	return s
}

func (s *served) get(t *testing.T, path string) (*http.Response, string) {
	t.Helper()
	response, err := http.Get(s.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// reload has the files loaded again, and waits until it says so.
func (s *served) reload(t *testing.T, want string) {
	t.Helper()
	if err := s.process.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	index, err := codegen.JavaScript(boxrules.Default(), codegen.Options{})
	if err != nil {
		t.Fatal(err)
	}
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
	response, err := http.Post(s.url+"/demo/", "text/plain", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusMethodNotAllowed || response.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %s, Allow %q", response.Status, response.Header.Get("Allow"))
	}
	first, _ := s.get(t, "/index.js")
	request, err := http.NewRequest(http.MethodGet, s.url+"/index.js", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("If-None-Match", first.Header.Get("ETag"))
	if response, err = http.DefaultClient.Do(request); err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusNotModified {
		t.Errorf("the same file again: %s, want 304", response.Status)
	}
}

func TestServeOwnLimits(t *testing.T) {
	s := startServe(t, "--demo", "--rules", "../../examples/shop/rules.yaml", "--limits", "../../examples/shop/limits.yaml")
	data, err := os.ReadFile("../../examples/shop/limits.yaml")
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := limits.Load("limits.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/index.js", "/details.js"} {
		_, body := s.get(t, path)
		if strings.Contains(body, "tuck-end-slim") || strings.Contains(body, "illustrative.yaml") {
			t.Errorf("%s has the shipped limits", path)
		}
		if path == "/index.js" {
			for _, article := range catalogue.Articles() {
				if !strings.Contains(body, `"`+article.Code+`"`) {
					t.Errorf("%s does not have article %s", path, article.Code)
				}
			}
		}
	}
}

func TestServeEnds(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		s := startServe(t, "--demo")
		if err := s.process.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		rest, err := io.ReadAll(s.stderr)
		if err != nil || strings.Contains(string(rest), "boxrules:") {
			t.Errorf("after %v it says %q, %v", signal, rest, err)
		}
		if err := s.process.Wait(); err != nil {
			t.Errorf("after %v: %v, want status 0", signal, err)
		}
	}
}
