package fuzz

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
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
		if !roundsTo(t, got, grid) {
			t.Errorf("%q does not stand for %s", text, grid.FloatString(3))
		}
		// Away from the middle between two grid points the nearest to the text is the one.
		nearest := new(big.Rat).Sub(exact, grid)
		if off, _ := nearest.Float64(); math.Abs(off) > 0.0005000001 {
			t.Errorf("%q is on the grid as %s", text, grid.FloatString(3))
		}
	})
}

// roundsTo reports whether the engine rounds the dimension to the grid point, so that it is neither
// less nor more.
func roundsTo(t *testing.T, x float64, grid *big.Rat) bool {
	t.Helper()
	engine := profiles.Engine(t, fmt.Sprintf(
		"version: 1\nboundary:\n  - {code: GRID_0001, when: width != %s, message: wrong}\n", grid.FloatString(3)), smallCatalogue(nil))
	verdict, err := engine.Check(boxrules.Box{Article: "a", Material: "thin", Dims: boxrules.Dims{Width: x}})
	return err == nil && verdict.OK()
}

// FuzzVerdict compares the engine with the oracle for any three numbers, in an article for each
// constraint and one for all.
func FuzzVerdict(f *testing.F) {
	engine := must(boxrules.New(boxrules.DefaultRules(), every()))
	articles := judgedOf(engine)
	for _, d := range [][3]float64{{143, 50, 303}, {0.03, 0.01, 5}, {60, 80, 32}, {-0.0015, -0.0005, 0.0005}, {398.25, 100, 99.999},
		{1e6, -1e6, 0}, {math.NaN(), math.Inf(1), 1e300}} {
		f.Add(d[0], d[1], d[2], uint8(0))
		f.Add(d[2], d[0], d[1], uint8(len(articles)-1))
	}
	f.Fuzz(func(t *testing.T, w, d, h float64, article uint8) {
		of := articles[int(article)%len(articles)]
		box := boxOf(of.Profile, boxrules.Dims{Width: w, Depth: d, Height: h})
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
		want := of.oracle.All(oracle.Grid(w), oracle.Grid(d), oracle.Grid(h))
		if err != nil || errAll != nil || !same(first, all, want) {
			t.Fatalf("Check(%+v) = %v, all %v, errors %v and %v, want %v", box, first, all, err, errAll, want)
		}
	})
}
