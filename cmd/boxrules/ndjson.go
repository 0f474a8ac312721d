package main

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/internal/wording"
)

// ndjsonRows reads a file of one JSON object a line.
type ndjsonRows struct {
	text   *rowText
	fields []string // names of those that count
	lines  int
}

func (n *ndjsonRows) line() int { return n.lines }

func (n *ndjsonRows) next(r *row) error {
	for {
		n.text.begin()
		n.lines++
		line, err := n.text.ReadSlice('\n')
		if failed := n.text.failed(); failed != nil {
			return failed
		}
		if line = bytes.Trim(line, " \t\r\n"); len(line) > 0 {
			r.readObject(line, n.fields)
			return nil
		}
		if err != nil {
			return io.EOF
		}
	}
}

// readObject reads a box, or an answer, from a JSON object.
func (r *row) readObject(line []byte, fields []string) {
	switch {
	case !utf8.Valid(line):
		r.fail(-1, "the line is not UTF-8; accepted: UTF-8")
		return
	case !json.Valid(line):
		r.fail(-1, "not JSON: %v; accepted: one object a line", json.Unmarshal(line, new(json.RawMessage)))
		return
	case line[0] != '{':
		r.fail(-1, "%s; accepted: one JSON object a line", strictjson.Kind(line))
		return
	}
	var values [answerCount]json.RawMessage
	for key, value := range strictjson.Members(line) {
		field := slices.Index(fields, key)
		if field < 0 {
			continue
		}
		if values[field] != nil {
			r.fail(field, "given twice; accepted: once")
		}
		values[field] = value
	}
	for field, value := range values[:len(fields)] {
		r.setJSON(field, value)
	}
}

// setJSON reads one field from a JSON value, nil where there is none.
func (r *row) setJSON(field int, value json.RawMessage) {
	switch {
	case value == nil && field < firstDimension: // what would be accepted is in the catalogue
	case value == nil && field < fieldCount:
		r.set(field, "")
	case value == nil:
	case field >= fieldCount && (value[0] == '{' || value[0] == '[' || value[0] == 'n'):
		r.fail(field, "%s; accepted: a JSON string, number or boolean", strictjson.Kind(value))
	case field >= fieldCount:
		text, isText := strictjson.Text(value)
		if !isText {
			text = string(value)
		}
		r.set(field, text)
	case field < firstDimension:
		text, ok := strictjson.Text(value)
		if !ok {
			r.fail(field, "%s; accepted: a JSON string", strictjson.Kind(value))
			return
		}
		r.known[field], r.texts[field] = true, text
	case strictjson.Kind(value) != "a number":
		r.fail(field, "%s; accepted: a JSON number", strictjson.Kind(value))
	case len(value) > boxrules.MaxDimensionText:
		r.fail(field, "a number of %d characters; accepted: at most %d", len(value), boxrules.MaxDimensionText)
	default:
		// The grammar is right, so that only the range can be wrong.
		x, err := strconv.ParseFloat(string(value), 64)
		if err != nil {
			r.fail(field, "%s is out of range; accepted: a number such as 48 or 48.5", wording.Cut(string(value)))
			return
		}
		r.known[field], r.dimensions[field-firstDimension] = true, x
	}
}
