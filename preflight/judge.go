package preflight

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
)

// The paths of the requests that are checked; what stands before is the base of the service's address.
const (
	dielinePath   = "/v1/reseller/dieline"
	quotationPath = "/v1/reseller/quotation"
)

// judge says why the request is refused, and which one to send in its place if it is not, or although its box cannot be made: the request itself, or a clone where
// anything in it is to change. What goes to the service is what was judged, however the service reads: a request that
// somebody could take for a dieline or a quotation is written as documented, or refused.
func (c *Checker) judge(r *http.Request) (send *http.Request, refusal *Refusal) {
	if r.URL == nil {
		return r, nil
	}
	address := sentAddress(r.URL)
	asked, methods, send := address.EscapedPath(), []string{cmp.Or(r.Method, http.MethodGet)}, r
	for name, values := range r.Header {
		if strings.IndexAny(name, "xXuU") != 0 {
			continue
		}
		plain := strings.ToLower(name)
		switch { // X-Original-URL and X-HTTP-Method-Override are more to some frameworks than the line of the request
		case strings.HasSuffix(plain, "url") || strings.HasSuffix(plain, "uri") || strings.HasSuffix(plain, "path"):
			asked += " " + strings.Join(values, " ")
		case strings.Contains(plain, "method"):
			methods = append(methods, values...)
		case plain == "upgrade": // to something that is not judged
			send = send.Clone(r.Context())
			delete(send.Header, name)
		}
	}
	resource := resourceOf(asked)
	switch {
	case r.Method == http.MethodConnect:
		return nil, notFound("there is no way through for CONNECT")
	case resource == "" && !mentioned(asked):
		return send, nil
	case resource == "":
		return nil, notFound("the path could be taken for another; accepted: " + dielinePath + " and " + quotationPath + ", written so")
	}
	for _, method := range methods {
		if method != http.MethodGet && method != http.MethodHead {
			refusal = notFound("the path has no " + wording.Quote(method) + "; accepted: " + allowed)
			refusal.allow = allowed
			return nil, refusal
		}
	}
	if refusal = checkHead(r); refusal == nil {
		refusal = c.checkQuery(r.Context(), resource, address.RawQuery)
	}
	if refusal != nil && refusal.Type != boxrules.BoxErrorType {
		return nil, refusal
	}
	if query := asJudged(resource, address.RawQuery); query != address.RawQuery {
		send = send.Clone(r.Context())
		send.URL.Opaque, _, _ = strings.Cut(send.URL.Opaque, "?")
		send.URL.RawQuery = query
	}
	return send, refusal
}

// sampled is the key of a context with the *Refusal of a request that is let through as a sample.
type sampled struct{}

// decide is judge, but a request may be let through although it would be refused: a sample of those whose box cannot be made. Then
// both results are not nil; otherwise one of them is.
func (c *Checker) decide(r *http.Request) (send *http.Request, refusal *Refusal) {
	if refusal, ok := r.Context().Value(sampled{}).(*Refusal); ok {
		return r, refusal
	}
	start := time.Now()
	send, refusal = c.judge(r)
	if c.options.OnDecision != nil {
		c.options.OnDecision(Decision{r, refusal, time.Since(start)})
	}
	if refusal == nil {
		return send, nil
	}
	if send == nil || rand.Float64() >= c.options.Sample {
		return nil, refusal
	}
	return send.WithContext(context.WithValue(send.Context(), sampled{}, refusal)), refusal
}

// allowed are the methods of the paths that are checked.
const allowed = "GET, HEAD"

// sentAddress is the address as it is sent: what is opaque in it may be a path and a query.
func sentAddress(u *url.URL) *url.URL {
	if u.Opaque == "" {
		return u
	}
	sent := u.RequestURI()
	parsed, err := url.ParseRequestURI(sent)
	if err != nil {
		return &url.URL{Path: sent}
	}
	return parsed
}

// plainBase is the base of an address of which there is one reading.
var plainBase = regexp.MustCompile(`^(/[\w~-][\w.~-]*)*$`)

// resourceOf is the path that is checked, without its base; "" where it is none, or not written as documented.
func resourceOf(path string) string {
	for _, resource := range []string{dielinePath, quotationPath} {
		base, ok := strings.CutSuffix(path, resource)
		if ok && (base == "" || plainBase.MatchString(base) && !mentioned(base)) {
			return resource
		}
	}
	return ""
}

// mentioned reports whether somebody could find a dieline or a quotation in the path.
func mentioned(path string) bool {
	text := loose(path)
	return reads(text, []byte("dieline"), true) || reads(text, []byte("quotation"), true)
}

// checkHead refuses parameters outside the query, and those in another encoding.
func checkHead(r *http.Request) *Refusal {
	// To a client a body without a length is one; servers have a body that is empty.
	if r.ContentLength != 0 || r.RequestURI == "" && r.Body != nil && r.Body != http.NoBody {
		return invalid("the request has a body; accepted: parameters in the query alone")
	}
	for _, cookies := range r.Header.Values("Cookie") {
		for cookie := range strings.SplitSeq(cookies, ";") {
			name, _, _ := strings.Cut(cookie, "=")
			if word := readAs(name, parameters...); word != "" {
				return invalid("the cookie %s could be read as %s; accepted: parameters in the query alone", wording.Quote(name), word)
			}
		}
	}
	for _, text := range r.Header.Values("Content-Type") {
		_, given, err := mime.ParseMediaType(text)
		if charset, ok := given["charset"]; err != nil || ok && !strings.EqualFold(charset, "UTF-8") {
			return invalid("Content-Type is %s; accepted: any in UTF-8", wording.Quote(text))
		}
	}
	return nil
}

// checkQuery is CheckDieline or CheckQuotation.
func (c *Checker) checkQuery(ctx context.Context, resource, query string) (refusal *Refusal) {
	if resource == dielinePath {
		_, refusal = c.dieline(ctx, query)
	} else {
		_, refusal = c.quotation(ctx, query)
	}
	return refusal
}

// asJudged is an accepted query in which no dimension has more decimals than were judged; every other byte stays.
func asJudged(resource, query string) string {
	if resource == dielinePath && !strings.ContainsAny(query, ".%") {
		return query // only items have exponents
	}
	parts := strings.Split(query, "&")
	for i, part := range parts {
		name, value, _ := strings.Cut(part, "=")
		plain, _ := url.QueryUnescape(name) // it has been parsed
		text, _ := url.QueryUnescape(value)
		var spans [][2]int
		switch {
		case resource == dielinePath && slices.Contains(dimensionNames[:], plain):
			spans = [][2]int{{0, len(text)}}
		case resource == quotationPath && plain == "items":
			spans = dimensionsIn(text)
		}
		for _, span := range slices.Backward(spans) {
			if number := text[span[0]:span[1]]; decimals(number) > gridDecimals {
				x, _ := strconv.ParseFloat(number, 64)
				judged := strconv.FormatFloat(exact.Units(exact.Grid(x)), 'f', -1, 64)
				value = value[:escapedLen(value, span[0])] + judged + value[escapedLen(value, span[1]):]
				parts[i] = name + "=" + value
			}
		}
	}
	return strings.Join(parts, "&")
}

// escapedLen is how many bytes of an escaped text stand for so many of what it stands for.
func escapedLen(escaped string, n int) (length int) {
	for ; n > 0; n-- {
		if escaped[length] == '%' {
			length += 2
		}
		length++
	}
	return length
}

var dimensionNames = exact.AxisNames()

// dimensionsIn are where the dimensions stand in the text of items, which have been parsed.
func dimensionsIn(items string) (spans [][2]int) {
	d := json.NewDecoder(strings.NewReader(items))
	_, _ = d.Token() // [
	for d.More() {
		_, _ = d.Token() // {
		for d.More() {
			key, _ := d.Token()
			var value json.RawMessage
			_ = d.Decode(&value)
			if name, _ := key.(string); slices.Contains(dimensionNames[:], name) {
				end := int(d.InputOffset())
				spans = append(spans, [2]int{end - len(value), end})
			}
		}
		_, _ = d.Token() // }
	}
	return spans
}

// gridDecimals is how many decimals a dimension on the grid has.
const gridDecimals = 3

// decimals is how many decimals a number has, without the zeros at its end: 4 of 1.0005 and of 10.0050e-1.
func decimals(number string) int {
	if !strings.ContainsAny(number, ".eE") {
		return 0
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	zeros := len(digits) - len(strings.TrimRight(digits, "0"))
	if strings.Trim(digits, "-0") == "" {
		return 0
	}
	e, _ := strconv.Atoi(cmp.Or(exponent, "0")) // beyond all bounds it is the nearer of them
	return len(fraction) - zeros - min(max(e, -1e6), 1e6)
}

// checkUnknown refuses a box of which the service may know the article and the material, where the limits do not:
// one without them, and one that is of the limits, to a service that does not look closely.
func (c *Checker) checkUnknown(b boxrules.Box) error {
	if err := missingField(b); err != nil {
		return err
	}
	for _, field := range []struct {
		name, code string
		known      []string
	}{{"article", b.Article, c.articles}, {"material", b.Material, c.materials}} {
		if slices.Contains(field.known, field.code) {
			continue
		}
		word := readAs(field.code[:min(len(field.code), maxCode)], field.known...)
		switch {
		case word != "":
			return &boxrules.InputError{Field: field.name, Message: fmt.Sprintf(
				"%s could be read as %s; accepted: that, or what cannot", wording.Quote(field.code), wording.Quote(word))}
		case len(field.code) > maxCode:
			return &boxrules.InputError{Field: field.name,
				Message: fmt.Sprintf("%s is not in the limits; accepted: a code of at most %d bytes", wording.Quote(field.code), maxCode)}
		}
	}
	return nil
}

// maxCode bounds the codes of articles and materials that the limits do not have, and so what it takes to compare them.
const maxCode = 64
