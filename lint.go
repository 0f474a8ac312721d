package boxrules

import (
	"slices"

	"example.com/boxrules/internal/linear"
)

// A FindingKind says what Lint found.
type FindingKind string

// The kinds of findings.
const (
	// Unsatisfiable: no box of the article is valid. Codes is a smallest set of codes that reject every box
	// within the limits together.
	Unsatisfiable FindingKind = "unsatisfiable"
	// Unreportable: no box reports the code first. By is a smallest set of earlier codes that always come
	// first; it is empty where the condition never holds within the limits. Witness is a box for which the
	// condition holds and another code is reported.
	Unreportable FindingKind = "unreportable"
	// UnreachableLimit: no valid box has the dimension that the article's limit allows. Codes is the code of
	// the limit, By a smallest set of codes that keep boxes from it, Reachable the farthest value that a
	// valid box has, Witness such a box.
	UnreachableLimit FindingKind = "unreachable-limit"
	// SizeUnchecked: the article has no blank, so Codes are not checked.
	SizeUnchecked FindingKind = "size-unchecked"
	// RedundantCondition: a comparison inside a rule that could be dropped: for no box with dimensions greater
	// than zero would the rule say anything else. Article and material are empty; Condition is the comparison.
	RedundantCondition FindingKind = "redundant-condition"
	// Undecided: the search was given up before Question, one of the other kinds, could be settled for Codes.
	Undecided FindingKind = "undecided"
)

// A Finding is one thing that Lint has to say of an article in a material, or of a rule.
type Finding struct {
	Article   string      `json:"article,omitempty"`
	Material  string      `json:"material,omitempty"`
	Kind      FindingKind `json:"kind"`
	Codes     []Code      `json:"codes,omitempty"`
	By        []Code      `json:"by,omitempty"`
	Witness   *Dims       `json:"witness,omitempty"`
	Limit     string      `json:"limit,omitempty"`     // such as "max_width"
	Value     *float64    `json:"value,omitempty"`     // of the limit
	Reachable *float64    `json:"reachable,omitempty"` // by a valid box
	Condition string      `json:"condition,omitempty"`
	Question  FindingKind `json:"question,omitempty"`
}

// Lint says what is odd about the rules and limits, for every article and material: what no box can be, no
// box can report or no valid box can reach, and what is written and changes nothing. Every claim is
// proved over all boxes on the grid; what could not be settled is a finding of its own. The order is that
// of the catalogue, then of the rule file.
func (e *Engine) Lint() []Finding {
	var findings []Finding
	for _, p := range e.ordered {
		findings = append(findings, p.Lint()...)
	}
	return append(findings, e.redundant()...)
}

// Lint is Engine.Lint for one article and material, without what concerns rules alone.
func (p *Profile) Lint() []Finding {
	l := &linter{profile: p, boundary: boundaryRules(p.rules)}
	satisfiable := l.satisfiable()
	for i := range p.rules {
		l.reportable(i)
	}
	if satisfiable {
		for axis := range linear.Axes {
			l.limit(axis, -1)
			l.limit(axis, 1)
		}
	}
	if len(p.unchecked) > 0 {
		l.add(Finding{Kind: SizeUnchecked, Codes: p.unchecked})
	}
	return l.findings
}

// Witness is the roundest and smallest box that reports the code first; ok is false where there is none,
// or none was found: Lint tells which.
func (p *Profile) Witness(code Code) (d Dims, ok bool) {
	i := slices.IndexFunc(p.rules, func(r ruling) bool { return r.rule.Code == code })
	if i < 0 {
		return Dims{}, false
	}
	at, answer := roundest(p.reports(i))
	if answer != linear.Something || !p.reported(at, code) {
		return Dims{}, false
	}
	return dims(at), true
}

type linter struct {
	profile  *Profile
	boundary int // how many rules are of the boundary stage; they come first
	findings []Finding
}

func (l *linter) add(f Finding) {
	f.Article, f.Material = l.profile.Article(), l.profile.Material()
	l.findings = append(l.findings, f)
}

func (l *linter) undecided(question FindingKind, codes ...Code) {
	l.add(Finding{Kind: Undecided, Question: question, Codes: codes})
}

func (l *linter) codes(rules []int) []Code {
	var codes []Code
	for _, i := range rules {
		codes = append(codes, l.profile.rules[i].rule.Code)
	}
	return codes
}

// within is where a box is inside the article's limits.
func (l *linter) within() linear.Condition { return l.profile.none(l.profile.rules[:l.boundary]) }

// excluded asks whether no box that meets the condition keeps all the rules.
func (l *linter) excluded(condition linear.Condition, rules []int) bool {
	conditions := []linear.Condition{condition}
	for _, i := range rules {
		conditions = append(conditions, linear.Not(l.profile.rules[i].condition))
	}
	_, answer := find(conditions...)
	return answer == linear.Nothing
}

func (l *linter) satisfiable() bool {
	switch _, answer := find(l.profile.valid()); answer {
	case linear.Something:
		return true
	case linear.Undecided:
		l.undecided(Unsatisfiable)
		return true
	}
	background, candidates := l.within(), numbers(l.boundary, len(l.profile.rules))
	if l.excluded(background, nil) {
		// The limits alone leave no box.
		background, candidates = linear.AllOf(), numbers(0, l.boundary)
	}
	set := smallest(candidates, func(rules []int) bool { return l.excluded(background, rules) })
	l.add(Finding{Kind: Unsatisfiable, Codes: l.codes(set)})
	return false
}

func (l *linter) reportable(i int) {
	p := l.profile
	code := p.rules[i].rule.Code
	switch _, answer := find(p.reports(i)); answer {
	case linear.Something:
		return
	case linear.Undecided:
		l.undecided(Unreportable, code)
		return
	}
	finding := Finding{Kind: Unreportable, Codes: []Code{code}}
	holds, earlier := p.rules[i].condition, numbers(0, i)
	if i >= l.boundary {
		holds, earlier = linear.AllOf(l.within(), holds), numbers(l.boundary, i)
	}
	switch at, answer := roundest(holds); {
	case answer == linear.Something && p.violates(i, at):
		finding.Witness = boxAt(at)
		finding.By = l.codes(smallest(earlier, func(rules []int) bool { return l.excluded(holds, rules) }))
	case answer != linear.Nothing:
		l.undecided(Unreportable, code)
		return
	}
	l.add(finding)
}

// limit looks whether a valid box reaches the minimum of the axis, or with a positive direction the maximum.
func (l *linter) limit(axis int, direction int64) {
	p := l.profile
	name, limit, end := "min_"+axisNames[axis], p.limits(axis).Min, p.low[axis]
	if direction > 0 {
		name, limit, end = "max_"+axisNames[axis], p.limits(axis).Max, p.high[axis]
	}
	var half linear.HalfSpace
	half.A[axis], half.K = direction, end*direction-1
	beyond := linear.Condition{Kind: linear.Half, Half: half}
	switch _, answer := find(p.valid(), beyond); answer {
	case linear.Something:
		return
	case linear.Undecided:
		l.undecided(UnreachableLimit, p.beyond(axis, end+direction)...)
		return
	}
	at, answer := linear.Greatest(everything, axis, direction, p.valid())
	if answer != linear.Something || !p.reported(at, "") {
		l.undecided(UnreachableLimit, p.beyond(axis, end+direction)...)
		return
	}
	reachable, value64 := units(at[axis]), limit.Float64()
	background := linear.AllOf(l.within(), beyond)
	l.add(Finding{
		Kind: UnreachableLimit, Codes: p.beyond(axis, end+direction), Limit: name, Value: &value64, Reachable: &reachable,
		By:      l.codes(smallest(numbers(l.boundary, len(p.rules)), func(rules []int) bool { return l.excluded(background, rules) })),
		Witness: boxAt(at),
	})
}

// beyond is the code that a box reports for its coordinate alone, if any.
func (p *Profile) beyond(axis int, coordinate int64) []Code {
	for _, r := range p.rules {
		if c := r.condition; c.Kind == linear.Half && r.rule.Stage == Boundary {
			var at linear.Point
			at[axis] = coordinate
			if only := c.Half.A; only[axis] != 0 && abs(only[0])+abs(only[1])+abs(only[2]) == abs(only[axis]) && c.Half.Contains(at) {
				return []Code{r.rule.Code}
			}
		}
	}
	return nil
}

func abs(x int64) int64 { return max(x, -x) }

// numbers are the whole numbers from first up to, but not including, end.
func numbers(first, end int) []int {
	var all []int
	for i := first; i < end; i++ {
		all = append(all, i)
	}
	return all
}

// maxTrials bounds how many sets smallest looks at for one with fewer members.
const maxTrials = 1000

// smallest is a subset of the candidates, all of which together suffice, that suffices with as few members
// as possible, and of those the first in order. Where there are too many to try, it is one of which no
// member can be left out.
func smallest(candidates []int, suffices func([]int) bool) []int {
	set := slices.Clone(candidates)
	for i := len(set) - 1; i >= 0; i-- {
		if fewer := slices.Delete(slices.Clone(set), i, i+1); suffices(fewer) {
			set = fewer
		}
	}
	trials := 0
	for size := 0; size <= len(set); size++ {
		if found := subset(candidates, size, nil, &trials, suffices); found != nil {
			return found
		}
	}
	return set
}

// subset is the first subset of the size that suffices, together with those chosen already.
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
