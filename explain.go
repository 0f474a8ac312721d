package boxrules

import (
	"slices"
	"strings"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/program"
	"example.com/boxrules/internal/reasons"
	"example.com/boxrules/limits"
)

// An Explanation says why a box is not valid and what would make it valid. The command and the servers write
// it as JSON, which can be read back without loss.
type Explanation struct {
	Dims      // the box asked about
	OK   bool `json:"ok"`
	Code Code `json:"code,omitempty"` // the code of the first violation; empty for a valid box
	// Borderline is what a service that computes in floating point may report instead: a code, or
	// "valid". It is empty for a box that is not borderline. See [Profile.Borderline].
	Borderline string   `json:"borderline,omitempty"`
	Violations []Reason `json:"violations"` // in check order
	Ranges     Ranges   `json:"ranges"`     // how far each dimension can change on its own
	// Turned lists the ways to turn the box so that it is valid, with the best first. It is nil if there are
	// none. See [Profile.Turned].
	Turned []Turn `json:"turned,omitempty"`
	// Nearest is the valid box nearest to this one. It is nil if this box is valid, or if it is proved that
	// no box on the step is. If no box was found for another reason, Nearest says why.
	Nearest *Suggestion `json:"nearest,omitempty"`
}

// A Reason says why one rule is violated.
type Reason struct {
	Code  Code  `json:"code"`
	Stage Stage `json:"stage"`
	// Message is the rule's message, for people to read.
	Message string `json:"message"`
	// Field names the dimension to blame, which is one of the dimensions that Values mentions. It is the
	// first of these that can be changed alone, within the article's limits, to make the box valid. If there
	// is none, it is the first that can be changed to make the box satisfy this rule. If there is none of
	// that kind either, it is the first dimension. Field is empty if Values mentions no dimension.
	Field string `json:"field,omitempty"`
	// Condition is the rule's condition, as it was written.
	Condition string `json:"condition"`
	// Unit is the unit of the lengths in Condition if it differs from the unit of the box. It is empty if the
	// units are the same, or if Condition contains no length.
	Unit string `json:"unit,omitempty"`
	// Values shows the part of the condition that holds for this box, with its numbers inserted, as in
	// "depth 141 > width 48". A number that has no short decimal is rounded to the grid and marked
	// with ≈.
	Values string `json:"values"`
	// Formulas shows how each side of the blank that Values mentions is computed, with the numbers inserted, as in
	// "blank_width = 2*width 300 + 2*depth 200 + glue_flap 30 = 1030". If the formula comes from a standard style,
	// the code of the style follows the name of the side, as in "blank_width of fefco-0215". Formulas is nil if
	// Values mentions no side.
	Formulas []string `json:"formulas,omitempty"`
	// By is the smallest change of Field, in the catalogue's unit, after which the box satisfies the
	// rule. It is 0 if no change of a single dimension is enough.
	By float64 `json:"by"`
	// Tie is true if the box lies exactly on a limit: the two sides of a comparison in Values are
	// equal.
	Tie bool `json:"tie"`
}

// String returns the reason in one line. For a user-defined rule it returns the message followed by Values,
// as in "too tall for our gluer (height 61 > width 20)". For a documented rule it returns only Values,
// because the message would add nothing.
func (r Reason) String() string {
	if _, documented := r.Code.Info(); documented {
		return r.Values
	}
	return strings.Join(strings.Fields(r.Message), " ") + " (" + r.Values + ")"
}

// EdgeNote returns a note for a box that is borderline, as in "on the edge of BOX_3119: a service that
// computes in floating point may refuse the box". It is empty for every other box.
func (e Explanation) EdgeNote() string {
	const service = "a service that computes in floating point may "
	switch {
	case e.Borderline == "":
		return ""
	case e.OK:
		return "on the edge of " + e.Borderline + ": " + service + "refuse the box"
	case e.Borderline == validAnswer:
		return "on the edge of " + string(e.Code) + ": " + service + "accept the box"
	}
	return "on the edge of a rule: " + service + "report " + e.Borderline
}

// Explain says why a box is not valid, how far each dimension can change on its own, how the box can be turned so that
// it is valid, and which valid box is nearest. Dimensions that change become multiples of step (see [Profile.Nearest]).
// It returns the same errors as [Profile.Nearest].
func (p *Profile) Explain(d Dims, step float64) (Explanation, error) {
	nearest, ok, err := p.Nearest(d, step)
	if err != nil {
		return Explanation{}, err
	}
	at, _ := d.Grid() // Nearest has accepted the dimensions
	ranges := p.ranges(at)
	p.markEdges(ranges, at, exact.Grid(step))
	reasons := p.reasons(at, ranges)
	e := Explanation{Dims: d, OK: len(reasons) == 0, Violations: reasons, Ranges: ranges}
	if other, ok, _ := p.Borderline(d); ok {
		e.Borderline = other.codeOrValid()
	}
	if !e.OK {
		e.Code = reasons[0].Code
		// A Suggestion without a box is useful only if it says why there is none.
		if ok || nearest.Unproved || nearest.Borderline {
			e.Nearest = &nearest
		}
		e.Turned, err = p.Turned(d)
	}
	return e, err
}

// Reasons returns a reason for each rule that the box violates, in check order. For a valid box it returns an
// empty slice that is not nil. It returns the same errors as [Profile.Check].
func (p *Profile) Reasons(d Dims) ([]Reason, error) {
	if p.valid == nil {
		return nil, errZeroProfile
	}
	at, err := p.gridPoint(d)
	if err != nil {
		return nil, err
	}
	return p.reasons(at, p.ranges(at)), nil
}

// reasons returns the result of Reasons for a box on the grid. ranges are the Ranges of the box.
func (p *Profile) reasons(at exact.Point, ranges Ranges) []Reason {
	reasons := []Reason{}
	fixable := p.fixableAxes(ranges)
	for i := range p.rules {
		if p.rules[i].program.Holds(at) {
			reasons = append(reasons, p.reason(i, at, fixable))
		}
	}
	return reasons
}

// AppendReason appends to dst the [Reason.Values] of the first rule that the box violates, and returns the extended
// slice. It is much faster than [Profile.Reasons]. For a valid box it appends nothing. It returns the same errors as
// [Profile.Check]. If there is an error, it returns dst unchanged.
func (p *Profile) AppendReason(dst []byte, d Dims) ([]byte, error) {
	if p.valid == nil {
		return dst, errZeroProfile
	}
	v, err := p.Check(d)
	if err != nil || v.OK() {
		return dst, err
	}
	at, _ := d.Grid()
	var buffer [8]*exact.Comparison
	for i := range p.rules {
		// The verdict points to the violation of its rule.
		if &p.rules[i].violation == v.violation {
			decisive := reasons.Decisive(&p.form.Conditions[i], at, buffer[:0])
			dst, _ = reasons.Append(dst, decisive, p.form.Variables, at)
		}
	}
	return dst, nil
}

// fixableAxes reports for each axis whether the box can be made valid by changing only that dimension, within
// the article's limits. ranges are the Ranges of the box.
func (p *Profile) fixableAxes(ranges Ranges) (fixable [exact.Axes]bool) {
	for axis, valid := range ranges.ByAxis() {
		// A range may be beyond the limits if the boundary rules of a rule file are not the documented ones.
		low, high := exact.Float64At(p.form.Low[axis]), exact.Float64At(p.form.High[axis])
		fixable[axis] = slices.ContainsFunc(valid, func(r Range) bool { return r.Min <= high && r.Max >= low })
	}
	return fixable
}

// reason returns the Reason why the box violates p.rules[rule]. fixable is the result of fixableAxes for
// the box.
func (p *Profile) reason(rule int, at exact.Point, fixable [exact.Axes]bool) Reason {
	r := &p.rules[rule]
	// The decisive comparisons are those that make the condition true for this box.
	var buffer [8]*exact.Comparison // usually large enough to avoid an allocation
	comparisons := reasons.Decisive(&p.form.Conditions[rule], at, buffer[:0])
	values, tie := reasons.Append(nil, comparisons, p.form.Variables, at)
	field, by := p.blame(rule, at, fixable)
	unit := ""
	if r.hasLengths && r.Unit != p.form.Unit {
		unit = r.Unit
	}
	return Reason{r.Code, r.Stage, r.Message, field, r.When, unit, string(values), p.blankFormulas(comparisons, at), by, tie}
}

// blankFormulas returns the Formulas of a Reason. comparisons are the comparisons that its Values show.
func (p *Profile) blankFormulas(comparisons []*exact.Comparison, at exact.Point) (formulas []string) {
	if p.blank == nil {
		return nil
	}
	for _, side := range []struct {
		name    string
		formula limits.Formula
	}{{"blank_width", p.blank.Width}, {"blank_height", p.blank.Height}} {
		// Skip a side that none of the comparisons mentions.
		isSide := func(name exact.Name) bool { return name.Name == side.name }
		if !slices.ContainsFunc(comparisons, func(c *exact.Comparison) bool {
			return slices.ContainsFunc(c.Left.Names, isSide) || slices.ContainsFunc(c.Right.Names, isSide)
		}) {
			continue
		}
		text := side.name
		if p.blank.Style != "" {
			text += " of " + p.blank.Style
		}
		value, _ := p.form.Variables.Get(side.name)
		formulas = append(formulas, text+" = "+reasons.Formula(side.formula.Text, side.formula.Names(), value.Value, p.form.Variables, at))
	}
	return formulas
}

// blame returns the values of Field and By for the Reason why the box violates p.rules[rule]. fixable is the
// result of fixableAxes for the box.
//
// Take a box of width 100 and depth 200, and the rule "depth > width". The box would satisfy it with a depth
// of 100, or with a width of 200. The depth comes first in the text, so it is blamed, and By is 100. But
// other rules may keep the box from being valid with any other depth. If it can be made valid by changing the
// width alone, the width is blamed instead.
func (p *Profile) blame(rule int, at exact.Point, fixable [exact.Axes]bool) (field string, by float64) {
	// The candidates are the dimensions in the violated part of the condition, in the order of the text.
	var buffer [8]*exact.Comparison
	var axesBuffer [exact.Axes]int
	mentioned := axesBuffer[:0]
	for _, c := range reasons.Decisive(&p.form.Conditions[rule], at, buffer[:0]) {
		for _, axis := range c.Axes {
			if !slices.Contains(mentioned, axis) {
				mentioned = append(mentioned, axis)
			}
		}
	}
	// If no change of a single dimension is enough, blame the first candidate, and by stays 0.
	if len(mentioned) > 0 {
		field = axisNames[mentioned[0]]
	}
	for _, axis := range mentioned {
		// After the first dimension that can be changed to satisfy this rule, only a dimension that can be
		// changed to make the box valid is better.
		if by > 0 && !fixable[axis] {
			continue
		}
		if least, ok := p.smallestFix(&p.rules[rule], at, axis); ok {
			field, by = axisNames[axis], exact.Float64At(least)
		}
		if fixable[axis] {
			break // no later dimension can be better
		}
	}
	return field, by
}

// smallestFix returns the smallest change of the box along the axis, within the article's limits, after which it
// satisfies the rule. ok is false if no change along the axis is enough.
func (p *Profile) smallestFix(r *appliedRule, at exact.Point, axis int) (by int64, ok bool) {
	low, high := p.form.Low[axis], p.form.High[axis]
	var buffer [16]program.Piece
	for _, piece := range r.program.Sweep(at, axis, p.form.Step, buffer[:0]) {
		// The sweep divides the line through the box into pieces. The program has one rule, so First is 0
		// in a piece that violates it, and 1 in any other.
		from, to := max(piece.From, low), min(piece.To, high)
		if piece.First == 0 || from > to { // the rule is violated here, or nothing here is within the limits
			continue
		}
		if change := max(from-at[axis], at[axis]-to); !ok || change < by {
			by, ok = change, true
		}
	}
	return by, ok
}

// Explain calls [Profile.Explain] for the article and the material of the box. The error is an *[InputError], or an
// error from [Profile.Nearest].
func (e *Engine) Explain(b Box, step float64) (Explanation, error) {
	p, err := e.Profile(b.Article, b.Material)
	if err != nil {
		return Explanation{}, err
	}
	return p.Explain(b.Dims, step)
}
