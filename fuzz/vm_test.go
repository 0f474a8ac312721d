package fuzz

import (
	"flag"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/limits"
)

var vmBoxes = flag.Int("vm.boxes", lab.Draws(10_000, 50_000), "boxes that TestVM gives to expr's own machine")

// A floatBox is what expr's machine computes with: everything in float64.
type floatBox struct {
	Width       float64 `expr:"width"`
	Depth       float64 `expr:"depth"`
	Height      float64 `expr:"height"`
	MinWidth    float64 `expr:"min_width"`
	MaxWidth    float64 `expr:"max_width"`
	MinDepth    float64 `expr:"min_depth"`
	MaxDepth    float64 `expr:"max_depth"`
	MinHeight   float64 `expr:"min_height"`
	MaxHeight   float64 `expr:"max_height"`
	GlueFlap    float64 `expr:"glue_flap"`
	SheetWidth  float64 `expr:"sheet_width"`
	SheetHeight float64 `expr:"sheet_height"`
	BlankWidth  float64 `expr:"blank_width"`
	BlankHeight float64 `expr:"blank_height"`
}

// notRounded are the conditions that float64 arithmetic decides exactly: their numbers are
// dimensions and limits as they were entered, or those doubled or halved.
var notRounded = oracle.Selected([]string{
	"BOX_2100", "BOX_2101", "BOX_2102", "BOX_2103", "BOX_2104", "BOX_2105",
	"BOX_3100", "BOX_3101", "BOX_3102", "BOX_3104", "BOX_3105", "BOX_3106", "BOX_3107", "BOX_3108", "BOX_3109",
	"BOX_3110", "BOX_3111", "BOX_3115", "BOX_3117", "BOX_3118", "BOX_3120",
})

// TestVM runs the text of every documented condition on expr's own machine. Its float64
// arithmetic may differ from the engine only if a comparison is an exact tie.
func TestVM(t *testing.T) {
	catalogue := every()
	articles := catalogue.Articles()
	all := articles[len(articles)-1]
	env, blankWidth, blankHeight := floatArticle(all, catalogue.Materials()[0])
	profile := must(must(boxrules.New(boxrules.DefaultRules(), catalogue)).Profile(all.Code, "m"))
	rules := profile.Rules()
	conditions := make([]*vm.Program, len(rules))
	for i, r := range rules {
		conditions[i] = must(expr.Compile(r.When, expr.Env(floatBox{}), expr.AsBool()))
	}
	if len(rules) != 30 {
		t.Fatalf("%d conditions, want 30", len(rules))
	}
	faces := make([][]exact.HalfSpace, len(rules))
	for i, c := range profile.Exact().Conditions {
		faces[i] = gen.Faces(c)
	}
	var differ, held, tied [30]atomic.Int64
	failures := inChunks(*vmBoxes, func(rng *rand.Rand, n int, report func(string, ...any) bool) {
		boxes := boxesAt(rng.IntN, profile)
		machine := vm.VM{}
		env := env
		var violations []boxrules.Violation
		for range n {
			p := boxes.Next()
			dims := boxrules.DimsAt(p)
			violations = must(profile.AppendAll(violations[:0], dims))
			env.Width, env.Depth, env.Height = dims.Width, dims.Depth, dims.Height
			env.BlankWidth = must(machine.Run(blankWidth, env)).(float64)
			env.BlankHeight = must(machine.Run(blankHeight, env)).(float64)
			rest := violations
			for i, r := range rules {
				engine := len(rest) > 0 && rest[0].Code == r.Code
				if engine {
					rest = rest[1:]
					held[i].Add(1)
				}
				tie := onEdge(faces[i], p)
				if tie {
					tied[i].Add(1)
				}
				if must(machine.Run(conditions[i], env)).(bool) == engine {
					continue
				}
				differ[i].Add(1)
				if (!tie || notRounded[string(r.Code)]) &&
					!report("%s at %s: the engine says %v, expr's machine %v, and float64 has no excuse", r.Code, exactly(dims), engine, !engine) {
					return
				}
			}
			if len(rest) > 0 && !report("%s: %v is out of order", exactly(dims), rest[0].Code) {
				return
			}
		}
	})
	failures.log(t)
	var total int64
	for i, r := range rules {
		n := differ[i].Load()
		total += n
		t.Logf("%s: %d boxes differ; the condition holds for %d, %d are exact ties", r.Code, n, held[i].Load(), tied[i].Load())
		if held[i].Load() == 0 || tied[i].Load() == 0 {
			t.Errorf("%s: no box violates it, or none is a tie", r.Code)
		}
	}
	t.Logf("%d boxes, %d comparisons, %d differences, %d of them where float64 has no excuse; seed %d",
		*vmBoxes, *vmBoxes*len(rules), total, failures.count, *oracleSeed)
	// Without a single one the boxes would not be where rounding matters, and the test would show
	// nothing.
	if total == 0 {
		t.Error("expr's machine never differs: the boxes miss the ties")
	}
}

// floatArticle is what the machine is given for an article in its only material, and its blank
// formulas.
func floatArticle(a limits.Article, m limits.Material) (env floatBox, width, height *vm.Program) {
	formula := func(text string) *vm.Program {
		return must(expr.Compile(text, expr.Env(floatBox{}), expr.AsFloat64()))
	}
	return floatBox{
		MinWidth: a.Width.Min.Float64(), MaxWidth: a.Width.Max.Float64(),
		MinDepth: a.Depth.Min.Float64(), MaxDepth: a.Depth.Max.Float64(),
		MinHeight: a.Height.Min.Float64(), MaxHeight: a.Height.Max.Float64(),
		GlueFlap: m.GlueFlap.Float64(), SheetWidth: m.Sheet.Width.Float64(), SheetHeight: m.Sheet.Height.Float64(),
	}, formula(a.Blank.Width.String()), formula(a.Blank.Height.String())
}
