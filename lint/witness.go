package lint

import (
	"iter"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// Witnesses yields boxes that report the given codes, or all codes if none is given: for each
// article, material and code the roundest and smallest such box, as a finding of the kind
// [Reportable]. A code that no box reports has no finding. If the search for some codes was given
// up, one undecided finding for the article and material lists them. The search as a whole is
// bounded like that of [Lint]. The sequence panics if e is nil.
func Witnesses(e *boxrules.Engine, codes ...boxrules.Code) iter.Seq[Finding] {
	return witnessesWithin(maxWork/2, e, codes...) // half, because most callers run Lint as well
}

// witnessesWithin does what [Witnesses] does within a bound of work.
func witnessesWithin(work int, e *boxrules.Engine, codes ...boxrules.Code) iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		budget := polytope.NewBudget(work)
		profiles := e.Profiles()
		for i, p := range profiles {
			share := budget.Share(len(profiles) - i)
			s := newSpace(p, &share)
			undecided := Finding{Article: p.Article(), Material: p.Material(), Kind: Undecided, Question: Reportable}
			for i, code := range s.codes[:len(s.rules)] {
				if len(codes) > 0 && !slices.Contains(codes, code) {
					continue
				}
				switch at, answer := s.roundestReporting(i); answer {
				case polytope.Something:
					found := Finding{Article: p.Article(), Material: p.Material(), Kind: Reportable}
					found.Codes, found.Witness = []boxrules.Code{code}, witnessAt(at)
					if !yield(found) {
						return
					}
				case polytope.Undecided:
					undecided.Codes = append(undecided.Codes, code)
				}
			}
			if undecided.Codes != nil && !yield(undecided.placed(e)) {
				return
			}
		}
	}
}

// Witness returns the roundest and smallest box that reports the code, which means that the code
// is the first that the box violates. ok is false if no box does or the search was given up;
// [Lint] reports which. It panics if p is nil.
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

// roundestReporting looks for the roundest box that reports the code of rule i, and asks the
// engine to confirm it.
func (s *space) roundestReporting(i int) (exact.Point, polytope.Answer) {
	at, answer := s.roundest(s.boxesReporting(i)...)
	if answer == polytope.Something && !s.confirms(at, s.codes[i]) {
		return exact.Point{}, polytope.Undecided
	}
	return at, answer
}

func witnessAt(p exact.Point) *boxrules.Dims {
	d := boxrules.DimsAt(p)
	return &d
}
