package state

import (
	"math"

	"example.com/boxrules/exact"
)

// A Fitting records which boxes of an article are known to fit the sheet of a material. It is used if the blank of
// the article is not known. Its Set contains the boxes that fit. If a box fits, every smaller box also fits,
// because its blank is no larger. Therefore the Set is downward closed, as every [Set] must be.
type Fitting struct{ Set }

// NewFitting returns a Fitting for which nothing is known about any box.
func NewFitting() *Fitting {
	return &Fitting{Set{Largest: exact.Point{math.MaxInt64, math.MaxInt64, math.MaxInt64}}}
}

// Name returns "sheet", because contradictions about a fitting are reported as contradictions about the sheet.
func (f *Fitting) Name() string { return "sheet" }

// CopyFrom implements [Unknown].
func (f *Fitting) CopyFrom(other Unknown) { f.Set = other.Observations().clone() }

// RowOf reports whether a box fits, and returns the row that shows it. If it is not known whether the box fits, the
// row is 0.
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
