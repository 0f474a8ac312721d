package strictyaml

import (
	"fmt"
	"strings"
	"testing"
)

func TestPositionAt(t *testing.T) {
	for _, test := range []struct {
		name, data string
		// text is the decoded value, and places are where its characters stand, from offset 0 to
		// the one behind the last.
		text, places string
	}{
		{"plain", "a: bcd", "bcd", "1:4 1:5 1:6 1:7"},
		{"plain with spaces", "a: b  c # d", "b  c", "1:4 1:7 1:7 1:7 1:8"},
		{"plain folded", "a: b\n  c\n\n\n  d\n", "b c\n\nd", "1:4 2:3 2:3 5:3 5:3 5:3 5:4"},
		{"plain with CR LF", "a: b\r\n  c\r\ne: f\r\n", "b c", "1:4 2:3 2:3 2:4"},
		{"behind other alphabets", "\"é漢😀\": ä😀ö", "ä😀ö", "1:8 1:9 1:10 1:11"},
		{"behind a byte order mark", "\ufeffa: b", "b", "1:4 1:5"},
		{"single-quoted", "a: 'b''c'", "b'c", "1:5 1:6 1:8 1:9"},
		{"single-quoted, folded", "a: ' b  \n   c ' # d", " b c ", "1:6 1:6 2:4 2:4 2:5 2:5"},
		{"backslash in single quotes", `a: '\n\'`, `\n\`, "1:5 1:6 1:7 1:8"},
		{"double-quoted", `a: "b'c"`, "b'c", "1:5 1:6 1:7 1:8"},
		{"escapes", `a: "b\x41c\n"`, "bAc\n", "1:5 1:4 1:4 1:4 1:4"},
		{"white escapes", `a: "\tb"`, "\tb", "1:4 1:4 1:4"},
		{"escaped line break", "a: \"b\\\n   c\"", "bc", "1:5 1:4 1:4"},
		{"quote at the line end", "a: \"\n  b\n  \"", " b ", "2:3 2:3 2:4 2:4"},
		{"literal", "a: |\n  b\n   c\nd: e\n", "b\n c\n", "2:3 3:4 3:4 3:4 3:5 3:5"},
		{"literal with a header", "a: |2-  # b\n\n    c\n  d", "\n  c\nd", "3:5 3:5 3:5 3:5 4:3 4:3 4:4"},
		{"folded", "a: >\n  b\n  c\n\n  d\n\n# e\n", "b c\nd\n", "2:3 3:3 3:3 5:3 5:3 5:4 5:4"},
		{"folded with a header", "a: >+1 # é |\n b\n\n", "b\n\n", "2:2 2:3 2:3 2:3"},
		{"hash in a literal", "a: |\n  # b\n  c # d", "# b\nc # d", "2:3 2:5 2:5 3:3 3:3 3:5 3:5 3:7 3:7 3:8"},
		{"white only", `a: "  "`, "  ", "1:4 1:4 1:4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			value := parse(t, test.data).Root().Entries()[0].Value
			if value.yaml.Value != test.text {
				t.Fatalf("%q holds %q, want %q", test.data, value.yaml.Value, test.text)
			}
			var places []string
			for offset := range len([]rune(test.text)) + 1 {
				at := value.PositionAt(offset)
				places = append(places, fmt.Sprintf("%d:%d", at.Line, at.Column))
			}
			if got := strings.Join(places, " "); got != test.places {
				t.Errorf("%q: %q is at %s, want %s", test.data, test.text, got, test.places)
			}
			if got, want := value.PositionAt(-1), value.PositionAt(0); got != want {
				t.Errorf("offset -1 is at %v, want %v", got, want)
			}
			if got, want := value.PositionAt(1000), value.PositionAt(len(test.text)); got != want {
				t.Errorf("offset 1000 is at %v, want %v", got, want)
			}
		})
	}
}
