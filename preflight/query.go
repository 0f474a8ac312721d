package preflight

import (
	"maps"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/internal/wording"
)

// maxQuery bounds the query of a request, in bytes, and maxItems the items of a quotation. The document has no
// such limits; these are far beyond what anybody asks for.
const (
	maxQuery = 64 << 10
	maxItems = 100
)

// A Dieline is a request for the cutting layout of a box (section 4).
type Dieline struct {
	Box boxrules.Box
	// Type is passed on as it is: the document does not say what it may be.
	Type string
}

// A Quotation is a request for prices (section 4).
type Quotation struct {
	Items []Item
	// Shipping is the code of a destination, passed on as it is.
	Shipping string
}

// An Item is a box to be printed (section 2.2).
type Item struct {
	Box                             boxrules.Box
	Quantities                      []int64 // of the item's references, each at least 1
	Printing, Gold, Silver, Varnish bool
	ManufacturingTime               string // passed on as it is
}

// ParseDieline reads the query of a dieline request, without its question mark. The error is a *[Refusal].
func ParseDieline(query string) (Dieline, error) {
	values, err := parseQuery(query)
	if err != nil {
		return Dieline{}, err
	}
	d := Dieline{Type: values["type"]}
	d.Box.Article, d.Box.Material = values["article"], values["material"]
	if err := missingField(d.Box); err != nil {
		return Dieline{}, refusalOf(err)
	}
	for _, field := range dimensionsOf(&d.Box.Dims) {
		x, err := boxrules.ParseDimension(field.name, values[field.name])
		if err != nil {
			return Dieline{}, refusalOf(err)
		}
		*field.to = x
	}
	return d, nil
}

// ParseQuotation reads the query of a quotation request, without its question mark. The error is a *[Refusal].
func ParseQuotation(query string) (Quotation, error) {
	values, err := parseQuery(query)
	if err != nil {
		return Quotation{}, err
	}
	items, err := parseItems(values["items"])
	if err != nil {
		return Quotation{}, err
	}
	return Quotation{Items: items, Shipping: values["shipping"]}, nil
}

// A dimension is a field of a box with its name in requests.
type dimension struct {
	name string
	to   *float64
}

func dimensionsOf(d *boxrules.Dims) [3]dimension {
	return [3]dimension{{"width", &d.Width}, {"depth", &d.Depth}, {"height", &d.Height}}
}

// parseQuery reads a query in which every parameter stands once. The values of parameters are text.
func parseQuery(query string) (map[string]string, error) {
	if len(query) > maxQuery {
		return nil, invalid("the query has %d bytes; accepted: at most %d", len(query), maxQuery)
	}
	parsed, err := url.ParseQuery(query)
	switch {
	case strings.Contains(query, ";"):
		return nil, invalid("the query has a semicolon; accepted: parameters separated by &, and %%3B in a value")
	case err != nil:
		return nil, invalid("the query is not well formed: %v", err)
	}
	values := make(map[string]string, len(parsed))
	for _, name := range slices.Sorted(maps.Keys(parsed)) { // of several mistakes always the same is told
		all := parsed[name]
		if len(all) > 1 {
			return nil, invalid("%s is given %d times; accepted: once", wording.Quote(name), len(all))
		}
		if !utf8.ValidString(name + all[0]) {
			return nil, invalid("%s is not UTF-8; accepted: UTF-8", wording.Quote(name))
		}
		if unescaped(name) != name || unescaped(all[0]) != all[0] {
			return nil, invalid("%s is escaped twice; accepted: once", wording.Quote(name))
		}
		if word := readAs(name, parameters...); word != "" && word != name {
			return nil, invalid("%s could be read as %s; accepted: %[2]s, written so", wording.Quote(name), word)
		}
		values[name] = all[0]
	}
	if !strings.ContainsAny(query, "%?#") {
		return values, nil
	}
	// Who undoes escapes before taking the query apart may find more parameters in it.
	found := make(map[string]bool)
	for part := range strings.FieldsFuncSeq(unescaped(query), func(r rune) bool { return strings.ContainsRune("&;?#", r) }) {
		name, _, _ := strings.Cut(part, "=")
		word := readAs(name, parameters...)
		if found[word] {
			return nil, invalid("%s is given in a value too; accepted: once", word)
		}
		found[word] = word != ""
	}
	return values, nil
}

// parameters are the names that the document has for those of a dieline and of a quotation (section 4).
var parameters = []string{"article", "material", "width", "depth", "height", "type", "items", "shipping"}

// boxFields are those of a box, of which the last three are its dimensions.
var boxFields = parameters[:5]

// echo are the parameters of a query as the error body repeats them (section 7.1): the first value of each, of those that
// can be read. A dimension is a number, as live services write it, where a number says all that the text does.
func echo(query string) map[string]any {
	if len(query) > maxQuery {
		return nil
	}
	parsed, _ := url.ParseQuery(query) // what can be read, is read
	values := make(map[string]any, len(parsed))
	for name, all := range parsed {
		values[name] = all[0]
		if slices.Contains(boxFields[2:], name) {
			values[name] = number(all[0])
		}
	}
	return values
}

// number is a dimension as a float64 where that, written as short as it can be, is the same decimal; else the text:
// 80.50 is 80.5, and 0.10000000000000000001 stays text.
func number(text string) any {
	x, err := boxrules.ParseDimension("", text)
	if err != nil {
		return text
	}
	written, _ := new(big.Rat).SetString(text)
	if again, _ := new(big.Rat).SetString(strconv.FormatFloat(x, 'f', -1, 64)); again.Cmp(written) != 0 {
		return text
	}
	return x
}
