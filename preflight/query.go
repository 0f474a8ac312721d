package preflight

import (
	"iter"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/boxrules"
)

// maxQuery bounds the query of a request, in bytes, and maxItems the items of a quotation. The
// document has no such limits; these are far beyond what anybody asks for.
const (
	maxQuery = 64 << 10
	maxItems = 100
)

// An Item is a box of a quotation (section 2.2). What else the document knows of an item has to be
// well formed, and decides nothing.
type Item struct {
	Box        boxrules.Box
	Quantities []int64 // of the item's references, each at least 1
}

// ParseDieline reads the query of a dieline request (section 4), without its question mark. The
// error is a *[Refusal], and the box then the zero one. Of the type the document does not say what
// it may be.
func ParseDieline(query string) (boxrules.Box, error) {
	values, err := parameters(query, "article", "material", "width", "depth", "height", "type")
	if err != nil {
		return boxrules.Box{}, refusalOf(err)
	}
	b := boxrules.Box{Article: values["article"], Material: values["material"]}
	if err := missingField(b); err != nil {
		return boxrules.Box{}, refusalOf(err)
	}
	for _, field := range dimensionsOf(&b.Dims) {
		if *field.to, err = boxrules.ParseDimension(field.name, values[field.name]); err != nil {
			return boxrules.Box{}, refusalOf(err)
		}
	}
	return b, nil
}

// ParseQuotation reads the query of a quotation request (section 4), without its question mark. The
// error is a *[Refusal], and there are no items then.
func ParseQuotation(query string) ([]Item, error) {
	values, err := parameters(query, "items", "shipping")
	if err != nil {
		return nil, refusalOf(err)
	}
	return parseItems(values["items"])
}

// A dimension names a field of a box as requests do.
type dimension struct {
	name string
	to   *float64
}

func dimensionsOf(d *boxrules.Dims) [3]dimension {
	return [3]dimension{{"width", &d.Width}, {"depth", &d.Depth}, {"height", &d.Height}}
}

// boxFields names the parameters of a box (section 4), its dimensions last.
var boxFields = []string{"article", "material", "width", "depth", "height"}

// pairs goes through the parameters of a query: each name without escapes, and its value as it is
// written. It passes over what has no name that can be read, such as %zz=1.
func pairs(query string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for pair := range strings.SplitSeq(query, "&") {
			name, value, _ := strings.Cut(pair, "=")
			name, err := url.QueryUnescape(name)
			if pair != "" && err == nil && !yield(name, value) {
				return
			}
		}
	}
}

// parameters returns the values of the documented parameters that the query has, by name. It passes
// over all others, such as Width=1, x=%zz and x=1&x=2.
func parameters(query string, documented ...string) (map[string]string, error) {
	if len(query) > maxQuery {
		return nil, invalid("the query has %d bytes; accepted: at most %d", len(query), maxQuery)
	}
	values := make(map[string]string, len(documented))
	for name, value := range pairs(query) {
		if !slices.Contains(documented, name) {
			continue
		}
		if _, twice := values[name]; twice {
			return nil, wrongField(name, "given twice; accepted: once")
		}
		text, err := url.QueryUnescape(value)
		switch {
		case err != nil:
			return nil, wrongField(name, "%v; accepted: %% and two hexadecimal digits, such as %%25", err)
		case !utf8.ValidString(text):
			return nil, wrongField(name, "not UTF-8; accepted: UTF-8")
		}
		values[name] = text
	}
	return values, nil
}

// echo returns the parameters of a query as the error body repeats them (section 7.1): the first
// value of each, of those that can be read. A dimension is a number, as live services write it. A
// query that is too large has none.
func echo(query string) map[string]any {
	if len(query) > maxQuery {
		return nil
	}
	values := make(map[string]any)
	for name, value := range pairs(query) {
		text, err := url.QueryUnescape(value)
		if _, twice := values[name]; twice || err != nil {
			continue
		}
		values[name] = text
		if x, err := boxrules.ParseDimension("", text); err == nil && slices.Contains(boxFields[2:], name) {
			values[name] = x
		}
	}
	return values
}
