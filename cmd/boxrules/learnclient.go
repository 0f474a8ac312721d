package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
)

// A serviceClient is the client of the printing service, which is asked one question at a time.
type serviceClient struct {
	console    *console
	flags      *serviceFlags
	client     *http.Client
	id, secret string
	token      string
	expires    time.Time // zero where that is not known
	begun      bool      // a request was sent
}

// newClient follows no redirection: what is elsewhere is not the service.
func newClient() *http.Client {
	return &http.Client{
		Transport:     newTransport(1),
		Timeout:       30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// A reply is what came back, with the beginning of its body.
type reply struct {
	status int
	header http.Header
	body   []byte
}

const (
	maxRetries = 3 // of a request that fails
	maxWait    = time.Hour
	maxReply   = 1 << 20
)

// ask is what the service answers: ok or a code, else the status; empty where there was no answer. An error is one that all other
// questions would meet, too.
func (s *serviceClient) ask(ctx context.Context, b boxrules.Box) (code string, err error) {
	query := url.Values{"article": {b.Article}, "material": {b.Material}}
	for axis, x := range []float64{b.Width, b.Depth, b.Height} {
		query.Set(fieldNames[firstDimension+axis], string(appendNumber(nil, x)))
	}
	for name, values := range s.flags.parameters {
		query[name] = values
	}
	address := s.flags.url.JoinPath("v1/reseller/dieline")
	address.RawQuery = query.Encode()
	for renewed := false; ; renewed = true {
		if err := s.authorize(ctx, renewed); err != nil {
			return "", err
		}
		r, err := s.send(ctx, http.MethodGet, address, "", func(r *http.Request) {
			r.Header.Set("Authorization", "Bearer "+s.token)
			r.Header.Set("Content-Type", formType)
		})
		switch {
		case err != nil:
			return "", err
		case r == nil:
			return "", nil
		case r.status == http.StatusUnauthorized && renewed:
			return "", errors.New("the service refuses the token that it has just given (401)")
		case r.status != http.StatusUnauthorized:
			return r.code(), nil
		}
	}
}

const formType = "application/x-www-form-urlencoded;charset=UTF-8"

// code is what the reply says of the box.
func (r *reply) code() string {
	status := strconv.Itoa(r.status)
	var body struct {
		Response preflight.Response `json:"response"`
	}
	documented := json.Unmarshal(r.body, &body) == nil && body.Response.Code != ""
	kind, _, _ := mime.ParseMediaType(r.header.Get("Content-Type"))
	switch success := r.status >= 200 && r.status < 300; {
	case success && kind == "text/html": // of a login page, or of a proxy
		return status + " text/html"
	case success && !documented:
		return accepted
	case !success && r.status != http.StatusBadRequest || !documented:
		return status
	}
	code := string(body.Response.Code)
	if len(body.Response.Errors) > 0 {
		code = cmp.Or(string(body.Response.Errors[0].Code), code)
	}
	if code == "" || code == accepted || len(code) > 64 {
		return status
	}
	return code
}

// authorize sees to a token that has not expired, and to another one where that is to be renewed.
func (s *serviceClient) authorize(ctx context.Context, renew bool) error {
	if s.token != "" && !renew && (s.expires.IsZero() || s.console.now().Before(s.expires)) {
		return nil
	}
	address := s.flags.url.JoinPath("v1/oauth2/token")
	form := url.Values{"grant_type": {"client_credentials"}, "scope": {"external"}}
	r, err := s.send(ctx, http.MethodPost, address, form.Encode(), func(r *http.Request) {
		r.SetBasicAuth(s.id, s.secret)
		r.Header.Set("Content-Type", formType)
	})
	var body struct {
		Token   string  `json:"access_token"`
		Seconds float64 `json:"expires_in"`
	}
	switch {
	case err != nil:
		return err
	case r == nil:
		return fmt.Errorf("%s gives no answer", address)
	case r.status == http.StatusBadRequest || r.status == http.StatusUnauthorized || r.status == http.StatusForbidden:
		return fmt.Errorf("%s: the service refuses BOXRULES_CLIENT_ID and BOXRULES_CLIENT_SECRET (%d)", address, r.status)
	case r.status != http.StatusOK || json.Unmarshal(r.body, &body) != nil || strings.ContainsFunc(body.Token, notHeader) || body.Token == "":
		return fmt.Errorf("%s: the answer (%d) is not a token", address, r.status)
	}
	s.token, s.expires = body.Token, time.Time{}
	if body.Seconds > 0 {
		// A question may take its time on the way, so that the token is renewed a little early.
		s.expires = s.console.now().Add(time.Duration(min(body.Seconds, 1e6) * 0.9 * float64(time.Second)))
	}
	return nil
}

// notHeader reports whether a character cannot be in the value of a header.
func notHeader(r rune) bool { return r <= ' ' || r > '~' }

// send sends a request, at the pace of the flags. It waits as the service asks to, and tries again where that fails; the
// reply is nil where it failed to the end without one. The error is that of ctx, or says that the service wants to be left alone.
func (s *serviceClient) send(ctx context.Context, method string, address *url.URL, body string, prepare func(*http.Request)) (*reply, error) {
	wait := s.flags.pause
	for failures, refusals := 0, 0; ; {
		if s.begun {
			if wait > s.flags.pause && wait >= 5*time.Second {
				s.console.say("boxrules: waiting %v, as the service does not answer yet or asks to", wait.Round(time.Second))
			}
			if err := s.console.sleep(ctx, wait); err != nil {
				return nil, err
			}
		}
		s.begun = true
		request, err := http.NewRequestWithContext(ctx, method, address.String(), strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		prepare(request)
		r, err := s.once(request)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil && r.status == http.StatusTooManyRequests:
			if refusals++; refusals > 10*maxRetries {
				return nil, errors.New("the service goes on to refuse for too many requests (429); accepted: a longer --pause")
			}
			wait = max(s.flags.pause, time.Second<<min(refusals, 6))
		case err == nil && r.status < http.StatusInternalServerError:
			return r, nil
		case failures == maxRetries:
			if err != nil {
				s.console.say("boxrules: %v", err) // names the address, and neither token nor secret
				return nil, nil
			}
			return r, nil
		default:
			wait = max(s.flags.pause, time.Second<<failures)
			failures++
		}
		if r != nil {
			if asked, ok := s.retryAfter(r.header); ok {
				wait = max(s.flags.pause, asked)
			}
		}
		if wait > maxWait {
			return nil, fmt.Errorf("the service wants to be asked again in %v; accepted: another run then", wait.Round(time.Second))
		}
	}
}

// retryAfter is how long the service asks to wait.
func (s *serviceClient) retryAfter(h http.Header) (time.Duration, bool) {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	date, err := http.ParseTime(text)
	return date.Sub(s.console.now()), err == nil
}

// once sends a request and reads the beginning of what comes back.
func (s *serviceClient) once(request *http.Request) (*reply, error) {
	response, err := s.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxReply))
	if err != nil {
		return nil, err
	}
	return &reply{response.StatusCode, response.Header, body}, nil
}
