package boxrules_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"example.com/boxrules"
)

func TestBorderline(t *testing.T) {
	e := boxrules.Default()
	const refuses = ": a service that computes in floating point may refuse the box"
	for _, test := range []struct {
		article, material string
		w, d, h           float64
		code, other, note string
	}{
		{"tuck-end-slim", "carton-300", 60.3, 20.1, 143, "", "BOX_3119", "on the edge of BOX_3119" + refuses},
		{"tuck-end-slim", "carton-300", 60, 20, 143, "", "", ""}, // a tie, which float64 decides alike
		{"tuck-end-slim", "carton-300", 60.3, 20.099, 143, "", "", ""},
		{"tuck-end-slim", "carton-300", 60.3, 20.101, 143, "BOX_3119", "", ""},
		{"auto-bottom", "carton-300", 50.1, 66.8, 60, "BOX_3103", "valid",
			"on the edge of BOX_3103: a service that computes in floating point may accept the box"},
		{"bottle-carton", "carton-300", 44.1, 58.8, 143.3, "BOX_3103", "BOX_3112",
			"on the edge of a rule: a service that computes in floating point may report BOX_3112"},
		// More decimals than the grid has.
		{"tuck-end", "carton-300", 400, 60, 180, "", "", ""},
		{"tuck-end", "carton-300", 400.0004, 60, 180, "", "BOX_2101", "on the edge of BOX_2101" + refuses},
		{"tuck-end", "carton-300", 19.9996, 15, 180, "", "BOX_2100", "on the edge of BOX_2100" + refuses},
		{"tuck-end", "carton-300", 100, 100.0004, 180, "", "BOX_3100", "on the edge of BOX_3100" + refuses},
		{"tuck-end", "carton-300", 100.0004, 100, 180, "", "", ""},
	} {
		p, err := e.Profile(test.article, test.material)
		if err != nil {
			t.Fatal(err)
		}
		d := boxrules.Dims{Width: test.w, Depth: test.d, Height: test.h}
		v, err := p.Check(d)
		if err != nil || string(v.Code()) != test.code {
			t.Errorf("%s: Check(%+v) = %v, %v, want %q", test.article, d, v, err, test.code)
		}
		other, ok, err := p.Borderline(d)
		said := string(other.Code())
		if other.OK() {
			said = "valid"
		}
		if err != nil || ok != (test.other != "") || said != test.other {
			t.Errorf("%s: Borderline(%+v) = %v, %v, %v, want %q", test.article, d, other, ok, err, test.other)
		}
		explanation, err := p.Explain(d, 1)
		if err != nil || explanation.Borderline != test.other || explanation.EdgeNote() != test.note {
			t.Errorf("%s: Explain(%+v): borderline %q, %v, note %q, want %q, %q",
				test.article, d, explanation.Borderline, err, explanation.EdgeNote(), test.other, test.note)
		}
	}
	var input *boxrules.InputError
	p := e.Profiles()[0]
	if _, _, err := p.Borderline(boxrules.Dims{Depth: math.NaN()}); !errors.As(err, &input) || input.Field != "depth" {
		t.Errorf("error %v, want one for depth", err)
	}
	if _, _, err := new(boxrules.Profile).Borderline(boxrules.Dims{}); err == nil {
		t.Error("a Profile that no Engine has made answers")
	}
	if n := testing.AllocsPerRun(100, func() { _, _, _ = p.Borderline(boxrules.Dims{Width: 120, Depth: 60, Height: 180}) }); n != 0 {
		t.Errorf("off every edge Borderline makes %v allocations", n)
	}
}

// edgeRules have a rule that double precision decides differently for 60.3 x 20.1.
const edgeRules = "boundary:\n" +
	"  - {code: OUT_0001, when: width != 60.3 || depth < min_depth || depth > max_depth || height < 1 || height > 9, message: m}\n" +
	"constraint:\n" +
	"  - {code: TIE_0001, when: depth != (1 / 3) * width, message: m}\n" +
	"  - {code: TIE_0002, when: depth > (1 / 3) * width, message: m}\n" +
	"  - {code: TIE_0003, when: depth > (1 / 3) * width || depth < (1 / 3) * width - 0.05, message: m}\n" +
	"  - {code: TIE_0004, when: depth < (1 / 3) * 60, message: m}\n"

func edgeProfile(t *testing.T, depths, code string) *boxrules.Profile {
	article := "  a: {width: {min: 60.3, max: 60.3}, depth: {" + depths + "}, height: {min: 1, max: 9}, constraints: [" + code + "]}\n"
	return profileOf(t, engineOf(t, edgeRules, article), "a")
}

// TestOffTheEdge: if an end of a range is borderline, a safe value is proposed instead, in JSON and in
// the advice.
func TestOffTheEdge(t *testing.T) {
	for _, test := range []struct {
		depths, code  string
		step          float64
		depth, advice string
		nearest       string
	}{
		{"min: 1, max: 90", "TIE_0002", 1,
			`[{"min":1,"max":20.1,"min_code":"OUT_0001","max_code":"TIE_0002","max_borderline":true,"safe_max":20}]`,
			"set depth to between 1 and 20", `{"width":60.3,"depth":20,"height":5,"changed":["depth"]}`},
		// The multiple of the step is the other end. It is on an edge, but not borderline.
		{"min: 1, max: 90", "TIE_0002, TIE_0004", 1,
			`[{"min":20,"max":20.1,"min_code":"TIE_0004","max_code":"TIE_0002","max_borderline":true,"safe_max":20}]`,
			"set depth to 20", `{"width":60.3,"depth":20,"height":5,"changed":["depth"]}`},
		// No multiple of the step is in the range.
		{"min: 20.05, max: 90", "TIE_0003", 1,
			`[{"min":20.05,"max":20.1,"min_code":"OUT_0001","max_code":"TIE_0003","max_borderline":true,"safe_max":20.099}]`,
			"set depth to between 20.05 and 20.099", `null`},
		// Every value is on the edge.
		{"min: 1, max: 90", "TIE_0001", 0.1,
			`[{"min":20.1,"max":20.1,"min_code":"TIE_0001","max_code":"TIE_0001","min_borderline":true,"max_borderline":true}]`,
			"with that step, every valid box of this article is borderline", `{"borderline":true}`},
	} {
		p := edgeProfile(t, test.depths, test.code)
		d := boxrules.Dims{Width: 60.3, Depth: 25, Height: 5}
		e, err := p.Explain(d, test.step)
		if err != nil {
			t.Fatal(err)
		}
		depth, err := json.Marshal(e.Ranges.Depth)
		if err != nil || string(depth) != test.depth {
			t.Errorf("%s: depth %s, %v, want %s", test.code, depth, err, test.depth)
		}
		nearest, err := json.Marshal(e.Nearest)
		if err != nil || string(nearest) != test.nearest {
			t.Errorf("%s: nearest %s, %v, want %s", test.code, nearest, err, test.nearest)
		}
		short, err := p.Advice(d, test.step)
		if err != nil || short != test.advice || e.Advice() != test.advice {
			t.Errorf("%s: advice %q, %v, explained %q, want %q", test.code, short, err, e.Advice(), test.advice)
		}
		data, err := json.Marshal(e)
		var read boxrules.Explanation
		if err = errors.Join(err, json.Unmarshal(data, &read)); err != nil || read.Advice() != test.advice {
			t.Errorf("%s: %s says %q when it is read back, %v, want %q", test.code, data, read.Advice(), err, test.advice)
		}
	}
}

// TestOffTheLowerEdge: the least end of a range is borderline, because 0.1 * 3 is greater than 0.3 in floating point. The
// rules NEVER_0001 and NEVER_0003 do not hold exactly, but make a depth of 1 and one of 3 borderline.
func TestOffTheLowerEdge(t *testing.T) {
	const rules = `boundary:
  - {code: OUT_0001, when: width != 3 || depth > max_depth || height < 1 || height > 9, message: m}
constraint:
  - {code: LOW_0001, when: depth < 0.1 * width, message: m}
  - {code: HIGH_0001, when: depth > (1 / 3) * width, message: m}
  - {code: NEVER_0001, when: depth <= 1 && depth > 0.7 * width - 1.1, message: m}
  - {code: NEVER_0003, when: depth <= 3 && depth > 0.7 * width + 0.9, message: m}
`
	for _, test := range []struct {
		maxDepth, codes string
		step            float64
		want            string
	}{
		{"9", "LOW_0001", 1, `"max":9,"min_code":"LOW_0001","max_code":"OUT_0001","min_borderline":true,"safe_min":1`},
		{"0.9", "LOW_0001", 1, `"max":0.9,"min_code":"LOW_0001","max_code":"OUT_0001","min_borderline":true,"safe_min":0.301`},
		// The multiple of the step is the other end. It is on an edge, but not borderline.
		{"9", "LOW_0001, HIGH_0001", 1, `"max":1,"min_code":"LOW_0001","max_code":"HIGH_0001","min_borderline":true,"safe_min":1`},
		{"9", "LOW_0001, NEVER_0001", 1, `"max":9,"min_code":"LOW_0001","max_code":"OUT_0001","min_borderline":true,"safe_min":2`},
		{"9", "LOW_0001, NEVER_0001, NEVER_0003", 1, `"max":9,"min_code":"LOW_0001","max_code":"OUT_0001","min_borderline":true,"safe_min":2`},
		{"9", "LOW_0001, NEVER_0001, NEVER_0003", 0.1, `"max":9,"min_code":"LOW_0001","max_code":"OUT_0001","min_borderline":true,"safe_min":0.4`},
	} {
		article := fmt.Sprintf("  a: {width: {min: 3, max: 3}, depth: {min: 0.1, max: %s}, height: {min: 1, max: 9}, constraints: [%s]}\n",
			test.maxDepth, test.codes)
		e, err := profileOf(t, engineOf(t, rules, article), "a").Explain(boxrules.Dims{Width: 3, Depth: 0.2, Height: 5}, test.step)
		if err != nil {
			t.Fatal(err)
		}
		if depth, err := json.Marshal(e.Ranges.Depth); err != nil || string(depth) != `[{"min":0.3,`+test.want+`}]` {
			t.Errorf("%s, step %v: depth %s, %v, want %s", test.codes, test.step, depth, err, test.want)
		}
	}
}

// TestUnsafeEnds: a borderline end without a safe value is not proposed. Then the other end is proposed alone.
func TestUnsafeEnds(t *testing.T) {
	low, high := 2.5, 7.5
	for _, test := range []struct {
		depths boxrules.Range
		want   string
	}{
		{boxrules.Range{Min: 2, Max: 8}, "set depth to between 2 and 8"},
		{boxrules.Range{Min: 2, Max: 8, MinBorderline: true, SafeMin: &low}, "set depth to between 2.5 and 8"},
		{boxrules.Range{Min: 2, Max: 8, MaxBorderline: true, SafeMax: &high}, "set depth to between 2 and 7.5"},
		{boxrules.Range{Min: 2, Max: 8, MinBorderline: true}, "set depth to 8"},
		{boxrules.Range{Min: 2, Max: 8, MaxBorderline: true}, "set depth to 2"},
		{boxrules.Range{Min: 2, Max: 8, MinBorderline: true, MaxBorderline: true, SafeMax: &high}, "set depth to 7.5"},
		{boxrules.Range{Min: 2, Max: 8, MinBorderline: true, MaxBorderline: true}, "no box of this article is valid with that step"},
	} {
		test.depths.MinCode, test.depths.MaxCode = "X_0001", "X_0002"
		e := boxrules.Explanation{Dims: boxrules.Dims{Width: 5, Depth: 9, Height: 5}, Code: "X_0002",
			Violations: []boxrules.Reason{{Code: "X_0002", Field: "depth"}}, Ranges: boxrules.Ranges{Depth: []boxrules.Range{test.depths}}}
		if got := e.Advice(); got != test.want {
			t.Errorf("%+v: %q, want %q", test.depths, got, test.want)
		}
	}
}

// TestEdgeIsMadeOnce is for the race detector: what boxes on an edge need is made only once, by the first
// of them.
func TestEdgeIsMadeOnce(t *testing.T) {
	p := edgeProfile(t, "min: 1, max: 90", "TIE_0002")
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			advice, err := p.Advice(boxrules.Dims{Width: 60.3, Depth: 25, Height: 5}, 1)
			if err != nil || advice != "set depth to between 1 and 20" {
				t.Errorf("advice %q, %v", advice, err)
			}
		})
	}
	wait.Wait()
}

// TestOffersOffTheEdge: an article is not offered if a service may refuse the box.
func TestOffersOffTheEdge(t *testing.T) {
	e := engineOf(t, "", articleOf("third", "min: 1, max: 200", "BOX_3119")+articleOf("any", "min: 1, max: 200", ""))
	for depth, want := range map[float64][]string{20: {"third", "any"}, 20.1: {"any"}, 20.101: {"any"}} {
		offers, err := e.Offers(boxrules.Dims{Width: 60.3, Depth: depth, Height: 100})
		var articles []string
		for _, o := range offers {
			articles = append(articles, o.Article)
		}
		if err != nil || !slices.Equal(articles, want) {
			t.Errorf("depth %v: offers %v, %v, want %v", depth, articles, err, want)
		}
	}
}
