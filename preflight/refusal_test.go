package preflight_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
)

// TestBodies compares every documented shape byte for byte (sections 7.1 and 7.7).
func TestBodies(t *testing.T) {
	c := newChecker(t, preflight.Options{})
	few := url.Values{"items": {strings.Replace("["+goodItem+"]", "}", `,"references":[{"quantity":6}]}`, 1)}, "shipping": {"DE"}}.Encode()
	for _, test := range []struct{ name, target, want string }{
		{"validation with an element", dielinePath + "?article=tuck-end&width=1",
			`{"request":{"uri":"/v1/reseller/dieline","method":"GET","query":{"article":"tuck-end","width":1}},` +
				`"response":{"code":"VALIDATION_ERROR","message":"some parameters are wrong or missing","http_status_code":400,` +
				`"errors":[{"code":"DLN_1101","path":"material","message":"material: missing"}]}}`},
		{"validation without", dielinePath + "?article=tuck-end&article=%3Cb%3E",
			`{"request":{"uri":"/v1/reseller/dieline","method":"GET","query":{"article":"tuck-end"}},` +
				`"response":{"code":"VALIDATION_ERROR","message":"some parameters are wrong or missing: article: given twice; ` +
				`give it once","http_status_code":400}}`},
		{"no parameters", dielinePath, `{"request":{"uri":"/v1/reseller/dieline","method":"GET"},` +
			`"response":{"code":"VALIDATION_ERROR","message":"some parameters are wrong or missing: article: missing","http_status_code":400}}`},
		{"quantity", quotationPath + "?" + few, `{"request":{"uri":"/v1/reseller/quotation","method":"GET","query":{` +
			`"items":"[{\"article\":\"tuck-end\",\"material\":\"carton-300\",\"width\":100,\"depth\":50,\"height\":120,` +
			`\"references\":[{\"quantity\":6}]}]","shipping":"DE"}},` +
			`"response":{"code":"QUANTITY_ERROR","message":"the number of sheets is below the minimum","http_status_code":400,` +
			`"errors":[{"code":"QTT_1114","path":"products[0]","message":"1 sheet, at 6 per sheet; the minimum of carton-300 is 25 sheets"}]}}`},
		{"numbers that are not what they say", dielinePath + "?article=0427&width=80.50&depth=0.10000000000000000001&height=1e3&type=5",
			`{"request":{"uri":"/v1/reseller/dieline","method":"GET","query":{"article":"0427","depth":0.1,` +
				`"height":"1e3","type":"5","width":80.5}},"response":{"code":"VALIDATION_ERROR",` +
				`"message":"some parameters are wrong or missing","http_status_code":400,` +
				`"errors":[{"code":"DLN_1101","path":"material","message":"material: missing"}]}}`},
		{"below a base", "/shop/api" + dielinePath + "?type=a%26b%3Cc%3E",
			`{"request":{"uri":"/shop/api/v1/reseller/dieline","method":"GET","query":{"type":"a&b<c>"}},` +
				`"response":{"code":"VALIDATION_ERROR","message":"some parameters are wrong or missing: article: missing","http_status_code":400}}`},
	} {
		r := request(t, http.MethodGet, test.target)
		refusal := c.Check(r)
		if refusal == nil {
			t.Errorf("%s: accepted", test.name)
			continue
		}
		if got := string(refusal.Body(r).JSON()); got != test.want+"\n" {
			t.Errorf("%s:\n%swant\n%s", test.name, got, test.want)
		}
	}
}

func TestWriteError(t *testing.T) {
	for _, test := range []struct {
		method, target string
		code           boxrules.ErrorType
		status         int
		want           string
	}{
		{"GET", "/v1/reseller/orders/2026-123-1", boxrules.TypeOrderError, 404,
			`{"request":{"uri":"/v1/reseller/orders/2026-123-1","method":"GET"},"response":{"code":"ORDER_ERROR","message":"none",` +
				`"http_status_code":404}}`},
		{"POST", "/a%20b/%C3%A9", boxrules.TypeNotFound, 404,
			`{"request":{"uri":"/a b/é","method":"POST"},"response":{"code":"NOT_FOUND","message":"none","http_status_code":404}}`},
		{"DELETE", "/x?a=1&a=2&b&=c&d=%zz&e;f=1&%22=%22", boxrules.TypeInternalServerError, 500,
			`{"request":{"uri":"/x","method":"DELETE","query":{"":"c","\"":"\"","a":"1","b":"","e;f":"1"}},` +
				`"response":{"code":"INTERNAL_SERVER_ERROR","message":"none","http_status_code":500}}`},
		{"GET", "/x?&&", boxrules.TypeNotFound, 404,
			`{"request":{"uri":"/x","method":"GET"},"response":{"code":"NOT_FOUND","message":"none","http_status_code":404}}`},
		// A query of 64 KiB is repeated, and one that is longer is not.
		{"GET", "/x?a=" + strings.Repeat("x", 64<<10-len("a=")), boxrules.TypeNotFound, 404,
			`{"request":{"uri":"/x","method":"GET","query":{"a":"` + strings.Repeat("x", 64<<10-len("a=")) +
				`"}},"response":{"code":"NOT_FOUND","message":"none","http_status_code":404}}`},
		{"GET", "/x?a=" + strings.Repeat("x", 64<<10-len("a=")+1), boxrules.TypeNotFound, 404,
			`{"request":{"uri":"/x","method":"GET"},"response":{"code":"NOT_FOUND","message":"none","http_status_code":404}}`},
	} {
		w := httptest.NewRecorder()
		preflight.WriteError(w, request(t, test.method, test.target), test.code, test.status, "none")
		if w.Code != test.status || w.Header().Get("Content-Type") != "application/json" || w.Body.String() != test.want+"\n" {
			t.Errorf("%s %.60s: %d %s\n%.1000swant %d\n%.1000s", test.method, test.target, w.Code, w.Header(), w.Body, test.status, test.want)
		}
	}
	// A client's request may have no method, which is GET.
	if b := preflight.NewBody(&http.Request{URL: &url.URL{Path: "/x"}}, boxrules.TypeNotFound, 404, "none"); b.Request.Method != "GET" {
		t.Errorf("the method is %q, want GET", b.Request.Method)
	}
}
