package plan

import (
	"math"

	"example.com/boxrules/exact"
	"example.com/boxrules/learn/internal/state"
)

// A Staircase is the set of sizes that a sheet can still have. The sheet is at least as large as lower. Each blank
// that does not fit rules out the sizes that are at least as large on both sides. What remains is a region whose
// upper border looks like a staircase. For example, the sheet below does not hold 1000 x 650, so if its longer side
// is at least 1000, its shorter side is below 650.
//
//	shorter side
//	   |......+
//	   |......|
//	   |......+-----+ 650
//	   |............|
//	 lower----------+--- longer side
//	        1000
//
// A stretch is a range of lengths of the longer side for which the maximum of the shorter side is the same.
type Staircase struct {
	prior *Prior
	lower exact.Point   // the size that the sheet is known to hold
	ends  []exact.Point // the largest size of each stretch, sorted by the longer side
	total float64       // the mass of all sizes
}

func NewStaircase(p *Prior, sheet *state.Sheet) *Staircase {
	s := &Staircase{prior: p, lower: sheet.Corner()}
	// From one excluded size to the next, the longer side increases and the shorter side decreases. Just before its
	// longer side, an excluded size ends a stretch, unless the sheet is already known to be that long.
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

// mass returns the mass of the possible sizes that are at least as large as size on both sides.
func (s *Staircase) mass(size exact.Point) float64 {
	// The possible sizes of a stretch form a rectangle. The sides of a sheet are assumed to be independent, so the
	// mass of the rectangle is a product.
	total, from := 0.0, max(size[state.Long], s.prior.step)
	for _, end := range s.ends {
		total += s.prior.mass(from, end[state.Long]) * s.prior.mass(max(size[state.Short], s.prior.step), end[state.Short])
		from = max(from, end[state.Long]+s.prior.step)
	}
	return total
}

// Fits returns the probability that the sheet holds a blank of the given size.
func (s *Staircase) Fits(size exact.Point) float64 {
	if state.Inside(size, s.lower) {
		return 1
	}
	if s.total <= 0 {
		return 0
	}
	return s.mass(state.Join(size, s.lower)) / s.total
}

// Level returns some sizes, from square ones to long ones, that the sheet holds with about the given probability.
// They are points on a curve: a blank inside one of these sizes fits with at least about this probability.
func (s *Staircase) Level(probability float64) []exact.Point {
	const sizes = 5
	longest := exact.Point{s.ends[len(s.ends)-1][state.Long], s.ends[0][state.Short]}
	var level []exact.Point
	for i := range sizes {
		size := s.lower
		// The longer side reduces the probability by some part, and the shorter side reduces it by the rest.
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
