package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/boxtest"
)

var (
	engine = boxrules.Default() // in your tests the engine of your rules and limits
	boxes  = rapid.OneOf(boxtest.Boxes(engine.Profiles()...), boxtest.Malformed(engine.Profiles()...))
)

// ask returns the status and the body of the service's answer.
func ask(query url.Values) (status int, body string) {
	recorder := httptest.NewRecorder()
	quote(engine)(recorder, httptest.NewRequest("GET", "/quote?"+query.Encode(), nil))
	return recorder.Code, strings.TrimSpace(recorder.Body.String())
}

// query returns the request for a box.
func query(box boxrules.Box) url.Values {
	text := func(x float64) []string { return []string{strconv.FormatFloat(x, 'f', -1, 64)} }
	return url.Values{"article": {box.Article}, "material": {box.Material},
		"width": text(box.Width), "depth": text(box.Depth), "height": text(box.Height)}
}

// TestQuote: the service agrees with a second implementation of the rules. If it does not, rapid reports
// the smallest box that it finds.
func TestQuote(t *testing.T) {
	reference, err := boxtest.NewReference(engine.Rules(), engine.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		box := boxes.Draw(t, "box")
		status, body := ask(query(box))
		codes, err := reference.Exact(box)
		switch {
		case err != nil:
			if status != http.StatusBadRequest {
				t.Fatalf("%+v is not a box (%v), and is answered %d", box, err, status)
			}
		case len(codes) > 0:
			if status != http.StatusUnprocessableEntity || body != string(codes[0]) {
				t.Fatalf("%+v: %d %s, want %s", box, status, body, codes[0])
			}
		case status != http.StatusOK:
			t.Fatalf("%+v: %d %s, want it made", box, status, body)
		}
	})
}

// FuzzQuote sends any text, beginning with the text of boxes. Whatever it is, the service does not fail.
// If the box can be made, it can still be made with a zero appended to the decimals of its width.
func FuzzQuote(f *testing.F) {
	for i := range 100 {
		q := query(boxes.Example(i))
		f.Add(q.Get("article"), q.Get("material"), q.Get("width"), q.Get("depth"), q.Get("height"))
	}
	f.Fuzz(func(t *testing.T, article, material, width, depth, height string) {
		q := url.Values{"article": {article}, "material": {material}, "width": {width}, "depth": {depth}, "height": {height}}
		status, body := ask(q)
		switch status {
		case http.StatusBadRequest, http.StatusUnprocessableEntity:
			return
		case http.StatusOK:
		default:
			t.Fatalf("%v: %d %s", q, status, body)
		}
		if !strings.Contains(width, ".") {
			width += "."
		}
		q.Set("width", width+"0")
		if again, body := ask(q); again != http.StatusOK && len(width) < boxrules.MaxDimensionLength {
			t.Fatalf("%v: %d %s, and it is made without the zero", q, again, body)
		}
	})
}
