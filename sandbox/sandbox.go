package sandbox

import (
	"cmp"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/preflight"
)

// Options say what a [Sandbox] serves. The zero Options are ready to use.
type Options struct {
	// Credentials get an access token; DefaultSandbox where they are zero.
	Credentials Credentials
	// TokenLifetime is how long an access token is good for, in whole seconds; an hour where it is
	// 0.
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
	// Characters that a file name cannot have are written as in a URL: a%2Fb.json. Files and
	// folders whose names begin with a dot are passed over. Links are followed as far as the file
	// system does: os.DirFS leaves its folder by them, and os.Root does not.
	Fixtures fs.FS
	// Preflight says how requests are checked.
	Preflight preflight.Options
	// Faults obeys the header FaultHeader of requests. Without it the header means nothing.
	Faults bool
	// Now is the clock by which tokens expire; time.Now where it is nil. It is called by several
	// goroutines at once.
	Now func() time.Time
}

// A Sandbox answers as the documented service does. It is safe for concurrent use.
type Sandbox struct {
	options  Options // of New, with what stands in for zeros
	content  atomic.Pointer[content]
	failures atomic.Int64 // how many requests are still to fail; each takes one off, below zero too

	mu     sync.Mutex
	tokens map[string]time.Time // until when each is good
}

// A content decides and answers; Reload puts another in its place.
type content struct {
	checker  *preflight.Checker
	fixtures map[string][]byte // as of readFixtures
}

func newContent(engine *boxrules.Engine, options Options) (*content, error) {
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
// or names a fixture that is none.
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
	path := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	switch {
	case matches(path, "v1", "oauth2", "token"):
		s.serveToken(w, r)
	case s.authorize(w, r, fault.expired):
		s.content.Load().serveResource(w, r, path)
	}
}

// serveResource answers a request that carries a token. HEAD is GET without the body, which
// net/http leaves out.
func (c *content) serveResource(w http.ResponseWriter, r *http.Request, path []string) {
	var serve http.HandlerFunc
	switch {
	case matches(path, "v1", "reseller", "dieline"):
		box, _ := preflight.ParseDieline(r.URL.RawQuery) // where that fails, the request is refused
		serve = c.decided("dieline/"+box.Article, "dieline")
	case matches(path, "v1", "reseller", "quotation"):
		serve = c.decided("quotation")
	case matches(path, "v1", "reseller", "orders", "*"):
		serve = c.recorded(boxrules.TypeOrderError, "order", "orders/"+path[3])
	case matches(path, "v1", "reseller", "orders", "*", "products", "*"):
		serve = c.recorded(boxrules.TypeProductError, "product", "orders/"+path[3]+"/"+path[5])
	default:
		fail(w, r, boxrules.TypeNotFound, http.StatusNotFound, "the resource does not exist")
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		failMethod(w, r, "GET, HEAD")
		return
	}
	serve(w, r)
}

// failMethod answers a method that the path does not have. The document knows no answer for it but
// NOT_FOUND; the header says what there is.
func failMethod(w http.ResponseWriter, r *http.Request, allow string) {
	w.Header().Set("Allow", allow)
	fail(w, r, boxrules.TypeNotFound, http.StatusNotFound,
		"the resource does not exist: the path has no %s; accepted: %s", wording.Quote(r.Method), allow)
}

// unrecorded stands in for a body that nobody has recorded.
const unrecorded = `{"sandbox":"boxrules: this body is the sandbox's own; record the service's as a fixture"}` + "\n"

// decided answers with a refusal, or with the first of the fixtures that has been recorded.
func (c *content) decided(names ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if refusal := c.checker.Check(r); refusal != nil {
			send(w, http.StatusBadRequest, refusal.Body(r).JSON())
			return
		}
		for _, name := range names {
			if body, ok := c.fixtures[name]; ok {
				send(w, http.StatusOK, body)
				return
			}
		}
		send(w, http.StatusOK, []byte(unrecorded))
	}
}

// recorded answers with a fixture, or with 404 where it is missing.
func (c *content) recorded(code boxrules.ErrorType, kind, name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if body, ok := c.fixtures[name]; ok {
			send(w, http.StatusOK, body)
			return
		}
		fail(w, r, code, http.StatusNotFound, "the %s does not exist: %s", kind, path.Base(name))
	}
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

// matches reports whether the path is the pattern, in which * stands for any segment that is not
// empty.
func matches(path []string, pattern ...string) bool {
	return slices.EqualFunc(path, pattern, func(got, want string) bool { return got == want || want == "*" && got != "" })
}
