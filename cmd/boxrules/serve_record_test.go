package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/limits"
	"example.com/boxrules/preflight"
)

// acceptingService answers as the shipped limits have it, with a dieline for what it accepts.
func acceptingService(t *testing.T) string {
	t.Helper()
	checker, err := preflight.New(boxrules.Default(), preflight.Options{})
	noError(t, err)
	service := httptest.NewServer(checker.Middleware(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "%PDF-1.4\n")
	})))
	t.Cleanup(service.Close)
	return service.URL
}

// tightLimits is a limit file in which the tuck-end is at most 300 wide, not 400.
func tightLimits(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "tight.yaml")
	text := strings.Replace(string(limits.IllustrativeYAML()), "width:  {min: 20, max: 400}", "width:  {min: 20, max: 300}", 1)
	noError(t, os.WriteFile(name, []byte(text), 0o644))
	return name
}

func dielineOf(width string) string {
	return "/v1/reseller/dieline?article=tuck-end&material=carton-300&depth=60&height=100&width=" + width
}

// TestServeRecord has the command keep what the service answers, in a file that learn and audit
// read.
func TestServeRecord(t *testing.T) {
	tight, upstream := tightLimits(t), acceptingService(t)
	const box = `{"article":"tuck-end","material":"carton-300","width":`
	for _, test := range []struct {
		name     string
		args     []string
		statuses map[string]int // of requests by width
		lines    []string       // recorded, from the width on
		log      bool           // of a disagreement
	}{
		{"record", nil, map[string]int{"200": 200, "350": 400, "x": 400}, []string{`200,"depth":60,"height":100,"ok":true,"date"`}, false},
		{"dry-run", []string{"--dry-run"}, map[string]int{"350": 200, "450": 400},
			[]string{`350,"depth":60,"height":100,"ok":true,"date"`, `450,"depth":60,"height":100,"ok":false,"code":"BOX_2101","date"`}, true},
		{"sample", []string{"--sample", "1"}, map[string]int{"350": 200, "450": 400},
			[]string{`350,"depth":60,"height":100,"ok":true,"date"`, `450,"depth":60,"height":100,"ok":false,"code":"BOX_2101","date"`}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "answers.ndjson")
			s := startServe(t, append([]string{"--preflight", "--limits", tight, "--upstream", upstream, "--record", file}, test.args...)...)
			for width, want := range test.statuses {
				if response, body := s.get(t, dielineOf(width)); response.StatusCode != want {
					t.Errorf("width %s: status %d, want %d: %s", width, response.StatusCode, want, body)
				}
			}
			_, said := s.end(t) // after which all is recorded
			if logged := strings.Contains(said, "preflight and service disagree"); logged != test.log {
				t.Errorf("a disagreement is logged: %v, want %v", logged, test.log)
			}
			data := readFile(t, file)
			if got := strings.Count(string(data), "\n"); got != len(test.lines) {
				t.Errorf("%d lines are recorded, want %d:\n%s", got, len(test.lines), data)
			}
			for _, line := range test.lines {
				if !strings.Contains(string(data), box+line) {
					t.Errorf("the record lacks %s:\n%s", box+line, data)
				}
			}
			if a := ask(t, "", "audit", "--limits", "../../limits/illustrative.yaml", file); a.status != 0 {
				t.Errorf("audit of the record: %+v", a)
			}
			if a := ask(t, "", "audit", "--limits", tight, file); (a.status == 1) != test.log {
				t.Errorf("audit of the record with other limits: %+v", a)
			}
		})
	}
}

// TestServeRecordUnknown passes on what the limits do not have. The service's answer is not
// recorded, as audit reads no such record.
func TestServeRecordUnknown(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "%PDF-1.4\n")
	}))
	t.Cleanup(service.Close)
	file := filepath.Join(t.TempDir(), "answers.ndjson")
	s := startServe(t, "--preflight", "--limits", tightLimits(t), "--upstream", service.URL, "--record", file, "--pass-unknown")
	for _, from := range []string{"tuck-end", "carton-300"} {
		path := strings.Replace(dielineOf("200"), from, from+"-2", 1)
		if response, body := s.get(t, path); response.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d: %s", path, response.StatusCode, body)
		}
	}
	s.end(t) // after which all is recorded
	if data := readFile(t, file); len(data) > 0 {
		t.Errorf("recorded is\n%s", data)
	}
}

// TestServeRecordReopened says that after a reload a file that was moved away is made again, and that
// an answer does not join a line that was cut off.
func TestServeRecordReopened(t *testing.T) {
	file := filepath.Join(t.TempDir(), "answers.ndjson")
	noError(t, os.WriteFile(file, []byte(`{"article":"tuck-e`), 0o600))
	s := startServe(t, "--preflight", "--illustrative", "--upstream", acceptingService(t), "--record", file, "--log", "off")
	s.get(t, dielineOf("200"))
	for !strings.HasSuffix(string(readFile(t, file)), "\n") { // the answer is recorded in a goroutine of its own
	}
	moved := file + ".1"
	noError(t, os.Rename(file, moved))
	s.reload(t, "reloaded the files")
	for !exists(file) { // which is made in a goroutine of its own
		s.get(t, dielineOf("200"))
	}
	s.get(t, dielineOf("201"))
	s.end(t)
	for name, want := range map[string]string{moved: "200", file: "201"} {
		data, err := os.ReadFile(name)
		lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
		last := lines[len(lines)-1]
		if err != nil || !strings.HasPrefix(last, `{"article":"tuck-end","material":"carton-300","width":`+want) {
			t.Errorf("%s ends with %q, %v, want the width %s", filepath.Base(name), last, err, want)
		}
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// TestServeRecordFile says that a record is for its owner alone.
func TestServeRecordFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "answers.ndjson")
	startServe(t, "--preflight", "--illustrative", "--upstream", "http://a.test", "--record", file)
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o600 {
		t.Errorf("the record is %v, %v, want it for its owner alone", info, err)
	}
}

// TestServeRecordOddAnswers says that learn and audit read what is recorded of a service that
// answers with odd codes, and never take a refusal for an acceptance. One without a type is no
// answer.
func TestServeRecordOddAnswers(t *testing.T) {
	name := filepath.Join(t.TempDir(), "answers.ndjson")
	codes := []string{
		"ok", "OK", " ok", "valid", "Valid", "VALID", "", "box_3100", " BOX_3100", "BOX_3100 ", "\x00", "\xff",
		strings.Repeat("X", 300_000), "BOX_9999",
	}
	var kind, code string
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		refusal := map[string]any{"code": kind, "errors": []any{map[string]any{"code": code}}}
		_ = json.NewEncoder(w).Encode(map[string]any{"response": refusal})
	}))
	defer service.Close()
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL, "--record", name, "--log", "off")
	for _, code = range codes {
		for _, kind = range []string{string(boxrules.TypeBoxError), code} {
			s.get(t, dielineOf("143"))
		}
	}
	s.end(t)
	data, err := os.ReadFile(name)
	if err != nil || strings.Contains(string(data), `"ok":true`) || strings.Count(string(data), "\n") != 2*len(codes)-1 ||
		len(data) > 1000*len(codes) {
		t.Errorf("the record is %.2000s, %v", data, err)
	}
	a := ask(t, "", "audit", "--limits", "../../limits/illustrative.yaml", name)
	if strings.Contains(a.err, "accepted:") || strings.Contains(a.err, "as expected, 0 not") && !strings.Contains(a.err, "0 as expected") {
		t.Errorf("audit of the record: %+v", a)
	}
	frame := write(t, "frame.yaml", oneFrame)
	if a := ask(t, "", "learn", "--limits", frame, name); strings.Contains(a.err, "accepted:") || strings.Contains(a.out, "not selected") {
		t.Errorf("learn from the record: %+v", a)
	}
}

// TestServeRecordQuotation: of a refused quotation nobody knows which item it was, so that nothing
// is learned from it; of an accepted one nobody knows what it looks like, so that it is not
// recorded.
func TestServeRecordQuotation(t *testing.T) {
	file := filepath.Join(t.TempDir(), "answers.ndjson")
	s := startServe(t, "--preflight", "--illustrative", "--dry-run", "--upstream", acceptingService(t), "--record", file, "--log", "off")
	item := func(width string) string {
		return `{"article":"tuck-end","material":"carton-300","width":` + width + `,"depth":60,"height":100,"references":[{"quantity":10000}]}`
	}
	for _, items := range []string{item("200") + "," + item("450"), item("200") + "," + item("210"), item("450")} {
		s.get(t, "/v1/reseller/quotation?items="+url.QueryEscape("["+items+"]"))
	}
	s.end(t)
	data, err := os.ReadFile(file)
	if err != nil || strings.Count(string(data), "\n") != 3 || strings.Count(string(data), `"items":2`) != 2 {
		t.Errorf("the record is %s, %v", data, err)
	}
	a := ask(t, "", "audit", "--limits", "../../limits/illustrative.yaml", file)
	if a.status != 0 || !strings.Contains(a.err, "nothing can be learned from refused quotations with several items: 2 rows, first seen in row 1") ||
		!strings.Contains(a.err, "1 answer: 1 as expected, 0 not") {
		t.Errorf("audit of the record: %+v", a)
	}
}
