package test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
	"example.com/boxrules/sandbox"
)

// A service is a sandbox that can be called over HTTP, behind the contract, and counts its token requests.
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

// TestRenewal uses tokens that the client takes for expired at once: it renews ten seconds early.
func TestRenewal(t *testing.T) {
	s := start(t, sandbox.Options{Fixtures: recorded, TokenLifetime: 5 * time.Second})
	client := s.config.Client(t.Context())
	for range 3 {
		if status, body := get(t, client, s.url+order); status != 200 {
			t.Errorf("the order: %d %s", status, body)
		}
	}
	if n := s.tokens.Load(); n != 3 {
		t.Errorf("%d token requests, want 3", n)
	}
}

// TestExpiry lets tokens expire behind the client's back, by the sandbox's clock and at once.
func TestExpiry(t *testing.T) {
	var clock atomic.Int64
	s := start(t, sandbox.Options{Fixtures: recorded, Now: func() time.Time { return time.Unix(clock.Load(), 0) }})
	for _, test := range []struct {
		name   string
		expire func()
	}{
		{"clock", func() { clock.Add(3600) }},
		{"at once", s.ExpireTokens},
	} {
		client := s.config.Client(t.Context())
		before, _ := get(t, client, s.url+order)
		test.expire()
		after, _ := get(t, client, s.url+order)
		renewed, _ := get(t, s.config.Client(t.Context()), s.url+order)
		if before != 200 || after != 401 || renewed != 200 {
			t.Errorf("%s: before %d, after %d, renewed %d, want 200, 401, 200", test.name, before, after, renewed)
		}
	}
}

func TestCredentialsRefused(t *testing.T) {
	s := start(t, sandbox.Options{})
	for _, test := range []struct {
		name   string
		change func(*clientcredentials.Config)
		status int
	}{
		{"wrong secret", func(c *clientcredentials.Config) { c.ClientSecret += "x" }, 401},
		{"live", func(c *clientcredentials.Config) {
			c.ClientID, c.ClientSecret = sandbox.DefaultLive.ID, sandbox.DefaultLive.Secret
		}, 401},
		{"credentials in the form", func(c *clientcredentials.Config) { c.AuthStyle = oauth2.AuthStyleInParams }, 401},
		{"no scope", func(c *clientcredentials.Config) { c.Scopes = nil }, 400},
		{"another scope", func(c *clientcredentials.Config) { c.Scopes = []string{"external", "internal"} }, 400},
		{"one more parameter", func(c *clientcredentials.Config) { c.EndpointParams = map[string][]string{"audience": {"x"}} }, 400},
		{"URL parameter", func(c *clientcredentials.Config) { c.TokenURL += "?scope=external" }, 400},
	} {
		config := s.config
		config.AuthStyle = oauth2.AuthStyleInHeader
		test.change(&config)
		token, err := config.Token(t.Context())
		var refused *oauth2.RetrieveError
		if !errors.As(err, &refused) || refused.Response.StatusCode != test.status || elementCode(t, refused.Body) != "VALIDATION_ERROR" {
			t.Errorf("%s: %v, error %v, want status %d", test.name, token, err, test.status)
		}
	}
}

// TestConcurrentClients has many clients get tokens, expire and be checked before sending, all at once.
func TestConcurrentClients(t *testing.T) {
	s := start(t, sandbox.Options{Fixtures: recorded})
	checker, err := preflight.New(boxrules.Default(), preflight.Options{})
	if err != nil {
		t.Fatal(err)
	}
	guard := &http.Client{Transport: &preflight.Transport{Checker: checker}}
	box := boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: 100, Depth: 50, Height: 120}}
	var clients sync.WaitGroup
	for i := range 8 {
		clients.Go(func() {
			ctx := context.WithValue(t.Context(), oauth2.HTTPClient, guard)
			for n := range 5 {
				client := s.config.Client(ctx)
				if i == 0 {
					s.ExpireTokens()
				}
				b, want := box, 200
				if n%2 == 1 {
					b.Depth, want = 141, 400
				}
				response, err := client.Get(s.url + dieline(b))
				if err != nil {
					t.Error(err)
					return
				}
				body := bodyOf(t, response)
				if status := response.StatusCode; status != want && status != 401 {
					t.Errorf("%d %s, want %d", status, body, want)
				}
				if here := response.Header.Get(preflight.Header) != ""; here != (response.StatusCode == 400) {
					t.Errorf("status %d, answered before sending: %v", response.StatusCode, here)
				}
			}
		})
	}
	clients.Wait()
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
	box := boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: 48, Depth: 141, Height: 184}}
	if status, body := get(t, client, s.url+dieline(box)); status != 400 || elementCode(t, []byte(body)) != "BOX_3100" ||
		s.tokens.Load() != 0 {
		t.Errorf("%d %s after %d token requests, want 400 after none", status, body, s.tokens.Load())
	}
	box.Depth = 48
	if status, body := get(t, client, s.url+dieline(box)); status != 200 || s.tokens.Load() != 1 {
		t.Errorf("%d %s after %d token requests, want 200 after one", status, body, s.tokens.Load())
	}
}
