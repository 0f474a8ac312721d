package preflight

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/internal/wording"
)

// A judgement is the decision of a [Checker] about a documented request.
type judgement struct {
	checker     *Checker
	path, query string         // the documented path, without Options.Base, and the query
	boxes       []boxrules.Box // the boxes of the query; empty if it cannot be parsed
	judgedRefusals
	isSampled bool // whether it is let through although it is refused; see Options.Sample
}

// judgedRefusals holds the first refusal of a request by each of two possible kinds of service: one that computes
// exactly, and one that computes in double precision. We do not know which kind the real service is, so the
// Checker refuses only what both kinds refuse. A nil Refusal means that the request is accepted.
//
// Take a quotation with two items. The first violates BOX_3103, whose condition is width <= (depth * 3) / 4, in exact
// arithmetic but not in double precision. The second violates BOX_3100 in both, because it is deeper than wide. A
// service that computes exactly reports BOX_3103 for the first item, and a service that computes in double precision
// reports BOX_3100 for the second. The Checker also reports BOX_3100 for the second, because neither kind of service
// accepts that item.
type judgedRefusals struct {
	certain *Refusal // the first refusal of an item that both kinds of service refuse
	exact   *Refusal
	double  *Refusal
}

// add records the result for one item: exact is the refusal by a service that computes exactly, and double is
// the refusal by a service that computes in double precision. Either may be nil. For each kind of service,
// only the first refusal is kept.
func (r *judgedRefusals) add(exact, double *Refusal) {
	if r.exact == nil {
		r.exact = exact
	}
	if r.double == nil {
		r.double = double
	}
	if r.certain == nil && exact != nil && double != nil {
		r.certain = exact
	}
}

// borderlineCode returns the code that a service that computes exactly reports for the request. It returns "" if
// this service accepts the request, or if some item is refused by both kinds of service.
func (r *judgedRefusals) borderlineCode() boxrules.Code {
	if r.certain == nil && r.exact != nil {
		return r.exact.Code
	}
	return ""
}

// passes reports whether the request may be sent to the service.
func (j *judgement) passes() bool { return j.certain == nil || j.isSampled }

// judgementKey is the key under which the context of a request holds its *judgement.
type judgementKey struct{}

// judgeRequest judges r if it is a documented request (see [Checker.Documented]), and calls
// Options.OnDecision. If a [Transport] calls it after [Checker.Middleware] has judged the same path and
// query, it returns the earlier judgement. For a request that is not documented, it returns nil.
func (c *Checker) judgeRequest(r *http.Request) *judgement {
	path := c.documentedPath(r)
	if path == "" {
		return nil
	}
	// A request may have been changed on its way from the Middleware to the Transport. Then judge it again.
	j, ok := r.Context().Value(judgementKey{}).(*judgement)
	if ok && j.checker == c && j.path == path && j.query == r.URL.RawQuery {
		return j
	}
	start := time.Now()
	j = c.judge(r.Context(), path, r.URL.RawQuery)
	if c.options.OnDecision != nil {
		c.options.OnDecision(Decision{r, j.certain, j.borderlineCode(), time.Since(start)})
	}
	// Take samples only of boxes: if a service accepts a malformed request, that says nothing about its
	// limits.
	j.isSampled = j.certain != nil && j.certain.Type == boxrules.TypeBoxError && rand.Float64() < c.options.Sample
	return j
}

// judge reads the query and checks the boxes and quantities in it. It turns every error that it
// finds, in the query or in a box, into a refusal.
func (c *Checker) judge(ctx context.Context, path, query string) *judgement {
	j := &judgement{checker: c, path: path, query: query}
	items, err := parseItems(path, query)
	for i := range items {
		items[i].Box.Dims = c.toEngineUnit(items[i].Box.Dims)
	}
	if err == nil { // every box is well formed, and so can be checked
		err = c.checkItems(j, items)
	}
	if err != nil {
		// The request has no valid box, so there is nothing to compute, and both kinds of service refuse it.
		r := newRefusal(err)
		if code := c.options.ValidationCodes[r.field]; code != "" {
			r.Code, r.Path = code, r.field
		}
		j.add(r, r)
	}
	if j.certain != nil && j.certain.Box != nil {
		c.explainJudged(ctx, j.certain)
	}
	return j
}

// checkItems checks all boxes, then all quantities, and stops at the first box or quantity that a service
// would refuse both in exact arithmetic and in double precision. It adds refusals to j. It returns the
// engine's error for a box that cannot be checked, for example because its article is unknown.
func (c *Checker) checkItems(j *judgement, items []Item) error {
	for _, item := range items {
		j.boxes = append(j.boxes, item.Box)
	}
	profiles := make([]*boxrules.Profile, len(items)) // for the second loop, which checks the quantities
	// If only one kind of service refuses an item, go on, because both may refuse a later item.
	for i, item := range items {
		p, err := c.engine.Profile(item.Box.Article, item.Box.Material)
		if err != nil && c.options.PassUnknown {
			continue // the box is accepted, and no sheets can be counted
		}
		if err == nil {
			err = j.checkBox(i, p, item.Box)
		}
		if err != nil && j.path == quotationPath {
			return &itemError{i, err}
		}
		if err != nil || j.certain != nil {
			return err
		}
		profiles[i] = p
	}
	// Sheets are always counted in exact numbers, so both kinds of service refuse the same item.
	for i, item := range items {
		if r := c.checkQuantity(profiles[i], i, item); r != nil {
			j.add(r, r)
			break
		}
	}
	return nil
}

// checkBox checks the box of items[i] twice, in exact arithmetic and in double precision, and adds
// the two results, each a refusal or nil, to j.
func (j *judgement) checkBox(i int, p *boxrules.Profile, b boxrules.Box) error {
	verdict, err := p.Check(b.Dims)
	if err != nil {
		return err
	}
	double, borderline, err := p.Borderline(b.Dims)
	if err != nil {
		return err
	}
	if !borderline {
		double = verdict
	}
	if j.path == dielinePath { // its only box is not in a list
		i = noItem
	}
	j.add(boxRefusal(i, b, verdict), boxRefusal(i, b, double))
	return nil
}

// explainJudged replaces the message about a refused box with a message that says what to change.
//
// Explaining takes much longer than checking. At most half of the processors may be busy with explanations, so that the
// others remain free for everything else. Further requests wait here. If the client disconnects while its request
// waits, the message stays as it is.
func (c *Checker) explainJudged(ctx context.Context, r *Refusal) {
	select {
	case c.explanationSlots <- struct{}{}:
		defer func() { <-c.explanationSlots }()
	case <-ctx.Done():
		return
	}
	step := c.engine.Catalogue().DefaultStep()
	e, err := c.engine.Explain(*r.Box, step)
	if err != nil || e.OK {
		return
	}
	r.explanation = &e
	reason, advice := e.Violations[0].String(), e.Advice()
	if limitsUnit := c.engine.Catalogue().Unit(); c.unit != limitsUnit {
		// The numbers of the client are in a different unit, so say which unit the message is in.
		r.unit = limitsUnit
		reason = "in " + wording.UnitInWords(limitsUnit) + ": " + reason
		if converted, err := c.engine.AdviceIn(*r.Box, step, boxrules.AdviceOptions{Unit: c.unit}); err == nil && c.canAdvise() {
			advice = "in " + wording.UnitInWords(c.unit) + ": " + converted
		}
	}
	r.Message = itemPrefix(r.Item) + reason + "; " + advice
}
