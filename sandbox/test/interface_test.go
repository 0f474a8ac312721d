package test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/lint"
	"example.com/boxrules/sandbox"
)

var recorded = fstest.MapFS{
	"dieline/sleeve.json":                      {Data: []byte(`{"recorded":"sleeve"}`)},
	"orders/2026-123-1.json":                   {Data: []byte(`{"recorded":"order"}`)},
	"orders/2026-123-1/2026-123-1.01.json":     {Data: []byte(`[]`)},
	"orders/2026-123-1/2026-123-1.02.json":     {Data: []byte(`null`)},
	"dieline/an article%2Fof two%25 ends.json": {Data: []byte(`{}`)},
}

// ask sends a request and gives what it is answered, which the contract has seen.
type ask func(method, target string, header http.Header, body string) (status int, answer []byte)

// sandboxed is a sandbox behind the contract, and a token for it.
func sandboxed(t *testing.T, o sandbox.Options) (s *sandbox.Sandbox, do ask, token http.Header) {
	t.Helper()
	s, err := sandbox.New(boxrules.Default(), o)
	if err != nil {
		t.Fatal(err)
	}
	guarded := loadContract(t).guard(t, s)
	do = func(method, target string, header http.Header, body string) (int, []byte) {
		r := httptest.NewRequest(method, target, strings.NewReader(body))
		for name, values := range header {
			r.Header[name] = values
		}
		w := httptest.NewRecorder()
		guarded.ServeHTTP(w, r)
		return w.Code, w.Body.Bytes()
	}
	status, body := do("POST", "/v1/oauth2/token", basic(), tokenForm)
	var got struct {
		Token string `json:"access_token"`
	}
	if err := json.Unmarshal(body, &got); status != 200 || err != nil {
		t.Fatalf("no token: %d %s, %v", status, body, err)
	}
	return s, do, http.Header{"Authorization": {"Bearer " + got.Token}}
}

const tokenForm = "grant_type=client_credentials&scope=external"

func basic() http.Header {
	r := &http.Request{Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded;charset=UTF-8"}}}
	r.SetBasicAuth(sandbox.DefaultSandbox.ID, sandbox.DefaultSandbox.Secret)
	return r.Header
}

func dieline(b boxrules.Box) string {
	f := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	return "/v1/reseller/dieline?" + url.Values{"article": {b.Article}, "material": {b.Material},
		"width": {f(b.Width)}, "depth": {f(b.Depth)}, "height": {f(b.Height)}}.Encode()
}

func quotation(quantity int, boxes ...boxrules.Box) string {
	type reference struct {
		Quantity int `json:"quantity"`
	}
	type item struct {
		Article    string      `json:"article"`
		Material   string      `json:"material"`
		Width      float64     `json:"width"`
		Depth      float64     `json:"depth"`
		Height     float64     `json:"height"`
		References []reference `json:"references"`
		Printing   string      `json:"printing"`
	}
	var items []item
	for _, b := range boxes {
		items = append(items, item{b.Article, b.Material, b.Width, b.Depth, b.Height, []reference{{quantity}}, "true"})
	}
	text, err := json.Marshal(items)
	if err != nil {
		panic(err)
	}
	return "/v1/reseller/quotation?" + url.Values{"items": {string(text)}, "shipping": {"DE"}}.Encode()
}

// TestEveryAnswer makes the sandbox give every kind of answer that it has; the contract reads them all.
func TestEveryAnswer(t *testing.T) {
	s, do, token := sandboxed(t, sandbox.Options{Fixtures: recorded, Faults: true})
	with := func(h http.Header, name string, values ...string) http.Header {
		h = h.Clone()
		h[name] = values
		return h
	}
	good := boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: 100, Depth: 50, Height: 120}}
	bad, sleeve, few := good, good, quotation(1, good)
	bad.Depth, sleeve.Article = 141, "sleeve"
	for _, test := range []struct {
		method, target string
		header         http.Header
		body           string
		status         int
		code           string // of the element, else the type
	}{
		{"POST", "/v1/oauth2/token", basic(), tokenForm, 200, ""},
		{"POST", "/v1/oauth2/token", basic(), "", 400, "VALIDATION_ERROR"},
		{"POST", "/v1/oauth2/token", basic(), "grant_type=password&scope=external", 400, "VALIDATION_ERROR"},
		{"POST", "/v1/oauth2/token?scope=external", basic(), tokenForm, 400, "VALIDATION_ERROR"},
		{"POST", "/v1/oauth2/token", nil, tokenForm, 401, "VALIDATION_ERROR"},
		{"POST", "/v1/oauth2/token", token, tokenForm, 401, "VALIDATION_ERROR"},
		{"POST", "/v1/oauth2/token", with(basic(), sandbox.FaultHeader, "500"), tokenForm, 500, "INTERNAL_SERVER_ERROR"},
		{"GET", "/v1/oauth2/token", nil, "", 404, "NOT_FOUND"},

		{"GET", dieline(good), token, "", 200, ""},
		{"GET", dieline(good) + "&type=pdf", token, "", 200, ""},
		{"GET", dieline(sleeve), token, "", 200, ""},
		{"HEAD", dieline(good), token, "", 200, ""},
		{"GET", dieline(bad), token, "", 400, "BOX_3100"},
		{"HEAD", dieline(bad), token, "", 400, "BOX_3100"},
		{"GET", strings.Replace(dieline(good), "carton-300", "paper", 1), token, "", 400, "DLN_1101"},
		{"GET", strings.Replace(dieline(good), "material=carton-300", "", 1), token, "", 400, "DLN_1101"},
		{"GET", strings.Replace(dieline(good), "=100", "=wide", 1), token, "", 400, "VALIDATION_ERROR"},
		{"GET", dieline(good) + "&width=1", token, "", 400, "VALIDATION_ERROR"},
		{"GET", "/v1/reseller/dieline", token, "", 400, "VALIDATION_ERROR"},
		{"GET", dieline(good), nil, "", 401, "VALIDATION_ERROR"},
		{"GET", dieline(good), basic(), "", 401, "VALIDATION_ERROR"},
		{"GET", dieline(good), http.Header{"Authorization": {"Bearer x"}}, "", 401, "VALIDATION_ERROR"},
		{"GET", dieline(good), with(token, "Authorization", "Bearer x", "Bearer y"), "", 400, "VALIDATION_ERROR"},
		{"GET", dieline(good), with(token, sandbox.FaultHeader, "500"), "", 500, "INTERNAL_SERVER_ERROR"},
		{"GET", dieline(good), with(token, sandbox.FaultHeader, "teapot"), "", 400, "VALIDATION_ERROR"},
		{"POST", dieline(good), token, "", 404, "NOT_FOUND"},

		{"GET", quotation(100_000, good), token, "", 200, ""},
		{"GET", quotation(100_000, good, bad), token, "", 400, "BOX_3100"},
		{"GET", few, token, "", 400, "QTT_1114"},
		{"GET", strings.Replace(few, "carton-300", "paper", 1), token, "", 400, "DLN_1101"},
		{"GET", strings.Replace(few, "100", "%22100%22", 1), token, "", 400, "VALIDATION_ERROR"},
		{"GET", "/v1/reseller/quotation", token, "", 400, "VALIDATION_ERROR"},
		{"GET", few, nil, "", 401, "VALIDATION_ERROR"},
		{"GET", few, with(token, sandbox.FaultHeader, "500"), "", 500, "INTERNAL_SERVER_ERROR"},

		{"GET", "/v1/reseller/orders/2026-123-1", token, "", 200, ""},
		{"GET", "/v1/reseller/orders/2026-123-2", token, "", 404, "ORDER_ERROR"},
		{"GET", "/v1/reseller/orders/first", token, "", 404, "ORDER_ERROR"},
		{"GET", "/v1/reseller/orders/2026-123-2", nil, "", 401, "VALIDATION_ERROR"},
		{"GET", "/v1/reseller/orders/2026-123-2", with(token, sandbox.FaultHeader, "500"), "", 500, "INTERNAL_SERVER_ERROR"},
		{"POST", "/v1/reseller/orders/2026-123-1", token, "", 404, "NOT_FOUND"},

		{"GET", "/v1/reseller/orders/2026-123-1/products/2026-123-1.01", token, "", 200, ""},
		{"GET", "/v1/reseller/orders/2026-123-1/products/2026-123-1.02", token, "", 200, ""},
		{"GET", "/v1/reseller/orders/2026-123-1/products/2026-123-1.03", token, "", 404, "PRODUCT_ERROR"},
		{"GET", "/v1/reseller/orders/2026-123-2/products/2026-123-1.01", token, "", 404, "PRODUCT_ERROR"},
		{"GET", "/v1/reseller/orders/2026-123-1/products/01", token, "", 404, "PRODUCT_ERROR"},
		{"GET", "/v1/reseller/orders/2026-123-1/products/2026-123-1.03", nil, "", 401, "VALIDATION_ERROR"},

		{"GET", "/", token, "", 404, "NOT_FOUND"},
		{"GET", "/v1/reseller", token, "", 404, "NOT_FOUND"},
		{"GET", "/v2/reseller/dieline?a=b", token, "", 404, "NOT_FOUND"},
		{"GET", "/v1/reseller/orders", token, "", 404, "NOT_FOUND"},
		{"GET", "/v1/reseller/unknown", nil, "", 401, "VALIDATION_ERROR"},
		{"GET", "/v1/reseller/unknown", with(token, sandbox.FaultHeader, "500"), "", 500, "INTERNAL_SERVER_ERROR"},
		{"GET", dieline(good), with(token, sandbox.FaultHeader, "expired-token"), "", 401,
			"VALIDATION_ERROR"}, // last: it has no token from here on
	} {
		status, body := do(test.method, test.target, test.header, test.body)
		got := ""
		if status != 200 {
			got = elementCode(t, body)
		}
		if status != test.status || got != test.code {
			t.Errorf("%s %s: %d %s, want %d %s", test.method, test.target, status, body, test.status, test.code)
		}
	}
	s.FailNext(1)
	if status, _ := do("GET", "/", nil, ""); status != 500 {
		t.Errorf("FailNext(1): status %d, want 500", status)
	}
}

// TestEveryCode asks for a box that reports each code, in a dieline and in a quotation.
func TestEveryCode(t *testing.T) {
	_, do, token := sandboxed(t, sandbox.Options{})
	var seen []string
	again := lab.Draws(0, 1) > 0 // a code in each article that has it
	for _, p := range boxrules.Default().Profiles() {
		for _, rule := range p.Rules() {
			dims, ok := lint.Witness(p, rule.Code)
			if !ok || !again && slices.Contains(seen, string(rule.Code)) {
				continue
			}
			box := boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: dims}
			for _, target := range []string{dieline(box), quotation(1, box)} {
				status, body := do("GET", target, token, "")
				if status != 400 || elementCode(t, body) != string(rule.Code) {
					t.Errorf("%s: %d %s, want %s", target, status, body, rule.Code)
				}
			}
			if !slices.Contains(seen, string(rule.Code)) {
				seen = append(seen, string(rule.Code))
			}
		}
	}
	documented := loadContract(t).documentedCodes()
	if !same(seen, documented) {
		t.Errorf("seen %q, documented are %q", seen, documented)
	}
	var known []string
	for _, info := range boxrules.Codes() {
		if info.Type == boxrules.TypeBoxError {
			known = append(known, string(info.Code))
		}
	}
	if !slices.Equal(documented, known) {
		t.Errorf("docs/openapi.yaml has %q, want %q", documented, known)
	}
}

// TestRandomBoxes compares the answers with the engine for boxes around the limits.
func TestRandomBoxes(t *testing.T) {
	_, do, token := sandboxed(t, sandbox.Options{})
	engine := boxrules.Default()
	profiles := engine.Profiles()
	random := rand.New(rand.NewPCG(1, 2))
	valid, boxes := 0, lab.Draws(100, 1000)
	for range boxes {
		p := profiles[random.IntN(len(profiles))]
		box := boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: boxrules.Dims{
			Width: float64(random.IntN(1200)) / 2, Depth: float64(random.IntN(800)) / 2, Height: float64(random.IntN(1200)) / 2}}
		verdict, err := engine.Check(box)
		if err != nil {
			t.Fatal(err)
		}
		status, body := do("GET", dieline(box), token, "")
		got := ""
		if status != 200 {
			got = elementCode(t, body)
		} else {
			valid++
		}
		var wrong *boxrules.BoxError
		if got != string(verdict.Code()) || (status == 200) != verdict.OK() || errors.As(verdict.Err(), &wrong) == verdict.OK() {
			t.Fatalf("%+v: %d %s, want %v", box, status, body, verdict)
		}
	}
	if valid == 0 || valid == boxes {
		t.Errorf("%d of %d boxes are valid", valid, boxes)
	}
}

// TestRandomRequests sends what nobody would; every answer is described.
func TestRandomRequests(t *testing.T) {
	_, do, token := sandboxed(t, sandbox.Options{Fixtures: recorded})
	random := rand.New(rand.NewPCG(3, 4))
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	counts := make(map[int]int)
	for range lab.Draws(150, 1000) {
		path := pick("/v1/reseller/dieline", "/v1/reseller/quotation", "/v1/reseller/orders/", "/v1/oauth2/token", "/v1/", "/")
		if strings.HasSuffix(path, "orders/") {
			path += pick("2026-123-1", "2026-1-1", "", "x", "%2e%2e", "2026-123-1%2fproducts", "9", "%00")
			if random.IntN(2) == 0 {
				path += pick("/products", "/") + pick("", "/2026-123-1.01", "/2026-1-1.01", "/x", "/..")
			}
		}
		var query []string
		for range random.IntN(6) {
			name := pick("article", "material", "width", "depth", "height", "items", "shipping", "type", "", "x;y")
			value := pick("tuck-end", "carton-300", "100", "50", "0", "-1", "1e3", "%", "%22", "[]", "[{}]", "null", ";", "",
				fmt.Sprint(random.Uint64()))
			query = append(query, name+"="+value)
		}
		r := &url.URL{Path: "/"}
		target := path
		if len(query) > 0 {
			target += "?" + strings.Join(query, "&")
		}
		if _, err := r.Parse(target); err != nil {
			continue
		}
		header := token
		if random.IntN(10) == 0 {
			header = basic()
		}
		status, _ := do(pick("GET", "GET", "GET", "HEAD", "POST", "DELETE"), target, header, pick("", tokenForm, "x"))
		counts[status]++
	}
	for _, status := range []int{200, 400, 401, 404} {
		if counts[status] == 0 {
			t.Errorf("no answer has the status %d: %v", status, counts)
		}
	}
	if counts[500] > 0 {
		t.Errorf("%d answers have the status 500", counts[500])
	}
}
