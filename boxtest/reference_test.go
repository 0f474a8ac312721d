package boxtest_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/boxtest"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/limits"
)

// TestReferenceIsTheOracle: for the shipped files, the reference agrees with the checks that were
// written by hand from the interface document.
func TestReferenceIsTheOracle(t *testing.T) {
	catalogue := limits.Illustrative()
	reference := referenceOf(t, boxrules.DefaultRules(), catalogue)
	articles, materials := make(map[string]limits.Article), make(map[string]limits.Material)
	for _, a := range catalogue.Articles() {
		articles[a.Code] = a
	}
	for _, m := range catalogue.Materials() {
		materials[m.Code] = m
	}
	for _, p := range boxrules.Default().Profiles() {
		byHand := oracle.New(articles[p.Article()], materials[p.Material()], oracle.Blanks[p.Article()])
		boxes := boxtest.Boxes(p)
		for seed := range 100 {
			box := boxes.Example(seed)
			got, err := reference.Exact(box)
			want := byHand.All(oracle.Grid(box.Width), oracle.Grid(box.Depth), oracle.Grid(box.Height))
			if err != nil || !slices.EqualFunc(got, want, func(a boxrules.Code, b string) bool { return string(a) == b }) {
				t.Fatalf("Exact(%+v) = %v, %v, want %v", box, got, err, want)
			}
		}
	}
}

// TestReferenceReads: each condition holds for one of two boxes that differ in few dimensions, most by
// a thousandth, and not for the other.
func TestReferenceReads(t *testing.T) {
	box := func(width, depth, height float64) boxrules.Box {
		return boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: width, Depth: depth, Height: height}}
	}
	for _, test := range []struct {
		when         string
		holds, fails boxrules.Box
	}{
		{"width - depth - height > 5", box(60.001, 30, 25), box(60, 30, 25)},
		{"width / 4 / 2 > 5", box(40.001, 30, 30), box(40, 30, 30)},
		{"width + 2 * depth >= 100", box(40, 30, 30), box(39.999, 30, 30)},
		{"-(width - 50) - -height < +31", box(40.001, 30, 21), box(40, 30, 21)},
		{"30 < width<= 40", box(40, 30, 30), box(40.001, 30, 30)},
		{"30 < width\nand width < 40 or depth == 33", box(50, 33, 30), box(50, 33.001, 30)},
		{"depth == 30 || depth == 31 && width > 40", box(40, 30, 30), box(40, 31, 30)},
		{"(depth == 30 || depth == 31) && width > 40", box(40.001, 30, 30), box(40, 30, 30)},
		{"not (width > 40) and !!(depth != 30)", box(40, 31, 30), box(40.001, 31, 30)},
		{"max(width, 2 * depth, 7) - min(height,depth) == 30.5", box(20, 30.5, 45), box(20, 30.499, 45)},
		{"min(width, height) > max_depth", box(250.001, 30, 300), box(250, 30, 300)},
		{"glue_flap * caliper + sheet_width - sheet_height + min_width > blank_width",
			box(100, 65.499, 30), box(100, 65.5, 30)},
	} {
		rules, err := boxrules.LoadRules("rules.yaml", []byte("version: 1\nsize:\n- code: TEST_0001\n  message: m\n  when: |\n    "+
			strings.ReplaceAll(test.when, "\n", "\n    ")+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		catalogue := strings.ReplaceAll(string(limits.IllustrativeYAML()), "constraints: [BOX", "constraints: [] # [BOX")
		loaded, err := limits.Load("limits.yaml", []byte(catalogue))
		if err != nil {
			t.Fatal(err)
		}
		reference := referenceOf(t, rules, loaded)
		for box, want := range map[boxrules.Box]bool{test.holds: true, test.fails: false} {
			codes, err := reference.Exact(box)
			if err != nil || (len(codes) > 0) != want {
				t.Errorf("%q at %+v: %v, %v, want %v", test.when, box.Dims, codes, err, want)
			}
		}
	}
}

// TestReferenceInUnits: for rules and limits in any units, the engine agrees with the reference, in exact arithmetic
// and in double precision.
func TestReferenceInUnits(t *testing.T) {
	mixed, borderline := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		engine, err := boxtest.AnyFiles().Draw(t, "files").Engine()
		if err != nil {
			t.Fatal(err)
		}
		reference, err := boxtest.NewReference(engine.Rules(), engine.Catalogue())
		if err != nil {
			t.Fatal(err)
		}
		if engine.Rules().Unit() != engine.Catalogue().Unit() {
			mixed++
		}
		p := rapid.SampledFrom(engine.Profiles()).Draw(t, "profile")
		for range 20 {
			box := boxtest.Boxes(p).Draw(t, "box")
			got, err := engine.CheckAll(box)
			want, errWant := reference.Exact(box)
			if err != nil || errWant != nil || !slices.EqualFunc(got, want, func(v boxrules.Violation, c boxrules.Code) bool { return v.Code == c }) {
				t.Fatalf("CheckAll(%+v) = %v, %v, want %v, %v", box, got, err, want, errWant)
			}
			first := func(codes []boxrules.Code) boxrules.Code { return append(codes, "")[0] }
			inFloat64, err := reference.Float64(box)
			if err != nil {
				t.Fatal(err)
			}
			other, ok, err := p.Borderline(box.Dims)
			if ok {
				borderline++
			}
			if differs := first(inFloat64) != first(want); err != nil || ok != differs || ok && other.Code() != first(inFloat64) {
				t.Fatalf("Borderline(%+v) = %v, %v, %v, want %v in double precision, and %v exactly", box.Dims, other, ok, err, inFloat64, want)
			}
		}
	})
	t.Logf("%d files in two units, %d borderline boxes", mixed, borderline)
}

// TestFloat64: for the shipped rules, Float64 agrees with expr's own machine.
func TestFloat64(t *testing.T) {
	engine := boxrules.Default()
	reference := referenceOf(t, engine.Rules(), engine.Catalogue())
	variables := map[string]float64{"width": 0, "depth": 0, "height": 0, "caliper": 0, "glue_flap": 0, "sheet_width": 0, "sheet_height": 0,
		"blank_width": 0, "blank_height": 0}
	for _, axis := range []string{"width", "depth", "height"} {
		variables["min_"+axis], variables["max_"+axis] = 0, 0
	}
	programs := make(map[string]*vm.Program)
	run := func(text string, values map[string]float64) any {
		if programs[text] == nil {
			program, err := expr.Compile(text, expr.Env(variables), expr.Optimize(false))
			if err != nil {
				t.Fatal(err)
			}
			programs[text] = program
		}
		result, err := expr.Run(programs[text], values)
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	articles, materials := engine.Catalogue().Articles(), engine.Catalogue().Materials()
	differing := 0
	for _, p := range engine.Profiles() {
		article := articles[slices.IndexFunc(articles, func(a limits.Article) bool { return a.Code == p.Article() })]
		material := materials[slices.IndexFunc(materials, func(m limits.Material) bool { return m.Code == p.Material() })]
		values := maps.Clone(variables)
		for axis, r := range map[string]limits.Range{"width": article.Width, "depth": article.Depth, "height": article.Height} {
			values["min_"+axis], values["max_"+axis] = r.Min.Float64(), r.Max.Float64()
		}
		values["caliper"], values["glue_flap"] = material.Caliper.Float64(), material.GlueFlap.Float64()
		values["sheet_width"], values["sheet_height"] = material.Sheet.Width.Float64(), material.Sheet.Height.Float64()
		border := boxtest.Border(p)
		for seed := range 100 {
			box := border.Example(seed)
			values["width"], values["depth"], values["height"] = box.Width, box.Depth, box.Height
			values["blank_width"] = run("0.0 + "+article.Blank.Width.Text, values).(float64)
			values["blank_height"] = run("0.0 + "+article.Blank.Height.Text, values).(float64)
			var want []boxrules.Code
			for _, r := range p.Rules() {
				if run(r.When, values).(bool) {
					want = append(want, r.Code)
				}
			}
			got, err := reference.Float64(box)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("Float64(%+v) = %v, %v, want %v", box, got, err, want)
			}
			exactly, _ := reference.Exact(box)
			if !slices.Equal(exactly, got) {
				differing++
			}
			first := func(codes []boxrules.Code) boxrules.Code { return append(codes, "")[0] }
			other, borderline, err := p.Borderline(box.Dims)
			if err != nil || borderline != (first(got) != first(exactly)) || borderline && other.Code() != first(got) {
				t.Fatalf("Borderline(%+v) = %v, %v, %v, want %v beside %v", box, other, borderline, err, got, exactly)
			}
		}
	}
	if t.Logf("%d boxes differ", differing); differing == 0 {
		t.Error("no box differs from what is exact")
	}
}

// TestReferenceErrors: a box of an unknown article or material gets the engine's error.
func TestReferenceErrors(t *testing.T) {
	engine := boxrules.Default()
	reference := referenceOf(t, engine.Rules(), engine.Catalogue())
	rapid.Check(t, func(t *rapid.T) {
		box := boxrules.Box{
			Article:  rapid.SampledFrom([]string{"tuck-end", "mailer", "", "unknown"}).Draw(t, "article"),
			Material: rapid.SampledFrom([]string{"carton-300", "e-flute", "", "unknown"}).Draw(t, "material"),
		}
		_, want := engine.Check(box)
		_, exactly := reference.Exact(box)
		_, double := reference.Float64(box)
		if field(exactly) != field(want) || field(double) != field(want) {
			t.Fatalf("%+v: %v and %v, want %v", box, exactly, double, want)
		}
	})
}

// TestReferenceDecimals: a limit file that accepts fewer than three decimals refuses further ones. If it accepts three,
// a dimension with more is rounded.
func TestReferenceDecimals(t *testing.T) {
	for decimals, engine := range engines(t) {
		reference := referenceOf(t, engine.Rules(), engine.Catalogue())
		for _, test := range []struct {
			depth    float64
			decimals int
			deeper   bool // after rounding, the box is deeper than wide, which BOX_3100 forbids
		}{
			{60, 0, false}, {60.1, 1, true}, {60.12, 2, true}, {60.123, 3, true}, {60.0004, 4, false}, {60.0005, 4, true},
		} {
			box := boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: 60, Depth: test.depth, Height: 120}}
			wantField := ""
			if decimals < 3 && test.decimals > decimals {
				wantField = "depth"
			}
			codes, err := reference.Exact(box)
			if _, inFloat64 := reference.Float64(box); field(err) != wantField || field(inFloat64) != wantField {
				t.Errorf("%d decimals: %v: %v and %v, want an error for the field %q", decimals, test.depth, err, inFloat64, wantField)
			}
			if err == nil && slices.Contains(codes, "BOX_3100") != test.deeper {
				t.Errorf("%d decimals: a depth of %v and a width of 60 violate %v", decimals, test.depth, codes)
			}
		}
	}
}
