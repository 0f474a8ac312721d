package lint

import (
	"iter"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// Witnesses yields boxes that get the given codes. If no codes are given, it looks for boxes for all codes.
// For each article, material and code it yields one finding of the kind [Reportable], with the box that has
// the roundest numbers, or the smallest such box if there are several. If no box gets a code, there is no
// finding for it. If the search gives up on some codes, one undecided finding for the article and material
// lists these codes. Like [Lint], Witnesses does only a limited amount of work. The sequence panics if e is
// nil.
func Witnesses(e *boxrules.Engine, codes ...boxrules.Code) iter.Seq[Finding] {
	return witnessesWithin(maxWork/2, e, codes...) // half, because most callers run Lint as well
}

// witnessesWithin is like [Witnesses], but does at most the given amount of work.
func witnessesWithin(work int, e *boxrules.Engine, codes ...boxrules.Code) iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		budget := polytope.NewBudget(work)
		products := productsOf(e.Catalogue())
		for i, p := range products {
			share := budget.Share(len(products) - i)
			s := p.space(e, &share)
			undecided := Finding{Article: p.article, Material: p.material, Kind: Undecided, Question: Reportable}
			// The last code of the space is the empty one of a valid box, so leave it out.
			for i, code := range s.codes[:len(s.rules)] {
				if len(codes) > 0 && !slices.Contains(codes, code) {
					continue
				}
				switch at, answer := s.roundestReporting(i); answer {
				case polytope.Something:
					found := Finding{Article: p.article, Material: p.material, Kind: Reportable}
					found.Codes, found.Witness = []boxrules.Code{code}, witnessDims(at)
					if !yield(found) {
						return
					}
				case polytope.Undecided:
					undecided.Codes = append(undecided.Codes, code)
				}
			}
			if undecided.Codes != nil && !yield(undecided.withPosition(e)) {
				return
			}
		}
	}
}

// Witness returns a box that gets the code: the rule with the code is the first rule that the box violates.
// If there are several such boxes, Witness returns the one with the roundest numbers, or the smallest of
// these. ok is false if no box gets the code or if the search gave up. [Lint] distinguishes the two cases.
// Witness panics if p is nil.
func Witness(p *boxrules.Profile, code boxrules.Code) (d boxrules.Dims, ok bool) {
	budget := polytope.NewBudget(maxWork)
	s := newSpace(p, &budget)
	i := slices.Index(s.codes, code)
	if i < 0 || code == "" {
		return boxrules.Dims{}, false
	}
	at, answer := s.roundestReporting(i)
	return boxrules.DimsAt(at), answer == polytope.Something
}

// roundestReporting looks for the box with the roundest numbers that gets the code of rule i. If the engine
// does not confirm the code of that box, the answer is undecided.
func (s *space) roundestReporting(i int) (exact.Point, polytope.Answer) {
	at, answer := s.roundest(s.boxesReporting(i)...)
	if answer == polytope.Something && !s.confirmsReported(at, s.codes[i]) {
		return exact.Point{}, polytope.Undecided
	}
	return at, answer
}

func witnessDims(p exact.Point) *boxrules.Dims {
	d := boxrules.DimsAt(p)
	return &d
}
