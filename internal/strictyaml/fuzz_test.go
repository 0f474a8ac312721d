package strictyaml

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/boxrules/source"
	"gopkg.in/yaml.v3"
)

func FuzzParse(f *testing.F) {
	for _, data := range []string{
		"version: 1\nboundary:\n  - code: BOX_2100\n    when: width < min_width\n",
		"a: {min: 20, max: 400.5} # b\nc: [d, 'e''', \"\\x41\\n\"]\n",
		"a: |2-\n   b\n\n  c\nd: >\n e\n f\n", "---\n? a\n: b\n...\n", "&a [*a, !b c]", "%YAML 1.2\n---\n<<: *x\n",
		"a: \xff", "\ufeffa: \u202e\r", "a:\n\tb: c\n", "a: [b", "a: 'b", "a: b: c", "- a\nb\n", "a: @b", "[{? a: ~}]", "a:\tb: c\n", "- -",
		"é: 'b ''c\n\n \t d '\r\n", "é: [\"\\x41\\\n  \\_\\U0001F600\\\"\\ b \\\t\\N\", x]", "a: >+2\n    b\tc\n  d\n\n", "a: x 'b\" \\n\n\n c\n",
	} {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := Parse("f.yaml", data, maxBytes)
		parsed := len(d.Errors())
		if parsed == 0 {
			checkText(t, d.Root(), data)
		}
		walk(d.Root())
		errs := d.Errors()
		if len(errs) < parsed {
			t.Errorf("%d errors, but %d before", len(errs), parsed)
		}
		if parsed == 0 && d.Root().IsZero() {
			t.Error("no root, and no error says why")
		}
		for i, err := range errs {
			checkPlace(t, err, data)
			if i > 0 && i < maxErrors && (err.Line < errs[i-1].Line || err.Line == errs[i-1].Line && err.Column < errs[i-1].Column) {
				t.Errorf("%v comes after %v", err, errs[i-1])
			}
		}
	})
}

// checkPlace checks that an error is one line, and that its place is in the file.
func checkPlace(t *testing.T, err *source.Error, data []byte) {
	fileLines := bytes.Split(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\n"))
	if err.Line < 1 || err.Line > len(fileLines) {
		t.Fatalf("%v: the file has %d lines", err, len(fileLines))
	}
	length := utf8.RuneCount(fileLines[err.Line-1])
	if err.Column < 1 || err.Column > length+1 {
		t.Errorf("%v: the line has %d characters", err, length)
	}
	if strings.ContainsAny(err.Message, "\n\r\u2028\u2029") || err.Message == "" || len(err.Message) > 1000 {
		t.Errorf("%v is not one line", err)
	}
}

// checkText checks that every character of every text is in the file at its PositionAt. After an escape
// PositionAt may be the start of the text.
func checkText(t *testing.T, n Node, data []byte) {
	for _, child := range n.yaml.Content {
		checkText(t, n.child(child), data)
	}
	if n.yaml.Kind != yaml.ScalarNode || len(n.yaml.Value) > 200 {
		return
	}
	fileLines := bytes.Split(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\n"))
	for offset, r := range []rune(n.yaml.Value) {
		at := n.PositionAt(offset)
		if isWhitespace(r) {
			continue
		}
		written := '\n'
		if line := []rune(string(fileLines[at.Line-1])); at.Column <= len(line) {
			written = line[at.Column-1]
		}
		if written != r && (at != n.Position() || isPlain(n.yaml)) {
			t.Errorf("offset %d of %q is at %v, but %q is there", offset, n.yaml.Value, at, written)
		}
	}
}
