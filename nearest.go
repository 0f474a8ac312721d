package boxrules

import (
	"encoding/json"
	"fmt"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/nearest"
	"example.com/boxrules/internal/program"
)

// A Suggestion is the valid box nearest to a box that is not valid, or the reason why no box was found. In
// JSON, a Suggestion without a box is {"unproved":true}, {"borderline":true} or null.
type Suggestion struct {
	Dims
	// Changed names the dimensions that differ from the original box, in the order width, depth, height. It is
	// nil if no box was found. The slice is shared, so do not change it.
	Changed []string `json:"changed"`
	// Unproved is true if the search stopped before it had proved that no valid box is nearer. That happens
	// only with rules that leave hardly any valid boxes, for example only those on a slanting line.
	Unproved bool `json:"unproved,omitempty"`
	// Borderline is true if no box was found because all valid boxes that could be suggested are borderline. See
	// [Profile.Borderline].
	Borderline bool `json:"borderline,omitempty"`
}

// Found reports whether a box was found.
func (s Suggestion) Found() bool { return s.Changed != nil }

// MarshalJSON writes no dimensions if no box was found.
func (s Suggestion) MarshalJSON() ([]byte, error) {
	switch {
	case s.Found():
	case s.Borderline:
		return []byte(`{"borderline":true}`), nil
	case s.Unproved:
		return []byte(`{"unproved":true}`), nil
	default:
		return []byte("null"), nil
	}
	type fields Suggestion
	return json.Marshal(fields(s))
}

// Nearest returns the valid box nearest to d. That is the valid box that differs from d in the fewest dimensions. If
// there are several, it is the one with the smallest total change, then the one with the smallest sum of dimensions,
// and finally the one with the smallest width, then depth, then height. Changed dimensions are multiples of step, which
// is in the catalogue's unit. The other dimensions stay the same. For a valid box, Nearest returns the box itself. ok
// is false if no box was found. If s.Unproved is also false, no box whose dimensions are multiples of step is valid,
// except in the case that the next paragraph describes.
//
// A box with changes is never borderline (see [Profile.Borderline]). If the nearest valid box is borderline,
// Nearest returns the nearest box that is valid both exactly and in floating point. If there is none, ok is
// false and s.Borderline is true.
//
// Nearest returns the same errors as [Profile.Check], and an *[OptionError] if the step is below 0.001 or above 1,000,
// is not a multiple of 0.001, or has more decimals than the catalogue allows. It confirms every suggestion with
// [Profile.Check]. If Check does not accept a suggestion, the error says that there is an internal fault.
func (p *Profile) Nearest(d Dims, step float64) (s Suggestion, ok bool, err error) {
	if p.valid == nil {
		return Suggestion{}, false, errZeroProfile
	}
	at, err := p.gridPoint(d)
	if err != nil {
		return Suggestion{}, false, err
	}
	if err := ValidateStep(step, p.form.Step); err != nil {
		return Suggestion{}, false, err
	}
	best, total, proved := p.nearest(at, exact.Grid(step))
	// If the best box is borderline, search again among the boxes that are not on an edge. A box that is valid
	// without a change (total is 0) is returned even if it is borderline.
	borderline := 0 < total && total < nearest.NoPoint && p.isBorderline(DimsAt(best))
	if borderline {
		best, total, proved = p.withoutEdges().nearest(at, exact.Grid(step))
	}
	if total == nearest.NoPoint {
		return Suggestion{Unproved: !proved, Borderline: proved && borderline}, false, nil
	}
	changed := 0 // a bit mask of axes, the index for changedAxes
	for axis := range exact.Axes {
		if best[axis] != at[axis] {
			changed |= 1 << axis
		}
	}
	s = Suggestion{Dims: DimsAt(best), Changed: changedAxes[changed], Unproved: !proved}
	// The search and Check use different code. Make sure never to suggest a box that Check refuses.
	if v, err := p.Check(s.Dims); err != nil || !v.OK() {
		return Suggestion{}, false, fmt.Errorf("boxrules: internal fault: suggested %+v, which is %v, %v", s.Dims, v, err)
	}
	return s, true, nil
}

// changedAxes lists the names of the axes for each set of axes. The index is a bit mask: bit 0 is the width,
// bit 1 the depth and bit 2 the height.
var changedAxes = [...][]string{
	{}, {"width"}, {"depth"}, {"width", "depth"}, {"height"}, {"width", "height"}, {"depth", "height"}, {"width", "depth", "height"},
}

// maxStep is the maximum step of a suggestion, in units.
const maxStep = 1000

// ValidateStep returns an *[OptionError] if the step is not valid for suggestions. The changed dimensions of a
// suggestion are multiples of the step. The step must be a multiple of 0.001 from 0.001 to 1,000, and a multiple
// of grid, which is the Step of an [exact.Form] or the result of [exact.StepOf] for the decimals of a catalogue. The grid
// must be at least 1.
func ValidateStep(step float64, grid int64) error {
	// The first comparison is negated so that NaN is not accepted.
	least := exact.Float64At(grid)
	if !(step >= least && step <= maxStep) || exact.Float64At(exact.Grid(step)) != step || exact.Grid(step)%grid != 0 {
		return &OptionError{"step", fmt.Sprintf("%v is not valid; accepted: a multiple of %v from %[2]v to %d", step, least, maxStep)}
	}
	return nil
}

// maxSearchWork limits one search for the nearest box to about 20 ms. The unit of work is one comparison of a
// half-space with a range of boxes. The illustrative articles need a thousandth of this amount.
const maxSearchWork = 1_000_000

// nearest returns the best box, and the total change of its dimensions, which is nearest.NoPoint if it
// finds no box. proved is true if the search has proved that there is no better box.
func (p *Profile) nearest(at exact.Point, step int64) (best exact.Point, total int64, proved bool) {
	if p.firstViolated.First(at) == len(p.rules) {
		return at, 0, true // the box itself is valid
	}
	// A box in which one dimension changes is better than any box in which two or three change.
	if best, total = p.nearestOnLines(at, step); total < nearest.NoPoint {
		return best, total, true
	}
	// Each search starts with the best box so far, and returns it if it finds no better one. If a search stops
	// because the work is used up, remaining is negative.
	remaining := maxSearchWork
	search := func(width, depth, height bool) {
		target := nearest.Target{At: at, Free: [exact.Axes]bool{width, depth, height}, Step: step}
		best, total = nearest.Search(p.allowed, target, best, total, &remaining)
	}
	// Try all three pairs of dimensions, and keep the best box.
	search(true, true, false)
	search(true, false, true)
	search(false, true, true)
	if total == nearest.NoPoint {
		search(true, true, true)
	}
	return best, total, remaining >= 0
}

// nearestOnLines returns the best box in which only one dimension changes, and the size of that change,
// which is nearest.NoPoint if there is no such box.
func (p *Profile) nearestOnLines(at exact.Point, step int64) (best exact.Point, total int64) {
	total = nearest.NoPoint
	for axis := range exact.Axes {
		var buffer [16]program.Piece
		for _, piece := range p.firstViolated.Sweep(at, axis, p.form.Step, buffer[:0]) {
			if piece.First != len(p.rules) {
				continue // these boxes are not valid
			}
			// The box itself is not valid, so the whole piece is below or above it. Take the multiple of the step
			// that is nearest to the box: the last one of a piece below it, the first one of a piece above it.
			value := exact.CeilDiv(piece.From, step) * step
			if piece.From < at[axis] {
				value = exact.FloorDiv(piece.To, step) * step
			}
			if value < piece.From || value > piece.To {
				continue // the piece contains no multiple of the step
			}
			candidate, change := at, max(value-at[axis], at[axis]-value)
			candidate[axis] = value
			if change < total || change == total && nearest.Better(candidate, best) {
				best, total = candidate, change
			}
		}
	}
	return best, total
}

// Nearest calls [Profile.Nearest] for the article and the material of the box. The error is an *[InputError], or an
// error from [Profile.Nearest].
func (e *Engine) Nearest(b Box, step float64) (s Suggestion, ok bool, err error) {
	p, err := e.Profile(b.Article, b.Material)
	if err != nil {
		return Suggestion{}, false, err
	}
	return p.Nearest(b.Dims, step)
}
