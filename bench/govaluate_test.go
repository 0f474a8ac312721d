package bench

import (
	"fmt"
	"testing"

	"github.com/casbin/govaluate"

	"example.com/boxrules"
)

// govaluateExpressions are the rules and the formulas, each parsed once, with parameters of our
// own and without type checks, as its documentation advises for speed. It has no max and min:
// they are functions that we give it.
type govaluateExpressions struct {
	rules                   []boxrules.Rule
	conditions              []*govaluate.EvaluableExpression
	blankWidth, blankHeight *govaluate.EvaluableExpression
	box                     govaluateBox
}

// govaluateBox is what conditions and formulas read. Its values are boxed once each, not at every
// Get.
type govaluateBox struct {
	width, depth, height, blankWidth, blankHeight                any
	minWidth, maxWidth, minDepth, maxDepth, minHeight, maxHeight any
	caliper, sheetWidth, sheetHeight                             any
}

func (b *govaluateBox) Get(name string) (any, error) {
	switch name {
	case "width":
		return b.width, nil
	case "depth":
		return b.depth, nil
	case "height":
		return b.height, nil
	case "blank_width":
		return b.blankWidth, nil
	case "blank_height":
		return b.blankHeight, nil
	case "min_width":
		return b.minWidth, nil
	case "max_width":
		return b.maxWidth, nil
	case "min_depth":
		return b.minDepth, nil
	case "max_depth":
		return b.maxDepth, nil
	case "min_height":
		return b.minHeight, nil
	case "max_height":
		return b.maxHeight, nil
	case "caliper":
		return b.caliper, nil
	case "sheet_width":
		return b.sheetWidth, nil
	case "sheet_height":
		return b.sheetHeight, nil
	}
	return nil, fmt.Errorf("unknown: %s", name)
}

var govaluateFunctions = map[string]govaluate.ExpressionFunction{
	"max": func(x ...any) (any, error) { return max(x[0].(float64), x[1].(float64)), nil },
	"min": func(x ...any) (any, error) { return min(x[0].(float64), x[1].(float64)), nil },
}

func newGovaluate(tb testing.TB, j job) *govaluateExpressions {
	tb.Helper()
	compile := func(text string) *govaluate.EvaluableExpression {
		e, err := govaluate.NewEvaluableExpressionWithFunctions(text, govaluateFunctions)
		if err != nil {
			tb.Fatal(err)
		}
		e.ChecksTypes = false
		return e
	}
	g := &govaluateExpressions{rules: j.rules, blankWidth: compile(j.blankWidth), blankHeight: compile(j.blankHeight)}
	for _, rule := range j.rules {
		g.conditions = append(g.conditions, compile(rule.When))
	}
	g.box = govaluateBox{
		minWidth: j.limits["min_width"], maxWidth: j.limits["max_width"],
		minDepth: j.limits["min_depth"], maxDepth: j.limits["max_depth"],
		minHeight: j.limits["min_height"], maxHeight: j.limits["max_height"],
		caliper: j.limits["caliper"], sheetWidth: j.limits["sheet_width"], sheetHeight: j.limits["sheet_height"],
	}
	return g
}

func (g *govaluateExpressions) check(d boxrules.Dims) boxrules.Code {
	b := &g.box
	b.width, b.depth, b.height = d.Width, d.Depth, d.Height
	for i, rule := range g.rules {
		if rule.Stage == boxrules.Size {
			b.blankWidth, b.blankHeight = g.run(g.blankWidth), g.run(g.blankHeight)
		}
		if g.run(g.conditions[i]).(bool) {
			return rule.Code
		}
	}
	return ""
}

func (g *govaluateExpressions) run(e *govaluate.EvaluableExpression) any {
	x, err := e.Eval(&g.box)
	if err != nil {
		panic(err)
	}
	return x
}
