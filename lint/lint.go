// Package lint proves things about whole rule and limit files: what no box can be, no box can
// report and no valid box can reach, what is written and changes nothing, and for which boxes two
// versions of the files differ.
//
// Every claim comes with its evidence: a box that the engine itself confirms, or a proof over all
// boxes on the grid, or over those with as few decimals as the catalogue takes. What could not be
// settled is said to be undecided. Proofs work on [boxrules.Profile.Exact], and what they find is
// asked of [boxrules.Profile.Check].
package lint

import (
	"iter"
	"reflect"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// A FindingKind says what [Lint] found.
type FindingKind string

// The kinds of findings.
const (
	// Unsatisfiable: no box of the article is valid. Codes is a smallest set of codes that reject
	// every box within the limits together, which means every box that keeps the rules of the
	// boundary stage. Where those leave none, Codes are of the boundary stage and reject every box.
	Unsatisfiable FindingKind = "unsatisfiable"
	// Unreportable: no box reports the code first. By is a smallest set of earlier codes that
	// always come first; it is empty where the condition never holds within the limits. Witness is
	// a box for which the condition holds and another code is reported.
	Unreportable FindingKind = "unreportable"
	// UnreachableLimit: no valid box has the dimension that the article's limit allows. Codes is
	// the code of the limit, By a smallest set of codes that keep boxes from it, Reachable the
	// farthest value that a valid box has, Witness such a box.
	UnreachableLimit FindingKind = "unreachable-limit"
	// UnenforcedLimit: a valid box goes beyond the article's limit, so that no rule enforces it,
	// alone or with others. Witness is such a box.
	UnenforcedLimit FindingKind = "unenforced-limit"
	// BlankNotPositive: a valid box with dimensions greater than zero has a blank of which a side
	// is not. Condition says which, as in "blank_width <= 0", Witness is such a box.
	BlankNotPositive FindingKind = "blank-not-positive"
	// SizeUnchecked: the article has no blank, so Codes are not checked.
	SizeUnchecked FindingKind = "size-unchecked"
	// RedundantCondition: a comparison inside a rule that could be dropped: for no box with
	// dimensions greater than zero would the rule say anything else. Article and material are
	// empty; Condition is the comparison.
	RedundantCondition FindingKind = "redundant-condition"
	// UnselectedRule: no article selects the rule, a constraint that is not a documented one.
	// Article and material are empty.
	UnselectedRule FindingKind = "unselected-rule"
	// Reportable: a box reports the code, Witness. Of [Witnesses] alone.
	Reportable FindingKind = "reportable"
	// Undecided: the search was given up before Question, one of the other kinds, could be settled
	// for Codes, Limit or Condition, or the engine does not confirm what it found. An empty
	// Question stands for all that was not yet asked.
	Undecided FindingKind = "undecided"
)

// A Finding tells one thing that [Lint] has found about an article in a material, or about a rule.
type Finding struct {
	Article   string          `json:"article,omitempty"`
	Material  string          `json:"material,omitempty"`
	Kind      FindingKind     `json:"kind"`
	Codes     []boxrules.Code `json:"codes,omitempty"`
	By        []boxrules.Code `json:"by,omitempty"`
	Witness   *boxrules.Dims  `json:"witness,omitempty"`
	Limit     string          `json:"limit,omitempty"`     // such as "max_width"
	Value     *float64        `json:"value,omitempty"`     // of the limit
	Reachable *float64        `json:"reachable,omitempty"` // by a valid box, in units
	Condition string          `json:"condition,omitempty"` // a comparison
	Question  FindingKind     `json:"question,omitempty"`
}

// Lint looks for what is odd about the rules and limits, in every article and material: what no box
// can be, no box can report or no valid box can reach, and what is written and changes nothing.
// Every claim is proved over all boxes on the grid; what could not be settled is a finding of its
// own. The order is that of the catalogue, then of the rule file, and the findings of an article
// and material come as soon as they are made.
//
// The search as a whole is bounded by a count, some seconds of work, of which every article and
// material has a share: what is open then is undecided.
func Lint(e *boxrules.Engine) iter.Seq[Finding] { return lint(e, maxWork) }

// lint does the same as [Lint] within a bound of work.
func lint(e *boxrules.Engine, work polytope.Budget) iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		work := work
		trees := make(map[boxrules.Code][]exact.Tree) // of compound conditions, in different articles and materials
		var last *space
		var findings []Finding
		profiles, all := e.Profiles(), e.Rules().Rules()
		for i, p := range profiles {
			share := work.Share(len(profiles) - i + 1) // and one for the rules
			s := newSpace(p, &share)
			// An article is often the same in several materials.
			if last == nil || s.form.Article != last.form.Article || !s.same(last) || !reflect.DeepEqual(s.form.Blank, last.form.Blank) {
				findings = s.lint(all)
			}
			work, last = work+share, s
			for _, f := range findings {
				f.Material = s.form.Material
				if !yield(f) {
					return
				}
			}
			for i, c := range s.form.Conditions {
				if c.Comparison == nil {
					trees[s.rules[i].Code] = append(trees[s.rules[i].Code], c)
				}
			}
		}
		selected := make(map[boxrules.Code]bool)
		for _, article := range e.Catalogue().Articles() {
			for _, code := range article.Constraints {
				selected[boxrules.Code(code)] = true
			}
		}
		for i, r := range all {
			if _, documented := r.Code.Info(); r.Stage == boxrules.Constraint && !documented && !selected[r.Code] {
				if !yield(Finding{Kind: UnselectedRule, Codes: []boxrules.Code{r.Code}}) {
					return
				}
			}
			share := work.Share(len(all) - i)
			findings := redundant(r, trees[r.Code], exact.StepOf(e.Catalogue().Decimals()), &share)
			work += share
			for _, f := range findings {
				if !yield(f) {
					return
				}
			}
		}
	}
}

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
				switch at, answer := s.roundest(s.reports(i)...); {
				case answer == polytope.Something && s.reported(at, r.Code):
					if !yield(Finding{
						Article: p.Article(), Material: p.Material(), Kind: Reportable, Codes: []boxrules.Code{r.Code}, Witness: witness(at),
					}) {
						return
					}
				case answer != polytope.Nothing:
					undecided.Codes = append(undecided.Codes, r.Code)
				}
			}
			if undecided.Codes != nil && !yield(undecided) {
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
	at, answer := s.roundest(s.reports(i)...)
	if answer != polytope.Something || !s.reported(at, code) {
		return boxrules.Dims{}, false
	}
	return boxrules.DimsAt(at), true
}

// lint returns the findings on one article and material of a file with all the rules.
func (s *space) lint(all []boxrules.Rule) []Finding {
	l := &linter{space: s}
	satisfiable := s.work.Spent() || l.checkSatisfiable()
	for i := range s.rules {
		if s.work.Spent() {
			l.undecided(Finding{Codes: l.codes(numbers(i, len(s.rules)))})
			return l.findings
		}
		l.checkReportable(i)
	}
	if satisfiable {
		for axis := range exact.Axes {
			l.checkLimit(axis, -1)
			l.checkLimit(axis, 1)
		}
		for axis := range exact.Axes {
			l.checkEnforced(axis, -1)
			l.checkEnforced(axis, 1)
		}
		l.checkBlank()
	}
	var unchecked []boxrules.Code
	applied := s.rules // as far as they were not passed
	for _, r := range all {
		switch {
		case len(applied) > 0 && applied[0] == r:
			applied = applied[1:]
		case r.Stage == boxrules.Size:
			unchecked = append(unchecked, r.Code)
		}
	}
	if len(unchecked) > 0 {
		l.add(Finding{Kind: SizeUnchecked, Codes: unchecked})
	}
	return l.findings
}

// A linter collects the findings on one space.
type linter struct {
	*space
	findings []Finding
}

func (l *linter) add(f Finding) {
	f.Article, f.Material = l.form.Article, l.form.Material
	l.findings = append(l.findings, f)
}

// undecided says that the search for the finding was given up.
func (l *linter) undecided(f Finding) {
	l.add(Finding{Kind: Undecided, Question: f.Kind, Codes: f.Codes, Limit: f.Limit, Condition: f.Condition})
}

// codes returns the codes of the rules with these numbers.
func (l *linter) codes(rules []int) []boxrules.Code {
	var codes []boxrules.Code
	for _, i := range rules {
		codes = append(codes, l.rules[i].Code)
	}
	return codes
}

// within returns where a box is inside the article's limits.
func (l *linter) within() exact.Tree { return exact.AllOf(l.keeps[:l.boundary]...) }

// excluded reports whether it is proved that no box that meets the condition keeps all the rules.
func (l *linter) excluded(condition exact.Tree, rules []int) bool {
	if l.work.Spent() {
		return false
	}
	conditions := []exact.Tree{condition}
	for _, i := range rules {
		conditions = append(conditions, l.keeps[i])
	}
	return l.possible(conditions...) == polytope.Nothing
}

// checkSatisfiable looks for a valid box, and reports whether there may be one.
func (l *linter) checkSatisfiable() bool {
	switch l.possible(l.keeps...) {
	case polytope.Something:
		return true
	case polytope.Undecided:
		l.undecided(Finding{Kind: Unsatisfiable})
		return true
	}
	background, candidates := l.within(), numbers(l.boundary, len(l.rules))
	if l.excluded(background, nil) {
		// The limits alone leave no box.
		background, candidates = exact.AllOf(), numbers(0, l.boundary)
	}
	set := smallest(candidates, func(rules []int) bool { return l.excluded(background, rules) })
	l.add(Finding{Kind: Unsatisfiable, Codes: l.codes(set)})
	return false
}

// checkReportable looks for a box that reports rule i first.
func (l *linter) checkReportable(i int) {
	finding := Finding{Kind: Unreportable, Codes: []boxrules.Code{l.rules[i].Code}}
	switch l.possible(l.reports(i)...) {
	case polytope.Something:
		return
	case polytope.Undecided:
		l.undecided(finding)
		return
	}
	holds, earlier := l.holds[i], numbers(0, i)
	if i >= l.boundary {
		holds, earlier = exact.AllOf(l.within(), holds), numbers(l.boundary, i)
	}
	switch at, answer := l.roundest(holds); {
	case answer == polytope.Something && l.violates(i, at):
		finding.Witness = witness(at)
		finding.By = l.codes(smallest(earlier, func(rules []int) bool { return l.excluded(holds, rules) }))
	case answer != polytope.Nothing:
		l.undecided(finding)
		return
	}
	l.add(finding)
}

// limit returns a finding about the minimum of the axis, or with a positive direction about the
// maximum, with that end, and where a box is at least so many thousandths beyond it.
func (l *linter) limit(axis int, direction, by int64) (about Finding, end int64, beyond exact.Tree) {
	about.Limit, end = "min_", l.form.Low[axis]
	if direction > 0 {
		about.Limit, end = "max_", l.form.High[axis]
	}
	about.Limit += exact.AxisNames()[axis]
	limit, _ := l.form.Variables[about.Limit].Value.Constant()
	value, _ := limit.Float64()
	about.Value = &value
	beyond.Kind, beyond.Half.A[axis], beyond.Half.K = exact.Half, direction, end*direction+by-1
	return about, end, beyond
}

// checkLimit looks whether a valid box reaches the limit.
func (l *linter) checkLimit(axis int, direction int64) {
	f, end, beyond := l.limit(axis, direction, 0)
	f.Kind, f.Codes = UnreachableLimit, l.reportedBeyond(axis, end+direction*l.step)
	switch l.possible(append(l.keeps[:len(l.keeps):len(l.keeps)], beyond)...) {
	case polytope.Something:
		return
	case polytope.Undecided:
		l.undecided(f)
		return
	}
	at, answer := l.work.GreatestOn(l.step, polytope.All, axis, direction, l.keeps...)
	if answer != polytope.Something || !l.reported(at, "") {
		l.undecided(f)
		return
	}
	background := exact.AllOf(l.within(), beyond)
	reachable := exact.Units(at[axis])
	f.Reachable, f.Witness = &reachable, witness(at)
	f.By = l.codes(smallest(numbers(l.boundary, len(l.rules)), func(rules []int) bool { return l.excluded(background, rules) }))
	l.add(f)
}

// checkEnforced looks whether a valid box goes beyond the limit.
func (l *linter) checkEnforced(axis int, direction int64) {
	f, _, beyond := l.limit(axis, direction, 1)
	f.Kind = UnenforcedLimit
	l.checkNone(f, l.roundest, beyond)
}

// checkBlank looks whether a side of the blank of a valid box, all of whose dimensions are
// positive, is not.
func (l *linter) checkBlank() {
	if l.form.Blank == nil {
		return
	}
	for i, side := range []exact.Value{l.form.Blank.Width, l.form.Blank.Height} {
		f := Finding{Kind: BlankNotPositive, Condition: []string{"blank_width <= 0", "blank_height <= 0"}[i]}
		if positive, err := exact.AboveZero(side, false); err != nil {
			l.undecided(f)
		} else {
			l.checkNone(f, l.roundestSized, exact.Not(positive))
		}
	}
}

// checkNone adds the finding where the search finds a valid box that meets the condition, with the
// box.
func (l *linter) checkNone(f Finding, search func(...exact.Tree) (exact.Point, polytope.Answer), condition exact.Tree) {
	switch at, answer := search(append(l.keeps[:len(l.keeps):len(l.keeps)], condition)...); {
	case answer == polytope.Something && l.reported(at, ""):
		f.Witness = witness(at)
		l.add(f)
	case answer != polytope.Nothing:
		l.undecided(f)
	}
}

// reportedBeyond returns the code that a box reports for its coordinate alone, if any.
func (l *linter) reportedBeyond(axis int, coordinate int64) []boxrules.Code {
	var at exact.Point
	at[axis] = coordinate
	for i, c := range l.holds[:l.boundary] {
		var alone [exact.Axes]int64
		alone[axis] = c.Half.A[axis]
		if c.Kind == exact.Half && c.Half.A == alone && c.Half.Contains(at) {
			return []boxrules.Code{l.rules[i].Code}
		}
	}
	return nil
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
		if found := subset(candidates[i+1:], size-1, append(chosen[:len(chosen):len(chosen)], candidates[i]), trials, suffices); found != nil {
			return found
		}
	}
	return nil
}
