package boxrules_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/profiles"
)

// waysRound returns the other permutations of a box, each once, the best first. They are written out by
// hand, without the table of the code.
func waysRound(d boxrules.Dims) []boxrules.Turn {
	return proposedWaysRound(d, func(boxrules.Dims) bool { return true })
}

// proposedWaysRound returns the permutations that may be proposed.
func proposedWaysRound(d boxrules.Dims, proposed func(boxrules.Dims) bool) []boxrules.Turn {
	w, dep, h := d.Width, d.Depth, d.Height
	all := []boxrules.Turn{
		{Dims: boxrules.Dims{Width: dep, Depth: w, Height: h}, Opening: "same"},
		{Dims: boxrules.Dims{Width: w, Depth: h, Height: dep}, Opening: "other"},
		{Dims: boxrules.Dims{Width: h, Depth: dep, Height: w}, Opening: "other"},
		{Dims: boxrules.Dims{Width: dep, Depth: h, Height: w}, Opening: "other"},
		{Dims: boxrules.Dims{Width: h, Depth: w, Height: dep}, Opening: "other"},
	}
	var once []boxrules.Turn
	for _, turn := range all {
		same := func(other boxrules.Turn) bool { return onGrid(other.Dims) == onGrid(turn.Dims) }
		if onGrid(turn.Dims) != onGrid(d) && !slices.ContainsFunc(once, same) && proposed(turn.Dims) {
			once = append(once, turn)
		}
	}
	return once
}

func onGrid(d boxrules.Dims) exact.Point {
	at, _ := d.Grid()
	return at
}

func TestTurned(t *testing.T) {
	for sides, want := range map[boxrules.Dims]int{
		{Width: 1, Depth: 2, Height: 3}: 5, {Width: 1, Depth: 1, Height: 3}: 2, {Width: 3, Depth: 1, Height: 1}: 2,
		{Width: 1, Depth: 3, Height: 1}: 2, {Width: 1, Depth: 1, Height: 1}: 0,
	} {
		if got := waysRound(sides); len(got) != want {
			t.Errorf("%+v has the ways round %v, want %d", sides, got, want)
		}
	}
	profiles.Each(t, func(t *testing.T, p *boxrules.Profile) {
		boxes := profiles.Boxes(p)
		for i := range *insightBoxes * 20 {
			d := boxrules.DimsAt(boxes.Next())
			switch i % 5 {
			case 0:
				d.Depth = d.Width
			case 1:
				d.Height = []float64{d.Width, d.Depth}[boxes.Draw(2)]
			case 2:
				d.Width = min(d.Width+0.000_3, 1e6) // beside the grid
			case 3:
				d.Height = min(d.Width+0.000_3, 1e6)
			}
			// A turned box is proposed as it is and, in words, on the grid.
			want := proposedWaysRound(d, func(turned boxrules.Dims) bool {
				for _, d := range []boxrules.Dims{turned, boxrules.DimsAt(onGrid(turned))} {
					v, err := p.Check(d)
					if err != nil {
						t.Fatal(err)
					}
					if _, borderline, _ := p.Borderline(d); !v.OK() || borderline {
						return false
					}
				}
				return true
			})
			if v, err := p.Check(d); err != nil {
				t.Fatal(err)
			} else if v.OK() {
				want = nil
			}
			got, err := p.Turned(d)
			e, errExplain := p.Explain(d, 1)
			if err != nil || errExplain != nil || !slices.Equal(got, want) || !reflect.DeepEqual(e.Turned, want) {
				t.Fatalf("Turned(%+v) = %+v, %v, explained %+v, %v, want %+v", d, got, err, e.Turned, errExplain, want)
			}
		}
	})
}

func TestTurnedErrors(t *testing.T) {
	if _, err := new(boxrules.Profile).Turned(boxrules.Dims{}); err == nil {
		t.Error("a Profile that no Engine has made turns boxes")
	}
	p := profileOf(t, engineOf(t, "", articleOf("a", "min: 1, max: 1000", "BOX_3100")), "a")
	var input *boxrules.InputError
	if _, err := p.Turned(boxrules.Dims{Width: 1, Depth: 1, Height: math.Inf(1)}); !errors.As(err, &input) || input.Field != "height" {
		t.Errorf("error %v, want one for height", err)
	}
}

// TestTurnedZero: a dimension of -0 is 0 in a turned box, so that it is not written as -0.
func TestTurnedZero(t *testing.T) {
	p := profileOf(t, engineOf(t, "boundary:\n  - {code: X_0001, when: width != 5, message: m}\n", articleOf("a", "min: 1, max: 9", "")), "a")
	zero := math.Copysign(0, -1)
	for _, d := range []boxrules.Dims{{Width: zero, Depth: 5, Height: 3}, {Width: 3, Depth: zero, Height: 5}, {Width: 3, Depth: 5, Height: zero}} {
		turned, err := p.Turned(d)
		if err != nil || len(turned) != 2 {
			t.Errorf("Turned(%+v) = %+v, %v, want two ways", d, turned, err)
		}
		for _, turn := range turned {
			if sides := turn.ByAxis(); slices.ContainsFunc(sides[:], math.Signbit) {
				t.Errorf("Turned(%+v) = %+v, which has a -0", d, turned)
			}
		}
	}
}

func TestOffers(t *testing.T) {
	engine := boxrules.Default()
	for _, d := range []boxrules.Dims{
		{Width: 48, Depth: 141, Height: 184}, {Width: 143, Depth: 50, Height: 303}, {Width: 228, Depth: 138, Height: 85}, {},
	} {
		want := []boxrules.Offer{}
		for _, a := range engine.Catalogue().Articles() {
			offer := boxrules.Offer{Article: a.Code}
			for _, material := range a.Materials {
				v, err := engine.Check(boxrules.Box{Article: a.Code, Material: material, Dims: d})
				if err != nil {
					t.Fatal(err)
				}
				if v.OK() {
					offer.Materials = append(offer.Materials, material)
				}
			}
			if offer.Materials != nil {
				want = append(want, offer)
			}
		}
		if got, err := engine.Offers(d); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Offers(%+v) = %+v, %v, want %+v", d, got, err, want)
		}
		if none := d == (boxrules.Dims{}); none != (len(want) == 0) {
			t.Errorf("%+v can be made as %+v", d, want)
		}
	}
	var input *boxrules.InputError
	if _, err := engine.Offers(boxrules.Dims{Depth: math.NaN()}); !errors.As(err, &input) || input.Field != "depth" {
		t.Errorf("error %v, want one for depth", err)
	}
}
