package main

import (
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/limits"
	"example.com/boxrules/preflight"
)

// acceptingService answers as the shipped limits have it, with 204 for what it accepts.
func acceptingService(t *testing.T) string {
	t.Helper()
	checker, err := preflight.New(boxrules.Default(), preflight.Options{})
	if err != nil {
		t.Fatal(err)
	}
	service := httptest.NewServer(checker.Handler())
	t.Cleanup(service.Close)
	return service.URL
}

// tightLimits is a limit file in which the tuck-end is at most 300 wide, not 400.
func tightLimits(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "tight.yaml")
	text := strings.Replace(string(limits.IllustrativeYAML()), "width:  {min: 20, max: 400}", "width:  {min: 20, max: 300}", 1)
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func dielineOf(width string) string {
	return "/v1/reseller/dieline?article=tuck-end&material=carton-300&depth=60&height=100&width=" + width
}

// TestServeRecord has the command keep what the service answers, in a file that learn and audit read.
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
		{"record", nil, map[string]int{"200": 204, "350": 400, "x": 400}, []string{`200,"depth":60,"height":100,"ok":true,"date"`}, false},
		{"observe", []string{"--observe"}, map[string]int{"350": 204, "450": 400},
			[]string{`350,"depth":60,"height":100,"ok":true,"date"`, `450,"depth":60,"height":100,"ok":false,"code":"BOX_2101","date"`}, true},
		{"sample", []string{"--sample", "1"}, map[string]int{"350": 204, "450": 400},
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
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
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
			if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			logged := false
			for {
				line, err := s.stderr.ReadString('\n')
				logged = logged || strings.Contains(line, "preflight and service disagree")
				if err != nil {
					break
				}
			}
			if logged != test.log {
				t.Errorf("a disagreement is logged: %v, want %v", logged, test.log)
			}
		})
	}
}

// TestServeRecordReopened follows a file that was moved away, once it is told so, and goes on from a line that was cut off.
func TestServeRecordReopened(t *testing.T) {
	file := filepath.Join(t.TempDir(), "answers.ndjson")
	if err := os.WriteFile(file, []byte(`{"article":"tuck-e`), 0o644); err != nil {
		t.Fatal(err)
	}
	s := startServe(t, "--preflight", "--illustrative", "--upstream", acceptingService(t), "--record", file, "--log", "off")
	s.get(t, dielineOf("200"))
	moved := file + ".1"
	if err := os.Rename(file, moved); err != nil {
		t.Fatal(err)
	}
	if err := s.process.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	for range 10_000 {
		s.get(t, dielineOf("201"))
		if _, err := os.Stat(file); err == nil {
			break
		}
	}
	for _, name := range []string{file, moved} {
		data, err := os.ReadFile(name)
		if err != nil || !strings.HasPrefix(string(data), `{"article":"tuck-end","material":"carton-300","width":20`) {
			t.Errorf("%s has %q, %v", filepath.Base(name), data, err)
		}
	}
}

// TestServeRecordUsage tells flags apart that go together.
func TestServeRecordUsage(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"--preflight --record x.ndjson", "--record is given without --upstream"},
		{"--preflight --observe", "--observe is given without --upstream"},
		{"--preflight --sample 0.1", "--sample is given without --upstream"},
		{"--preflight --illustrative --upstream http://a.test --sample 1.5", "not a share; accepted: a number from 0 to 1"},
		{"--preflight --illustrative --upstream http://a.test --sample x", "not a share; accepted: a number from 0 to 1"},
		{"--preflight --illustrative --upstream http://a.test --sample 0.1 --observe", "--sample is given with --observe"},
		{"--preflight --illustrative --upstream http://a.test --record=", "--record names no file"},
		{"--preflight --illustrative --upstream http://a.test --record /none/x.ndjson", "--record \"/none/x.ndjson\": no such file"},
	} {
		a := ask(t, "", append([]string{"serve"}, strings.Fields(test.args)...)...)
		if a.status != 2 || !strings.Contains(a.err, test.want) || strings.Count(a.err, "\n") > 2 {
			t.Errorf("serve %s: %+v, want %s", test.args, a, test.want)
		}
	}
}

// TestServeRecordQuotation: of a refused quotation nobody knows which item it was, so that nothing is learned from it.
func TestServeRecordQuotation(t *testing.T) {
	file := filepath.Join(t.TempDir(), "answers.ndjson")
	s := startServe(t, "--preflight", "--illustrative", "--observe", "--upstream", acceptingService(t), "--record", file, "--log", "off")
	item := func(width string) string {
		return `{"article":"tuck-end","material":"carton-300","width":` + width + `,"depth":60,"height":100,"references":[{"quantity":10000}]}`
	}
	for _, items := range []string{item("200") + "," + item("450"), item("200") + "," + item("210"), item("450")} {
		s.get(t, "/v1/reseller/quotation?items="+url.QueryEscape("["+items+"]"))
	}
	data, err := os.ReadFile(file)
	if err != nil || strings.Count(string(data), "\n") != 5 || strings.Count(string(data), `"items":2`) != 4 {
		t.Errorf("the record is %s, %v", data, err)
	}
	a := ask(t, "", "audit", "--limits", "../../limits/illustrative.yaml", file)
	if a.status != 0 || !strings.Contains(a.err, "nothing is learned from refused quotations of several items: 2 rows, the first is row 1") ||
		!strings.Contains(a.err, "3 answers: 3 as expected, 0 not") {
		t.Errorf("audit of the record: %+v", a)
	}
}
