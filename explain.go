package boxrules

import (
	"slices"

	"example.com/boxrules/internal/linear"
)

// An Explanation says of a box why it is not valid and what would make it so. Its JSON is what the command
// and the web answer with.
type Explanation struct {
	OK         bool        `json:"ok"`
	Code       Code        `json:"code,omitempty"`    // the first violation's; empty for a valid box
	Violations []Reason    `json:"violations"`        // in check order
	Ranges     Ranges      `json:"ranges"`            // how far each dimension may go alone
	Nearest    *Suggestion `json:"nearest,omitempty"` // nil for a valid box, and where Nearest found none

	box      Dims
	searched bool // whether Nearest is proved
}

// A Reason says of one violated rule why it holds for a box.
type Reason struct {
	Code  Code  `json:"code"`
	Stage Stage `json:"stage"`
	// Field is the dimension to blame: of those mentioned, in the order of the text, the first whose change alone,
	// within the article's limits, makes the box valid, else makes this rule hold no more, else simply the first;
	// empty where the rule mentions none.
	Field string `json:"field,omitempty"`
	// Condition is the rule's condition, as written.
	Condition string `json:"condition"`
	// Values is the part of the condition that holds, with the box's numbers in place, as in
	// "depth 141 > width 48". A number with no short decimal is rounded to the grid and marked with ≈.
	Values string `json:"values"`
	// By is the least change of Field, in the catalogue's unit, after which the rule holds no more; 0 where no
	// change of a single dimension is enough.
	By float64 `json:"by"`
	// Tie says that the box lies exactly on a limit: the two sides of a comparison in Values are equal.
	Tie bool `json:"tie"`

	message string // the rule's text for people
}

// Explain says of a box why it is not valid, how far each dimension may go alone, and which valid box is
// nearest on the step (see Nearest). The error is that of Nearest.
func (p *Profile) Explain(d Dims, step float64) (Explanation, error) {
	reasons, err := p.Reasons(d)
	if err != nil {
		return Explanation{}, err
	}
	at, _ := d.grid()
	e := Explanation{OK: len(reasons) == 0, Violations: reasons, Ranges: p.ranges(at), box: d}
	nearest, ok, err := p.Nearest(d, step)
	if err != nil {
		return Explanation{}, err
	}
	e.searched = !nearest.Unproved
	if !e.OK {
		e.Code = reasons[0].Code
		if ok {
			e.Nearest = &nearest
		}
	}
	return e, nil
}

// Reasons says of each rule that the box violates why it does, in check order. It is empty, and not nil,
// for a valid box. The error is that of Check.
func (p *Profile) Reasons(d Dims) ([]Reason, error) {
	if p.accepted == nil {
		return nil, errNotMade
	}
	point, ok := d.grid()
	if !ok {
		return nil, d.inputError()
	}
	reasons := []Reason{}
	var enough [linear.Axes]bool
	for i := range p.rules {
		r := &p.rules[i]
		if r.program.run(point) != holds {
			continue
		}
		if len(reasons) == 0 {
			for axis := range linear.Axes {
				enough[axis] = p.enough(point, axis)
			}
		}
		reasons = append(reasons, p.reason(r, point, enough))
	}
	return reasons, nil
}

// enough reports that a change along the axis alone, within the article's limits, makes the box valid.
func (p *Profile) enough(at linear.Point, axis int) bool {
	var buffer [16]piece
	l := p.first.along(at, axis, buffer[:0])
	for i, piece := range l.pieces {
		if piece.outcome == len(p.rules) && piece.from <= p.high[axis] && l.end(i) >= p.low[axis] {
			return true
		}
	}
	return false
}

// reason explains a rule that the box violates; enough tells along which axes a change alone makes the box valid.
func (p *Profile) reason(r *ruling, at linear.Point, enough [linear.Axes]bool) Reason {
	reason := Reason{
		Code: r.rule.Code, Stage: r.rule.Stage, Condition: r.rule.When, message: r.rule.Message,
	}
	var comparisons [8]*reading
	var values []byte
	var blamed [linear.Axes]int
	mentioned := blamed[:0]
	seen := make([]string, 0, len(comparisons))
	for _, c := range r.reading().reasons(at, comparisons[:0]) {
		text, tie := c.appendText(nil, at)
		reason.Tie = reason.Tie || tie
		for _, axis := range c.mentioned {
			if !slices.Contains(mentioned, axis) {
				mentioned = append(mentioned, axis)
			}
		}
		if slices.Contains(seen, string(text)) {
			continue
		}
		seen = append(seen, string(text))
		if len(values) > 0 {
			values = append(values, " and "...)
		}
		values = append(values, text...)
	}
	reason.Values = string(values)
	if len(mentioned) > 0 {
		reason.Field = axisNames[mentioned[0]]
	}
	for _, axis := range mentioned {
		if reason.By > 0 && !enough[axis] {
			continue
		}
		if by, ok := p.mend(r, at, axis); ok {
			reason.Field, reason.By = axisNames[axis], units(by)
		}
		if enough[axis] {
			break
		}
	}
	return reason
}

// mend is the least change of the box along the axis, within the article's limits, after which the rule
// holds no more.
func (p *Profile) mend(r *ruling, at linear.Point, axis int) (by int64, ok bool) {
	low, high := p.low[axis], p.high[axis]
	var buffer [16]piece
	l := r.program.along(at, axis, buffer[:0])
	for i, piece := range l.pieces {
		from, to := max(piece.from, low), min(l.end(i), high)
		if piece.outcome == holds || from > to {
			continue
		}
		if change := max(from-at[axis], at[axis]-to); !ok || change < by {
			by, ok = change, true
		}
	}
	return by, ok
}
