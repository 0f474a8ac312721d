package service

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
)

const (
	refusal = `{"response":{"code":"BOX_ERROR","errors":[{"code":"BOX_3100"}]}}`
	pdf     = "%PDF-1.4"
)

// TestAsk says how answers of the service are understood. They come one after the other; a request for a token gets one.
func TestAsk(t *testing.T) {
	for _, test := range []struct {
		answers string // status and body of each, with bars between them
		code    string
		err     string // its beginning
		waits   string
		tokens  int
	}{
		{"200 " + pdf, "valid", "", "[1s]", 1},
		{"200 {}|200 {}|200 " + pdf, "valid", "", "[1s 1s 2s]", 1},
		{"200 {}|200 {}|200 {}|200 {}", "200 without a dieline", "", "[1s 1s 2s 4s]", 1},
		{"400 " + refusal, "BOX_3100", "", "[1s]", 1},
		{`400 {"response":{"code":"VALIDATION_ERROR"}}`, "VALIDATION_ERROR", "", "[1s]", 1},
		{`400 {"response":{"code":"ok"}}`, "400", "", "[1s]", 1},
		{"404 nothing", "404", "", "[1s]", 1},
		{"302 elsewhere", "302", "", "[1s]", 1},
		{"429 |429 |200 " + pdf, "valid", "", "[1s 7s 7s]", 1}, // as Retry-After asks
		{"500 |400 " + refusal, "BOX_3100", "", "[1s 1s]", 1},
		{"401 |200 " + pdf, "valid", "", "[1s 1s 1s]", 2},
		{"401 |401 ", "", "the service rejects a token that it has just issued (401)", "[1s 1s 1s]", 2},
		{strings.Repeat("429 |", 30) + "429 ", "", "the service still reports too many requests (429)", "", 1},
	} {
		tokens, answers := 0, strings.Split(test.answers, "|")
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/base/v1/oauth2/token" {
				tokens++
				fmt.Fprintf(w, `{"access_token":"t%d","expires_in":60}`, tokens)
				return
			}
			const query = "article=a+b&depth=2&height=3&material=m&type=x&width=1.5"
			if r.URL.RequestURI() != "/base/v1/reseller/dieline?"+query || r.Header.Get("Authorization") != fmt.Sprint("Bearer t", tokens) {
				t.Errorf("asked for %s with %v", r.URL, r.Header)
			}
			status, body := 0, ""
			_, _ = fmt.Sscan(answers[0], &status)
			_, body, _ = strings.Cut(answers[0], " ")
			answers = answers[1:]
			if status == http.StatusTooManyRequests {
				w.Header().Set("Retry-After", "7")
			}
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}))
		address, err := url.Parse(server.URL + "/base")
		if err != nil {
			t.Fatal(err)
		}
		var waits []time.Duration
		said := new(bytes.Buffer)
		client := &Client{Address: address, ID: "id", Secret: "secret", Pause: time.Second, Parameters: url.Values{"type": {"x"}},
			Console: &console.Console{Err: said, Now: func() time.Time { return time.Unix(0, 0) },
				Sleep: func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }}}
		code, err := client.Ask(t.Context(), boxrules.Box{Article: "a b", Material: "m", Dims: boxrules.Dims{Width: 1.5, Depth: 2, Height: 3}})
		server.Close()
		if code != test.code || (err == nil) != (test.err == "") || err != nil && !strings.HasPrefix(err.Error(), test.err) ||
			test.waits != "" && fmt.Sprint(waits) != test.waits || tokens != test.tokens || len(answers) > 0 {
			t.Errorf("%s: %q, %v after waiting %v with %d tokens, want %q, %s, %s, %d; says %s", test.answers, code, err, waits, tokens,
				test.code, test.err, test.waits, test.tokens, said)
		}
	}
}

// TestTokenRefused has answers that are no token.
func TestTokenRefused(t *testing.T) {
	for body, want := range map[string]string{
		"401 ": "the service rejects BOXRULES_CLIENT_ID and BOXRULES_CLIENT_SECRET (401)", "200 {}": "the response (HTTP status 200) contains no valid token",
		`200 {"access_token":"a b"}`: "the response (HTTP status 200) contains no valid token", "404 ": "the response (HTTP status 404) contains no valid token",
		`200 {"access_token":"","x":1}`: "the response (HTTP status 200) contains no valid token", "302 ": "the response (HTTP status 302) contains no valid token",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			id, secret, _ := r.BasicAuth()
			err := r.ParseForm()
			if err != nil || id+secret != "idsecret" || r.PostForm.Encode() != "grant_type=client_credentials&scope=external" {
				t.Errorf("a token is asked for with %v, %v", r.Header, r.PostForm)
			}
			status, text, _ := strings.Cut(body, " ")
			w.WriteHeader(map[string]int{"200": 200, "401": 401, "404": 404, "302": 302}[status])
			_, _ = w.Write([]byte(text))
		}))
		address, err := url.Parse(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		client := &Client{Address: address, ID: "id", Secret: "secret", Console: &console.Console{}}
		_, err = client.Ask(t.Context(), boxrules.Box{})
		server.Close()
		if err == nil || err.Error() != server.URL+"/v1/oauth2/token: "+want {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}
