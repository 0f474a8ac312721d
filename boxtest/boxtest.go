// Package boxtest helps test programs that use boxrules. It draws boxes and files with
// pgregory.net/rapid, and can check boxes independently of the engine.
//
//   - [Boxes] draws boxes of one or more profiles: [Inside] the limits, on the [Border] of a rule or
//     a thousandth away from it, or [Beyond] the limits. [Malformed] draws boxes that get no verdict, such as one with a
//     width that is not a number.
//   - [AnyFiles] draws rule files and limit files that may contain anything that is allowed in them, and
//     [LimitFiles] draws limit files for your rules.
//   - A [Reference] evaluates the text of the rules without the engine. In exact arithmetic, it finds the
//     results that the engine must match. In double precision, it finds what a service that computes in
//     floating point may answer.
//
// In a property test, draw a box, and compare what your program and the engine say about it:
//
//	func TestQuote(t *testing.T) {
//		boxes := boxtest.Boxes(engine.Profiles()...)
//		rapid.Check(t, func(t *rapid.T) {
//			box := boxes.Draw(t, "box")
//			…
//		})
//	}
//
// If the test fails, rapid looks for a simpler box for which it also fails, and prints that box. The
// simplest boxes have whole numbers near the minimums.
//
// If a program is wrong about a single rule, and only on its border, about one in a hundred drawn boxes reveals the
// mistake. rapid.Check draws a hundred boxes, or 10,000 with the flag -rapid.checks=10000. Outside of rapid.Check, as
// in a benchmark or for the seeds of a fuzz test, Boxes(profile).Example(i) returns the same box for the same number i
// in every run.
//
// The complete tests of two small programs are in the folders examples/fuzz and examples/bench of the
// repository.
package boxtest

import (
	"math"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
)

// Boxes draws half of its boxes as [Border] does, a quarter as [Inside] does, and a quarter as [Beyond] does.
// The engine gives a verdict on every box. Each box has the article and the material of one of the profiles.
// Its dimensions are in the unit of the limit file, and have no more decimals than the file accepts. There must
// be at least one profile.
func Boxes(profiles ...*boxrules.Profile) *rapid.Generator[boxrules.Box] {
	return boxesOf(profiles, func(g *grid, t *rapid.T) boxrules.Box {
		// Border is in the list twice, so that half of the boxes are at borders.
		points := []func(*grid, *rapid.T) exact.Point{(*grid).drawInside, (*grid).drawBorder, (*grid).drawBorder, (*grid).drawBeyond}
		return g.boxAt(points[rapid.IntRange(0, len(points)-1).Draw(t, "kind")](g, t))
	})
}

// Inside draws boxes whose dimensions are within the limits of the article, minimum and maximum included. They may
// violate any rule except the limits. Most dimensions are whole or half units. If the limit file accepts only whole
// numbers, a range such as 1.5 to 1.5 contains no dimension that is accepted. In that case, Inside uses the next larger
// dimension that is accepted, which is 2.
func Inside(profiles ...*boxrules.Profile) *rapid.Generator[boxrules.Box] {
	return boxesOf(profiles, func(g *grid, t *rapid.T) boxrules.Box { return g.boxAt(g.drawInside(t)) })
}

// Border draws boxes on the border of a condition, and boxes next to it. The border is where the condition
// begins to hold. A box next to it differs by one step of the grid: a thousandth, or a tenth if the limit file
// accepts one decimal. For "depth > width", some boxes have a depth equal to the width, and some are a
// thousandth deeper. Sometimes no point of the grid is on the border: for "3 * depth > width" and a width of
// 100, the border is at a depth of 100/3. In that case, the boxes are as near to the border as the grid allows.
//
// Border draws from the borders of all rules within the limits, including the limits themselves. The
// dimensions are within the limits or one step beyond them. If no rule has a border within the limits, Border
// draws the same boxes as [Inside].
func Border(profiles ...*boxrules.Profile) *rapid.Generator[boxrules.Box] {
	return boxesOf(profiles, func(g *grid, t *rapid.T) boxrules.Box { return g.boxAt(g.drawBorder(t)) })
}

// Beyond draws boxes with at least one dimension that is below the minimum of the article or above the
// maximum, by at least one step of the grid. No dimension is greater in magnitude than [exact.MaxDimension],
// so every box gets a verdict. Some dimensions are zero or negative.
func Beyond(profiles ...*boxrules.Profile) *rapid.Generator[boxrules.Box] {
	return boxesOf(profiles, func(g *grid, t *rapid.T) boxrules.Box { return g.boxAt(g.drawBeyond(t)) })
}

// Malformed draws boxes that [boxrules.Profile.Check] refuses with a [*boxrules.InputError]: at least one
// dimension is NaN, infinite, or greater in magnitude than [exact.MaxDimension]. If the limit file accepts
// fewer than three decimals, a dimension may also have too many decimals. (If it accepts three, further
// decimals are rounded.) Each box has the article and the material of one of the profiles.
func Malformed(profiles ...*boxrules.Profile) *rapid.Generator[boxrules.Box] {
	return boxesOf(profiles, func(g *grid, t *rapid.T) boxrules.Box {
		box := g.boxAt(g.drawInside(t))
		// One dimension is always malformed, and each of the others half of the time.
		first := drawAxis().Draw(t, "malformed")
		for i, x := range []*float64{&box.Width, &box.Depth, &box.Height} {
			if i == first || rapid.Bool().Draw(t, "also malformed") {
				*x = g.malformedDimension(t, *x)
			}
		}
		return box
	})
}

// A grid holds the limits of a profile and the borders of its rules. Boxes are drawn from it. The coordinates of its
// points count steps: if dimensions have one decimal, (1, 1, 1) is the box of 0.1 x 0.1 x 0.1.
type grid struct {
	profile      *boxrules.Profile
	step         int64 // in thousandths
	stepsPerUnit int64
	low, high    exact.Point
	borders      [][]exact.HalfSpace // for each condition, the half-spaces whose border is within the limits
}

func newGrid(p *boxrules.Profile) *grid {
	form := p.Exact()
	g := &grid{profile: p, step: form.Step, stepsPerUnit: exact.Scale / form.Step}
	for i := range exact.Axes {
		// If only whole numbers are accepted, the range from 1.5 to 1.5 contains no dimension. In that case, use 2.
		g.low[i] = form.Low[i] / g.step
		g.high[i] = max(g.low[i], form.High[i]/g.step)
	}
	for _, condition := range form.Conditions {
		var borders []exact.HalfSpace
		for _, h := range gen.Faces(condition) {
			h.K = exact.FloorDiv(h.K, g.step) // A·(step·q) > K is A·q > K/step
			least, greatest := int64(0), int64(0)
			for i, a := range h.A {
				least += min(a*g.low[i], a*g.high[i])
				greatest += max(a*g.low[i], a*g.high[i])
			}
			// Within the limits, A·q is from least to greatest. The border is between K, where h does not
			// hold, and K+1, where it holds. It is within the limits if A·q can be K or K+1.
			if least <= h.K+1 && h.K <= greatest {
				borders = append(borders, h)
			}
		}
		if borders != nil {
			g.borders = append(g.borders, borders)
		}
	}
	return g
}

func boxesOf(profiles []*boxrules.Profile, draw func(*grid, *rapid.T) boxrules.Box) *rapid.Generator[boxrules.Box] {
	var grids []*grid
	for _, p := range profiles {
		grids = append(grids, newGrid(p))
	}
	choice := rapid.SampledFrom(grids)
	return rapid.Custom(func(t *rapid.T) boxrules.Box { return draw(choice.Draw(t, "profile"), t) })
}

func (g *grid) boxAt(q exact.Point) boxrules.Box {
	for i := range q {
		q[i] *= g.step
	}
	return boxrules.Box{Article: g.profile.Article(), Material: g.profile.Material(), Dims: boxrules.DimsAt(q)}
}

func drawAxis() *rapid.Generator[int] { return rapid.IntRange(0, exact.Axes-1) }

// drawSteps draws a number of steps from 0 to maxSteps. It draws whole units and the remaining steps
// separately. So if a test fails only for a certain fraction, rapid can shrink the number of units and keep
// that fraction.
func (g *grid) drawSteps(t *rapid.T, maxSteps int64) int64 {
	whole := rapid.Int64Range(0, maxSteps/g.stepsPerUnit).Draw(t, "units")
	rest := rapid.OneOf(rapid.Just(int64(0)), rapid.Just(g.stepsPerUnit/2), rapid.Int64Range(0, g.stepsPerUnit-1)).Draw(t, "rest")
	return min(whole*g.stepsPerUnit+rest, maxSteps)
}

func (g *grid) drawInside(t *rapid.T) (q exact.Point) {
	for i := range q {
		q[i] = g.coordinateInside(t, i)
	}
	return q
}

// coordinateInside draws a coordinate within the limits. It rounds the minimum down to a whole unit, and adds the drawn
// steps to that. So most coordinates are whole or half units, regardless of the minimum.
func (g *grid) coordinateInside(t *rapid.T, axis int) int64 {
	// With a minimum of 20.3 and one decimal, from is 20.0, so that five whole units lead to 25.
	from := g.low[axis] / g.stepsPerUnit * g.stepsPerUnit
	return max(g.low[axis], from+g.drawSteps(t, g.high[axis]-from))
}

// drawBorder draws a point, moves it to up to three borders, one after the other, and may then move it by one step.
// After a move to the second border, the point may no longer be on the first.
func (g *grid) drawBorder(t *rapid.T) exact.Point {
	q := g.drawInside(t)
	if len(g.borders) == 0 {
		return q
	}
	for range rapid.IntRange(1, 3).Draw(t, "borders") {
		h := rapid.SampledFrom(rapid.SampledFrom(g.borders).Draw(t, "condition")).Draw(t, "border")
		q = g.moveToBorder(q, h, drawAxis().Draw(t, "first axis"))
	}
	q[drawAxis().Draw(t, "beside")] += rapid.SampledFrom([]int64{0, 1, -1}).Draw(t, "by")
	return q
}

// moveToBorder moves q to the border of h, where A·q = K, or as near to it as the grid and the limits allow. It
// first moves along firstAxis, but not beyond the limits. Then it covers the remaining distance along the other
// axes.
func (g *grid) moveToBorder(q exact.Point, h exact.HalfSpace, firstAxis int) exact.Point {
	// distance is how much A·q is too small. A step along axis i reduces it by h.A[i].
	distance := h.K
	for i, a := range h.A {
		distance -= a * q[i]
	}
	for i := range exact.Axes {
		i = (firstAxis + i) % exact.Axes
		if a := h.A[i]; a != 0 {
			to := min(max(q[i]+distance/a, g.low[i]), g.high[i])
			distance -= a * (to - q[i])
			q[i] = to
		}
	}
	return q
}

func (g *grid) drawBeyond(t *rapid.T) exact.Point {
	q := g.drawInside(t)
	maxSteps, first := exact.MaxGrid/g.step, drawAxis().Draw(t, "beyond")
	for i := range q {
		switch {
		// One dimension is always beyond the limits. Each of the others stays inside half of the time.
		case i != first && !rapid.Bool().Draw(t, "also beyond"):
		case g.high[i] < maxSteps && rapid.Bool().Draw(t, "too large"):
			// On both sides, stay within the largest magnitude that is accepted.
			q[i] = g.high[i] + 1 + g.drawSteps(t, maxSteps-g.high[i]-1)
		default:
			q[i] = g.low[i] - 1 - g.drawSteps(t, maxSteps+g.low[i]-1)
		}
	}
	return q
}

// malformedDimension draws a dimension that the engine refuses. A dimension with too many decimals is near x.
func (g *grid) malformedDimension(t *rapid.T, x float64) float64 {
	kinds := []string{"not a number", "infinite", "too large"}
	if g.step > 1 {
		kinds = append(kinds, "too many decimals")
	}
	sign := rapid.SampledFrom([]float64{1, -1}).Draw(t, "sign")
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "not a number":
		return math.NaN()
	case "infinite":
		return math.Inf(int(sign))
	case "too large":
		return sign * rapid.OneOf(
			rapid.Just(math.Nextafter(exact.MaxDimension, math.Inf(1))),
			rapid.Float64Min(exact.MaxDimension+1),
		).Draw(t, "size")
	}
	// x is on the grid of the limit file, so the result is between two points of that grid.
	return exact.Float64At(exact.Grid(x) + rapid.Int64Range(1, g.step-1).Draw(t, "thousandths"))
}
