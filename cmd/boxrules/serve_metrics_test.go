package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"example.com/boxrules/limits"
)

// The paths of the interface, as metrics have them.
const (
	dielinePath   = "/v1/reseller/dieline"
	quotationPath = "/v1/reseller/quotation"
	orderPath     = "/v1/reseller/orders/{order_id}"
	productPath   = "/v1/reseller/orders/{order_id}/products/{product_id}"
	tokenPath     = "/v1/oauth2/token"
)

// series has the values of the metrics, by name and labels as they are written.
type series map[string]float64

func readSeries(t *testing.T, text string) series {
	t.Helper()
	all := make(series)
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndexByte(line, ' ')
		value, err := strconv.ParseFloat(strings.TrimSpace(line[at+1:]), 64)
		if err != nil {
			t.Fatalf("%q is no series: %v", line, err)
		}
		all[line[:at]] = value
	}
	return all
}

// above are the series that begin so and are not 0.
func (s series) above(prefix string) series {
	rest := maps.Clone(s)
	maps.DeleteFunc(rest, func(name string, value float64) bool { return value == 0 || !strings.HasPrefix(name, prefix) })
	return rest
}

func (s *served) scrape(t *testing.T) (text string, all series) {
	t.Helper()
	response, err := http.Get(s.metrics)
	noError(t, err)
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	noError(t, err)
	return string(data), readSeries(t, string(data))
}

// waitFor scrapes until the requests are those: one is counted when its answer has been sent. It
// scrapes once more then, as the series of one scrape are not of the same moment.
func (s *served) waitFor(t *testing.T, want series) series {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		_, all := s.scrape(t)
		got := all.above("boxrules_requests_total")
		if maps.Equal(got, want) {
			_, all = s.scrape(t)
			return all
		}
		if time.Now().After(deadline) {
			t.Fatalf("requests are\n%v\nwant\n%v", got, want)
		}
	}
}

func requestsOf(path, outcome, code string) string {
	return fmt.Sprintf(`boxrules_requests_total{code=%q,outcome=%q,path=%q}`, code, outcome, path)
}

// troubledService answers 200, except for some orders. hang and gone get no answer, cut and half get
// only the beginning of one, none gets a status that does not exist, and more gets a second answer. The
// channel reports when somebody asks for gone.
func troubledService(t *testing.T) (service *httptest.Server, gone chan struct{}) {
	gone = make(chan struct{})
	service = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/reseller/orders/hang":
			<-r.Context().Done()
		case "/v1/reseller/orders/gone":
			close(gone)
			<-r.Context().Done()
		case "/v1/reseller/orders/cut":
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "half of it")
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		case "/v1/reseller/orders/none", "/v1/reseller/orders/more":
			connection, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				panic(err)
			}
			defer connection.Close()
			if r.URL.Path == "/v1/reseller/orders/none" {
				_, _ = io.WriteString(connection, "HTTP/1.1 099 X\r\nContent-Length: 2\r\n\r\nok")
				return
			}
			_, _ = io.WriteString(connection, "HTTP/1.1 204 No Content\r\n\r\nmore")
		case "/v1/reseller/orders/half":
			_, _ = io.WriteString(w, "half of it")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	}))
	t.Cleanup(service.Close)
	return service, gone
}

// TestServeMetrics says what counts as what. The names are those that Prometheus recommends.
func TestServeMetrics(t *testing.T) {
	service, gone := troubledService(t)
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL, "--metrics", "127.0.0.1:0")
	few := "/v1/reseller/quotation?items=" + `%5B%7B%22article%22:%22tuck-end%22,%22material%22:%22carton-300%22,%22width%22:143,` +
		`%22depth%22:50,%22height%22:303,%22references%22:%5B%7B%22quantity%22:1%7D%5D%7D%5D`
	want := make(series)
	for _, test := range []struct{ method, target, body, path, outcome, code string }{
		{"GET", dieline, "", dielinePath, "passed", ""},
		{"HEAD", dieline, "", dielinePath, "passed", ""},
		{"HEAD", "/base" + dieline, "", "other", "unjudged", ""},
		{"GET", dielinePath + "?" + badBox, "", dielinePath, "refused", "BOX_2100"},
		{"GET", strings.Replace(dieline, "width=143", "width=48", 1), "", dielinePath, "refused", "BOX_3100"},
		{"GET", few, "", quotationPath, "refused", "QTT_1114"},
		{"GET", strings.Replace(dieline, "carton-300", "none", 1), "", dielinePath, "malformed", ""},
		{"GET", strings.Replace(dieline, "width=143", "width=wide", 1), "", dielinePath, "malformed", ""},
		{"POST", dieline, "", dielinePath, "unjudged", ""},
		{"GET", "http://b" + dieline, "", dielinePath, "passed", ""},
		{"GET", "/" + dieline, "", "other", "unjudged", ""},
		{"GET", "/v1/reseller/Dieline", "", "other", "unjudged", ""},
		{"GET", "/v1/reseller/diel%69ne", "", "other", "unjudged", ""},
		{"OPTIONS", "*", "", "other", "unjudged", ""},
		{"POST", "/v1/reseller/orders/1", "x", orderPath, "unjudged", ""},
		{"GET", "/v1/reseller/orders/1/products/1.1?x=1", "", productPath, "unjudged", ""},
		{"POST", "/v1/oauth2/token", "grant_type=x", tokenPath, "unjudged", ""},
		{"GET", "/metrics", "", "other", "unjudged", ""},
		{"GET", "/v1/reseller/orders/cut", "", orderPath, "upstream-failed", ""},
		{"GET", "/v1/reseller/orders/none", "", orderPath, "upstream-failed", ""},
		{"GET", "/v1/reseller/orders/more", "", orderPath, "unjudged", ""},
	} {
		length := []string{fmt.Sprint("Content-Length: ", len(test.body))}
		s.send(t, attack{method: test.method, target: test.target, body: test.body, headers: length}.String())
		want[requestsOf(test.path, test.outcome, test.code)]++
		s.waitFor(t, want)
	}
	s.send(t, "POST /v1/reseller/orders/1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n")
	want[requestsOf(orderPath, "malformed", "")]++
	s.waitFor(t, want)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-gone; cancel() }()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/v1/reseller/orders/gone", nil)
	noError(t, err)
	if _, err := http.DefaultClient.Do(r); err == nil {
		t.Error("a request that was given up is answered")
	}
	want[requestsOf(orderPath, "abandoned", "")]++
	// One that goes while the answer is on the way.
	r, err = http.NewRequest(http.MethodGet, s.url+"/v1/reseller/orders/half", nil)
	noError(t, err)
	answer, err := http.DefaultClient.Do(r)
	noError(t, err)
	answer.Body.Close()
	want[requestsOf(orderPath, "unjudged", "")]++
	service.Close()
	s.get(t, dieline)
	want[requestsOf(dielinePath, "upstream-failed", "")]++
	s.get(t, "/healthz")
	s.get(t, "/readyz")
	all := s.waitFor(t, want)
	for name, want := range map[string]float64{
		"boxrules_decision_seconds_count": 9, "boxrules_upstream_seconds_count": 20,
		"boxrules_requests_in_flight": 0, "boxrules_requests_waiting": 0, "boxrules_disagreements_total": 0, "boxrules_last_reload_failed": 0,
	} {
		if got, ok := all[name]; got != want || !ok {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	shipped := fmt.Sprintf("boxrules_limits_info{hash=\"%x\"}", sha256.Sum256(limits.IllustrativeYAML()))
	if info := all.above("boxrules_limits_info"); len(info) != 1 || info[shipped] != 1 {
		t.Errorf("the limits are %v, want %s", info, shipped)
	}
	if info := all.above("boxrules_rules_info"); len(info) != 1 || info[`boxrules_rules_info{hash="documented"}`] != 1 {
		t.Errorf("the rules are %v, want the documented ones", info)
	}
	text, _ := s.scrape(t)
	if problems, err := promlint.New(strings.NewReader(text)).Lint(); err != nil || len(problems) > 0 {
		t.Errorf("promlint: %v %v", problems, err)
	}
	for _, name := range []string{"go_goroutines", "process_cpu_seconds_total", `boxrules_decision_seconds_bucket{le="1e-06"}`,
		requestsOf(quotationPath, "upstream-failed", "")} {
		if _, ok := all[name]; !ok {
			t.Errorf("there is no %s", name)
		}
	}
}

// TestServeMetricsOf: what is counted if nothing is refused, or no service is asked.
func TestServeMetricsOf(t *testing.T) {
	service, _ := troubledService(t)
	upstream := []string{"--preflight", "--illustrative", "--upstream", service.URL}
	bad := strings.Replace(dieline, "width=143", "width=48", 1)
	// BOX_3103 exactly, and valid in double precision.
	edge := dielinePath + "?article=auto-bottom&material=carton-300&width=156.9&depth=209.2&height=138.5"
	for _, test := range []struct {
		name          string
		args          []string
		targets       []string
		want          series
		disagreements float64
	}{
		{"dry-run", append(upstream, "--dry-run"), []string{bad, dieline}, series{requestsOf(dielinePath, "passed", ""): 2}, 1},
		{"dry-run with a base", []string{"--preflight", "--illustrative", "--upstream", service.URL + "/base/", "--dry-run"},
			[]string{bad, dieline, "/base" + bad}, series{requestsOf(dielinePath, "passed", ""): 2, requestsOf("other", "unjudged", ""): 1}, 1},
		{"borderline", upstream, []string{edge, dieline}, series{requestsOf(dielinePath, "borderline", ""): 1, requestsOf(dielinePath, "passed", ""): 1}, 0},
		{"borderline in a dry run", append(upstream, "--dry-run"), []string{edge}, series{requestsOf(dielinePath, "borderline", ""): 1}, 0},
		{"borderline, no upstream", []string{"--preflight"}, []string{edge}, series{requestsOf(dielinePath, "borderline", ""): 1}, 0},
		{"sample", append(upstream, "--sample", "1"), []string{bad, dieline}, series{requestsOf(dielinePath, "passed", ""): 2}, 1},
		{"no upstream", []string{"--preflight", "--demo"}, []string{bad, dieline, "/v1/reseller/orders/1", "/v1/nothing", "/demo/", "/nothing"},
			series{requestsOf(dielinePath, "passed", ""): 1, requestsOf(dielinePath, "refused", "BOX_3100"): 1,
				requestsOf(orderPath, "unjudged", ""): 1, requestsOf("other", "unjudged", ""): 1}, 0},
		{"late", append(upstream, "--upstream-time", "50ms"), []string{"/v1/reseller/orders/hang"},
			series{requestsOf(orderPath, "upstream-failed", ""): 1}, 0},
		{"sandbox", []string{"--sandbox"}, []string{dieline, "/nothing"},
			series{requestsOf(dielinePath, "passed", ""): 1, requestsOf("other", "passed", ""): 1}, 0},
		{"demo", []string{"--demo"}, []string{"/demo/", "/v1/oauth2/token"}, series{}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := startServe(t, append(test.args, "--metrics", "127.0.0.1:0", "--log", "off")...)
			for _, target := range test.targets {
				s.get(t, target)
			}
			if all := s.waitFor(t, test.want); all["boxrules_disagreements_total"] != test.disagreements {
				t.Errorf("%v disagreements, want %v", all["boxrules_disagreements_total"], test.disagreements)
			}
		})
	}
}

// TestServeMetricsPort says that metrics have a port of their own, which ends with the server.
func TestServeMetricsPort(t *testing.T) {
	s := startServe(t, "--preflight", "--metrics", "127.0.0.1:0", "--log", "off")
	if response, _ := s.get(t, "/metrics"); response.StatusCode != http.StatusNotFound {
		t.Errorf("/metrics where requests go: %s, want 404", response.Status)
	}
	base := strings.TrimSuffix(s.metrics, "/metrics")
	for _, path := range []string{"/", "/healthz", dieline, "/metrics/"} {
		response, err := http.Get(base + path)
		noError(t, err)
		response.Body.Close()
		if response.StatusCode != http.StatusNotFound {
			t.Errorf("%s where metrics are: %s, want 404", path, response.Status)
		}
	}
	address := strings.TrimPrefix(base, "http://")
	got := ask(t, "", "serve", "--demo", "--address", "127.0.0.1:0", "--metrics", address)
	if got.status != 2 || !strings.Contains(got.err, "address already in use; use HOST:PORT with a free port, such as 127.0.0.1:8081") {
		t.Errorf("--metrics %s: %d %s", address, got.status, got.err)
	}
	if status, said := s.end(t); status != 0 {
		t.Errorf("it ends with the status %d and says %s", status, said)
	}
	if connection, err := net.Dial("tcp", address); err == nil {
		connection.Close()
		t.Error("metrics are answered after the end")
	}
}

// TestServeMetricsBounds says that the port of the metrics has the bounds of the other one.
func TestServeMetricsBounds(t *testing.T) {
	s := startServe(t, "--preflight", "--metrics", "127.0.0.1:0", "--log", "off", "--max-connections", "1")
	address := strings.TrimSuffix(strings.TrimPrefix(s.metrics, "http://"), "/metrics")
	var open []net.Conn
	for _, test := range []struct{ header, want string }{{"", "HTTP/1.1 200 "}, {strings.Repeat("x", 90_000), "HTTP/1.1 431 "}} {
		connection, err := net.Dial("tcp", address)
		noError(t, err)
		defer connection.Close()
		readAnswer(t, connection, "GET /metrics HTTP/1.1\r\nHost: x\r\nX: "+test.header+"\r\n\r\n", test.want)
		open = append(open, connection)
	}
	_ = open[0].SetReadDeadline(time.Now().Add(30 * time.Second)) // ends what hangs
	if _, err := io.Copy(io.Discard, open[0]); err != nil {
		t.Errorf("the idle connection has not given way to the new one: %v", err)
	}
}

// TestServeReload says that SIGHUP loads the files again, that bad ones change nothing, and that it
// is seen from outside which limits are in force.
func TestServeReload(t *testing.T) {
	data := string(readFile(t, tightLimits(t)))
	file := filepath.Join(t.TempDir(), "limits.yaml")
	s := (*served)(nil)
	first, last := time.Now().Unix(), series(nil)
	for _, step := range []struct {
		text   string
		said   string
		failed float64
		ready  string
		status int // of a box that is 350 wide
	}{
		{data, "", 0, "ready\n", http.StatusBadRequest},
		{strings.Replace(data, "max: 300", "max: 400", 1), "reloaded the files", 0, "ready\n", http.StatusNoContent},
		{"version: 2", "still using the files", 1, "ready; the last reload failed, see the log\n", http.StatusNoContent},
		{data + "# changed\n", "reloaded the files", 0, "ready\n", http.StatusBadRequest},
	} {
		noError(t, os.WriteFile(file, []byte(step.text), 0o600))
		if s == nil {
			s = startServe(t, "--preflight", "--limits", file, "--metrics", "127.0.0.1:0")
		} else {
			s.reload(t, step.said)
		}
		response, body := s.get(t, "/readyz")
		if response.StatusCode != http.StatusOK || body != step.ready {
			t.Errorf("%.10s: /readyz %s %q, want 200 %q", step.text, response.Status, body, step.ready)
		}
		if response, _ := s.get(t, dielineOf("350")); response.StatusCode != step.status {
			t.Errorf("%.10s: %s, want %d", step.text, response.Status, step.status)
		}
		_, all := s.scrape(t)
		if step.failed == 0 {
			last = series{fmt.Sprintf("boxrules_limits_info{hash=\"%x\"}", sha256.Sum256([]byte(step.text))): 1}
		}
		if info := all.above("boxrules_limits_info"); all["boxrules_last_reload_failed"] != step.failed || !maps.Equal(info, last) {
			t.Errorf("%.10s: failed %v, %v, want %v, %v", step.text, all["boxrules_last_reload_failed"], info, step.failed, last)
		}
		at := int64(all["boxrules_limits_loaded_timestamp_seconds"])
		if now := time.Now().Unix(); at < first || at > now {
			t.Errorf("%.10s: loaded at %d, want it from %d to %d", step.text, at, first, now)
		}
	}
}

// TestServeRulesInfo says that the metrics and the log of a reload tell which files are in force.
func TestServeRulesInfo(t *testing.T) {
	const rules, limits = "../../examples/shop/rules.yaml", "../../examples/shop/limits.yaml"
	hash := func(name string) string { return fmt.Sprintf("%x", sha256.Sum256(readFile(t, name))) }
	s := startServe(t, "--preflight", "--rules", rules, "--limits", limits, "--metrics", "127.0.0.1:0", "--log", "off")
	s.reload(t, "reloaded the files: SHA-256 of the limits "+hash(limits)+", of the rules "+hash(rules)+"\n")
	_, all := s.scrape(t)
	for name, file := range map[string]string{"boxrules_rules_info": rules, "boxrules_limits_info": limits} {
		if info := all.above(name); len(info) != 1 || info[fmt.Sprintf("%s{hash=%q}", name, hash(file))] != 1 {
			t.Errorf("%s is %v, want the hash of %s", name, info, file)
		}
	}
}
