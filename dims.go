package boxrules

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
)

// Dims holds the dimensions of a box, in the catalogue's unit. In most articles width and depth
// are the longer and the shorter side of the opening, and height is the third. A check puts each
// on the grid of thousandths, once, as floor(x*1000 + 0.5), and is exact from there on.
type Dims struct {
	Width  float64 `json:"width"`
	Depth  float64 `json:"depth"`
	Height float64 `json:"height"`
}

// axisNames holds the fields' names in rules, files and errors, in the order of the axes.
var axisNames = exact.AxisNames()

// byAxis returns the dimensions in the order of the axes.
func (d Dims) byAxis() [exact.Axes]float64 { return [...]float64{d.Width, d.Depth, d.Height} }

// DimsAt returns a point of the grid in units.
func DimsAt(p exact.Point) Dims {
	return Dims{exact.Units(p[exact.Width]), exact.Units(p[exact.Depth]), exact.Units(p[exact.Height])}
}

// Grid returns the point of the grid that a check takes the dimensions for, where they have no
// more decimals than its catalogue takes. ok is false where one of them is NaN or greater in
// magnitude than [exact.MaxDimension].
func (d Dims) Grid() (p exact.Point, ok bool) {
	if !inRange(d.Width) || !inRange(d.Depth) || !inRange(d.Height) {
		return p, false
	}
	return exact.Point{exact.Grid(d.Width), exact.Grid(d.Depth), exact.Grid(d.Height)}, true
}

// inRange reports whether x may be a dimension. For NaN it reports false, as no comparison holds.
func inRange(x float64) bool { return x >= -exact.MaxDimension && x <= exact.MaxDimension }

// Validate returns an *[InputError] for the first dimension that is not a number, is greater in
// magnitude than [exact.MaxDimension], or is not on the step of the grid. With the step of an
// [exact.Form], or that of [exact.StepOf] for the decimals of a catalogue, it is the error of
// [Profile.Check]; nil means that the dimensions may be those of a box, valid or not.
func (d Dims) Validate(step int64) error {
	for axis, x := range d.byAxis() {
		switch {
		case !inRange(x):
			return dimensionError(axisNames[axis], strconv.FormatFloat(x, 'g', -1, 64)+" is not a dimension")
		case !exact.OnStep(x, step):
			text := wording.Cut(strconv.FormatFloat(x, 'f', -1, 64))
			return &InputError{axisNames[axis], fmt.Sprintf("%s has too many decimals; accepted: a multiple of %s", text, gridText(step))}
		}
	}
	return nil
}

func dimensionError(field, what string) *InputError {
	return &InputError{field, fmt.Sprintf("%s; accepted: a number from -%d to %d", what, exact.MaxDimension, exact.MaxDimension)}
}

// MaxDimensionText bounds the characters of a dimension, as text or as a number of JSON: far more
// than any number in range needs.
const MaxDimensionText = 64

// ParseDimension returns the dimension that a text from a form, a query, a flag or a CSV file
// stands for. The text has to be a plain decimal of at most [MaxDimensionText] characters: an
// optional minus, digits, and optionally a point and digits, such as 48 or -0.5, but not 4e1, +48
// or .5. The error is an *[InputError] for the field. Text and the float64 that it stands for
// always give the same verdict.
func ParseDimension(field, text string) (float64, error) {
	if text == "" {
		return 0, dimensionError(field, "missing")
	}
	if !plainDecimal(text) {
		return 0, &InputError{field, wording.Quote(text) + " is not a dimension; accepted: a plain decimal such as 48 or 48.5"}
	}
	if len(text) > MaxDimensionText {
		return 0, &InputError{field, fmt.Sprintf("a number of %d characters; accepted: at most %d", len(text), MaxDimensionText)}
	}
	// Only the range can be wrong with a plain decimal, and 64 digits are within that of a float64.
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !inRange(x) {
		return 0, dimensionError(field, text+" is not a dimension")
	}
	return x, nil
}

func plainDecimal(text string) bool {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	return digits(whole) && (!point || digits(fraction))
}

func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// gridText returns a coordinate of the grid as a decimal in units, as short as it can be: 48500
// is "48.5".
func gridText(coordinate int64) string {
	return strconv.FormatFloat(exact.Units(coordinate), 'f', -1, 64)
}
