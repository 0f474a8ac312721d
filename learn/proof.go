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

// Proof returns a teaching set of an engine's limits, with the answers that they give: few boxes,
// in the order of the catalogue, from which a [Learner] of the same options decides all of them. So
// a service that gives the same answers has the same limits, up to what no box can tell. Whether it
// computes exactly or in double precision, the answers are the same if there are such boxes.
//
// The error is that of [New], or a [source.Errors] with the limits and sheets that are not on the
// grid of the options. Or it joins an [*UnprovedError] for each article and material that it takes
// more boxes for, or may take more: then the others are proved. The search as a whole is bounded by
// a count, some seconds of work, which the articles and materials share. Proof panics if e
// is nil.
func Proof(e *boxrules.Engine, o Options) ([]Answer, error) { return prove(e, o, maxWork) }

// prove does what [Proof] does within a bound of work.
func prove(e *boxrules.Engine, o Options, work int) ([]Answer, error) {
	budget := polytope.NewBudget(work)
	l, err := New(e.Rules(), e.Catalogue(), o)
	if err != nil {
		return nil, err
	}
	l.engine = e // it knows the same articles and materials, and the learner's takes as much memory again
	if err := l.checkOnGrid(); err != nil {
		return nil, err
	}
	var answers []Answer
	var unproved []error
	for i, p := range l.profiles {
		if o.Only != nil && !o.Only(p.article.Code, p.material) {
			continue
		}
		truth, err := e.Profile(p.article.Code, p.material)
		if err != nil {
			return nil, err
		}
		l.work = budget.Share(len(l.profiles) - i)
		t := &teacher{Learner: l, profile: p, truth: truth, answers: answers}
		if !l.work.Spent() {
			t.teach()
		}
		if l.work.Spent() || l.gaveUp {
			unproved = append(unproved, &UnprovedError{p.article.Code, p.material})
		}
		answers = t.answers
	}
	return answers, errors.Join(unproved...)
}

// An UnprovedError says that [Proof] was given up for an article in a material.
type UnprovedError struct{ Article, Material string }

// Error returns the error in one line.
func (e *UnprovedError) Error() string {
	return fmt.Sprintf("undecided which boxes prove %s in %s: it takes too much work", e.Article, e.Material)
}

// checkOnGrid returns an error for each limit and sheet of the frame that is not on the grid.
func (l *Learner) checkOnGrid() error {
	var errs source.Errors
	check := func(d limits.Decimal, greatest int64, path ...string) {
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

// A teacher looks for the boxes that prove one profile. It knows the answers.
//
// Four boxes, for example, prove the range 20 to 400 of a width: one of 19 that is refused, one of
// 20 and one of 400 that are accepted, and one of 401 that is refused. One box can prove several
// things at once, such as that it is as low as the height may be, that its blank just fits the
// sheet and that several constraints are not selected. So the teacher asks first what few boxes can
// show, and adds to each as much else as goes into it.
type teacher struct {
	*Learner
	profile   *profile
	truth     *boxrules.Profile
	low, high exact.Point
	limits    polytope.Polytope // the limits
	selected  []bool            // by constraint
	answers   []Answer
}

// teach asks boxes until the answers prove the profile or the work is spent.
func (t *teacher) teach() {
	form := t.truth.Exact()
	t.low, t.high, t.limits = form.Low, form.High, polytope.Cube(form.Low, form.High)
	for _, c := range t.profile.article.selections {
		t.selected = append(t.selected, slices.Contains(t.profile.article.Constraints, c.Name()))
	}
	if form.Blank != nil && t.hasSizeRule {
		t.teachSheet(form)
	}
	for i, selected := range t.selected {
		if selected && t.profile.article.selections[i].IsOpen() {
			t.ask(append(t.allowedBefore(i), t.profile.violated[i]), i)
		}
	}
	for i, selected := range t.selected {
		if selected || !t.profile.article.selections[i].IsOpen() {
			continue
		}
		// A box that no selected constraint forbids shows most; otherwise one that no earlier one forbids.
		if !t.ask(append(t.allowedBefore(len(t.selected)), t.profile.violated[i]), len(t.selected)) {
			t.ask(append(t.allowedBefore(i), t.profile.violated[i]), i)
		}
	}
	t.teachLimits()
	// What is left, if anything, is asked as of any service.
	for !t.work.Spent() {
		t.gaveUp = false
		s := t.newPlanner(t.profile)
		if s.bestInformation == 0 {
			return
		}
		t.askBox(s.bestBox)
	}
}

// allowedBefore returns, for each selected constraint before end, the boxes that it allows.
func (t *teacher) allowedBefore(end int) []exact.Region {
	var regions []exact.Region
	for i, kept := range t.profile.satisfied[:end] {
		if t.selected[i] {
			regions = append(regions, kept)
		}
	}
	return regions
}

// exists reports whether there is a box at which the conditions hold.
func (t *teacher) exists(conditions ...exact.Region) bool {
	_, answer := t.search(t.askGrid).Find(t.limits, conditions...)
	return answer == polytope.Something
}

// find looks for such a box that is not borderline, preferably in whole units.
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

// ask asks a box that meets the conditions and, besides, shows as much as possible of what is still
// to be proved: that constraints before end are not selected, and how low and how high a box may
// be. It reports whether there is such a box.
func (t *teacher) ask(conditions []exact.Region, end int) bool {
	at, ok := t.find(conditions)
	if !ok {
		return false
	}
	try := func(more exact.Region) bool {
		if more.Contains(at) {
			conditions = append(conditions, more)
			return true
		}
		to, ok := t.find(append(conditions[:len(conditions):len(conditions)], more))
		if ok {
			at, conditions = to, append(conditions, more)
		}
		return ok
	}
	heights := t.profile.article.ends[exact.Height]
	if heights[minimum].UpperBound() == t.low[exact.Height] || !try(t.nearMinimum(exact.Height)) {
		if heights[maximum].LowerBound() != t.high[exact.Height] {
			try(t.nearMaximum(exact.Height))
		}
	}
	for i, holds := range t.profile.violated[:end] {
		if !t.selected[i] && t.profile.article.selections[i].IsOpen() {
			try(holds)
		}
	}
	for _, holds := range t.profile.violated {
		for h := range holds.HalfSpaces() {
			// Move off the border of the half-space, because a service that computes in floating point
			// may decide a box on it otherwise.
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

// nearMinimum and nearMaximum return the boxes within the limits that show a limit to the step:
// those less than a step away from it.
func (t *teacher) nearMinimum(axis int) exact.Region { return exact.AtMost(axis, t.low[axis]+t.step-1) }
func (t *teacher) nearMaximum(axis int) exact.Region {
	return exact.AtLeast(axis, t.high[axis]-t.step+1)
}

// askBox adds a box with its answer.
func (t *teacher) askBox(at exact.Point) {
	v, err := t.truth.Check(boxrules.DimsAt(at))
	if err != nil {
		panic(err) // what was found is a box
	}
	a := Answer{Box: t.profile.box(at), Code: v.Code(), Row: len(t.answers) + 1}
	if err := t.Add(a); err != nil && err != ErrBorderline {
		panic(err) // the engine contradicts itself
	}
	t.answers = append(t.answers, a)
}

// teachSheet asks for boxes whose blanks are the longest and the widest that fit, and for the
// smallest that exceed them.
func (t *teacher) teachSheet(form exact.Form) {
	if !t.sheetIsOpen() {
		return
	}
	width, _ := form.SheetWidth.Float64()
	height, _ := form.SheetHeight.Float64()
	size := exact.Point{exact.Grid(max(width, height)), exact.Grid(min(width, height))}
	p, all := t.profile, len(t.selected)
	fits := slices.Clip(append(t.allowedBefore(all), p.fitsOneOf(size)))
	reach := p.sheet.Corner()
	var further []exact.Region
	for side := range state.Sides {
		beyond := func(x int64) exact.Region { return p.blank.exceeds(side, x-t.step) }
		x := plan.Farthest(reach[side], size[side], t.step, func(x int64) bool { return t.exists(append(fits, beyond(x))...) })
		if x > reach[side] {
			further = append(further, beyond(x))
		}
	}
	if len(further) < state.Sides || !t.ask(append(fits, further...), all) {
		for _, beyond := range further {
			t.ask(append(fits, beyond), all)
		}
	}
	// Of what exceeds the corner the least sides count.
	for t.sheetIsOpen() {
		reach, open := p.sheet.Corner(), slices.Clip(p.informative())
		for side := range state.Sides {
			none := func(x int64) bool { return !t.exists(append(open, exact.Not(p.blank.exceeds(side, x)))...) }
			least := plan.Farthest(reach[side], roundDown(exact.MaxGrid, t.step), t.step, none) + t.step
			open = slices.Clip(append(open, exact.Not(p.blank.exceeds(side, least))))
		}
		if !t.ask(open, all) {
			return
		}
	}
}

// sheetIsOpen reports whether a box that can be asked tells more about the sheet. Boxes beyond the
// true limits do not count, because the service never compares their blank.
func (t *teacher) sheetIsOpen() bool {
	return t.exists(append(t.allowedBefore(len(t.selected)), t.profile.informative()...)...)
}

// teachLimits asks for a box just beyond each limit. A box that is beyond a limit of a later axis
// also shows how far the earlier limits go.
func (t *teacher) teachLimits() {
	var first, last exact.Point // that can be asked within
	for axis := range exact.Axes {
		first[axis], last[axis] = roundUp(t.low[axis], t.askGrid), roundDown(t.high[axis], t.askGrid)
	}
	// Beyond a limit is the next step, or if that cannot be asked the next dimension that can.
	next := func(limit, d int64) int64 {
		switch {
		case (limit+d)%t.askGrid == 0:
			return limit + d
		case d < 0:
			return roundDown(limit-1, t.askGrid)
		}
		return roundUp(limit+1, t.askGrid)
	}
	for i, rule := range t.limitTests {
		unknown := t.profile.article.ends[rule.axis][rule.end]
		at := first
		for _, earlier := range t.limitTests[:i] {
			low, high := t.profile.article.ends[earlier.axis][minimum], t.profile.article.ends[earlier.axis][maximum]
			if low.UpperBound() == t.low[earlier.axis] && high.LowerBound() < t.high[earlier.axis] {
				at[earlier.axis] = last[earlier.axis]
			}
		}
		switch {
		case rule.end == minimum && unknown.LowerBound() < t.low[rule.axis]:
			at[rule.axis] = next(t.low[rule.axis], -t.step)
		case rule.end == maximum && unknown.UpperBound() > t.high[rule.axis]:
			at[rule.axis] = next(t.high[rule.axis], t.step)
		default:
			continue
		}
		if at[0] > 0 && at[1] > 0 && at[2] > 0 {
			t.askBox(at)
		}
	}
	// How far the last axis goes, most often some box above shows.
	for axis := range exact.Axes {
		for end, wanted := range [2]exact.Region{t.nearMinimum(axis), t.nearMaximum(axis)} {
			i := t.profile.article.ends[axis][end]
			if end == minimum && i.UpperBound() > t.low[axis] || end == maximum && i.LowerBound() < t.high[axis] {
				t.ask([]exact.Region{wanted}, 0)
			}
		}
	}
}
