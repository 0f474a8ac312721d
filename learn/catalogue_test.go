package learn_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// contents is all that a catalogue has.
func contents(c *limits.Catalogue) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q\n", c.Unit())
	for _, s := range c.Sheets() {
		fmt.Fprintf(&b, "%q %s %s\n", s.Code, s.Width, s.Height)
	}
	for _, m := range c.Materials() {
		fmt.Fprintf(&b, "%q %s %s %q %s %s %d\n", m.Code, m.Caliper, m.GlueFlap, m.Sheet.Code, m.Sheet.Width, m.Sheet.Height, m.MinSheets)
	}
	for _, a := range c.Articles() {
		fmt.Fprintf(&b, "%q %q %q %v %v %v %q", a.Code, a.Title, a.Materials, a.Width, a.Depth, a.Height, a.Constraints)
		if a.Blank != nil {
			fmt.Fprintf(&b, " %q %q", a.Blank.Width, a.Blank.Height)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestWriteLimitsText has one file as it is, open and decided. The strict one leaves out what no
// box is certain of.
func TestWriteLimitsText(t *testing.T) {
	frame := frameOf(t, `version: 1
unit: mm
materials:
  board: {caliper: 1, glue_flap: 20, sheet: big}
articles:
  case:
    title: A case
    blank: {width: 2*width + 2*depth + glue_flap, height: height + depth}
  plain: {}
`)
	l := learnerOf(t, frame, options())
	for i, answer := range []string{
		"300 200 200 ok", "19 200 200 BOX_2100", "20 20 20 ok", "400 300 200 BOX_4100", "300 200 201 BOX_3105", "300 301 200 BOX_3100",
		"450 40 40 BOX_2101", "300 9 40 BOX_2102", "300 10 10 ok",
	} {
		var d boxrules.Dims
		var code string
		if _, err := fmt.Sscan(answer, &d.Width, &d.Depth, &d.Height, &code); err != nil {
			t.Fatal(err)
		}
		box := boxrules.Box{Article: "case", Material: "board", Dims: d}
		if err := l.Add(learn.Answer{Box: box, Code: boxrules.Code(strings.TrimPrefix(code, "ok")), Row: 10 + i}); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := l.WriteLimits(&b, true); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/learned.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the file is\n%s\nwant\n%s", b.String(), want)
	}
	for _, lenient := range []bool{true, false} {
		b.Reset()
		if err := l.WriteLimits(&b, lenient); err != nil {
			t.Fatal(err)
		}
		c, err := l.Catalogue(lenient)
		if err != nil {
			t.Fatal(err)
		}
		read, err := limits.Load("learned.yaml", b.Bytes())
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		if got, want := contents(read), contents(c); got != want {
			t.Errorf("lenient %v: the file has\n%s\nwant\n%s", lenient, got, want)
		}
	}
	const left = "\n  # plain is left out: none of its boxes is certain to be accepted.\n"
	if text := b.String(); !strings.HasPrefix(text, "# Learned from 9 answers") || !strings.HasSuffix(text, left) {
		t.Errorf("the strict file is\n%s\nwant it without plain", text)
	}
}

// TestLenientSheet: if no blank is known to fit, the lenient sheet is no larger than a blank that may
// fit. If no blank can fit, it is smaller than every blank.
func TestLenientSheet(t *testing.T) {
	frame := frameOf(t, `version: 1
unit: mm
materials: {board: {caliper: 1, glue_flap: 0}}
articles:
  case: {blank: {width: 2*width, height: depth}}
`)
	for _, test := range []struct{ answers, want string }{
		// Maximums are at most 2000: a blank may be 4000 x 89, or 198 x 199.
		{"100 90 80 BOX_4100", "4000 199"},
		{"101 90 80 BOX_2101; 100 90 80 BOX_4100", "2000 199"},
		{"101 90 80 BOX_2101; 100 51 80 BOX_2103; 100 40 80 BOX_4100", "200 50"},
		{"101 90 80 BOX_2101; 100 90 80 ok; 100 91 80 BOX_4100", "2000 90"},
		{"101 90 80 BOX_2101; 1 1 80 BOX_4100", "1 1"}, // nothing fits: 2 x 1 does not
	} {
		l := learnerOf(t, frame, options())
		for i, answer := range strings.Split(test.answers, "; ") {
			words := strings.Fields(answer)
			if err := add(t, l, i+1, "case board "+strings.Join(words[:3], "x")+" "+words[3], time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
		c, err := l.Catalogue(true)
		if err != nil {
			t.Fatal(err)
		}
		if s := c.Materials()[0].Sheet; s.Width.String()+" "+s.Height.String() != test.want {
			t.Errorf("%s: the sheet is %s x %s, want %s", test.answers, s.Width, s.Height, test.want)
		}
	}
}

// failing is a writer that fails.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestWriteLimitsFails(t *testing.T) {
	l := learnerOf(t, several(), options())
	if err := l.WriteLimits(failing{}, true); err == nil || err.Error() != "no room" {
		t.Errorf("WriteLimits = %v", err)
	}
	if err := l.WriteLimits(failing{}, false); err == nil || !strings.Contains(err.Error(), "nothing is certain yet") {
		t.Errorf("WriteLimits = %v", err)
	}
	b := boxrules.Box{Article: "sleeve", Material: "carton-300", Dims: boxrules.Dims{Width: 50, Depth: 40, Height: 30}}
	for _, code := range []boxrules.Code{"", boxrules.BOX_2100} {
		_ = l.Add(learn.Answer{Box: b, Code: code})
	}
	var c *learn.Contradiction
	for _, lenient := range []bool{true, false} {
		if err := l.WriteLimits(failing{}, lenient); !errors.As(err, &c) || !slices.Equal(c.Rows, []int{1, 2}) {
			t.Errorf("WriteLimits = %v", err)
		}
	}
}

// catalogueRules are the rules for limits, some constraints and the comparison with the sheet.
func catalogueRules(t testing.TB) *boxrules.RuleSet {
	t.Helper()
	documented := boxrules.DefaultRules().Rules()
	before, _, _ := strings.Cut(limitRules, "constraint:")
	return loadRules(t, before+fmt.Sprintf(`constraint:
  - {code: OWN_3000, when: height > max_height - 30, message: m}
  - {code: OWN_3001, when: blank_width > 500, message: m}
  - {code: OWN_3002, when: width > 300, message: m}
  - {code: OWN_3003, when: width > 400, message: m}
size:
  - {code: OWN_4000, when: %q, message: m}
`, documented[len(documented)-1].When))
}

// TestWriteLimitsComments: lenient limits have the constraints that are certainly selected, and strict ones those that
// may be, unless they are hidden. The comments say which are open, and how much is known about the sheet.
func TestWriteLimitsComments(t *testing.T) {
	const (
		plain = "  plain: {}\n"
		box   = "  case: {blank: {width: width + depth, height: height}}\n"
		// These answers leave only widths up to 100, depths up to 90 and heights up to 80.
		within   = "case board 100x90x80 ok; case board 101x90x80 OWN_0002; case board 100x91x80 OWN_0004; case board 100x90x81 OWN_0006"
		largest  = "; no answer limits its longer side, so this is the size of the largest blank that the limits allow and the service may accept"
		possible = "; no answer limits its longer side, and a blank is not known, so this is the largest possible size"
	)
	line := func(text, key string) string {
		for line := range strings.Lines(text) {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(line), key+": "); ok {
				return rest
			}
		}
		return ""
	}
	for _, test := range []struct{ name, articles, answers, key, lenient, strict string }{ // strict is empty if nothing is certain
		{"no constraint is known", box, "case board 100x90x80 ok", "constraints",
			"[]  # open: OWN_3000, OWN_3001, OWN_3002, OWN_3003",
			"[OWN_3000, OWN_3001, OWN_3002, OWN_3003]  # open: OWN_3000, OWN_3001, OWN_3002, OWN_3003"},
		{"a hidden constraint", box, "case board 100x90x80 ok; case board 310x90x80 OWN_3002", "constraints",
			"[OWN_3002]  # row 2; open: OWN_3000, OWN_3001; cannot be determined by any box: OWN_3003",
			"[OWN_3000, OWN_3001, OWN_3002]  # row 2; open: OWN_3000, OWN_3001; cannot be determined by any box: OWN_3003"},
		{"a constraint that mentions a limit", box, "case board 100x90x80 ok; case board 100x90x85 OWN_3000", "constraints",
			"[]  # open: OWN_3001, OWN_3002, OWN_3003; OWN_3000 is left out until max_height is decided, row 2",
			"[OWN_3000, OWN_3001, OWN_3002, OWN_3003]  # row 2; open: OWN_3001, OWN_3002, OWN_3003"},
		{"a constraint that mentions the blank", box, "case board 100x90x80 ok; case board 200x310x80 OWN_3001", "constraints",
			"[OWN_3001]  # row 2; open: OWN_3000, OWN_3002, OWN_3003",
			"[OWN_3000, OWN_3001, OWN_3002, OWN_3003]  # row 2; open: OWN_3000, OWN_3002, OWN_3003"},
		{"a constraint that mentions a blank that is not known", plain, "plain board 100x90x80 ok; plain board 200x310x80 OWN_3001", "constraints",
			"[]  # row 2; open: OWN_3000, OWN_3002, OWN_3003", ""},
		{"no constraint is open", box, "case board 410x200x80 ok; case board 100x90x85 OWN_3000", "constraints",
			"[]  # OWN_3000 is left out until max_height is decided, row 2",
			"[OWN_3000]  # row 2"},
		{"nothing is known about the sheet", box, "case board 100x90x80 OWN_0001", "board",
			"{width: 4000, height: 2000}  # assumed, open: nothing is known to fit" + largest, ""},
		{"a blank that fits", box, "case board 100x90x80 ok", "board",
			"{width: 4000, height: 2000}  # row 1, open: holds a blank of 190 x 80" + largest,
			"{width: 190, height: 80}  # row 1, open: holds a blank of 190 x 80"},
		{"a blank that does not fit", box, "case board 100x90x80 ok; case board 101x90x80 OWN_4000", "board",
			"{width: 190, height: 190}  # rows 1, 2, open: holds a blank of 190 x 80, does not hold one of 191 x 80",
			"{width: 190, height: 80}  # rows 1, 2, open: holds a blank of 190 x 80, does not hold one of 191 x 80"},
		{"the exact sheet", box, "case board 100x90x80 ok; case board 101x90x80 OWN_4000; case board 100x90x81 OWN_4000", "board",
			"{width: 190, height: 80}  # rows 1, 3, 2",
			"{width: 190, height: 80}  # rows 1, 3, 2"},
		{"every blank fits", box, within, "board",
			"{width: 190, height: 80}  # row 1; at least this size: learn again before you add articles",
			"{width: 190, height: 80}  # row 1; at least this size: learn again before you add articles"},
		{"no blank is known", plain, "plain board 100x90x80 ok", "board",
			"{width: 1000000, height: 1000000}  # no blank is known" + possible, ""},
		{"a blank is not known", box + plain, "case board 100x90x80 ok", "board",
			"{width: 1000000, height: 1000000}  # row 1, open: holds a blank of 190 x 80" + possible,
			"{width: 190, height: 80}  # row 1, open: holds a blank of 190 x 80"},
		{"a blank is not known, and every other fits", box + plain, within, "board",
			"{width: 1000000, height: 1000000}  # row 1, unobservable: holds a blank of 190 x 80" + possible,
			"{width: 190, height: 80}  # row 1, unobservable: holds a blank of 190 x 80"},
	} {
		l, err := learn.New(catalogueRules(t), frameOf(t, "version: 1\nunit: mm\ndecimals: 0\nmaterials: {board: {caliper: 1, glue_flap: 0}}\narticles:\n"+test.articles), options())
		if err != nil {
			t.Fatal(err)
		}
		for i, answer := range strings.Split(test.answers, "; ") {
			if err := add(t, l, i+1, answer, time.Time{}); err != nil {
				t.Fatalf("%s: %s: %v", test.name, answer, err)
			}
		}
		for lenient, want := range map[bool]string{true: test.lenient, false: test.strict} {
			var b strings.Builder
			if err := l.WriteLimits(&b, lenient); (err == nil) == (want == "") {
				t.Errorf("%s, lenient %v: %v", test.name, lenient, err)
			}
			if got := line(b.String(), test.key); got != want {
				t.Errorf("%s, lenient %v:\n%s\nwant\n%s", test.name, lenient, got, want)
			}
		}
	}
}
