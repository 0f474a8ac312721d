package main

import (
	"math"
	"math/big"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/oracle"
)

// inputErrors returns the suite that tests input errors. The suite also contains the largest dimensions that are
// accepted.
func inputErrors(root string) *suite {
	s := newSuite(root, conformance.File{
		Name: "input-errors.json",
		Description: "Input that is not a box: an unknown or missing article or material, a material in which the article is not offered, " +
			"or a dimension that is not a number or is beyond 1,000,000. If there are several errors, the first is reported, in the order " +
			"article, material, width, depth, height. The file also has boxes with the largest accepted dimensions.",
		Rules: documentedRules, Limits: shippedLimits,
	}, nil)
	good := boxrules.Dims{Width: 143, Depth: 50, Height: 303}
	nan, inf := math.NaN(), math.Inf(1)
	tooLarge := math.Nextafter(1_000_000, inf)
	bad := boxrules.Dims{Width: nan, Depth: inf, Height: -inf}

	// In JavaScript, every object has properties with some of these names.
	for _, article := range []string{
		"", " ", "unknown", "Tuck-End", "tuck-end ", " tuck-end", "tuck_end", "carton-300", "BOX_3100",
		"constructor", "__proto__", "toString", "null", "0", "tuck-end\u0000", strings.Repeat("x", 300),
	} {
		s.addInputError(article, "carton-300", good, "article")
		s.addInputError(article, "", bad, "article")
	}
	for _, material := range []string{
		"", " ", "unknown", "Carton-300", "carton-300 ", "e-flute", "b-flute", "ra106", "tuck-end",
		"constructor", "__proto__", "toString", "null", "0", strings.Repeat("x", 300),
	} {
		s.addInputError("tuck-end", material, good, "material")
		s.addInputError("tuck-end", material, bad, "material")
	}
	for _, x := range []float64{
		nan, inf, -inf, tooLarge, -tooLarge, 1_000_000.001, -1_000_000.001, 1_000_001, 1e7,
		9_007_199_254_740_993, 1e16, 1e21, 1e300, math.MaxFloat64, -math.MaxFloat64,
	} {
		refuse := func(w, d, h float64, field string) {
			s.addInputError("tuck-end", "carton-300", boxrules.Dims{Width: w, Depth: d, Height: h}, field)
		}
		// The first field with an error is reported, whether or not later fields have errors as well.
		for _, rest := range []boxrules.Dims{good, {Width: 48, Depth: 141, Height: 184}, {}, bad} {
			refuse(x, rest.Depth, rest.Height, "width")
			if rest == good || rest == (boxrules.Dims{}) {
				refuse(rest.Width, x, rest.Height, "depth")
				refuse(rest.Width, x, nan, "depth")
				refuse(rest.Width, rest.Depth, x, "height")
			}
		}
	}
	for _, x := range []float64{1_000_000, -1_000_000, 0, math.Copysign(0, -1), -1, math.Nextafter(1_000_000, 0)} {
		s.addVerdict("tuck-end", "carton-300", boxrules.Dims{Width: x, Depth: 50, Height: 303})
		s.addVerdict("tuck-end", "carton-300", boxrules.Dims{Width: 143, Depth: x, Height: 303})
		s.addVerdict("tuck-end", "carton-300", boxrules.Dims{Width: 143, Depth: 50, Height: x})
		s.addVerdict("mailer", "b-flute", boxrules.Dims{Width: x, Depth: x, Height: x})
	}
	s.addVerdict("tuck-end", "carton-300", boxrules.Dims{Width: 48, Depth: 141, Height: 184})
	return s
}

// inputsWithTwoDecimals returns the suite whose limits allow two decimals. A dimension with more decimals is an input
// error.
func inputsWithTwoDecimals(root string) *suite {
	s := newSuite(root, conformance.File{
		Name: "fewer-decimals.json",
		Description: "Limits that allow two decimals: a dimension must be the float64 nearest to a number with at most two decimals, such as 48.25. " +
			"Any other number is an input error, however near it is. If there are several errors, the first field is reported.",
		Rules: documentedRules, Limits: openHead + openArticle("two", "BOX_3100") + "decimals: 2\n",
	}, oracle.Walled)
	for _, x := range []float64{48, 48.5, 48.25, 0.01, 0.07, 33.33, 99.99, 0, -0.01, -48.25, 999_999.99, 1_000_000} {
		for _, d := range []boxrules.Dims{{Width: x, Depth: 48.25, Height: 48}, {Width: 48.25, Depth: x, Height: 48}, {Width: 49, Depth: 48, Height: x}} {
			s.addVerdict("two", "board", d)
		}
		for _, wrong := range []float64{math.Nextafter(x, 2e6), math.Nextafter(x, -2e6), x + 0.005, x - 0.001, x + 0.0000001} {
			s.addInputError("two", "board", boxrules.Dims{Width: wrong, Depth: math.NaN(), Height: wrong}, "width")
			s.addInputError("two", "board", boxrules.Dims{Width: x, Depth: wrong, Height: wrong}, "depth")
			s.addInputError("two", "board", boxrules.Dims{Width: x, Depth: x, Height: wrong}, "height")
		}
	}
	return s
}

// validTexts are texts that must be accepted as dimensions.
var validTexts = []string{
	"0", "-0", "-0.0", "00", "007", "-007", "48", "48.0", "48.5", "48.50", "048.500", "-48.5", "498.25", "0.1", "0.3", "2.5", "0.0005", "-0.0005", "48.0005",
	"0.00049999", "33.333333333333333333333333333333", "0.1000000000000000055511151231257827", "123456.789", "999999.9995",
	"1000000", "-1000000", "1000000.000", "01000000.0", "1000000.00000000001", "-1000000.00000000001",
	strings.Repeat("0", 62) + "48", "0." + strings.Repeat("3", 62), "-0." + strings.Repeat("0", 60) + "1", "9007.199254740993", "4503.599627370497",
}

// invalidTexts are texts that must not be accepted as dimensions.
var invalidTexts = []string{
	"", " ", " 48", "48 ", "4 8", "\t48", "48\n", "48\r\n", "48\u00a0", "\ufeff48", "48\u0000", "+48", "+0", "48.", ".", ".5", "-", "-.5", "--48", "- 48", "48-", "4-8", "-+48",
	"4e1", "4E1", "4e+1", "4e-1", "0x30", "0X30", "0b11", "0o17", "48f", "48d", "48L", "1_000", "1,000", "48,5", "1.2.3", "1..2", "1'000", "1 000",
	"NaN", "nan", "Inf", "inf", "Infinity", "-Infinity", "+Inf", "∞", "null", "true", "undefined", "48mm", "48 mm", "1/3", "½", "(48)", "$48", "48%", "٤٨", "４８", "−48", "४८",
	"1000000.001", "-1000000.001", "1000000.0000000001", "1000001", "-1000001", "10000000", strings.Repeat("9", 64),
	strings.Repeat("0", 63) + "48", "0." + strings.Repeat("3", 63), strings.Repeat("1", 400),
}

// inputTexts returns the file with texts that people may type as a dimension. The correct result for a valid text is
// the float64 nearest to the decimal number.
func inputTexts() conformance.File {
	file := conformance.File{
		Name: "texts.json",
		Description: "A dimension as text, from a form, a query or a CSV file, with its number, " +
			"which is the float64 nearest to the decimal, or with an error for the field.",
	}
	fields := exact.AxisNames()
	for i, text := range validTexts {
		field := fields[i%3]
		decimal, _ := new(big.Rat).SetString(text)
		nearest, _ := decimal.Float64()
		// float64 has a negative zero, but big.Rat does not, so restore the sign of "-0" and "-0.0".
		if strings.HasPrefix(text, "-") && nearest == 0 {
			nearest = math.Copysign(0, -1)
		}
		number := conformance.Number(nearest)
		file.Texts = append(file.Texts, conformance.Text{Field: field, Text: text, Number: &number})
	}
	for i, text := range invalidTexts {
		field := fields[i%3]
		file.Texts = append(file.Texts, conformance.Text{Field: field, Text: text, Error: &conformance.InputError{Field: field}})
	}
	return file
}
