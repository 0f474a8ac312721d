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
