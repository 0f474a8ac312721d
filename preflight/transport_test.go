package preflight_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
)

// roundTrip is a transport for the tests.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// answerWith is a service that gives one answer.
func answerWith(status int, body io.Reader) roundTrip {
	return func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(body), Request: r}, nil
	}
}

// closing is a body that counts how often it is closed.
type closing struct {
	io.Reader
	closed int
	err    error
}

func (c *closing) Close() error {
	c.closed++
	return c.err
}

func clientRequest(t *testing.T, method, target string, body io.ReadCloser) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://service.test"+target, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Body = body
	return r
}

func TestTransportRefuses(t *testing.T) {
	checker := newChecker(t, preflight.Options{})
	transport := &preflight.Transport{Checker: checker, Base: roundTrip(func(r *http.Request) (*http.Response, error) {
		t.Errorf("%s has left the process", r.URL)
		return nil, io.EOF
	})}
	for _, target := range []string{
		dielinePath + "?" + badQuery, "/base" + dielinePath, quotationPath + "?items=[]", dielinePath + "?" + badQuery + "&type=%",
		quotationPath + "?" + quotationQuery(t, good, bad),
	} {
		r := clientRequest(t, "GET", target, nil)
		before := r.Clone(r.Context())
		response, err := transport.RoundTrip(r)
		if err != nil || !reflect.DeepEqual(r, before) || response.Request != r {
			t.Fatalf("%s: %v, or the request is another", target, err)
		}
		body := checker.Check(r).Body(r).JSON()
		want := fmt.Sprintf("HTTP/1.1 400 Bad Request\r\nContent-Length: %d\r\nBoxrules-Preflight: refused\r\n"+
			"Content-Type: application/json\r\n\r\n%s", len(body), body)
		var text bytes.Buffer
		if err := response.Write(&text); err != nil || text.String() != want || response.StatusCode != 400 {
			t.Errorf("%s: %s, %v, want %s", target, &text, err, want)
		}
	}
}

// TestTransportPasses says that all other requests and answers pass unchanged.
func TestTransportPasses(t *testing.T) {
	var sent *http.Request
	answer := &http.Response{StatusCode: 500, Header: http.Header{}, Body: http.NoBody}
	base := roundTrip(func(r *http.Request) (*http.Response, error) {
		sent = r
		return answer, nil
	})
	for _, observe := range []bool{false, true} {
		transport := &preflight.Transport{Checker: newChecker(t, preflight.Options{}), Base: base, Observe: observe,
			Logger:         slog.New(slog.NewTextHandler(io.Discard, nil)),
			OnDisagreement: func(d preflight.Disagreement) { t.Errorf("disagreement %+v", d) }}
		for _, test := range []struct{ method, target string }{
			{"GET", dielinePath + "?" + goodQuery}, {"GET", quotationPath + "?" + quotationQuery(t, good)}, {"HEAD", dielinePath + "?" + goodQuery},
			{"GET", "/v1/reseller/orders/2026-123-1"}, {"POST", "/v1/oauth2/token"},
		} {
			body := &closing{Reader: strings.NewReader("x")}
			r := clientRequest(t, test.method, test.target, body)
			if strings.Contains(test.target, "?") { // a dieline and a quotation have none
				r.Body = nil
			}
			response, err := transport.RoundTrip(r)
			if sent != r || body.closed != 0 {
				t.Errorf("%s %s: the request is another, or its body is closed %d times", test.method, test.target, body.closed)
			}
			if response != answer || err != nil || response.Body != http.NoBody {
				t.Errorf("%s %s: %v, %v, want the answer of the base", test.method, test.target, response, err)
			}
		}
	}
}

func TestTransportErrors(t *testing.T) {
	never := roundTrip(func(*http.Request) (*http.Response, error) { panic("sent") })
	transport := &preflight.Transport{Checker: newChecker(t, preflight.Options{}), Base: never}
	body := &closing{err: errors.New("stuck")}
	if response, err := transport.RoundTrip(clientRequest(t, "GET", dielinePath, body)); err != nil || response.StatusCode != 400 ||
		body.closed != 1 {
		t.Errorf("with a body that does not close: %v, %v", response, err)
	}
}

func errorBody(code, element, path string) string {
	if element != "" {
		element = fmt.Sprintf(`,"errors":[{"code":%q,"path":%q,"message":"as the service says"}]`, element, path)
	}
	return fmt.Sprintf(`{"request":{"uri":"/v1/reseller/dieline","method":"GET"},"response":{"code":%q,"message":"in general",`+
		`"http_status_code":400%s}}`, code, element)
}

func TestObserve(t *testing.T) {
	const agree, ignore, unread = "agree", "ignore", "unread"
	deep, small := badQuery, strings.Replace(goodQuery, "=100", "=1", 1)
	for _, test := range []struct {
		name, query string
		status      int
		body        string
		want        string // ours / theirs of the disagreement
	}{
		{"both accept", goodQuery, 200, `{"pdf":"x"}`, agree},
		{"both refuse", deep, 400, errorBody("BOX_ERROR", "BOX_3100", ""), agree},
		{"both refuse, other words", small, 400, errorBody("BOX_ERROR", "BOX_2100", "width"), agree},
		{"both refuse a parameter", "article=x", 400, errorBody("VALIDATION_ERROR", "DLN_1101", "material"), agree},
		{"both refuse without a code", "", 400, errorBody("VALIDATION_ERROR", "", ""), agree},
		{"we refuse", deep, 200, `{"pdf":"x"}`, "BOX_ERROR BOX_3100 / accepted"},
		{"we refuse without a code", "", 204, "", "VALIDATION_ERROR / accepted"},
		{"they refuse", goodQuery, 400, errorBody("BOX_ERROR", "BOX_4100", ""), "accepted / BOX_ERROR BOX_4100"},
		{"they refuse without a code", goodQuery, 400, errorBody("VALIDATION_ERROR", "", ""), "accepted / VALIDATION_ERROR"},
		{"another code", deep, 400, errorBody("BOX_ERROR", "BOX_3101", ""), "BOX_ERROR BOX_3100 / BOX_ERROR BOX_3101"},
		{"another type", deep, 400, errorBody("VALIDATION_ERROR", "DLN_1101", "material"), "BOX_ERROR BOX_3100 / VALIDATION_ERROR DLN_1101"},
		{"another type without codes", "", 400, errorBody("QUANTITY_ERROR", "", ""), "VALIDATION_ERROR / QUANTITY_ERROR"},
		{"a code where we have none", "", 400, errorBody("VALIDATION_ERROR", "DLN_1102", "article"), agree},
		{"a code where we have another", "article=tuck-end", 400, errorBody("VALIDATION_ERROR", "DLN_1102", "article"),
			"VALIDATION_ERROR DLN_1101 / VALIDATION_ERROR DLN_1102"},
		{"they refuse with an echo of their own", goodQuery, 400,
			`{"request":{"uri":1,"query":[{"width":143}]},"response":{"code":"BOX_ERROR","errors":[{"code":"BOX_4100",` +
				`"message":"as the service says"}]}}`, "accepted / BOX_ERROR BOX_4100"},
		{"a redirection", deep, 300, "", ignore},
		{"expired token", goodQuery, 401, errorBody("VALIDATION_ERROR", "", ""), ignore},
		{"not found", deep, 404, errorBody("NOT_FOUND", "", ""), ignore},
		{"too many", deep, 429, "", ignore},
		{"failure", goodQuery, 500, errorBody("INTERNAL_SERVER_ERROR", "", ""), ignore},
		{"400 of a proxy", goodQuery, 400, "<html>Bad Request</html>", unread},
		{"400 of another service", goodQuery, 400, `{"error":"invalid_request"}`, unread},
		{"400 cut short", goodQuery, 400, errorBody("BOX_ERROR", "BOX_3100", "")[:80], unread},
		{"400 of a megabyte", goodQuery, 400, strings.Repeat(" ", 1<<20) + errorBody("BOX_ERROR", "BOX_3100", ""), unread},
	} {
		var told []preflight.Disagreement
		var log bytes.Buffer
		theirs := &closing{Reader: strings.NewReader(test.body)}
		var sent *http.Request
		transport := &preflight.Transport{Checker: newChecker(t, preflight.Options{}), Observe: true,
			Base: roundTrip(func(r *http.Request) (*http.Response, error) {
				sent = r
				return &http.Response{StatusCode: test.status, Header: http.Header{"X": {"y"}}, Body: theirs, Request: r}, nil
			}),
			OnDisagreement: func(d preflight.Disagreement) { told = append(told, d) }, Logger: slog.New(slog.NewTextHandler(&log, nil))}
		r := clientRequest(t, "GET", dielinePath+"?"+test.query, nil)
		response, err := transport.RoundTrip(r)
		if err != nil || sent != r {
			t.Fatalf("%s: %v, the same request was sent: %v", test.name, err, sent == r)
		}
		// The client can read all of the answer, and its Close closes the service's body.
		if got, err := io.ReadAll(response.Body); err != nil || string(got) != test.body || response.StatusCode != test.status ||
			len(response.Header) != 1 {
			t.Errorf("%s: %d %v %.100q, %v, want the service's answer", test.name, response.StatusCode, response.Header, got, err)
		}
		if err := response.Body.Close(); err != nil || theirs.closed != 1 {
			t.Errorf("%s: closed %d times, %v", test.name, theirs.closed, err)
		}
		if test.want == unread {
			if len(told) > 0 || strings.Count(log.String(), "\n") != 1 || !strings.Contains(log.String(), "the service's refusal cannot be read") {
				t.Errorf("%s: told of %+v\n%s", test.name, told, &log)
			}
			continue
		}
		if test.want == agree || test.want == ignore {
			if len(told) > 0 || log.Len() > 0 {
				t.Errorf("%s: told of %+v\n%s", test.name, told, &log)
			}
			continue
		}
		ours, service, _ := strings.Cut(test.want, " / ")
		if len(told) != 1 || told[0].Request != r || !strings.HasSuffix(told[0].String(), "ours "+ours+", theirs "+service) {
			t.Errorf("%s: told of %v, want %s", test.name, told, test.want)
			continue
		}
		text := log.String()
		if strings.Count(text, "\n") != 1 || !strings.Contains(text, "level=WARN") || strings.Contains(text, "service.test") ||
			!strings.Contains(text, ours) || !strings.Contains(text, service) {
			t.Errorf("%s: logged is %s", test.name, text)
		}
		if d := told[0].ServiceRefusal; d != nil && d.Message != map[bool]string{true: "in general", false: "as the service says"}[d.Code == ""] {
			t.Errorf("%s: their message is %q", test.name, d.Message)
		}
	}
}

// TestObserveQuotation says that a Disagreement has all boxes of a quotation.
func TestObserveQuotation(t *testing.T) {
	var told []preflight.Disagreement
	transport := &preflight.Transport{Checker: newChecker(t, preflight.Options{}), Observe: true,
		Base:           answerWith(200, strings.NewReader("{}")),
		OnDisagreement: func(d preflight.Disagreement) { told = append(told, d) }, Logger: slog.New(slog.DiscardHandler)}
	for _, test := range []struct {
		target string
		boxes  []boxrules.Box
	}{
		{quotationPath + "?" + quotationQuery(t, good, bad), []boxrules.Box{good, bad}},
		{dielinePath + "?" + badQuery, []boxrules.Box{bad}},
		{quotationPath + "?items=x", nil},
		{dielinePath + "?width=x", nil},
	} {
		told = nil
		if _, err := transport.RoundTrip(clientRequest(t, "GET", test.target, nil)); err != nil || len(told) != 1 ||
			!reflect.DeepEqual(told[0].Boxes, test.boxes) {
			t.Errorf("%s: %v, told of %+v", test.target, err, told)
		}
	}
}

// TestObserveQuantity says that the path is compared, because it says which item's quantity is too small.
func TestObserveQuantity(t *testing.T) {
	query := itemsQuery(`[{"article":"tuck-end","material":"carton-300","width":100,"depth":50,"height":120,"references":[{"quantity":1}]}]`)
	for path, want := range map[string]int{"products[0]": 0, "products[1]": 1, "": 1} {
		var told []preflight.Disagreement
		transport := &preflight.Transport{Checker: newChecker(t, preflight.Options{}), Observe: true,
			Base:           answerWith(400, strings.NewReader(errorBody("QUANTITY_ERROR", "QTT_1114", path))),
			OnDisagreement: func(d preflight.Disagreement) { told = append(told, d) }, Logger: slog.New(slog.DiscardHandler)}
		if _, err := transport.RoundTrip(clientRequest(t, "GET", quotationPath+"?"+query, nil)); err != nil || len(told) != want {
			t.Errorf("with the path %q: %v, told of %+v, want %d", path, err, told, want)
		}
	}
}

// TestObserveBroken has the service's answer break off. The client gets the bytes that have arrived, and the error.
func TestObserveBroken(t *testing.T) {
	broken := errors.New("connection reset")
	text := errorBody("BOX_ERROR", "BOX_3100", "")
	for _, cut := range []int{0, 1, 100, len(text)} {
		transport := &preflight.Transport{Checker: newChecker(t, preflight.Options{}), Observe: true,
			Base:           answerWith(400, io.MultiReader(strings.NewReader(text[:cut]), iotest.ErrReader(broken))),
			OnDisagreement: func(d preflight.Disagreement) { t.Errorf("told of %+v", d) }}
		response, err := transport.RoundTrip(clientRequest(t, "GET", dielinePath+"?"+goodQuery, nil))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(response.Body); string(got) != text[:cut] || err != broken {
			t.Errorf("cut at %d: %s, %v", cut, got, err)
		}
	}
}

// TestObserveDefaults says that without OnDisagreement the default logger gets a warning.
func TestObserveDefaults(t *testing.T) {
	previous := slog.Default()
	defer slog.SetDefault(previous)
	var log bytes.Buffer
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	transport := &preflight.Transport{Checker: newChecker(t, preflight.Options{}), Observe: true, Base: answerWith(200, strings.NewReader(""))}
	if _, err := transport.RoundTrip(clientRequest(t, "GET", dielinePath+"?"+badQuery, nil)); err != nil ||
		strings.Count(log.String(), "\n") != 1 {
		t.Errorf("%v, logged %q", err, &log)
	}
}
