package preflight

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"example.com/boxrules"
)

// Options say how a Checker decides what the interface document leaves open. The zero Options are ready to use.
type Options struct {
	// Gap is the least distance between two blanks on a sheet, in the catalogue's unit; see Sheets.
	Gap float64
	// PassUnknown accepts requests about articles, and about materials of articles, that the catalogue does not
	// have, for catalogues that hold a part of what the service offers.
	PassUnknown bool
}

// A Checker says which requests the service would refuse, as far as its documented rules and the user's limits
// tell. It is immutable and safe for concurrent use.
type Checker struct {
	engine    *boxrules.Engine
	options   Options
	minSheets map[string]int // by material
}

// New makes a Checker. The error is a *boxrules.InputError where the gap is not a number from 0 to 1,000.
func New(engine *boxrules.Engine, options Options) (*Checker, error) {
	if engine == nil {
		return nil, errors.New("preflight.New: an engine is required")
	}
	if err := checkGap(options.Gap); err != nil {
		return nil, err
	}
	c := &Checker{engine, options, make(map[string]int)}
	for _, m := range engine.Catalogue().Materials() {
		c.minSheets[m.Code] = m.MinSheets
	}
	return c, nil
}

// Engine is the engine that the Checker asks.
func (c *Checker) Engine() *boxrules.Engine { return c.engine }

// The paths of the requests that are checked; what stands before is the base of the service's address.
const (
	dielinePath   = "/v1/reseller/dieline"
	quotationPath = "/v1/reseller/quotation"
)

// isChecked reports whether the request is a dieline or a quotation: GET on a path that ends as those of section 4
// do.
func isChecked(r *http.Request) bool {
	// To a client, an empty method means GET.
	if r.URL == nil || r.Method != http.MethodGet && r.Method != "" {
		return false
	}
	path := sentAddress(r.URL).Path
	return strings.HasSuffix(path, dielinePath) || strings.HasSuffix(path, quotationPath)
}

// sentAddress is the address as it is sent: what is opaque in it may be a path and a query.
func sentAddress(u *url.URL) *url.URL {
	if u.Opaque == "" {
		return u
	}
	parsed, err := url.ParseRequestURI(u.RequestURI())
	if err != nil {
		return &url.URL{}
	}
	return parsed
}

// Check says why the service would refuse the request, nil where it would not, or where the request is no
// dieline and no quotation: everything but GET on a path that ends as those of section 4 do.
func (c *Checker) Check(r *http.Request) *Refusal {
	if !isChecked(r) {
		return nil
	}
	address := sentAddress(r.URL)
	if strings.HasSuffix(address.Path, dielinePath) {
		return c.CheckDieline(address.RawQuery)
	}
	return c.CheckQuotation(address.RawQuery)
}

// CheckDieline is Check for the query of a dieline request.
func (c *Checker) CheckDieline(query string) *Refusal {
	_, refusal := c.Dieline(query)
	return refusal
}

// CheckQuotation is Check for the query of a quotation request. All items are read before any box is checked,
// and all boxes are checked before any quantity, each in the order of the items; the first failure is the answer.
func (c *Checker) CheckQuotation(query string) *Refusal {
	_, refusal := c.Quotation(query)
	return refusal
}

// Dieline is ParseDieline and CheckDieline at once.
func (c *Checker) Dieline(query string) (Dieline, *Refusal) {
	d, err := ParseDieline(query)
	if err != nil {
		return d, refusalOf(err)
	}
	return d, c.checkBox(d.Box)
}

// Quotation is ParseQuotation and CheckQuotation at once.
func (c *Checker) Quotation(query string) (Quotation, *Refusal) {
	q, err := ParseQuotation(query)
	if err != nil {
		return q, refusalOf(err)
	}
	for i, item := range q.Items {
		if r := c.checkBox(item.Box); r != nil {
			return q, r.in(i)
		}
	}
	for i, item := range q.Items {
		if r := c.checkQuantity(i, item); r != nil {
			return q, r
		}
	}
	return q, nil
}

// checkBox runs the rules for the box.
func (c *Checker) checkBox(b boxrules.Box) *Refusal {
	if _, err := c.engine.Profile(b.Article, b.Material); err != nil && c.options.PassUnknown {
		return missingField(b)
	}
	v, err := c.engine.Check(b)
	switch {
	case err != nil:
		return refusalOf(err)
	case v.OK():
		return nil
	}
	r := &Refusal{Type: boxrules.BoxErrorType, Code: v.Code(), Item: -1, Box: &b}
	r.Message = "the provided values do not allow creating a proper box"
	if e, err := c.engine.Explain(b, 1); err == nil && !e.OK { // as it is, since Check has found a violation
		r.Message, r.explanation = e.Violations[0].Values+"; "+e.Advice(), &e
	}
	return r
}
