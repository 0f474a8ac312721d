package sandbox_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"example.com/boxrules"
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
	// {"request":{"uri":"/v1/reseller/orders/2026-123-1","method":"GET"},"response":{"code":"INTERNAL_SERVER_ERROR","message":"the service failed: it was asked to","http_status_code":500}}
	// {"request":{"uri":"/v1/reseller/orders/2026-123-1","method":"GET"},"response":{"code":"ORDER_ERROR","message":"the order does not exist: 2026-123-1","http_status_code":404}}
}
