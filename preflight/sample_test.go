package preflight_test

import (
	"errors"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
)

// toldBy records what a transport reports about the answers to requests.
type toldBy struct {
	sent      int
	answers   []preflight.Answer
	disagreed int
}

// over is a transport to a service that accepts every box but those of the width 120, whose refusal
// is documented.
func (b *toldBy) over(t *testing.T, c *preflight.Checker, observe bool) *preflight.Transport {
	service := roundTrip(func(r *http.Request) (*http.Response, error) {
		b.sent++
		w := httptest.NewRecorder()
		if r.URL.Query().Get("width") == "120" {
			preflight.WriteError(w, r, boxrules.TypeBoxError, http.StatusBadRequest, "no")
		} else if r.URL.Query().Get("width") == "121" {
			preflight.WriteError(w, r, boxrules.TypeInternalServerError, http.StatusInternalServerError, "no")
		} else {
			_, _ = w.WriteString("%PDF-1.4")
		}
		return w.Result(), nil
	})
	return &preflight.Transport{
		Checker: c, Base: service, Observe: observe, Logger: slog.New(slog.DiscardHandler),
		OnAnswer:       func(a preflight.Answer) { b.answers = append(b.answers, a) },
		OnDisagreement: func(preflight.Disagreement) { b.disagreed++ },
	}
}

// tuckEnd is the target of a request, without the width at its end.
const tuckEnd = "/v1/reseller/dieline?article=tuck-end&material=carton-300&depth=60&height=180&width="

func ask(t *testing.T, rt http.RoundTripper, width string) int {
	t.Helper()
	r := httptest.NewRequest("GET", "http://service.test"+tuckEnd+width, nil)
	r.RequestURI, r.Body = "", nil
	response, err := rt.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	return response.StatusCode
}

// TestOnAnswer says that OnAnswer gets the decisions of the service, and no other answers.
func TestOnAnswer(t *testing.T) {
	var b toldBy
	rt := b.over(t, newChecker(t, preflight.Options{}), false)
	for width, status := range map[string]int{"150": 200, "120": 400, "121": 500, "10": 400} {
		if got := ask(t, rt, width); got != status {
			t.Errorf("width %s: status %d, want %d", width, got, status)
		}
	}
	refused, accepted := 0, 0
	for _, a := range b.answers {
		if len(a.Boxes) != 1 || a.Boxes[0].Article != "tuck-end" || a.Boxes[0].Depth != 60 {
			t.Errorf("an answer about %v", a.Boxes)
		}
		if a.ServiceRefusal == nil {
			accepted++
		} else if refused++; a.ServiceRefusal.Type != boxrules.TypeBoxError {
			t.Errorf("refused with %v", a.ServiceRefusal)
		}
	}
	if b.sent != 3 || accepted != 1 || refused != 1 || b.disagreed != 1 {
		t.Errorf("%d sent, %d accepted, %d refused, %d disagreed; want 3, 1, 1, 1", b.sent, accepted, refused, b.disagreed)
	}
}

// TestSample lets refused requests through, and reports those that the service accepts.
func TestSample(t *testing.T) {
	for _, test := range []struct {
		sample      float64
		least, most int
		handler     bool
	}{{0, 0, 0, false}, {1, 200, 200, false}, {0.5, 60, 140, false}, {1, 200, 200, true}} {
		var b toldBy
		c := newChecker(t, preflight.Options{Sample: test.sample})
		rt := b.over(t, c, false)
		var through http.RoundTripper = rt
		if test.handler { // the middleware decides, and the transport uses its decision
			through = roundTrip(func(r *http.Request) (*http.Response, error) {
				w := httptest.NewRecorder()
				c.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					response, err := rt.RoundTrip(r)
					if err != nil {
						t.Error(err)
						return
					}
					w.WriteHeader(response.StatusCode)
					_, _ = io.Copy(w, response.Body)
				})).ServeHTTP(w, r)
				return w.Result(), nil
			})
		}
		for range 200 {
			ask(t, through, "10")
		}
		if b.sent < test.least || b.sent > test.most || b.disagreed != b.sent || len(b.answers) != b.sent {
			t.Errorf("sample %v: %d sent, %d disagreed, %d answers; want %d to %d",
				test.sample, b.sent, b.disagreed, len(b.answers), test.least, test.most)
		}
		// What cannot be read is no sample.
		if status := ask(t, through, "wide"); status != http.StatusBadRequest || b.sent > test.most {
			t.Errorf("sample %v: what is no box has the status %d", test.sample, status)
		}
	}
	for _, sample := range []float64{-0.1, 1.1, math.NaN()} {
		_, err := preflight.New(boxrules.Default(), preflight.Options{Sample: sample})
		var option *boxrules.OptionError
		if !errors.As(err, &option) || option.Option != "sample" {
			t.Errorf("a sample of %v: %v", sample, err)
		}
	}
	// Handler takes no samples: without a service, it would report them as accepted.
	w := httptest.NewRecorder()
	newChecker(t, preflight.Options{Sample: 1}).Handler().ServeHTTP(w, httptest.NewRequest("GET", tuckEnd+"10", nil))
	if w.Code != http.StatusBadRequest {
		t.Errorf("Handler lets a sample through: %d", w.Code)
	}
}
