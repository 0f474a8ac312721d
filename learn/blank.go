package learn

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/learn/internal/state"
	"example.com/boxrules/limits"
)

// A blank computes the size of the flat blank of a box, for an article in a material. It rounds the sides up to the
// grid of sheets: with a step of 1, a sheet holds a blank of 699.3 x 500 if and only if it holds a blank of 700 x
// 500.
type blank struct {
	*exact.Blank
	step          int64
	formulas      *limits.Blank
	rounding      [2]float64 // bounds on the rounding errors of width and height in double precision; see exact.Variable
	float64Values comparisonValues
}

// newBlank returns a blank with the given formulas. It returns an error if half-spaces on the grid cannot express
// whether the blank fits a sheet.
func newBlank(formulas *limits.Blank, variables exact.Variables, step int64) (*blank, error) {
	width, err := formulas.Width.Value(variables)
	if err != nil {
		return nil, err
	}
	height, err := formulas.Height.Value(variables)
	if err != nil {
		return nil, err
	}
	return blankOf(formulas, width, height, variables, step)
}

// blankOf is like [newBlank], but takes the compiled formulas as width and height.
func blankOf(formulas *limits.Blank, width, height exact.Variable, variables exact.Variables, step int64) (*blank, error) {
	result := &blank{
		Blank: &exact.Blank{Width: width.Value, Height: height.Value}, step: step,
		formulas: formulas, rounding: [2]float64{width.Rounding, height.Rounding}, float64Values: newComparisonValues(variables, false),
	}
	// Proofs compare the sides of the blank with any length that a sheet can have. Check that the comparison can be
	// expressed for the smallest and the greatest length. Then it can also be expressed for all lengths in between.
	for _, c := range []int64{0, exact.MaxGrid} {
		for side := range state.Sides {
			if _, err := result.tryExceedingRegion(side, c); err != nil {
				return nil, err
			}
		}
	}
	return result, nil
}

// roundedUp returns the length of a side of the blank, rounded up to the grid of sheets.
func (b *blank) roundedUp(side exact.Value, at exact.Point) int64 {
	if r, ok := side.Ratio(at); ok && max(r.Num, -r.Num) < math.MaxInt64/exact.Scale {
		return exact.CeilDiv(r.Num*exact.Scale, r.Den*b.step) * b.step
	}
	// big.Int has no division that rounds up. So negate the number of steps, round down, and negate the result.
	steps := new(big.Rat).Mul(side.At(at), big.NewRat(-exact.Scale, b.step))
	whole := new(big.Int).Div(steps.Num(), steps.Denom())
	if whole.BitLen() > 53 {
		return int64(-whole.Sign()) << 53 // longer than any sheet, or negative
	}
	return -whole.Int64() * b.step
}

// size returns the size of the smallest sheet that holds the blank of a box, according to exact arithmetic.
func (b *blank) size(at exact.Point) exact.Point {
	return b.smallestSheet(b.roundedUp(b.Width, at), b.roundedUp(b.Height, at))
}

// smallestSheet returns the size of the smallest sheet that holds a blank with these sides.
func (b *blank) smallestSheet(width, height int64) exact.Point {
	return exact.Point{max(width, height, b.step), max(min(width, height), b.step)}
}

// minSheetSize returns a lower bound for the size of a sheet that holds the blank of the box, whether the service
// computes exactly or in double precision. Usually the bound is the result of [blank.size]. But take a blank that
// is 700.0000000000001 long in exact arithmetic, and 700 in double precision. blank.size rounds the length up to
// 701. In double precision, the blank fits a sheet of 700, so minSheetSize returns 700.
func (b *blank) minSheetSize(box exact.Point) exact.Point {
	side := func(i int, v exact.Value, f limits.Formula) int64 {
		rounded := b.roundedUp(v, box)
		if shorter := rounded - b.step; b.isNear(i, v, box, shorter) && b.inFloat64(f, box) <= exact.Float64At(shorter) {
			return shorter
		}
		return rounded
	}
	return b.smallestSheet(side(0, b.Width, b.formulas.Width), side(1, b.Height, b.formulas.Height))
}

// upperSize returns the size of a sheet that certainly holds the blank of the box, in both arithmetics. If the blank is
// 700 long in exact arithmetic, but a little longer in double precision, upperSize returns one step more than
// [blank.size].
func (b *blank) upperSize(box exact.Point) exact.Point {
	side := func(i int, v exact.Value, f limits.Formula) int64 {
		rounded := b.roundedUp(v, box)
		if b.isNear(i, v, box, rounded) && b.inFloat64(f, box) > exact.Float64At(rounded) {
			return rounded + b.step
		}
		return rounded
	}
	return b.smallestSheet(side(0, b.Width, b.formulas.Width), side(1, b.Height, b.formulas.Height))
}

// isNear reports whether side i of the blank is so close to the length that comparing the two in double precision
// may give the wrong result.
func (b *blank) isNear(i int, side exact.Value, box exact.Point, length int64) bool {
	if b.rounding[i] == 0 || length > exact.MaxGrid {
		return false
	}
	return math.Abs(exact.Float64At(length)-nearestBlankFloat64(side, box)) <= 2*b.rounding[i]
}

func (b *blank) inFloat64(f limits.Formula, box exact.Point) float64 {
	return f.Float64(func(name string) float64 { return b.float64Values.value(name, box) })
}

// knownSize returns what an answer shows about the sheet: a size that the sheet holds if the box fits, or a size
// that it does not hold if the box does not fit.
func (b *blank) knownSize(box exact.Point, fits bool) exact.Point {
	if fits {
		return b.minSheetSize(box)
	}
	return b.upperSize(box)
}

// nearestBlankFloat64 returns the value at a point as a float64. The result is off by a few rounding errors at most.
func nearestBlankFloat64(v exact.Value, at exact.Point) float64 {
	if r, ok := v.Ratio(at); ok {
		return float64(r.Num) / float64(r.Den)
	}
	x, _ := v.At(at).Float64()
	return x
}

// tryExceedingRegion returns the region of the boxes whose blank is longer than length on the given side, state.Long or
// state.Short. It returns an error if the region cannot be expressed by half-spaces on the grid.
func (b *blank) tryExceedingRegion(side int, length int64) (exact.Region, error) {
	v, err := exact.Extreme(side == state.Long, b.Width, b.Height).Add(exact.Constant(big.NewRat(-length, exact.Scale)))
	if err != nil {
		return exact.Region{}, err
	}
	return exact.AboveZero(v, false)
}

// exceedingRegion is like tryExceedingRegion, but cannot fail, because newBlank has checked the smallest and the
// greatest length.
func (b *blank) exceedingRegion(side int, length int64) exact.Region {
	t, err := b.tryExceedingRegion(side, length)
	if err != nil {
		panic(err)
	}
	return t
}

// firstUnknownName returns the first name in the list whose value is still to be learned: the name of a limit or of a
// side of the sheet. If there is no such name, it returns "". User-defined values are known, even if they have a name
// such as max_ratio.
func firstUnknownName(names []string) string {
	for _, name := range names {
		kind, _, _ := strings.Cut(name, "_")
		if expression.IsVariable(name) && slices.Contains([]string{"min", "max", "sheet"}, kind) {
			return name
		}
	}
	return ""
}

// namesInBlank returns the names in the formulas of a blank, or none if b is nil.
func namesInBlank(b *limits.Blank) []string {
	if b == nil {
		return nil
	}
	return append(slices.Clone(b.Width.Names()), b.Height.Names()...)
}

// oversizeRegion returns the region of the boxes whose blank does not fit a sheet of the given size.
func (p *profile) oversizeRegion(size exact.Point) exact.Region {
	return exact.AnyOf(p.blank.exceedingRegion(state.Long, size[state.Long]), p.blank.exceedingRegion(state.Short, size[state.Short]))
}

// fittingRegion returns the region of the boxes whose blank fits one of the sheets.
func (p *profile) fittingRegion(sheets ...exact.Point) exact.Region {
	var alternatives []exact.Region
	for _, size := range sheets {
		alternatives = append(alternatives, exact.Not(p.oversizeRegion(size)))
	}
	return exact.AnyOf(alternatives...)
}
