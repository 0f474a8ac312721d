package preflight_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
)

func TestMiddleware(t *testing.T) {
	c := newChecker(t, preflight.Options{})
	var passed *http.Request
	handler := c.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		passed = r
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, "tea")
	}))
	for _, test := range []struct {
		method, target string
		status         int
	}{
		{"GET", dielinePath + "?" + goodQuery, 418},
		{"GET", dielinePath + "?" + badQuery, 400},
		{"GET", quotationPath + "?" + quotationQuery(t, good), 418},
		{"GET", quotationPath + "?" + quotationQuery(t, bad), 400},
		{"POST", dielinePath + "?" + badQuery, 418},
	} {
		passed = nil
		r, w := request(t, test.method, test.target), httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != test.status || (passed != nil) != (test.status == 418) || passed != nil && passed.URL != r.URL {
			t.Errorf("%s %s: %d, want %d", test.method, test.target, w.Code, test.status)
		}
		if w.Code == 418 {
			if len(w.Header()) > 0 || w.Body.String() != "tea" {
				t.Errorf("%s %s: what passes has got %v %s", test.method, test.target, w.Header(), w.Body)
			}
			continue
		}
		h := w.Header()
		if want := string(c.Check(r).Body(r).JSON()); w.Body.String() != want || h.Get("Content-Type") != "application/json" ||
			h.Get("Content-Length") != strconv.Itoa(len(want)) || h.Get("Vary") != "Accept" || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s: %v\n%swant\n%s", test.method, test.target, h, w.Body, want)
		}
	}
}

func TestHandler(t *testing.T) {
	handler := newChecker(t, preflight.Options{}).Handler()
	for _, test := range []struct {
		method, target string
		status         int
		code           boxrules.ErrorType
	}{
		{"GET", dielinePath + "?" + goodQuery, 204, ""},
		{"POST", dielinePath + "?" + goodQuery, 404, boxrules.TypeNotFound},
		{"HEAD", quotationPath, 400, boxrules.TypeValidationError},
		{"HEAD", dielinePath + "?" + goodQuery, 204, ""},
		{"GET", "/", 404, boxrules.TypeNotFound},
	} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, request(t, test.method, test.target))
		var body preflight.Body
		if w.Code == 204 {
			if w.Body.Len() > 0 {
				t.Errorf("%s %s: 204 with the body %s", test.method, test.target, w.Body)
			}
		} else if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || body.Response.HTTPStatusCode != test.status ||
			body.Request.Method != test.method {
			t.Errorf("%s %s: %s, %v", test.method, test.target, w.Body, err)
		}
		if w.Code != test.status || body.Response.Code != test.code {
			t.Errorf("%s %s: %d %s, want %d %s", test.method, test.target, w.Code, body.Response.Code, test.status, test.code)
		}
	}
}

func TestAccept(t *testing.T) {
	handler := newChecker(t, preflight.Options{}).Handler()
	const problem = "application/problem+json"
	for _, test := range []struct {
		accept []string
		want   bool
	}{
		{nil, false},
		{[]string{"*/*"}, false},
		{[]string{"application/json"}, false},
		{[]string{"text/html, application/json;q=0.9, */*;q=0.1"}, false},
		{[]string{problem}, true},
		{[]string{"Application/Problem+JSON"}, true},
		{[]string{"application/json", problem + "; charset=utf-8; Q=0.7"}, true},
		{[]string{problem + "+x"}, false},
		{[]string{"*/*, " + problem + ";q=0"}, false},
		{[]string{problem + "; Q=0.000"}, false},
		{[]string{problem + ";q=0.001"}, true},
		{[]string{problem + ";q=0, " + problem + ";profile=x"}, true},
		{[]string{",;,q=1;;," + problem + ",,"}, true},
	} {
		r, w := request(t, "GET", dielinePath+"?"+badQuery), httptest.NewRecorder()
		r.Header["Accept"] = test.accept
		handler.ServeHTTP(w, r)
		kind := map[bool]string{false: "application/json", true: problem}[test.want]
		if w.Code != 400 || w.Header().Get("Content-Type") != kind || w.Header().Get("Vary") != "Accept" {
			t.Errorf("Accept %q: %d %s, want %s", test.accept, w.Code, w.Header(), kind)
		}
		if isProblem := strings.HasPrefix(w.Body.String(), `{"type":"about:blank","title":"Bad Request","status":400,`); isProblem != test.want {
			t.Errorf("Accept %q: %s", test.accept, w.Body)
		}
	}
}

// TestOnDecision says which decisions a Checker tells of, once each, and that what is observed or a
// sample has its refusal.
func TestOnDecision(t *testing.T) {
	service := roundTrip(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Body: http.NoBody, Request: r}, nil
	})
	var told []preflight.Decision
	tell := func(d preflight.Decision) { told = append(told, d) }
	checker := newChecker(t, preflight.Options{OnDecision: tell})
	sampling := newChecker(t, preflight.Options{OnDecision: tell, Sample: 1})
	send := func(transport *preflight.Transport) func(http.ResponseWriter, *http.Request) {
		return func(_ http.ResponseWriter, r *http.Request) {
			transport.Base = service
			if _, err := transport.RoundTrip(r); err != nil {
				t.Error(err)
			}
		}
	}
	for name, ask := range map[string]func(http.ResponseWriter, *http.Request){
		"Handler":   checker.Handler().ServeHTTP,
		"Transport": send(&preflight.Transport{Checker: checker}),
		"observed":  send(&preflight.Transport{Checker: checker, Observe: true}),
		"a sample":  sampling.Middleware(http.HandlerFunc(send(&preflight.Transport{Checker: sampling}))).ServeHTTP,
	} {
		for target, want := range map[string]string{
			dielinePath + "?" + badQuery:  "BOX_ERROR BOX_3100",
			dielinePath + "?" + goodQuery: "",
		} {
			told = nil
			r := request(t, "GET", target)
			ask(httptest.NewRecorder(), r)
			if len(told) != 1 || told[0].Request != r || (told[0].Refusal == nil) != (want == "") ||
				!strings.HasPrefix(line(told[0].Refusal), want) || want != "" && told[0].Took <= 0 { // to explain a box takes a while
				t.Errorf("%s, %s: told of %+v, want %q once", name, target, told, want)
			}
		}
	}
}
