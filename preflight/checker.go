// Package preflight checks requests to the printing service before they are sent. It reads the query of a
// dieline or quotation request and checks the boxes in it. If a box cannot be made, it refuses the request
// with the error body that the interface document shows. Every other request passes unchanged: this package
// saves round trips, but it is not a firewall.
//
// A client in Go uses a [Transport] in its http.Client, so that a request that cannot succeed never leaves the
// process. A proxy in Go wraps its handler in [Checker.Middleware]. Most users need nothing else.
// [Checker.Handler] says whether a request would succeed, without sending it. All of these decide in the same
// way as [Checker.Check]. Programs in other languages run "boxrules serve --preflight" and need not read on.
//
// Section numbers in this package refer to docs/interface.md. The section docs/interface.md#open-questions
// lists our decisions about everything that the interface document leaves open.
package preflight

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/endpoint"
	"example.com/boxrules/internal/wording"
)

// Options configure a [Checker], mainly for what the interface document leaves open. The zero value is ready
// to use.
type Options struct {
	// Base is the path in the service's address, exactly as it is written there, such as / or /api/. The
	// Checker judges only requests whose path is Base followed by a documented path. If Base is empty, any
	// path may come before the documented one.
	Base string
	// ServiceUnit is the unit of the dimensions in requests. They are converted to the catalogue's unit. If
	// ServiceUnit is empty, mm is used, or the catalogue's unit if it is not among [exact.ConvertibleUnits].
	ServiceUnit string
	// Gap is the smallest distance between two blanks on a sheet, in the catalogue's unit; see [Ups].
	Gap float64
	// PassUnknown makes the Checker accept articles and materials that the catalogue does not have, and
	// materials in which the catalogue does not offer the article. Set it if the catalogue has only a part of
	// what the service offers. A request without an article or a material is always refused.
	PassUnknown bool
	// Sample is a number from 0 to 1. Of the requests with a box that cannot be made, Middleware and
	// Transport pass this share on to the service. Without such samples nobody would notice if the service
	// loosened a limit.
	Sample float64
	// ValidationCodes are the codes that the service reports for a wrong or missing article, material,
	// width, depth or height. The keys are the names of these fields. The document has a code only for
	// the material, DLN_1101. That is the default.
	ValidationCodes map[string]boxrules.Code
	// OnDecision, if it is not nil, is called with the decision about each documented request that
	// Middleware, Handler or Transport gets. The call is made in the goroutine of the request, before the
	// request is answered or passed on. Several goroutines may call it at once.
	OnDecision func(Decision)
}

// A Decision says what a [Checker] has decided about a documented request. If a request passes through
// [Checker.Middleware] and then through a [Transport], there is a second Decision only if its path or query
// was changed in between.
type Decision struct {
	Request *http.Request

	// Refusal is nil if the request is accepted. A request with a Refusal is nevertheless passed on if
	// Transport.Observe is set or if it is a sample (see Options.Sample).
	Refusal *Refusal

	// Borderline is the code of a box that is invalid exactly, but that is accepted because it is valid in
	// double precision (see [boxrules.Profile.Borderline]). It is empty if there is no such box, or if the
	// request is refused.
	Borderline boxrules.Code

	Took time.Duration // includes waiting for the explanation
}

// A Checker decides which requests the service would refuse, according to the rules and limits of an engine.
// It is immutable and safe for concurrent use. Call [New] to make one; the methods of a zero Checker panic.
type Checker struct {
	engine           *boxrules.Engine
	options          Options
	unitRatio        exact.Ratio    // converts from the unit of requests to the unit of the catalogue
	unit             string         // the unit of requests; the catalogue's unit if nothing is converted
	minSheets        map[string]int // by material
	explanationSlots chan struct{}  // a semaphore: one token per explanation in progress
}

// New makes a [Checker]. It returns a *[boxrules.OptionError] if Base does not begin with a slash, if Gap is
// not a number from 0 to 1,000, if ServiceUnit cannot be converted to the catalogue's unit, if Sample is not
// a number from 0 to 1, or if an entry of ValidationCodes has an unknown field or a code that does not look
// like DLN_1101. It also returns an error if engine is nil.
func New(engine *boxrules.Engine, options Options) (*Checker, error) {
	if engine == nil {
		return nil, errors.New("preflight.New: an engine is required")
	}
	if options.Base != "" && options.Base[0] != '/' {
		return nil, optionError("base", "%s is not the path of a URL; accepted: / or a path such as /api/",
			wording.Quote(options.Base))
	}
	unit := engine.Catalogue().Unit()
	requestUnit := cmp.Or(options.ServiceUnit, exact.ServiceUnit)
	toUnit, ok := exact.UnitRatio(requestUnit, unit)
	switch {
	case !ok && options.ServiceUnit == "":
		toUnit, requestUnit = exact.Ratio{Num: 1, Den: 1}, unit
	case !ok:
		return nil, optionError("service-unit", "%s cannot be converted to the unit of the limits, %s; accepted: %s",
			wording.Quote(options.ServiceUnit), unit, wording.Units(options.ServiceUnit))
	}
	if err := checkSheetGap(options.Gap); err != nil {
		return nil, err
	}
	if !(options.Sample >= 0 && options.Sample <= 1) { // the condition is negated so that it also refuses NaN
		return nil, optionError("sample", "%v is not a share; accepted: a number from 0 to 1", options.Sample)
	}
	if err := checkCodes(options.ValidationCodes); err != nil {
		return nil, err
	}
	options.ValidationCodes = maps.Clone(options.ValidationCodes) // the caller may change the map afterwards
	explaining := make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))
	c := &Checker{engine: engine, options: options, unitRatio: toUnit, unit: requestUnit, minSheets: make(map[string]int), explanationSlots: explaining}
	for _, m := range engine.Catalogue().Materials() {
		c.minSheets[m.Code] = m.MinSheets
	}
	return c, nil
}

var codePattern = regexp.MustCompile(`^[A-Z]+_[0-9]+$`)

func checkCodes(codes map[string]boxrules.Code) error {
	for _, field := range slices.Sorted(maps.Keys(codes)) { // sorted, so that the error is always the same
		if !slices.Contains(boxFields, field) || !codePattern.MatchString(string(codes[field])) {
			return optionError("validation-codes", "%s is not FIELD=CODE; accepted: a field and its code, as in width=DLN_1102; the fields are %s",
				wording.Quote(field+"="+string(codes[field])), strings.Join(boxFields, ", "))
		}
	}
	return nil
}

// Check returns the reason why the service would refuse the request. It returns nil if the service would
// accept the request, or if the request is not documented (see [Checker.Documented]). It reads only the
// query, and only the parameters that the interface document names.
//
// The service may compute in floating point. So Check accepts every box that is valid in double precision,
// even if it is invalid in exact arithmetic; see [boxrules.Profile.Borderline]. If the box is invalid both
// ways, but with different codes, the Refusal has the code from exact arithmetic.
func (c *Checker) Check(r *http.Request) *Refusal {
	path := c.documentedPath(r)
	if path == "" {
		return nil
	}
	return c.judge(r.Context(), path, r.URL.RawQuery).certain
}

// Documented reports whether the Checker judges the request. It judges a request if the method is GET or
// HEAD, and the path is Options.Base followed by exactly /v1/reseller/dieline or /v1/reseller/quotation.
// Documented panics if r is nil.
func (c *Checker) Documented(r *http.Request) bool { return c.documentedPath(r) != "" }

// documentedPath returns the path of a documented request, with Options.Base removed. It returns "" for any
// other request.
func (c *Checker) documentedPath(r *http.Request) string {
	path, _ := endpoint.Of(r.URL, c.options.Base)
	method := cmp.Or(r.Method, http.MethodGet) // for a client, "" means GET
	if path != dielinePath && path != quotationPath || !slices.Contains(endpoint.Methods(path), method) {
		return ""
	}
	return path
}

// toEngineUnit returns the dimensions of a request in the catalogue's unit. If the catalogue allows fewer than
// three decimals, it rounds them to that number of decimals: if it allows two, 300 mm becomes 11.81 inches.
// Otherwise a client would be blamed for decimals that come from the conversion.
func (c *Checker) toEngineUnit(d boxrules.Dims) boxrules.Dims {
	if c.unitRatio.Num == c.unitRatio.Den {
		return d
	}
	x := d.ByAxis()
	for axis := range x {
		x[axis] = c.unitRatio.Convert(x[axis])
		if step := exact.StepOf(c.engine.Catalogue().Decimals()); step > 1 {
			x[axis] = exact.Float64At(exact.FloorDiv(exact.Grid(x[axis])+step/2, step) * step)
		}
	}
	return boxrules.Dims{Width: x[0], Depth: x[1], Height: x[2]}
}

// canAdvise reports whether advice can be given in the unit of requests. It cannot if the limit file
// accepts fewer than three decimals and exactly one of the two units is inches, because then most converted
// numbers have too many decimals.
func (c *Checker) canAdvise() bool {
	catalogue := c.engine.Catalogue()
	return catalogue.Decimals() == 3 || (c.unit == "in") == (catalogue.Unit() == "in")
}
