package lint

import (
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/limits"
)

// A space holds the rules that apply to one article in one material, as regions of boxes. It can be searched
// for boxes that meet a condition.
type space struct {
	form  exact.Form
	rules []boxrules.Rule
	// codes holds the code of each rule and, as its last element, the empty code of a valid box.
	codes []boxrules.Code
	// boundaryRules is the number of rules of the boundary stage. They come first.
	boundaryRules int
	// violated[i] holds the boxes that violate rule i, and satisfied[i] all other boxes.
	violated, satisfied []exact.Region
	// search looks for boxes that customers can ask for. Its step is the distance between neighbouring boxes,
	// in thousandths.
	search polytope.Search

	// firstCode returns the first code that a box gets, which is empty for a valid box, and allCodes returns
	// all of its codes. They do not use the regions above. So a box that a search finds is evidence if they
	// confirm it.
	firstCode func(exact.Point) (boxrules.Code, error)
	allCodes  func(exact.Point) ([]boxrules.Code, error)
}

// maxWork limits the work of one call of Lint or Diff. This much work takes at most a few seconds.
const maxWork = 70_000_000

// foldingCost is the amount of work that fold takes from the budget for each half-space.
const foldingCost = 8

// newSpace returns the space of a profile. p.Check and p.CheckAll confirm the boxes that a search finds. The
// work of making the regions is taken from the budget.
func newSpace(p *boxrules.Profile, budget *polytope.Budget) *space {
	s := &space{form: p.Exact(), rules: p.Rules()}
	s.firstCode = func(at exact.Point) (boxrules.Code, error) {
		v, err := p.Check(boxrules.DimsAt(at))
		return v.Code(), err
	}
	s.allCodes = func(at exact.Point) (codes []boxrules.Code, err error) {
		violations, err := p.CheckAll(boxrules.DimsAt(at))
		for _, v := range violations {
			codes = append(codes, v.Code)
		}
		return codes, err
	}
	s.fold(budget)
	return s
}

// A product is an article and a material in which it is offered.
type product struct{ article, material string }

// productsOf returns every article of the catalogue in each of its materials, in the order of the
// catalogue.
func productsOf(c *limits.Catalogue) (products []product) {
	for _, a := range c.Articles() {
		for _, material := range a.Materials {
			products = append(products, product{a.Code, material})
		}
	}
	return products
}

// space returns the space of the product, or nil if the engine does not have the product. Unlike newSpace,
// it confirms boxes with the conditions as they are written, so it needs no profile. For a catalogue of
// 10,000 products, making the profiles would take seconds and 100 MB.
func (p product) space(e *boxrules.Engine, budget *polytope.Budget) *space {
	form, rules, err := e.Exact(p.article, p.material)
	if err != nil {
		return nil
	}
	s := &space{form: form, rules: rules}
	// Confirm boxes with the conditions themselves, and not with the regions that searches use.
	s.allCodes = func(at exact.Point) (codes []boxrules.Code, err error) {
		for i, condition := range form.Conditions {
			if condition.Holds(at) {
				codes = append(codes, rules[i].Code)
			}
		}
		return codes, nil
	}
	s.firstCode = func(at exact.Point) (boxrules.Code, error) {
		for i, condition := range form.Conditions {
			if condition.Holds(at) {
				return rules[i].Code, nil
			}
		}
		return "", nil
	}
	s.fold(budget)
	return s
}

// fold turns the conditions of s.form into regions, and sets the fields of the space that depend on
// them.
func (s *space) fold(budget *polytope.Budget) {
	s.search = polytope.Search{Step: s.form.Step, Budget: budget}
	for s.boundaryRules < len(s.rules) && s.rules[s.boundaryRules].Stage == boxrules.Boundary {
		s.boundaryRules++
	}
	for i, c := range s.form.Conditions {
		budget.Spend(foldingCost * c.Size())
		s.codes = append(s.codes, s.rules[i].Code)
		violated := c.Region()
		s.violated, s.satisfied = append(s.violated, violated), append(s.satisfied, exact.Not(violated))
	}
	s.codes = append(s.codes, "") // the code of a box that satisfies all rules
}

// boxesReporting returns regions whose intersection is the set of the boxes that get codes[i]. These boxes
// satisfy every earlier rule and violate rule i. The last code is empty and has no rule. The boxes that get
// it satisfy all rules.
func (s *space) boxesReporting(i int) []exact.Region {
	// Because of the full slice expressions, appending to the result makes a copy.
	if i == len(s.rules) {
		return s.satisfied[:i:i]
	}
	return append(s.satisfied[:i:i], s.violated[i])
}

// confirmsReported reports whether code is the first code that the box gets. For a valid box, that is the
// empty code.
func (s *space) confirmsReported(at exact.Point, code boxrules.Code) bool {
	got, err := s.firstCode(at)
	return err == nil && got == code
}

// confirmsViolation reports whether the box violates rule i, even if it violates earlier rules as well.
func (s *space) confirmsViolation(at exact.Point, i int) bool {
	all, err := s.allCodes(at)
	return err == nil && slices.Contains(all, s.codes[i])
}

// findBox finds out whether there is a box for which every condition holds.
func (s *space) findBox(conditions ...exact.Region) polytope.Answer {
	_, answer := s.search.Find(polytope.All, conditions...)
	return answer
}

// roundest looks for the box with the roundest numbers for which every condition holds, and for the
// smallest such box if there are several. It prefers boxes whose dimensions are all positive.
func (s *space) roundest(conditions ...exact.Region) (exact.Point, polytope.Answer) {
	// Return a box with a dimension of zero or less only if there is no other.
	if p, answer := s.roundestPositive(conditions...); answer == polytope.Something {
		return p, answer
	}
	return s.search.Roundest(polytope.All, conditions...)
}

// roundestPositive is like roundest, but looks only at boxes whose dimensions are all positive.
func (s *space) roundestPositive(conditions ...exact.Region) (exact.Point, polytope.Answer) {
	return s.search.Roundest(polytope.Sized, conditions...)
}

// equal reports whether both spaces have the same codes in the same order, each with the same
// half-spaces.
func (s *space) equal(o *space) bool {
	return slices.Equal(s.codes, o.codes) && slices.EqualFunc(s.violated, o.violated, exact.Region.Equal)
}

// outcomes returns the indexes of all codes of the space. The index of the empty code, which a valid box
// gets, comes first.
func (s *space) outcomes() []int {
	return append([]int{len(s.rules)}, indexRange(0, len(s.rules))...)
}
