package boxrules

import (
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/program"
)

// Borderline returns the verdict that double precision gives for a box of the dimensions if it is another
// one than that of [Profile.Check], which is exact. Then the box is on the edge of a rule, and a service
// that computes in floating point may report the other verdict. ok is false for every other box.
//
// The other verdict is that of the conditions and blank formulas as they are written, in float64, as
// expr evaluates them: (1 / 3) * width is a quotient times the width. A box of 60.3 x 20.1 has the depth
// of a third of its width, so that "depth > (1 / 3) * width" does not hold; in float64 it does, because
// (1 / 3) * 60.3 is a little less than 20.1 there. A dimension with more than three decimals is rounded to
// the grid by Check alone, so that 48.0004 is borderline if the maximum is 48.
//
// Most boxes are on no edge. For them Borderline costs little more than Check; for a box on an edge it
// takes about a microsecond and allocates. The error is that of [Profile.Check].
func (p *Profile) Borderline(d Dims) (other Verdict, ok bool, err error) {
	if p.valid == nil {
		return Verdict{}, false, errZeroProfile
	}
	v, err := p.Check(d)
	if err != nil {
		return Verdict{}, false, err
	}
	at, _ := d.Grid()
	onGrid := DimsAt(at) == d
	if onGrid && !p.isOnEdge(at) {
		return Verdict{}, false, nil
	}
	if other = p.inFloat64(d, at, onGrid); other.Code() == v.Code() {
		return Verdict{}, false, nil
	}
	return other, true, nil
}

// onEdge reports whether the point is on the edge of a rule. If not, float64 agrees with the exact
// verdict.
func (p *Profile) isOnEdge(at exact.Point) bool {
	for i := range p.rules {
		if p.rules[i].hasEdge && p.form.Conditions[i].OnEdge(at) {
			return true
		}
	}
	return false
}

// borderline reports whether a valid box of the dimensions is borderline.
func (p *Profile) isBorderline(d Dims) bool {
	at, _ := d.Grid()
	onGrid := DimsAt(at) == d
	return (!onGrid || p.isOnEdge(at)) && !p.inFloat64(d, at, onGrid).OK()
}

// inFloat64 returns the verdict of double precision on a box of the dimensions, whose point on the grid is
// at. onGrid says that the two are the same. Then a rule is computed only if the point is on its edge, as
// else it is in float64 what it is exactly.
func (p *Profile) inFloat64(d Dims, at exact.Point, onGrid bool) Verdict {
	p.constants.make.Do(p.setConstants)
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
	for i := range p.rules {
		r := &p.rules[i]
		var holds bool
		if onGrid && !(r.hasEdge && p.form.Conditions[i].OnEdge(at)) {
			holds = r.program.Holds(at)
		} else {
			holds = r.condition.HoldsInFloat64(value)
		}
		if holds {
			return Verdict{&r.violation}
		}
	}
	return Verdict{p.valid}
}

// makeConstants sets the constants of the profile as float64s.
func (p *Profile) setConstants() {
	p.constants.values = make(map[string]float64)
	for name, v := range p.form.Variables {
		if k, ok := v.Value.Constant(); ok {
			p.constants.values[name], _ = k.Float64()
		}
	}
}

// offEdge returns a profile whose rules hold besides for every box that is on their edge and may violate
// them in floating point: what it accepts is valid whichever way it is computed. It serves for searches
// alone, and is made at the first call.
func (p *Profile) withoutEdges() *Profile {
	p.offEdges.make.Do(func() {
		off := &Profile{valid: p.valid, form: p.form, fastPath: program.NoFastPath}
		for _, r := range p.rules {
			violating := r.written.WithEdge()
			off.rules = append(off.rules, appliedRule{r.rule, &compiledCondition{violating: violating, allowed: exact.Not(violating)}})
		}
		off.firstViolated = program.Assemble(off.violating()...)
		p.offEdges.profile = off
	})
	return p.offEdges.profile
}
