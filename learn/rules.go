package learn

import (
	"maps"
	"math/big"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/conditions"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/source"
)

// A conditionRule is a constraint, or a boundary or size rule that the user has added. In other words, it is any rule
// that is neither a comparison of a dimension with its limit nor the documented comparison of the blank with the sheet.
type conditionRule struct {
	boxrules.Rule
	expression *expression.Expression
	// unknownName is the first limit, or side of the sheet, that the condition mentions. It is empty if there is none.
	// As long as its value is not known, it is not known for which boxes the condition holds, and the rule is called
	// opaque.
	unknownName   string
	mentionsBlank bool // if true, the rule is also opaque for articles whose blank is not known
	mentionsSheet bool
	// isSameForAll is true if the condition is the same for all articles in all materials.
	isSameForAll bool
}

// appliesToAll reports whether the rule applies to every article. Only constraints have to be selected by an
// article.
func (r conditionRule) appliesToAll() bool { return r.Stage != boxrules.Constraint }

// opaqueReason returns the reason why the rule is opaque for the article, or "" if it is not.
//
// Little can be learned about an opaque rule. Take a constraint with the condition width > max_width - 10. An answer
// with its code shows that the article selects it, because no other rule has this code. Nothing can be concluded from
// any other answer, because it is not known whether the width of the box exceeds max_width - 10. The rule is no longer
// opaque when max_width becomes known: see updateRuleConditions.
func (r conditionRule) opaqueReason(a *article) string {
	switch {
	case r.mentionsBlank && a.frameBlank == nil:
		return "the rule mentions the blank, which is not in the frame"
	case r.unknownName != "":
		return "the rule mentions " + r.unknownName + ", which has yet to be learned"
	}
	return ""
}

// A condition is the compiled condition of a conditionRule, for one article in one material.
type condition struct {
	expression *expression.Expression // computes the condition in double precision
	violated   exact.Region           // the boxes for which it holds
	satisfied  exact.Region           // all other boxes
	withEdges  exact.Condition        // the same condition in a form that finds boxes on its edge
	unitRatio  exact.Ratio            // converts lengths from the unit of the frame to the unit of the rule
	isOpaque   bool                   // whether the rule is opaque: see conditionRule.opaqueReason
}

// impossibleCondition is the condition of a constraint that the article cannot select. No box violates it.
var impossibleCondition = &condition{violated: exact.Not(exact.Everywhere()), satisfied: exact.Everywhere()}

// opaqueCondition is the condition of all opaque rules. No box is known to violate such a rule, so violated is empty.
// Therefore no search or plan relies on a box violating such a rule.
var opaqueCondition = &condition{violated: exact.Not(exact.Everywhere()), satisfied: exact.Everywhere(), isOpaque: true}

// addRules finds out what each rule compares, and adds the rules to the learner. Every minimum and maximum must be
// compared with its dimension by some rule; otherwise addRules returns an error.
//
// The most important rules are the limit tests, which compare a dimension with its own limit, such as width <
// min_width. If a box is refused with the code of a rule that comes after these tests, the box is within the limits.
// The code of a rule that comes before a limit test does not show that, so nothing is learned from it. All other rules
// are condition rules, except for the documented comparison of the blank with the sheet.
func (l *Learner) addRules(rules *boxrules.RuleSet) error {
	documented := boxrules.DefaultRules().Rules() // the last of them is BOX_4100, the size rule
	sizeCondition := withoutSpace(documented[len(documented)-1].When)
	lastLimitTest := -1
	for i, r := range l.rules {
		if t, ok := parseLimitTest(r); ok && !slices.Contains(l.limitTests, t) {
			l.limitTests, l.codes, lastLimitTest = append(l.limitTests, t), append(l.codes, r.Code), i
		}
	}
	seen := make(map[limitTest]bool)
	for i, r := range l.rules {
		if t, ok := parseLimitTest(r); ok && !seen[t] {
			seen[t] = true
			continue
		}
		if i < lastLimitTest {
			l.checkedBeforeLimits[r.Code] = true
			l.warn(rules, r, "the rule comes before the comparison with a limit, so nothing can be learned from answers with its code")
			continue
		}
		l.codes = append(l.codes, r.Code)
		if r.Stage == boxrules.Size && !l.hasSizeRule && withoutSpace(r.When) == sizeCondition {
			l.hasSizeRule, l.beforeSheet = true, len(l.conditionRules)
			continue
		}
		l.addConditionRule(rules, r)
	}
	l.codes = append(l.codes, "")
	if !l.hasSizeRule {
		l.beforeSheet = len(l.conditionRules)
	}
	if len(l.limitTests) == 0 {
		return source.Errors{{Position: source.Position{File: rules.Name(), Line: 1, Column: 1},
			Message: "limits cannot be learned under these rules: none of them compares a dimension with its limit, as in width < min_width; " +
				"extends: documented adds such rules"}}
	}
	var errs source.Errors
	for axis := range exact.Axes {
		for end := range 2 {
			if !slices.Contains(l.limitTests, limitTest{axis, end}) {
				errs = append(errs, l.missingLimitTest(rules, axis, end))
			}
		}
	}
	return errs.Err()
}

// missingLimitTest returns the error for a limit that no limit test compares with its dimension. If a boundary rule
// mentions the limit, but does more than compare it with the dimension, the error is about that rule and has its
// position.
func (l *Learner) missingLimitTest(rules *boxrules.RuleSet, axis, end int) *source.Error {
	const lead = "limits cannot be learned under "
	for _, r := range l.rules {
		names := conditions.Of(rules, r).Names()
		if _, ok := parseLimitTest(r); !ok && r.Stage == boxrules.Boundary && slices.Contains(names, limitName(axis, end)) {
			return &source.Error{Position: rules.Position(r.Code), Rule: string(r.Code),
				Message: lead + "this rule: no other rule compares " + exact.AxisNames()[axis] + " with " + limitName(axis, end) +
					", so this one must do exactly that, as in width < min_width"}
		}
	}
	return &source.Error{Position: source.Position{File: rules.Name(), Line: 1, Column: 1},
		Message: lead + "these rules: none of them compares " + exact.AxisNames()[axis] + " with " + limitName(axis, end)}
}

func (l *Learner) addConditionRule(rules *boxrules.RuleSet, r boxrules.Rule) {
	e := conditions.Of(rules, r)
	names := e.Names()
	rule := conditionRule{Rule: r, expression: e, isSameForAll: true}
	for _, name := range names {
		rule.mentionsBlank = rule.mentionsBlank || expression.IsBlank(name)
		rule.mentionsSheet = rule.mentionsSheet || name == "sheet_width" || name == "sheet_height"
		axes := exact.AxisNames()
		rule.isSameForAll = rule.isSameForAll && slices.Contains(axes[:], name)
	}
	if l.truth == nil {
		rule.unknownName = firstUnknownName(names)
	}
	if rule.mentionsSheet && rule.unknownName != "" {
		l.warn(rules, r, "the rule mentions the sheet, which has yet to be learned, so little can be learned from answers with its code")
	}
	l.conditionRules = append(l.conditionRules, rule)
}

func (l *Learner) warn(rules *boxrules.RuleSet, r boxrules.Rule, message string) {
	l.warnings = append(l.warnings, &source.Error{Position: rules.Position(r.Code), Rule: string(r.Code), Message: message})
}

// Warnings returns a warning about each rule from whose code little or nothing can be learned. Such a rule mentions the
// sheet, which is not known, or comes before the comparison of a dimension with its limit. The warning has the position
// of the rule in its file. Everything else is learned as usual. There is no warning about a rule that mentions a limit,
// because such a rule can be used as soon as the answers show the limit. With Options.Styles, there are also warnings
// about styles that are not tried. They have the position of an article in the frame.
func (l *Learner) Warnings() source.Errors { return slices.Clone(l.warnings) }

func withoutSpace(condition string) string { return strings.Join(strings.Fields(condition), "") }

// parseLimitTest parses the condition of a boundary rule if it is a limit test, such as width < min_width or
// max_width < width. For all other rules, ok is false.
func parseLimitTest(r boxrules.Rule) (t limitTest, ok bool) {
	if r.Stage != boxrules.Boundary {
		return limitTest{}, false
	}
	for axis, name := range exact.AxisNames() {
		for end, condition := range [2][2]string{
			{name + "<min_" + name, "min_" + name + ">" + name},
			{name + ">max_" + name, "max_" + name + "<" + name},
		} {
			if slices.Contains(condition[:], withoutSpace(r.When)) {
				return limitTest{axis, end}, true
			}
		}
	}
	return limitTest{}, false
}

// ruleIndex returns the index of the condition rule for comparison k. ok is false if k is a limit test or the
// comparison with the sheet.
func (l *Learner) ruleIndex(k int) (i int, ok bool) {
	switch i = k - len(l.limitTests); {
	case i < l.beforeSheet || !l.hasSizeRule:
	case i == l.beforeSheet:
		return 0, false
	default:
		i--
	}
	return i, i >= 0
}

// updateRuleConditions computes the conditions of rules that mention limits. It does so for each article for which
// all limits in the condition have become known. If a later answer contradicts one of these limits, the rule
// becomes opaque again.
func (l *Learner) updateRuleConditions(articles ...*article) {
	for i, r := range l.conditionRules {
		if r.unknownName == "" || r.mentionsSheet {
			continue // the exact size of a sheet is rarely known, because different sheets may hold the same blanks
		}
		for _, a := range articles {
			if a.missingValues[i] != "" || r.mentionsBlank && a.frameBlank == nil {
				continue
			}
			known := a.knownLimits(r.expression.Names())
			if old := a.knownByRule[i]; maps.Equal(old, known) {
				continue
			}
			if a.knownByRule == nil {
				a.knownByRule = make(map[int]map[string]int64)
			}
			a.knownByRule[i] = known
			// What was learned with other limits may be wrong. An answer with the code of the rule still shows that
			// the rule is selected, so keep Contained.
			a.selections[i].Excluded, a.hidden = nil, nil
			for _, p := range a.profiles {
				p.conditions = slices.Clone(p.conditions) // copy the slice, because other profiles may share it
				p.conditions[i] = l.conditionGiven(p, r, known)
				p.maskedBoxes = nil // now it is known which boxes the rule refuses
			}
		}
	}
}

// knownLimits returns the values of the named limits, keyed by name. It returns nil if one of these limits is not
// known.
func (a *article) knownLimits(names []string) map[string]int64 {
	known := make(map[string]int64)
	for axis := range exact.Axes {
		for end, u := range a.rangeEnds[axis] {
			switch name := limitName(axis, end); {
			case !slices.Contains(names, name):
			case u.LowerBound() < u.UpperBound():
				return nil
			default:
				known[name] = u.LowerBound()
			}
		}
	}
	return known
}

// conditionGiven returns the condition of a rule, given the values of the limits that it mentions. If known is nil,
// the condition is opaque.
func (l *Learner) conditionGiven(p *profile, r conditionRule, known map[string]int64) *condition {
	if known == nil {
		return opaqueCondition
	}
	form, _, err := l.recompiledEngine().Exact(p.article.Code, p.material)
	if err != nil {
		panic(err) // the engine has every profile of the learner
	}
	variables := make(map[string]exact.Variable)
	for name, v := range form.Variables.All() {
		variables[name] = v
	}
	p.float64Values.values = maps.Clone(p.float64Values.values)
	if p.float64Values.values == nil {
		p.float64Values.values = make(map[string]float64)
	}
	for name, x := range known {
		variables[name] = exact.Variable{Value: exact.Constant(big.NewRat(x, exact.Scale))}
		p.float64Values.values[name] = exact.Float64At(x)
	}
	unit := ""
	if r.Unit != form.Unit {
		unit = r.Unit
	}
	ratio, _ := exact.UnitRatio(form.Unit, r.Unit) // cannot fail, because the engine has accepted the units
	budget := maxComparisons
	compiled, problem := r.expression.ConditionIn(unit, ratio, exact.NewVariables(nil, variables), &budget)
	if problem != nil {
		return opaqueCondition // a number is too large
	}
	region := compiled.Region()
	return &condition{expression: r.expression, violated: region, satisfied: exact.Not(region), withEdges: compiled, unitRatio: ratio}
}

// maxComparisons is the maximum number of comparisons in a condition. Engines have the same maximum.
const maxComparisons = 1000

// A ruleConditionCache holds conditions that profiles share. Without it, the regions of 500 profiles would take 100 MB.
// The engine shares the parts of a compiled condition among profiles for which the condition has the same numbers. So
// the address of the first part is used as the key.
type ruleConditionCache struct {
	same    []*condition // by condition rule: the condition if it is the same for all profiles; nil if it is not, or not known yet
	byParts map[*exact.Condition]*condition
}

// ruleConditions returns the conditions of a profile, one for each condition rule. form and rules are the results of
// [boxrules.Engine.Exact] for the profile.
func (l *Learner) ruleConditions(a *article, form exact.Form, rules []boxrules.Rule, cache *ruleConditionCache) []*condition {
	if !slices.Contains(cache.same, nil) {
		return cache.same
	}
	all := slices.Clone(cache.same)
	complete := true
	for i, r := range l.conditionRules {
		if all[i] != nil {
			continue
		}
		if a.missingValues[i] != "" {
			all[i], complete = impossibleCondition, false
		} else if r.opaqueReason(a) != "" {
			all[i] = opaqueCondition
			complete = complete && r.unknownName != ""
		} else {
			j := slices.IndexFunc(rules, func(applied boxrules.Rule) bool { return applied.Code == r.Code })
			all[i] = cache.conditionOf(r, form, form.Conditions[j])
			complete = complete && r.isSameForAll
		}
	}
	if complete { // all further profiles can share the slice
		cache.same = all
		return all
	}
	for i, r := range l.conditionRules {
		if r.isSameForAll || r.unknownName != "" {
			cache.same[i] = all[i]
		}
	}
	return all
}

func (c *ruleConditionCache) conditionOf(r conditionRule, form exact.Form, compiled exact.Condition) *condition {
	var key *exact.Condition
	if len(compiled.Parts) > 0 { // a single comparison has no parts, so it is not cached; its region is small
		key = &compiled.Parts[0]
		if known := c.byParts[key]; known != nil {
			return known
		}
	}
	region := compiled.Region()
	ratio, _ := exact.UnitRatio(form.Unit, r.Unit) // cannot fail, because the engine has accepted the units
	result := &condition{expression: r.expression, violated: region, satisfied: exact.Not(region), withEdges: compiled, unitRatio: ratio}
	if key != nil {
		c.byParts[key] = result
	}
	return result
}

// mentionedLimitsDecided reports whether all limits and sheets in the rule's condition are decided for the article.
// If they are not, lenient limits must not include the rule, because they might refuse a box that the service
// accepts: the condition width < max_width / 4 holds for more boxes if the maximum is greater.
func (l *Learner) mentionedLimitsDecided(a *article, r conditionRule) bool {
	names := r.expression.Names()
	for axis := range exact.Axes {
		for end, u := range a.rangeEnds[axis] {
			if slices.Contains(names, limitName(axis, end)) && u.LowerBound() < u.UpperBound() {
				return false
			}
		}
	}
	if !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "sheet_") }) {
		return true
	}
	// A sheet is decided if all possible sheets give the same verdicts under the size rule. Under this rule they
	// may not, so the sheet must be known exactly.
	return !slices.ContainsFunc(a.profiles, func(p *profile) bool { return !p.sheet.IsKnown() })
}
