package test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
	"example.com/boxrules/sandbox"
)

// A service is a sandbox that can be called over HTTP, is checked by the contract, and counts its token
// requests.
type service struct {
	*sandbox.Sandbox
	url    string
	tokens atomic.Int64
	config clientcredentials.Config
}

func start(t *testing.T, o sandbox.Options) *service {
	t.Helper()
	s, err := sandbox.New(boxrules.Default(), o)
	if err != nil {
		t.Fatal(err)
	}
	v := &service{Sandbox: s}
	guarded := loadContract(t).guard(t, s)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/oauth2/token" {
			v.tokens.Add(1)
		}
		guarded.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	v.url = server.URL
	v.config = clientcredentials.Config{ClientID: sandbox.DefaultSandbox.ID, ClientSecret: sandbox.DefaultSandbox.Secret,
		TokenURL: v.url + "/v1/oauth2/token", Scopes: []string{"external"}}
	return v
}

const order = "/v1/reseller/orders/2026-123-1"

func get(t *testing.T, client *http.Client, url string) (int, string) {
	t.Helper()
	response, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(bodyOf(t, response))
}

func TestClientCredentials(t *testing.T) {
	s := start(t, sandbox.Options{Fixtures: recorded})
	token, err := s.config.Token(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if left := time.Until(token.Expiry); token.AccessToken == "" || token.Type() != "Bearer" || left < 3500*time.Second || left > time.Hour {
		t.Errorf("token %+v of type %s, good for %v", token, token.Type(), left)
	}
	client := s.config.Client(t.Context())
	for range 3 {
		if status, body := get(t, client, s.url+order); status != 200 || body != `{"recorded":"order"}` {
			t.Errorf("the order: %d %s", status, body)
		}
	}
	if n := s.tokens.Load(); n != 2 {
		t.Errorf("%d token requests, want one by hand and one by the client", n)
	}
}

// TestRefusedNeedsNoToken puts the client's transport below the one that checks.
func TestRefusedNeedsNoToken(t *testing.T) {
	s := start(t, sandbox.Options{})
	checker, err := preflight.New(boxrules.Default(), preflight.Options{})
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &preflight.Transport{Checker: checker,
		Base: &oauth2.Transport{Source: s.config.TokenSource(t.Context())}}}
	const box = "/v1/reseller/dieline?article=tuck-end&material=carton-300&width=48&height=184&depth="
	if status, body := get(t, client, s.url+box+"141"); status != 400 || !strings.Contains(body, "BOX_3100") || s.tokens.Load() != 0 {
		t.Errorf("%d %s after %d token requests, want 400 after none", status, body, s.tokens.Load())
	}
	if status, body := get(t, client, s.url+box+"48"); status != 200 || s.tokens.Load() != 1 {
		t.Errorf("%d %s after %d token requests, want 200 after one", status, body, s.tokens.Load())
	}
}
