package limits_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules/exact"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// small is a catalogue with everything in it.
const small = `version: 1
unit: mm
sheets:
  ra106: {width: 1040, height: 720.50}
  "48": {width: 900, height: 640}
materials:
  carton: {caliper: 0.4, glue_flap: 15, sheet: "48", min_sheets: 25}
  board: {caliper: 1.50, glue_flap: 0, sheet: ra106}
  Prägekarton 3 mm: {caliper: 3, glue_flap: 12, sheet: ra106}
articles:
  tuck-end:
    title: Tuck-end carton
    materials: [board, carton]
    width:  {min: 20, max: 400}
    depth:  {min: 15.125, max: 250}
    height: {min: 30, max: 30}
    constraints: [BOX_3105, BOX_3100]
    blank:
      width: 2*width + 2*depth + glue_flap
      height: >-
        height +
        2*depth
  sleeve:
    height: {min: 0.0010000000, max: 1000000}
    depth:  {min: 1, max: 2}
    width:  {min: 1, max: 2}
    constraints: []
`

func load(t *testing.T) *limits.Catalogue {
	t.Helper()
	c, err := limits.Load("small.yaml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCopies changes all that the accessors return.
func TestCopies(t *testing.T) {
	c := load(t)
	c.Sheets()[0].Code = "x"
	c.Materials()[0].Sheet.Code = "x"
	c.Materials()[1] = limits.Material{}
	for _, a := range c.Articles() {
		a.Materials[0] = "x"
		if a.Blank != nil {
			a.Constraints[0] = "x"
			a.Blank.Width = a.Blank.Height
		}
	}
	c.Articles()[0].Width.Min = ""
	caliper := c.Materials()[0].Caliper
	caliper.Rat().SetInt64(7)
	if text := caliper.String(); text != "0.4" || caliper.Rat().Cmp(big.NewRat(2, 5)) != 0 {
		t.Errorf("after a change of its Rat the caliper is %s", text)
	}
	if got, want := fileOf(c), fileOf(load(t)); !reflect.DeepEqual(got, want) {
		t.Errorf("the catalogue became\n%+v, want\n%+v", got, want)
	}
}

func TestPosition(t *testing.T) {
	c := load(t)
	for _, test := range []struct {
		path string
		want string // the text at the position, or "" for none
	}{
		{"unit", "mm"},
		{"sheets/ra106", "ra106:"},
		{"sheets/48", `"48":`},
		{"materials/Prägekarton 3 mm", "Prägekarton"},
		{"articles/tuck-end", "tuck-end:"},
		{"articles/tuck-end/depth/min", "15.125,"},
		{"articles/tuck-end/depth/max", "250}"},
		{"articles/tuck-end/constraints/BOX_3100", "BOX_3100]"},
		{"articles/sleeve/height/max", "1000000}"},
		{"articles/sleeve/constraints/BOX_3100", ""},
		{"articles/carton", ""},
		{"articles", "tuck-end:"},
		{"", ""},
	} {
		p := c.Position(strings.Split(test.path, "/")...)
		if test.want == "" {
			if p != (source.Position{}) {
				t.Errorf("Position(%s) = %v, want none", test.path, p)
			}
			continue
		}
		if p.File != "small.yaml" || p.Line < 1 || !strings.HasPrefix(at(p), test.want) {
			t.Errorf("Position(%s) = %v, where %q stands, want %q", test.path, p, at(p), test.want)
		}
	}
}

// at is the text of small from the position to the end of its line.
func at(p source.Position) string {
	line := []rune(strings.Split(small, "\n")[p.Line-1])
	return string(line[p.Column-1:])
}

// TestFormulaValue has a formula that is fine as it is written and fails with the values that its
// variables have.
func TestFormulaValue(t *testing.T) {
	blank := load(t).Articles()[0].Blank
	variables := map[string]exact.Variable{"glue_flap": {Value: exact.Constant(big.NewRat(35, 1))}}
	for axis, name := range exact.AxisNames() {
		variables[name] = exact.Variable{Value: exact.Dimension(axis), Axes: []int{axis}}
	}
	width, err := blank.Width.Value(exact.NewVariables(nil, variables))
	if got := width.Value.At(exact.Point{100_000, 50_000, 7}); err != nil || got.Cmp(big.NewRat(335, 1)) != 0 ||
		!slices.Equal(width.Axes, []int{exact.Width, exact.Depth}) {
		t.Errorf("Value() = %v over %v, %v, want 335 over width and depth", got, width.Axes, err)
	}
	huge := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 600))
	variables["glue_flap"] = exact.Variable{Value: exact.Constant(huge)}
	_, err = blank.Width.Value(exact.NewVariables(nil, variables))
	var problem *source.Error
	if !errors.As(err, &problem) || problem.File != "small.yaml" || !strings.HasPrefix(at(problem.Position), "+ glue_flap") {
		t.Errorf("Value() = %v, want an error at + glue_flap", err)
	}
}

func TestDecimal(t *testing.T) {
	var zero limits.Decimal
	sheets := load(t).Sheets()
	article := load(t).Articles()[0]
	for _, test := range []struct {
		decimal limits.Decimal
		text    string
		rat     *big.Rat
		float   float64
	}{
		{zero, "0", new(big.Rat), 0},
		{sheets[0].Height, "720.50", big.NewRat(1441, 2), 720.5},
		{article.Depth.Min, "15.125", big.NewRat(15125, 1000), 15.125},
		{article.Height.Max, "30", big.NewRat(30, 1), 30},
		{load(t).Materials()[0].Caliper, "0.4", big.NewRat(2, 5), 0.4},
	} {
		d := test.decimal
		if d.String() != test.text || d.Rat().Cmp(test.rat) != 0 || d.Float64() != test.float {
			t.Errorf("decimal %s, %v, %v, want %s, %v, %v", d, d.Rat(), d.Float64(), test.text, test.rat, test.float)
		}
	}
}

func TestIllustrative(t *testing.T) {
	c := limits.Illustrative()
	file, err := os.ReadFile("illustrative.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := limits.IllustrativeYAML()
	if !bytes.Equal(text, file) {
		t.Error("IllustrativeYAML() is not the file")
	}
	text[0] = 'x'
	if again := limits.IllustrativeYAML(); !bytes.Equal(again, file) {
		t.Error("a change of what IllustrativeYAML returned changed it")
	}
	loaded, err := limits.Load("other.yaml", file)
	if err != nil {
		t.Fatal(err)
	}
	if c != limits.Illustrative() || c.Name() != "limits/illustrative.yaml" ||
		!reflect.DeepEqual(c.Materials(), loaded.Materials()) || len(c.Articles()) != len(loaded.Articles()) {
		t.Errorf("Illustrative() is not the catalogue of the file, once: %s", c.Name())
	}
	changed, err := limits.Load("limits/illustrative.yaml", append(slices.Clone(file), '\n'))
	if err != nil {
		t.Fatal(err)
	}
	if !c.IsIllustrative() || !loaded.IsIllustrative() || changed.IsIllustrative() {
		t.Errorf("IsIllustrative() = %v, of a copy %v, of a changed one %v, want true, true, false", c.IsIllustrative(),
			loaded.IsIllustrative(), changed.IsIllustrative())
	}
	selected := make(map[string]bool)
	for _, a := range c.Articles() {
		if a.Title == "" || a.Blank == nil || len(a.Materials) == 0 {
			t.Errorf("article %s: title %q, blank %v, materials %q", a.Code, a.Title, a.Blank, a.Materials)
		}
		for _, code := range a.Constraints {
			selected[code] = true
		}
	}
	if len(selected) != 23 {
		t.Errorf("%d constraints are selected, want all 23", len(selected))
	}
	for _, m := range c.Materials() {
		if m.MinSheets < 1 {
			t.Errorf("material %s has no smallest number of sheets", m.Code)
		}
	}
}

// TestLoadOneError changes one place of a small file, to a value just inside or just outside of what is
// accepted. The root's testdata/err has the other errors.
func TestLoadOneError(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{"unit: mm", "unit: Zollerei", ""},
		{"  sleeve:", "  " + strings.Repeat("ä", 64) + ":", ""},
		{"min_sheets: 25", "min_sheets: 1", ""},
		{"min_sheets: 25", "min_sheets: 1000000000", ""},
		{"min: 20,", "min: 400,", ""},
		{"min: 20,", "min: 0.00000000000001,",
			"14:19: articles.tuck-end: 0.00000000000001 has more than three decimals; accepted: 0.001"},
		{"min: 20,", "min: 20.1255,", "14:19: articles.tuck-end: 20.1255 has more than three decimals; accepted: 20.125 or 20.126"},
		{"  sleeve:", "  ”sleeve:", ""}, // a quotation mark at one end only
		{"  sleeve:", "  12”:", ""},
		{"  sleeve:", "  ”sleeve”:",
			"23:3: articles.”sleeve”: \"”sleeve”\" has typographic quotes, which are part of the code: write plain ones, or none"},
		{"min: 20,", "min: 0.000000000000001,", "14:19: articles.tuck-end: the number has 17 characters; accepted: at most 16"},
		{"max: 1000000}", "max: 1000000.00000001}", "24:38: articles.sleeve: 1000000.00000001 is too large; accepted: at most 1000000"},
	} {
		text := strings.Replace(small, test.old, test.new, 1)
		if text == small {
			t.Fatalf("%q is not in the catalogue", test.old)
		}
		_, err := limits.Load("small.yaml", []byte(text))
		got := ""
		if err != nil {
			got = strings.TrimPrefix(err.Error(), "small.yaml:")
		}
		if got != test.want {
			t.Errorf("%.40q for %.40q: %s, want %s", test.new, test.old, got, test.want)
		}
	}
}

// TestOffers: articles times materials are bounded, which is reported once.
func TestOffers(t *testing.T) {
	var b strings.Builder
	b.WriteString("version: 1\nunit: mm\nsheets:\n  s: {width: 1, height: 1}\nmaterials:\n")
	for i := range limits.MaxOffers / 50 {
		fmt.Fprintf(&b, "  m%d: {caliper: 1, glue_flap: 1, sheet: s}\n", i)
	}
	b.WriteString("articles:\n")
	article := func(name, materials string) string {
		return "  " + name + ": {" + materials + "width: {min: 1, max: 1}, depth: {min: 1, max: 1}, height: {min: 1, max: 1}, constraints: []}\n"
	}
	for i := range 50 {
		b.WriteString(article(fmt.Sprintf("a%d", i), ""))
	}
	if _, err := limits.Load("offers.yaml", []byte(b.String())); err != nil {
		t.Errorf("with %d offers: %v", limits.MaxOffers, err)
	}
	b.WriteString(article("one", "materials: [m0], ") + article("two", "materials: [m0], "))
	want := "offers.yaml:297:3: articles.one: too many products (an article in a material): at most 12000 in total"
	if _, err := limits.Load("offers.yaml", []byte(b.String())); err == nil || err.Error() != want {
		t.Errorf("with more: %v, want %s", err, want)
	}
}

// TestDefaultStep: the step is a usual one for the unit, and one that the decimals allow.
func TestDefaultStep(t *testing.T) {
	for header, want := range map[string]float64{
		"unit: mm": 1, "unit: cm": 0.1, "unit: m": 0.001, "unit: in": 0.125, "unit: Zoll": 1,
		"unit: in\ndecimals: 2": 0.25, "unit: in\ndecimals: 1": 0.5, "unit: in\ndecimals: 0": 1,
		"unit: cm\ndecimals: 0": 1, "unit: m\ndecimals: 2": 0.01, "unit: mm\ndecimals: 1": 1,
	} {
		c, err := limits.Load("limits.yaml", []byte("version: 1\n"+header+"\nsheets: {s: {width: 9, height: 9}}\n"+
			"materials: {m: {caliper: 1, glue_flap: 1, sheet: s}}\n"+
			"articles: {a: {width: {min: 1, max: 9}, depth: {min: 1, max: 9}, height: {min: 1, max: 9}, constraints: []}}\n"))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.DefaultStep(); got != want {
			t.Errorf("%q: DefaultStep() = %v, want %v", header, got, want)
		}
	}
}
