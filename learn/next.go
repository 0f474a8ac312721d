package learn

import (
	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// Next returns at most n boxes to ask about, the most informative one first. It chooses each box as if the boxes before
// it had already received their most likely answers. If it finds no box whose answer would be informative, it returns
// no boxes. Dimensions are positive, and have no more decimals than the frame allows. Next avoids a borderline box if
// there is another box that is equally informative. Given the same answers, Next always returns the same boxes.
//
// Next goes through the articles and materials in the order of the frame, and stays with one article in one material
// until nothing is left to learn about it. It looks for the box that gives the most information. The information is
// the expected entropy of the answer:
//
//	H(width) + P(within)·[H(depth) + P(within)·[H(height) + P(within)·H(first code, fit)]]
//
// This is generalized binary search (Nowak, The Geometry of Generalized Binary Search, 2011).
func (l *Learner) Next(n int) []boxrules.Box {
	l.remainingWork = polytope.NewBudget(maxWork)
	var round []boxrules.Box
	learner := l // replaced by a copy after the first box, because l must not learn from answers that are only likely
	for len(round) < n {
		b, likely, ok := learner.nextBox()
		if !ok {
			break
		}
		if round = append(round, b); len(round) < n {
			if learner == l {
				learner = l.cloneForPlanning()
			}
			// The most likely answer agrees with everything that is known, so Add reports no contradiction. If the
			// box is borderline, nothing may be learned from the answer. Skip the box, so that it is not proposed
			// again in any case.
			_ = learner.Add(Answer{Box: b, Code: likely})
			learner.skipped[b] = true
		}
	}
	return round
}

// nextBox returns the box to ask about next, with its most likely answer. ok is false if there is nothing more to ask.
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
		// Nothing more can be learned about the limits, the constraints or the sheet. But if one formula for the
		// blank is left, boxes on its border may still have to confirm it.
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
