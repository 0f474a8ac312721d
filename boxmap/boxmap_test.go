package boxmap_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/boxmap"
)

var update = flag.Bool("update", false, "write the golden files")

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
	}{
		{"tuck-end-box", "tuck-end", "carton-300", boxmap.Options{Fixed: "height", Value: 184, Mark: &boxrules.Dims{Width: 48, Depth: 141, Height: 184}}},
		{"slotted-case-height", "slotted-case", "b-flute", boxmap.Options{Fixed: "height", Value: 100}},
		{"handle-box-depth", "handle-box", "carton-400", boxmap.Options{Fixed: "depth", Value: 107, Mark: &boxrules.Dims{Width: 148, Depth: 107, Height: 176}, Step: 0.5}},
		{"mailer-width", "mailer", "e-flute", boxmap.Options{Fixed: "width", Value: 300}},
		{"outside", "tuck-end", "carton-300", boxmap.Options{Fixed: "height", Value: 500, Mark: &boxrules.Dims{Width: 700, Depth: 100, Height: 500}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := profile(t, test.article, test.material)
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

// wellFormed reads the picture as XML and looks for what a picture must not hold.
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

// TestEveryProfile draws all of them through the middle, on each axis.
func TestEveryProfile(t *testing.T) {
	for _, p := range boxrules.Default().Profiles() {
		article, _ := p.Entries()
		for axis, r := range map[string]float64{"width": article.Width.Max.Float64(), "depth": article.Depth.Max.Float64(), "height": article.Height.Max.Float64()} {
			svg, err := boxmap.SVG(p, boxmap.Options{Fixed: axis, Value: r / 2})
			if err != nil {
				t.Fatal(err)
			}
			wellFormed(t, svg)
		}
	}
}

func TestErrors(t *testing.T) {
	p := profile(t, "tuck-end", "carton-300")
	box := boxrules.Dims{Width: 100, Depth: 50, Height: 100}
	for _, test := range []struct {
		options boxmap.Options
		field   string
	}{
		{boxmap.Options{Fixed: "length", Value: 100}, "fixed"},
		{boxmap.Options{Fixed: "", Value: 100}, "fixed"},
		{boxmap.Options{Fixed: "width", Value: math.NaN()}, "width"},
		{boxmap.Options{Fixed: "height", Value: 101, Mark: &box}, "height"},
		{boxmap.Options{Fixed: "height", Value: 100, Mark: &boxrules.Dims{Width: math.Inf(1), Depth: 1, Height: 100}}, "width"},
		{boxmap.Options{Fixed: "height", Value: 100, Mark: &box, Step: -1}, "step"},
	} {
		_, err := boxmap.SVG(p, test.options)
		var input *boxrules.InputError
		if !errors.As(err, &input) || input.Field != test.field {
			t.Errorf("SVG(%+v): error %v, want an InputError for %s", test.options, err, test.field)
		}
	}
}
