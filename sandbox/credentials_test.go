package sandbox_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
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
	const wrong = "some parameters are wrong or missing: "
	const accepted = "; accepted: grant_type=client_credentials&scope=external"
	for _, test := range []struct {
		name, target, body, kind string
		authorization            []string
		status                   int
		want                     string
	}{
		{"no header", tokenPath, tokenForm, form, nil, 401,
			"Authorization is missing or not well formed; accepted: Basic with the client ID and the client secret"},
		{"another scheme", tokenPath, tokenForm, form, []string{"Bearer x"}, 401,
			"Authorization is missing or not well formed; accepted: Basic with the client ID and the client secret"},
		{"no base64", tokenPath, tokenForm, form, []string{"Basic ???"}, 401,
			"Authorization is missing or not well formed; accepted: Basic with the client ID and the client secret"},
		{"no colon", tokenPath, tokenForm, form, []string{"Basic eA=="}, 401,
			"Authorization is missing or not well formed; accepted: Basic with the client ID and the client secret"},
		{"two headers", tokenPath, tokenForm, form, []string{ours, ours}, 400, wrong + "Authorization is given 2 times; accepted: once"},
		{"no secret", tokenPath, tokenForm, form, []string{basic(sandbox.Credentials{ID: "sandbox-client"})}, 401,
			"the client ID or the client secret is wrong"},
		{"wrong secret", tokenPath, tokenForm, form,
			[]string{basic(sandbox.Credentials{ID: "sandbox-client", Secret: "sandbox-secre"})}, 401, "the client ID or the client secret is wrong"},
		{"wrong ID", tokenPath, tokenForm, form, []string{basic(sandbox.Credentials{ID: "sandbox-client2", Secret: "sandbox-secret"})},
			401, "the client ID or the client secret is wrong"},
		{"half live", tokenPath, tokenForm, form, []string{basic(sandbox.Credentials{ID: "live-client", Secret: "sandbox-secret"})},
			401, "the client ID or the client secret is wrong"},
		{"live", tokenPath, tokenForm, form, []string{basic(sandbox.DefaultLive)}, 401,
			"the credentials are those of the live environment; accepted: those of the sandbox environment"},
		{"wrong secret and form", tokenPath, "", "", []string{basic(sandbox.Credentials{ID: "x", Secret: "y"})}, 401,
			"the client ID or the client secret is wrong"},
		{"URL parameters", tokenPath + "?scope=external", tokenForm, form, []string{ours}, 400,
			wrong + "there are URL parameters; accepted: none, the parameters are a form in the body"},
		{"no content type", tokenPath, tokenForm, "", []string{ours}, 400,
			wrong + `Content-Type is ""; accepted: application/x-www-form-urlencoded`},
		{"JSON", tokenPath, `{"grant_type":"client_credentials","scope":"external"}`, "application/json", []string{ours}, 400,
			wrong + `Content-Type is "application/json"; accepted: application/x-www-form-urlencoded`},
		{"empty", tokenPath, "", form, []string{ours}, 400, wrong + "grant_type is missing; accepted: client_credentials"},
		{"no scope", tokenPath, "grant_type=client_credentials", form, []string{ours}, 400, wrong + "scope is missing; accepted: external"},
		{"another grant", tokenPath, "grant_type=password&scope=external", form, []string{ours}, 400,
			wrong + `grant_type is "password"; accepted: client_credentials`},
		{"another scope", tokenPath, "grant_type=client_credentials&scope=External", form, []string{ours}, 400,
			wrong + `scope is "External"; accepted: external`},
		{"a long scope", tokenPath, "grant_type=client_credentials&scope=" + strings.Repeat("%C3%A9", 50) + "%0A", form, []string{ours},
			400, wrong + `scope is "` + strings.Repeat("é", 40) + `…"; accepted: external`},
		{"scope twice", tokenPath, tokenForm + "&scope=external", form, []string{ours}, 400, wrong + "scope is given 2 times; accepted: once"},
		{"grant twice", tokenPath, tokenForm + "&grant_type=", form, []string{ours}, 400, wrong + "grant_type is given 2 times; accepted: once"},
		{"more", tokenPath, tokenForm + "&client_secret=s&client_id=c", form, []string{ours}, 400,
			wrong + `"client_id" is not a parameter; accepted: grant_type and scope`},
		{"semicolon", tokenPath, "grant_type=client_credentials;scope=external", form, []string{ours}, 400,
			wrong + "the body is not well formed" + accepted},
		{"bad escape", tokenPath, tokenForm + "&x=%zz", form, []string{ours}, 400, wrong + "the body is not well formed" + accepted},
		{"too long", tokenPath, tokenForm + strings.Repeat("&", 4096), form, []string{ours}, 400,
			wrong + "the body has more than 4096 bytes; accepted: a form of grant_type and scope"},
	} {
		headers := []string{}
		for _, a := range test.authorization {
			headers = append(headers, "Authorization", a)
		}
		if test.kind != "" {
			headers = append(headers, "Content-Type", test.kind)
		}
		w := do(s, "POST", test.target, test.body, headers...)
		kind, message, code := errorOf(t, w)
		if w.Code != test.status || kind != boxrules.TypeValidationError || code != "" || message != test.want {
			t.Errorf("%s: %d %s %s %q, want %d %q", test.name, w.Code, kind, code, message, test.status, test.want)
		}
		challenge := map[int]string{401: `Basic realm="boxrules sandbox", charset="UTF-8"`}[test.status]
		if got := w.Header().Get("WWW-Authenticate"); got != challenge {
			t.Errorf("%s: WWW-Authenticate %q, want %q", test.name, got, challenge)
		}
		if body := w.Body.String(); strings.Contains(body, "access_token") || strings.Contains(body, "secret\":") ||
			strings.Contains(body, "sandbox-secret") {
			t.Errorf("%s: %s", test.name, body)
		}
	}
	// At the limit of its size a form is as ever.
	long := tokenForm + strings.Repeat("&", 4096-len(tokenForm))
	if w := do(s, "POST", tokenPath, long, "Authorization", ours, "Content-Type", form); w.Code != 200 {
		t.Errorf("a form of 4096 bytes: %d %s", w.Code, w.Body)
	}
	r := httptest.NewRequest("POST", tokenPath, nil)
	r.Body = nil
	r.Header.Set("Authorization", ours)
	r.Header.Set("Content-Type", form)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if _, message, _ := errorOf(t, w); w.Code != 400 || message != wrong+"grant_type is missing; accepted: client_credentials" {
		t.Errorf("a request without a body: %d %q", w.Code, message)
	}
	r = httptest.NewRequest("POST", tokenPath, failing{})
	r.Header = http.Header{"Authorization": {ours}, "Content-Type": {form}}
	w = httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if _, message, _ := errorOf(t, w); w.Code != 400 || message != wrong+"the body cannot be read" {
		t.Errorf("a body that breaks off: %d %q", w.Code, message)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestEnvironments has a sandbox of each environment with credentials of one's own.
func TestEnvironments(t *testing.T) {
	test, live := sandbox.Credentials{ID: "shop", Secret: "a+b/c=:% d"}, sandbox.Credentials{ID: "shop", Secret: "e"}
	for _, isLive := range []bool{false, true} {
		s := newSandbox(t, sandbox.Options{SandboxCredentials: test, LiveCredentials: live, Live: isLive})
		ours, theirs, name := test, live, "live"
		if isLive {
			ours, theirs, name = live, test, "sandbox"
		}
		good := token(t, s, ours)
		w := do(s, "POST", tokenPath, tokenForm, "Authorization", basic(theirs), "Content-Type", form)
		if _, message, _ := errorOf(t, w); w.Code != 401 ||
			!strings.HasPrefix(message, "the credentials are those of the "+name+" environment; accepted: ") {
			t.Errorf("live %v: %d %q", isLive, w.Code, message)
		}
		if w := do(s, "POST", tokenPath, tokenForm, "Authorization", basic(sandbox.DefaultSandbox), "Content-Type", form); w.Code != 401 {
			t.Errorf("live %v: the default credentials get %d", isLive, w.Code)
		}
		// Neither are tokens interchangeable.
		if w := do(newSandbox(t, sandbox.Options{}), "GET", "/", "", "Authorization", "Bearer "+good); w.Code != 401 {
			t.Errorf("a token of another sandbox: %d", w.Code)
		}
	}
}

func TestBearer(t *testing.T) {
	s := newSandbox(t, sandbox.Options{})
	good := token(t, s, sandbox.DefaultSandbox)
	const realm = `Bearer realm="boxrules sandbox"`
	const missing = "Authorization is missing or of another scheme; accepted: Bearer with an access token"
	const unknown = "the access token is unknown or has expired; accepted: one of POST /v1/oauth2/token"
	for _, test := range []struct {
		authorization []string
		status        int
		want          string
		challenge     string
	}{
		{[]string{"Bearer " + good}, 200, "", ""},
		{[]string{"bearer " + good}, 200, "", ""},
		{[]string{"BEARER   " + good}, 200, "", ""},
		{nil, 401, missing, realm},
		{[]string{""}, 401, missing, realm},
		{[]string{good}, 401, missing, realm},
		{[]string{basic(sandbox.DefaultSandbox)}, 401, missing, realm},
		{[]string{"Bearer"}, 401, unknown, realm + `, error="invalid_token"`},
		{[]string{"Bearer "}, 401, unknown, realm + `, error="invalid_token"`},
		{[]string{"Bearer " + good + "x"}, 401, unknown, realm + `, error="invalid_token"`},
		{[]string{"Bearer " + strings.ToLower(good)}, 401, unknown, realm + `, error="invalid_token"`},
		{[]string{"Bearer " + good + " " + good}, 401, unknown, realm + `, error="invalid_token"`},
		{[]string{"Bearer " + good, "Bearer " + good}, 400,
			"some parameters are wrong or missing: Authorization is given 2 times; accepted: once", realm + `, error="invalid_request"`},
	} {
		var headers []string
		for _, a := range test.authorization {
			headers = append(headers, "Authorization", a)
		}
		w := do(s, "GET", "/v1/reseller/dieline?"+goodQuery, "", headers...)
		message := ""
		if w.Code != 200 {
			kind, text, code := errorOf(t, w)
			if message = text; kind != boxrules.TypeValidationError || code != "" {
				t.Errorf("%q: %s %s", test.authorization, kind, code)
			}
		}
		if w.Code != test.status || message != test.want || w.Header().Get("WWW-Authenticate") != test.challenge {
			t.Errorf("%q: %d %q, %q, want %d %q, %q", test.authorization, w.Code, message, w.Header().Get("WWW-Authenticate"), test.status,
				test.want, test.challenge)
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
