// Package lint proves things about whole rule and limit files. Call [Lint] to find mistakes: codes that no
// box gets, limits that no valid box reaches, and comparisons that change nothing. Call [Diff] to see for
// which boxes the verdicts of two versions of the files differ, and [Witness] for a box that gets a
// certain code. The String methods of findings and changes return sentences.
//
// Every claim is backed by a box, or by a proof about all boxes that customers can ask for: the boxes on the grid, with
// no more decimals than the catalogue allows. If a search gives up, the finding or change is reported as undecided.
// Proofs use the half-spaces of [boxrules.Profile.Exact]. A box that a search finds is checked again with the
// conditions as they are written. [Witness] checks it with [boxrules.Profile.Check] instead.
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

// Lint looks for mistakes in the rules and limits of every article and material: articles without a valid
// box, codes that no box gets, limits that no valid box reaches or that no rule enforces, and comparisons
// that could be dropped. The findings about articles come first, in the order of the catalogue. The
// findings about an article in a material are yielded as soon as that pair has been checked. Then come the
// findings about the rules, in the order of the rule file, and then those about the limit file as a whole.
//
// Lint does a limited amount of work, which takes at most a few seconds and is divided among the articles and
// materials. The limit is a number of steps and not a time, so the findings are always the same. Questions
// that are still open when the limit is reached are reported as undecided. The sequence panics if e is nil.
func Lint(e *boxrules.Engine) iter.Seq[Finding] { return lintWithin(maxWork, e) }

// lintWithin is like [Lint], but does at most the given amount of work.
func lintWithin(work int, e *boxrules.Engine) iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		budget := polytope.NewBudget(work)
		compound := make(map[boxrules.Code][]exact.Condition) // the conditions with several comparisons, for every pair
		var previous *space
		var findings []Finding
		products, rules := productsOf(e.Catalogue()), e.Rules().Rules()
		for i, p := range products {
			share := budget.Share(len(products) - i + 1) // the rules get a share, too
			s := p.space(e, &share)
			// The rules of an article are often the same in several materials. In that case, so are the
			// findings.
			if previous == nil || s.form.Article != previous.form.Article || !s.equal(previous) ||
				!reflect.DeepEqual(s.form.Blank, previous.form.Blank) {
				findings = lintProfile(s, rules)
			}
			previous = s
			for _, f := range findings {
				f.Material = s.form.Material
				if !yield(f.withPosition(e)) {
					return
				}
			}
			// A comparison can be dropped only from a condition that has others.
			for i, c := range s.form.Conditions {
				if c.Comparison == nil {
					code := s.rules[i].Code
					compound[code] = append(compound[code], c)
				}
			}
		}
		// Findings about rules and about the limit file are made once, not for each article.
		findings = nil
		selected := selectedConstraintCodes(e.Catalogue())
		for i, r := range rules {
			if isUserConstraint(r) && !selected[string(r.Code)] {
				findings = append(findings, Finding{Kind: UnselectedRule, Codes: []boxrules.Code{r.Code}})
			}
			share := budget.Share(len(rules) - i)
			findings = append(findings, redundantComparisons(r, compound[r.Code], polytope.Search{Step: exact.StepOf(e.Catalogue().Decimals()), Budget: &share})...)
		}
		findings = append(findings, unusedDeclarations(e.Rules())...)
		findings = append(findings, lintCatalogue(e.Catalogue())...)
		for _, f := range append(findings, unusedValues(e)...) {
			if !yield(f.withPosition(e)) {
				return
			}
		}
	}
}

func isUserConstraint(r boxrules.Rule) bool {
	_, documented := r.Code.Info()
	return r.Stage == boxrules.Constraint && !documented
}

// selectedConstraintCodes returns the codes of the constraints that at least one article selects.
func selectedConstraintCodes(c *limits.Catalogue) map[string]bool {
	selected := make(map[string]bool)
	for _, a := range c.Articles() {
		for _, code := range a.Constraints {
			selected[code] = true
		}
	}
	return selected
}

// A unit is unlikely if every maximum in the limit file is below plausibleMaximumLow, or if every maximum is
// above plausibleMaximumHigh. Both constants are in millimetres.
const (
	plausibleMaximumLow  = 100
	plausibleMaximumHigh = 2000
)

// likelierUnits returns the units in which the catalogue's maximums would be plausible. It returns nil if they are
// plausible in the catalogue's own unit, or if that unit is not among [exact.ConvertibleUnits].
func likelierUnits(c *limits.Catalogue) (likelier []string) {
	least, greatest := math.Inf(1), 0.0
	for _, a := range c.Articles() {
		for _, r := range a.Ranges() {
			least, greatest = min(least, r.Max.Float64()), max(greatest, r.Max.Float64())
		}
	}
	// A unit is likely unless all maximums are too small or all are too large in it.
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
	// A sheet is used only if a material that is offered is printed on it.
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

// valuesInRules returns the names of the user-defined values that the conditions of the rules mention.
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

// unusedDeclarations returns a finding for each value that the rule file declares but that no rule mentions.
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
	addUnused := func(material, article string, values limits.Values) {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if !used[name] {
				used[name] = true // report the value only once
				findings = append(findings, Finding{Kind: UnusedValue, Name: name, Material: material, Article: article})
			}
		}
	}
	addUnused("", "", c.Values())
	for _, m := range c.Materials() {
		addUnused(m.Code, "", m.Values)
	}
	for _, a := range c.Articles() {
		addUnused("", a.Code, a.Values)
	}
	return findings
}
