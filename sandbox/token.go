package sandbox

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/internal/wording"
)

// Credentials are a client ID and a client secret. They are compared as they are sent:
// base64(ID:Secret), without the escaping that RFC 6749 adds and section 4.1 does not. Of letters,
// digits and - . _ both are the same.
type Credentials struct {
	ID, Secret string
}

// DefaultSandbox and DefaultLive are the credentials to try a Sandbox out with. They are no
// secrets.
var (
	DefaultSandbox = Credentials{"sandbox-client", "sandbox-secret"}
	DefaultLive    = Credentials{"live-client", "live-secret"}
)

// clients are the credentials of the two environments.
type clients struct{ ours, other client }

type client struct {
	environment string
	credentials Credentials
}

func newClients(options Options) (clients, error) {
	sandbox := cmp.Or(options.SandboxCredentials, DefaultSandbox)
	live := cmp.Or(options.LiveCredentials, DefaultLive)
	problems := append(sandbox.problems("sandbox"), live.problems("live")...)
	if sandbox == live {
		problems = append(problems,
			errors.New("the credentials of the sandbox and the live environment are the same; accepted: two that differ"))
	}
	c := clients{client{"sandbox", sandbox}, client{"live", live}}
	if options.Live {
		c.ours, c.other = c.other, c.ours
	}
	return c, errors.Join(problems...)
}

// problems are what is wrong with the credentials of an environment.
func (c Credentials) problems(environment string) (problems []error) {
	if !sendable(c.ID) || strings.Contains(c.ID, ":") {
		problems = append(problems, fmt.Errorf("client ID of the %s environment: %s; accepted: printable ASCII without a colon",
			environment, wording.Quote(c.ID)))
	}
	if !sendable(c.Secret) { // which belongs into no message
		problems = append(problems, fmt.Errorf(
			"client secret of the %s environment: empty, or not printable ASCII; accepted: printable ASCII", environment))
	}
	return problems
}

// sendable reports whether the text is printable ASCII, which every client encodes alike.
func sendable(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}

// check says what is wrong with credentials. It returns "" where they are ours.
func (c *clients) check(given Credentials) (wrong string) {
	switch given {
	case c.ours.credentials:
		return ""
	case c.other.credentials:
		return fmt.Sprintf("the credentials are those of the %s environment; accepted: those of the %s environment",
			c.other.environment, c.ours.environment)
	}
	return "the client ID or the client secret is wrong"
}

// The document shows no codes for the token endpoint and no answer to a missing or wrong token.
// They are answered with the type VALIDATION_ERROR without an element, and with the statuses and
// headers of RFC 6749 and RFC 6750: 400 for wrong parameters, 401 for wrong credentials and tokens.
const (
	basicChallenge  = `Basic realm="boxrules sandbox", charset="UTF-8"`
	bearerChallenge = `Bearer realm="boxrules sandbox"`
)

func invalid(r *http.Request, format string, args ...any) *answer {
	return failure(r, boxrules.TypeValidationError, http.StatusBadRequest, "some parameters are wrong or missing: "+format, args...)
}

func unauthorized(r *http.Request, challenge, format string, args ...any) *answer {
	a := failure(r, boxrules.TypeValidationError, http.StatusUnauthorized, format, args...)
	a.header = http.Header{"Www-Authenticate": {challenge}}
	return a
}

// serveToken is the token endpoint (section 4.1).
func (s *Sandbox) serveToken(r *http.Request) *answer {
	if r.Method != http.MethodPost {
		return notFoundMethod(r, "POST")
	}
	if len(r.Header.Values("Authorization")) > 1 {
		return invalid(r, "Authorization is given %d times; accepted: once", len(r.Header.Values("Authorization")))
	}
	id, secret, ok := r.BasicAuth()
	if !ok {
		return unauthorized(r, basicChallenge,
			"Authorization is missing or not well formed; accepted: Basic with the client ID and the client secret")
	}
	if wrong := s.clients.check(Credentials{id, secret}); wrong != "" {
		return unauthorized(r, basicChallenge, "%s", wrong)
	}
	if wrong := checkTokenRequest(r); wrong != "" {
		return invalid(r, "%s", wrong)
	}
	a := success(strictjson.Marshal(struct {
		AccessToken string `json:"access_token"`
		TokenType   string `json:"token_type"`
		ExpiresIn   int64  `json:"expires_in"`
	}{s.tokens.issue(), "Bearer", int64(s.tokens.lifetime / time.Second)}))
	// RFC 6749, section 5.1.
	a.header = http.Header{"Cache-Control": {"no-store"}, "Pragma": {"no-cache"}}
	return a
}

// maxForm bounds the body of a token request, in bytes.
const maxForm = 4 << 10

// checkTokenRequest says what is wrong with a token request besides its credentials; empty where
// nothing is.
func checkTokenRequest(r *http.Request) (wrong string) {
	if r.URL.RawQuery != "" {
		return "there are URL parameters; accepted: none, the parameters are a form in the body"
	}
	const form = "application/x-www-form-urlencoded"
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != form {
		return fmt.Sprintf("Content-Type is %s; accepted: %s", wording.Quote(r.Header.Get("Content-Type")), form)
	}
	body, err := io.ReadAll(io.LimitReader(cmp.Or[io.ReadCloser](r.Body, http.NoBody), maxForm+1))
	switch {
	case err != nil:
		return "the body cannot be read"
	case len(body) > maxForm:
		return fmt.Sprintf("the body has more than %d bytes; accepted: a form of grant_type and scope", maxForm)
	}
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return "the body is not well formed; accepted: grant_type=client_credentials&scope=external"
	}
	for _, only := range []struct{ name, value string }{{"grant_type", "client_credentials"}, {"scope", "external"}} {
		switch given := values[only.name]; {
		case len(given) == 0:
			return fmt.Sprintf("%s is missing; accepted: %s", only.name, only.value)
		case len(given) > 1:
			return fmt.Sprintf("%s is given %d times; accepted: once", only.name, len(given))
		case given[0] != only.value:
			return fmt.Sprintf("%s is %s; accepted: %s", only.name, wording.Quote(given[0]), only.value)
		}
		delete(values, only.name)
	}
	if more := slices.Sorted(maps.Keys(values)); len(more) > 0 {
		return fmt.Sprintf("%s is not a parameter; accepted: grant_type and scope", wording.Quote(more[0]))
	}
	return ""
}

// authorize refuses a request without a good token; nil where it has one. A token that is to have
// expired is good for nothing from then on.
func (s *Sandbox) authorize(r *http.Request, expire bool) *answer {
	given := r.Header.Values("Authorization")
	if len(given) > 1 {
		a := invalid(r, "Authorization is given %d times; accepted: once", len(given))
		a.header = http.Header{"Www-Authenticate": {bearerChallenge + `, error="invalid_request"`}} // RFC 6750, section 3.1
		return a
	}
	scheme, token, _ := strings.Cut(strings.Join(given, ""), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return unauthorized(r, bearerChallenge, "Authorization is missing or of another scheme; accepted: Bearer with an access token")
	}
	token = strings.TrimLeft(token, " ")
	if expire {
		s.tokens.revoke(token)
	}
	if !s.tokens.good(token) {
		return unauthorized(r, bearerChallenge+`, error="invalid_token"`,
			"the access token is unknown or has expired; accepted: one of POST /v1/oauth2/token")
	}
	return nil
}

// tokens are the access tokens that are good.
type tokens struct {
	now      func() time.Time
	lifetime time.Duration

	mu     sync.Mutex
	expiry map[string]time.Time
}

// issue makes a token, of 128 random bits that mean nothing, and forgets those that have expired.
func (t *tokens) issue() string {
	token, now := rand.Text(), t.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.expiry, func(_ string, end time.Time) bool { return !now.Before(end) })
	t.expiry[token] = now.Add(t.lifetime)
	return token
}

// good reports whether the token has been issued and has not expired.
func (t *tokens) good(token string) bool {
	now := t.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	return now.Before(t.expiry[token])
}

func (t *tokens) revoke(token string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.expiry, token)
}

// ExpireTokens makes all access tokens expire at once, as time would.
func (s *Sandbox) ExpireTokens() {
	s.tokens.mu.Lock()
	defer s.tokens.mu.Unlock()
	clear(s.tokens.expiry)
}
