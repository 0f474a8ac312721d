package fuzz

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/internal/lab/profiles"
)

var plainDecimal = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// FuzzDimension reads a dimension from text and puts it on the grid.
func FuzzDimension(f *testing.F) {
	for _, text := range []string{"48", "-0", "48.5", "0.0005", "-0.0005", "1000000", "1000000.0001", "48.", ".5", "+1", "1e3",
		"0x10", "1_0", "NaN", "１", "0.30000000000000004"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := boxrules.ParseDimension("width", text)
		var input *boxrules.InputError
		if err != nil && (!errors.As(err, &input) || input.Field != "width" || strings.ContainsAny(err.Error(), "\n\r") || got != 0) {
			t.Fatalf("ParseDimension(%q) = %v, error %v", text, got, err)
		}
		if !plainDecimal.MatchString(text) || len(text) > 64 {
			if err == nil {
				t.Fatalf("ParseDimension(%q) = %v, want an error", text, got)
			}
			return
		}
		exact, _ := new(big.Rat).SetString(text)
		want, _ := exact.Float64()
		if (err == nil) != (math.Abs(want) <= 1_000_000) || err == nil && got != want {
			t.Fatalf("ParseDimension(%q) = %v, %v, want %v or that it is out of range", text, got, err, want)
		}
		if err != nil {
			return
		}
		grid := oracle.Grid(got)
		if !stands(t, got, grid) {
			t.Errorf("%q does not stand for %s", text, grid.FloatString(3))
		}
		// Away from the middle between two grid points the nearest to the text is the one.
		nearest := new(big.Rat).Sub(exact, grid)
		if off, _ := nearest.Float64(); math.Abs(off) > 0.0005000001 {
			t.Errorf("%q is on the grid as %s", text, grid.FloatString(3))
		}
	})
}

// stands reports whether the engine takes the dimension for the grid point: it is neither less
// nor more.
func stands(t *testing.T, x float64, grid *big.Rat) bool {
	t.Helper()
	engine := profiles.Engine(t, fmt.Sprintf(
		"version: 1\nboundary:\n  - {code: GRID_0001, when: width != %s, message: wrong}\n", grid.FloatString(3)), smallCatalogue(nil))
	verdict, err := engine.Check(boxrules.Box{Article: "a", Material: "thin", Dims: boxrules.Dims{Width: x}})
	return err == nil && verdict.OK()
}

// FuzzVerdict compares the engine with the oracle for any three numbers. The articles select a
// single constraint each, all of them, none, and those of an even number.
func FuzzVerdict(f *testing.F) {
	selections := [][]string{oracle.Constraints, nil, nil}
	for i, code := range oracle.Constraints {
		selections = append(selections, []string{code})
		if i%2 == 0 {
			selections[2] = append(selections[2], code)
		}
	}
	var text strings.Builder
	text.WriteString("version: 1\nunit: mm\nsheets:\n  s: {width: 1040, height: 720.5}\nmaterials:\n" +
		"  m: {caliper: 1.5, glue_flap: 35, sheet: s}\narticles:\n")
	for i, selection := range selections {
		fmt.Fprintf(&text, "  a%d:\n    width: {min: 0.001, max: 900}\n    depth: {min: 1.5, max: 800.25}\n    height: {min: 2, max: 700}\n"+
			"    constraints: [%s]\n    blank: {width: 2*width + 2*depth + glue_flap, height: height + 4/3*depth - caliper}\n", i,
			strings.Join(selection, ", "))
	}
	engine := profiles.Engine(f, "", text.String())
	profile := oracle.Profile{
		MinWidth: big.NewRat(1, 1000), MaxWidth: big.NewRat(900, 1), MinDepth: big.NewRat(3, 2), MaxDepth: big.NewRat(3201, 4),
		MinHeight: big.NewRat(2, 1), MaxHeight: big.NewRat(700, 1), SheetWidth: big.NewRat(1040, 1), SheetHeight: big.NewRat(1441, 2),
		Blank: func(w, d, h *big.Rat) (width, height *big.Rat) {
			width = new(big.Rat).Add(w, d)
			height = new(big.Rat).Mul(d, big.NewRat(4, 3))
			return width.Add(width.Add(width, width), big.NewRat(35, 1)), height.Sub(height.Add(height, h), big.NewRat(3, 2))
		},
	}
	for _, d := range [][3]float64{{143, 50, 303}, {0.03, 0.01, 5}, {60, 80, 32}, {-0.0015, -0.0005, 0.0005}, {398.25, 100, 99.999},
		{1e6, -1e6, 0}, {math.NaN(), math.Inf(1), 1e300}} {
		f.Add(d[0], d[1], d[2], uint8(0))
		f.Add(d[2], d[0], d[1], uint8(22))
	}
	f.Fuzz(func(t *testing.T, w, d, h float64, article uint8) {
		i := int(article) % len(selections)
		box := boxrules.Box{Article: fmt.Sprintf("a%d", i), Material: "m", Dims: boxrules.Dims{Width: w, Depth: d, Height: h}}
		first, err := engine.Check(box)
		all, errAll := engine.CheckAll(box)
		for axis, x := range []float64{w, d, h} {
			if math.Abs(x) <= 1_000_000 {
				continue
			}
			var input *boxrules.InputError
			field := []string{"width", "depth", "height"}[axis]
			if !errors.As(err, &input) || input.Field != field || errAll == nil || first.OK() || len(all) > 0 {
				t.Fatalf("Check(%+v) = %v, all %v, errors %v and %v, want one for %s", box, first, all, err, errAll, field)
			}
			return
		}
		expected := profile
		expected.Constraints = make(map[string]bool)
		for _, code := range selections[i] {
			expected.Constraints[code] = true
		}
		want := expected.All(oracle.Grid(w), oracle.Grid(d), oracle.Grid(h))
		if err != nil || errAll != nil || first.OK() != (len(want) == 0) || len(want) > 0 && string(first.Code()) != want[0] ||
			!slices.EqualFunc(all, want, func(v boxrules.Violation, code string) bool { return string(v.Code) == code }) {
			t.Fatalf("Check(%+v) = %v, all %v, errors %v and %v, want %v", box, first, all, err, errAll, want)
		}
	})
}
