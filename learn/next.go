package learn

import (
	"maps"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
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
	l.remainingWork = polytope.NewBudget(maxWork)
	var round []boxrules.Box
	learner := l // replaced by a copy after the first box, so that answers that are only likely do not reach l
	for len(round) < n {
		b, likely, ok := learner.nextBox()
		if !ok {
			break
		}
		if round = append(round, b); len(round) < n {
			if learner == l {
				learner = l.cloneForPlanning()
			}
			// A likely answer agrees with everything that is known, so Add reports no contradiction. If the
			// box is borderline, its answer may tell nothing. Skip the box, so that it is not proposed again.
			_ = learner.Add(Answer{Box: b, Code: likely})
			learner.skipped[b] = true
		}
	}
	return round
}

// nextBox returns the box to ask about next and its most likely answer. ok is false if there is nothing more to ask.
func (l *Learner) nextBox() (b boxrules.Box, likely boxrules.Code, ok bool) {
	l.updateRuleConditions(l.articles...)
	for _, p := range l.profiles {
		if l.skipped[p.box(exact.Point{})] || l.options.Only != nil && !l.options.Only(p.article.Code, p.material) {
			continue
		}
		s := l.newBoxPlanner(p)
		if s.bestInformation > 0 {
			return p.box(s.bestBox), s.mostLikelyAnswer(s.bestBox), true
		}
		// No box tells anything about the limits, the constraints or the sheet. But if only one formula for
		// the blank is left, boxes on its border may still have to confirm it.
		boxes, _ := l.adoptConfirmedCandidate(p.article)
		for _, box := range boxes {
			if box.Material == p.material {
				at, _ := box.Grid()
				return box, s.mostLikelyAnswer(at), true
			}
		}
	}
	return b, "", false
}

// cloneForPlanning returns a Learner with the same knowledge, which learns independently of l from then on. It has what
// planning needs, but not what only reports need, such as contradictions.
func (l *Learner) cloneForPlanning() *Learner {
	c, err := newLearner(l.ruleSet, l.frame, l.options, l.truth)
	if err != nil {
		panic(err) // l was made from the same arguments
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
