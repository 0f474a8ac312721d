package bench

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hyperjumptech/grule-rule-engine/ast"
	"github.com/hyperjumptech/grule-rule-engine/builder"
	"github.com/hyperjumptech/grule-rule-engine/engine"
	"github.com/hyperjumptech/grule-rule-engine/pkg"

	"example.com/boxrules"
)

// gruleEngine is one instance of a knowledge base, whose data context holds the one fact. It asks
// for the matching rules, in order of salience, which is faster than to execute them. It
// evaluates all rules in any case, but each sub-expression once: the blank's formulas are written
// into the conditions.
type gruleEngine struct {
	engine    engine.GruleEngine
	knowledge *ast.KnowledgeBase
	context   ast.IDataContext
	box       *gruleBox
}

// gruleBox is the fact.
type gruleBox struct {
	Width, Depth, Height                                         float64
	MinWidth, MaxWidth, MinDepth, MaxDepth, MinHeight, MaxHeight float64
	Caliper, SheetWidth, SheetHeight                             float64
}

func newGrule(tb testing.TB, j job) *gruleEngine {
	tb.Helper()
	var text strings.Builder
	for i, rule := range j.rules {
		when := strings.NewReplacer("blank_width", j.blankWidth, "blank_height", j.blankHeight).Replace(rule.When)
		fmt.Fprintf(&text, "rule %s salience %d { when %s then Complete(); }\n", rule.Code, len(j.rules)-i, adapt(when, gruleName, float))
	}
	library := ast.NewKnowledgeLibrary()
	err := builder.NewRuleBuilder(library).BuildRuleFromResource("boxes", "1", pkg.NewBytesResource([]byte(text.String())))
	if err != nil {
		tb.Fatal(err)
	}
	knowledge, err := library.NewKnowledgeBaseInstance("boxes", "1")
	if err != nil {
		tb.Fatal(err)
	}
	box := &gruleBox{
		MinWidth: j.limits["min_width"], MaxWidth: j.limits["max_width"],
		MinDepth: j.limits["min_depth"], MaxDepth: j.limits["max_depth"],
		MinHeight: j.limits["min_height"], MaxHeight: j.limits["max_height"],
		Caliper: j.limits["caliper"], SheetWidth: j.limits["sheet_width"], SheetHeight: j.limits["sheet_height"],
	}
	context := ast.NewDataContext()
	if err := context.Add("Box", box); err != nil {
		tb.Fatal(err)
	}
	return &gruleEngine{engine.GruleEngine{ReturnErrOnFailedRuleEvaluation: true}, knowledge, context, box}
}

// gruleName is a built-in function, or a field of the fact.
func gruleName(name string) string {
	switch name {
	case "max":
		return "Max"
	case "min":
		return "Min"
	}
	var field strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		field.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return "Box." + field.String()
}

func (g *gruleEngine) check(d boxrules.Dims) boxrules.Code {
	g.box.Width, g.box.Depth, g.box.Height = d.Width, d.Depth, d.Height
	matching, err := g.engine.FetchMatchingRules(g.context, g.knowledge)
	if err != nil {
		panic(err)
	}
	if len(matching) == 0 {
		return ""
	}
	return boxrules.Code(matching[0].RuleName)
}
