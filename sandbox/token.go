package sandbox

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/internal/endpoint"
	"example.com/boxrules/internal/wording"
)

// Credentials are a client ID and a client secret. A client sends base64(ID:Secret), as in section 4.1.
// According to RFC 6749 both are escaped first, which makes no difference for letters, digits and the
// characters - . _.
type Credentials struct {
	ID, Secret string
}

// DefaultSandbox are the credentials that a Sandbox accepts if its options contain none. They are not
// secret.
var DefaultSandbox = Credentials{"sandbox-client", "sandbox-secret"}

// The interface document does not show the errors of the token endpoint, or the answer to a missing or wrong
// token. We answer with a VALIDATION_ERROR without an element, and with the statuses and headers of RFC 6749
// and RFC 6750: 400 for wrong parameters, and 401 for wrong credentials and tokens.
const (
	basicChallenge  = `Basic realm="boxrules sandbox", charset="UTF-8"`
	bearerChallenge = `Bearer realm="boxrules sandbox"`
)

func unauthorized(w http.ResponseWriter, r *http.Request, challenge, message string) {
	w.Header().Set("WWW-Authenticate", challenge)
	writeSandboxError(w, r, boxrules.TypeValidationError, http.StatusUnauthorized, "%s", message)
}

// serveToken answers a request for an access token (section 4.1).
func (s *Sandbox) serveToken(w http.ResponseWriter, r *http.Request) {
	if !checkMethod(w, r, endpoint.Token) {
		return
	}
	id, secret, ok := r.BasicAuth()
	if !ok {
		unauthorized(w, r, basicChallenge,
			"Authorization is missing or not well formed; send Basic with the client ID and the client secret")
		return
	}
	// The comparison need not take constant time, because the credentials of a sandbox protect nothing.
	if s.options.Credentials != (Credentials{id, secret}) {
		unauthorized(w, r, basicChallenge, "the client ID or the client secret is wrong")
		return
	}
	if err := checkTokenParameters(r); err != nil {
		writeSandboxError(w, r, boxrules.TypeValidationError, http.StatusBadRequest, "some parameters are wrong or missing: %v", err)
		return
	}
	// RFC 6749, section 5.1, requires both headers.
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Pragma", "no-cache")
	writeJSON(w, http.StatusOK, fmt.Appendf(nil, `{"access_token":%q,"token_type":"Bearer","expires_in":%d}`+"\n",
		s.issueToken(), s.options.TokenLifetime/time.Second))
}

func checkTokenParameters(r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return fmt.Errorf("%w; send form data in the body", err)
	}
	for _, required := range []struct{ name, value string }{{"grant_type", "client_credentials"}, {"scope", "external"}} {
		// If a parameter is repeated, join its values. The result is a text that is not accepted.
		if given := strings.Join(r.PostForm[required.name], ", "); given != required.value {
			return fmt.Errorf("%s is %s; send %s=%s as form data in the body", required.name, wording.Quote(given), required.name, required.value)
		}
	}
	if len(r.PostForm) > 2 || r.URL.RawQuery != "" {
		return errors.New("the request has other parameters; send only grant_type and scope, as form data in the body")
	}
	return nil
}

// authorize reports whether the request has a valid access token. If it does not, authorize answers the
// request. If shouldExpire is true, authorize first makes the token expire, so the request is refused.
func (s *Sandbox) authorize(w http.ResponseWriter, r *http.Request, shouldExpire bool) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		unauthorized(w, r, bearerChallenge,
			"Authorization is missing or has another scheme; send Bearer with an access token")
		return false
	}
	now := s.options.Now()
	s.mu.Lock()
	if shouldExpire {
		delete(s.tokenExpiry, token)
	}
	valid := now.Before(s.tokenExpiry[token]) // an unknown token has the zero time, which is long ago
	s.mu.Unlock()
	if !valid {
		unauthorized(w, r, bearerChallenge+`, error="invalid_token"`,
			"the access token is unknown or has expired; request a new one with POST /v1/oauth2/token")
	}
	return valid
}

// maxTokens is the maximum number of access tokens that are valid at the same time.
const maxTokens = 10_000

// issueToken returns a new access token of 128 random bits, and deletes old ones.
//
// All tokens have the same lifetime, so the oldest ones expire first. It is enough to delete tokens from the
// beginning of s.issuedTokens, up to the first token that is still valid.
func (s *Sandbox) issueToken() string {
	token, now := rand.Text(), s.options.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.issuedTokens) > 0 && (len(s.issuedTokens) == maxTokens || !now.Before(s.tokenExpiry[s.issuedTokens[0]])) {
		delete(s.tokenExpiry, s.issuedTokens[0])
		s.issuedTokens = s.issuedTokens[1:]
	}
	s.tokenExpiry[token] = now.Add(s.options.TokenLifetime)
	s.issuedTokens = append(s.issuedTokens, token)
	return token
}

// ExpireTokens makes all access tokens expire immediately.
func (s *Sandbox) ExpireTokens() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.tokenExpiry)
	s.issuedTokens = nil
}
