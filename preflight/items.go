package preflight

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/internal/wording"
)

// maxDepth bounds how deep JSON is nested; items are nested four deep.
const maxDepth = 16

// parseItems reads the JSON text of a quotation's items (section 2.2).
func parseItems(items string) ([]Item, error) {
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
	for _, field := range dimensionsOf(&item.Box.Dims) {
		if err := parseDimension(fields, field); err != nil {
			return item, err
		}
	}
	for _, name := range []string{"printing", "gold", "silver", "varnish"} {
		if value, ok := fields[name]; ok {
			// The document has them as text; live services show booleans too.
			text, isText := strictjson.Text(value)
			if !isText {
				text = string(value)
			}
			if text != "true" && text != "false" {
				return item, fmt.Errorf(`%s is %s; accepted: true and false, as JSON booleans or strings`, name, shown(value))
			}
		}
	}
	item.Quantities, err = parseReferences(fields)
	return item, err
}

func parseDimension(fields map[string]json.RawMessage, field dimension) error {
	value, ok := fields[field.name]
	if !ok {
		_, err := boxrules.ParseDimension(field.name, "") // says what is missing
		return err
	}
	if kind := strictjson.Kind(value); kind != "a number" {
		return wrongField(field.name, "%s; accepted: a JSON number", kind)
	}
	if len(value) > boxrules.MaxDimensionText {
		return wrongField(field.name, "a number of %d characters; accepted: at most %d", len(value), boxrules.MaxDimensionText)
	}
	// The grammar is right, so that only the range can be wrong.
	x, err := strconv.ParseFloat(string(value), 64)
	if err != nil || math.Abs(x) > exact.MaxDimension {
		return wrongField(field.name, "out of range; accepted: a number from -%d to %[1]d", exact.MaxDimension)
	}
	*field.to = x
	return nil
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
			return nil, fmt.Errorf("references[%d]: quantity is %s; accepted: a positive integer of at most %d", i, shown(quantity), maxQuantity)
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
