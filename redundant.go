package boxrules

import (
	"slices"

	"github.com/expr-lang/expr/ast"

	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/linear"
)

// redundant finds the comparisons that could be dropped from a rule, for all articles and materials.
func (e *Engine) redundant() []Finding {
	var findings []Finding
	for _, r := range e.rules.rules {
		for _, part := range droppable(r.condition.Root()) {
			finding := Finding{Kind: RedundantCondition, Codes: []Code{r.Code}, Condition: r.condition.Annotated(part, func(string) string { return "" })}
			switch e.changesNothing(r, part) {
			case linear.Something:
				findings = append(findings, finding)
			case linear.Undecided:
				finding.Kind, finding.Question = Undecided, RedundantCondition
				findings = append(findings, finding)
			}
		}
	}
	return slices.CompactFunc(findings, func(a, b Finding) bool {
		return a.Kind == b.Kind && a.Condition == b.Condition && slices.Equal(a.Codes, b.Codes)
	})
}

// droppable are the comparisons in the tree that are one side of && or ||.
func droppable(n ast.Node) []ast.Node {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return droppable(n.Node)
	case *ast.BinaryNode:
		if !logical(n) {
			return nil
		}
		var parts []ast.Node
		for _, side := range []ast.Node{n.Left, n.Right} {
			if b, ok := side.(*ast.BinaryNode); ok && !logical(b) {
				parts = append(parts, b)
			} else {
				parts = append(parts, droppable(side)...)
			}
		}
		return parts
	}
	return nil
}

// changesNothing asks whether the rule without the part says the same of every box that has a size, wherever
// it applies. Something is yes, Nothing is no.
func (e *Engine) changesNothing(r *rule, part ast.Node) linear.Answer {
	answer := linear.Nothing
	for _, p := range e.ordered {
		if !p.applies(r) {
			continue
		}
		same := sameWithout(r, part, p.numbers)
		if same != linear.Something {
			return same
		}
		answer = linear.Something
		if r.condition.Class() == expression.PerBox {
			return answer // no article or material changes it
		}
	}
	if answer == linear.Nothing && r.condition.Class() == expression.PerBox {
		return sameWithout(r, part, boxVariables()) // a rule that no article selects
	}
	return answer
}

func (p *Profile) applies(r *rule) bool {
	for i := range p.rules {
		if p.rules[i].rule == r {
			return true
		}
	}
	return false
}

func sameWithout(r *rule, part ast.Node, variables map[string]linear.Value) linear.Answer {
	whole, err := lowerCondition(r.condition, variables, nil)
	if err != nil {
		return linear.Undecided
	}
	less, err := lowerWithout(r.condition, part, variables)
	if err != nil {
		return linear.Undecided
	}
	for _, difference := range [][]linear.Condition{{whole, linear.Not(less)}, {less, linear.Not(whole)}} {
		switch _, answer := linear.Find(positive, difference...); answer {
		case linear.Something:
			return linear.Nothing
		case linear.Undecided:
			return linear.Undecided
		}
	}
	return linear.Something
}
