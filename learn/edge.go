package learn

import (
	"math"
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/learn/internal/state"
	"example.com/boxrules/limits"
)

// A service may compute in double precision, in which some comparisons have another result than in exact
// arithmetic: see boxrules.Profile.Borderline. What is learned has to be right for either kind of service. So
// from an answer only that is learned which is true in both arithmetics:
//
//   - The comparison of a dimension with a limit has the same result in both.
//   - If the condition of a constraint holds in only one of them, a box that is not refused by the constraint
//     tells nothing about it. A box that is refused by its code still tells that the constraint is selected.
//   - The sides of a blank may be a little longer or shorter in double precision, which matters if the sheet
//     has exactly that length. Take a blank that is 700 long in exact arithmetic and 700.0000000000001 in
//     double precision. If it fits, the sheet is at least 700 long. If it does not fit, the sheet may still
//     be 700 long, but it is shorter than 701.

// An occurrence says whether the service makes a comparison for a box. It makes the one for a constraint only
// if the condition of the constraint holds.
type occurrence int

const (
	never   occurrence = iota
	perhaps            // in only one of the two arithmetics
	always
)

// occurs returns in which arithmetics the condition of constraint i holds for the box: always is both, never is
// neither, and perhaps is only one of them.
func (p *profile) occurs(i int, box exact.Point) occurrence {
	holds := p.violated[i].Contains(box)
	// The arithmetics can only differ near the edge of the condition. Computing the condition in double
	// precision is slow, so OnEdge is called first.
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

// lowerSize returns a size that every sheet has at least if it holds the blank of the box, whether the service
// computes exactly or in double precision. Usually that is the size of [blank.size]. But a blank that is
// 700.0000000000001 long in exact arithmetic, and 700 in double precision, may fit a sheet of 700. Rounded up
// to the grid it is 701, so lowerSize returns 700.
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

// upperSize returns the size of a sheet that certainly holds the blank of the box, in either arithmetic. It is
// one step greater than [blank.size] for a blank that is 700 long in exact arithmetic, and a little longer in
// double precision.
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

// isNear reports whether side i of the blank is so close to a length that comparing the two in double precision
// may have another result than in exact arithmetic.
func (b *blank) isNear(i int, side exact.Value, box exact.Point, length int64) bool {
	if b.rounding[i] == 0 || length > exact.MaxGrid {
		return false
	}
	return math.Abs(exact.Units(length)-nearestFloat64(side, box)) <= 2*b.rounding[i]
}

func (b *blank) inFloat64(f limits.Formula, box exact.Point) float64 {
	return f.Float64(func(name string) float64 { return b.materialLengths.of(name, box) })
}

// knownSize returns the size that a sheet is known to hold if the box fits, or the size that it is known not to
// hold if the box does not fit.
func (b *blank) knownSize(box exact.Point, fits bool) exact.Point {
	if fits {
		return b.lowerSize(box)
	}
	return b.upperSize(box)
}

// nearestFloat64 returns the value at a point as a float64, with an error of a few roundings.
func nearestFloat64(v exact.Value, at exact.Point) float64 {
	if r, ok := v.Ratio(at); ok {
		return float64(r.Num) / float64(r.Den)
	}
	x, _ := v.At(at).Float64()
	return x
}

// certainComparisons returns the number of comparisons of a box, counted from the first, up to one about which
// the arithmetics disagree so that its answer may tell nothing. all reports whether they agree about every
// comparison that may still tell something.
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
	// If the sizes are equal, or the sheet is known to hold the greater one, the arithmetics agree.
	lower, upper := p.blank.lowerSize(box), p.blank.upperSize(box)
	if lower == upper || state.Inside(upper, p.sheet.Corner()) {
		return n, true
	}
	mayHold, _ := p.sheet.MayContain(upper)
	_, mayNot := p.sheet.MayContain(lower)
	if mayHold && mayNot {
		return n, false // either answer still tells something, by a step less than usual
	}
	return n - 1, false
}
