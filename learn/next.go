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

// Next returns at most n boxes to ask about, beginning with the one whose answer tells the most. It chooses each
// box as if the boxes before it had already got their most likely answers. If it knows of no box whose answer
// would tell anything more, it returns none. Dimensions are positive, and have no more decimals than the frame
// allows. If exact arithmetic and double precision differ about a box, Next prefers another box that tells as
// much. After the same answers, it always returns the same boxes.
//
// Next goes through the articles and materials in the order of the frame, and asks about one article in one
// material until nothing is left to learn. It looks for the box with the most information, which is the
// expected entropy of its answer:
//
//	H(width) + P(within)·[H(depth) + P(within)·[H(height) + P(within)·H(first code, fit)]]
//
// This is generalized binary search (Nowak, The Geometry of Generalized Binary Search, 2011).
func (l *Learner) Next(n int) []boxrules.Box {
	l.work = polytope.NewBudget(maxWork)
	var round []boxrules.Box
	learner := l // replaced by a copy after the first box, so that answers that are only likely do not reach l
	for len(round) < n {
		b, likely, ok := learner.next()
		if !ok {
			break
		}
		if round = append(round, b); len(round) < n {
			if learner == l {
				learner = l.clone()
			}
			// A likely answer agrees with everything that is known, so Add reports no contradiction. If the
			// box is borderline, its answer may tell nothing. Skip the box, so that it is not proposed again.
			_ = learner.Add(Answer{Box: b, Code: likely})
			learner.skipped[b] = true
		}
	}
	return round
}

// next returns the box to ask about next and its most likely answer. ok is false if there is nothing more to ask.
func (l *Learner) next() (b boxrules.Box, likely boxrules.Code, ok bool) {
	l.updateConditions(l.articles...)
	for _, p := range l.profiles {
		if l.skipped[p.box(exact.Point{})] || l.options.Only != nil && !l.options.Only(p.article.Code, p.material) {
			continue
		}
		s := l.newPlanner(p)
		if s.bestInformation > 0 {
			return p.box(s.bestBox), s.mostLikelyAnswer(s.bestBox), true
		}
		// No box tells anything about the limits, the constraints or the sheet. But if only one formula for
		// the blank is left, boxes on its border may still have to confirm it.
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

// A planner looks for the box whose answer is expected to tell the most about one profile.
//
// Take a maximum width that can be 40 to 400 mm. Asking about a box of width 400 tells little, because it is
// almost certainly refused. If the maximum is at least 120 with probability 0.5, asking about 120 rules out
// half of the possible values, whatever the answer is. That is one bit, and the planner looks for the box
// with the most bits.
//
// A box can tell several things, but the service stops at the first rule that the box violates. So each
// comparison counts by the probability that the service gets there. If the width passes with probability 0.5,
// and the question about the depth is worth 0.8 bits, the box is worth 1 + 0.5·0.8 = 1.4 bits.
type planner struct {
	*Learner
	*profile
	selectProbability float64           // the probability that an open constraint is selected
	canTell           []bool            // by condition rule: whether it is open and some box can show whether it is selected
	hypotheses        []*profile        // a copy of the profile for each possible blank; only the profile itself if there is none
	staircases        []*plan.Staircase // by hypothesis with a blank: the sizes that its sheet can have
	bestBox           exact.Point
	bestInformation   float64 // that bestBox is expected to give, in bits
	effortPerBox      int     // the work of estimating what one box tells
}

// newPlanner returns a planner that has already looked for the box that tells the most. Its bestInformation is 0
// if it has found no box that tells anything.
//
// It computes the information of two kinds of boxes. First, boxes with every combination of promising values of
// the three dimensions, which show what can be learned about limits. But a constraint or a sheet may depend on a
// few boxes that these combinations miss, such as those with width = depth. So the planner also searches for one
// box for each open constraint, and for a box whose blank may or may not fit.
func (l *Learner) newPlanner(p *profile) *planner {
	s := &planner{Learner: l, profile: p, effortPerBox: 10}
	for _, c := range p.conditions {
		s.effortPerBox += c.violated.Size() / 2
	}
	// The probability that an open constraint is selected is the share of selected ones among the decided ones.
	// The counts begin with 1 of 10, so that the first answers do not make the probability 0 or 1.
	selectedCount, decidedCount := 1.0, 10.0
	s.canTell = make([]bool, len(p.conditions))
	var starts []exact.Point
	for i, c := range p.article.selections {
		if c.IsOpen() {
			if s.canTell[i] = !l.isHidden(p.article, i); s.canTell[i] {
				if at, ok := l.findAskable(p, append(p.allowed(i), p.conditions[i].violated)...); ok {
					starts = append(starts, at)
				}
			}
			continue
		} else if c.IsAlways() {
			continue
		}
		decidedCount++
		if c.IsSelected() {
			selectedCount++
		}
	}
	s.selectProbability = selectedCount / decidedCount
	if !slices.Contains(s.canTell, true) && !l.limitsOrFitsOpen(p) {
		return s // nothing is left to learn; checking that first is faster than looking for a box
	}
	hypotheses := l.hypotheses(p)
	if s.hypotheses = hypotheses; len(hypotheses) == 0 {
		s.hypotheses = []*profile{p}
	}
	for _, sized := range hypotheses {
		stairs := plan.NewStaircase(l.prior, sized.sheet)
		s.staircases = append(s.staircases, stairs)
		if at, ok := l.findAskable(sized, sized.informative()...); ok {
			starts = append(starts, at, l.findEvenChance(sized, stairs, at))
		}
	}
	// A box about which two formulas disagree shows that one of them is wrong. Prefer multiples of the step.
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

// limitsOrFitsOpen reports whether there may be something left to learn about the limits, or about which blanks fit.
func (l *Learner) limitsOrFitsOpen(p *profile) bool {
	for _, ends := range p.article.rangeEnds {
		for _, u := range ends {
			if u.LowerBound() < u.UpperBound() {
				return true
			}
		}
	}
	if p.blank == nil {
		return l.hasSizeRule && p.article.triesFormulas
	}
	if !l.hasSizeRule || p.sheet.IsKnown() {
		return false
	}
	_, answer := l.find(p, l.askGrid, p.informative()...)
	return answer != polytope.Nothing
}

// findEvenChance returns a box whose blank fits with a probability of about 0.5, or the one nearest to that
// that it finds. at is a box that may tell something about the sheet; it is returned if nothing better is
// found.
//
// The values of candidateValues do not contain such a box if the constraints allow few boxes. If depth and
// height have to be equal, for example, hardly any combination of them is allowed, and the planner would
// approach the size of the sheet by one step with each question.
func (l *Learner) findEvenChance(p *profile, t *plan.Staircase, at exact.Point) exact.Point {
	// find looks for a box that fits with a probability between the two: its blank fits one of the sizes of
	// the first level, and none of the second, which are smaller.
	find := func(from, to float64) (exact.Point, bool) {
		return l.findAskable(p, append(p.informative(), p.fitsOneOf(t.Level(from)...), exact.Not(p.fitsOneOf(t.Level(to)...)))...)
	}
	if at, ok := find(0.35, 0.65); ok {
		return at
	}
	// There is no such box. If the box at probably does not fit, a smaller blank is better. Otherwise accept
	// boxes that are more and more likely to fit.
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

// findSmallerBlank returns a box with one of the smallest blanks that may tell something about the sheet. It
// begins with the blank of the box at, and makes the longer side as short as possible, and then the shorter
// side. All of these boxes are likely to be refused, and the refusal of a small blank tells the most.
func (l *Learner) findSmallerBlank(p *profile, at exact.Point) exact.Point {
	size := p.blank.size(at)
	for side := range state.Sides {
		// Bisect. Some informative box has a blank that fits size if this side is high, and no informative
		// box has a blank that fits if this side is less than low.
		for low, high := l.step, size[side]; low < high; {
			size[side] = roundDown(low+(high-low)/2, l.step)
			if smaller, ok := l.findAskable(p, append(p.informative(), p.fitsOneOf(size))...); ok {
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
	var alternatives []exact.Region
	for _, size := range sheets {
		alternatives = append(alternatives, exact.Not(p.exceedsSheet(size)))
	}
	return exact.AnyOf(alternatives...)
}

// quantiles are the quantiles of a limit's distribution at which it is worth asking about a box. A box at 0.5 fails
// the comparison with a probability of about 0.5, which tells the most about this limit. At smaller quantiles, the
// box is more likely to pass, so its answer may also tell something about later comparisons.
var quantiles = []float64{0.5, 0.35, 0.25, 0.2, 0.14, 0.08}

// candidateValues returns the values of one dimension that are worth asking about: those at the quantiles of its
// minimum and of its maximum, and some between the values that are known to be allowed. Take a minimum of 20
// to 50 and a maximum of 200 to 400. A value between 20 and 50 tells something about the minimum, and one
// between 200 and 400 about the maximum. Values from 50 to 200 are certainly allowed, so the answer tells
// something about the other dimensions.
func (l *Learner) candidateValues(p *profile, axis int) []int64 {
	low, high := p.article.rangeEnds[axis][minimum], p.article.rangeEnds[axis][maximum]
	var values []int64
	// add adds the nearest values above and below x that boxes to ask about can have.
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

// consider computes what a box is expected to tell, and remembers the box if that is more than for the best
// one so far.
func (p *planner) consider(at exact.Point) {
	p.work.Spend(p.effortPerBox)
	comparisonCount := p.informativeComparisons()
	bits := p.information(at, comparisonCount)
	if bits <= p.bestInformation+1e-9 || p.skipped[p.box(at)] {
		return
	}
	// If exact arithmetic and double precision differ about some comparison, the comparisons before it count half,
	// so that a box with a certain answer is preferred. That comparison and the later ones count next to nothing,
	// because the answer may tell nothing about them. They matter only if no other box tells anything.
	for _, hypothesis := range p.hypotheses {
		switch n, agreed := p.certainComparisons(hypothesis, at); {
		case n < comparisonCount:
			bits = min(bits, max(p.information(at, n)/2, bits*1e-6))
		case !agreed:
			bits *= 1 - 1e-6 // prefer another box that tells as much
		}
	}
	if bits > p.bestInformation+1e-9 {
		p.bestBox, p.bestInformation = at, bits
	}
}

// information returns the number of bits that the answer to a box is expected to give about its first n
// comparisons. That is the sum of the entropies of the comparisons, each multiplied by the probability that
// the service gets to it. See the example at planner.
func (p *planner) information(at exact.Point, n int) float64 {
	total, reach := 0.0, 1.0
	for k := range n {
		// After the limits, the service may refuse the box with a code that the rules do not have.
		if k == len(p.limitTests) {
			reach *= p.unmaskedProbability(at)
		}
		probability := p.failProbability(at, k)
		total += reach * plan.Entropy(probability)
		if reach *= 1 - probability; reach < 1e-6 {
			break
		}
	}
	for i, c := range p.conditions {
		if p.canTell[i] && onLimit(c.violated, at) {
			return total / 2 // a service that computes in floating point may differ there
		}
	}
	return total
}

// failProbability returns the probability that the box fails comparison k, given that the service makes it.
// The comparisons are the limit tests, then the constraints, and then the comparison with the sheet.
func (p *planner) failProbability(at exact.Point, k int) float64 {
	if k == p.sheetComparison() && p.hasSizeRule {
		return 1 - p.fitProbability(at)
	}
	if i, ok := p.conditionIndex(k); ok {
		// The box fails a constraint if its condition holds, which is known, and the article selects it,
		// which may not be known yet.
		selected := p.article.selections[i].IsSelected()
		if !selected && !p.canTell[i] || !p.conditions[i].violated.Contains(at) {
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

// fitProbability returns the probability that the blank fits: the mean over the formulas that the blank may
// have. It is 1 if there is no such formula.
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

// clone returns a Learner with the same knowledge, which learns independently of l from then on. It has what
// planning needs, but not what only reports need, such as contradictions.
func (l *Learner) clone() *Learner {
	c, err := newLearner(l.ruleSet, l.frame, l.options, l.truth)
	if err != nil {
		panic(err) // l was made from the same arguments
	}
	c.answerCount, c.work, c.skipped = l.answerCount, l.work, maps.Clone(l.skipped)
	for i, u := range l.unknowns {
		c.unknowns[i].CopyFrom(u)
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
