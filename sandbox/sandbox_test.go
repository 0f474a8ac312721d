package sandbox_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
	"example.com/boxrules/sandbox"
)

func newSandbox(t testing.TB, o sandbox.Options) *sandbox.Sandbox {
	t.Helper()
	s, err := sandbox.New(boxrules.Default(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const (
	tokenPath = "/v1/oauth2/token"
	tokenForm = "grant_type=client_credentials&scope=external"
	goodQuery = "article=tuck-end&material=carton-300&width=100&depth=50&height=120"
	badQuery  = "article=tuck-end&material=carton-300&width=48&depth=141&height=184"
)

// do sends a request with the headers, given as name and value in turn.
func do(h http.Handler, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func basic(c sandbox.Credentials) string {
	r := &http.Request{Header: http.Header{}}
	r.SetBasicAuth(c.ID, c.Secret)
	return r.Header.Get("Authorization")
}

const form = "application/x-www-form-urlencoded"

// token obtains an access token.
func token(t testing.TB, h http.Handler, c sandbox.Credentials) string {
	t.Helper()
	w := do(h, "POST", tokenPath, tokenForm, "Authorization", basic(c), "Content-Type", form)
	var got struct {
		Token string `json:"access_token"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); w.Code != 200 || err != nil {
		t.Fatalf("no token: %d %s, %v", w.Code, w.Body, err)
	}
	return got.Token
}

func bearer(t testing.TB, h http.Handler) string {
	return "Bearer " + token(t, h, sandbox.DefaultSandbox)
}

// errorOf reads an error body: the type, the message, and the code of the element.
func errorOf(t testing.TB, w *httptest.ResponseRecorder) (kind boxrules.ErrorType, message string, code boxrules.Code) {
	t.Helper()
	var b preflight.Body
	decoder := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&b); err != nil || b.Response.HTTPStatusCode != w.Code || w.Header().Get("Content-Type") != "application/json" {
		t.Fatalf("%d %v %s: %v", w.Code, w.Header(), w.Body, err)
	}
	if strings.Contains(b.Response.Message, "\n") {
		t.Errorf("the message has several lines: %q", b.Response.Message)
	}
	if len(b.Response.Errors) > 0 {
		code = b.Response.Errors[0].Code
	}
	return b.Response.Code, b.Response.Message, code
}

func TestResources(t *testing.T) {
	s := newSandbox(t, sandbox.Options{Fixtures: fstest.MapFS{
		"dieline/sleeve.json":                  {Data: []byte("{\"a\" : \"sleeve\"}\n")},
		"orders/2026-123-1.json":               {Data: []byte(`{"order":1}`)},
		"orders/2026-123-1/2026-123-1.01.json": {Data: []byte(`{"product":1}`)},
		"orders/2026-9-9/2026-9-9.01.json":     {Data: []byte(`{"product":2}`)}, // of an order that was not recorded
	}})
	const own = `{"sandbox":"boxrules: this body is a placeholder; record the body that the service sends as a fixture"}` + "\n"
	items := url.Values{"items": {`[{"article":"tuck-end","material":"carton-300","width":100,"depth":50,"height":120}]`}}.Encode()
	for _, test := range []struct {
		method, target string
		status         int
		want           string // the body, or type and code
		allow          string
	}{
		{"GET", "/v1/reseller/dieline?" + goodQuery, 200, own, ""},
		{"GET", "/v1/reseller/dieline?" + strings.Replace(goodQuery, "tuck-end", "sleeve", 1), 200, "{\"a\" : \"sleeve\"}\n", ""},
		{"GET", "/v1/reseller/dieline?" + badQuery, 400, "BOX_ERROR BOX_3100", ""},
		{"GET", "/v1/reseller/quotation?" + items, 200, own, ""},
		{"GET", "/v1/reseller/quotation", 400, "VALIDATION_ERROR", ""},
		{"GET", "/v1/reseller/orders/2026-123-1", 200, `{"order":1}`, ""},
		{"HEAD", "/v1/reseller/orders/2026-123-1", 200, `{"order":1}`, ""}, // whose body net/http leaves out
		{"GET", "/v1/reseller/orders/2026%2D123-1", 200, `{"order":1}`, ""},
		{"GET", "/v1/reseller/%6frders/2026-123-1", 404, "NOT_FOUND", ""},
		{"GET", "/v1/reseller/diel%69ne?" + goodQuery, 404, "NOT_FOUND", ""},
		{"GET", "/v1/reseller/v1/reseller/dieline?" + goodQuery, 404, "NOT_FOUND", ""},
		{"GET", "/v1/reseller/orders/2026-9-9", 404, "ORDER_ERROR", ""},
		{"GET", "/v1/reseller/orders/2026-123-1%2fproducts%2f2026-123-1.01", 404, "ORDER_ERROR", ""},
		{"GET", "/v1/reseller/orders/2026-123-1/products/2026-123-1.01", 200, `{"product":1}`, ""},
		{"GET", "/v1/reseller/orders/2026-9-9/products/2026-9-9.01", 200, `{"product":2}`, ""},
		{"GET", "/v1/reseller/orders/2026-123-1/products/2026-123-1.02", 404, "PRODUCT_ERROR", ""},
		{"GET", "/v1/reseller/orders/2026-9-9/products/2026-123-1.01", 404, "PRODUCT_ERROR", ""},
		{"GET", "/v1/reseller/orders/2026-123-1/products/01", 404, "PRODUCT_ERROR", ""},

		{"GET", "/", 404, "NOT_FOUND", ""},
		{"GET", "//v1/reseller/dieline?" + goodQuery, 404, "NOT_FOUND", ""},
		{"GET", "/v1/reseller/dieline/?" + goodQuery, 404, "NOT_FOUND", ""},
		{"GET", "/base/v1/reseller/dieline?" + goodQuery, 404, "NOT_FOUND", ""},
		{"GET", "/v1/reseller/orders/", 404, "NOT_FOUND", ""},
		{"GET", "/v1/reseller/orders/2026-123-1/parts/2026-123-1.01", 404, "NOT_FOUND", ""},
		{"GET", tokenPath, 404, "NOT_FOUND", "POST"},
		{"POST", "/v1/reseller/dieline?" + goodQuery, 404, "NOT_FOUND", "GET, HEAD"},
		{"POST", "/v1/reseller/orders/2026-123-1", 404, "NOT_FOUND", "GET, HEAD"},
		{"OPTIONS", "/", 404, "NOT_FOUND", ""},
	} {
		w := do(s, test.method, test.target, "", "Authorization", bearer(t, s), "Accept", "application/problem+json")
		got := w.Body.String()
		if w.Code != 200 {
			kind, _, code := errorOf(t, w)
			got = strings.TrimSpace(string(kind) + " " + string(code))
			if code == "" && kind != boxrules.TypeValidationError && strings.Contains(w.Body.String(), `"errors"`) {
				t.Errorf("%s %s: %s", test.method, test.target, w.Body)
			}
		}
		if w.Code != test.status || got != test.want || w.Header().Get("Allow") != test.allow ||
			w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: %d %s %v, want %d %s", test.method, test.target, w.Code, w.Body, w.Header(), test.status, test.want)
		}
	}
	// Nothing but the token endpoint answers without a token.
	for _, target := range []string{"/", "/v1/reseller/dieline?" + goodQuery, "/v1/reseller/orders/2026-123-1", "/v1/oauth2/token/",
		"/v1/oauth2"} {
		if w := do(s, "GET", target, ""); w.Code != 401 {
			t.Errorf("%s without a token: %d", target, w.Code)
		}
	}
}

// TestPreflightOptions reach the checks.
func TestPreflightOptions(t *testing.T) {
	s := newSandbox(t, sandbox.Options{Preflight: preflight.Options{PassUnknown: true}, Fixtures: fstest.MapFS{
		"dieline/a b%2F..%2Fc%25é.json": {Data: []byte(`"strange"`)}, "dieline.json": {Data: []byte(`"any"`)},
		"quotation.json": {Data: []byte(`"price"`)},
	}})
	for query, want := range map[string]string{
		"dieline?material=m&width=1&depth=1&height=1&article=" + url.QueryEscape("a b/../c%é"): `"strange"`,
		"dieline?material=m&width=1&depth=1&height=1&article=" + url.QueryEscape("../dieline"): `"any"`,
		"dieline?material=m&width=1&depth=1&height=1&article=x":                                `"any"`,
		"dieline?" + goodQuery: `"any"`,
		"quotation?items=" + url.QueryEscape(`[{"article":"x","material":"y","width":1,"depth":1,"height":1}]`): `"price"`,
	} {
		if w := do(s, "GET", "/v1/reseller/"+query, "", "Authorization", bearer(t, s)); w.Code != 200 || w.Body.String() != want {
			t.Errorf("%s: %d %s, want %s", query, w.Code, w.Body, want)
		}
	}
}

// TestReload says that other limits and fixtures take the place of those from before, that tokens
// stay good, and that bad ones change nothing.
func TestReload(t *testing.T) {
	s := newSandbox(t, sandbox.Options{})
	auth := bearer(t, s)
	ask := func() string {
		items := `[{"article":"tuck-end","material":"carton-300","width":143,"depth":50,"height":303}]`
		return do(s, "GET", "/v1/reseller/quotation?items="+url.QueryEscape(items), "", "Authorization", auth).Body.String()
	}
	before := ask()
	if err := s.Reload(boxrules.Default(),
		sandbox.Options{Fixtures: fstest.MapFS{"quotation.json": {Data: []byte(`{"recorded":1}`)}}}); err != nil {
		t.Fatal(err)
	}
	if got := ask(); got != `{"recorded":1}` || got == before {
		t.Errorf("after the reload: %s", got)
	}
	if err := s.Reload(boxrules.Default(), sandbox.Options{Fixtures: fstest.MapFS{"quotation.json": {Data: []byte(`{`)}}}); err == nil {
		t.Error("a fixture that is no JSON is accepted")
	}
	if got := ask(); got != `{"recorded":1}` {
		t.Errorf("after a reload that failed: %s", got)
	}
}
