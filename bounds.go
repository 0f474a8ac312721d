package boxrules

import (
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/program"
	"example.com/boxrules/internal/reasons"
)

// A Bound says at which field of a form to show a violated rule, and what to enter there instead. Package
// form turns it into a sentence, such as "Depth must be at most 48 mm".
type Bound struct {
	Violation
	// Field names the dimension to blame, as in a [Reason]. It is "width" if the rule mentions no dimension.
	Field string `json:"field"`
	// Max and Min are the values of Field that make the box valid: Max is the nearest one below the box's own
	// value, and Min the nearest one above it. They are in the catalogue's unit, within the article's limits,
	// and never borderline. Both are nil if changing Field alone is not enough. There is one exception: if
	// the rule is about Field alone, and no change of Field makes the box valid, they are the nearest values
	// that satisfy this rule. So a box in which every dimension is too small gets a minimum for each field.
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
}

// Bounds returns a bound for each violated rule, in check order. It considers only the rules of the first stage in
// which the box violates a rule. Bounds returns nil for a valid box. It returns the same errors as [Profile.Check].
func (p *Profile) Bounds(d Dims) ([]Bound, error) {
	if p.valid == nil {
		return nil, errZeroProfile
	}
	v, err := p.Check(d)
	if err != nil || v.OK() {
		return nil, err
	}
	at, _ := d.Grid()
	fixable := p.fixableAxes(p.ranges(at))
	var bounds []Bound
	// The verdict has only the first violation. Find the others of the same stage.
	for i := range p.rules {
		if r := &p.rules[i]; r.Stage == v.Stage() && r.program.Holds(at) {
			bounds = append(bounds, p.bound(i, d, at, fixable))
		}
	}
	return bounds, nil
}

// bound returns the [Bound] for p.rules[ruleIndex], a rule that the box violates. at is d rounded to the grid.
// fixable is the result of fixableAxes for the box.
func (p *Profile) bound(ruleIndex int, d Dims, at exact.Point, fixable [exact.Axes]bool) Bound {
	b := Bound{Violation: p.rules[ruleIndex].violation}
	if b.Field, _ = p.blame(ruleIndex, at, fixable); b.Field == "" {
		b.Field = axisNames[exact.Width]
	}
	axis := slices.Index(axisNames[:], b.Field)
	// If the rule is about this dimension alone, and no change of it makes the box valid, look only at this
	// rule: whatever else changes, the customer has to meet its bound.
	within := p
	if !fixable[axis] && !p.boundInvolvesOtherAxis(ruleIndex, at, axis) {
		within = p.boundProfile(ruleIndex)
	}
	value := d.ByAxis()[axis]
	for _, r := range within.boundRanges(at, axis) {
		least, greatest, ok := r.proposedEnds()
		switch {
		case !ok: // every value of this range is borderline
		case r.Min <= value: // the ranges are in ascending order, so the last one below is the nearest
			b.Max = &greatest
		case b.Min == nil:
			b.Min = &least
		}
	}
	return b
}

// boundInvolvesOtherAxis reports whether the violation of p.rules[ruleIndex] involves a dimension other than axis. It looks
// only at the part of the rule's condition that makes the condition true at the point.
func (p *Profile) boundInvolvesOtherAxis(ruleIndex int, at exact.Point, axis int) bool {
	for _, c := range reasons.Decisive(&p.form.Conditions[ruleIndex], at, nil) {
		if slices.ContainsFunc(c.Axes, func(otherAxis int) bool { return otherAxis != axis }) {
			return true
		}
	}
	return false
}

// boundProfile returns a profile whose only rule is p.rules[ruleIndex]. Only the fields that
// boundRanges needs are set.
func (p *Profile) boundProfile(ruleIndex int) *Profile {
	only := &Profile{valid: p.valid, form: p.form, blank: p.blank, fastPath: program.NoFastPath, rules: p.rules[ruleIndex : ruleIndex+1]}
	only.form.Conditions = p.form.Conditions[ruleIndex : ruleIndex+1]
	only.firstViolated = program.Assemble(only.violatingRegions()...)
	return only
}
