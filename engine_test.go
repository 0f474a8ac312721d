package boxrules_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/profiles"
	"example.com/boxrules/limits"
)

// TestLimits has a row for each comparison of each rule: three boxes a thousandth apart in one
// dimension. Only the last is not valid.
func TestLimits(t *testing.T) {
	engine := wide(t)
	for _, test := range []struct {
		code                boxrules.Code
		w, d, h             float64 // valid
		stepW, stepD, stepH float64 // a step on, it is not; a step back, it is
	}{
		{code: "BOX_2100", w: 1, d: 1, h: 1, stepW: -0.001},
		{code: "BOX_2101", w: 1000, d: 1, h: 1, stepW: 0.001},
		{code: "BOX_2102", w: 1, d: 1, h: 1, stepD: -0.001},
		{code: "BOX_2103", w: 1, d: 1000, h: 1, stepD: 0.001},
		{code: "BOX_2104", w: 1, d: 1, h: 1, stepH: -0.001},
		{code: "BOX_2105", w: 1, d: 1, h: 1000, stepH: 0.001},
		{code: "BOX_3100", w: 50, d: 50, h: 20, stepD: 0.001},
		{code: "BOX_3100", w: 50, d: 50, h: 20, stepW: -0.001},
		{code: "BOX_3101", w: 50, d: 100, h: 20, stepD: 0.001},
		{code: "BOX_3102", w: 50, d: 59.999, h: 200, stepD: 0.001},
		{code: "BOX_3102", w: 50, d: 80, h: 80, stepH: 0.001},
		{code: "BOX_3103", w: 75.001, d: 100, h: 20, stepW: -0.001},
		{code: "BOX_3104", w: 50, d: 20, h: 50, stepH: 0.001},
		{code: "BOX_3105", w: 50, d: 20, h: 20, stepH: 0.001},
		{code: "BOX_3106", w: 50, d: 60, h: 50, stepH: 0.001},
		{code: "BOX_3106", w: 50, d: 50, h: 60, stepD: 0.001},
		{code: "BOX_3107", w: 50, d: 70, h: 70, stepD: 0.001},
		{code: "BOX_3107", w: 50, d: 70, h: 50, stepH: 0.001},
		{code: "BOX_3108", w: 50, d: 70, h: 70, stepH: 0.001},
		{code: "BOX_3108", w: 50, d: 50, h: 70, stepD: 0.001},
		{code: "BOX_3109", w: 50, d: 50, h: 20, stepW: 0.001},
		{code: "BOX_3110", w: 50, d: 40, h: 50, stepH: 0.001},
		{code: "BOX_3110", w: 49.999, d: 50, h: 60, stepW: 0.001},
		{code: "BOX_3111", w: 50, d: 40, h: 40, stepD: 0.001},
		{code: "BOX_3112", w: 50, d: 40, h: 100, stepD: 0.001},
		{code: "BOX_3113", w: 300, d: 198.25, h: 100, stepD: 0.001},
		{code: "BOX_3113", w: 300, d: 250, h: 198.25, stepH: -0.001},
		{code: "BOX_3113", w: 250, d: 250, h: 198.25, stepW: 0.001},
		{code: "BOX_3114", w: 300, d: 198.25, h: 200, stepD: 0.001},
		{code: "BOX_3114", w: 300, d: 200, h: 198.25, stepH: 0.001},
		{code: "BOX_3114", w: 300, d: 250, h: 248.25, stepH: -0.001},
		{code: "BOX_3115", w: 50, d: 40, h: 80, stepH: -0.001},
		{code: "BOX_3116", w: 50, d: 50, h: 40, stepH: 0.001},
		{code: "BOX_3117", w: 50, d: 20, h: 50, stepW: -0.001},
		{code: "BOX_3118", w: 100, d: 50, h: 20, stepW: 0.001},
		{code: "BOX_3119", w: 99, d: 33, h: 20, stepD: 0.001},
		{code: "BOX_3120", w: 100, d: 50, h: 50, stepH: -0.001},
		{code: "BOX_3121", w: 50, d: 90, h: 80, stepH: 0.001},
		{code: "BOX_3121", w: 50, d: 60, h: 60, stepH: 0.001},
		{code: "BOX_3121", w: 50, d: 50, h: 60, stepD: 0.001},
		{code: "BOX_3122", w: 90, d: 50, h: 80, stepH: 0.001},
		{code: "BOX_3122", w: 90, d: 4.999, h: 80, stepD: 0.001},
		{code: "BOX_3122", w: 50, d: 30, h: 50, stepH: 0.001},
		{code: "BOX_3122", w: 34.999, d: 34, h: 50, stepW: 0.001},
		{code: "BOX_3122", w: 40, d: 40.001, h: 50, stepD: -0.001},
		{code: "BOX_4100", w: 500, d: 1, h: 500, stepW: 0.001},
		{code: "BOX_4100", w: 500, d: 1, h: 500, stepH: 0.001},
	} {
		valid := boxrules.Box{Article: string(test.code), Material: "m", Dims: boxrules.Dims{Width: test.w, Depth: test.d, Height: test.h}}
		back, beyond := valid, valid
		back.Dims = boxrules.Dims{Width: test.w - test.stepW, Depth: test.d - test.stepD, Height: test.h - test.stepH}
		beyond.Dims = boxrules.Dims{Width: test.w + test.stepW, Depth: test.d + test.stepD, Height: test.h + test.stepH}
		for _, b := range []struct {
			box  boxrules.Box
			want boxrules.Code
		}{{back, ""}, {valid, ""}, {beyond, test.code}} {
			verdict, err := engine.Check(b.box)
			if err != nil || verdict.Code() != b.want || verdict.OK() != (b.want == "") {
				t.Errorf("Check(%+v) = %v, %v, want code %q", b.box, verdict, err, b.want)
			}
		}
	}
}

func TestInputErrors(t *testing.T) {
	engine := boxrules.Default()
	good := boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: 143, Depth: 50, Height: 303}}
	for _, test := range []struct {
		name  string
		box   func(*boxrules.Box)
		field string
		text  string
	}{
		{"no article", func(b *boxrules.Box) { b.Article = "" }, "article", "missing; accepted: tuck-end, "},
		{"unknown article", func(b *boxrules.Box) { b.Article = "tuckend" }, "article", `unknown article "tuckend"; accepted: tuck-end, `},
		{"long article", func(b *boxrules.Box) { b.Article = strings.Repeat("x\n", 1000) }, "article", `unknown article "x\nx\n`},
		{"no material", func(b *boxrules.Box) { b.Material = "" }, "material", "missing; accepted for tuck-end: carton-300, carton-400"},
		{"unknown material", func(b *boxrules.Box) { b.Material = "steel" }, "material",
			`unknown material "steel"; accepted for tuck-end: carton-300, carton-400`},
		{"not offered", func(b *boxrules.Box) { b.Material = "b-flute" }, "material",
			"tuck-end is not offered in b-flute; accepted: carton-300, carton-400"},
		{"NaN", func(b *boxrules.Box) { b.Width = math.NaN() }, "width", "NaN is not a dimension; accepted: a number from -1000000 to 1000000"},
		{"Inf", func(b *boxrules.Box) { b.Depth = math.Inf(-1) }, "depth", "-Inf is not a dimension; "},
		{"large", func(b *boxrules.Box) { b.Height = 1000000.0001 }, "height", "1.0000000001e+06 is not a dimension; "},
		{"first of several", func(b *boxrules.Box) { b.Height, b.Depth = math.NaN(), math.NaN() }, "depth", "NaN is not a dimension; "},
		{"article before dimension", func(b *boxrules.Box) { b.Article, b.Width = "", math.NaN() }, "article", "missing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			box := good
			test.box(&box)
			verdict, err := engine.Check(box)
			all, errAll := engine.CheckAll(box)
			for _, err := range []error{err, errAll} {
				var input *boxrules.InputError
				if !errors.As(err, &input) || input.Field != test.field || !strings.HasPrefix(input.Message, test.text) {
					t.Errorf("Check(%+v): error %v, want %s: %s", box, err, test.field, test.text)
				} else if len(err.Error()) > 400 || strings.ContainsAny(err.Error(), "\n\r") {
					t.Errorf("error %q is not one short line", err)
				}
			}
			if verdict.OK() || verdict.Code() != "" || all != nil {
				t.Errorf("Check(%+v) = %v, %v beside an error", box, verdict, all)
			}
		})
	}
	for _, x := range []float64{1_000_000, -1_000_000, 0, math.Copysign(0, -1), math.SmallestNonzeroFloat64} {
		box := good
		box.Width = x
		if verdict, err := engine.Check(box); err != nil || verdict.OK() {
			t.Errorf("Check(%+v) = %v, %v, want a code", box, verdict, err)
		}
	}
}

// TestValidate: the functions that validate one part of an input return the same errors as a check or a
// search for the nearest box.
func TestValidate(t *testing.T) {
	const rules = "constraint:\n  - {code: X_0001, when: depth > width, message: m}\n"
	file := articleOf("a", "min: 1, max: 9", "X_0001") + "decimals: 1\n"
	for decimals, engine := range map[int]*boxrules.Engine{3: boxrules.Default(), 1: engineOf(t, rules, file)} {
		if got := engine.Catalogue().Decimals(); got != decimals {
			t.Fatalf("the limits take %d decimals, want %d", got, decimals)
		}
		p, step := engine.Profiles()[0], exact.StepOf(decimals)
		same := func(what any, got, want error) {
			t.Helper()
			if fmt.Sprint(got) != fmt.Sprint(want) || got != nil && !errors.As(got, new(*boxrules.InputError)) && !errors.As(got, new(*boxrules.OptionError)) {
				t.Errorf("%d decimals, %v: error %v, want %v", decimals, what, got, want)
			}
		}
		good := boxrules.Dims{Width: 5, Depth: 4, Height: 3}
		for _, x := range []float64{5, 0, -1_000_000, 1_000_000.5, 48.5, 48.25, 48.0004, math.NaN(), math.Inf(1)} {
			for _, d := range []boxrules.Dims{{Width: x, Depth: 4, Height: 3}, {Width: 5, Depth: x, Height: 3}, {Width: 5, Depth: 4, Height: x}} {
				_, want := p.Check(d)
				same(d, d.Validate(step), want)
			}
			_, _, want := p.Nearest(good, x)
			same(x, boxrules.ValidateStep(x, step), want)
		}
		for _, x := range []float64{0.1, 0.001, 0.0005, 1, 1000, 1001} {
			_, _, want := p.Nearest(good, x)
			same(x, boxrules.ValidateStep(x, step), want)
		}
	}
}

func TestVerdict(t *testing.T) {
	engine := boxrules.Default()
	box := boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: 48, Depth: 141, Height: 184}}
	bad, err := engine.Check(box)
	if err != nil {
		t.Fatal(err)
	}
	box.Dims = boxrules.Dims{Width: 143, Depth: 50, Height: 303}
	good, err := engine.Check(box)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		verdict boxrules.Verdict
		ok      bool
		code    boxrules.Code
		stage   boxrules.Stage
		text    string
		err     string
	}{
		{good, true, "", 0, "ok", ""},
		{bad, false, "BOX_3100", boxrules.Constraint, "BOX_3100",
			"BOX_3100 (constraint): the provided values do not allow creating a proper box"},
		{boxrules.Verdict{}, false, "", 0, "no verdict", "no verdict: the box was not checked"},
	} {
		v := test.verdict
		if v.OK() != test.ok || v.Code() != test.code || v.Stage() != test.stage || v.String() != test.text {
			t.Errorf("%v: OK %v, Code %q, Stage %v, want %v, %q, %v", v, v.OK(), v.Code(), v.Stage(), test.ok, test.code, test.stage)
		}
		if err := v.Err(); (err == nil) != test.ok || err != nil && err.Error() != test.err {
			t.Errorf("%v: Err() = %v, want %q", v, err, test.err)
		}
		var boxError *boxrules.BoxError
		if !test.ok && (!errors.As(v.Err(), &boxError) || boxError.Code != test.code) {
			t.Errorf("%v: Err() is no *BoxError with code %q", v, test.code)
		}
	}
}

// TestParseDimension: an error is one short line, whatever the text. The cases of package conformance
// test which texts are dimensions, and with what value.
func TestParseDimension(t *testing.T) {
	for _, text := range []string{"", "48,5", "48\x00", "48\n", "1000000.001", strings.Repeat("9", 64), strings.Repeat("0", 1000000)} {
		_, err := boxrules.ParseDimension("depth", text)
		var input *boxrules.InputError
		if !errors.As(err, &input) || input.Field != "depth" || len(err.Error()) > 300 || strings.ContainsAny(err.Error(), "\n\x00") {
			t.Errorf("ParseDimension(%.40q): error %v, want an InputError of one line for depth", text, err)
		}
	}
	for _, unit := range []string{"mm", "in"} {
		if _, err := boxrules.ParseDimensionIn("depth", "", unit); err == nil || err.Error() != "depth: missing; enter a depth" {
			t.Errorf("no text, in %s: error %v", unit, err)
		}
	}
	// What is wrong with a number that is too long is its length, and not how it is written.
	const want = "depth: the number is 72 characters long; at most 64 are accepted"
	if _, err := boxrules.ParseDimension("depth", "48"+strings.Repeat("0", 70)); err == nil || err.Error() != want {
		t.Errorf("ParseDimension of 48 and 70 zeros: error %v, want %s", err, want)
	}
}

// TestInputErrorsWithoutLimits: what is not a dimension is an input error even if no rule is about a
// limit.
func TestInputErrorsWithoutLimits(t *testing.T) {
	const rules = "constraint:\n  - {code: X_0001, when: depth > width, message: m}\n"
	p := profileOf(t, engineOf(t, rules, articleOf("a", "min: 1, max: 9", "X_0001")), "a")
	for _, x := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), 1_000_000.001, -1_000_000.001} {
		var input *boxrules.InputError
		verdict, err := p.Check(boxrules.Dims{Width: x, Depth: x, Height: x})
		if !errors.As(err, &input) || input.Field != "width" || verdict.OK() {
			t.Errorf("Check of %v = %v, %v, want an error for width", x, verdict, err)
		}
	}
	for _, x := range []float64{-1_000_000, -1, 0, 1_000_000} {
		if verdict, err := p.Check(boxrules.Dims{Width: x, Depth: x, Height: x}); !verdict.OK() || err != nil {
			t.Errorf("Check of %v = %v, %v, want ok", x, verdict, err)
		}
	}
}

// TestSome: an error lists the first articles of a long catalogue.
func TestSome(t *testing.T) {
	for count, want := range map[int]string{
		16: "accepted: a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15",
		17: "accepted: a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, …",
	} {
		engine := profiles.Engine(t, "", head(1)+cubes(count))
		if _, err := engine.Profile("b", "m0"); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("of %d articles: error %v, want %s", count, err, want)
		}
	}
}

func TestGrid(t *testing.T) {
	engine := wide(t)
	for _, test := range []struct {
		width float64
		ok    bool
	}{
		{0.9995, true}, {0.99949, false}, {1000.00049, true}, {1000.0005, false},
		{1, true}, {0.999, false},
	} {
		d := boxrules.Dims{Width: test.width, Depth: 1, Height: 1}
		verdict, err := engine.Check(boxrules.Box{Article: "BOX_2100", Material: "m", Dims: d})
		if err != nil || verdict.OK() != test.ok {
			t.Errorf("width %v: %v, %v, want ok %v", test.width, verdict, err, test.ok)
		}
	}
}

func TestNewRefusesNothing(t *testing.T) {
	if _, err := boxrules.New(nil, limits.Illustrative()); err == nil {
		t.Error("New(nil, catalogue) succeeded")
	}
	if _, err := boxrules.New(boxrules.DefaultRules(), nil); err == nil {
		t.Error("New(rules, nil) succeeded")
	}
}

// TestLimitAtTheEnd has a maximum at the greatest dimension. A greater number is not a dimension, even
// if rounding would bring it down to the maximum.
func TestLimitAtTheEnd(t *testing.T) {
	engine := profiles.Engine(t, "", head(1)+"  a: "+strings.Replace(nineCube, "max: 9", "max: 1000000", 1))
	for width, ok := range map[float64]bool{1_000_000: true, 1_000_000.0004: false, math.Nextafter(1_000_000, 2_000_000): false} {
		verdict, err := engine.Check(boxrules.Box{Article: "a", Material: "m0", Dims: boxrules.Dims{Width: width, Depth: 2, Height: 2}})
		var input *boxrules.InputError
		if verdict.OK() != ok || errors.As(err, &input) == ok {
			t.Errorf("width %v: %v, %v, want ok %v", width, verdict, err, ok)
		}
	}
}

// TestEngineAsksTheProfile: an Engine returns what the Profile returns, and for an unknown article or
// material nothing but the error.
func TestEngineAsksTheProfile(t *testing.T) {
	e := boxrules.Default()
	for _, p := range e.Profiles() {
		boxes := profiles.Boxes(p)
		for range *insightBoxes {
			d := boxrules.DimsAt(boxes.Next())
			box := boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: d}
			explanation, errExplain := e.Explain(box, 0.5)
			ranges, errRanges := e.Ranges(box)
			nearest, ok, errNearest := e.Nearest(box, 0.5)
			all, errAll := p.CheckAll(d)
			if err := errors.Join(errExplain, errRanges, errNearest, errAll); err != nil {
				t.Fatal(err)
			}
			if want := must(p.Explain(d, 0.5)); !reflect.DeepEqual(explanation, want) {
				t.Errorf("Explain(%+v) = %+v, want %+v", box, explanation, want)
			}
			if want := must(p.Ranges(d)); !reflect.DeepEqual(ranges, want) {
				t.Errorf("Ranges(%+v) = %+v, want %+v", box, ranges, want)
			}
			if want, wantOK, err := p.Nearest(d, 0.5); !reflect.DeepEqual(nearest, want) || ok != wantOK || err != nil {
				t.Errorf("Nearest(%+v) = %+v, %v, want %+v, %v, %v", box, nearest, ok, want, wantOK, err)
			}
			kept := boxrules.Violation{Code: "KEPT_0000"}
			want := must(p.AppendAll([]boxrules.Violation{kept}, d))
			if !slices.Equal(append([]boxrules.Violation{kept}, all...), want) || !slices.Equal(all, must(e.CheckAll(box))) {
				t.Errorf("CheckAll(%+v) = %v, want %v behind %v", box, all, want, kept)
			}
			verdict, first := must(e.Check(box)), append(all, boxrules.Violation{})[0]
			if verdict != must(p.Check(d)) || verdict.Code() != first.Code || verdict.Stage() != first.Stage ||
				(verdict.Err() == nil) != verdict.OK() {
				t.Errorf("Check(%+v) = %v (%v), want %v", box, verdict, verdict.Stage(), first)
			}
		}
	}
	for field, box := range map[string]boxrules.Box{
		"article":  {Article: "tuckend", Material: "carton-300"},
		"material": {Article: "tuck-end", Material: "steel"},
		"height":   {Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Height: math.NaN()}},
	} {
		explanation, errExplain := e.Explain(box, 1)
		ranges, errRanges := e.Ranges(box)
		nearest, ok, errNearest := e.Nearest(box, 1)
		if !reflect.DeepEqual(explanation, boxrules.Explanation{}) || !reflect.DeepEqual(ranges, boxrules.Ranges{}) || ok || nearest.Found() {
			t.Errorf("Explain, Ranges and Nearest of %+v = %+v, %+v, %+v, want nothing", box, explanation, ranges, nearest)
		}
		for what, err := range map[string]error{"Explain": errExplain, "Ranges": errRanges, "Nearest": errNearest} {
			var input *boxrules.InputError
			if !errors.As(err, &input) || input.Field != field {
				t.Errorf("%s(%+v): error %v, want one for %s", what, box, err, field)
			}
		}
	}
}

func TestBoxJSON(t *testing.T) {
	box := boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: 48, Depth: 141, Height: 184.5}}
	const want = `{"article":"tuck-end","material":"carton-300","width":48,"depth":141,"height":184.5}`
	text, err := json.Marshal(box)
	var back boxrules.Box
	if err != nil || string(text) != want || json.Unmarshal(text, &back) != nil || back != box {
		t.Errorf("%+v in JSON is %s, %v, and back %+v, want %s", box, text, err, back, want)
	}
}

// TestZeroValues: no zero value says that a box is valid.
func TestZeroValues(t *testing.T) {
	var p boxrules.Profile
	var e boxrules.Engine
	for _, d := range []boxrules.Dims{{}, {Width: 1, Depth: 1, Height: 1}} {
		if v, err := p.Check(d); v.OK() || v.Code() != "" || v.Err() == nil {
			t.Errorf("Check(%+v) of a zero Profile = %v, %v", d, v, err)
		}
		if all, err := p.AppendAll(nil, d); err == nil {
			t.Errorf("AppendAll(%+v) of a zero Profile = %v without an error", d, all)
		}
		if all, err := p.CheckAll(d); err == nil {
			t.Errorf("CheckAll(%+v) of a zero Profile = %v without an error", d, all)
		}
		if reasons, err := p.Reasons(d); err == nil {
			t.Errorf("Reasons(%+v) of a zero Profile = %v without an error", d, reasons)
		}
		if ranges, err := p.Ranges(d); err == nil {
			t.Errorf("Ranges(%+v) of a zero Profile = %v without an error", d, ranges)
		}
		if s, ok, err := p.Nearest(d, 1); ok || err == nil {
			t.Errorf("Nearest(%+v) of a zero Profile = %v, %v", d, s, ok)
		}
		if explanation, err := p.Explain(d, 1); err == nil {
			t.Errorf("Explain(%+v) of a zero Profile = %v without an error", d, explanation)
		}
		if v, err := e.Check(boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: d}); v.OK() || err == nil {
			t.Errorf("Check(%+v) of a zero Engine = %v, %v", d, v, err)
		}
	}
}
