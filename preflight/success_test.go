package preflight_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/boxrules/preflight"
)

func TestIsDieline(t *testing.T) {
	const whole = `{"response":{"buffer":"JVBERi0xLjQK","mime_type":"application/pdf","encoding":"base64"}}`
	for body, want := range map[string]bool{
		"%PDF-1.4\n%\xe2\xe3": true, "%PDF-": true, whole: true, "\n " + whole + "\n": true,
		`{"request":{"uri":"/v1"},"response":{"encoding":"base64","size":9,"mime_type":"application/pdf","buffer":"JVBERi0xLjQK"}}`: true,

		"": false, "%PDF": false, " %PDF-1.4": false, "<html>%PDF-1.4": false, "null": false, "{}": false, "[]": false, "200": false,
		`{"error":"maintenance"}`: false, `{"response":null}`: false, `{"response":{"code":"BOX_ERROR"}}`: false,
		whole + "x": false, whole + whole: false, whole[:len(whole)-1]: false, whole[1:]: false, "[" + whole + "]": false,
		`{"buffer":"JVBERi0xLjQK","mime_type":"application/pdf","encoding":"base64"}`:                      false,
		`{"response":{"buffer":"JVBERi0xLjQK","mime_type":"application/pdf"}}`:                             false,
		`{"response":{"mime_type":"application/pdf","encoding":"base64"}}`:                                 false,
		`{"response":{"buffer":"","mime_type":"application/pdf","encoding":"base64"}}`:                     false,
		`{"response":{"buffer":"bWFpbnRlbmFuY2U=","mime_type":"text/html","encoding":"base64"}}`:           false,
		`{"response":{"buffer":"%PDF-1.4","mime_type":"application/pdf","encoding":"base64"}}`:             false,
		`{"response":{"buffer":"JVBERi0xLjQK","mime_type":true,"encoding":"base64"}}`:                      false,
		`{"result":{"buffer":"JVBERi0xLjQK","mime_type":"application/pdf","encoding":"base64"},"ok":true}`: false,
	} {
		if got := preflight.IsDieline([]byte(body)); got != want {
			t.Errorf("IsDieline(%q) = %v, want %v", body, got, want)
		}
	}
}

// TestOnAnswerSuccess says that a success is reported if its body is a dieline, and that no body is changed.
func TestOnAnswerSuccess(t *testing.T) {
	const whole = `{"response":{"buffer":"JVBERi0xLjQK","mime_type":"application/pdf","encoding":"base64"}}`
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = io.WriteString(w, whole)
	_ = w.Close()
	const quotation = "/v1/reseller/quotation?items=%5B%5D"
	for _, test := range []struct {
		target, body, encoding string
		reported               bool
	}{
		{tuckEnd + "150", "%PDF-1.4\n" + strings.Repeat("x", 3<<20), "", true},
		{tuckEnd + "150", whole, "", true},
		{tuckEnd + "150", packed.String(), "gzip", true},
		{tuckEnd + "150", packed.String(), "", false},
		{tuckEnd + "150", "", "", false},
		{tuckEnd + "150", `{"error":"maintenance"}`, "", false},
		{tuckEnd + "150", "<html>" + strings.Repeat("x", 3<<20), "", false},
		{tuckEnd + "150", whole[:40], "", false},
		{quotation, whole, "", false},
	} {
		reported := 0
		rt := &preflight.Transport{
			Checker: newChecker(t, preflight.Options{}), Observe: true, Logger: slog.New(slog.DiscardHandler),
			OnAnswer: func(preflight.Answer) { reported++ },
			Base: roundTrip(func(*http.Request) (*http.Response, error) {
				w := httptest.NewRecorder()
				w.Header().Set("Content-Encoding", test.encoding)
				_, _ = w.WriteString(test.body)
				return w.Result(), nil
			}),
		}
		r := httptest.NewRequest("GET", "http://service.test"+test.target, nil)
		r.RequestURI = ""
		response, err := rt.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil || string(body) != test.body || (reported == 1) != test.reported {
			t.Errorf("%.40q of %s: reported %d times, want it: %v; %d bytes of %d, %v",
				test.body, test.target, reported, test.reported, len(body), len(test.body), err)
		}
	}
}

// pieces is a body that arrives in pieces. Each Read returns one of them.
type pieces []string

func (p *pieces) Read(buffer []byte) (n int, err error) {
	if len(*p) == 0 {
		return 0, io.EOF
	}
	n = copy(buffer, (*p)[0])
	*p = (*p)[1:]
	return n, nil
}

// TestOnAnswerMoment says when a success is reported: after the first five bytes of a PDF, and otherwise when
// the body ends, is closed, or reaches a megabyte.
func TestOnAnswerMoment(t *testing.T) {
	const whole = `{"response":{"buffer":"JVBERi0xLjQK","mime_type":"application/pdf","encoding":"base64"}}`
	const atEnd, never = -1, -2
	space := strings.Repeat(" ", 700_000)
	buffer := make([]byte, 1<<20)
	for _, test := range []struct {
		name     string
		body     []string
		reported int // after this piece, counted from 0
	}{
		{"a PDF", []string{"%PD", "F", "-", "1.4"}, 2},
		{"JSON", []string{whole[:1], whole[1:40], whole[40:]}, atEnd},
		{"JSON with a space less than a megabyte", []string{whole, space, space[:1<<20-len(whole)-len(space)-1]}, atEnd},
		{"JSON with a megabyte", []string{whole, space, space[:1<<20-len(whole)-len(space)], "more"}, 2},
		{"JSON with more than a megabyte", []string{whole, space, space, "more"}, 2},
		{"JSON that ends after a megabyte", []string{space, space, whole}, never},
	} {
		for _, closed := range []bool{false, true} { // by the client, instead of being read to the end
			reported := 0
			body := pieces(test.body)
			rt := &preflight.Transport{Checker: newChecker(t, preflight.Options{}), Base: answerWith(200, &body),
				OnAnswer: func(preflight.Answer) { reported++ }}
			response, err := rt.RoundTrip(clientRequest(t, "GET", tuckEnd+"150", nil))
			if err != nil {
				t.Fatal(err)
			}
			for i, piece := range test.body {
				n, err := response.Body.Read(buffer)
				if string(buffer[:n]) != piece || err != nil {
					t.Errorf("%s: piece %d is %.40q, %v, want %.40q", test.name, i, buffer[:n], err, piece)
				}
				if (reported == 1) != (test.reported >= 0 && test.reported <= i) {
					t.Errorf("%s: reported %d times after piece %d, want it after piece %d", test.name, reported, i, test.reported)
				}
			}
			if closed {
				err = response.Body.Close()
			} else if _, err = response.Body.Read(buffer); err == io.EOF {
				err = nil
			}
			if err != nil || (reported == 1) != (test.reported != never) {
				t.Errorf("%s, closed %v: %v, reported %d times at the end", test.name, closed, err, reported)
			}
		}
	}
}
