package limits_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/limits"
)

// styledBlanks has the blank of each style for a box of 100 x 50 x 150 in board of 2 with a glue flap of 13 and a
// tuck of 14, an overlap of 30, a flap of 20 and a lid of 40. The numbers are computed by hand from the table of facts.
var styledBlanks = map[string][2]float64{
	"fefco-0200": {321, 179}, "fefco-0201": {321, 206}, "fefco-0202": {321, 236}, "fefco-0203": {321, 256},
	"fefco-0204": {321, 256}, "fefco-0205": {321, 256}, "fefco-0206": {321, 256}, "fefco-0209": {321, 196},
	"fefco-0210": {321, 284}, "fefco-0211": {321, 284}, "fefco-0212": {321, 245}, "fefco-0215": {321, 255},
	"fefco-0216": {321, 216}, "fefco-0300-base": {408, 356}, "fefco-0300-lid": {194, 140},
	"fefco-0301-base": {408, 356}, "fefco-0301-lid": {194, 140}, "fefco-0320": {321, 179}, "fefco-0330": {710, 350},
	"fefco-0401": {434, 412}, "fefco-0410": {560, 406}, "fefco-0411": {408, 406}, "fefco-0416": {408, 426},
	"fefco-0420": {400, 414}, "fefco-0421": {710, 425}, "fefco-0422": {710, 356}, "fefco-0426": {428, 763},
	"fefco-0427": {728, 564}, "fefco-0453": {408, 356}, "fefco-0501": {321, 150}, "fefco-0701": {321, 216},
	"fefco-0713": {321, 255}, "fefco-0901": {100, 50}, "ecma-a20.20.03.01": {313, 278}, "ecma-a20.20.01.01": {313, 278},
	"ecma-a55.20": {313, 249}, "ecma-a60.20": {313, 249}, "ecma-b10.01": {708, 350}, "carton-sleeve": {313, 150},
}

// styledFile returns a limit file with an article of the style. Lengths are in mm, divided by the factor.
func styledFile(style, unit string, factor float64) string {
	n := func(x float64) string { return fmt.Sprint(x / factor) }
	return fmt.Sprintf(`version: 1
unit: %s
values: {tuck: %s, overlap: %s, flap: %s, lid: %s}
sheets: {s: {width: 10000, height: 10000}}
materials: {m: {caliper: %s, glue_flap: %s, sheet: s}}
articles:
  a:
    width: {min: 1, max: 1000}
    depth: {min: 1, max: 1000}
    height: {min: 1, max: 1000}
    constraints: []
    blank: {style: %s}
`, unit, n(14), n(30), n(20), n(40), n(2), n(13), style)
}

// TestStyles: each style has the blank that the table of facts gives, in mm and in cm, and a limit file that names
// it is written with the name.
func TestStyles(t *testing.T) {
	for _, s := range limits.Styles() {
		want, ok := styledBlanks[s.Code]
		if !ok || s.Name == "" || s.Confidence != "A" && s.Confidence != "B" {
			t.Errorf("%+v: no blank here, no name or no confidence", s)
		}
		for unit, factor := range map[string]float64{"mm": 1, "cm": 10} {
			c, err := limits.Load("styled.yaml", []byte(styledFile(s.Code, unit, factor)))
			if err != nil {
				t.Fatal(err)
			}
			if unit == "mm" && (c.Articles()[0].Blank.Width.Text != s.Width || c.Articles()[0].Blank.Height.Text != s.Height) {
				t.Errorf("%s: the article has other formulas than Styles", s.Code)
			}
			if text := roundTrip(t, c); !strings.Contains(text, "blank:\n      style: "+s.Code+"\n") {
				t.Errorf("%s: written as\n%s", s.Code, text)
			}
			e, err := boxrules.New(boxrules.DefaultRules(), c)
			if err != nil {
				t.Fatal(err)
			}
			form := e.Profiles()[0].Exact()
			at, _ := boxrules.Dims{Width: 100 / factor, Depth: 50 / factor, Height: 150 / factor}.Grid()
			for i, got := range []*big.Rat{form.Blank.Width.At(at), form.Blank.Height.At(at)} {
				exactly := new(big.Rat).Quo(new(big.Rat).SetFloat64(want[i]), new(big.Rat).SetFloat64(factor))
				if got.Cmp(exactly) != 0 {
					t.Errorf("%s in %s: side %d of the blank is %s, want %s", s.Code, unit, i, got.FloatString(3), exactly.FloatString(3))
				}
			}
		}
	}
	if n := len(limits.Styles()); n != len(styledBlanks) {
		t.Errorf("there are %d styles, want %d", n, len(styledBlanks))
	}
}

// TestStyleInInches: a length in mm of a style is exact in inches.
func TestStyleInInches(t *testing.T) {
	c, err := limits.Load("styled.yaml", []byte(styledFile("fefco-0426", "in", 1)))
	if err != nil {
		t.Fatal(err)
	}
	blank := c.Articles()[0].Blank
	if got := blank.Width.Text + " x " + blank.Height.Text; got != "width + 2*height + 28/25.4 x 2*depth + 4*height + 63/25.4" {
		t.Errorf("the blank is %s", got)
	}
	_, err = limits.Load("styled.yaml", []byte(styledFile("fefco-0426", "pt", 1)))
	const want = `styled.yaml:12:20: articles.a: the formulas of style fefco-0426 contain lengths in mm, ` +
		`and the unit "pt" cannot be converted; accepted: mm, cm, m, in, or formulas`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestNewStyle: for New the code of a style is enough, and formulas must not contradict it.
func TestNewStyle(t *testing.T) {
	f := rows(t)
	f.Articles[0].Blank = &limits.Blank{Style: "fefco-0201"}
	c, err := limits.New("shop", f)
	if err != nil || c.Articles()[0].Blank.Height.Text != "height + depth + 3*caliper" {
		t.Fatalf("New = %v, %v", c, err)
	}
	for style, want := range map[string]string{
		"fefco-0202": "articles.tuck-end.blank.style: style fefco-0202 needs the value overlap: give it as values: {overlap: ...} (overlap is 25 to 50 mm)",
		"0201":       `articles.tuck-end.blank.style: unknown style "0201"; accepted: fefco-0201; boxrules articles --styles lists all`,
	} {
		f.Articles[0].Blank = &limits.Blank{Style: style}
		if _, err := limits.New("shop", f); err == nil || err.Error() != want {
			t.Errorf("New: %v, want %s", err, want)
		}
	}
	f.Articles[0].Blank = &limits.Blank{Style: "fefco-0201", Width: limits.Formula{Text: "width"}}
	const want = "articles.tuck-end.blank.style: the formulas differ from those of style fefco-0201; give only the style, or only formulas"
	if _, err := limits.New("shop", f); err == nil || err.Error() != want {
		t.Errorf("New: %v, want %s", err, want)
	}
}
