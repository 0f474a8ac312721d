package boxrules_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules"
)

var insightBoxes = flag.Int("insight.boxes", 10, "boxes per article and material in the comparisons with brute force")

// TestRangesBruteForce walks along each dimension in halves and compares what Check says with Ranges.
func TestRangesBruteForce(t *testing.T) {
	forProfiles(t, func(t *testing.T, p *boxrules.Profile) {
		r := randomFor(p)
		low, high := limitsOf(p)
		for range *insightBoxes {
			b := drawBox(r, low, high)
			ranges, err := p.Ranges(b.dims())
			if err != nil {
				t.Fatal(err)
			}
			for axis, list := range [][]boxrules.Range{ranges.Width, ranges.Depth, ranges.Height} {
				for i, interval := range list {
					from, to := onGrid(interval.Min), onGrid(interval.Max)
					if from > to || i > 0 && onGrid(list[i-1].Max) >= from-1 || fromGrid(from) != interval.Min || fromGrid(to) != interval.Max {
						t.Fatalf("Ranges(%+v): %s %+v, want ascending intervals on the grid", b.dims(), dimensions[axis], list)
					}
					for x, want := range map[int64]boxrules.Code{from: "", to: "", from - 1: interval.MinCode, to + 1: interval.MaxCode} {
						if got := codeAt(t, p, b.with(axis, x)); got != want || got == "" && x != from && x != to {
							t.Fatalf("Ranges(%+v): %s %+v, but Check at %v = %q, want %q", b.dims(), dimensions[axis], list, fromGrid(x), got, want)
						}
					}
				}
				for x := int64(-2000); x <= high[axis]+20_000; x += 500 {
					in := slices.ContainsFunc(list, func(r boxrules.Range) bool { return fromGrid(x) >= r.Min && fromGrid(x) <= r.Max })
					if got := codeAt(t, p, b.with(axis, x)); (got == "") != in {
						t.Fatalf("Ranges(%+v): %s %+v, but Check at %v = %q", b.dims(), dimensions[axis], list, fromGrid(x), got)
					}
				}
			}
		}
	})
}

// TestRangesAtTheEnds has rules that turn at the last dimensions that are accepted, and beyond them.
func TestRangesAtTheEnds(t *testing.T) {
	const ends = `boundary:
  - {code: END_0001, when: width >= 1000000, message: m}
  - {code: END_0002, when: width <= -1000000, message: m}
  - {code: END_0003, when: depth > 1500000 or depth < -1500000, message: m}
  - {code: END_0004, when: height > 999999.999, message: m}
  - {code: END_0005, when: height < -999999.999, message: m}
`
	p := profileOf(t, engineOf(t, ends, articleOf("a", "min: 1, max: 9", "")), "a")
	ranges, err := p.Ranges(boxrules.Dims{Width: 1, Depth: 1, Height: 1})
	if err != nil {
		t.Fatal(err)
	}
	for axis, want := range []boxrules.Range{
		{Min: -999_999.999, Max: 999_999.999, MinCode: "END_0002", MaxCode: "END_0001"},
		{Min: -1_000_000, Max: 1_000_000},
		{Min: -999_999.999, Max: 999_999.999, MinCode: "END_0005", MaxCode: "END_0004"},
	} {
		if got := [][]boxrules.Range{ranges.Width, ranges.Depth, ranges.Height}[axis]; len(got) != 1 || got[0] != want {
			t.Errorf("%s: %+v, want %+v", dimensions[axis], got, want)
		}
	}
}

func TestNearestBruteForce(t *testing.T) {
	forProfiles(t, func(t *testing.T, p *boxrules.Profile) {
		r := randomFor(p)
		low, high := limitsOf(p)
		counts := make(map[int]int)
		for i := range *insightBoxes * 5 / 4 {
			step := int64(500)
			if i >= *insightBoxes {
				step = []int64{1000, 2500, 7000, 100_000, 250_000, 1_000_000}[r.IntN(6)]
			}
			b := drawBox(r, low, high)
			s, ok, err := p.Nearest(b.dims(), fromGrid(step))
			if err != nil || s.Unproved {
				t.Fatalf("Nearest(%+v, %v) = %+v, %v, %v, want a proved answer", b.dims(), fromGrid(step), s, ok, err)
			}
			if again, _, _ := p.Nearest(b.dims(), fromGrid(step)); again.Dims != s.Dims {
				t.Fatalf("Nearest(%+v, %v) = %+v, and then %+v", b.dims(), fromGrid(step), s, again)
			}
			want, changed, total := b, 0, int64(0)
			if codeAt(t, p, b) != "" {
				want, changed, total = nearestByHand(p, b, step)
			}
			counts[changed]++
			if ok != (total >= 0) {
				t.Fatalf("Nearest(%+v, %v) = %+v, %v, want %+v, %d in total", b.dims(), fromGrid(step), s, ok, want.dims(), total)
			}
			if !ok {
				continue
			}
			var names []string
			for axis, x := range want {
				if x != b[axis] {
					names = append(names, dimensions[axis])
				}
			}
			if s.Dims != want.dims() || !slices.Equal(s.Changed, names) || len(names) != changed {
				t.Fatalf("Nearest(%+v, %v) = %+v, want %+v changed in %v, by %v in total", b.dims(), fromGrid(step), s, want.dims(), names, fromGrid(total))
			}
		}
		t.Logf("boxes by the number of dimensions to change: %v", counts)
	})
}

// TestNearestUnproved has boxes that are not there, as depth would be odd and even. In whole units that is proved.
func TestNearestUnproved(t *testing.T) {
	rules := `boundary:
  - {code: U_0001, when: "width < 1 || width > max_width || depth != 2 * width || depth != 2 * height + 0.001", message: m}
`
	p := profileOf(t, engineOf(t, rules, articleOf("a", "min: 1, max: 10000", "")), "a")
	for _, step := range []float64{0.001, 1} {
		s, ok, err := p.Nearest(boxrules.Dims{Width: 5000, Depth: 1000, Height: 1000}, step)
		if ok || err != nil || s.Unproved != (step < 1) {
			t.Errorf("Nearest on a step of %v = %+v, %v, %v, want none, proved on 1 alone", step, s, ok, err)
		}
	}
}

func TestNearestOrderOfArticles(t *testing.T) {
	articles := []string{
		articleOf("a", "min: 10, max: 400", "BOX_3121, BOX_3122"), articleOf("b", "min: 10, max: 400", "BOX_3112, BOX_3103"), articleOf("c", "min: 5.5, max: 77.7", "BOX_3109, BOX_3120"),
	}
	forward := engineOf(t, "", strings.Join(articles, ""))
	slices.Reverse(articles)
	backward := engineOf(t, "", strings.Join(articles, ""))
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		b := drawBox(r, gridBox{10_000, 10_000, 10_000}, gridBox{400_000, 400_000, 400_000}).dims()
		for _, name := range []string{"a", "b", "c"} {
			s, ok, err := profileOf(t, forward, name).Nearest(b, 0.5)
			again, okAgain, errAgain := profileOf(t, backward, name).Nearest(b, 0.5)
			if err != nil || errAgain != nil || ok != okAgain || s.Dims != again.Dims {
				t.Fatalf("%s: Nearest(%+v) = %+v, %v, %v, and with the articles in another order %+v, %v, %v", name, b, s, ok, err, again, okAgain, errAgain)
			}
		}
	}
}

func TestNearestNone(t *testing.T) {
	e := engineOf(t, "", articleOf("none", "min: 1, max: 1000", "BOX_3105, BOX_3112")+articleOf("off", "min: 10.25, max: 10.75", ""))
	d := boxrules.Dims{Width: 300, Depth: 200, Height: 100}
	for _, test := range []struct {
		article string
		step    float64
		ok      bool
	}{{"none", 1, false}, {"none", 0.001, false}, {"off", 1, false}, {"off", 0.5, true}, {"off", 1000, false}} {
		s, ok, err := profileOf(t, e, test.article).Nearest(d, test.step)
		if ok != test.ok || err != nil || s.Unproved {
			t.Errorf("%s: Nearest at step %v = %+v, %v, %v, want ok %v, proved", test.article, test.step, s, ok, err, test.ok)
		}
	}
	explanation, err := profileOf(t, e, "none").Explain(d, 1)
	if err != nil || explanation.Nearest != nil || explanation.Advice() != "no box of this article is valid on that step" {
		t.Errorf("Explain = %+v, %v, want nothing near", explanation, err)
	}
}

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
		var input, inputExplain *boxrules.InputError
		if ok || !errors.As(err, &input) || input.Field != "step" || !errors.As(errExplain, &inputExplain) || inputExplain.Field != "step" {
			t.Errorf("Nearest(%+v, %v): error %v, Explain: error %v, want one for step", good, step, err, errExplain)
		}
	}
	for _, step := range []float64{0.001, 0.3, 1, 1000} {
		if s, ok, err := p.Nearest(good, step); !ok || err != nil || s.Dims != good || len(s.Changed) != 0 {
			t.Errorf("Nearest(%+v, %v) = %+v, %v, %v, want the box itself", good, step, s, ok, err)
		}
	}
}

// odd are rules that no documented one is like.
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
		{"BOX_2103", 1, 1200, 1, "depth", 200, false, "depth 1200 > max_depth 1000"},
		{"BOX_3102", 50, 60, 61, "height", 1, true, "height 61 > depth 60 and depth 60 >= 60"},
		{"BOX_3103", 75, 100, 20, "width", 0.001, true, "width 75 <= (depth 100 * 3) / 4 = 75"},
		{"BOX_3103", 74.999, 100, 20, "width", 0.002, false, "width 74.999 <= (depth 100 * 3) / 4 = 75"},
		{"BOX_3110", 50, 50, 60, "width", 0.001, true, "width 50 >= depth 50 and depth 50 < height 60 and height 60 > width 50"},
		{"BOX_3112", 20, 500, 100, "depth", 460, false, "depth 500 > height 100 / 2.5 = 40"},
		{"BOX_3113", 300, 250, 100, "width", 50, false, "width 300 > depth 250 and width 300 + depth 250 = 550 > 498.25 and width 300 + height 100 = 400 < 498.25"},
		{"BOX_3114", 300, 250, 200, "width", 1.75, false, "width 300 > depth 250 and width 300 + depth 250 = 550 > 498.25 and width 300 + height 200 = 500 > 498.25 and depth 250 + height 200 = 450 < 498.25"},
		// The article has no depth below 1, so the width is to blame.
		{"BOX_3119", 2, 1, 20, "width", 1, false, "depth 1 > (1 / 3) * width 2 ≈ 0.667"},
		{"BOX_3121", 50, 60, 70, "depth", 10, false, "depth 60 > width 50 and depth 60 < height 70"},
		{"BOX_3121", 50, 90, 90, "depth", 40, true, "depth 90 > width 50 and depth 90 >= height 90 and height 90 > width 50 + 30 = 80"},
		{"BOX_3122", 35, 30, 60, "depth", 5.001, true, "depth 30 <= width 35 and width 35 < height 60 and width 35 >= 35"},
		{"BOX_3122", 90, 50, 85, "depth", 5, false, "depth 50 <= width 90 and width 90 >= height 85 and height 85 > depth 50 + 30 = 80 and depth 50 + 30 = 80 >= 35"},
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
			t.Errorf("%s: Reasons(%+v) = %q %v tie %v, %q\nwant %q %v tie %v, %q", test.code, d, r.Field, r.By, r.Tie, r.Values, test.field, test.by, test.tie, test.values)
		}
	}
	// Of several ranges the nearest on each side is advised.
	for depth, want := range map[float64]string{50: "set depth to between 25.001 and 40", 22: "set depth to 20 or less, or to 25.001 or more", 5: "set depth to between 10 and 20"} {
		d := boxrules.Dims{Width: 50, Depth: depth, Height: 20}
		if e, err := profileOf(t, user, "ODD_0005").Explain(d, 1); err != nil || e.Advice() != want {
			t.Errorf("Advice(%+v) = %q, %v, want %q", d, e.Advice(), err, want)
		}
	}
}

// TestReasonsField has boxes of which the dimension mentioned first can make the rule hold no more, and another the box
// valid.
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
		if reasons, err := p.Reasons(test.d); err != nil || len(reasons) == 0 || reasons[0].Field != test.field || reasons[0].By != test.by {
			t.Errorf("%s: Reasons(%+v) = %+v, %v, want %s by %v", test.article, test.d, reasons, err, test.field, test.by)
		}
	}
}

// TestReasonsBy changes random boxes by what Reasons says, and by less.
func TestReasonsBy(t *testing.T) {
	forProfiles(t, func(t *testing.T, p *boxrules.Profile) {
		r := randomFor(p)
		low, high := limitsOf(p)
		var all []boxrules.Violation
		violates := func(b gridBox, code boxrules.Code) bool {
			var err error
			if all, err = p.AppendAll(all[:0], b.dims()); err != nil {
				t.Fatal(err)
			}
			return slices.ContainsFunc(all, func(v boxrules.Violation) bool { return v.Code == code })
		}
		for range *insightBoxes * 10 {
			b := drawBox(r, low, high)
			reasons, err := p.Reasons(b.dims())
			if err != nil {
				t.Fatal(err)
			}
			// A dimension whose change alone makes the box valid is one that every reason mentions.
			ranges, err := p.Ranges(b.dims())
			if err != nil {
				t.Fatal(err)
			}
			var alone []string
			for axis, list := range [][]boxrules.Range{ranges.Width, ranges.Depth, ranges.Height} {
				if slices.ContainsFunc(list, func(r boxrules.Range) bool { return onGrid(r.Min) <= high[axis] && onGrid(r.Max) >= low[axis] }) {
					alone = append(alone, dimensions[axis])
				}
			}
			for _, reason := range reasons {
				if len(alone) > 0 && !slices.Contains(alone, reason.Field) {
					t.Fatalf("Reasons(%+v) = %+v, but a change of %s alone makes it valid", b.dims(), reason, alone)
				}
				axis, by := slices.Index(dimensions, reason.Field), onGrid(reason.By)
				mended := false
				for x := low[axis]; by == 0 && x <= high[axis]; x += 500 {
					mended = mended || !violates(b.with(axis, x), reason.Code)
				}
				if mended {
					t.Fatalf("Reasons(%+v) = %+v, but a change of %s is enough", b.dims(), reason, reason.Field)
				}
				for _, change := range []int64{by, by - 1, r.Int64N(by + 1)} {
					enough := false
					for _, x := range []int64{b[axis] - change, b[axis] + change} {
						enough = enough || x >= low[axis] && x <= high[axis] && !violates(b.with(axis, x), reason.Code)
					}
					if enough != (change == by && by > 0) {
						t.Fatalf("Reasons(%+v) = %+v, but a change by %v is enough: %v", b.dims(), reason, fromGrid(change), enough)
					}
				}
			}
		}
	})
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
		{boxrules.Dims{Width: 48, Depth: 141, Height: 184}, `{"ok":false,"code":"BOX_3100",` +
			`"violations":[{"code":"BOX_3100","stage":"constraint","field":"depth","condition":"depth \u003e width","values":"depth 141 \u003e width 48","by":93,"tie":false}],` +
			`"ranges":{"width":[{"min":141,"max":371.5,"min_code":"BOX_3100","max_code":"BOX_4100"}],"depth":[{"min":15,"max":48,"min_code":"BOX_2102","max_code":"BOX_3100"}],"height":[]},` +
			`"nearest":{"width":48,"depth":48,"height":184,"changed":["depth"]}}`,
			"set depth to 48 or less, or width to 141 or more"},
		{boxrules.Dims{Width: 143, Depth: 50, Height: 303}, `{"ok":true,"violations":[],` +
			`"ranges":{"width":[{"min":50,"max":400,"min_code":"BOX_3100","max_code":"BOX_2101"}],"depth":[{"min":15,"max":143,"min_code":"BOX_2102","max_code":"BOX_3100"}],"height":[{"min":30,"max":450,"min_code":"BOX_2104","max_code":"BOX_2105"}]}}`,
			""},
		// No dimension alone is enough, and no depth within the limits is that small.
		{boxrules.Dims{Width: 10.25, Depth: 200, Height: 20}, `{"ok":false,"code":"BOX_2100","violations":[` +
			`{"code":"BOX_2100","stage":"boundary","field":"width","condition":"width \u003c min_width","values":"width 10.25 \u003c min_width 20","by":9.75,"tie":false},` +
			`{"code":"BOX_2104","stage":"boundary","field":"height","condition":"height \u003c min_height","values":"height 20 \u003c min_height 30","by":10,"tie":false},` +
			`{"code":"BOX_3100","stage":"constraint","field":"width","condition":"depth \u003e width","values":"depth 200 \u003e width 10.25","by":189.75,"tie":false}],` +
			`"ranges":{"width":[],"depth":[],"height":[]},"nearest":{"width":200,"depth":200,"height":30,"changed":["width","height"]}}`,
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

var decimals = regexp.MustCompile(`[0-9.]+`)

// TestAdvice follows each way of the advice for random boxes as far as it must be followed, and a thousandth less.
func TestAdvice(t *testing.T) {
	forProfiles(t, func(t *testing.T, p *boxrules.Profile) {
		r := randomFor(p)
		low, high := limitsOf(p)
		for range *insightBoxes * 10 {
			b := drawBox(r, low, high)
			e, err := p.Explain(b.dims(), 1)
			if err != nil {
				t.Fatal(err)
			}
			advice := e.Advice()
			if valid := codeAt(t, p, b) == ""; valid != e.OK || valid && advice != "" {
				t.Fatalf("Explain(%+v) = %+v, advice %q", b.dims(), e, advice)
			} else if valid {
				continue
			}
			rest, found := strings.CutPrefix(advice, "set ")
			together := len(e.Ranges.Width)+len(e.Ranges.Depth)+len(e.Ranges.Height) == 0
			changed, axis := b, -1
			for _, way := range strings.Split(rest, map[bool]string{true: " and ", false: ", or "}[together]) {
				field, values, _ := strings.Cut(way, "to ")
				if field != "" {
					axis = slices.Index(dimensions, strings.TrimSpace(field))
				}
				ends := decimals.FindAllString(values, -1)
				if !found || axis < 0 || len(ends) == 0 {
					t.Fatalf("Advice(%+v) = %q, want ways that name a dimension and a value", b.dims(), advice)
				}
				near := int64(math.MaxInt64 / 2)
				for _, end := range ends {
					value, err := strconv.ParseFloat(end, 64)
					x := onGrid(value)
					changed = changed.with(axis, x)
					if code := codeAt(t, p, b.with(axis, x)); err != nil || !together && code != "" {
						t.Fatalf("Advice(%+v) = %q, but %s set to %s is %q", b.dims(), advice, dimensions[axis], end, code)
					}
					if max(x-b[axis], b[axis]-x) < max(near-b[axis], b[axis]-near) {
						near = x
					}
				}
				less := near + int64(cmp.Compare(b[axis], near))
				if !together && codeAt(t, p, b.with(axis, less)) == "" {
					t.Fatalf("Advice(%+v) = %q, but a thousandth less than %s is enough", b.dims(), advice, way)
				}
			}
			if together && codeAt(t, p, changed) != "" {
				t.Fatalf("Advice(%+v) = %q, but that is %q", b.dims(), advice, codeAt(t, p, changed))
			}
		}
	})
}

// TestWitness asks every profile for a box of each of its codes.
func TestWitness(t *testing.T) {
	reported := make(map[boxrules.Code]bool)
	for _, p := range boxrules.Default().Profiles() {
		for _, rule := range p.Rules() {
			d, ok := p.Witness(rule.Code)
			if v, err := p.Check(d); !ok || err != nil || v.Code() != rule.Code {
				t.Errorf("%s in %s: Witness(%s) = %+v, %v, where Check = %v, %v", p.Article(), p.Material(), rule.Code, d, ok, v, err)
			}
			reported[rule.Code] = true
		}
	}
	if len(reported) != 30 {
		t.Errorf("%d codes with a witness, want each of the 30", len(reported))
	}
	p := profileOf(t, engineOf(t, "", articleOf("a", "min: 2, max: 2000", "BOX_3104, BOX_3117")), "a")
	if d, ok := p.Witness("BOX_2105"); !ok || d != (boxrules.Dims{Width: 100, Depth: 100, Height: 2100}) {
		t.Errorf("Witness(BOX_2105) = %+v, %v, want the roundest and smallest", d, ok)
	}
	for _, code := range []boxrules.Code{"BOX_3117", "X_0000"} { // BOX_3104 always comes first; no rule
		if d, ok := p.Witness(code); ok {
			t.Errorf("Witness(%s) = %+v, want none", code, d)
		}
	}
}
