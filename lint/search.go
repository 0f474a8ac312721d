package lint

import (
	"iter"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// A space stands for all boxes of one article in one material, to ask questions about.
type space struct {
	form         exact.Form
	rules        []boxrules.Rule
	codes        []boxrules.Code // that can be reported: those of the rules, and behind them that of a valid box
	boundary     int             // how many rules are of the boundary stage; they come first
	holds, keeps []exact.Tree    // where each rule is violated, and where it is not, folded
	step         int64           // of the boxes that are looked for: those that can be asked about
	work         *polytope.Budget

	// What the engine says of a box: what a search found is no evidence before it has said so.
	check    func(boxrules.Dims) (boxrules.Verdict, error)
	checkAll func(boxrules.Dims) ([]boxrules.Violation, error)
}

// maxWork bounds one Lint or Diff as a whole to some seconds.
const maxWork polytope.Budget = 70_000_000

// folding counts the work of folding a half-space, as a condition and as its opposite.
const folding = 8

// newSpace folds the conditions of a profile, at the cost of the work.
func newSpace(p *boxrules.Profile, work *polytope.Budget) *space {
	s := &space{form: p.Exact(), rules: p.Rules(), work: work, check: p.Check, checkAll: p.CheckAll}
	s.step = s.form.Step
	for s.boundary < len(s.rules) && s.rules[s.boundary].Stage == boxrules.Boundary {
		s.boundary++
	}
	for i, c := range s.form.Conditions {
		work.Spend(folding * c.Size())
		s.codes = append(s.codes, s.rules[i].Code)
		s.holds, s.keeps = append(s.holds, c.Folded()), append(s.keeps, exact.Not(c))
	}
	s.codes = append(s.codes, "")
	return s
}

// reports returns what holds where rule i is the first that the box violates, or behind the last
// rule where the box is valid.
func (s *space) reports(i int) []exact.Tree {
	if i == len(s.rules) {
		return s.keeps[:i:i]
	}
	return append(s.keeps[:i:i], s.holds[i])
}

// reported asks the engine to confirm that a box is reported with the code, or is valid where that
// is empty.
func (s *space) reported(at exact.Point, code boxrules.Code) bool {
	v, err := s.check(boxrules.DimsAt(at))
	return err == nil && v.Code() == code && v.OK() == (code == "")
}

// violates asks the engine to confirm that rule i holds for a box, whatever is reported first.
func (s *space) violates(i int, at exact.Point) bool {
	all, err := s.checkAll(boxrules.DimsAt(at))
	return err == nil && slices.ContainsFunc(all, func(v boxrules.Violation) bool { return v.Code == s.codes[i] })
}

// possible looks for a box at which every condition holds.
func (s *space) possible(conditions ...exact.Tree) polytope.Answer {
	_, answer := s.work.FindOn(s.step, polytope.All, conditions...)
	return answer
}

// roundest looks for the roundest and smallest such box, among those that have a size first.
func (s *space) roundest(conditions ...exact.Tree) (exact.Point, polytope.Answer) {
	if p, answer := s.roundestSized(conditions...); answer == polytope.Something {
		return p, answer
	}
	return s.work.RoundestOn(s.step, polytope.All, conditions...)
}

// roundestSized does the same as roundest among the boxes whose dimensions are all positive.
func (s *space) roundestSized(conditions ...exact.Tree) (exact.Point, polytope.Answer) {
	return s.work.RoundestOn(s.step, polytope.Sized, conditions...)
}

// numbers returns the whole numbers from first up to, but not including, end.
func numbers(first, end int) []int {
	var all []int
	for i := first; i < end; i++ {
		all = append(all, i)
	}
	return all
}

// maxTrials bounds how many sets smallest looks at for the one with the fewest members.
const maxTrials = 1000

// smallest returns a subset of the candidates, all of which together suffice, that suffices with as
// few members as possible, and of those the first in order. Where there are too many to try, it
// returns one of which no member can be left out, as far as the work suffices to find out.
func smallest(candidates []int, suffices func([]int) bool) []int {
	trials := 0
	for size := 0; size < len(candidates) && trials <= maxTrials; size++ {
		if found := subset(candidates, size, nil, &trials, suffices); found != nil {
			return found
		}
	}
	set := slices.Clone(candidates)
	if trials > maxTrials {
		for i := len(set) - 1; i >= 0; i-- {
			if fewer := slices.Delete(slices.Clone(set), i, i+1); suffices(fewer) {
				set = fewer
			}
		}
	}
	return set
}

// subset returns the first subset of the size that suffices, together with those chosen already.
func subset(candidates []int, size int, chosen []int, trials *int, suffices func([]int) bool) []int {
	if size == 0 {
		if *trials++; *trials <= maxTrials && suffices(chosen) {
			return append([]int{}, chosen...)
		}
		return nil
	}
	for i := range candidates {
		if *trials > maxTrials || len(candidates)-i < size {
			break
		}
		if found := subset(candidates[i+1:], size-1,
			append(chosen[:len(chosen):len(chosen)], candidates[i]), trials, suffices); found != nil {
			return found
		}
	}
	return nil
}

// Witnesses yields boxes that report the codes, or all codes where none is given: of each article,
// material and code the roundest and smallest box, as a finding of the kind Reportable. A code that
// no box reports has none; an undecided finding for the article and material names the codes about
// which that is not known. The search as a whole is bounded like that of [Lint]. The sequence panics
// if e is nil.
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
			for i, code := range s.codes[:len(s.rules)] {
				if len(codes) > 0 && !slices.Contains(codes, code) {
					continue
				}
				switch at, answer := s.reporting(i); answer {
				case polytope.Something:
					found := Finding{Article: p.Article(), Material: p.Material(), Kind: Reportable}
					found.Codes, found.Witness = []boxrules.Code{code}, witness(at)
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
			work += share
		}
	}
}

// Witness returns the roundest and smallest box that reports the code first. ok is false where
// there is none, or none was found: [Lint] reports which. It panics if p is nil.
func Witness(p *boxrules.Profile, code boxrules.Code) (d boxrules.Dims, ok bool) {
	work := maxWork
	s := newSpace(p, &work)
	i := slices.Index(s.codes, code)
	if i < 0 || code == "" {
		return boxrules.Dims{}, false
	}
	at, answer := s.reporting(i)
	return boxrules.DimsAt(at), answer == polytope.Something
}

// reporting returns the roundest box that reports rule i first, as the engine confirms.
func (s *space) reporting(i int) (exact.Point, polytope.Answer) {
	at, answer := s.roundest(s.reports(i)...)
	if answer == polytope.Something && !s.reported(at, s.codes[i]) {
		return exact.Point{}, polytope.Undecided
	}
	return at, answer
}

// witness returns a point of the grid as evidence of a claim.
func witness(p exact.Point) *boxrules.Dims {
	d := boxrules.DimsAt(p)
	return &d
}
