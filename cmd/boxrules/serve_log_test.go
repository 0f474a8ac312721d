package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"example.com/boxrules/cmd/boxrules/internal/console"
)

// jsonLine reads an object, and checks that no key is repeated.
func jsonLine(t *testing.T, line string) map[string]any {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal([]byte(line), &object); err != nil {
		t.Fatalf("%q is no JSON: %v", line, err)
	}
	d := json.NewDecoder(strings.NewReader(line))
	_, _ = d.Token()
	keys := 0
	for ; d.More(); keys++ {
		var value json.RawMessage
		_, _ = d.Token()
		_ = d.Decode(&value)
	}
	if keys != len(object) {
		t.Errorf("%q has a key twice", line)
	}
	return object
}

// TestServeLogJSON: with --log json every line is JSON, whatever it reports.
func TestServeLogJSON(t *testing.T) {
	service, _ := troubledService(t)
	file := tightLimits(t)
	s := startServe(t, "--log", "json", "--preflight", "--demo", "--limits", file, "--upstream", service.URL,
		"--sample", "1", "--metrics", "127.0.0.1:0", "--record", filepath.Join(t.TempDir(), "r.ndjson"))
	bad := strings.Replace(dieline, "width=143", "width=48", 1)
	s.get(t, dieline)
	s.get(t, bad)
	s.get(t, strings.Replace(dieline, "width=143", "width=%0a", 1))
	s.send(t, attack{method: "GET", target: "/v1/reseller/orders/cut"}.String())
	s.get(t, "/v1/reseller/orders/more") // net/http's client gets a second answer
	s.get(t, "/demo/")
	var lines []map[string]any
	readTo := func(message string) {
		t.Helper()
		for !slices.ContainsFunc(lines, func(line map[string]any) bool { return strings.Contains(fmt.Sprint(line["msg"]), message) }) {
			text, err := s.stderr.ReadString('\n')
			if err != nil {
				t.Fatalf("serve ends after %v", lines)
			}
			lines = append(lines, jsonLine(t, text))
		}
	}
	readTo("Unsolicited response")
	noError(t, os.WriteFile(file, []byte("version: 2\narticles: 1\n"), 0o600))
	s.hangups <- syscall.SIGHUP
	readTo("still using the files")
	_, rest := s.end(t)
	for text := range strings.Lines(rest) {
		lines = append(lines, jsonLine(t, text))
	}
	has := func(want string, about func(map[string]any) bool) {
		t.Helper()
		if !slices.ContainsFunc(lines, about) {
			t.Errorf("there is no line %s in\n%v", want, lines)
		}
	}
	for _, want := range []string{"WARN preflight and service disagree", "WARN the service's response was cut short", "WARN Unsolicited response",
		"ERROR " + file + ":", "ERROR reload failed"} {
		has(want, func(l map[string]any) bool { return strings.HasPrefix(fmt.Sprint(l["level"], " ", l["msg"]), want) })
	}
	for _, want := range []map[string]any{
		{"path": dielinePath, "status": 200.0, "outcome": "passed", "code": nil},
		{"path": dielinePath, "status": 400.0, "outcome": "malformed", "code": nil, "upstream_us": nil},
		{"path": "/v1/reseller/orders/cut", "status": 200.0, "outcome": "upstream-failed"},
		{"path": "/v1/reseller/orders/more", "status": 204.0, "outcome": "unjudged"},
		{"path": "/demo/", "status": 200.0, "outcome": nil},
	} {
		has(fmt.Sprint(want), func(l map[string]any) bool {
			for key, value := range want {
				if l[key] != value {
					return false
				}
			}
			id, _ := l["request_id"].(string)
			took, ok := l["took_us"].(float64)
			upstream, asked := l["upstream_us"].(float64)
			return len(id) == 26 && ok && took > 0 && (!asked || upstream > 0 && upstream <= took)
		})
	}
	// Each line about a request has the id of its line.
	ids := make(map[any]bool)
	for _, l := range lines {
		if l["msg"] == "request" {
			ids[l["request_id"]] = true
			if l["outcome"] == "passed" && l["code"] != nil {
				t.Errorf("%v has the code of a refusal", l)
			}
		}
	}
	if len(ids) != 6 {
		t.Errorf("%d ids, want 6", len(ids))
	}
	for _, l := range lines {
		if l["level"] == "WARN" && !strings.HasPrefix(fmt.Sprint(l["msg"]), "Unsolicited response") && !ids[l["request_id"]] {
			t.Errorf("%v has no id of a request", l)
		}
	}
}

// TestServeLogPath says that the log has no character of a path that a terminal would obey.
func TestServeLogPath(t *testing.T) {
	for _, format := range []string{"json", "text"} {
		s := startServe(t, "--preflight", "--log", format)
		for _, r := range "\u0080\u009b\u009f\u061c\u200e\u200f\u202a\u202e\u2066\u2069\x1b\U000e0001" {
			path := "/v1/a" + string(r) + "b"
			s.get(t, (&url.URL{Path: path}).EscapedPath())
			line, err := s.stderr.ReadString('\n')
			if err != nil || strings.ContainsFunc(strings.TrimSuffix(line, "\n"), console.Unprintable) {
				t.Errorf("of %q --log %s has %q, %v", path, format, line, err)
			}
			if format == "json" && jsonLine(t, line)["path"] != path {
				t.Errorf("%q is logged as %s", path, line)
			}
		}
	}
}

// TestRequestID: which ids are accepted, and where they are sent.
func TestRequestID(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if id := r.URL.Query().Get("id"); id != "" {
			w.Header().Set("X-Request-Id", id)
		}
		if r.URL.Query().Has("early") {
			w.WriteHeader(http.StatusEarlyHints)
		}
		_, _ = fmt.Fprintf(w, "%q", r.Header["X-Request-Id"])
	}))
	defer service.Close()
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL)
	long := strings.Repeat("x", 128)
	for _, test := range []struct {
		name   string
		given  []string
		target string
		taken  bool
		theirs string
	}{
		{"none", nil, "/", false, ""},
		{"one", []string{"a-1/b=c~!"}, "/", true, ""},
		{"the longest", []string{long}, "/", true, ""},
		{"too long", []string{long + "x"}, "/", false, ""},
		{"empty", []string{""}, "/", false, ""},
		{"with a space", []string{"a b"}, "/", false, ""},
		{"with a tab", []string{"a\tb"}, "/", false, ""},
		{"not ASCII", []string{"ä"}, "/", false, ""},
		{"no UTF-8", []string{"\xff"}, "/", false, ""},
		{"two", []string{"a", "a"}, "/", false, ""},
		{"echoed by the service", []string{"a"}, "/?id=a", true, ""},
		{"another by the service", []string{"a"}, "/?id=b", true, "b"},
		{"after an interim answer", []string{"a"}, "/?early", true, ""},
		{"another after an interim answer", []string{"a"}, "/?early&id=b", true, "b"},
		{"not to be passed on", []string{"a"}, "/", true, ""},
		{"refused", []string{"a"}, "/v1/reseller/dieline", true, ""},
	} {
		var headers []string
		for _, id := range test.given {
			headers = append(headers, "X-Request-ID: "+id)
		}
		if test.name == "not to be passed on" {
			headers = append(headers, "Connection: close, X-Request-Id")
		}
		text := s.send(t, attack{method: "GET", target: test.target, headers: headers}.String())
		if strings.Contains(test.target, "early") {
			_, text, _ = strings.Cut(text, "\r\n\r\n")
		}
		answer, err := http.ReadResponse(bufio.NewReader(strings.NewReader(text)), nil)
		if err != nil {
			t.Fatal(test.name, err)
		}
		body, _ := io.ReadAll(answer.Body)
		line, err := s.stderr.ReadString('\n')
		noError(t, err)
		_, id, _ := strings.Cut(strings.TrimSpace(line), " request_id=")
		id = strings.Trim(id, `"`) // where the log quotes it
		if test.taken != (len(test.given) == 1 && id == test.given[0]) || !test.taken && len(id) != 26 {
			t.Errorf("%s: the log has the id %q", test.name, id)
		}
		want := []string{id}
		if test.theirs != "" {
			want[0] = test.theirs
		}
		if got := answer.Header["X-Request-Id"]; !slices.Equal(got, want) {
			t.Errorf("%s: answered with %q, want %q", test.name, got, want)
		}
		if strings.Contains(line, "upstream_request_id="+test.theirs+" ") != (test.theirs != "") {
			t.Errorf("%s: the log is %s", test.name, line)
		}
		if answer.StatusCode == 200 && string(body) != fmt.Sprintf("[%q]", id) {
			t.Errorf("%s: the service gets %s, want %q", test.name, body, id)
		}
	}
	// What the log would not take of a client it does not take of the service either.
	odd := long + "x"
	if text := s.send(t, attack{method: "GET", target: "/?id=" + odd}.String()); !strings.Contains(text, "X-Request-Id: "+odd+"\r\n") {
		t.Errorf("the service's id is %q, the client gets %s", odd, text)
	}
	if line, err := s.stderr.ReadString('\n'); err != nil || strings.Contains(line, odd) || !strings.Contains(line, " request_id=") {
		t.Errorf("the log is %s, %v", line, err)
	}
}
