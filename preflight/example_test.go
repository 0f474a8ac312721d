package preflight_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
	"example.com/boxrules/sandbox"
)

const query = "article=tuck-end&material=carton-300&width=48&depth=141&height=184"

// A proxy in Go, in front of the service.
func ExampleChecker_Middleware() {
	checker, err := preflight.New(boxrules.Default(), preflight.Options{})
	if err != nil {
		log.Fatal(err)
	}
	service, err := url.Parse("https://service.invalid")
	if err != nil {
		log.Fatal(err)
	}
	proxy := checker.Middleware(httputil.NewSingleHostReverseProxy(service))

	answer := httptest.NewRecorder()
	proxy.ServeHTTP(answer, httptest.NewRequest("GET", "/v1/reseller/dieline?"+query, nil))
	fmt.Println(answer.Code, answer.Header().Get(preflight.Header))
	// Output: 400 refused
}

func ExampleChecker_Check() {
	checker, err := preflight.New(boxrules.Default(), preflight.Options{})
	if err != nil {
		log.Fatal(err)
	}
	request, err := http.NewRequest("GET", "https://service.invalid/v1/reseller/dieline?"+query, nil)
	if err != nil {
		log.Fatal(err)
	}
	if refusal := checker.Check(request); refusal != nil {
		fmt.Println(refusal.Code)
		fmt.Println(refusal.Message)
	}
	// Output:
	// BOX_3100
	// depth 141 > width 48; turn it to 141 x 48 x 184, or set depth to 48 or less, or width to between 141 and 371.5
}

// A handler of your own that answers with problem details.
func ExampleRefusal_Problem() {
	checker, err := preflight.New(boxrules.Default(), preflight.Options{})
	if err != nil {
		log.Fatal(err)
	}
	request := httptest.NewRequest("GET", "/v1/reseller/dieline?"+query, nil)
	problem := checker.Check(request).Problem(request)
	fmt.Println(problem.Status, problem.ErrorType, problem.Code)
	fmt.Println("nearest:", problem.Nearest.Dims)
	// Output:
	// 400 BOX_ERROR BOX_3100
	// nearest: {48 48 184}
}

func ExampleParseDieline() {
	box, err := preflight.ParseDieline("article=tuck-end&material=carton-300&width=48&depth=141&height=184")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(box.Article, box.Dims)
	_, err = preflight.ParseDieline("article=tuck-end&material=carton-300&width=wide&depth=141&height=184")
	fmt.Println(err)
	// Output:
	// tuck-end {48 141 184}
	// VALIDATION_ERROR: width: "wide" is not a dimension; accepted: a plain decimal such as 48 or 48.5
}

func ExampleParseQuotation() {
	items := `[{"article":"tuck-end","material":"carton-300","width":100,"depth":50,"height":120,"references":[{"quantity":500}]}]`
	quotation, err := preflight.ParseQuotation(url.Values{"items": {items}}.Encode())
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range quotation {
		fmt.Println(item.Box.Article, item.Box.Dims, item.Quantities)
	}
	// Output: tuck-end {100 50 120} [500]
}

func ExampleUps() {
	profile, err := boxrules.Default().Profile("tuck-end", "carton-300")
	if err != nil {
		log.Fatal(err)
	}
	ups, ok, err := preflight.Ups(profile, boxrules.Dims{Width: 100, Depth: 50, Height: 120}, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ups, ok)
	// Output: 6 true
}

// A client of your own decides whether the service has accepted a box.
func ExampleIsDieline() {
	fmt.Println(preflight.IsDieline([]byte("%PDF-1.7 …")))
	fmt.Println(preflight.IsDieline([]byte(`{"error":"maintenance"}`)))
	// Output:
	// true
	// false
}

func ExampleWriteError() {
	answer := httptest.NewRecorder()
	request := httptest.NewRequest("GET", "/v1/reseller/orders/7", nil)
	preflight.WriteError(answer, request, boxrules.TypeOrderError, http.StatusNotFound, "the order does not exist")
	fmt.Print(answer.Body)
	// Output: {"request":{"uri":"/v1/reseller/orders/7","method":"GET"},"response":{"code":"ORDER_ERROR","message":"the order does not exist","http_status_code":404}}
}

func ExampleTransport() {
	engine := boxrules.Default()
	service := "https://service.invalid"

	checker, err := preflight.New(engine, preflight.Options{})
	if err != nil {
		log.Fatal(err)
	}
	client := &http.Client{Transport: &preflight.Transport{Checker: checker}}
	response, err := client.Get(service + "/v1/reseller/dieline?" + query)
	if err != nil {
		log.Fatal(err)
	}

	defer response.Body.Close()
	fmt.Println(response.Status, response.Header.Get(preflight.Header))
	// Output: 400 Bad Request refused
}

// A server of your own that answers as the service would refuse, and 204 otherwise.
func ExampleChecker_Handler() {
	checker, err := preflight.New(boxrules.Default(), preflight.Options{})
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(checker.Handler())
	defer server.Close()

	response, err := http.Get(server.URL + "/v1/reseller/dieline?" + query)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var body preflight.Body
	if err := json.NewDecoder(response.Body).Decode(&body); err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.StatusCode, body.Response.Code, body.Response.Errors[0].Code)
	// Output: 400 BOX_ERROR BOX_3100
}

func ExampleTransport_observe() {
	// A service with limits other than ours.
	real := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") }))
	defer real.Close()
	checker, err := preflight.New(boxrules.Default(), preflight.Options{})
	if err != nil {
		log.Fatal(err)
	}

	transport := &preflight.Transport{
		Checker: checker,
		Observe: true,
		OnDisagreement: func(d preflight.Disagreement) {
			fmt.Println(d)
		},
	}
	client := &http.Client{Transport: transport}

	response, err := client.Get(real.URL + "/v1/reseller/dieline?" + query)
	if err != nil {
		log.Fatal(err)
	}
	response.Body.Close()
	// Output: /v1/reseller/dieline [{tuck-end carton-300 {48 141 184}}]: ours BOX_ERROR BOX_3100, theirs accepted
}

func Example_sandbox() {
	service, err := sandbox.New(boxrules.Default(), sandbox.Options{})
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(service)
	defer server.Close()
	// The client under test gets server.URL as the service's address, and sandbox.DefaultSandbox as credentials.
	service.ExpireTokens() // from now on, the client needs a new token
	service.FailNext(2)    // the next two requests are answered with INTERNAL_SERVER_ERROR

	response, err := http.Get(server.URL + "/v1/reseller/dieline?" + query)
	if err != nil {
		log.Fatal(err)
	}
	response.Body.Close()
	fmt.Println(response.Status)
	// Output: 500 Internal Server Error
}

// Count the requests of a log. Check returns nil both for a request that would succeed and for one that is not
// judged; Documented distinguishes the two.
func ExampleChecker_Documented() {
	checker, err := preflight.New(boxrules.Default(), preflight.Options{})
	if err != nil {
		log.Fatal(err)
	}
	var refused, accepted, others int
	for _, target := range []string{
		"/v1/reseller/dieline?" + query,
		"/v1/reseller/dieline?article=tuck-end&material=carton-300&width=120&depth=60&height=180",
		"/v1/reseller/orders/7",
	} {
		request := httptest.NewRequest("GET", target, nil)
		switch {
		case !checker.Documented(request):
			others++
		case checker.Check(request) != nil:
			refused++
		default:
			accepted++
		}
	}
	fmt.Println(refused, "refused,", accepted, "accepted,", others, "not judged")
	// Output: 1 refused, 1 accepted, 1 not judged
}
