package boxrules_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/profiles"
	"example.com/boxrules/limits"
)

func TestInsightInputErrors(t *testing.T) {
	p := profileOf(t, engineOf(t, "", articleOf("a", "min: 1, max: 1000", "BOX_3100")), "a")
	good := boxrules.Dims{Width: 3, Depth: 2, Height: 1}
	bad := boxrules.Dims{Width: 3, Depth: math.NaN(), Height: 1}
	_, errRanges := p.Ranges(bad)
	_, errReasons := p.Reasons(bad)
	_, errExplain := p.Explain(bad, 1)
	_, _, errNearest := p.Nearest(bad, 1)
	for name, err := range map[string]error{"Ranges": errRanges, "Reasons": errReasons, "Explain": errExplain, "Nearest": errNearest} {
		var input *boxrules.InputError
		if !errors.As(err, &input) || input.Field != "depth" {
			t.Errorf("%s(%+v): error %v, want one for depth", name, bad, err)
		}
	}
	for _, step := range []float64{0, math.NaN(), -1, 0.0005, 1e9, math.Inf(1), 0.0015, 1000.001, math.Nextafter(0.3, 1)} {
		_, ok, err := p.Nearest(good, step)
		_, errExplain := p.Explain(good, step)
		for _, err := range []error{err, errExplain} {
			var option *boxrules.OptionError
			if ok || !errors.As(err, &option) || option.Option != "step" || !strings.Contains(err.Error(), " is not valid; accepted: ") {
				t.Errorf("Nearest or Explain of %+v on %v: %v, error %v, want one for step", good, step, ok, err)
			}
		}
	}
	for _, step := range []float64{0.001, 0.3, 1, 1000} {
		if s, ok, err := p.Nearest(good, step); !ok || err != nil || s.Dims != good || len(s.Changed) != 0 {
			t.Errorf("Nearest(%+v, %v) = %+v, %v, %v, want the box itself", good, step, s, ok, err)
		}
	}
}

// odd has rules that are unlike any documented one.
const odd = `boundary:
  - {code: ODD_0000, when: width < min_width or width > max_width, message: out}
constraint:
  - {code: ODD_0001, when: 2 > 1, message: always}
  - {code: ODD_0002, when: width + depth + height > 10, message: nowhere within the limits does it not hold}
  - {code: ODD_0003, when: "!(depth <= 12 or height >= 100)", message: a negation}
  - {code: ODD_0004, when: "max(width, depth) > 100", message: a maximum}
  - {code: ODD_0005, when: depth < 10 or 20 < depth <= 25 or depth > 40, message: chained}
  - {code: ODD_0006, when: height < 12 or width + 3 * depth == 50, message: one of two}
  - {code: ODD_0007, when: width > 30 and (width > 30 and depth > 30), message: said twice}
`

func TestReasonTable(t *testing.T) {
	documented := wide(t)
	var articles string
	for _, code := range []string{"ODD_0001", "ODD_0002", "ODD_0003", "ODD_0004", "ODD_0005", "ODD_0006", "ODD_0007"} {
		articles += articleOf(code, "min: 10, max: 200", code)
	}
	user := engineOf(t, odd, articles)
	for _, test := range []struct {
		code    string
		w, d, h float64
		field   string
		by      float64
		tie     bool
		values  string
	}{
		{"BOX_2100", 0.25, 1, 1, "width", 0.75, false, "width 0.25 < min_width 1"},
		{"BOX_2100", 0.5, 1, 1, "width", 0.5, false, "width 0.5 < min_width 1"},
		{"BOX_2103", 1, 1200, 1, "depth", 200, false, "depth 1200 > max_depth 1000"},
		{"BOX_3100", 48, 141, 184, "depth", 93, false, "depth 141 > width 48"},
		{"BOX_3102", 50, 60, 61, "height", 1, true, "height 61 > depth 60 and depth 60 >= 60"},
		{"BOX_3103", 75, 100, 20, "width", 0.001, true, "width 75 <= (depth 100 * 3) / 4 = 75"},
		{"BOX_3103", 74.999, 100, 20, "width", 0.002, false, "width 74.999 <= (depth 100 * 3) / 4 = 75"},
		{"BOX_3103", 100, 141, 20, "width", 5.751, false, "width 100 <= (depth 141 * 3) / 4 = 105.75"},
		{"BOX_3110", 50, 50, 60, "width", 0.001, true, "width 50 >= depth 50 and depth 50 < height 60 and height 60 > width 50"},
		{"BOX_3112", 20, 500, 100, "depth", 460, false, "depth 500 > height 100 / 2.5 = 40"},
		{"BOX_3112", 20, 50, 100, "depth", 10, false, "depth 50 > height 100 / 2.5 = 40"},
		{"BOX_3113", 300, 250, 100, "width", 50, false,
			"width 300 > depth 250 and width 300 + depth 250 = 550 > 498.25 and width 300 + height 100 = 400 < 498.25"},
		{"BOX_3114", 300, 250, 200, "width", 1.75, false,
			"width 300 > depth 250 and width 300 + depth 250 = 550 > 498.25 and width 300 + height 200 = 500 > 498.25" +
				" and depth 250 + height 200 = 450 < 498.25"},
		// The article has no depth below 1, so the width is to blame.
		{"BOX_3119", 2, 1, 20, "width", 1, false, "depth 1 > (1 / 3) * width 2 ≈ 0.667"},
		{"BOX_3119", 100, 50, 20, "depth", 16.667, false, "depth 50 > (1 / 3) * width 100 ≈ 33.333"},
		{"BOX_3121", 50, 60, 70, "depth", 10, false, "depth 60 > width 50 and depth 60 < height 70"},
		{"BOX_3121", 50, 90, 90, "depth", 40, true, "depth 90 > width 50 and depth 90 >= height 90 and height 90 > width 50 + 30 = 80"},
		{"BOX_3122", 35, 30, 60, "depth", 5.001, true, "depth 30 <= width 35 and width 35 < height 60 and width 35 >= 35"},
		{"BOX_3122", 90, 50, 85, "depth", 5, false,
			"depth 50 <= width 90 and width 90 >= height 85 and height 85 > depth 50 + 30 = 80 and depth 50 + 30 = 80 >= 35"},
		{"BOX_4100", 600, 1, 100, "width", 100, false, "blank_width 1600 > sheet_width 1500 and blank_width 1600 > sheet_height 500"},
		{"BOX_4100", 400, 1, 600, "height", 100, false, "blank_height 600 > sheet_height 500 and blank_width 1400 > sheet_height 500"},
		{"ODD_0001", 20, 20, 20, "", 0, false, "2 > 1"},
		{"ODD_0002", 20, 20, 20, "width", 0, false, "width 20 + depth 20 + height 20 = 60 > 10"},
		{"ODD_0003", 20, 15, 20, "depth", 3, false, "depth 15 > 12 and height 20 < 100"},
		{"ODD_0004", 50, 110, 20, "depth", 10, false, "max(width 50, depth 110) = 110 > 100"},
		{"ODD_0005", 50, 25, 20, "depth", 0.001, true, "20 < depth 25 and depth 25 <= 25"},
		{"ODD_0006", 20, 10, 20, "width", 0.001, true, "width 20 + 3 * depth 10 = 50 == 50"},
		{"ODD_0006", 30, 10, 11.5, "height", 0.5, false, "height 11.5 < 12"},
		{"ODD_0007", 50, 40, 20, "width", 20, false, "width 50 > 30 and depth 40 > 30"},
	} {
		engine := documented
		if strings.HasPrefix(test.code, "ODD") {
			engine = user
		}
		d := boxrules.Dims{Width: test.w, Depth: test.d, Height: test.h}
		reasons, err := profileOf(t, engine, test.code).Reasons(d)
		if err != nil || len(reasons) != 1 || reasons[0].Code != boxrules.Code(test.code) {
			t.Errorf("%s: Reasons(%+v) = %+v, %v, want that code alone", test.code, d, reasons, err)
			continue
		}
		if r := reasons[0]; r.Field != test.field || r.By != test.by || r.Tie != test.tie || r.Values != test.values {
			t.Errorf("%s: Reasons(%+v) = %q %v tie %v, %q\nwant %q %v tie %v, %q",
				test.code, d, r.Field, r.By, r.Tie, r.Values, test.field, test.by, test.tie, test.values)
		}
	}
	// Of several ranges the nearest on each side is advised.
	for depth, want := range map[float64]string{
		50: "turn it to 50 x 20 x 50 (another side opens), or set depth to between 25.001 and 40",
		22: "turn it to 50 x 20 x 22 (another side opens), or set depth to between 10 and 20, or to between 25.001 and 40",
		5:  "turn it to 50 x 20 x 5 (another side opens), or set depth to between 10 and 20",
	} {
		d := boxrules.Dims{Width: 50, Depth: depth, Height: 20}
		if e, err := profileOf(t, user, "ODD_0005").Explain(d, 1); err != nil || e.Advice() != want {
			t.Errorf("Advice(%+v) = %q, %v, want %q", d, e.Advice(), err, want)
		}
	}
}

// TestReasonsField has boxes for which changing the dimension mentioned first satisfies the rule, but
// only changing another one makes the box valid.
func TestReasonsField(t *testing.T) {
	for _, test := range []struct {
		article, material string
		d                 boxrules.Dims
		field             string
		by                float64
	}{
		{"mailer", "e-flute", boxrules.Dims{Width: 106, Depth: 160, Height: 107}, "width", 54},
		{"handle-box", "carton-400", boxrules.Dims{Width: 180, Depth: 87, Height: 222}, "height", 105},
	} {
		p, err := boxrules.Default().Profile(test.article, test.material)
		if err != nil {
			t.Fatal(err)
		}
		reasons, err := p.Reasons(test.d)
		if err != nil || len(reasons) == 0 || reasons[0].Field != test.field || reasons[0].By != test.by {
			t.Errorf("%s: Reasons(%+v) = %+v, %v, want %s by %v", test.article, test.d, reasons, err, test.field, test.by)
		}
	}
}

// TestReasonsFieldAtTheLimit: a dimension is blamed if changing it makes the box valid, also if only its limit itself
// will do. A depth of 30 satisfies ODD_0001, but not ODD_0002. No rule rejects a width beyond the limits.
func TestReasonsFieldAtTheLimit(t *testing.T) {
	const rules = `constraint:
  - {code: ODD_0001, when: %s, message: m}
  - {code: ODD_0002, when: depth > 25, message: m}
`
	for _, test := range []struct {
		condition, ranges, field string
		by                       float64
	}{
		{"depth < 30 && width < 50", "min: 10, max: 50", "width", 10},
		{"depth < 30 && width < 50", "min: 10, max: 49.999", "depth", 10},
		{"width < 50 && depth < 30", "min: 10, max: 49.999", "depth", 10},
		{"depth < 30 && width > 10", "min: 10, max: 50", "width", 30},
		{"depth < 30 && width > 10", "min: 10.001, max: 50", "depth", 10},
		{"width > 10 && depth < 30", "min: 10.001, max: 50", "depth", 10},
	} {
		p := profileOf(t, engineOf(t, fmt.Sprintf(rules, test.condition), articleOf("a", test.ranges, "ODD_0001, ODD_0002")), "a")
		reasons, err := p.Reasons(boxrules.Dims{Width: 40, Depth: 20, Height: 20})
		if err != nil || len(reasons) != 1 || reasons[0].Field != test.field || reasons[0].By != test.by {
			t.Errorf("%s, %s: %+v, %v, want %s by %v", test.condition, test.ranges, reasons, err, test.field, test.by)
		}
	}
}

// TestReasonsBy changes random boxes by Reason.By, which satisfies the rule, and by less, which does not.
func TestReasonsBy(t *testing.T) {
	profiles.Each(t, func(t *testing.T, p *boxrules.Profile) {
		boxes := profiles.Boxes(p)
		low, high := boxes.Low, boxes.High
		var all []boxrules.Violation
		violates := func(b exact.Point, code boxrules.Code) bool {
			var err error
			if all, err = p.AppendAll(all[:0], boxrules.DimsAt(b)); err != nil {
				t.Fatal(err)
			}
			return slices.ContainsFunc(all, func(v boxrules.Violation) bool { return v.Code == code })
		}
		for range *insightBoxes * 10 {
			b := boxes.Next()
			reasons, errReasons := p.Reasons(boxrules.DimsAt(b))
			ranges, errRanges := p.Ranges(boxrules.DimsAt(b))
			if errReasons != nil || errRanges != nil {
				t.Fatal(errReasons, errRanges)
			}
			// A dimension whose change alone makes the box valid is one that every reason mentions.
			var alone []string
			for axis, list := range ranges.ByAxis() {
				if slices.ContainsFunc(list, func(r boxrules.Range) bool {
					return exact.Grid(r.Min) <= high[axis] && exact.Grid(r.Max) >= low[axis]
				}) {
					alone = append(alone, axisNames[axis])
				}
			}
			for _, reason := range reasons {
				if len(alone) > 0 && !slices.Contains(alone, reason.Field) {
					t.Fatalf("Reasons(%+v) = %+v, but a change of %s alone makes it valid", boxrules.DimsAt(b), reason, alone)
				}
				axis, by := slices.Index(axisNames[:], reason.Field), exact.Grid(reason.By)
				mended := false
				for x := low[axis]; by == 0 && x <= high[axis]; x += 500 {
					mended = mended || !violates(profiles.Moved(b, axis, x), reason.Code)
				}
				if mended {
					t.Fatalf("Reasons(%+v) = %+v, but a change of %s is enough", boxrules.DimsAt(b), reason, reason.Field)
				}
				for _, change := range []int64{by, by - 1, int64(boxes.Draw(int(by) + 1))} {
					enough := false
					for _, x := range []int64{b[axis] - change, b[axis] + change} {
						enough = enough || x >= low[axis] && x <= high[axis] && !violates(profiles.Moved(b, axis, x), reason.Code)
					}
					if enough != (change == by && by > 0) {
						t.Fatalf("Reasons(%+v) = %+v, but a change by %v is enough: %v", boxrules.DimsAt(b), reason, exact.Float64At(change), enough)
					}
				}
			}
		}
	})
}

// TestAdviceInnerLimit: advice leaves out the far end of a range if it is the article's limit, but not
// if a rule file gives a documented code of the boundary stage to another condition.
func TestAdviceInnerLimit(t *testing.T) {
	const rules = `version: 1
boundary:
  - {code: BOX_2100, when: width < min_width, message: m}
  - {code: BOX_2102, when: depth < min_depth, message: m}
  - {code: BOX_2101, when: width > %s, message: m}
constraint:
  - {code: BOX_3100, when: depth > width, message: m}
`
	catalogue, err := limits.Load("plain.yaml", []byte(strings.Replace(plain, "constraints: []", "constraints: [BOX_3100]", 1)))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		most         string
		width, depth float64
		advice       string
	}{
		{"2 * depth", 300, 50, "turn it to 50 x 50 x 300 (another side opens), or set width to between 50 and 100, or depth to between 150 and 300"},
		{"2 * depth", 90, 100, "turn it to 100 x 90 x 50, or set depth to between 45 and 90, or width to between 100 and 200"},
		{"max_width", 90, 100, "turn it to 100 x 90 x 50, or set depth to 90 or less, or width to 100 or more"},
		{"380", 90, 100, "turn it to 100 x 90 x 50, or set depth to 90 or less, or width to between 100 and 380"},
	} {
		set, err := boxrules.LoadRules("rules.yaml", fmt.Appendf(nil, rules, test.most))
		if err != nil {
			t.Fatal(err)
		}
		engine, err := boxrules.New(set, catalogue)
		if err != nil {
			t.Fatal(err)
		}
		p, err := engine.Profile("a", "m")
		if err != nil {
			t.Fatal(err)
		}
		d := boxrules.Dims{Width: test.width, Depth: test.depth, Height: 50}
		e, err := p.Explain(d, 1)
		short, errShort := p.Advice(d, 1)
		if err != nil || errShort != nil {
			t.Fatal(err, errShort)
		}
		if back := readBack(t, e).Advice(); e.Advice() != test.advice || back != test.advice || short != test.advice {
			t.Errorf("width > %s, %+v: %q, read back %q, by Profile.Advice %q, want %q",
				test.most, d, e.Advice(), back, short, test.advice)
		}
	}
}

// readBack returns the explanation after writing it as JSON and reading it again.
func readBack(t testing.TB, e boxrules.Explanation) (back boxrules.Explanation) {
	t.Helper()
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return back
}

// TestExplanationReadBack: an explanation read back from JSON is the same, and gives the same advice.
// Half of the boxes are not on the grid.
func TestExplanationReadBack(t *testing.T) {
	profiles.Each(t, func(t *testing.T, p *boxrules.Profile) {
		boxes := profiles.Boxes(p)
		advised := 0
		for i := range *insightBoxes * 20 {
			at := boxes.Next()
			d := boxrules.DimsAt(at)
			if i%2 == 1 {
				x := boxes.HardToRound(at)
				d = boxrules.Dims{Width: x[0], Depth: x[1], Height: x[2]}
			}
			e, err := p.Explain(d, []float64{0.001, 0.5, 1, 250}[boxes.Draw(4)])
			if err != nil {
				t.Fatal(err)
			}
			back := readBack(t, e)
			if !reflect.DeepEqual(back, e) || back.Advice() != e.Advice() {
				t.Fatalf("Explain(%+v) = %+v, advice %q\nread back: %+v, advice %q", d, e, e.Advice(), back, back.Advice())
			}
			if e.Advice() != "" {
				advised++
			}
		}
		if advised == 0 {
			t.Error("no box needs advice")
		}
	})
	var zero boxrules.Explanation
	if got, back := zero.Advice(), readBack(t, zero).Advice(); got != "" || back != "" {
		t.Errorf("the zero Explanation advises %q, read back %q, want nothing", got, back)
	}
}

func TestExplainJSON(t *testing.T) {
	p, err := boxrules.Default().Profile("tuck-end", "carton-300")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		d            boxrules.Dims
		want, advice string
	}{
		// Unfolded, 2·width + 2·141 + 15 may reach 1040.
		{boxrules.Dims{Width: 48, Depth: 141, Height: 184}, `{"width":48,"depth":141,"height":184,"ok":false,"code":"BOX_3100",` +
			`"violations":[{"code":"BOX_3100","stage":"constraint","message":"the provided values do not allow creating a proper box",` +
			`"field":"depth","condition":"depth \u003e width",` +
			`"values":"depth 141 \u003e width 48","by":93,"tie":false}],` +
			`"ranges":{"width":[{"min":141,"max":371.5,"min_code":"BOX_3100","max_code":"BOX_4100"}],` +
			`"depth":[{"min":15,"max":48,"min_code":"BOX_2102","max_code":"BOX_3100"}],"height":[]},` +
			`"turned":[{"width":141,"depth":48,"height":184,"opening":"same"},{"width":184,"depth":141,"height":48,"opening":"other"},` +
			`{"width":184,"depth":48,"height":141,"opening":"other"}],` +
			`"nearest":{"width":48,"depth":48,"height":184,"changed":["depth"]}}`,
			"turn it to 141 x 48 x 184, or set depth to 48 or less, or width to between 141 and 371.5"},
		{boxrules.Dims{Width: 143, Depth: 50, Height: 303}, `{"width":143,"depth":50,"height":303,"ok":true,"violations":[],` +
			`"ranges":{"width":[{"min":50,"max":400,"min_code":"BOX_3100","max_code":"BOX_2101"}],` +
			`"depth":[{"min":15,"max":143,"min_code":"BOX_2102","max_code":"BOX_3100"}],` +
			`"height":[{"min":30,"max":450,"min_code":"BOX_2104","max_code":"BOX_2105"}]}}`,
			""},
		// No dimension alone is enough, and no depth within the limits is that small.
		{boxrules.Dims{Width: 10.25, Depth: 200, Height: 20}, `{"width":10.25,"depth":200,"height":20,"ok":false,"code":"BOX_2100",` +
			`"violations":[` +
			`{"code":"BOX_2100","stage":"boundary","message":"width is smaller than the minimum allowed",` +
			`"field":"width","condition":"width \u003c min_width",` +
			`"values":"width 10.25 \u003c min_width 20","by":9.75,"tie":false},` +
			`{"code":"BOX_2104","stage":"boundary","message":"height is smaller than the minimum allowed",` +
			`"field":"height","condition":"height \u003c min_height",` +
			`"values":"height 20 \u003c min_height 30","by":10,"tie":false},` +
			`{"code":"BOX_3100","stage":"constraint","message":"the provided values do not allow creating a proper box",` +
			`"field":"width","condition":"depth \u003e width",` +
			`"values":"depth 200 \u003e width 10.25","by":189.75,"tie":false}],` +
			`"ranges":{"width":[],"depth":[],"height":[]},` +
			`"nearest":{"width":200,"depth":200,"height":30,"changed":["width","height"]}}`,
			"set width to 200 and height to 30"},
	} {
		e, err := p.Explain(test.d, 1)
		text, errJSON := json.Marshal(e)
		if err != nil || errJSON != nil || string(text) != test.want {
			t.Errorf("Explain(%+v) = %s, %v, %v, want %s", test.d, text, err, errJSON, test.want)
		}
		if got := e.Advice(); got != test.advice {
			t.Errorf("Advice(%+v) = %q, want %q", test.d, got, test.advice)
		}
	}
}

var (
	decimals      = regexp.MustCompile(`[0-9.]+`)
	severalFields = regexp.MustCompile(` and (width|depth|height) to `)
)

// TestAdvice follows each proposal of the advice for random boxes: it turns the box, and it changes a
// dimension by the smallest and the largest proposed change, and by a thousandth less.
func TestAdvice(t *testing.T) {
	profiles.Each(t, func(t *testing.T, p *boxrules.Profile) {
		boxes := profiles.Boxes(p)
		low, high := boxes.Low, boxes.High
		for range *insightBoxes * 10 {
			b := boxes.Next()
			d := boxrules.DimsAt(b)
			e, err := p.Explain(d, 1)
			if err != nil {
				t.Fatal(err)
			}
			advice := e.Advice()
			if valid := profiles.Code(t, p, b) == ""; valid != e.OK || valid && advice != "" {
				t.Fatalf("Explain(%+v) = %+v, advice %q", d, e, advice)
			} else if valid {
				continue
			}
			turn, rest, found := strings.Cut(advice, "set ")
			if turn != "" {
				turn = strings.TrimSuffix(strings.TrimPrefix(turn, "turn it to "), ", or ")
				to, other := strings.CutSuffix(turn, " (another side opens)")
				var turned boxrules.Dims
				if n, err := fmt.Sscanf(to, "%f x %f x %f", &turned.Width, &turned.Depth, &turned.Height); n != 3 || err != nil {
					t.Fatalf("Advice(%+v) = %q: how is it turned? %v", d, advice, err)
				}
				same := boxrules.Dims{Width: d.Depth, Depth: d.Width, Height: d.Height}
				isTurn := func(w boxrules.Turn) bool { return w.Dims == turned }
				at, _ := turned.Grid()
				if !slices.ContainsFunc(waysRound(d), isTurn) || profiles.Code(t, p, at) != "" || other != (turned != same) {
					t.Fatalf("Advice(%+v) = %q, which is not the same box, not valid, or says the wrong opening", d, advice)
				}
			} else if len(e.Turned) > 0 {
				t.Fatalf("Advice(%+v) = %q, which does not say that it can be turned: %+v", d, advice, e.Turned)
			}
			// Ends that are borderline are left out, and so may be all that a single dimension can do.
			all := slices.Concat(e.Ranges.Width, e.Ranges.Depth, e.Ranges.Height)
			edge := slices.ContainsFunc(all, func(r boxrules.Range) bool { return r.MinBorderline || r.MaxBorderline })
			together := len(all) == 0 || edge && severalFields.MatchString(rest)
			changed, axis := b, -1
			for _, way := range strings.Split(rest, map[bool]string{true: " and ", false: ", or "}[together]) {
				field, values, _ := strings.Cut(way, "to ")
				if field != "" {
					axis = slices.Index(axisNames[:], strings.TrimSpace(field))
				}
				ends := decimals.FindAllString(values, -1)
				if !found || axis < 0 || len(ends) == 0 {
					t.Fatalf("Advice(%+v) = %q, want ways that name a dimension and a value", d, advice)
				}
				near := int64(math.MaxInt64 / 2)
				for _, end := range ends {
					value, err := strconv.ParseFloat(end, 64)
					x := exact.Grid(value)
					changed[axis] = x
					if code := profiles.Code(t, p, profiles.Moved(b, axis, x)); err != nil || !together && code != "" {
						t.Fatalf("Advice(%+v) = %q, but %s set to %s is %q", d, advice, axisNames[axis], end, code)
					}
					if max(x-b[axis], b[axis]-x) < max(near-b[axis], b[axis]-near) {
						near = x
					}
				}
				// What is open ends at the article's limit.
				for open, limit := range map[string]int64{" or less": low[axis], " or more": high[axis]} {
					if !strings.HasSuffix(values, open) {
						continue
					}
					for _, x := range []int64{limit, min(near, limit) + int64(boxes.Draw(int(max(near, limit)-min(near, limit))+1))} {
						if code := profiles.Code(t, p, profiles.Moved(b, axis, x)); code != "" {
							t.Fatalf("Advice(%+v) = %q, but %s set to %d thousandths is %q", d, advice, axisNames[axis], x, code)
						}
					}
				}
				less := near + int64(cmp.Compare(b[axis], near))
				if !together && !edge && profiles.Code(t, p, profiles.Moved(b, axis, less)) == "" {
					t.Fatalf("Advice(%+v) = %q, but a thousandth less than %s is enough", d, advice, way)
				}
			}
			if together && profiles.Code(t, p, changed) != "" {
				t.Fatalf("Advice(%+v) = %q, but that is %q", d, advice, profiles.Code(t, p, changed))
			}
		}
	})
}
