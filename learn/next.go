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

// Next returns a round of at most n boxes to ask, those that tell the most first. Each box is chosen as
// if those before it had got their most likely answers. Next returns no box if it is proved that none
// tells anything more, or none that can be asked: dimensions are positive, with no more decimals than the
// frame allows. It proposes no box about which exact arithmetic and double precision differ if it finds
// another that tells as much. The same answers always give the same boxes.
//
// Next goes through the frame in order, one article in one material at a time. It looks for the box with
// the most information, which is the expected entropy of its answer:
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

// next returns the box to ask, with its most likely answer.
func (l *Learner) next() (b boxrules.Box, likely boxrules.Code, ok bool) {
	for _, p := range l.profiles {
		if l.skipped[p.box(exact.Point{})] || l.options.Only != nil && !l.options.Only(p.article.Code, p.material) {
			continue
		}
		s := l.newPlanner(p)
		if s.bestInformation > 0 {
			return p.box(s.bestBox), s.mostLikelyAnswer(s.bestBox), true
		}
		boxes, _ := l.adoptConfirmedBlank(p.article)
		for _, box := range boxes {
			if box.Material == p.material {
				at, _ := box.Grid()
				return box, s.mostLikelyAnswer(at), true
			}
		}
	}
	return b, "", false
}

// A planner looks for the box whose answer is expected to tell most about one profile.
//
// Take a maximum width that can be 40 to 400 mm. Asking about 400 tells little, because the box is
// almost certainly refused; asking about 120, which the maximum reaches with probability 0.5,
// halves what is possible. That is one bit, and the planner looks for the box with the most bits.
// The service stops at the first rule that a box violates, so a box tells something about its depth
// only if its width passes: the bits of a later comparison count by the probability that the box
// gets there.
type planner struct {
	*Learner
	*profile
	selectProbability float64           // the probability that an open constraint is selected
	canTell           []bool            // by constraint: whether it is open and some box tells
	hypotheses        []*profile        // the profile with each blank that it may have, or itself if it may have none
	staircases        []*plan.Staircase // by hypothesis with a blank: the sizes that its sheet can have
	bestBox           exact.Point
	bestInformation   float64
	effortPerBox      int // the work of estimating what one box tells
}

// newPlanner returns a planner that has looked for the box that tells most. Its bestInformation is
// 0 if no box tells anything.
func (l *Learner) newPlanner(p *profile) *planner {
	s := &planner{Learner: l, profile: p, effortPerBox: 10}
	for _, holds := range p.violated {
		s.effortPerBox += holds.Size() / 2
	}
	yes, decided := 1.0, 10.0
	s.canTell = make([]bool, len(p.violated))
	var starts []exact.Point
	for i := range p.violated {
		c := p.article.selections[i]
		if c.IsOpen() {
			if s.canTell[i] = !l.isHidden(p.article, i); s.canTell[i] {
				if at, ok := l.findRound(p, append(p.allowed(i), p.violated[i])...); ok {
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
	s.selectProbability = yes / decided
	hypotheses := l.hypotheses(p)
	if s.hypotheses = hypotheses; len(hypotheses) == 0 {
		s.hypotheses = []*profile{p}
	}
	for _, sized := range hypotheses {
		stairs := plan.NewStaircase(l.prior, sized.sheet)
		s.staircases = append(s.staircases, stairs)
		if at, ok := l.findRound(sized, sized.informative()...); ok {
			starts = append(starts, at, l.findEvenChance(sized, stairs, at))
		}
	}
	if p.blank == nil {
		for _, finest := range []int64{l.askStep(), l.askGrid} {
			if at, answer := l.findDisagreement(p, finest, hypotheses); answer == polytope.Something {
				starts = append(starts, at)
				break
			}
		}
	}
	for _, w := range l.candidateValues(p, 0) {
		for _, d := range l.candidateValues(p, 1) {
			for _, h := range l.candidateValues(p, 2) {
				s.consider(exact.Point{w, d, h})
			}
		}
	}
	for _, at := range starts {
		s.consider(at)
	}
	return s
}

// findEvenChance returns a box whose blank fits about as likely as not, or one as near to that as
// it finds, starting from a box that may tell about the sheet. Quantiles of the dimensions do not
// find such a box if few boxes are allowed: if depth and height have to be equal, for example, they
// would go along the sheet one step a question.
func (l *Learner) findEvenChance(p *profile, t *plan.Staircase, at exact.Point) exact.Point {
	find := func(from, to float64) (exact.Point, bool) { // that fits with a chance from one to the other
		return l.findRound(p, append(p.informative(), p.fitsOneOf(t.Level(from)...), exact.Not(p.fitsOneOf(t.Level(to)...)))...)
	}
	if at, ok := find(0.35, 0.65); ok {
		return at
	}
	if t.Fits(p.blank.size(at)) < 0.5 {
		return l.findSmallerBlank(p, at)
	}
	for rest := 0.2; rest > 0.0005; rest /= 2 {
		if at, ok := find(0.65, 1-rest); ok {
			return at
		}
	}
	return at
}

// findSmallerBlank returns a box like the one given, with one of the smallest blanks that may tell
// about the sheet. A refusal of it tells more than that of any other box.
func (l *Learner) findSmallerBlank(p *profile, at exact.Point) exact.Point {
	size := p.blank.size(at)
	for side := range state.Sides {
		for low, high := l.step, size[side]; low < high; {
			size[side] = roundDown(low+(high-low)/2, l.step)
			if smaller, ok := l.findRound(p, append(p.informative(), p.fitsOneOf(size))...); ok {
				at, high = smaller, size[side]
			} else {
				low, size[side] = size[side]+l.step, high
			}
		}
	}
	return at
}

// fitsOneOf returns the boxes whose blank fits one of the sheets.
func (p *profile) fitsOneOf(sheets ...exact.Point) exact.Region {
	var either []exact.Region
	for _, size := range sheets {
		either = append(either, exact.Not(p.exceedsSheet(size)))
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
		for _, x := range []int64{roundUp(x, l.askGrid), roundDown(x, l.askGrid)} {
			if x > 0 && x <= roundUp(l.maxLimit, l.askGrid) && !slices.Contains(values, x) {
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
		add(roundDown(from+int64(q*float64(to-from)), l.step))
	}
	return values
}

// consider keeps the box if it tells more than the best one so far.
func (p *planner) consider(at exact.Point) {
	p.work.Spend(p.effortPerBox)
	all := len(p.codes) - 1
	v := p.information(at, all)
	if v <= p.bestInformation+1e-9 || p.skipped[p.box(at)] {
		return
	}
	for _, hypothesis := range p.hypotheses {
		switch n, agreed := p.certainComparisons(hypothesis, at); {
		case n < all:
			v = min(v, p.information(at, n)/2)
		case !agreed:
			v *= 1 - 1e-6 // another box that tells as much comes first
		}
	}
	if v > p.bestInformation+1e-9 {
		p.bestBox, p.bestInformation = at, v
	}
}

// information returns how much the answer to a box is expected to tell about its first n
// comparisons, in bits.
func (p *planner) information(at exact.Point, n int) float64 {
	total, reach := 0.0, 1.0
	for k := range n {
		if k == len(p.limitTests) {
			reach *= p.unmaskedProbability(at)
		}
		probability := p.failProbability(at, k)
		total += reach * plan.Entropy(probability)
		if reach *= 1 - probability; reach < 1e-6 {
			break
		}
	}
	for i, holds := range p.violated {
		if p.canTell[i] && onLimit(holds, at) {
			return total / 2 // a service that computes in floating point may differ there
		}
	}
	return total
}

// failProbability returns the probability that the box fails comparison k, if the service gets
// there.
func (p *planner) failProbability(at exact.Point, k int) float64 {
	if k >= len(p.limitTests)+len(p.violated) {
		return 1 - p.fitProbability(at)
	}
	if i := k - len(p.limitTests); i >= 0 {
		selected := p.article.selections[i].IsSelected()
		if !selected && !p.canTell[i] || !p.violated[i].Contains(at) {
			return 0
		}
		if selected {
			return 1
		}
		return p.selectProbability
	}
	c, _ := p.comparison(p.profile, at, k)
	atLeast := p.prior.AtLeast(c.unknown.(*state.Limit), c.at[0])
	if c.failsOutside {
		return 1 - atLeast
	}
	return atLeast
}

// fitProbability returns the probability that the blank fits. It is 1 if no blank is known.
func (p *planner) fitProbability(at exact.Point) float64 {
	if len(p.staircases) == 0 {
		return 1
	}
	total := 0.0
	for i := range p.staircases {
		total += p.staircases[i].Fits(p.hypotheses[i].blank.size(at))
	}
	return total / float64(len(p.staircases))
}

func (p *planner) mostLikelyAnswer(at exact.Point) boxrules.Code {
	for k := range p.codes[1:] {
		if p.failProbability(at, k) > 0.5 {
			return p.codes[k]
		}
	}
	return ""
}

// clone returns a Learner that knows the same and learns by itself from then on.
func (l *Learner) clone() *Learner {
	c, err := New(l.engine.Rules(), l.frame, l.options)
	if err != nil {
		panic(err) // l was made of these
	}
	c.answerCount, c.work, c.skipped = l.answerCount, l.work, maps.Clone(l.skipped)
	for i, u := range l.unknowns {
		c.unknowns[i].SetTo(u)
	}
	for i, a := range l.articles {
		c.articles[i].Blank, c.articles[i].candidates, c.articles[i].chosen = a.Blank, a.candidates, a.chosen
	}
	for i, p := range l.profiles {
		c.profiles[i].blank = p.blank
		c.profiles[i].judged, c.profiles[i].masked = slices.Clone(p.judged), slices.Clone(p.masked)
	}
	return c
}
