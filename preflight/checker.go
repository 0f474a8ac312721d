// Package preflight answers requests of the documented interface before they are sent, in the
// service's own words: it reads the query of a dieline or quotation request, checks its boxes, and
// refuses with the documented error body what the rules refuse. All that it accepts, and every
// request that is not documented, goes on as it came: it saves a round trip, and is no firewall.
//
// There are three ways in. [Transport] wraps the transport of a client in Go, so that a request
// that cannot succeed never leaves the process. [Checker.Middleware] and [Checker.Handler] stand in
// front of services in any language. A [Checker] is what all of them ask, and who else wants to
// know.
//
// Section numbers in this package are those of docs/interface.md. What that document leaves open is
// decided in docs/interface.md#open-questions.
package preflight

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"net/http"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/internal/endpoint"
	"example.com/boxrules/internal/wording"
)

// Options say how a [Checker] decides what the interface document leaves open. The zero Options are
// ready to use.
type Options struct {
	// Base is the path of the service's address, as it is written there, such as / or /api/. Only a
	// request of it and a documented path is judged then. If Base is empty, any path may come before
	// the documented one.
	Base string
	// Gap is the least distance between two blanks on a sheet, in the catalogue's unit; see Sheets.
	Gap float64
	// PassUnknown accepts articles and materials that the catalogue does not have, and materials in
	// which it does not offer an article, for catalogues that hold a part of what the service
	// offers. One that is missing is refused.
	PassUnknown bool
	// Sample is the share, from 0 to 1, of the requests with a box that cannot be made that
	// Middleware and Transport let through all the same. Without it nobody sees when the service
	// has loosened a limit.
	Sample float64
	// ValidationCodes are the codes that the service reports for a wrong or missing article,
	// material, width, depth or height, by the name of the field. The document has that of the
	// material alone, DLN_1101, which need not be given.
	ValidationCodes map[string]boxrules.Code
	// OnDecision is told what is decided of each documented request that Middleware, Handler or
	// Transport gets, in the goroutine of the request and before it is answered or passed on; nil
	// tells nobody. It may be called by several goroutines at once.
	OnDecision func(Decision)
}

// A Decision says what a [Checker] has decided of a documented request. A [Transport] behind
// [Checker.Middleware] decides again only about another path or query.
type Decision struct {
	Request *http.Request
	Refusal *Refusal // nil: accepted; a request that is observed or a sample is passed on although it has one
	// Borderline is the code by which exact arithmetic refuses a box of a request that is accepted
	// because double precision does not, as [boxrules.Profile.Borderline] tells. Empty: there is none.
	Borderline boxrules.Code
	Took       time.Duration // the turn to be explained included
}

// A Checker says which requests the service would refuse, as far as its documented rules and the
// user's limits tell. It is immutable and safe for concurrent use. It is made by [New]; the methods
// of a zero Checker panic.
type Checker struct {
	engine     *boxrules.Engine
	options    Options
	minSheets  map[string]int // by material
	explaining chan struct{}  // holds as much as there are boxes that are being explained
}

// New makes a [Checker]. The error is a *[boxrules.InputError] if the base does not begin with a
// slash, the gap is not a number from 0 to 1,000, the sample none from 0 to 1, or a validation code
// is of no such field or not like DLN_1101. An engine that is nil is an error, too.
func New(engine *boxrules.Engine, options Options) (*Checker, error) {
	if engine == nil {
		return nil, errors.New("preflight.New: an engine is required")
	}
	if options.Base != "" && options.Base[0] != '/' {
		return nil, wrongField("base", "%s is not the path of an address; accepted: / or one such as /api/",
			wording.Quote(options.Base))
	}
	if err := checkGap(options.Gap); err != nil {
		return nil, err
	}
	if !(options.Sample >= 0 && options.Sample <= 1) {
		return nil, wrongField("sample", "%v is not a share; accepted: a number from 0 to 1", options.Sample)
	}
	if err := checkCodes(options.ValidationCodes); err != nil {
		return nil, err
	}
	options.ValidationCodes = maps.Clone(options.ValidationCodes)
	// Half of the processors, so that boxes which take long to explain leave some for everything
	// else.
	explaining := make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))
	c := &Checker{engine: engine, options: options, minSheets: make(map[string]int), explaining: explaining}
	for _, m := range engine.Catalogue().Materials() {
		c.minSheets[m.Code] = m.MinSheets
	}
	return c, nil
}

var likeCode = regexp.MustCompile(`^[A-Z]+_[0-9]+$`)

func checkCodes(codes map[string]boxrules.Code) error {
	for _, field := range slices.Sorted(maps.Keys(codes)) {
		if !slices.Contains(boxFields, field) || !likeCode.MatchString(string(codes[field])) {
			return wrongField("validation-codes", "%s is not a code of a field; accepted: one such as width=DLN_1102, of %s",
				wording.Quote(field+"="+string(codes[field])), strings.Join(boxFields, ", "))
		}
	}
	return nil
}

// refusalOf returns the error of a parser or of the engine as a Refusal, with the user's code for
// the field that is wrong.
func (c *Checker) refusalOf(err error) *Refusal {
	r := refusalOf(err)
	if code := c.options.ValidationCodes[r.field]; code != "" {
		r.Code, r.Path = code, r.field
	}
	return r
}

// Check says why the service would refuse the request. It returns nil for a request that it would
// accept, and for one that is not [Checker.Documented]. Only the query is looked at, and in it only the
// parameters that the document names.
//
// A box that exact arithmetic refuses and double precision does not is accepted: the service may compute
// in floating point. See [boxrules.Profile.Borderline]. If both refuse it by different codes, the code is
// the exact one.
func (c *Checker) Check(r *http.Request) *Refusal {
	path := c.documentedPath(r)
	if path == "" {
		return nil
	}
	return c.judge(r.Context(), path, r.URL.RawQuery).refusal
}

// The paths of the requests that are judged.
const (
	dielinePath   = endpoint.Dieline
	quotationPath = endpoint.Quotation
)

// Documented reports whether the request is one that the Checker judges: GET or HEAD of
// /v1/reseller/dieline or /v1/reseller/quotation, written exactly so, after Options.Base. It panics
// if r is nil.
func (c *Checker) Documented(r *http.Request) bool { return c.documentedPath(r) != "" }

// documentedPath returns the path that a documented request has after the base, or "" for any other
// request.
func (c *Checker) documentedPath(r *http.Request) string {
	path, _ := endpoint.Of(r.URL, c.options.Base)
	method := cmp.Or(r.Method, http.MethodGet) // to a client "" is GET
	if path != dielinePath && path != quotationPath || !slices.Contains(endpoint.Methods(path), method) {
		return ""
	}
	return path
}

// A judgement says what a [Checker] has decided of a documented request.
type judgement struct {
	by          *Checker
	path, query string         // what was judged
	boxes       []boxrules.Box // none where the query cannot be read
	refusal     *Refusal       // nil: accepted
	passes      bool           // accepted, or let through as a sample

	// What a service answers that computes exactly, and one that computes in double precision; nil: they
	// accept. They differ only if a box is borderline.
	exactly, inFloat64 *Refusal
}

// borderline returns the code by which exact arithmetic refuses what is accepted, or "".
func (j *judgement) borderline() boxrules.Code {
	if j.refusal == nil && j.exactly != nil {
		return j.exactly.Code
	}
	return ""
}

// refuse notes that every service refuses the request.
func (j *judgement) refuse(r *Refusal) *judgement {
	j.refusal = r
	j.exactly, j.inFloat64 = cmp.Or(j.exactly, r), cmp.Or(j.inFloat64, r)
	return j
}

// judged is the key of a context with the *judgement of its request.
type judged struct{}

// decide judges a documented request and tells OnDecision. A [Transport] behind
// [Checker.Middleware] gets the judgement that was made there. It returns nil for a request that is
// not documented.
func (c *Checker) decide(r *http.Request) *judgement {
	path := c.documentedPath(r)
	if path == "" {
		return nil
	}
	j, ok := r.Context().Value(judged{}).(*judgement)
	if ok && j.by == c && j.path == path && j.query == r.URL.RawQuery {
		return j
	}
	start := time.Now()
	j = c.judge(r.Context(), path, r.URL.RawQuery)
	if c.options.OnDecision != nil {
		c.options.OnDecision(Decision{r, j.refusal, j.borderline(), time.Since(start)})
	}
	j.passes = j.refusal == nil ||
		j.refusal.Type == boxrules.TypeBoxError && rand.Float64() < c.options.Sample
	return j
}

// judge reads the query, once, and checks what it asks for. All items of a quotation are read
// before any box is checked, and all boxes are checked before any quantity, each in the order of
// the items; the first failure is the answer. A box that double precision accepts is no failure.
func (c *Checker) judge(ctx context.Context, path, query string) *judgement {
	j := &judgement{by: c, path: path, query: query}
	if path == dielinePath {
		box, err := ParseDieline(query)
		if err != nil {
			return j.refuse(c.refusalOf(err))
		}
		j.boxes = []boxrules.Box{box}
		if r := c.checkBox(j, box); r != nil {
			j.refuse(c.explained(ctx, r))
		}
		return j
	}
	items, err := ParseQuotation(query)
	if err != nil {
		return j.refuse(c.refusalOf(err))
	}
	for _, item := range items {
		j.boxes = append(j.boxes, item.Box)
	}
	for i, item := range items {
		if r := c.checkBox(j, item.Box); r != nil {
			return j.refuse(c.explained(ctx, r).in(i))
		}
	}
	for i, item := range items {
		if r := c.checkQuantity(i, item); r != nil {
			return j.refuse(r)
		}
	}
	return j
}

// checkBox runs the rules for the box. It returns nil if a service may accept it, and notes in j which
// services do not.
func (c *Checker) checkBox(j *judgement, b boxrules.Box) *Refusal {
	p, err := c.engine.Profile(b.Article, b.Material)
	if err != nil && c.options.PassUnknown {
		return nil
	}
	if err != nil {
		return c.refusalOf(err)
	}
	v, err := p.Check(b.Dims)
	if err != nil {
		return c.refusalOf(err)
	}
	other, borderline, _ := p.Borderline(b.Dims) // fails only if Check does
	if !borderline {
		return boxRefusal(b, v)
	}
	exactly, inFloat64 := boxRefusal(b, v), boxRefusal(b, other)
	j.exactly, j.inFloat64 = cmp.Or(j.exactly, exactly), cmp.Or(j.inFloat64, inFloat64)
	if inFloat64 == nil {
		return nil
	}
	return exactly
}

// boxRefusal returns the refusal of a box with the verdict, without its explanation, or nil.
func boxRefusal(b boxrules.Box, v boxrules.Verdict) *Refusal {
	if v.OK() {
		return nil
	}
	return &Refusal{Type: boxrules.TypeBoxError, Code: v.Code(), Item: -1, Box: &b,
		Message: "the provided values do not allow creating a proper box"}
}

// explained returns the refusal with an explanation if it is about a box that cannot be made. That waits
// for its turn to be explained; a request that ends meanwhile gets no explanation.
func (c *Checker) explained(ctx context.Context, r *Refusal) *Refusal {
	if r.Box == nil {
		return r
	}
	select {
	case c.explaining <- struct{}{}:
		defer func() { <-c.explaining }()
	case <-ctx.Done():
		return r
	}
	if e, err := c.engine.Explain(*r.Box, 1); err == nil && !e.OK { // as it is, since Check has found a violation
		r.Message, r.explanation = e.Violations[0].String()+"; "+e.Advice(), &e
	}
	return r
}
