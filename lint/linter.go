package lint

import (
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// lint returns the findings on one article and material of a file with all the rules.
func (s *space) lint(all []boxrules.Rule) []Finding {
	l := &linter{space: s}
	satisfiable := s.work.Spent() || l.checkSatisfiable()
	for i := range s.rules {
		if s.work.Spent() {
			l.undecided(Finding{Codes: l.codesOf(numbers(i, len(s.rules)))})
			return l.findings
		}
		l.checkReportable(i)
	}
	if satisfiable {
		for _, check := range []func(axis int, direction int64){l.checkLimit, l.checkEnforced} {
			for axis := range exact.Axes {
				check(axis, -1)
				check(axis, 1)
			}
		}
		l.checkBlank()
	}
	var unchecked []boxrules.Code
	for _, r := range all {
		if r.Stage == boxrules.Size && !slices.Contains(s.rules, r) {
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

// codesOf returns the codes of the rules with these numbers.
func (l *linter) codesOf(rules []int) []boxrules.Code {
	var codes []boxrules.Code
	for _, i := range rules {
		codes = append(codes, l.codes[i])
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
	l.add(Finding{Kind: Unsatisfiable, Codes: l.codesOf(set)})
	return false
}

// checkReportable looks for a box that reports rule i first.
func (l *linter) checkReportable(i int) {
	finding := Finding{Kind: Unreportable, Codes: []boxrules.Code{l.codes[i]}}
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
	at, answer := l.roundest(holds)
	if answer == polytope.Undecided || answer == polytope.Something && !l.violates(i, at) {
		l.undecided(finding)
		return
	}
	if answer == polytope.Something {
		finding.Witness = witness(at)
		finding.By = l.codesOf(smallest(earlier, func(rules []int) bool { return l.excluded(holds, rules) }))
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
	f.By = l.codesOf(smallest(numbers(l.boundary, len(l.rules)),
		func(rules []int) bool { return l.excluded(background, rules) }))
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
			return []boxrules.Code{l.codes[i]}
		}
	}
	return nil
}

// redundant returns a finding for each comparison that could be dropped from a compound rule, which
// has the trees in all articles and materials.
func redundant(r boxrules.Rule, all []exact.Tree, step int64, work *polytope.Budget) []Finding {
	var trees []exact.Tree // those that differ
	seen := make(map[string]bool)
	for _, tree := range all {
		text := tree.String()
		if work.Spend(folding * tree.Size()); !seen[text] {
			seen[text], trees = true, append(trees, tree)
		}
	}
	if len(trees) == 0 {
		return nil
	}
	var findings []Finding
	for i, c := range comparisons(trees[0]) {
		finding := Finding{Kind: RedundantCondition, Codes: []boxrules.Code{r.Code}}
		if work.Spent() {
			finding.Kind, finding.Question = Undecided, RedundantCondition
			return append(findings, finding)
		}
		finding.Condition = strings.Join(strings.Fields(string([]rune(r.When)[c.From:c.To])), " ")
		finding.offset = c.From
		switch differs(trees, i, step, work) {
		case polytope.Undecided:
			finding.Kind, finding.Question = Undecided, RedundantCondition
		case polytope.Something:
			continue
		}
		// Of a comparison that stands there twice one is enough.
		if !slices.ContainsFunc(findings,
			func(f Finding) bool { return f.Kind == finding.Kind && f.Condition == finding.Condition }) {
			findings = append(findings, finding)
		}
	}
	return findings
}

// comparisons returns those of the tree, in the order of the text.
func comparisons(t exact.Tree) []*exact.Comparison {
	if t.Comparison != nil {
		return []*exact.Comparison{t.Comparison}
	}
	var all []*exact.Comparison
	for _, part := range t.Parts {
		all = append(all, comparisons(part)...)
	}
	return all
}

// differs looks for a box that has a size and of which the rule says something else without the
// comparison of the number, wherever it applies.
func differs(trees []exact.Tree, number int, step int64, work *polytope.Budget) polytope.Answer {
	answer := polytope.Nothing
	for _, tree := range trees {
		if work.Spend(4 * folding * tree.Size()); work.Spent() {
			return polytope.Undecided
		}
		whole, less := tree.Folded(), without(tree, comparisons(tree)[number]).Folded()
		for _, difference := range [][]exact.Tree{{whole, exact.Not(less)}, {less, exact.Not(whole)}} {
			switch _, found := work.FindOn(step, polytope.Sized, difference...); found {
			case polytope.Something:
				return found
			case polytope.Undecided:
				answer = found
			}
		}
	}
	return answer
}

// without returns the tree without one of its comparisons.
func without(t exact.Tree, dropped *exact.Comparison) exact.Tree {
	var parts []exact.Tree
	for _, part := range t.Parts {
		switch {
		case part.Comparison == nil:
			parts = append(parts, without(part, dropped))
		case part.Comparison != dropped:
			parts = append(parts, part)
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	t.Parts = parts
	return t
}
