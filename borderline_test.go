package boxrules_test

import (
	"errors"
	"math"
	"testing"

	"example.com/boxrules"
)

func TestBorderline(t *testing.T) {
	e := boxrules.Default()
	const refuses = ": a service that computes in floating point may refuse it"
	for _, test := range []struct {
		article, material string
		w, d, h           float64
		code, other, note string
	}{
		{"tuck-end-slim", "carton-300", 60.3, 20.1, 143, "", "BOX_3119", "on the edge of BOX_3119" + refuses},
		{"tuck-end-slim", "carton-300", 60, 20, 143, "", "", ""}, // a tie, which float64 decides alike
		{"tuck-end-slim", "carton-300", 60.3, 20.099, 143, "", "", ""},
		{"tuck-end-slim", "carton-300", 60.3, 20.101, 143, "BOX_3119", "", ""},
		{"auto-bottom", "carton-300", 50.1, 66.8, 60, "BOX_3103", "valid",
			"on the edge of BOX_3103: a service that computes in floating point may accept it"},
		{"bottle-carton", "carton-300", 44.1, 58.8, 143.3, "BOX_3103", "BOX_3112",
			"on the edge of a rule: a service that computes in floating point may report BOX_3112"},
		// More decimals than the grid has.
		{"tuck-end", "carton-300", 400, 60, 180, "", "", ""},
		{"tuck-end", "carton-300", 400.0004, 60, 180, "", "BOX_2101", "on the edge of BOX_2101" + refuses},
		{"tuck-end", "carton-300", 19.9996, 15, 180, "", "BOX_2100", "on the edge of BOX_2100" + refuses},
		{"tuck-end", "carton-300", 100, 100.0004, 180, "", "BOX_3100", "on the edge of BOX_3100" + refuses},
		{"tuck-end", "carton-300", 100.0004, 100, 180, "", "", ""},
	} {
		p, err := e.Profile(test.article, test.material)
		if err != nil {
			t.Fatal(err)
		}
		d := boxrules.Dims{Width: test.w, Depth: test.d, Height: test.h}
		v, err := p.Check(d)
		if err != nil || string(v.Code()) != test.code {
			t.Errorf("%s: Check(%+v) = %v, %v, want %q", test.article, d, v, err, test.code)
		}
		other, ok, err := p.Borderline(d)
		said := string(other.Code())
		if other.OK() {
			said = "valid"
		}
		if err != nil || ok != (test.other != "") || said != test.other {
			t.Errorf("%s: Borderline(%+v) = %v, %v, %v, want %q", test.article, d, other, ok, err, test.other)
		}
		explanation, err := p.Explain(d, 1)
		if err != nil || explanation.Borderline != test.other || explanation.EdgeNote() != test.note {
			t.Errorf("%s: Explain(%+v): borderline %q, %v, note %q, want %q, %q",
				test.article, d, explanation.Borderline, err, explanation.EdgeNote(), test.other, test.note)
		}
	}
	var input *boxrules.InputError
	p := e.Profiles()[0]
	if _, _, err := p.Borderline(boxrules.Dims{Depth: math.NaN()}); !errors.As(err, &input) || input.Field != "depth" {
		t.Errorf("error %v, want one for depth", err)
	}
	if _, _, err := new(boxrules.Profile).Borderline(boxrules.Dims{}); err == nil {
		t.Error("a Profile that no Engine has made answers")
	}
	if n := testing.AllocsPerRun(100, func() { _, _, _ = p.Borderline(boxrules.Dims{Width: 120, Depth: 60, Height: 180}) }); n != 0 {
		t.Errorf("off every edge Borderline makes %v allocations", n)
	}
}
