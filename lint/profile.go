package lint

import (
	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// A profileLinter collects the findings about one article in one material.
type profileLinter struct {
	*space
	findings []Finding
}

// lintProfile returns the findings about one article in one material. ruleFile contains all rules, including
// rules that do not apply to the article.
func lintProfile(s *space, ruleFile []boxrules.Rule) []Finding {
	p := &profileLinter{space: s}
	// If no work is left, nothing can be proved, so the article counts as satisfiable.
	satisfiable := s.search.Budget.Spent() || p.checkSatisfiable()
	for i := range s.rules {
		if s.search.Budget.Spent() {
			// Add a single finding for all remaining questions.
			p.addUndecided(Finding{Codes: p.codesOf(indexRange(i, len(s.rules)))})
			return p.findings
		}
		p.checkReportable(i)
	}
	// If there is no valid box, no box reaches any limit, and a finding for each of them would be of no use.
	if satisfiable {
		for _, check := range []func(axis int, direction int64){p.checkReachable, p.checkEnforced} {
			for axis := range exact.Axes {
				check(axis, -1) // the minimum
				check(axis, 1)  // the maximum
			}
		}
		p.checkBlank()
	}
	// If the profile lacks a size rule of the file, the article has no blank, so the rule is not checked.
	var unchecked []boxrules.Code
	applied := s.rules // the profile's rules from r on; they are in the order of the file
	for _, r := range ruleFile {
		if len(applied) > 0 && applied[0].Code == r.Code {
			applied = applied[1:]
		} else if r.Stage == boxrules.Size {
			unchecked = append(unchecked, r.Code)
		}
	}
	if len(unchecked) > 0 {
		p.add(Finding{Kind: SizeUnchecked, Codes: unchecked})
	}
	return p.findings
}

func (p *profileLinter) add(f Finding) {
	f.Article, f.Material = p.form.Article, p.form.Material
	p.findings = append(p.findings, f)
}

// addUndecided adds an undecided finding, which says that it is not known whether f is true.
func (p *profileLinter) addUndecided(f Finding) {
	p.add(Finding{Kind: Undecided, Question: f.Kind, Codes: f.Codes, Limit: f.Limit, Condition: f.Condition})
}

func (p *profileLinter) codesOf(ruleIndices []int) []boxrules.Code {
	var codes []boxrules.Code
	for _, i := range ruleIndices {
		codes = append(codes, p.codes[i])
	}
	return codes
}

// withinLimits returns the region of the boxes that satisfy every rule of the boundary stage.
func (p *profileLinter) withinLimits() exact.Region {
	return exact.AllOf(p.satisfied[:p.boundaryRules]...)
}

// provesAllRejected reports whether it can prove that the given rules together reject every box for which the condition
// holds.
func (p *profileLinter) provesAllRejected(ruleIndices []int, condition exact.Region) bool {
	if p.search.Budget.Spent() {
		return false
	}
	conditions := []exact.Region{condition}
	for _, i := range ruleIndices {
		conditions = append(conditions, p.satisfied[i])
	}
	return p.findBox(conditions...) == polytope.Nothing
}

// checkSatisfiable looks for a valid box. If it proves that there is none, it adds a finding and returns
// false.
func (p *profileLinter) checkSatisfiable() bool {
	switch p.findBox(p.satisfied...) {
	case polytope.Something:
		return true
	case polytope.Undecided:
		p.addUndecided(Finding{Kind: Unsatisfiable})
		return true
	}
	// No box is valid. It is clear that the boundary rules reject all boxes beyond the limits, so name the
	// other rules that reject all boxes within the limits.
	condition, candidates := p.withinLimits(), indexRange(p.boundaryRules, len(p.rules))
	if p.provesAllRejected(nil, condition) {
		// The boundary rules alone reject every box.
		condition, candidates = exact.AllOf(), indexRange(0, p.boundaryRules)
	}
	p.add(Finding{Kind: Unsatisfiable, Codes: p.smallestRejectingSet(condition, candidates)})
	return false
}

// checkReportable looks for a box that gets the code of rule i. If there is none, it adds a finding.
func (p *profileLinter) checkReportable(i int) {
	finding := Finding{Kind: Unreportable, Codes: []boxrules.Code{p.codes[i]}}
	switch p.findBox(p.boxesReporting(i)...) {
	case polytope.Something:
		return
	case polytope.Undecided:
		p.addUndecided(finding)
		return
	}
	// Find out which earlier rules hide this one. For a rule of a later stage, the rules of the boundary
	// stage are not worth mentioning, so look only at boxes within the limits.
	violating, earlier := p.violated[i], indexRange(0, i)
	if i >= p.boundaryRules {
		violating, earlier = exact.AllOf(p.withinLimits(), violating), indexRange(p.boundaryRules, i)
	}
	// If some box violates the rule, earlier rules hide the rule. If no box does, the finding has no witness.
	at, answer := p.roundest(violating)
	if answer == polytope.Undecided || answer == polytope.Something && !p.confirmsViolation(at, i) {
		p.addUndecided(finding)
		return
	}
	if answer == polytope.Something {
		finding.Witness = witnessDims(at)
		finding.By = p.smallestRejectingSet(violating, earlier)
	}
	p.add(finding)
}

// newLimitFinding returns a finding with Limit and Value set to a limit along the axis: the maximum if the
// direction is positive, and otherwise the minimum. firstAllowed is the outermost coordinate that the limit
// allows.
func (p *profileLinter) newLimitFinding(axis int, direction int64) (f Finding, firstAllowed int64) {
	f.Limit, firstAllowed = "min_", p.form.Low[axis]
	if direction > 0 {
		f.Limit, firstAllowed = "max_", p.form.High[axis]
	}
	f.Limit += exact.AxisNames()[axis]
	variable, _ := p.form.Variables.Get(f.Limit)
	limit, _ := variable.Value.Constant()
	value, _ := limit.Float64()
	f.Value = &value
	return f, firstAllowed
}

// atOrBeyond returns the region of the boxes that are at the coordinate or farther in the direction. For the
// width these are the boxes with width >= coordinate if the direction is 1, and with width <= coordinate if
// it is -1.
func atOrBeyond(axis int, direction, coordinate int64) exact.Region {
	if direction < 0 {
		return exact.AtMost(axis, coordinate)
	}
	return exact.AtLeast(axis, coordinate)
}

// checkReachable looks for a valid box that is as small or as large as the limit allows. If there is none, it
// adds a finding.
func (p *profileLinter) checkReachable(axis int, direction int64) {
	f, firstAllowed := p.newLimitFinding(axis, direction)
	f.Kind, f.Codes = UnreachableLimit, p.boundaryRuleCode(axis, firstAllowed+direction*p.search.Step)
	reached := atOrBeyond(axis, direction, firstAllowed)
	switch p.findBox(append(p.satisfied[:len(p.satisfied):len(p.satisfied)], reached)...) {
	case polytope.Something:
		return
	case polytope.Undecided:
		p.addUndecided(f)
		return
	}
	// No valid box reaches the limit. Show how near to it valid boxes come, and which rules are in the way.
	at, answer := p.search.Extreme(polytope.All, axis, direction, p.satisfied...)
	if answer != polytope.Something || !p.confirmsReported(at, "") {
		p.addUndecided(f)
		return
	}
	reachable := exact.Float64At(at[axis])
	f.Reachable, f.Witness = &reachable, witnessDims(at)
	f.By = p.smallestRejectingSet(exact.AllOf(p.withinLimits(), reached), indexRange(p.boundaryRules, len(p.rules)))
	p.add(f)
}

// boundaryRuleCode returns the code of the first boundary rule that tests only the dimension along the axis and
// is violated by the coordinate. It returns nil if there is no such rule.
func (p *profileLinter) boundaryRuleCode(axis int, coordinate int64) []boxrules.Code {
	var at exact.Point
	at[axis] = coordinate
	for i, c := range p.violated[:p.boundaryRules] {
		// The rule is about this dimension alone if its half-space has no other coefficients.
		var alone [exact.Axes]int64
		alone[axis] = c.HalfSpace().A[axis]
		if c.Kind() == exact.Half && c.HalfSpace().A == alone && c.Contains(at) {
			return []boxrules.Code{p.codes[i]}
		}
	}
	return nil
}

// checkEnforced looks for a valid box beyond the limit, and adds a finding if there is one.
func (p *profileLinter) checkEnforced(axis int, direction int64) {
	f, firstAllowed := p.newLimitFinding(axis, direction)
	f.Kind = UnenforcedLimit
	p.addIfValid(f, p.roundest, atOrBeyond(axis, direction, firstAllowed+direction))
}

// checkBlank looks for a valid box with positive dimensions and a blank that has a side of 0 or less. It adds
// a finding if there is one.
func (p *profileLinter) checkBlank() {
	if p.form.Blank == nil {
		return
	}
	for i, side := range []exact.Value{p.form.Blank.Width, p.form.Blank.Height} {
		f := Finding{Kind: BlankNotPositive, Condition: []string{"blank_width <= 0", "blank_height <= 0"}[i]}
		if positive, err := exact.AboveZero(side, false); err != nil {
			p.addUndecided(f)
		} else {
			p.addIfValid(f, p.roundestPositive, exact.Not(positive))
		}
	}
}

// addIfValid searches for a valid box for which the condition holds. If there is one, it adds the finding f
// with the box as its witness. If the search gives up, it adds an undecided finding.
func (p *profileLinter) addIfValid(f Finding, search func(...exact.Region) (exact.Point, polytope.Answer), condition exact.Region) {
	switch at, answer := search(append(p.satisfied[:len(p.satisfied):len(p.satisfied)], condition)...); {
	case answer == polytope.Something && p.confirmsReported(at, ""):
		f.Witness = witnessDims(at)
		p.add(f)
	case answer != polytope.Nothing:
		p.addUndecided(f)
	}
}
