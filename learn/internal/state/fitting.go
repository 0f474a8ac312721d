package state

import (
	"math"

	"example.com/boxrules/exact"
)

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

// CopyFrom implements [Unknown].
func (f *Fitting) CopyFrom(other Unknown) { f.Set = other.Observations().clone() }

// RowOf reports whether a box fits, and the row that shows it. The row is 0 if it is not known whether it fits.
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
