package exact

import (
	"math"
	"math/big"
)

// The three axes, in the order that points and coefficients use, and their number.
const (
	Width = iota
	Depth
	Height
	Axes // the number of axes
)

// AxisNames returns the names of the axes in rules, files and errors: width, depth, height.
func AxisNames() [Axes]string { return [Axes]string{"width", "depth", "height"} }

// Scale is the number of grid points per unit: the coordinates of the grid are thousandths.
const Scale = 1000

// MaxDimension is the maximum magnitude of a dimension, in units. MaxGrid is the same length in thousandths.
const (
	MaxDimension = 1_000_000
	MaxGrid      = MaxDimension * Scale
)

// maxExactInteger is 2^53. A float64 can represent every integer up to it, but not 2^53 + 1.
const maxExactInteger = 1 << 53

// Grid rounds a length in units to the grid, and returns its coordinate: floor(x*Scale + 0.5). The length
// must not be NaN or beyond MaxDimension.
func Grid(x float64) int64 {
	// The conversion to float64 keeps the compiler from fusing the product and the sum into one operation
	// that rounds once. On some machines that would give a different grid point than in JavaScript and SQL.
	return int64(math.Floor(float64(x*Scale) + 0.5))
}

// StepOf returns the step, in thousandths, for dimensions with the given number of decimals, from 0 to 3.
// For example, StepOf(1) is 100.
func StepOf(decimals int) int64 { return [...]int64{1000, 100, 10, 1}[decimals] }

// OnStep reports whether a length in units is a multiple of the step of a [Form]. More precisely, it reports
// whether the length is the float64 nearest to such a multiple. With step 100, the result is true for 48.2
// and false for 48.25. With step 1 it is true for every length, because Grid rounds to thousandths. The
// length must not be NaN or beyond MaxDimension.
func OnStep(x float64, step int64) bool {
	if step <= 1 {
		return true
	}
	// Round as Grid does, but to multiples of the step: 48.25 with step 100 becomes 482.5 and then 483. That
	// is 48.3, which differs from x.
	scale := float64(Scale / step)
	return math.Floor(float64(x*scale)+0.5)/scale == x
}

// Float64At converts a grid coordinate to units, as the nearest float64. It is the inverse of Grid:
// Grid(Float64At(x)) is x for every coordinate x within MaxGrid.
func Float64At(coordinate int64) float64 { return float64(coordinate) / Scale }

// A Point is a box on the grid: width, depth and height in thousandths of the unit.
type Point [Axes]int64

// A Form holds everything that decides which boxes of one article in one material are valid. Its contents
// must not be changed. It cannot be marshalled as JSON.
type Form struct {
	Article, Title, Material string // codes, and the article's title for people, which may be empty
	Unit                     string // of every length
	// Step is in thousandths. Every dimension of a box must be a multiple of it. It is 1, or 10, 100 or 1000
	// if fewer than three decimals are allowed.
	Step int64
	// Low and High are the article's limits, both inclusive, as grid coordinates that are multiples of Step.
	// Boxes beyond them get the codes of the rules of the boundary stage.
	Low, High Point
	// Conditions[i] holds for the boxes that violate rule i of
	// [example.com/boxrules.Profile.Rules].
	Conditions []Condition
	// Blank is the size of the flat blank as a function of the dimensions. It is nil if the article has no
	// formulas.
	Blank *Blank
	// SheetWidth and SheetHeight are the usable area of the material's sheet, in units.
	SheetWidth, SheetHeight *big.Rat
	// Variables holds the variables that conditions may mention, such as min_width and caliper.
	Variables Variables
}

// A Blank is the size of the bounding rectangle of a flat blank, in units, as a function of the dimensions.
type Blank struct{ Width, Height Value }

// FloorDiv returns the greatest integer not greater than a/b. b must be positive. FloorDiv(-7, 2) is -4, while
// -7/2 is -3 in Go.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 { // Go has rounded a negative quotient up, towards zero
		q--
	}
	return q
}

// CeilDiv returns the least integer not less than a/b. b must be positive. CeilDiv(7, 2) is 4.
func CeilDiv(a, b int64) int64 { return -FloorDiv(-a, b) }

// GCD returns the greatest common divisor of two non-negative numbers. GCD(0, 6) is 6.
func GCD(a, b int64) int64 {
	// Euclid's algorithm: a and b have the same common divisors as b and the remainder of a divided by b.
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
