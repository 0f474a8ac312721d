// Package draw generates random boxes with rapid, a package for property-based tests. It also lets rapid make the
// random choices of package gen, which generates files and conditions. If a property fails, rapid shrinks the input to
// a small box and a short condition.
package draw

import (
	"pgregory.net/rapid"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
)

// Choices returns a source of random choices for package gen. The choices are drawn by rapid.
func Choices(t *rapid.T) gen.Draw {
	return func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") }
}

// Points generates boxes for a profile. It draws three coordinates, and then moves the box at most twice, each time
// onto a face of a condition or to within a thousandth of it. rapid shrinks boxes towards 0 x 0 x 0.
func Points(form exact.Form) *rapid.Generator[exact.Point] {
	faces := gen.Faces(form.Conditions...)
	return rapid.Custom(func(t *rapid.T) (p exact.Point) {
		for axis := range p {
			p[axis] = coordinate(form.Low[axis], form.High[axis]).Draw(t, exact.AxisNames()[axis])
		}
		if len(faces) == 0 {
			return p
		}
		boxes := gen.Boxes{Draw: Choices(t), Low: form.Low, High: form.High, Faces: faces}
		for i := range rapid.IntRange(0, 2).Draw(t, "faces") {
			// Only the first move may round the other coordinates. If the second move did so, the box would leave
			// the first face.
			boxes.Move(&p, rapid.SampledFrom(faces).Draw(t, "face"), i == 0)
			p[rapid.IntRange(exact.Width, exact.Height).Draw(t, "beside")] += rapid.Int64Range(-1, 1).Draw(t, "thousandths")
		}
		for axis := range p {
			// A face may be far outside the limits.
			p[axis] = min(max(p[axis], -exact.MaxGrid), exact.MaxGrid)
		}
		return p
	})
}

// coordinate generates a coordinate, which is usually a whole number of units. It may be within the limits, equal to
// one of them, or outside them.
func coordinate(low, high int64) *rapid.Generator[int64] {
	whole := func(from, to int64) *rapid.Generator[int64] {
		return rapid.Map(rapid.Int64Range(from/exact.Scale, to/exact.Scale), func(x int64) int64 { return x * exact.Scale })
	}
	return rapid.OneOf(
		whole(0, high),
		whole(low, high),
		whole(low, high),
		rapid.Int64Range(low, high),
		rapid.SampledFrom([]int64{low, high, low - 1, high + 1, exact.MaxGrid, -exact.MaxGrid}),
		rapid.Int64Range(-exact.Scale, min(2*high, exact.MaxGrid)),
	)
}

// Around returns the point and its neighbours. Each neighbour is one step away along one axis.
func Around(p exact.Point, step int64) []exact.Point {
	around := []exact.Point{p}
	for axis := range p {
		for _, offset := range []int64{-step, step} {
			q := p
			q[axis] = min(max(q[axis]+offset, -exact.MaxGrid), exact.MaxGrid)
			around = append(around, q)
		}
	}
	return around
}
