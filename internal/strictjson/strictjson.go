// Package strictjson works around two properties of encoding/json. First, if an object contains the same key twice,
// encoding/json accepts the object and keeps only the last value. Second, encoding/json writes <, > and & as escapes.
package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"

	"example.com/boxrules/internal/wording"
)

// Members yields the keys and values of an object in the order of the text. A repeated key is yielded each
// time. The object must be valid JSON. Members is several times as fast as a json.Decoder.
func Members(object []byte) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		rest := skipSeparators(object, '{')
		for rest[0] != '}' {
			// rest begins with the quote of a key. Because the object is valid, there is no need to check for
			// its end.
			end := stringEnd(rest)
			key, _ := TextBytes(rest[:end])
			rest = skipSeparators(rest[end:], ':')
			end = valueEnd(rest)
			if !yield(string(key), rest[:end:end]) { // the capacity keeps an append from overwriting the next key
				return
			}
			rest = skipSeparators(rest[end:], ',')
		}
	}
}

// skipSeparators removes white space and separators from the start of s. Something else must follow them, which is
// always the case inside a valid object.
func skipSeparators(s []byte, separator byte) []byte {
	i := 0
	for s[i] == separator || s[i] == ' ' || s[i] == '\t' || s[i] == '\r' || s[i] == '\n' {
		i++
	}
	return s[i:]
}

// stringEnd returns the length of the string literal at the start of s, including its quotes.
func stringEnd(s []byte) int {
	for i := 1; ; i++ {
		switch s[i] {
		// The character after a backslash does not end the string, even if it is a quote.
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

// valueEnd returns the length of the value at the start of s. The value must be followed by a comma, or by the
// end of the object or array that contains it, because a number does not mark its own end.
func valueEnd(s []byte) int {
	for i, open := 0, 0; ; i++ { // open counts the brackets of the value that are not closed yet
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

// Text decodes a value that is a string. For any other value ok is false.
func Text(value []byte) (text string, ok bool) {
	unquoted, ok := TextBytes(value)
	return string(unquoted), ok
}

// TextBytes is like [Text], but returns bytes. If the string has no escapes, the result shares the memory of
// the value.
func TextBytes(value []byte) (text []byte, ok bool) {
	if value[0] != '"' {
		return nil, false
	}
	if bytes.IndexByte(value, '\\') < 0 {
		end := len(value) - 1
		return value[1:end:end], true // the capacity keeps an append from overwriting the quote
	}
	var unescaped string
	err := json.Unmarshal(value, &unescaped)
	return []byte(unescaped), err == nil
}

// Check returns an error if the text is not a single JSON value, if objects and arrays are nested more than maxDepth
// deep, or if an object contains the same key twice.
func Check(text []byte, maxDepth int) error {
	if err := json.Unmarshal(text, new(json.RawMessage)); err != nil {
		return err
	}
	return checkValue(bytes.TrimSpace(text), maxDepth, maxDepth)
}

func checkValue(value []byte, maxDepth, remainingDepth int) error {
	if (value[0] == '[' || value[0] == '{') && remainingDepth == 0 {
		return fmt.Errorf("it is nested too deeply; accepted: at most %d levels", maxDepth)
	}
	switch value[0] {
	case '[':
		var elements []json.RawMessage
		_ = json.Unmarshal(value, &elements) // cannot fail: Check has found the text valid
		for _, element := range elements {
			if err := checkValue(element, maxDepth, remainingDepth-1); err != nil {
				return err
			}
		}
	case '{':
		seen := make(map[string]bool)
		for key, member := range Members(value) {
			if seen[key] {
				return fmt.Errorf("the key %s is given twice; give it once", wording.Quote(key))
			}
			seen[key] = true
			if err := checkValue(member, maxDepth, remainingDepth-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// Kind returns the kind of a JSON value for use in a message, such as "an object".
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

// Marshal returns the value as one line of JSON that ends with a line break. It panics if the value cannot be
// written as JSON.
func Marshal(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("internal fault: " + err.Error())
	}
	return b.Bytes()
}
