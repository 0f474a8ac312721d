package learn

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/learn/internal/plan"
	"example.com/boxrules/learn/internal/state"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// Proof returns a small set of boxes, with the engine's answers, that proves the engine's limits. A [Learner] with the
// same options learns from these answers everything that can be learned by asking about boxes. So a service that gives
// the same answers has the same limits, except for what no box can show. In machine teaching, such a set is called a
// teaching set. The boxes are in the order of the catalogue. Proof avoids borderline boxes if possible, so that it does
// not matter whether the service computes exactly or in floating point.
//
// If Proof returns no boxes, the error is an error from [New] or a [source.Errors]. The latter lists limits and sheets
// that are not on the grid that Options.Step defines, or rules that come before the comparison of a dimension with its
// limit. Otherwise the error joins one [*UnprovedError] for each product (an article in a material) whose limits the
// boxes do not prove, usually because the search gave up. The limits of all other products are proved. The search takes
// at most a few seconds, which are divided among the products. Proof panics if e is nil.
func Proof(e *boxrules.Engine, o Options) ([]Answer, error) { return proveWithin(e, o, 2*maxWork) }

// proveWithin is like [Proof], but limits the search to the given amount of work.
func proveWithin(e *boxrules.Engine, o Options, work int) ([]Answer, error) {
	budget := polytope.NewBudget(work)
	l, err := newLearner(e.Rules(), o.articlesToProve(e.Catalogue()), o, e)
	if err != nil {
		return nil, err
	}
	if len(l.checkedBeforeLimits) > 0 {
		return nil, l.warnings.Err() // rules that come before a limit may hide it
	}
	if err := l.checkProvable(); err != nil {
		return nil, err
	}
	var answers []Answer
	var unproved []error
	for i, p := range l.profiles {
		if o.Only != nil && !o.Only(p.article.Code, p.material) {
			continue
		}
		form, rules, err := e.Exact(p.article.Code, p.material)
		if err != nil {
			return nil, err
		}
		// Each profile may use its share of the remaining work. Limits and sheets that earlier profiles have proved
		// stay proved, so later profiles that share them need fewer boxes.
		l.remainingWork = budget.Share(len(l.profiles) - i)
		t := &prover{Learner: l, profile: p, form: form, rules: rules, answers: answers}
		if !l.remainingWork.Spent() {
			t.prove()
		}
		if l.remainingWork.Spent() || l.gaveUp {
			unproved = append(unproved, &UnprovedError{p.article.Code, p.material, "it takes too much work"})
		} else if reason := l.unprovedReason(p.article); reason != "" {
			unproved = append(unproved, &UnprovedError{p.article.Code, p.material, reason})
		}
		answers = t.answers
	}
	return answers, errors.Join(unproved...)
}

// articlesToProve returns the part of the catalogue that o.Only allows: the articles that are allowed in at least one
// material. If no article is allowed, it returns the whole catalogue. Proof makes a learner for this part only. For a
// catalogue with 10,000 profiles, making a learner takes seconds.
func (o Options) articlesToProve(c *limits.Catalogue) *limits.Catalogue {
	if o.Only == nil {
		return c
	}
	articles := slices.DeleteFunc(c.Articles(), func(a limits.Article) bool {
		return !slices.ContainsFunc(a.Materials, func(material string) bool { return o.Only(a.Code, material) })
	})
	if len(articles) == 0 {
		return c
	}
	return c.Completed(articles, c.Materials())
}

// unprovedReason is called when no further box is informative. It returns the reason why the limits of the article are
// not proved, or "" if they are. If a rule mentions a limit or a side of the sheet, the proof uses the rule with the
// value in the file, so that value must be proved exactly. Without such a rule, it is enough that all possible sheets
// hold the same blanks.
func (l *Learner) unprovedReason(a *article) string {
	for _, r := range l.conditionRules {
		if name := firstUnknownName(r.expression.Names()); name != "" && !l.mentionedLimitsDecided(a, r) {
			return fmt.Sprintf("%s mentions %s, and no box proves its value", r.Code, name)
		}
	}
	return ""
}

// An UnprovedError means that the boxes that [Proof] returned do not prove the limits of an article in a material.
// Usually the reason is that the search took too much work.
type UnprovedError struct{ Article, Material, Reason string }

// Error returns the error as one line of text.
func (e *UnprovedError) Error() string {
	return fmt.Sprintf("undecided which boxes prove %s in %s: %s", e.Article, e.Material, e.Reason)
}

// checkProvable returns a [source.Errors] with an error for each limit and each side of a sheet in the frame that is
// not a multiple of Options.Step, or is too large.
func (l *Learner) checkProvable() error {
	var errs source.Errors
	check := func(d limits.Decimal, maximum int64, path ...string) {
		// A value is on the grid if it is a whole number of steps: 12.5 is 25 steps of 0.5.
		steps := d.Rat()
		if steps.Mul(steps, big.NewRat(exact.Scale, l.step)); !steps.IsInt() || steps.Num().Int64()*l.step > maximum {
			errs = append(errs, &source.Error{
				Position: l.frame.Position(path...), Rule: path[0] + "." + path[1],
				Message: fmt.Sprintf("%s is not valid; accepted: a multiple of %s that is at most %s", d, factLength(l.step), factLength(maximum)),
			})
		}
	}
	for _, a := range l.frame.Articles() {
		for axis, r := range []limits.Range{a.Width, a.Depth, a.Height} {
			check(r.Min, l.maxLimit, "articles", a.Code, exact.AxisNames()[axis], "min")
			check(r.Max, l.maxLimit, "articles", a.Code, exact.AxisNames()[axis], "max")
		}
	}
	for _, s := range l.frame.Sheets() {
		check(s.Width, exact.MaxGrid, "sheets", s.Code)
		check(s.Height, exact.MaxGrid, "sheets", s.Code)
	}
	return errs.Err()
}

// A prover looks for boxes whose answers prove the limits of one profile. Unlike a Learner, it knows all answers in
// advance.
//
// Suppose that the width may be 20 to 400, on a grid of whole numbers. Four boxes prove these limits: boxes with the
// widths 20 and 400 are accepted, and boxes with the widths 19 and 401 are refused. A single box can prove several
// things at once: for example, that a height of 10 is allowed, that a certain blank still fits the sheet, and that
// several constraints are not selected. The prover begins with what only a few boxes can prove, such as the size of the
// sheet, and chooses each of these boxes so that it proves as many other things as possible.
type prover struct {
	*Learner
	profile           *profile
	form              exact.Form        // the true limits and conditions of the profile
	rules             []boxrules.Rule   // the rules for form.Conditions
	low, high         exact.Point       // the smallest and the largest box within the true limits
	boxesWithinLimits polytope.Polytope // all boxes within the true limits
	selected          []bool            // by condition rule: whether the rule really applies to the article
	answers           []Answer

	sheetProved bool // whether it is proved that no other box is informative about the sheet
}

// prove adds boxes until their answers prove the limits of the profile, or until the work is used up.
func (p *prover) prove() {
	form := p.form
	p.low, p.high, p.boxesWithinLimits = form.Low, form.High, polytope.Cuboid(form.Low, form.High)
	for _, c := range p.profile.article.selections {
		p.selected = append(p.selected, c.IsAlways() || slices.Contains(p.profile.article.Constraints, c.Name()))
	}
	if form.Blank != nil && p.hasSizeRule {
		p.proveSheet()
	}
	// To prove that a constraint is selected, use a box that violates the constraint and no earlier rule.
	for i, selected := range p.selected {
		if selected && p.profile.article.selections[i].IsOpen() {
			p.addBoxWhere(append(p.regionsAllowedBefore(i), p.profile.conditions[i].violated), i)
		}
	}
	// To prove that a constraint is not selected, use a box that would violate it but gets another answer.
	for i, selected := range p.selected {
		if selected || !p.profile.article.selections[i].IsOpen() || p.profile.article.hidden[i] {
			continue
		}
		// A box that satisfies all selected constraints proves the most, because the service checks it against
		// every constraint. If there is no such box, a box that satisfies the earlier constraints is enough.
		if !p.addBoxWhere(append(p.regionsAllowedBefore(p.beforeSheet), p.profile.conditions[i].violated), p.beforeSheet) {
			p.addBoxWhere(append(p.regionsAllowedBefore(i), p.profile.conditions[i].violated), i)
		}
	}
	p.proveLimits()
	// If anything is still open, let the planner choose boxes, as it does for a service whose limits are not known.
	for !p.remainingWork.Spent() && !p.isProved() {
		p.gaveUp = false
		s := p.newBoxPlanner(p.profile)
		if s.bestInformation == 0 {
			return
		}
		p.addBox(s.bestBox)
	}
}

// isProved reports whether nothing is left to prove. The planner would also find that out, but would take longer.
func (p *prover) isProved() bool {
	for _, ends := range p.profile.article.rangeEnds {
		if ends[minimum].LowerBound() < ends[minimum].UpperBound() || ends[maximum].LowerBound() < ends[maximum].UpperBound() {
			return false
		}
	}
	for i, c := range p.profile.article.selections {
		if c.IsOpen() && !p.profile.article.hidden[i] {
			return false
		}
	}
	return p.profile.blank == nil || !p.hasSizeRule || p.profile.sheet.IsKnown() || p.sheetProved
}

// regionsAllowedBefore returns, for each condition rule before end that applies to the article, the region of the boxes
// that the rule allows.
func (p *prover) regionsAllowedBefore(end int) []exact.Region {
	var regions []exact.Region
	for i, c := range p.profile.conditions[:end] {
		if p.selected[i] {
			regions = append(regions, c.satisfied)
		}
	}
	return regions
}

// boxExists reports whether some box within the limits meets the conditions.
func (p *prover) boxExists(conditions ...exact.Region) bool {
	_, answer := p.newBoxSearch(p.askGrid).Find(p.boxesWithinLimits, conditions...)
	return answer == polytope.Something
}

// findProvingBox looks for a box that meets the conditions and is not borderline. It prefers boxes whose dimensions are
// multiples of the step of the limits.
func (p *prover) findProvingBox(conditions []exact.Region) (exact.Point, bool) {
	for _, finest := range []int64{p.askStep(), p.askGrid} {
		conditions := conditions
		for range maxBorderline {
			at, answer := p.newBoxSearch(finest).Find(p.boxesWithinLimits, conditions...)
			if answer != polytope.Something {
				break
			}
			if _, agreed := p.agreedComparisons(p.profile, at); agreed {
				return at, true
			}
			conditions = append(slices.Clip(conditions), regionExcept(at))
		}
	}
	return exact.Point{}, false
}

// addBoxWhere adds a box that meets the conditions. It returns false if there is no such box. If there are several such
// boxes, it chooses one that also proves as much as possible of what is still open: that the article does not select
// other condition rules before end, and that the minimum or the maximum of the height is no stricter than in the file.
func (p *prover) addBoxWhere(conditions []exact.Region, end int) bool {
	at, ok := p.findProvingBox(conditions)
	if !ok {
		return false
	}
	// try adds a condition if some box meets it together with the earlier conditions, and sets at to such a box. So
	// at always meets all conditions.
	try := func(condition exact.Region) bool {
		if condition.Contains(at) {
			conditions = append(conditions, condition)
			return true
		}
		another, ok := p.findProvingBox(append(conditions[:len(conditions):len(conditions)], condition))
		if ok {
			at, conditions = another, append(conditions, condition)
		}
		return ok
	}
	// proveLimits proves the ranges of width and depth with boxes that it needs in any case. The height is tested
	// last, so its range has to be proved by accepted boxes like this one. One box can prove only one end of the
	// range.
	heights := p.profile.article.rangeEnds[exact.Height]
	if heights[minimum].UpperBound() == p.low[exact.Height] || !try(p.nearMinimum(exact.Height)) {
		if heights[maximum].LowerBound() != p.high[exact.Height] {
			try(p.nearMaximum(exact.Height))
		}
	}
	for i, c := range p.profile.conditions[:end] {
		if !p.selected[i] && p.profile.article.selections[i].IsOpen() {
			try(c.violated)
		}
	}
	for _, c := range p.profile.conditions {
		for h := range c.violated.HalfSpaces() {
			// Move the box away from the border of the half-space, where a service that computes in floating point
			// may decide differently. The box stays on its side of the border. With an excess of 0, it is just
			// outside the half-space, and the excess becomes negative. With an excess of 1, it is just inside, and
			// the excess becomes greater.
			switch h.Excess(at) {
			case 0:
				h = h.Complement()
				h.K++
				try(h.Region())
			case 1:
				h.K++
				try(h.Region())
			}
		}
	}
	p.addBox(at)
	return true
}

// nearMinimum returns the region of the boxes whose dimension along the axis is less than the minimum plus a step. If
// such a box is accepted, the minimum cannot be a step higher. nearMaximum returns the region of the boxes whose
// dimension is greater than the maximum minus a step.
func (p *prover) nearMinimum(axis int) exact.Region { return exact.AtMost(axis, p.low[axis]+p.step-1) }
func (p *prover) nearMaximum(axis int) exact.Region {
	return exact.AtLeast(axis, p.high[axis]-p.step+1)
}

// addBox adds a box with its true answer, and passes the answer to the learner.
func (p *prover) addBox(at exact.Point) {
	// Do not use a profile of the engine. It would be faster, but its tables need too much memory.
	a := Answer{Box: p.profile.box(at), Row: len(p.answers) + 1}
	for i, c := range p.form.Conditions {
		if c.Holds(at) {
			a.Code = p.rules[i].Code
			break
		}
	}
	if err := p.Add(a); err != nil && err != ErrBorderline {
		panic(err) // the engine contradicts itself
	}
	p.answers = append(p.answers, a)
}

// proveSheet adds boxes that prove the size of the sheet: boxes whose blanks just fit along the longer side or the
// shorter side, and boxes whose blanks are just too large.
//
// Take a sheet of 1000 x 700 and a grid of whole numbers. If some box within the limits has a blank of 1000 x 700,
// this box proves that the sheet is at least that large. Otherwise it takes two boxes: one whose blank has a longer
// side of 1000, and one whose blank has a shorter side of 700. Two refused boxes prove that the sheet is no larger:
// one with a longer side of 1001, and one with a shorter side of 701. If no box has a blank with one of these
// lengths, the nearest length that exists is enough, because all sheets in between give the same verdicts.
func (p *prover) proveSheet() {
	if !p.sheetIsOpen() {
		return
	}
	width, _ := p.form.SheetWidth.Float64()
	height, _ := p.form.SheetHeight.Float64()
	size := exact.Point{exact.Grid(max(width, height)), exact.Grid(min(width, height))}
	target, all := p.profile, p.beforeSheet
	fits := slices.Clip(append(p.regionsAllowedBefore(all), target.fittingRegion(size)))
	corner := target.sheet.Corner()
	// For each side, find the greatest length of a blank that fits. Skip the side if the sheet is already known to
	// be that long.
	var longerBlanks []exact.Region
	for side := range state.Sides {
		beyond := func(x int64) exact.Region { return target.blank.exceedingRegion(side, x-p.step) }
		x := plan.Bisect(corner[side], size[side], p.step, func(x int64) bool { return p.boxExists(append(fits, beyond(x))...) })
		if x > corner[side] {
			longerBlanks = append(longerBlanks, beyond(x))
		}
	}
	// If the blank of some box has both lengths, that box is enough. Otherwise each side needs its own box.
	if len(longerBlanks) < state.Sides || !p.addBoxWhere(append(fits, longerBlanks...), all) {
		for _, beyond := range longerBlanks {
			p.addBoxWhere(append(fits, beyond), all)
		}
	}
	// Now prove what does not fit. The smaller a refused blank is, the more it proves. So among the boxes that are
	// informative about the sheet, choose one whose blank has the shortest longer side and, among these, the
	// shortest shorter side. Each box excludes one size, and several boxes may be needed.
	for p.sheetIsOpen() {
		corner, open := target.sheet.Corner(), slices.Clip(target.informativeRegions())
		for side := range state.Sides {
			noneFits := func(x int64) bool {
				return !p.boxExists(append(open, exact.Not(target.blank.exceedingRegion(side, x)))...)
			}
			least := plan.Bisect(corner[side], roundDown(exact.MaxGrid, p.step), p.step, noneFits) + p.step
			open = slices.Clip(append(open, exact.Not(target.blank.exceedingRegion(side, least))))
		}
		if !p.addBoxWhere(open, all) {
			return
		}
	}
}

// sheetIsOpen reports whether some box is still informative about the sheet. The box must be within the true
// limits, because otherwise the service refuses it before it compares its blank with the sheet.
func (p *prover) sheetIsOpen() bool {
	if p.profile.sheet.IsKnown() {
		return false
	}
	_, answer := p.newBoxSearch(p.askGrid).Find(p.boxesWithinLimits, append(p.regionsAllowedBefore(p.beforeSheet), p.profile.informativeRegions()...)...)
	p.sheetProved = answer == polytope.Nothing
	return answer == polytope.Something
}

// proveLimits adds a box just beyond each limit that is not proved yet. The service tests the limits in order, so
// such a box also proves that the dimensions that are tested earlier are allowed. Suppose that the width may be 20
// to 400, and the depth 10 to 200. Boxes of width 19 and 401 prove that the width cannot go beyond its limits. A
// box of width 20 and depth 9 is refused for its depth, which proves that a width of 20 is allowed. A box of width
// 400 and depth 201 proves the same for a width of 400.
func (p *prover) proveLimits() {
	var lowest, highest exact.Point // the smallest and the largest box to ask about within the limits
	for axis := range exact.Axes {
		lowest[axis], highest[axis] = roundUp(p.low[axis], p.askGrid), roundDown(p.high[axis], p.askGrid)
	}
	// nextBeyond returns limit+distance if that is a dimension that a box to ask about can have. Otherwise it
	// returns the first dimension beyond the limit that such a box can have.
	nextBeyond := func(limit, distance int64) int64 {
		switch {
		case (limit+distance)%p.askGrid == 0:
			return limit + distance
		case distance < 0:
			return roundDown(limit-1, p.askGrid)
		}
		return roundUp(limit+1, p.askGrid)
	}
	for i, test := range p.limitTests {
		unknown := p.profile.article.rangeEnds[test.axis][test.end]
		// Make the dimensions that are tested earlier as small as possible, to prove their minimums. If the minimum
		// of a dimension is already proved but its maximum is not, make it as large as possible.
		at := lowest
		for _, earlier := range p.limitTests[:i] {
			low, high := p.profile.article.rangeEnds[earlier.axis][minimum], p.profile.article.rangeEnds[earlier.axis][maximum]
			if low.UpperBound() == p.low[earlier.axis] && high.LowerBound() < p.high[earlier.axis] {
				at[earlier.axis] = highest[earlier.axis]
			}
		}
		switch {
		case test.end == minimum && unknown.LowerBound() < p.low[test.axis]:
			at[test.axis] = nextBeyond(p.low[test.axis], -p.step)
		case test.end == maximum && unknown.UpperBound() > p.high[test.axis]:
			at[test.axis] = nextBeyond(p.high[test.axis], p.step)
		default:
			continue
		}
		if at[0] > 0 && at[1] > 0 && at[2] > 0 {
			p.addBox(at)
		}
	}
	// The boxes above prove that dimensions beyond the limits are refused. It may still be open whether the limits
	// themselves are allowed, especially on the last axis, because no limit is tested after it.
	for axis := range exact.Axes {
		for end, wanted := range [2]exact.Region{p.nearMinimum(axis), p.nearMaximum(axis)} {
			limit := p.profile.article.rangeEnds[axis][end]
			if end == minimum && limit.UpperBound() > p.low[axis] || end == maximum && limit.LowerBound() < p.high[axis] {
				p.addBoxWhere([]exact.Region{wanted}, 0)
			}
		}
	}
}
