package boxrules

import (
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/program"
)

// A Range is an interval of values of one dimension for which the box is valid if the other two dimensions
// stay the same. Min and Max belong to the interval. They are in the catalogue's unit, with no more decimals
// than it allows.
type Range struct {
	Min float64 `json:"min"`
	Max float64 `json:"max"`
	// MinCode is the code that the box gets with the next value below Min, which is usually a thousandth
	// less. MaxCode is the code for the next value above Max. A code is empty if that value is beyond
	// ±1,000,000.
	MinCode Code `json:"min_code,omitempty"`
	MaxCode Code `json:"max_code,omitempty"`
	// MinInner is true if MinCode is a documented code of the boundary stage, but the range does not end at
	// the article's limit. That happens if a rule file uses the code for another condition, such as BOX_2101
	// for width > 2 * depth. MaxInner is the same for MaxCode.
	MinInner bool `json:"min_inner,omitempty"`
	MaxInner bool `json:"max_inner,omitempty"`
	// MinBorderline is true if the box with the value Min is borderline: a service that computes in floating
	// point may refuse it (see [Profile.Borderline]). Then SafeMin is the value to propose instead of Min: a
	// multiple of the step, inside the range, for which the box is not borderline. If no multiple of the step
	// will do, SafeMin is a multiple of the finest step. If none of these will do either, or if Min is not
	// borderline, SafeMin is nil. MaxBorderline and SafeMax are the same for Max.
	MinBorderline bool     `json:"min_borderline,omitempty"`
	MaxBorderline bool     `json:"max_borderline,omitempty"`
	SafeMin       *float64 `json:"safe_min,omitempty"`
	SafeMax       *float64 `json:"safe_max,omitempty"`
}

// proposedEnds returns the lowest and the highest value of r that may be proposed. They are Min and Max, or SafeMin and
// SafeMax for ends that are borderline. If a borderline end has no safe value, proposedEnds returns the other end for
// both. If neither end can be proposed, ok is false.
func (r Range) proposedEnds() (lowest, highest float64, ok bool) {
	low, high := &r.Min, &r.Max
	// SafeMin and SafeMax are nil if there is no safe value.
	if r.MinBorderline {
		low = r.SafeMin
	}
	if r.MaxBorderline {
		high = r.SafeMax
	}
	switch {
	case low == nil && high == nil:
		return 0, 0, false
	case low == nil:
		low = high
	case high == nil:
		high = low
	}
	return *low, *high, true
}

// Ranges lists, for each dimension, all ranges in which the box is valid if the other two dimensions stay the
// same, in ascending order. A list is empty if no value of the dimension makes the box valid.
type Ranges struct {
	Width  []Range `json:"width"`
	Depth  []Range `json:"depth"`
	Height []Range `json:"height"`
}

// ByAxis returns the ranges in the order of the axes of package exact: width, depth, height.
func (r Ranges) ByAxis() [exact.Axes][]Range { return [...][]Range{r.Width, r.Depth, r.Height} }

// Ranges returns how far each dimension of a box can change if the other two stay the same. The ranges are
// exact for the box rounded to the grid. SafeMin and SafeMax are multiples of the finest step that the
// catalogue allows. Ranges returns the same errors as [Profile.Check].
func (p *Profile) Ranges(d Dims) (Ranges, error) {
	if p.valid == nil {
		return Ranges{}, errZeroProfile
	}
	at, err := p.gridPoint(d)
	if err != nil {
		return Ranges{}, err
	}
	ranges := p.ranges(at)
	p.markEdges(ranges, at, p.form.Step)
	return ranges, nil
}

// ranges returns the result of Ranges for a box on the grid, but does not mark borderline ends.
func (p *Profile) ranges(at exact.Point) Ranges {
	// Most boxes have one range in each dimension, so one allocation is enough for all three lists.
	all := make([]Range, 0, exact.Axes)
	var ranges [exact.Axes][]Range
	for axis := range exact.Axes {
		start := len(all)
		all = p.appendRanges(all, at, axis)
		// The capacity ends with the list, so appending to it cannot overwrite the next one.
		ranges[axis] = all[start:len(all):len(all)]
	}
	return Ranges{ranges[exact.Width], ranges[exact.Depth], ranges[exact.Height]}
}

// appendRanges appends the ranges along one axis. A sweep divides the line through the box into pieces. All
// boxes in a piece violate the same rule first, or none. The pieces without a violation are the ranges.
func (p *Profile) appendRanges(ranges []Range, at exact.Point, axis int) []Range {
	var buffer [16]program.Piece
	pieces := p.firstViolated.Sweep(at, axis, p.form.Step, buffer[:0])
	for i, piece := range pieces {
		if piece.First != len(p.rules) { // a rule is violated here
			continue
		}
		r := Range{Min: exact.Float64At(piece.From), Max: exact.Float64At(piece.To)}
		// The pieces before and after this one show which rules end the range. If there is no piece on one
		// side, the range ends at ±1,000,000 there.
		if i > 0 {
			r.MinCode = p.rules[pieces[i-1].First].Code
			r.MinInner = r.MinCode.isLimitCode() && piece.From != p.form.Low[axis]
		}
		if i+1 < len(pieces) {
			r.MaxCode = p.rules[pieces[i+1].First].Code
			r.MaxInner = r.MaxCode.isLimitCode() && piece.To != p.form.High[axis]
		}
		ranges = append(ranges, r)
	}
	return ranges
}

// markEdges marks the borderline ends of the ranges, and sets SafeMin and SafeMax for these ends.
func (p *Profile) markEdges(ranges Ranges, at exact.Point, step int64) {
	for axis, list := range ranges.ByAxis() {
		for i := range list {
			// low and high are the box with the dimension along the axis set to Min and to Max.
			r, low, high := &list[i], at, at
			low[axis], high[axis] = exact.Grid(r.Min), exact.Grid(r.Max)
			r.MinBorderline, r.MaxBorderline = p.isBorderline(DimsAt(low)), p.isBorderline(DimsAt(high))
			if r.MinBorderline || r.MaxBorderline {
				p.setSafeEnds(r, at, axis, step)
			}
		}
	}
}

// setSafeEnds sets SafeMin and SafeMax for the borderline ends of the range along the axis. Usually the
// next multiple of the step inside the range is not borderline. If it is, setSafeEnds looks for another
// multiple that is not on any edge. If there is none, it tries again with the finest step.
func (p *Profile) setSafeEnds(r *Range, at exact.Point, axis int, step int64) {
	low, high := exact.Grid(r.Min), exact.Grid(r.Max)
	// safe returns a coordinate in units if it is in the range and the box with it is not borderline.
	safe := func(coordinate int64) *float64 {
		at[axis] = coordinate
		if x := exact.Float64At(coordinate); low <= coordinate && coordinate <= high && !p.isBorderline(DimsAt(at)) {
			return &x
		}
		return nil
	}
	if r.needsSafeMin() {
		r.SafeMin = safe(exact.FloorDiv(low, step)*step + step)
	}
	if r.needsSafeMax() {
		r.SafeMax = safe(exact.CeilDiv(high, step)*step - step)
	}
	// Search the range for multiples of the step that are not on any edge.
	needsMin, needsMax := r.needsSafeMin(), r.needsSafeMax()
	if !needsMin && !needsMax {
		return
	}
	var buffer [16]program.Piece
	for _, piece := range p.withoutEdges().firstViolated.Sweep(at, axis, p.form.Step, buffer[:0]) {
		from := exact.CeilDiv(max(piece.From, low), step) * step
		to := exact.FloorDiv(min(piece.To, high), step) * step
		if piece.First != len(p.rules) || from > to {
			continue
		}
		// The pieces are in ascending order, so the first one has the least value, and the last one the greatest.
		if least := exact.Float64At(from); needsMin && r.SafeMin == nil {
			r.SafeMin = &least
		}
		if greatest := exact.Float64At(to); needsMax {
			r.SafeMax = &greatest
		}
	}
	if step > p.form.Step && (r.needsSafeMin() || r.needsSafeMax()) {
		p.setSafeEnds(r, at, axis, p.form.Step)
	}
}

func (r *Range) needsSafeMin() bool { return r.MinBorderline && r.SafeMin == nil }
func (r *Range) needsSafeMax() bool { return r.MaxBorderline && r.SafeMax == nil }

// Ranges calls [Profile.Ranges] for the article and the material of the box. The error is an
// *[InputError].
func (e *Engine) Ranges(b Box) (Ranges, error) {
	p, err := e.Profile(b.Article, b.Material)
	if err != nil {
		return Ranges{}, err
	}
	return p.Ranges(b.Dims)
}

// boundRanges returns the ranges along one axis, cut off at the article's limits. It calls markEdges to mark the ends
// that are borderline.
func (p *Profile) boundRanges(at exact.Point, axis int) []Range {
	low, high := exact.Float64At(p.form.Low[axis]), exact.Float64At(p.form.High[axis])
	var ranges [exact.Axes][]Range
	for _, r := range p.appendRanges(nil, at, axis) {
		r.Min, r.Max = max(r.Min, low), min(r.Max, high)
		if r.Min <= r.Max {
			ranges[axis] = append(ranges[axis], r)
		}
	}
	p.markEdges(Ranges{ranges[exact.Width], ranges[exact.Depth], ranges[exact.Height]}, at, p.form.Step)
	return ranges[axis]
}
