package learn

import (
	"maps"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/learn/internal/plan"
	"example.com/boxrules/learn/internal/state"
)

// Next returns a round of at most n boxes to ask, those that tell the most first; of several, each
// is chosen as if the ones before had been answered as is most likely. It returns none where it is
// proved that no box tells anything more, or none that may be asked: dimensions are positive, with
// no more decimals than the frame allows. It asks no box about which exact arithmetic and double
// precision differ if it finds another that tells as much. The same answers always give the same boxes.
//
// It goes through the frame in order, an article in a material at a time. The value of a box is the
// information that its answer is expected to give, the entropy of
//
//	H(width) + P(within)·[H(depth) + P(within)·[H(height) + P(within)·H(first code, fit)]]
//
// as in generalized binary search (Nowak, The Geometry of Generalized Binary Search, 2011).
func (l *Learner) Next(n int) []boxrules.Box {
	l.work = polytope.NewBudget(maxWork)
	var round []boxrules.Box
	asked := l
	for len(round) < n {
		b, likely, ok := asked.next()
		if !ok {
			break
		}
		if round = append(round, b); len(round) < n {
			if asked == l {
				asked = l.clone()
			}
			// Whatever is likely contradicts nothing that is known.
			_ = asked.Add(Answer{Box: b, Code: likely})
			asked.skipped[b] = true
		}
	}
	return round
}

// next returns the box to ask, with the answer that is most likely.
func (l *Learner) next() (b boxrules.Box, likely boxrules.Code, ok bool) {
	for _, p := range l.profiles {
		if l.skipped[p.box(exact.Point{})] || l.options.Only != nil && !l.options.Only(p.article.Code, p.material) {
			continue
		}
		s := l.plan(p)
		if s.value > 0 {
			return p.box(s.best), s.likeliest(s.best), true
		}
		boxes, _ := l.confirmBlank(p.article)
		for _, box := range boxes {
			if box.Material == p.material {
				at, _ := box.Grid()
				return box, s.likeliest(at), true
			}
		}
	}
	return b, "", false
}

// A planner looks for the box that tells most of one profile.
type planner struct {
	*Learner
	*profile
	selects float64           // the probability that an open constraint is selected
	open    []bool            // by constraint: it may be, and some box tells
	about   []*profile        // it with each blank that it may have, or itself if none is known
	sheets  []*plan.Staircase // of these blanks
	best    exact.Point
	value   float64
	effort  int // to tell what one box tells
}

// plan returns a planner that has looked for the box that tells most. Its value is 0 where no box
// tells anything.
func (l *Learner) plan(p *profile) *planner {
	s := &planner{Learner: l, profile: p, effort: 10}
	for _, holds := range p.holds {
		s.effort += holds.Size() / 2
	}
	yes, decided := 1.0, 10.0
	s.open = make([]bool, len(p.holds))
	var starts []exact.Point
	for i := range p.holds {
		c := p.article.choices[i]
		if c.IsOpen() {
			if s.open[i] = !l.hidden(p.article, i); s.open[i] {
				if at, ok := l.findRound(p, append(p.kept(i), p.holds[i])...); ok {
					starts = append(starts, at)
				}
			}
			continue
		}
		decided++
		if c.IsSelected() {
			yes++
		}
	}
	s.selects = yes / decided
	hypotheses := l.hypotheses(p)
	if s.about = hypotheses; len(hypotheses) == 0 {
		s.about = []*profile{p}
	}
	for _, sized := range hypotheses {
		stairs := plan.NewStaircase(l.prior, sized.sheet)
		s.sheets = append(s.sheets, stairs)
		if at, ok := l.findRound(sized, sized.exceeding()...); ok {
			starts = append(starts, at, l.evenChance(sized, stairs, at))
		}
	}
	if p.blank == nil {
		for _, finest := range []int64{l.askStep(), l.finest} {
			if at, answer := l.differ(p, finest, hypotheses); answer == polytope.Something {
				starts = append(starts, at)
				break
			}
		}
	}
	for _, w := range l.candidateValues(p, 0) {
		for _, d := range l.candidateValues(p, 1) {
			for _, h := range l.candidateValues(p, 2) {
				s.try(exact.Point{w, d, h})
			}
		}
	}
	for _, at := range starts {
		s.try(at)
	}
	return s
}

// evenChance returns a box whose blank fits about as likely as not, or the nearest to that from a
// box that may tell of the sheet. Quantiles do not find it where valid boxes are few, as where
// depth and height have to be equal: there it would go along the sheet a step a question.
func (l *Learner) evenChance(p *profile, t *plan.Staircase, at exact.Point) exact.Point {
	find := func(from, to float64) (exact.Point, bool) { // that fits with a chance from one to the other
		return l.findRound(p, append(p.exceeding(), p.within(t.Level(from)...), exact.Not(p.within(t.Level(to)...)))...)
	}
	if at, ok := find(0.35, 0.65); ok {
		return at
	}
	if t.Fits(p.blank.sides(at)) < 0.5 {
		return l.shrunk(p, at)
	}
	for rest := 0.2; rest > 0.0005; rest /= 2 {
		if at, ok := find(0.65, 1-rest); ok {
			return at
		}
	}
	return at
}

// shrunk returns a box like the one given, one of those with the smallest blanks that may tell of
// the sheet: no other box would tell what a refusal of it tells.
func (l *Learner) shrunk(p *profile, at exact.Point) exact.Point {
	size := p.blank.sides(at)
	for side := range state.Sides {
		for low, high := l.step, size[side]; low < high; {
			size[side] = down(low+(high-low)/2, l.step)
			if smaller, ok := l.findRound(p, append(p.exceeding(), p.within(size))...); ok {
				at, high = smaller, size[side]
			} else {
				low, size[side] = size[side]+l.step, high
			}
		}
	}
	return at
}

// within returns where the blank fits one of the sheets.
func (p *profile) within(sheets ...exact.Point) exact.Region {
	var either []exact.Region
	for _, size := range sheets {
		either = append(either, exact.Not(p.beyond(size)))
	}
	return exact.AnyOf(either...)
}

// quantiles are the shares of a limit's possible values at which asking is worthwhile: 0.5 halves them,
// and the others are for boxes whose answer can tell of several limits at once.
var quantiles = []float64{0.5, 0.35, 0.25, 0.2, 0.14, 0.08}

// candidateValues returns the values of one dimension that are worth asking: those at quantiles of its
// minimum and of its maximum, and some that are certainly or most likely within both.
func (l *Learner) candidateValues(p *profile, axis int) []int64 {
	low, high := p.article.ends[axis][minimum], p.article.ends[axis][maximum]
	var values []int64
	add := func(x int64) {
		for _, x := range []int64{up(x, l.finest), down(x, l.finest)} {
			if x > 0 && x <= up(l.maxLimit, l.finest) && !slices.Contains(values, x) {
				values = append(values, x)
			}
		}
	}
	for _, q := range quantiles {
		if low.LowerBound() < low.UpperBound() {
			add(max(low.LowerBound(), l.prior.Quantile(low.LowerBound(), low.UpperBound(), 1-q)-l.step))
		}
		if high.LowerBound() < high.UpperBound() {
			add(min(high.UpperBound(), l.prior.Quantile(high.LowerBound(), high.UpperBound(), q)+l.step))
		}
	}
	from, to := min(low.UpperBound(), high.LowerBound()), max(low.UpperBound(), high.LowerBound())
	for _, q := range []float64{0, 0.03, 0.1, 0.25, 0.5, 0.75, 0.9, 1} {
		add(down(from+int64(q*float64(to-from)), l.step))
	}
	return values
}

// try keeps the point where it tells more than the best so far.
func (s *planner) try(at exact.Point) {
	s.work.Spend(s.effort)
	all := len(s.codes) - 1
	v := s.information(at, all)
	if v <= s.value+1e-9 || s.skipped[s.box(at)] {
		return
	}
	for _, p := range s.about {
		switch n, agreed := s.agreed(p, at); {
		case n < all:
			v = min(v, s.information(at, n)/2)
		case !agreed:
			v *= 1 - 1e-6 // another box that tells as much comes first
		}
	}
	if v > s.value+1e-9 {
		s.best, s.value = at, v
	}
}

// information returns how much the answer to a box is expected to tell of the first n questions, in bits.
func (s *planner) information(at exact.Point, n int) float64 {
	total, reach := 0.0, 1.0
	for k := range n {
		if k == len(s.tests) {
			reach *= s.clear(at)
		}
		p := s.fails(at, k)
		total += reach * plan.Entropy(p)
		if reach *= 1 - p; reach < 1e-6 {
			break
		}
	}
	for i, holds := range s.holds {
		if s.open[i] && onLimit(holds, at) {
			return total / 2 // a service that computes in floating point may differ there
		}
	}
	return total
}

// fails returns the probability that the box fails question k, if it gets there.
func (s *planner) fails(at exact.Point, k int) float64 {
	if k >= len(s.tests)+len(s.holds) {
		return 1 - s.fits(at)
	}
	if i := k - len(s.tests); i >= 0 {
		selected := s.article.choices[i].IsSelected()
		if !selected && !s.open[i] || !s.holds[i].Contains(at) {
			return 0
		}
		if selected {
			return 1
		}
		return s.selects
	}
	c, _ := s.comparison(s.profile, at, k)
	atLeast := s.prior.AtLeast(c.unknown.(*state.Limit), c.at[0])
	if c.failsOutside {
		return 1 - atLeast
	}
	return atLeast
}

// fits returns the probability that the blank fits. It returns 1 where no blank is known.
func (s *planner) fits(at exact.Point) float64 {
	if len(s.sheets) == 0 {
		return 1
	}
	total := 0.0
	for i := range s.sheets {
		total += s.sheets[i].Fits(s.about[i].blank.sides(at))
	}
	return total / float64(len(s.sheets))
}

// likeliest returns the most likely answer to a box.
func (s *planner) likeliest(at exact.Point) boxrules.Code {
	for k := range s.codes[1:] {
		if s.fails(at, k) > 0.5 {
			return s.codes[k]
		}
	}
	return ""
}

// clone returns a Learner that knows the same, and goes on alone.
func (l *Learner) clone() *Learner {
	c, err := New(l.engine.Rules(), l.frame, l.options)
	if err != nil {
		panic(err) // l was made of these
	}
	c.rows, c.work, c.skipped = l.rows, l.work, maps.Clone(l.skipped)
	for i, u := range l.unknowns {
		c.unknowns[i].SetTo(u)
	}
	for i, a := range l.articles {
		c.articles[i].Blank, c.articles[i].candidates, c.articles[i].chosen = a.Blank, a.candidates, a.chosen
	}
	for i, p := range l.profiles {
		c.profiles[i].blank = p.blank
		c.profiles[i].reached, c.profiles[i].masked = slices.Clone(p.reached), slices.Clone(p.masked)
	}
	return c
}
