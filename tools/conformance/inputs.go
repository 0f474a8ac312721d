package main

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
)

// inputs are the questions that are about no box, with the field that is wrong, and the last ones that are.
func inputs(root string) ([]conformance.File, error) {
	s, err := newSuite(root, conformance.File{
		Name:        "input-errors.json",
		Description: "What is no box: an unknown or missing article or material, a material that the article is not offered in, a dimension that is no number or is beyond 1,000,000. Of several errors the first counts, in the order article, material, width, depth, height. Beside them the last boxes that are.",
		Rules:       documentedRules, Limits: shippedLimits,
	})
	if err != nil {
		return nil, err
	}
	profiles, err := byHand(s.engine.Catalogue())
	if err != nil {
		return nil, err
	}
	s.right = func(article, material string, w, d, h *big.Rat) []string {
		return profiles[[2]string{article, material}].All(w, d, h)
	}
	good := boxrules.Dims{Width: 143, Depth: 50, Height: 303}
	nan, inf := math.NaN(), math.Inf(1)
	beyond := math.Nextafter(1_000_000, inf)
	bad := boxrules.Dims{Width: nan, Depth: inf, Height: -inf}

	// The words are names of everything that an object of a scripting language has.
	for _, article := range []string{"", " ", "unknown", "Tuck-End", "tuck-end ", " tuck-end", "tuck_end", "carton-300", "BOX_3100", "constructor", "__proto__", "toString", "null", "0", "tuck-end\u0000", strings.Repeat("x", 300)} {
		s.refuse(boxrules.Box{Article: article, Material: "carton-300", Dims: good}, "article")
		s.refuse(boxrules.Box{Article: article, Material: "", Dims: bad}, "article")
	}
	for _, material := range []string{"", " ", "unknown", "Carton-300", "carton-300 ", "e-flute", "b-flute", "ra106", "tuck-end", "constructor", "__proto__", "toString", "null", "0", strings.Repeat("x", 300)} {
		s.refuse(boxrules.Box{Article: "tuck-end", Material: material, Dims: good}, "material")
		s.refuse(boxrules.Box{Article: "tuck-end", Material: material, Dims: bad}, "material")
	}
	for _, x := range []float64{nan, inf, -inf, beyond, -beyond, 1_000_000.001, -1_000_000.001, 1_000_001, 1e7, 9_007_199_254_740_993, 1e16, 1e21, 1e300, math.MaxFloat64, -math.MaxFloat64} {
		for _, rest := range []boxrules.Dims{good, {Width: 48, Depth: 141, Height: 184}, {}, bad} {
			one := rest
			one.Width = x
			s.refuse(boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: one}, "width")
			if rest == good || rest == (boxrules.Dims{}) {
				one = rest
				one.Depth = x
				s.refuse(boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: one}, "depth")
				one.Height = nan
				s.refuse(boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: one}, "depth")
				one = rest
				one.Height = x
				s.refuse(boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: one}, "height")
			}
		}
	}
	for _, x := range []float64{1_000_000, -1_000_000, 0, math.Copysign(0, -1), -1, math.Nextafter(1_000_000, 0)} {
		s.ask("tuck-end", "carton-300", boxrules.Dims{Width: x, Depth: 50, Height: 303})
		s.ask("tuck-end", "carton-300", boxrules.Dims{Width: 143, Depth: x, Height: 303})
		s.ask("tuck-end", "carton-300", boxrules.Dims{Width: 143, Depth: 50, Height: x})
		s.ask("mailer", "b-flute", boxrules.Dims{Width: x, Depth: x, Height: x})
	}
	return s.done()
}

// accepted are texts that are dimensions.
var accepted = []string{
	"0", "-0", "-0.0", "00", "007", "-007", "48", "48.0", "48.5", "48.50", "048.500", "-48.5", "498.25", "0.1", "0.3", "2.5", "0.0005", "-0.0005", "48.0005",
	"0.00049999", "33.333333333333333333333333333333", "0.1000000000000000055511151231257827", "123456.789", "999999.9995",
	"1000000", "-1000000", "1000000.000", "01000000.0", "1000000.00000000001", "-1000000.00000000001",
	strings.Repeat("0", 62) + "48", "0." + strings.Repeat("3", 62), "-0." + strings.Repeat("0", 60) + "1", "9007.199254740993", "4503.599627370497",
}

// refused are texts that are none.
var refused = []string{
	"", " ", " 48", "48 ", "4 8", "\t48", "48\n", "48\r\n", "48\u00a0", "\ufeff48", "48\u0000", "+48", "+0", "48.", ".", ".5", "-", "-.5", "--48", "- 48", "48-", "4-8", "-+48",
	"4e1", "4E1", "4e+1", "4e-1", "0x30", "0X30", "0b11", "0o17", "48f", "48d", "48L", "1_000", "1,000", "48,5", "1.2.3", "1..2", "1'000", "1 000",
	"NaN", "nan", "Inf", "inf", "Infinity", "-Infinity", "+Inf", "∞", "null", "true", "undefined", "48mm", "48 mm", "1/3", "½", "(48)", "$48", "48%", "٤٨", "４８", "−48", "४८",
	"1000000.001", "-1000000.001", "1000000.0000000001", "1000001", "-1000001", "10000000", strings.Repeat("9", 64),
	strings.Repeat("0", 63) + "48", "0." + strings.Repeat("3", 63), strings.Repeat("1", 400),
}

// texts are what people type for a dimension. The number is the float64 nearest to the decimal.
func texts(string) ([]conformance.File, error) {
	file := conformance.File{
		Name:        "texts.json",
		Description: "A dimension as text, from a form, a query or a CSV file: the number that it stands for, which is the float64 nearest to the decimal, or an error for the field.",
	}
	fields := []string{"width", "depth", "height"}
	for i, text := range accepted {
		exact, ok := new(big.Rat).SetString(text)
		if !ok {
			return nil, fmt.Errorf("%q is no decimal", text)
		}
		nearest, _ := exact.Float64()
		if strings.HasPrefix(text, "-") && nearest == 0 {
			nearest = math.Copysign(0, -1)
		}
		got, err := boxrules.ParseDimension(fields[i%3], text)
		if err != nil || math.Float64bits(got) != math.Float64bits(nearest) {
			return nil, fmt.Errorf("ParseDimension(%q) = %v, %v, want %v", text, got, err, nearest)
		}
		number := conformance.Number(nearest)
		file.Texts = append(file.Texts, conformance.Text{Field: fields[i%3], Text: text, Number: &number})
	}
	for i, text := range refused {
		got, err := boxrules.ParseDimension(fields[i%3], text)
		if input, ok := err.(*boxrules.InputError); !ok || input.Field != fields[i%3] {
			return nil, fmt.Errorf("ParseDimension(%q) = %v, %v, want an input error for %s", text, got, err, fields[i%3])
		}
		file.Texts = append(file.Texts, conformance.Text{Field: fields[i%3], Text: text, Error: &conformance.InputError{Field: fields[i%3]}})
	}
	return []conformance.File{file}, nil
}
