package bench

import (
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/ext"

	"example.com/boxrules"
)

// celPrograms are the rules and the formulas in CEL, each compiled once. The limits are constants
// of the environment, folded into the programs; the dimensions come from an Activation of our
// own, which is faster than a map. max is math.greatest.
type celPrograms struct {
	rules                   []boxrules.Rule
	conditions              []cel.Program
	blankWidth, blankHeight cel.Program
	box                     celBox
}

// celBox is what conditions and formulas read.
type celBox struct{ width, depth, height, blankWidth, blankHeight ref.Val }

func (b *celBox) ResolveName(name string) (any, bool) {
	switch name {
	case "width":
		return b.width, true
	case "depth":
		return b.depth, true
	case "height":
		return b.height, true
	case "blank_width":
		return b.blankWidth, true
	case "blank_height":
		return b.blankHeight, true
	}
	return nil, false
}

func (b *celBox) Parent() cel.Activation { return nil }

func newCEL(tb testing.TB, j job) *celPrograms {
	tb.Helper()
	options := []cel.EnvOption{ext.Math()}
	for _, name := range []string{"width", "depth", "height", "blank_width", "blank_height"} {
		options = append(options, cel.Variable(name, cel.DoubleType))
	}
	for name, value := range j.limits {
		options = append(options, cel.Constant(name, cel.DoubleType, types.Double(value)))
	}
	env, err := cel.NewEnv(options...)
	if err != nil {
		tb.Fatal(err)
	}
	folding, err := cel.NewConstantFoldingOptimizer()
	if err != nil {
		tb.Fatal(err)
	}
	optimizer, err := cel.NewStaticOptimizer(folding)
	if err != nil {
		tb.Fatal(err)
	}
	compile := func(text string) cel.Program {
		ast, issues := env.Compile(adapt(text, celName, float))
		if issues.Err() != nil {
			tb.Fatal(issues.Err())
		}
		ast, issues = optimizer.Optimize(env, ast)
		if issues.Err() != nil {
			tb.Fatal(issues.Err())
		}
		program, err := env.Program(ast, cel.EvalOptions(cel.OptOptimize))
		if err != nil {
			tb.Fatal(err)
		}
		return program
	}
	p := &celPrograms{rules: j.rules, blankWidth: compile(j.blankWidth), blankHeight: compile(j.blankHeight)}
	for _, rule := range j.rules {
		p.conditions = append(p.conditions, compile(rule.When))
	}
	return p
}

func celName(name string) string {
	switch name {
	case "max":
		return "math.greatest"
	case "min":
		return "math.least"
	}
	return name
}

func (p *celPrograms) check(d boxrules.Dims) boxrules.Code {
	b := &p.box
	b.width, b.depth, b.height = types.Double(d.Width), types.Double(d.Depth), types.Double(d.Height)
	for i, rule := range p.rules {
		if rule.Stage == boxrules.Size {
			b.blankWidth, b.blankHeight = p.run(p.blankWidth), p.run(p.blankHeight)
		}
		if p.run(p.conditions[i]) == types.True {
			return rule.Code
		}
	}
	return ""
}

func (p *celPrograms) run(program cel.Program) ref.Val {
	x, _, err := program.Eval(&p.box)
	if err != nil {
		panic(err)
	}
	return x
}
