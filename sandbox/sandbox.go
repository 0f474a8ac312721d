// Package sandbox imitates the printing service offline, for integration tests of its clients. It serves the
// token endpoint, dielines, quotations, orders and products, and returns every documented error in its
// documented form. Most tests need only [New] and an HTTP server:
//
//	service, err := sandbox.New(boxrules.Default(), sandbox.Options{})
//	...
//	address := httptest.NewServer(service).URL
//
// Tests in other languages run "boxrules serve --sandbox" and need not read on.
//
// Package preflight decides which boxes are refused. The interface document does not show the bodies of
// successful answers, so a Sandbox takes them from fixtures: bodies that the user has recorded. If there is
// no fixture for a request, it answers with a small body that says that it is only a placeholder.
//
// Section numbers in this package refer to docs/interface.md. The section docs/interface.md#open-questions
// lists our decisions about everything that the interface document leaves open.
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

// Options tell a [Sandbox] what to serve. The zero value is ready to use.
type Options struct {
	// Credentials are what a client needs to get an access token. If they are zero, [DefaultSandbox] is
	// used.
	Credentials Credentials

	// TokenLifetime is how long an access token is valid, in whole seconds. If it is 0, a token is valid
	// for an hour. A token expires earlier if 10,000 newer ones have been issued.
	TokenLifetime time.Duration

	// Fixtures holds the recorded bodies of successful answers. It may be nil. New and Reload read all files,
	// so later changes to the files have no effect until Reload is called. The files are:
	//
	//	dieline.json                           any dieline
	//	dieline/<article>.json                 a dieline of the article, instead of dieline.json
	//	quotation.json                         any quotation
	//	orders/<order_id>.json                 an order; no other orders exist
	//	orders/<order_id>/<product_id>.json    a product of an order; no other products exist
	//
	// Characters that a file name cannot have are escaped as in a URL: a%2Fb.json. Each file must be a
	// regular file of at most 16 MiB. Files and folders whose names begin with a dot are ignored. In an
	// os.DirFS, symbolic links may lead out of the folder; in the FS of an os.Root, they may not.
	Fixtures fs.FS

	// Preflight says how to check requests. Its Base is ignored: the paths of a Sandbox are exactly the
	// documented ones.
	Preflight preflight.Options

	// Faults makes the Sandbox obey the [FaultHeader] of requests.
	Faults bool

	// Now returns the current time, by which tokens expire. If it is nil, time.Now is used. Several
	// goroutines may call it at once.
	Now func() time.Time
}

// A Sandbox is an http.Handler that answers like the documented service. It is safe for concurrent use. Call
// [New] to make one; the methods of a zero Sandbox panic.
type Sandbox struct {
	options  Options // the options of New, with the defaults filled in
	content  atomic.Pointer[content]
	failures atomic.Int64 // the number of requests that still have to fail after FailNext; every request subtracts 1, even below 0

	mu           sync.Mutex
	tokenExpiry  map[string]time.Time // by access token
	issuedTokens []string             // the access tokens, oldest first; some have been deleted from tokenExpiry
}

// content is the part of a Sandbox that Reload replaces.
type content struct {
	checker  *preflight.Checker
	fixtures map[fixtureName][]byte
}

func newContent(engine *boxrules.Engine, options Options) (*content, error) {
	options.Preflight.Base = basePath
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

// New returns a [Sandbox] that checks boxes with the engine. It returns the same errors as [preflight.New].
// If a fixture is not valid, it returns an error that names the file.
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
	s := &Sandbox{options: options, tokenExpiry: make(map[string]time.Time)}
	s.content.Store(content)
	return s, nil
}

// Reload replaces the engine, and reads the fixtures again. It uses only the options Preflight and Fixtures.
// Access tokens stay valid. Reload returns the same errors as [New], and changes nothing if there is an
// error.
func (s *Sandbox) Reload(engine *boxrules.Engine, options Options) error {
	content, err := newContent(engine, options)
	if err == nil {
		s.content.Store(content)
	}
	return err
}

// ServeHTTP answers a request like the documented service. It checks in this order, as
// docs/interface.md says: simulated faults, the token endpoint, the access token, the path.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fault, err := s.faultOf(r)
	if err != nil {
		writeSandboxError(w, r, boxrules.TypeValidationError, http.StatusBadRequest, "%v", err)
		return
	}
	// Faults come before everything else, because the real service may fail before it does anything else.
	if s.mustFail(fault, r) {
		writeSandboxError(w, r, boxrules.TypeInternalServerError, http.StatusInternalServerError, "the service failed, because the sandbox was asked to fail")
		return
	}
	requested, ids := endpoint.Of(r.URL, basePath)
	switch {
	case requested == endpoint.Token:
		s.serveToken(w, r)
	case s.authorize(w, r, fault.tokenExpires):
		s.content.Load().serveResource(w, r, requested, ids)
	}
}

// basePath is the Base for [preflight.Options]: nothing comes before the documented paths.
const basePath = "/"

// serveResource answers a request that has a valid access token. It refuses what the documented service
// refuses. Otherwise it answers with the most specific fixture that exists. HEAD is answered like GET;
// net/http leaves out the body.
func (c *content) serveResource(w http.ResponseWriter, r *http.Request, requestedEndpoint string, ids []string) {
	var candidates []fixtureName
	var kind string                 // the kind of resource, if such resources exist only as fixtures
	var notFound boxrules.ErrorType // the error type if there is no such fixture
	switch requestedEndpoint {
	case endpoint.Dieline:
		box, _ := preflight.ParseDieline(r.URL.RawQuery) // after an error, Check below refuses the request
		candidates = []fixtureName{{"dieline", box.Article}, {"dieline"}, placeholder}
	case endpoint.Quotation:
		candidates = []fixtureName{{"quotation"}, placeholder}
	case endpoint.Order:
		kind, notFound = "order", boxrules.TypeOrderError
		candidates = []fixtureName{{"orders", ids[0]}}
	case endpoint.Product:
		kind, notFound = "product", boxrules.TypeProductError
		candidates = []fixtureName{{"orders", ids[0], ids[1]}}
	default:
		writeSandboxError(w, r, boxrules.TypeNotFound, http.StatusNotFound, "the resource does not exist")
		return
	}
	// The path was checked above. The method comes next, then the parameters, and last whether the resource
	// exists.
	if !checkMethod(w, r, requestedEndpoint) {
		return
	}
	if refusal := c.checker.Check(r); refusal != nil {
		writeJSON(w, http.StatusBadRequest, refusal.Body(r).JSON())
		return
	}
	// The more specific fixture comes first, and the placeholder, if there is one, last.
	for _, name := range candidates {
		if body, ok := c.fixtures[name]; ok {
			writeJSON(w, http.StatusOK, body)
			return
		}
	}
	writeSandboxError(w, r, notFound, http.StatusNotFound, "the %s does not exist: %s", kind, url.PathEscape(ids[len(ids)-1]))
}

// checkMethod reports whether the endpoint accepts the method of the request. If it does not, checkMethod
// answers with NOT_FOUND, the only documented error that fits, and lists the accepted methods in the
// Allow header.
func checkMethod(w http.ResponseWriter, r *http.Request, requestedEndpoint string) bool {
	if slices.Contains(endpoint.Methods(requestedEndpoint), r.Method) {
		return true
	}
	allow := strings.Join(endpoint.Methods(requestedEndpoint), ", ")
	w.Header().Set("Allow", allow)
	writeSandboxError(w, r, boxrules.TypeNotFound, http.StatusNotFound,
		"the resource does not exist: the path does not accept %s; accepted: %s", wording.Quote(r.Method), allow)
	return false
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails only if the client has gone
}

// writeSandboxError answers with the documented error body, without an element.
func writeSandboxError(w http.ResponseWriter, r *http.Request, code boxrules.ErrorType, status int, format string, args ...any) {
	preflight.WriteError(w, r, code, status, fmt.Sprintf(format, args...))
}

// FaultHeader is the name of a request header that asks for faults. If Options.Faults is set, the header
// lists the faults, separated by commas:
//
//	expired-token      the access token of the request expires, for this request and later ones
//	500                the answer is INTERNAL_SERVER_ERROR
//	latency=DURATION   the answer is delayed by 0s to 20s, as in latency=1.5s
//
// If the header lists any other fault, or the same fault twice, the answer has the status 400. expired-token
// has no effect on a request for a token.
const FaultHeader = "Boxrules-Fault"

// maxLatency is the longest latency that FaultHeader accepts. It is less than the usual timeouts of servers
// and clients.
const maxLatency = 20 * time.Second

// A fault holds the failures that the FaultHeader of a request asks for.
type fault struct {
	tokenExpires, serverError bool
	latency                   time.Duration
}

// faultOf parses the FaultHeader of a request.
func (s *Sandbox) faultOf(r *http.Request) (f fault, err error) {
	header := r.Header.Values(FaultHeader)
	if !s.options.Faults || len(header) == 0 {
		return f, nil
	}
	// A request may have several of these headers, each with a list. latency=1s and latency=2s count as the
	// same fault, so seen holds only the names of faults.
	seen := make(map[string]bool)
	for _, text := range strings.Split(strings.Join(header, ","), ",") {
		text = strings.TrimSpace(text)
		name, value, _ := strings.Cut(text, "=")
		latency, err := time.ParseDuration(value)
		repeated := seen[name]
		seen[name] = true
		switch {
		case repeated: // the Sandbox could not obey two latencies
			return fault{}, fmt.Errorf("%s: %s is given twice; give each fault once", FaultHeader, name)
		case text == "expired-token":
			f.tokenExpires = true
		case text == "500":
			f.serverError = true
		case name == "latency" && err == nil && latency >= 0 && latency <= maxLatency:
			f.latency = latency
		default:
			return fault{}, fmt.Errorf("%s: %s; accepted: expired-token, 500 and latency=DURATION from 0s to %v",
				FaultHeader, wording.Quote(text), maxLatency)
		}
	}
	return f, nil
}

// mustFail waits for the latency that the fault asks for. Then it reports whether the answer must be
// INTERNAL_SERVER_ERROR.
func (s *Sandbox) mustFail(f fault, r *http.Request) bool {
	select {
	// If there is no latency, the channel of After(0) is ready at once.
	case <-time.After(f.latency):
	case <-r.Context().Done(): // the client has gone
	}
	return s.failures.Add(-1) >= 0 || f.serverError
}

// FailNext makes the Sandbox answer the next n requests with INTERNAL_SERVER_ERROR, including requests for a
// token. It replaces the number from an earlier call, so FailNext(0) ends the failures.
func (s *Sandbox) FailNext(n int) { s.failures.Store(int64(max(n, 0))) }

// fixturePatterns are the patterns for the file names of fixtures, in the syntax of path.Match.
var fixturePatterns = []string{"dieline.json", "dieline/*.json", "quotation.json", "orders/*.json", "orders/*/*.json"}

// A fixtureName holds the unescaped segments of the path of a fixture, without .json. For dieline/a%2Fb.json
// it is {"dieline", "a/b"}.
type fixtureName [3]string

// placeholder is the name of the body that is sent if there is no fixture. No file can have this name.
var placeholder = fixtureName{"placeholder"}

// maxFixtureSize is the maximum size of a fixture, in bytes. No dieline in JSON is that large.
const maxFixtureSize = 16 << 20

// readFixtures reads all fixtures, and adds the placeholder.
func readFixtures(files fs.FS) (map[fixtureName][]byte, error) {
	const body = `{"sandbox":"boxrules: this body is a placeholder; record the body that the service sends as a fixture"}` + "\n"
	fixtures := map[fixtureName][]byte{placeholder: []byte(body)}
	if files == nil {
		return fixtures, nil
	}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("fixtures: %w", err)
		// Skip folders such as .git, and in the next case files such as .DS_Store.
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
	matches := func(pattern string) bool {
		ok, _ := path.Match(pattern, name)
		return ok
	}
	if !slices.ContainsFunc(fixturePatterns, matches) {
		return errors.New("not a fixture; accepted: " + strings.Join(fixturePatterns, ", "))
	}
	var key fixtureName
	for i, segment := range strings.Split(strings.TrimSuffix(name, ".json"), "/") {
		unescaped, err := url.PathUnescape(segment)
		if err != nil {
			return fmt.Errorf("%w; write %% as %%25", err)
		}
		key[i] = unescaped
	}
	// a%2Fb.json and a%2fb.json are different files with one name.
	if _, ok := fixtures[key]; ok {
		return errors.New("another file has the same name, escaped differently; keep one of them")
	}
	info, err := fs.Stat(files, name) // the target's, if it is a link
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular(): // opening a pipe would wait for a writer
		return errors.New("not a regular file")
	case info.Size() > maxFixtureSize:
		return fmt.Errorf("the file has %d bytes; accepted: at most %d", info.Size(), maxFixtureSize)
	}
	body, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	fixtures[key] = body
	// A fixture that is not JSON would be sent to clients as if it were JSON, so report it now.
	return json.Unmarshal(body, new(json.RawMessage))
}
