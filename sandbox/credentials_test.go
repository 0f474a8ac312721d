package sandbox_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/sandbox"
)

func TestToken(t *testing.T) {
	w := do(newSandbox(t, sandbox.Options{TokenLifetime: 90 * time.Second}), "POST", tokenPath, "scope=external&grant_type=client_credentials",
		"Authorization", "bASIC "+strings.TrimPrefix(basic(sandbox.DefaultSandbox), "Basic "),
		"Content-Type", "Application/X-WWW-Form-Urlencoded; charset=UTF-8")
	var got map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 || len(got) != 3 || got["token_type"] != "Bearer" ||
		got["expires_in"] != 90.0 {
		t.Fatalf("%d %s, %v", w.Code, w.Body, err)
	}
	if text, _ := got["access_token"].(string); len(text) < 26 || strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") != "" {
		t.Errorf("access token %v", got["access_token"])
	}
	if h := w.Header(); h.Get("Content-Type") != "application/json" || h.Get("Cache-Control") != "no-store" ||
		h.Get("Pragma") != "no-cache" || h.Get("Content-Length") != strconv.Itoa(w.Body.Len()) {
		t.Errorf("headers %v", h)
	}
	s := newSandbox(t, sandbox.Options{})
	if a, b := token(t, s, sandbox.DefaultSandbox), token(t, s, sandbox.DefaultSandbox); a == b {
		t.Error("two tokens are the same")
	}
}

func TestTokenRefuses(t *testing.T) {
	s := newSandbox(t, sandbox.Options{})
	ours := basic(sandbox.DefaultSandbox)
	const wrong, where = "some parameters are wrong or missing: ", " as form data in the body"
	const missing = "Authorization is missing or not well formed; send Basic with the client ID and the client secret"
	for _, test := range []struct {
		name, body, kind, authorization string
		status                          int
		want                            string
	}{
		{"another scheme", tokenForm, form, "Bearer x", 401, missing},
		{"no base64", tokenForm, form, "Basic ???", 401, missing},
		{"wrong secret", tokenForm, form, basic(sandbox.Credentials{ID: "sandbox-client", Secret: "sandbox-secre"}), 401,
			"the client ID or the client secret is wrong"},
		{"wrong ID and form", "", "", basic(sandbox.Credentials{ID: "x", Secret: "sandbox-secret"}), 401,
			"the client ID or the client secret is wrong"},
		{"JSON", `{"grant_type":"client_credentials","scope":"external"}`, "application/json", ours, 400,
			wrong + `grant_type is ""; send grant_type=client_credentials` + where},
		{"no scope", "grant_type=client_credentials", form, ours, 400, wrong + `scope is ""; send scope=external` + where},
		{"another scope", "grant_type=client_credentials&scope=External%0A", form, ours, 400,
			wrong + `scope is "External\n"; send scope=external` + where},
		{"bad escape", tokenForm + "&x=%zz", form, ours, 400, wrong + `invalid URL escape "%zz"; send form data in the body`},
		{"scope twice", tokenForm + "&scope=external", form, ours, 400,
			wrong + `scope is "external, external"; send scope=external` + where},
		{"more", tokenForm + "&client_secret=s", form, ours, 400,
			wrong + "the request has other parameters; send only grant_type and scope," + where},
	} {
		w := do(s, "POST", tokenPath, test.body, "Authorization", test.authorization, "Content-Type", test.kind)
		kind, message, code := errorOf(t, w)
		if w.Code != test.status || kind != boxrules.TypeValidationError || code != "" || message != test.want {
			t.Errorf("%s: %d %s %s %q, want %d %q", test.name, w.Code, kind, code, message, test.status, test.want)
		}
		challenge := map[int]string{401: `Basic realm="boxrules sandbox", charset="UTF-8"`}[test.status]
		if got := w.Header().Get("WWW-Authenticate"); got != challenge {
			t.Errorf("%s: WWW-Authenticate %q, want %q", test.name, got, challenge)
		}
		if body := w.Body.String(); strings.Contains(body, "access_token") || strings.Contains(body, "sandbox-secret") {
			t.Errorf("%s: %s", test.name, body)
		}
	}
}

// TestCredentials has a client with its own credentials, whose token no other sandbox accepts.
func TestCredentials(t *testing.T) {
	own := sandbox.Credentials{ID: "shop", Secret: "a+b/c=:% d"}
	s := newSandbox(t, sandbox.Options{Credentials: own})
	good := token(t, s, own)
	if w := do(s, "POST", tokenPath, tokenForm, "Authorization", basic(sandbox.DefaultSandbox), "Content-Type", form); w.Code != 401 {
		t.Errorf("the default credentials get %d", w.Code)
	}
	if w := do(newSandbox(t, sandbox.Options{}), "GET", "/", "", "Authorization", "Bearer "+good); w.Code != 401 {
		t.Errorf("a token of another sandbox: %d", w.Code)
	}
}

func TestBearer(t *testing.T) {
	s := newSandbox(t, sandbox.Options{})
	good := token(t, s, sandbox.DefaultSandbox)
	const realm = `Bearer realm="boxrules sandbox"`
	const missing = "Authorization is missing or has another scheme; send Bearer with an access token"
	const unknown = "the access token is unknown or has expired; request a new one with POST /v1/oauth2/token"
	for _, test := range []struct {
		authorization   string
		status          int
		want, challenge string
	}{
		{"Bearer " + good, 200, "", ""},
		{"bearer " + good, 200, "", ""},
		{"", 401, missing, realm},
		{good, 401, missing, realm},
		{basic(sandbox.DefaultSandbox), 401, missing, realm},
		{"Bearer", 401, unknown, realm + `, error="invalid_token"`},
		{"Bearer " + good + "x", 401, unknown, realm + `, error="invalid_token"`},
		{"Bearer " + strings.ToLower(good), 401, unknown, realm + `, error="invalid_token"`},
	} {
		w := do(s, "GET", "/v1/reseller/dieline?"+goodQuery, "", "Authorization", test.authorization)
		message := ""
		if w.Code != 200 {
			kind, text, code := errorOf(t, w)
			if message = text; kind != boxrules.TypeValidationError || code != "" {
				t.Errorf("%q: %s %s", test.authorization, kind, code)
			}
		}
		if got := w.Header().Get("WWW-Authenticate"); w.Code != test.status || message != test.want || got != test.challenge {
			t.Errorf("%q: %d %q, %q, want %d %q, %q", test.authorization, w.Code, message, got, test.status, test.want, test.challenge)
		}
	}
	// A token in the URL is none (RFC 6750 would allow it, section 5 does not).
	if w := do(s, "GET", "/v1/reseller/dieline?"+goodQuery+"&access_token="+good, ""); w.Code != 401 {
		t.Errorf("a token in the URL: %d", w.Code)
	}
}

func TestExpiry(t *testing.T) {
	var now atomic.Int64
	s := newSandbox(t, sandbox.Options{TokenLifetime: time.Minute, Now: func() time.Time { return time.Unix(now.Load(), 0) }})
	status := func(header string) int {
		return do(s, "GET", "/v1/reseller/dieline?"+goodQuery, "", "Authorization", header).Code
	}
	first := bearer(t, s)
	now.Store(30)
	second := bearer(t, s)
	for _, test := range []struct {
		at            int64
		first, second int
	}{{30, 200, 200}, {59, 200, 200}, {60, 401, 200}, {89, 401, 200}, {90, 401, 401}} {
		now.Store(test.at)
		if a, b := status(first), status(second); a != test.first || b != test.second {
			t.Errorf("at %d s: %d and %d, want %d and %d", test.at, a, b, test.first, test.second)
		}
	}
	third := bearer(t, s)
	s.ExpireTokens()
	if status(third) != 401 {
		t.Error("ExpireTokens has left a token")
	}
	if status(bearer(t, s)) != 200 {
		t.Error("a token after ExpireTokens is not good")
	}
}

// TestManyTokens says that a token is valid until 10,000 others have been issued, so that clients
// which ask for one before each request neither fill the memory nor slow the sandbox down.
func TestManyTokens(t *testing.T) {
	s := newSandbox(t, sandbox.Options{})
	status := func(header string) int {
		return do(s, "GET", "/v1/reseller/dieline?"+goodQuery, "", "Authorization", header).Code
	}
	first, second := bearer(t, s), bearer(t, s)
	for range 9_998 {
		token(t, s, sandbox.DefaultSandbox)
	}
	if status(first) != 200 {
		t.Error("the oldest of 10,000 tokens is not good")
	}
	newest := bearer(t, s)
	if status(first) != 401 || status(second) != 200 || status(newest) != 200 {
		t.Errorf("after 10,000 others the first is answered with %d, then %d and %d", status(first), status(second), status(newest))
	}
}
