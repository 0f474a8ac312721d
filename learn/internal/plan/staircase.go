package plan

import (
	"math"

	"example.com/boxrules/exact"
	"example.com/boxrules/learn/internal/state"
)

// A Staircase holds the sizes that a sheet can still have. They are at least lower, and each blank that does not
// fit rules out all sizes that are at least as large on both sides. What remains is a region whose upper border
// goes down in stairs. The sheet below, for example, does not hold 1000 x 650: if its longer side is at least 1000, its
// shorter side is below 650.
//
//	shorter side
//	   |......+
//	   |......|
//	   |......+-----+ 650
//	   |............|
//	 lower----------+--- longer side
//	        1000
//
// A stretch is a range of lengths of the longer side that have the same maximum for the shorter side.
type Staircase struct {
	prior *Prior
	lower exact.Point   // the size that is known to fit
	ends  []exact.Point // the largest size of each stretch, by increasing longer side
	total float64       // the mass of all sizes
}

// NewStaircase returns the sizes that the sheet can have.
func NewStaircase(p *Prior, sheet *state.Sheet) *Staircase {
	s := &Staircase{prior: p, lower: sheet.Corner()}
	// From one excluded size to the next, the longer side increases and the shorter side decreases. Each one
	// ends a stretch just before its longer side, unless the sheet is already known to be that long.
	end := sheet.Largest
	for _, excluded := range sheet.SmallestExcluded() {
		if longest := excluded.At[state.Long] - sheet.Step; longest >= s.lower[state.Long] {
			s.ends = append(s.ends, exact.Point{longest, end[state.Short]})
		}
		end[state.Short] = min(end[state.Short], excluded.At[state.Short]-sheet.Step)
	}
	s.ends = append(s.ends, end)
	s.total = s.mass(s.lower)
	return s
}

// mass returns the mass of the possible sizes that are at least size on both sides.
func (s *Staircase) mass(size exact.Point) float64 {
	// In each stretch the possible sizes are a rectangle, so their mass is a product. The sides of a sheet are
	// taken to be independent.
	total, from := 0.0, max(size[state.Long], s.prior.step)
	for _, end := range s.ends {
		total += s.prior.mass(from, end[state.Long]) * s.prior.mass(max(size[state.Short], s.prior.step), end[state.Short])
		from = max(from, end[state.Long]+s.prior.step)
	}
	return total
}

// Fits returns the probability that a blank of the size fits.
func (s *Staircase) Fits(size exact.Point) float64 {
	if state.Inside(size, s.lower) {
		return 1
	}
	if s.total <= 0 {
		return 0
	}
	return s.mass(state.Join(size, s.lower)) / s.total
}

// Level returns some sizes that the sheet holds with about the given probability, from long ones to square ones.
// They are points on a curve: a blank inside one of them fits with at least about this probability.
func (s *Staircase) Level(probability float64) []exact.Point {
	const sizes = 5
	longest := exact.Point{s.ends[len(s.ends)-1][state.Long], s.ends[0][state.Short]}
	var level []exact.Point
	for i := range sizes {
		size := s.lower
		// The longer side alone reduces the probability by a part, and the shorter side by the rest.
		for side, target := range []float64{math.Pow(probability, float64(i)/(sizes-1)), probability} {
			size[side] = Bisect(size[side], longest[side], s.prior.step, func(x int64) bool {
				longer := size
				longer[side] = x
				return s.mass(longer) >= target*s.total
			})
		}
		level = append(level, size)
	}
	return level
}
