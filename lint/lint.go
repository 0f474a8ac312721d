// Package lint proves things about whole rule and limit files. Call [Lint] to find mistakes: codes
// that no box can report, limits that no valid box reaches, comparisons that change nothing. Call
// [Diff] to see for which boxes two versions of the files differ, and [Witness] for a box that
// reports a code. Findings and changes print as sentences.
//
// Every claim comes with evidence: a box, or a proof over all boxes that customers can ask about (those
// on the grid, or those with as few decimals as the catalogue allows). If a search is given up, the
// finding or change is called undecided. Proofs use the half-spaces of [boxrules.Profile.Exact]. The boxes
// they find are checked by the conditions as they are written, and those of [Witness] by
// [boxrules.Profile.Check].
package lint

import (
	"iter"
	"maps"
	"math"
	"reflect"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/conditions"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/limits"
)

// Lint looks for mistakes in the rules and limits of every article and material: articles without a
// valid box, codes that no box can report, limits that no valid box reaches or that no rule enforces,
// and comparisons that could be dropped. The findings about articles come first, in the order of the
// catalogue, and each is yielded as soon as it is made. Then come those about the rules, in the order
// of the rule file, and then those about the limit file as a whole.
//
// Lint does a fixed amount of work, which takes some seconds and is divided among the articles and
// materials. Work is counted and not timed, so the findings are always the same. Questions that are
// still open when the work is used up are reported as undecided. The sequence panics if e is nil.
func Lint(e *boxrules.Engine) iter.Seq[Finding] { return lintWithin(maxWork, e) }

// lintWithin does what [Lint] does, within the given work.
func lintWithin(work int, e *boxrules.Engine) iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		budget := polytope.NewBudget(work)
		conditions := make(map[boxrules.Code][]exact.Condition) // compound ones, in every article and material
		var previous *space
		var findings []Finding
		pairs, rules := pairsOf(e.Catalogue()), e.Rules().Rules()
		for i, p := range pairs {
			share := budget.Share(len(pairs) - i + 1) // the rules get a share, too
			s := p.space(e, &share)
			// An article is often the same in several materials, and then so are its findings.
			if previous == nil || s.form.Article != previous.form.Article || !s.equal(previous) ||
				!reflect.DeepEqual(s.form.Blank, previous.form.Blank) {
				findings = lintProfile(s, rules)
			}
			previous = s
			for _, f := range findings {
				f.Material = s.form.Material
				if !yield(f.placed(e)) {
					return
				}
			}
			// A condition that is a single comparison has none that could be dropped.
			for i, c := range s.form.Conditions {
				if c.Comparison == nil {
					code := s.rules[i].Code
					conditions[code] = append(conditions[code], c)
				}
			}
		}
		// Findings about rules and about the limit file are made once, not for each article.
		findings = nil
		selected := selectedCodes(e.Catalogue())
		for i, r := range rules {
			if isOwnConstraint(r) && !selected[string(r.Code)] {
				findings = append(findings, Finding{Kind: UnselectedRule, Codes: []boxrules.Code{r.Code}})
			}
			share := budget.Share(len(rules) - i)
			findings = append(findings, redundant(r, conditions[r.Code], polytope.Search{Step: exact.StepOf(e.Catalogue().Decimals()), Budget: &share})...)
		}
		findings = append(findings, unusedDeclarations(e.Rules())...)
		findings = append(findings, lintCatalogue(e.Catalogue())...)
		for _, f := range append(findings, unusedValues(e)...) {
			if !yield(f.placed(e)) {
				return
			}
		}
	}
}

// isOwnConstraint reports whether the rule is the user's own constraint.
func isOwnConstraint(r boxrules.Rule) bool {
	_, documented := r.Code.Info()
	return r.Stage == boxrules.Constraint && !documented
}

// selectedCodes returns the constraints that at least one article selects.
func selectedCodes(c *limits.Catalogue) map[string]bool {
	selected := make(map[string]bool)
	for _, a := range c.Articles() {
		for _, code := range a.Constraints {
			selected[code] = true
		}
	}
	return selected
}

// A unit is unlikely if every maximum in the limit file is below plausibleMaximumLow, or if every maximum is
// above plausibleMaximumHigh. Both are in millimetres.
const (
	plausibleMaximumLow  = 100
	plausibleMaximumHigh = 2000
)

// likelierUnits returns the units in which the maximums of the catalogue are more likely than in its own: none if they are
// likely in that, or if it is not among [exact.ConvertibleUnits].
func likelierUnits(c *limits.Catalogue) (likelier []string) {
	least, greatest := math.Inf(1), 0.0
	for _, a := range c.Articles() {
		for _, r := range a.Ranges() {
			least, greatest = min(least, r.Max.Float64()), max(greatest, r.Max.Float64())
		}
	}
	isLikely := func(unit string) bool {
		ratio, ok := exact.UnitRatio(unit, "mm")
		return !ok || ratio.Convert(greatest) >= plausibleMaximumLow && ratio.Convert(least) <= plausibleMaximumHigh
	}
	if isLikely(c.Unit()) {
		return nil
	}
	return slices.DeleteFunc(exact.ConvertibleUnits(), func(unit string) bool { return !isLikely(unit) })
}

// lintCatalogue returns the findings about the limit file as a whole.
func lintCatalogue(c *limits.Catalogue) []Finding {
	offered := make(map[string]bool)
	for _, a := range c.Articles() {
		for _, code := range a.Materials {
			offered[code] = true
		}
	}
	var findings []Finding
	if units := likelierUnits(c); len(units) > 0 {
		findings = append(findings, Finding{Kind: UnlikelyUnit, Units: units})
	}
	used := make(map[string]bool)
	for _, m := range c.Materials() {
		if offered[m.Code] {
			used[m.Sheet.Code] = true
		} else {
			findings = append(findings, Finding{Kind: UnusedMaterial, Material: m.Code})
		}
	}
	for _, s := range c.Sheets() {
		if !used[s.Code] {
			findings = append(findings, Finding{Kind: UnusedSheet, Sheet: s.Code})
		}
	}
	return findings
}

// valuesInRules returns the user-defined values that the condition of a rule mentions.
func valuesInRules(rules *boxrules.RuleSet) map[string]bool {
	used := make(map[string]bool)
	if len(rules.Values()) == 0 {
		return used
	}
	for _, r := range rules.Rules() {
		for _, name := range conditions.Of(rules, r).Values() {
			used[name] = true
		}
	}
	return used
}

// unusedDeclarations returns a finding for each value that the rule file declares and no rule mentions.
func unusedDeclarations(rules *boxrules.RuleSet) (findings []Finding) {
	used := valuesInRules(rules)
	for _, v := range rules.Values() {
		if !used[v.Name] {
			findings = append(findings, Finding{Kind: UnusedDeclaration, Name: v.Name})
		}
	}
	return findings
}

// unusedValues returns a finding for each user-defined value of the limit file that no formula and no rule mentions.
func unusedValues(e *boxrules.Engine) []Finding {
	c, used := e.Catalogue(), valuesInRules(e.Rules())
	for _, a := range c.Articles() {
		if a.Blank != nil {
			for _, name := range append(slices.Clone(a.Blank.Width.Names()), a.Blank.Height.Names()...) {
				used[name] = true
			}
		}
	}
	var findings []Finding
	find := func(material, article string, values limits.Values) {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if !used[name] {
				used[name] = true // once is enough
				findings = append(findings, Finding{Kind: UnusedValue, Name: name, Material: material, Article: article})
			}
		}
	}
	find("", "", c.Values())
	for _, m := range c.Materials() {
		find(m.Code, "", m.Values)
	}
	for _, a := range c.Articles() {
		find("", a.Code, a.Values)
	}
	return findings
}
