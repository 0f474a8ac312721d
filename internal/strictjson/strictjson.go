// Package strictjson goes around what encoding/json does unasked: of a key that stands twice in an
// object it keeps the last, and it writes <, > and & as escapes.
package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"

	"example.com/boxrules/internal/wording"
)

// Members goes through the members of an object in their order, whatever their keys. The object is
// valid JSON. A json.Decoder would take several times as long for it.
func Members(object []byte) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		rest := skipSeparators(object, "{")
		for rest[0] != '}' {
			end := stringEnd(rest)
			key, _ := Text(rest[:end])
			rest = skipSeparators(rest[end:], ":")
			end = valueEnd(rest)
			if !yield(key, rest[:end:end]) {
				return
			}
			rest = skipSeparators(rest[end:], ",")
		}
	}
}

// skip returns what follows blanks and the separator.
func skipSeparators(s []byte, separator string) []byte { return bytes.TrimLeft(s, " \t\r\n"+separator) }

// stringEnd returns the length of the string at the start of s.
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

// valueEnd returns the length of the value at the start of s, which has the end of its object or
// array behind it.
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

// Text returns the text of a value that is a string; ok is false for any other.
func Text(value []byte) (text string, ok bool) {
	if value[0] != '"' {
		return "", false
	}
	if bytes.IndexByte(value, '\\') >= 0 {
		err := json.Unmarshal(value, &text)
		return text, err == nil
	}
	return string(value[1 : len(value)-1]), true
}

// Check says what is wrong with a text that should be one value of JSON, nested at most that deep,
// in which no object has a key twice.
func Check(text []byte, maxDepth int) error {
	if err := json.Unmarshal(text, new(json.RawMessage)); err != nil {
		return err
	}
	return checkValue(bytes.TrimSpace(text), maxDepth, maxDepth)
}

func checkValue(value []byte, maxDepth, remainingDepth int) error {
	if (value[0] == '[' || value[0] == '{') && remainingDepth == 0 {
		return fmt.Errorf("it is nested too deep; accepted: at most %d", maxDepth)
	}
	switch value[0] {
	case '[':
		var elements []json.RawMessage
		_ = json.Unmarshal(value, &elements) // which is valid
		for _, element := range elements {
			if err := checkValue(element, maxDepth, remainingDepth-1); err != nil {
				return err
			}
		}
	case '{':
		seen := make(map[string]bool)
		for key, member := range Members(value) {
			if seen[key] {
				return fmt.Errorf("the key %s is given twice; accepted: once", wording.Quote(key))
			}
			seen[key] = true
			if err := checkValue(member, maxDepth, remainingDepth-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// Kind names the kind of a value of JSON, such as "an object", by how it begins.
func Kind(value []byte) string {
	switch value[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// Marshal writes a line of JSON for programs and people. It panics where the value cannot be
// written.
func Marshal(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("internal fault: " + err.Error())
	}
	return b.Bytes()
}
