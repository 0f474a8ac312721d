package preflight_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
	"example.com/boxrules/sandbox"
)

const query = "article=tuck-end&material=carton-300&width=48&depth=141&height=184"

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
	// The client under test gets server.URL for the service's address, and sandbox.DefaultSandbox as credentials.
	service.ExpireTokens() // it has to ask for another token now
	service.FailNext(2)    // and to live with two answers of INTERNAL_SERVER_ERROR

	response, err := http.Get(server.URL + "/v1/reseller/dieline?" + query)
	if err != nil {
		log.Fatal(err)
	}
	response.Body.Close()
	fmt.Println(response.Status)
	// Output: 500 Internal Server Error
}
