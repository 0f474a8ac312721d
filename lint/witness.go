package lint

import (
	"iter"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// Witnesses yields boxes that report the codes, or all codes where none is given: of each article,
// material and code the roundest and smallest box, as a finding of the kind Reportable. A code that
// no box reports has none; an undecided finding for the article and material names the codes about
// which that is not known. The search as a whole is bounded like that of [Lint].
func Witnesses(e *boxrules.Engine, codes ...boxrules.Code) iter.Seq[Finding] {
	return witnesses(e, maxWork/2, codes...) // as a rule Lint is asked too
}

// witnesses does the same as [Witnesses] within a bound of work.
func witnesses(e *boxrules.Engine, work polytope.Budget, codes ...boxrules.Code) iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		work := work
		profiles := e.Profiles()
		for i, p := range profiles {
			share := work.Share(len(profiles) - i)
			s := newSpace(p, &share)
			undecided := Finding{Article: p.Article(), Material: p.Material(), Kind: Undecided, Question: Reportable}
			for i, r := range s.rules {
				if len(codes) > 0 && !slices.Contains(codes, r.Code) {
					continue
				}
				switch at, answer := s.reporting(i); answer {
				case polytope.Something:
					found := Finding{Article: p.Article(), Material: p.Material(), Kind: Reportable}
					found.Codes, found.Witness = []boxrules.Code{r.Code}, witness(at)
					if !yield(found) {
						return
					}
				case polytope.Undecided:
					undecided.Codes = append(undecided.Codes, r.Code)
				}
			}
			if undecided.Codes != nil && !yield(undecided.placed(e)) {
				return
			}
			work += share
		}
	}
}

// Witness returns the roundest and smallest box that reports the code first. ok is false where
// there is none, or none was found: [Lint] tells which.
func Witness(p *boxrules.Profile, code boxrules.Code) (d boxrules.Dims, ok bool) {
	work := maxWork
	s := newSpace(p, &work)
	i := slices.IndexFunc(s.rules, func(r boxrules.Rule) bool { return r.Code == code })
	if i < 0 {
		return boxrules.Dims{}, false
	}
	at, answer := s.reporting(i)
	return boxrules.DimsAt(at), answer == polytope.Something
}

// reporting returns the roundest box that reports rule i first, as the engine confirms.
func (s *space) reporting(i int) (exact.Point, polytope.Answer) {
	at, answer := s.roundest(s.reports(i)...)
	if answer == polytope.Something && !s.reported(at, s.code(i)) {
		return exact.Point{}, polytope.Undecided
	}
	return at, answer
}

// witness returns a point of the grid as evidence of a claim.
func witness(p exact.Point) *boxrules.Dims {
	d := boxrules.DimsAt(p)
	return &d
}
