package preflight_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/lint"
	"example.com/boxrules/preflight"
)

func TestNew(t *testing.T) {
	for _, gap := range []float64{-0.001, 1000.001, math.NaN(), math.Inf(1), math.Inf(-1)} {
		_, err := preflight.New(boxrules.Default(), preflight.Options{Gap: gap})
		var option *boxrules.OptionError
		if !errors.As(err, &option) || option.Option != "gap" {
			t.Errorf("New with the gap %v: %v, want an OptionError for gap", gap, err)
		}
	}
	for _, gap := range []float64{0, 3.5, 1000} {
		if _, err := preflight.New(boxrules.Default(), preflight.Options{Gap: gap}); err != nil {
			t.Errorf("New with the gap %v: %v", gap, err)
		}
	}
}

// TestEveryBoxCode sends, for each code, a box that reports it: in a dieline request, and as the second item of a
// quotation.
func TestEveryBoxCode(t *testing.T) {
	c := newChecker(t, preflight.Options{})
	var seen []string
	for _, p := range boxrules.Default().Profiles() {
		for _, rule := range p.Rules() {
			dims, ok := lint.Witness(p, rule.Code)
			if !ok {
				continue
			}
			seen = append(seen, string(rule.Code))
			box := boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: dims}
			one := checkDieline(c, dielineQuery(box))
			two := checkQuotation(c, quotationQuery(t, good, box, bad))
			for i, r := range []*preflight.Refusal{one, two} {
				if r == nil || r.Type != boxrules.TypeBoxError || r.Code != rule.Code || r.Path != "" || r.Item != 2*i-1 || r.Box == nil ||
					*r.Box != box {
					t.Errorf("%+v: %+v, want %s", box, r, rule.Code)
					continue
				}
				// The message says what is wrong and what to do.
				values, advice, ok := strings.Cut(r.Message, "; ")
				if !ok || values == "" || advice == "" || strings.Contains(r.Message, "\n") {
					t.Errorf("%+v: message %q", box, r.Message)
				}
			}
		}
	}
	for _, info := range boxrules.Codes() {
		if info.Type == boxrules.TypeBoxError && !slices.Contains(seen, string(info.Code)) {
			t.Errorf("no box of the catalogue reports %s", info.Code)
		}
	}
}

func TestMaterial(t *testing.T) {
	c := newChecker(t, preflight.Options{})
	for _, test := range []struct{ material, want string }{
		{"", "VALIDATION_ERROR DLN_1101: material: missing"},
		{"paper", `VALIDATION_ERROR DLN_1101: material: unknown material "paper"; accepted for tuck-end: carton-300, carton-400`},
		{"Carton-300", `VALIDATION_ERROR DLN_1101: material: unknown material "Carton-300"; accepted for tuck-end: carton-300, carton-400` +
			` (did you mean "carton-300"?)`},
		{"b-flute", "VALIDATION_ERROR DLN_1101: material: tuck-end is not offered in b-flute; accepted: carton-300, carton-400"},
	} {
		box := good
		box.Material = test.material
		for i, r := range []*preflight.Refusal{checkDieline(c, dielineQuery(box)), checkQuotation(c, quotationQuery(t, good, box))} {
			want := strings.Replace(test.want, ": material", []string{": material", ": items[1]: material"}[i], 1)
			if line(r) != want+" [material]" || r.Item != 2*i-1 || r.Box != nil {
				t.Errorf("material %q:\n%s, item %d\nwant\n%s", test.material, line(r), r.Item, want)
			}
		}
	}
	// There is no documented code for an unknown article.
	box := good
	box.Article = "no-such-box"
	for _, r := range []*preflight.Refusal{checkDieline(c, dielineQuery(box)), checkQuotation(c, quotationQuery(t, box))} {
		if r == nil || r.Type != boxrules.TypeValidationError || r.Code != "" || r.Path != "" ||
			!strings.Contains(r.Message, `unknown article "no-such-box"`) {
			t.Errorf("an unknown article: %s", line(r))
		}
	}
}

// TestOrder says which of several mistakes in a quotation is reported.
func TestOrder(t *testing.T) {
	c := newChecker(t, preflight.Options{})
	const (
		few     = `{"article":"tuck-end","material":"carton-300","width":100,"depth":50,"height":120,"references":[{"quantity":1}]}`
		paper   = `{"article":"tuck-end","material":"paper","width":100,"depth":50,"height":120}`
		deep    = `{"article":"tuck-end","material":"carton-300","width":48,"depth":141,"height":184,"references":[{"quantity":1}]}`
		text    = `{"article":"tuck-end","material":"carton-300","width":"100","depth":50,"height":120}`
		article = `{"material":"carton-300","width":100,"depth":50,"height":120}`
	)
	for _, test := range []struct {
		items, want string
		item        int
	}{
		{goodItem, "", -1},
		{goodItem + "," + few, "QUANTITY_ERROR QTT_1114", 1},
		{few + "," + deep, "BOX_ERROR BOX_3100", 1},                      // boxes before quantities
		{few + "," + paper + "," + deep, "VALIDATION_ERROR DLN_1101", 1}, // in the order of the items
		{deep + "," + paper, "BOX_ERROR BOX_3100", 0},
		{deep + "," + text, "VALIDATION_ERROR", 1}, // reading before checking
		{deep + "," + text + ",", "VALIDATION_ERROR", -1},
		{article, "VALIDATION_ERROR", 0},
		{deep + "," + deep, "BOX_ERROR BOX_3100", 0},
		{few + "," + few, "QUANTITY_ERROR QTT_1114", 0},
	} {
		r := checkQuotation(c, itemsQuery("["+test.items+"]"))
		if r == nil {
			if test.want != "" {
				t.Errorf("%s: accepted, want %s", test.items, test.want)
			}
			continue
		}
		if got := strings.TrimSpace(string(r.Type) + " " + string(r.Code)); got != test.want || r.Item != test.item {
			t.Errorf("%s: %s of item %d, want %s of item %d", test.items, line(r), r.Item, test.want, test.item)
		}
	}
}

func TestPassUnknown(t *testing.T) {
	strict, lenient := newChecker(t, preflight.Options{}), newChecker(t, preflight.Options{PassUnknown: true})
	change := func(article, material string, depth float64) boxrules.Box {
		b := good
		b.Article, b.Material, b.Depth = article, material, depth
		return b
	}
	for _, test := range []struct {
		box    boxrules.Box
		strict boxrules.Code
		passes bool
	}{
		{change("no-such-box", "carton-300", 50), "", true},
		{change("no-such-box", "paper", 50), "", true},
		{change("tuck-end", "paper", 50), "DLN_1101", true},
		{change("tuck-end", "b-flute", 50), "DLN_1101", true},
		{change("tuck-end", "", 50), "DLN_1101", false},
		{change("", "carton-300", 50), "", false},
		{change("tuck-end", "carton-300", 141), "BOX_3100", false},
		{change("tuck-end", "carton-300", 0), "BOX_2102", false},
	} {
		for _, check := range []func(*preflight.Checker) *preflight.Refusal{
			func(c *preflight.Checker) *preflight.Refusal { return checkDieline(c, dielineQuery(test.box)) },
			func(c *preflight.Checker) *preflight.Refusal { return checkQuotation(c, quotationQuery(t, test.box)) },
		} {
			if r := check(strict); r == nil || r.Code != test.strict {
				t.Errorf("%+v: %s, want it refused with %q", test.box, line(r), test.strict)
			}
			if r := check(lenient); (r == nil) != test.passes || r != nil && r.Code != test.strict {
				t.Errorf("%+v: with PassUnknown %s, want it accepted: %v", test.box, line(r), test.passes)
			}
		}
	}
	// An unknown article has no blank to count, however few.
	if r := checkQuotation(lenient, itemsQuery(`[{"article":"x","material":"y","width":1,"depth":1,"height":1,`+
		`"references":[{"quantity":1}]}]`)); r != nil {
		t.Errorf("one box of an unknown article: %s", line(r))
	}
	// A text that is not a dimension is wrong for any article.
	if checkDieline(lenient, "article=x&material=y&width=1&depth=x&height=1") == nil {
		t.Error("a dimension that is no number passes")
	}
}

// TestValidationCodes says that the user's code is reported with the field as its path, whatever
// is wrong with it; the caller's map is not kept.
func TestValidationCodes(t *testing.T) {
	codes := map[string]boxrules.Code{"article": "DLN_1100", "width": "DLN_1102", "height": "DLN_1104"}
	c := newChecker(t, preflight.Options{ValidationCodes: codes})
	delete(codes, "height")
	for query, want := range map[string]string{
		"":                         "DLN_1100 article",
		"article=tuck-end":         "DLN_1101 material",
		goodQuery + "&width=100":   "DLN_1102 width",
		goodQuery + "&material=":   "DLN_1101 material",
		goodQuery + "&type=&type=": " ",
		strings.Replace(goodQuery, "100", "x", 1):                 "DLN_1102 width",
		strings.Replace(goodQuery, "50", "", 1):                   " ",
		strings.Replace(goodQuery, "120", "1e9", 1):               "DLN_1104 height",
		strings.Replace(goodQuery, "tuck", "Tuck", 1):             "DLN_1100 article",
		strings.Replace(goodQuery, "carton-300", "Carton-300", 1): "DLN_1101 material",
	} {
		r := checkDieline(c, query)
		if r == nil || r.Type != boxrules.TypeValidationError || string(r.Code)+" "+r.Path != want {
			t.Errorf("%s: %s, want %s", query, line(r), want)
		}
	}
	for item, want := range map[string]string{
		strings.Replace(goodItem, "100", `"100"`, 1):      "DLN_1102 width",
		strings.Replace(goodItem, `"width":100,`, "", 1):  "DLN_1102 width",
		strings.Replace(goodItem, "120", "1e9", 1):        "DLN_1104 height",
		strings.Replace(goodItem, `"tuck-end"`, "5", 1):   "DLN_1100 article",
		strings.Replace(goodItem, `"tuck-end"`, `""`, 1):  "DLN_1100 article",
		strings.Replace(goodItem, `"carton-300"`, "5", 1): "DLN_1101 material",
	} {
		r := checkQuotation(c, itemsQuery("["+goodItem+","+item+"]"))
		if r == nil || r.Item != 1 || string(r.Code)+" "+r.Path != want {
			t.Errorf("%s: %s, want %s of item 1", item, line(r), want)
		}
	}
	own := newChecker(t, preflight.Options{ValidationCodes: map[string]boxrules.Code{"material": "X_1"}})
	if r := checkDieline(own, "article=tuck-end&width=1"); r == nil || r.Code != "X_1" || r.Path != "material" {
		t.Errorf("the user's own code of the material: %s", line(r))
	}
	for field, code := range map[string]boxrules.Code{
		"Width": "DLN_1102", "type": "DLN_1105", "width": "", "depth": "1102", "height": "DLN_1104 ",
	} {
		var option *boxrules.OptionError
		_, err := preflight.New(boxrules.Default(), preflight.Options{ValidationCodes: map[string]boxrules.Code{field: code}})
		if !errors.As(err, &option) || option.Option != "validation-codes" || !strings.Contains(option.Message, "; accepted: ") {
			t.Errorf("%s=%s: error %v", field, code, err)
		}
	}
}

// TestProblem checks all members of problem details (RFC 9457).
func TestProblem(t *testing.T) {
	c := newChecker(t, preflight.Options{})
	explanation, err := boxrules.Default().Explain(bad, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := request(t, "GET", quotationPath+"?"+quotationQuery(t, good, bad))
	got := c.Check(r).Problem(r)
	ours, _ := json.Marshal([]any{got.Code, got.Path, *got.Item, got.Violations, got.Ranges, got.Nearest})
	want, _ := json.Marshal([]any{"BOX_3100", "", 1, explanation.Violations, explanation.Ranges, explanation.Nearest})
	if string(ours) != string(want) {
		t.Errorf("of the second item:\n%s\nwant\n%s", ours, want)
	}
	const start = `{"type":"about:blank","title":"Bad Request","status":400,`
	for target, want := range map[string]string{
		dielinePath + "?article=tuck-end&width=1": `"detail":"material: missing","instance":"/v1/reseller/dieline",` +
			`"error_type":"VALIDATION_ERROR","code":"DLN_1101","path":"material"}`,
		quotationPath + "?" + itemsQuery("["+goodItem+",5]"): `"detail":"items[1]: a number; accepted: a JSON object",` +
			`"instance":"/v1/reseller/quotation","error_type":"VALIDATION_ERROR","item":1}`,
		quotationPath + "?" + itemsQuery("[5,"+goodItem+"]"): `"detail":"items[0]: a number; accepted: a JSON object",` +
			`"instance":"/v1/reseller/quotation","error_type":"VALIDATION_ERROR","item":0}`,
		quotationPath + "?" + itemsQuery("[]"): `"detail":"items has 0 items; accepted: 1 to 100",` +
			`"instance":"/v1/reseller/quotation","error_type":"VALIDATION_ERROR"}`,
	} {
		r := request(t, "GET", target)
		text, err := json.Marshal(c.Check(r).Problem(r))
		if err != nil || string(text) != start+want {
			t.Errorf("%s:\n%s, %v\nwant\n%s", target, text, err, start+want)
		}
	}
}

func TestBaseRefused(t *testing.T) {
	for _, base := range []string{"api", "https://service.test/api", " /"} {
		_, err := preflight.New(boxrules.Default(), preflight.Options{Base: base})
		var option *boxrules.OptionError
		if !errors.As(err, &option) || option.Option != "base" || !strings.Contains(option.Message, "; accepted: ") {
			t.Errorf("the base %q: %v", base, err)
		}
	}
}
