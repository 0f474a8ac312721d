package learn

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/internal/wording"
)

// A question is one comparison that the service makes of a box: the box fails it where the unknown
// has the point, or where it lacks it.
type question struct {
	of    *unknown
	at    exact.Point
	lacks bool        // whether the box fails where the unknown lacks the point
	asked int64       // of a limit, the dimension of the box
	blank *blank      // which is asked of a sheet, else nil
	box   exact.Point // of the blank
}

// outside returns the point that the unknown is known to lack if the answer is that it lacks the point.
// It is another one for a blank whose size double precision may compute otherwise.
func (q question) outside() exact.Point {
	if q.blank == nil {
		return q.at
	}
	return q.blank.greatest(q.box)
}

// question returns number k of the questions that the service asks of a box in the order of the
// codes, up to the first that the box fails. A constraint whose condition does not hold is never asked.
func (l *Learner) question(p *profile, box exact.Point, k int) (q question, asks asking) {
	if k < len(l.tests) {
		t := l.tests[k]
		q = question{of: p.article.ends[t.axis][t.end], lacks: t.end == greatest, asked: box[t.axis]}
		q.at[0] = up(q.asked, l.step)
		if t.end == least {
			q.at[0] = down(q.asked, l.step) + l.step
		}
		return q, always
	}
	if k -= len(l.tests); k < len(p.holds) {
		return question{of: p.article.choices[k], at: selection}, p.asks(k, box)
	}
	if p.blank == nil {
		return question{of: p.fits, at: box, lacks: true}, always
	}
	return question{of: p.sheet, at: p.blank.least(box), lacks: true, blank: p.blank, box: box}, always
}

// A fact says that the unknown of a question has its point, or that it lacks it.
type fact struct {
	question
	has bool
}

// fact returns the fact that an answer to the question tells.
func (q question) fact(has bool) fact {
	if !has {
		q.at = q.outside()
	}
	return fact{q, has}
}

// possible reports whether some limit file consistent with the answers has the point of the question,
// and whether some does not.
func (q question) possible() (has, lacks bool) {
	has, _ = q.of.possible(q.at)
	_, lacks = q.of.possible(q.outside())
	return has, lacks
}

// ErrOffGrid is the error of [Learner.Add] for an answer about dimensions with more decimals than
// the frame takes, three at most.
var ErrOffGrid = errors.New("a dimension has too many decimals: the answer tells nothing certain")

// ErrBorderline is the error of [Learner.Add] for an answer about a box for which exact arithmetic and
// double precision decide a condition differently that the service may have selected. How it computes is
// not known, so that Add has learned nothing of that constraint, and of all else what is true of either.
var ErrBorderline = errors.New("the box is borderline: the answer tells nothing of a condition that double precision decides otherwise")

// Add learns from an answer. The error is an *InputError where the answer is about no box of the
// frame or its code does not refuse boxes, or [ErrOffGrid]: then nothing is learned. It is
// [ErrUnknownCode] for a refusal by a code that the rules do not have, which tells little. A
// refusal of 48.0004 by the code for its maximum, say, does not tell if the maximum is below 48:
// who knows how the service rounds? It is [ErrBorderline] for an answer that teaches less than others
// because the service may compute in floating point. Or it is a *[Contradiction], the first where there are several.
// Then Add forgets what contradicts the answer, as old answers of a service that has changed should
// be. An answer that no limits explain teaches nothing.
func (l *Learner) Add(a Answer) error {
	p, at, err := l.locate(a.Box)
	if err != nil {
		return err
	}
	if boxrules.DimsAt(at) != a.Dims || at[0]%l.taken != 0 || at[1]%l.taken != 0 || at[2]%l.taken != 0 {
		return ErrOffGrid
	}
	last := slices.Index(l.codes, a.Code)
	if last < 0 && !RefusesBoxes(a.Code) {
		return &boxrules.InputError{Field: "code", Message: wording.Quote(string(a.Code)) + " is not a code of the rules"}
	}
	l.rows++
	e := evidence{seq: l.rows, row: cmp.Or(a.Row, l.rows), date: a.Date, material: a.Material}
	if last < 0 {
		e.code = a.Code
		l.addUnknownCode(p, at, e)
		return ErrUnknownCode
	}
	facts := make([]fact, 0, 64) // enough for most rules, so that they stay on the stack
	borderline := false
	for k := range min(last+1, len(l.codes)-1) {
		q, asks := l.question(p, at, k)
		fails := k == last
		switch {
		case asks == always || asks == perhaps && fails:
			facts = append(facts, q.fact(fails != q.lacks))
		case asks == perhaps:
			selected, _ := q.possible()
			borderline = borderline || selected
		case fails:
			note := "the condition does not hold there" + tied(p.holds[k-len(l.tests)], at)
			return l.contradict(p, q.of, e, note, nil)
		}
		if fails && k < len(l.tests) {
			// No minimum is greater than its maximum: a box of width 19 below the minimum shows
			// that both are at least 20.
			t := l.tests[k]
			q.of = p.article.ends[t.axis][1-t.end]
			facts = append(facts, q.fact(!q.lacks))
		}
	}
	for _, f := range facts {
		l.refute(f)
	}
	if c := l.learn(p, at, facts, e); c != nil {
		return c
	}
	if last >= len(l.tests) {
		p.reached = appendRecent(p.reached, at)
	}
	if borderline {
		return ErrBorderline
	}
	return nil
}

// learn has the unknowns learn the facts, if they can be true at all. It returns the first
// contradiction.
func (l *Learner) learn(p *profile, at exact.Point, facts []fact, e evidence) (first *Contradiction) {
	var clashing []mark
	if sized := &facts[len(facts)-1]; sized.of.bare != nil {
		clashing = l.settle(p, at, *sized, e)
		q, _ := l.question(p, at, len(l.codes)-2)
		*sized = q.fact(sized.has)
	}
	for _, f := range facts {
		if f.of.impossible(f.at, f.has) {
			var old []mark
			note := fmt.Sprintf("no limit from %s to %s explains it: are limits greater or smaller than assumed?",
				units(l.step), units(l.greatest))
			if f.of.what == "sheet" {
				note = "no sheet is so " + map[bool]string{true: "large", false: "small"}[f.has]
				old = clashing
			}
			first = cmp.Or(first, l.contradict(p, f.of, e, note, old))
		}
	}
	if first != nil {
		return first
	}
	for _, f := range facts {
		sets := f.of.learn(mark{f.at, f.asked, e}, f.has)
		if f.of.bare != nil {
			l.keep(p, at, f, e, sets)
		}
		for _, old := range sets {
			note := ""
			if f.of.bare != nil && clashing != nil {
				old, note = clashing, "no formula that is tried for a blank explains them together"
			} else if !f.of.cornered {
				note = "a box fits that is larger than one that does not, or the answers differ"
			} else if f.has && old[0].asked > f.asked || !f.has && old[0].asked < f.asked {
				// Between the two boxes there is room for a limit, but for none on the grid.
				note = fmt.Sprintf("no multiple of %s explains both: is the step finer?", units(l.step))
			}
			if c := l.contradict(p, f.of, e, note, old); c != nil {
				first = cmp.Or(first, c)
				break
			}
		}
	}
	return first
}

// tied returns a remark about a box that lies exactly on a limit of the condition, and "" for any
// other.
func tied(condition exact.Region, at exact.Point) string {
	if onLimit(condition, at) {
		return ", but the box is exactly on its limit, where a service that computes in floating point can differ"
	}
	return ""
}

// contradict keeps a contradiction between what was known and an answer, and returns it. It returns
// nil where what was known is so old that it gives way without a word.
func (l *Learner) contradict(p *profile, u *unknown, e evidence, note string, old []mark) *Contradiction {
	c := &Contradiction{Fact{What: u.what, State: Contradicted, Since: e.date, Note: note}}
	if u.what == "sheet" {
		c.Material = p.material
	} else {
		c.Article = p.article.Code
	}
	for _, o := range old {
		if !o.date.IsZero() && o.date.Before(l.options.Since) {
			return nil
		}
		if !slices.Contains(c.Rows, o.row) {
			c.Rows = append(c.Rows, o.row)
		}
		if note == "" && u.what != "sheet" && o.material != e.material {
			c.Note = fmt.Sprintf("one is in %s, the other in %s: do the limits differ by material?", o.material, e.material)
		}
	}
	if c.Rows = append(c.Rows, e.row); u.clashes > 1 && c.Note == "" {
		c.Note = "answers go back and forth: do they depend on something that the rows do not show, such as type or account?"
	}
	u.last = c
	u.clashes++
	return c
}

// Possible returns the codes that the service may answer for the box, as far as is known: "" stands
// for accepted, and a single element is certain. They come in check order, with "" last. The error
// is an *InputError.
func (l *Learner) Possible(b boxrules.Box) ([]boxrules.Code, error) {
	p, at, err := l.locate(b)
	if err != nil {
		return nil, err
	}
	var codes []boxrules.Code
	for k, code := range l.codes[:len(l.codes)-1] {
		q, asks := l.question(p, at, k)
		if asks == never {
			continue
		}
		fails, keeps := q.possible()
		if q.lacks {
			fails, keeps = keeps, fails
		}
		if fails {
			codes = append(codes, code)
		}
		if !keeps && asks == always {
			return codes, nil
		}
	}
	return append(codes, ""), nil
}

// maxWork bounds the proofs of one call to some seconds.
const maxWork polytope.Budget = 100_000_000

// widest returns the ends of all boxes that may be within the limits, as far as is known.
func (a *article) widest() (low, high exact.Point) {
	for axis := range exact.Axes {
		low[axis], high[axis] = a.ends[axis][least].least(), a.ends[axis][greatest].greatest()
	}
	return low, high
}

// kept returns where no constraint before end holds that the article is known to select.
func (p *profile) kept(end int) []exact.Region {
	var regions []exact.Region
	for i, keeps := range p.keeps[:end] {
		if p.article.choices[i].selected() {
			regions = append(regions, keeps)
		}
	}
	return regions
}

// find looks for a box on the grid of finest that is within the limits as far as is known, at which
// every condition holds.
func (l *Learner) find(p *profile, finest int64, conditions ...exact.Region) (exact.Point, polytope.Answer) {
	low, high := p.article.widest()
	at, answer := l.work.FindOn(finest, polytope.Cube(low, high), conditions...)
	l.undecided = l.undecided || answer == polytope.Undecided
	return at, answer
}

// findRound looks for such a box that may be asked, best one in whole units. It passes over those
// that got no answer, and over borderline ones unless it finds no others.
func (l *Learner) findRound(p *profile, conditions ...exact.Region) (at exact.Point, ok bool) {
	for _, finest := range []int64{l.unit(), l.finest} {
		conditions := slices.Clip(conditions)
		for borderline := 0; borderline < maxBorderline; {
			another, answer := l.find(p, finest, conditions...)
			if answer != polytope.Something {
				break
			}
			conditions = append(conditions, except(another))
			if l.skipped[p.box(another)] {
				continue
			}
			if _, agreed := l.agreed(p, another); agreed {
				return another, true
			}
			if borderline++; !ok {
				at, ok = another, true
			}
		}
		if l.unit() == l.finest {
			break
		}
	}
	return at, ok
}

// maxBorderline bounds the borderline boxes that a search passes over. Of those near each other double
// precision decides some as exact arithmetic does.
const maxBorderline = 10

// except returns where there is another box.
func except(at exact.Point) exact.Region {
	var another []exact.Region
	for axis, x := range at {
		another = append(another, exact.AtMost(axis, x-1), exact.AtLeast(axis, x+1))
	}
	return exact.AnyOf(another...)
}

// hidden reports whether it is proved that no box tells if the article selects constraint i, which
// is open.
func (l *Learner) hidden(a *article, i int) bool {
	for _, p := range a.profiles {
		if _, answer := l.find(p, l.taken, append(p.kept(i), p.holds[i])...); answer != polytope.Nothing {
			return false
		}
	}
	return true
}

// shadows returns constraints that hide constraint i, none of which can be left out.
func (l *Learner) shadows(a *article, i int) (by []int) {
	for j := range i {
		if a.choices[j].selected() {
			by = append(by, j)
		}
	}
	for k := len(by) - 1; k >= 0; k-- {
		fewer := slices.Delete(slices.Clone(by), k, k+1)
		excluded := true
		for _, p := range a.profiles {
			conditions := []exact.Region{p.holds[i]}
			for _, j := range fewer {
				conditions = append(conditions, exact.Not(p.holds[j]))
			}
			_, answer := l.find(p, l.taken, conditions...)
			excluded = excluded && answer == polytope.Nothing
		}
		if excluded {
			by = fewer
		}
	}
	return by
}

// exceeding returns where a blank tells more of the sheet: it is valid otherwise, exceeds the
// corner that the sheet is known to reach, and may fit for all that is known.
func (p *profile) exceeding() []exact.Region {
	s := p.sheet
	reach := s.corner()
	conditions := append(p.kept(len(p.holds)), p.beyond(reach))
	for _, e := range s.minimal() {
		var either []exact.Region
		for side := range sides {
			if reach[side] < e.at[side] {
				either = append(either, exact.Not(p.blank.longer(side, e.at[side]-s.step)))
			}
		}
		conditions = append(conditions, exact.AnyOf(either...))
	}
	return conditions
}

// beyond returns where the blank does not fit a sheet of the size.
func (p *profile) beyond(size exact.Point) exact.Region {
	return exact.AnyOf(p.blank.longer(long, size[long]), p.blank.longer(short, size[short]))
}

// onLimit reports whether a point is exactly on the border of a half-space of the region, on either
// side.
func onLimit(t exact.Region, at exact.Point) bool {
	for h := range t.HalfSpaces() {
		if excess := h.Excess(at); excess == 0 || excess == 1 {
			return true
		}
	}
	return false
}
