package strictyaml

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules/source"
	"gopkg.in/yaml.v3"
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

// Has and IsMapping accept every kind of value, and never report one.
func TestHas(t *testing.T) {
	d := Parse("f.yaml", []byte("mapping: {a: b, c: d, e: f}\nlist: [a, b]\ntext: a\nnone: {}\nrejected: &x a\n"), maxBytes)
	wantErrors(t, d, "5:11: "+anchor)
	values := d.Root().Fields([]string{"mapping", "list", "text", "none", "rejected"}, []string{"missing"})
	for _, test := range []struct {
		value     string
		isMapping bool
		has       []string // those of the keys a to f that the value has
	}{
		{"mapping", true, []string{"a", "c", "e"}},
		{"list", false, nil},
		{"text", false, nil},
		{"none", true, nil},
		{"rejected", false, nil},
		{"missing", false, nil},
	} {
		value := values[test.value]
		if got := value.IsMapping(); got != test.isMapping {
			t.Errorf("%s: IsMapping() = %t, want %t", test.value, got, test.isMapping)
		}
		var has []string
		for _, key := range []string{"a", "b", "c", "d", "e", "f"} {
			if value.Has(key) {
				has = append(has, key)
			}
		}
		if !slices.Equal(has, test.has) {
			t.Errorf("%s has the keys %q, want %q", test.value, has, test.has)
		}
	}
	wantErrors(t, d, "5:11: "+anchor)
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

// checkReading reads the values of a mapping with read. The accepted values are those that read must return, separated
// by spaces. The others must be reported as in want.
func checkReading(t *testing.T, data string, read func(Node) (string, bool), accepted string, want ...string) {
	t.Helper()
	d := parse(t, data)
	var got []string
	for _, entry := range d.Root().Entries() {
		if text, ok := read(entry.Value); ok {
			got = append(got, text)
		} else if text != "" {
			t.Errorf("%s: %q is returned, although it is not accepted", entry.Key, text)
		}
	}
	if got := strings.Join(got, " "); got != accepted {
		t.Errorf("%q is accepted, want %q", got, accepted)
	}
	wantErrors(t, d, want...)
}

// Each value that cannot be read is reported once, whatever else is wrong with it.
func TestReadingErrors(t *testing.T) {
	const list, number = "expected text, not a list", "expected a number such as 48.5, not "
	t.Run("Text", func(t *testing.T) {
		checkReading(t, "a: b\nc: 1\nd: 1.5\ne: 2024-01-02\nf: true\ng: No\nh: 'no'\ni: ' '\nj: \"k\\0\"\nl: [m]\n", Node.Text, "b no",
			`2:4: expected text, but YAML reads "1" as a number; put it in quotes`,
			`3:4: expected text, but YAML reads "1.5" as a number; put it in quotes`,
			`4:4: expected text, but YAML reads "2024-01-02" as a date; put it in quotes`,
			`5:4: expected text, but YAML reads "true" as true or false; put it in quotes`,
			`6:4: expected text, but YAML reads "No" as true or false; put it in quotes`,
			"8:4: expected text, but the value is empty",
			"9:4: control character U+0000 is not accepted: remove it",
			"10:4: "+list)
	})
	t.Run("Scalar", func(t *testing.T) {
		checkReading(t, "a: true\nb: 1\nc: \"d\"\ne: [f]\n", Node.Scalar, "true 1 d", "4:4: "+list)
	})
	t.Run("Unit", func(t *testing.T) {
		checkReading(t, "a: mm\nb: m2\nc: 'in'\nd: 1\ne: [f]\n", Node.Unit, "mm in",
			`2:4: "m2" is not a unit; accepted: mm, cm, m, in, or another word of at most 8 letters`,
			`4:4: expected text, but YAML reads "1" as a number; put it in quotes`,
			"5:4: "+list)
	})
	t.Run("Decimal", func(t *testing.T) {
		checkReading(t, "a: 1.5\nb: '2'\nc: \"x\"\nd: 12 3/8\ne: 3/8\nf: 12 3/7\ng: 01\nh: [1]\ni: |-\n  2\nj: >-\n  3\n", Node.Decimal, "1.5",
			`2:4: expected a number, not the text "2": write it without quotes`,
			"3:4: "+number+`"x"`,
			`4:4: expected 12.375, not "12 3/8"`,
			`5:4: expected 0.375, not "3/8"`,
			"6:4: "+number+`"12 3/7"`,
			"7:4: "+number+`"01"`,
			"8:4: expected a number, not a list",
			`9:4: expected a number, not the text "2": write it without quotes`,
			`11:4: expected a number, not the text "3": write it without quotes`)
	})
	t.Run("CheckVersion", func(t *testing.T) {
		checkVersion := func(n Node) (string, bool) {
			n.CheckVersion("2")
			return "", false
		}
		checkReading(t, "a: 2\nb: 1\nc: '2'\nd: '1'\ne: x\nf: [2]\n", checkVersion, "",
			"2:4: version 1 is not known; accepted: 2",
			`3:4: expected a number, not the text "2": write it without quotes`,
			`4:4: expected a number, not the text "1": write it without quotes`,
			`5:4: version "x" is not known; accepted: 2`,
			"6:4: expected a number, not a list")
	})
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
		n.Scalar()
		n.Unit()
		n.CheckVersion("1")
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

// yaml.v3 returns no value that is longer than its text. If it ever does, PositionAt must not read beyond the end.
func TestPositionInValueThatIsTooLong(t *testing.T) {
	d := parse(t, "a: b")
	for _, value := range []string{"bc", "b c", "b\nc"} {
		n := d.Root().child(&yaml.Node{Kind: yaml.ScalarNode, Value: value, Line: 1, Column: 4})
		if got, want := n.PositionAt(len(value)-1), n.Position(); got != want {
			t.Errorf("the end of %q is at %v, want %v", value, got, want)
		}
	}
}

// A line without a line feed ends at the end of the text. A carriage return at its end is not part of a line.
func TestLineRange(t *testing.T) {
	for _, test := range []struct {
		data string
		want []string
	}{
		{"", []string{""}},
		{"\n", []string{"", ""}},
		{"\r\n", []string{"", ""}},
		{"\n\n#a", []string{"", "", "#a"}},
		{"#a\r\n\r\n#b\n", []string{"#a", "", "#b", ""}},
	} {
		d := Parse("f.yaml", []byte(test.data), maxBytes)
		var got []string
		for line := range d.lines {
			start, end := d.lineRange(line + 1)
			got = append(got, string(d.runes[start:end]))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q has the lines %q, want %q", test.data, got, test.want)
		}
	}
}
