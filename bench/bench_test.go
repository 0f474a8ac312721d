// Package bench measures boxrules next to the same checks done in other ways. All of them must give the
// same verdicts on the same boxes before anything is timed.
package bench

import (
	"testing"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"example.com/boxrules"
	"example.com/boxrules/limits"
)

// The article is a roll-end mailer: six limits, two constraints, and a size rule with max in its blank.
const article, material = "mailer", "e-flute"

var valid = []boxrules.Dims{
	{Width: 220, Depth: 160, Height: 70}, {Width: 180.5, Depth: 140.25, Height: 60}, {Width: 300, Depth: 250, Height: 40},
	{Width: 100, Depth: 90, Height: 50}, {Width: 260, Depth: 200, Height: 100}, {Width: 150, Depth: 150, Height: 120},
	{Width: 400, Depth: 120, Height: 30}, {Width: 333.333, Depth: 111.111, Height: 22.222},
}

var invalid = []boxrules.Dims{
	{Width: 60, Depth: 100, Height: 50}, {Width: 401, Depth: 100, Height: 50}, {Width: 100, Depth: 20, Height: 50},
	{Width: 200, Depth: 150, Height: 10}, {Width: 120, Depth: 150, Height: 50}, {Width: 200, Depth: 100, Height: 90},
	{Width: 400, Depth: 300, Height: 160}, {Width: 320, Depth: 301, Height: 50},
}

func mixed() []boxrules.Dims {
	var boxes []boxrules.Dims
	for i := range valid {
		boxes = append(boxes, valid[i], invalid[i])
	}
	return boxes
}

// byHand is what a careful programmer writes for this one article: float64, in check order. Its fields are
// variables, so that the compiler cannot fold the limits in, as it could not for a catalogue.
type byHand struct {
	minWidth, maxWidth, minDepth, maxDepth, minHeight, maxHeight float64
	caliper, sheetWidth, sheetHeight                             float64
}

func (m *byHand) check(d boxrules.Dims) boxrules.Code {
	w, dp, h := d.Width, d.Depth, d.Height
	switch {
	case w < m.minWidth:
		return "BOX_2100"
	case w > m.maxWidth:
		return "BOX_2101"
	case dp < m.minDepth:
		return "BOX_2102"
	case dp > m.maxDepth:
		return "BOX_2103"
	case h < m.minHeight:
		return "BOX_2104"
	case h > m.maxHeight:
		return "BOX_2105"
	case dp > w:
		return "BOX_3100"
	case h > (dp*4)/5:
		return "BOX_3116"
	}
	blankWidth := max(w+4*h+43*m.caliper/3, w+dp+16*m.caliper/3)
	blankHeight := 2*dp + 3*h + 22*m.caliper/3
	if (blankWidth > m.sheetWidth || blankHeight > m.sheetHeight) && (blankWidth > m.sheetHeight || blankHeight > m.sheetWidth) {
		return "BOX_4100"
	}
	return ""
}

// env is the environment of raw expr programs, as a struct.
type env struct {
	Width       float64 `expr:"width"`
	Depth       float64 `expr:"depth"`
	Height      float64 `expr:"height"`
	MinWidth    float64 `expr:"min_width"`
	MaxWidth    float64 `expr:"max_width"`
	MinDepth    float64 `expr:"min_depth"`
	MaxDepth    float64 `expr:"max_depth"`
	MinHeight   float64 `expr:"min_height"`
	MaxHeight   float64 `expr:"max_height"`
	Caliper     float64 `expr:"caliper"`
	GlueFlap    float64 `expr:"glue_flap"`
	SheetWidth  float64 `expr:"sheet_width"`
	SheetHeight float64 `expr:"sheet_height"`
	BlankWidth  float64 `expr:"blank_width"`
	BlankHeight float64 `expr:"blank_height"`
}

// rawExpr runs the same rules in the same order with expr's virtual machine, each compiled once.
type rawExpr struct {
	vm          vm.VM
	codes       []boxrules.Code
	programs    []*vm.Program
	blankWidth  *vm.Program
	blankHeight *vm.Program
	env         env
}

func newRawExpr(tb testing.TB, a limits.Article, m limits.Material, rules []boxrules.Rule) *rawExpr {
	tb.Helper()
	compile := func(text string, option expr.Option) *vm.Program {
		program, err := expr.Compile(text, expr.Env(env{}), option)
		if err != nil {
			tb.Fatal(err)
		}
		return program
	}
	r := &rawExpr{env: env{
		MinWidth: a.Width.Min.Float64(), MaxWidth: a.Width.Max.Float64(),
		MinDepth: a.Depth.Min.Float64(), MaxDepth: a.Depth.Max.Float64(),
		MinHeight: a.Height.Min.Float64(), MaxHeight: a.Height.Max.Float64(),
		Caliper: m.Caliper.Float64(), GlueFlap: m.GlueFlap.Float64(),
		SheetWidth: m.Sheet.Width.Float64(), SheetHeight: m.Sheet.Height.Float64(),
	}}
	for _, rule := range rules {
		r.codes = append(r.codes, rule.Code)
		r.programs = append(r.programs, compile(rule.When, expr.AsBool()))
	}
	r.blankWidth = compile(a.Blank.Width.String(), expr.AsFloat64())
	r.blankHeight = compile(a.Blank.Height.String(), expr.AsFloat64())
	return r
}

func (r *rawExpr) check(d boxrules.Dims) boxrules.Code {
	e := &r.env
	e.Width, e.Depth, e.Height = d.Width, d.Depth, d.Height
	for i, program := range r.programs {
		if i == len(r.programs)-1 {
			e.BlankWidth, e.BlankHeight = r.number(r.blankWidth), r.number(r.blankHeight)
		}
		if fails, err := r.vm.Run(program, e); err != nil {
			panic(err)
		} else if fails.(bool) {
			return r.codes[i]
		}
	}
	return ""
}

func (r *rawExpr) number(program *vm.Program) float64 {
	x, err := r.vm.Run(program, &r.env)
	if err != nil {
		panic(err)
	}
	return x.(float64)
}

// subjects makes every way to check, after they agreed on every box.
func subjects(tb testing.TB) (*boxrules.Profile, *byHand, *rawExpr) {
	tb.Helper()
	p, err := boxrules.Default().Profile(article, material)
	if err != nil {
		tb.Fatal(err)
	}
	var a limits.Article
	for _, each := range limits.Illustrative().Articles() {
		if each.Code == article {
			a = each
		}
	}
	var m limits.Material
	for _, each := range limits.Illustrative().Materials() {
		if each.Code == material {
			m = each
		}
	}
	raw := newRawExpr(tb, a, m, p.Rules())
	hand := &byHand{
		raw.env.MinWidth, raw.env.MaxWidth, raw.env.MinDepth, raw.env.MaxDepth, raw.env.MinHeight, raw.env.MaxHeight,
		raw.env.Caliper, raw.env.SheetWidth, raw.env.SheetHeight,
	}
	agree := func(d boxrules.Dims, wantOK bool) {
		v, err := p.Check(d)
		if err != nil || v.OK() != wantOK || hand.check(d) != v.Code() || raw.check(d) != v.Code() {
			tb.Fatalf("Check(%v) = %v, %v; by hand %q, raw expr %q", d, v, err, hand.check(d), raw.check(d))
		}
	}
	for i := range valid {
		agree(valid[i], true)
		agree(invalid[i], false)
	}
	return p, hand, raw
}

func TestSameVerdicts(t *testing.T) { subjects(t) }

func TestEveryStageIsMeasured(t *testing.T) {
	p, _, _ := subjects(t)
	seen := make(map[boxrules.Code]bool)
	for _, d := range invalid {
		v, err := p.Check(d)
		if err != nil {
			t.Fatal(err)
		}
		seen[v.Code()] = true
	}
	if len(seen) != 8 {
		t.Errorf("the invalid boxes give %d codes, want 8: %v", len(seen), seen)
	}
}

// eachBox times check over the boxes; an operation is one box.
func eachBox(b *testing.B, boxes []boxrules.Dims, check func(boxrules.Dims) bool) {
	b.ReportAllocs()
	i, ok := 0, 0
	for b.Loop() {
		if check(boxes[i]) {
			ok++
		}
		if i++; i == len(boxes) {
			i = 0
		}
	}
	if ok > b.N {
		b.Fatal("impossible")
	}
}

func BenchmarkCheck(b *testing.B) {
	p, hand, raw := subjects(b)
	for _, set := range []struct {
		name  string
		boxes []boxrules.Dims
	}{{"valid", valid}, {"invalid", invalid}, {"mixed", mixed()}} {
		b.Run("boxrules/"+set.name, func(b *testing.B) {
			eachBox(b, set.boxes, func(d boxrules.Dims) bool { v, _ := p.Check(d); return v.OK() })
		})
		b.Run("hand/"+set.name, func(b *testing.B) {
			eachBox(b, set.boxes, func(d boxrules.Dims) bool { return hand.check(d) == "" })
		})
		b.Run("expr/"+set.name, func(b *testing.B) {
			eachBox(b, set.boxes, func(d boxrules.Dims) bool { return raw.check(d) == "" })
		})
	}
}

func BenchmarkEngineCheck(b *testing.B) {
	engine := boxrules.Default()
	eachBox(b, valid, func(d boxrules.Dims) bool {
		v, _ := engine.Check(boxrules.Box{Article: article, Material: material, Dims: d})
		return v.OK()
	})
}

func BenchmarkCheckAll(b *testing.B) {
	p, _, _ := subjects(b)
	for _, set := range []struct {
		name  string
		boxes []boxrules.Dims
	}{{"valid", valid}, {"invalid", invalid}} {
		b.Run(set.name, func(b *testing.B) {
			all := make([]boxrules.Violation, 0, 16)
			eachBox(b, set.boxes, func(d boxrules.Dims) bool {
				all, _ = p.AppendAll(all[:0], d)
				return len(all) == 0
			})
		})
	}
}

func BenchmarkNew(b *testing.B) {
	rules, catalogue := boxrules.DefaultRules(), limits.Illustrative()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := boxrules.New(rules, catalogue); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkExplain(b *testing.B) {
	p, _, _ := subjects(b)
	eachBox(b, invalid, func(d boxrules.Dims) bool { e, _ := p.Reasons(d); return len(e) == 0 })
}
