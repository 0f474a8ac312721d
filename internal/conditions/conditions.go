// Package conditions gives access to the parsed conditions of rules, for packages that need more than
// verdicts: the generators, lint and learn.
package conditions

import (
	"example.com/boxrules"
	"example.com/boxrules/internal/expression"
)

// Of returns the parsed condition of r, which must be a rule of the rule set.
func Of(rules *boxrules.RuleSet, r boxrules.Rule) *expression.Expression {
	degrees := make(expression.Degrees)
	for _, v := range rules.Values() {
		degrees[v.Name] = expression.Plain
		if v.Kind == boxrules.LengthValue {
			degrees[v.Name] = expression.Length
		}
	}
	condition, _ := expression.ConditionWith(degrees, r.When) // LoadRules has accepted it
	return condition
}
