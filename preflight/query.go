package preflight

import (
	"cmp"
	"encoding/json"
	"errors"
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
	"example.com/boxrules/internal/endpoint"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/internal/wording"
)

// The documented paths of the requests that a [Checker] judges.
const (
	dielinePath   = endpoint.Dieline
	quotationPath = endpoint.Quotation
)

// These constants limit the size of a request. The interface document has no such limits. Real requests
// are far smaller.
const (
	maxQuery = 64 << 10 // bytes
	maxItems = 100
	maxDepth = 16 // of nested JSON; documented items are nested four deep
)

// An Item is an item of a quotation (section 2.2): a box and its quantities. Other documented keys of an item
// must be well formed, but have no influence on the decision.
type Item struct {
	Box        boxrules.Box
	Quantities []int64 // the quantities of the item's references, each at least 1
}

// ParseDieline parses the query of a dieline request (section 4), without the question mark. The error is a
// *[Refusal]. The parameter named type may have any value, because the document does not list the valid
// values.
func ParseDieline(query string) (boxrules.Box, error) {
	items, err := parseItems(dielinePath, query)
	if err != nil {
		return boxrules.Box{}, newRefusal(err)
	}
	return items[0].Box, nil
}

// ParseQuotation parses the query of a quotation request (section 4), without the question mark. The error is
// a *[Refusal].
func ParseQuotation(query string) ([]Item, error) {
	items, err := parseItems(quotationPath, query)
	if err != nil {
		return nil, newRefusal(err)
	}
	return items, nil
}

// parseItems parses the query of a request for one of the documented paths. For a dieline request it returns one
// item without quantities.
func parseItems(path, query string) ([]Item, error) {
	if path == quotationPath {
		return parseQuotation(query)
	}
	box, err := parseDieline(query)
	return []Item{{Box: box}}, err
}

func parseDieline(query string) (b boxrules.Box, err error) {
	// The parameter type is listed so that it is refused if it is malformed or repeated. Its value does
	// not matter.
	values, err := documentedParameters(query, "article", "material", "width", "depth", "height", "type")
	if err != nil {
		return b, err
	}
	b.Article, b.Material = values["article"], values["material"]
	if err := checkRequiredFields(b); err != nil {
		return b, err
	}
	for i, dimension := range []*float64{&b.Width, &b.Depth, &b.Height} {
		name := dimensionNames[i]
		if *dimension, err = boxrules.ParseDimension(name, values[name]); err != nil {
			return b, err
		}
	}
	return b, nil
}

func parseQuotation(query string) ([]Item, error) {
	values, err := documentedParameters(query, "items", "shipping")
	if err != nil {
		return nil, err
	}
	text := values["items"]
	if text == "" {
		return nil, errors.New("items is missing; accepted: a JSON array of items")
	}
	// Check refuses repeated keys and deep nesting, so that all code below can rely on well-formed JSON.
	if err := strictjson.Check([]byte(text), maxDepth); err != nil {
		return nil, fmt.Errorf("items is not well formed: %w", err)
	}
	value := []byte(strings.Trim(text, " \t\r\n")) // JSON has no other white space
	list, ok := arrayElements(value)
	switch {
	case !ok:
		return nil, fmt.Errorf("items is %s; accepted: a JSON array of items", strictjson.Kind(value))
	case len(list) == 0 || len(list) > maxItems:
		return nil, fmt.Errorf("items has %d items; accepted: 1 to %d", len(list), maxItems)
	}
	// The first wrong item ends the check, because the answer can name only one item.
	items := make([]Item, len(list))
	for i, value := range list {
		if items[i], err = parseItem(value); err != nil {
			return nil, &itemError{i, err}
		}
	}
	return items, nil
}

// boxFields are the names of the parameters that describe a box (section 4).
var boxFields = []string{"article", "material", "width", "depth", "height"}

var dimensionNames = boxFields[2:]

// checkRequiredFields returns an error if the box has no article or no material.
func checkRequiredFields(b boxrules.Box) error {
	switch {
	case b.Article == "":
		return fieldError("article", "missing")
	case b.Material == "":
		return fieldError("material", "missing")
	}
	return nil
}

// queryParameters yields the unescaped name and the escaped value of each parameter of a query. It skips parameters
// whose name cannot be unescaped, such as %zz=1.
func queryParameters(query string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for pair := range strings.SplitSeq(query, "&") {
			// In a=1&&b=2 the second pair is empty, and is not a parameter.
			name, value, _ := strings.Cut(pair, "=")
			name, err := url.QueryUnescape(name)
			if pair != "" && err == nil && !yield(name, value) {
				return
			}
		}
	}
}

// documentedParameters returns the unescaped values of the documented parameters, keyed by name. It ignores all other
// parameters, so Width=1, x=%zz and x=1&x=2 are not errors.
func documentedParameters(query string, documented ...string) (map[string]string, error) {
	if len(query) > maxQuery {
		return nil, fmt.Errorf("the query has %d bytes; accepted: at most %d", len(query), maxQuery)
	}
	values := make(map[string]string, len(documented))
	for name, value := range queryParameters(query) {
		if !slices.Contains(documented, name) {
			continue
		}
		if _, repeated := values[name]; repeated {
			return nil, fieldError(name, "given twice; give it once")
		}
		// Only the values of documented parameters are unescaped, because a mistake in any other
		// parameter is no reason to refuse the request.
		text, err := url.QueryUnescape(value)
		switch {
		case err != nil:
			return nil, fieldError(name, "%v; accepted: %% and two hexadecimal digits, such as %%25", err)
		case !utf8.ValidString(text):
			return nil, fieldError(name, "not valid UTF-8; encode the query as UTF-8")
		}
		values[name] = text
	}
	return values, nil
}

// echoQuery returns the parameters of a query for the error body, which repeats them (section 7.1). It skips
// parameters that cannot be unescaped, and returns only the first value of a parameter that is repeated. As in
// the answers of live services, a dimension becomes a JSON number if its text is a number. echoQuery returns
// nil if the query is too large.
func echoQuery(query string) map[string]any {
	if len(query) > maxQuery {
		return nil
	}
	values := make(map[string]any)
	for name, value := range queryParameters(query) {
		text, err := url.QueryUnescape(value)
		if _, repeated := values[name]; repeated || err != nil {
			continue
		}
		// Write the text as a string, unless it is a dimension.
		values[name] = text
		if x, err := boxrules.ParseDimension("", text); err == nil && slices.Contains(dimensionNames, name) {
			values[name] = x
		}
	}
	return values
}

func parseItem(value json.RawMessage) (item Item, err error) {
	fields, ok := objectMembers(value)
	if !ok {
		return item, fmt.Errorf("%s; accepted: a JSON object", strictjson.Kind(value))
	}
	// Read the fields in a fixed order, so that an item with several mistakes always gets the same
	// message.
	texts := make(map[string]string)
	for _, name := range []string{"article", "material", "manufacturing_time"} {
		if value, ok := fields[name]; ok {
			if texts[name], ok = strictjson.Text(value); !ok {
				return item, fieldError(name, "%s; accepted: a JSON string", strictjson.Kind(value))
			}
		}
	}
	item.Box.Article, item.Box.Material = texts["article"], texts["material"]
	if err := checkRequiredFields(item.Box); err != nil {
		return item, err
	}
	for i, dimension := range []*float64{&item.Box.Width, &item.Box.Depth, &item.Box.Height} {
		name := dimensionNames[i]
		if *dimension, err = parseItemDimension(name, fields[name]); err != nil {
			return item, err
		}
	}
	for _, name := range []string{"printing", "gold", "silver", "varnish"} {
		if value, ok := fields[name]; ok {
			// In the interface document these values are strings. Live services also use booleans.
			text, _ := strictjson.Text(value)
			if text = cmp.Or(text, string(value)); text != "true" && text != "false" {
				return item, fmt.Errorf(`%s is %s; accepted: true and false, as JSON booleans or strings`, name, describeJSON(value))
			}
		}
	}
	item.Quantities, err = parseReferences(fields)
	return item, err
}

// parseItemDimension parses a dimension of an item. The value is nil if the item does not have the key.
func parseItemDimension(name string, value json.RawMessage) (float64, error) {
	if value == nil {
		return boxrules.ParseDimension(name, "") // the error says that it is missing
	}
	// Unlike a dimension in a query, a JSON number may have an exponent.
	if kind := strictjson.Kind(value); kind != "a number" {
		return 0, fieldError(name, "%s; accepted: a JSON number", kind)
	}
	if len(value) > boxrules.MaxDimensionLength {
		return 0, fieldError(name, "the number is %d characters long; at most %d are accepted", len(value), boxrules.MaxDimensionLength)
	}
	x, _ := strconv.ParseFloat(string(value), 64) // the only possible error is that the number is too large, and then x is infinite
	if math.Abs(x) > exact.MaxDimension {
		return 0, fieldError(name, "out of range; accepted: a number from -%d to %[1]d", exact.MaxDimension)
	}
	return x, nil
}

// maxQuantity is the maximum quantity that is accepted. It is far more than anybody orders, and keeps sums of
// quantities from overflowing.
const maxQuantity = 1_000_000_000

func parseReferences(fields map[string]json.RawMessage) (quantities []int64, err error) {
	value, ok := fields["references"]
	if !ok {
		return nil, nil
	}
	references, ok := arrayElements(value)
	if !ok {
		return nil, fmt.Errorf("references is %s; accepted: a JSON array", strictjson.Kind(value))
	}
	// Other keys of a reference are ignored. The quantity must be written as an integer: 1.0 and 1e2 are not.
	for i, value := range references {
		reference, ok := objectMembers(value)
		if !ok {
			return nil, fmt.Errorf("references[%d] is %s; accepted: a JSON object", i, strictjson.Kind(value))
		}
		quantity := reference["quantity"]
		n, err := strconv.ParseInt(string(quantity), 10, 64)
		if err != nil || n < 1 || n > maxQuantity {
			return nil, fmt.Errorf("references[%d]: quantity is %s; accepted: a positive integer of at most %d",
				i, describeJSON(quantity), maxQuantity)
		}
		quantities = append(quantities, n)
	}
	return quantities, nil
}

// arrayElements returns the elements of a JSON array. ok is false if the value is not an array.
func arrayElements(value json.RawMessage) (list []json.RawMessage, ok bool) {
	err := json.Unmarshal(value, &list)
	return list, err == nil && list != nil // null is not an error, but leaves list nil
}

// objectMembers returns the members of a JSON object, keyed by name. No name is repeated, because parseItems has
// checked that. ok is false if the value is not an object.
func objectMembers(value json.RawMessage) (fields map[string]json.RawMessage, ok bool) {
	if value[0] != '{' { // a value of well-formed JSON is not empty, and has no white space before it
		return nil, false
	}
	return maps.Collect(strictjson.Members(value)), true
}

// describeJSON describes a JSON value for a message. It quotes the beginning of a string or number,
// and returns "missing" for nil.
func describeJSON(value json.RawMessage) string {
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
