package preflight_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"example.com/boxrules"
	"example.com/boxrules/limits"
	"example.com/boxrules/preflight"
)

// serverRequest is the request as a server reads it.
func serverRequest(t *testing.T, method, target, header, body string) *http.Request {
	t.Helper()
	text := method + " " + target + " HTTP/1.1\r\nHost: a\r\n" + header + "\r\n" + body
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return r
}

// outcome sends the request through Middleware, and as a client through Transport, which have to agree. It gives the type
// of the refusal, or "" and the request that was handed on.
func outcome(t *testing.T, c *preflight.Checker, r *http.Request) (string, *http.Request) {
	t.Helper()
	var passed, left *http.Request
	w := httptest.NewRecorder()
	c.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { passed = r })).ServeHTTP(w, r)
	client := r.Clone(r.Context())
	client.RequestURI, client.URL.Scheme, client.URL.Host = "", "http", "service.test"
	transport := &preflight.Transport{Checker: c, Base: roundTrip(func(r *http.Request) (*http.Response, error) {
		left = r
		return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
	})}
	response, err := transport.RoundTrip(client)
	if err != nil {
		t.Fatal(err)
	}
	if (passed == nil) != (left == nil) || passed != nil && passed.URL.RequestURI() != left.URL.RequestURI() || w.Code != response.StatusCode {
		t.Errorf("%s %s: Middleware hands on %v with %d, Transport %v with %d", r.Method, r.RequestURI, passed, w.Code, left,
			response.StatusCode)
	}
	if passed != nil {
		return "", passed
	}
	refusal := c.Check(r)
	if want := map[bool]int{true: 404, false: 400}[refusal.Type == boxrules.NotFound]; w.Code != want {
		t.Errorf("%s %s: the status %d, want %d", r.Method, r.RequestURI, w.Code, want)
	}
	if body, _ := io.ReadAll(response.Body); (len(body) == 0) != (r.Method == http.MethodHead) {
		t.Errorf("%s %s: the body %s", r.Method, r.RequestURI, body)
	}
	return string(refusal.Type), nil
}

// TestOnlyAsWritten has requests that somebody could take for dielines and quotations, of boxes other than those that
// would be judged.
func TestOnlyAsWritten(t *testing.T) {
	const found, valid, box = "NOT_FOUND", "VALIDATION_ERROR", "BOX_ERROR"
	for _, test := range []struct{ name, method, target, header, body, want string }{
		{"as written", "GET", dielinePath + "?" + goodQuery, "", "", ""},
		{"HEAD", "HEAD", dielinePath + "?" + goodQuery, "", "", ""},
		{"HEAD", "HEAD", dielinePath + "?" + badQuery, "", "", box},
		{"a base", "GET", "/a.b/~c/_d-e" + dielinePath + "?" + badQuery, "", "", box},
		{"a base", "GET", "/a.b/~c/_d-e" + dielinePath + "?" + goodQuery, "", "", ""},
		{"a base", "GET", "/index.php" + dielinePath + "?" + badQuery, "", "", box},
		{"an absolute address", "GET", "http://b" + dielinePath + "?" + badQuery, "", "", box},
		{"a fragment", "GET", dielinePath + "#?" + badQuery, "", "", found},
		{"POST", "POST", dielinePath + "?" + goodQuery, "", "", found},
		{"POST", "POST", quotationPath, "Content-Length: 1\r\n", "x", found},
		{"another method", "get", dielinePath + "?" + goodQuery, "", "", found},
		{"CONNECT", "CONNECT", "a:80", "", "", found},
		{"CONNECT", "CONNECT", "/v1/reseller/orders", "", "", found},
		{"a method in a header", "GET", dielinePath + "?" + goodQuery, "X-HTTP-Method-Override: POST\r\n", "", found},
		{"a method in a header", "POST", dielinePath + "?" + badQuery, "X-HTTP-Method-Override: GET\r\n", "", found},
		{"a method in a header", "GET", dielinePath + "?" + goodQuery, "X_Method_Override: PUT\r\n", "", found},
		{"a method in a header", "GET", dielinePath + "?" + goodQuery, "X-Http-Method: GET\r\n", "", ""},
		{"a method of an order", "POST", "/v1/reseller/orders", "X-HTTP-Method-Override: PUT\r\n", "", ""},
		{"a path in a header", "GET", "/v1/reseller/orders/1?" + badQuery, "X-Original-URL: " + dielinePath + "\r\n", "", found},
		{"a path in a header", "GET", "/v1/reseller/orders/1?" + badQuery, "X_rewrite_url: /V1/reseller/%64ieline\r\n", "", found},
		{"a path in a header", "GET", dielinePath + "?" + goodQuery, "X-Original-URL: " + dielinePath + "?" + badQuery + "\r\n", "", found},
		{"a path in a header", "GET", "/v1/reseller/orders/1", "X-Original-URL: /v1/reseller/orders/2\r\n", "", ""},
		{"a path in a header", "GET", "/v1/reseller/orders/1", "X-Forwarded-Uri: /base/V1/reseller/quotation\r\n", "", found},
		{"a path in a header", "GET", "/v1/reseller/orders/1", "X-Envoy-Original-Path: /dieline\r\n", "", found},
		{"the page that a link stood on", "GET", "/v1/reseller/orders/1", "Referer: http://shop/quotation\r\n", "", ""},
		{"a body", "GET", dielinePath + "?" + goodQuery, "Content-Length: 8\r\n", "width=10", valid},
		{"a body", "HEAD", dielinePath + "?" + goodQuery, "Content-Length: 8\r\n", "width=10", valid},
		{"a body in chunks", "GET", dielinePath + "?" + goodQuery, "Transfer-Encoding: chunked\r\n", "1\r\nx\r\n0\r\n\r\n", valid},
		{"a body without a byte", "GET", dielinePath + "?" + goodQuery, "Content-Length: 0\r\n", "", ""},
		{"a body of an order", "GET", "/v1/reseller/orders", "Content-Length: 1\r\n", "x", ""},
		{"a cookie", "GET", dielinePath + "?" + goodQuery, "Cookie: a=b; Width[]=10\r\n", "", valid},
		{"a cookie", "GET", dielinePath + "?" + goodQuery, "Cookie: width=10\r\n", "", valid},
		{"a cookie", "GET", dielinePath + "?" + goodQuery, "Cookie: session=width; affinity=1\r\n", "", ""},
		{"another encoding", "GET", dielinePath + "?" + goodQuery, "Content-Type: a/b; charset=utf-16\r\n", "", valid},
		{"another encoding", "GET", dielinePath + "?" + goodQuery, "Content-Type: a/b; charset=utf-8; charset=utf-7\r\n", "", valid},
		{"a query in a value", "GET", dielinePath + "?" + goodQuery + "&type=a%26width%3D10", "", "", valid},
		{"a query in a value", "GET", dielinePath + "?" + goodQuery + "&type=a%3BWidth", "", "", valid},
		{"a query in a value", "GET", quotationPath + "?" + quotationQuery(t, good) + "&shipping=%23%3Fitems[]%3D10", "", "", valid},
		{"a value with signs", "GET", dielinePath + "?" + goodQuery + "&type=a%26b%3Dwidth%3F%23%3B%25%20%25zz", "", "", ""},
		{"escapes in escapes", "GET", dielinePath + "?" + goodQuery + "&type=%2541", "", "", valid},
		{"escapes in escapes", "GET", dielinePath + "?" + goodQuery + "&x%2541=a", "", "", valid},
		{"escapes in escapes", "GET", quotationPath + "?" + itemsQuery(strings.Replace("["+goodItem+"]", "}",
			`,"note":"a%22,%22width%22:10}`, 1)) + "&x=", "",
			"", valid},
		{"the documented encoding", "GET", dielinePath + "?" + goodQuery,
			"Content-Type: application/x-www-form-urlencoded;charset=UTF-8\r\n", "", ""},
		{"tokens", "POST", "/v1/oauth2/token", "Content-Length: 1\r\n", "x", ""},
		{"orders", "GET", "/v1/reseller/orders/2026-123-1/products/2026-123-1.01?note=quotation", "", "", ""},
		{"orders", "DELETE", "//v1/./reseller/x/../orders/%2e%252e;a=b%00?a=1;b=%zz", "", "", ""},
		{"other languages", "GET", "/v1/reseller/orders/caf%C3%A9/\u0444", "", "", ""},
		{"as few letters as two", "GET", "/v1/reseller/orders/die-line", "", "", ""},
		{"every letter another", "GET", "/%EF%BD%84%EF%BD%89%EF%BD%85%EF%BD%8C%EF%BD%89%EF%BD%8E%EF%BD%85", "", "", found},
		{"overlong UTF-8", "GET", "/%C1%A4ieline", "", "", found},
		{"escapes in escapes", "GET", "/%25%36%34ieline", "", "", found},
		{"escapes as pages had them", "GET", "/%25U0064ieline", "", "", found},
		{"invisible characters", "GET", "/d%C2%ADi%E2%80%8Be%00line", "", "", found},
	} {
		c := newChecker(t, preflight.Options{})
		if got, _ := outcome(t, c, serverRequest(t, test.method, test.target, test.header, test.body)); got != test.want {
			t.Errorf("%s: %s %s %q: %s, want %s", test.name, test.method, test.target, test.header, got, test.want)
		}
	}
	c := newChecker(t, preflight.Options{})
	for _, path := range []string{
		"/dieline", "/V1/reseller/DIELINE", "//v1/reseller/dieline", "/v1//reseller/dieline", "/./v1/reseller/dieline",
		"/.x/v1/reseller/dieline",
		"/x/../v1/reseller/dieline", "/%2e/v1/reseller/dieline", "/v1/reseller/%2e/dieline", "/v1/reseller%2fdieline",
		"/v1/reseller%252fdieline", "/v1/reseller%5cdieline", `/v1/reseller\dieline`, "/v1/reseller/dieline/", "/v1/reseller/dieline;x=1",
		"/v1;x/reseller/dieline", "/v1/reseller/dieline.", "/v1/reseller/dieline%20", "/v1/reseller/dieline%00", "/v1/reseller/dieline%00.png",
		"/v1/reseller/dieline.json", "/v1/reseller/%64ieline", "/v1/reseller/%2564ieline", "/v1/reseller/dieline%3f", "/v1/reseller/dieline%23",
		"/quotation/v1/reseller/dieline", "/v1/reseller/orders/1%20HTTP/1.1%0d%0a%0d%0aGET%20/v1/reseller/quotation",
	} {
		if got, _ := outcome(t, c, serverRequest(t, "GET", path+"?"+goodQuery, "", "")); got != found {
			t.Errorf("%s: %s, want NOT_FOUND", path, got)
		}
	}
}

// TestOddNames has parameters and keys beside the documented ones that somebody could take for them.
func TestOddNames(t *testing.T) {
	c := newChecker(t, preflight.Options{})
	for _, name := range []string{
		"+width", "width+", "%20width", "width%00", "width%00x", "%00width", "%00w%00i%00d%00t%00h", "width[]", "width[0]",
		"width[a=b]", "width%5B%5D",
		"width]", "[width]", "WIDTH", "Width", "w%C4%B1dth", "%EF%BD%97idth", "\uff57idth", "width%E2%80%8B", "%EF%BB%BFwidth", "width%C2%A0",
		"%2577idth", "%25u0077idth", ".width", "width.", "width%0A", "wi%09dth", "width]x", "%22width%22", "Article", "MATERIAL",
		"Items", "items[0][width]", "Type", "shippinG",
	} {
		for _, target := range []string{
			dielinePath + "?" + goodQuery + "&" + name + "=10", dielinePath + "?" + name + "&" + goodQuery,
			quotationPath + "?" + quotationQuery(t, good) + "&" + name + "=10",
		} {
			if got, _ := outcome(t, c, serverRequest(t, "GET", target, "", "")); got != "VALIDATION_ERROR" {
				t.Errorf("%s: %q, want VALIDATION_ERROR", target, got)
			}
		}
	}
	for _, key := range []string{
		"Width", "WIDTH", " width", "width ", "width\\u0000", "width\\u0000x", "\\u0000width", "width[]", "\uff57idth", "\\uff57idth",
		"w\u0131dth",
		"width\\n", "\\ud800width", "Manufacturing_Time", "GOLD",
	} {
		target := quotationPath + "?" + itemsQuery(strings.Replace("["+goodItem+"]", "}", `,"`+key+`":10}`, 1))
		if got, _ := outcome(t, c, serverRequest(t, "GET", target, "", "")); got != "VALIDATION_ERROR" {
			t.Errorf("the key %q: %q, want VALIDATION_ERROR", key, got)
		}
	}
	for _, name := range []string{"widths", "width2", "wid", "w-idth", "my_width", "width_max", "th", "x", "", "\u00e9", "page", "_"} {
		for _, target := range []string{dielinePath + "?" + goodQuery + "&" + name + "=1",
			quotationPath + "?" + itemsQuery(strings.Replace("["+goodItem+"]", "}", `,"`+name+`":10}`, 1))} {
			if got, _ := outcome(t, c, serverRequest(t, "GET", target, "", "")); got != "" {
				t.Errorf("%s: %s, want it accepted", target, got)
			}
		}
	}
}

// TestPassUnknownLooksClosely says that a code which a service could read as one of the limits' is not passed unjudged.
func TestPassUnknownLooksClosely(t *testing.T) {
	c := newChecker(t, preflight.Options{PassUnknown: true})
	change := func(query, old, new string) string { return strings.Replace(query, old, url.QueryEscape(new), 1) }
	for _, code := range []string{"Tuck-end", "TUCK-END", "tuck-end ", " tuck-end", "tuck-end\x00", "tuck-end\x00x", "tuck-end\t",
		"tück-end", "ｔuck-end",
		"tuck-end\u200b", "tuck-end.", "%74uck-end", "tuck-end[]", "tuc\u4e00\u4e8cend", strings.Repeat("x", 65)} {
		for _, query := range []string{change(goodQuery, "tuck-end", code), change(badQuery, "tuck-end", code)} {
			got := c.CheckDieline(query)
			if got == nil || got.Type != boxrules.ValidationError || got.Code != "" {
				t.Errorf("the article %q: %s, want VALIDATION_ERROR", code, line(got))
			}
		}
	}
	for _, code := range []string{"Carton-300", "carton-300 ", "CARTON-300", "cartón-300", "\tcarton-300"} {
		for _, article := range []string{"tuck-end", "unknown"} {
			query := change(change(badQuery, "carton-300", code), "tuck-end", article)
			if got := c.CheckDieline(query); got == nil || got.Code != "DLN_1101" || got.Path != "material" {
				t.Errorf("the material %q: %s, want DLN_1101", code, line(got))
			}
		}
	}
	for _, code := range []string{"s020_v1", "tuck", "tuck-end-2", "naïve", "\u4e00\u4e8c", strings.Repeat("x", 64)} {
		for _, query := range []string{change(badQuery, "tuck-end", code), change(badQuery, "carton-300", code)} {
			if got := c.CheckDieline(query); got != nil {
				t.Errorf("the code %q: %s, want it passed", code, line(got))
			}
		}
	}
	own, err := preflight.New(engineOf(t, "version: 1\nunit: mm\nsheets: {s: {width: 1000, height: 700}}\n"+
		"materials: {m: {caliper: 1, glue_flap: 10, sheet: s}}\narticles: {käse: {width: {min: 1, max: 9}, depth: {min: 1, max: 9}, "+
		"height: {min: 1, max: 9}, constraints: []}}\n"), preflight.Options{PassUnknown: true})
	if err != nil {
		t.Fatal(err)
	}
	for article, refused := range map[string]bool{"käse": true, "kase": true, "Kåse": true, "kose": true, "kse": false, "kases": false} {
		if got := own.CheckDieline(dielineQuery(boxrules.Box{Article: article, Material: "m"})); (got != nil) != refused {
			t.Errorf("the article %s: %s, want it refused: %v", article, line(got), refused)
		}
	}
	box := bad
	box.Article = "Tuck-End"
	if got := c.CheckQuotation(quotationQuery(t, good, box)); got == nil || got.Item != 1 {
		t.Errorf("an item of a quotation: %s", line(got))
	}
}

// TestFewDecimals: where the limits take two decimals, more are an invalid request; zeros, and what is the same float64, are not more.
func TestFewDecimals(t *testing.T) {
	c, err := preflight.New(engineOf(t, string(limits.IllustrativeYAML())+"decimals: 2\n"), preflight.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const many = "VALIDATION_ERROR: %sheight: %s has too many decimals; accepted: a multiple of 0.01"
	for text, want := range map[string]struct{ sent, shown string }{
		"120": {"120", ""}, "120.25": {"120.25", ""}, "120.2500": {"120.2500", ""}, "120.25000000000000000001": {"120.25", ""},
		"120.125": {"", "120.125"}, "120.2501": {"", "120.2501"}, "119.9999": {"", "119.9999"},
	} {
		for _, target := range []string{
			dielinePath + "?" + strings.Replace(goodQuery, "height=120", "height=%s", 1),
			quotationPath + "?" + `items=[{"article":"tuck-end","material":"carton-300","width":100,"depth":50,"height":%s}]`,
		} {
			r := serverRequest(t, "GET", fmt.Sprintf(target, text), "", "")
			_, sent := outcome(t, c, r)
			got := line(c.Check(r))
			switch item := map[bool]string{true: "items[0]: "}[strings.HasPrefix(target, quotationPath)]; {
			case want.shown != "" && got != fmt.Sprintf(many, item, want.shown):
				t.Errorf("%s: %s", fmt.Sprintf(target, text), got)
			case want.shown == "" && (got != "" || sent.URL.RequestURI() != fmt.Sprintf(target, want.sent)):
				t.Errorf("%s: %s, sent as %v", fmt.Sprintf(target, text), got, sent)
			}
		}
	}
}

// TestSentAsJudged says what goes on of an accepted request: the bytes that came, but for decimals that were not judged.
func TestSentAsJudged(t *testing.T) {
	c := newChecker(t, preflight.Options{PassUnknown: true})
	for _, test := range []struct{ target, want string }{ // want "": the target
		{dielinePath + "?" + goodQuery, ""},
		{dielinePath + "?type=%7e%2f+%41&%61rticle=tuck-%65nd&&material=carton-300&width=%31%30%30&x&depth=50.000&height=00120.0000&", ""},
		{dielinePath + "?" + strings.Replace(goodQuery, "width=100", "width=100.0004", 1), dielinePath + "?" + goodQuery},
		{dielinePath + "?%77idth=%31%30%30%2E0004&x=1.00001&article=tuck-end&depth=49.99950&material=carton-300&height=119.9994",
			dielinePath + "?%77idth=100&x=1.00001&article=tuck-end&depth=50&material=carton-300&height=119.999"},
		{dielinePath + "?article=no&material=no&width=1.0001&depth=-1.2345&height=-0.0004",
			dielinePath + "?article=no&material=no&width=1&depth=-1.234&height=0"},
		{dielinePath + "?" + strings.Replace(goodQuery, "width=100", "width=0100.125", 1) + "&items=[{%22width%22:1.00001}]", ""},
		{quotationPath + "?shipping=D%45&items=%5B" + url.QueryEscape(goodItem) + "+%5D&width=1.00001", ""},
		{quotationPath + `?items=[{"article":"tuck-end","material":"carton-300","width":1.0e2,"depth":5e%2B1,"height":1200000e-4}]`, ""},
		{quotationPath + `?items=[{"article":"tuck-end","material":"carton-300","width":100.0004,"depth":50.000,"note":"100.0004",` +
			`"more":{"width":1.0001},"height":1200004e-4},+{"height":%31200004e-4+,"article":"no","material":"no",` +
			`"w\u0069dth":1e-99999999999999999999,"depth":0.0e-9}]`,
			quotationPath + `?items=[{"article":"tuck-end","material":"carton-300","width":100,"depth":50.000,"note":"100.0004",` +
				`"more":{"width":1.0001},"height":120},+{"height":120+,"article":"no","material":"no","w\u0069dth":0,"depth":0.0e-9}]`},
		{"/v1/reseller/orders/2026-1-1;x/%7e?width=1.00001&a=%zz;b", ""},
	} {
		got, sent := outcome(t, c, serverRequest(t, "GET", test.target, "", ""))
		if got != "" {
			t.Errorf("%s: %s", test.target, got)
			continue
		}
		want := test.want
		if want == "" {
			want = test.target
		}
		if sent.URL.RequestURI() != want {
			t.Errorf("%s is sent as\n%s, want\n%s", test.target, sent.URL.RequestURI(), want)
		}
	}
	// A client's body may have no length yet.
	r := clientRequest(t, "GET", dielinePath+"?"+goodQuery, &closing{Reader: strings.NewReader("width=10")})
	if got := c.Check(r); got == nil || got.Error() != "VALIDATION_ERROR: the request has a body; accepted: parameters in the query alone" {
		t.Errorf("a body without a length: %s", line(got))
	}
	// What is changed is a clone. An address that is opaque is changed like any other.
	for _, address := range []*url.URL{
		{Path: dielinePath, RawQuery: strings.Replace(goodQuery, "100", "100.0001", 1)},
		{Opaque: dielinePath + "?" + strings.Replace(goodQuery, "100", "100.0001", 1)},
		{Opaque: "//service.test" + dielinePath, RawQuery: strings.Replace(goodQuery, "100", "100.0001", 1)},
	} {
		address.Scheme, address.Host = "http", "service.test"
		r := (&http.Request{URL: address, Header: http.Header{}}).WithContext(t.Context())
		before := r.URL.String()
		var sent *http.Request
		transport := &preflight.Transport{Checker: c, Base: roundTrip(func(r *http.Request) (*http.Response, error) {
			sent = r
			return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
		})}
		if _, err := transport.RoundTrip(r); err != nil || sent == nil || !strings.HasSuffix(sent.URL.RequestURI(), dielinePath+"?"+goodQuery) ||
			r.URL.String() != before {
			t.Errorf("%s: %v, sent %v", before, err, sent)
		}
	}
}

// TestNoUpgrade says that no connection turns into one that nobody judges.
func TestNoUpgrade(t *testing.T) {
	c := newChecker(t, preflight.Options{})
	for _, target := range []string{dielinePath + "?" + goodQuery, "/v1/reseller/orders"} {
		r := serverRequest(t, "GET", target, "Connection: Upgrade\r\nUpgrade: h2c\r\nAccept: a\r\n", "")
		got, sent := outcome(t, c, r)
		if got != "" || sent.Header.Get("Upgrade") != "" || sent.Header.Get("Accept") != "a" || r.Header.Get("Upgrade") != "h2c" {
			t.Errorf("%s: %s, handed on with %v, came with %v", target, got, sent.Header, r.Header)
		}
	}
}

// TestExplanationsTakeTurns says that no more boxes than half of the processors are explained at once, and that neither
// accepted requests nor those without a box wait for them.
func TestExplanationsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newChecker(t, preflight.Options{})
		if want := max(1, runtime.GOMAXPROCS(0)/2); c.Explaining() != want {
			t.Errorf("%d boxes are explained at once, want %d", c.Explaining(), want)
		}
		release := c.TakeTurns()
		answers := make(chan *preflight.Refusal, 1)
		go func() { answers <- c.CheckDieline(badQuery) }()
		ctx, cancel := context.WithCancel(t.Context())
		given := make(chan *preflight.Refusal, 1)
		go func() { given <- c.Check(request(t, "GET", dielinePath+"?"+badQuery).WithContext(ctx)) }()
		synctest.Wait()
		if c.CheckDieline(goodQuery) != nil || c.CheckDieline("") == nil || c.CheckQuotation(quotationQuery(t, good)) != nil {
			t.Error("what needs no explanation is answered otherwise")
		}
		select {
		case r := <-answers:
			t.Errorf("a box is explained while there is no turn: %v", r)
		default:
		}
		cancel() // by a client that does not wait
		synctest.Wait()
		if r := <-given; r == nil || r.Code != "BOX_3100" || r.Message != "the provided values do not allow creating a proper box" {
			t.Errorf("who has gone: %v", r)
		}
		release()
		synctest.Wait()
		if r := <-answers; r == nil || r.Code != "BOX_3100" || !strings.Contains(r.Message, "set depth to 48 or less") {
			t.Errorf("after it has waited: %v", r)
		}
		if c.CheckDieline(badQuery) == nil {
			t.Error("turns are not given back")
		}
	})
}
