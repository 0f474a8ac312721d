package sandbox

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/internal/endpoint"
	"example.com/boxrules/internal/wording"
)

// Credentials are a client ID and a client secret. A client sends base64(ID:Secret), without the
// escaping that RFC 6749 adds and section 4.1 does not. Of letters, digits and - . _ both are the
// same.
type Credentials struct {
	ID, Secret string
}

// DefaultSandbox are credentials to try a Sandbox out with. They are no secret.
var DefaultSandbox = Credentials{"sandbox-client", "sandbox-secret"}

// The document shows no codes for the token endpoint and no answer to a missing or wrong token.
// They are answered with the type VALIDATION_ERROR without an element, and with the statuses and
// headers of RFC 6749 and RFC 6750: 400 for wrong parameters, 401 for wrong credentials and tokens.
const (
	basicChallenge  = `Basic realm="boxrules sandbox", charset="UTF-8"`
	bearerChallenge = `Bearer realm="boxrules sandbox"`
)

func unauthorized(w http.ResponseWriter, r *http.Request, challenge, message string) {
	w.Header().Set("WWW-Authenticate", challenge)
	fail(w, r, boxrules.TypeValidationError, http.StatusUnauthorized, "%s", message)
}

// serveToken gives an access token (section 4.1).
func (s *Sandbox) serveToken(w http.ResponseWriter, r *http.Request) {
	if !allowed(w, r, endpoint.Token) {
		return
	}
	id, secret, ok := r.BasicAuth()
	if !ok {
		unauthorized(w, r, basicChallenge,
			"Authorization is missing or not well formed; accepted: Basic with the client ID and the client secret")
		return
	}
	if s.options.Credentials != (Credentials{id, secret}) {
		unauthorized(w, r, basicChallenge, "the client ID or the client secret is wrong")
		return
	}
	if wrong := checkTokenRequest(r); wrong != "" {
		fail(w, r, boxrules.TypeValidationError, http.StatusBadRequest, "some parameters are wrong or missing: %s", wrong)
		return
	}
	// RFC 6749, section 5.1.
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Pragma", "no-cache")
	send(w, http.StatusOK, fmt.Appendf(nil, `{"access_token":%q,"token_type":"Bearer","expires_in":%d}`+"\n",
		s.issueToken(), s.options.TokenLifetime/time.Second))
}

// checkTokenRequest says what is wrong with a token request besides its credentials. It returns ""
// where nothing is.
func checkTokenRequest(r *http.Request) (wrong string) {
	if err := r.ParseForm(); err != nil {
		return err.Error() + "; accepted: a form in the body"
	}
	for _, only := range []struct{ name, value string }{{"grant_type", "client_credentials"}, {"scope", "external"}} {
		if given := strings.Join(r.PostForm[only.name], ", "); given != only.value {
			return fmt.Sprintf("%s is %s; accepted: %s, in a form in the body", only.name, wording.Quote(given), only.value)
		}
	}
	if len(r.PostForm) > 2 || r.URL.RawQuery != "" {
		return "there are more parameters; accepted: grant_type and scope, in a form in the body"
	}
	return ""
}

// authorize reports whether the request has a good token, and answers it where it has none. Where
// expire is set, the token is good for nothing from then on.
func (s *Sandbox) authorize(w http.ResponseWriter, r *http.Request, expire bool) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		unauthorized(w, r, bearerChallenge,
			"Authorization is missing or of another scheme; accepted: Bearer with an access token")
		return false
	}
	now := s.options.Now()
	s.mu.Lock()
	if expire {
		delete(s.tokens, token)
	}
	good := now.Before(s.tokens[token])
	s.mu.Unlock()
	if !good {
		unauthorized(w, r, bearerChallenge+`, error="invalid_token"`,
			"the access token is unknown or has expired; accepted: one of POST /v1/oauth2/token")
	}
	return good
}

// maxTokens bounds how many access tokens are good at once.
const maxTokens = 10_000

// issueToken returns a new token: 128 random bits that mean nothing. It forgets the oldest tokens that
// have expired or are too many. It stops at the first one that stays good, so issuing a token takes no
// longer when there are many.
func (s *Sandbox) issueToken() string {
	token, now := rand.Text(), s.options.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.issued) > 0 && (len(s.issued) == maxTokens || !now.Before(s.tokens[s.issued[0]])) {
		delete(s.tokens, s.issued[0])
		s.issued = s.issued[1:]
	}
	s.tokens[token] = now.Add(s.options.TokenLifetime)
	s.issued = append(s.issued, token)
	return token
}

// ExpireTokens makes all access tokens expire at once, as time would.
func (s *Sandbox) ExpireTokens() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.tokens)
	s.issued = nil
}
