package lists

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/internal/wording"
)

// An ndjsonFormat reads one JSON object a line.
type ndjsonFormat struct {
	fields []string               // names of those that count
	given  [FirstDimension][]byte // nil where the rows give them
	ends   string                 // the bytes that end a row
}

// In a record zero bytes are what a crash leaves in place of text. They end a row as a line end does,
// so that an answer after them is read.
const (
	boxEnds    = "\n"
	recordEnds = boxEnds + "\x00"
)

func (l *ndjsonFormat) whole(text []byte, final bool) int {
	if final {
		return len(text)
	}
	return bytes.LastIndexAny(text, l.ends) + 1
}

// rowLength returns the length of the first row of a text, with its end: a line end or a run of zero
// bytes.
func (l *ndjsonFormat) rowLength(text []byte) int {
	n := bytes.IndexAny(text, l.ends) + 1
	switch {
	case n == 0:
		return len(text)
	case text[n-1] == 0:
		return len(text) - len(bytes.TrimLeft(text[n:], "\x00"))
	}
	return n
}

// trim returns a row without its end and the blanks around it.
func (l *ndjsonFormat) trim(row []byte) []byte { return bytes.Trim(row, " \t\r"+l.ends) }

func (l *ndjsonFormat) skip(text []byte) (n int, empty bool) {
	n = l.rowLength(text)
	return n, len(l.trim(text[:n])) == 0
}

func (l *ndjsonFormat) read(text []byte, r *Row) int {
	n := l.rowLength(text)
	if line := l.trim(text[:n]); len(line) > 0 {
		l.readObject(line, r)
		for field, name := range l.given {
			switch {
			case name == nil || r.Object == nil:
			case r.Known[field]:
				r.Fail(field, "given twice, by --%s and in the row; accepted: one of them", FieldNames[field])
			default:
				r.Names[field], r.Known[field] = name, true
			}
		}
	} else {
		r.Empty = true
	}
	return n
}

// readObject reads a box, or an answer, from a JSON object.
func (l *ndjsonFormat) readObject(line []byte, r *Row) {
	switch {
	case !utf8.Valid(line):
		r.Fail(-1, "the line is not UTF-8; accepted: UTF-8")
		return
	case !json.Valid(line):
		r.Fail(-1, "not JSON: %v; accepted: one object a line", json.Unmarshal(line, new(json.RawMessage)))
		return
	case line[0] != '{':
		r.Fail(-1, "%s; accepted: one JSON object a line", strictjson.Kind(line))
		return
	}
	r.Object = line
	var values [answerCount]json.RawMessage
	for key, value := range strictjson.Members(line) {
		field := slices.Index(l.fields, key)
		if field < 0 {
			continue
		}
		if values[field] != nil {
			r.Fail(field, "given twice; accepted: once")
		}
		values[field] = value
	}
	for field, value := range values[:len(l.fields)] {
		readNDJSONField(r, field, value)
	}
}

// readNDJSONField reads one field from a JSON value, nil where there is none.
func readNDJSONField(r *Row, field int, value json.RawMessage) {
	switch {
	case value == nil && field < FirstDimension: // what would be accepted is in the catalogue
	case value == nil && field < FieldCount:
		_, err := boxrules.ParseDimension(FieldNames[field], "")
		r.Blame(err)
	case value == nil:
	case field >= FieldCount && (value[0] == '{' || value[0] == '[' || value[0] == 'n'):
		r.Fail(field, "%s; accepted: a JSON string, number or boolean", strictjson.Kind(value))
	case field >= FieldCount:
		text, isText := strictjson.Text(value)
		if !isText {
			text = string(value)
		}
		r.Answer[field-FieldCount], r.Known[field] = text, true
	case field < FirstDimension:
		text, ok := strictjson.Text(value)
		if !ok {
			r.Fail(field, "%s; accepted: a JSON string", strictjson.Kind(value))
			return
		}
		r.Known[field], r.Names[field] = true, []byte(text)
	case strictjson.Kind(value) != "a number":
		r.Fail(field, "%s; accepted: a JSON number", strictjson.Kind(value))
	case len(value) > boxrules.MaxDimensionText:
		r.Fail(field, "a number of %d characters; accepted: at most %d", len(value), boxrules.MaxDimensionText)
	default:
		// The grammar is right, so that only the range can be wrong.
		x, err := strconv.ParseFloat(string(value), 64)
		if err != nil {
			r.Fail(field, "%s is out of range; accepted: a number such as 48 or 48.5", wording.Cut(string(value)))
			return
		}
		r.Known[field], r.Dimensions[field-FirstDimension] = true, x
		if !(x >= -exact.MaxDimension && x <= exact.MaxDimension) {
			r.Fail(field, "%v is not a dimension; accepted: a number from -%d to %[2]d", x, exact.MaxDimension)
		}
	}
}
