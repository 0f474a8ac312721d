// Package service is a client of the printing service that asks about one box at a time.
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
	"example.com/boxrules/exact"
	"example.com/boxrules/preflight"
)

// A Client asks the printing service about boxes, one after the other.
type Client struct {
	Console    *console.Console // for messages and the time
	Address    *url.URL         // the base URL of the service
	ID, Secret string           // the client's credentials
	Parameters url.Values       // query parameters to add to those that describe the box
	Pause      time.Duration    // the time to wait between two requests
	ToService  exact.Ratio      // converts lengths from the unit of boxes to the unit of requests; the zero Ratio means that the units are the same

	token   string // empty before the first request
	hasSent bool   // whether a request has been sent
}

// httpClient does not follow redirects, because they may lead to a server that is not the service.
var httpClient = http.Client{
	Timeout:       30 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// A reply is a response from the service.
type reply struct {
	status int
	header http.Header
	body   []byte
}

const (
	maxRetries     = 3         // how many times a failed request is sent again
	maxRateLimited = 30        // how many times a request is sent again after the status 429
	maxWait        = time.Hour // the longest wait that the service may ask for
	maxReply       = 16 << 20  // bytes of a response, such as a dieline in JSON
)

// Ask asks the service about a box. It returns lists.Valid if the service accepts the box, and the code of the refusal
// if it does not. If the response says neither, Ask returns the HTTP status of the response. If there is no response,
// it returns "". The error is not nil if further questions would fail as well.
func (c *Client) Ask(ctx context.Context, b boxrules.Box) (code string, err error) {
	query := url.Values{"article": {b.Article}, "material": {b.Material}}
	for axis, x := range b.ByAxis() {
		query.Set(lists.FieldNames[lists.FirstDimension+axis], string(console.AppendNumberText(nil, c.ToService.Convert(x))))
	}
	for name, values := range c.Parameters {
		query[name] = values
	}
	address := c.Address.JoinPath("v1/reseller/dieline")
	address.RawQuery = query.Encode()
	for renewed := false; ; renewed = true {
		if c.token == "" || renewed {
			if err := c.authorize(ctx); err != nil {
				return "", err
			}
		}
		r, err := c.send(ctx, http.MethodGet, address, "", "Bearer "+c.token)
		switch {
		case err != nil:
			return "", err
		case r == nil:
			return "", nil
		case r.status != http.StatusUnauthorized:
			return r.code(), nil
		case renewed:
			return "", errors.New("the service rejects a token that it has just issued (401)")
		}
	}
}

// WithoutDieline is the suffix of the result of Ask if the service accepts the box but does not send a dieline.
const WithoutDieline = " without a dieline"

// code returns the result of Ask for the reply.
func (r *reply) code() string {
	status := strconv.Itoa(r.status)
	var body struct {
		Response preflight.Response `json:"response"`
	}
	switch {
	case r.succeeds() && preflight.IsDieline(r.body):
		return lists.Valid
	case r.succeeds():
		return status + WithoutDieline
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

// mayRetry reports whether sending the request again may help: the service has failed, or it has answered a
// question with a success status but without a dieline.
func (r *reply) mayRetry(method string) bool {
	return r.status >= http.StatusInternalServerError ||
		method == http.MethodGet && r.succeeds() && !preflight.IsDieline(r.body)
}

// authorize requests a token. Ask calls it again if the service no longer accepts the token, because it has
// expired.
func (c *Client) authorize(ctx context.Context) error {
	address := c.Address.JoinPath("v1/oauth2/token")
	form := url.Values{"grant_type": {"client_credentials"}, "scope": {"external"}}
	credentials := base64.StdEncoding.EncodeToString([]byte(c.ID + ":" + c.Secret))
	r, err := c.send(ctx, http.MethodPost, address, form.Encode(), "Basic "+credentials)
	var body struct {
		Token string `json:"access_token"`
	}
	notAllowed := func(r rune) bool { return r <= ' ' || r > '~' } // characters that a header must not contain
	switch {
	case err != nil:
		return err
	case r == nil:
		return fmt.Errorf("%s does not answer", address)
	case r.status == http.StatusBadRequest || r.status == http.StatusUnauthorized || r.status == http.StatusForbidden:
		return fmt.Errorf("%s: the service rejects BOXRULES_CLIENT_ID and BOXRULES_CLIENT_SECRET (%d)", address, r.status)
	case r.status != http.StatusOK || json.Unmarshal(r.body, &body) != nil ||
		strings.ContainsFunc(body.Token, notAllowed) || body.Token == "":
		return fmt.Errorf("%s: the response (HTTP status %d) contains no valid token", address, r.status)
	}
	c.token = body.Token
	return nil
}

// send sends a request. It pauses before every request except the first one. If the request fails, send waits and tries
// again. It waits for as long as the service asks it to, or else for a time that doubles with each attempt. The reply
// is nil if the service did not respond to any attempt. The error is not nil if ctx is done or the service refuses
// further requests.
func (c *Client) send(ctx context.Context, method string, address *url.URL, body, authorization string) (*reply, error) {
	wait := c.Pause
	for tries := 0; ; tries++ {
		if c.hasSent {
			if wait > c.Pause && wait >= 5*time.Second {
				c.Console.Say("boxrules: trying again in %v: the service failed, did not answer, or asked for a pause", wait.Round(time.Second))
			}
			if err := c.Console.Sleep(ctx, wait); err != nil {
				return nil, err
			}
		}
		c.hasSent = true
		request, err := http.NewRequestWithContext(ctx, method, address.String(), strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		request.Header.Set("Authorization", authorization)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8")
		r, err := sendOnce(request)
		rateLimited := err == nil && r.status == http.StatusTooManyRequests
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, ctx.Err()
		case rateLimited && tries >= maxRateLimited:
			return nil, errors.New("the service still reports too many requests (429); use a longer --pause")
		case rateLimited:
		case err == nil && (tries >= maxRetries || !r.mayRetry(method)):
			return &r, nil
		case tries >= maxRetries:
			c.Console.Say("boxrules: %v", err) // the error contains the URL, but neither the token nor the secret
			return nil, nil
		}
		wait = max(c.Pause, c.retryAfter(r.header, time.Second<<min(tries, 6)))
		if wait > maxWait {
			return nil, fmt.Errorf("the service asks for a pause of %v; run the command again after that",
				wait.Round(time.Second))
		}
	}
}

// retryAfter returns how long the service asks the client to wait, or fallback if it does not ask.
func (c *Client) retryAfter(h http.Header, fallback time.Duration) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(text); err == nil {
		return date.Sub(c.Console.Now())
	}
	return fallback
}

// sendOnce sends a request, and reads at most maxReply bytes of the response body.
func sendOnce(request *http.Request) (r reply, err error) {
	response, err := httpClient.Do(request)
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
