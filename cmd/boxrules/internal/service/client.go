// Package service is a client of the printing service, which is asked about one box at a time.
package service

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/preflight"
)

// A Client asks the printing service one question at a time.
type Client struct {
	Console    *console.Console // which tells the time, and is told of what fails
	Address    *url.URL         // of the service
	ID, Secret string           // of the client
	Parameters url.Values       // of each question, besides those of the box
	Pause      time.Duration    // between two requests

	token string // empty where there is none yet
	begun bool   // a request was sent
}

// unredirected follows no redirection: what is elsewhere is not the service.
var unredirected = http.Client{
	Timeout:       30 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// A reply is what came back, with the beginning of its body.
type reply struct {
	status int
	header http.Header
	body   []byte
}

const (
	maxRetries = 3  // of a request that fails
	maxRefused = 30 // of one that comes too soon
	maxWait    = time.Hour
	maxReply   = 16 << 20 // bytes of a dieline as JSON
)

// Ask returns what the service answers: valid or a code, else the status, or nothing where there
// was no answer. An error is one that all other questions would meet, too.
func (s *Client) Ask(ctx context.Context, b boxrules.Box) (code string, err error) {
	query := url.Values{"article": {b.Article}, "material": {b.Material}}
	for axis, x := range b.ByAxis() {
		query.Set(lists.FieldNames[lists.FirstDimension+axis], string(console.AppendNumber(nil, x)))
	}
	for name, values := range s.Parameters {
		query[name] = values
	}
	address := s.Address.JoinPath("v1/reseller/dieline")
	address.RawQuery = query.Encode()
	for renewed := false; ; renewed = true {
		if s.token == "" || renewed {
			if err := s.authorize(ctx); err != nil {
				return "", err
			}
		}
		r, err := s.send(ctx, http.MethodGet, address, "", "Bearer "+s.token)
		switch {
		case err != nil:
			return "", err
		case r == nil:
			return "", nil
		case r.status != http.StatusUnauthorized:
			return r.code(), nil
		case renewed:
			return "", errors.New("the service refuses the token that it has just given (401)")
		}
	}
}

// code returns what the reply says of the box.
func (r *reply) code() string {
	status := strconv.Itoa(r.status)
	var body struct {
		Response preflight.Response `json:"response"`
	}
	switch {
	case r.succeeds() && preflight.IsDieline(r.body):
		return lists.Valid
	case r.succeeds():
		return status + " without a dieline"
	case r.status != http.StatusBadRequest || json.Unmarshal(r.body, &body) != nil:
		return status
	}
	code := string(body.Response.Code)
	if len(body.Response.Errors) > 0 {
		code = cmp.Or(string(body.Response.Errors[0].Code), code)
	}
	if code == "" || lists.IsValid(code) || len(code) > 64 {
		return status
	}
	return code
}

func (r *reply) succeeds() bool { return r.status >= 200 && r.status < 300 }

// fails reports whether it is worth to send the request again: the service fails, or it says yes to
// the question about a box and gives no dieline.
func (r *reply) fails(method string) bool {
	return r.status >= http.StatusInternalServerError ||
		method == http.MethodGet && r.succeeds() && !preflight.IsDieline(r.body)
}

// authorize asks for a token. One that has expired is refused, and renewed then.
func (s *Client) authorize(ctx context.Context) error {
	address := s.Address.JoinPath("v1/oauth2/token")
	form := url.Values{"grant_type": {"client_credentials"}, "scope": {"external"}}
	credentials := base64.StdEncoding.EncodeToString([]byte(s.ID + ":" + s.Secret))
	r, err := s.send(ctx, http.MethodPost, address, form.Encode(), "Basic "+credentials)
	var body struct {
		Token string `json:"access_token"`
	}
	unsendable := func(r rune) bool { return r <= ' ' || r > '~' } // in the value of a header
	switch {
	case err != nil:
		return err
	case r == nil:
		return fmt.Errorf("%s gives no answer", address)
	case r.status == http.StatusBadRequest || r.status == http.StatusUnauthorized || r.status == http.StatusForbidden:
		return fmt.Errorf("%s: the service refuses BOXRULES_CLIENT_ID and BOXRULES_CLIENT_SECRET (%d)", address, r.status)
	case r.status != http.StatusOK || json.Unmarshal(r.body, &body) != nil ||
		strings.ContainsFunc(body.Token, unsendable) || body.Token == "":
		return fmt.Errorf("%s: the answer (%d) is not a token", address, r.status)
	}
	s.token = body.Token
	return nil
}

// send sends a request, at the pace of the Client. It waits as the service asks to, and tries again
// where that fails; the reply is nil where it failed to the end without one. The error is that of
// ctx, or says that the service wants to be left alone.
func (s *Client) send(ctx context.Context, method string, address *url.URL, body, authorization string) (*reply, error) {
	wait := s.Pause
	for tries := 0; ; tries++ {
		if s.begun {
			if wait > s.Pause && wait >= 5*time.Second {
				s.Console.Say("boxrules: waiting %v, as the service does not answer yet or asks to", wait.Round(time.Second))
			}
			if err := s.Console.Sleep(ctx, wait); err != nil {
				return nil, err
			}
		}
		s.begun = true
		request, err := http.NewRequestWithContext(ctx, method, address.String(), strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		request.Header.Set("Authorization", authorization)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8")
		r, err := sendOnce(request)
		refused := err == nil && r.status == http.StatusTooManyRequests
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, ctx.Err()
		case refused && tries >= maxRefused:
			return nil, errors.New("the service goes on to refuse for too many requests (429); accepted: a longer --pause")
		case refused:
		case err == nil && (tries >= maxRetries || !r.fails(method)):
			return &r, nil
		case tries >= maxRetries:
			s.Console.Say("boxrules: %v", err) // names the address, and neither token nor secret
			return nil, nil
		}
		wait = max(s.Pause, s.retryAfter(r.header, time.Second<<min(tries, 6)))
		if wait > maxWait {
			return nil, fmt.Errorf("the service wants to be asked again in %v; accepted: another run then",
				wait.Round(time.Second))
		}
	}
}

// retryAfter returns how long the service asks to wait, or usual where it does not.
func (s *Client) retryAfter(h http.Header, usual time.Duration) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(text); err == nil {
		return date.Sub(s.Console.Now())
	}
	return usual
}

// sendOnce sends a request and reads the beginning of what comes back.
func sendOnce(request *http.Request) (r reply, err error) {
	response, err := unredirected.Do(request)
	if err != nil {
		return r, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxReply))
	if err != nil {
		return r, err
	}
	return reply{response.StatusCode, response.Header, body}, nil
}
