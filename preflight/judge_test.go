package preflight_test

import (
	"bufio"
	"bytes"
	"context"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"example.com/boxrules/limits"
	"example.com/boxrules/preflight"
)

func TestDocumented(t *testing.T) {
	for _, path := range []string{dielinePath, quotationPath} {
		last := len(path) - 1
		for _, test := range []struct {
			method, address string
			want            bool // if the base is not known
			wantAtRoot      bool // if it is /
		}{
			{"GET", path, true, true},
			{"HEAD", path, true, true},
			{"", path, true, true},
			{"GET", path + "?article=x", true, true},
			{"GET", "/a/b%2Fc" + path, true, false},
			{"GET", "http://service.test" + path, true, true},
			{"GET", "http://service.test/base" + path, true, false},
			{"GET", "/v1/reseller" + path, true, false},
			{"GET", "/a|b" + path, true, false},

			{"POST", path, false, false},
			{"get", path, false, false},
			{"OPTIONS", path, false, false},
			{"CONNECT", path, false, false},
			{"GET", path + "/", false, false},
			{"GET", path + "x", false, false},
			{"GET", path[:last] + "%6e", false, false}, // quotation
			{"GET", path[:last] + "%65", false, false}, // dieline
			{"GET", "/a|b" + path[:last] + "%6e", false, false},
			{"GET", "/a|b" + path[:last] + "%65", false, false},
			{"GET", "/V1" + path[3:], false, false},
			{"GET", "/v1/" + path[3:], false, false},
			{"GET", "/v1%2F" + path[4:], false, false},
			{"GET", "/v1/reseller/orders/2026-1-1", false, false},
			{"GET", "/?" + path, false, false},
			{"GET", "/", false, false},
		} {
			address, err := url.Parse(test.address)
			if err != nil {
				t.Fatal(err)
			}
			for base, want := range map[string]bool{"": test.want, "/": test.wantAtRoot} {
				r := &http.Request{Method: test.method, URL: address}
				if got := newChecker(t, preflight.Options{Base: base}).Documented(r); got != want {
					t.Errorf("with the base %q Documented(%s %s) = %v, want %v", base, test.method, test.address, got, want)
				}
			}
		}
	}
}

// serverRequest returns the request as a server reads it.
func serverRequest(t *testing.T, text string) *http.Request {
	t.Helper()
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return r
}

// written returns the request as it goes over the wire.
func written(t *testing.T, r *http.Request) string {
	t.Helper()
	out := r.Clone(r.Context())
	out.URL.Scheme, out.URL.Host = "http", "a"
	var text bytes.Buffer
	if err := out.Write(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// outcome sends the request through Middleware and then through a Transport. Together they have to make one
// decision if the request is documented, and none otherwise. outcome returns the type of the refusal, or "" for a
// request that has arrived byte for byte.
func outcome(t *testing.T, o preflight.Options, text string) string {
	t.Helper()
	var told []preflight.Decision
	o.OnDecision = func(d preflight.Decision) { told = append(told, d) }
	c := newChecker(t, o)
	r := serverRequest(t, text)
	want := written(t, serverRequest(t, text))
	arrived := false
	transport := &preflight.Transport{Checker: c, Base: roundTrip(func(r *http.Request) (*http.Response, error) {
		arrived = true
		if got := written(t, r); got != want {
			t.Errorf("%q arrives as\n%q, want\n%q", text, got, want)
		}
		return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
	})}
	w := httptest.NewRecorder()
	c.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if _, err := transport.RoundTrip(r.Clone(r.Context())); err != nil {
			t.Error(err)
		}
	})).ServeHTTP(w, r)
	decisions := 0
	if c.Documented(r) {
		decisions = 1
	}
	if len(told) != decisions || arrived != (w.Header().Get(preflight.Header) == "") {
		t.Errorf("%q: told of %d decisions, want %d; arrived: %v", text, len(told), decisions, arrived)
	}
	if arrived {
		return ""
	}
	return string(told[0].Refusal.Type)
}

func get(target string, headers ...string) string {
	return "GET " + target + " HTTP/1.1\r\nHost: a\r\n" + strings.Join(headers, "") + "\r\n"
}

// TestUndocumentedPartsPass has requests with good boxes, and much else in them that the document does
// not name. Some of them are about articles that the limits do not have, which
// PassUnknown accepts.
func TestUndocumentedPartsPass(t *testing.T) {
	const box = "material=carton-300&width=100&depth=50&height=120"
	good := dielinePath + "?" + goodQuery
	var all []string
	for _, parameter := range []string{
		"Width=1", "WIDTH=", "width%00=1", "width[]=1", "%20width=1", "width%20=1", "+width=1", "%2577idth=1", "%EF%BD%97idth=1",
		"x=1&x=2", "x=%zz", "%zz=1", "width%zz=1", "x=%FF", "%FF", "x=a;b", "x;width=1", ";", "", "&", "=", "_method=POST",
		"items=x&items=y", "shipping=%zz", "return=https%3A%2F%2Fa%2F%3Fb%2520c", "x=%26width%3D10", "type=%2541",
	} {
		all = append(all, get(good+"&"+parameter), get(dielinePath+"?"+parameter+"&"+goodQuery))
	}
	items := quotationPath + "?" + itemsQuery("["+goodItem+"]")
	all = append(all,
		get(items+"&Items=1&width=x&width=y&article=%zz"),
		get(quotationPath+"?"+itemsQuery(strings.Replace("["+goodItem+"]", "}", `,"Width":1,"width ":1,"\uff57idth":1}`, 1))),
		get(quotationPath+"?"+itemsQuery(strings.Replace("["+goodItem+"]", "}", `,"references":[{"quantity":999,"Quantity":0}]}`, 1))),
		get(dielinePath+"?article=50%2520x&"+box),
		get(dielinePath+"?article=a%26width%3D10&"+box),
		get(dielinePath+"?article=Tuck-end&"+box),
		get(dielinePath+"?article="+strings.Repeat("x", 9000)+"&"+box),
		get(dielinePath+"?"+strings.Replace(goodQuery, "100", "100.00049", 1)),
		get(dielinePath+"?%61rticle=tuck%2Dend&material=carton-300&width=%31%30%30&&depth=0050.000&height=120&"),
		get("http://b/base"+good),
		get("//../%2e/a;b"+good),
		get(good, "Cookie: Width=1; width=10\r\n"),
		get(good, "Content-Type: a/b; charset=utf-16\r\n"),
		get(good, "X-Original-URL: /v1/reseller/quotation\r\n", "X-HTTP-Method-Override: POST\r\n"),
		get(good, "Connection: Upgrade\r\n", "Upgrade: h2c\r\n"),
		get(good, "Content-Length: 8\r\n")+"width=10",
		strings.Replace(get(good), "GET", "HEAD", 1),
	)
	for _, path := range []string{
		"/dieline", "/V1/reseller/DIELINE", dielinePath + "/", "/v1//reseller/dieline", "/v1/reseller/%64ieline", "/v1%2Freseller/dieline",
		dielinePath + ";x", "/v1/reseller/orders/1", "/",
	} {
		all = append(all, get(path+"?"+badQuery), get(path+"?x=%zz;&width=1&width=2", "X-Original-URL: "+dielinePath+"\r\n"))
	}
	for _, method := range []string{"POST", "PUT", "OPTIONS", "get", "CONNECT"} {
		all = append(all, strings.Replace(get(dielinePath+"?"+badQuery), "GET", method, 1))
	}
	for _, text := range all {
		if got := outcome(t, preflight.Options{PassUnknown: true}, text); got != "" {
			t.Errorf("%q: %s, want it passed", text, got)
		}
	}
}

// TestRandomRequests puts documented parameters, some of them with a mistake, among others. What is
// expected is known from how the request was made.
func TestRandomRequests(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	refused := 0
	for range 500 {
		path, pairs, want := dielinePath, strings.Split(goodQuery, "&"), ""
		if random.IntN(2) == 0 {
			path, pairs = quotationPath, []string{itemsQuery(pick("", "\t", "\r\n ") + "[" + goodItem + "]")}
		}
		if random.IntN(2) == 0 {
			want = "VALIDATION_ERROR"
			refused++
			i := random.IntN(len(pairs))
			name, value, _ := strings.Cut(pairs[i], "=")
			switch random.IntN(4) {
			case 0: // missing
				pairs = append(pairs[:i], pairs[i+1:]...)
			case 1: // twice
				pairs = append(pairs, pick(pairs[i], name, name+"=%zz"))
			case 2: // malformed
				pairs[i] = name + "=" + pick("%", "%zz", "%FF", "x"+value)
			case 3: // under another name
				pairs[i] = pick(strings.ToUpper(name), name+"[]", "x;"+name, name+"%zz") + "=" + value
			}
		}
		for range random.IntN(4) {
			pairs = append(pairs, pick("", "x=%zz", "x=1", "Width=1", ";", "a;b=c", "%zz", "_=[]", "Items=", "x=%26width%3D1"))
		}
		random.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		text := get(pick("", "/base", "http://b") + path + "?" + strings.Join(pairs, "&"))
		if got := outcome(t, preflight.Options{}, text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if refused < 100 {
		t.Errorf("only %d requests have a mistake", refused)
	}
}

// TestTransportDecidesAgain says when a Transport that gets its requests from Middleware decides itself: if the
// query or the path was changed, and if it has another Checker.
func TestTransportDecidesAgain(t *testing.T) {
	told := 0
	c := newChecker(t, preflight.Options{OnDecision: func(preflight.Decision) { told++ }})
	another := newChecker(t, preflight.Options{OnDecision: func(preflight.Decision) { told += 10 }})
	for name, test := range map[string]struct {
		change  func(*url.URL)
		checker *preflight.Checker
		want    int
	}{
		"the same":        {func(*url.URL) {}, c, 1},
		"another Checker": {func(*url.URL) {}, another, 11},
		"another base":    {func(u *url.URL) { u.Path = "/base" + u.Path }, c, 1},
		"another query":   {func(u *url.URL) { u.RawQuery += "&x" }, c, 2},
		"another path":    {func(u *url.URL) { u.Path = quotationPath }, c, 2},
	} {
		told = 0
		transport := &preflight.Transport{Checker: test.checker, Base: answerWith(204, strings.NewReader(""))}
		c.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			r = r.Clone(r.Context())
			test.change(r.URL)
			if _, err := transport.RoundTrip(r); err != nil {
				t.Error(err)
			}
		})).ServeHTTP(httptest.NewRecorder(), request(t, "GET", dielinePath+"?"+goodQuery))
		if told != test.want {
			t.Errorf("%s: told %d, want %d", name, told, test.want)
		}
	}
}

// TestExplanationsTakeTurns says that no more boxes than half of the processors are explained at
// once, and that neither accepted requests nor those without a box wait for them.
func TestExplanationsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newChecker(t, preflight.Options{})
		if want := max(1, runtime.GOMAXPROCS(0)/2); c.Explaining() != want {
			t.Errorf("%d boxes are explained at once, want %d", c.Explaining(), want)
		}
		release := c.TakeTurns()
		answers := make(chan *preflight.Refusal, 1)
		go func() { answers <- checkDieline(c, badQuery) }()
		ctx, cancel := context.WithCancel(t.Context())
		given := make(chan *preflight.Refusal, 1)
		go func() { given <- c.Check(request(t, "GET", dielinePath+"?"+badQuery).WithContext(ctx)) }()
		synctest.Wait()
		if checkDieline(c, goodQuery) != nil || checkDieline(c, "") == nil || checkQuotation(c, quotationQuery(t, good)) != nil {
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
			t.Errorf("a client that has gone: %v", r)
		}
		release()
		synctest.Wait()
		if r := <-answers; r == nil || r.Code != "BOX_3100" || !strings.Contains(r.Message, "set depth to 48 or less") {
			t.Errorf("after it has waited: %v", r)
		}
		if checkDieline(c, badQuery) == nil {
			t.Error("turns are not given back")
		}
	})
}

// TestFewDecimals has limits that take two decimals.
func TestFewDecimals(t *testing.T) {
	c, err := preflight.New(engineOf(t, string(limits.IllustrativeYAML())+"decimals: 2\n"), preflight.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r := checkDieline(c, strings.Replace(goodQuery, "120", "120.2500", 1)); r != nil {
		t.Errorf("height 120.2500: %s", line(r))
	}
	r := checkQuotation(c, itemsQuery("["+strings.Replace(goodItem, "120", "120.125", 1)+"]"))
	if !strings.Contains(line(r), "height: 120.125 has too many decimals") {
		t.Errorf("height 120.125: %s", line(r))
	}
}
