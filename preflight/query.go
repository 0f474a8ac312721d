package preflight

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/internal/wording"
)

// The bounds of a request. The document has no such limits; these are far beyond what anybody asks
// for.
const (
	maxQuery = 64 << 10 // bytes
	maxItems = 100
	maxDepth = 16 // of JSON; items are nested four deep
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
	for i, to := range []*float64{&b.Width, &b.Depth, &b.Height} {
		name := dimensions[i]
		if *to, err = boxrules.ParseDimension(name, values[name]); err != nil {
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
	items := values["items"]
	if items == "" {
		return nil, invalid("items is missing; accepted: a JSON array of items")
	}
	if err := strictjson.Check([]byte(items), maxDepth); err != nil {
		return nil, invalid("items is not well formed: %v", err)
	}
	value := []byte(strings.Trim(items, " \t\r\n")) // no other blanks are JSON's
	list, ok := elements(value)
	switch {
	case !ok:
		return nil, invalid("items is %s; accepted: a JSON array of items", strictjson.Kind(value))
	case len(list) == 0 || len(list) > maxItems:
		return nil, invalid("items has %d items; accepted: 1 to %d", len(list), maxItems)
	}
	parsed := make([]Item, len(list))
	for i, value := range list {
		var err error
		if parsed[i], err = parseItem(value); err != nil {
			return nil, refusalOf(err).in(i)
		}
	}
	return parsed, nil
}

// boxFields names the parameters of a box (section 4), its dimensions last.
var boxFields = []string{"article", "material", "width", "depth", "height"}

// dimensions names those that are numbers.
var dimensions = boxFields[2:]

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
		if x, err := boxrules.ParseDimension("", text); err == nil && slices.Contains(dimensions, name) {
			values[name] = x
		}
	}
	return values
}

func parseItem(value json.RawMessage) (item Item, err error) {
	fields, ok := members(value)
	if !ok {
		return item, fmt.Errorf("%s; accepted: a JSON object", strictjson.Kind(value))
	}
	texts := make(map[string]string)
	for _, name := range []string{"article", "material", "manufacturing_time"} {
		if value, ok := fields[name]; ok {
			if texts[name], ok = strictjson.Text(value); !ok {
				return item, wrongField(name, "%s; accepted: a JSON string", strictjson.Kind(value))
			}
		}
	}
	item.Box.Article, item.Box.Material = texts["article"], texts["material"]
	if err := missingField(item.Box); err != nil {
		return item, err
	}
	for i, to := range []*float64{&item.Box.Width, &item.Box.Depth, &item.Box.Height} {
		name := dimensions[i]
		if *to, err = parseDimension(name, fields[name]); err != nil {
			return item, err
		}
	}
	for _, name := range []string{"printing", "gold", "silver", "varnish"} {
		if value, ok := fields[name]; ok {
			// The document has them as text; live services show booleans too.
			text, _ := strictjson.Text(value)
			if text = cmp.Or(text, string(value)); text != "true" && text != "false" {
				return item, fmt.Errorf(`%s is %s; accepted: true and false, as JSON booleans or strings`, name, shown(value))
			}
		}
	}
	item.Quantities, err = parseReferences(fields)
	return item, err
}

// parseDimension reads a dimension of an item, nil where there is none.
func parseDimension(name string, value json.RawMessage) (float64, error) {
	if value == nil {
		return boxrules.ParseDimension(name, "") // says what is missing
	}
	if kind := strictjson.Kind(value); kind != "a number" {
		return 0, wrongField(name, "%s; accepted: a JSON number", kind)
	}
	if len(value) > boxrules.MaxDimensionText {
		return 0, wrongField(name, "a number of %d characters; accepted: at most %d", len(value), boxrules.MaxDimensionText)
	}
	x, _ := strconv.ParseFloat(string(value), 64) // infinite where it is too large: the grammar is right
	if math.Abs(x) > exact.MaxDimension {
		return 0, wrongField(name, "out of range; accepted: a number from -%d to %[1]d", exact.MaxDimension)
	}
	return x, nil
}

// maxQuantity bounds a quantity far beyond any order, so that sums stay exact.
const maxQuantity = 1_000_000_000

func parseReferences(fields map[string]json.RawMessage) (quantities []int64, err error) {
	value, ok := fields["references"]
	if !ok {
		return nil, nil
	}
	references, ok := elements(value)
	if !ok {
		return nil, fmt.Errorf("references is %s; accepted: a JSON array", strictjson.Kind(value))
	}
	for i, value := range references {
		reference, ok := members(value)
		if !ok {
			return nil, fmt.Errorf("references[%d] is %s; accepted: a JSON object", i, strictjson.Kind(value))
		}
		quantity := reference["quantity"]
		n, err := strconv.ParseInt(string(quantity), 10, 64)
		if err != nil || n < 1 || n > maxQuantity {
			return nil, fmt.Errorf("references[%d]: quantity is %s; accepted: a positive integer of at most %d",
				i, shown(quantity), maxQuantity)
		}
		quantities = append(quantities, n)
	}
	return quantities, nil
}

// elements returns the elements of a value of JSON; ok is false for one that is no array.
func elements(value json.RawMessage) (list []json.RawMessage, ok bool) {
	err := json.Unmarshal(value, &list)
	return list, err == nil && list != nil
}

// members returns the members of a value of JSON in which no key stands twice; ok is false for one
// that is no object.
func members(value json.RawMessage) (fields map[string]json.RawMessage, ok bool) {
	if value[0] != '{' {
		return nil, false
	}
	return maps.Collect(strictjson.Members(value)), true
}

// shown returns a value as far as it is short, else its kind.
func shown(value json.RawMessage) string {
	if value == nil {
		return "missing"
	}
	switch kind := strictjson.Kind(value); kind {
	case "a string":
		s, _ := strictjson.Text(value)
		return "the string " + wording.Quote(s)
	case "a number":
		return "the number " + wording.Cut(string(value))
	default:
		return kind
	}
}
