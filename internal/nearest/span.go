package nearest

import (
	"example.com/boxrules/exact"
)

// A pointRange is a range of points: the points whose coordinates are between low and high, both inclusive. Along a
// free axis, low, high and all coordinates in between are multiples of the step.
type pointRange struct{ low, high exact.Point }

// clamp returns the point between low and high that is nearest to p.
func (s pointRange) clamp(p exact.Point) exact.Point {
	for axis := range exact.Axes {
		p[axis] = min(max(p[axis], s.low[axis]), s.high[axis])
	}
	return p
}
