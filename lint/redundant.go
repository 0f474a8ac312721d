package lint

import (
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// redundantComparisons returns a finding for each comparison that could be dropped from the rule. conditions
// holds the condition of the rule for every article and material that it applies to. These conditions differ
// only in their numbers, such as the value of max_width. A comparison is redundant if it can be dropped from
// all of them.
func redundantComparisons(r boxrules.Rule, conditions []exact.Condition, search polytope.Search) []Finding {
	// The condition is often the same in several materials. Look at equal conditions only once.
	var distinct []exact.Condition
	seen := make(map[string]bool)
	for _, c := range conditions {
		text := c.String()
		if search.Budget.Spend(foldingCost * c.Size()); !seen[text] {
			seen[text], distinct = true, append(distinct, c)
		}
	}
	if len(distinct) == 0 {
		return nil
	}
	var findings []Finding
	// All conditions come from the same text, so comparison i of each has the same place in it.
	for i, c := range listComparisons(distinct[0]) {
		finding := Finding{Kind: RedundantCondition, Codes: []boxrules.Code{r.Code}}
		if search.Budget.Spent() {
			finding.Kind, finding.Question = Undecided, RedundantCondition
			return append(findings, finding)
		}
		// The finding quotes the comparison from the rule, on one line.
		finding.Condition = strings.Join(strings.Fields(string([]rune(r.When)[c.From:c.To])), " ")
		if len(c.Left.Numbers)+len(c.Right.Numbers) > 0 {
			finding.Unit = c.Unit
		}
		finding.offset = c.From
		switch findRedundancyCounterexample(i, distinct, search) {
		case polytope.Undecided:
			finding.Kind, finding.Question = Undecided, RedundantCondition
		case polytope.Something:
			continue
		}
		// Both copies of `width > 50 && width > 50` are redundant, but only one can be dropped.
		if !slices.ContainsFunc(findings,
			func(f Finding) bool { return f.Kind == finding.Kind && f.Condition == finding.Condition }) {
			findings = append(findings, finding)
		}
	}
	return findings
}

// listComparisons returns the comparisons in the condition, in the order of the text.
func listComparisons(t exact.Condition) []*exact.Comparison {
	if t.Comparison != nil {
		return []*exact.Comparison{t.Comparison}
	}
	var all []*exact.Comparison
	for _, part := range t.Parts {
		all = append(all, listComparisons(part)...)
	}
	return all
}

// findRedundancyCounterexample looks for a box with positive dimensions for which the result of one of the conditions
// changes if its comparison i is dropped. If it proves that there is no such box, the comparison can be dropped from
// all of the conditions, like the second comparison in `width > 50 && width > 20`.
func findRedundancyCounterexample(i int, conditions []exact.Condition, search polytope.Search) polytope.Answer {
	answer := polytope.Nothing
	for _, c := range conditions {
		if search.Budget.Spend(4 * foldingCost * c.Size()); search.Budget.Spent() {
			return polytope.Undecided
		}
		// The result is different for boxes that are in exactly one of the two regions.
		with, without := c.Region(), dropComparison(c, listComparisons(c)[i]).Region()
		for _, difference := range [][]exact.Region{{with, exact.Not(without)}, {without, exact.Not(with)}} {
			switch _, found := search.Find(polytope.Sized, difference...); found {
			case polytope.Something:
				return found
			case polytope.Undecided:
				answer = found
			}
		}
	}
	return answer
}

// dropComparison returns the condition, which must have several comparisons, without one of them: `a && (b ||
// c)` without c is `a && b`.
func dropComparison(t exact.Condition, dropped *exact.Comparison) exact.Condition {
	var parts []exact.Condition
	for _, part := range t.Parts {
		switch {
		case part.Comparison == nil:
			parts = append(parts, dropComparison(part, dropped))
		case part.Comparison != dropped:
			parts = append(parts, part)
		}
	}
	if len(parts) == 1 {
		return parts[0] // a conjunction or disjunction of one part is that part
	}
	t.Parts = parts
	return t
}
