package boxrules

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/fraction"
	"example.com/boxrules/internal/wording"
)

// Dims holds the dimensions of a box, in the catalogue's unit. In most articles width and depth are the
// longer and the shorter side of the opening, and height is the third dimension. A check first rounds each of
// them to the grid of thousandths, as floor(x*1000 + 0.5). After that, the check is exact.
type Dims struct {
	Width  float64 `json:"width"`
	Depth  float64 `json:"depth"`
	Height float64 `json:"height"`
}

// axisNames are the names of the dimensions in rules, files and errors, in the order of the axes.
var axisNames = exact.AxisNames()

// ByAxis returns the dimensions in the order of the axes of package exact: width, depth, height.
func (d Dims) ByAxis() [exact.Axes]float64 { return [...]float64{d.Width, d.Depth, d.Height} }

// DimsAt returns the dimensions of a point of the grid.
func DimsAt(p exact.Point) Dims {
	return Dims{exact.Float64At(p[exact.Width]), exact.Float64At(p[exact.Depth]), exact.Float64At(p[exact.Height])}
}

// Grid returns the point of the grid to which a check rounds the dimensions. ok is false if one of them is NaN or
// greater in magnitude than [exact.MaxDimension]. Grid does not check the number of decimals; [Dims.Validate] does.
func (d Dims) Grid() (p exact.Point, ok bool) {
	if !isDimensionInRange(d.Width) || !isDimensionInRange(d.Depth) || !isDimensionInRange(d.Height) {
		return p, false
	}
	return exact.Point{exact.Grid(d.Width), exact.Grid(d.Depth), exact.Grid(d.Height)}, true
}

// isDimensionInRange reports whether the magnitude of x is small enough for a dimension. It returns false for NaN,
// because every comparison with NaN is false.
func isDimensionInRange(x float64) bool { return x >= -exact.MaxDimension && x <= exact.MaxDimension }

// Validate returns an *[InputError] for the first dimension that is not a number, is greater in magnitude
// than [exact.MaxDimension], or is not a multiple of the step. The step is in thousandths: pass the Step of
// an [exact.Form], or the result of [exact.StepOf] for the decimals of a catalogue. Then Validate returns the
// same error as [Profile.Check]. If it returns nil, a check of these dimensions gives a verdict.
func (d Dims) Validate(step int64) error {
	for axis, x := range d.ByAxis() {
		switch {
		case !isDimensionInRange(x):
			return dimensionError(axisNames[axis], strconv.FormatFloat(x, 'g', -1, 64)+" is not a dimension")
		case !exact.OnStep(x, step):
			text := wording.Cut(strconv.FormatFloat(x, 'f', -1, 64))
			return &InputError{axisNames[axis], fmt.Sprintf("%s has too many decimals; accepted: a multiple of %s", text, dimensionText(step))}
		}
	}
	return nil
}

// MaxDimensionLength is the maximum number of characters that a dimension may have, as a text or as a JSON number. It
// is far more than any dimension needs.
const MaxDimensionLength = 64

// ParseDimension parses a dimension from a form, a query, a flag or a CSV file. The text must be a plain
// decimal of at most [MaxDimensionLength] characters: an optional minus, digits, and optionally a point and
// digits, such as 48 or -0.5, but not 4e1, +48 or .5. The result is the float64 nearest to the number. The
// error is an *[InputError] for the field. If the text is empty, the message names the field: "missing; enter
// a width".
func ParseDimension(field, text string) (float64, error) {
	if text == "" {
		return 0, &InputError{field, "missing; enter a " + field}
	}
	// strconv.ParseFloat alone would also accept 1e3, 0x10, 1_000 and Inf.
	if !isPlainDecimal(text) {
		return 0, &InputError{field, wording.Quote(text) + " is not a dimension; accepted: a plain decimal such as 48 or 48.5"}
	}
	if len(text) > MaxDimensionLength {
		return 0, &InputError{field, fmt.Sprintf("the number is %d characters long; at most %d are accepted", len(text), MaxDimensionLength)}
	}
	// A plain decimal of 64 characters always fits a float64, so only isDimensionInRange can fail.
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !isDimensionInRange(x) {
		return 0, dimensionError(field, text+" is not a dimension")
	}
	return x, nil
}

// ParseDimensionIn parses a dimension in the unit. It accepts what [ParseDimension] accepts. For inches (in)
// it also accepts a whole number with a fraction, such as 12 3/8, which is 12.375. There must be exactly one
// space between the whole number and the fraction, and the denominator must be 2, 4, 8, 16, 32 or 64.
// Sixteenths are not multiples of a thousandth, so a check rounds 12 1/16 to 12.063.
func ParseDimensionIn(field, text, unit string) (float64, error) {
	if unit != "in" {
		return ParseDimension(field, text)
	}
	if value, ok := fraction.Parse(text); ok {
		x, _ := value.Float64()
		if !isDimensionInRange(x) {
			return 0, dimensionError(field, text+" is not a dimension")
		}
		return x, nil
	}
	// Unlike the message of ParseDimension, this one also mentions fractions.
	if text != "" && !isPlainDecimal(text) {
		return 0, &InputError{field, wording.Quote(text) + " is not a dimension; accepted: a plain decimal such as 48 or 48.5, or a fraction such as 12 3/8"}
	}
	return ParseDimension(field, text)
}

func isPlainDecimal(text string) bool {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	return isAllDigits(whole) && (!point || isAllDigits(fraction))
}

// isAllDigits reports whether the text consists of one or more digits.
func isAllDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// dimensionText returns a coordinate of the grid as a short decimal, in units: "48.5" for 48500.
func dimensionText(coordinate int64) string {
	return strconv.FormatFloat(exact.Float64At(coordinate), 'f', -1, 64)
}

// gridPoint returns the dimensions rounded to the grid. It returns the same errors as Check.
func (p *Profile) gridPoint(d Dims) (exact.Point, error) {
	at, ok := d.Grid()
	if !ok || p.form.Step > 1 { // with step 1, every number in range is accepted
		return at, d.Validate(p.form.Step)
	}
	return at, nil
}
