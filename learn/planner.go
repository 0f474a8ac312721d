package learn

import (
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/learn/internal/plan"
	"example.com/boxrules/learn/internal/state"
)

// A boxPlanner looks for the box whose answer is expected to tell the most about one profile.
//
// Take a maximum width that can be 40 to 400 mm. Asking about a box of width 400 tells little, because it is
// almost certainly refused. If the maximum is at least 120 with probability 0.5, asking about 120 rules out
// half of the possible values, whatever the answer is. That is one bit, and the planner looks for the box
// with the most bits.
//
// A box can tell several things, but the service stops at the first rule that the box violates. So each
// comparison counts by the probability that the service gets there. If the width passes with probability 0.5,
// and the question about the depth is worth 0.8 bits, the box is worth 1 + 0.5·0.8 = 1.4 bits.
type boxPlanner struct {
	*Learner
	*profile
	selectProbability float64           // the probability that an open constraint is selected
	isInformative     []bool            // by condition rule: whether it is open and some box can show whether it is selected
	hypotheses        []*profile        // a copy of the profile for each possible blank; only the profile itself if there is none
	staircases        []*plan.Staircase // by hypothesis with a blank: the sizes that its sheet can have
	bestBox           exact.Point
	bestInformation   float64 // that bestBox is expected to give, in bits
	effortPerBox      int     // the work of estimating what one box tells
}

// newBoxPlanner returns a planner that has already looked for the box that tells the most. Its bestInformation is 0
// if it has found no box that tells anything.
//
// It computes the information of two kinds of boxes. First, boxes with every combination of promising values of
// the three dimensions, which show what can be learned about limits. But a constraint or a sheet may depend on a
// few boxes that these combinations miss, such as those with width = depth. So the planner also searches for one
// box for each open constraint, and for a box whose blank may or may not fit.
func (l *Learner) newBoxPlanner(p *profile) *boxPlanner {
	s := &boxPlanner{Learner: l, profile: p, effortPerBox: 10}
	for _, c := range p.conditions {
		s.effortPerBox += c.violated.Size() / 2
	}
	// The probability that an open constraint is selected is the share of selected ones among the decided ones.
	// The counts begin with 1 of 10, so that the first answers do not make the probability 0 or 1.
	selectedCount, decidedCount := 1.0, 10.0
	s.isInformative = make([]bool, len(p.conditions))
	var starts []exact.Point
	for i, c := range p.article.selections {
		if c.IsOpen() {
			if s.isInformative[i] = !l.isHiddenConstraint(p.article, i); s.isInformative[i] {
				if at, ok := l.findAskableBox(p, append(p.allowedRegions(i), p.conditions[i].violated)...); ok {
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
	if !slices.Contains(s.isInformative, true) && !l.limitsOrFitsOpen(p) {
		return s // nothing is left to learn; checking that first is faster than looking for a box
	}
	hypotheses := l.candidateProfiles(p)
	if s.hypotheses = hypotheses; len(hypotheses) == 0 {
		s.hypotheses = []*profile{p}
	}
	for _, sized := range hypotheses {
		stairs := plan.NewStaircase(l.prior, sized.sheet)
		s.staircases = append(s.staircases, stairs)
		if at, ok := l.findAskableBox(sized, sized.informativeRegions()...); ok {
			starts = append(starts, at, l.planEvenChance(sized, stairs, at))
		}
	}
	// A box about which two formulas disagree shows that one of them is wrong. Prefer multiples of the step.
	if p.blank == nil {
		for _, finest := range []int64{l.askStep(), l.askGrid} {
			if at, answer := l.findCandidateDisagreement(p, finest, hypotheses); answer == polytope.Something {
				starts = append(starts, at)
				break
			}
		}
	}
	for _, w := range l.plannedValues(p, 0) {
		for _, d := range l.plannedValues(p, 1) {
			for _, h := range l.plannedValues(p, 2) {
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
	_, answer := l.findBox(p, l.askGrid, p.informativeRegions()...)
	return answer != polytope.Nothing
}

// planEvenChance returns a box whose blank fits with a probability of about 0.5, or the one nearest to that
// that it finds. at is a box that may tell something about the sheet; it is returned if nothing better is
// found.
//
// The values of plannedValues do not contain such a box if the constraints allow few boxes. If depth and
// height have to be equal, for example, hardly any combination of them is allowed, and the planner would
// approach the size of the sheet by one step with each question.
func (l *Learner) planEvenChance(p *profile, t *plan.Staircase, at exact.Point) exact.Point {
	// find looks for a box that fits with a probability between the two: its blank fits one of the sizes of
	// the first level, and none of the second, which are smaller.
	find := func(from, to float64) (exact.Point, bool) {
		return l.findAskableBox(p, append(p.informativeRegions(), p.fittingRegion(t.Level(from)...), exact.Not(p.fittingRegion(t.Level(to)...)))...)
	}
	if at, ok := find(0.35, 0.65); ok {
		return at
	}
	// There is no such box. If the box at probably does not fit, a smaller blank is better. Otherwise accept
	// boxes that are more and more likely to fit.
	if t.Fits(p.blank.size(at)) < 0.5 {
		return l.planSmallerBlank(p, at)
	}
	for rest := 0.2; rest > 0.0005; rest /= 2 {
		if at, ok := find(0.65, 1-rest); ok {
			return at
		}
	}
	return at
}

// planSmallerBlank returns a box with one of the smallest blanks that may tell something about the sheet. It
// begins with the blank of the box at, and makes the longer side as short as possible, and then the shorter
// side. All of these boxes are likely to be refused, and the refusal of a small blank tells the most.
func (l *Learner) planSmallerBlank(p *profile, at exact.Point) exact.Point {
	size := p.blank.size(at)
	for side := range state.Sides {
		// Bisect. Some informative box has a blank that fits size if this side is high, and no informative
		// box has a blank that fits if this side is less than low.
		for low, high := l.step, size[side]; low < high; {
			size[side] = roundDown(low+(high-low)/2, l.step)
			if smaller, ok := l.findAskableBox(p, append(p.informativeRegions(), p.fittingRegion(size))...); ok {
				at, high = smaller, size[side]
			} else {
				low, size[side] = size[side]+l.step, high
			}
		}
	}
	return at
}

// quantiles are the quantiles of a limit's distribution at which it is worth asking about a box. A box at 0.5 fails
// the comparison with a probability of about 0.5, which tells the most about this limit. At smaller quantiles, the
// box is more likely to pass, so its answer may also tell something about later comparisons.
var quantiles = []float64{0.5, 0.35, 0.25, 0.2, 0.14, 0.08}

// plannedValues returns the values of one dimension that are worth asking about: those at the quantiles of its
// minimum and of its maximum, and some between the values that are known to be allowed. Take a minimum of 20
// to 50 and a maximum of 200 to 400. A value between 20 and 50 tells something about the minimum, and one
// between 200 and 400 about the maximum. Values from 50 to 200 are certainly allowed, so the answer tells
// something about the other dimensions.
func (l *Learner) plannedValues(p *profile, axis int) []int64 {
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
func (b *boxPlanner) consider(at exact.Point) {
	b.remainingWork.Spend(b.effortPerBox)
	comparisonCount := b.informativeComparisons()
	bits := b.information(at, comparisonCount)
	if bits <= b.bestInformation+1e-9 || b.skipped[b.box(at)] {
		return
	}
	// If exact arithmetic and double precision differ about some comparison, the comparisons before it count half,
	// so that a box with a certain answer is preferred. That comparison and the later ones count next to nothing,
	// because the answer may tell nothing about them. They matter only if no other box tells anything.
	for _, hypothesis := range b.hypotheses {
		switch n, agreed := b.agreedComparisons(hypothesis, at); {
		case n < comparisonCount:
			bits = min(bits, max(b.information(at, n)/2, bits*1e-6))
		case !agreed:
			bits *= 1 - 1e-6 // prefer another box that tells as much
		}
	}
	if bits > b.bestInformation+1e-9 {
		b.bestBox, b.bestInformation = at, bits
	}
}

// information returns the number of bits that the answer to a box is expected to give about its first n
// comparisons. That is the sum of the entropies of the comparisons, each multiplied by the probability that
// the service gets to it. See the example at boxPlanner.
func (b *boxPlanner) information(at exact.Point, n int) float64 {
	total, reach := 0.0, 1.0
	for k := range n {
		// After the limits, the service may refuse the box with a code that the rules do not have.
		if k == len(b.limitTests) {
			reach *= b.unmaskedProbability(at)
		}
		probability := b.failProbability(at, k)
		total += reach * plan.Entropy(probability)
		if reach *= 1 - probability; reach < 1e-6 {
			break
		}
	}
	for i, c := range b.conditions {
		if b.isInformative[i] && isTie(c.violated, at) {
			return total / 2 // a service that computes in floating point may differ there
		}
	}
	return total
}

// failProbability returns the probability that the box fails comparison k, given that the service makes it.
// The comparisons are the limit tests, then the constraints, and then the comparison with the sheet.
func (b *boxPlanner) failProbability(at exact.Point, k int) float64 {
	if k == b.sheetComparison() && b.hasSizeRule {
		return 1 - b.fitProbability(at)
	}
	if i, ok := b.ruleIndex(k); ok {
		// The box fails a constraint if its condition holds, which is known, and the article selects it,
		// which may not be known yet.
		selected := b.article.selections[i].IsSelected()
		if !selected && !b.isInformative[i] || !b.conditions[i].violated.Contains(at) {
			return 0
		}
		if selected {
			return 1
		}
		return b.selectProbability
	}
	c, _ := b.comparison(b.profile, at, k)
	atLeast := b.prior.AtLeast(c.unknown.(*state.Limit), c.at[0])
	if c.failsOutside {
		return 1 - atLeast
	}
	return atLeast
}

// fitProbability returns the probability that the blank fits: the mean over the formulas that the blank may
// have. It is 1 if there is no such formula.
func (b *boxPlanner) fitProbability(at exact.Point) float64 {
	if len(b.staircases) == 0 {
		return 1
	}
	total := 0.0
	for i := range b.staircases {
		total += b.staircases[i].Fits(b.hypotheses[i].blank.size(at))
	}
	return total / float64(len(b.staircases))
}

func (b *boxPlanner) mostLikelyAnswer(at exact.Point) boxrules.Code {
	for k := range b.codes[1:] {
		if b.failProbability(at, k) > 0.5 {
			return b.codes[k]
		}
	}
	return ""
}
