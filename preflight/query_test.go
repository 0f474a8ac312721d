package preflight_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
)

func TestParseDieline(t *testing.T) {
	box := func(article, material string, w, d, h float64) boxrules.Box {
		return boxrules.Box{Article: article, Material: material, Dims: boxrules.Dims{Width: w, Depth: d, Height: h}}
	}
	for _, test := range []struct {
		query string
		want  boxrules.Box
	}{
		{goodQuery, good},
		{goodQuery + "&type=a;b", good},
		{"type=pdf&height=120&depth=50&width=100&material=carton-300&article=tuck-end", good},
		{"article=a+b%2Fc&material=%C3%A9&width=48.5&depth=-0&height=0.125&unknown=1&",
			box("a b/c", "é", 48.5, 0, 0.125)},
		{"article=a&material=%3B%26%3D&width=-1000000&depth=1000000&height=007", box("a", ";&=", -1e6, 1e6, 7)},
		{"%61rticle=a&material=m&width=1&depth=2&height=3&&type=", box("a", "m", 1, 2, 3)},
	} {
		got, err := preflight.ParseDieline(test.query)
		if err != nil || got != test.want {
			t.Errorf("ParseDieline(%q) = %+v, %v, want %+v", test.query, got, err, test.want)
		}
	}
}

func TestParseDielineRefuses(t *testing.T) {
	change := func(old, new string) string {
		if !strings.Contains(goodQuery, old) {
			t.Fatalf("%s does not occur", old)
		}
		return strings.Replace(goodQuery, old, new, 1)
	}
	const escape = "; accepted: % and two hexadecimal digits, such as %25"
	const number = " is not a dimension; accepted: a plain decimal such as 48 or 48.5"
	for _, test := range []struct{ query, want string }{
		{"", "VALIDATION_ERROR: article: missing"},
		{change("article=tuck-end&", ""), "VALIDATION_ERROR: article: missing"},
		{change("article=", "Article="), "VALIDATION_ERROR: article: missing"},
		{change("material=carton-300&", ""), "VALIDATION_ERROR DLN_1101: material: missing [material]"},
		{change("width=100&", ""), "VALIDATION_ERROR: width: missing; enter a width"},
		{change("depth=50&", ""), "VALIDATION_ERROR: depth: missing; enter a depth"},
		{change("&height=120", ""), "VALIDATION_ERROR: height: missing; enter a height"},
		{change("=100", "=1e2"), `VALIDATION_ERROR: width: "1e2"` + number},
		{change("=100", "=1%2C5"), `VALIDATION_ERROR: width: "1,5"` + number},
		{change("=120", "=1%0A"), `VALIDATION_ERROR: height: "1\n"` + number},
		{change("=120", "=1000000.1"), "VALIDATION_ERROR: height: 1000000.1 is not a dimension; accepted: a number from -1000000 to 1000000"},
		{goodQuery + "&width=100", "VALIDATION_ERROR: width: given twice; give it once"},
		{goodQuery + "&%77idth=", "VALIDATION_ERROR: width: given twice; give it once"},
		{change("&depth", ";depth"), `VALIDATION_ERROR: width: "100;depth=50"` + number},
		{goodQuery + "&type=%", `VALIDATION_ERROR: type: invalid URL escape "%"` + escape},
		{change("=tuck-end", "=%zz"), `VALIDATION_ERROR: article: invalid URL escape "%zz"` + escape},
		{change("=carton-300", "=%zz"), `VALIDATION_ERROR DLN_1101: material: invalid URL escape "%zz"` + escape + " [material]"},
		{goodQuery + "&type=%FF", "VALIDATION_ERROR: type: not valid UTF-8; encode the query as UTF-8"},
		{goodQuery + "&type=" + strings.Repeat("x", 64<<10), "VALIDATION_ERROR: the query has 65608 bytes; accepted: at most 65536"},
	} {
		got, err := preflight.ParseDieline(test.query)
		var r *preflight.Refusal
		if !errors.As(err, &r) || got != (boxrules.Box{}) {
			t.Errorf("ParseDieline(%.200q) = %+v, %v, want a Refusal", test.query, got, err)
			continue
		}
		if line(r) != test.want {
			t.Errorf("ParseDieline(%.200q):\n%s\nwant\n%s", test.query, line(r), test.want)
		}
		if r.Item != -1 || r.Box != nil {
			t.Errorf("ParseDieline(%.200q): item %d, box %v, want neither", test.query, r.Item, r.Box)
		}
	}
	// At the limit of the size everything is as ever.
	padded := goodQuery + "&type=" + strings.Repeat("x", 64<<10-len(goodQuery)-len("&type="))
	if _, err := preflight.ParseDieline(padded); err != nil {
		t.Errorf("a query of 65536 bytes: %v", err)
	}
}

const goodItem = `{"article":"tuck-end","material":"carton-300","width":100,"depth":50,"height":120}`

func TestParseQuotation(t *testing.T) {
	full := `{"article":"tuck-end","material":"carton-300","width":100,"depth":5e1,"height":120.0,` +
		`"references":[{"quantity":1,"name":"x"},{"quantity":1000000000}],"printing":"true","gold":"false","silver":"true",` +
		`"varnish":"true","manufacturing_time":"express","more":[[{}]]}`
	for _, test := range []struct {
		query string
		want  []preflight.Item
	}{
		{itemsQuery("[" + goodItem + "]"), []preflight.Item{{Box: good}}},
		{itemsQuery(" [ "+goodItem+" ,\n"+full+"]\t") + "&shipping=DE&other=1", []preflight.Item{
			{Box: good},
			{Box: good, Quantities: []int64{1, 1000000000}},
		}},
		// Flags are text in the document, and booleans in some services.
		{itemsQuery("[" + strings.Replace(goodItem, "}", `,"printing":true,"gold":false,"silver":"true","varnish":"false"}`, 1) + "]"),
			[]preflight.Item{{Box: good}}},
		// An escape in a key is the key.
		{itemsQuery(strings.Replace("["+goodItem+"]", "width", `w\u0069dth`, 1)), []preflight.Item{{Box: good}}},
		{itemsQuery(`[{"article":"a","material":"m","width":-0.0,"depth":1E-3,"height":0.30000000000000004,"references":[]}]`),
			[]preflight.Item{{Box: boxrules.Box{Article: "a", Material: "m",
				Dims: boxrules.Dims{Width: 0, Depth: 0.001, Height: 0.30000000000000004}}}}},
		// The greatest dimensions, and a number of 64 characters.
		{itemsQuery(`[{"article":"a","material":"m","width":-1000000,"depth":1E6,"height":48.5` + strings.Repeat("0", 60) + `}]`),
			[]preflight.Item{{Box: boxrules.Box{Article: "a", Material: "m", Dims: boxrules.Dims{Width: -1e6, Depth: 1e6, Height: 48.5}}}}},
	} {
		got, err := preflight.ParseQuotation(test.query)
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("ParseQuotation(%q) = %+v, %v, want %+v", test.query, got, err, test.want)
		}
	}
	if got, err := preflight.ParseQuotation(itemsQuery("[" + strings.Repeat(goodItem+",", 99) + goodItem + "]")); err != nil ||
		len(got) != 100 {
		t.Errorf("100 items: %d, %v", len(got), err)
	}
}

func TestParseQuotationRefuses(t *testing.T) {
	item := func(old, new string) string {
		if !strings.Contains(goodItem, old) {
			t.Fatalf("%s does not occur", old)
		}
		return "[" + strings.Replace(goodItem, old, new, 1) + "]"
	}
	with := func(fields string) string { return item("}", ","+fields+"}") }
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	const flag = `; accepted: true and false, as JSON booleans or strings`
	for _, test := range []struct{ items, want string }{
		{"", "items is missing; accepted: a JSON array of items"},
		{"[" + goodItem, "items is not well formed: unexpected end of JSON input"},
		{"\u00a0[" + goodItem + "]", "items is not well formed: invalid character 'Â' looking for beginning of value"},
		{"null", "items is null; accepted: a JSON array of items"},
		{goodItem, "items is an object; accepted: a JSON array of items"},
		{"[]", "items has 0 items; accepted: 1 to 100"},
		{"[" + strings.Repeat(goodItem+",", 100) + goodItem + "]", "items has 101 items; accepted: 1 to 100"},
		{deep(17), "items is not well formed: it is nested too deeply; accepted: at most 16 levels"},
		{"[null]", "items[0]: null; accepted: a JSON object"},
		{"[" + goodItem + ",[]]", "items[1]: an array; accepted: a JSON object"},
		{item(`"width":100`, `"width":100,"width":100`), `items is not well formed: the key "width" is given twice; give it once`},
		{with(`"more":{"a":1,"a":1}`), `items is not well formed: the key "a" is given twice; give it once`},
		{item(`"tuck-end"`, `1`), "items[0]: article: a number; accepted: a JSON string"},
		{item(`"tuck-end"`, `null`), "items[0]: article: null; accepted: a JSON string"},
		{with(`"manufacturing_time":true`), "items[0]: manufacturing_time: a boolean; accepted: a JSON string"},
		{item(`100`, `"100"`), "items[0]: width: a string; accepted: a JSON number"},
		{item(`50`, `null`), "items[0]: depth: null; accepted: a JSON number"},
		{item(`,"height":120`, ``), "items[0]: height: missing; enter a height"},
		{item(`"width"`, `"Width"`), "items[0]: width: missing; enter a width"},
		{item(`100`, "48."+strings.Repeat("0", 62)), "items[0]: width: the number is 65 characters long; at most 64 are accepted"},
		{item(`100`, `1000000.001`), "items[0]: width: out of range; accepted: a number from -1000000 to 1000000"},
		{item(`100`, `1e999`), "items[0]: width: out of range; accepted: a number from -1000000 to 1000000"},
		{with(`"printing":[true]`), "items[0]: printing is an array" + flag},
		{with(`"printing":"TRUE"`), `items[0]: printing is the string "TRUE"` + flag},
		{with(`"varnish":0`), `items[0]: varnish is the number 0` + flag},
		{with(`"varnish":null`), `items[0]: varnish is null` + flag},
		{with(`"references":{"quantity":1}`), "items[0]: references is an object; accepted: a JSON array"},
		{with(`"references":[1]`), "items[0]: references[0] is a number; accepted: a JSON object"},
		{with(`"references":[{"quantity":1},{}]`),
			"items[0]: references[1]: quantity is missing; accepted: a positive integer of at most 1000000000"},
		{with(`"references":[{"quantity":0}]`),
			"items[0]: references[0]: quantity is the number 0; accepted: a positive integer of at most 1000000000"},
		{with(`"references":[{"quantity":1.5}]`),
			"items[0]: references[0]: quantity is the number 1.5; accepted: a positive integer of at most 1000000000"},
		{with(`"references":[{"quantity":1e2}]`),
			"items[0]: references[0]: quantity is the number 1e2; accepted: a positive integer of at most 1000000000"},
	} {
		got, err := preflight.ParseQuotation(itemsQuery(test.items))
		var r *preflight.Refusal
		if !errors.As(err, &r) || got != nil {
			t.Errorf("ParseQuotation(items=%.200s) = %+v, %v, want a Refusal", test.items, got, err)
			continue
		}
		if want := "VALIDATION_ERROR: " + test.want; line(r) != want {
			t.Errorf("ParseQuotation(items=%.200s):\n%s\nwant\n%s", test.items, line(r), want)
		}
	}
	if _, err := preflight.ParseQuotation(itemsQuery(with(`"more":` + deep(14)))); err != nil {
		t.Errorf("16 levels: %v", err)
	}
	// A material that is not a string is a wrong material.
	for _, material := range []string{"5", "null", "{}", `["carton-300"]`} {
		_, err := preflight.ParseQuotation(itemsQuery(`[{"article":"tuck-end","material":` + material + `,"width":100,"depth":50,"height":120}]`))
		var r *preflight.Refusal
		if !errors.As(err, &r) || r.Code != "DLN_1101" || r.Path != "material" || !strings.HasPrefix(r.Message, "items[0]: material: ") {
			t.Errorf("the material %s: %v, want DLN_1101", material, err)
		}
	}
	// What cannot be a quantity on any sheet is refused, whatever the message.
	if _, err := preflight.ParseQuotation(itemsQuery(with(`"references":[{"quantity":2147483648}]`))); err == nil {
		t.Error("2147483648 boxes are accepted")
	}
	for _, query := range []string{"items=[]&items=[]", "items=[];shipping=x", "items=%", "shipping=" + strings.Repeat("x", 64<<10),
		"Items=[]"} {
		_, err := preflight.ParseQuotation(query)
		var r *preflight.Refusal
		if !errors.As(err, &r) || r.Type != boxrules.TypeValidationError || r.Code != "" {
			t.Errorf("ParseQuotation(%.40q): %v, want a VALIDATION_ERROR", query, err)
		}
	}
}
