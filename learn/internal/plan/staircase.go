package plan

import (
	"math"

	"example.com/boxrules/exact"
	"example.com/boxrules/learn/internal/state"
)

// A Staircase holds the sizes that a sheet can still have. Sizes that do not fit cut them off like a
// staircase: for each stretch of the longer side it says how long the shorter side can be.
//
//	shorter side
//	   |......+            lower is known to fit. A sheet that does not hold 1000 x 650 ends the first
//	   |......|            stretch just before 1000; from there on the shorter side is below 650.
//	   |......+-----+
//	   |............|
//	 lower----------+--- longer side
type Staircase struct {
	prior *Prior
	lower exact.Point   // the size that is known to fit
	ends  []exact.Point // the last size of each stretch, by the longer side
	total float64       // the mass of all sizes
}

// NewStaircase returns the sizes that the sheet can have.
func NewStaircase(p *Prior, sheet *state.Sheet) *Staircase {
	s := &Staircase{prior: p, lower: sheet.Corner()}
	end := sheet.Largest
	for _, excluded := range sheet.SmallestExcluded() { // by the longer side, so that the shorter ones fall
		if longest := excluded.At[state.Long] - sheet.Step; longest >= s.lower[state.Long] {
			s.ends = append(s.ends, exact.Point{longest, end[state.Short]})
		}
		end[state.Short] = min(end[state.Short], excluded.At[state.Short]-sheet.Step)
	}
	s.ends = append(s.ends, end)
	s.total = s.mass(s.lower)
	return s
}

// mass returns how likely the sizes are that hold the size given, all together.
func (s *Staircase) mass(size exact.Point) float64 {
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

// Level returns some sizes, from long ones to square ones, that fit with about the chance given: of the
// blanks that just fit one of them, each fits the sheet with this chance.
func (s *Staircase) Level(chance float64) []exact.Point {
	const sizes = 5
	longest := exact.Point{s.ends[len(s.ends)-1][state.Long], s.ends[0][state.Short]}
	var level []exact.Point
	for i := range sizes {
		size := s.lower
		// The longer side takes a part of the chance, and the shorter side the rest.
		for side, chance := range []float64{math.Pow(chance, float64(i)/(sizes-1)), chance} {
			size[side] = Farthest(size[side], longest[side], s.prior.step, func(x int64) bool {
				longer := size
				longer[side] = x
				return s.mass(longer) >= chance*s.total
			})
		}
		level = append(level, size)
	}
	return level
}
