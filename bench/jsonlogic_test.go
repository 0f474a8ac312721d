package bench

import (
	"testing"

	"github.com/diegoholiveira/jsonlogic/v3"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"

	"example.com/boxrules"
)

// jsonLogic are the rules and the formulas as JSON values, decoded once. ApplyInterface takes
// them as they are; it is deprecated in favour of Apply, which would decode rules and data from
// JSON text at each call.
type jsonLogic struct {
	rules                   []boxrules.Rule
	conditions              []any
	blankWidth, blankHeight any
	box                     map[string]any
}

func newJSONLogic(tb testing.TB, j job) *jsonLogic {
	tb.Helper()
	compile := func(text string) any {
		tree, err := parser.Parse(text)
		if err != nil {
			tb.Fatal(err)
		}
		return logic(tb, tree.Node)
	}
	l := &jsonLogic{rules: j.rules, blankWidth: compile(j.blankWidth), blankHeight: compile(j.blankHeight), box: make(map[string]any)}
	for _, rule := range j.rules {
		l.conditions = append(l.conditions, compile(rule.When))
	}
	for name, value := range j.limits {
		l.box[name] = value
	}
	return l
}

// logic is a tree of expr as JsonLogic: {"<": [{"var": "width"}, {"var": "min_width"}]}.
func logic(tb testing.TB, n ast.Node) any {
	tb.Helper()
	operation := func(operator string, operands ...ast.Node) any {
		values := make([]any, len(operands))
		for i, each := range operands {
			values[i] = logic(tb, each)
		}
		return map[string]any{operator: values}
	}
	switch n := n.(type) {
	case *ast.IntegerNode:
		return float64(n.Value)
	case *ast.FloatNode:
		return n.Value
	case *ast.IdentifierNode:
		return map[string]any{"var": n.Value}
	case *ast.BuiltinNode: // max and min
		return operation(n.Name, n.Arguments...)
	case *ast.BinaryNode:
		switch n.Operator {
		case "&&":
			return operation("and", n.Left, n.Right)
		case "||":
			return operation("or", n.Left, n.Right)
		}
		return operation(n.Operator, n.Left, n.Right)
	}
	tb.Fatalf("no JsonLogic for %T %v", n, n)
	return nil
}

func (l *jsonLogic) check(d boxrules.Dims) boxrules.Code {
	l.box["width"], l.box["depth"], l.box["height"] = d.Width, d.Depth, d.Height
	for i, rule := range l.rules {
		if rule.Stage == boxrules.Size {
			l.box["blank_width"], l.box["blank_height"] = l.run(l.blankWidth), l.run(l.blankHeight)
		}
		if l.run(l.conditions[i]).(bool) {
			return rule.Code
		}
	}
	return ""
}

func (l *jsonLogic) run(logic any) any {
	//lint:ignore SA1019 it is the fastest
	x, err := jsonlogic.ApplyInterface(logic, l.box)
	if err != nil {
		panic(err)
	}
	return x
}
