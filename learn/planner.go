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

// A boxPlanner looks for the box whose answer is expected to give the most information about one profile.
//
// Take a maximum width that can be anything from 40 to 400 mm. There is little to learn from a box of width 400,
// because it is almost certainly refused. If the maximum is at least 120 with probability 0.5, a box of width 120
// rules out half of the possibilities, whatever the answer is. That is one bit of information. The planner looks
// for the box with the most bits.
//
// A box can give information about several things, but the service stops at the first rule that the box violates.
// So the bits of each comparison are multiplied by the probability that the service gets that far. If the width
// passes with probability 0.5, and the comparison of the depth is worth 0.8 bits, the box is worth 1 + 0.5·0.8 =
// 1.4 bits.
type boxPlanner struct {
	*Learner
	*profile
	selectProbability float64           // the assumed probability that an open constraint is selected
	isInformative     []bool            // by condition rule: true if it is open whether the rule is selected, and some box can show it
	hypotheses        []*profile        // a copy of the profile for each formula that the blank may have; the profile itself if there is no formula
	staircases        []*plan.Staircase // for each hypothesis with a blank: the sizes that its sheet can have
	bestBox           exact.Point
	bestInformation   float64 // the information that bestBox is expected to give, in bits
	effortPerBox      int     // the work of computing the information of one box
}

// newBoxPlanner returns a planner that has already looked for the most informative box. If no box is informative, its
// bestInformation is 0.
//
// The planner compares two kinds of boxes. The boxes of the first kind are all combinations of promising values for
// the three dimensions. They are enough to learn about limits. But only a few boxes may be informative about a
// constraint or a sheet, such as boxes with width = depth, and the combinations may miss them. So boxes of the
// second kind are found by searches: a box for each open constraint, and a box whose blank may or may not fit.
func (l *Learner) newBoxPlanner(p *profile) *boxPlanner {
	s := &boxPlanner{Learner: l, profile: p, effortPerBox: 10}
	for _, c := range p.conditions {
		s.effortPerBox += c.violated.Size() / 2
	}
	// Estimate the probability that an open constraint is selected by the share of selected constraints among the
	// decided ones. Begin with 1 of 10, so that the first answers do not make the probability 0 or 1.
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
	if !slices.Contains(s.isInformative, true) && !l.hasOpenLimitsOrFits(p) {
		return s // nothing is left to learn; this check is faster than looking for a box
	}
	hypotheses := l.candidateProfiles(p)
	if s.hypotheses = hypotheses; len(hypotheses) == 0 {
		s.hypotheses = []*profile{p}
	}
	for _, sized := range hypotheses {
		stairs := plan.NewStaircase(l.prior, sized.sheet)
		s.staircases = append(s.staircases, stairs)
		regions := sized.informativeRegions()
		if at, ok := l.findAskableBox(sized, regions...); ok {
			starts = append(starts, l.planEvenChance(sized, stairs, regions, at)...)
		}
	}
	// A box about which two formulas disagree will show that one of them is wrong. Prefer multiples of the step.
	if p.blank == nil {
		for _, finest := range []int64{l.askStep(), l.askGrid} {
			if at, answer := l.candidateDisagreement(p, finest, hypotheses); answer == polytope.Something {
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

// hasOpenLimitsOrFits reports whether there may be something left to learn about the limits, or about which blanks fit
// the sheet.
func (l *Learner) hasOpenLimitsOrFits(p *profile) bool {
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

// planEvenChance returns boxes whose blanks fit the sheet with a probability that is close to 0.5: one box with a
// probability of about 0.5 if the search finds one. Otherwise it returns at, a box that is likely to be refused, and a box
// that is likely to fit, if such boxes exist. regions contain the boxes whose answers are informative about the size of
// the sheet; at is one of them.
//
// This search is necessary because the combinations of plannedValues may contain no such box if the constraints allow
// few boxes. If depth and height have to be equal, for example, hardly any combination is allowed. Without the search,
// the planner would approach the size of the sheet by only one step with each question.
func (l *Learner) planEvenChance(p *profile, t *plan.Staircase, regions []exact.Region, at exact.Point) []exact.Point {
	regions = slices.Clip(regions) // so that each append below copies them
	// fits returns the region of the boxes that fit with at least about the given probability: their blanks fit one
	// of the sizes at this level.
	fits := func(probability float64) exact.Region { return p.fittingRegion(t.Level(probability)...) }
	// find looks for an informative box that fits with a probability between from and to.
	find := func(from, to float64) (exact.Point, bool) {
		return l.findAskableBox(p, append(regions, fits(from), exact.Not(fits(to)))...)
	}
	if even, ok := find(0.35, 0.65); ok {
		return []exact.Point{even}
	}
	boxes := []exact.Point{at}
	unlikely := append(regions, exact.Not(fits(0.35)))
	if refused, ok := l.findAskableBox(p, unlikely...); ok {
		boxes = append(boxes, l.planSmallerBlank(p, refused, unlikely))
	}
	// Accept boxes that are more and more likely to fit.
	for rest := 0.2; rest > 0.0005; rest /= 2 {
		if fitting, ok := find(0.65, 1-rest); ok {
			return append(boxes, fitting)
		}
	}
	return boxes
}

// planSmallerBlank returns a box in the given regions with a small blank. The search starts from a box in these regions,
// at. It first makes the longer side of the blank as short as possible without lengthening the shorter side, and then
// the shorter side. The regions contain boxes that are likely to be refused, and the smaller the blank of a refused box
// is, the more the refusal shows.
func (l *Learner) planSmallerBlank(p *profile, at exact.Point, regions []exact.Region) exact.Point {
	size := p.blank.size(at)
	for side := range state.Sides {
		// Bisect. If this side of size is high, the blank of some box in the regions fits size. If this side is
		// less than low, no such blank does.
		for low, high := l.step, size[side]; low < high; {
			size[side] = roundDown(low+(high-low)/2, l.step)
			if smaller, ok := l.findAskableBox(p, append(slices.Clip(regions), p.fittingRegion(size))...); ok {
				at, high = smaller, size[side]
			} else {
				low, size[side] = size[side]+l.step, high
			}
		}
	}
	return at
}

// quantiles are the quantiles of a limit's distribution at which it is worth asking about a box. A box at quantile
// 0.5 fails the comparison with a probability of about 0.5, which gives the most information about this limit. At a
// smaller quantile, the box is more likely to pass, so its answer may also give information about later
// comparisons.
var quantiles = []float64{0.5, 0.35, 0.25, 0.2, 0.14, 0.08}

// plannedValues returns the values of one dimension that are worth asking about: the quantiles of its minimum and
// of its maximum, and some values that are known to be allowed. Take a minimum of 20 to 50 and a maximum of 200 to
// 400. Values between 20 and 50 give information about the minimum, and values between 200 and 400 about the
// maximum. Values from 50 to 200 are certainly allowed, so the answer gives information about the other dimensions.
func (l *Learner) plannedValues(p *profile, axis int) []int64 {
	low, high := p.article.rangeEnds[axis][minimum], p.article.rangeEnds[axis][maximum]
	var values []int64
	// add adds the nearest values above and below x that a box to ask about can have.
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

// consider computes the information of a box, and remembers the box if it is the best one so far.
func (b *boxPlanner) consider(at exact.Point) {
	b.remainingWork.Spend(b.effortPerBox)
	comparisonCount := b.informativeComparisons()
	bits := b.information(at, comparisonCount)
	if bits <= b.bestInformation+1e-9 || b.skipped[b.box(at)] {
		return
	}
	// If exact arithmetic and double precision disagree about a comparison, the answer may say nothing about this
	// comparison and later ones, so they count next to nothing. They matter only if no other box is informative.
	// The comparisons before it count half, so that other boxes are preferred.
	for _, hypothesis := range b.hypotheses {
		switch n, agreed := b.agreedComparisons(hypothesis, at); {
		case n < comparisonCount:
			bits = min(bits, max(b.information(at, n)/2, bits*1e-6))
		case !agreed:
			bits *= 1 - 1e-6 // prefer another box that is equally informative
		}
	}
	if bits > b.bestInformation+1e-9 {
		b.bestBox, b.bestInformation = at, bits
	}
}

// information returns the number of bits of information that the answer to a box is expected to give about its first n
// comparisons. It is the sum of the entropies of the comparisons, each multiplied by the probability that the service
// reaches the comparison. See boxPlanner for an example.
func (b *boxPlanner) information(at exact.Point, n int) float64 {
	total, reach := 0.0, 1.0
	for k := range n {
		// After the limits, the service may refuse the box with a code that the rules do not define.
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
			return total / 2 // a service that computes in floating point may decide differently here
		}
	}
	return total
}

// failProbability returns the probability that the box fails comparison k, given that the service reaches this
// comparison.
func (b *boxPlanner) failProbability(at exact.Point, k int) float64 {
	if k == b.sheetComparison() && b.hasSizeRule {
		return 1 - b.fitProbability(at)
	}
	if i, ok := b.ruleIndex(k); ok {
		// The box fails a constraint if the condition holds and the article selects the constraint. Only the latter
		// may be unknown.
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

// fitProbability returns the probability that the blank of a box fits the sheet. If several formulas for the blank are
// possible, it returns the mean of their probabilities. If there is no formula, it returns 1.
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

// cloneForPlanning returns a copy that learns independently of l. The copy has everything that planning needs. It
// leaves out what only reports need, such as contradictions.
func (l *Learner) cloneForPlanning() *Learner {
	c, err := newLearner(l.ruleSet, l.frame, l.options, l.truth)
	if err != nil {
		panic(err) // l was created with the same arguments
	}
	c.answerCount, c.remainingWork, c.skipped = l.answerCount, l.remainingWork, maps.Clone(l.skipped)
	for i, u := range l.unknowns {
		c.unknowns[i].CopyFrom(u)
	}
	for i, a := range l.articles {
		c.articles[i].Blank, c.articles[i].candidates, c.articles[i].chosenCandidate = a.Blank, a.candidates, a.chosenCandidate
	}
	for i, p := range l.profiles {
		c.profiles[i].blank = p.blank
		c.profiles[i].judgedBoxes, c.profiles[i].maskedBoxes = slices.Clone(p.judgedBoxes), slices.Clone(p.maskedBoxes)
	}
	return c
}
