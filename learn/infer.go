package learn

import (
	"fmt"
	"slices"
	"time"

	"example.com/boxrules/exact"
	"example.com/boxrules/limits"
)

// evidence names the answer that a fact rests on. The zero evidence stands for an assumption.
type evidence struct {
	seq, row int
	date     time.Time
	material string
}

// clashes keeps the last contradiction about one unknown, and how many there were.
type clashes struct {
	last  *Contradiction
	count int
}

// A bound says that an unknown is at least a value, or at most, both inclusive.
type bound struct {
	value int64 // on the grid, a multiple of the step
	box   int64 // the dimension that was asked
	evidence
}

// An interval keeps what is known of a limit. It keeps also weaker bounds that are newer than the
// strongest, for they count once that is forgotten: the bounds of a side get weaker from the oldest
// to the newest.
type interval struct {
	ends   [2]int64 // what is assumed
	bounds [2][]bound
	clashes
}

// bound returns the strongest bound of a side, least or greatest.
func (i *interval) bound(side int) bound {
	if len(i.bounds[side]) == 0 {
		return bound{value: i.ends[side]}
	}
	return i.bounds[side][0]
}

func (i *interval) least() int64    { return i.bound(least).value }
func (i *interval) greatest() int64 { return i.bound(greatest).value }

// stronger reports whether a bound of the side says more than another.
func stronger(side int, b, c int64) bool { return side == least && b > c || side == greatest && b < c }

// learn adds a bound. Where older ones contradict it, it returns the newest of those and forgets
// all up to that: what is left is the longest run of answers up to this one that can all be true. A
// bound that says no more than what is assumed is not added.
func (i *interval) learn(side int, b bound) (old bound, contradicts bool) {
	if !stronger(side, b.value, i.ends[side]) {
		return bound{}, false
	}
	for _, other := range i.bounds[1-side] {
		if stronger(side, b.value, other.value) {
			old, contradicts = other, true
		}
	}
	if contradicts {
		forgotten := func(b bound) bool { return b.seq <= old.seq }
		i.bounds[0], i.bounds[1] = slices.DeleteFunc(i.bounds[0], forgotten), slices.DeleteFunc(i.bounds[1], forgotten)
	}
	kept := i.bounds[side]
	for len(kept) > 0 && !stronger(side, kept[len(kept)-1].value, b.value) {
		kept = kept[:len(kept)-1]
	}
	i.bounds[side] = append(kept, b)
	return old, contradicts
}

// A choice keeps whether an article selects a constraint, as far as is known.
type choice struct {
	state    state
	evidence // of the state
	clashes
	seen   exact.Point // a box that could tell, as far as was known when it was found
	hidden bool        // it is proved that no box can tell
}

type state uint8

const (
	open state = iota
	selected
	unselected
)

// An inference draws from one answer what it says of each unknown. It does so twice: first only
// checking that limits explain it at all.
type inference struct {
	*Learner
	p *profile
	evidence
	checking bool           // whether the answer is only looked at for whether any limits explain it
	found    *Contradiction // the first
}

// report keeps a contradiction between what was known and this answer, and returns true. It returns
// false where what was known is so old that it gives way without a word.
func (r *inference) report(c *clashes, what, note string, old ...evidence) bool {
	for i := range r.p.article.choices {
		r.p.article.choices[i].hidden = false // what is forgotten may have hidden it
	}
	contradiction := &Contradiction{What: what, Since: r.date, Note: note}
	if what == "sheet" {
		contradiction.Material = r.p.material.Code
	} else {
		contradiction.Article = r.p.article.Code
	}
	for _, e := range old {
		if !e.date.IsZero() && e.date.Before(r.options.Since) {
			return false
		}
		if !slices.Contains(contradiction.Rows, e.row) {
			contradiction.Rows = append(contradiction.Rows, e.row)
		}
		if note == "" && what != "sheet" && e.material != r.material {
			contradiction.Note = fmt.Sprintf("one is in %s, the other in %s: do the limits differ by material?", e.material, r.material)
		}
	}
	if contradiction.Rows = append(contradiction.Rows, r.row); c.count > 1 && contradiction.Note == "" {
		contradiction.Note = "answers go back and forth: do they depend on something that the rows do not show, such as type or account?"
	}
	c.last = contradiction
	c.count++
	if r.found == nil {
		r.found = contradiction
	}
	return true
}

// constrain adds a bound of one end of the range of an axis: for a box of width 20 that is within,
// say, that min_width is at most 20.
func (r *inference) constrain(axis, end, side int, value, box int64) {
	unknown := &r.p.article.ends[axis][end]
	if r.checking {
		if stronger(side, value, unknown.ends[1-side]) {
			r.report(&unknown.clashes, limitName(axis, end), fmt.Sprintf(
				"no limit from %s to %s explains it: are limits greater or smaller than assumed?", units(r.step), units(r.greatest)))
		}
		return
	}
	if old, contradicts := unknown.learn(side, bound{value, box, r.evidence}); contradicts {
		note := ""
		// Between the two boxes there is room for a limit, but for none on the grid.
		if side == greatest && old.box < box || side == least && old.box > box {
			note = fmt.Sprintf("no multiple of %s explains both: is the step finer?", units(r.step))
		}
		r.report(&unknown.clashes, limitName(axis, end), note, old.evidence)
	}
}

// limitName returns a limit's name in rules, such as max_depth.
func limitName(axis, end int) string { return [2]string{"min_", "max_"}[end] + exact.AxisNames()[axis] }

// inferWithin learns that the box keeps the tests.
func (r *inference) inferWithin(at exact.Point, tests []test) {
	for _, t := range tests {
		x := at[t.axis]
		if t.end == least {
			r.constrain(t.axis, least, greatest, down(x, r.step), x)
		} else {
			r.constrain(t.axis, greatest, least, up(x, r.step), x)
		}
	}
}

// inferBeyond learns that the box fails the test. It learns of both ends of the range, as no
// minimum is greater than its maximum: a box of width 19 below the minimum shows that both are at
// least 20.
func (r *inference) inferBeyond(at exact.Point, t test) {
	x := at[t.axis]
	if t.end == least {
		r.constrain(t.axis, least, least, down(x, r.step)+r.step, x)
		r.constrain(t.axis, greatest, least, down(x, r.step)+r.step, x)
	} else {
		r.constrain(t.axis, greatest, greatest, up(x, r.step)-r.step, x)
		r.constrain(t.axis, least, greatest, up(x, r.step)-r.step, x)
	}
}

// inferUnselected learns that the article selects none of the constraints before end that hold for
// the box.
func (r *inference) inferUnselected(at exact.Point, end int) {
	if r.checking {
		return
	}
	for i, holds := range r.p.holds[:end] {
		if holds.Holds(at) {
			r.inferSelected(i, false)
		}
	}
}

// inferSelected learns whether the article selects constraint i.
func (r *inference) inferSelected(i int, yes bool) {
	if r.checking {
		return
	}
	c, now := &r.p.article.choices[i], unselected
	if yes {
		now = selected
	}
	if c.state != open && c.state != now {
		r.report(&c.clashes, string(r.codes[i]), "", c.evidence)
	}
	c.state, c.evidence, c.hidden = now, r.evidence, false
}

// inferFit learns that the blank of the box fits the sheet, or that it does not.
func (r *inference) inferFit(at exact.Point, yes bool) {
	if r.p.blank == nil {
		if r.checking {
			return
		}
		if old, contradicts := r.p.observations.learn(at, yes, r.evidence); contradicts {
			r.report(&r.p.observations.clashes, "sheet", "a box fits that is larger than one that does not, or the answers differ", old)
		}
		for _, c := range r.p.article.candidates {
			c.learn(r.p, at, yes, r.evidence)
		}
		return
	}
	s, c := r.p.sheet, corner{evidence: r.evidence}
	c.long, c.short = r.p.blank.sides(at)
	if r.checking {
		if s.impossible(c, yes) {
			r.report(&s.clashes, "sheet", "no sheet is so "+map[bool]string{true: "large", false: "small"}[yes])
		}
		return
	}
	for _, old := range s.learn(c, yes) {
		if r.report(&s.clashes, "sheet", "", old...) {
			return
		}
	}
}

// units returns a coordinate of the grid as a decimal: "0.5" for 500.
func units(x int64) string { return limits.DecimalAt(x).String() }
