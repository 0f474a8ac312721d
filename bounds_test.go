package boxrules_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"example.com/boxrules"
)

// textOfBounds returns each bound as its code, its field, and what to enter there, such as "BOX_2100 width >= 20".
func textOfBounds(bounds []boxrules.Bound) (texts []string) {
	for _, b := range bounds {
		text := string(b.Code) + " " + b.Field
		if b.Max != nil {
			text += fmt.Sprintf(" <= %v", *b.Max)
		}
		if b.Min != nil {
			text += fmt.Sprintf(" >= %v", *b.Min)
		}
		texts = append(texts, text)
	}
	return texts
}

func TestBounds(t *testing.T) {
	const rules = `extends: documented
constraint:
  - {code: ODD_0001, when: 2 > 1, message: always}
  - {code: ODD_0002, when: "!(30 <= width <= 35 || 40 <= width <= 45 || 65 <= width <= 70 || width >= 75)", message: standard sizes}
`
	e := engineOf(t, rules, articleOf("sides", "min: 20, max: 100", "BOX_3100, BOX_3104")+articleOf("always", "min: 20, max: 100", "ODD_0001")+
		articleOf("sizes", "min: 20, max: 100", "ODD_0002")+
		"  narrow: {width: {min: 20, max: 55}, depth: {min: 20, max: 100}, height: {min: 20, max: 100}, constraints: [BOX_3100, BOX_3104]}\n")
	for _, test := range []struct {
		article string
		w, d, h float64
		want    []string
	}{
		{"sides", 50, 40, 40, nil},
		{"sides", 50, 60, 40, []string{"BOX_3100 depth <= 50"}},
		// Each field gets its own minimum if more than one dimension has to change.
		{"sides", 10, 11, 12, []string{"BOX_2100 width >= 20", "BOX_2102 depth >= 20", "BOX_2104 height >= 20"}},
		{"sides", 10, 50, 150, []string{"BOX_2100 width >= 20", "BOX_2105 height <= 100"}},
		// But if a change of the field alone is enough, the box is valid after that change.
		{"sides", 10, 50, 40, []string{"BOX_2100 width >= 50"}},
		{"sides", 50, 60, 60, []string{"BOX_3100 width >= 60", "BOX_3104 width >= 60"}},
		// The width cannot be that great, and no change of one dimension satisfies both rules.
		{"narrow", 50, 60, 60, []string{"BOX_3100 depth", "BOX_3104 height"}},
		// Of several ranges, the nearest below and the nearest above.
		{"sizes", 50, 50, 50, []string{"ODD_0002 width <= 45 >= 65"}},
		{"sizes", 38, 50, 50, []string{"ODD_0002 width <= 35 >= 40"}},
		{"sizes", 25, 50, 50, []string{"ODD_0002 width >= 30"}},
		{"always", 50, 50, 50, []string{"ODD_0001 width"}},
	} {
		d := boxrules.Dims{Width: test.w, Depth: test.d, Height: test.h}
		bounds, err := profileOf(t, e, test.article).Bounds(d)
		if got := textOfBounds(bounds); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: Bounds(%+v) = %q, %v, want %q", test.article, d, got, err, test.want)
		}
	}
	var input *boxrules.InputError
	bad := boxrules.Dims{Width: 50, Depth: math.NaN(), Height: 40}
	if bounds, err := profileOf(t, e, "sides").Bounds(bad); bounds != nil || !errors.As(err, &input) || input.Field != "depth" {
		t.Errorf("Bounds(%+v) = %q, %v, want an error for depth", bad, textOfBounds(bounds), err)
	}
	if bounds, err := new(boxrules.Profile).Bounds(boxrules.Dims{}); bounds != nil || err == nil {
		t.Errorf("Bounds of a zero Profile = %q, %v, want an error", textOfBounds(bounds), err)
	}
}

// TestBoundsOffTheEdge: a bound is never borderline.
func TestBoundsOffTheEdge(t *testing.T) {
	for code, want := range map[string]string{"TIE_0002": "TIE_0002 depth <= 20.099", "TIE_0001": "TIE_0001 depth"} {
		bounds, err := edgeProfile(t, "min: 1, max: 90", code).Bounds(boxrules.Dims{Width: 60.3, Depth: 25, Height: 5})
		if got := textOfBounds(bounds); err != nil || !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, %v, want %q", code, got, err, want)
		}
	}
}

// TestBoundsAtTheLimits has no rules about the limits of the article, but a bound is within them all the same.
func TestBoundsAtTheLimits(t *testing.T) {
	const rules = "constraint:\n  - {code: ODD_0001, when: 10 < width < 50, message: m}\n"
	for ranges, want := range map[string]string{
		"min: 10, max: 50":         "ODD_0001 width <= 10 >= 50",
		"min: 10.001, max: 49.999": "ODD_0001 width",
		"min: 5, max: 49.999":      "ODD_0001 width <= 10",
	} {
		p := profileOf(t, engineOf(t, rules, articleOf("a", ranges, "ODD_0001")), "a")
		bounds, err := p.Bounds(boxrules.Dims{Width: 30, Depth: 30, Height: 30})
		if got := textOfBounds(bounds); err != nil || !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, %v, want %q", ranges, got, err, want)
		}
	}
}
