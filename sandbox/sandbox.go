// Package sandbox is the documented interface offline, for integration tests of its clients: the
// token endpoint, dielines, quotations, orders and products, with every documented error in its
// documented shape.
//
//	server, err := sandbox.New(boxrules.Default(), sandbox.Options{})
//	...
//	address := httptest.NewServer(server).URL
//
// What it decides comes from package preflight. What the interface document does not show, the
// bodies of answers that succeed, it takes from fixtures that the user has recorded; without one it
// answers with a small body that says it is the sandbox's own.
//
// Section numbers in this package are those of docs/interface.md. What that document leaves open is
// decided in docs/interface.md#open-questions.
package sandbox

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/internal/endpoint"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/preflight"
)

// Options say what a [Sandbox] serves. The zero Options are ready to use.
type Options struct {
	// Credentials get an access token; DefaultSandbox where they are zero.
	Credentials Credentials
	// TokenLifetime is how long an access token is good for, in whole seconds; an hour where it is
	// 0. A token expires earlier when 10,000 newer ones have been issued.
	TokenLifetime time.Duration
	// Fixtures are the recorded bodies of answers that succeed; nil has none. New and Reload read
	// them, and serve what they have read:
	//
	//	dieline.json                           any dieline
	//	dieline/<article>.json                 a dieline of the article, before dieline.json
	//	quotation.json                         any quotation
	//	orders/<order_id>.json                 an order; there are no others
	//	orders/<order_id>/<product_id>.json    a product of an order; there are no others
	//
	// Characters that a file name cannot have are written as in a URL: a%2Fb.json. Each file is
	// regular and has at most 16 MiB. Files and folders whose names begin with a dot are ignored.
	// Fixtures decides which links are followed: with os.DirFS they may leave the folder, with the
	// FS of an os.Root they may not.
	Fixtures fs.FS
	// Preflight says how requests are checked. Its Base does not matter: nothing may come before a
	// documented path.
	Preflight preflight.Options
	// Faults obeys the header FaultHeader of requests. Without it the header means nothing.
	Faults bool
	// Now is the clock by which tokens expire; time.Now where it is nil. It is called by several
	// goroutines at once.
	Now func() time.Time
}

// A Sandbox answers as the documented service does. It is safe for concurrent use. It is made by
// [New]; the methods of a zero Sandbox panic.
type Sandbox struct {
	options  Options // of New, with what stands in for zeros
	content  atomic.Pointer[content]
	failures atomic.Int64 // how many requests are still to fail; each takes one off, below zero too

	mu     sync.Mutex
	tokens map[string]time.Time // until when each is good
	issued []string             // the keys of tokens, the oldest first, and some that are gone
}

// A content decides and answers; Reload puts another in its place.
type content struct {
	checker  *preflight.Checker
	fixtures map[fixtureName][]byte
}

func newContent(engine *boxrules.Engine, options Options) (*content, error) {
	options.Preflight.Base = base
	checker, err := preflight.New(engine, options.Preflight)
	if err != nil {
		return nil, err
	}
	fixtures, err := readFixtures(options.Fixtures)
	if err != nil {
		return nil, err
	}
	return &content{checker, fixtures}, nil
}

// New returns a [Sandbox] that checks boxes with the engine. The error is that of [preflight.New],
// which reports a nil engine, or names a fixture that is wrong.
func New(engine *boxrules.Engine, options Options) (*Sandbox, error) {
	content, err := newContent(engine, options)
	if err != nil {
		return nil, err
	}
	options.Credentials = cmp.Or(options.Credentials, DefaultSandbox)
	options.TokenLifetime = cmp.Or(options.TokenLifetime, time.Hour)
	if options.Now == nil {
		options.Now = time.Now
	}
	s := &Sandbox{options: options, tokens: make(map[string]time.Time)}
	s.content.Store(content)
	return s, nil
}

// Reload checks boxes with another engine from now on, and takes Preflight and Fixtures of the
// options. Tokens stay good. The error is that of [New], and then nothing has changed.
func (s *Sandbox) Reload(engine *boxrules.Engine, options Options) error {
	content, err := newContent(engine, options)
	if err == nil {
		s.content.Store(content)
	}
	return err
}

// ServeHTTP answers as the documented service does, and decides in the order that docs/interface.md
// states: faults, the token endpoint, the token, the path.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fault, err := s.faultOf(r)
	if err != nil {
		fail(w, r, boxrules.TypeValidationError, http.StatusBadRequest, "%v", err)
		return
	}
	if s.fails(fault, r) {
		fail(w, r, boxrules.TypeInternalServerError, http.StatusInternalServerError, "the service failed: it was asked to")
		return
	}
	asked, ids := endpoint.Of(r.URL, base)
	switch {
	case asked == endpoint.Token:
		s.serveToken(w, r)
	case s.authorize(w, r, fault.expired):
		s.content.Load().serveResource(w, r, asked, ids)
	}
}

// base is the path of the sandbox's own address, for [endpoint.Of].
const base = "/"

// serveResource answers a request that carries a token: with a refusal, or with the first of its
// fixtures that has been recorded. HEAD is GET without the body, which net/http leaves out.
func (c *content) serveResource(w http.ResponseWriter, r *http.Request, asked string, ids []string) {
	var fixtures []fixtureName
	// If none of the fixtures is recorded, the answer is missing: there is no such kind of resource.
	var kind string
	var missing boxrules.ErrorType
	switch asked {
	case endpoint.Dieline:
		box, _ := preflight.ParseDieline(r.URL.RawQuery) // where that fails, the request is refused
		fixtures = []fixtureName{{"dieline", box.Article}, {"dieline"}, own}
	case endpoint.Quotation:
		fixtures = []fixtureName{{"quotation"}, own}
	case endpoint.Order:
		kind, missing = "order", boxrules.TypeOrderError
		fixtures = []fixtureName{{"orders", ids[0]}}
	case endpoint.Product:
		kind, missing = "product", boxrules.TypeProductError
		fixtures = []fixtureName{{"orders", ids[0], ids[1]}}
	default:
		fail(w, r, boxrules.TypeNotFound, http.StatusNotFound, "the resource does not exist")
		return
	}
	if !allowed(w, r, asked) {
		return
	}
	if refusal := c.checker.Check(r); refusal != nil {
		send(w, http.StatusBadRequest, refusal.Body(r).JSON())
		return
	}
	for _, name := range fixtures {
		if body, ok := c.fixtures[name]; ok {
			send(w, http.StatusOK, body)
			return
		}
	}
	fail(w, r, missing, http.StatusNotFound, "the %s does not exist: %s", kind, url.PathEscape(ids[len(ids)-1]))
}

// allowed reports whether the endpoint has the request's method, and answers if it does not. The only
// answer that the document has for that is NOT_FOUND; the header Allow lists the methods.
func allowed(w http.ResponseWriter, r *http.Request, asked string) bool {
	if slices.Contains(endpoint.Methods(asked), r.Method) {
		return true
	}
	allow := strings.Join(endpoint.Methods(asked), ", ")
	w.Header().Set("Allow", allow)
	fail(w, r, boxrules.TypeNotFound, http.StatusNotFound,
		"the resource does not exist: the path has no %s; accepted: %s", wording.Quote(r.Method), allow)
	return false
}

func send(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // who has gone needs no answer
}

// fail answers with the documented error body, without an element.
func fail(w http.ResponseWriter, r *http.Request, code boxrules.ErrorType, status int, format string, args ...any) {
	preflight.WriteError(w, r, code, status, fmt.Sprintf(format, args...))
}

// FaultHeader names the request header that asks for faults where Options.Faults is set, several
// of them separated by commas:
//
//	expired-token      the access token of the request has expired, from now on
//	500                the answer is INTERNAL_SERVER_ERROR
//	latency=DURATION   the answer comes later, such as latency=1.5s; from 0s to 20s
//
// Anything else is refused with the status 400, and so is a fault that is given twice. A token
// request has no access token to expire.
const FaultHeader = "Boxrules-Fault"

// maxLatency keeps a delayed answer below the time that servers and clients commonly wait.
const maxLatency = 20 * time.Second

// A fault says what goes wrong with a request.
type fault struct {
	expired, fails bool
	latency        time.Duration
}

// faultOf returns the fault that the request asks for.
func (s *Sandbox) faultOf(r *http.Request) (f fault, err error) {
	header := r.Header.Values(FaultHeader)
	if !s.options.Faults || len(header) == 0 {
		return f, nil
	}
	given := make(map[string]bool)
	for _, text := range strings.Split(strings.Join(header, ","), ",") {
		text = strings.TrimSpace(text)
		name, value, _ := strings.Cut(text, "=")
		latency, err := time.ParseDuration(value)
		twice := given[name]
		given[name] = true
		switch {
		case twice: // only one of two latencies could be obeyed
			return fault{}, fmt.Errorf("%s: %s is given twice; accepted: each fault once", FaultHeader, name)
		case text == "expired-token":
			f.expired = true
		case text == "500":
			f.fails = true
		case name == "latency" && err == nil && latency >= 0 && latency <= maxLatency:
			f.latency = latency
		default:
			return fault{}, fmt.Errorf("%s: %s; accepted: expired-token, 500 and latency=DURATION from 0s to %v",
				FaultHeader, wording.Quote(text), maxLatency)
		}
	}
	return f, nil
}

// fails waits as the fault asks to, and reports whether the request is to fail.
func (s *Sandbox) fails(f fault, r *http.Request) bool {
	select {
	case <-time.After(f.latency):
	case <-r.Context().Done(): // most often nobody is left to read the answer
	}
	return s.failures.Add(-1) >= 0 || f.fails
}

// FailNext answers the next n requests, token requests among them, with INTERNAL_SERVER_ERROR. It
// takes the place of what an earlier call has left; 0 ends it.
func (s *Sandbox) FailNext(n int) { s.failures.Store(int64(max(n, 0))) }

// layout names the files that are fixtures, as path.Match does.
var layout = []string{"dieline.json", "dieline/*.json", "quotation.json", "orders/*.json", "orders/*/*.json"}

// A fixtureName is the path of a fixture, segment by segment, without .json and escapes: dieline and
// a/b for dieline/a%2Fb.json.
type fixtureName [3]string

// own names the body that is sent if none was recorded. No file has that name.
var own = fixtureName{"own"}

// maxFixture bounds a file, in bytes. It is more than any dieline takes as JSON.
const maxFixture = 16 << 20

// readFixtures returns the recorded bodies. It ignores files and folders whose names begin with a dot.
func readFixtures(files fs.FS) (map[fixtureName][]byte, error) {
	const body = `{"sandbox":"boxrules: this body is the sandbox's own; record the service's as a fixture"}` + "\n"
	fixtures := map[fixtureName][]byte{own: []byte(body)}
	if files == nil {
		return fixtures, nil
	}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("fixtures: %w", err)
		case entry.IsDir() && name != "." && entry.Name()[0] == '.':
			return fs.SkipDir
		case entry.IsDir() || entry.Name()[0] == '.':
			return nil
		}
		if err := readFixture(fixtures, files, name); err != nil {
			return fmt.Errorf("fixture %s: %w", name, err)
		}
		return nil
	})
	return fixtures, err
}

func readFixture(fixtures map[fixtureName][]byte, files fs.FS, name string) error {
	likeName := func(pattern string) bool {
		ok, _ := path.Match(pattern, name)
		return ok
	}
	if !slices.ContainsFunc(layout, likeName) {
		return errors.New("not a fixture; accepted: " + strings.Join(layout, ", "))
	}
	var key fixtureName
	for i, segment := range strings.Split(strings.TrimSuffix(name, ".json"), "/") {
		unescaped, err := url.PathUnescape(segment)
		if err != nil {
			return fmt.Errorf("%w; accepted: %% written %%25", err)
		}
		key[i] = unescaped
	}
	if _, ok := fixtures[key]; ok {
		return errors.New("another file has the same name, with other escapes; accepted: one of them")
	}
	info, err := fs.Stat(files, name) // of the file that a link leads to
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular(): // opening a pipe would wait for a writer
		return errors.New("not a regular file")
	case info.Size() > maxFixture:
		return fmt.Errorf("the file has %d bytes; accepted: at most %d", info.Size(), maxFixture)
	}
	body, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	fixtures[key] = body
	return json.Unmarshal(body, new(json.RawMessage))
}
