package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/preflight"
)

// Options say what a [Sandbox] serves. The zero Options are ready to use.
type Options struct {
	// SandboxCredentials and LiveCredentials are those of the two environments, which are not
	// interchangeable (section 5); DefaultSandbox and DefaultLive where they are zero.
	SandboxCredentials, LiveCredentials Credentials
	// Live makes this the live environment: it takes LiveCredentials and refuses SandboxCredentials.
	Live bool
	// TokenLifetime is how long an access token is good for: whole seconds from 1 s to 24 h, an hour
	// where it is 0.
	TokenLifetime time.Duration
	// Fixtures are the recorded bodies of answers that succeed; nil has none. They are read once, by
	// New:
	//
	//	dieline.json                           any dieline
	//	dieline/<article>.json                 a dieline of the article, before dieline.json
	//	quotation.json                         any quotation
	//	orders/<order_id>.json                 an order; there are no others
	//	orders/<order_id>/<product_id>.json    a product of an order; there are no others
	//
	// In the name of an article, characters that a file name cannot have are written as in a URL:
	// a%2Fb.json. Files and folders whose names begin with a dot are passed over. Links are followed
	// as far as the file system does: os.DirFS leaves its folder by them, and os.Root does not.
	Fixtures fs.FS
	// Preflight says how requests are checked.
	Preflight preflight.Options
	// Faults obeys the header FaultHeader of requests. Without it the header means nothing.
	Faults bool
	// Now is the clock by which tokens expire; time.Now where it is nil. It is called by several
	// goroutines at once.
	Now func() time.Time
}

// A Sandbox is the documented service. It is an http.Handler and safe for concurrent use.
type Sandbox struct {
	content atomic.Pointer[content]
	clients clients
	tokens  tokens
	faults  bool // obeys the header

	latency  atomic.Int64 // time.Duration
	failures atomic.Int64 // how many requests are still to fail; each takes one off, below zero too
}

// content is what Reload replaces.
type content struct {
	checker  *preflight.Checker
	fixtures fixtures
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

// New makes a [Sandbox] that checks boxes with the engine. The error names each thing that is wrong
// with the options or the fixtures, a line each.
func New(engine *boxrules.Engine, options Options) (*Sandbox, error) {
	content, err := newContent(engine, options)
	if err != nil {
		return nil, err
	}
	s := &Sandbox{faults: options.Faults}
	s.content.Store(content)
	if s.clients, err = newClients(options); err != nil {
		return nil, err
	}
	lifetime := cmp.Or(options.TokenLifetime, time.Hour)
	if lifetime < time.Second || lifetime > 24*time.Hour || lifetime%time.Second != 0 {
		return nil, fmt.Errorf("token lifetime: %v; accepted: whole seconds from 1s to 24h", lifetime)
	}
	now := options.Now
	if now == nil {
		now = time.Now
	}
	s.tokens = tokens{now: now, lifetime: lifetime, expiry: make(map[string]time.Time)}
	return s, nil
}

// Reload checks boxes with another engine from now on, with the Preflight and Fixtures of the
// options. The tokens stay good, and everything else stays as it is. The error is that of [New],
// and then nothing has changed.
func (s *Sandbox) Reload(engine *boxrules.Engine, options Options) error {
	content, err := newContent(engine, options)
	if err == nil {
		s.content.Store(content)
	}
	return err
}

// ServeHTTP answers as the documented service does.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.answer(r).send(w) }

// An answer is complete before any of it is sent, so that whatever fails can still be answered.
type answer struct {
	status int
	header http.Header // besides what every answer has; may be nil
	body   []byte
}

func (a *answer) send(w http.ResponseWriter) {
	h := w.Header()
	maps.Copy(h, a.header)
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // who has gone needs no answer
}

// answer decides. A panic is the service's failure, in the documented body.
func (s *Sandbox) answer(r *http.Request) (a *answer) {
	if r.Method == http.MethodHead {
		// HEAD is GET without the body, which net/http leaves out; with its length, though.
		r = r.WithContext(r.Context())
		r.Method = http.MethodGet
	}
	defer func() {
		if fault := recover(); fault != nil {
			slog.ErrorContext(r.Context(), "sandbox: internal fault", "fault", fault, "stack", string(debug.Stack()))
			a = failure(r, boxrules.TypeInternalServerError, http.StatusInternalServerError, "the sandbox failed: %v", fault)
		}
	}()
	fault, refused := s.faultOf(r)
	if refused == nil {
		refused = s.apply(fault, r)
	}
	if refused != nil {
		return refused
	}
	path := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	if matches(path, "v1", "oauth2", "token") {
		return s.serveToken(r)
	}
	if refused := s.authorize(r, fault.expired); refused != nil {
		return refused
	}
	return s.serveResource(r, path)
}

// serveResource answers a request that carries a token.
func (s *Sandbox) serveResource(r *http.Request, path []string) *answer {
	var serve func(*http.Request) *answer
	switch {
	case matches(path, "v1", "reseller", "dieline"):
		serve = s.serveDieline
	case matches(path, "v1", "reseller", "quotation"):
		serve = s.serveQuotation
	case matches(path, "v1", "reseller", "orders", "*"):
		serve = func(r *http.Request) *answer { return s.serveOrder(r, path[3]) }
	case matches(path, "v1", "reseller", "orders", "*", "products", "*"):
		serve = func(r *http.Request) *answer { return s.serveProduct(r, path[3], path[5]) }
	default:
		return failure(r, boxrules.TypeNotFound, http.StatusNotFound, "the resource does not exist")
	}
	if r.Method != http.MethodGet {
		return notFoundMethod(r, "GET, HEAD")
	}
	return serve(r)
}

// notFoundMethod answers a method that the path does not have. The document knows no answer for it
// but NOT_FOUND; the header says what there is.
func notFoundMethod(r *http.Request, allow string) *answer {
	a := failure(r, boxrules.TypeNotFound, http.StatusNotFound,
		"the resource does not exist: the path has no %s; accepted: %s", wording.Quote(r.Method), allow)
	a.header = http.Header{"Allow": {allow}}
	return a
}

// own is a body that nobody has recorded.
type own struct {
	Sandbox   string `json:"sandbox"`
	Dieline   any    `json:"dieline,omitempty"`
	Quotation any    `json:"quotation,omitempty"`
}

const unrecorded = "boxrules: this body is the sandbox's own; record the service's as a fixture"

func (s *Sandbox) serveDieline(r *http.Request) *answer {
	content := s.content.Load()
	d, refusal := content.checker.Dieline(r.Context(), r.URL.RawQuery)
	if refusal != nil {
		return &answer{status: http.StatusBadRequest, body: refusal.Body(r).JSON()}
	}
	for _, name := range []string{d.Box.Article, ""} {
		if body, ok := content.fixtures[fixture{"dieline", name}]; ok {
			return success(body)
		}
	}
	type dieline struct {
		boxrules.Box
		Type string `json:"type,omitempty"`
	}
	return success(strictjson.Marshal(own{Sandbox: unrecorded, Dieline: dieline{d.Box, d.Type}}))
}

func (s *Sandbox) serveQuotation(r *http.Request) *answer {
	content := s.content.Load()
	q, refusal := content.checker.Quotation(r.Context(), r.URL.RawQuery)
	if refusal != nil {
		return &answer{status: http.StatusBadRequest, body: refusal.Body(r).JSON()}
	}
	if body, ok := content.fixtures[fixture{"quotation", ""}]; ok {
		return success(body)
	}
	type quotation struct {
		Items    int    `json:"items"` // how many
		Shipping string `json:"shipping,omitempty"`
	}
	return success(strictjson.Marshal(own{Sandbox: unrecorded, Quotation: quotation{len(q.Items), q.Shipping}}))
}

// serveOrder answers with the order that a fixture records. What is no identifier identifies no
// order either.
func (s *Sandbox) serveOrder(r *http.Request, order string) *answer {
	id, err := preflight.ParseOrderID(order)
	return s.serveRecorded(r, fixture{"order", id.String()}, boxrules.TypeOrderError, err)
}

// serveProduct answers with the product that a fixture records. Without one the product does not
// exist, whether the order does or not.
func (s *Sandbox) serveProduct(r *http.Request, order, product string) *answer {
	id, err := preflight.ParseProductID(product)
	if err == nil && id.Order.String() != order {
		err = fmt.Errorf("%s is of another order than %s", id, wording.Quote(order))
	}
	return s.serveRecorded(r, fixture{"product", id.String()}, boxrules.TypeProductError, err)
}

// serveRecorded answers with the fixture; err says why there can be none.
func (s *Sandbox) serveRecorded(r *http.Request, f fixture, code boxrules.ErrorType, err error) *answer {
	if body, ok := s.content.Load().fixtures[f]; ok && err == nil {
		return success(body)
	}
	return failure(r, code, http.StatusNotFound, "the %s does not exist: %v", f.kind, cmp.Or(err, errors.New(f.name)))
}

func success(body []byte) *answer { return &answer{status: http.StatusOK, body: body} }

// failure is the documented error body, without an element.
func failure(r *http.Request, code boxrules.ErrorType, status int, format string, args ...any) *answer {
	return &answer{status: status, body: preflight.NewBody(r, code, status, fmt.Sprintf(format, args...)).JSON()}
}

// matches reports whether the path is the pattern, in which * stands for any segment that is not
// empty.
func matches(path []string, pattern ...string) bool {
	return slices.EqualFunc(path, pattern, func(got, want string) bool { return got == want || want == "*" && got != "" })
}
