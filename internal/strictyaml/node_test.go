package strictyaml

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules/source"
)

// parse returns the document of data, which Parse must accept.
func parse(t *testing.T, data string) *Document {
	t.Helper()
	d := Parse("f.yaml", []byte(data), maxBytes)
	if errs := d.Errors(); errs != nil {
		t.Fatalf("Parse(%q): %v", data, errs)
	}
	return d
}

func wantErrors(t *testing.T, d *Document, want ...string) {
	t.Helper()
	if got := lines(d.Errors()); !slices.Equal(got, want) {
		t.Errorf("errors\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func TestFields(t *testing.T) {
	required, optional := []string{"width", "depth", "height"}, []string{"title"}
	for _, test := range []struct {
		name, data string
		keys, want []string
	}{
		{"all", "{title: a, height: 1, width: 2, depth: 3}", []string{"depth", "height", "title", "width"}, nil},
		{"without the optional", "{height: 1, width: 2, depth: 3}", []string{"depth", "height", "width"}, nil},
		{"misspelt", "width: 1\nhieght: 2\ndepth: 3\ntitel: a\n", []string{"depth", "width"}, []string{
			"1:1: missing key: height",
			`2:1: unknown key "hieght"; accepted: width, depth, height, title (did you mean "height"?)`,
			`4:1: unknown key "titel"; accepted: width, depth, height, title (did you mean "title"?)`,
		}},
		{"near a key that is there", "width: 1\nwidht: 2\nheight: 3\ndepth: 4\n", []string{"depth", "height", "width"}, []string{
			`2:1: unknown key "widht"; accepted: width, depth, height, title`,
		}},
		{"far", "size: {a: 1}", nil, []string{
			`1:1: unknown key "size"; accepted: width, depth, height, title`,
			"1:1: missing keys: width, depth, height",
		}},
		{"long", strings.Repeat("a", 50) + ": 1", nil, []string{
			`1:1: unknown key "` + strings.Repeat("a", 40) + `…"; accepted: width, depth, height, title`,
			"1:1: missing keys: width, depth, height",
		}},
		{"none", "{}", nil, []string{"1:1: missing keys: width, depth, height"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := parse(t, test.data)
			fields := d.Root().Fields(required, optional)
			if got := slices.Sorted(maps.Keys(fields)); !slices.Equal(got, test.keys) {
				t.Errorf("Fields has the keys %q, want %q", got, test.keys)
			}
			wantErrors(t, d, test.want...)
		})
	}
}

// A value that Parse has reported is not reported again, and its key is not missing.
func TestFieldsThatParseReported(t *testing.T) {
	d := Parse("f.yaml", []byte("width: ~\ndepth: [*x]\nheight: !t 1\ntitle: &x b\n"), maxBytes)
	if !d.Root().IsZero() { // yaml.v3 stops at an unknown alias
		t.Errorf("the root is %v", d.Root())
	}
	wantErrors(t, d, "2:9: "+alias)
	d = Parse("f.yaml", []byte("title: &x b\nwidth: ~\ndepth: *x\nheight: !t 1\n"), maxBytes)
	fields := d.Root().Fields([]string{"width", "depth", "height", "title"}, nil)
	for _, key := range []string{"width", "depth", "height", "title"} {
		if fields[key].IsZero() {
			t.Errorf("no field %q", key)
		}
		readAll(fields[key])
	}
	wantErrors(t, d, "1:8: "+anchor,
		`2:8: "~" is not accepted: write a value, or leave out the entry`,
		"3:8: "+alias, "4:9: "+tag)
}

func readAll(n Node) {
	n.Text()
	n.Decimal()
	n.Items()
	n.Entries()
	n.Fields([]string{"a"}, []string{"b"})
}

// Other kinds of values are among the files in the root's testdata/err.
func TestEntries(t *testing.T) {
	d := Parse("f.yaml", []byte("b: 1\na: 2\n? [c]\n: 3\nb: 4\n<<: 5\nc: 6\n"), maxBytes)
	before := len(d.Errors())
	var got []string
	for _, entry := range d.Root().Entries() {
		text, _ := entry.Value.Decimal()
		got = append(got, entry.Key+"="+text+"@"+entry.KeyNode.Position().String())
	}
	want := []string{"b=1@f.yaml:1:1", "a=2@f.yaml:2:1", "c=6@f.yaml:7:1"}
	if !slices.Equal(got, want) {
		t.Errorf("Entries() = %q, want %q", got, want)
	}
	if before != 3 || len(d.Errors()) != 3 {
		t.Errorf("errors before %d and after %d, want 3 from Parse and no more:\n%v", before, len(d.Errors()), d.Errors())
	}
}

// Values that are not texts are among the files in the root's testdata/err.
func TestText(t *testing.T) {
	for data, want := range map[string]string{
		"a: b": "b", "a: b c  d": "b c  d", "a: 'b''c'": "b'c", `a: "b\tc"`: "b\tc", "a: '1'": "1", `a: "true"`: "true",
		"a: 'null'": "null", "a: |\n 1\n": "1\n", "a: >-\n b\n c\n": "b c", "a: 1 + 1": "1 + 1", "a: 1.2.3": "1.2.3",
		"a: nope": "nope", "a: truely": "truely", "a: <<": "<<", "a: ' b '": " b ", "a: b\n  c": "b c",
	} {
		d := parse(t, data)
		if got, ok := d.Root().Entries()[0].Value.Text(); got != want || !ok {
			t.Errorf("%q: Text() = %q, %t, want %q", data, got, ok, want)
		}
		wantErrors(t, d)
	}
}

// Values that are not numbers are among the files in the root's testdata/err.
func TestDecimal(t *testing.T) {
	for _, number := range []string{"0", "-0", "7", "10", "-12", "0.5", "-0.50", "10.00", "123456789012345678901234567890.5"} {
		d := parse(t, "a: "+number)
		if got, ok := d.Root().Entries()[0].Value.Decimal(); got != number || !ok {
			t.Errorf("%s: Decimal() = %q, %t", number, got, ok)
		}
		wantErrors(t, d)
	}
}

func TestIn(t *testing.T) {
	d := parse(t, "a: {b: [c, 1]}\nd: e\nf: g\n")
	root := d.Root()
	a := root.Fields([]string{"a", "d", "f"}, nil)["a"].WithRule("BOX_2100")
	list := a.Fields([]string{"b"}, nil)["b"]
	for _, item := range list.Items() {
		item.Text()
		item.ErrorAt(1, "behind %s", "it")
	}
	a.Entries()[0].KeyNode.Errorf("key")
	a.WithRule("BOX_2200").Errorf("other")
	a.WithRule("").Errorf("none")
	root.Errorf("root")
	wantErrors(t, d,
		"1:1: root",
		"1:4: BOX_2200: other",
		"1:4: none",
		"1:5: BOX_2100: key",
		"1:10: BOX_2100: behind it",
		`1:12: BOX_2100: expected text, but YAML reads "1" as a number; put it in quotes`,
		"1:13: BOX_2100: behind it")
	if got := d.Errors()[3].Rule; got != "BOX_2100" {
		t.Errorf("Rule = %q, want BOX_2100", got)
	}
}

func TestMessagesAreOneLine(t *testing.T) {
	d := parse(t, "a: \"b\\nc\\u2028\"\n\"d\\ne\": 1\n")
	d.Root().Fields([]string{"a"}, nil)["a"].Items()
	wantErrors(t, d,
		`1:4: expected a list, not "b\nc\u2028"`,
		`2:1: unknown key "d\ne"; accepted: a`)
}

func TestZeroNode(t *testing.T) {
	failed := Parse("f.yaml", []byte("a: @"), maxBytes)
	missing := parse(t, "a: 1").Root().Fields([]string{"a"}, []string{"b"})["b"]
	for _, n := range []Node{{}, Node{}.WithRule("BOX_2100"), failed.Root(), missing} {
		readAll(n)
		n.Errorf("x")
		n.ErrorAt(3, "x")
		if !n.IsZero() || n.Position() != (source.Position{}) || n.PositionAt(2) != (source.Position{}) {
			t.Errorf("%v is no zero Node", n)
		}
		if fields := n.Fields([]string{"a"}, nil); fields == nil || !fields["a"].IsZero() {
			t.Errorf("Fields() = %v, want an empty map", fields)
		}
	}
	if got := len(failed.Errors()); got != 1 {
		t.Errorf("%d errors, want that of Parse only", got)
	}
}

func TestPositionAt(t *testing.T) {
	for _, test := range []struct {
		name, data string
		// text is the decoded value. places has the place of each of its characters and of its end.
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
