package strictyaml

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules/source"
)

// lines returns the errors without the name of the file.
func lines(errs source.Errors) []string {
	var texts []string
	for _, err := range errs {
		texts = append(texts, strings.TrimPrefix(err.Error(), "f.yaml:"))
	}
	return texts
}

func check(t *testing.T, data string, want ...string) {
	t.Helper()
	got := lines(Parse("f.yaml", []byte(data), maxBytes).Errors())
	if !slices.Equal(got, want) {
		t.Errorf("Parse(%.200q) has the errors\n\t%s\nwant\n\t%s", data, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

const (
	alias   = "aliases are not accepted: write out the value"
	anchor  = "anchors are not accepted: write out the value"
	tag     = "tags are not accepted: remove the tag, or put the text in quotes"
	merge   = "merge keys are not accepted: write out the keys"
	second  = "a second document is not accepted: one file holds one document"
	empty   = `the file is empty; write keys and values, such as "version: 1"`
	noValue = "an empty value is not accepted: write a value, or leave out the entry"
	noKey   = "an empty key is not accepted: write a key"
	indent  = "the line does not continue anything above it: check its indentation"
	tooDeep = "nested too deeply: at most 32 levels are accepted"
)

func TestAccepted(t *testing.T) {
	for _, data := range []string{
		"a: 1",
		"a: 1\n",
		"a: 1\r\nb:\r\n  - c\r\n",
		"\ufeffa: 1\n",
		"\ufeff# comment\n\n---\na: 1\n",
		"--- # comment\na: 1\n",
		"--- {a: 1}\n",
		"a: 1\n...\n",
		"a: 1\r\n...\r\n\r\n",
		"---a: 1\n...b: 2\n----: 3\n",
		"a: 1\n... # comment\n\n  # comment\n",
		"a: 1\n#---\n #...\n",
		"a: |\n ---\n ...\n %YAML\n",
		"a: [1, {b: 2}, [], {}]\n",
		"a: \"\"\nb: ''\n",
		"a: \"~\"\nnull2: 'null'\n\"<<\": x\n",
		"a: \"\\u202E\\0\"\n",
		"a:\n  a: 1\nb:\n  a: 1\n",
		"1: a\n01: b\n\"1.0\": c\ntrue: d\n",
		"a: é\u00a0漢😀\ufffd\n",
		"- a\n- b\n",
		"text\n",
		strings.Repeat("[", 32) + strings.Repeat("]", 32),
		"a: x!y\nb: c&d\ne: f*g\nh: 5 % 2\ni: '!'\n",
	} {
		check(t, data)
	}
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct {
		name, data string
		want       []string
	}{
		{"empty", "", []string{"1:1: " + empty}},
		{"byte order mark only", "\ufeff", []string{"1:1: " + empty}},
		{"comments only", "# a\n\n  # b\n", []string{"1:1: " + empty}},
		{"marker only", "---\n", []string{"1:1: " + empty}},
		{"null root", "~", []string{`1:1: "~" is not accepted: write a value, or leave out the entry`}},

		{"not UTF-8", "a: é\nb: é\xff&c \xfe", []string{"2:5: byte 0xFF is not UTF-8: save the file as UTF-8"}},
		{"surrogate", "a: \xed\xa0\x80", []string{"1:4: byte 0xED is not UTF-8: save the file as UTF-8"}},
		{"control characters", "é: a\x00b\x1b\nc: \x7f\u0085\ufffe", []string{
			"1:5: control character U+0000 is not accepted: remove it",
			"1:7: control character U+001B is not accepted: remove it",
			"2:4: control character U+007F is not accepted: remove it",
			"2:5: control character U+0085 is not accepted: remove it",
			"2:6: control character U+FFFE is not accepted: remove it",
		}},
		{"line breaks of others", "a: b\rc: d\ne: f\u2028g: h\u2029\n", []string{
			"1:5: a carriage return (U+000D) without a line feed is not accepted: end the line with a line feed",
			"1:7: a second colon on the line: put text that contains a colon in quotes, and a mapping in braces, such as {min: 20, max: 400}",
			"2:5: control character U+2028 is not accepted: remove it",
			"2:10: control character U+2029 is not accepted: remove it",
		}},
		{"carriage return last", "a: b\r", []string{
			"1:5: a carriage return (U+000D) without a line feed is not accepted: end the line with a line feed",
		}},
		{"invisible characters", "a: \u202eb\u2066\nc: \u200b\u200f\ufeff\u00ad\n# \u2069", []string{
			"1:4: invisible character U+202E is not accepted: remove it",
			"1:6: invisible character U+2066 is not accepted: remove it",
			"2:4: invisible character U+200B is not accepted: remove it",
			"2:5: invisible character U+200F is not accepted: remove it",
			"2:6: invisible character U+FEFF is not accepted: remove it",
			"2:7: invisible character U+00AD is not accepted: remove it",
			"3:3: invisible character U+2069 is not accepted: remove it",
		}},

		{"anchors", "a: &b c\n&d e: &f\n  g: h\ni: &j [k]\nl: &m\n", []string{
			"1:4: " + anchor, "2:1: " + anchor, "2:7: " + anchor, "4:4: " + anchor, "5:4: " + anchor,
		}},
		{"aliases", "a: &b [*b, *b]\n*b : c\nd: {e: *b}\n", []string{
			"1:4: " + anchor, "1:8: " + alias, "1:12: " + alias, "2:1: " + alias, "3:8: " + alias,
		}},
		{"unknown alias", "é: ~\nb: [*y, c]\n*z : d\n", []string{"2:5: " + alias}},
		{"unknown alias first", "*x : 1\nb: *y\n", []string{"1:1: " + alias}},
		{"tag first", "!!null ~\n", []string{"1:1: " + tag}},
		{"tag last", "a: !b", []string{"1:4: " + tag}},
		{"tags", "a: !!str b\nc: !d e\n!f g: ! h\ni: !!map {j: !!int 1}\nk: ! [l]\nm: !<n> o\n", []string{
			"1:4: " + tag, "2:4: " + tag, "3:1: " + tag, "3:7: " + tag, "4:4: " + tag, "4:14: " + tag, "5:4: " + tag, "6:4: " + tag,
		}},
		{"tags of blocks", "!a b:\n  !c\n  d: e\nf: !g\n- h\ni: !!str\n", []string{
			"1:1: " + tag, "2:3: " + tag, "4:4: " + tag, "6:4: " + tag,
		}},
		{"tag behind a missing value", "? a\n!b c: d\n", []string{"2:1: " + noValue, "2:1: " + tag}},
		{"tag and anchor", "a: !b # comment\n   &c d\ne: &f  !g h\n", []string{"1:4: " + tag, "3:4: " + anchor}},
		{"tag of an entry in a list", "[! a: b, c: !d e]", []string{"1:2: " + tag, "1:13: " + tag}},
		{"undefined tag handle", "x: 1\na: !b!c d\n", []string{"2:4: " + tag}},
		{"merge keys", "a: {b: 1}\n<<: {c: 2}\nd:\n  <<: e\n  \"<<\": f\n", []string{"2:1: " + merge, "4:3: " + merge}},

		{"duplicate keys", "a: 1\nb: {c: 1, c: 2}\n\"a\": 2\n'a': 3\nc: 1\n", []string{
			`2:11: duplicate key "c": it is already on line 2`,
			`3:1: duplicate key "a": it is already on line 1`,
			`4:1: duplicate key "a": it is already on line 1`,
		}},
		{"faults in the value of a duplicate", "a: 1\na: &b ~\n", []string{
			`2:1: duplicate key "a": it is already on line 1`,
			"2:4: " + anchor,
		}},
		{"long key", strings.Repeat("é", 41) + ": 1\n" + strings.Repeat("é", 41) + ": 1\n", []string{
			fmt.Sprintf("2:1: duplicate key %q: it is already on line 1", strings.Repeat("é", 40)+"…"),
		}},
		{"keys that are no text", "? [a]\n: b\n? {c: &d e}\n: f\n", []string{
			"1:3: a key must be text, not a list", "3:3: a key must be text, not a mapping", "3:7: " + anchor,
		}},
		{"empty keys", "\"\": a\n' ': b\n~: c\nnull: d\n? \n: e\n", []string{
			"1:1: " + noKey, "2:1: " + noKey, "3:1: " + noKey, "4:1: " + noKey, "5:2: " + noKey,
		}},
		{"empty values", "a:\nb: # c\nd: ~\ne: [null, Null]\nf: {g: , h}\ni:\n-\n- ", []string{
			"1:3: " + noValue, "2:3: " + noValue,
			`3:4: "~" is not accepted: write a value, or leave out the entry`,
			`4:5: "null" is not accepted: write a value, or leave out the entry`,
			`4:11: "Null" is not accepted: write a value, or leave out the entry`,
			"5:8: " + noValue, "5:11: " + noValue, "7:2: " + noValue, "8:2: " + noValue,
		}},

		{"second document", "a: ~\n---\nb: &c d\n---\n", []string{
			`1:4: "~" is not accepted: write a value, or leave out the entry`, "2:1: " + second,
		}},
		{"second marker", "---\n---\na: 1\n", []string{"1:1: " + empty, "2:1: " + second}},
		{"marker with text, then marker", "--- text\n---", []string{"2:1: " + second}},
		{"directive", "# a\n%YAML 1.2\n---\na: ~\n", []string{"2:1: directives are not accepted: remove the line",
			`4:4: "~" is not accepted: write a value, or leave out the entry`}},
		{"many documents", strings.Repeat("--- a\n", 10), []string{"2:1: " + second}},
		{"text behind the end", "a: 1\n...\n\n# b\n  c: 1\n", []string{"5:3: " + indent}},
		{"marker in quotes", "a: \"b\n---\nc\"\n", []string{"1:4: the quote is not closed"}},

		{"nested too deep in a key", strings.Repeat("[", 31) + "{[a]: 1}" + strings.Repeat("]", 31), []string{"1:33: " + tooDeep}},
		{"33 brackets", strings.Repeat("[", 33) + strings.Repeat("]", 33), []string{"1:33: " + tooDeep}},
		{"33 blocks", strings.Repeat("- ", 33) + "a", []string{"1:65: " + tooDeep}},
		{"128 blocks", strings.Repeat("- ", 128) + "a", []string{"1:65: " + tooDeep}},
		{"129 keys", strings.Repeat("? ", 129) + "a", []string{"1:1: " + tooDeep}},
		{"129 values", "? a\n" + strings.Repeat(": ", 129) + "b", []string{"2:1: " + tooDeep}},
		{"129 blocks", strings.Repeat("- ", 129) + "a", []string{"1:1: " + tooDeep}},
		{"33 mappings", strings.Repeat("{a: ", 33) + "b" + strings.Repeat("}", 33), []string{"1:129: " + tooDeep}},
	} {
		t.Run(test.name, func(t *testing.T) { check(t, test.data, test.want...) })
	}
}

// A key that looks like a number may be the decimals of the value before it. A key that has a colon in it may be a key
// and its value.
func TestSlipsInMappings(t *testing.T) {
	const number = "expected a number such as 48.5, not "
	noSpace := func(key string) string { return fmt.Sprintf("no space after the colon of %q: YAML needs one", key) }
	for _, test := range []struct {
		name, data string
		want       []string
	}{
		{"decimal comma", "a: {caliper: 0,47}", []string{"1:14: " + number + `"0,47"`}},
		{"decimal commas", "a: {é: -12,5, b: c, d: 1,25, e: 0.5}", []string{"1:8: " + number + `"-12,5"`, "1:24: " + number + `"1,25"`}},
		{"decimal comma with a space", "a: {b: 0, 47}", []string{"1:13: " + noValue}},
		{"comma after a text", "a: {b: x,47}", []string{"1:12: " + noValue}},
		{"comma before a text", "a: {b: 0,x}", []string{"1:11: " + noValue}},
		{"comma after quotes", "a: {b: '0',47}", []string{"1:14: " + noValue}},
		{"comma after a list", "a: {b: [],47}", []string{"1:13: " + noValue}},
		{"comma before an entry", "a: {b: 0,47: 1}", nil},
		{"number as the first key", "a: {47}", []string{"1:7: " + noValue}},

		{"no space", "a: {min:40}", []string{"1:5: " + noSpace("min:40")}},
		{"no spaces", "a: {min:40, b: c, max:50}", []string{"1:5: " + noSpace("min:40"), "1:19: " + noSpace("max:50")}},
		{"no space, and a value", "a: {min:40: b}", nil},
		{"no space in quotes", "a: {'min:40'}", []string{"1:13: " + noValue}},
		{"no colon", "a: {min}", []string{"1:8: " + noValue}},
	} {
		t.Run(test.name, func(t *testing.T) { check(t, test.data, test.want...) })
	}

	// The key is read as if it had the space, so it is not missing.
	d := Parse("f.yaml", []byte("{min:40, max: 50}"), maxBytes)
	readAll(d.Root().Fields([]string{"min", "max"}, nil)["min"])
	wantErrors(t, d, "1:2: "+noSpace("min:40"))
}

func TestTooLarge(t *testing.T) {
	data := "a: " + strings.Repeat("b", maxBytes-3)
	check(t, data)
	check(t, data+"\xff", "1:1: the file is too large: at most 256 KiB are read")
}

func TestErrorLimit(t *testing.T) {
	hundred := strings.Repeat("- ~\n", 100)
	if got := Parse("f.yaml", []byte(hundred), maxBytes).Errors(); len(got) != 100 {
		t.Errorf("100 errors: %d listed", len(got))
	}

	d := Parse("f.yaml", []byte(hundred+"- ~\n- a\n"), maxBytes)
	d.Root().Items()[101].Errorf("seen")
	errs := d.Errors()
	if len(errs) != 101 {
		t.Fatalf("102 errors: %d listed, want 101", len(errs))
	}
	want := "f.yaml:100:3: too many errors: 2 more in this file are not listed"
	if got := errs[100].Error(); got != want {
		t.Errorf("last error %q, want %q", got, want)
	}
	if d.Errors()[99] != errs[99] || len(d.Errors()) != 101 {
		t.Error("a second call of Errors gives something else")
	}
}

func TestErrorsAreInTheOrderOfTheText(t *testing.T) {
	d := Parse("f.yaml", []byte("a: x\nb: ~\n"), maxBytes)
	parsed := d.Errors()
	d.Root().Entries()[0].Value.Errorf("later")
	d.Root().Entries()[0].Value.Errorf("latest")
	want := []string{"1:4: later", "1:4: latest", `2:4: "~" is not accepted: write a value, or leave out the entry`}
	if got := lines(d.Errors()); !slices.Equal(got, want) {
		t.Errorf("Errors() = %q, want %q", got, want)
	}
	if got := lines(parsed); !slices.Equal(got, want[2:]) {
		t.Errorf("what Errors gave before has become %q", got)
	}
}

// TestTooManyNodes: a file with too many keys and values is refused before yaml.v3 makes nodes of them.
func TestTooManyNodes(t *testing.T) {
	const size = 4 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for _, test := range []struct{ name, data, want string }{
		{"items", "a: [" + fill("1,")[6:] + "]", "1:600000: "},
		{"lists", fill("["), "1:300000: "},
		{"entries", fill("- a\n"), "150001:1: "},
		{"keys", fill("a: 1\n"), "150001:1: "},
		{"blocks", "a: |\n" + fill(" b\n\n")[5:], "599998:2: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := lines(Parse("f.yaml", []byte(test.data), size).Errors())
			runtime.ReadMemStats(&after)
			want := test.want + "the file has too many keys and values; the limit is about 300000"
			if len(got) != 1 || got[0] != want {
				t.Errorf("errors: %q, want %q", got, want)
			}
			// The characters take 16 MB, and the list of lines up to 100 MB while it grows.
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 150<<20 {
				t.Errorf("%d bytes allocated", allocated)
			}
		})
	}
	// Text and comments may be as long as the file.
	for _, data := range []string{"a: " + fill("b")[3:], fill("#- ,\n\n")[10:] + "a: 1"} {
		if got := Parse("f.yaml", []byte(data), size).Errors(); len(got) > 0 {
			t.Errorf("%.20q: %v", data, got)
		}
	}
}

// TestNoText: reading stops at a file that is no text.
func TestNoText(t *testing.T) {
	const size = 4 << 20
	d := Parse("f.yaml", []byte(strings.Repeat("\x01", size)), size)
	if errs := d.Errors(); len(errs) != maxErrors+1 || len(d.runes) >= maxReplacedRunes {
		t.Errorf("%d errors, and %d characters were read", len(errs), len(d.runes))
	}
}
