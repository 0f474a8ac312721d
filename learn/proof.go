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

// Proof returns a small set of boxes, with the answers that the engine gives, that proves the
// engine's limits: a [Learner] with the same options that gets these answers decides everything that
// any box can tell. So a service that gives the same answers has the same limits, up to what no box
// can tell. In machine teaching this is called a teaching set. The boxes come in the order of the
// catalogue. If possible, they are boxes for which exact arithmetic and double precision give the
// same answer, so that it does not matter how the service computes.
//
// The error is that of [New], or a [source.Errors] with the limits and sheets that are not on the
// grid of the options, or a rule that comes before the comparison with a limit. Otherwise it joins an
// [*UnprovedError] for each article and material for which the search gave up, so that more boxes may be needed. All other articles and materials are proved.
// The articles and materials share a fixed amount of work, which takes some seconds. Proof panics if
// e is nil.
func Proof(e *boxrules.Engine, o Options) ([]Answer, error) { return prove(e, o, 2*maxWork) }

// prove does what [Proof] does, within the given work.
func prove(e *boxrules.Engine, o Options, work int) ([]Answer, error) {
	budget := polytope.NewBudget(work)
	l, err := newLearner(e.Rules(), o.articlesOf(e.Catalogue()), o, e)
	if err != nil {
		return nil, err
	}
	if len(l.beforeLimits) > 0 {
		return nil, l.warnings.Err() // rules that come before a limit may hide it
	}
	if err := l.checkOnGrid(); err != nil {
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
		// Each profile may use its share of the work. The learner keeps the limits and sheets that are
		// already proved, so a profile needs fewer boxes if it shares them with an earlier one.
		l.work = budget.Share(len(l.profiles) - i)
		t := &teacher{Learner: l, profile: p, form: form, rules: rules, answers: answers}
		if !l.work.Spent() {
			t.teach()
		}
		if l.work.Spent() || l.gaveUp {
			unproved = append(unproved, &UnprovedError{p.article.Code, p.material, "it takes too much work"})
		} else if reason := l.unprovedReason(p.article); reason != "" {
			unproved = append(unproved, &UnprovedError{p.article.Code, p.material, reason})
		}
		answers = t.answers
	}
	return answers, errors.Join(unproved...)
}

// articlesOf returns the catalogue with only the articles of o.Only, in all their materials. A learner selects every
// constraint for every article, so for one of all 10,000 pairs of a catalogue it takes seconds to make.
func (o Options) articlesOf(c *limits.Catalogue) *limits.Catalogue {
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

// unprovedReason returns a reason why the article is not proved although no box tells more, or "". The proof takes rules
// that mention limits or sheets as those of the file make them. So it needs the exact values. Usually it is enough if
// all sheets that are possible hold the same blanks.
func (l *Learner) unprovedReason(a *article) string {
	for _, r := range l.conditionRules {
		if name := learnedNameIn(r.expression.Names()); name != "" && !l.mentionedLimitsDecided(a, r) {
			return fmt.Sprintf("%s mentions %s, and no box proves its value", r.Code, name)
		}
	}
	return ""
}

// An UnprovedError says that the boxes of [Proof] do not prove an article in a material, and why: usually the search
// was given up, because it takes too much work.
type UnprovedError struct{ Article, Material, Reason string }

// Error returns the error in one line.
func (e *UnprovedError) Error() string {
	return fmt.Sprintf("undecided which boxes prove %s in %s: %s", e.Article, e.Material, e.Reason)
}

// checkOnGrid returns an error for each limit and sheet of the frame that is not on the grid.
func (l *Learner) checkOnGrid() error {
	var errs source.Errors
	check := func(d limits.Decimal, greatest int64, path ...string) {
		// In steps, a value on the grid is a whole number: 12.5 is 25 steps of 0.5.
		steps := d.Rat()
		if steps.Mul(steps, big.NewRat(exact.Scale, l.step)); !steps.IsInt() || steps.Num().Int64()*l.step > greatest {
			errs = append(errs, &source.Error{
				Position: l.frame.Position(path...), Rule: path[0] + "." + path[1],
				Message: fmt.Sprintf("%s is not a multiple of %s up to %s", d, formatLength(l.step), formatLength(greatest)),
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

// A teacher looks for the boxes that prove one profile. Unlike a Learner, it knows all answers in advance.
//
// Take a width that may be 20 to 400, on a grid of whole numbers. Four boxes prove that: one with the
// width 19, which is refused, two with 20 and 400, which are accepted, and one with 401, which is refused.
// One box can prove several things at once: that the height may be this small, that this blank still fits
// the sheet, and that several constraints are not selected. So the teacher begins with what only few
// boxes can prove, such as the size of the sheet, and chooses each box so that it proves as many other
// things as possible.
type teacher struct {
	*Learner
	profile   *profile
	form      exact.Form        // what is true
	rules     []boxrules.Rule   // whose conditions the form has
	low, high exact.Point       // the smallest and the largest box within the true limits
	limits    polytope.Polytope // all boxes within the true limits
	selected  []bool            // by condition rule: whether the article has to obey it
	answers   []Answer

	sheetProved bool // whether it is proved that no box tells more about the sheet
}

// teach asks boxes until the answers prove the profile or the work is spent.
func (t *teacher) teach() {
	form := t.form
	t.low, t.high, t.limits = form.Low, form.High, polytope.Cube(form.Low, form.High)
	for _, c := range t.profile.article.selections {
		t.selected = append(t.selected, c.IsAlways() || slices.Contains(t.profile.article.Constraints, c.Name()))
	}
	if form.Blank != nil && t.hasSizeRule {
		t.teachSheet()
	}
	// A selected constraint is proved by a box that is refused by it and by no earlier one.
	for i, selected := range t.selected {
		if selected && t.profile.article.selections[i].IsOpen() {
			t.ask(append(t.allowedBefore(i), t.profile.conditions[i].violated), i)
		}
	}
	// That a constraint is not selected is proved by a box that would violate it and gets another answer.
	for i, selected := range t.selected {
		if selected || !t.profile.article.selections[i].IsOpen() || t.profile.article.hidden[i] {
			continue
		}
		// A box that no selected constraint forbids proves the most, because the service compares it with
		// every constraint. If there is none, a box that no earlier constraint forbids is enough.
		if !t.ask(append(t.allowedBefore(t.beforeSheet), t.profile.conditions[i].violated), t.beforeSheet) {
			t.ask(append(t.allowedBefore(i), t.profile.conditions[i].violated), i)
		}
	}
	t.teachLimits()
	// If anything is still open, let the planner choose the boxes, as it does for a service whose limits are
	// not known.
	for !t.work.Spent() && !t.isProved() {
		t.gaveUp = false
		s := t.newPlanner(t.profile)
		if s.bestInformation == 0 {
			return
		}
		t.askBox(s.bestBox)
	}
}

// isProved reports whether nothing is open, which the planner would find out, too, but in more time.
func (t *teacher) isProved() bool {
	for _, ends := range t.profile.article.rangeEnds {
		if ends[minimum].LowerBound() < ends[minimum].UpperBound() || ends[maximum].LowerBound() < ends[maximum].UpperBound() {
			return false
		}
	}
	for i, c := range t.profile.article.selections {
		if c.IsOpen() && !t.profile.article.hidden[i] {
			return false
		}
	}
	return t.profile.blank == nil || !t.hasSizeRule || t.profile.sheet.IsKnown() || t.sheetProved
}

// allowedBefore returns, for each condition rule before end that the article has to obey, the boxes that it allows.
func (t *teacher) allowedBefore(end int) []exact.Region {
	var regions []exact.Region
	for i, c := range t.profile.conditions[:end] {
		if t.selected[i] {
			regions = append(regions, c.satisfied)
		}
	}
	return regions
}

// exists reports whether there is a box at which the conditions hold.
func (t *teacher) exists(conditions ...exact.Region) bool {
	_, answer := t.search(t.askGrid).Find(t.limits, conditions...)
	return answer == polytope.Something
}

// find looks for a box at which the conditions hold and that is not borderline. It prefers multiples of the
// step of the limits to other boxes that can be asked.
func (t *teacher) find(conditions []exact.Region) (exact.Point, bool) {
	for _, finest := range []int64{t.askStep(), t.askGrid} {
		conditions := conditions
		for range maxBorderline {
			at, answer := t.search(finest).Find(t.limits, conditions...)
			if answer != polytope.Something {
				break
			}
			if _, agreed := t.certainComparisons(t.profile, at); agreed {
				return at, true
			}
			conditions = append(slices.Clip(conditions), otherThan(at))
		}
	}
	return exact.Point{}, false
}

// ask adds a box that meets the conditions, and reports whether there is one. The box is chosen so that it
// also proves as much as possible of what is still open: that condition rules before end are not selected, and
// how low or how high a box may be.
func (t *teacher) ask(conditions []exact.Region, end int) bool {
	at, ok := t.find(conditions)
	if !ok {
		return false
	}
	// try adds a condition if some box meets it together with those added before. If it fails, at and
	// conditions stay as they are, so at always meets all conditions.
	try := func(condition exact.Region) bool {
		if condition.Contains(at) {
			conditions = append(conditions, condition)
			return true
		}
		another, ok := t.find(append(conditions[:len(conditions):len(conditions)], condition))
		if ok {
			at, conditions = another, append(conditions, condition)
		}
		return ok
	}
	// teachLimits proves the ranges of width and depth with boxes that it needs in any case. The height is
	// tested last, so it depends on boxes like this one. One box can prove only one of its ends.
	heights := t.profile.article.rangeEnds[exact.Height]
	if heights[minimum].UpperBound() == t.low[exact.Height] || !try(t.nearMinimum(exact.Height)) {
		if heights[maximum].LowerBound() != t.high[exact.Height] {
			try(t.nearMaximum(exact.Height))
		}
	}
	for i, c := range t.profile.conditions[:end] {
		if !t.selected[i] && t.profile.article.selections[i].IsOpen() {
			try(c.violated)
		}
	}
	for _, c := range t.profile.conditions {
		for h := range c.violated.HalfSpaces() {
			// Move off the border of the half-space, because a service that computes in floating point
			// may decide a box on it otherwise. The box stays on its side: an excess of 0 is just outside
			// the half-space and becomes negative, and an excess of 1 is just inside and becomes greater.
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
	t.askBox(at)
	return true
}

// nearMinimum returns the boxes that are less than a step above the minimum of the axis. If one of them is
// accepted, the minimum cannot be a step greater. nearMaximum returns those less than a step below the
// maximum.
func (t *teacher) nearMinimum(axis int) exact.Region { return exact.AtMost(axis, t.low[axis]+t.step-1) }
func (t *teacher) nearMaximum(axis int) exact.Region {
	return exact.AtLeast(axis, t.high[axis]-t.step+1)
}

// askBox adds a box with its true answer, and lets the learner learn from it.
func (t *teacher) askBox(at exact.Point) {
	// A profile of the engine would check the box faster, but the tables for that would fill the memory.
	a := Answer{Box: t.profile.box(at), Row: len(t.answers) + 1}
	for i, c := range t.form.Conditions {
		if c.Holds(at) {
			a.Code = t.rules[i].Code
			break
		}
	}
	if err := t.Add(a); err != nil && err != ErrBorderline {
		panic(err) // the engine contradicts itself
	}
	t.answers = append(t.answers, a)
}

// teachSheet adds boxes that prove the size of the sheet: boxes whose blanks just fit it, by the longer side
// and by the shorter side, and boxes whose blanks just exceed it.
//
// Take a sheet of 1000 x 700 and a grid of whole numbers. If some box within the limits has a blank of
// 1000 x 700, that box proves that the sheet is at least that large. Otherwise two boxes do, one whose blank
// has a longer side of 1000 and one whose blank has a shorter side of 700. Two boxes that are refused, with a
// longer side of 1001 and a shorter side of 701, prove that the sheet is no larger. If no box has a blank with
// one of these sides, the nearest one that exists is enough: in between, all sheets give the same verdicts.
func (t *teacher) teachSheet() {
	if !t.sheetIsOpen() {
		return
	}
	width, _ := t.form.SheetWidth.Float64()
	height, _ := t.form.SheetHeight.Float64()
	size := exact.Point{exact.Grid(max(width, height)), exact.Grid(min(width, height))}
	p, all := t.profile, t.beforeSheet
	fits := slices.Clip(append(t.allowedBefore(all), p.fitsOneOf(size)))
	corner := p.sheet.Corner()
	// For each side, find the greatest length among the blanks that fit, unless the sheet is already known
	// to reach it.
	var longerBlanks []exact.Region
	for side := range state.Sides {
		beyond := func(x int64) exact.Region { return p.blank.exceeds(side, x-t.step) }
		x := plan.Farthest(corner[side], size[side], t.step, func(x int64) bool { return t.exists(append(fits, beyond(x))...) })
		if x > corner[side] {
			longerBlanks = append(longerBlanks, beyond(x))
		}
	}
	// One box with both lengths is enough, if there is one. Otherwise each side needs a box of its own.
	if len(longerBlanks) < state.Sides || !t.ask(append(fits, longerBlanks...), all) {
		for _, beyond := range longerBlanks {
			t.ask(append(fits, beyond), all)
		}
	}
	// Now prove what does not fit. The smaller a refused blank is, the more it proves. So choose, among the
	// boxes that can still tell something, those with the least longer side, and among these those with the
	// least shorter side. Each box excludes one size, and more of them may be needed.
	for t.sheetIsOpen() {
		corner, open := p.sheet.Corner(), slices.Clip(p.informative())
		for side := range state.Sides {
			noneFits := func(x int64) bool { return !t.exists(append(open, exact.Not(p.blank.exceeds(side, x)))...) }
			least := plan.Farthest(corner[side], roundDown(exact.MaxGrid, t.step), t.step, noneFits) + t.step
			open = slices.Clip(append(open, exact.Not(p.blank.exceeds(side, least))))
		}
		if !t.ask(open, all) {
			return
		}
	}
}

// sheetIsOpen reports whether a box that can be asked tells more about the sheet. Boxes beyond the true
// limits do not count, because the service refuses them before it compares their blank with the sheet.
func (t *teacher) sheetIsOpen() bool {
	if t.profile.sheet.IsKnown() {
		return false
	}
	_, answer := t.search(t.askGrid).Find(t.limits, append(t.allowedBefore(t.beforeSheet), t.profile.informative()...)...)
	t.sheetProved = answer == polytope.Nothing
	return answer == polytope.Something
}

// teachLimits adds a box just beyond each limit that is not proved yet. The service tests the limits in
// order, so the box also proves that its dimensions tested before are within their limits. Take the limits 20
// to 400 for the width and 10 to 200 for the depth. The boxes with the widths 19 and 401 prove that the width
// goes no farther. The box of width 20 and depth 9 is refused for its depth, which proves that 20 is wide
// enough, and the box of width 400 and depth 201 does the same for 400.
func (t *teacher) teachLimits() {
	var lowest, highest exact.Point // of the boxes within the limits, those that can be asked
	for axis := range exact.Axes {
		lowest[axis], highest[axis] = roundUp(t.low[axis], t.askGrid), roundDown(t.high[axis], t.askGrid)
	}
	// nextBeyond returns the value one distance beyond the limit, if it can be asked, and otherwise the next
	// one that can.
	nextBeyond := func(limit, distance int64) int64 {
		switch {
		case (limit+distance)%t.askGrid == 0:
			return limit + distance
		case distance < 0:
			return roundDown(limit-1, t.askGrid)
		}
		return roundUp(limit+1, t.askGrid)
	}
	for i, rule := range t.limitTests {
		unknown := t.profile.article.rangeEnds[rule.axis][rule.end]
		// A dimension that is tested earlier is as small as possible, to prove its minimum. If its minimum
		// is already proved but its maximum is not, it is as large as possible.
		at := lowest
		for _, earlier := range t.limitTests[:i] {
			low, high := t.profile.article.rangeEnds[earlier.axis][minimum], t.profile.article.rangeEnds[earlier.axis][maximum]
			if low.UpperBound() == t.low[earlier.axis] && high.LowerBound() < t.high[earlier.axis] {
				at[earlier.axis] = highest[earlier.axis]
			}
		}
		switch {
		case rule.end == minimum && unknown.LowerBound() < t.low[rule.axis]:
			at[rule.axis] = nextBeyond(t.low[rule.axis], -t.step)
		case rule.end == maximum && unknown.UpperBound() > t.high[rule.axis]:
			at[rule.axis] = nextBeyond(t.high[rule.axis], t.step)
		default:
			continue
		}
		if at[0] > 0 && at[1] > 0 && at[2] > 0 {
			t.askBox(at)
		}
	}
	// The boxes above prove which dimensions are beyond the limits. That the limits themselves are allowed
	// may still be open, above all on the last axis, after which no limit is tested.
	for axis := range exact.Axes {
		for end, wanted := range [2]exact.Region{t.nearMinimum(axis), t.nearMaximum(axis)} {
			limit := t.profile.article.rangeEnds[axis][end]
			if end == minimum && limit.UpperBound() > t.low[axis] || end == maximum && limit.LowerBound() < t.high[axis] {
				t.ask([]exact.Region{wanted}, 0)
			}
		}
	}
}
