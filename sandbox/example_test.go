package sandbox_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing/fstest"

	"example.com/boxrules"
	"example.com/boxrules/limits"
	"example.com/boxrules/sandbox"
)

func Example() {
	service, err := sandbox.New(boxrules.Default(), sandbox.Options{})
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(service)
	defer server.Close()

	// The client under test, in short.
	form := url.Values{"grant_type": {"client_credentials"}, "scope": {"external"}}.Encode()
	request, err := http.NewRequest(http.MethodPost, server.URL+"/v1/oauth2/token", strings.NewReader(form))
	if err != nil {
		log.Fatal(err)
	}
	request.SetBasicAuth(sandbox.DefaultSandbox.ID, sandbox.DefaultSandbox.Secret)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var token struct {
		AccessToken string `json:"access_token"`
		ExpiresIn   int    `json:"expires_in"`
	}
	if err := json.NewDecoder(response.Body).Decode(&token); err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Status, token.ExpiresIn)

	service.FailNext(1)
	for range 2 {
		request, err := http.NewRequest(http.MethodGet, server.URL+"/v1/reseller/orders/2026-123-1", nil)
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+token.AccessToken)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s", body)
	}
	// Output:
	// 200 OK 3600
	// {"request":{"uri":"/v1/reseller/orders/2026-123-1","method":"GET"},"response":{"code":"INTERNAL_SERVER_ERROR","message":"the service failed, because the sandbox was asked to fail","http_status_code":500}}
	// {"request":{"uri":"/v1/reseller/orders/2026-123-1","method":"GET"},"response":{"code":"ORDER_ERROR","message":"the order does not exist: 2026-123-1","http_status_code":404}}
}

// A client under test has to try again when the service fails.
func ExampleSandbox_FailNext() {
	service, err := sandbox.New(boxrules.Default(), sandbox.Options{})
	if err != nil {
		log.Fatal(err)
	}
	token := requestToken(service)
	service.FailNext(1)
	fmt.Println(getDieline(service, token, nil).Code)
	fmt.Println(getDieline(service, token, nil).Code)
	// Output:
	// 500
	// 200
}

// A client under test has to ask for another token when its token expires.
func ExampleSandbox_ExpireTokens() {
	service, err := sandbox.New(boxrules.Default(), sandbox.Options{})
	if err != nil {
		log.Fatal(err)
	}
	token := requestToken(service)
	service.ExpireTokens()
	fmt.Println(getDieline(service, token, nil).Code)
	// Output: 401
}

// The limits change while a client under test is running.
func ExampleSandbox_Reload() {
	service, err := sandbox.New(boxrules.Default(), sandbox.Options{})
	if err != nil {
		log.Fatal(err)
	}
	token := requestToken(service)
	narrow := bytes.Replace(limits.IllustrativeYAML(), []byte("width:  {min: 20, max: 400}"), []byte("width:  {min: 20, max: 90}"), 1)
	catalogue, err := limits.Load("limits.yaml", narrow)
	if err != nil {
		log.Fatal(err)
	}
	engine, err := boxrules.New(boxrules.DefaultRules(), catalogue)
	if err != nil {
		log.Fatal(err)
	}
	if err := service.Reload(engine, sandbox.Options{}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(getDieline(service, token, nil).Code)
	// Output: 400
}

// The body of an answer is one that was recorded from the service, usually in a folder for os.DirFS.
func ExampleOptions_fixtures() {
	service, err := sandbox.New(boxrules.Default(), sandbox.Options{
		Fixtures: fstest.MapFS{"dieline/tuck-end.json": {Data: []byte(`{"response":{"buffer":"…"}}`)}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(getDieline(service, requestToken(service), nil).Body)
	// Output: {"response":{"buffer":"…"}}
}

// A request itself says how it should fail.
func ExampleOptions_faults() {
	service, err := sandbox.New(boxrules.Default(), sandbox.Options{Faults: true})
	if err != nil {
		log.Fatal(err)
	}
	fault := http.Header{sandbox.FaultHeader: {"500"}}
	fmt.Println(getDieline(service, requestToken(service), fault).Code)
	// Output: 500
}

// requestToken is the part of a client that gets an access token.
func requestToken(service http.Handler) string {
	form := url.Values{"grant_type": {"client_credentials"}, "scope": {"external"}}.Encode()
	request := httptest.NewRequest(http.MethodPost, "/v1/oauth2/token", strings.NewReader(form))
	request.SetBasicAuth(sandbox.DefaultSandbox.ID, sandbox.DefaultSandbox.Secret)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer := httptest.NewRecorder()
	service.ServeHTTP(answer, request)
	var token struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &token); err != nil {
		log.Fatal(err)
	}
	return token.AccessToken
}

// getDieline is the part of a client that gets a dieline.
func getDieline(service http.Handler, token string, header http.Header) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodGet,
		"/v1/reseller/dieline?article=tuck-end&material=carton-300&width=100&depth=50&height=120", nil)
	maps.Copy(request.Header, header)
	request.Header.Set("Authorization", "Bearer "+token)
	answer := httptest.NewRecorder()
	service.ServeHTTP(answer, request)
	return answer
}
