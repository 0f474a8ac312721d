package fuzz

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/limits"
	"example.com/boxrules/preflight"
)

// refusalOf takes the error of a parser for what it has to be.
func refusalOf(t *testing.T, err error) *preflight.Refusal {
	t.Helper()
	var r *preflight.Refusal
	if err == nil {
		return nil
	}
	if !errors.As(err, &r) || r.Type != boxrules.TypeValidationError || r.Box != nil {
		t.Fatalf("the error %v (%T) is no VALIDATION_ERROR", err, err)
	}
	return r
}

// checkRefusal checks what holds for every refusal: documented names only, one line, and a body
// that is JSON.
func checkRefusal(t *testing.T, r *preflight.Refusal, path, query string) {
	t.Helper()
	if r == nil {
		return
	}
	want := ""
	if r.Code != "" {
		info, ok := r.Code.Info()
		if !ok || info.Type != r.Type || info.Status != 400 {
			t.Fatalf("%v has a code that is not of its type", r)
		}
		want = strings.Replace(info.Path, "<index>", strconv.Itoa(r.Item), 1)
	}
	if r.Path != want || r.Code == "" && r.Type != boxrules.TypeValidationError || (r.Box != nil) != (r.Type == boxrules.TypeBoxError) {
		t.Fatalf("%v: path %q, box %v", r, r.Path, r.Box)
	}
	if text := r.Error(); r.Message == "" || strings.ContainsAny(text, "\r\n\x00") || !utf8.ValidString(text) || len(text) > 2000 {
		t.Fatalf("the message %q is no line", text)
	}
	request := &http.Request{Method: "GET", URL: &url.URL{Path: path, RawQuery: query}}
	var body preflight.Body
	decoder := json.NewDecoder(bytes.NewReader(r.Body(request).JSON()))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil {
		t.Fatal(err)
	}
	if elements := body.Response.Errors; body.Response.Code != r.Type || len(elements) > 1 || (len(elements) == 1) != (r.Code != "") ||
		len(elements) == 1 && (elements[0].Code != r.Code || elements[0].Path != r.Path) || body.Request.URI != path ||
		body.Response.HTTPStatusCode != 400 {
		t.Fatalf("%v has the body %+v", r, body)
	}
}

// verdictOf returns the engine's answer about a box, written like a refusal.
func verdictOf(t *testing.T, engine *boxrules.Engine, b boxrules.Box) (kind boxrules.ErrorType, code boxrules.Code) {
	t.Helper()
	verdict, err := engine.Check(b)
	var input *boxrules.InputError
	switch {
	case errors.As(err, &input) && input.Field == "material":
		return boxrules.TypeValidationError, "DLN_1101"
	case err != nil:
		return boxrules.TypeValidationError, ""
	case verdict.OK():
		return "", ""
	}
	return boxrules.TypeBoxError, verdict.Code()
}

func checkVerdict(t *testing.T, r *preflight.Refusal, kind boxrules.ErrorType, code boxrules.Code, item int) {
	t.Helper()
	if r == nil && kind != "" || r != nil && (r.Type != kind || r.Code != code || r.Item != item) {
		t.Fatalf("%+v, want %s %s of item %d", r, kind, code, item)
	}
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// FuzzDielineQuery reads a query as that of a dieline request, and decides it.
func FuzzDielineQuery(f *testing.F) {
	engine := boxrules.Default()
	checker, err := preflight.New(engine, preflight.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add("article=tuck-end&material=carton-300&width=100&depth=50&height=120")
	f.Add("article=tuck-end&material=carton-300&width=48&depth=141&height=184&type=pdf")
	f.Fuzz(func(t *testing.T, query string) {
		d, err := preflight.ParseDieline(query)
		parsed := refusalOf(t, err)
		refusal := checker.Check(asked("/v1/reseller/dieline", query))
		checkRefusal(t, refusal, "/v1/reseller/dieline", query)
		if wanted, ok := dielineByHand(query); ok != (parsed == nil) || d != wanted {
			t.Fatalf("ParseDieline(%q) = %+v, %v, want %+v, %v", query, d, parsed, wanted, ok)
		}
		if parsed != nil {
			if refusal == nil || refusal.Error() != parsed.Error() || parsed.Item != -1 {
				t.Fatalf("ParseDieline(%q) = %+v, %v, Dieline %v", query, d, parsed, refusal)
			}
			return
		}
		encoded := url.Values{"article": {d.Article}, "material": {d.Material},
			"width": {decimal(d.Width)}, "depth": {decimal(d.Depth)}, "height": {decimal(d.Height)}}.Encode()
		// Escapes can make it longer than what is read.
		if again, err := preflight.ParseDieline(encoded); len(encoded) <= 64<<10 && (err != nil || again != d) {
			t.Fatalf("ParseDieline(%q) = %+v, %v, want %+v", encoded, again, err, d)
		}
		kind, code := verdictOf(t, engine, d)
		checkVerdict(t, refusal, kind, code, -1)
	})
}

// asked returns the request of a client for the path with the query.
func asked(path, query string) *http.Request {
	return &http.Request{URL: &url.URL{Path: path, RawQuery: query}}
}

// dielineByHand reads a query a second time, without what says why not.
func dielineByHand(query string) (d boxrules.Box, ok bool) {
	if len(query) > 64<<10 {
		return d, false
	}
	values := map[string][]string{"article": nil, "material": nil, "width": nil, "depth": nil, "height": nil, "type": nil}
	for _, pair := range strings.Split(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if _, ours := values[name]; err == nil && ours {
			values[name] = append(values[name], value)
		}
	}
	one := func(name string) string {
		if len(values[name]) == 0 {
			return ""
		}
		text, err := url.QueryUnescape(values[name][0])
		ok = ok && len(values[name]) == 1 && err == nil && utf8.ValidString(text)
		return text
	}
	dimension := func(name string) float64 {
		text := one(name)
		x, err := strconv.ParseFloat(text, 64)
		ok = ok && plainDecimal.MatchString(text) && len(text) <= 64 && err == nil && math.Abs(x) <= 1_000_000
		return x
	}
	ok = true
	d.Article, d.Material = one("article"), one("material")
	one("type")
	d.Width, d.Depth, d.Height = dimension("width"), dimension("depth"), dimension("height")
	if !ok || d.Article == "" || d.Material == "" {
		return boxrules.Box{}, false
	}
	return d, true
}

// FuzzQuotationQuery reads a text as the items of a quotation request, with what follows them in
// the query, and decides it.
func FuzzQuotationQuery(f *testing.F) {
	engine := boxrules.Default()
	checker, err := preflight.New(engine, preflight.Options{})
	if err != nil {
		f.Fatal(err)
	}
	const item = `{"article":"tuck-end","material":"carton-300","width":100,"depth":50,"height":120}`
	f.Add("["+item+"]", "&shipping=DE")
	f.Add("["+item+","+strings.Replace(item, "}",
		`,"references":[{"quantity":150},{"quantity":1}],"printing":"true","manufacturing_time":"express"}`, 1)+"]", "")
	for _, blank := range []string{"\v", "\f", "\u0085", "\u00a0", "\u2003", "\u3000", "\ufeff"} { // none of JSON's
		f.Add(blank+"["+item+"]", "")
	}
	f.Fuzz(func(t *testing.T, items, rest string) {
		query := "items=" + url.QueryEscape(items) + rest
		countTurns(t, items)
		q, err := preflight.ParseQuotation(query)
		parsed := refusalOf(t, err)
		refusal := checker.Check(asked("/v1/reseller/quotation", query))
		checkRefusal(t, refusal, "/v1/reseller/quotation", query)
		if parsed != nil {
			if q != nil || refusal == nil || refusal.Error() != parsed.Error() {
				t.Fatalf("ParseQuotation(%q) = %+v, %v, Quotation %v", query, q, parsed, refusal)
			}
			return
		}
		if rest == "" {
			checkItems(t, items, q)
		}
		for i, item := range q {
			if kind, code := verdictOf(t, engine, item.Box); kind != "" {
				checkVerdict(t, refusal, kind, code, i)
				return
			}
		}
		for i, item := range q {
			p, err := engine.Profile(item.Box.Article, item.Box.Material)
			if err != nil {
				t.Fatal(err)
			}
			materials := engine.Catalogue().Materials()
			material := materials[slices.IndexFunc(materials, func(m limits.Material) bool { return m.Code == item.Box.Material })]
			ups, ok, err := preflight.Ups(p, item.Box.Dims, 0)
			if err != nil || ok && ups < 1 {
				t.Fatalf("Ups(%+v) = %d, %v, %v", item.Box, ups, ok, err)
			}
			sheets := int64(0)
			for _, quantity := range item.Quantities {
				for sheets += quantity / int64(max(ups, 1)); quantity%int64(max(ups, 1)) != 0; quantity = 0 {
					sheets++
				}
			}
			if ok && len(item.Quantities) > 0 && sheets < int64(material.MinSheets) {
				checkVerdict(t, refusal, boxrules.TypeQuantityError, "QTT_1114", i)
				return
			}
		}
		checkVerdict(t, refusal, "", "", -1)
	})
}

// countTurns goes through a text of JSON by the loops that read items, and counts their turns:
// each takes at least one byte of the text, so that there are no more turns than bytes.
func countTurns(t *testing.T, text string) {
	t.Helper()
	if !json.Valid([]byte(text)) {
		return
	}
	turns := 0
	var walk func(value []byte)
	turn := func(value []byte) {
		if turns++; turns > len(text) {
			t.Fatalf("%q takes more turns than it has bytes: a loop does not move on", text)
		}
		walk(value)
	}
	walk = func(value []byte) {
		switch value[0] {
		case '[':
			var elements []json.RawMessage
			_ = json.Unmarshal(value, &elements)
			for _, element := range elements {
				turn(element)
			}
		case '{':
			for _, member := range strictjson.Members(value) {
				turn(member)
			}
		}
	}
	walk([]byte(strings.Trim(text, " \t\r\n")))
}

// A jsonBool is a JSON boolean, or one as text.
type jsonBool bool

func (f *jsonBool) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		return json.Unmarshal(data, (*bool)(f))
	}
	return json.Unmarshal([]byte(text), (*bool)(f))
}

// checkItems compares what was read with what encoding/json reads.
func checkItems(t *testing.T, text string, items []preflight.Item) {
	t.Helper()
	var want []struct {
		Article    string   `json:"article"`
		Material   string   `json:"material"`
		Width      *float64 `json:"width"`
		Depth      *float64 `json:"depth"`
		Height     *float64 `json:"height"`
		References []struct {
			Quantity *int64 `json:"quantity"`
		} `json:"references"`
		Printing, Gold, Silver, Varnish jsonBool
		ManufacturingTime               string `json:"manufacturing_time"`
	}
	// Its names do not heed case, and of the same name it takes the last.
	var raw []map[string]any
	if err := json.Unmarshal([]byte(text), &raw); err != nil || len(raw) != len(items) || len(items) == 0 || len(items) > 100 {
		t.Fatalf("%q is accepted: %v", text, err)
	}
	for _, fields := range raw {
		for name := range fields {
			switch name {
			case "article", "material", "width", "depth", "height", "references", "printing", "gold", "silver", "varnish", "manufacturing_time":
			default:
				delete(fields, name)
			}
		}
		references, _ := fields["references"].([]any)
		for _, reference := range references {
			for name := range reference.(map[string]any) {
				if name != "quantity" {
					delete(reference.(map[string]any), name)
				}
			}
		}
	}
	exact, err := json.Marshal(raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(exact, &want); err != nil {
		t.Fatalf("%q is accepted: %v", text, err)
	}
	for i, w := range want {
		if w.Width == nil || w.Depth == nil || w.Height == nil {
			t.Fatalf("%q is accepted without a dimension", text)
		}
		item := preflight.Item{Box: boxrules.Box{Article: w.Article, Material: w.Material,
			Dims: boxrules.Dims{Width: *w.Width, Depth: *w.Depth, Height: *w.Height}}}
		for _, reference := range w.References {
			if reference.Quantity == nil || *reference.Quantity < 1 {
				t.Fatalf("%q is accepted with a quantity that is none", text)
			}
			item.Quantities = append(item.Quantities, *reference.Quantity)
		}
		if !reflect.DeepEqual(items[i], item) {
			t.Fatalf("%q: item %d is %+v, want %+v", text, i, items[i], item)
		}
	}
}
