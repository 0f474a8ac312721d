package lint

import (
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// redundant finds the comparisons that could be dropped from a rule, in all articles and materials that have it.
func redundant(r boxrules.Rule, spaces []*space) []Finding {
	var trees []exact.Tree // of the rule, those that differ
	for _, s := range spaces {
		if i := slices.Index(s.rules, r); i >= 0 && !slices.ContainsFunc(trees, s.form.Conditions[i].Equal) {
			trees = append(trees, s.form.Conditions[i])
		}
	}
	if len(trees) == 0 || trees[0].Comparison != nil {
		return nil
	}
	var findings []Finding
	for i, c := range comparisons(trees[0]) {
		text := strings.Join(strings.Fields(string([]rune(r.When)[c.From:c.To])), " ")
		finding := Finding{Kind: RedundantCondition, Codes: []boxrules.Code{r.Code}, Condition: text}
		switch same, decided := sameWithout(trees, i, spaces[0].step, spaces[0].work); {
		case !decided:
			finding.Kind, finding.Question = Undecided, RedundantCondition
		case !same:
			continue
		}
		// Of a comparison that stands there twice one is enough.
		if !slices.ContainsFunc(findings, func(f Finding) bool { return f.Kind == finding.Kind && f.Condition == text }) {
			findings = append(findings, finding)
		}
	}
	return findings
}

// comparisons are those of the tree, in the order of the text.
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

// sameWithout asks whether the rule without the comparison of the number says the same of every box that has a size,
// wherever it applies.
func sameWithout(trees []exact.Tree, number int, step int64, work *polytope.Work) (same, decided bool) {
	decided = true
	for _, tree := range trees {
		whole, less := tree.Folded(), without(tree, comparisons(tree)[number]).Folded()
		for _, difference := range [][]exact.Tree{{whole, exact.Not(less)}, {less, exact.Not(whole)}} {
			switch _, answer := work.FindOn(step, polytope.Sized, difference...); answer {
			case polytope.Something:
				return false, true
			case polytope.Undecided:
				decided = false
			}
		}
	}
	return decided, decided
}

// without is the tree without one of its comparisons.
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
