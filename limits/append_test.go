package limits_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/limits"
)

func init() { lab.Checks(25, 500) }

// roundTrip confirms that what a catalogue is written as is read as the same catalogue, and written
// the same again, also as JSON.
func roundTrip(t interface{ Fatalf(string, ...any) }, c *limits.Catalogue) string {
	text := c.Append(nil, nil)
	read, err := limits.Load("written.yaml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if got, want := fileOf(read), fileOf(c); !reflect.DeepEqual(got, want) {
		t.Fatalf("read as\n%+v, want\n%+v\n%s", got, want, text)
	}
	if again := read.Append(nil, nil); string(again) != string(text) {
		t.Fatalf("written again as\n%s\nwant\n%s", again, text)
	}
	data, err := json.Marshal(fileOf(c))
	if err != nil {
		t.Fatalf("JSON: %v", err)
	}
	var file limits.File
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	made, err := limits.New("made", file)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	if got, want := fileOf(made), fileOf(c); !reflect.DeepEqual(got, want) {
		t.Fatalf("made as\n%+v, want\n%+v", got, want)
	}
	return string(text)
}

// TestAppend writes every limit file that there is, and random ones.
func TestAppend(t *testing.T) {
	names, err := filepath.Glob("../testdata/ok/limits-*.yaml")
	if err != nil || len(names) < 5 {
		t.Fatalf("files %q, %v", names, err)
	}
	for _, name := range append(names, "illustrative.yaml") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c, err := limits.Load(name, data)
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, c)
	}
	rapid.Check(t, func(t *rapid.T) {
		c, err := limits.Load("drawn.yaml", []byte(gen.New(draw.Choices(t)).Catalogue()))
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, c)
	})
}

// TestAppendText: numbers stay as they are written, and texts have quotes where they need them.
func TestAppendText(t *testing.T) {
	const want = `version: 1
unit: mm
decimals: 1  # a tenth

sheets:
  ra106: {width: 1040, height: 720.50}
  "48": {width: 900, height: 640}  # of the house

materials:
  carton: {caliper: 0.4, glue_flap: 15, sheet: "48", min_sheets: 25}
  board: {caliper: 1.50, glue_flap: 0, sheet: ra106}
  Prägekarton 3 mm: {caliper: 3, glue_flap: 12, sheet: ra106}

articles:
  tuck-end:
    title: Tuck-end carton
    materials: [board, carton]
    width: {min: 20, max: 400}  # measured
    depth: {min: 15.125, max: 250}
    height: {min: 30, max: 30}
    constraints: [BOX_3105, BOX_3100]
    blank:
      width: 2*width + 2*depth + glue_flap
      height: height + 2*depth  # it has no lid
  sleeve:
    materials: [carton, board, Prägekarton 3 mm]
    width: {min: 1, max: 2}
    depth: {min: 1, max: 2}
    height: {min: 0.0010000000, max: 1000000}
    constraints: []
`
	comments := map[string]string{
		"decimals": "a tenth", "sheets/48": "of the house", "articles/tuck-end/width": "measured",
		"articles/tuck-end/blank/height": "it has no lid",
	}
	c, err := limits.Load("small.yaml", []byte(small+"decimals: 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := c.Append([]byte("# Mine\n"), func(path ...string) string { return comments[strings.Join(path, "/")] })
	if string(got) != "# Mine\n"+want {
		t.Errorf("Append = %s\nwant\n%s", got, want)
	}
	roundTrip(t, c)
}

// odd are texts that YAML reads as something else, in some place and version.
var odd = []string{
	`O'Neil "x"`, "--", "yes", "null", "two words", "Prägekarton 3 mm", "a: b", "a #b", "#", "- a", "{a}", "[a]", "*a", "&a", "!a",
	"%a", "@a", "`a`", "|", ">", "?", "~", "1", "1e3", "0x10", "1_000", ".nan", "2001-01-01", "'", `"`, `\`, `\n`, "=", "<<", "True",
	"NULL", "No", "off", "-", "---", "...", "😀", "a,b", "a:", ":a", "y", "N", "0o7", "1:30", "+1", "!!str", "é", "a }", "123",
	"Ü ✓ 𝄞", "(a)", "2*a", "2 *", ".5*a", "1.*", "0.*e3", "a-", "a/b", ",a", "a,", "x.", "on", "version", "a  b", "日本",
}

// TestAppendOdd appends unusual codes, titles and formulas. Texts are in quotes only if they need
// them.
func TestAppendOdd(t *testing.T) {
	plain := []string{"Tuck-end carton (ECMA A20.20.03.01)", "2*width + 2*depth", "0.5 * depth"}
	formulas := []string{"500", " width ", "2*width", "(width)", "-width", "height +\n  2*depth", "\twidth", "min(width, 3)",
		"+width", "width\n"}
	for i, unit := range []string{"mm", "no", "y", "Null", "true"} {
		f := limits.File{Unit: unit}
		for j, code := range append(slices.Clone(plain), odd...) {
			whole := limits.Range{Min: "1", Max: "2.50"}
			f.Sheets = append(f.Sheets, limits.Sheet{Code: code, Width: "1", Height: "2"})
			f.Materials = append(f.Materials, limits.Material{Code: code, Caliper: "0.4", GlueFlap: "0", Sheet: limits.Sheet{Code: odd[i]}})
			blank := &limits.Blank{Width: limits.Formula{Text: formulas[j%len(formulas)]}, Height: limits.Formula{Text: "height"}}
			f.Articles = append(f.Articles, limits.Article{Code: code, Title: code, Width: whole, Depth: whole, Height: whole,
				Materials: []string{plain[0], code}[:1+min(j, 1)], Constraints: []string{}, Blank: blank})
		}
		c, err := limits.New("odd", f)
		if err != nil {
			t.Fatal(err)
		}
		written := roundTrip(t, c)
		for _, text := range plain {
			if !strings.Contains(written, "title: "+text+"\n") {
				t.Errorf("%s is in quotes", text)
			}
		}
	}
}
