// Package oracle is a second implementation of the documented checks, for tests. It was written by hand from the tables
// of the interface document, and computes with big.Rat. It shares nothing with the engine: neither the rule file, nor
// the parser, nor half-spaces. It is simple and slow.
package oracle

import (
	"math/big"

	"example.com/boxrules/limits"
)

// A Profile holds the numbers and formulas that are needed to check boxes of an article in a material.
type Profile struct {
	MinWidth, MaxWidth, MinDepth, MaxDepth, MinHeight, MaxHeight *big.Rat
	Constraints                                                  map[string]bool // the codes that the article selects
	// Blank returns the size of the blank. It is nil if the article has none.
	Blank                   func(w, d, h *big.Rat) (width, height *big.Rat)
	SheetWidth, SheetHeight *big.Rat
	// Unit is the unit of the box and of all lengths above: mm, cm, m or in.
	Unit string
}

// Millimetres maps each unit to its length in millimetres. The checks convert all lengths to millimetres first,
// because that is the unit of the interface document. The engine does the opposite: it converts the numbers of the
// document to the unit of the box.
var Millimetres = map[string]*big.Rat{"mm": big.NewRat(1, 1), "cm": big.NewRat(10, 1), "m": big.NewRat(1000, 1), "in": big.NewRat(254, 10)}

// Grid rounds a dimension to the grid: the result is floor(x*1000 + 0.5) thousandths. The product and then the sum
// are each rounded to float64, as IEEE 754 requires.
func Grid(x float64) *big.Rat {
	// On every machine, a big.Float with a precision of 53 bits rounds results in the same way as a float64.
	scaled, _ := new(big.Float).SetPrec(53).Mul(big.NewFloat(x), big.NewFloat(1000)).Float64()
	shifted, _ := new(big.Float).SetPrec(53).Add(big.NewFloat(scaled), big.NewFloat(0.5)).Float64()
	whole, accuracy := new(big.Float).SetFloat64(shifted).Int(nil)
	if accuracy == big.Above { // Int rounds towards zero, so it has rounded a negative number up
		whole.Sub(whole, big.NewInt(1))
	}
	return new(big.Rat).SetFrac(whole, big.NewInt(1000))
}

// All returns the codes of all checks that fail, in the documented order.
func (p *Profile) All(w, d, h *big.Rat) []string {
	var codes []string
	check := func(code string, fails bool) {
		if fails {
			codes = append(codes, code)
		}
	}
	unit, ok := Millimetres[p.Unit]
	if !ok {
		panic("oracle: no unit " + p.Unit)
	}
	mm := func(length *big.Rat) *big.Rat { return new(big.Rat).Mul(length, unit) }
	check("BOX_2100", less(mm(w), mm(p.MinWidth)))
	check("BOX_2101", less(mm(p.MaxWidth), mm(w)))
	check("BOX_2102", less(mm(d), mm(p.MinDepth)))
	check("BOX_2103", less(mm(p.MaxDepth), mm(d)))
	check("BOX_2104", less(mm(h), mm(p.MinHeight)))
	check("BOX_2105", less(mm(p.MaxHeight), mm(h)))
	for _, code := range Constraints {
		if p.Constraints[code] {
			check(code, Constraint(code, mm(w), mm(d), mm(h)))
		}
	}
	if p.Blank != nil {
		width, height := p.Blank(w, d, h) // numbers in a formula are in the unit of the box
		width, height = mm(width), mm(height)
		// The blank may be placed on the sheet as it is, or turned by 90 degrees.
		fits := func(x, y *big.Rat) bool { return !less(mm(p.SheetWidth), x) && !less(mm(p.SheetHeight), y) }
		check("BOX_4100", !fits(width, height) && !fits(height, width))
	}
	return codes
}

// Constraints lists the codes of the documented constraints, in check order.
var Constraints = []string{
	"BOX_3100", "BOX_3101", "BOX_3102", "BOX_3103", "BOX_3104", "BOX_3105", "BOX_3106", "BOX_3107",
	"BOX_3108", "BOX_3109", "BOX_3110", "BOX_3111", "BOX_3112", "BOX_3113", "BOX_3114", "BOX_3115",
	"BOX_3116", "BOX_3117", "BOX_3118", "BOX_3119", "BOX_3120", "BOX_3121", "BOX_3122",
}

// Constraint reports whether a box violates the constraint with the given code. The dimensions are in millimetres.
func Constraint(code string, w, d, h *big.Rat) bool {
	switch code {
	case "BOX_3100":
		return more(d, w)
	case "BOX_3101":
		return more(d, times(w, 2, 1))
	case "BOX_3102":
		return more(h, d) && !less(d, ratFromInt(60))
	case "BOX_3103":
		return !more(w, times(d, 3, 4))
	case "BOX_3104":
		return more(h, w)
	case "BOX_3105":
		return more(h, d)
	case "BOX_3106":
		return more(h, w) && more(d, w)
	case "BOX_3107":
		return more(h, w) && more(d, w) && more(d, h)
	case "BOX_3108":
		return more(h, w) && more(d, w) && less(d, h)
	case "BOX_3109":
		return more(w, d)
	case "BOX_3110":
		return !less(w, d) && less(d, h) && more(h, w)
	case "BOX_3111":
		return more(d, h)
	case "BOX_3112":
		return more(d, times(h, 2, 5))
	case "BOX_3113":
		return more(w, d) && more(plus(w, d), girth) && less(plus(w, h), girth)
	case "BOX_3114":
		return more(w, d) && more(plus(w, d), girth) && more(plus(w, h), girth) && less(plus(d, h), girth)
	case "BOX_3115":
		return less(h, times(d, 2, 1))
	case "BOX_3116":
		return more(h, times(d, 4, 5))
	case "BOX_3117":
		return less(w, h)
	case "BOX_3118":
		return more(w, times(d, 2, 1))
	case "BOX_3119":
		return more(d, times(w, 1, 3))
	case "BOX_3120":
		return less(h, times(w, 1, 2))
	case "BOX_3121":
		return more(d, w) && !less(d, h) && more(h, plus(w, ratFromInt(30))) ||
			more(d, w) && less(d, h)
	case "BOX_3122":
		return !more(d, w) && !less(w, h) && more(h, plus(d, ratFromInt(30))) && !less(plus(d, ratFromInt(30)), ratFromInt(35)) ||
			!more(d, w) && less(w, h) && !less(w, ratFromInt(35))
	}
	panic("oracle: no constraint " + code)
}

// girth is the constant 498.25 in BOX_3113 and BOX_3114. We believe that it is half of a girth.
var girth = big.NewRat(1993, 4)

// New returns the profile of an article in a material with the given blank. The unit of the profile is mm. If the limit
// file uses a different unit, set Unit. New takes the numbers from package limits, which reads the limit file. What the
// numbers mean is implemented here, independently.
func New(a limits.Article, m limits.Material, blank Flat) *Profile {
	p := &Profile{
		Unit:     "mm",
		MinWidth: a.Width.Min.Rat(), MaxWidth: a.Width.Max.Rat(),
		MinDepth: a.Depth.Min.Rat(), MaxDepth: a.Depth.Max.Rat(),
		MinHeight: a.Height.Min.Rat(), MaxHeight: a.Height.Max.Rat(),
		Constraints: Selected(a.Constraints),
		SheetWidth:  m.Sheet.Width.Rat(), SheetHeight: m.Sheet.Height.Rat(),
	}
	p.Blank = func(w, d, h *big.Rat) (width, height *big.Rat) {
		return blank(w, d, h, m.GlueFlap.Rat(), m.Caliper.Rat())
	}
	return p
}

// Selected returns the codes as a set, for use as [Profile.Constraints].
func Selected(codes []string) map[string]bool {
	set := make(map[string]bool)
	for _, code := range codes {
		set[code] = true
	}
	return set
}
