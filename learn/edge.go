package learn

import (
	"math"
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/learn/internal/state"
	"example.com/boxrules/limits"
)

// A service may compute in double precision, which decides some comparisons otherwise than exact
// arithmetic does: see boxrules.Profile.Borderline. So that what is learned is right of either service,
// only what both arithmetics agree about is taken from an answer:
//
//   - Limits are compared with dimensions, which double precision does exactly.
//   - A constraint whose condition holds in one arithmetic alone may have been passed over. That a box
//     passes it tells nothing; that the box is refused by its code still tells that it is selected.
//   - The sides of a blank may come out a little longer or shorter, which counts if a sheet on the grid
//     has exactly that side. Take a blank that is 700 long, and 700.0000000000001 in double precision. If
//     it fits, the sheet is at least 700 long; if it does not, the sheet is shorter than 701.

// An occurrence says whether the service makes a comparison for a box: it looks whether a
// constraint is selected only if the condition holds.
type occurrence int

const (
	never   occurrence = iota
	perhaps            // if it computes exactly, or else if it computes in double precision
	always
)

// occurs reports whether the condition of constraint i holds for the box: never, always, or
// perhaps, if it holds in exact arithmetic or in double precision alone.
func (p *profile) occurs(i int, box exact.Point) occurrence {
	holds := p.violated[i].Contains(box)
	switch {
	case p.writtenConditions[i].OnEdge(box) && p.conditions[i].HoldsInFloat64(p.inFloat64(box)) != holds:
		return perhaps
	case holds:
		return always
	}
	return never
}

// inFloat64 returns the values, for a box, of the variables that conditions and formulas mention.
func (p *profile) inFloat64(box exact.Point) func(name string) float64 {
	var value func(name string) float64
	value = func(name string) float64 {
		switch name {
		case "blank_width":
			return p.blank.formulas.Width.Float64(value)
		case "blank_height":
			return p.blank.formulas.Height.Float64(value)
		}
		return p.materialLengths.of(name, box)
	}
	return value
}

// materialLengths are the lengths of a material that formulas mention, in units.
type materialLengths struct{ caliper, glueFlap float64 }

func newMaterialLengths(variables map[string]exact.Variable) materialLengths {
	length := func(name string) float64 {
		k, _ := variables[name].Value.Constant()
		x, _ := k.Float64()
		return x
	}
	return materialLengths{length("caliper"), length("glue_flap")}
}

// of returns the value of a name in a formula: a dimension of the box, or a length of the material.
func (l materialLengths) of(name string, box exact.Point) float64 {
	switch name {
	case "caliper":
		return l.caliper
	case "glue_flap":
		return l.glueFlap
	}
	names := exact.AxisNames()
	return exact.Units(box[slices.Index(names[:], name)])
}

// lowerSize returns the size that a sheet has at least if it holds the blank of the box, whether
// the service computes exactly or in double precision. Most often it is [blank.size].
func (b *blank) lowerSize(box exact.Point) exact.Point {
	side := func(i int, v exact.Value, f limits.Formula) int64 {
		rounded := b.roundedUp(v, box)
		if shorter := rounded - b.step; b.isNear(i, v, box, shorter) && b.inFloat64(f, box) <= exact.Units(shorter) {
			return shorter
		}
		return rounded
	}
	return b.sizeOf(side(0, b.Width, b.formulas.Width), side(1, b.Height, b.formulas.Height))
}

// upperSize returns the size of a sheet that certainly holds the blank of the box, however the
// service computes.
func (b *blank) upperSize(box exact.Point) exact.Point {
	side := func(i int, v exact.Value, f limits.Formula) int64 {
		rounded := b.roundedUp(v, box)
		if b.isNear(i, v, box, rounded) && b.inFloat64(f, box) > exact.Units(rounded) {
			return rounded + b.step
		}
		return rounded
	}
	return b.sizeOf(side(0, b.Width, b.formulas.Width), side(1, b.Height, b.formulas.Height))
}

// isNear reports whether side i of the blank is so near to a length that double precision may
// wrongly compute that it is longer, or that it is not.
func (b *blank) isNear(i int, side exact.Value, box exact.Point, length int64) bool {
	if b.rounding[i] == 0 || length > exact.MaxGrid {
		return false
	}
	return math.Abs(exact.Units(length)-nearestFloat64(side, box)) <= 2*b.rounding[i]
}

func (b *blank) inFloat64(f limits.Formula, box exact.Point) float64 {
	return f.Float64(func(name string) float64 { return b.materialLengths.of(name, box) })
}

// knownSize returns the size that a sheet is known to hold because the box fits, or not to hold
// because the box does not fit.
func (b *blank) knownSize(box exact.Point, fits bool) exact.Point {
	if fits {
		return b.lowerSize(box)
	}
	return b.upperSize(box)
}

// nearestFloat64 returns about the float64 that is nearest to a value at a point.
func nearestFloat64(v exact.Value, at exact.Point) float64 {
	if r, ok := v.Ratio(at); ok {
		return float64(r.Num) / float64(r.Den)
	}
	x, _ := v.At(at).Float64()
	return x
}

// certainComparisons returns how many comparisons of a box, counted from the first, its answer is
// certain to decide. all reports whether both arithmetics agree about every part of the answer that
// is not known yet.
func (l *Learner) certainComparisons(p *profile, box exact.Point) (n int, all bool) {
	for i, c := range p.article.selections {
		if may, _ := c.MayContain(state.Selected); may && p.occurs(i, box) == perhaps {
			return len(l.limitTests) + i, false
		}
	}
	n = len(l.codes) - 1
	if p.blank == nil || !l.hasSizeRule {
		return n, true
	}
	lower, upper := p.blank.lowerSize(box), p.blank.upperSize(box)
	if lower == upper || state.Inside(upper, p.sheet.Corner()) {
		return n, true
	}
	mayHold, _ := p.sheet.MayContain(upper)
	_, mayNot := p.sheet.MayContain(lower)
	if mayHold && mayNot {
		return n, false // one step less
	}
	return n - 1, false
}
