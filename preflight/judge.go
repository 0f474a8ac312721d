package preflight

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"example.com/boxrules"
)

// The paths of the documented requests; what stands before is the base of the service's address.
const (
	dielinePath   = "/v1/reseller/dieline"
	quotationPath = "/v1/reseller/quotation"
)

// Documented reports whether the request is one that a [Checker] judges: GET or HEAD of a path that
// ends, letter for letter, in /v1/reseller/dieline or /v1/reseller/quotation.
func Documented(r *http.Request) bool { return documentedPath(r) != "" }

// documentedPath returns the path that a documented request has behind the base, or "" for any
// other request.
func documentedPath(r *http.Request) string {
	if r.Method != "" && r.Method != http.MethodGet && r.Method != http.MethodHead { // to a client "" is GET
		return ""
	}
	asked := r.URL.EscapedPath()
	for _, path := range []string{dielinePath, quotationPath} {
		if strings.HasSuffix(asked, path) {
			return path
		}
	}
	return ""
}

// A judgement says what a [Checker] has decided of a documented request.
type judgement struct {
	by          *Checker
	path, query string         // what was judged
	boxes       []boxrules.Box // none where the query cannot be read
	refusal     *Refusal       // nil: accepted
	passes      bool           // accepted, or let through as a sample
}

// judged is the key of a context with the *judgement of its request.
type judged struct{}

// decide judges a documented request and tells OnDecision. A [Transport] behind
// [Checker.Middleware] gets the judgement that was made there. It returns nil for a request that is
// not documented.
func (c *Checker) decide(r *http.Request) *judgement {
	path := documentedPath(r)
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
		c.options.OnDecision(Decision{r, j.refusal, time.Since(start)})
	}
	j.passes = j.refusal == nil ||
		j.refusal.Type == boxrules.TypeBoxError && rand.Float64() < c.options.Sample
	return j
}

// judge reads the query, once, and checks what it asks for. All items of a quotation are read
// before any box is checked, and all boxes are checked before any quantity, each in the order of
// the items; the first failure is the answer.
func (c *Checker) judge(ctx context.Context, path, query string) *judgement {
	j := &judgement{by: c, path: path, query: query}
	if path == dielinePath {
		box, err := ParseDieline(query)
		if err != nil {
			j.refusal = c.refusalOf(err)
			return j
		}
		j.boxes, j.refusal = []boxrules.Box{box}, c.checkBox(ctx, box)
		return j
	}
	items, err := ParseQuotation(query)
	if err != nil {
		j.refusal = c.refusalOf(err)
		return j
	}
	for _, item := range items {
		j.boxes = append(j.boxes, item.Box)
	}
	j.refusal = c.checkItems(ctx, items)
	return j
}

func (c *Checker) checkItems(ctx context.Context, items []Item) *Refusal {
	for i, item := range items {
		if r := c.checkBox(ctx, item.Box); r != nil {
			return r.in(i)
		}
	}
	for i, item := range items {
		if r := c.checkQuantity(i, item); r != nil {
			return r
		}
	}
	return nil
}
