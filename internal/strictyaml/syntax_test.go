package strictyaml

import (
	"strings"
	"testing"
)

func TestSyntaxErrors(t *testing.T) {
	const (
		tab     = "tab in the indentation: indent with spaces"
		colon   = "a second colon on the line: put text that contains a colon in quotes, and a mapping in braces, such as {min: 20, max: 400}"
		after   = "text after a closing quote or bracket: put the whole value in quotes"
		quote   = "the quote is not closed"
		escape  = "unknown escape: in double quotes, write a backslash twice"
		newLine = `expected a line break after "|" or ">": start the text on the next line, or put it in quotes`
		item    = "a list item cannot start here: begin it on a line of its own, or put the text in quotes"
	)
	for data, want := range map[string]string{
		"a:\n\tb: 1\n":         "2:1: " + tab,
		"a:\n  b: 1\n\tc: 2\n": "3:1: " + tab,
		"\ta: 1\n":             "1:1: " + tab,
		"a:\n- b\n-\tc: d\n":   "3:2: " + tab,
		"a: |\n\tb\n":          "2:1: " + tab,

		"a:\n  b: 1\n c: 2\n":              "3:2: " + indent,
		"x:\n y:\n  a:\n    b: 1\n   c: 2": "5:4: " + indent,
		"a: 1\n  b: 2\n":                   "2:3: " + indent,
		"  a: 1\nb: 2\n":                   "2:1: " + indent,
		"- a\nb: c\n":                      "2:1: " + indent,
		"a: c\n- b\n":                      "2:1: " + indent,
		"a:\n  - 1\n - 2\n":                "3:2: " + indent,
		"a: |\n  x\n y\nb: 1\n":            "3:2: " + indent,
		"a: 1\n    b\n  c: 2\n":            "3:3: " + indent,
		"a: 1\n\n# b\n  c: 2\n":            "4:3: " + indent,

		"a: 1\nb: \"x\nc: 2\n":  "2:4: " + quote,
		"é: 'x\nb: 2\n":         "1:4: " + quote,
		"a: \"x\nb: \"y\"\n":    "2:5: " + after,
		"a: 'it's'\n":           "1:8: " + after,
		"a: 1\nb: [c]]\n":       "2:7: " + after,
		"{a: 1}}\n":             "1:7: " + after,
		"a: \"\\q\"\n":          "1:5: " + escape,
		"a: \"b\n c \\/\"\n":    "2:4: " + escape,
		"a: 1\nb: [1, 2\n":      `2:4: "[" is not closed`,
		"a: 1\nb: [1,\n\n":      `2:4: "[" is not closed`,
		"a: [1, {b: 2\n":        `1:8: "{" is not closed`,
		"a: [1, {b: 2,\n# c":    `1:8: "{" is not closed`,
		"a: 1\nb: [1\nc: 3\n":   `3:2: expected a comma or "]": the "[" on line 2 is not closed`,
		"a: {b: 1\n    c: 2}\n": `2:6: expected a comma or "}": the "{" on line 1 is not closed`,
		"a: [b, , c]\n":         `1:8: expected a value, not ",": put text in quotes`,
		"a: {b: ]}\n":           `1:8: expected a value, not "]": put text in quotes`,
		"a: [- b]\n":            `1:5: expected a value, not "-": put text in quotes`,
		"x: 1\na: ]\n":          `2:4: expected a value, not "]": put text in quotes`,

		"a: b: c\n":                "1:5: " + colon,
		"a:\tb: c\n":               "1:5: " + colon,
		"a:\n  b: c: 1, d: 2\n":    "2:7: " + colon,
		"a:\n  b:{c: 1, d: 2}\n":   `2:3: no space after the colon of "b:{c: 1, d: 2}": YAML needs one`,
		"a:\n  b:[{c: 1, d: 2}]\n": `2:3: no space after the colon of "b:[{c: 1, d: 2}]": YAML needs one`,
		"a:\n  b = {c: 1, d: 2}\n": `2:3: "b = {c: 1, d: 2}" is not a key: expected a colon and a space after it`,
		"a\nb:\t2\n":               `1:1: "a" is not a key: expected a colon and a space after it`,
		"a:\t1\n  b: 2\n":          "2:3: " + indent,
		"x: 1\né: \"b\": c\n":      "2:7: " + colon,
		"a: 1\nb:2\n":              `2:1: no space after the colon of "b:2": YAML needs one`,
		"a: 1\nb:2\nc: 3\n":        `2:1: no space after the colon of "b:2": YAML needs one`,
		"b:2\nc: 3\n":              `1:1: no space after the colon of "b:2": YAML needs one`,
		"b:2\r\nc: 3\r\n":          `1:1: no space after the colon of "b:2": YAML needs one`,
		"a:b: 1\n  c: 2\n":         "2:3: " + indent,
		"a:\n  b:2\n  \n  c: 3\n":  `2:3: no space after the colon of "b:2": YAML needs one`,
		"- - b:2\n    c: 3\n":      `1:1: no space after the colon of "- - b:2": YAML needs one`,
		"a: 1\nb\n":                `2:1: "b" is not a key: expected a colon and a space after it`,
		"a\nb: 1\n":                `1:1: "a" is not a key: expected a colon and a space after it`,
		"a: 1\n: b\n":              "2:1: expected a key before the colon",

		"a: 1\nb: @c\n":     `2:4: a value cannot start with "@": put it in quotes`,
		"a: `b`\n":          "1:4: a value cannot start with \"`\": put it in quotes",
		"a: %b\n":           `1:4: a value cannot start with "%": put it in quotes`,
		"a: [|]\n":          `1:5: a value cannot start with "|": put it in quotes`,
		"a: * b\n":          `1:4: a value cannot start with "*": put it in quotes`,
		"a: &.b\n":          `1:4: a value cannot start with "&": put it in quotes`,
		"a: !<b\n":          "1:4: " + tag,
		"a: !b%zz\n":        "1:4: " + tag,
		"a: !b{c}\n":        "1:4: " + tag,
		"a: > 5\n":          "1:6: " + newLine,
		"a: |b\n":           "1:5: " + newLine,
		"a: - b\n":          "1:4: " + item,
		"a: ? b\n":          `1:4: a "?" key cannot start here: write the key and a colon, or put the text in quotes`,
		"a: 1\r\nb: @\r\n":  `2:4: a value cannot start with "@": put it in quotes`,
		"\ufeffa: 😀é: b\n":  "1:6: " + colon,
		"a: 1\n%YAML 1.1\n": "3:1: " + indent,

		"a: !b || c\n": "1:8: " + newLine,

		"# c\na\nb: 1\n": `2:1: "a" is not a key: expected a colon and a space after it`,
	} {
		check(t, data, want)
	}
}

// A condition that begins with a negation gets the same message, whatever yaml.v3 makes of it.
func TestNegations(t *testing.T) {
	const (
		quotes  = `a value that begins with ! needs quotes, such as "!(depth > width)"`
		newLine = `expected a line break after "|" or ">": start the text on the next line, or put it in quotes`
	)
	for _, test := range []struct{ data, want string }{
		// yaml.v3 reads these as a tag, and then finds an error.
		{"a: !(b > c)\n", "1:4: " + quotes},
		{"é: 1\n漢😀: !(b) || c\n", "2:5: " + quotes},
		{"a: !b > 5\n", "1:4: " + quotes},
		{"- !b >= 5\n", "1:3: " + quotes},
		{"- - !b > 5\n", "1:5: " + quotes},
		{"!b > 5\n", "1:1: " + quotes},
		{"a:\n  !b > 5\n", "2:3: " + quotes},
		// yaml.v3 reads these as a tag, some of them with a text after it.
		{"a: !(b)\n", "1:4: " + quotes},
		{"a: !(", "1:4: " + quotes},
		{"a: ! (b)\n", "1:4: " + quotes},
		{"! b > 5\n", "1:1: " + quotes},
		{"a: !((b))\n", "1:4: " + quotes},
		{"a: !min_width -5\n", "1:4: " + quotes},
		{"a: !b  <5\n", "1:4: " + quotes},
		{"a: [b, !c =d]\n", "1:8: " + quotes},
		// These are not negations.
		{"a: !b c\n", "1:4: " + tag},
		{"a: ! b\n", "1:4: " + tag},
		{"a: !b", "1:4: " + tag},
		{"a: !\n  -5\n", "1:4: " + tag},
		{"a: !B <5\n", "1:4: " + tag},
		{"a: !B > 5\n", "1:9: " + newLine},
		{"a: &b --c\n", "1:4: " + anchor},
		{"a: &b > 5\n", "1:9: " + newLine},
	} {
		check(t, test.data, test.want)
	}
	if d := parse(t, "a: b"); d.isNegation(len(d.runes)) {
		t.Error("the end of the text is a negation")
	}
}

// The text after the second marker is not read, and its errors are not reported.
func TestThirdDocument(t *testing.T) {
	check(t, "a: 1\n---\nb: 2\n---\nc: @\n", "2:1: "+second)
}

// A key of more than 1024 characters is no key to yaml.v3. Its colon is an error that no line above explains.
func TestLongKey(t *testing.T) {
	key := strings.Repeat("k", 1025)
	for above, want := range map[string]string{
		"":              "1:1: " + indent,
		"\n":            "2:1: " + indent,
		"\r\n":          "2:1: " + indent,
		"\n# c\n  \n":   "4:1: " + indent,
		"# c\n\n# d\n":  "4:1: " + indent,
		"\n\n  # c\n  ": "4:3: " + indent,
	} {
		check(t, above+key+": a\n", want)
	}
}

// Another version of yaml.v3 may have errors that explain does not know.
func TestUnknownProblem(t *testing.T) {
	if _, message := parse(t, "a: 1").explain("something new", marks{}); message != `not YAML: "something new"` {
		t.Errorf("it is explained as %q", message)
	}
}

func TestPanicOfYAML(t *testing.T) {
	if _, err := decodeDocuments(nil); err == nil || !strings.HasPrefix(err.Error(), "yaml: internal error: ") {
		t.Errorf("decode(nil) gives the error %v, want an internal error", err)
	}
}
