package preflight_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
)

// Borderline boxes of the illustrative catalogue, by what exact arithmetic and double precision say.
var (
	refusedExactly = boxrules.Box{Article: "auto-bottom", Material: "carton-300", // BOX_3103, valid
		Dims: boxrules.Dims{Width: 156.9, Depth: 209.2, Height: 138.5}}
	refusedTwice = boxrules.Box{Article: "bottle-carton", Material: "carton-300", // BOX_3103, BOX_3112
		Dims: boxrules.Dims{Width: 123.9, Depth: 165.2, Height: 374.3}}
	validExactly = boxrules.Box{Article: "pillow-pack", Material: "carton-300", // valid, BOX_3119
		Dims: boxrules.Dims{Width: 241.2, Depth: 80.4, Height: 257}}
)

// TestBorderline says that what double precision accepts is never refused, which codes may be
// answered to a borderline box without a disagreement, and which requests are counted.
func TestBorderline(t *testing.T) {
	few := `[{"article":"tuck-end","material":"carton-300","width":100,"depth":50,"height":120,"references":[{"quantity":1}]},` +
		`{"article":"auto-bottom","material":"carton-300","width":156.9,"depth":209.2,"height":138.5,"references":[{"quantity":9999}]}]`
	for name, test := range map[string]struct {
		target     string
		refused    string        // "" if it goes on
		borderline boxrules.Code // counted so
		agrees     string        // answers of the service that are no disagreement
	}{
		"refused exactly": {dielinePath + "?" + dielineQuery(refusedExactly), "", "BOX_3103", "valid BOX_3103"},
		"refused twice":   {dielinePath + "?" + dielineQuery(refusedTwice), "BOX_ERROR BOX_3103", "", "BOX_3103 BOX_3112"},
		"valid exactly":   {dielinePath + "?" + dielineQuery(validExactly), "", "", "valid BOX_3119"},
		"on no edge":      {dielinePath + "?" + badQuery, "BOX_ERROR BOX_3100", "", "BOX_3100"},
		"items that go on": {quotationPath + "?" + quotationQuery(t, good, refusedExactly, validExactly), "", "BOX_3103",
			"BOX_3103 BOX_3119"},
		"items of which one is refused": {quotationPath + "?" + quotationQuery(t, refusedExactly, bad), "BOX_ERROR BOX_3100", "",
			"BOX_3103 BOX_3100"},
		"items valid exactly": {quotationPath + "?" + quotationQuery(t, validExactly, good), "", "", "valid BOX_3119"},
		"too few sheets":      {quotationPath + "?" + itemsQuery(few), "QUANTITY_ERROR QTT_1114", "", "BOX_3103 QTT_1114"},
	} {
		var told []preflight.Decision
		c := newChecker(t, preflight.Options{OnDecision: func(d preflight.Decision) { told = append(told, d) }})
		if got := line(c.Check(request(t, "GET", test.target))); got == "" != (test.refused == "") || !strings.HasPrefix(got, test.refused) {
			t.Errorf("%s: Check = %q, want %q", name, got, test.refused)
		}
		for _, answer := range strings.Fields("valid BOX_3100 BOX_3103 BOX_3112 BOX_3119 BOX_4100 QTT_1114") {
			status, body := 400, errorBody("BOX_ERROR", answer, "")
			switch answer {
			case "valid":
				status, body = 200, "%PDF-"
			case "QTT_1114":
				body = errorBody("QUANTITY_ERROR", answer, "products[0]")
			}
			agrees, sent := true, false
			transport := &preflight.Transport{Checker: c, Observe: true, Logger: slog.New(slog.DiscardHandler),
				Base: roundTrip(func(r *http.Request) (*http.Response, error) {
					sent = true
					return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
				}),
				OnDisagreement: func(preflight.Disagreement) { agrees = false }}
			send := func() {
				if _, err := transport.RoundTrip(clientRequest(t, "GET", test.target, nil)); err != nil {
					t.Fatal(err)
				}
			}
			send()
			if want := strings.Contains(test.agrees, answer); agrees != want {
				t.Errorf("%s, answered %s: agrees %v, want %v", name, answer, agrees, want)
			}
			transport.Observe, sent = false, false
			send()
			if sent != (test.refused == "") {
				t.Errorf("%s: Transport sends it: %v", name, sent)
			}
		}
		arrived := false
		c.Middleware(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { arrived = true })).
			ServeHTTP(httptest.NewRecorder(), request(t, "GET", test.target))
		w := httptest.NewRecorder()
		c.Handler().ServeHTTP(w, request(t, "GET", test.target))
		if arrived != (test.refused == "") || (w.Code == http.StatusNoContent) != arrived {
			t.Errorf("%s: Middleware passes it on: %v; Handler answers %d", name, arrived, w.Code)
		}
		for _, d := range told {
			if d.Borderline != test.borderline || (d.Refusal == nil) != (test.refused == "") {
				t.Errorf("%s: told of %+v, want borderline %q", name, d, test.borderline)
			}
		}
	}
}
