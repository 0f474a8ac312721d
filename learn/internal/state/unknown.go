package state

import (
	"cmp"
	"math"
	"slices"

	"example.com/boxrules/exact"
)

// An Unknown is a *Limit, a *Selection, a *Sheet or a *Fitting.
type Unknown interface {
	// Name is what people and files call it: max_depth, BOX_3100, sheet.
	Name() string
	Observe(o Observation, contains bool) (conflicts [][]Observation)
	Unexplained(at exact.Point, contains bool) bool
	MayContain(at exact.Point) (may, mayNot bool)
	Observations() *Set
	// SetTo makes the Unknown a copy of another one of the same type.
	SetTo(other Unknown)
}

// Observations returns the Set of an Unknown.
func (s *Set) Observations() *Set { return s }

// A Limit is the minimum or the maximum of a dimension. Its Set contains the lengths up to it, as the
// first coordinate.
type Limit struct {
	name string
	Set
}

// NewLimit returns a limit that may be any multiple of step from lower to upper.
func NewLimit(name string, lower, upper, step int64) *Limit {
	return &Limit{name, Set{Smallest: exact.Point{lower}, Largest: exact.Point{upper}, isCorner: true, Step: step}}
}

// Name returns the limit's name in rules, such as max_depth.
func (l *Limit) Name() string { return l.name }

// SetTo implements [Unknown].
func (l *Limit) SetTo(other Unknown) { l.Set = other.Observations().clone() }

// LowerBound returns the smallest value that the limit can have.
func (l *Limit) LowerBound() int64 {
	if len(l.Contained) == 0 {
		return l.Smallest[0]
	}
	return l.Contained[0].At[0]
}

// UpperBound returns the greatest value that the limit can have.
func (l *Limit) UpperBound() int64 {
	if len(l.Excluded) == 0 {
		return l.Largest[0]
	}
	return l.Excluded[0].At[0] - l.Step
}

// Rows returns the rows from which the bounds follow. There are fewer than two if a bound is an assumption.
func (l *Limit) Rows() []int { return l.strongestRows() }

// A Selection says whether an article selects a constraint. If it does, its Set contains the point Selected.
type Selection struct {
	code string
	Set
}

// Selected is the point that the Set of a selected constraint contains.
var Selected = exact.Point{1}

// NewSelection returns the selection of a constraint about which no answer has told anything yet.
func NewSelection(code string) *Selection {
	return &Selection{code, Set{Largest: Selected, isCorner: true, Step: 1}}
}

// Name returns the code of the constraint.
func (s *Selection) Name() string { return s.code }

// SetTo implements [Unknown].
func (s *Selection) SetTo(other Unknown) { s.Set = other.Observations().clone() }

// IsOpen reports whether no answer tells if the constraint is selected.
func (s *Selection) IsOpen() bool { return len(s.Contained)+len(s.Excluded) == 0 }

// IsSelected reports whether the constraint is known to be selected.
func (s *Selection) IsSelected() bool { return len(s.Contained) > 0 }

// Rows returns the row that shows it, if any.
func (s *Selection) Rows() []int { return s.strongestRows() }

// The coordinates of the size of a sheet, and of the smallest sheet that holds a blank.
const (
	Long  = iota // the longer side
	Short        // the shorter side
	Sides
)

// A Sheet is the size of a sheet. Its Set contains the sizes of the blanks that it holds. The sheet is at least
// as large as its Corner, and it is smaller than each Excluded size on at least one side.
type Sheet struct {
	Code string
	Set
	// WithoutFormulas is what is known about the sheet without the blanks whose formulas were chosen because
	// of the answers. It is nil if there are no such blanks.
	WithoutFormulas *Sheet
}

// NewSheet returns a sheet whose sides may be any multiples of step up to longest.
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
	c.SetTo(s)
	return c
}

// SetTo implements [Unknown].
func (s *Sheet) SetTo(other Unknown) {
	from := other.(*Sheet)
	s.Set = from.clone()
	if s.WithoutFormulas = nil; from.WithoutFormulas != nil {
		s.WithoutFormulas = from.WithoutFormulas.Clone()
	}
}

// Farthest returns the observation of a fitting size that is longest on the given side. Its Seq is 0 if nothing
// is known to fit.
func (s *Sheet) Farthest(side int) (farthest Observation) {
	for _, o := range s.Contained {
		if o.At[side] > farthest.At[side] {
			farthest = o
		}
	}
	return farthest
}

// UpperCorner returns the upper bound: a size that no consistent sheet exceeds on either side. Take a sheet that
// is at least 900 x 600 and does not hold 1000 x 500. Its shorter side is at least 600, so its longer side is
// below 1000. If it were only known to be at least 900 x 400, it could still be 1200 x 450.
func (s *Sheet) UpperCorner() exact.Point {
	upper, lower := s.Largest, s.Corner()
	for _, excluded := range s.Excluded {
		for side := range Sides {
			// If the sheet reaches the excluded size on one side, it must not reach it on the other.
			if other := 1 - side; excluded.At[other] <= lower[other] {
				upper[side] = min(upper[side], excluded.At[side]-s.Step)
			}
		}
	}
	upper[Short] = min(upper[Short], upper[Long]) // the shorter side is never longer than the longer one
	return upper
}

// SmallestExcluded returns the excluded sizes that do not follow from another one, in the order of their longer
// side. That 1000 x 700 does not fit follows from 1000 x 650, for example.
func (s *Sheet) SmallestExcluded() []Observation {
	smallest := slices.DeleteFunc(slices.Clone(s.Excluded), func(o Observation) bool {
		return slices.ContainsFunc(s.Excluded, func(p Observation) bool { return p.At != o.At && Inside(p.At, o.At) })
	})
	slices.SortFunc(smallest, func(a, b Observation) int { return cmp.Compare(a.At[Long], b.At[Long]) })
	return smallest
}

// A Fitting records which boxes of an article fit the sheet of a material if the blank of the article is not
// known. Its Set contains the boxes that fit. It is downward closed, because a box that is smaller than one that
// fits has no larger blank.
type Fitting struct{ Set }

// NewFitting returns a fitting about which no answer has told anything yet.
func NewFitting() *Fitting {
	return &Fitting{Set{Largest: exact.Point{math.MaxInt64, math.MaxInt64, math.MaxInt64}}}
}

// Name returns "sheet", because contradictions about a fitting are reported as contradictions about the sheet.
func (f *Fitting) Name() string { return "sheet" }

// SetTo implements [Unknown].
func (f *Fitting) SetTo(other Unknown) { f.Set = other.Observations().clone() }

// RowOf returns the row that shows whether a box fits, and whether it does. The row is 0 if that is not known.
func (f *Fitting) RowOf(box exact.Point) (row int, fits bool) {
	for _, o := range f.Contained {
		if Inside(box, o.At) {
			return o.Row, true
		}
	}
	for _, o := range f.Excluded {
		if Inside(o.At, box) {
			return o.Row, false
		}
	}
	return 0, false
}
