package fuzz

import (
	"slices"
	"testing"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/limits"
)

// A double says what double precision makes of a profile: expr's own machine runs the texts of its
// conditions and formulas. It shares nothing with the engine, which has its own use of expr.
type double struct {
	*boxrules.Profile
	rules         []boxrules.Rule
	conditions    []*vm.Program
	width, height *vm.Program        // of the blank, nil without one
	env           map[string]float64 // what no dimension changes
	machine       vm.VM
	byHand        *oracle.Float64 // nil for articles that are not shipped
}

// doubleOf returns the double of an article in a material of the engine.
func doubleOf(e *boxrules.Engine, p *boxrules.Profile) *double {
	articles, materials := e.Catalogue().Articles(), e.Catalogue().Materials()
	a := articles[slices.IndexFunc(articles, func(a limits.Article) bool { return a.Code == p.Article() })]
	m := materials[slices.IndexFunc(materials, func(m limits.Material) bool { return m.Code == p.Material() })]
	x := &double{Profile: p, rules: p.Rules(), env: map[string]float64{
		"min_width": a.Width.Min.Float64(), "max_width": a.Width.Max.Float64(), "min_depth": a.Depth.Min.Float64(),
		"max_depth": a.Depth.Max.Float64(), "min_height": a.Height.Min.Float64(), "max_height": a.Height.Max.Float64(),
		"caliper": m.Caliper.Float64(), "glue_flap": m.GlueFlap.Float64(),
		"sheet_width": m.Sheet.Width.Float64(), "sheet_height": m.Sheet.Height.Float64(),
		"width": 0, "depth": 0, "height": 0, "blank_width": 0, "blank_height": 0,
	}}
	compile := func(text string, result expr.Option) *vm.Program {
		return must(expr.Compile(text, expr.Env(x.env), result, expr.Optimize(false), expr.Patch(toFloats{})))
	}
	for _, r := range x.rules {
		x.conditions = append(x.conditions, compile(r.When, expr.AsBool()))
	}
	if a.Blank != nil {
		x.width, x.height = compile(a.Blank.Width.Text, expr.AsFloat64()), compile(a.Blank.Height.Text, expr.AsFloat64())
	}
	if oracle.BlanksFloat64[a.Code] != nil && e == boxrules.Default() {
		x.byHand = oracle.NewFloat64(a, m)
	}
	return x
}

// code returns what double precision reports for a box, "" if it is valid. ok is false if expr and Go by
// hand differ.
func (x *double) code(d boxrules.Dims) (code boxrules.Code, ok bool) {
	x.env["width"], x.env["depth"], x.env["height"] = d.Width, d.Depth, d.Height
	if x.width != nil {
		x.env["blank_width"] = must(x.machine.Run(x.width, x.env)).(float64)
		x.env["blank_height"] = must(x.machine.Run(x.height, x.env)).(float64)
	}
	for i, condition := range x.conditions {
		if must(x.machine.Run(condition, x.env)).(bool) {
			code = x.rules[i].Code
			break
		}
	}
	return code, x.byHand == nil || x.byHand.First(d.Width, d.Depth, d.Height) == string(code)
}

// shipped has the doubles of the shipped profiles. One goroutine at a time may use them.
func shipped() (all []*double) {
	for _, p := range boxrules.Default().Profiles() {
		all = append(all, doubleOf(boxrules.Default(), p))
	}
	return all
}

// compare compares what the engine says of a box with double precision.
func (x *double) compare(t rapid.TB, d boxrules.Dims) (borderline bool) {
	want, agree := x.code(d)
	if !agree {
		t.Fatalf("%s in %s, %s: expr's machine says %q, Go by hand %q", x.Article(), x.Material(), exactly(d), want, x.byHand.First(d.Width, d.Depth, d.Height))
	}
	v := must(x.Check(d))
	other, ok, err := x.Borderline(d)
	if err != nil || ok != (want != v.Code()) || ok && other.Code() != want {
		t.Fatalf("%s in %s, %s: %v, Borderline = %v, %v, %v, and double precision says %q", x.Article(), x.Material(), exactly(d), v, other, ok, err, want)
	}
	return ok
}

// grids are those of the boxes that people enter, in thousandths.
var grids = []int64{1000, 100, 10, 1}

// tie draws a box on the grid, of which one dimension puts it on one of the faces or some thousandths
// beside it.
func tie(draw gen.Draw, form exact.Form, faces []exact.HalfSpace, grid int64) (p exact.Point) {
	for axis := range p {
		low, high := form.Low[axis]/grid, form.High[axis]/grid
		p[axis] = grid * (low + int64(draw(int(high-low)+1)))
	}
	face, axis := faces[draw(len(faces))], draw(exact.Axes)
	if face.A[axis] == 0 {
		return p
	}
	a, rest := face.A[axis], face.K
	for i := range p {
		if i != axis {
			rest -= face.A[i] * p[i]
		}
	}
	if a < 0 {
		a, rest = -a, -rest
	}
	p[axis] = exact.FloorDiv(rest, a) + []int64{0, 0, 0, 0, 0, 0, 1, -1, 2, -2}[draw(10)]
	p[axis] = min(max(p[axis], -exact.MaxGrid), exact.MaxGrid)
	return p
}

// TestBorderline compares Borderline over all shipped profiles with expr's machine and with float64 by hand.
// Most boxes are on a tie, and some have more decimals than the grid.
func TestBorderline(t *testing.T) {
	all, boxes, borderline := shipped(), 0, 0
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SampledFrom(all).Draw(t, "profile")
		form := x.Exact()
		faces := gen.Faces(form.Conditions...)
		for range 100 {
			d := boxrules.DimsAt(tie(draw.Choices(t), form, faces, rapid.SampledFrom(grids).Draw(t, "grid")))
			for _, side := range []*float64{&d.Width, &d.Depth, &d.Height} {
				if rapid.IntRange(0, 9).Draw(t, "decimals") == 9 {
					*side += rapid.Float64Range(-0.0004, 0.0004).Draw(t, "off")
				}
			}
			boxes++
			if x.compare(t, d) {
				borderline++
			}
		}
	})
	t.Logf("%d boxes, %d borderline", boxes, borderline)
}
