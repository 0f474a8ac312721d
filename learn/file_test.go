package learn_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
	"example.com/boxrules/lint"
)

// nasty are codes and titles that need quotes.
var nasty = []string{`O'Neil "x"`, "yes", "null", "a: b", "a #b", "- a", "123", "a,b", "😀", "two words"}

// nastyFrame is a frame whose codes are nasty.
func nastyFrame(t testing.TB, r *rand.Rand, unit string) *limits.Catalogue {
	t.Helper()
	names := func(n int) []string {
		all := slices.Clone(nasty)
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		return all[:n]
	}
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nunit: %q\nmaterials:\n", unit)
	materials, sheets := names(5), names(3)
	for i, m := range materials {
		sheet := ""
		if i > 0 {
			sheet = ", sheet: " + strconv.Quote(sheets[r.IntN(3)])
		}
		if i == 2 {
			sheet += ", min_sheets: 25"
		}
		fmt.Fprintf(&b, "  %q: {caliper: 0.%d0, glue_flap: %d%s}\n", m, 1+i, i, sheet)
	}
	b.WriteString("articles:\n")
	titles := names(8)
	for i, code := range names(8) {
		fmt.Fprintf(&b, "  %q:\n    materials: [%q, %q]\n", code, materials[i%5], materials[(i+1+r.IntN(4))%5])
		if i > 0 {
			fmt.Fprintf(&b, "    title: %q\n", titles[i])
		}
		switch {
		case i%4 == 1:
			b.WriteString("    blank:\n      width: 2*width + depth\n      height: |\n        height +\n        2*min(depth, 3)\n")
		case i%4 > 1:
			b.WriteString("    blank: {width: \"2 * (width + depth) + glue_flap\", height: 'height + caliper'}\n")
		}
	}
	frame, err := limits.LoadFrame("frame.yaml", []byte(b.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	return frame
}

// TestWriteLimits: the file loads, and is what Catalogue is, whatever the names are and however much is known.
func TestWriteLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	known := limits.Illustrative()
	written, left := 0, 0
	for n := range lab.Draws(4, 12) {
		unit := []string{"mm", "no", "y", "Null", "true"}[n%5]
		rules := rulesIn(t, unit)
		frame := nastyFrame(t, r, unit)
		hidden := completed(r, frame, known)
		e, err := boxrules.New(rules, hidden)
		if err != nil {
			t.Fatal(err)
		}
		l, err := learn.New(rules, frame, learn.Options{Step: 0.5, Max: 500_000})
		if n%2 == 0 {
			l, err = learn.New(rules, frame, options())
		}
		if err != nil {
			t.Fatal(err)
		}
		for range []int{0, 3, 30, 300}[n%4] {
			p := e.Profiles()[r.IntN(len(e.Profiles()))]
			b := boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: traffic(r)}
			if err := l.Add(ask(t, e, b)); err != nil {
				t.Fatal(err)
			}
		}
		for _, lenient := range []bool{true, false} {
			var b bytes.Buffer
			want, err := l.Catalogue(lenient)
			if failed := l.WriteLimits(&b, lenient); (failed == nil) != (err == nil) || err != nil && failed.Error() != err.Error() {
				t.Fatalf("WriteLimits: %v, Catalogue: %v", failed, err)
			}
			if err != nil {
				if lenient || b.Len() > 0 {
					t.Errorf("Catalogue: %v, and %d bytes are written", err, b.Len())
				}
				continue
			}
			written++
			got, err := limits.Load("learned.yaml", b.Bytes())
			if err != nil {
				t.Fatalf("%v\n%s", err, b.String())
			}
			if text := contents(got); text != contents(want) {
				t.Errorf("the file has\n%s\nwant\n%s\n%s", text, contents(want), b.String())
			}
			left += strings.Count(b.String(), "is left out")
			commented(t, b.String())
			if n < 4 {
				again, err := boxrules.New(rules, got)
				if err != nil {
					t.Fatal(err)
				}
				before, err := boxrules.New(rules, want)
				if err != nil {
					t.Fatal(err)
				}
				for change := range lint.Diff(before, again) {
					if change.Kind != lint.Identical {
						t.Errorf("%+v", change)
					}
				}
			}
			var twice bytes.Buffer
			if err := l.WriteLimits(&twice, lenient); err != nil || twice.String() != b.String() {
				t.Errorf("written again it is another: %v", err)
			}
		}
	}
	if written < lab.Draws(4, 12) || left == 0 {
		t.Errorf("%d files, in which %d articles are left out: too few", written, left)
	}
}

// rulesIn are the documented rules in another unit.
func rulesIn(t testing.TB, unit string) *boxrules.RuleSet {
	t.Helper()
	if unit == "mm" {
		return boxrules.DefaultRules()
	}
	data, err := os.ReadFile("../rules/box_rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(data), "\nunit: mm", "\nunit: "+strconv.Quote(unit), 1)
	rules, err := boxrules.LoadRules("rules.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// completed is a frame with limits of another catalogue's articles.
func completed(r *rand.Rand, frame, known *limits.Catalogue) *limits.Catalogue {
	articles, materials := frame.Articles(), frame.Materials()
	for i := range articles {
		from := known.Articles()[r.IntN(len(known.Articles()))]
		articles[i].Width, articles[i].Depth, articles[i].Height = from.Width, from.Depth, from.Height
		articles[i].Constraints = from.Constraints
	}
	for i, m := range materials {
		code := m.Sheet.Code
		if code == "" {
			code = "its own"
		}
		materials[i].Sheet = limits.Sheet{Code: code, Width: gen.Decimal(1040), Height: gen.Decimal(720)}
	}
	return frame.Completed(articles, materials)
}

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

// commented confirms that each line of a file is what it looks like: a comment alone, or an entry with one.
func commented(t testing.TB, text string) {
	t.Helper()
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		comment := strings.HasPrefix(strings.TrimSpace(line), "#")
		entry := line == "" || strings.HasSuffix(line, ":") || strings.Contains(line, ": ")
		if !comment && !entry || strings.TrimRight(line, " ") != line || strings.ContainsAny(line, "\r\t\v\x00") {
			t.Errorf("line %d is %q", i+1, line)
		}
	}
	if !strings.HasPrefix(text, "# Learned from ") {
		t.Errorf("the file begins with %q", text[:20])
	}
}

// TestWriteLimitsText is one file as it is, open and decided.
func TestWriteLimitsText(t *testing.T) {
	frame, err := limits.LoadFrame("frame.yaml", []byte(`version: 1
unit: mm
materials:
  board: {caliper: 1, glue_flap: 20, sheet: big}
articles:
  case:
    title: A case
    blank: {width: 2*width + 2*depth + glue_flap, height: height + depth}
  plain: {}
`))
	if err != nil {
		t.Fatal(err)
	}
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
