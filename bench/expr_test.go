package bench

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"example.com/boxrules"
)

// exprPrograms are the rules and the formulas, each compiled once, and the virtual machine that
// all runs use.
type exprPrograms struct {
	vm                      vm.VM
	rules                   []boxrules.Rule
	conditions              []*vm.Program
	blankWidth, blankHeight *vm.Program
}

func newExprPrograms(tb testing.TB, j job, env any) exprPrograms {
	tb.Helper()
	p := exprPrograms{
		rules:       j.rules,
		blankWidth:  compileExpr(tb, j.blankWidth, expr.Env(env), expr.AsFloat64()),
		blankHeight: compileExpr(tb, j.blankHeight, expr.Env(env), expr.AsFloat64()),
	}
	for _, rule := range j.rules {
		p.conditions = append(p.conditions, compileExpr(tb, rule.When, expr.Env(env), expr.AsBool()))
	}
	return p
}

func compileExpr(tb testing.TB, text string, options ...expr.Option) *vm.Program {
	tb.Helper()
	program, err := expr.Compile(text, options...)
	if err != nil {
		tb.Fatal(err)
	}
	return program
}

func (p *exprPrograms) run(program *vm.Program, env any) any {
	x, err := p.vm.Run(program, env)
	if err != nil {
		panic(err)
	}
	return x
}

// exprMap runs rule by rule, its environment a map.
type exprMap struct {
	exprPrograms
	env map[string]any
}

func newExprMap(tb testing.TB, j job) *exprMap {
	tb.Helper()
	env := map[string]any{"width": 0.0, "depth": 0.0, "height": 0.0, "blank_width": 0.0, "blank_height": 0.0}
	for name, value := range j.limits {
		env[name] = value
	}
	return &exprMap{newExprPrograms(tb, j, maps.Clone(env)), env}
}

func (p *exprMap) check(d boxrules.Dims) boxrules.Code {
	env := p.env
	env["width"], env["depth"], env["height"] = d.Width, d.Depth, d.Height
	for i, rule := range p.rules {
		if rule.Stage == boxrules.Size {
			env["blank_width"], env["blank_height"] = p.run(p.blankWidth, env), p.run(p.blankHeight, env)
		}
		if p.run(p.conditions[i], env).(bool) {
			return rule.Code
		}
	}
	return ""
}

// exprOne is the fastest that we found with expr: all rules in a single program that gives the
// index of the first that holds, and the limits written into it as numbers.
type exprOne struct {
	vm      vm.VM
	rules   []boxrules.Rule
	program *vm.Program
	env     map[string]any
}

func newExprOne(tb testing.TB, j job) *exprOne {
	tb.Helper()
	written := func(name string) string {
		if value, ok := j.limits[name]; ok {
			return strconv.FormatFloat(value, 'f', -1, 64)
		}
		return name
	}
	var text strings.Builder
	blank := false
	for i, rule := range j.rules {
		if rule.Stage == boxrules.Size && !blank {
			blank = true
			fmt.Fprintf(&text, "let blank_width = %s; let blank_height = %s; ",
				adapt(j.blankWidth, written, same), adapt(j.blankHeight, written, same))
		}
		fmt.Fprintf(&text, "%s ? %d : (", adapt(rule.When, written, same), i)
	}
	fmt.Fprint(&text, len(j.rules), strings.Repeat(")", len(j.rules)))
	env := map[string]any{"width": 0.0, "depth": 0.0, "height": 0.0}
	return &exprOne{rules: j.rules, program: compileExpr(tb, text.String(), expr.Env(maps.Clone(env)), expr.AsInt()), env: env}
}

func (p *exprOne) check(d boxrules.Dims) boxrules.Code {
	p.env["width"], p.env["depth"], p.env["height"] = d.Width, d.Depth, d.Height
	first, err := p.vm.Run(p.program, p.env)
	if err != nil {
		panic(err)
	}
	if i := first.(int); i < len(p.rules) {
		return p.rules[i].Code
	}
	return ""
}
