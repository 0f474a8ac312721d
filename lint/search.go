package lint

import (
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// A space stands for all boxes of one article in one material, to ask questions about.
type space struct {
	form         exact.Form
	rules        []boxrules.Rule
	boundary     int          // how many rules are of the boundary stage; they come first
	holds, keeps []exact.Tree // where each rule is violated, and where it is not, folded
	step         int64        // of the boxes that are looked for: those that can be asked about
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
	for _, c := range s.form.Conditions {
		work.Spend(folding * c.Size())
		s.holds, s.keeps = append(s.holds, c.Folded()), append(s.keeps, exact.Not(c))
	}
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

// code returns what is reported there: the code of rule i, or an empty one for a valid box.
func (s *space) code(i int) boxrules.Code {
	if i == len(s.rules) {
		return ""
	}
	return s.rules[i].Code
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
	return err == nil && slices.ContainsFunc(all, func(v boxrules.Violation) bool { return v.Code == s.rules[i].Code })
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
