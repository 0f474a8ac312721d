package state

import (
	"cmp"
	"slices"

	"example.com/boxrules/exact"
)

// Long and Short are indices into an [exact.Point] that holds a size: the size of a sheet, or of the smallest sheet
// that holds a blank. Sides is the number of sides.
const (
	Long  = iota // the longer side
	Short        // the shorter side
	Sides
)

// A Sheet is what is known about the size of a sheet. Its Set contains the sizes of the blanks that the sheet
// holds. The sheet is at least as large as its Corner. For each size in Excluded, at least one side of the sheet is
// shorter than the same side of that size.
type Sheet struct {
	Code string
	Set
	// WithoutFormulas is what is known about the sheet without the blanks whose formulas were chosen because of the
	// answers. It follows from the blanks in the frame alone. It is nil if no formula was chosen.
	WithoutFormulas *Sheet
}

// NewSheet returns a sheet whose sides may be any multiples of step up to longest. code identifies the sheet.
func NewSheet(code string, longest, step int64) *Sheet {
	return &Sheet{Code: code, Set: Set{
		Smallest: exact.Point{step, step}, Largest: exact.Point{longest, longest}, isCorner: true, Step: step,
	}}
}

// Name returns "sheet".
func (s *Sheet) Name() string { return "sheet" }

// Clone returns a copy that shares no memory with s.
func (s *Sheet) Clone() *Sheet {
	c := &Sheet{Code: s.Code}
	c.CopyFrom(s)
	return c
}

// CopyFrom implements [Unknown].
func (s *Sheet) CopyFrom(other Unknown) {
	from := other.(*Sheet)
	s.Set = from.clone()
	if s.WithoutFormulas = nil; from.WithoutFormulas != nil {
		s.WithoutFormulas = from.WithoutFormulas.Clone()
	}
}

// Farthest returns the observation in Contained whose size is the longest on the given side. If several are equally
// long, it returns the oldest, which is at least as long on the other side too. If Contained is empty, the Seq of the
// result is 0.
func (s *Sheet) Farthest(side int) (farthest Observation) {
	for _, o := range s.Contained {
		if o.At[side] > farthest.At[side] {
			farthest = o
		}
	}
	return farthest
}

// UpperCorner returns the upper bound: a size that no possible sheet exceeds on either side. Take a sheet that is
// at least 900 x 600 and does not hold 1000 x 500. Its shorter side is at least 600, so its longer side must be
// below 1000. But if the sheet were only known to be at least 900 x 400, it could be 1200 x 450.
func (s *Sheet) UpperCorner() exact.Point {
	upper, lower := s.Largest, s.Corner()
	for _, excluded := range s.Excluded {
		for side := range Sides {
			// If the sheet is at least as large as the excluded size on one side, it must be smaller on the other.
			if other := 1 - side; excluded.At[other] <= lower[other] {
				upper[side] = min(upper[side], excluded.At[side]-s.Step)
			}
		}
	}
	upper[Short] = min(upper[Short], upper[Long]) // the shorter side is never longer than the longer one
	return upper
}

// SmallestExcluded returns the observations in Excluded that do not follow from another one, sorted by the longer side.
// For example, if a blank of 1000 x 650 does not fit, it follows that a blank of 1000 x 700 does not fit either.
func (s *Sheet) SmallestExcluded() []Observation {
	smallest := slices.DeleteFunc(slices.Clone(s.Excluded), func(o Observation) bool {
		return slices.ContainsFunc(s.Excluded, func(p Observation) bool { return p.At != o.At && Inside(p.At, o.At) })
	})
	slices.SortFunc(smallest, func(a, b Observation) int { return cmp.Compare(a.At[Long], b.At[Long]) })
	return smallest
}

// IsKnown reports whether the sheet can have only one size.
func (s *Sheet) IsKnown() bool { return s.Corner() == s.UpperCorner() }
