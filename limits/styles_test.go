package limits_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/limits"
)

// styledBlanks has the blanks of each style for boxes of 100 x 50 x 150 and 60 x 90 x 35, in board of 2 with a glue flap of
// 13 and a tuck of 14, an overlap of 30, a flap of 20 and a lid of 40. The numbers are computed from the table of facts,
// and not from the formulas of the styles.
var styledBlanks = map[string][4]float64{
	"fefco-0200": {321, 179, 321, 84}, "fefco-0201": {321, 206, 321, 131}, "fefco-0202": {321, 236, 321, 161},
	"fefco-0203": {321, 256, 321, 221}, "fefco-0204": {321, 256, 321, 131}, "fefco-0205": {321, 256, 321, 131},
	"fefco-0206": {321, 256, 321, 221}, "fefco-0209": {321, 196, 321, 81}, "fefco-0210": {321, 284, 321, 249},
	"fefco-0211": {321, 284, 321, 249}, "fefco-0212": {321, 245, 321, 190}, "fefco-0215": {321, 255, 321, 208},
	"fefco-0216": {321, 216, 321, 149}, "fefco-0300-base": {408, 356, 138, 166}, "fefco-0300-lid": {194, 140, 154, 180},
	"fefco-0301-base": {408, 356, 138, 166}, "fefco-0301-lid": {194, 140, 154, 180}, "fefco-0320": {321, 179, 321, 84},
	"fefco-0330": {710, 350, 210, 160}, "fefco-0401": {434, 412, 164, 262}, "fefco-0410": {560, 406, 295, 136},
	"fefco-0411": {408, 406, 258, 136}, "fefco-0416": {408, 426, 138, 276}, "fefco-0420": {400, 414, 130, 264},
	"fefco-0421": {710, 425, 210, 275}, "fefco-0422": {710, 356, 210, 166}, "fefco-0426": {428, 763, 158, 383},
	"fefco-0427": {728, 564, 228, 299}, "fefco-0453": {408, 356, 138, 166}, "fefco-0501": {321, 150, 321, 35},
	"fefco-0701": {321, 216, 321, 149}, "fefco-0713": {321, 255, 321, 208}, "fefco-0901": {100, 50, 60, 90},
	"ecma-a20.20.03.01": {313, 278, 313, 243}, "ecma-a20.20.01.01": {313, 278, 313, 243}, "ecma-a55.20": {313, 249, 313, 202},
	"ecma-a60.20": {313, 249, 313, 202}, "ecma-b10.01": {708, 350, 208, 160}, "carton-sleeve": {313, 150, 313, 35},
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
			for box, d := range []boxrules.Dims{{Width: 100, Depth: 50, Height: 150}, {Width: 60, Depth: 90, Height: 35}} {
				at, _ := boxrules.Dims{Width: d.Width / factor, Depth: d.Depth / factor, Height: d.Height / factor}.Grid()
				for i, got := range []*big.Rat{form.Blank.Width.At(at), form.Blank.Height.At(at)} {
					exactly := new(big.Rat).Quo(new(big.Rat).SetFloat64(want[2*box+i]), new(big.Rat).SetFloat64(factor))
					if got.Cmp(exactly) != 0 {
						t.Errorf("%s in %s, %+v: side %d of the blank is %s, want %s",
							s.Code, unit, d, i, got.FloatString(3), exactly.FloatString(3))
					}
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
		`and the unit "pt" cannot be converted; use one of mm, cm, m, in, or write the formulas yourself`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestStyleBlanks: a blank of a style has the formulas that a limit file in the same unit gets for the style.
func TestStyleBlanks(t *testing.T) {
	describe := func(b *limits.Blank) string {
		return fmt.Sprint(b.Style, ": ", b.Width, " of ", b.Width.Names(), " x ", b.Height, " of ", b.Height.Names())
	}
	for _, unit := range []string{"mm", "in", "pt"} {
		var got, want []string
		for _, b := range limits.StyleBlanks(unit) {
			got = append(got, describe(b))
		}
		for _, s := range limits.Styles() {
			if unit == "pt" && s.Unit == "mm" {
				continue // lengths in mm cannot be converted to pt
			}
			c, err := limits.Load("styled.yaml", []byte(styledFile(s.Code, unit, 1)))
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, describe(c.Articles()[0].Blank))
		}
		if !slices.Equal(got, want) {
			t.Errorf("in %s the blanks are\n%s\nwant\n%s", unit, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestStyledFormulaError: an error in a formula of a style is where the limits name the style, or has the path of the
// formula if the limits do not come from a file.
func TestStyledFormulaError(t *testing.T) {
	loaded, err := limits.Load("styled.yaml", []byte(styledFile("fefco-0201", "mm", 1)))
	if err != nil {
		t.Fatal(err)
	}
	made, err := limits.New("shop", fileOf(loaded))
	if err != nil {
		t.Fatal(err)
	}
	tooLarge := exact.Variable{Value: exact.Constant(new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 600)))}
	variables := make(map[string]exact.Variable)
	for axis, name := range exact.AxisNames() {
		variables[name] = exact.Variable{Value: exact.Dimension(axis), Axes: []int{axis}}
	}
	variables["caliper"], variables["glue_flap"] = tooLarge, tooLarge
	for _, test := range []struct {
		catalogue *limits.Catalogue
		want      string
	}{
		{loaded, "styled.yaml:12:20: articles.a: "},
		{made, "articles.a.blank.height: "},
	} {
		_, err := test.catalogue.Articles()[0].Blank.Height.Value(exact.NewVariables(nil, variables))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("Value() = %v, want an error that begins with %s", err, test.want)
		}
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
		"0201":       `articles.tuck-end.blank.style: unknown style "0201"; accepted: fefco-0201; boxrules articles --styles lists all of them`,
	} {
		f.Articles[0].Blank = &limits.Blank{Style: style}
		if _, err := limits.New("shop", f); err == nil || err.Error() != want {
			t.Errorf("New: %v, want %s", err, want)
		}
	}
	f.Articles[0].Blank = &limits.Blank{Style: "carton-sleve"}
	if _, err := limits.New("shop", f); err == nil || !strings.Contains(err.Error(), `did you mean "carton-sleeve"?`) {
		t.Errorf("New: %v, want a proposal", err)
	}
	f.Articles[0].Blank = &limits.Blank{Style: "fefco-0201", Width: limits.Formula{Text: "width"}}
	const want = "articles.tuck-end.blank.style: the formulas differ from those of style fefco-0201; give only the style, or only formulas"
	if _, err := limits.New("shop", f); err == nil || err.Error() != want {
		t.Errorf("New: %v, want %s", err, want)
	}
}
