package boxrules

import (
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/program"
)

// Borderline returns the verdict on a box in double precision, if it differs from the exact verdict of [Profile.Check].
// Such a box is on the edge of a rule, and a service that computes in floating point may report the returned verdict
// instead of the exact one. ok is false if the two verdicts are the same.
//
// The other verdict comes from evaluating the conditions and blank formulas in float64, as written. For
// example, the depth of a box of 60.3 x 20.1 is exactly a third of its width, so "depth > (1 / 3) *
// width" is false; in float64 it is true, because (1 / 3) * 60.3 is rounded to slightly less than 20.1.
// Check rounds dimensions to the grid, but this evaluation does not, so 48.0004 is borderline if the
// maximum is 48.
//
// Most boxes are not on an edge, and for them Borderline costs little more than Check. For a box on an edge
// it takes about a microsecond and allocates memory. It returns the same errors as [Profile.Check].
func (p *Profile) Borderline(d Dims) (other Verdict, ok bool, err error) {
	if p.valid == nil {
		return Verdict{}, false, errZeroProfile
	}
	v, err := p.Check(d)
	if err != nil {
		return Verdict{}, false, err
	}
	// If the dimensions are not on the grid, the two verdicts may differ anywhere. Otherwise they can differ
	// only on an edge.
	at, _ := d.Grid()
	onGrid := DimsAt(at) == d
	if onGrid && !p.isOnEdge(at) {
		return Verdict{}, false, nil
	}
	if other = p.borderlineVerdict(d, at, onGrid); other.Code() == v.Code() {
		return Verdict{}, false, nil
	}
	return other, true, nil
}

// isOnEdge reports whether the point is on the edge of a rule. If it is not, a computation in
// float64 reaches the exact verdict.
func (p *Profile) isOnEdge(at exact.Point) bool {
	for i := range p.rules {
		if p.isOnEdgeOf(i, at) {
			return true
		}
	}
	return false
}

// isOnEdgeOf reports whether the point is on the edge of rule i.
func (p *Profile) isOnEdgeOf(i int, at exact.Point) bool {
	return p.rules[i].hasEdge && p.form.Conditions[i].OnEdge(at)
}

// isBorderline reports whether a valid box is borderline. No rule holds exactly for a valid box, so it is borderline if a
// rule holds in double precision. For a box on the grid, that can only be a rule on whose edge the box is.
func (p *Profile) isBorderline(d Dims) bool {
	at, _ := d.Grid()
	onGrid := DimsAt(at) == d
	for i := range p.rules {
		if (!onGrid || p.isOnEdgeOf(i, at)) && p.holdsInFloat64(i, d) {
			return true
		}
	}
	return false
}

// borderlineVerdict returns the verdict on a box in double precision. at is d rounded to the grid, and onGrid reports
// whether d itself is on the grid. If onGrid is true, a rule is computed in float64 only if the point is on its edge,
// because otherwise float64 agrees with the exact result.
func (p *Profile) borderlineVerdict(d Dims, at exact.Point, onGrid bool) Verdict {
	for i := range p.rules {
		r := &p.rules[i]
		var holds bool
		if onGrid && !p.isOnEdgeOf(i, at) {
			holds = r.program.Holds(at)
		} else {
			holds = p.holdsInFloat64(i, d)
		}
		if holds { // the first rule that holds decides, as in Check
			return Verdict{&r.violation}
		}
	}
	return Verdict{p.valid}
}

// holdsInFloat64 reports whether rule i holds for the box in double precision.
func (p *Profile) holdsInFloat64(i int, d Dims) bool {
	p.constants.once.Do(p.setBorderlineConstants)
	// value returns the value of a variable of the condition. For a side of the blank it computes the formula,
	// which calls value again for the variables in it.
	var value func(name string) float64
	value = func(name string) float64 {
		switch name {
		case "width":
			return d.Width
		case "depth":
			return d.Depth
		case "height":
			return d.Height
		case "blank_width":
			return p.blank.Width.Float64(value)
		case "blank_height":
			return p.blank.Height.Float64(value)
		}
		return p.constants.values[name]
	}
	r := &p.rules[i]
	ratio, _ := exact.UnitRatio(p.form.Unit, r.Unit) // New has accepted the units
	return r.condition.HoldsInFloat64(ratio, value)
}

// setBorderlineConstants converts the variables that are the same for every box, such as caliper, to float64.
func (p *Profile) setBorderlineConstants() {
	p.constants.values = make(map[string]float64)
	for name, v := range p.form.Variables.All() {
		// The sides of the blank depend on the dimensions, so they are not constants.
		if k, ok := v.Value.Constant(); ok {
			p.constants.values[name], _ = k.Float64()
		}
	}
}

// withoutEdges returns a profile in which each rule also rejects the boxes on its edge, because these may violate the
// rule in floating point. So every box that the returned profile accepts is valid both exactly and in floating point.
// It is used only for searches. The first call creates the profile, and later calls return the same one.
func (p *Profile) withoutEdges() *Profile {
	p.stricter.once.Do(func() {
		// Set only what a search needs: the regions, their program, and the limits in the form.
		stricter := &Profile{valid: p.valid, form: p.form, fastPath: program.NoFastPath}
		for _, r := range p.rules {
			violating := r.written.WithEdge()
			stricter.rules = append(stricter.rules, appliedRule{r.rule, &compiledCondition{violating: violating, allowed: exact.Not(violating)}})
		}
		stricter.firstViolated = program.Assemble(stricter.violatingRegions()...)
		stricter.allowed = stricter.allowedRegions()
		p.stricter.profile = stricter
	})
	return p.stricter.profile
}
