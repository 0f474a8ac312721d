package main

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/internal/source"
)

// ndjsonRows reads a file of one JSON object a line.
type ndjsonRows struct {
	text   *text
	lines  int
	number int
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
		if line = bytes.Trim(line, blank); len(line) > 0 {
			n.number++
			*r = row{number: n.number, line: n.lines}
			r.readObject(line)
			return nil
		}
		if err != nil {
			return io.EOF
		}
	}
}

// readObject reads a box from a JSON object.
func (r *row) readObject(line []byte) {
	switch {
	case !utf8.Valid(line):
		r.fail(-1, "the line is not UTF-8; accepted: UTF-8")
		return
	case !json.Valid(line):
		r.fail(-1, "no JSON: %v; accepted: one object a line", json.Unmarshal(line, new(json.RawMessage)))
		return
	case line[0] != '{':
		r.fail(-1, "%s; accepted: one JSON object a line", kindOfJSON(line))
		return
	}
	var values [fieldCount][]byte
	for o := (object{line[1:]}); ; {
		key, value, ok := o.member()
		if !ok {
			break
		}
		field := fieldOf(key)
		if field < 0 {
			continue
		}
		if values[field] != nil {
			r.fail(field, "given twice; accepted: once")
		}
		values[field] = value
	}
	for field, value := range values {
		r.setJSON(field, value)
	}
}

// setJSON reads one field from a JSON value, nil where there is none.
func (r *row) setJSON(field int, value []byte) {
	switch {
	case field < firstDimension:
		if value == nil {
			return // what would be accepted is in the catalogue
		}
		if value[0] != '"' {
			r.fail(field, "%s; accepted: a JSON string", kindOfJSON(value))
			return
		}
		r.setText(field, unquote(value))
	case value == nil:
		_, err := boxrules.ParseDimension(fieldNames[field], "")
		r.blame(err)
	case value[0] != '-' && (value[0] < '0' || value[0] > '9'):
		r.fail(field, "%s; accepted: a JSON number", kindOfJSON(value))
	default:
		// The grammar is right, so that only the range can be wrong.
		x, err := strconv.ParseFloat(string(value), 64)
		if err != nil {
			r.fail(field, "%s is out of range; accepted: a number such as 48 or 48.5", source.Cut(string(value)))
			return
		}
		r.setDimension(field, x)
	}
}

func fieldOf(key []byte) int {
	if bytes.IndexByte(key, '\\') >= 0 {
		return slices.Index(fieldNames[:], unquote(key))
	}
	switch string(key[1 : len(key)-1]) {
	case "article":
		return article
	case "material":
		return material
	case "width":
		return width
	case "depth":
		return depth
	case "height":
		return height
	}
	return -1
}

// unquote is the text of a JSON string.
func unquote(value []byte) string {
	text := string(value[1 : len(value)-1])
	if strings.IndexByte(text, '\\') >= 0 {
		// It cannot fail: the string is part of valid JSON.
		_ = json.Unmarshal(value, &text)
	}
	return text
}

// kindOfJSON names the kind of a value, for messages.
func kindOfJSON(value []byte) string {
	switch value[0] {
	case '"':
		return "a JSON string"
	case '{':
		return "a JSON object"
	case '[':
		return "a JSON array"
	case 't', 'f':
		return "a JSON boolean"
	case 'n':
		return "JSON null"
	}
	return "a JSON number"
}

// blank are the characters that JSON allows between its tokens.
const blank = " \t\r\n"

// An object is the rest of a JSON object that is known to be valid, behind its brace. encoding/json can
// tell that two keys are the same only by its Decoder, which takes several times as long.
type object struct{ rest []byte }

// member cuts the next member off; its key is in quotes. There is none where ok is false.
func (o *object) member() (key, value []byte, ok bool) {
	o.rest = bytes.TrimLeft(o.rest, blank+",")
	if o.rest[0] == '}' {
		return nil, nil, false
	}
	key = o.cut(stringEnd(o.rest))
	o.rest = bytes.TrimLeft(o.rest, blank+":")
	return key, o.cut(valueEnd(o.rest)), true
}

func (o *object) cut(end int) []byte {
	head := o.rest[:end]
	o.rest = o.rest[end:]
	return head
}

// stringEnd is the length of the string at the start of s.
func stringEnd(s []byte) int {
	for i := 1; ; i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

// valueEnd is the length of the value at the start of s, which has the end of its object behind it.
func valueEnd(s []byte) int {
	for i, open := 0, 0; ; i++ {
		switch s[i] {
		case '"':
			i += stringEnd(s[i:]) - 1
		case '{', '[':
			open++
		case '}', ']':
			if open == 0 {
				return i
			}
			open--
		case ',', ' ', '\t', '\r', '\n':
			if open == 0 {
				return i
			}
		}
	}
}
