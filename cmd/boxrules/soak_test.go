// This file has serve --upstream under load while its limit file changes, and counts what becomes
// of each request. In minutes of that, with memory, and times next to a bare reverse proxy:
//
//	scripts/soak [MINUTES]

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/sidecar"
	"example.com/boxrules/limits"
	"example.com/boxrules/preflight"
)

// soakClients are how many send requests, each the next one when its last is answered.
const soakClients = 8

// soakWidths are those of the boxes that are asked for: of them 350 passes by the shipped limits
// and not by the tight ones.
var soakWidths = []string{"200", "350", "450", "10", "wide"}

// The limit files in turn; of the third the sidecar says that it is wrong.
var soakTurns = []struct{ file, said string }{
	{"tight", "reloaded the files"}, {"wrong", "still using the files"},
	{"shipped", "reloaded the files"}, {"wrong", "still using the files"}, {"shipped", "reloaded the files"},
}

// What clients send at present, each for one turn of limit files: everything in the first ones,
// then only what passes, to the sidecar and to a bare proxy.
const (
	soakAll = iota
	soakSidecar
	soakBare
)

var soakPhases = []int{soakAll, soakAll, soakAll, soakAll, soakAll, soakAll, soakSidecar, soakBare, soakSidecar, soakBare}

// A soak is a sidecar and a bare proxy in front of a service, and the result of each request.
type soak struct {
	t       *testing.T
	sidecar *process
	bare    string // address
	verdict map[string][]string
	client  *http.Client

	phase   atomic.Int32
	stop    atomic.Bool
	next    atomic.Int64   // number of the last request, which is its id
	arrived []atomic.Int32 // at the service, how often, by number

	mu     sync.Mutex
	counts map[string]int // of the sidecar's answers, by what they say
	seen   map[string]int // of the box that the limits differ about
	times  [3][]time.Duration

	lines  atomic.Int64 // of the log, about requests
	reload chan string  // the log line of each
}

// TestSoak says that reloads under load lose nothing: each request is answered once, with the
// verdict of one of the limit files, and is counted as that by the client, by the service, in the
// metrics and in the log.
func TestSoak(t *testing.T) {
	minutes, _ := strconv.ParseFloat(os.Getenv("BOXRULES_SOAK"), 64)
	s := newSoak(t, 200_000+int(minutes*2_000_000))
	var clients sync.WaitGroup
	for range soakClients {
		clients.Go(s.send)
	}
	steps := len(soakPhases)
	if os.Getenv("CI") != "" {
		steps *= 4
	}
	steps = max(steps, int(minutes*60))
	var memory []float64
	for step := range steps {
		s.phase.Store(int32(soakPhases[step%len(soakPhases)]))
		from, tick := s.next.Load(), time.Now().Add(time.Second)
		s.turn(step)
		_, all := s.sidecar.scrape(t)
		memory = append(memory, all["process_resident_memory_bytes"]/1e6)
		if failed := soakTurns[step%len(soakTurns)].file == "wrong"; failed != (all["boxrules_last_reload_failed"] == 1) {
			t.Errorf("step %d: the metric of failed reloads is %v", step, all["boxrules_last_reload_failed"])
		}
		for s.next.Load() < from+100 {
			if s.full() {
				t.Fatalf("more than %d requests, which is all that are counted", len(s.arrived))
			}
			time.Sleep(time.Millisecond)
		}
		if minutes > 0 {
			time.Sleep(time.Until(tick))
		}
	}
	s.stop.Store(true)
	clients.Wait()
	s.check()
	if minutes > 0 {
		s.report(memory)
	}
}

func newSoak(t *testing.T, requests int) *soak {
	s := &soak{
		t: t, arrived: make([]atomic.Int32, requests), counts: make(map[string]int), seen: make(map[string]int),
		verdict: make(map[string][]string), reload: make(chan string, 1),
		client: &http.Client{Transport: wideTransport(soakClients)},
	}
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		n, err := strconv.Atoi(id)
		if err != nil || n >= len(s.arrived) {
			t.Errorf("the service gets the id %q", id)
			return
		}
		s.arrived[n].Add(1)
		_, _ = fmt.Fprintf(w, "dieline %s %s", id, strings.Repeat("x", 400))
	}))
	t.Cleanup(service.Close)

	tight := readFile(t, tightLimits(t))
	texts := map[string][]byte{"tight": tight, "shipped": limits.IllustrativeYAML(), "wrong": append([]byte("version: 2\n"), tight...)}
	folder := t.TempDir()
	for name, text := range texts {
		noError(t, os.WriteFile(filepath.Join(folder, name), text, 0o600))
	}
	for _, name := range []string{"tight", "shipped"} {
		s.learn(texts[name])
	}
	if err := os.Symlink("shipped", filepath.Join(folder, "limits.yaml")); err != nil {
		t.Skip("this system makes no links: ", err)
	}
	s.sidecar = startProcess(t, "--preflight", "--limits", filepath.Join(folder, "limits.yaml"), "--upstream", service.URL,
		"--metrics", "127.0.0.1:0", "--log", "json")
	s.bare = startBare(t, service.URL)
	go s.read()
	t.Chdir(folder)
	return s
}

// learn notes the verdicts that the limits give, by the engine itself.
func (s *soak) learn(text []byte) {
	catalogue, err := limits.Load("limits.yaml", text)
	noError(s.t, err)
	engine, err := boxrules.New(boxrules.DefaultRules(), catalogue)
	noError(s.t, err)
	for _, width := range soakWidths {
		w, err := strconv.ParseFloat(width, 64)
		if err != nil {
			s.verdict[width] = append(s.verdict[width], "malformed")
			continue
		}
		verdict, err := engine.Check(boxrules.Box{Article: "tuck-end", Material: "carton-300",
			Dims: boxrules.Dims{Width: w, Depth: 60, Height: 100}})
		noError(s.t, err)
		said := "passed"
		if !verdict.OK() {
			said = string(verdict.Code())
		}
		s.verdict[width] = append(s.verdict[width], said)
	}
}

// read reads the log. Every line of it is JSON.
func (s *soak) read() {
	for {
		line, err := s.sidecar.stderr.ReadBytes('\n')
		if err != nil {
			return
		}
		switch {
		case !json.Valid(line):
			s.t.Errorf("the log has %q", line)
		case bytes.Contains(line, []byte(`"msg":"request"`)):
			s.lines.Add(1)
		case bytes.Contains(line, []byte("reloaded the files")) || bytes.Contains(line, []byte("reload failed")):
			s.reload <- string(line)
		}
	}
}

// turn puts the next limit file in place, and has a box decided by it.
func (s *soak) turn(step int) {
	turn := soakTurns[step%len(soakTurns)]
	noError(s.t, os.Symlink(turn.file, "next"))
	noError(s.t, os.Rename("next", "limits.yaml"))
	s.sidecar.signal(s.t, syscall.SIGHUP)
	if said := <-s.reload; !strings.Contains(said, turn.said) {
		s.t.Errorf("step %d: the reload says %s, want %s", step, said, turn.said)
	}
	want := s.verdict["350"][1]
	if step%len(soakTurns) < 2 { // tight ones, and then wrong ones
		want = s.verdict["350"][0]
	}
	if got := s.ask(s.sidecar.url, "350"); got != want {
		s.t.Errorf("step %d, after the reload of %s: %s, want %s", step, turn.file, got, want)
	}
}

// full says that as many requests were sent as can be counted.
func (s *soak) full() bool { return s.next.Load() >= int64(len(s.arrived)-100) }

// send sends requests until stop is set.
func (s *soak) send() {
	for i := 0; !s.stop.Load() && !s.full(); i++ {
		phase := s.phase.Load()
		if phase == soakAll {
			s.ask(s.sidecar.url, soakWidths[i%len(soakWidths)])
			continue
		}
		address := s.sidecar.url
		if phase == soakBare {
			address = s.bare
		}
		start := time.Now()
		s.ask(address, "200")
		took := time.Since(start)
		s.mu.Lock()
		s.times[phase] = append(s.times[phase], took)
		s.mu.Unlock()
	}
}

// ask asks for a box, and gives what the answer says: passed, malformed, or the code.
func (s *soak) ask(address, width string) (said string) {
	n := s.next.Add(1)
	id := strconv.FormatInt(n, 10)
	r, err := http.NewRequest(http.MethodGet, address+dielineOf(width), nil)
	if err != nil {
		s.t.Error(err)
		return ""
	}
	r.Header.Set("X-Request-Id", id)
	answer, err := s.client.Do(r)
	if err != nil {
		s.t.Error("a request is lost:", err)
		return ""
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil {
		s.t.Error("an answer is cut off:", err)
	}
	arrived := int32(0)
	var body preflight.Body
	switch {
	case answer.StatusCode == http.StatusOK && strings.HasPrefix(string(text), "dieline "+id+" "):
		said, arrived = "passed", 1
	case answer.StatusCode != http.StatusBadRequest || json.Unmarshal(text, &body) != nil:
		s.t.Errorf("width %s: %s %s", width, answer.Status, text)
	case len(body.Response.Errors) == 0:
		said = "malformed"
	default:
		said = string(body.Response.Errors[0].Code)
	}
	if got := s.arrived[n].Load(); got != arrived {
		s.t.Errorf("request %s, which is %s, was %d times at the service", id, said, got)
	}
	if address == s.bare {
		return said
	}
	if answer.Header.Get("X-Request-Id") != id || !slices.Contains(s.verdict[width], said) {
		s.t.Errorf("request %s, width %s: %s with the id %s, want one of %s", id, width, said, answer.Header.Get("X-Request-Id"),
			s.verdict[width])
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[said]++
	if width == "350" {
		s.seen[said]++
	}
	return said
}

// check compares what everybody has counted.
func (s *soak) check() {
	want, total := make(series), int64(0)
	for said, n := range s.counts {
		name := requestsOf(dielinePath, "refused", said)
		if said == "passed" || said == "malformed" {
			name = requestsOf(dielinePath, said, "")
		}
		want[name] = float64(n)
		total += int64(n)
	}
	s.sidecar.waitFor(s.t, want)
	for deadline := time.Now().Add(20 * time.Second); s.lines.Load() != total; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("the log has %d requests, of %d", s.lines.Load(), total)
		}
	}
	for n := range s.arrived {
		if got := s.arrived[n].Load(); got > 1 {
			s.t.Errorf("request %d was %d times at the service", n, got)
		}
	}
	if len(s.counts) < 4 || len(s.seen) != 2 || len(s.times[soakSidecar]) == 0 || len(s.times[soakBare]) == 0 {
		s.t.Errorf("%v, of them %v of the box that the limits differ about; %d and %d timed: not everything was tried", s.counts, s.seen,
			len(s.times[soakSidecar]), len(s.times[soakBare]))
	}
}

// report says what a long run has measured. Memory may be a quarter more at the end, for which
// there is much room.
func (s *soak) report(memory []float64) {
	third := len(memory) / 3
	first, last := mean(memory[:third]), mean(memory[len(memory)-third:])
	var counts []string
	for _, outcome := range slices.Sorted(maps.Keys(s.counts)) {
		counts = append(counts, fmt.Sprintf("%s %d", outcome, s.counts[outcome]))
	}
	s.t.Logf("%d reloads, %d requests, %d of them to the bare proxy; the others: %s", len(memory), s.next.Load(), len(s.times[soakBare]), strings.Join(counts, ", "))
	s.t.Logf("memory: %.1f MB in the first third, %.1f MB in the last, at most %.1f MB", first, last, slices.Max(memory))
	if last > 1.25*first {
		s.t.Errorf("memory grows from %.1f to %.1f MB", first, last)
	}
	for phase, name := range map[int]string{soakSidecar: "sidecar", soakBare: "bare proxy"} {
		times := s.times[phase]
		slices.Sort(times)
		at := func(share float64) float64 { return float64(times[int(share*float64(len(times)))].Microseconds()) }
		s.t.Logf("%-10s p50 %5.0f us, p99 %5.0f us, of %d requests", name, at(0.5), at(0.99), len(times))
	}
}

func mean(of []float64) (m float64) {
	for _, x := range of {
		m += x / float64(len(of))
	}
	return m
}

// startBare starts a reverse proxy to the service in a process of its own, and gives its address.
func startBare(t *testing.T, service string) string {
	t.Helper()
	self, err := os.Executable()
	noError(t, err)
	process := exec.Command(self)
	process.Env = append(os.Environ(), "BOXRULES_TEST_MAIN=bare", "BOXRULES_TEST_SERVICE="+service)
	out, err := process.StdoutPipe()
	noError(t, err)
	noError(t, process.Start())
	t.Cleanup(func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	noError(t, err)
	return strings.TrimSpace(line)
}

// bareProxy is that process.
func bareProxy() {
	service, err := url.Parse(os.Getenv("BOXRULES_TEST_SERVICE"))
	if err != nil {
		panic(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	panic(http.Serve(listener, &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(service) }, Transport: wideTransport(sidecar.DefaultServerLimits().MaxConcurrent),
	}))
}

// wideTransport returns a transport that keeps this number of connections.
func wideTransport(connections int) *http.Transport {
	return &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true}
}
