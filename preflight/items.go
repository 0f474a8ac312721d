package preflight

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/internal/source"
)

// parseItems reads the JSON text of a quotation's items (section 2.2).
func parseItems(text string) ([]Item, error) {
	if text == "" {
		return nil, invalid("items is missing; accepted: a JSON array of items")
	}
	value, err := parseJSON(text)
	if err != nil {
		return nil, invalid("items is not well formed: %v", err)
	}
	list, ok := value.([]any)
	switch {
	case !ok:
		return nil, invalid("items is %s; accepted: a JSON array of items", kind(value))
	case len(list) == 0:
		return nil, invalid("items is empty; accepted: 1 to %d items", maxItems)
	case len(list) > maxItems:
		return nil, invalid("items has %d items; accepted: at most %d", len(list), maxItems)
	}
	items := make([]Item, len(list))
	for i, value := range list {
		if items[i], err = parseItem(value); err != nil {
			r := refusalOf(err)
			r.Message = fmt.Sprintf("items[%d]: %s", i, r.Message)
			return nil, r
		}
	}
	return items, nil
}

func parseItem(value any) (item Item, err error) {
	fields, ok := value.(object)
	if !ok {
		return item, fmt.Errorf("%s; accepted: a JSON object", kind(value))
	}
	for _, text := range []struct {
		name string
		to   *string
	}{
		{"article", &item.Box.Article}, {"material", &item.Box.Material}, {"manufacturing_time", &item.ManufacturingTime},
	} {
		if value, ok := fields[text.name]; ok {
			if *text.to, ok = value.(string); !ok {
				return item, &boxrules.InputError{Field: text.name, Reason: kind(value) + "; accepted: a JSON string"}
			}
		}
	}
	for _, field := range dimensionsOf(&item.Box.Dims) {
		if err := parseDimension(fields, field); err != nil {
			return item, err
		}
	}
	for _, flag := range []struct {
		name string
		to   *bool
	}{
		{"printing", &item.Printing}, {"gold", &item.Gold}, {"silver", &item.Silver}, {"varnish", &item.Varnish},
	} {
		if value, ok := fields[flag.name]; ok {
			if text, ok := value.(string); !ok || text != "true" && text != "false" {
				return item, fmt.Errorf(`%s is %s; accepted: the JSON strings "true" and "false"`, flag.name, shown(value))
			}
			*flag.to = value == "true"
		}
	}
	item.Quantities, err = parseReferences(fields)
	return item, err
}

func parseDimension(fields object, field dimension) error {
	value, ok := fields[field.name]
	if !ok {
		_, err := boxrules.ParseDimension(field.name, "") // says what is missing
		return err
	}
	number, ok := value.(json.Number)
	if !ok {
		return fmt.Errorf("%s is %s; accepted: a JSON number", field.name, kind(value))
	}
	// The grammar is right, so that only the range can be wrong.
	x, err := strconv.ParseFloat(number.String(), 64)
	if err != nil || math.Abs(x) > maxDimension {
		return fmt.Errorf("%s is out of range; accepted: a number from -%d to %d", field.name, maxDimension, maxDimension)
	}
	*field.to = x
	return nil
}

// maxQuantity is far beyond any order, so that sums stay exact.
const maxQuantity = 1_000_000_000

// maxDimension is the greatest dimension that rules are asked about, in units.
const maxDimension = 1_000_000

func parseReferences(fields object) (quantities []int64, err error) {
	value, ok := fields["references"]
	if !ok {
		return nil, nil
	}
	references, ok := value.([]any)
	if !ok {
		return nil, fmt.Errorf("references is %s; accepted: a JSON array", kind(value))
	}
	for i, value := range references {
		reference, ok := value.(object)
		if !ok {
			return nil, fmt.Errorf("references[%d] is %s; accepted: a JSON object", i, kind(value))
		}
		quantity, ok := reference["quantity"]
		if !ok {
			return nil, fmt.Errorf("references[%d]: quantity is missing; accepted: a positive integer of at most %d", i, maxQuantity)
		}
		number, _ := quantity.(json.Number)
		n, err := strconv.ParseInt(number.String(), 10, 64)
		if err != nil || n < 1 || n > maxQuantity {
			return nil, fmt.Errorf("references[%d]: quantity is %s; accepted: a positive integer of at most %d", i, shown(quantity), maxQuantity)
		}
		quantities = append(quantities, n)
	}
	return quantities, nil
}

// An object is a JSON object in which no key stands twice.
type object map[string]any

// maxDepth bounds how deep JSON is nested; items are nested four deep.
const maxDepth = 16

// parseJSON reads one JSON value and nothing behind it: an object, []any, string, json.Number, bool or nil.
func parseJSON(text string) (any, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	value, err := parseValue(decoder, 0)
	if err == nil {
		_, behind := decoder.Token()
		if errors.Is(behind, io.EOF) {
			return value, nil
		}
		err = errors.New("there is text behind the value")
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("it ends too early")
	}
	return nil, err
}

func parseValue(decoder *json.Decoder, depth int) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	delimiter, ok := token.(json.Delim)
	if !ok {
		return token, nil
	}
	if depth == maxDepth {
		return nil, fmt.Errorf("it is nested too deep; accepted: at most %d", maxDepth)
	}
	list, fields := []any{}, object{}
	for decoder.More() {
		if delimiter == '[' {
			value, err := parseValue(decoder, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
			continue
		}
		key, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		name := key.(string) // the decoder accepts no other key
		if _, twice := fields[name]; twice {
			return nil, fmt.Errorf("the key %s is given twice; accepted: once", source.Quote(name))
		}
		if fields[name], err = parseValue(decoder, depth+1); err != nil {
			return nil, err
		}
	}
	if _, err := decoder.Token(); err != nil { // the closing bracket
		return nil, err
	}
	if delimiter == '[' {
		return list, nil
	}
	return fields, nil
}

// kind is what a JSON value is, for messages.
func kind(value any) string {
	switch value.(type) {
	case object:
		return "an object"
	case []any:
		return "an array"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case bool:
		return "a boolean"
	}
	return "null"
}

// shown is a value as far as it is short, else its kind.
func shown(value any) string {
	switch v := value.(type) {
	case string:
		return "the string " + source.Quote(v)
	case json.Number:
		return "the number " + strings.Trim(source.Quote(v.String()), `"`)
	}
	return kind(value)
}
