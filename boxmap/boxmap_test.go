package boxmap_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/boxmap"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/profiles"
)

var update = flag.Bool("update", false, "write the golden files")

// plain is a catalogue of one article that selects no constraints.
const plain = `version: 1
unit: mm
sheets: {s: {width: 9, height: 9}}
materials: {m: {caliper: 1, glue_flap: 1, sheet: s}}
articles:
  a: {width: {min: 1, max: 900}, depth: {min: 1, max: 900}, height: {min: 1, max: 900}, constraints: [], materials: [m]}
`

func profile(t *testing.T, article, material string) *boxrules.Profile {
	t.Helper()
	p, err := boxrules.Default().Profile(article, material)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestGolden(t *testing.T) {
	for _, test := range []struct {
		name, article, material string
		options                 boxmap.Options
		mark                    *boxrules.Dims
		step                    float64
	}{
		{"tuck-end-box", "tuck-end", "carton-300", boxmap.Options{Fixed: "height", Value: 184},
			&boxrules.Dims{Width: 48, Depth: 141, Height: 184}, 1},
		{"slotted-case-height", "slotted-case", "b-flute", boxmap.Options{Fixed: "height", Value: 100}, nil, 0},
		{"handle-box-depth", "handle-box", "carton-400", boxmap.Options{Fixed: "depth", Value: 107},
			&boxrules.Dims{Width: 148, Depth: 107, Height: 176}, 0.5},
		{"mailer-width", "mailer", "e-flute", boxmap.Options{Fixed: "width", Value: 300}, nil, 0},
		{"outside", "tuck-end", "carton-300", boxmap.Options{Fixed: "height", Value: 500},
			&boxrules.Dims{Width: 700, Depth: 100, Height: 500}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := profile(t, test.article, test.material)
			if test.mark != nil {
				e, err := p.Explain(*test.mark, test.step)
				if err != nil {
					t.Fatal(err)
				}
				test.options.Mark = &e
			}
			got, err := boxmap.SVG(p, test.options)
			if err != nil {
				t.Fatal(err)
			}
			again, err := boxmap.SVG(p, test.options)
			if err != nil || !bytes.Equal(got, again) {
				t.Error("the same slice is drawn in two ways")
			}
			wellFormed(t, got)
			file := filepath.Join("testdata", test.name+".svg")
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s is not what is drawn (%v)", file, err)
			}
		})
	}
}

// wellFormed reads the picture as XML, and checks that it contains no scripts or images.
func wellFormed(t *testing.T, svg []byte) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if element, ok := token.(xml.StartElement); ok && (element.Name.Local == "script" || element.Name.Local == "image") {
			t.Errorf("the picture has a <%s>", element.Name.Local)
		}
	}
}

// TestEveryProfile draws every profile through the middle of its limits, along each axis.
func TestEveryProfile(t *testing.T) {
	for _, p := range boxrules.Default().Profiles() {
		for axis, name := range exact.AxisNames() {
			svg, err := boxmap.SVG(p, boxmap.Options{Fixed: name, Value: exact.Float64At(p.Exact().High[axis]) / 2})
			if err != nil {
				t.Fatal(err)
			}
			wellFormed(t, svg)
		}
	}
}

// TestLegend has messages that fit the legend, and some that do not. Conditions are shown if they fit.
func TestLegend(t *testing.T) {
	const long = "width > 500 || width > 600 || width > 700"
	for _, test := range []struct {
		when, message string
		want          []string
	}{
		{"width > 50", "m", []string{"L_0001  width > 50"}},
		{long, "m", []string{"L_0001  m"}},
		{long, "too wide for the machine, which is what it is", []string{"L_0001  too wide for the machine,", "which is what it is"}},
		{long, strings.Repeat("word ", 40), []string{"L_0001  word word word word word",
			"word word word word word word word", "word word word word word word word…"}},
		{long, strings.Repeat("Ü", 300) + " or so", []string{"L_0001  " + strings.Repeat("Ü", 17) + "… or so"}},
	} {
		e := profiles.Engine(t,
			fmt.Sprintf("version: 1\nboundary:\n  - {code: L_0001, when: %q, message: %q}\n", test.when, test.message), plain)
		svg, err := boxmap.SVG(e.Profiles()[0], boxmap.Options{Fixed: "height", Value: 100})
		if err != nil {
			t.Fatal(err)
		}
		_, legend, _ := strings.Cut(string(svg), `xml:space="preserve">valid</text>`)
		var got []string
		for _, line := range regexp.MustCompile(`>([^<>]+)</text>`).FindAllStringSubmatch(legend, -1) {
			got = append(got, html.UnescapeString(line[1]))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("the legend of %s, %.60s has %q, want %q", test.when, test.message, got, test.want)
		}
	}
}

func TestErrors(t *testing.T) {
	p := profile(t, "tuck-end", "carton-300")
	box := boxrules.Explanation{Dims: boxrules.Dims{Width: 100, Depth: 50, Height: 100}}
	for _, test := range []struct {
		options boxmap.Options
		field   string
	}{
		{boxmap.Options{Fixed: "length", Value: 100}, "fixed"},
		{boxmap.Options{Fixed: "", Value: 100}, "fixed"},
		{boxmap.Options{Fixed: "width", Value: math.NaN()}, "width"},
		{boxmap.Options{Fixed: "height", Value: 101, Mark: &box}, "height"},
	} {
		_, err := boxmap.SVG(p, test.options)
		var input *boxrules.InputError
		var option *boxrules.OptionError
		isInput, isOption := errors.As(err, &input) && input.Field == test.field, errors.As(err, &option) && option.Option == test.field
		if isOption != (test.field == "fixed") || isInput == isOption {
			t.Errorf("SVG(%+v): error %v, want one for %s", test.options, err, test.field)
		}
	}
}

// TestManyPieces draws rules that would have a million pieces if they were multiplied out. A rule that really
// has too many is an error.
func TestManyPieces(t *testing.T) {
	draw := func(clauses int, clause func(i int) string) ([]byte, error) {
		var when []string
		for i := range clauses {
			when = append(when, clause(i))
		}
		engine := profiles.Engine(t,
			fmt.Sprintf("version: 1\nboundary:\n  - {code: L_0001, when: %q, message: m}\n", strings.Join(when, " && ")), plain)
		return boxmap.SVG(engine.Profiles()[0], boxmap.Options{Fixed: "height", Value: 100})
	}
	svg, err := draw(20, func(i int) string { return fmt.Sprintf("(width > %d || depth > %d)", i+1, i+1) })
	if err != nil || bytes.Count(svg, []byte("z")) > 200 {
		t.Errorf("20 clauses: %v, %d pieces", err, bytes.Count(svg, []byte("z")))
	}
	wellFormed(t, svg)
	// Strips both ways leave a field of small squares.
	_, err = draw(100, func(i int) string { return fmt.Sprintf("width != %d && depth != %d", 2*i, 2*i) })
	if err == nil || err.Error() != "L_0001 has too many corners and pieces to draw" {
		t.Errorf("100 strips each way: %v, want that there are too many", err)
	}
}
