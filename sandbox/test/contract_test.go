package test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// A contract is docs/openapi.yaml.
type contract struct {
	document *openapi3.T
	router   routers.Router
	seen     map[string]bool // answers that were given, such as "GET /v1/reseller/dieline 400"
}

func loadContract(t *testing.T) *contract {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromFile("../../docs/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !document.IsOpenAPI31OrLater() {
		t.Fatalf("docs/openapi.yaml is of version %s", document.OpenAPI)
	}
	// Validate checks the examples against their schemas too.
	if err := document.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	router, err := gorillamux.NewRouter(document)
	if err != nil {
		t.Fatal(err)
	}
	return &contract{document, router, make(map[string]bool)}
}

var options = &openapi3filter.Options{
	IncludeResponseStatus: true, // a status that is not described is an error
	AuthenticationFunc:    openapi3filter.NoopAuthenticationFunc,
	MultiError:            true,
}

// check says what the contract has against the answer.
func (c *contract) check(r *http.Request, status int, header http.Header, body []byte) error {
	if kind := header.Get("Content-Type"); kind != "application/json" {
		return fmt.Errorf("Content-Type %q", kind)
	}
	// HEAD is not described; its answer is that to GET, without the body.
	described := r.Clone(context.Background())
	if r.Method == http.MethodHead {
		described.Method = http.MethodGet
	}
	route, parameters, err := c.router.FindRoute(described)
	if err != nil {
		return c.checkUndescribed(status, body)
	}
	c.seen[fmt.Sprint(route.Method, " ", route.Path, " ", status)] = true
	request := &openapi3filter.RequestValidationInput{Request: described, PathParams: parameters, Route: route, Options: options}
	response := &openapi3filter.ResponseValidationInput{RequestValidationInput: request, Status: status, Header: header, Options: options}
	if err := openapi3filter.ValidateResponse(context.Background(), response.SetBodyBytes(body)); err != nil {
		return err
	}
	if status != http.StatusOK || described.Method != http.MethodGet {
		return nil
	}
	// What is accepted has to be described as a request.
	return openapi3filter.ValidateRequest(context.Background(), request)
}

// unseen returns the answers that the contract describes and nobody was given.
func (c *contract) unseen() (missing []string) {
	for path, item := range c.document.Paths.Map() {
		for method, operation := range item.Operations() {
			for status := range operation.Responses.Map() {
				if answer := method + " " + path + " " + status; !c.seen[answer] {
					missing = append(missing, answer)
				}
			}
		}
	}
	slices.Sort(missing)
	return missing
}

// checkUndescribed checks the answer to a path or method that the document does not have.
func (c *contract) checkUndescribed(status int, body []byte) error {
	name := map[int]string{404: "NotFound", 401: "Unauthorized", 500: "InternalServerError", 400: "WrongParameters"}[status]
	response := c.document.Components.Responses[name]
	if response == nil {
		return fmt.Errorf("status %d is not described", status)
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return err
	}
	return response.Value.Content["application/json"].Schema.Value.VisitJSON(value, openapi3.EnableJSONSchema2020())
}

// guard lets nothing through to a client that the contract does not describe.
func (c *contract) guard(t *testing.T, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorder := httptest.NewRecorder()
		next.ServeHTTP(recorder, r)
		if err := c.check(r, recorder.Code, recorder.Header(), recorder.Body.Bytes()); err != nil {
			t.Errorf("%s %s: %d %s\nis not as docs/openapi.yaml has it: %v", r.Method, r.URL, recorder.Code, recorder.Body, err)
		}
		if length := recorder.Header().Get("Content-Length"); length != strconv.Itoa(recorder.Body.Len()) {
			t.Errorf("%s %s: Content-Length %s, want %d", r.Method, r.URL, length, recorder.Body.Len())
		}
		for name, values := range recorder.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(recorder.Code)
		_, _ = io.Copy(w, recorder.Body)
	})
}

// TestContractRefuses makes sure that the contract is one: it finds small changes of a good answer.
func TestContractRefuses(t *testing.T) {
	c := loadContract(t)
	const (
		box = `{"request":{"uri":"/v1/reseller/dieline","method":"GET","query":{"material":"m"}},"response":{"code":"BOX_ERROR",` +
			`"message":"no box","http_status_code":400,"errors":[{"code":"BOX_3100","path":"","message":"no"}]}}`
		order = `{"request":{"uri":"/v1/reseller/orders/2026-123-1","method":"GET"},"response":{"code":"ORDER_ERROR","message":"none",` +
			`"http_status_code":404}}`
		token = `{"access_token":"x","token_type":"Bearer","expires_in":3600}`
	)
	send := func(body string, status int, kind string) error {
		method, target := http.MethodGet, "/v1/reseller/dieline?material=m"
		switch {
		case strings.Contains(body, "orders"):
			target = "/v1/reseller/orders/2026-123-1"
		case strings.Contains(body, "token"):
			method, target = http.MethodPost, "/v1/oauth2/token"
		}
		return c.check(httptest.NewRequest(method, target, nil), status, http.Header{"Content-Type": {kind}}, []byte(body))
	}
	for status, body := range map[int]string{400: box, 404: order, 200: token} {
		if err := send(body, status, "application/json"); err != nil {
			t.Errorf("%s: %v, want it accepted", body, err)
		}
		if send(body, status, "text/plain") == nil {
			t.Errorf("%s: accepted as text/plain", body)
		}
		if send(body, 418, "application/json") == nil {
			t.Errorf("%s: accepted with the status 418", body)
		}
	}
	for _, test := range []struct {
		status         int
		body, old, new string
	}{
		{400, box, `"BOX_3100"`, `"BOX_3123"`},
		{400, box, `"BOX_3100"`, `"QTT_1114"`},
		{400, box, `"code":"BOX_3100",`, ``},
		{400, box, `"path":""`, `"path":"depth"`},
		{400, box, `"message":"no"`, `"message":"no","field":"depth"`},
		{400, box, `"message":"no box"`, `"message":""`},
		{400, box, `BOX_ERROR`, `VALIDATION_ERROR`},
		{400, box, `BOX_ERROR`, `SIZE_ERROR`},
		{400, box, `:400`, `:"400"`},
		{400, box, `,"errors":[{"code":"BOX_3100","path":"","message":"no"}]`, ``},
		{400, box, `[{"code":"BOX_3100","path":"","message":"no"}]`, `[]`},
		{400, box, `[{"code":"BOX_3100","path":"","message":"no"}]`,
			`[{"code":"BOX_3100","path":"","message":"no"},{"code":"BOX_3100","path":"","message":"no"}]`},
		{400, box, `{"request"`, `{"sandbox":true,"request"`},
		{400, box, `{"material":"m"}`, `{"material":["m"]}`},
		{404, order, `"method":"GET"`, `"method":"GET","query":{}`},
		{404, order, `:404`, `:404,"errors":[{"code":"BOX_3100","path":"","message":"no"}]`},
		{404, order, `ORDER_ERROR`, `PRODUCT_ERROR`},
		{200, token, `3600`, `"3600"`},
		{200, token, `3600`, `0`},
		{200, token, `"Bearer"`, `"MAC"`},
	} {
		changed := strings.Replace(test.body, test.old, test.new, 1)
		if changed == test.body {
			t.Fatalf("%s does not occur", test.old)
		}
		if send(changed, test.status, "application/json") == nil {
			t.Errorf("%s in place of %s is accepted", test.new, test.old)
		}
	}
}

// documentedCodes returns the codes of boxes that the contract lists.
func (c *contract) documentedCodes() []string {
	var codes []string
	for _, code := range c.document.Components.Schemas["BoxCode"].Value.Enum {
		codes = append(codes, code.(string))
	}
	return codes
}

func bodyOf(t *testing.T, response *http.Response) []byte {
	t.Helper()
	defer response.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(response.Body); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
