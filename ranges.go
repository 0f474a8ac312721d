package boxrules

import (
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/program"
)

// A Range holds the values of one dimension from Min to Max for which the box is valid, given the
// other two. Both ends are valid too. They are in the catalogue's unit, with at most three
// decimals, or the fewer that the catalogue takes.
type Range struct {
	Min float64 `json:"min"`
	Max float64 `json:"max"`
	// MinCode and MaxCode hold what a box reports with the next value below Min and above Max,
	// most often a thousandth away; empty where that is beyond the dimensions that are accepted
	// at all.
	MinCode Code `json:"min_code,omitempty"`
	MaxCode Code `json:"max_code,omitempty"`
	// MinInner and MaxInner report that MinCode and MaxCode, though documented codes of the boundary
	// stage, do not mean the article's limit here: a rule file gives the code to another condition,
	// such as BOX_2101 to width > 2 * depth, and the range ends elsewhere.
	MinInner bool `json:"min_inner,omitempty"`
	MaxInner bool `json:"max_inner,omitempty"`
}

// Ranges lists, for each dimension, all ranges of it in which the box is valid while the other
// two stay as they are, in ascending order. A list is empty where no value of this dimension
// alone makes the box valid.
type Ranges struct {
	Width  []Range `json:"width"`
	Depth  []Range `json:"depth"`
	Height []Range `json:"height"`
}

func (r Ranges) byAxis() [exact.Axes][]Range { return [...][]Range{r.Width, r.Depth, r.Height} }

// Ranges returns how far each dimension of a box may go while the other two stay as they are. The
// ranges are exact. The error is that of [Profile.Check].
func (p *Profile) Ranges(d Dims) (Ranges, error) {
	if p.accepted == nil {
		return Ranges{}, errNotMade
	}
	at, err := p.point(d)
	if err != nil {
		return Ranges{}, err
	}
	return p.ranges(at), nil
}

func (p *Profile) ranges(at exact.Point) Ranges {
	// Most boxes have one range in each dimension: one allocation for all of them.
	room := make([]Range, 0, exact.Axes)
	var ranges [exact.Axes][]Range
	for axis := range exact.Axes {
		start := len(room)
		room = p.appendRanges(room, at, axis)
		ranges[axis] = room[start:len(room):len(room)]
	}
	return Ranges{ranges[exact.Width], ranges[exact.Depth], ranges[exact.Height]}
}

func (p *Profile) appendRanges(ranges []Range, at exact.Point, axis int) []Range {
	var buffer [16]program.Piece
	pieces := p.first.Sweep(at, axis, p.form.Step, buffer[:0])
	for i, piece := range pieces {
		if piece.First != len(p.rules) {
			continue
		}
		r := Range{Min: exact.Units(piece.From), Max: exact.Units(piece.To)}
		if i > 0 {
			r.MinCode = p.rules[pieces[i-1].First].Code
			r.MinInner = r.MinCode.isLimit() && piece.From != p.form.Low[axis]
		}
		if i+1 < len(pieces) {
			r.MaxCode = p.rules[pieces[i+1].First].Code
			r.MaxInner = r.MaxCode.isLimit() && piece.To != p.form.High[axis]
		}
		ranges = append(ranges, r)
	}
	return ranges
}
