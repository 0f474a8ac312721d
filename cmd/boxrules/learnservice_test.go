package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/service"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
	"example.com/boxrules/lint"
	"example.com/boxrules/sandbox"
)

const (
	testClient = "s020-client"
	testSecret = "do-not-tell-4711"
)

// oneDieline is the body of a success.
const oneDieline = `{"response":{"buffer":"JVBERi0xLjQK","mime_type":"application/pdf","encoding":"base64"}}`

// A fakeService is the sandbox with a test's own handler in front of it, and a log of the requests.
type fakeService struct {
	*httptest.Server
	sandbox *sandbox.Sandbox
	before  func(w http.ResponseWriter, r *http.Request) (done bool) // nil for nothing

	mu      sync.Mutex // a request that is given up may be answered beside the next
	paths   []string
	queries []string
	tokens  []string
}

func newFakeService(t *testing.T, hidden *boxrules.Engine, o sandbox.Options) *fakeService {
	t.Helper()
	o.Credentials = sandbox.Credentials{ID: testClient, Secret: testSecret}
	o.Fixtures = fstest.MapFS{"dieline.json": {Data: []byte(oneDieline)}}
	s, err := sandbox.New(hidden, o)
	noError(t, err)
	f := &fakeService{sandbox: s}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		f.paths, f.queries = append(f.paths, r.URL.Path), append(f.queries, r.URL.RawQuery)
		if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && !slices.Contains(f.tokens, token) {
			f.tokens = append(f.tokens, token)
		}
		before := f.before
		f.mu.Unlock()
		if before == nil || !before(w, r) {
			s.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(f.Close)
	return f
}

// dielines is how many questions the service was asked.
func (f *fakeService) dielines() (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, path := range f.paths {
		if path == "/v1/reseller/dieline" {
			n++
		}
	}
	return n
}

// A fakeClock advances only while somebody sleeps.
type fakeClock struct {
	time   time.Time
	sleeps []time.Duration
}

func newClock() *fakeClock { return &fakeClock{time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *fakeClock) now() time.Time { return c.time }

func (c *fakeClock) sleep(ctx context.Context, d time.Duration) error {
	c.sleeps = append(c.sleeps, d)
	c.time = c.time.Add(d)
	return ctx.Err()
}

// askFrom runs learn --service.
func (f *fakeService) askFrom(t *testing.T, clock *fakeClock, stdin string, args ...string) answer {
	t.Helper()
	return f.run(t, clock, stdin, "learn", args...)
}

// run runs learn or audit with --service.
func (f *fakeService) run(t *testing.T, clock *fakeClock, stdin, command string, args ...string) answer {
	t.Helper()
	a := askAs(t, &console.Console{
		In: strings.NewReader(stdin), InIsTerminal: stdin != "", Now: clock.now, Sleep: clock.sleep,
		Getenv: func(name string) string {
			return map[string]string{"BOXRULES_CLIENT_ID": testClient, "BOXRULES_CLIENT_SECRET": testSecret}[name]
		},
	}, append([]string{command, "--service", f.URL}, args...)...)
	f.keepsSecrets(t, a.out+a.err)
	return a
}

// keepsSecrets checks that a text has no secret in it.
func (f *fakeService) keepsSecrets(t *testing.T, text string) {
	t.Helper()
	for _, secret := range append(slices.Clone(f.tokens), testSecret, base64.StdEncoding.EncodeToString([]byte(testClient+":"+testSecret))) {
		if strings.Contains(text, secret) {
			t.Errorf("the secret %q is in %q", secret, text)
		}
	}
}

// engineOf compiles a limit file under the documented rules.
func engineOf(t *testing.T, file string) *boxrules.Engine {
	t.Helper()
	data := readFile(t, file)
	catalogue, err := limits.Load(file, data)
	noError(t, err)
	e, err := boxrules.New(boxrules.DefaultRules(), catalogue)
	noError(t, err)
	return e
}

// same checks that two limit files give the same verdicts to all boxes.
func same(t *testing.T, got, want string) {
	t.Helper()
	for c := range lint.Diff(engineOf(t, want), engineOf(t, got)) {
		if c.Kind != lint.Identical {
			t.Errorf("%+v", c)
		}
	}
}

// oneHidden are the limits of a service, and what is known of them.
const (
	oneHidden = `version: 1
unit: mm
sheets: {ra106: {width: 1040, height: 720}}
materials: {carton-300: {caliper: 0.4, glue_flap: 15, sheet: ra106}}
articles:
  tuck-end:
    width: {min: 20, max: 400}
    depth: {min: 15, max: 250}
    height: {min: 30, max: 450}
    constraints: [BOX_3100]
    blank:
` + tuckEndBlank
	oneFrame = `version: 1
unit: mm
materials: {carton-300: {caliper: 0.4, glue_flap: 15}}
articles:
  tuck-end:
    blank:
` + tuckEndBlank
	tuckEndBlank = `      width: 2*width + 2*depth + glue_flap
      height: height + 2*depth + 2*min(max(0.5*depth, 12), 25)
`
)

// TestLearnService: what is learned from a service is what it has hidden, for one article and for
// a small catalogue.
func TestLearnService(t *testing.T) {
	for name, test := range map[string]struct{ hidden, frame string }{
		"one article":     {oneHidden, oneFrame},
		"small catalogue": {shopHidden(t), shopHidden(t)},
	} {
		t.Run(name, func(t *testing.T) {
			hidden := write(t, "hidden.yaml", test.hidden)
			frame := write(t, "frame.yaml", test.frame)
			f, clock := newFakeService(t, engineOf(t, hidden), sandbox.Options{}), newClock()
			record, output := filepath.Join(t.TempDir(), "record.ndjson"), filepath.Join(t.TempDir(), "limits.yaml")
			got := f.askFrom(t, clock, "yes\n", "--limits", frame, "--record", record, "-o", output, "--query", "type=pdf")
			if got.status != 0 || strings.Contains(got.out, "  open ") {
				t.Fatalf("%+v", got)
			}
			same(t, output, hidden)
			data := readFile(t, record)
			f.keepsSecrets(t, string(data))
			asked := bytes.Count(data, []byte("\n"))
			if f.dielines() != asked || f.queries[1] == "" || !strings.Contains(f.queries[1], "type=pdf") {
				t.Errorf("%d questions, %d in the record; the first: %s", f.dielines(), asked, f.queries[1])
			}
			if want := slices.Repeat([]time.Duration{time.Second}, asked); !slices.Equal(clock.sleeps, want) {
				t.Errorf("it sleeps %v", clock.sleeps)
			}
			// The record alone says all of it, to learn and to audit, and nothing is left to ask.
			again := f.askFrom(t, clock, "", "--limits", frame, "--record", record, "-o", "-")
			written, err := os.ReadFile(output)
			if err != nil || again.status != 0 || again.out != string(written) || f.dielines() != asked {
				t.Errorf("from the record: %+v, want\n%s", again, written)
			}
			if got := ask(t, "", "audit", "--limits", output, record); got.status != 0 || got.out != "" {
				t.Errorf("audit = %+v", got)
			}
			t.Logf("%d questions", asked)
		})
	}
}

func shopHidden(t *testing.T) string {
	t.Helper()
	data := readFile(t, "../../examples/shop/limits.yaml")
	return string(data)
}

// refuse answers with a status.
func refuse(w http.ResponseWriter, status int, header ...string) bool {
	for i := 0; i < len(header); i += 2 {
		w.Header().Set(header[i], header[i+1])
	}
	w.WriteHeader(status)
	return true
}

// faultyRun is a run of learn --service against a service that hides oneHidden, with what a test
// puts before it.
type faultyRun struct {
	*fakeService
	*fakeClock
	frame, record, output string
}

func newFaultyRun(t *testing.T, o sandbox.Options) *faultyRun {
	t.Helper()
	clock := newClock()
	o.Now = clock.now
	folder := t.TempDir()
	return &faultyRun{
		newFakeService(t, engineOf(t, write(t, "hidden.yaml", oneHidden)), o), clock,
		write(t, "frame.yaml", oneFrame), filepath.Join(folder, "record.ndjson"), filepath.Join(folder, "limits.yaml"),
	}
}

func (r *faultyRun) run(t *testing.T, more ...string) answer {
	t.Helper()
	return r.askFrom(t, r.fakeClock, "", append([]string{"--yes", "--limits", r.frame, "--record", r.record, "-o", r.output}, more...)...)
}

// lines are those of the record.
func (r *faultyRun) lines(t *testing.T) []string {
	t.Helper()
	data := readFile(t, r.record)
	r.keepsSecrets(t, string(data))
	return strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
}

// learned checks that everything was learned.
func (r *faultyRun) learned(t *testing.T, got answer) {
	t.Helper()
	if got.status != 0 {
		t.Fatalf("%+v", got)
	}
	same(t, r.output, write(t, "hidden.yaml", oneHidden))
}

// notWritten checks that the run failed with a message, and wrote no limits.
func (r *faultyRun) notWritten(t *testing.T, got answer, message string) {
	t.Helper()
	if got.status != 2 || got.out != "" || !strings.Contains(got.err, message) {
		t.Errorf("%+v, want status 2 and %q", got, message)
	}
	if _, err := os.Stat(r.output); err == nil {
		t.Error("limits were written")
	}
}

// at has a step done before the dieline request of that number, from 1.
func (r *faultyRun) at(number int, step func(w http.ResponseWriter) bool) {
	r.before = func(w http.ResponseWriter, request *http.Request) bool {
		return r.dielines() == number && strings.HasSuffix(request.URL.Path, "dieline") && step(w)
	}
}

// TestServiceRecord: every answer is in the record before the next question.
func TestServiceRecord(t *testing.T) {
	r := newFaultyRun(t, sandbox.Options{})
	r.before = func(_ http.ResponseWriter, request *http.Request) bool {
		data, err := os.ReadFile(r.record)
		if n := bytes.Count(data, []byte("\n")); err != nil || strings.HasSuffix(request.URL.Path, "dieline") && n != r.dielines()-1 {
			t.Errorf("%d answers are recorded before question %d, %v", n, r.dielines(), err)
		}
		return false
	}
	got := r.run(t, "--max-questions", "30")
	if got.status != 1 || len(r.tokens) != 1 || r.dielines() != 30 || len(r.lines(t)) != 30 {
		t.Errorf("%+v; %d tokens, %d questions, %d lines", got, len(r.tokens), r.dielines(), len(r.lines(t)))
	}
}

func TestServiceTooManyRequests(t *testing.T) {
	r := newFaultyRun(t, sandbox.Options{})
	now := r.time
	replies := []string{"7", now.Add(40 * time.Second).Format(http.TimeFormat), "", "0"}
	r.before = func(w http.ResponseWriter, request *http.Request) bool {
		n := r.dielines() - 3
		return n >= 0 && n < len(replies) && strings.HasSuffix(request.URL.Path, "dieline") && refuse(w, 429, "Retry-After", replies[n])
	}
	got := r.run(t, "--max-questions", "5")
	second := time.Second
	// The token and two boxes; 10 s have gone by when the date is read.
	want := []time.Duration{second, second, second, 7 * second, 30 * second, 4 * second, second}
	if got.status != 1 || !slices.Equal(r.sleeps[:len(want)], want) || r.dielines() != 5+len(replies) || len(r.lines(t)) != 5 {
		t.Errorf("%+v; it sleeps %v, want %v; %d questions, %d lines", got, r.sleeps, want, r.dielines(), len(r.lines(t)))
	}

	r = newFaultyRun(t, sandbox.Options{})
	r.at(2, func(w http.ResponseWriter) bool { return refuse(w, 429, "Retry-After", "86400") })
	r.notWritten(t, r.run(t), "after 1 question: the service asks for a pause of 24h0m0s; run the command again after that")
}

// TestServiceFails: a failure is repeated three times, then the box is left alone, also in a later
// run.
func TestServiceFails(t *testing.T) {
	r := newFaultyRun(t, sandbox.Options{})
	failed := ""
	r.before = func(w http.ResponseWriter, request *http.Request) bool {
		if n := r.dielines(); n == 6 {
			failed = request.URL.RawQuery
		}
		return request.URL.RawQuery != "" && request.URL.RawQuery == failed && refuse(w, 503)
	}
	got := r.run(t, "--max-questions", "8")
	if got.status != 1 || !strings.Contains(got.err, "nothing can be learned from 503") ||
		!strings.Contains(got.err, "boxrules: tuck-end in carton-300: 8 questions were asked; --max-questions allows 8") {
		t.Errorf("%+v", got)
	}
	if lines := r.lines(t); len(lines) != 8 || !strings.Contains(lines[5], `"ok":false,"code":"503"`) {
		t.Errorf("the record is %q", lines)
	}
	if want := []time.Duration{time.Second, time.Second, 2 * time.Second, 4 * time.Second}; !slices.Equal(r.sleeps[5:9], want) {
		t.Errorf("it sleeps %v, want %v from the sixth on", r.sleeps, want)
	}
	if got := r.run(t, "--max-questions", "8"); got.status != 1 || len(r.lines(t)) != 8 {
		t.Errorf("with no questions left: %+v", got)
	}
	before := r.dielines()
	r.learned(t, r.run(t))
	if again := slices.Index(r.queries[len(r.queries)-(r.dielines()-before):], failed); again >= 0 {
		t.Errorf("the box that got no answer is asked again, as number %d", again)
	}
}

// TestServiceIsGone: three boxes in a row without an answer end the run.
func TestServiceIsGone(t *testing.T) {
	for name, before := range map[string]func(w http.ResponseWriter) bool{
		"503": func(w http.ResponseWriter) bool { return refuse(w, 503) },
		"404": func(w http.ResponseWriter) bool { return refuse(w, 404) },
		"301": func(w http.ResponseWriter) bool { return refuse(w, 301, "Location", "/v1") },
		"400": func(w http.ResponseWriter) bool { return refuse(w, 400) },
		"VALIDATION_ERROR": func(w http.ResponseWriter) bool {
			w.WriteHeader(400)
			return body(w, `{"response":{"code":"VALIDATION_ERROR"}}`)
		},
		"200 without a dieline": func(w http.ResponseWriter) bool { return body(w, `{"error":"maintenance"}`) },

		"no answer": func(http.ResponseWriter) bool { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := strconv.Atoi(name); err == nil && name != "503" {
				lab.OnlyCI(t, "more statuses than 503")
			}
			r := newFaultyRun(t, sandbox.Options{})
			r.before = func(w http.ResponseWriter, _ *http.Request) bool { return r.dielines() > 2 && before(w) }
			r.notWritten(t, r.run(t), "after 5 questions: 3 boxes in a row got no usable answer")
			lines := r.lines(t)
			if len(lines) != 5 || !strings.Contains(lines[4], name) || strings.Contains(lines[1], name) {
				t.Errorf("the record is %q", lines)
			}
			r.mu.Lock()
			r.before = nil
			r.mu.Unlock()
			if got := r.run(t, "--max-questions", "10"); got.status != 1 || len(r.lines(t)) != 10 {
				t.Errorf("later: %+v, record %q", got, r.lines(t))
			}
		})
	}
}

// TestServiceUnknownCodes: codes that the rules do not have are counted, and the message names the flag
// for rules that have them. They do not end an interview: all limits are learned, and so are all
// constraints that boxes without these codes can show. audit counts the codes too, and reports each
// such answer as another than expected.
func TestServiceUnknownCodes(t *testing.T) {
	r := newFaultyRun(t, sandbox.Options{})
	rules := write(t, "own.yaml", `version: 1
extends: documented
constraint:
  - {code: SHOP_0001, when: width + depth > 500, message: too large for our gluer}
  - {code: SHOP_0002, when: width < 60, message: too small for our die cutter}
`)
	hidden := write(t, "hidden.yaml", strings.Replace(oneHidden, "[BOX_3100]", "[BOX_3100, SHOP_0001, SHOP_0002]", 1))
	own, err := boxrules.LoadRules(rules, readFile(t, rules))
	noError(t, err)
	catalogue, err := limits.Load(hidden, readFile(t, hidden))
	noError(t, err)
	engine, err := boxrules.New(own, catalogue)
	noError(t, err)
	r.fakeService = newFakeService(t, engine, sandbox.Options{Now: r.now})

	got := r.run(t)
	asked := r.dielines()
	if got.status > 1 || !strings.Contains(got.out, "  decided        width 20 to 400, depth 15 to 250, height 30 to 450, BOX_3100, 16 not selected\n") ||
		!strings.Contains(got.err, fmt.Sprintf("boxrules: %d questions were asked\n", asked)) {
		t.Errorf("learn: %+v", got)
	}
	t.Logf("%d questions", asked)
	if n := strings.Count(strings.Join(r.lines(t), ""), `"code":"SHOP_`); n < 4 {
		t.Errorf("%d of the answers have codes of one's own", n)
	}
	counted := func(text string) (n int) {
		for line := range strings.Lines(text) {
			code, rows, _ := strings.Cut(strings.TrimPrefix(line, "boxrules: the rules do not define "), ": ")
			if !strings.HasPrefix(code, "SHOP_") {
				continue
			}
			var number, first int
			if _, err := fmt.Sscanf(strings.Replace(rows, "rows", "row", 1), "%d row, first seen in row %d; pass rules that define it with --rules FILE",
				&number, &first); err != nil || !strings.Contains(r.lines(t)[first-1], code) {
				t.Errorf("%s: %v", line, err)
			}
			n += number
		}
		return n
	}
	all := strings.Count(strings.Join(r.lines(t), ""), `"code":"SHOP_`)
	if n := counted(got.err); n != all {
		t.Errorf("%d rows are counted, want %d: %s", n, all, got.err)
	}
	if again := ask(t, "", "learn", "--limits", r.frame, r.record); again.out != got.out || counted(again.err) != all {
		t.Errorf("from the record: %+v, want %s", again, got.out)
	}
	if got := ask(t, "", "audit", "--limits", hidden, "--rules", rules, r.record); got.status != 0 {
		t.Errorf("audit with the rules: %+v", got)
	}

	r.record = filepath.Join(t.TempDir(), "audit.ndjson")
	documented := write(t, "documented.yaml", oneHidden)
	got = r.fakeService.run(t, r.fakeClock, "", "audit", "--limits", documented, "--record", r.record, "--yes")
	all = strings.Count(strings.Join(r.lines(t), ""), `"code":"SHOP_`)
	if n := counted(got.err); got.status != 1 || n != all || n == 0 || strings.Count(got.out, "answered SHOP_") != n ||
		strings.Contains(got.out, " is ") {
		t.Errorf("audit: %+v, %d of %d are counted", got, n, all)
	}
}

func body(w http.ResponseWriter, text string) bool {
	_, _ = w.Write([]byte(text))
	return true
}

// TestServiceJunk: an answer with a status of success that has no dieline is no acceptance. It is
// asked for again, and then the box is left alone.
func TestServiceJunk(t *testing.T) {
	answers := junk()
	if len(answers) < 246 {
		t.Errorf("%d answers", len(answers))
	}
	const retries = 3
	next := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "token") {
			_, _ = w.Write([]byte(`{"access_token":"t","expires_in":1000000}`))
			return
		}
		answers[next].write(w)
	}))
	defer server.Close()
	address, err := url.Parse(server.URL)
	noError(t, err)
	clock := newClock()
	surroundings := &console.Console{Now: clock.now, Sleep: clock.sleep}
	client := service.Client{Console: surroundings, Address: address, Pause: time.Second}
	for next = range answers {
		clock.sleeps = nil
		code, err := client.Ask(t.Context(), boxrules.Box{Article: "tuck-end", Material: "carton-300"})
		if err != nil || code != fmt.Sprint(answers[next].status)+" without a dieline" || len(clock.sleeps) < 1+retries {
			t.Errorf("%+v is taken for %q, %v, after %v", answers[next], code, err, clock.sleeps)
		}
	}
	t.Logf("%d answers", len(answers))
}

// A junkAnswer is a success without a dieline.
type junkAnswer struct {
	status     int
	kind, body string
}

func (a junkAnswer) write(w http.ResponseWriter) {
	w.Header()["Content-Type"] = nil // not even a guess
	if a.kind != "" {
		w.Header().Set("Content-Type", a.kind)
	}
	w.WriteHeader(a.status)
	_, _ = w.Write([]byte(a.body))
}

// junk returns successes without a dieline: what proxies and login pages say, refusals, and
// dielines that lack something.
func junk() (answers []junkAnswer) {
	bodies := []string{
		"", " ", "\n", "ok", "true", "null", "0", `""`, "[]", "{}", "\x00", "\xff\xfe", "\xef\xbb\xbf" + oneDieline,
		"<!DOCTYPE html><title>Log in</title>", "<html><body>maintenance</body></html>", "<?xml version='1.0'?><ok/>",
		`{"error":"maintenance"}`, `{"status":"ok"}`, `{"ok":true}`, `{"response":null}`, `{"response":{}}`, `{"response":"ok"}`,
		`{"response":{"code":"BOX_ERROR","http_status_code":400,"errors":[{"code":"BOX_2100","path":"","message":"m"}]}}`,
		`{"response":{"code":"ok","errors":[{"code":"ok"}]}}`, `{"access_token":"t","expires_in":3600}`,
		"%PDF", "%pdf-1.4", " %PDF-1.4", "PDF-1.4", "JVBERi0xLjQK", oneDieline + "x", oneDieline + oneDieline, "[" + oneDieline + "]",
	}
	for i := range oneDieline {
		bodies = append(bodies, oneDieline[:i], oneDieline[i+1:]) // cut JSON
	}
	for _, change := range [][2]string{
		{`"response"`, `"result"`}, {`"buffer"`, `"data"`}, {`"mime_type"`, `"type"`}, {`"encoding"`, `"charset"`}, {"JVBER", "AAAAA"},
		{"JVBERi0xLjQK", ""}, {"JVBERi0xLjQK", "%PDF-1.4"}, {"application/pdf", ""}, {"base64", ""}, {`"base64"`, "null"},
		{`"application/pdf"`, "1"}, {`"JVBERi0xLjQK"`, "null"}, {`"JVBERi0xLjQK"`, "{}"},
	} {
		bodies = append(bodies, strings.Replace(oneDieline, change[0], change[1], 1))
	}
	kinds := []string{"", "application/pdf", "application/json", "text/html", "text/plain; charset=utf-8"}
	for i, body := range bodies {
		answers = append(answers, junkAnswer{[]int{200, 201, 202, 203, 206}[i%5], kinds[i%len(kinds)], body})
		answers = append(answers, junkAnswer{200, kinds[(i+1)%len(kinds)], body})
	}
	return append(answers, junkAnswer{204, "", ""}, junkAnswer{205, "", ""})
}

// TestServiceRecovers: after an answer that breaks off the same box is asked again, and all is
// learned.
func TestServiceRecovers(t *testing.T) {
	r := newFaultyRun(t, sandbox.Options{})
	r.at(1, func(w http.ResponseWriter) bool {
		w.Header().Set("Content-Length", "100")
		return body(w, "short")
	})
	r.learned(t, r.run(t))
}

// A material that the service does not know is not asked about any more.
func TestServiceKnowsNoMaterial(t *testing.T) {
	r := newFaultyRun(t, sandbox.Options{})
	r.frame = write(t, "frame.yaml", strings.Replace(oneFrame, "materials: {", "materials: {paper: {caliper: 0.1, glue_flap: 15}, ", 1))
	got := r.run(t)
	if lines := r.lines(t); got.status != 1 || !strings.Contains(lines[0], `"code":"DLN_1101"`) ||
		strings.Count(strings.Join(lines, ""), "paper") != 1 {
		t.Errorf("%+v, record %q", got, lines)
	}
	if strings.Count(got.out, "open") != 1 || !strings.Contains(got.out, "sheet of paper\n  open ") {
		t.Errorf("%s", got.out)
	}
	asked := r.dielines()
	if got := r.run(t); got.status != 1 || r.dielines() != asked {
		t.Errorf("another run: %+v, %d more questions", got, r.dielines()-asked)
	}
}

// Nothing is asked without a yes.
func TestServiceWithoutYes(t *testing.T) {
	r := newFaultyRun(t, sandbox.Options{})
	plan := "boxrules: at most 80 questions about 1 product, one every 3s, to " + r.URL + "\n" +
		"boxrules: without --record the answers are not saved\n"
	for stdin, want := range map[string]string{
		"":      "boxrules: refusing to query the service without confirmation; pass --yes (stdin is not a terminal)\n",
		"\n":    "boxrules: ask the service these questions? [y/N] boxrules: nothing was asked\n",
		"yet\n": "boxrules: ask the service these questions? [y/N] boxrules: nothing was asked\n",
	} {
		got := r.askFrom(t, r.fakeClock, stdin, "--limits", r.frame, "--pause", "3s")
		if want := (answer{"", plan + want, 2}); got != want {
			t.Errorf("%q: %+v, want %+v", stdin, got, want)
		}
	}
	r.record = filepath.Join(t.TempDir(), "folder.ndjson")
	noError(t, os.Mkdir(r.record, 0o700))
	r.notWritten(t, r.run(t), "boxrules: --record \""+wording.Cut(r.record)+"\": is a directory\n")
	if len(r.paths) > 0 {
		t.Errorf("the service was asked for %q", r.paths)
	}
}

// A service whose limits have changed since the record is not asked on; with --since it is.
func TestServiceHasChanged(t *testing.T) {
	r := newFaultyRun(t, sandbox.Options{})
	r.learned(t, r.run(t))
	_ = os.Remove(r.output)
	tightened := write(t, "tightened.yaml", strings.Replace(oneHidden, "max: 400", "max: 350", 1))
	now := newFakeService(t, engineOf(t, tightened), sandbox.Options{Now: r.now})
	late := r.time.Add(time.Hour)
	line := fmt.Sprintf(`{"article":"tuck-end","material":"carton-300","width":400,"depth":20,"height":40,`+
		`"ok":false,"code":"BOX_2101","date":%q}`, late.Format(time.RFC3339))
	drift := write(t, "drift.ndjson", strings.Join(r.lines(t), "")+"\n"+line+"\n")
	got := now.askFrom(t, r.fakeClock, "", "--yes", "--limits", r.frame, "--record", drift, "-o", r.output)
	if got.status != 2 || !strings.Contains(got.err, "the answers contradict each other, so the service is not asked") ||
		!strings.Contains(got.out, "cannot both be true, since "+late.Format(time.RFC3339)) ||
		len(now.paths) > 0 {
		t.Errorf("%+v", got)
	}
	got = now.askFrom(t, r.fakeClock, "", "--yes", "--limits", r.frame, "--record", drift, "-o", r.output,
		"--since", late.Format(time.RFC3339))
	if got.status != 0 {
		t.Fatalf("%+v", got)
	}
	same(t, r.output, tightened)
}

// A service that answers otherwise while it is asked is not asked on.
func TestServiceContradictsItself(t *testing.T) {
	r := newFaultyRun(t, sandbox.Options{})
	r.before = func(w http.ResponseWriter, request *http.Request) bool {
		if r.dielines() < 10 || !strings.HasSuffix(request.URL.Path, "dieline") {
			return false
		}
		w.WriteHeader(400)
		return body(w, `{"response":{"code":"BOX_ERROR","errors":[{"code":"BOX_2100"}]}}`)
	}
	got := r.run(t)
	if got.status != 2 || !strings.Contains(got.out, "contradiction  ") || !strings.Contains(got.err, "limits.yaml was not written") {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(r.output); err == nil || r.dielines() > 16 {
		t.Errorf("limits were written, or too much was asked: %d questions, %v", r.dielines(), err)
	}
}

// TestRecordPhoto: a file that is no record stays as it is.
func TestRecordPhoto(t *testing.T) {
	r := newFaultyRun(t, sandbox.Options{})
	photo := "\xff\xd8\xff\xe0 a photo"
	noError(t, os.WriteFile(r.record, []byte(photo), 0o600))
	if got := r.run(t); got.status != 2 {
		t.Errorf("%+v", got)
	}
	if data, err := os.ReadFile(r.record); err != nil || string(data) != photo {
		t.Errorf("the photo is %q, %v", data, err)
	}
}

// TestServiceFullDisk: a record that a full disk has torn is read, and the next run goes on from it,
// on a line of its own. The limit is on the size of a file, which fails a write as a full disk does.
func TestServiceFullDisk(t *testing.T) {
	r := newFaultyRun(t, sandbox.Options{})
	self, err := os.Executable()
	noError(t, err)
	command := exec.Command("sh", "-c", `ulimit -f 1 && exec "$@"`, "sh", self, "learn", "--service", r.URL, "--yes", "--pause", "0s",
		"--limits", r.frame, "--record", r.record)
	command.Env = append(os.Environ(), "BOXRULES_TEST_MAIN=1", "BOXRULES_CLIENT_ID="+testClient, "BOXRULES_CLIENT_SECRET="+testSecret)
	said, err := command.CombinedOutput()
	torn := r.lines(t)
	last := torn[len(torn)-1]
	if command.ProcessState.ExitCode() != 2 || !strings.Contains(string(said), "file too large") || len(torn) < 3 || strings.HasSuffix(last, "}") {
		t.Fatalf("%v: %s, record %q", err, said, torn)
	}
	note := fmt.Sprintf("boxrules: %s:%d: skipped 1 line (%d bytes) that a full disk or a crash cut short\n", r.record, len(torn), len(last))
	if got := ask(t, "", "learn", "--limits", r.frame, r.record); got.status != 1 || !strings.HasPrefix(got.err, note) {
		t.Errorf("learn from the torn record: %+v, want %q", got, note)
	}
	got := r.run(t)
	r.learned(t, got)
	if asked := r.dielines(); !strings.HasPrefix(got.err, note) || len(r.lines(t)) != asked {
		t.Errorf("%+v after %d questions, record %q", got, asked, r.lines(t))
	}
	// One answer was lost, that of the torn line.
	if got := ask(t, "", "audit", "--limits", r.output, r.record); got.status != 0 || got.out != "" ||
		got.err != note+fmt.Sprintf("%d answers: %[1]d as expected, 0 not\n", r.dielines()-1) {
		t.Errorf("audit of the record: %+v", got)
	}
}

// TestServiceInterrupted: an interrupt ends the interview, and what was learned so far is printed.
func TestServiceInterrupted(t *testing.T) {
	r := newFaultyRun(t, sandbox.Options{})
	self, err := os.Executable()
	noError(t, err)
	command := exec.Command(self, "learn", "--service", r.URL, "--yes", "--pause", "0s", "--limits", r.frame,
		"--record", r.record, "-o", r.output)
	command.Env = append(os.Environ(), "BOXRULES_TEST_MAIN=1", "BOXRULES_CLIENT_ID="+testClient, "BOXRULES_CLIENT_SECRET="+testSecret)
	var out, errors bytes.Buffer
	command.Stdout, command.Stderr = &out, &errors
	started := make(chan *os.Process, 1)
	r.mu.Lock()
	r.before = func(_ http.ResponseWriter, request *http.Request) bool {
		if r.dielines() == 5 {
			_ = (<-started).Signal(os.Interrupt)
			<-request.Context().Done() // the client has gone
		}
		return false
	}
	r.mu.Unlock()
	noError(t, command.Start())
	started <- command.Process
	if err := command.Wait(); command.ProcessState.ExitCode() != 1 {
		t.Errorf("%v, want status 1", err)
	}
	if !strings.Contains(out.String(), "open ") || !strings.Contains(errors.String(), "4 questions were asked") || len(r.lines(t)) != 4 {
		t.Errorf("it says %s%s, record %q", out.String(), errors.String(), r.lines(t))
	}
	if _, err := os.Stat(r.output); err != nil {
		t.Error(err)
	}
}

// TestServiceUnit: the service is asked in its own unit, about exactly the same box.
func TestServiceUnit(t *testing.T) {
	var query url.Values
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "token") {
			_, _ = w.Write([]byte(`{"access_token":"t","expires_in":1000000}`))
			return
		}
		query = r.URL.Query()
		w.WriteHeader(http.StatusBadRequest)
	}))
	defer server.Close()
	address, err := url.Parse(server.URL)
	noError(t, err)
	clock := newClock()
	for unit, want := range map[string]string{"in": "305.1302 203.2 0.0254", "mm": "12.013 8 0.001", "cm": "120.13 80 0.01", "": "12.013 8 0.001"} {
		ratio, _ := exact.UnitRatio(unit, exact.ServiceUnit)
		client := service.Client{Console: &console.Console{Now: clock.now, Sleep: clock.sleep}, Address: address, ToService: ratio}
		_, err := client.Ask(t.Context(), boxrules.Box{Article: "a", Material: "m", Dims: boxrules.Dims{Width: 12.013, Depth: 8, Height: 0.001}})
		if got := query.Get("width") + " " + query.Get("depth") + " " + query.Get("height"); err != nil || got != want {
			t.Errorf("limits in %q: the service is asked for %s, %v, want %s", unit, got, err, want)
		}
	}
}
