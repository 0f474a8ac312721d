package lint

import (
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

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
		switch same, decided := sameWithout(trees, i, step, work); {
		case !decided:
			finding.Kind, finding.Question = Undecided, RedundantCondition
		case !same:
			continue
		}
		// Of a comparison that stands there twice one is enough.
		if !slices.ContainsFunc(findings, func(f Finding) bool { return f.Kind == finding.Kind && f.Condition == finding.Condition }) {
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

// sameWithout reports whether the rule says the same of every box that has a size without the
// comparison of the number, wherever it applies.
func sameWithout(trees []exact.Tree, number int, step int64, work *polytope.Budget) (same, decided bool) {
	decided = true
	for _, tree := range trees {
		if work.Spend(4 * folding * tree.Size()); work.Spent() {
			return false, false
		}
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
