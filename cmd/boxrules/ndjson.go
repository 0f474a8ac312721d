package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/delimited"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/internal/wording"
)

// An ndjsonList is a file of one JSON object a line.
type ndjsonList struct {
	fields []string               // names of those that count
	given  [firstDimension][]byte // nil where the rows give them
}

func (l *ndjsonList) whole(text []byte, final bool) int {
	if final {
		return len(text)
	}
	return bytes.LastIndexByte(text, '\n') + 1
}

func (l *ndjsonList) lines(text []byte) int { return countLines(text) }

func (l *ndjsonList) skip(text []byte) (n int, empty bool) {
	n = delimited.LineLength(text)
	return n, len(bytes.Trim(text[:n], " \t\r\n")) == 0
}

func (l *ndjsonList) read(text []byte, r *row) int {
	n := delimited.LineLength(text)
	if line := bytes.Trim(text[:n], " \t\r\n"); len(line) > 0 {
		r.readObject(line, l.fields)
		for field, name := range l.given {
			switch {
			case name == nil || r.object == nil:
			case r.known[field]:
				r.fail(field, "given twice, by --%s and in the row; accepted: one of them", fieldNames[field])
			default:
				r.names[field], r.known[field] = name, true
			}
		}
	} else {
		r.empty = true
	}
	return n
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
	r.object = line
	var values [answerCount]json.RawMessage
	var alike [answerCount]string // keys that are a field's but for their case
	for key, value := range strictjson.Members(line) {
		field := slices.Index(fields, key)
		if field < 0 {
			if field = slices.IndexFunc(fields, func(f string) bool { return strings.EqualFold(f, key) }); field >= 0 {
				alike[field] = key
			}
			continue
		}
		if values[field] != nil {
			r.fail(field, "given twice; accepted: once")
		}
		values[field] = value
	}
	for field, value := range values[:len(fields)] {
		if value == nil && alike[field] != "" && !r.known[field] {
			r.fail(field, "missing, but there is %s; accepted: the key %s, written so", wording.Quote(alike[field]), fields[field])
			continue
		}
		r.setJSON(field, value)
	}
}

// setJSON reads one field from a JSON value, nil where there is none.
func (r *row) setJSON(field int, value json.RawMessage) {
	switch {
	case value == nil && field < firstDimension: // what would be accepted is in the catalogue
	case value == nil && field < fieldCount:
		_, err := boxrules.ParseDimension(fieldNames[field], "")
		r.blame(err)
	case value == nil:
	case field >= fieldCount && (value[0] == '{' || value[0] == '[' || value[0] == 'n'):
		r.fail(field, "%s; accepted: a JSON string, number or boolean", strictjson.Kind(value))
	case field >= fieldCount:
		text, isText := strictjson.Text(value)
		if !isText {
			text = string(value)
		}
		r.answer[field-fieldCount], r.known[field] = text, true
	case field < firstDimension:
		text, ok := strictjson.Text(value)
		if !ok {
			r.fail(field, "%s; accepted: a JSON string", strictjson.Kind(value))
			return
		}
		r.known[field], r.names[field] = true, []byte(text)
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
		if !(x >= -exact.MaxDimension && x <= exact.MaxDimension) {
			r.fail(field, "%v is not a dimension; accepted: a number from -%d to %[2]d", x, exact.MaxDimension)
		}
	}
}
