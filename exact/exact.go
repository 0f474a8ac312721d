// Package exact holds what boxrules knows of a box in exact numbers. It is the page to read for whoever ports
// boxrules to another language or writes a generator.
//
// # The grid
//
// A dimension is a whole number of thousandths of the unit. [Grid] puts a float64 there, once, as
// floor(x*1000 + 0.5), and from then on all arithmetic is on integers: no rounding decides a box.
//
// A catalogue may take dimensions of fewer decimals alone: then every dimension is a multiple of [Form.Step], and what is not
// gets no verdict. [OnStep] tells.
//
// # The form
//
// [example.com/boxrules.Profile.Exact] gives the [Form] of one article in one material: for each rule, in check order, the
// [Tree] of where a box violates it. A tree is an and/or combination of half-spaces a·w + b·d + c·h > k with
// integer numbers. To check a box, put it on the grid and walk the trees: the first that holds is the verdict,
// and where none holds the box is valid. The example does so in full.
//
// No sum that a tree asks for passes 2^53 as long as every dimension is within [MaxDimension], so a language
// whose numbers are float64s, such as JavaScript and SQL, computes the same.
//
// # Comparisons
//
// A tree has the shape of the condition that was written: && and || are nodes, and what stands between them is a
// [Comparison] with its text, the axes that it mentions and its two sides. A negation is pushed down to the
// comparisons. One comparison may be several half-spaces: min, max and == become and or or.
//
// What follows from a tree does not need the text; [Tree.Folded] leaves it out, with all that changes nothing.
//
// # What is not here
//
// The codes and stages of the conditions are those of [example.com/boxrules.Profile.Rules], in the same order. A box
// gets no verdict at all where a dimension is NaN, greater in magnitude than [MaxDimension] or not on the step, or where its
// article or material is unknown: a port checks that first. Text is read as a plain decimal of at most 64 characters.
//
// All values are immutable and safe for concurrent use.
package exact

import (
	"math"
	"math/big"
)

// The three axes, in the order in which every coefficient is written.
const (
	Width = iota
	Depth
	Height
	Axes // how many there are
)

// AxisNames are the names of the axes in rules, files and errors: width, depth, height.
func AxisNames() [Axes]string { return [Axes]string{"width", "depth", "height"} }

// Scale is the number of grid points in a unit: dimensions are whole thousandths.
const Scale = 1000

// MaxDimension is the greatest magnitude of a dimension, in units; MaxGrid is the same on the grid.
const (
	MaxDimension = 1_000_000
	MaxGrid      = MaxDimension * Scale
)

// maxExact is where the integers end that a float64 holds without gaps.
const maxExact = 1 << 53

// Grid is the grid point of a length in units, floor(x*Scale + 0.5). The length must not be NaN or beyond
// MaxDimension.
func Grid(x float64) int64 {
	// The conversion keeps a compiler from fusing the product and the sum into one rounding, which on some
	// machines would put a box on another grid point than JavaScript and SQL do.
	return int64(math.Floor(float64(x*Scale) + 0.5))
}

// StepOf is the step of dimensions with so many decimals, 0 to 3, in thousandths.
func StepOf(decimals int) int64 { return [...]int64{1000, 100, 10, 1}[decimals] }

// OnStep reports whether a length in units has no more decimals than the step of a [Form] allows: it is the float64 nearest to a
// multiple of the step. For a step of 1 it always is, as Grid rounds. The length must not be NaN or beyond MaxDimension.
func OnStep(x float64, step int64) bool {
	if step <= 1 {
		return true
	}
	scale := float64(Scale / step)
	return math.Floor(float64(x*scale)+0.5)/scale == x
}

// Units is a coordinate of the grid in units: the float64 nearest to it, which Grid puts back.
func Units(coordinate int64) float64 { return float64(coordinate) / Scale }

// A Point is a box on the grid: width, depth and height in thousandths of the unit.
type Point [Axes]int64

// A Form is all that decides about boxes of one article in one material. What it holds must not be changed. It has no
// form as JSON.
type Form struct {
	Article, Title, Material string // codes, and the article's title for people, which may be empty
	Unit                     string // of every length
	// Step is the grid that dimensions have to be on, in thousandths: 1, or where they may have fewer than three decimals 10, 100
	// or 1000.
	Step int64
	// Low and High are the least and the greatest dimensions within the article's limits, both included, on the grid and the
	// step. The rules of the boundary stage say what happens beyond them.
	Low, High Point
	// Conditions are where a box violates each of [example.com/boxrules.Profile.Rules], in check order.
	Conditions []Tree
	// Blank is the size of the flat blank over the dimensions; nil where the article has no formulas.
	Blank *Blank
	// SheetWidth and SheetHeight are the usable area of the material's sheet, in units.
	SheetWidth, SheetHeight *big.Rat
	// Variables are the values of the names that conditions may mention, such as min_width and caliper.
	Variables map[string]Variable
}

// A Blank is the bounding box of a flat blank, as values over the dimensions, in units.
type Blank struct{ Width, Height Value }

// A Variable is what a name in a condition stands for.
type Variable struct {
	Value Value // in units
	Axes  []int // that its value depends on, in the order in which its formula mentions them
}

// FloorDiv is the greatest integer not greater than a/b, b > 0: where a half-space along one axis ends.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// CeilDiv is the least integer not less than a/b, b > 0.
func CeilDiv(a, b int64) int64 { return -FloorDiv(-a, b) }

// GCD is the greatest common divisor of two numbers that are not negative; of zero and another it is the other.
func GCD(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
