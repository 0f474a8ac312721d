package test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab"
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

// A guarded is a sandbox whose requests and answers are checked by the contract.
type guarded struct {
	*sandbox.Sandbox
	contract *contract
}

// sandboxed returns a sandbox that is checked by the contract, and a token for it.
func sandboxed(t *testing.T, o sandbox.Options) (s guarded, do ask, token http.Header) {
	t.Helper()
	service, err := sandbox.New(boxrules.Default(), o)
	if err != nil {
		t.Fatal(err)
	}
	s = guarded{service, loadContract(t)}
	guard := s.contract.guard(t, s)
	do = func(method, target string, header http.Header, body string) (int, []byte) {
		r := httptest.NewRequest(method, target, strings.NewReader(body))
		for name, values := range header {
			r.Header[name] = values
		}
		w := httptest.NewRecorder()
		guard.ServeHTTP(w, r)
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

// TestEveryAnswer makes the sandbox give every answer that the contract describes, and some to
// requests that it does not know. The contract reads them all; what they say is asserted in package
// sandbox.
func TestEveryAnswer(t *testing.T) {
	s, do, token := sandboxed(t, sandbox.Options{Fixtures: recorded, Faults: true})
	with := func(h http.Header, name string, values ...string) http.Header {
		h = h.Clone()
		h[name] = values
		return h
	}
	fails, teapot := with(token, sandbox.FaultHeader, "500"), with(token, sandbox.FaultHeader, "teapot")
	const (
		dieline   = "/v1/reseller/dieline?article=tuck-end&material=carton-300&width=100&height=120&depth="
		sleeve    = "/v1/reseller/dieline?article=sleeve&material=carton-300&width=100&depth=50&height=120"
		quotation = "/v1/reseller/quotation?items="
		tokens    = "/v1/oauth2/token"
		order     = "/v1/reseller/orders/2026-123-1"
	)
	items := func(depth float64, quantity int, material string) string {
		return url.QueryEscape(fmt.Sprintf(`[{"article":"tuck-end","material":%q,"width":100,"depth":%v,"height":120,`+
			`"printing":"true","references":[{"quantity":%d}]}]`, material, depth, quantity))
	}
	for _, test := range []struct {
		method, target string
		header         http.Header
		body           string
	}{
		{"POST", tokens, basic(), tokenForm},
		{"POST", tokens, basic(), ""},
		{"POST", tokens + "?scope=external", basic(), tokenForm},
		{"POST", tokens, nil, tokenForm},
		{"POST", tokens, with(basic(), sandbox.FaultHeader, "500"), tokenForm},
		{"GET", tokens, nil, ""},

		{"GET", dieline + "50", token, ""},
		{"GET", dieline + "50&type=pdf", token, ""},
		{"GET", sleeve, token, ""},
		{"HEAD", dieline + "50", token, ""},
		{"GET", dieline + "141", token, ""},
		{"GET", dieline + "50&width=1", token, ""},
		{"GET", "/v1/reseller/dieline", token, ""},
		{"GET", dieline + "50", nil, ""},
		{"GET", dieline + "50", fails, ""},
		{"GET", dieline + "50", teapot, ""},
		{"POST", dieline + "50", token, ""},

		{"GET", quotation + items(50, 100_000, "carton-300") + "&shipping=DE", token, ""},
		{"GET", quotation + items(141, 100_000, "carton-300"), token, ""},
		{"GET", quotation + items(50, 1, "carton-300"), token, ""},
		{"GET", quotation + items(50, 1, "paper"), token, ""},
		{"GET", "/v1/reseller/quotation", token, ""},
		{"GET", quotation, nil, ""},
		{"GET", quotation, fails, ""},

		{"GET", order, token, ""},
		{"GET", order + "23", token, ""},
		{"GET", order, nil, ""},
		{"GET", order, fails, ""},
		{"GET", order + "/products/2026-123-1.01", token, ""},
		{"GET", order + "/products/2026-123-1.03", token, ""},
		{"GET", order + "/products/2026-123-1.03", nil, ""},
		{"GET", order + "/products/2026-123-1.03", fails, ""},

		{"GET", "/v2/reseller/dieline?a=b", token, ""},
		{"GET", "/v1/reseller/unknown", nil, ""},
		{"GET", "/v1/reseller/unknown", fails, ""},
		{"GET", dieline + "50", with(token, sandbox.FaultHeader, "expired-token"), ""}, // last: it has no token from here on
	} {
		do(test.method, test.target, test.header, test.body)
	}
	s.FailNext(1)
	do("GET", "/", nil, "")
	// The document does not say for what orders and products are answered with 400.
	want := []string{"GET /v1/reseller/orders/{order_id} 400", "GET /v1/reseller/orders/{order_id}/products/{product_id} 400"}
	if unseen := s.contract.unseen(); !slices.Equal(unseen, want) {
		t.Errorf("docs/openapi.yaml describes answers that were not given: %q, want %q", unseen, want)
	}
}

// TestCodes compares the codes of boxes that the contract lists with those of the rules.
func TestCodes(t *testing.T) {
	var known []string
	for _, info := range boxrules.Codes() {
		if info.Type == boxrules.TypeBoxError {
			known = append(known, string(info.Code))
		}
	}
	if documented := loadContract(t).documentedCodes(); !slices.Equal(documented, known) {
		t.Errorf("docs/openapi.yaml has %q, want %q", documented, known)
	}
}

// TestRandomRequests sends what nobody would. The contract describes every answer.
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
